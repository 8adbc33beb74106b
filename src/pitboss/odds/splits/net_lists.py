"""How often each net of a box comes, by the dealer's result, given which its hands are taken to be independent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.numbers import Array
from pitboss.odds.hand.player_hands import Bools, Ints

LIVE, GONE = 1, 2
"""What may be said of a box: one of its hands is live, one is over 21."""
FLAGS = 4
DIGITS = 9
"""Nets that agree in so many decimals are one."""


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
    often = np.zeros((net.shape[1], FLAGS, len(nets)))
    results = np.arange(net.shape[1])
    for place, flag, chance in zip(places, live * LIVE | gone * GONE, chances, strict=True):
        often[results, flag, place] += chance
    return NetList(nets, often)


def put_together(box: NetList, hand: NetList) -> NetList:
    """A box with one hand more."""
    nets, places = _unique(box.nets[None] + hand.nets[:, None])
    often = np.zeros((len(box.often), FLAGS, len(nets)))
    for flag, place in np.argwhere(hand.often.any(axis=0)):
        chance = hand.often[:, flag, place, None]
        for before in range(FLAGS):
            often[:, before | flag, places[place]] += box.often[:, before] * chance
    return NetList(nets, often)


def _unique(nets: Array) -> tuple[Array, Ints]:
    found, places = np.unique(np.round(nets, DIGITS), return_inverse=True)
    return found, places.reshape(nets.shape)


def add_places(nets: dict[float, float], at: Array, often: Array) -> None:
    """Add chances by the nets at which they stand, each net once."""
    for net, chance in zip(np.round(at, 9).tolist(), often.tolist(), strict=True):
        if chance != 0:
            nets[net] += chance


def add_nets(nets: dict[float, float], net: Array, mass: Array) -> None:
    """Add masses by the net they bring."""
    amounts, place = np.unique(np.round(net.astype(float).reshape(-1), 9), return_inverse=True)
    for amount, often in zip(
        amounts.tolist(),
        np.bincount(place.reshape(-1), mass.astype(float).reshape(-1), len(amounts)).tolist(),
        strict=True,
    ):
        if often != 0:
            nets[amount] = nets.get(amount, 0.0) + often
