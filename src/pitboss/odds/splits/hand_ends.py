"""How one hand of a split box can end: its cards, what it comes to by the dealer's result, and in how many orders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.hand_tables import HandTables, Seat
from pitboss.odds.hand.player_hands import Bools, Ints, hands_with
from pitboss.odds.hand.solver import (
    Decisions,
    Priced,
    price_seat,
    reprice_seat,
    square_premiums,
    without_naturals,
)
from pitboss.odds.splits.joint_kernels import Spread
from pitboss.odds.splits.split_values import starts
from pitboss.odds.splits.spreading import spread_orders
from pitboss.play.packed import Packed


class EndClasses(NamedTuple):
    """What the finished hands of a seat come to: ends that come to the same are of one class."""

    net: Array
    """`net[class, result]`, a live hand owing a dealer's natural nothing where the hands of the box owe it together."""
    square: Array
    """The mean of its square."""
    live: Bools
    gone: Bools
    place: Ints
    """The class of each end: hands that stood, by kind, doubled ones, doubles given up, one and two stakes gone."""


class HandEnds(NamedTuple):
    """The ends of one hand of a split: hands as cards drawn, and in how many orders each is an end of each class.

    Classes come twice: first those of a hand whose second card is no pair, then the others.
    """

    hands: Ints
    """Numbers of the hands."""
    counts: Ints
    weight: Array
    """`weight[hand, class]`; over 21 it is signed (`Spread.gone`)."""
    net: Array
    square: Array
    """Both as in `EndClasses`."""
    live: Bools
    gone: Bools

    @property
    def sizes(self) -> Ints:
        """Cards drawn."""
        sizes: Ints = self.counts.sum(axis=1)
        return sizes


def classify_ends(rules: Packed, shoe: Composition, seat: Seat, coupled: bool, looked: bool) -> EndClasses:
    """The classes of a seat where hands of the box owe a natural together (`coupled`), or the dealer has `looked`."""
    priced = price_seat(rules, seat, shoe)
    if coupled:
        priced = reprice_seat(priced, shoe.numbers.make(0))
    elif looked:
        priced = without_naturals(priced)
    net, live, gone = _list_ends(priced)
    return _merge_alike(net, live, gone, _squares(rules, shoe, priced, net))


def _list_ends(priced: Priced) -> tuple[Array, Bools, Bools]:
    """Net, and whether it is live and over 21: hands that stood, doubled ones, doubles given up, one and two gone."""
    table, results = priced.tables, priced.pay.shape[1]
    lost = np.repeat(np.stack((priced.forfeit, *priced.gone[1:]))[:, :1], results, axis=1)
    lost[:, -1] = (priced.forfeit[1], *priced.gone[1:, 1])
    net = np.concatenate((priced.pay, priced.pay_doubled, lost))
    live = np.concatenate((~table.safe, ~table.safe_doubled, np.zeros(3, dtype=np.bool_)))
    gone = np.zeros(len(net), dtype=np.bool_)
    gone[-2:] = True
    return net, live, gone


def _merge_alike(net: Array, live: Bools, gone: Bools, squares: Array) -> EndClasses:
    """Ends that come to the same as one class."""
    alike: dict[tuple[Number | bool, ...], int] = {}
    rows = np.concatenate((net, squares), axis=1).tolist()
    place = np.array(
        [alike.setdefault((*row, *ends), len(alike)) for row, *ends in zip(rows, live, gone, strict=True)],
        dtype=np.int64,
    )
    first = np.unique(place, return_index=True)[1]
    return EndClasses(net[first], squares[first], live[first], gone[first], place)


def _squares(rules: Packed, shoe: Composition, priced: Priced, net: Array) -> Array:
    """The mean square of each net: bonus hands are paid by their suits."""
    table = priced.tables
    spread = np.concatenate(
        [square_premiums(rules, shoe, table.kinds, 1), square_premiums(rules, shoe, table.kinds_doubled, 2)]
    )
    found: Array = net * net
    found[: len(spread)] = found[: len(spread)] + (net[: len(spread)] > 0) * spread[:, None]
    return found


def end_hands(
    rules: Packed, shoe: Composition, value: int, table: HandTables, classes: EndClasses, by: Decisions, up: int,
    extra_pairs: bool,
) -> HandEnds:  # fmt: skip
    """The ends of a hand played by `by`; with `extra_pairs` it is told apart whether its second card is a pair."""
    hands, first = hands_with((value,)), starts(rules, value)
    pairs = first[:, 1] == hands.of(value, value)
    told = [~pairs, pairs] if extra_pairs else [pairs | True, pairs & False]
    decision = np.ascontiguousarray(by.decision[:, :, up])
    spreads = [
        spread_orders(hands, table, decision, ((hand, layer, False) for layer, hand in first[some].tolist()))
        for some in told
    ]
    reached = np.flatnonzero(np.any([_find_ends(found) for found in spreads], axis=0))
    weight = np.concatenate([_weigh(found, reached, table, classes, by, up) for found in spreads], axis=1)
    used = np.flatnonzero(weight.any(axis=0) | np.roll(weight.any(axis=0), len(classes.net)))
    counts = hands.held[reached]
    counts[:, value - 1] -= 1
    both = used % len(classes.net)
    return HandEnds(
        reached, counts, shoe.numbers.array(weight[:, used]), classes.net[both], classes.square[both],
        classes.live[both], classes.gone[both],
    )  # fmt: skip


def _find_ends(found: Spread) -> Bools:
    """The hands at which something ends."""
    ends: Bools = (found.stood != 0) | found.doubled.any(axis=0) | found.gone.any(axis=0)
    return ends


def _weigh(
    found: Spread, reached: Ints, table: HandTables, classes: EndClasses, by: Decisions, up: int
) -> Ints:  # fmt: skip
    """Orders of each hand that is reached, by class."""
    place, stood, twice = classes.place, len(table.kinds), len(table.kinds_doubled)
    weight = np.zeros((len(reached), len(classes.net)), dtype=np.int64)
    every = np.arange(len(reached))
    weight[every, place[table.kind[reached]]] += found.stood[reached]
    for layer in range(len(found.doubled)):
        back = by.given_up[layer, reached, up] & table.rescues[layer, reached]
        ends = np.where(back, stood + twice, stood + table.kind_doubled[layer, reached])
        weight[every, place[ends]] += found.doubled[layer, reached]
    for stakes in (1, 2):
        weight[:, place[stakes - 3]] += found.gone[stakes, reached]
    return weight
