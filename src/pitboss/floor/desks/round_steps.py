"""A round that is over, step by step: the table as everybody saw it after each event, and what was said.

It is for looking back: somebody goes forwards and backwards in it, and sees which clause decided what. Nothing is told
that a spectator could not have seen at the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from pitboss.floor.documents import PublicTable, describe_public, find_changes
from pitboss.floor.live_table import AnyTableEvent, LiveTable, TableEvent
from pitboss.floor.telling.table_log import SaidLine, tell_table
from pitboss.table import evolve
from pitboss.table.messages.askers import PLAYER


class RoundStep(msgspec.Struct, frozen=True):
    """One event of a round: what it changed in the document of the table, and what is said of it."""

    seq: int
    at_ms: int
    role: str
    actor: str
    """A player; who of the house acted is for the house."""
    event: str
    changes: dict[str, Any]
    """The merge patch that leads from the step before to this one."""
    lines: tuple[SaidLine, ...]


class SteppedRound(msgspec.Struct, frozen=True):
    """A round as a time line: the table at its beginning, and the steps that lead on from it."""

    start: PublicTable
    steps: tuple[RoundStep, ...]


class PlayedRow(msgspec.Struct, frozen=True):
    """A row of a table's log: who did something when, the events, and the table before and after it."""

    seq: int
    at_ms: int
    role: str
    actor: str
    events: tuple[AnyTableEvent, ...]
    before: LiveTable
    after: LiveTable


def describe_steps(rows: Sequence[PlayedRow]) -> SteppedRound:
    """The time line of rows that follow each other; there is one at least."""
    document = start = describe_public(rows[0].before)
    steps: list[RoundStep] = []
    for row in rows:
        live = row.before
        for event in row.events:
            if isinstance(event, TableEvent):
                continue
            state = evolve(live.table, event)
            lines = tell_table(live.table, (event,))
            live = msgspec.structs.replace(live, table=state)
            seen = describe_public(live)
            changes = find_changes(document, seen)
            document = seen
            if changes or lines:
                steps.append(_make_step(row, str(event.__struct_config__.tag), changes, lines))
        seen = describe_public(row.after)
        changes = find_changes(document, seen)
        document = seen
        if changes:
            steps.append(_make_step(row, "", changes, []))
    return SteppedRound(start, tuple(steps))


def _make_step(row: PlayedRow, event: str, changes: dict[str, Any], lines: list[SaidLine]) -> RoundStep:
    actor = row.actor if row.role == PLAYER else ""
    return RoundStep(row.seq, row.at_ms, row.role, actor, event, changes, tuple(lines))
