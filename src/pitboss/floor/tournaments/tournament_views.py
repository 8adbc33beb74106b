"""What a tournament looks like: its results by name, and what each observer may see.

The seed of a draw and the cards of a shoe are never shown before their time. What is written on a form is shown to its
writer and the supervisor until the round is over; everybody else sees the indicator, and the chips as they lie there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pitboss.floor.ledger import from_grains
from pitboss.floor.tournaments.rounds.table_play import find_act_deadline
from pitboss.floor.tournaments.rounds.undisclosed import tell_form
from pitboss.floor.tournaments.rounds.wagering import find_marker, find_wager_deadline, list_order, list_still_to_wager
from pitboss.floor.tournaments.tournament_events import TableHappened, TournamentEvent
from pitboss.floor.tournaments.tournament_state import EntryStatus, PlayTable, TournamentPhase, TournamentState
from pitboss.money import ZERO, Money
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.state import Phase
from pitboss.table.views import Observer, Viewer, view


def describe_tournament(state: TournamentState) -> Mapping[str, Any]:
    """Everything that a record can expect of a tournament, by name."""
    stages = {stage.name: at for at, stage in enumerate(state.stages)}
    return {
        "phase": state.phase,
        "managers": list(state.managers),
        "published": state.published,
        "inspector_told": state.inspector_told,
        "briefed": state.briefed,
        "practice_hands": state.practice_hands,
        "entrants": sum(entry.status is not EntryStatus.WITHDRAWN for entry in state.entries.values()),
        "entries": {key: entry.status for key, entry in state.entries.items()},
        "players": {key: entry.player for key, entry in state.entries.items()},
        "pool": from_grains(state.pool),
        "goods": list(state.goods),
        "designated": list(state.tables),
        "committed": state.draw is not None,
        "stage": state.stages[state.stage].name if 0 <= state.stage < len(state.stages) else "",
        "heat": state.heat + 1 if state.drawn else 0,
        "heats": len({seated.heat for seated in state.drawn}),
        "tables_drawn": len(state.drawn),
        "stages": {
            stage.name: {"tables": stage.tables, "advance": stage.advance, "next_best": stage.next_best}
            for stage in state.stages
        },
        "next_stage": next((name for name, at in stages.items() if at == state.stage + 1), ""),
        "waiting": sorted(state.waiting),
        "waiting_number": len(state.waiting),
        "stacks": {key: from_grains(chips) for key, chips in state.stacks.items()},
        "tables": {name: _describe_table(table) for name, table in state.in_play.items()},
        "dispute": state.dispute.matter if state.dispute is not None else "",
        "missing": {short.table: short.amount for short in state.shortages},
        "places": list(state.places),
        "paid": list(state.paid),
    }


def _describe_table(table: PlayTable) -> dict[str, Any]:
    return {
        "round": table.round,
        "phase": table.table.phase,
        "seats": list(table.seats),
        "active": list(table.active),
        "marker": find_marker(table) + 1,
        "order": list(list_order(table)),
        "waits_for": list(list_still_to_wager(table)),
        "boxes": dict(table.boxes),
        "minimum": table.minimum,
        "maximum": table.maximum,
        "pass_cards": dict(table.pass_cards),
        "forms": {key: tell_form(form) for key, form in table.forms.items()},
        "absent": dict(table.absent),
        "out": [gone.key for gone in table.out],
        "over": table.over,
        "counted": table.counted,
        "play_off": list(table.play_off),
        "shoes": table.shoes,
        "ranking": [list(group) for group in table.ranking],
    }


def list_tournament_duties(state: TournamentState, at_ms: int) -> Iterator[str]:
    """What is still to be done, a line each."""
    match state.phase:
        case TournamentPhase.LODGED:
            if not state.published:
                yield "the terms are published"
        case TournamentPhase.DECIDED:
            yield "the prizes are paid"
    if state.inspector_due:
        yield "the inspectorate is told of the change"
    if state.dispute is not None:
        yield f"the dispute of {state.dispute.player} is decided"
    for short in state.shortages:
        if not short.reported:
            yield f"the chips missing at table {short.table} are reported"
    for table in state.in_play.values():
        if table.over and not table.counted:
            yield f"the chips at table {table.name} are counted"
        for key, form in table.forms.items():
            if not form.checked:
                yield f"the form of {key} is examined"


# ---------------------------------------------------------------------- who sees what


def show_tournament(state: TournamentState, by: Asker) -> Mapping[str, Any]:
    """What somebody may see: sealed wagers and draws are left out until their time."""
    staff = by.role not in (PLAYER, "") and bool(by.name)
    supervisor = staff and by.role != "dealer"
    seen = dict(describe_tournament(state))
    seen["tables"] = {
        name: _show_table(state, table, by, supervisor) for name, table in state.in_play.items()
    }  # fmt: skip
    seen["stacks"] = {
        key: from_grains(show_stack(state, key, sealed=not (supervisor or _is_mine(state, key, by))))
        for key in state.stacks
    }
    seen["terms"] = msgspec.to_builtins(state.terms, builtin_types=(Money,)) if state.terms is not None else {}
    seen["commitment"] = state.draw.commitment if state.draw is not None else ""
    seen["now_ms"] = state.at_ms
    return seen


def _is_mine(state: TournamentState, key: str, by: Asker) -> bool:
    return bool(by.name) and key in state.entries and state.entries[key].player == by.name


def _show_table(state: TournamentState, table: PlayTable, by: Asker, supervisor: bool) -> dict[str, Any]:
    own = next((key for key in table.seats if key and _is_mine(state, key, by)), "")
    seen = _describe_table(table)
    seen["forms"] = {
        key: tell_form(form) if supervisor or key == own else "indicator" if form.checked else "form"
        for key, form in table.forms.items()
    }
    seen["wagers"] = {
        key: "pass card" if made.passes else "sits out" if made.sits_out else str(made.amount)
        for key, made in table.wagers.items()
    }
    seen["deadline_ms"] = find_table_moment(state, table)
    layout = view(table.table, Observer(Viewer.PLAYER if own else Viewer.SPECTATOR, own))
    seen["dealer"] = list(layout.dealer)
    places = {box: key for key, box in table.boxes}
    seen["cards"] = {
        places.get(box.number, box.number): [list(hand.cards) for hand in box.hands] for box in layout.boxes
    }
    seen["actions"] = list(layout.actions) if own else []
    sealed = {key for key in table.forms if not (supervisor or key == own)}
    seen["results"] = [
        {"player": item.player, "wager": item.wager, "net": item.net, "outcome": item.outcome}
        for item in layout.settlements
        if item.player not in sealed
    ]
    seen["commitment"] = table.table.shoe.origin.commitment
    return seen


def show_stack(state: TournamentState, key: str, *, sealed: bool) -> int:
    """The chips before somebody as they lie there: an undisclosed wager is among them until it is announced."""
    table = state.find_table(key)
    chips = state.stacks.get(key, 0)
    if table is None or not sealed or key not in table.forms or table.table.phase is Phase.BETTING:
        return chips
    own = table.wagers.get(key)
    open_part = int((own.amount if own is not None else ZERO).scaleb(6))
    return max(table.opening.get(key, chips) - open_part, 0)


def tell_of_event(state: TournamentState, event: TournamentEvent, by: Asker) -> bool:
    """Whether somebody hears of an event: what the game does is not told to players while a sealed wager is played."""
    if by.role != PLAYER or not isinstance(event, TableHappened):
        return True
    table = state.in_play.get(event.table)
    return table is None or not table.forms


# ---------------------------------------------------------------------- clocks


def find_table_moment(state: TournamentState, table: PlayTable) -> int | None:
    """When the table goes on by itself; none while it waits for people without a limit."""
    if state.dispute is not None or table.counted:
        return None
    game = table.table
    if table.over:
        return table.waits_since_ms
    match game.phase:
        case Phase.BETTING:
            if not list_still_to_wager(table):
                return _find_deal_moment(state, table) if all(form.checked for form in table.forms.values()) else None
            return find_wager_deadline(state, table)
        case Phase.SETTLED:
            return table.waits_since_ms + state.form.pause_seconds * 1000
        case Phase.SETTLING:
            return table.waits_since_ms
    return find_act_deadline(state.at_ms, state.form.decision_seconds, table)


def _find_deal_moment(state: TournamentState, table: PlayTable) -> int:
    """When the deal comes: at once, but a round in which nobody has a wager takes its time too."""
    if table.forms or any(made.amount for made in table.wagers.values()):
        return table.waits_since_ms
    return table.waits_since_ms + max(state.form.pause_seconds, 1) * 1000


def find_tournament_moment(state: TournamentState) -> int | None:
    """When the first of its tables goes on by itself."""
    if state.phase is not TournamentPhase.PLAYING:
        return None
    moments = [find_table_moment(state, table) for table in state.in_play.values()]
    return min((moment for moment in moments if moment is not None), default=None)
