"""How often each net of a box comes, by the dealer's result, given which its hands are taken to be independent."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.numbers import FLOATS, Array
from pitboss.odds.hand.player_hands import Bools, Ints

LIVE, GONE = 1, 2
"""What may be said of a box: one of its hands is live, one is over 21."""
FLAGS = 4
DIGITS = 9
"""Nets that agree in so many decimals are one."""
UNCUT = 15
"""Decimals of a net that is still to be added to another."""


class NetList(NamedTuple):
    """The nets that a box can come to, and how often it does."""

    nets: Array
    often: Array
    """`often[result, flags, place]`, the place being that of the net."""


def nothing_yet(chances: Array) -> NetList:
    """A box without hands, by how often each result of the dealer's comes."""
    often = np.zeros((len(chances), FLAGS, 1))
    often[:, 0, 0] = chances
    return NetList(np.zeros(1), often)


def list_nets(net: Array, live: Bools, gone: Bools, chances: Array) -> NetList:
    """One hand: `net[class, result]`, and how often it ends in each class where that is the result."""
    nets, places = _unique(net.astype(float))
    results, flags = np.arange(net.shape[1]), live * LIVE | gone * GONE
    at = (results * FLAGS + flags[:, None]) * len(nets) + places
    often = np.bincount(at.reshape(-1), chances.reshape(-1), len(results) * FLAGS * len(nets))
    return NetList(nets, often.astype(float).reshape(len(results), FLAGS, len(nets)))


def put_together(box: NetList, hand: NetList) -> NetList:
    """A box with one hand more."""
    nets, places = _unique(box.nets[None] + hand.nets[:, None])
    often = np.zeros((len(box.often), FLAGS, len(nets)))
    FLOATS.kernel("meet_nets")(box.often, hand.often, places, often)
    return NetList(nets, often)


def _unique(nets: Array, digits: int = DIGITS) -> tuple[Array, Ints]:
    return _unique_of(nets.tobytes(), nets.shape, digits)


@functools.lru_cache(maxsize=512)
def _unique_of(nets: bytes, shape: tuple[int, ...], digits: int) -> tuple[Array, Ints]:
    """Kept, because hands come to the same nets against most up cards."""
    found, places = np.unique(np.round(np.frombuffer(nets), digits), return_inverse=True)
    return found, places.reshape(shape)


def add_pairs(nets: dict[float, float], first: Array, second: Array, mass: Array) -> None:
    """Add what two hands bring, each `net[class, result]`, and how often they do: `mass[class, class, result]`."""
    (one, mine), (other, theirs) = (_unique(net.astype(float), UNCUT) for net in (first, second))
    sums, places = _unique(one[:, None] + other[None])
    at = places[mine[:, None], theirs[None]]
    add_places(nets, sums, np.bincount(at.reshape(-1), mass.astype(float).reshape(-1), len(sums)).astype(float))


def add_places(nets: dict[float, float], at: Array, often: Array) -> None:
    """Add chances by the nets at which they stand, each net once."""
    for net, chance in zip(np.round(at, DIGITS).tolist(), often.tolist(), strict=True):
        if chance != 0:
            nets[net] += chance


def add_nets(nets: dict[float, float], net: Array, mass: Array) -> None:
    """Add masses by the net they bring."""
    amounts, place = np.unique(np.round(net.astype(float).reshape(-1), DIGITS), return_inverse=True)
    for amount, often in zip(
        amounts.tolist(),
        np.bincount(place.reshape(-1), mass.astype(float).reshape(-1), len(amounts)).tolist(),
        strict=True,
    ):
        if often != 0:
            nets[amount] = nets.get(amount, 0.0) + often
