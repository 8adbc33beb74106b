"""Fair draws from a stream of words: a number however large, one of several things, or by weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pitboss.table.shoe.shuffle import WORDS, draw_below

T = TypeVar("T")


def draw_number(bound: int, source: Iterator[int]) -> int:
    """A number from 0 to `bound` - 1, all equally likely, however large the bound."""
    if bound <= WORDS:
        return draw_below(bound, source)
    high, rest = divmod(bound, WORDS)
    while True:
        first = draw_below(high + (rest > 0), source)
        found = first * WORDS + draw_below(WORDS, source)
        if found < bound:
            return found


def pick_one(items: Sequence[T], source: Iterator[int]) -> T:
    """One of the items."""
    return items[draw_number(len(items), source)]


def pick_weighted(items: Sequence[tuple[int, T]], source: Iterator[int]) -> T:
    """One of the items, each as likely as its weight says."""
    at = draw_number(sum(weight for weight, _ in items), source)
    for weight, item in items:
        if at < weight:
            return item
        at -= weight
    raise ValueError("nothing to choose from")
