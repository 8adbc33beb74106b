"""Standing orders that come when wagers already lie on the layout: what they do not allow goes back before the deal.

New wagers are refused by `round.standing_orders`; limits and places of side wagers are asked about when betting closes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.money import ZERO, Money
from pitboss.play.control import find_controller
from pitboss.table.draft import Draft
from pitboss.table.floor_state import Restriction
from pitboss.table.orders import rulings as ru
from pitboss.table.round.standing_orders import (
    area_of,
    boxes_most,
    list_counted_areas,
    minimum_for,
    sharers_max,
    stake_on_area,
)
from pitboss.table.state import Bet, State

Clauses = tuple[str, ...]


class Excess(NamedTuple):
    """What of a wager goes back, and the clauses of the order that sends it."""

    bet: Bet
    amount: Money
    clauses: Clauses


def clear_layout(draft: Draft) -> None:
    """Send back what standing orders no longer allow, one order after the other."""
    for find in FINDERS:
        for bet, amount, clauses in tuple(find(draft.state)):
            draft.emit(
                ru.BetTurnedAway(box=bet.box, player=bet.player, wager=bet.wager, amount=amount, clauses=clauses)
            )


def _find_barred(state: State) -> Iterator[Excess]:
    for bet in state.bets:
        if bet.player in state.floor.barred:
            yield Excess(bet, bet.amount, state.floor.barred[bet.player])


def _find_withdrawn(state: State) -> Iterator[Excess]:
    """Side wagers whose equipment is out of order."""
    for bet in state.bets:
        if bet.wager in state.floor.withdrawn:
            yield Excess(bet, bet.amount, state.floor.withdrawn[bet.wager])


def _find_reserved(state: State) -> Iterator[Excess]:
    """Wagers of others on boxes that are reserved for one player."""
    for item in state.floor.reserved:
        for bet in state.bets:
            if area_of(bet.box) == item.area and bet.player != item.player:
                yield Excess(bet, bet.amount, item.clauses)


def _beyond_one_box(state: State) -> Iterator[Excess]:
    """A player who is held to one box keeps the one that was named, else their seat, else the one they took first."""
    for held in state.floor.restrictions:
        own = [bet for bet in state.bets if bet.player == held.player]
        if not held.one_box or not own:
            continue
        mains = sorted((bet for bet in own if bet.wager == "main"), key=lambda bet: not bet.seated)
        main = mains[0] if mains else own[0]
        allowed = area_of(held.box or main.box)
        yield from (Excess(bet, bet.amount, held.clauses) for bet in own if area_of(bet.box) != allowed)


def _beyond_number(state: State) -> Iterator[Excess]:
    """Whoever has more boxes than are allowed keeps those they took first."""
    for player in dict.fromkeys(bet.player for bet in state.bets):
        own = [bet for bet in state.bets if bet.player == player]
        areas = list_counted_areas(state, player)
        kept = areas[: boxes_most(state, player)]
        gone = [bet for bet in own if area_of(bet.box) in areas and area_of(bet.box) not in kept]
        yield from (Excess(bet, bet.amount, state.floor.boxes_clauses) for bet in gone)


def _find_given_up(state: State) -> Iterator[Excess]:
    for given in state.floor.given_up:
        for bet in state.bets:
            if (bet.player, area_of(bet.box)) == (given.player, given.area):
                yield Excess(bet, bet.amount, given.clauses)


def _over_minimum(state: State) -> Iterator[Excess]:
    for held in state.floor.restrictions:
        yield from _over_minimum_of(state, held)


def _over_minimum_of(state: State, held: Restriction) -> Iterator[Excess]:
    """The minimum is for each area; on an area of two boxes a wager that names none lies on both."""
    least = minimum_for(state, held.player)
    left: dict[int, Money] = {}
    for bet in state.bets:
        if least is None or bet.player != held.player or bet.wager != "main":
            continue
        area, whole = area_of(bet.box), stake_on_area(state, bet)
        room = left.get(area, least)
        left[area] = max(room - whole, ZERO)
        if whole > room:
            parts = whole / bet.amount
            yield Excess(bet, (whole - room) / parts, held.clauses)


def _too_many_sharers(state: State) -> Iterator[Excess]:
    """The controlling player stays, then those who came first."""
    most = sharers_max(state)
    for area in sorted({area_of(bet.box) for bet in state.bets}):
        mains = [bet for bet in state.bets if bet.wager == "main" and area_of(bet.box) == area]
        players = list(dict.fromkeys(bet.player for bet in mains))
        if len(players) <= most:
            continue
        seated = [any(bet.seated for bet in mains if bet.player == player) for player in players]
        placed = [sum((bet.amount for bet in mains if bet.player == player), ZERO) for player in players]
        controller = players[find_controller(state.rules, seated, placed)]
        staying = sorted(players, key=lambda player: player != controller)[:most]
        for bet in mains:
            if bet.player not in staying:
                yield Excess(bet, bet.amount, state.floor.sharers_clauses)


FINDERS = (
    _find_barred, _find_withdrawn, _find_reserved, _beyond_one_box, _beyond_number, _find_given_up, _over_minimum,
    _too_many_sharers,
)  # fmt: skip
"""What each kind of order sends back, in the order in which they are asked."""
