"""Every hand a player can hold without being over 21, as a multiset of point values, numbered once for all games.

Hands stand in the order of their sum with aces as one, so that a hand comes before every hand that grows out of it
and a recursion runs through the numbers backwards. Value index 0 is the ace, index 9 the tens.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

VALUES = 10
"""Point values: index 0 is the ace, index 9 a ten or picture."""

BUST = -1
"""What `after` says where a card takes the hand over 21."""


class Hands(NamedTuple):
    """Hands with what follows from their cards: all of them, or those that hold some cards."""

    start: tuple[int, ...]
    """Cards that every hand here holds, as values 1 to 10."""
    origin: Ints
    """The number of each hand among all hands."""
    held: Ints
    """`held[h, v]`: cards of value index v."""
    cards: Ints
    hard: Ints
    aces: Ints
    after: Ints
    """`after[h, v]`: the hand after one more card of value index v, or `BUST`."""
    backwards: Ints
    """The hands, fullest first: the order of a recursion."""
    number: dict[tuple[int, ...], int]
    """A hand's number by its counts."""

    def of(self, *values: int) -> int:
        """The number of the hand of these values (1 to 10)."""
        counts = [0] * VALUES
        for value in values:
            counts[value - 1] += 1
        return self.number[tuple(counts)]

    def values(self, hand: int) -> tuple[int, ...]:
        """The cards of a hand as point values in ascending order."""
        return tuple(value + 1 for value in range(VALUES) for _ in range(int(self.held[hand, value])))


def _multisets() -> list[tuple[int, ...]]:
    """The counts of every hand of one card and more with a hard sum of 21 at most."""
    found: list[tuple[int, ...]] = []

    def grow(counts: list[int], lowest: int, room: int) -> None:
        for value in range(lowest, min(VALUES, room)):
            counts[value] += 1
            found.append(tuple(counts))
            grow(counts, value, room - value - 1)
            counts[value] -= 1

    grow([0] * VALUES, 0, 21)
    return found


def _number_hands(start: tuple[int, ...], origin: Ints, count: Ints) -> Hands:
    weights = np.arange(1, VALUES + 1, dtype=np.int64)
    number = {tuple(row): place for place, row in enumerate(count.tolist())}
    base = np.int64(22)
    keys = (count * base ** np.arange(VALUES, dtype=np.int64)).sum(axis=1)
    sorter = np.argsort(keys)
    grown = keys[:, None] + base ** np.arange(VALUES, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys[sorter], grown), len(keys) - 1)
    after = np.where(keys[sorter][place] == grown, sorter[place], BUST)
    order = np.ascontiguousarray(np.arange(len(count), dtype=np.int64)[::-1])
    return Hands(start, origin, count, count.sum(axis=1), count @ weights, count[:, 0].copy(), after, order, number)


@functools.cache
def all_hands() -> Hands:
    """Every hand."""
    count = np.array(_multisets(), dtype=np.int64)
    hard = count @ np.arange(1, VALUES + 1, dtype=np.int64)
    count = np.ascontiguousarray(count[np.argsort(hard, kind="stable")])
    return _number_hands((), np.arange(len(count), dtype=np.int64), count)


@functools.lru_cache(maxsize=512)
def hands_with(start: tuple[int, ...]) -> Hands:
    """The hands that hold the cards `start`, numbered among themselves."""
    if not start:
        return all_hands()
    every = all_hands()
    wanted = np.bincount(np.array(start) - 1, minlength=VALUES)
    origin = np.flatnonzero((every.held >= wanted).all(axis=1)).astype(np.int64)
    return _number_hands(start, origin, np.ascontiguousarray(every.held[origin]))
