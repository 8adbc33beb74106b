"""Rounds and shoes of a table read back from its log: each round step by step, each retired shoe with its proof."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pitboss.floor import live_table as lt
from pitboss.floor.desks.round_steps import PlayedRow
from pitboss.server.storage.rows import FIRST_DIGEST
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, decode_snapshot, fold_row, open_row
from pitboss.table import evolve
from pitboss.table.messages import events as ev
from pitboss.table.shoe_proof import ShoeFile, ShoeWatcher

SEALED_PAGE = 200
MOST_SHOE_ROWS = 50_000
"""Rows that one shoe can have in a log."""


class ShoeLine(msgspec.Struct, frozen=True):
    """A shoe that was shuffled at a table."""

    number: int
    commitment: str
    seq: int
    """The row of the log in which it was shuffled."""
    at_ms: int


def read_played_rows(store: Store, vault: Vault, stream: str, first: int, last: int) -> Iterator[PlayedRow]:
    """The rows of a table from one number to another, with the table before and after each; the chain is checked."""
    kept = store.read_snapshot(stream, first - 1)
    at = StreamPosition(None, 0, FIRST_DIGEST) if kept is None else decode_snapshot(vault, stream, *kept)
    for row in store.read_log(stream, at.seq, last):
        folded = fold_row(at, row, vault)
        if row.seq >= first and at.state is not None:
            yield PlayedRow(row.seq, row.at_ms, row.role, row.actor, folded.events, at.state, folded.after.state)
        at = folded.after


def list_shoes(store: Store, vault: Vault, stream: str, last: int) -> list[ShoeLine]:
    """The last shoes of a table, the newest first."""
    found: list[ShoeLine] = []
    for line in _walk_shoes(store, vault, stream):
        found.append(line)
        if len(found) >= last:
            break
    return found


def _walk_shoes(store: Store, vault: Vault, stream: str) -> Iterator[ShoeLine]:
    before: int | None = None
    while True:
        rows = store.list_sealed_rows(stream, before, SEALED_PAGE)
        for row in rows:
            for event in reversed(open_row(row, vault)):
                if isinstance(event, ev.Shuffled):
                    yield ShoeLine(event.origin.number, event.origin.commitment, row.seq, row.at_ms)
        if len(rows) < SEALED_PAGE:
            return
        before = rows[-1].seq


def read_shoe_file(store: Store, vault: Vault, stream: str, number: int) -> ShoeFile | None:
    """The proof of a shoe that was retired; none if there is no such shoe or it is in play.

    Cards that are shuffled once more within one shoe are followed from its first shuffle.
    """
    lines = [line for line in _walk_until(store, vault, stream, number) if line.number == number]
    if not lines:
        return None
    first = lines[-1].seq
    watcher = ShoeWatcher()
    for row in read_played_rows(store, vault, stream, first, first + MOST_SHOE_ROWS):
        state = row.before.table
        for event in row.events:
            if isinstance(event, lt.TableEvent):
                continue
            before, state = state, evolve(state, event)
            file = watcher.hear(before, state, event)
            if file is not None and file.number == number:
                return file
    return None


def _walk_until(store: Store, vault: Vault, stream: str, number: int) -> Iterator[ShoeLine]:
    """Shoes from the newest back to the one of this number."""
    for line in _walk_shoes(store, vault, stream):
        if line.number < number:
            return
        yield line
