"""Blackjack Switch: two boxes of one player, four cards in sight, and the choice to exchange the second cards.

After the choice each hand is played by its own cards and the two that the other box then has; cards drawn later to
the other hand are not looked at. For that player the value of an area is the sum of two hands, each solved for a shoe
without the other's two cards: one solution of the game for every pair of cards that can lie in the other box.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pitboss.errors import PitbossError
from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.openings import (
    OPENINGS,
    Position,
    Wanted,
    acts_of,
    best_of,
    max_of,
    natural_acts,
    side_by_side,
    solve,
)
from pitboss.odds.hand.player_hands import VALUES, Bools, Ints
from pitboss.odds.hand.solver import refuse_surrender_after_own_cards
from pitboss.odds.splits.split_boxes import Judge
from pitboss.play.naturals import may_become_natural, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.play.switching import hand_may_switch, is_played_before_switch

NUMBER = np.zeros((VALUES, VALUES), dtype=np.int64)
"""The place in `OPENINGS` of two cards by value index, in either order."""
for _place, (_first, _second) in enumerate(OPENINGS):
    NUMBER[_first - 1, _second - 1] = NUMBER[_second - 1, _first - 1] = _place

NATURAL = OPENINGS.index((1, 10))


class Pairs(NamedTuple):
    """The value of hands by the two cards of the other box."""

    plain: Array
    """`plain[other, hand, up]`: of a hand as it is, ace and ten being 21."""
    natural: Array
    """`natural[other, up]`: of a natural as dealt."""
    error: Number
    """How far off the value of a hand can be."""
    positions: dict[int, Position]
    """The solution for every pair in the other box, by its place in `OPENINGS`."""


class Areas(NamedTuple):
    """Every deal of two boxes and an up card. Arrays by the cards' value indices: a1, a2, b1, b2, up card."""

    cards: Ints
    """Value indices that the shoe holds: what the other arrays are indexed by."""
    chance: Array
    left: Array
    """Value of both boxes together as dealt, per unit staked on each."""
    switched: Array
    """The same with the second cards exchanged."""
    may_switch: Bools

    @property
    def value(self) -> Array:
        """The better of leaving and switching."""
        return np.where(self.may_switch & (self.switched > self.left), self.switched, self.left)


Worth = Callable[[Position, int, int], Array]
"""What two cards are worth in a position, by up card."""


def at_best(position: Position, first: int, second: int) -> Array:
    """The worth of two cards with best play."""
    return best_of(position, first, second, acts_of(position, first, second))


def solve_pairs(
    rules: Packed, shoe: Composition, method: str = "CDZ-", judge: Judge | None = None,
    worth: Worth = at_best, wanted: Wanted | None = None, known: Pairs | None = None,
) -> Pairs:  # fmt: skip
    """Solve the game for every pair of cards in the other box; hands are played at their best or as `judge` says.

    A chart says nothing of naturals: they wait, and take no even money. `wanted` as in `solve`; `known` are solutions
    of the same shoes by other decisions.
    """
    refuse_surrender_after_own_cards(rules)
    if is_played_before_switch(rules):
        raise PitbossError("the odds do not cover automatic draws or a surrender before second cards are switched")
    numbers = shoe.numbers
    others = [place for place, pair in enumerate(OPENINGS) if shoe.holds(*pair)]

    def solve_place(place: int) -> Position:
        rows = known.positions[place].rows if known is not None else None
        return solve(rules, shoe.without(*OPENINGS[place]), method, judge, wanted, rows, alone=False)

    if shoe.step == 0:
        positions = dict.fromkeys(others, solve_place(others[0]))
    else:
        positions = dict(zip(others, side_by_side(solve_place, others, numbers), strict=True))
    plain, natural = numbers.zeros(len(OPENINGS), len(OPENINGS), VALUES), numbers.zeros(len(OPENINGS), VALUES)
    error = numbers.make(0)
    for place, position in positions.items():
        for hand, pair in enumerate(OPENINGS):
            if position.shoe.holds(*pair):
                plain[place, hand] = worth(position, *pair)
        acts = natural_acts(position)
        natural[place] = max_of(acts) if judge is None else acts["natural"]
        for value, split in position.splits.items():
            played = split.value == plain[place, NUMBER[value - 1, value - 1]]
            error = max(error, *(wrong for wrong, used in zip(split.error, played, strict=True) if used), error)
    return Pairs(plain, natural, error, positions)


def near_splits(position: Position) -> Wanted:
    """The splits that can be best when two more cards are out, judged by a full shoe: all that miss by little."""
    numbers = position.shoe.numbers
    near: dict[int, tuple[int, ...]] = {}
    for value, split in position.splits.items():
        acts = acts_of(position, value, value)
        others = max_of(acts, "split")
        near[value] = tuple(up for up in range(VALUES) if split.value[up] > others[up] - numbers.make(NEAR))
    return lambda value: near.get(value, ())


NEAR = Fraction(15, 100)
"""What a split may miss by in a full shoe and still be looked at: many times what two cards out of it can change."""


def areas(rules: Packed, shoe: Composition, pairs: Pairs) -> Areas:
    """Every deal of two boxes and an up card, with the value of leaving and of switching the second cards."""
    cards = np.array([value for value in range(VALUES) if shoe.values[value] > 0], dtype=np.int64)
    a1, a2, b1, b2, up = np.meshgrid(cards, cards, cards, cards, cards, indexing="ij")
    one, other = NUMBER[a1, a2], NUMBER[b1, b2]
    dealt = pairs.plain.copy()
    dealt[:, NATURAL] = pairs.natural
    left = dealt[other, one, up] + dealt[one, other, up]
    crossed, crossed_other = NUMBER[a1, b2], NUMBER[b1, a2]
    switched = pairs.plain[crossed_other, crossed, up] + pairs.plain[crossed, crossed_other, up]
    paid = [natural_paid_now(rules, may_become_natural(value)) for value in range(VALUES)]
    natural = np.array([hand_may_switch(rules, True, at_once) for at_once in paid])
    held = (one == NATURAL) | (other == NATURAL)
    may_switch = np.where(held, natural[up], hand_may_switch(rules, False, False))
    return Areas(cards, _chances(shoe, cards), left, switched, may_switch)


def _chances(shoe: Composition, cards: Ints) -> Array:
    """The chance of every deal: four cards and an up card, in order."""
    grids = np.meshgrid(*(cards,) * 5, indexing="ij")
    chance = shoe.numbers.zeros(*grids[0].shape) + shoe.numbers.make(1)
    for place, grid in enumerate(grids):
        seen = sum((earlier == grid).astype(np.int64) for earlier in grids[:place]) if place else 0
        many = shoe.values[grid] - shoe.step * seen
        rest = shoe.left - shoe.step * place
        chance = chance * np.where(many > 0, many, 0 * many) / rest
    return chance
