"""How often a hand wins, pushes and loses with each action: the recursions once more, counting in place of paying."""

from __future__ import annotations

import msgspec
import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import FLOATS, Array
from pitboss.odds.hand.player_hands import Hands
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import Decisions, Priced, play_seat
from pitboss.play.packed import Packed

COUNTED = {"stand": STAND, "hit": HIT, "double": DOUBLE}


class OutcomeShares(msgspec.Struct, frozen=True):
    """How often an action ends so, with best play after it: shares of all ways in which the unseen cards can lie."""

    win: float
    push: float
    lose: float


def count_outcomes(
    rules: Packed, shoe: Composition, hands: Hands, seat: Priced, rows: Array, place: tuple[int, int, int],
    by: Decisions, scale: float,
) -> dict[str, OutcomeShares]:  # fmt: skip
    """The shares of each action of the hand at `place` (layer, hand, up card), played on by the decisions `by`."""
    won, pushed = (
        play_seat(rules, shoe, hands, _count(seat, sign), rows, (place[2],), by).acts[place] * scale for sign in (1, 0)
    )
    found = {}
    for name, action in COUNTED.items():
        win, push = float(won[action]), float(pushed[action])
        found[name] = OutcomeShares(win, push, max(0.0, 1.0 - win - push))
    return found


def _count(seat: Priced, sign: int) -> Priced:
    """The seat with payments that count, in place of money, the results of this sign."""

    def flags(pays: Array) -> Array:
        return FLOATS.array((np.sign(pays) == sign).astype(float))

    return Priced(seat.tables, flags(seat.pay), flags(seat.pay_doubled), flags(seat.gone), flags(seat.forfeit))
