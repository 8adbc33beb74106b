"""Suits, where the pontoon family pays more for 6-7-8 and 7-7-7 of one suit, and most for spades.

The recursions know no suits: they pay such a hand what it is worth on average over them, which is exact for a player
who decides by values alone. Looking at suits changes only what two cards are worth that the next can make a bonus hand.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import NamedTuple

from pitboss.cards import SUITS
from pitboss.odds.cards.composition import SUITED, Composition
from pitboss.odds.cards.numbers import Number
from pitboss.play.bonuses import (
    MIXED,
    ONE_SUIT,
    PATTERN_678,
    PATTERN_777,
    SPADES,
    bonus_code,
    grade_of,
    win_odds,
    wins_super_bonus,
)
from pitboss.play.packed import Packed

THIRD: dict[tuple[int, int], int] = {(6, 7): 8, (6, 8): 7, (7, 8): 6, (7, 7): 7}
"""The card that makes a bonus hand of two."""


@functools.lru_cache(maxsize=256)
def suits_matter(rules: Packed) -> bool:
    """Some grade of a bonus hand is paid differently from the others."""
    by_pattern = (
        {_price_suits(rules, pattern, grade) for grade in (MIXED, ONE_SUIT, SPADES)}
        for pattern in (PATTERN_678, PATTERN_777)
    )
    return rules.super_bonus != 0 or any(len(paid) > 1 for paid in by_pattern)


def _price_suits(rules: Packed, pattern: int, grade: int) -> Fraction:
    return Fraction(*win_odds(rules, bonus_code(21, 3, pattern, grade)))


def premium(rules: Packed, first: int, second: int, grade: int) -> Fraction:
    """What the completed bonus hand pays above the same of mixed suits."""
    pattern = PATTERN_777 if first == second == 7 else PATTERN_678
    return _price_suits(rules, pattern, grade) - _price_suits(rules, pattern, MIXED)


class HandSuits(NamedTuple):
    """The suits of a bonus hand in the making: how often, of which grade, and what the third card in suit adds."""

    chance: Number
    grade: int
    third: Number
    """The chance that the next card completes the hand in suit."""
    premium: Number
    """What the completed hand is then paid above mixed suits."""


def hand_suits(
    rules: Packed, shoe: Composition, first: int, second: int, up: int, super_bonus: Number
) -> list[HandSuits]:
    """The suits of an opening hand against an up card of value `up`, given all values; chances add to one.

    Nothing where suits do not matter. `super_bonus` is paid on top for suited sevens against a seven.
    """
    if (first, second) not in THIRD or not suits_matter(rules):
        return []
    found: dict[tuple[int, Number], Number] = {}
    for up_suit in range(len(SUITS)) if str(up) in SUITED else (None,):
        for one in range(len(SUITS)):
            for two in range(len(SUITS)):
                left, weight = shoe.suits.copy(), shoe.numbers.make(1)
                for card, suit in ((up, up_suit), (first, one), (second, two)):
                    if suit is not None:
                        place = SUITED.index(str(card))
                        weight = weight * max(left[place, suit], 0 * weight)
                        left[place, suit] = left[place, suit] - shoe.step
                grade, third = MIXED, 0 * weight
                if one == two:
                    grade = grade_of(1 << one)
                    wanted = left[SUITED.index(str(THIRD[first, second])), one]
                    third = max(wanted, third) / (shoe.left - 3 * shoe.step)
                if weight > 0:
                    found[grade, third] = found.get((grade, third), 0 * weight) + weight
    whole = sum(found.values())
    pattern = PATTERN_777 if first == second == 7 else PATTERN_678
    paid = {
        grade: shoe.numbers.make(premium(rules, first, second, grade))
        + super_bonus * int(wins_super_bonus(rules, up - 1, pattern, grade, False, False, False))
        for grade in (MIXED, ONE_SUIT, SPADES)
    }
    return [HandSuits(weight / whole, grade, third, paid[grade]) for (grade, third), weight in found.items()]


def mean_premium(rules: Packed, shoe: Composition, first: int, second: int) -> Number:
    """What suits add on average to the bonus hand that two values become: for a player who does not look at suits."""
    premiums = price_grades(rules, shoe, first, second)
    return sum((chance * paid for chance, paid in premiums), start=0 * shoe.left)


def price_grades(rules: Packed, shoe: Composition, first: int, second: int) -> list[tuple[Number, Number]]:
    """How often the bonus hand that two values become is of each suit, and what that adds; of mixed suits it adds
    nothing."""
    make = shoe.numbers.make
    found = []
    for suit in range(len(SUITS)):
        rest, chance = shoe.suits.copy(), make(1)
        for card in (first, second, THIRD[first, second]):
            place = SUITED.index(str(card))
            whole = sum(rest[place])
            chance = chance * max(rest[place, suit], 0 * chance) / whole if whole > 0 else 0 * chance
            rest[place, suit] = rest[place, suit] - shoe.step
        found.append((chance, make(premium(rules, first, second, grade_of(1 << suit)))))
    return found


def spread_premium(rules: Packed, shoe: Composition, first: int, second: int) -> Number:
    """The variance of what suits add to that bonus hand."""
    premiums = price_grades(rules, shoe, first, second)
    mean = sum((chance * paid for chance, paid in premiums), start=0 * shoe.left)
    return sum((chance * paid * paid for chance, paid in premiums), start=0 * shoe.left) - mean * mean
