"""What the hands of a split box come to together: the second moment of their net, and how often each net comes.

A square of a sum needs its hands only two by two. The cards of two hands are counted jointly, every combination of
finished hands. What the dealer then has is known for the cards of each hand; for those of both it is put together from
that, with the first of the terms that depend on a card of each hand: what is left out has three cards in it, and is
bounded. In fractions nothing is left out: the dealer's hand is worked out for the cards of both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import comb
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import FLOATS, Array, Number
from pitboss.odds.hand.player_hands import VALUES, Bools
from pitboss.odds.splits.coupling import meet
from pitboss.odds.splits.dealer_slopes import find_slopes
from pitboss.odds.splits.dealt_hands import DealtHand, Key, SharedParts, SplitHands
from pitboss.odds.splits.hand_ends import HandEnds
from pitboss.odds.splits.joint_kernels import EndList
from pitboss.odds.splits.meetings import count_meetings
from pitboss.odds.splits.net_lists import (
    GONE,
    LIVE,
    NetList,
    add_pairs,
    add_places,
    list_nets,
    nothing_yet,
    put_together,
)
from pitboss.odds.splits.split_boxes import SplitWorth
from pitboss.odds.splits.split_values import Way, ways_to_split
from pitboss.play.packed import Packed
from pitboss.play.settlement import busts_count_as_taken

SAFETY = 2.0
"""How many times the largest third difference of the dealer's chances their remainder is said to be, at most."""


HandKind = tuple[Key, bool]
"""What the ends of a hand depend on, and whether its second card is known to be no pair."""


class SplitResult(NamedTuple):
    """What a box that splits comes to against one up card. Masses are by the dealer's result."""

    second: Number
    """The second moment of its net."""
    error: float
    """How far off that can be."""
    nets: dict[float, float]
    """How often each net comes."""
    nets_error: float
    """How much of that can be elsewhere."""


class BoxCounter(SharedParts):
    """Counts the boxes of one position."""

    def __init__(self, rules: Packed, shoe: Composition) -> None:
        finite = shoe.numbers is FLOATS and shoe.step != 0
        super().__init__(rules, shoe, find_slopes(rules, shoe) if finite else None)

    def count(self, value: int, up: int, split: SplitWorth) -> SplitResult:
        """The box that splits two cards of `value` against `up`."""
        return _Split(self, value, up, split).count()


class _Split(SplitHands):
    """One box that splits, against one up card."""

    def __init__(self, shared: SharedParts, value: int, up: int, split: SplitWorth) -> None:
        super().__init__(shared, value, up, split)
        self.both: dict[tuple[Key, Key, int], Array] = {}

    # ------------------------------------------------------------------ two hands

    def joint(self, one: Key, other: Key, extra: int) -> Array:
        """`[class, class of the other, result]`: how often two hands end in each way."""
        if (one, other, extra) not in self.both:
            found = self._join(self.deal(one, extra), self.deal(other, extra), extra)
            self.both[one, other, extra], self.both[other, one, extra] = found, found.transpose(1, 0, 2)
        return self.both[one, other, extra]

    def _join(self, one: DealtHand, other: DealtHand, extra: int) -> Array:
        if self.is_exact:
            return self._join_exactly(one, other, extra)
        # Beside the dealer's results a column of ones, which counts how often the hands meet at all.
        found = self._sum(one, other, extra, np.concatenate((one.rows, np.ones((len(one.rows), 1))), axis=1))
        often, found = found[:, :, -1:], found[:, :, :-1]
        back = found if one is other else self._sum(other, one, extra, other.rows)
        found = found + back.swapaxes(0, 1) - often * self.base(extra)
        if self.slopes is not None:
            bend = self.slopes.second[:, :, self.up].copy()
            if self.looked:
                bend[:, :, -1] = 0.0
            found += np.tensordot(one.drawn, np.tensordot(other.drawn, bend, (1, 1)), (1, 1))
        return found

    def _sum(self, one: DealtHand, other: DealtHand, extra: int, rows: Array) -> Array:
        """`[class, class of the other, result]`: over all pairs of hands, by `rows` after the first of them."""
        kinds = other.weight.shape[1]
        met = meet(self.draws[extra], one.ends.counts, other.ends.counts, _list_weights(other.weight), kinds)
        found = np.zeros((one.weight.shape[1], kinds, rows.shape[1]))
        FLOATS.kernel("sum_joint")(_list_weights(one.weight), met, rows, found)
        return found

    def _join_exactly(self, one: DealtHand, other: DealtHand, extra: int) -> Array:
        mine, theirs = one.ends.counts, other.ends.counts
        numbers, every = self.shoe.numbers, np.arange(len(theirs))
        each = EndList(every, every, numbers.zeros(len(theirs)) + numbers.make(1))
        chance = meet(self.draws[extra], mine, theirs, each, len(theirs))
        sums = mine[:, None] + theirs[None]
        met = [(a, b) for a in range(len(mine)) for b in range(len(theirs)) if chance[b, a] > 0]
        kinds, back = np.unique(np.array([sums[pair] for pair in met]).reshape(-1, VALUES), axis=0, return_inverse=True)
        rows = self.dealer_after(kinds, extra)
        left, right = one.weight, other.weight
        found = numbers.zeros(left.shape[1], right.shape[1], rows.shape[1])
        for (a, b), place in zip(met, back.reshape(-1).tolist(), strict=True):
            found = found + chance[b, a] * (left[a][:, None, None] * right[b][None, :, None] * rows[place])
        return found

    def _left_out(self, one: Key, other: Key, extra: int) -> tuple[float, float]:
        """What is left out of the dealer's chances beside two hands: terms with a card of each hand and a third.

        As the two hands come, and times what they win or lose.
        """
        if self.slopes is None:
            return 0.0, 0.0
        steep = SAFETY * float(self.slopes.third[self.up])
        alone, staked = (
            (aa * b + a * bb) / 2 + a * b * (1 + extra)
            for (a, aa), (b, bb) in zip(self.deal(one, extra).moments, self.deal(other, extra).moments, strict=True)
        )
        return steep * alone, steep * staked

    # ------------------------------------------------------------------ the box

    def count(self) -> SplitResult:
        """Both, over all ways in which the split can go."""
        nets: dict[float, float] = defaultdict(float)
        second = self._squares() + self._products()
        others = self.base(0).sum()
        rough = off = 0.0
        ways = ways_to_split(self.most, self.own_last)
        for way in ways:
            if len(way) == 2:
                whole, tied = self._two(way, nets)
                others, second = others - whole, second + tied
                off, _ = self._left_out(self.key(way[0]), self.key(way[1]), 0)
        wide = [way for way in ways if len(way) > 2]
        if wide and others > 0:
            rough, tied = self._many(wide, float(others), nets)
            if self.coupled:
                second = second + tied
        return SplitResult(second, self.error, dict(nets), rough + off)

    def _limit(self, extra: int) -> int:
        """The further cards of the pair for which joint chances are counted, where there are so many."""
        return min(extra, len(self.draws) - 1)

    def _flags(self, no_pair: bool, classes: int) -> Bools:
        """The classes that a hand can end in, whose second card may be known to be no pair."""
        flags = np.ones(classes, dtype=np.bool_)
        if no_pair:
            flags[classes // 2 :] = False
        return flags

    def _squares(self) -> Number:
        """The squares of its hands."""
        weights: dict[tuple[Key, bool, int], Number] = defaultdict(lambda: self.shoe.numbers.make(0))
        for (hand, extra), many in count_meetings(self.most, self.own_last).hands.items():
            weights[self.key(hand), hand.no_pair, self._limit(extra)] += many * self.pair_chances[extra]
        total = self.shoe.numbers.make(0)
        for (key, no_pair, extra), weight in weights.items():
            if weight != 0:
                dealt = self.deal(key, extra)
                squares = dealt.alone * dealt.ends.square
                total = total + weight * squares[self._flags(no_pair, len(squares))].sum()
        return total

    def _products(self) -> Number:
        """Twice the products of its hands, two by two; what is left out of them goes into the error."""
        weights: dict[tuple[HandKind, HandKind, int], Number] = defaultdict(lambda: self.shoe.numbers.make(0))
        sizes: dict[tuple[Key, Key, int], float] = defaultdict(float)
        for (one, other, extra), many in count_meetings(self.most, self.own_last).couples.items():
            weight, limited = many * self.pair_chances[extra], self._limit(extra)
            mine, theirs = self.key(one), self.key(other)
            weights[(mine, one.no_pair), (theirs, other.no_pair), limited] += weight
            sizes[mine, theirs, limited] += abs(float(weight))
        total = self.shoe.numbers.make(0)
        products: dict[tuple[Key, Key, int], Array] = {}
        for ((mine, first), (theirs, second), extra), weight in weights.items():
            met = (mine, theirs, extra)
            if weight != 0:
                if met not in products:
                    products[met] = self._multiply(*met)
                total = total + 2 * weight * products[met][: 2 - first, : 2 - second].sum()
        for met, size in sizes.items():
            if size > 0:
                self.error += 2 * size * self._left_out(*met)[1]
        return total

    def _multiply(self, one: Key, other: Key, extra: int) -> Array:
        """The mean product of two hands' nets, by whether the second card of each is a pair."""
        first, second = self.ends_of(one), self.ends_of(other)
        product = (self.joint(one, other, extra) * (first.net[:, None] * second.net[None])).sum(axis=2)
        halves = (len(first.net) // 2, len(second.net) // 2)
        parts: Array = np.add.reduceat(np.add.reduceat(product, (0, halves[0]), axis=0), (0, halves[1]), axis=1)
        return parts

    def _find_owed(self, first: HandEnds, second: HandEnds) -> Array:
        """1 where two hands owe a dealer's natural one wager more."""
        owed = first.live[:, None] | second.live[None]
        if busts_count_as_taken(self.rules):
            owed = owed & ~(first.gone[:, None] | second.gone[None])
        return owed.astype(np.int64)

    def _two(self, way: Way, nets: dict[float, float]) -> tuple[Number, Number]:
        """Count the nets of a box of two hands; how often it comes, and what a natural adds to its second moment."""
        one, other = way
        first, second = (self.ends_of(self.key(hand)) for hand in way)
        flags = [self._flags(hand.no_pair, len(ends.net)) for hand, ends in ((one, first), (other, second))]
        mass = self.joint(self.key(one), self.key(other), 0) * (flags[0][:, None] & flags[1][None])[:, :, None]
        whole: Number = mass.sum()
        tied = self.shoe.numbers.make(0)
        if self.coupled:
            owing = mass[:, :, -1:] * self._find_owed(first, second)[:, :, None]
            tied = (owing[:, :, 0] * (1 - 2 * (first.net[:, None, -1] + second.net[None, :, -1]))).sum()
            mass[:, :, -1:] = mass[:, :, -1:] - owing
            add_pairs(nets, first.net[:, -1:] - 1, second.net[:, -1:], owing)
        add_pairs(nets, first.net, second.net, mass)
        return whole, tied

    def _many(self, wide: list[Way], whole: float, nets: dict[float, float]) -> tuple[float, float]:
        """Count the nets of boxes of more hands, taken to be independent once the dealer's result is known.

        Says how much that can be off, and what a natural's one wager adds to the second moment.
        """
        found: dict[float, float] = defaultdict(float)
        tied = 0.0
        ways = Counter(tuple(sorted((self.key(hand), hand.no_pair) for hand in way)) for way in wide)
        boxes: dict[tuple[int, tuple[HandKind, ...]], NetList] = {}
        for way, times in ways.items():
            split = len(way) - 2
            box = self._box_of(way, split, boxes)
            often = box.often * (times * float(self.pair_chances[split]))
            if self.coupled:
                owing = [LIVE] if busts_count_as_taken(self.rules) else [LIVE, LIVE | GONE]
                taken = often[-1, owing].sum(axis=0)
                tied += float((taken * (1 - 2 * box.nets)).sum())
                add_places(found, box.nets - 1, taken)
                often[-1, owing] = 0.0
            add_places(found, box.nets, often.sum(axis=(0, 1)))
        mass = sum(found.values())
        for net, many in found.items():
            nets[net] += many * whole / mass
        spread = self._spread_of(wide)
        if self.coupled:
            self.error += whole * spread * (2 * self.most * 2 + 1) * 0.1
        return whole * spread, tied * whole / mass

    def _box_of(
        self, way: tuple[HandKind, ...], split: int, boxes: dict[tuple[int, tuple[HandKind, ...]], NetList]
    ) -> NetList:
        """A box of some hands; boxes that begin alike are put together once."""
        if (split, way) not in boxes:
            chances = self.base(self._limit(split)).astype(float)
            if not way:
                boxes[split, way] = nothing_yet(chances)
            else:
                key, no_pair = way[-1]
                ends = self.ends_of(key)
                alone = self.deal(key, self._limit(split)).alone
                found = alone.astype(float) * self._flags(no_pair, len(ends.net))[:, None]
                given = np.divide(found, chances, out=np.zeros_like(found), where=chances > 0)
                hand = list_nets(ends.net, ends.live, ends.gone, given)
                boxes[split, way] = put_together(self._box_of(way[:-1], split, boxes), hand)
        return boxes[split, way]

    def _spread_of(self, wide: list[Way]) -> float:
        """How far hands are from independent: the chance that two of them, or one and the dealer, want one card."""
        if self.shoe.step == 0:
            return 0.0
        key = self.key(wide[0][0])
        ends = self.ends_of(key)
        drawn = float((np.abs(ends.weight).sum(axis=1) * self._chances(ends, 0) * ends.sizes).sum())
        hands = max(len(way) for way in wide)
        return min(1.0, (comb(hands, 2) * drawn * drawn + hands * drawn * 3) / float(self.shoe.left))


def _list_weights(weight: Array) -> EndList:
    """The ends of hands one by one: a hand ends in one or two classes of a hundred."""
    hand, kind = np.nonzero(weight)
    return EndList(hand, kind, weight[hand, kind])
