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
from pitboss.odds.hand.player_hands import VALUES, Bools, Ints, hands_with
from pitboss.odds.hand.solver import (
    deal_without,
    find_distributions,
)
from pitboss.odds.splits.coupling import is_coupled
from pitboss.odds.splits.hand_ends import HandEnds, end_hands
from pitboss.odds.splits.net_lists import (
    GONE,
    LIVE,
    NetList,
    add_nets,
    add_places,
    list_nets,
    nothing_yet,
    put_together,
)
from pitboss.odds.splits.split_boxes import SplitWorth
from pitboss.odds.splits.split_values import HandOfSplit, Way, pair_cards, pair_chances, seat_of, ways_to_split
from pitboss.play.dealer import dealer_looks
from pitboss.play.packed import Packed
from pitboss.play.settlement import busts_count_as_taken
from pitboss.play.splitting import most_hands, own_stake_last

RARE = 1e-7
"""Orders of a hand that are less likely than this are left out, and bounded."""
MOST_EXTRA = 2
"""Further cards of the pair for which joint chances are counted afresh: for more of them, as for so many."""
SAFETY = 2.0
"""How many times the largest third difference of the dealer's chances their remainder is said to be, at most."""


HandKind = tuple[tuple[bool, int], bool]
"""What the ends of a hand depend on, and whether its second card is known to be no pair."""


class DealerSlopes(NamedTuple):
    """How the dealer's chances change with the cards that are out of a full shoe, by up card and result."""

    second: Array
    """`second[v, w, up, r]`: the second difference for a card of each of two values."""
    third: Array
    """`third[up]`: the largest third difference, over all results together."""


def find_slopes(rules: Packed, shoe: Composition) -> DealerSlopes:
    """The differences of the dealer's chances for a full shoe."""
    sets = [(), *((v,) for v in range(VALUES)), *((v, w) for v in range(VALUES) for w in range(v + 1))]
    sets += [(v, w, x) for v in range(VALUES) for w in range(v + 1) for x in range(w + 1)]
    place = {cards: number for number, cards in enumerate(sets)}
    out = np.array([np.bincount(np.array(cards, dtype=np.int64), minlength=VALUES) for cards in sets], dtype=np.int64)
    rows = deal_without(rules, shoe, out)

    def at(*cards: int) -> Array:
        found: Array = rows[place[tuple(sorted(cards, reverse=True))]]
        return found

    second = np.zeros((VALUES, VALUES, *rows.shape[1:]))
    third = np.zeros(VALUES)
    for v in range(VALUES):
        for w in range(v + 1):
            second[v, w] = second[w, v] = at(v, w) - at(v) - at(w) + at()
            for x in range(w + 1):
                steep = at(v, w, x) - at(v, w) - at(v, x) - at(w, x) + at(v) + at(w) + at(x) - at()
                third = np.maximum(third, np.abs(steep).sum(axis=1))
    return DealerSlopes(second, third)


class _Draws(NamedTuple):
    """What is left once the pair, the up card and some further cards of the pair's value are out."""

    rest: Composition
    falling: Array
    taken: Array


def _draws(shoe: Composition, value: int, up: int, extra: int, cards: int) -> _Draws:
    numbers, rest = shoe.numbers, shoe.without(value, value, up + 1, *(value,) * extra)
    falling, taken = numbers.zeros(VALUES, cards + 1), numbers.zeros(cards + 1)
    falling[:, 0], taken[0] = numbers.make(1), numbers.make(1)
    nothing = numbers.make(0)
    for many in range(1, cards + 1):
        for card in range(VALUES):
            falling[card, many] = falling[card, many - 1] * max(rest.values[card] - shoe.step * (many - 1), nothing)
        taken[many] = taken[many - 1] * max(rest.left - shoe.step * (many - 1), nothing)
    return _Draws(rest, falling, taken)


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


class BoxCounter:
    """Counts the boxes of one position."""

    def __init__(self, rules: Packed, shoe: Composition) -> None:
        self.rules, self.shoe = rules, shoe
        self.is_exact = shoe.numbers is not FLOATS
        finite = not self.is_exact and shoe.step != 0
        self.slopes = find_slopes(rules, shoe) if finite else None

    def count(self, value: int, up: int, split: SplitWorth) -> SplitResult:
        """The box that splits two cards of `value` against `up`."""
        return _Split(self, value, up, split).count()


class _Split:
    """One box that splits, against one up card."""

    def __init__(self, counter: BoxCounter, value: int, up: int, split: SplitWorth) -> None:
        self.rules, self.shoe, self.slopes = counter.rules, counter.shoe, counter.slopes
        self.is_exact = counter.is_exact
        self.value, self.up = value, up
        self.plays = split.plays.get(up, split.plays[-1])
        self.most = most_hands(self.rules, value == 1)
        self.coupled = is_coupled(self.rules, value, up)
        self.looked = dealer_looks(self.rules, up)
        self.own_last = own_stake_last(self.rules, value)
        self.ends: dict[tuple[bool, int], HandEnds] = {}
        self.alone: dict[tuple[tuple[bool, int], int], Array] = {}
        self.both: dict[tuple[tuple[bool, int], tuple[bool, int], int], Array] = {}
        self.dealers: dict[int, Array] = {}
        self.pair_chances = [chance[up] for chance in pair_chances(self.rules, self.shoe, value, self.most)]
        self.error = 0.0
        self.off = 0.0
        longest = 44 if not self.is_exact else int(self.shoe.left)
        extras = range(2 * self.most) if self.is_exact else range(MOST_EXTRA + 1)
        self.draws = [
            _draws(self.shoe, value, up, extra, longest)
            for extra in extras
            if extra <= self.shoe.values[value - 1] or self.shoe.step == 0
        ]

    # ------------------------------------------------------------------ one hand

    def key(self, hand: HandOfSplit) -> tuple[bool, int]:
        """What a hand's ends depend on."""
        plays = self.plays.own if hand.own else self.plays.others
        own = hand.own or self.plays.own is self.plays.others
        first = next(known for known, by in plays.items() if by is plays[hand.known])
        return (hand.own if self._seats_differ() else own), first

    def _seats_differ(self) -> bool:
        return seat_of(self.rules, self.value, True) != seat_of(self.rules, self.value, False)

    def ends_of(self, key: tuple[bool, int]) -> HandEnds:
        """The ends of a hand."""
        if key not in self.ends:
            plays = self.plays.own if key[0] else self.plays.others
            seat = seat_of(self.rules, self.value, key[0])
            found = end_hands(self.rules, self.shoe, self.value, seat, plays[key[1]], self.up, self.most > 2)
            self.ends[key] = self._without_rare(found)
        return self.ends[key]

    def _without_rare(self, ends: HandEnds) -> HandEnds:
        """Without the hands that hardly ever come, which go into the error."""
        chance = self._chances(ends, 0)
        often = np.abs(ends.weight).sum(axis=1) * chance
        if self.is_exact:
            kept = often > 0
        else:
            kept = often > RARE
            self.error += 8.0 * float(often[~kept].sum()) * float(np.abs(ends.net).max()) ** 2
        return ends._replace(hands=ends.hands[kept], counts=ends.counts[kept], weight=ends.weight[kept])

    def _chances(self, ends: HandEnds, extra: int) -> Array:
        """The chance of each hand in one order."""
        draws = self.draws[min(extra, len(self.draws) - 1)]
        product = self.shoe.numbers.zeros(len(ends.counts)) + draws.taken[0]
        for value in range(VALUES):
            product = product * draws.falling[value, ends.counts[:, value]]
        taken = draws.taken[ends.sizes]
        found: Array = np.where(product > 0, product / np.where(taken > 0, taken, taken + draws.taken[0]), 0 * product)
        return found

    def dealer_after(self, counts: Ints, extra: int) -> Array:
        """The dealer's chances with the pair, these cards and some more of the pair out, by result."""
        out = counts.copy()
        out[:, self.value - 1] += 2 + extra
        rows = deal_without(self.rules, self.shoe, out, (self.up,))[:, self.up]
        return self._as_played(rows)

    def _as_played(self, rows: Array) -> Array:
        """Without the naturals that end the round before it is played."""
        if self.looked:
            rows = rows.copy()
            rows[:, -1] = 0 * rows[:, -1]
        return rows

    def dealer_with(self, ends: HandEnds, extra: int) -> Array:
        """The dealer's chances with the cards of each hand out."""
        if self.is_exact or self.shoe.step == 0:
            return self.dealer_after(ends.counts, extra)
        hands = hands_with((self.value,))
        order = np.ascontiguousarray(ends.hands)
        rows = find_distributions(self.rules, self.shoe.without(self.value), hands, order)[order, self.up]
        if extra:
            assert self.slopes is not None
            base = self.dealer_after(np.zeros((2, VALUES), dtype=np.int64), 0)[0]
            more = self.dealer_after(np.zeros((2, VALUES), dtype=np.int64), extra)[0]
            bend = extra * np.einsum("hv,vr->hr", ends.counts, self.slopes.second[self.value - 1, :, self.up])
            rows = rows + (more - base) + bend
        return self._as_played(rows)

    def class_chances(self, key: tuple[bool, int], extra: int) -> Array:
        """`[class, result]`: how often one hand ends in each class."""
        extra = min(extra, len(self.draws) - 1)
        if (key, extra) not in self.alone:
            ends = self.ends_of(key)
            weight = self._weights(ends, extra) * self._chances(ends, extra)[:, None]
            self.alone[key, extra] = weight.T @ self.dealer_with(ends, extra)
        return self.alone[key, extra]

    def _weights(self, ends: HandEnds, extra: int) -> Array:
        """Orders by class; where only tens of one rank are a pair, the others count as none."""
        draws = self.draws[extra]
        have = draws.rest.values[self.value - 1]
        pairs = pair_cards(self.rules, self.shoe, self.value)[self.up] - self.shoe.step * (2 + extra)
        if self.value != 10 or pairs == have or have <= 0:
            return ends.weight
        half = ends.weight.shape[1] // 2
        share = max(pairs, 0 * pairs) / have
        plain, paired = ends.weight[:, :half], ends.weight[:, half:]
        return np.concatenate((plain + (1 - share) * paired, share * paired), axis=1)

    # ------------------------------------------------------------------ two hands

    def joint(self, one: tuple[bool, int], other: tuple[bool, int], extra: int) -> Array:
        """`[class, class of the other, result]`: how often two hands end in each way."""
        extra = min(extra, len(self.draws) - 1)
        if (one, other, extra) not in self.both:
            found = self._join(self.ends_of(one), self.ends_of(other), extra)
            self.both[one, other, extra], self.both[other, one, extra] = found, found.transpose(1, 0, 2)
        return self.both[one, other, extra]

    def _join(self, one: HandEnds, other: HandEnds, extra: int) -> Array:
        numbers, draws = self.shoe.numbers, self.draws[extra]
        chance = numbers.zeros(len(one.counts), len(other.counts))
        numbers.kernel("joint_chances")(one.counts, other.counts, draws.falling, draws.taken, chance)
        left, right = self._weights(one, extra), self._weights(other, extra)
        if self.is_exact:
            return self._join_exactly(one, other, extra, chance, left, right)
        first, second = self.dealer_with(one, extra), self.dealer_with(other, extra)
        base = self.dealer_after(np.zeros((1, VALUES), dtype=np.int64), extra)[0]
        found = _sum_joint(left, right, chance, first - base) + _sum_joint(right, left, chance.T, second).swapaxes(0, 1)
        if self.slopes is not None:
            mine, theirs = (
                (weight * self._chances(ends, extra)[:, None]).T @ ends.counts
                for ends, weight in ((one, left), (other, right))
            )
            bend = self.slopes.second[:, :, self.up].copy()
            if self.looked:
                bend[:, :, -1] = 0.0
            found += np.tensordot(mine, np.tensordot(theirs, bend, (1, 1)), (1, 1))
            self._bound(one, other, extra)
        return found

    def _join_exactly(
        self, one: HandEnds, other: HandEnds, extra: int, chance: Array, left: Array, right: Array
    ) -> Array:
        sums = one.counts[:, None] + other.counts[None]
        met = [(a, b) for a in range(len(one.counts)) for b in range(len(other.counts)) if chance[a, b] > 0]
        kinds, back = np.unique(np.array([sums[pair] for pair in met]).reshape(-1, VALUES), axis=0, return_inverse=True)
        rows = self.dealer_after(kinds, extra)
        found = self.shoe.numbers.zeros(left.shape[1], right.shape[1], rows.shape[1])
        for (a, b), place in zip(met, back.reshape(-1).tolist(), strict=True):
            found = found + chance[a, b] * (left[a][:, None, None] * right[b][None, :, None] * rows[place])
        return found

    def _bound(self, one: HandEnds, other: HandEnds, extra: int) -> None:
        """What is left out of the dealer's chances, into the error: terms with a card of each hand and a third."""
        assert self.slopes is not None
        weight = self.pair_chances[extra] if extra < len(self.pair_chances) else 0.0
        steep = SAFETY * float(self.slopes.third[self.up]) * float(weight)
        alone, staked = (
            (aa * b + a * bb) / 2 + a * b * (1 + extra)
            for (a, aa), (b, bb) in zip(self._moments(one, extra), self._moments(other, extra), strict=True)
        )
        self.off += steep * alone
        self.error += 2 * steep * staked * self.most

    def _moments(self, ends: HandEnds, extra: int) -> tuple[tuple[float, float], tuple[float, float]]:
        """The means of a hand's cards and of their square: as it comes, and times what it wins or loses."""
        chances, weights = self._chances(ends, extra), np.abs(ends.weight)
        moved = np.abs(ends.net).max(axis=1)
        return tuple(  # type: ignore[return-value]
            (float((mass * ends.sizes).sum()), float((mass * ends.sizes**2).sum()))
            for mass in (weights.sum(axis=1) * chances, weights @ moved * chances)
        )

    # ------------------------------------------------------------------ the box

    def count(self) -> SplitResult:
        """Both, over all ways in which the split can go."""
        second = self.shoe.numbers.make(0)
        nets: dict[float, float] = defaultdict(float)
        others = self.dealer_after(np.zeros((1, VALUES), dtype=np.int64), 0)[0].sum()
        rough = 0.0
        ways = ways_to_split(self.most, self.own_last)
        for way in ways:
            second = second + self._squares(way) + self._products(way)
            if len(way) == 2:
                others = others - self._two(way, nets)
        wide = [way for way in ways if len(way) > 2]
        if wide and others > 0:
            rough, tied = self._many(wide, float(others), nets)
            if self.coupled:
                second = second + tied
        return SplitResult(second, self.error, dict(nets), rough + self.off)

    def _flags(self, no_pair: bool, classes: int) -> Bools:
        """The classes that a hand can end in, whose second card may be known to be no pair."""
        flags = np.ones(classes, dtype=np.bool_)
        if no_pair:
            flags[classes // 2 :] = False
        return flags

    def _flags_of_two(self, one: HandOfSplit, other: HandOfSplit) -> Bools:
        """`[class, class of the other]`: the same for two hands."""
        mine, theirs = (self._flags(hand.no_pair, len(self.ends_of(self.key(hand)).net)) for hand in (one, other))
        return mine[:, None] & theirs[None]

    def _squares(self, way: Way) -> Number:
        """The squares of its hands."""
        total = self.shoe.numbers.make(0)
        singles, split = sum(hand.no_pair for hand in way), len(way) - 2
        for hand in way:
            key, others = self.key(hand), singles - hand.no_pair
            ends = self.ends_of(key)
            flags = self._flags(hand.no_pair, len(ends.net))
            for out in range(others + 1):
                weight = (-1) ** out * comb(others, out) * self.pair_chances[split + out]
                if weight != 0:
                    here = (self.class_chances(key, split + out) * ends.square)[flags].sum()
                    total = total + weight * here
        return total

    def _products(self, way: Way) -> Number:
        """Twice the products of its hands, two by two; and what they owe a dealer's natural together."""
        total = self.shoe.numbers.make(0)
        singles, split = sum(hand.no_pair for hand in way), len(way) - 2
        for place, one in enumerate(way):
            for other in way[place + 1 :]:
                others = singles - one.no_pair - other.no_pair
                keys = self.key(one), self.key(other)
                first, second = self.ends_of(keys[0]), self.ends_of(keys[1])
                flags = self._flags_of_two(one, other)
                net = 2 * first.net[:, None] * second.net[None]
                if self.coupled and len(way) == 2:
                    owed = self._find_owed(first, second)
                    net[:, :, -1] = net[:, :, -1] + owed * (
                        1 - 2 * first.net[:, None, -1] - 2 * second.net[None, :, -1]
                    )
                for out in range(others + 1):
                    weight = (-1) ** out * comb(others, out) * self.pair_chances[split + out]
                    if weight != 0:
                        total = total + weight * (self.joint(*keys, split + out) * net)[flags].sum()
        return total

    def _find_owed(self, first: HandEnds, second: HandEnds) -> Array:
        """1 where two hands owe a dealer's natural one wager more."""
        owed = first.live[:, None] | second.live[None]
        if busts_count_as_taken(self.rules):
            owed = owed & ~(first.gone[:, None] | second.gone[None])
        return owed.astype(np.int64)

    def _two(self, way: Way, nets: dict[float, float]) -> Number:
        """Count the nets of a box of two hands; how often it comes."""
        one, other = way
        keys = self.key(one), self.key(other)
        first, second = self.ends_of(keys[0]), self.ends_of(keys[1])
        flags = self._flags_of_two(one, other)
        mass = self.joint(*keys, 0) * flags[:, :, None]
        net = first.net[:, None] + second.net[None]
        if self.coupled:
            net = net.copy()
            net[:, :, -1] = net[:, :, -1] - self._find_owed(first, second)
        add_nets(nets, net, mass)
        whole: Number = mass.sum()
        return whole

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
            base = self.dealer_after(np.zeros((1, VALUES), dtype=np.int64), min(split, len(self.draws) - 1))
            chances = base[0].astype(float)
            if not way:
                boxes[split, way] = nothing_yet(chances)
            else:
                key, no_pair = way[-1]
                ends = self.ends_of(key)
                found = self.class_chances(key, split).astype(float) * self._flags(no_pair, len(ends.net))[:, None]
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


def _sum_joint(left: Array, right: Array, chance: Array, rows: Array) -> Array:
    """`[class, class of the other, result]`: over all pairs of hands, by the dealer's `rows` after the first of them.

    A hand ends in one or two classes of a hundred, so that products of whole matrices would be mostly with zeros.
    """
    found = np.zeros((left.shape[1], right.shape[1], rows.shape[1]))
    mine, theirs = np.nonzero(left), np.nonzero(right)
    FLOATS.kernel("sum_joint")(
        *mine, left[mine], *theirs, right[theirs], np.ascontiguousarray(chance), np.ascontiguousarray(rows), found
    )
    return found
