"""The runner: drives a desk with the real clock, and stores what is decided in a thread of its own.

While one group is on its way to the disk the next one gathers; so one fsync serves all the tables on which something
was decided in the meantime. Clocks of tables, seals and kept states are looked after here too.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from pitboss.floor.ledger import find_imbalance
from pitboss.server.desk import LEASE_MS, Desk
from pitboss.server.metrics import Timings
from pitboss.server.storage.store import Store, StoreError

T = TypeVar("T")

SEAL_EVERY_S = 60
RENEW_EVERY_S = LEASE_MS / 3000
GATHER_S = 0.004
FULL_GROUP = 100
"""A group gathers for a moment before it is stored, unless this many decisions wait already: one fsync and one frame to
each observer then serve more of them."""
RETRY_S = 0.2
"""How long to wait before a store that failed is tried again."""


class Runner:
    """Drives a desk until it is stopped."""

    def __init__(self, desk: Desk, store: Store, *, complain: Callable[[str], None] = lambda line: None) -> None:
        self.desk = desk
        self.store = store
        self.complain = complain
        self.commits = 0
        self.failures = 0
        self.rows = 0
        self.rounds = 0
        self.commit_time = Timings()
        self.healthy = True
        """The last attempt to store something worked."""
        self.replaced: Callable[[], None] = lambda: None
        """Told when another process has taken over."""
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._writer = ThreadPoolExecutor(1, "pitboss-writer")
        self._writing = asyncio.Lock()
        self._stopping = False
        desk.wake = self._wake.set

    def start(self) -> None:
        """Begin."""
        self._tasks = [
            asyncio.create_task(self._store()), asyncio.create_task(self._watch_clocks()),
            asyncio.create_task(self._seal()), asyncio.create_task(self._renew()),
        ]  # fmt: skip

    async def stop(self) -> None:
        """Store what is decided, seal, and end."""
        self._stopping = True
        self._wake.set()
        await self._tasks[0]
        for task in self._tasks[1:]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        with contextlib.suppress(StoreError):
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
                finish = self.store.begin_write(entries, self.desk.owner, self.desk.clock() + LEASE_MS)
                await asyncio.get_running_loop().run_in_executor(self._writer, finish)
        except StoreError as error:
            self.failures += 1
            self.healthy = False
            self.desk.go_back(error)
            self.complain(f"not stored: {error}")
            await asyncio.sleep(RETRY_S)
            return
        self.healthy = True
        self.commit_time.note((time.perf_counter() - began) * 1000)
        self.commits += 1
        self.rows += len(entries)
        self.rounds += sum(entry.round is not None for entry in entries)
        self.desk.confirm()
        kept = self.desk.find_snapshot()
        if kept is not None:
            with contextlib.suppress(StoreError):
                await self._in_writer(lambda: self.store.write_snapshot(kept[0].name, kept[1], kept[2]))

    async def _watch_clocks(self) -> None:
        """Let tables go on when their clocks run out."""
        while True:
            self.desk.run_clocks()
            deadline = self.desk.find_next_deadline()
            wait = 0.25 if deadline is None else (deadline - self.desk.clock()) / 1000
            await asyncio.sleep(min(max(wait, 0.01), 0.25))

    async def _seal(self) -> None:
        while True:
            await asyncio.sleep(SEAL_EVERY_S)
            try:
                await self._in_writer(self._write_seal)
            except StoreError as error:
                self.complain(f"not sealed: {error}")

    async def _renew(self) -> None:
        """Stay the process that serves the floor, or find out that another one does."""
        while True:
            await asyncio.sleep(RENEW_EVERY_S)
            try:
                kept = await self._in_writer(self._renew_leases)
            except StoreError as error:
                self.complain(f"not renewed: {error}")
                continue
            if kept < len(self.desk.slots):
                self.complain("another process serves this floor now")
                self.replaced()
                return

    def _renew_leases(self) -> int:
        return self.store.renew(self.desk.owner, self.desk.clock() + LEASE_MS)

    def _write_seal(self) -> None:
        self.store.write_seal(self.desk.clock(), self.desk.list_heads())

    def find_imbalance(self) -> int:
        """By how much the ledger misses zero, in grains."""
        return find_imbalance(self.desk.balances)
