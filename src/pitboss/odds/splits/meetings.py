"""Which hands of a split there are, one by one and two by two, over all ways in which it can go."""

from __future__ import annotations

import functools
from collections import Counter
from math import comb
from typing import NamedTuple

from pitboss.odds.splits.split_values import HandOfSplit, ways_to_split


class Meetings(NamedTuple):
    """How many hands of a split there are of each kind, and how many two by two, over all ways in which it can go.

    The last part of a key are the further cards that are known to be pairs. That a second card is no pair enters by
    inclusion and exclusion, so that counts can be below zero.
    """

    hands: Counter[tuple[HandOfSplit, int]]
    couples: Counter[tuple[HandOfSplit, HandOfSplit, int]]


@functools.cache
def count_meetings(most: int, own_last: bool) -> Meetings:
    """The hands of a split to at most so many, the original wager on the last of them or on the first."""
    found = Meetings(Counter(), Counter())
    for way in ways_to_split(most, own_last):
        singles, split = sum(hand.no_pair for hand in way), len(way) - 2
        for place, one in enumerate(way):
            others = singles - one.no_pair
            for out in range(others + 1):
                found.hands[one, split + out] += (-1) ** out * comb(others, out)
            for other in way[place + 1 :]:
                rest = others - other.no_pair
                for out in range(rest + 1):
                    found.couples[one, other, split + out] += (-1) ** out * comb(rest, out)
    return found
