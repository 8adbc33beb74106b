"""What a split is worth: every number of hands it can come to, each hand played without memory of the others' cards.

The player splits again whenever the rules allow. Given which second cards were pairs and which were not, a hand that
is played by its own cards alone is worth the same whatever became of the others, so the value of the box is a sum over
its hands; that another hand's second card was no pair enters by inclusion and exclusion. Only what a dealer's natural
takes can tie hands together: that part is counted over the hands jointly (`coupling`).
"""

from __future__ import annotations

import functools
from math import comb
from typing import NamedTuple, TypeVar

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.hand_tables import Seat
from pitboss.odds.hand.player_hands import VALUES, Ints, hands_with
from pitboss.odds.hand.solver import Decisions, Play, Priced, find_distributions, play_seat
from pitboss.play.doubling import aces_fixed
from pitboss.play.hands import TEN
from pitboss.play.packed import Packed
from pitboss.play.splitting import cards_match, most_hands, own_stake_last, split_is_free


class HandOfSplit(NamedTuple):
    """One hand of a box that has split."""

    own: bool
    """It holds the original wager."""
    known: int
    """Hands the box had when this one was played."""
    no_pair: bool
    """Its second card is known to be no pair; else anything."""


Way = tuple[HandOfSplit, ...]
"""A way in which a split can go: its hands in the order of play."""


@functools.cache
def ways_to_split(most: int, own_last: bool, hands: int = 2, waiting: int = 2) -> tuple[Way, ...]:
    """Every way a split can go when each pair is split again up to `most` hands; so far it has `hands`, of which
    `waiting` have one card. The original wager lies on the last of them, or on the first."""
    found: list[Way] = []

    def deal(hands: int, waiting: int, played: Way) -> None:
        if waiting == 0 or hands == most:
            way = (*played, *(HandOfSplit(False, hands, False) for _ in range(waiting)))
            own = len(way) - 1 if own_last else 0
            found.append(tuple(hand._replace(own=place == own) for place, hand in enumerate(way)))
            return
        deal(hands + 1, waiting + 1, played)
        deal(hands, waiting - 1, (*played, HandOfSplit(False, hands, True)))

    deal(hands, waiting, ())
    return tuple(found)


def seat_of(rules: Packed, value: int, own: bool) -> Seat:
    """The seat of a hand made by splitting cards of this value; `own`: the original wager lies on it."""
    return Seat(True, value == 1, split_is_free(rules, value) and not own, own)


def pair_cards(rules: Packed, shoe: Composition, value: int) -> Array:
    """Cards that pair with a card of this value, by up card: tens of one rank where ranks must be equal.

    The up card has left the shoe, the pair itself has not. A ten shown is of the pair's rank as often as chance has it.
    """
    if value != 10 or cards_match(rules, 10, 10, TEN, TEN + 1):
        many: Array = shoe.numbers.zeros(VALUES) + shoe.values[value - 1]
        many[value - 1] -= shoe.step
        return many
    of_one_rank, all_tens = max(shoe.tens), shoe.values[9]
    many = shoe.numbers.zeros(VALUES) + of_one_rank
    if all_tens > 2 * shoe.step:
        many[9] -= shoe.step * (of_one_rank - 2 * shoe.step) / (all_tens - 2 * shoe.step)
    return many


class Second(NamedTuple):
    """The value of a hand of a split before its second card, by up card."""

    any: Array
    no_pair: Array
    """The same, counted only where the second card is no pair."""


def second_cards(rules: Packed, shoe: Composition, value: int, out: int, found: Play) -> Second:
    """The value of a hand that begins with `value` when `out` cards of that value are out, its own among them.

    `shoe` is before any of them left it.
    """
    rest = shoe.without(*(value,) * out)
    layer, grown = starts(rules, value).T
    worth = found.value[layer, grown, :]
    many = rest.values[:, None] - shoe.step * np.eye(VALUES, dtype=np.int64)
    many = np.where(many > 0, many, 0 * many) / (rest.left - shoe.step)
    every = (many * worth).sum(axis=0)
    pairs = pair_cards(rules, shoe, value) - shoe.step * out
    paired = np.where(pairs > 0, pairs, 0 * pairs) / (rest.left - shoe.step)
    return Second(every, every - paired * worth[value - 1])


@functools.lru_cache(maxsize=1024)
def starts(rules: Packed, value: int) -> Ints:
    """Layer and hand of every two-card hand that begins with `value`, among the hands that hold it."""
    hands = hands_with((value,))
    single = hands.of(value)
    cards = range(VALUES)
    layer = (aces_fixed(rules, int(value == 1) + int(card == 0)) for card in cards)
    return np.array([(row, int(hands.after[single, card])) for row, card in zip(layer, cards, strict=True)])


def find_needed_hands(
    rules: Packed, shoe: Composition, value: int, seat: Priced, judge: Decisions, ups: tuple[int, ...]
) -> Ints:
    """The hands, fullest first, at which play of a split hand can end by the decisions of `judge`."""
    hands = hands_with((value,))
    needed = np.zeros(len(hands.cards), dtype=np.bool_)
    reached = np.zeros((2, judge.decision.shape[0], len(hands.cards)), dtype=np.bool_)
    shoe.numbers.kernel("mark_needed")(
        starts(rules, value), np.array(ups, dtype=np.int64), hands.backwards, judge.decision,
        seat.tables.complete, seat.tables.redraws, hands.after, reached, needed,
    )  # fmt: skip
    return np.ascontiguousarray(hands.backwards[needed[hands.backwards]])


Part = tuple[bool, int, bool, int]
"""A hand of a split as it is counted: with the original wager, hands known, no pair, cards of the value out."""


def pair_chances(rules: Packed, shoe: Composition, value: int, most: int) -> list[Array]:
    """The chance, by up card, that so many given cards are all pairs; `shoe` is before the pair left it."""
    numbers = shoe.numbers
    pairs = pair_cards(rules, shoe, value)
    chances = [numbers.zeros(VALUES) + numbers.make(1)]
    for taken in range(2 * most):
        many = pairs - shoe.step * (2 + taken)
        left = shoe.left - shoe.step * (3 + taken)
        chances.append(chances[-1] * np.where(many > 0, many, 0 * many) / (left if left > 0 else numbers.make(1)))
    return chances


def coefficients(
    rules: Packed, shoe: Composition, value: int, own_last: bool, hands: int = 2, waiting: int = 2
) -> dict[Part, Array]:
    """How often each hand of a split counts, by up card; `shoe` is before the pair and the up card left it.

    The box has `hands`, of which `waiting` have one card.
    """
    most = most_hands(rules, value == 1)
    chances = pair_chances(rules, shoe, value, most)
    weights: dict[Part, Array] = {}
    for way in ways_to_split(most, own_last, hands, waiting):
        singles = sum(hand.no_pair for hand in way)
        split = len(way) - waiting
        for hand in way:
            others = singles - hand.no_pair
            for out in range(others + 1):
                part = (hand.own, hand.known, hand.no_pair, 2 + split + out)
                weight = (-1) ** out * comb(others, out) * chances[split + out]
                weights[part] = weights[part] + weight if part in weights else weight
    return weights


class SplitPlay(NamedTuple):
    """How the hands of a split are played, by hands known: the hand with the original wager, and the others."""

    own: dict[int, Decisions]
    others: dict[int, Decisions]


Thing = TypeVar("Thing")


def place_of(one: Thing, met: list[Thing]) -> int:
    """The place of this very thing among those met, to which it is added if it is new."""
    for place, other in enumerate(met):
        if other is one:
            return place
    met.append(one)
    return len(met) - 1


def separate_value(
    rules: Packed, shoe: Composition, value: int, seats: tuple[Priced, Priced], plays: SplitPlay, ups: tuple[int, ...],
    *, hands: int = 2, waiting: int = 2, only_first: bool = False,
) -> Array:  # fmt: skip
    """The value of splitting two cards of `value`, by up card, as far as hands do not depend on one another.

    `shoe` is before the two cards and the up card left it; `seats` are those of the hand with the original wager and of
    the others. The box has `hands`, of which `waiting` have one card and are counted; with `only_first` the first of
    them alone.
    """
    some, own_last = hands_with((value,)), own_stake_last(rules, value)
    total = shoe.numbers.zeros(VALUES)
    done: dict[tuple[int, int, int], Second] = {}
    distributions: dict[tuple[int, int], Array] = {}
    met: list[Decisions] = []
    parts = coefficients(rules, shoe, value, own_last and not only_first, hands, waiting)
    for (own, known, no_pair, out), weight in parts.items():
        if not any(weight[up] != 0 for up in ups) or (only_first and not own):
            continue
        own_play = own and not (only_first and own_last)
        judge = (plays.own if own_play else plays.others)[known]
        seat = 0 if own or seats[0] is seats[1] else 1
        number = place_of(judge, met)
        key = (seat, number, out)
        if key not in done:
            rest = shoe.without(*(value,) * (out - 1))
            if (number, out) not in distributions:
                needed = find_needed_hands(rules, shoe, value, seats[seat], judge, ups)
                distributions[number, out] = find_distributions(rules, rest, some, needed, ups)
            found = play_seat(rules, rest, some, seats[seat], distributions[number, out], ups, judge)
            done[key] = second_cards(rules, shoe, value, out, found)
        part = done[key].no_pair if no_pair else done[key].any
        total = total + np.where(weight != 0, weight * part, 0 * weight)
    return total


def live_share(rules: Packed, shoe: Composition, value: int, found: Play, natural: Number, up: int) -> Number:
    """What `found` counts, as a share of the dealer's naturals: over all second cards, nothing else being out."""
    return second_cards(rules, shoe, value, 1, found).any[up] / natural if natural > 0 else 0 * natural
