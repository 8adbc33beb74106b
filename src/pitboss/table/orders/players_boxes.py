"""How many boxes a player has: so many at most, two for somebody who plays alone, one given up for those who wait."""

from __future__ import annotations

from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import EVERYBODY, GivenUp
from pitboss.table.messages import order_commands as od
from pitboss.table.orders.powers import set_floor
from pitboss.table.orders.roles import rule
from pitboss.table.round.betting import parse_box
from pitboss.table.round.standing_orders import area_of
from pitboss.table.state import State


def limit_boxes(draft: Draft, command: od.LimitBoxes) -> None:
    """Players may wager on so many boxes, those named or everybody."""
    state = draft.state
    clauses = rule(draft, command, "boxes", given=("number", "player"))
    if not 1 <= command.number <= state.places:
        raise Refused(f"a player has 1 to {state.places} boxes, not {command.number}", clauses)
    new = dict.fromkeys(command.players or (EVERYBODY,), command.number)
    kept = state.floor.boxes_most if command.players else {}
    set_floor(draft, clauses, boxes_most={**kept, **new}, boxes_clauses=clauses)


def require_two_hands(draft: Draft, command: od.TwoHands) -> None:
    """Whoever is alone at the table plays two hands, or as they like again."""
    clauses = rule(draft, command, "two-hands", given=("player",))
    set_floor(draft, clauses, two_hands=clauses if command.on else ())


def give_up_box(draft: Draft, command: od.GiveUpBox) -> None:
    """A player on several boxes leaves one of them to others: from the next round on, or at once before the deal."""
    state = draft.state
    area = parse_box(state, command.box).area
    clauses = rule(draft, command, "give-up", box=command.box, player=command.player)
    own = {area_of(bet.box) for bet in state.bets if bet.player == command.player and bet.wager == "main"}
    if area not in own or len(own) < 2:
        raise Refused(f"{command.player} does not play box {area} beside others", clauses)
    free = _find_free_box(state)
    if state.rules.several_boxes == "give-up-on-demand" and free:
        raise Refused(f"box {free} is free: a box is given up when there are too few for all", clauses)
    kept = tuple(item for item in state.floor.given_up if (item.player, item.area) != (command.player, area))
    set_floor(draft, clauses, given_up=(*kept, GivenUp(command.player, area, clauses)))


def _find_free_box(state: State) -> int:
    """The first box at which nobody sits and nobody wagers; 0 if there is none."""
    taken = {item.area for item in state.arrivals} | {area_of(bet.box) for bet in state.bets}
    return next((area for area in range(1, state.places + 1) if area not in taken), 0)
