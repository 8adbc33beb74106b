"""The dealer's finished hands as multisets, with the number of orders in which each is dealt from an up card.

The chance of a finished hand is that number times a product of what is left of its cards, so one walk over the
multisets gives the distribution of the dealer's total for all up cards at once; `play` says when the dealer draws.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from pitboss.odds.hand.player_hands import VALUES, Ints
from pitboss.play.dealer import dealer_draws
from pitboss.play.hands import is_natural, total
from pitboss.play.packed import Packed

ALL_UPS = tuple(range(VALUES))


class Dealings(NamedTuple):
    """The dealer's hands of one drawing rule from some up cards.

    A node is a multiset in ascending order; its product is its parent's times what is left of `node_rank` after
    `node_nth` of them. An end is a node that is a finished hand for an up card, in `end_ways` orders; its place is
    up card times results plus result.
    """

    node_parent: Ints
    node_rank: Ints
    node_nth: Ints
    node_size: Ints
    end_node: Ints
    end_place: Ints
    end_ways: Ints
    results: tuple[int, ...]
    """The dealer's totals by result; the last three: the push total (0 if there is none), over 21, a natural."""

    @property
    def natural(self) -> int:
        """The result of a dealer's natural."""
        return len(self.results) - 1


def list_results(rules: Packed) -> tuple[int, ...]:
    """The dealer's totals by result, as in `Dealings`; known before any hand is listed."""
    return _list_results(rules.dealer_stands_hard, rules.dealer_stands_soft, rules.dealer_push_total)


def _list_results(stands_hard: int, stands_soft: int, push_total: int) -> tuple[int, ...]:
    return (*range(min(stands_hard, stands_soft, 21), 22), push_total, 22, 21)


def dealings(rules: Packed, ups: tuple[int, ...] = ALL_UPS) -> Dealings:
    """The dealer's hands under these rules from these up cards (value indices)."""
    return _dealings(rules.dealer_stands_hard, rules.dealer_stands_soft, rules.dealer_push_total, ups)


@functools.lru_cache(maxsize=128)
def _dealings(stands_hard: int, stands_soft: int, push_total: int, ups: tuple[int, ...]) -> Dealings:
    results = _list_results(stands_hard, stands_soft, push_total)
    nodes: dict[tuple[int, ...], int] = {(): 0}
    rows: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)]

    def node(cards: tuple[int, ...]) -> int:
        if cards not in nodes:
            above = node(cards[:-1])
            nodes[cards] = len(rows)
            rows.append((above, cards[-1], cards.count(cards[-1]) - 1, len(cards)))
        return nodes[cards]

    ends = []
    for up in ups:
        for cards, result, ways in _ends(stands_hard, stands_soft, push_total, up):
            ends.append((node(cards), up * len(results) + result, ways))
    ends.sort(key=lambda end: (end[1], end[0]))
    parent, rank, nth, size = np.array(rows, dtype=np.int64).T.copy()
    end_node, end_place, end_ways = np.array(ends, dtype=np.int64).T.copy()
    return Dealings(parent, rank, nth, size, end_node, end_place, end_ways, results)


@functools.lru_cache(maxsize=256)
def _ends(stands_hard: int, stands_soft: int, push_total: int, up: int) -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """Finished hands from an up card, but for busts beyond the push total: cards, result, orders."""
    rules = _drawing_rule(stands_hard, stands_soft)
    lowest = min(stands_hard, stands_soft, 21)
    natural = 22 - lowest + 2
    ends = []
    drawing: dict[tuple[int, ...], int] = {(up,): 1}
    while drawing:
        grown: dict[tuple[int, ...], int] = {}
        for cards, ways in drawing.items():
            for value in range(VALUES):
                more = tuple(sorted((*cards, value)))
                grown[more] = grown.get(more, 0) + ways
        drawing = {}
        for cards, ways in grown.items():
            hard, aces = sum(cards) + len(cards), cards.count(0)
            points = total(hard, aces)
            if dealer_draws(rules, hard, aces):
                drawing[cards] = ways
            elif is_natural(hard, aces, len(cards)):
                ends.append((cards, natural, ways))
            elif points <= 21:
                ends.append((cards, points - lowest, ways))
            elif points == push_total:
                ends.append((cards, 22 - lowest, ways))
    return tuple(ends)


def _drawing_rule(stands_hard: int, stands_soft: int) -> Packed:
    """Rules that say nothing but when the dealer draws."""
    numbers = dict.fromkeys(Packed._fields, 0)
    numbers.update(dealer_stands_hard=stands_hard, dealer_stands_soft=stands_soft)
    return Packed(**numbers)  # type: ignore[arg-type]
