"""Chance at a session: everything random comes out of the session's seed, by name, so that it can be drawn again.

A draw is named by what it is for (`"prize", round, box`). The same name gives the same answer: a robot asked twice
says the same, and a session that is resumed continues as it would have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pitboss.table.shoe.shuffle import WORDS, draw_below, stream_words

T = TypeVar("T")


def entropy(seed: str, *names: object) -> bytes:
    """32 bytes for one purpose."""
    text = "\x1f".join([seed, *map(str, names)])
    return hashlib.sha256(text.encode()).digest()


def seed_stream(seed: str, *names: object) -> Iterator[int]:
    """The words of one purpose."""
    return stream_words(entropy(seed, *names), 0)


def number(bound: int, source: Iterator[int]) -> int:
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
    return items[number(len(items), source)]


def pick_weighted(items: Sequence[tuple[int, T]], source: Iterator[int]) -> T:
    """One of the items, each as likely as its weight says."""
    at = number(sum(weight for weight, _ in items), source)
    for weight, item in items:
        if at < weight:
            return item
        at -= weight
    raise ValueError("nothing to choose from")
