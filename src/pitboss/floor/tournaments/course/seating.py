"""Seats: drawn from a seed that was committed to, for all heats of a stage; and the session that begins there."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pitboss.floor.ledger import from_grains, to_grains, wallet
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments import tournament_events as te
from pitboss.floor.tournaments.course.lodging import find_rules_of
from pitboss.floor.tournaments.course.sevens_tournament import cite_schedule, find_bonus
from pitboss.floor.tournaments.format import StageKind, TournamentStage
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import (
    EntryStatus,
    SeatedTable,
    TournamentPhase,
    TournamentState,
)
from pitboss.money import parse_money, show
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.shoe.shuffle import draw_below, stream_words


def draw_seats(draft: TournamentDraft, command: tc.DrawSeats) -> None:
    """The draw is revealed: who sits where in the next stage, in all its heats."""
    draft.check_manager("allocation")
    state = draft.state
    if state.phase is not TournamentPhase.CLOSED or state.draw is None:
        raise draft.refuse("seats are drawn once entries are closed, before each stage", "allocation")
    if state.inspector_due and draft.cite("inspector"):
        raise draft.refuse("tell the inspectorate what has changed before the tournament begins", "move_start")
    if not state.tables:
        raise draft.refuse("designate the tables first", "tables")
    number = state.stage + 1
    stage = state.stages[number]
    players = list_players(state, number)
    _check_persons(draft, players)
    seats = deal_seats(shuffle_keys(players, state.draw.seed), stage, state.tables)
    if seats is None:
        places = stage.tables * stage.seats
        raise draft.refuse(f"{len(players)} players do not fit the {places} places of {stage.name}", "structure")
    cited = draft.cite("allocation", "structure")
    drawn = te.SeatsDrawn(stage=number, seed=state.draw.seed, salt=state.draw.salt, tables=seats, clauses=cited)
    draft.emit(drawn)
    cited = cite_schedule(draft.state)
    if cited:
        draft.events[-1] = replace(drawn, clauses=tuple(dict.fromkeys((*drawn.clauses, *cited))))


def list_players(state: TournamentState, number: int) -> tuple[str, ...]:
    """Who plays in a stage: those who are in, or in a repechage those who went out in the stage before it."""
    if state.stages[number].kind is not StageKind.REPECHAGE:
        return state.waiting
    return tuple(
        [key for key, entry in state.entries.items() if entry.status is EntryStatus.OUT and entry.out_in == number - 1]
    )


def _check_persons(draft: TournamentDraft, players: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for key in players:
        player = draft.state.entries[key].player
        if player in seen:
            raise draft.refuse(f"{player} holds {seen[player]} and {key}: name a substitute", "substitute")
        seen[player] = key


def shuffle_keys(players: Sequence[str], seed: bytes) -> tuple[str, ...]:
    """The players in the order that the seed gives them; the order in which they entered is nothing."""
    order = sorted(players)
    source = stream_words(seed, 0)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def deal_seats(order: Sequence[str], stage: TournamentStage, tables: Sequence[str]) -> tuple[SeatedTable, ...] | None:
    """Players put to tables one after another, so that tables differ by one player at most; none if they do not fit."""
    needed = stage.tables or -(-len(order) // stage.seats)
    if len(order) > needed * stage.seats:
        return None
    needed = max(min(needed, len(order)), 1)
    each = -(-needed // stage.heats) if stage.heats else len(tables)
    if each > len(tables):
        return None
    return tuple(
        [
            SeatedTable(at // each, tables[at % each], tuple(order[at::needed]))
            for at in range(needed)
        ]
    )  # fmt: skip


def start_session(draft: TournamentDraft, command: tc.StartSession) -> None:
    """The next heat begins: who cannot pay the buy-in is out, everybody else gets the same chips."""
    draft.check_manager("session")
    state = draft.state
    if state.phase is not TournamentPhase.DRAWN:
        raise draft.refuse("draw the seats first" if not state.in_play else "a session is being played", "session")
    if state.dispute is not None:
        raise draft.refuse("a dispute is open: play waits until it is decided", "dispute")
    if draft.cite("brief") and not state.briefed:
        raise draft.refuse("the players must be briefed on the terms before play begins", "brief")
    stage = state.now_playing
    start_ms = state.starts.get(stage.name, stage.start_ms)
    if draft.now.at_ms < start_ms:
        raise draft.refuse(f"stage {stage.name} begins later: move its start, with notice", "move_start", "session")
    if not state.bonuses_paid and (bonus := find_bonus(state)):
        draft.emit(te.BonusesPaid(amount=bonus, clauses=draft.cite("bonus")))
    play_off = state.plays_for_level
    chips = parse_money(stage.stack)
    if play_off:
        chips = next(own for result in state.results for key, own in result.ranking if key == state.level[0])
        chips = max(chips, stage.minimum)
    matters = ("play_off", "stacks") if play_off else ("stacks", "session", "exclusive", "chips_only")
    draft.emit(
        te.SessionBegun(
            heat=state.heat, rules=make_table_rules(draft), chips=chips, play_off=play_off,
            unpaid=() if play_off else _list_unpaid(draft, stage),
            clauses=draft.cite(*matters, *(("no_buy_in",) if stage.buy_in and not play_off else ())),
        )
    )  # fmt: skip


def _list_unpaid(draft: TournamentDraft, stage: TournamentStage) -> tuple[str, ...]:
    """Who cannot provide the buy-in."""
    if not stage.buy_in:
        return ()
    state = draft.state
    keys = [key for seated in state.drawn if seated.heat == state.heat for key in seated.seats]
    return tuple(
        [key for key in keys if draft.funds(wallet(state.entries[key].player)) < to_grains(stage.buy_in)]
    )  # fmt: skip


def make_table_rules(draft: TournamentDraft) -> Rules:
    """The rules of a table of the tournament: those of the game, without what the tournament switches off."""
    rules = find_rules_of(draft.state.form)
    changes: dict[str, object] = {"sharers_max": int(draft.read("sharers_max", 1))}
    matters = dict(rules.matters)
    if draft.read("void_keeps", ""):
        changes["void_keeps"] = draft.read("void_keeps", "")
        matters["void_keeps"] = draft.cite("void")
    return replace(rules, matters=matters, **changes)


def tell_chips(grains: int) -> str:
    """A stack in words."""
    return show(from_grains(grains))
