"""Hands of one box that a dealer's natural ties together: it takes one wager from all live hands, not one from each.

So the box loses one more unit against a natural if at least one of its hands is still live. The chance of that is
counted exactly: the finished hands of one split hand are a list of multisets of drawn cards, each with its number of
orders, and the chance that several hands all come from such lists is a sum over their combinations.
"""

from __future__ import annotations

import functools
import heapq
from typing import NamedTuple

import numpy as np

from pitboss.odds.hands import BUST, VALUES, Bools, Ints, hands_with
from pitboss.odds.kernels import DOUBLE, HIT, STAND
from pitboss.odds.model import Tables, tables
from pitboss.odds.numbers import FLOATS, Array, Number
from pitboss.odds.shoes import Shoe
from pitboss.odds.solver import Decisions, Priced, counting, play
from pitboss.odds.splits import free_split, live_share, most_hands, seat_of, starts, ways_to_split
from pitboss.play.packed import HOLE_PEEK, TAKES_BUSTED_PLUS_ONE, TAKES_CAPPED, Packed

GONE, SAFE, LIVE, GIVEN_UP = 1, 2, 4, 8
"""What a finished hand is to a dealer's natural: over 21, not taken, taken, or given up after a double."""

NATURAL_UPS = (0, 9)
"""Up cards (as value indices) from which a dealer can have a natural."""

MOST_COMBINATIONS = 40_000_000
"""Combinations of finished hands that are still counted one by one."""

MOST_PAIRS = 4_000_000
"""Combinations of two finished hands that are still laid together."""


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


def finished(rules: Packed, value: int, by: Decisions, up: int, fates: int, no_pair: bool) -> Ends:
    """The finished hands of a split hand, as the cards drawn to it, that have one of `fates`."""
    return _finished(
        rules, value, by.decision[:, :, up].tobytes(), by.given_up[:, :, up].tobytes(), fates, no_pair
    )  # fmt: skip


@functools.lru_cache(maxsize=512)
def _finished(rules: Packed, value: int, decisions: bytes, backs: bytes, fates: int, no_pair: bool) -> Ends:
    hands, table = hands_with((value,)), tables(rules, seat_of(rules, value, True), (value,))
    decision = np.frombuffer(decisions, dtype=np.int64).reshape(-1, len(hands.cards))
    given_up = np.frombuffer(backs, dtype=np.bool_).reshape(-1, len(hands.cards))
    ways: dict[tuple[int, int, bool], int] = {}
    for layer, hand in starts(rules, value):
        if not no_pair or int(hand) != hands.of(value, value):
            ways[int(hand), int(layer), False] = 1
    waiting = list(ways)
    heapq.heapify(waiting)
    ends: dict[tuple[int, ...], int] = {}

    def end(counts: Ints, extra: int, many: int) -> None:
        drawn = counts.copy()
        drawn[value - 1] -= 1
        if extra >= 0:
            drawn[extra] += 1
        key = tuple(drawn.tolist())
        ends[key] = ends.get(key, 0) + many

    while waiting:  # a hand stands before all that grow out of it
        hand, layer, doubled = heapq.heappop(waiting)
        many = ways[hand, layer, doubled]
        action = _action(table, decision, layer, hand, doubled)
        if action == STAND:
            if _fate(table, given_up, layer, hand, doubled) & fates:
                end(hands.held[hand], -1, many)
            continue
        for card, grown in enumerate(hands.after[hand].tolist()):
            if grown == BUST:
                if fates & GONE:
                    end(hands.held[hand], card, many)
                continue
            key = (grown, layer, doubled or action == DOUBLE)
            if key not in ways:
                heapq.heappush(waiting, key)
            ways[key] = ways.get(key, 0) + many
    rows = sorted(ends.items())
    counts = np.array([row[0] for row in rows], dtype=np.int64).reshape(len(rows), VALUES)
    return Ends(counts, np.array([row[1] for row in rows], dtype=np.int64))


def _action(table: Tables, decision: Ints, layer: int, hand: int, doubled: bool) -> int:
    if doubled:
        return HIT if table.redraws[layer, hand] else STAND
    return STAND if table.complete[hand] else int(decision[layer, hand])


def _fate(table: Tables, given_up: Bools, layer: int, hand: int, doubled: bool) -> int:
    if not doubled:
        return SAFE if table.safe[table.kind[hand]] else LIVE
    if table.safe_doubled[table.kind_doubled[layer, hand]]:
        return SAFE
    return GIVEN_UP if table.rescues[layer, hand] and given_up[layer, hand] else LIVE


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


class Draws(NamedTuple):
    """What is left once a pair and an up card are out, as products over cards drawn from it."""

    rest: Shoe
    partner: int
    """The value index of the card that makes the dealer's natural."""
    falling: Array
    """`falling[v, k]`: the product of what is left of value index v at each of k draws of it."""
    taken: Array
    """`taken[k]`: the same of all cards."""

    def fitting(self, ends: Ends) -> Ends:
        """Those of the hands that can be dealt."""
        if self.rest.step == 0:
            return ends
        can_be = np.all(ends.counts <= np.asarray(self.rest.values, dtype=float), axis=1)
        return ends if can_be.all() else Ends(np.ascontiguousarray(ends.counts[can_be]), ends.ways[can_be])


def draws(shoe: Shoe, value: int, up: int, cards: int) -> Draws:
    """Products for up to `cards` draws from a shoe that still holds the two cards of the pair and the up card."""
    numbers, rest = shoe.numbers, shoe.without(value, value, up + 1)
    falling, taken = numbers.zeros(VALUES, cards + 1), numbers.zeros(cards + 1)
    falling[:, 0], taken[0] = numbers.make(1), numbers.make(1)
    nothing = numbers.make(0)
    for many in range(1, cards + 1):
        for card in range(VALUES):
            left_of_it = max(rest.values[card] - shoe.step * (many - 1), nothing)
            falling[card, many] = falling[card, many - 1] * left_of_it
        taken[many] = taken[many - 1] * (rest.left - shoe.step * (many - 1))
    return Draws(rest, 9 - up, falling, taken)


def chance_of(found: Draws, value: int, lists: list[Ends], pairs: int) -> tuple[Number, Number]:
    """The chance that hands from these lists are dealt, `pairs` more cards of the value, and then the dealer's natural.

    Counted one by one where there are not too many; else the last two hands are taken to be independent once the
    others are known. The second number bounds what that can be off: a hand drawn from cards of which j are missing is
    another than one drawn from all of them only if it meets one of the j.
    """
    numbers = found.rest.numbers
    more = np.zeros((1, VALUES), dtype=np.int64)
    more[0, value - 1] = pairs
    left = found.fitting(Ends(more, np.ones(1, dtype=np.int64)))
    lists = [found.fitting(ends) for ends in lists]
    for ends in lists[:-2]:
        left = found.fitting(combined(left, ends))
    one, other = lists[-2:]
    if not (len(left) and len(one) and len(other)):
        return numbers.make(0), numbers.make(0)
    both = found.fitting(combined(one, other)) if len(one) * len(other) <= MOST_PAIRS else None
    total = numbers.zeros(2)
    rest, partner = found.rest, found.partner
    if both is not None and (numbers is not FLOATS or len(left) * len(both) <= MOST_COMBINATIONS):
        numbers.kernel("joint_chance")(
            left.counts, numbers.array(left.ways), both.counts, numbers.array(both.ways), found.falling, found.taken,
            partner, rest.values, rest.left, rest.step, total,
        )  # fmt: skip
        return total[0], 0 * total[0]
    numbers.kernel("apart_chance")(
        left.counts, numbers.array(left.ways), one.counts, numbers.array(one.ways), other.counts,
        numbers.array(other.ways), found.falling, found.taken, partner, rest.values, rest.left, rest.step, total,
    )  # fmt: skip
    drawn = int(other.counts.sum(axis=1).max()) + 1
    least = rest.left - rest.step * (int(left.counts.sum(axis=1).max()) + drawn)
    return total[0], total[1] * drawn / least if rest.step else 0 * total[1]


class Tie(NamedTuple):
    """What the tie between hands costs against one up card, and how far off that can be."""

    cost: Number
    error: Number


def tie(rules: Packed, shoe: Shoe, value: int, plays: dict[int, Decisions], up: int) -> Tie:
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
        chance, bound = _all_of(rules, shoe, value, plays, up, fates)
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
    rules: Packed, shoe: Shoe, value: int, plays: dict[int, Decisions], up: int, fates: int
) -> tuple[Number, Number]:
    """The chance that all hands of the box have one of `fates` and the dealer a natural, and a bound on its error."""
    lists: dict[tuple[int, bool], Ends] = {}
    total, error = shoe.numbers.make(0), shoe.numbers.make(0)
    most = most_hands(rules, value)
    found = draws(shoe, value, up, 22 * most)
    for way in ways_to_split(most):
        chosen = []
        for hand in way:
            key = (id(plays[hand.known]), hand.no_pair)
            if key not in lists:
                lists[key] = finished(rules, value, plays[hand.known], up, fates, hand.no_pair)
            chosen.append(lists[key])
        if all(len(ends) for ends in chosen):
            chance, bound = chance_of(found, value, chosen, len(way) - 2)
            total, error = total + chance, error + bound
    return total, error
