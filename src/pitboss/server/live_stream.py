"""One stream in memory: where it stands, what is on its way to the disk, who waits for it; and what a store must offer.

The desk changes these; whoever reads a stream from its log gets it in this form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from pitboss.floor import house_state as hs
from pitboss.floor.ledger import Unit
from pitboss.server.storage.rows import FIRST_DIGEST, LogEntry, LogRow
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import FLOOR, StreamPosition, decode_snapshot, fold_row
from pitboss.table import Refusal


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

    def write(self, entries: list[LogEntry], owner: str, until_ms: int) -> None:
        """Store a group of decisions in one transaction."""

    def take(self, streams: list[str], owner: str, now_ms: int, until_ms: int) -> None:
        """Become the process that serves these streams."""

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

    def read_snapshot(self, stream: str) -> tuple[int, bytes] | None:
        """The kept state of a stream."""

    def find_head(self, stream: str) -> tuple[int, bytes] | None:
        """The last row of a stream."""


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


def read_stream(store: Backing, vault: Vault, stream: str) -> LiveStream:
    """A stream as its log has it; the chain is checked on the way."""
    at = StreamPosition(hs.HouseState() if stream == FLOOR else None, 0, FIRST_DIGEST)
    kept = None if stream == FLOOR else store.read_snapshot(stream)
    if kept is not None:
        at = decode_snapshot(vault, stream, *kept)
    slot = LiveStream(stream, at)
    slot.snapshot_seq = at.seq
    for row in store.read_log(stream, at.seq):
        at = fold_row(at, row, vault).after
    slot.now = slot.durable = at
    return slot
