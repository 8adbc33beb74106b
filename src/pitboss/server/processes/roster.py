"""The roster: every second a process says that it lives, drops what it has lost, and takes what nobody serves.

The steps that wait for the database are handed to `call`, so that a server runs them in a thread and a test at once.
What a process serves it has read from the log after it took the lease; so nothing that was stored before is missed.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

import msgspec

from pitboss.floor import live_table as lt
from pitboss.floor.ledger import Unit
from pitboss.floor.served.kind_stream import is_table_name
from pitboss.server.desk import Desk
from pitboss.server.live_stream import Backing, LiveStream, list_accounts
from pitboss.server.processes.placement import Placement, choose_placement, list_tables
from pitboss.server.storage.leases import LEASE_MS, Directory
from pitboss.server.storage.rows import FLOOR

T = TypeVar("T")


class Caller(Protocol):
    """Runs something that waits for the database."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """What the work gives."""


async def call_at_once(work: Callable[[], T]) -> T:
    """Run it here and now."""
    return work()


def run_at_once(steps: Coroutine[Any, Any, T]) -> T:
    """Run steps that never wait, because they call everything at once."""
    try:
        steps.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("a step waited")


class SharedBacking(Backing, Protocol):
    """What the roster needs of a store beside what the desk does."""

    def renew(self, owner: str, address: str = "", link: str = "") -> dict[str, int]:
        """Say that a process lives; what it serves, and the tokens."""

    def hand_back(self, streams: list[str], owner: str) -> None:
        """Serve streams no longer."""

    def strike(self, stream: str, owner: str) -> None:
        """End the lease of a stream that was never opened."""

    def read_directory(self, known: Directory) -> Directory:
        """Who serves what."""


class Roster:
    """What one process knows of all processes."""

    def __init__(
        self, desk: Desk, store: SharedBacking, address: str, link: str,
        complain: Callable[[str], None] = lambda line: None,
    ) -> None:  # fmt: skip
        self.desk = desk
        self.store = store
        self.address = address
        self.link = link
        self.complain = complain
        self.directory = Directory()
        self._behind_ms = 0
        """By how much our own milliseconds are behind those of the database."""
        self.reads_begun = 0
        """How often the directory was read, or is being read."""
        self.directory_read = 0
        """Which of these readings the directory is from."""
        self.changed: Callable[[], None] = lambda: None
        """Told after every look, when parked questions may find somebody who serves their table."""
        self.handed_back: Callable[[], None] = lambda: None
        """Told when this process has given tables away, so that the others look at once."""

    async def look(self, call: Caller = call_at_once) -> None:
        """Say that we live, and do what follows from who else does."""
        desk = self.desk
        began = desk.steady()
        held = {name: slot.token for name, slot in desk.slots.items()}
        kept = await call(lambda: self.store.renew(desk.owner, self.address, self.link))
        for name, token in held.items():
            if kept.get(name) != token and name in desk.slots and desk.slots[name].token == token:
                self.complain(f"another process serves {name} now")
                desk.forget(name)
        await self.follow(call)
        desk.good_until_ms = began + LEASE_MS
        desk.clear_doubts()
        await self._read_directory(call)
        plan, taken = await self._take(call)
        kept = {**kept, **taken}
        desk.gathers = plan.gathers
        self._choose_leaving(plan)
        if desk.leaving:
            await self._give_away(call)
        elsewhere = {*held, *plan.hand_over}
        await self._open({name: token for name, token in kept.items() if name not in elsewhere}, call)
        if plan.take or plan.surplus or plan.hand_over:
            await self._read_directory(call)
        desk.pass_on_everywhere()
        self.changed()

    async def _take(self, call: Caller) -> tuple[Placement, dict[str, int]]:
        """Take what nobody serves; where one process serves everything, step by step, each when the last is done."""
        found: dict[str, int] = {}
        for _ in range(3):
            plan = choose_placement(self.directory, self.desk.owner, self.read_clock())
            if not plan.take:
                break
            taken = await call(functools.partial(self.store.take, list(plan.take), self.desk.owner))
            found |= taken
            if not taken or not plan.gathers:
                break
            await self._read_directory(call)
        return plan, found

    def find_wait(self, most_ms: int) -> int:
        """For how long there is nothing to see: at the latest until another process would count as gone."""
        now = self.read_clock()
        others = [row.until_ms for row in self.directory.processes.values() if row.owner != self.desk.owner]
        return min([most_ms, *(until - now + 1 for until in others if until >= now)])

    def read_clock(self) -> int:
        """The time of leases, which is the database's; rather too early than too late, so that nobody counts as gone
        who still serves."""
        return self.desk.steady() + self._behind_ms

    async def _read_directory(self, call: Caller) -> None:
        self.reads_begun = number = self.reads_begun + 1
        self.directory = await call(lambda: self.store.read_directory(self.directory))
        self._behind_ms = self.directory.now_ms - self.desk.steady()
        self.directory_read = number
        self.desk.elsewhere = frozenset(self.directory.leases) - self.desk.slots.keys()

    async def _open(self, kept: dict[str, int], call: Caller) -> None:
        """Serve what is ours and was not open, the floor itself first; nobody else writes to it any longer."""
        if FLOOR in kept:
            await self.follow(call)
        for name in sorted(kept, key=lambda stream: (stream != FLOOR, is_table_name(stream), stream)):
            if name not in self.desk.slots:
                slot, balances = await call(functools.partial(self._read, name))
                if slot.now.seq or name == FLOOR:
                    self.desk.adopt(slot, kept[name], balances)
                    self.changed()
                else:
                    await call(functools.partial(self.store.strike, name, self.desk.owner))

    def _read(self, stream: str) -> tuple[LiveStream, dict[tuple[str, Unit], int]]:
        slot = self.desk.read(stream)
        live = slot.now.state
        if not isinstance(live, lt.LiveTable):
            return slot, {}
        return slot, self.store.read_some_balances(list_accounts(live))

    def _choose_leaving(self, plan: Placement) -> None:
        """The tables that are more than our share: those that were chosen before, then those that can go at once."""
        desk = self.desk
        if plan.hand_over:
            desk.leaving = frozenset(plan.hand_over)
            return
        chosen = sorted(
            desk.tables, key=lambda slot: (slot.name not in desk.leaving, not desk.is_idle(slot), slot.name)
        )  # fmt: skip
        desk.leaving = frozenset(slot.name for slot in chosen[: plan.surplus])

    async def _give_away(self, call: Caller) -> None:
        """Hand back tables that leave and are between two rounds, so that a process with fewer can take them."""
        desk = self.desk
        idle = [name for name in sorted(desk.leaving) if name not in desk.slots or desk.can_go(desk.slots[name])]
        for name in idle:
            self.desk.forget(name)
        if idle:
            await call(lambda: self.store.hand_back(idle, self.desk.owner))
            self.handed_back()

    async def follow(self, call: Caller = call_at_once) -> None:
        """Read on in the log of the floor itself, while another process serves it."""
        if FLOOR in self.desk.slots:
            return
        after = self.desk.floor_at.seq
        rows = await call(lambda: list(self.store.read_log(FLOOR, after)))
        if FLOOR not in self.desk.slots:
            self.desk.follow_floor(rows)


class Served(msgspec.Struct, frozen=True):
    """A process and what it serves, for those who watch the server."""

    owner: str
    address: str
    alive: bool
    here: bool
    """This is the process that answers."""
    floor: bool
    """It serves the stream of the floor itself, and seals."""
    tables: tuple[str, ...]


def describe_processes(roster: Roster) -> list[Served]:
    """Every process that is known, and what nobody serves."""
    now, directory = roster.read_clock(), roster.directory
    found = []
    for owner, row in sorted(directory.processes.items()):
        tables = tuple(name for name in list_tables(directory) if directory.leases[name].owner == owner)
        floor = FLOOR in directory.leases and directory.leases[FLOOR].owner == owner
        here = owner == roster.desk.owner
        found.append(Served(owner, row.address, row.until_ms > now, here, floor, tables))
    orphans = tuple(name for name in list_tables(directory) if directory.leases[name].owner not in directory.processes)
    if orphans:
        found.append(Served("", "", False, False, False, orphans))
    return found
