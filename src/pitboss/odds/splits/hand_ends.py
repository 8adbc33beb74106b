"""How one hand of a split box can end: its cards, what it comes to by the dealer's result, and in how many orders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import FLOATS, Array, Number
from pitboss.odds.hand.hand_tables import Seat, layers
from pitboss.odds.hand.player_hands import Bools, Hands, Ints, hands_with
from pitboss.odds.hand.solver import (
    Decisions,
    Priced,
    price_seat,
    reprice_seat,
    square_premiums,
    without_naturals,
)
from pitboss.odds.splits.coupling import is_coupled
from pitboss.odds.splits.joint_kernels import Spread
from pitboss.odds.splits.split_values import starts
from pitboss.play.dealer import dealer_looks
from pitboss.play.packed import Packed


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
    """`net[class, result]`, a live hand owing a dealer's natural nothing where the hands of the box owe it together."""
    square: Array
    """The mean of its square."""
    live: Bools
    gone: Bools

    @property
    def sizes(self) -> Ints:
        """Cards drawn."""
        sizes: Ints = self.counts.sum(axis=1)
        return sizes


def end_hands(
    rules: Packed, shoe: Composition, value: int, seat: Seat, by: Decisions, up: int, extra_pairs: bool
) -> HandEnds:
    """The ends of a hand played by `by`; with `extra_pairs` it is told apart whether its second card is a pair."""
    hands, priced = hands_with((value,)), price_seat(rules, seat, shoe, (value,))
    coupled = is_coupled(rules, value, up)
    if coupled:
        priced = reprice_seat(priced, shoe.numbers.make(0))
    elif dealer_looks(rules, up):
        priced = without_naturals(priced)
    every = _classes(priced)
    net, live, gone, squares, place = _merge_classes(*every, _squares(rules, shoe, priced, every[0]))
    first = starts(rules, value)
    pairs = first[:, 1] == hands.of(value, value)
    told = [~pairs, pairs] if extra_pairs else [pairs | True, pairs & False]
    weights = [_sum_columns(_weigh(rules, hands, priced, by, up, first[some]), place) for some in told]
    weight = np.concatenate(weights, axis=1)
    reached = np.flatnonzero(weight.any(axis=1))
    used = np.flatnonzero(weight.any(axis=0) | np.roll(weight.any(axis=0), len(net)))
    counts = hands.held[reached].copy()
    counts[:, value - 1] -= 1
    both = used % len(net)
    return HandEnds(
        reached, counts, shoe.numbers.array(weight[np.ix_(reached, used)]), net[both], squares[both], live[both],
        gone[both],
    )  # fmt: skip


def _classes(priced: Priced) -> tuple[Array, Bools, Bools]:
    """Net, and whether it is live and over 21: hands that stood, doubled ones, doubles given up, one and two gone."""
    table, results = priced.tables, priced.pay.shape[1]
    lost = np.repeat(np.stack((priced.forfeit, *priced.gone[1:]))[:, :1], results, axis=1)
    lost[:, -1] = (priced.forfeit[1], *priced.gone[1:, 1])
    net = np.concatenate((priced.pay, priced.pay_doubled, lost))
    live = np.concatenate((~table.safe, ~table.safe_doubled, np.zeros(3, dtype=np.bool_)))
    gone = np.zeros(len(net), dtype=np.bool_)
    gone[-2:] = True
    return net, live, gone


def _merge_classes(net: Array, live: Bools, gone: Bools, squares: Array) -> tuple[Array, Bools, Bools, Array, Ints]:
    """Classes that come to the same as one, and the place of each old class among them."""
    alike: dict[tuple[Number | bool, ...], int] = {}
    rows = np.concatenate((net, squares), axis=1).tolist()
    place = np.array(
        [alike.setdefault((*row, *ends), len(alike)) for row, *ends in zip(rows, live, gone, strict=True)],
        dtype=np.int64,
    )
    first = np.unique(place, return_index=True)[1]
    return net[first], live[first], gone[first], squares[first], place


def _sum_columns(weight: Ints, place: Ints) -> Ints:
    """The weights of classes that have become one, together."""
    order = np.argsort(place, kind="stable")
    found: Ints = np.add.reduceat(weight[:, order], np.flatnonzero(np.diff(place[order], prepend=-1)), axis=1)
    return found


def _squares(rules: Packed, shoe: Composition, priced: Priced, net: Array) -> Array:
    """The mean square of each net: bonus hands are paid by their suits."""
    table = priced.tables
    spread = np.concatenate(
        [square_premiums(rules, shoe, table.kinds, 1), square_premiums(rules, shoe, table.kinds_doubled, 2)]
    )
    found: Array = net * net
    found[: len(spread)] = found[: len(spread)] + (net[: len(spread)] > 0) * spread[:, None]
    return found


def _weigh(rules: Packed, hands: Hands, priced: Priced, by: Decisions, up: int, first: Ints) -> Ints:
    """Orders of each hand by class."""
    table, shape = priced.tables, (layers(rules), len(hands.cards))
    found = Spread(
        np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64),
        np.zeros(len(hands.cards), dtype=np.int64), np.zeros((3, len(hands.cards)), dtype=np.int64),
    )  # fmt: skip
    for layer, hand in first:
        found.acted[layer, hand] += 1
    FLOATS.kernel("spread_ways")(
        hands.backwards, hands.after, table.complete, table.draws, table.goes_on, table.redraws,
        np.ascontiguousarray(by.decision[:, :, up]), found,
    )  # fmt: skip
    stood, twice = len(table.kinds), len(table.kinds_doubled)
    weight = np.zeros((len(hands.cards), stood + twice + 3), dtype=np.int64)
    every = np.arange(len(hands.cards))
    weight[every, table.kind] += found.stood
    for layer in range(shape[0]):
        back = by.given_up[layer, :, up] & table.rescues[layer]
        place = np.where(back, stood + twice, stood + table.kind_doubled[layer])
        weight[every, place] += found.doubled[layer]
    weight[:, -2:] = found.gone[1:].T
    return weight
