"""Where a stream stands after a row of its log, and how a row is read back.

The position of a table holds what the record of its round is written from, so that every round can be kept as a record
the moment it is over. What is read back goes through the same functions as what is decided.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.floor import live_table as lt
from pitboss.floor.ledger import Transfer
from pitboss.floor.served.kind_stream import (
    KindStream,
    begin_kind,
    decode_kind_row,
    fold_kind,
    get_kind,
    is_of_kind,
    is_table_name,
)
from pitboss.floor.staff_actions import StaffAction, describe_action
from pitboss.records import write as write_record
from pitboss.records.log import from_events
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FLOOR, LogRow, RoundRow, digest_of
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import Vault
from pitboss.table.messages import events as ev
from pitboss.table.orders import rulings as ru
from pitboss.table.state import State


class StreamPosition(msgspec.Struct, frozen=True):
    """Where a stream stands after a row."""

    state: Any
    """`LiveTable`, `HouseState` for the floor, or `KindStream`."""
    seq: int
    digest: bytes
    opening: State | None = None
    """The table before the first of `events`."""
    first_seq: int = 0
    events: tuple[Any, ...] = ()
    """What happened in the round that is played, and in those before it without which its record cannot be written."""
    turn: int = -1
    """How many of the events belong to rounds that are over, while the next round has no card yet; else -1."""
    next_opening: State | None = None
    """The table when the next round began, as long as it has no card."""
    next_first_seq: int = 0
    revision: int = 0
    """How often the last round was put right after its end."""


# ---------------------------------------------------------------------- rounds


def follow_round(
    before: StreamPosition, events: tuple[Any, ...], state: Any, seq: int, digest: bytes, stream: str
) -> tuple[StreamPosition, RoundRow | None]:
    """Where a stream stands after these events, and the round that they end or put right, if they do.

    A round is kept until the next one has its first card: so long it can be put right, and is kept once more.
    """
    if not isinstance(state, lt.LiveTable):
        return StreamPosition(state, seq, digest), None
    if before.state is None:
        return StreamPosition(state, seq, digest, state.table, seq + 1), None
    played = tuple([event for event in events if not isinstance(event, lt.TableEvent)])
    kinds = {type(event) for event in played}
    at = msgspec.structs.replace(before, state=state, seq=seq, digest=digest, events=(*before.events, *played))
    if ev.BetsClosed in kinds and at.turn >= 0:
        at = _forget_last_round(at)
    if ev.RoundBegan not in kinds:
        return at, None
    number = state.table.round - 1
    at = msgspec.structs.replace(
        at,
        turn=len(at.events) if before.turn < 0 else before.turn,
        next_opening=state.table if before.turn < 0 else before.next_opening,
        next_first_seq=seq + 1 if before.turn < 0 else before.next_first_seq,
        revision=0 if before.turn < 0 else before.revision + 1,
    )
    assert at.opening is not None
    record = write_record(from_events(at.opening, at.events, title=f"Round {number} at {stream}"))
    finished = RoundRow(
        stream=stream, number=number, revision=at.revision, first_seq=at.first_seq, last_seq=seq,
        rules_digest=state.table.rules.digest, code_digest=state.code, record=record,
    )  # fmt: skip
    return at, finished


def _forget_last_round(at: StreamPosition) -> StreamPosition:
    """The next round has its first card; the one before is needed no more, unless the two belong together."""
    assert at.next_opening is not None
    own = at.events[at.turn :]
    opening: State | None = at.next_opening
    first_seq = at.next_first_seq
    if at.next_opening.carried or any(type(event) is ru.RoundReopened for event in own):
        own, opening, first_seq = at.events, at.opening, at.first_seq
    return msgspec.structs.replace(
        at, opening=opening, first_seq=first_seq, events=own, turn=-1, next_opening=None, next_first_seq=0, revision=0
    )


# ---------------------------------------------------------------------- reading back


class _Kept(msgspec.Struct):
    """A snapshot: a table, and how far its round has come."""

    live: lt.LiveTable
    digest: bytes
    opening: State | None
    first_seq: int
    events: bytes
    turn: int
    next_opening: State | None
    next_first_seq: int
    revision: int


_KEPT = msgspec.json.Decoder(_Kept)


class _KeptKind(msgspec.Struct):
    """A snapshot of a stream that is no table."""

    book: str
    at_ms: int
    digest: bytes
    state: msgspec.Raw


def encode_snapshot(vault: Vault, stream: str, at: StreamPosition) -> bytes:
    """A stream's state, pressed because a table's rules are in it, and encrypted because a shoe or a draw may be."""
    kept: _Kept | _KeptKind
    if isinstance(at.state, KindStream):
        kept = _KeptKind(at.state.book, at.state.at_ms, at.digest, msgspec.Raw(msgspec.json.encode(at.state.state)))
        return _press(vault, stream, at.seq, kept)
    kept = _Kept(
        at.state, at.digest, at.opening, at.first_seq, lt.encode_row(at.events), at.turn, at.next_opening,
        at.next_first_seq, at.revision,
    )  # fmt: skip
    return _press(vault, stream, at.seq, kept)


def _press(vault: Vault, stream: str, seq: int, kept: _Kept | _KeptKind) -> bytes:
    return vault.seal(zlib.compress(msgspec.json.encode(kept), 1), f"{stream}@{seq}")


def decode_snapshot(vault: Vault, stream: str, seq: int, body: bytes) -> StreamPosition:
    """Where a stream stood when its state was kept."""
    text = zlib.decompress(vault.unseal(body, f"{stream}@{seq}"))
    if is_of_kind(stream):
        own = msgspec.json.decode(text, type=_KeptKind)
        begun = begin_kind(stream, own.book)
        state = msgspec.json.decode(own.state, type=get_kind(stream).state or Any)
        return StreamPosition(msgspec.structs.replace(begun, state=state, at_ms=own.at_ms), seq, own.digest)
    kept = _KEPT.decode(text)
    return StreamPosition(
        kept.live, seq, kept.digest, kept.opening, kept.first_seq, lt.decode_row(kept.events), kept.turn,
        kept.next_opening, kept.next_first_seq, kept.revision,
    )  # fmt: skip


def open_row(row: LogRow, vault: Vault) -> tuple[Any, ...]:
    """The events of a stored row."""
    body = vault.unseal(row.body, f"{row.stream}/{row.seq}") if row.sealed else row.body
    if is_of_kind(row.stream):
        return decode_kind_row(row.stream, body)
    return hm.decode_house_row(body) if row.stream == FLOOR else lt.decode_row(body)


def can_be_kept(stream: str) -> bool:
    """The state of a stream can be kept beside its log."""
    return is_table_name(stream) or (is_of_kind(stream) and get_kind(stream).state is not None)


def list_staff_actions(
    store: Store, vault: Vault, last: int, actor: str = "", stream: str = ""
) -> list[StaffAction]:  # fmt: skip
    """What people of the house did, the newest first."""
    return [
        describe_action(row.stream, row.seq, row.at_ms, row.actor, row.role, open_row(row, vault))
        for row in store.read_staff_rows(last, actor, stream)
    ]


def read_kind_events(
    store: Store, vault: Vault, stream: str, after: int, limit: int
) -> Iterator[tuple[LogRow, KindStream | None, tuple[Any, ...]]]:
    """The rows of a stream that is no table after a number, with the stream before each and its events."""
    kept = store.read_snapshot(stream, after)
    before = None if kept is None else decode_snapshot(vault, stream, *kept).state
    for row in store.read_log(stream, 0 if kept is None else kept[0], after + limit):
        events = open_row(row, vault)
        if row.seq > after:
            yield row, before, events
        before = fold_kind(stream, before, events, row.at_ms).stream


def read_events(
    store: Store, vault: Vault, stream: str, after: int, limit: int
) -> Iterator[tuple[LogRow, State | None, tuple[Any, ...]]]:
    """The rows of a table after a number, with the table before each and its events.

    Reading begins at the last state that was kept before them, and only the game is followed from there.
    """
    kept = store.read_snapshot(stream, after)
    seq, table = 0, None
    if kept is not None:
        seq, table = kept[0], decode_snapshot(vault, stream, *kept).state.table
    for row in store.read_log(stream, seq, after + limit):
        events = open_row(row, vault)
        if row.seq > after:
            yield row, table, events
        table = lt.fold_table(table, events)


class Folded(msgspec.Struct, frozen=True):
    """A row that was read back: what it holds, what follows from it."""

    after: StreamPosition
    events: tuple[Any, ...]
    transfers: tuple[Transfer, ...]
    round: RoundRow | None


def fold_row(before: StreamPosition, row: LogRow, vault: Vault) -> Folded:
    """Where a stream stands after a stored row; complains if the row is not what was stored."""
    if row.seq != before.seq + 1 or row.previous != before.digest or digest_of(row) != row.digest:
        raise StoreError(f"row {row.seq} of {row.stream} does not follow from the row before it")
    events = open_row(row, vault)
    granted: Any
    if row.stream == FLOOR:
        granted = hs.fold_house(before.state, events, row.at_ms)
        state = granted.house
    elif is_of_kind(row.stream):
        granted = fold_kind(row.stream, before.state, events, row.at_ms)
        state = granted.stream
    else:
        if before.state is None:
            granted = lt.fold_opening(events, row.at_ms)
        else:
            granted = lt.fold_live(before.state, events, row.at_ms)
        state = granted.live
    after, finished = follow_round(before, events, state, row.seq, row.digest, row.stream)
    return Folded(after, events, granted.transfers, finished)
