"""Side wagers that the initial deal decides: all ways to deal their cards, judged by the table's own judges."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from pitboss.cards import VALUE, Card
from pitboss.odds.sides.counting import Pack, by_card, by_rank, by_suit, by_value, classes, distribution, pack_of
from pitboss.odds.sides.side_edge import LOSES, SideEdge, odds_of, outcome_of, side_edge
from pitboss.play.hands import is_natural
from pitboss.rulebooks.model.rules import Rules, SideWager
from pitboss.table.round.sides import dealt as judges
from pitboss.table.round.sides import meters

METHOD = "all ways to deal the deciding cards from a fresh shoe, counted exactly"

Judged = Callable[[tuple[Card, ...], Card], str]


class Deal(NamedTuple):
    """What a judge looks at: how many of the player's cards, the up card or not, and what of a card."""

    judge: Judged
    cards: int
    up_card: bool
    key: Callable[[Card], str]


DEALS: dict[str, Deal] = {
    "perfect-pairs": Deal(judges.perfect_pairs, 2, False, by_card),
    "pair": Deal(judges.pair, 2, False, by_rank),
    "under-13": Deal(judges.under_13, 2, False, by_value),
    "over-13": Deal(judges.over_13, 2, False, by_value),
    "super-match": Deal(judges.super_match, 4, False, by_rank),
    "crown-suits": Deal(judges.crown_suits, 2, True, by_suit),
    "spread-bet": Deal(judges.spread_bet, 2, False, by_value),
    "blackjack-jackpots": Deal(meters.jackpots_outcome, 2, True, by_card),
    "supernova": Deal(meters.supernova_outcome, 2, False, by_card),
}


@functools.lru_cache(maxsize=256)
def dealt(judge: str, pack: Pack) -> dict[str, Fraction]:
    """The probability of each outcome that a judge tells apart; a loss is `LOSES`."""
    deal = DEALS[judge]
    places = [classes(pack, deal.key)] * (deal.cards + deal.up_card)

    def outcome(cards: tuple[Card, ...]) -> str:
        return deal.judge(cards[: deal.cards], cards[-1]) or LOSES

    return distribution(pack, outcome, *places)


def dealt_odds(rules: Rules, side: SideWager) -> SideEdge:
    """A wager at fixed odds that the initial deal decides."""
    found = dealt(side.judge, pack_of(rules))
    outcomes = []
    for name in side.odds:
        net = odds_of(side, name)
        if name == "super-suit" and side.tiers_paid == "both":
            net += odds_of(side, "matching-suit")
        outcomes.append(outcome_of(side, name, found.get(name, Fraction(0)), net))
    outcomes.append(outcome_of(side, LOSES, found.get(LOSES, Fraction(0)), Fraction(-1)))
    return side_edge(rules, side, outcomes, method=METHOD)


def natural_probability(pack: Pack) -> Fraction:
    """How likely two cards are an ace and a ten-value card."""
    values = classes(pack, by_value)

    def outcome(cards: tuple[Card, ...]) -> str:
        points = [VALUE[card] for card in cards]
        return "natural" if is_natural(sum(points), points.count(1), 2) else LOSES

    return distribution(pack, outcome, values, values)["natural"]


def pandemonium_odds(rules: Rules, side: SideWager) -> SideEdge:
    """A natural draws one of the prizes of the table in force, each ticket being as likely."""
    natural = natural_probability(pack_of(rules))
    tickets = sum(count for count, _ in side.prizes)
    kept = 1 if side.winning_stake == "kept" else 0
    outcomes = [
        outcome_of(side, f"prize-{prize}", natural * Fraction(count, tickets), Fraction(prize - kept), "prize")
        for count, prize in side.prizes
    ]
    outcomes.append(outcome_of(side, LOSES, 1 - natural, Fraction(-1)))
    mean = Fraction(sum(count * prize for count, prize in side.prizes), tickets)
    notes = (f"mean prize {mean} of {tickets} outcomes, drawn by {natural} of all hands",)
    return side_edge(rules, side, outcomes, method=METHOD, notes=notes)
