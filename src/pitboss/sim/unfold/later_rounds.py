"""What a card drawn changes for the rounds that are still to come from its shoe.

The luck of a round leaves its mean as it is, and that mean moves with what the shoe holds: what a counter lives on is
most of what corrected rounds still differ by. It is luck as well. Before a card is drawn, what the rest of the shoe is
worth after each card is known to first order: how many rounds are to come, times what a round is worth by the shares
of the cards left. So a card's luck for later rounds can be subtracted like that for its own, and has mean zero too.

If a round is worth `sum(gain[c] * left[c]) / cards left` more than at full shares, then drawing a card `c` changes that
by `(mean of gain - gain[c]) / (cards left - 1)`, where the mean is over the cards that are left. What each card takes
from the means after it is a sum of its own, so the luck of all cards that were dealt comes to two sums over them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.packed import Packed
from pitboss.play.side_wagers.side_tables import CODES
from pitboss.sim.unfold.luck_tables import NO_TAGS, RANK_COUNT, value_states
from pitboss.sim.unfold.tables import WIDTH, PlayTables

CARDS_OF_BOX = 2.7
"""About how many cards a round takes for each box and for the dealer: how many rounds are to come is told by it."""

Floats = NDArray[np.float64]


class LaterRounds(NamedTuple):
    """What cards mean for later rounds; empty where nothing is corrected, or no later round knows of the card."""

    gain: Floats
    """[card] -> what a round is worth more for each share of the cards, in parts of a wager, all boxes together."""
    weights: Floats
    """[cards dealt] -> how much the gain of the next card counts, for itself and the means before it."""
    means: Floats
    """[cards dealt] -> how much the gain of every card dealt counts, for the means after it."""


def no_later_rounds() -> LaterRounds:
    """The tables of a plan in which no card matters to later rounds."""
    return LaterRounds(np.zeros(0), np.zeros(0), np.zeros(0))


def know_later_rounds(gain: Floats, size: int, cut: int, boxes: int) -> LaterRounds:
    """The tables of rounds with so many boxes, from a shoe of this size."""
    dealt = np.arange(size)
    to_come = np.maximum(cut - dealt, 0) / (CARDS_OF_BOX * (boxes + 1))
    alone = to_come / np.maximum(size - dealt - 1, 1)
    means = np.append(0.0, np.cumsum(alone / (size - dealt)))
    return LaterRounds(gain, alone - means[1:], means)


def value_shares(
    rules: Packed, tables: PlayTables, fresh: NDArray[np.uint8], switches: NDArray[np.uint8], areas: int
) -> Floats:
    """What a round is worth more for each share of a card, all boxes or areas together: ranks are taken out in turn."""

    def worth(shoe: NDArray[np.uint8]) -> float:
        luck = value_states(rules, tables, shoe, NO_TAGS, switches)
        return float(luck.first @ luck.whole / luck.whole.sum())

    gain, ranks, whole = np.zeros(WIDTH), fresh & 15, worth(fresh)
    for rank in range(RANK_COUNT):
        places = np.flatnonzero(ranks == rank)
        if len(places):
            gain[rank] = (whole - worth(np.delete(fresh, places[0]))) * (fresh.size - 1) * areas
    return np.tile(gain - gain[ranks].mean(), CODES // WIDTH)
