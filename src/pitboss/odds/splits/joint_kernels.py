"""Recursions for several hands of a box at once: plain numbers in and out, as in `hand.recursions`."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.player_hands import Bools, Ints
from pitboss.odds.hand.recursions import LANES, Rest


class Spread(NamedTuple):
    """In how many orders hands are reached, by layer and hand: deciding, drawn to automatically, doubled for good."""

    acted: Ints
    drawn: Ints
    doubled: Ints
    stood: Ints
    """By hand."""
    drew: Ints
    """By hand: the orders in which it draws one card more."""
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
            found.drew[h] += one + two
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


class EndList(NamedTuple):
    """Ends of hands in the order of their hands: the place of the hand, its class, and how much it counts."""

    hand: Ints
    kind: Ints
    weight: Array


class JointWork(NamedTuple):
    """Work space, each with a column for every lane."""

    more: Array
    """`more[v, k]`: the product of k further counts of value v, after the cards of the lane's hand."""
    parts: Array
    """By number of cards drawn to the other hand: one part of all cards that both can be dealt from."""
    begun: Array
    product: Array


def meet_hands(
    one: Ints, other: Ints, ends: EndList, rest: Rest, falling: Array, taken: Array, unit: Number, work: JointWork,
    met: Array,
) -> None:  # fmt: skip
    """The chance of each multiset of `one`, in one order, with each class of the ends of `other`: `met[class, one]`.

    `falling[v, k]` is the product of the first k counts of value v as they are drawn, `taken[k]` that of the shoe.
    """
    shoe, step = rest.values, rest.step
    more, parts, begun, product = work.more, work.parts, work.begun, work.product
    zero = unit - unit
    last = one.shape[0] - 1
    for start in range(0, one.shape[0], LANES):
        for lane in range(LANES):
            a = min(start + lane, last)
            cards = 0
            begun[lane] = unit
            for value in range(10):
                many = one[a, value]
                cards += many
                begun[lane] = begun[lane] * falling[value, many]
                more[value, 0, lane] = unit
                for further in range(1, more.shape[1]):
                    have = shoe[value] - step * (many + further - 1)
                    more[value, further, lane] = more[value, further - 1, lane] * have if have > 0 else zero
            for further in range(parts.shape[0]):
                both = taken[cards + further]
                parts[further, lane] = unit / both if both > 0 else zero
        lanes = min(LANES, one.shape[0] - start)
        place = 0
        for b in range(other.shape[0]):
            cards = 0
            for lane in range(LANES):
                product[lane] = begun[lane]
            for value in range(10):
                many = other[b, value]
                if many > 0:
                    cards += many
                    for lane in range(LANES):
                        product[lane] = product[lane] * more[value, many, lane]
            for lane in range(LANES):
                product[lane] = product[lane] * parts[cards, lane]
            while place < ends.hand.shape[0] and ends.hand[place] == b:
                kind, weight = ends.kind[place], ends.weight[place]
                for lane in range(lanes):
                    met[kind, start + lane] += weight * product[lane]
                place += 1


def sum_joint(ends: EndList, met: Array, rows: Array, found: Array) -> None:
    """Sum how often pairs of hands come into `found[class, class of the other, result]`.

    `met[class of the other, hand]` is how often each hand meets them, in one order; `rows` are what is multiplied for
    each hand, by result.
    """
    for place in range(ends.hand.shape[0]):
        hand, kind, weight = ends.hand[place], ends.kind[place], ends.weight[place]
        for other in range(found.shape[1]):
            mass = weight * met[other, hand]
            if mass != 0:
                for result in range(rows.shape[1]):
                    found[kind, other, result] += mass * rows[hand, result]


def meet_nets(box: Array, hand: Array, places: Ints, found: Array) -> None:
    """How often a box and one hand more come to each net together, into `found[result, flags, place]`.

    Both are by result, flags and place of their nets; `places[of the hand, of the box]` are those of the sums.
    """
    for result in range(hand.shape[0]):
        for flag in range(hand.shape[1]):
            for place in range(hand.shape[2]):
                chance = hand[result, flag, place]
                if chance == 0:
                    continue
                for before in range(box.shape[1]):
                    for old in range(box.shape[2]):
                        found[result, before | flag, places[place, old]] += box[result, before, old] * chance
