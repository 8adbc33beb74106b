"""Recursions for several hands of a box at once: plain numbers in and out, as in `hand.recursions`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.player_hands import Bools, Ints


class Spread(NamedTuple):
    """In how many orders hands are reached, by layer and hand: deciding, drawn to automatically, doubled for good."""

    acted: Ints
    drawn: Ints
    doubled: Ints
    stood: Ints
    """By hand."""
    gone: Ints
    """`gone[s, h]`: orders in which s stakes draw to a hand, less those in which they come to it: summed with the
    chances of the hands, that is how often s stakes go over 21."""


def spread_ways(
    order: Ints, after: Ints, complete: Bools, draws: Bools, goes_on: Bools, redraws: Bools, decision: Ints,
    found: Spread,
) -> None:  # fmt: skip
    """Walk from the hands that `found.acted` says decide, by these decisions; `order` is fullest first."""
    acted, drawn, doubled, stood, gone = found.acted, found.drawn, found.doubled, found.stood, found.gone
    for place in range(order.shape[0] - 1, -1, -1):
        h = order[place]
        for layer in range(decision.shape[0]):
            mass, automatic, twice = acted[layer, h], drawn[layer, h], doubled[layer, h]
            target = 0
            if not goes_on[layer, h]:
                mass = mass + automatic
                automatic = 0
            if mass > 0:
                if complete[h]:
                    stood[h] += mass
                    mass = 0
                elif draws[layer, h]:
                    automatic = automatic + mass
                    mass = 0
                else:
                    target = decision[layer, h]
                    if target == 0:
                        stood[h] += mass
                        mass = 0
            if redraws[layer, h] and twice > 0:
                doubled[layer, h] = 0
            else:
                twice = 0
            one, two = automatic, twice
            if target == 1:
                one = one + mass
            elif target == 2:
                two = two + mass
            if one == 0 and two == 0:
                continue
            gone[1, h] += one
            gone[2, h] += two
            for card in range(10):
                grown = after[h, card]
                if grown >= 0:
                    gone[1, grown] -= one
                    gone[2, grown] -= two
                    drawn[layer, grown] += automatic
                    doubled[layer, grown] += twice
                    if target == 1:
                        acted[layer, grown] += mass
                    elif target == 2:
                        doubled[layer, grown] += mass


def joint_chances(one: Ints, other: Ints, falling: Array, taken: Array, found: Array) -> None:
    """The chance of each pair of multisets of drawn cards in one order each, into `found[a, b]`.

    `falling[v, k]` is the product of the first k counts of value v as they are drawn, `taken[k]` that of the shoe.
    """
    for a in range(one.shape[0]):
        for b in range(other.shape[0]):
            chance: Number = taken[0]
            cards = 0
            for value in range(10):
                many = one[a, value] + other[b, value]
                if many > 0:
                    cards += many
                    chance = chance * falling[value, many]
            found[a, b] = chance / taken[cards] if chance > 0 else chance


def sum_joint(
    hands: Ints, classes: Ints, weights: Array, others: Ints, other_classes: Ints, other_weights: Array,
    chance: Array, rows: Array, found: Array,
) -> None:  # fmt: skip
    """Sum the chances of pairs of hands into `found[class, class of the other, result]`.

    Each entry of `hands` ends in the class and with the weight beside it, the `others` likewise; `chance` is by pair of
    hands, and `rows` are what is multiplied for each of `hands`, by result.
    """
    met = np.zeros((chance.shape[0], found.shape[1]))
    for place in range(others.shape[0]):
        other, kind, weight = others[place], other_classes[place], other_weights[place]
        for hand in range(chance.shape[0]):
            met[hand, kind] += chance[hand, other] * weight
    for place in range(hands.shape[0]):
        hand, kind, weight = hands[place], classes[place], weights[place]
        for other in range(found.shape[1]):
            mass = weight * met[hand, other]
            if mass != 0:
                for result in range(rows.shape[1]):
                    found[kind, other, result] += mass * rows[hand, result]
