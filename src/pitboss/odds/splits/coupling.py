"""Hands of one box that a dealer's natural ties together: it takes one wager from all live hands, not one from each.

So the box loses one more unit against a natural if at least one of its hands is still live. The chance of that is
counted exactly: the finished hands of one split hand are a list of multisets of drawn cards, each with its number of
orders, and the chance that several hands all come from such lists is a sum over their combinations.
"""

from __future__ import annotations

import functools
from math import prod
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import FLOATS, Array, Number
from pitboss.odds.hand.hand_tables import Seat, tables
from pitboss.odds.hand.player_hands import BUST, VALUES, Ints, hands_with
from pitboss.odds.hand.recursions import DOUBLE, LANES, STAND, Drawn, Products
from pitboss.odds.hand.solver import Decisions, Priced, counting, play_seat
from pitboss.odds.splits.joint_kernels import EndList, JointWork
from pitboss.odds.splits.split_values import Way, live_share, place_of, seat_of, starts, ways_to_split
from pitboss.odds.splits.spreading import spread_orders
from pitboss.play.dealer import dealer_looks
from pitboss.play.naturals import may_become_natural
from pitboss.play.packed import Packed
from pitboss.play.settlement import busts_count_as_taken, natural_takes_one_wager
from pitboss.play.splitting import most_hands, split_is_free

GONE, SAFE, LIVE, GIVEN_UP = 1, 2, 4, 8
"""What a finished hand is to a dealer's natural: over 21, not taken, taken, or given up after a double."""

MOST_COMBINATIONS = 40_000_000
"""Combinations of finished hands that are still counted one by one."""

SAVED = 4
"""About how many combinations of two hands are of the same cards, at most."""

MUCH = 100
"""How many times more combinations there must be for all hands to be taken to be independent."""


class Ends(NamedTuple):
    """Multisets of cards drawn to a hand, and the number of orders of each."""

    counts: Ints
    ways: Ints

    def __len__(self) -> int:
        return len(self.ways)

    @property
    def longest(self) -> int:
        """The most cards drawn to a hand."""
        return int(self.counts.sum(axis=1).max())


def is_coupled(rules: Packed, value: int, up: int) -> bool:
    """Several hands of the box can owe a dealer's natural one wager together, against the up card of index `up`."""
    if not may_become_natural(up) or dealer_looks(rules, up):
        return False
    return natural_takes_one_wager(rules) and not split_is_free(rules, value)


def takings(rules: Packed) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """Whether a natural takes one wager more from the box, and the fates of all its hands that add to or undo that."""
    if not busts_count_as_taken(rules):
        return True, ((GONE | SAFE | GIVEN_UP, -1),)
    # A busted hand has paid already: one more only if no hand is over 21 and one is live.
    return False, ((SAFE | GIVEN_UP | LIVE, 1), (SAFE | GIVEN_UP, -1))


def finish_hands(rules: Packed, value: int, by: Decisions, up: int, fates: int, no_pair: bool) -> Ends:
    """The finished hands of a split hand, as the cards drawn to it, that have one of `fates`."""
    hands, seat = hands_with((value,)), seat_of(rules, value, True)
    first = [
        (int(hand), int(layer), False)
        for layer, hand in starts(rules, value)
        if not no_pair or int(hand) != hands.of(value, value)
    ]
    return _finish(rules, seat, (value,), tuple(first), *_against(by, up), fates)


def finish_from(rules: Packed, seat: Seat, hand: int, layer: int, action: int, by: Decisions, up: int) -> Ends:
    """The hands that a dealer's natural takes of those which a hand becomes that does `action` now."""
    hands, table = by.hands, tables(rules, seat, by.hands.start)
    if action == STAND:
        live = not table.safe[table.kind[hand]]
        return Ends(np.zeros((int(live), VALUES), dtype=np.int64), np.ones(int(live), dtype=np.int64))
    first = tuple((int(grown), layer, action == DOUBLE) for grown in hands.after[hand] if grown != BUST)
    return _finish(rules, seat, hands.start, first, *_against(by, up), LIVE)


def _against(by: Decisions, up: int) -> tuple[bytes, bytes]:
    return by.decision[:, :, up].tobytes(), by.given_up[:, :, up].tobytes()


@functools.lru_cache(maxsize=512)
def _finish(
    rules: Packed, seat: Seat, start: tuple[int, ...], first: tuple[tuple[int, int, bool], ...],
    decisions: bytes, backs: bytes, fates: int,
) -> Ends:  # fmt: skip
    """What hands become, as the cards drawn to those of `start`; `first` are hand, layer, doubled."""
    hands, table = hands_with(start), tables(rules, seat, start)
    decision = np.frombuffer(decisions, dtype=np.int64).reshape(-1, len(hands.cards))
    given_up = np.frombuffer(backs, dtype=np.bool_).reshape(-1, len(hands.cards))
    found = spread_orders(hands, table, decision, first)
    ways = np.where(np.where(table.safe[table.kind], SAFE, LIVE) & fates, found.stood, 0)
    for layer, doubled in enumerate(found.doubled):
        taken = np.where(table.rescues[layer] & given_up[layer], GIVEN_UP, LIVE)
        fate = np.where(table.safe_doubled[table.kind_doubled[layer]], SAFE, taken)
        ways += np.where(fate & fates, doubled, 0)
    held = hands.held - np.bincount(np.array(start) - 1, minlength=VALUES)
    ended = np.flatnonzero(ways)
    if not fates & GONE:
        return Ends(held[ended], ways[ended])
    hand, card = np.nonzero((hands.after == BUST) & (found.drew > 0)[:, None])
    busted = held[hand] + np.eye(VALUES, dtype=np.int64)[card]
    return _sum_alike(np.concatenate((held[ended], busted)), np.concatenate((ways[ended], found.drew[hand])))


def combine(one: Ends, other: Ends) -> Ends:
    """Two lists as one: the cards of both, equal multisets together."""
    counts = (one.counts[:, None, :] + other.counts[None, :, :]).reshape(-1, VALUES)
    ways = (one.ways[:, None] * other.ways[None, :]).reshape(-1)
    if len(one) == 1 or len(other) == 1:
        return Ends(counts, ways)
    return _sum_alike(counts, ways)


def _sum_alike(counts: Ints, ways: Ints) -> Ends:
    """Equal multisets together."""
    shift = np.int64(6) * np.arange(VALUES, dtype=np.int64)
    _, place, back = np.unique((counts << shift).sum(axis=1), return_index=True, return_inverse=True)
    summed = np.zeros(len(place), dtype=np.int64)
    np.add.at(summed, back.reshape(-1), ways)
    return Ends(np.ascontiguousarray(counts[place]), summed)


class Draws(NamedTuple):
    """What is left once a pair and an up card are out, as products over cards drawn from it."""

    rest: Composition
    partner: int
    """The value index of the card that makes the dealer's natural."""
    falling: Array
    """`falling[v, k]`: the product of what is left of value index v at each of k draws of it."""
    taken: Array
    """`taken[k]`: the same of all cards."""

    @property
    def products(self) -> Products:
        """The same as the recursions take it."""
        return Products(self.falling, self.taken, self.rest.rest, self.partner)

    def list_hands(self, ends: Ends) -> Drawn:
        """Hands as the recursions take them."""
        return Drawn(ends.counts, self.rest.numbers.array(ends.ways))

    def fitting(self, ends: Ends) -> Ends:
        """Those of the hands that can be dealt."""
        if self.rest.step == 0:
            return ends
        can_be = np.all(ends.counts <= np.asarray(self.rest.values, dtype=float), axis=1)
        return ends if can_be.all() else Ends(np.ascontiguousarray(ends.counts[can_be]), ends.ways[can_be])


def count_draws(shoe: Composition, value: int, up: int, cards: int) -> Draws:
    """Products for up to `cards` draws from a shoe that still holds the two cards of the pair and the up card."""
    numbers, rest = shoe.numbers, shoe.without(value, value, up + 1)
    gone = shoe.step * np.arange(cards)
    have = np.maximum(np.concatenate((rest.values[:, None] - gone, rest.left - gone[None])), numbers.make(0))
    products = np.cumprod(np.concatenate((numbers.zeros(VALUES + 1, 1) + numbers.make(1), have), axis=1), axis=1)
    return Draws(rest, 9 - up, products[:VALUES], products[VALUES])


def meet(found: Draws, one: Ints, other: Ints, ends: EndList, kinds: int) -> Array:
    """`[class, one]`: the chance of cards of `one`, in one order, with each class of the ends of `other`."""
    numbers = found.rest.numbers
    met = numbers.zeros(kinds, len(one))
    if len(one) and len(other):
        work = JointWork(
            numbers.zeros(VALUES, int(other.max()) + 1, LANES), numbers.zeros(int(other.sum(axis=1).max()) + 1, LANES),
            numbers.zeros(LANES), numbers.zeros(LANES),
        )  # fmt: skip
        numbers.kernel("meet_hands")(
            one, other, ends, found.rest.rest, found.falling, found.taken, numbers.make(1), work, met
        )
    return met


def chance_of(
    found: Draws, value: int, lists: list[Ends], pairs: int, most: int | None = None
) -> tuple[Number, Number]:
    """The chance that hands from these lists are dealt, `pairs` more cards of the value, and then the dealer's natural.

    Counted one by one where there are no more combinations than `most`; else the last two hands are taken to be
    independent once the others are known. The second number bounds what that can be off: a hand drawn from cards of
    which j are missing is another than one drawn from all of them only if it meets one of the j.
    """
    numbers = found.rest.numbers
    most = MOST_COMBINATIONS if most is None else most
    more = np.zeros((1, VALUES), dtype=np.int64)
    more[0, value - 1] = pairs
    none, left = (found.fitting(Ends(cards, np.ones(1, dtype=np.int64))) for cards in (0 * more, more))
    lists = [found.fitting(ends) for ends in lists]
    if len(lists) == 1:
        lists = [none, *lists]
    one, other = lists[-2:]
    nothing = numbers.make(0)
    if not (len(left) and all(len(ends) for ends in lists)):
        return nothing, nothing
    if numbers is FLOATS and len(lists) > 2 and prod(map(len, lists)) > MUCH * most:
        return _all_apart(found, left, none, lists)
    for ends in lists[:-2]:
        left = found.fitting(combine(left, ends))
    halves = _halves(found, left, one, other, most if numbers is FLOATS else None) if len(left) else (left, one)
    if halves is not None:
        return _together(found, *halves), nothing
    rest, total = found.rest, numbers.zeros(2)
    lists = [left, one, other]
    numbers.kernel("apart_chance")(*(found.list_hands(ends) for ends in lists), found.products, total)
    drawn = other.longest + 1
    return total[0], total[1] * drawn / (rest.left - rest.step * (left.longest + drawn)) if rest.step else nothing


def _together(found: Draws, left: Ends, right: Ends) -> Number:
    """The chance of a hand from each of two lists and then the dealer's natural, every combination counted."""
    numbers = found.rest.numbers
    one, other = (right, left) if len(left) < LANES else (left, right)
    with_natural = other.counts + np.eye(VALUES, dtype=np.int64)[found.partner]
    every = np.arange(len(other))
    ends = EndList(every, 0 * every, numbers.array(other.ways))
    chance: Number = (meet(found, one.counts, with_natural, ends, 1)[0] * one.ways).sum()
    return chance


def _all_apart(found: Draws, left: Ends, none: Ends, lists: list[Ends]) -> tuple[Number, Number]:
    """The same with all hands taken to be independent, each beside the pairs and the natural; and the bound."""
    rest = found.rest
    whole = _together(found, left, none)
    product, bound, cards = whole, 0 * whole, 0
    for ends in lists:
        drawn = ends.longest + 1
        if rest.step:
            bound = bound + product * min(1.0, cards * drawn / (rest.left - rest.step * (cards + drawn)))
        product = product * (_together(found, left, ends) / whole if whole > 0 else whole)
        cards += ends.longest
    return product, bound


def _halves(found: Draws, left: Ends, one: Ends, other: Ends, most: int | None) -> tuple[Ends, Ends] | None:
    """Three lists as two, if their combinations are no more than `most`."""
    if len(left) == 1:
        fits = most is None or len(one) * len(other) <= most
        return (found.fitting(combine(left, one)), other) if fits else None
    if most is not None and len(one) * len(other) * len(left) > SAVED * most:
        return None
    both = found.fitting(combine(one, other))
    return (left, both) if most is None or len(left) * len(both) <= most else None


class Tie(NamedTuple):
    """What the tie between hands costs against one up card, and how far off that can be."""

    cost: Number
    error: Number


def tie(
    rules: Packed, shoe: Composition, value: int, plays: dict[int, Decisions], up: int, most: int | None = None,
    hands: int = 2, waiting: int = 2,
) -> Tie:  # fmt: skip
    """The expected loss of the one wager that a dealer's natural takes from the live hands of a split box.

    `plays` are the plays of its hands by the number of hands known, `most` as in `chance_of`. The box has `hands`, of
    which `waiting` have one card; no other is live. `shoe` is before two of those cards and the up card left it.
    """
    numbers = shoe.numbers
    rest = shoe.without(value, value, up + 1)
    if rest.left <= 0:
        return Tie(numbers.make(0), numbers.make(0))
    always, corrections = takings(rules)
    cost, error = numbers.make(0), numbers.make(0)
    if always:
        cost = max(rest.values[9 - up], cost) / rest.left
    ways = ways_to_split(most_hands(rules, value == 1), False, hands, waiting)
    for fates, sign in corrections:
        chance, bound = _sum_chances(rules, shoe, value, plays, up, fates, most, ways, [])
        cost, error = cost + sign * chance, error + bound
    return Tie(cost, error)


def price_of_a_live_hand(
    rules: Packed, shoe: Composition, value: int, seat: Priced, by: Decisions, rows: Array, up: int
) -> Number:
    """What a live hand costs a dealer's natural beside another hand of its kind: the chance that it is the only one.

    Where busted hands count towards the one wager, it is the chance that the other hand is not over 21.
    """
    busts = busts_count_as_taken(rules)
    counted = play_seat(rules, shoe, by.hands, counting(seat, live=busts, gone=not busts), rows, (up,), by)
    return live_share(rules, shoe, value, counted, rows[by.hands.of(value), up, -1], up)


def only_live(
    rules: Packed, shoe: Composition, value: int, plays: dict[int, Decisions], up: int, box: tuple[int, int],
    own: Ends | None, most: int,
) -> tuple[Number, Number]:  # fmt: skip
    """The chance of a dealer's natural that finds one hand live and no other, and a bound on its error.

    `own` are the live ends of that hand, none if only the others are asked for; the box has `box[0]` hands, of which
    `box[1]` are still to be played. `shoe` is what is left with two cards of the pair and the up card put back.
    """
    hands, waiting = box
    ways = ways_to_split(most_hands(rules, value == 1), False, hands, waiting)
    return _sum_chances(rules, shoe, value, plays, up, GONE | SAFE | GIVEN_UP, most, ways, [] if own is None else [own])


def _sum_chances(
    rules: Packed, shoe: Composition, value: int, plays: dict[int, Decisions], up: int, fates: int, most: int | None,
    ways: tuple[Way, ...], besides: list[Ends],
) -> tuple[Number, Number]:  # fmt: skip
    """The chance over all ways that their hands have one of `fates`, with hands of other lists besides."""
    lists: dict[tuple[int, bool], Ends] = {}
    met: list[Decisions] = []
    total, error = shoe.numbers.make(0), shoe.numbers.make(0)
    found = count_draws(shoe, value, up, 22 * (most_hands(rules, value == 1) + 1))
    fewest = min(len(way) for way in ways)
    for way in ways:
        chosen = list(besides)
        for hand in way:
            key = (place_of(plays[hand.known], met), hand.no_pair)
            if key not in lists:
                lists[key] = finish_hands(rules, value, plays[hand.known], up, fates, hand.no_pair)
            chosen.append(lists[key])
        if all(len(ends) for ends in chosen):
            chance, bound = chance_of(found, value, chosen, len(way) - fewest, most)
            total, error = total + chance, error + bound
    return total, error
