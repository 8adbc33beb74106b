"""What all judges share: the moments, and settling a side wager."""

from __future__ import annotations

from pitboss.money import Money, Odds
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table import events as ev
from pitboss.table.draft import Draft
from pitboss.table.state import Box, Settlement, SideBet


class Judge:
    """The moments of a round at which a side wager may be decided; a judge overrides those it needs."""

    needs_dealer = False
    """The dealer's hand decides it."""

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        """After the initial deal, once for all wagers of this kind."""

    def after_card(self, draft: Draft, side: SideWager, index: int) -> None:
        """After a card to the wager's box."""

    def box_done(self, draft: Draft, side: SideWager, index: int) -> None:
        """When no hand of the wager's box takes another decision."""

    def at_end(self, draft: Draft, side: SideWager, index: int) -> None:
        """When the dealer's hand is complete."""


def bets_of(draft: Draft, side: SideWager) -> list[tuple[int, SideBet]]:
    """The live wagers of one kind, with their index."""
    return [(index, bet) for index, bet in enumerate(draft.state.sides) if bet.wager == side.id and bet.state]


def box_of(draft: Draft, bet: SideBet) -> Box | None:
    """The box a wager lies on; none for a wager not tied to a box in play."""
    index = draft.state.box_index(bet.box)
    return draft.state.boxes[index] if index >= 0 else None


def boxes_of_area(draft: Draft, bet: SideBet) -> list[Box]:
    """The boxes of the area a wager lies on."""
    area = int(bet.box.rstrip("ab"))
    return [box for box in draft.state.boxes if box.area == area]


def settle_side(
    draft: Draft,
    index: int,
    net: Money,
    outcome: str,
    clauses: tuple[str, ...],
    *,
    state: str = "",
    interim: bool = False,
) -> None:
    """Settle a side wager, or one stage of it if it goes on in `state`."""
    bet = draft.state.sides[index]
    settlement = Settlement(bet.box, 0, bet.player, bet.wager, bet.amount, net, outcome, clauses, interim)
    draft.emit(ev.SideSettled(settlement=settlement, index=index, state=state, clauses=clauses))


def pay(draft: Draft, side: SideWager, index: int, outcome: str, *, state: str = "", interim: bool = False) -> None:
    """Pay a winning wager the odds of `outcome`, up to the posted maximum."""
    odds = side.odds[outcome]
    assert isinstance(odds, Odds), f"{side.id}: {outcome} is a meter prize"
    bet = draft.state.sides[index]
    net = odds.pay(bet.amount, draft.state.payable)
    if side.max_payout is not None:
        net = min(net, side.max_payout - bet.paid if side.payout_cap == "each-wager" else side.max_payout)
    clauses = tuple(dict.fromkeys((*side.cite(outcome, "wins"), *side.cite("pays"))))
    settle_side(draft, index, net, outcome, clauses, state=state, interim=interim)


def lose(draft: Draft, side: SideWager, index: int, *, interim: bool = False) -> None:
    """Take a losing wager."""
    settle_side(draft, index, -draft.state.sides[index].amount, "loses", side.cite("loses"), interim=interim)


def return_wager_void(draft: Draft, index: int) -> None:
    """The area of a wager is void: the wager goes back."""
    settle_side(draft, index, draft.state.sides[index].amount * 0, "void", draft.cite("single_of_pair"), interim=True)
