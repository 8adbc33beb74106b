"""What the sign at the table says, and what it makes of wagers: per box or per player, limits of each side wager.

A book may leave to the sign whether limits are for a box or for each player. Limits of side wagers bind like those of
the main wager: where wagers under a minimum stand once, so do these; elsewhere they are refused when they are placed.
"""

from __future__ import annotations

from pitboss.money import ZERO, Money, show
from pitboss.rulebooks.model.rules import Rules, SideWager
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.round.standing_orders import area_of, minimum_for, stake_on_area
from pitboss.table.state import Bet, Limits, State

BY_SIGN = "box-or-player-by-sign"


def basis_of(rules: Rules, limits: Limits) -> str:
    """`box` or `player`: what the limits are for. A sign that does not say is for boxes."""
    return limits.per or "box" if rules.limit_basis == BY_SIGN else rules.limit_basis


def find_sign_fault(rules: Rules, limits: Limits) -> str:
    """Why a table cannot have this sign; nothing if it can."""
    if limits.per and rules.limit_basis != BY_SIGN and limits.per != rules.limit_basis:
        return f"limits are for each {rules.limit_basis} in this book, not for each {limits.per}"
    unknown = next((wager for wager in limits.side if rules.side_wager(wager) is None), None)
    if unknown is not None:
        return f"the sign has limits for {unknown}, which is not on offer at this table"
    return ""


def find_layout_fault(rules: Rules, places: int) -> str:
    """Why a layout cannot have so many boxes (0: as many as the book allows); nothing if it can."""
    fewest, most = max(rules.boxes_min, 1), rules.boxes_max
    if not places or fewest <= places <= most:
        return ""
    cited = ", ".join(rules.clauses("boxes_max", "boxes"))
    return f"a layout has {fewest} to {most} boxes, not {places}" + (f" (clause {cited})" if cited else "")


def check_side_limit(state: State, side: SideWager, command: cmd.PlaceBet) -> None:
    """Refuse a side wager outside its limits, where the book has no other answer to it."""
    limit = state.limits.of_side(side.id)
    if state.rules.under_minimum != "stands":
        return
    if limit.minimum is not None and command.amount < limit.minimum:
        words = f"the sign asks at least {show(limit.minimum)} for {side.name}"
        raise Refused(words, side.cite("stake", "placing"))
    if limit.maximum is not None and command.amount + _on_box(state, command) > limit.maximum:
        words = f"the sign allows no more than {show(limit.maximum)} for {side.name}"
        raise Refused(words, side.cite("stake", "placing"))


def check_main_limit(draft: Draft, command: cmd.PlaceBet) -> None:
    """Refuse a main wager under the minimum or off the unit of the sign, where the book has no other answer to it.

    On an area of two boxes it is the wager on both that counts. Who came after the minimum was raised has the new one.
    """
    state, rules = draft.state, draft.state.rules
    least, unit = minimum_for(state, command.player), state.limits.unit
    if rules.under_minimum != "stands" or least is None or not command.checked or not rules.clauses("limits"):
        return
    whole = _on_area(state, command)
    if whole is None:
        return
    if whole < least:
        newcomer = state.floor.protected and all(item.player != command.player for item in state.floor.protected)
        words = f"the minimum is {show(least)}, and {command.player} stakes {show(whole)}"
        raise draft.refuse(words, "limits", *(("minimum_raise_protects_seated",) if newcomer else ()))
    if unit is not None and (whole - least) % unit:
        words = f"wagers above the minimum of {show(least)} go up by {show(unit)}: {show(whole)} does not"
        raise draft.refuse(words, "limits")


def _on_area(state: State, command: cmd.PlaceBet) -> Money | None:
    """What the player has on the area with this wager; nothing while one of its two boxes is without."""
    new = Bet(command.box, command.player, command.amount, "main")
    key = (command.player, "main", area_of(command.box))
    own = [*(bet for bet in state.bets if (bet.player, bet.wager, area_of(bet.box)) == key), new]
    parts = {bet.box for bet in own}
    if state.rules.boxes_per_area == 2 and all(not part.isdigit() for part in parts) and len(parts) < 2:
        return None
    return sum((stake_on_area(state, bet) for bet in own), ZERO)


def _on_box(state: State, command: cmd.PlaceBet) -> Money:
    """What the player has on the box with this wager already."""
    key = (command.box, command.player, command.wager)
    return sum((bet.amount for bet in state.bets if (bet.box, bet.player, bet.wager) == key), ZERO)
