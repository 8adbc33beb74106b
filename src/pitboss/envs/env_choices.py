"""What is chosen when an environment is made: the game with its options, the shoe, and the wager in money."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import Card, decks, parse_cards
from pitboss.envs.rows import House
from pitboss.errors import PitbossError
from pitboss.money import Money, parse_money
from pitboss.play.insurance import insurance_halves
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks import Rulebook, Rules, rules_for
from pitboss.sim.plan import cut_position

CARDS_PER_BOX = 24
"""What a round can take of a shoe for each box, and more than it ever does."""


class EnvError(PitbossError):
    """An environment that cannot be made as asked, or is used out of order."""


class Chosen(NamedTuple):
    """A game, resolved, with its shoe."""

    rules: Rules
    stake: Money
    cut: int
    """A new shoe is begun when so many cards are dealt at the start of a round; 0: for every round."""
    fresh: tuple[Card, ...]
    """All cards of the shoe, unshuffled."""


def chosen(
    game: str,
    stake: Any,
    penetration: float | None,
    seats: int,
    readings: Mapping[str, str] | None,
    own_books: Iterable[Rulebook],
    options: Mapping[str, Any],
) -> Chosen:
    """Resolve what was chosen; what the book does not allow is refused with its clause."""
    rules = rules_for(game, tuple(own_books), readings=dict(readings or {}), **options)
    if rules.hole_card != "none":
        raise EnvError("environments are for games without a hole card")
    if rules.decks == 0:
        raise EnvError("an infinite deck cannot be dealt from: name a number of decks")
    if not 1 <= seats <= rules.boxes_max:
        raise EnvError(f"boxes must be from 1 to {rules.boxes_max}, not {seats}")
    money = parse_money(stake)
    if money <= 0:
        raise EnvError(f"the stake must be above zero, not {stake}")
    fresh = decks(rules.decks, rules.deck_cards)
    cut = 0
    if penetration is not None:
        most = len(fresh) - CARDS_PER_BOX * seats * rules.boxes_per_area
        cut = min(cut_position(rules, Money(str(penetration)), len(fresh)), most)
    return Chosen(rules, money, cut, fresh)


def shoe_from(fresh: Sequence[Card], cards: Any) -> tuple[Card, ...]:
    """A whole shoe that begins with these cards, given as a text of records or one by one."""
    begun = parse_cards(cards) if isinstance(cards, str) else parse_cards(" ".join(cards))
    left = list(fresh)
    for card in begun:
        if card not in left:
            raise EnvError(f"the shoe has no further {card}")
        left.remove(card)
    return (*begun, *left)


def house_of(picked: Chosen) -> tuple[Packed, House]:
    """The rules of play and what the house fixes beside them, as kernels take them."""
    rules, packed = picked.rules, pack(picked.rules)
    odds = [rules.natural_odds, rules.win_odds, *(bonus.odds for bonus in rules.bonuses)]
    unit = 2 * int(np.lcm.reduce([item.stake for item in odds]))
    bonus = Fraction(0)
    if rules.super_bonus and rules.super_bonus_sums is not None:
        bonus = Fraction(rules.super_bonus_sums.pays(picked.stake)) / Fraction(picked.stake)
    unit *= (bonus * unit).denominator
    return packed, House(
        boxes=rules.boxes_per_area,
        unit=unit,
        cut=picked.cut,
        insurance=unit // 2 * insurance_halves(packed),
        super_bonus=int(bonus * unit),
    )


def as_record(numbers: Any) -> np.void:
    """A named tuple of whole numbers as one record: kernels hand it on by its place, and compile in half the time."""
    fields = [(name, np.int64, np.shape(value)) for name, value in numbers._asdict().items()]
    record = np.zeros(1, np.dtype(fields))
    for name, value in numbers._asdict().items():
        record[name] = value
    found: np.void = record[0]
    return found
