"""Folding events into the state: the one place where a table changes.

`evolve` asks no questions and refuses nothing; an event is something that has happened. What each kind of event does
stands with what it is about (shoe, round, orders) and comes together here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss.errors import PitbossError
from pitboss.play.packed import pack
from pitboss.table.dispatch import merge_tables
from pitboss.table.draft import Fold
from pitboss.table.messages import events as ev
from pitboss.table.orders.memory import NOTES, STORY_FOLDS, Note
from pitboss.table.orders.ruling_folds import RULING_FOLDS
from pitboss.table.round.round_folds import ROUND_FOLDS
from pitboss.table.shoe.shoe_folds import SHOE_FOLDS
from pitboss.table.state import State


class LogError(PitbossError):
    """Events that are no log of a table."""


def evolve(state: State, event: ev.Event) -> State:
    """The state after `event`."""
    return FOLDS[event.__class__](state, event)


def open_from(event: ev.TableOpened) -> State:
    """The table that a log begins with, before the first wager."""
    return State(
        rules=event.rules,
        packed=pack(event.rules),
        limits=event.limits,
        places=event.places or event.rules.boxes_max,
        meters=event.meters,
        floor=event.floor,
    )


def read_opening(log: Iterable[ev.Event]) -> tuple[State, Iterator[ev.Event]]:
    """The table that a whole log begins with, and the events that follow."""
    events = iter(log)
    first = next(events, None)
    if not isinstance(first, ev.TableOpened):
        raise LogError("a log begins with the opening of its table")
    return open_from(first), events


def fold_log(log: Iterable[ev.Event]) -> State:
    """The state that a whole log leads to, from the opening of the table on."""
    state, events = read_opening(log)
    for event in events:
        state = evolve(state, event)
    return state


def _note(change: Fold, note: Note) -> Fold:
    """A fold, and what the round remembers of its event."""

    def fold_and_note(state: State, event: ev.Event) -> State:
        return note(state, change(state, event), event)

    return fold_and_note


_CHANGES = merge_tables(SHOE_FOLDS, ROUND_FOLDS, RULING_FOLDS, STORY_FOLDS)

FOLDS = {kind: _note(change, NOTES[kind]) if kind in NOTES else change for kind, change in _CHANGES.items()}
"""What each kind of event does to a table."""
