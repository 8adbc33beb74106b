"""Hands of one box that a dealer's natural ties together: it takes one wager from all live hands, not one from each.

So the box loses one more unit against a natural if at least one of its hands is still live. The chance of that is
counted exactly: the finished hands of one split hand are a list of multisets of drawn cards, each with its number of
orders, and the chance that several hands all come from such lists is a sum over their combinations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.odds.hands import BUST, VALUES, Ints, hands_with
from pitboss.odds.kernels import DOUBLE, HIT, STAND
from pitboss.odds.numbers import Array, Number
from pitboss.odds.shoes import Shoe
from pitboss.odds.solver import Decisions, Priced, counting, play
from pitboss.odds.splits import free_split, live_share, most_hands, starts, ways_to_split
from pitboss.play.packed import HOLE_PEEK, TAKES_BUSTED_PLUS_ONE, TAKES_CAPPED, Packed

GONE, SAFE, LIVE, GIVEN_UP = 1, 2, 4, 8
"""What a finished hand is to a dealer's natural: over 21, not taken, taken, or given up after a double."""

NATURAL_UPS = (0, 9)
"""Up cards (as value indices) from which a dealer can have a natural."""

MOST_COMBINATIONS = 20_000_000
"""Combinations of finished hands that are still counted one by one."""


class Ends(NamedTuple):
    """Multisets of cards drawn to a hand, and the number of orders of each."""

    counts: Ints
    ways: Ints

    def __len__(self) -> int:
        return len(self.ways)


def is_coupled(rules: Packed, value: int) -> bool:
    """Several hands of the box can owe a dealer's natural one wager together."""
    if rules.hole_card == HOLE_PEEK or rules.dealer_natural_takes not in (TAKES_BUSTED_PLUS_ONE, TAKES_CAPPED):
        return False
    return not free_split(rules, value)


def takings(rules: Packed) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """Whether a natural takes one wager more from the box, and the fates of all its hands that add to or undo that."""
    if rules.dealer_natural_takes == TAKES_BUSTED_PLUS_ONE:
        return True, ((GONE | SAFE | GIVEN_UP, -1),)
    # A busted hand has paid already: one more only if no hand is over 21 and one is live.
    return False, ((SAFE | GIVEN_UP | LIVE, 1), (SAFE | GIVEN_UP, -1))


def finished(rules: Packed, value: int, seat: Priced, by: Decisions, up: int, fates: int, no_pair: bool) -> Ends:
    """The finished hands of a split hand, as the cards drawn to it, that have one of `fates`."""
    hands = hands_with((value,))
    first = [row for row in starts(rules, value) if not no_pair or int(row[1]) != hands.of(value, value)]
    ways: dict[tuple[int, int, bool], int] = {}
    for layer, hand in first:
        ways[int(layer), int(hand), False] = 1
    ends: dict[tuple[int, ...], int] = {}

    def end(counts: Ints, extra: int, many: int) -> None:
        drawn = counts.copy()
        drawn[value - 1] -= 1
        if extra >= 0:
            drawn[extra] += 1
        key = tuple(int(one) for one in drawn)
        ends[key] = ends.get(key, 0) + many

    for hand in (int(one) for one in hands.backwards[::-1]):
        for layer in range(by.decision.shape[0]):
            for doubled in (False, True):
                many = ways.pop((layer, hand, doubled), 0)
                if not many:
                    continue
                action = _action(seat, by, layer, hand, up, doubled)
                if action == STAND:
                    if _fate(seat, by, layer, hand, up, doubled) & fates:
                        end(hands.held[hand], -1, many)
                    continue
                for card in range(VALUES):
                    grown = int(hands.after[hand, card])
                    if grown == BUST:
                        if fates & GONE:
                            end(hands.held[hand], card, many)
                        continue
                    key = (layer, grown, doubled or action == DOUBLE)
                    ways[key] = ways.get(key, 0) + many
    rows = sorted(ends.items())
    counts = np.array([row[0] for row in rows], dtype=np.int64).reshape(len(rows), VALUES)
    return Ends(counts, np.array([row[1] for row in rows], dtype=np.int64))


def _action(seat: Priced, by: Decisions, layer: int, hand: int, up: int, doubled: bool) -> int:
    if doubled:
        return HIT if seat.tables.redraws[layer, hand] else STAND
    return STAND if seat.tables.complete[hand] else int(by.decision[layer, hand, up])


def _fate(seat: Priced, by: Decisions, layer: int, hand: int, up: int, doubled: bool) -> int:
    table = seat.tables
    if not doubled:
        return SAFE if table.safe[table.kind[hand]] else LIVE
    if table.safe_doubled[table.kind_doubled[layer, hand]]:
        return SAFE
    return GIVEN_UP if table.rescues[layer, hand] and by.given_up[layer, hand, up] else LIVE


def combined(one: Ends, other: Ends) -> Ends:
    """Two lists as one: the cards of both, equal multisets together."""
    counts = (one.counts[:, None, :] + other.counts[None, :, :]).reshape(-1, VALUES)
    ways = (one.ways[:, None] * other.ways[None, :]).reshape(-1)
    shift = np.int64(6) * np.arange(VALUES, dtype=np.int64)
    keys = (counts << shift).sum(axis=1)
    _, place, back = np.unique(keys, return_index=True, return_inverse=True)
    summed = np.zeros(len(place), dtype=np.int64)
    np.add.at(summed, back.reshape(-1), ways)
    return Ends(np.ascontiguousarray(counts[place]), summed)


def chance_of(shoe: Shoe, value: int, up: int, lists: list[Ends], pairs: int) -> Number:
    """The chance that hands from these lists are dealt, `pairs` more cards of the value, and then the dealer's natural.

    `shoe` is before the two cards of the pair and the up card left it.
    """
    numbers = shoe.numbers
    rest = shoe.without(value, value, up + 1)
    more = np.zeros((1, VALUES), dtype=np.int64)
    more[0, value - 1] = pairs
    left = Ends(more, np.ones(1, dtype=np.int64))
    right = lists[-1]
    for ends in lists[:-1]:
        if len(left) <= len(right) or len(left) * len(ends) <= 100_000:
            left = combined(left, ends)
        else:
            right = combined(right, ends)
    if not len(left) or not len(right):
        return numbers.make(0)
    largest = int(left.counts.max(axis=0).max() + right.counts.max(axis=0).max()) + 1
    cards = int(left.counts.sum(axis=1).max() + right.counts.sum(axis=1).max()) + 1
    falling, taken = numbers.zeros(VALUES, largest + 1), numbers.zeros(cards + 1)
    falling[:, 0], taken[0] = numbers.make(1), numbers.make(1)
    for many in range(1, largest + 1):
        for card in range(VALUES):
            left_of_it = max(rest.values[card] - shoe.step * (many - 1), numbers.make(0))
            falling[card, many] = falling[card, many - 1] * left_of_it
    for many in range(1, cards + 1):
        taken[many] = taken[many - 1] * (rest.left - shoe.step * (many - 1))
    total = numbers.zeros(1)
    numbers.kernel("joint_chance")(
        left.counts, numbers.array(left.ways), right.counts, numbers.array(right.ways), falling, taken,
        9 - up, rest.values, rest.left, shoe.step, total,
    )  # fmt: skip
    return total[0]


class Tie(NamedTuple):
    """What the tie between hands costs against one up card, and how far off that can be."""

    cost: Number
    error: Number


def tie(rules: Packed, shoe: Shoe, value: int, seat: Priced, plays: dict[int, Decisions], up: int) -> Tie:
    """The expected loss of the one wager that a dealer's natural takes from the live hands of a split box.

    `plays` are the plays of its hands by the number of hands known.
    """
    numbers = shoe.numbers
    rest = shoe.without(value, value, up + 1)
    if rest.left <= 0:
        return Tie(numbers.make(0), numbers.make(0))
    always, corrections = takings(rules)
    cost, error = numbers.make(0), numbers.make(0)
    if always:
        cost = max(rest.values[9 - up], cost) / rest.left
    for fates, sign in corrections:
        chance, bound = _all_of(rules, shoe, value, seat, plays, up, fates)
        cost, error = cost + sign * chance, error + bound
    return Tie(cost, error)


def price_of_a_live_hand(
    rules: Packed, shoe: Shoe, value: int, seat: Priced, by: Decisions, rows: Array, up: int
) -> Number:
    """What a live hand costs a dealer's natural beside another hand of its kind: the chance that it is the only one.

    Where busted hands count towards the one wager, it is the chance that the other hand is not over 21.
    """
    plus_one = rules.dealer_natural_takes == TAKES_BUSTED_PLUS_ONE
    counted = play(rules, shoe, by.hands, counting(seat, live=not plus_one, gone=plus_one), rows, (up,), by)
    return live_share(rules, shoe, value, counted, rows[by.hands.of(value), up, -1], up)


def _all_of(
    rules: Packed, shoe: Shoe, value: int, seat: Priced, plays: dict[int, Decisions], up: int, fates: int
) -> tuple[Number, Number]:
    """The chance that all hands of the box have one of `fates` and the dealer a natural, and a bound on its error."""
    lists: dict[tuple[int, bool], Ends] = {}
    total, error = shoe.numbers.make(0), shoe.numbers.make(0)
    for way in ways_to_split(most_hands(rules, value)):
        chosen = []
        for hand in way:
            key = (id(plays[hand.known]), hand.no_pair)
            if key not in lists:
                lists[key] = finished(rules, value, seat, plays[hand.known], up, fates, hand.no_pair)
            chosen.append(lists[key])
        if not all(len(ends) for ends in chosen):
            continue
        if len(way) == 2 or max(len(ends) for ends in chosen) ** len(way) <= MOST_COMBINATIONS:
            total = total + chance_of(shoe, value, up, chosen, len(way) - 2)
            continue
        # Too many combinations: at most the chance that two of the hands do so, at least nothing.
        most = chance_of(shoe, value, up, chosen[-2:], len(way) - 2)
        total, error = total + most / 2, error + most / 2
    return total, error
