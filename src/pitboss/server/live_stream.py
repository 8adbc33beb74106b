"""One stream in memory: where it stands, what is on its way to the disk, who waits for it; and what a store must offer.

The desk changes these; whoever reads a stream from its log, here or in another process, gets it in this form.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import msgspec

from pitboss.floor import house_state as hs
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import find_next_moment
from pitboss.floor.ledger import Unit, bet_manager, float_of, hold_for, jackpot_of, layout, meter, purse
from pitboss.floor.served.kind_stream import KindStream, find_moment, is_table_name
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogEntry, LogRow
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, decode_snapshot, fold_row
from pitboss.table import Refusal
from pitboss.table.state import Phase

TRAIL = 100
"""Rows of a table that are remembered when it opens, for those who come back from where it was served before."""


class Done(msgspec.Struct, frozen=True):
    """What was asked is done and stored, as this row of the stream."""

    seq: int


class NotDone(msgspec.Struct, frozen=True):
    """Nothing was changed because it could not be stored; it may be asked again with the same id."""

    reason: str


Answer = Done | Refusal | NotDone
Reply = Callable[[Answer], None]


class Backing(Protocol):
    """What the desk needs of a store; see `storage.store.Store`."""

    def write(self, entries: list[LogEntry], owner: str, tokens: Mapping[str, int]) -> None:
        """Store a group of decisions in one transaction."""

    def take(self, streams: list[str], owner: str) -> dict[str, int]:
        """Become the process that serves these streams; those that could be taken, and their tokens."""

    def write_snapshot(self, stream: str, seq: int, body: bytes) -> None:
        """Keep the state of a stream."""

    def list_streams(self) -> list[str]:
        """Every stream."""

    def read_log(self, stream: str, after: int = 0) -> Iterable[LogRow]:
        """The rows of a stream."""

    def read_recent_ids(self, stream: str, count: int) -> dict[str, int]:
        """The last commands of a stream."""

    def read_balances(self) -> dict[tuple[str, Unit], int]:
        """Every account."""

    def read_some_balances(self, names: list[str]) -> dict[tuple[str, Unit], int]:
        """Some accounts."""

    def read_snapshot(self, stream: str) -> tuple[int, bytes] | None:
        """The kept state of a stream."""

    def find_head(self, stream: str) -> tuple[int, bytes] | None:
        """The last row of a stream."""


class Past(msgspec.Struct, frozen=True):
    """A decision that was stored before this process served the stream."""

    before: StreamPosition
    after: StreamPosition
    at_ms: int
    events: tuple[Any, ...]


class LiveStream:
    """One stream in memory."""

    def __init__(self, name: str, at: StreamPosition) -> None:
        self.name = name
        self.now = at
        self.durable = at
        self.ids: dict[str, int] = {}
        self.waiting: dict[int, list[Reply]] = {}
        self.deadline_ms: int | None = None
        self.snapshot_seq = 0
        self.token = 0
        """The fencing token of our lease."""
        self.trail: deque[Past] = deque(maxlen=TRAIL)
        """The last decisions before this process served the stream."""
        self.held: list[tuple[int, int, Reply]] = []
        """Who waits until the floor has heard the news of this number, and what row they asked for."""
        self.told = 0
        """The number of the last news of which this process knows that the floor has heard them."""
        self.telling = 0
        """The number of the news that are on their way to the floor, where another process serves it."""
        self.warned = 0
        """The last row for which whoever runs the floor was told that the clock can do nothing."""
        self.stopped = ""
        """Why this stream takes no commands, if it does not."""
        self.doubtful = False
        """A group with it failed, and it is not known yet whether it was stored nevertheless."""


class Step(msgspec.Struct, frozen=True):
    """A decision that is on its way to the disk."""

    slot: LiveStream
    before: StreamPosition
    after: StreamPosition
    entry: LogEntry
    events: tuple[Any, ...]
    changes: dict[tuple[str, Unit], int]


def read_stream(
    store: Backing, vault: Vault, stream: str, at: StreamPosition | None = None
) -> LiveStream:  # fmt: skip
    """A stream as its log has it, read on from a position if one is known; the chain is checked on the way."""
    if at is None:
        at = StreamPosition(hs.HouseState() if stream == FLOOR else None, 0, FIRST_DIGEST)
        kept = None if stream == FLOOR else store.read_snapshot(stream)
        if kept is not None:
            at = decode_snapshot(vault, stream, *kept)
    slot = LiveStream(stream, at)
    slot.snapshot_seq = at.seq
    for row in store.read_log(stream, at.seq):
        folded = fold_row(at, row, vault)
        if is_table_name(stream):
            slot.trail.append(Past(at, folded.after, row.at_ms, folded.events))
        at = folded.after
    slot.now = slot.durable = at
    return slot


class Deadlines:
    """When the clock of each stream runs out."""

    def __init__(self, slots: Mapping[str, LiveStream]) -> None:
        self._slots = slots
        self._heap: list[tuple[int, str]] = []

    def set(self, slot: LiveStream) -> None:
        """Note when the clock of a table runs out as it stands now."""
        live, deadline = slot.now.state, None
        if isinstance(live, lt.LiveTable):
            deadline = find_next_moment(live)
        elif isinstance(live, KindStream):
            deadline = find_moment(live)
        if deadline != slot.deadline_ms:
            slot.deadline_ms = deadline
            if deadline is not None:
                heapq.heappush(self._heap, (deadline, slot.name))

    def put_off(self, slot: LiveStream, until_ms: int) -> None:
        """Look at a table again at another moment."""
        slot.deadline_ms = until_ms
        heapq.heappush(self._heap, (until_ms, slot.name))

    def find_next(self) -> int | None:
        """When a clock runs out next."""
        while self._heap:
            deadline, name = self._heap[0]
            if name in self._slots and self._slots[name].deadline_ms == deadline:
                return deadline
            heapq.heappop(self._heap)
        return None

    def take(self) -> LiveStream:
        """The table whose clock runs out next; it has no deadline until one is set again."""
        slot = self._slots[heapq.heappop(self._heap)[1]]
        slot.deadline_ms = None
        return slot


def is_between_rounds(slot: LiveStream) -> bool:
    """A table at which no round is under way."""
    live = slot.now.state
    return isinstance(live, lt.LiveTable) and live.table.phase is Phase.BETTING and not live.table.bets


def list_accounts(live: lt.LiveTable | KindStream) -> list[str]:
    """The accounts of a table that have something in them or soon may; those of another stream are read when needed."""
    if isinstance(live, KindStream):
        return []
    table = live.name
    shared = {name: jackpot_of(link.system, name) for link in live.links for name in link.meters}
    meters = [shared.get(name) or meter(table, name) for name in live.table.meters]
    own = [float_of(table), layout(table), *meters, *(bet_manager(table, name) for name in live.managers)]
    return [*own, *(purse(table, name) for name in live.purses), *(hold_for(table, name) for name in live.staked.held)]
