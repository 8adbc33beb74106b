"""The dealer's distributions that a calculation has worked out, kept by the cards missing from the shoe.

What the dealer can make depends only on which cards are gone, not on whose hand they are in. The hands of a split, the
other box of Blackjack Switch and play by a chart ask for the same cards again and again; here they are asked for once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from pitboss.odds.cards.numbers import Array
from pitboss.odds.hand.player_hands import VALUES, Hands, Ints

BITS = 6
"""Room for the number of cards of one value in a key: never as many as 64 are out."""

_SHIFT = np.int64(BITS) * np.arange(VALUES, dtype=np.int64)

WorkedOut = Callable[[Ints, Array], None]
"""Writes into rows the dealer's distribution with these cards out of the shoe, against the up cards that are kept."""


class Distributions:
    """The distributions of one drawing rule and one full shoe, for some up cards; filled as they are asked for."""

    def __init__(self, whole: Array, ups: tuple[int, ...] = tuple(range(VALUES))) -> None:
        self.ups = ups
        self.whole = np.asarray(whole, dtype=np.int64)
        self._places: dict[int, int] = {}
        self._rows: Array = np.zeros((0, VALUES, 0))
        self._lock = threading.Lock()

    def rows(self, values: Array, hands: Hands, order: Ints, results: int, worked_out: WorkedOut) -> Array:
        """`rows[hand, up, result]` for the hands of `order` dealt from a shoe of `values`."""
        gone = self.whole - np.asarray(values, dtype=np.int64)
        out = hands.held[order] + gone
        keys = (out << _SHIFT).sum(axis=1).tolist()
        with self._lock:
            places = [self._places.get(key, -1) for key in keys]
            if -1 in places:
                self._add(keys, out, results, worked_out)
                places = [self._places[key] for key in keys]
            kept = self._rows
        rows = np.zeros((len(hands.cards), VALUES, results))
        rows[order] = kept[places]
        return rows

    def _add(self, keys: list[int], out: Ints, results: int, worked_out: WorkedOut) -> None:
        """Work out the distributions that are not there yet."""
        missing = {key: place for place, key in enumerate(keys) if key not in self._places}
        have = len(self._places)
        need = have + len(missing)
        if len(self._rows) < need:
            grown = np.zeros((max(need, 2 * have), VALUES, results))
            if have:
                grown[:have] = self._rows[:have]
            self._rows = grown
        worked_out(np.ascontiguousarray(out[list(missing.values())]), self._rows[have:need])
        self._places.update(zip(missing, range(have, need), strict=True))
