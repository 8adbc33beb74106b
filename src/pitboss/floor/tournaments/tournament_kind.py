"""Tournaments as a kind of stream: what floor records ask and a server serves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.floor.records.kind import Kind, map_tags
from pitboss.floor.tournaments.sevens_tournament import hear_sevens
from pitboss.floor.tournaments.tournament_commands import TOURNAMENT_COMMANDS
from pitboss.floor.tournaments.tournament_decide import decide_tournament
from pitboss.floor.tournaments.tournament_events import TOURNAMENT_EVENTS, TournamentEvent
from pitboss.floor.tournaments.tournament_folds import fold_tournament
from pitboss.floor.tournaments.tournament_robots import find_robot_step, list_due
from pitboss.floor.tournaments.tournament_state import TournamentState
from pitboss.floor.tournaments.tournament_views import (
    describe_tournament,
    find_tournament_moment,
    list_tournament_duties,
    show_tournament,
)
from pitboss.floor.tournaments.tournament_words import tell_tournament

TOURNAMENT = "tournament"


def _begin(name: str, book: str) -> TournamentState:
    return TournamentState(name=name, book=book)


def _evolve(state: TournamentState, event: TournamentEvent, at_ms: int) -> TournamentState:
    return fold_tournament(state, event, at_ms).state


def find_reservation(streams: Mapping[str, Any], table: str) -> TournamentState | None:
    """The tournament that a table is kept for, if there is one."""
    found: Iterable[Any] = streams.values()
    return next((item for item in found if isinstance(item, TournamentState) and table in item.tables), None)


TOURNAMENT_KIND = Kind(
    word=TOURNAMENT,
    commands=map_tags(TOURNAMENT_COMMANDS),
    begin=_begin,
    decide=decide_tournament,
    evolve=_evolve,
    narrate=tell_tournament,
    describe=describe_tournament,
    events=TOURNAMENT_EVENTS,
    state=TournamentState,
    show=show_tournament,
    find_next_moment=find_tournament_moment,
    ask_at=list_due,
    list_duties=list_tournament_duties,
    hear_table=hear_sevens,
    find_robot_step=find_robot_step,
)
