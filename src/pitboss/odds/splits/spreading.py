"""In how many orders the hands of a split are reached, by given decisions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.hand.hand_tables import HandTables
from pitboss.odds.hand.player_hands import Hands, Ints
from pitboss.odds.splits.joint_kernels import Spread


def spread_orders(
    hands: Hands, table: HandTables, decision: Ints, first: Iterable[tuple[int, int, bool]]
) -> Spread:  # fmt: skip
    """The orders that begin with the hands of `first`, each a hand, its layer, and whether it has doubled.

    `decision` is by layer and hand.
    """
    acted, drawn, doubled_for_good = (np.zeros(decision.shape, dtype=np.int64) for _ in range(3))
    stood, drew = (np.zeros(decision.shape[1], dtype=np.int64) for _ in range(2))
    found = Spread(acted, drawn, doubled_for_good, stood, drew, np.zeros((3, decision.shape[1]), dtype=np.int64))
    for hand, layer, doubled in first:
        (doubled_for_good if doubled else acted)[layer, hand] += 1
    FLOATS.kernel("spread_ways")(
        hands.backwards, hands.after, table.complete, table.draws, table.goes_on, table.redraws, decision, found
    )
    return found
