"""Tournaments as a kind of stream: what floor records ask and a server serves."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.floor.live_table import KeepTable
from pitboss.floor.records.kind import FloorNow, Kind, map_tags
from pitboss.floor.tournaments.course.sevens_tournament import take_up_entries
from pitboss.floor.tournaments.rounds.chip_moves import list_tournament_holdings
from pitboss.floor.tournaments.tournament_clauses import cite_matters
from pitboss.floor.tournaments.tournament_commands import TOURNAMENT_COMMANDS
from pitboss.floor.tournaments.tournament_decide import decide_tournament
from pitboss.floor.tournaments.tournament_events import TOURNAMENT_EVENTS, TournamentEvent
from pitboss.floor.tournaments.tournament_folds import fold_tournament
from pitboss.floor.tournaments.tournament_robots import find_robot_step, list_due
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.floor.tournaments.tournament_views import (
    describe_tournament,
    find_tournament_moment,
    list_tournament_duties,
    show_tournament,
    tell_of_event,
)
from pitboss.floor.tournaments.tournament_words import tell_tournament
from pitboss.table.messages.askers import SYSTEM, Asker

TOURNAMENT = "tournament"
"""How a tournament is called as a stream: `tournament spring`."""


def _begin(name: str, book: str) -> TournamentState:
    return TournamentState(name=name, book=book)


def _evolve(state: TournamentState, event: TournamentEvent, at_ms: int) -> TournamentState:
    return fold_tournament(state, event, at_ms).state


def keep_designated(state: TournamentState, now: FloorNow) -> Iterator[tuple[str, KeepTable, Asker]]:
    """Tables that are designated serve nothing else, until the tournament is over or others are designated."""
    own = f"{TOURNAMENT} {state.name}"
    over = state.phase in (TournamentPhase.PAID, TournamentPhase.CANCELLED)
    playing = state.phase is TournamentPhase.PLAYING
    for name in state.tables if playing else now.tables:
        live = now.tables.get(name)
        if live is None:
            continue
        if name in state.tables and not over:
            if not live.kept.stream:
                competition = state.form.competition
                yield name, KeepTable(stream=own, clauses=cite_matters(state.book, competition, "exclusive")), SYSTEM
        elif live.kept.stream == own:
            yield name, KeepTable(), SYSTEM


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
    is_told=tell_of_event,
    ask_tables=keep_designated,
    find_next_moment=find_tournament_moment,
    ask_at=list_due,
    list_duties=list_tournament_duties,
    list_holdings=list_tournament_holdings,
    take_up=take_up_entries,
    find_robot_step=find_robot_step,
)
