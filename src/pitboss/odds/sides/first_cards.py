"""Side wagers that the initial deal decides: all ways to deal their cards, each put to their judge."""

from __future__ import annotations

import functools
from fractions import Fraction

from pitboss.cards import CODE, Card
from pitboss.formats.wording import one_in
from pitboss.odds.sides.counting import Pack, classes, distribution
from pitboss.odds.sides.side_edge import LOST, SideEdge, outcome_of, outcomes_of, side_edge
from pitboss.play.side_wagers.judges import (
    BY_FOUR_CARDS,
    BY_UP_CARD,
    DRAWS_PRIZE,
    JUDGES,
    NO_CARD_CODE,
    JudgeTerms,
    SeenCards,
)
from pitboss.play.side_wagers.side_payments import judge_terms, pay_drawn_prize
from pitboss.rulebooks.model.rules import Rules, SideWager

METHOD = "all ways to deal the deciding cards from a fresh shoe, counted exactly"


@functools.lru_cache(maxsize=256)
def judge_deals(name: str, terms: JudgeTerms, pack: Pack) -> dict[int, Fraction]:
    """The probability of each answer of a judge who looks at the initial deal alone."""
    judge = JUDGES[name]
    cards = 4 if judge.looks_at == BY_FOUR_CARDS else 2
    places = [classes(pack, judge.key)] * (cards + (judge.looks_at == BY_UP_CARD))

    def answer(drawn: tuple[Card, ...]) -> int:
        codes = [CODE[card] for card in drawn]
        others = (codes[2], codes[3]) if cards == 4 else (NO_CARD_CODE, NO_CARD_CODE)
        return judge.judge(SeenCards(codes[0], codes[1], *others, codes[-1]), terms)

    return distribution(pack, answer, *places)


def price_dealt(rules: Rules, side: SideWager, cards: Pack, stake: Fraction) -> SideEdge:
    """A wager at fixed odds that the initial deal decides."""
    terms = judge_terms(side)
    outcomes = outcomes_of(side, judge_deals(side.judge, terms, cards), stake)
    return side_edge(rules, side, outcomes, method=METHOD)


def price_drawn_prize(rules: Rules, side: SideWager, cards: Pack) -> SideEdge:
    """A winning hand draws one of the prizes of the table in force, each ticket being as likely."""
    terms = judge_terms(side)
    found = judge_deals(side.judge, terms, cards)
    wins = found.get(DRAWS_PRIZE, Fraction(0))
    tickets = sum(count for count, _ in side.prizes)
    outcomes = [
        outcome_of(
            side,
            f"prize-{prize}",
            wins * Fraction(count, tickets),
            pay_drawn_prize(side, Fraction(prize), Fraction(1)),
            "prize",
        )
        for count, prize in side.prizes
    ]
    outcomes.append(outcome_of(side, LOST, 1 - wins, Fraction(-1)))
    mean = Fraction(sum(count * prize for count, prize in side.prizes), tickets)
    often = f"{one_in(wins)} hands draws a prize from {tickets:,} tickets"
    notes = (f"{often}; the average prize is {float(mean):,.2f} times the stake",)
    return side_edge(rules, side, outcomes, method=METHOD, notes=notes)
