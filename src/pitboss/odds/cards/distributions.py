"""The dealer's distributions that a calculation has worked out, kept by the cards missing from the shoe.

What the dealer can make depends only on which cards are gone, not on whose hand they are in. The hands of a split, the
other box of Blackjack Switch and play by a chart ask for the same cards again and again; here they are asked for once.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

import numpy as np

from pitboss.odds.cards.numbers import Array
from pitboss.odds.hand.player_hands import VALUES, Hands, Ints, hands_with

BITS = 6
"""Room for the number of cards of one value in a key: never as many as 64 are out."""

_SHIFT = np.int64(BITS) * np.arange(VALUES, dtype=np.int64)

WorkedOut = Callable[[Ints, Array], None]
"""Writes into rows the dealer's distribution with these cards out of the shoe, against the up cards that are kept."""


NO_KEY = -1


@functools.lru_cache(maxsize=512)
def _keys_of(start: tuple[int, ...]) -> Ints:
    """The keys of the hands that hold `start`: cards in the hand are missing from the shoe."""
    return _count_keys(hands_with(start).held)


def _count_keys(counts: Ints) -> Ints:
    keys: Ints = (counts << _SHIFT).sum(axis=-1)
    return keys


class Distributions:
    """The distributions of one drawing rule and one full shoe, for some up cards; filled as they are asked for."""

    def __init__(self, whole: Array, ups: tuple[int, ...] = tuple(range(VALUES))) -> None:
        self.ups = ups
        self.whole = np.asarray(whole, dtype=np.int64)
        self._keys: Ints = np.array([NO_KEY], dtype=np.int64)
        """In ascending order, so that many are looked up at once."""
        self._places: Ints = np.array([NO_KEY], dtype=np.int64)
        self._rows: Array = np.zeros((0, VALUES, 0))
        self._lock = threading.Lock()

    def rows(self, values: Array, hands: Hands, order: Ints, results: int, worked_out: WorkedOut) -> Array:
        """`rows[hand, up, result]` for the hands of `order` dealt from a shoe of `values`."""
        gone = self.whole - np.asarray(values, dtype=np.int64)
        keys = _keys_of(hands.start)[order] + _count_keys(gone)
        with self._lock:
            places = self._find(keys)
            missing = places == NO_KEY
            if missing.any():
                self._add(keys[missing], hands.held[order[missing]] + gone, results, worked_out)
                places = self._find(keys)
            kept = self._rows
        rows = np.zeros((len(hands.cards), VALUES, results))
        rows[order] = kept[places]
        return rows

    def _find(self, keys: Ints) -> Ints:
        """The place of each key's row, `NO_KEY` where there is none yet."""
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[at] == keys, self._places[at], NO_KEY)

    def _add(self, keys: Ints, out: Ints, results: int, worked_out: WorkedOut) -> None:
        """Work out distributions that are not there yet."""
        new, first = np.unique(keys, return_index=True)
        have = len(self._keys) - 1
        need = have + len(new)
        if len(self._rows) < need:
            grown = np.zeros((max(need, 2 * have), VALUES, results))
            if have:
                grown[:have] = self._rows[:have]
            self._rows = grown
        worked_out(np.ascontiguousarray(out[first]), self._rows[have:need])
        at = np.searchsorted(self._keys, new)
        self._keys = np.insert(self._keys, at, new)
        self._places = np.insert(self._places, at, np.arange(have, need))
