"""Side wagers decided by the initial deal alone: pairs, totals, suits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from pitboss.cards import VALUE, Card, colour
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.draft import Draft
from pitboss.table.round.sides.base import Judge, bets_of, boxes_of_area, lose, pay, return_wager_void

Cards = tuple[Card, ...]


def perfect_pairs(cards: Cards, up: Card) -> str:
    """Two cards of one rank: perfect, coloured or mixed."""
    one, two = cards
    if one[0] != two[0]:
        return ""
    if one[1] == two[1]:
        return "perfect"
    return "coloured" if colour(one) == colour(two) else "mixed"


def pair(cards: Cards, up: Card) -> str:
    """Two cards of one rank."""
    return "pair" if cards[0][0] == cards[1][0] else ""


def under_13(cards: Cards, up: Card) -> str:
    """Twelve or less, aces as one."""
    return "under" if VALUE[cards[0]] + VALUE[cards[1]] < 13 else ""


def over_13(cards: Cards, up: Card) -> str:
    """Fourteen or more, aces as one."""
    return "over" if VALUE[cards[0]] + VALUE[cards[1]] > 13 else ""


def super_match(cards: Cards, up: Card) -> str:
    """The ranks of the four cards of an area."""
    counts = sorted(Counter(card[0] for card in cards).values(), reverse=True)
    if counts[0] == 4:
        return "four-of-a-kind"
    if counts[:2] == [2, 2]:
        return "two-pair"
    if counts[0] == 3:
        return "three-of-a-kind"
    return "pair" if counts[0] == 2 else ""


def crown_suits(cards: Cards, up: Card) -> str:
    """Two cards of one suit, and the dealer's up card too."""
    if cards[0][1] != cards[1][1]:
        return ""
    return "super-suit" if up[1] == cards[0][1] else "matching-suit"


def spread_bet(cards: Cards, up: Card) -> str:
    """The sum of two cards, aces as one."""
    points = VALUE[cards[0]] + VALUE[cards[1]]
    if points <= 3:
        return "sum-2-3"
    if points <= 5:
        return "sum-4-5"
    return "sum-6-9" if points <= 9 else ""


class DealtJudge(Judge):
    """Looks at the first cards of a wager's box or area and the dealer's up card."""

    def __init__(self, outcome: Callable[[Cards, Card], str]) -> None:
        self.outcome = outcome

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        for index, bet in bets_of(draft, side):
            boxes = boxes_of_area(draft, bet)
            if any(box.void for box in boxes):
                return_wager_void(draft, index)
                continue
            firsts = [box.hands[0].cards[0] for box in boxes]
            seconds = [box.hands[0].cards[1] for box in boxes]
            found = self.outcome((*firsts, *seconds), draft.state.dealer[0])
            if found:
                pay(draft, side, index, found, interim=True)
            else:
                lose(draft, side, index, interim=True)


class CrownSuits(DealtJudge):
    """Where both tiers are read as paid, a super suit is paid as a matching suit too."""

    def after_deal(self, draft: Draft, side: SideWager) -> None:
        super().after_deal(draft, side)
        if side.tiers_paid == "higher-only":
            return
        for settled in tuple(draft.state.settlements):
            if settled.wager == side.id and settled.outcome == "super-suit":
                for index, bet in enumerate(draft.state.sides):
                    if (bet.box, bet.player, bet.wager) == (settled.box, settled.player, settled.wager):
                        pay(draft, side, index, "matching-suit", interim=True)


DEALT: dict[str, Judge] = {
    "perfect-pairs": DealtJudge(perfect_pairs),
    "pair": DealtJudge(pair),
    "under-13": DealtJudge(under_13),
    "over-13": DealtJudge(over_13),
    "super-match": DealtJudge(super_match),
    "crown-suits": CrownSuits(crown_suits),
    "spread-bet": DealtJudge(spread_bet),
}
