"""A plan on a Dask cluster: the same blocks, the same integers, wherever they are played.

A task is a few blocks with a small parcel, the tables they are played by, and comes back as sums. It needs nothing of
any other worker: if its own is lost it is played again by another, and a block is added once, whoever finished it. What
is lost is time.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import queue
import zlib
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from pitboss import __version__
from pitboss.errors import PitbossError
from pitboss.sim.plan import Prepared
from pitboss.sim.result import Sums, play_block
from pitboss.sim.run import Progress, Run

TRIES = 10
"""How often a block is handed out again before the run gives up."""
TASKS_AHEAD = 4
"""Tasks in flight for each thread of the cluster."""
MOST_BLOCKS = 8
"""Blocks of one task: enough that handing it out costs little beside playing it."""
CONNECT_SECONDS = 10
WORKERS_SECONDS = 30
LISTEN_SECONDS = 0.25
"""How often somebody who wants to stop is listened to while nothing comes back."""


class ClusterError(PitbossError):
    """A cluster that cannot be used."""


@functools.lru_cache(maxsize=4)
def unpack_parcel(parcel: bytes) -> Prepared:
    """What is in a parcel; a worker opens it once."""
    prepared: Prepared = pickle.loads(zlib.decompress(parcel))
    return prepared


def play_blocks(parcel: bytes, version: str, blocks: tuple[int, ...]) -> dict[int, Sums]:
    """Play some blocks; runs on a worker."""
    if version != __version__:
        raise ClusterError(f"a worker has pitboss {__version__}, and {version} is needed")
    return {block: play_block(unpack_parcel(parcel), block) for block in blocks}


def on_cluster(run: Run, address: str, progress: Progress) -> None:
    """Play what is left of a run on the cluster at `address` until done or until `progress` says stop."""
    client = _client(address)
    try:
        _Handing(run, client).until_done(progress)
    finally:
        client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm.addressing import parse_address, parse_host_port
    except ImportError:
        raise ClusterError("clusters need the extra 'cluster': pip install 'pitboss-blackjack[cluster]'") from None
    make: Callable[..., Any] = Client
    parse: Callable[..., Any] = parse_host_port
    try:
        parse(parse_address(address)[1])
        client = make(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no cluster answers at {address}: {error or 'timed out'}") from None
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except OSError:
        client.close()
        raise ClusterError(f"the cluster at {address} has no worker") from None
    return client


class _Handing:
    """Hands blocks out, a few for each thread, and takes their sums in."""

    def __init__(self, run: Run, client: Any) -> None:
        self.run, self.client = run, client
        whole = run.prepared._replace(strategy=None)  # type: ignore[arg-type]
        self.parcel = zlib.compress(pickle.dumps(whole))
        self.tag = hashlib.sha256(self.parcel).hexdigest()[:16]
        self.left = deque(run.left())
        self.silent = 0
        self.out: dict[Any, tuple[int, ...]] = {}
        self.back: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.tries: Counter[tuple[int, ...]] = Counter()

    def until_done(self, progress: Progress) -> None:
        """Play until nothing is left or somebody says stop."""
        while self.out or self.left:
            self._fill()
            try:
                future = self.back.get(timeout=LISTEN_SECONDS)
            except queue.Empty:
                future = None
            self._look_after()
            if future is not None:
                self._take(future)
            if not progress(self.run.sums):
                return

    def _fill(self) -> None:
        try:
            threads = sum(self.client.nthreads().values())
        except (OSError, RuntimeError):  # not there now; `_look_after` says whether it is worth waiting
            return
        room = TASKS_AHEAD * max(threads, 1)
        size = min(max(len(self.left) // room, 1), MOST_BLOCKS)
        while len(self.out) < room and self.left:
            self._hand_out(tuple(self.left.popleft() for _ in range(min(size, len(self.left)))))

    def _hand_out(self, blocks: tuple[int, ...]) -> None:
        key = f"pitboss-{self.tag}-{blocks[0]}-{len(blocks)}-{self.tries[blocks]}"
        future = self.client.submit(play_blocks, self.parcel, __version__, blocks, key=key, retries=TRIES)
        self.out[future] = blocks
        future.add_done_callback(self.back.put)

    def _take(self, future: Any) -> None:
        """The sums of a task, or the task once more: its workers died, or its place was lost with the scheduler."""
        import distributed

        blocks = self.out.pop(future)
        try:
            found: dict[int, Sums] = future.result(timeout=CONNECT_SECONDS)
        except (distributed.KilledWorker, distributed.CancelledError, OSError) as error:
            self.tries[blocks] += 1
            if self.tries[blocks] == TRIES:
                raise ClusterError(f"block {blocks[0]} was lost {TRIES} times: {error}") from None
            self._hand_out(blocks)
        except PitbossError:
            raise
        except Exception as error:
            raise ClusterError(f"a worker failed: {type(error).__name__}: {error}") from None
        else:
            for block, sums in found.items():
                self.run.add(block, sums)
        future.release()

    def _look_after(self) -> None:
        """The scheduler may be gone, for a moment or for good."""
        self.silent = 0 if self.client.status == "running" else self.silent + 1
        if self.client.status == "closed" or self.silent * LISTEN_SECONDS > WORKERS_SECONDS:
            raise ClusterError(f"the connection to the cluster was lost; {len(self.run.done):,} blocks are done")
