"""Buster: how the dealer's finished hand busts, and with how many cards."""

from __future__ import annotations

import functools
from fractions import Fraction

import msgspec

from pitboss.cards import VALUE
from pitboss.odds.sides.counting import Pack
from pitboss.odds.sides.side_edge import SideEdge, outcomes_of, side_edge
from pitboss.play.dealer import dealer_draws
from pitboss.play.hands import total
from pitboss.play.packed import Packed, pack
from pitboss.play.side_wagers.judges import JUDGES, LOSES, SeenCards
from pitboss.play.side_wagers.side_payments import judge_terms
from pitboss.rulebooks.model.rules import Rules, SideWager

OVER = 22
"""A total that is bust."""
METHOD = "every hand the dealer can finish, drawn from a fresh shoe and counted exactly"


@functools.lru_cache(maxsize=64)
def dealer_busts(packed: Packed, cards: Pack) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """Probabilities of the dealer's finished hand: of a bust by number of cards, and of each total."""
    values = [VALUE[card] for card in cards.deck]
    per_deck = [values.count(value) for value in range(11)]
    drawn = [0] * 11
    busts: dict[int, int] = {}
    totals: dict[tuple[int, int], int] = {}

    def draw(hard: int, aces: int, count: int, weight: int) -> None:
        for value in range(1, 11):
            ways = cards.left(per_deck[value], drawn[value])
            if ways == 0:
                continue
            points, soft_aces = hard + value, aces + (value == 1)
            if count >= 1 and not dealer_draws(packed, points, soft_aces):
                _add(busts, totals, total(points, soft_aces), count + 1, weight * ways)
                continue
            drawn[value] += 1
            draw(points, soft_aces, count + 1, weight * ways)
            drawn[value] -= 1

    draw(0, 0, 0, 1)
    by_count = {count: Fraction(weight, cards.orders(count)) for count, weight in sorted(busts.items())}
    by_total: dict[int, Fraction] = {}
    for (points, count), weight in sorted(totals.items()):
        by_total[points] = by_total.get(points, Fraction(0)) + Fraction(weight, cards.orders(count))
    return by_count, by_total


def _add(busts: dict[int, int], totals: dict[tuple[int, int], int], points: int, count: int, weight: int) -> None:
    totals[points, count] = totals.get((points, count), 0) + weight
    if points > 21:
        busts[count] = busts.get(count, 0) + weight


def buster_odds(rules: Rules, side: SideWager, cards: Pack, stake: Fraction) -> SideEdge:
    """The dealer completes the hand whenever such a wager is alive, so what players do does not matter.

    Where that is read to hold only once all hands are bust or naturals, a hand taken off the table earlier
    (surrendered, or paid as a sure winner) leaves the dealer's hand unfinished and the wager lost: then the
    figures are the most it can be worth.
    """
    by_count, _ = dealer_busts(pack(rules), cards)
    judge, terms = JUDGES[side.judge].judge, judge_terms(side)
    chances = {LOSES: 1 - sum(by_count.values(), Fraction(0))}
    for count, chance in by_count.items():
        answer = judge(SeenCards(dealer_total=OVER, dealer_cards=count), terms)
        chances[answer] = chances.get(answer, Fraction(0)) + chance
    edge = side_edge(rules, side, outcomes_of(side, chances, stake), method=METHOD)
    taken_off = rules.surrender_when != "never" or rules.player_21_wins or rules.five_card_win != "none"
    if taken_off and rules.dealer_completes_for_side_wagers == "listed-cases":
        note = "the most the wager can be worth: the dealer may leave the hand unfinished"
        edge = msgspec.structs.replace(edge, error_bound=edge.expectation + 1, notes=(*edge.notes, note))
    return edge
