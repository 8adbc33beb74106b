"""Areas of two boxes that may exchange their second cards: which exchanges a player wants, and what cards are worth.

An area's hands are worth what they are by themselves once it is known who has which card; so only the deal has values
of its own. As in `luck_tables` they are those of a shoe that no card leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.naturals import makes_natural, may_become_natural, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.play.switching import hand_may_switch

VALUES = 10
"""Ranks that differ in value: the first ten."""

Floats = NDArray[np.float64]


class AreaLuck(NamedTuple):
    """What the cards of an area are worth while they are dealt, in parts of a wager; empty where none are exchanged."""

    dealt: Floats
    """[context, first card, second card] -> a box that has exchanged its second card: a natural is none."""
    second: Floats
    """[up card, first card, second card] -> the same before a hole card is known."""
    firsts: Floats
    """[first card, first card of the other box]"""
    up: Floats
    """[first card, first card of the other box, up card]"""
    half: Floats
    """[up card, first card, first card of the other box, second card]"""


def no_areas() -> AreaLuck:
    """The tables of a game in which nothing is exchanged."""
    cube = np.zeros((0, 0, 0))
    return AreaLuck(cube, cube, np.zeros((0, 0)), cube, np.zeros((0, 0, 0, 0)))


def find_exchanges(rules: Packed, switches: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """[up card][first, second card of a box][first, second card of the other] -> the player exchanges second cards.

    `switches`: what the player wants, as a kernel looks it up; both hands must be such as may be switched.
    """
    may = np.zeros((VALUES, VALUES, VALUES), np.bool_)
    for up, one, two in np.ndindex(may.shape):
        paid = natural_paid_now(rules, may_become_natural(up))
        may[up, one, two] = hand_may_switch(rules, bool(makes_natural(one, two)), paid)
    wanted = np.moveaxis(switches.reshape((VALUES,) * 5), 4, 0).astype(np.bool_)
    return wanted & may[:, :, :, None, None] & may[:, None, None, :, :]


def value_areas(
    exchanges: NDArray[np.bool_], shares: Floats, left: Floats, dealt: Floats, second: Floats
) -> tuple[Floats, AreaLuck]:
    """What first cards of an area are worth, and its tables.

    `left`: [up card, first card, second card] -> a box whose second card stays; `second`: one that has exchanged it.
    """
    ranks = len(shares)
    place = np.minimum(np.arange(ranks), VALUES - 1)
    half = np.zeros((ranks,) * 4)
    for up in range(ranks):
        wants = exchanges[place[up]][np.ix_(place, place, place, place)]
        # [first, second card of a box][first, second card of the other]
        stays = left[up][:, :, None, None] + left[up][None, None]
        goes = second[up][:, None, None, :] + second[up].T[None, :, :, None]
        half[up] = np.moveaxis(np.where(wants, goes, stays) @ shares, 2, 1)
    ups = np.moveaxis(half @ shares, 0, 2)
    firsts = ups @ shares
    area = AreaLuck(dealt, second, firsts, np.ascontiguousarray(ups), half)
    return firsts @ shares, area
