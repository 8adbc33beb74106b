"""The runner: drives a desk with the real clock, and stores what is decided in a thread of its own.

While one group is on its way to the disk the next one gathers; so one fsync serves all the tables on which something
was decided in the meantime. Clocks of tables, seals, kept states and, where several processes serve the floor, the
roster are looked after here too.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pitboss.errors import PitbossError
from pitboss.floor.ledger import find_imbalance
from pitboss.server.desk import Desk
from pitboss.server.logbook import list_frames
from pitboss.server.metrics import Timings
from pitboss.server.processes.roster import Roster
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.leases import LEASE_MS
from pitboss.server.storage.rows import FLOOR
from pitboss.server.storage.store import CommandDone, LeaseLost, Overdrawn, Store

T = TypeVar("T")

SEAL_EVERY_S = 60
LOOK_EVERY_MS = LEASE_MS // 3
LOOK_PAUSE_S = 0.02
"""How often a process says that it lives, and how soon after that it may look again if there is a reason."""
GATHER_S = 0.001
FULL_GROUP = 50
"""A group gathers for a moment before it is stored, unless this many decisions wait already: one fsync and one frame to
each observer then serve more of them."""
FROZEN = "the floor is frozen: nothing can be stored now, and no clock runs"
RETRY_S = 0.2
"""How long to wait before a store that failed is tried again."""


class Runner:
    """Drives a desk until it is stopped."""

    def __init__(
        self, desk: Desk, store: Store, *, roster: Roster | None = None,
        complain: Callable[[str], None] = lambda line: None,
    ) -> None:  # fmt: skip
        self.desk = desk
        self.store = store
        self.roster = roster
        """Where several processes serve the floor."""
        self.complain = complain
        self.commits = 0
        self.failures = 0
        self.rows = 0
        self.rounds = 0
        self.commit_time = Timings()
        self.tell_standing: Callable[[], None] = lambda: None
        """Told when the floor freezes, and when it goes on."""
        self.replaced: Callable[[], None] = lambda: None
        """Told when another process has taken over."""
        self._wake = asyncio.Event()
        self._reason_to_look = asyncio.Event()
        self._imbalance = 0
        """As the store last said."""
        self._follow_to = 0
        self._following: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._writer = ThreadPoolExecutor(1, "pitboss-writer")
        self._writing = asyncio.Lock()
        self._stopping = False
        self.take_jump: Callable[[], int] = lambda: 0
        """By how much the machine's clock was changed since this was last asked, in milliseconds."""
        desk.wake = self._wake.set

    def start(self) -> None:
        """Begin."""
        self._tasks = [
            asyncio.create_task(self._store()), asyncio.create_task(self._watch_clocks()),
            asyncio.create_task(self._seal()), asyncio.create_task(self._look()),
        ]  # fmt: skip
        for task in self._tasks:
            task.add_done_callback(self._notice_end)

    def _notice_end(self, task: asyncio.Task[None]) -> None:
        """What drives the floor has ended by an error that nobody expected: better no floor than half a floor."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.complain(f"stopped by {type(error).__name__} at {list_frames(error.__traceback__)[0]}")
            self.replaced()

    async def stop(self) -> None:
        """Store what is decided, seal, and end."""
        self._stopping = True
        self._wake.set()
        with contextlib.suppress(Exception):
            await self._tasks[0]
        for task in self._tasks[1:]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        with contextlib.suppress(StoreError):
            if FLOOR in self.desk.slots:
                await self._in_writer(self._write_seal)
            await self._in_writer(lambda: self.store.free(self.desk.owner))
        self._writer.shutdown()

    async def _in_writer(self, work: Callable[[], T]) -> T:
        """Write something that is a transaction of its own; one is open at a time."""
        async with self._writing:
            return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    async def _store(self) -> None:
        """Store group after group."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.desk.line:
                if len(self.desk.line) < FULL_GROUP and not self._stopping:
                    await asyncio.sleep(GATHER_S)
                await self._store_group()
            if self._stopping:
                return

    async def _store_group(self) -> None:
        entries = self.desk.take_group()
        began = time.perf_counter()
        try:
            async with self._writing:
                finish = self.store.begin_write(entries, self.desk.owner, self.desk.list_tokens())
                await asyncio.get_running_loop().run_in_executor(self._writer, finish)
        except Overdrawn as error:
            self.desk.go_back(error)
            return
        except StoreError as error:
            self.failures += 1
            self.desk.go_back(error)
            self.complain(f"not stored: {error}")
            if not isinstance(error, CommandDone | LeaseLost):
                self._freeze()
            return
        self.commit_time.note((time.perf_counter() - began) * 1000)
        self.commits += 1
        self.rows += len(entries)
        self.rounds += sum(entry.round is not None for entry in entries)
        self.desk.confirm()
        kept = self.desk.find_snapshot()
        if kept is not None:
            with contextlib.suppress(StoreError):
                await self._in_writer(lambda: self.store.write_snapshot(kept[0].name, kept[1], kept[2]))

    def _freeze(self) -> None:
        """The store has failed: stand still until it takes something again."""
        if not self.desk.frozen:
            self.desk.freeze(FROZEN)
            self.tell_standing()
        self._reason_to_look.set()

    async def _watch_clocks(self) -> None:
        """Let tables go on when their clocks run out; where the machine's was put forward, with time once more."""
        while True:
            jump = self.take_jump()
            if jump:
                self.complain(f"the machine's clock was changed by {jump / 1000:.0f} s")
            if jump > 0 and not self.desk.frozen:
                self.desk.restart_clocks()
            self.desk.run_clocks()
            deadline = self.desk.find_next_deadline()
            wait = 0.25 if deadline is None else (deadline - self.desk.clock()) / 1000
            await asyncio.sleep(min(max(wait, 0.01), 0.25))

    async def _seal(self) -> None:
        while True:
            await asyncio.sleep(SEAL_EVERY_S)
            if FLOOR not in self.desk.slots:
                continue
            try:
                await self._in_writer(self._write_seal)
            except StoreError as error:
                self.complain(f"not sealed: {error}")

    async def _look(self) -> None:
        """Every second, and when there is reason to: say that we live, drop what is lost, take what nobody serves.

        A process whose store has failed goes on when it could say so again.
        """
        while True:
            most_ms = LOOK_EVERY_MS if self.roster is None else self.roster.find_wait(LOOK_EVERY_MS)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(most_ms / 1000):
                    await self._reason_to_look.wait()
            self._reason_to_look.clear()
            was_frozen = bool(self.desk.frozen)
            if was_frozen:
                await asyncio.sleep(RETRY_S)
            try:
                if was_frozen:
                    await self._in_writer(lambda: self.store.check_room(self.desk.owner))
                await self._look_once()
            except StoreError as error:
                if not self.desk.frozen:
                    self.complain(f"not renewed: {error}")
                self._freeze()
                continue
            except PitbossError as error:
                self.complain(f"it is not known who serves what: {error}")
            else:
                if was_frozen:
                    self.desk.thaw()
                    self.complain("the store takes what is decided again")
                    self.tell_standing()
            await asyncio.sleep(LOOK_PAUSE_S)

    async def _look_once(self) -> None:
        if self.roster is not None:
            await self.roster.look(asyncio.to_thread)
            return
        held = {name: slot.token for name, slot in self.desk.slots.items()}
        kept = await self._in_writer(lambda: self.store.renew(self.desk.owner))
        if any(kept.get(name) != token for name, token in held.items()):
            self.complain("another process serves this floor now")
            self.replaced()

    def look_soon(self) -> None:
        """There is reason to look at once who serves what."""
        self._reason_to_look.set()

    def follow_floor(self, seq: int) -> None:
        """The floor itself has moved on elsewhere."""
        self._follow_to = max(self._follow_to, seq)
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        assert self.roster is not None
        with contextlib.suppress(StoreError):
            while FLOOR not in self.desk.slots and self.desk.floor_at.seq < self._follow_to:
                await self.roster.follow(asyncio.to_thread)

    @property
    def is_ready(self) -> bool:
        """What is decided can be stored, and the other processes know that we live."""
        return not self.desk.frozen and self.desk.is_good

    def _write_seal(self) -> None:
        self.store.write_seal(self.desk.clock(), self.desk.owner, self.desk.slots[FLOOR].token)

    async def find_imbalance(self) -> int:
        """By how much the ledger misses zero, in grains; whoever knows a part of the accounts asks the store."""
        if self.roster is None:
            return find_imbalance(self.desk.balances)
        with contextlib.suppress(StoreError):
            self._imbalance = await asyncio.to_thread(self.store.find_imbalance)
        return self._imbalance
