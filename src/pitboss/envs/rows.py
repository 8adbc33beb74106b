"""A table of one seat as a row of integers: where everything lies in it, and how cards come to a hand.

Thousands of such rows are played in step (`rounds`, `acting`). A card is its rank (0 for an ace to 12 for a king) with
its suit (0 for spades) from the fifth bit on; money is in parts of the wager, of which `House.unit` make one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from pitboss.envs.words import MOST_HANDS
from pitboss.sim.streams import below


def inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only kernels call: nothing is made for callers from outside, which takes long."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    compiled: Callable[..., Any] = njit(**options)(function)
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
    insurance_on_ace: int
    """What it wins against an ace."""
    insurance_on_ten: int
    super_bonus: int
    super_bonus_after_split: int
    surrender_at_once: int
    surrender_whole: int
    even_money_returns_insurance: int
    switch_naturals: int
    """A natural that waits for the dealer may be switched away."""
    tokens_first: int
    """The token of a free split lies on the first of the two hands."""


@inner
def hand_at(b: Int, h: Int) -> Int:
    """Where a hand begins in its row."""
    return HANDS + (b * MOST_HANDS + h) * HAND_SIZE


@inner
def box_at(b: Int) -> Int:
    """Where a box begins in its row."""
    return BOXES + b * BOX_SIZE


@inner
def points_of(code: Int) -> Int:
    """The points of a card, an ace as one."""
    return min(code & 15, 9) + 1


@inner
def card(t: Any, i: Int, shoes: Any, ctr: Any, gamma: Any) -> Int:
    """The next card of a table's shoe: one that lies there already in front of `KNOWN`, or a fresh draw."""
    pos = np.int64(t[i, POS])
    if pos < t[i, KNOWN]:
        code = np.int64(shoes[i, pos])
    else:
        left = shoes.shape[1] - pos
        j, ctr[i] = below(left, ctr[i], gamma[i])
        code = np.int64(shoes[i, pos + j])
        shoes[i, pos + j] = shoes[i, pos]
        shoes[i, pos] = code
    t[i, POS] = pos + 1
    t[i, SEEN + points_of(code) - 1] += 1
    return code


@inner
def take(t: Any, i: Int, at: Int, code: Int) -> None:
    """A card to a hand."""
    rank = code & 15
    t[i, at + HARD] += points_of(code)
    t[i, at + ACES] += int(rank == 0)
    if t[i, at + CARDS] == 0:
        t[i, at + FIRST] = code
    elif t[i, at + CARDS] == 1:
        t[i, at + SECOND] = code
    t[i, at + CARDS] += 1
    t[i, at + SUITS] |= 1 << (code >> 4)
    t[i, at + RANKS] |= 1 << rank


@inner
def further(t: Any, i: Int, b: Int, at: Int, automatic: Int, shoes: Any, ctr: Any, gamma: Any) -> None:
    """A card beyond the initial deal."""
    take(t, i, at, card(t, i, shoes, ctr, gamma))
    t[i, at + DRAWING] = automatic
    t[i, box_at(b) + THIRD_CARD] = 1
    t[i, FURTHER] = 1


@inner
def clear_hand(t: Any, i: Int, at: Int) -> None:
    """An empty hand."""
    for place in range(at, at + HAND_SIZE):
        t[i, place] = 0
