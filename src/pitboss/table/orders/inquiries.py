"""Winnings that are held back while the house inquires, and what becomes of them when it has decided.

From the order on, whatever the player wins is kept; so is what the round on the table has won. A player's stake is not
a winning: it goes back whatever is decided.
"""

from __future__ import annotations

from pitboss.money import ZERO
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import Withheld
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.powers import require_between_rounds, set_floor
from pitboss.table.orders.roles import rule
from pitboss.table.round.held_money import amount_withheld, list_winnings
from pitboss.table.state import Settlement


def withhold(draft: Draft, command: od.Withhold) -> None:
    """A player's winnings are held back."""
    clauses = rule(draft, command, "withhold", player=command.player)
    if any(held.player == command.player for held in draft.state.floor.withheld):
        raise Refused(f"the winnings of {command.player} are already withheld", clauses)
    set_floor(draft, clauses, withheld=(*draft.state.floor.withheld, Withheld(command.player, clauses)))


def decide_winnings(draft: Draft, command: od.ReleaseWinnings | od.ForfeitWinnings) -> None:
    """The inquiry is over: what was held back is paid out, or it is forfeit."""
    state = draft.state
    released = isinstance(command, od.ReleaseWinnings)
    clauses = rule(draft, command, "release-winnings" if released else "forfeit-winnings", player=command.player)
    held = next((item for item in state.floor.withheld if item.player == command.player), None)
    if held is None:
        raise Refused(f"no winnings of {command.player} are withheld", clauses)
    require_between_rounds(draft, clauses)
    amount = amount_withheld(state, held)
    if not released:
        _take_winnings(draft, command.player, clauses)
    rest = tuple(item for item in state.floor.withheld if item is not held)
    set_floor(draft, clauses, withheld=rest)
    draft.emit(ru.WinningsDecided(player=command.player, amount=amount, released=released, clauses=clauses))


def _take_winnings(draft: Draft, player: str, clauses: tuple[str, ...]) -> None:
    """What the round on the table has won goes to the house."""
    for (box, wager), won in list_winnings(draft.state, player).items():
        lost = Settlement(box, 0, player, wager, ZERO, -won, "forfeited", clauses)
        draft.emit(ev.WagerSettled(settlement=lost, clauses=clauses))
