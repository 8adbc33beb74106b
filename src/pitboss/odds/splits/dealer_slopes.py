"""How the dealer's chances change with the cards that are out of a full shoe."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array
from pitboss.odds.hand.player_hands import VALUES
from pitboss.odds.hand.solver import deal_without
from pitboss.play.packed import Packed


class DealerSlopes(NamedTuple):
    """How the dealer's chances change with the cards that are out of a full shoe, by up card and result."""

    second: Array
    """`second[v, w, up, r]`: the second difference for a card of each of two values."""
    third: Array
    """`third[up]`: the largest third difference, over all results together."""


def find_slopes(rules: Packed, shoe: Composition) -> DealerSlopes:
    """The differences of the dealer's chances for a full shoe."""
    sets = [(), *((v,) for v in range(VALUES)), *((v, w) for v in range(VALUES) for w in range(v + 1))]
    sets += [(v, w, x) for v in range(VALUES) for w in range(v + 1) for x in range(w + 1)]
    place = {cards: number for number, cards in enumerate(sets)}
    out = np.array([np.bincount(np.array(cards, dtype=np.int64), minlength=VALUES) for cards in sets], dtype=np.int64)
    rows = deal_without(rules, shoe, out)

    def at(*cards: int) -> Array:
        found: Array = rows[place[tuple(sorted(cards, reverse=True))]]
        return found

    second = np.zeros((VALUES, VALUES, *rows.shape[1:]))
    third = np.zeros(VALUES)
    for v in range(VALUES):
        for w in range(v + 1):
            second[v, w] = second[w, v] = at(v, w) - at(v) - at(w) + at()
            for x in range(w + 1):
                steep = at(v, w, x) - at(v, w) - at(v, x) - at(w, x) + at(v) + at(w) + at(x) - at()
                third = np.maximum(third, np.abs(steep).sum(axis=1))
    return DealerSlopes(second, third)
