"""A table of one seat as a row of integers: where everything lies in it, and how cards come to a hand.

Thousands of such rows are played in step (`rounds`, `acting`). A card is its rank (0 for an ace to 12 for a king) with
its suit (0 for spades) from the fifth bit on; money is in parts of the wager, of which `House.unit` make one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from pitboss.envs.fields import MOST_HANDS
from pitboss.sim.kernels.compiling import OPTIONS
from pitboss.sim.kernels.streams import below


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only kernels call: nothing is made for callers from outside, which takes long."""
    without_wrappers: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    compiled: Callable[..., Any] = njit(**{**OPTIONS, **without_wrappers, "cache": False})(function)
    return compiled


Int = Any
"""A whole number of any width: kernels meet several."""

OPEN, STOOD, NATURAL, BUST, PAID, OUT, SURRENDERED = range(7)
"""What has become of a hand; `SURRENDERED` waits for the dealer's second card."""

(
    AT_STAGE, AT_BOX, AT_HAND, MASK, POS, KNOWN, UP, DEALER_HARD, DEALER_ACES, DEALER_CARDS, DEALER_NATURAL, NET,
    FURTHER, SWITCH_CLOSED, SEEN,
) = range(15)  # fmt: skip
"""Places in the row of a table: about the round."""
BOXES = SEEN + 10
BOX_HANDS, DECLINED, SEVENS_SPLIT, THIRD_CARD, INSURANCE, EVEN_MONEY, BOX_SIZE = range(7)
"""About one of its boxes."""
HANDS = BOXES + 2 * BOX_SIZE
(
    HARD, ACES, CARDS, STATUS, FROM_SPLIT, FROM_ACES, IS_DOUBLED, DRAWING, FIRST, SECOND, BASE, BASE_TOKEN, DOUBLED,
    DOUBLED_TOKEN, ORIGINAL, SUITS, RANKS, HAND_SIZE,
) = range(18)  # fmt: skip
"""About one of their hands."""
COUNTER, GAMMA = 0, 1
"""A random stream: its counter and its increment."""
POSITIVE = 0xFFFF
"""Shows the compiler that a place is not negative: it need not look then."""
ROW = HANDS + 2 * MOST_HANDS * HAND_SIZE


class House(NamedTuple):
    """What a table fixes beside the rules of play, as integers."""

    boxes: int
    """1, or 2 for an area of Switch."""
    unit: int
    cut: int
    """A new shoe is begun when so many cards are dealt at the start of a round; 0: for every round."""
    insurance: int
    """What insurance costs, in parts."""
    super_bonus: int
    """What the Super Bonus adds, in parts; 0 if there is none."""


@inner
def hand_at(b: Int, h: Int) -> Int:
    """Where a hand begins in its row."""
    return HANDS + ((b & 1) * MOST_HANDS + (h & 3)) * HAND_SIZE


@inner
def box_at(b: Int) -> Int:
    """Where a box begins in its row."""
    return BOXES + (b & 1) * BOX_SIZE


@inner
def points_of(code: Int) -> Int:
    """The points of a card, an ace as one."""
    return min(code & 15, 9) + 1


@inner
def card(t: Any, shoe: Any, chance: Any) -> Int:
    """The next card of a table's shoe: one that lies there already in front of `KNOWN`, or a fresh draw."""
    pos = np.int64(t[POS] & POSITIVE)
    if pos < t[KNOWN]:
        code = np.int64(shoe[pos])
    else:
        j, chance[COUNTER] = below(shoe.size - pos, chance[COUNTER], chance[GAMMA])
        there = j + pos & POSITIVE
        code = np.int64(shoe[there])
        shoe[there] = shoe[pos]
        shoe[pos] = code
    t[POS] = pos + 1
    t[SEEN + points_of(code) - 1] += 1
    return code


@inner
def take(t: Any, at: Int, code: Int) -> None:
    """A card to a hand."""
    rank = code & 15
    t[at + HARD] += points_of(code)
    t[at + ACES] += int(rank == 0)
    if t[at + CARDS] == 0:
        t[at + FIRST] = code
    elif t[at + CARDS] == 1:
        t[at + SECOND] = code
    t[at + CARDS] += 1
    t[at + SUITS] |= 1 << (code >> 4)
    t[at + RANKS] |= 1 << rank


@inner
def further(t: Any, b: Int, at: Int, automatic: Int, shoe: Any, chance: Any) -> None:
    """A card beyond the initial deal."""
    take(t, at, card(t, shoe, chance))
    t[at + DRAWING] = automatic
    t[box_at(b) + THIRD_CARD] = 1
    t[FURTHER] = 1


@inner
def clear_hand(t: Any, at: Int) -> None:
    """An empty hand."""
    for place in range(at, at + HAND_SIZE):
        t[place] = 0
