"""Splitting, for every pair and up card: how the hands of a split are played, and what the box is then worth.

Methods, as the literature names them. The hands of a split are played by their own cards alone: `CDZ-` as an unsplit
hand of the same cards would be; `CDP1` knowing that one more card of the pair is gone; `CDP` knowing how many are. In
each, a hand knows what it costs: a token costs nothing, and where a dealer's natural takes one wager from all live
hands of a box together, a second live hand costs little. An infinite deck is played with memory of that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.dealer_hands import ALL_UPS
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.hand.hand_tables import MAIN, Seat, tables
from pitboss.odds.hand.player_hands import VALUES, hands_with
from pitboss.odds.hand.solver import Decisions, Priced, find_distributions, play_seat, price_seat, reprice_seat
from pitboss.odds.splits.coupling import is_coupled, price_of_a_live_hand, tie
from pitboss.odds.splits.infinite_deck import split_with_memory
from pitboss.odds.splits.split_values import SplitPlay, seat_of, separate_value
from pitboss.play.packed import Packed
from pitboss.play.splitting import most_hands

METHODS = ("CDZ-", "CDP1", "CDP")

ROUNDS_OF_PRICING = 4
"""How often the price of a second live hand is recomputed from the play that it leads to."""


class SplitWorth(NamedTuple):
    """What splitting cards of one value is worth, by up card, how far off that can be, and how its hands are played."""

    value: Array
    error: Array
    plays: dict[int, SplitPlay]
    """By up card, as far as it is other than `plays[-1]`."""


Judge = Callable[[Seat], Decisions]
"""A strategy somebody brings: how the hands of a seat are played."""


def split_worth(
    rules: Packed, shoe: Composition, value: int, rows: Array, main: Decisions, otherwise: Array,
    method: str = "CDZ-", judge: Judge | None = None, ups: tuple[int, ...] = ALL_UPS, most: int | None = None,
) -> SplitWorth:  # fmt: skip
    """The value of splitting two cards of `value`, by up card.

    `rows` and `main` are the dealer's distribution and the play of unsplit hands that hold `value`; `otherwise[up]` is
    what the pair is worth unsplit: where a split cannot come near it, the tie between its hands is approximated.
    With a `judge`, the hands of the split are played as it says. Against up cards not in `ups` the value is the least
    that is. `most`: combinations of hands that are counted one by one.
    """
    numbers, hands = shoe.numbers, hands_with((value,))
    seats = seat_of(rules, value, True), seat_of(rules, value, False)
    own, others = (price_seat(rules, seat, shoe, (value,)) for seat in seats)
    others = own if _same_play(rules, *seats, value) else others
    worth, error = numbers.zeros(VALUES) - 2 * most_hands(rules, value == 1), numbers.zeros(VALUES)
    plays: dict[int, SplitPlay] = {}
    tied_ups = tuple(up for up in ups if is_coupled(rules, value, up))
    ups = tuple(up for up in ups if up not in tied_ups)
    for up in tied_ups:
        if shoe.holds(value, value, up + 1):
            tied = _Tied(rules, shoe, value, up, own, rows, judge, method, most)
            worth[up], error[up], plays[up] = tied.worth(otherwise[up])
    decisions: list[dict[int, Decisions]] = []
    for seat, priced_seat in zip(seats, (own, others), strict=True):
        if priced_seat is own and decisions:
            decisions.append(decisions[0])
        elif judge is not None:
            decisions.append(_always(rules, value, judge(seat).part(hands)))
        elif method == "CDZ-" and _same_play(rules, MAIN, seat, value):
            decisions.append(_always(rules, value, main.part(hands)))
        else:
            decisions.append(play_split(rules, shoe, value, priced_seat, rows, method, ups))
    plays[-1] = SplitPlay(*decisions)
    if ups:
        worth[list(ups)] = separate_value(rules, shoe, value, (own, others), plays[-1], ups)[list(ups)]
    return SplitWorth(worth, error, plays)


class Waiting(NamedTuple):
    """Hands of a box that have one card: how many hands there are, how many wait, what is known of the others."""

    hands: int
    waiting: int
    own: bool
    """One that waits holds the original wager."""
    spared: bool
    """Another hand is live already: a dealer's natural takes no more for these."""


def waiting_worth(
    rules: Packed, shoe: Composition, value: int, up: int, plays: SplitPlay, box: Waiting, most: int
) -> tuple[Number, Number]:
    """What the waiting hands of a box are worth, and how far off that can be.

    `shoe` is what is left with two cards of the pair and the up card put back.
    """
    if not box.waiting:
        return shoe.numbers.make(0), shoe.numbers.make(0)
    own, others = (price_seat(rules, seat_of(rules, value, own), shoe, (value,)) for own in (box.own, False))
    tied = is_coupled(rules, value, up)
    if tied:
        own = others = reprice_seat(own, shoe.numbers.make(0))
    worth = separate_value(
        rules, shoe, value, (own, others), plays, (up,), hands=box.hands, waiting=box.waiting
    )[up]  # fmt: skip
    if not tied or box.spared:
        return worth, 0 * worth
    found = tie(rules, shoe, value, plays.own, up, most, box.hands, box.waiting)
    return worth - found.cost, found.error


def _always(rules: Packed, value: int, by: Decisions) -> dict[int, Decisions]:
    """The same decisions however many hands there are."""
    return dict.fromkeys(range(2, most_hands(rules, value == 1) + 1), by)


def play_split(
    rules: Packed, shoe: Composition, value: int, seat: Priced, rows: Array, method: str, ups: tuple[int, ...]
) -> dict[int, Decisions]:
    """The best play of a split hand under a method, by the number of hands the box has when it is played."""
    hands, most = hands_with((value,)), most_hands(rules, value == 1)
    alone = play_seat(rules, shoe, hands, seat, rows, ups).by
    found = _always(rules, value, alone)
    if method == "CDZ-":
        return found
    for known in range(2, most + 1):
        rest = shoe.without(*(value,) * (known - 1))
        if method == "CDP1" and known > 2:
            found[known] = found[2]
        elif all(many >= 0 for many in rest.values):
            found[known] = play_seat(rules, rest, hands, seat, find_distributions(rules, rest, hands, ups=ups), ups).by
    return found


@functools.lru_cache(maxsize=1024)
def _same_play(rules: Packed, one: Seat, other: Seat, value: int) -> bool:
    """Hands that hold `value` may do and are paid the same in two seats."""
    mine, theirs = (tables(rules, seat, (value,)) for seat in (one, other))
    pays = all(getattr(mine, name) == getattr(theirs, name) for name in ("pay", "pay_doubled", "gone", "forfeit"))
    return pays and mine.kinds == theirs.kinds and all(map(np.array_equal, mine[:9], theirs[:9]))


class _Tied(NamedTuple):
    """A split against one up card whose hands owe a dealer's natural one wager together."""

    rules: Packed
    shoe: Composition
    value: int
    up: int
    seat: Priced
    rows: Array
    judge: Judge | None
    method: str
    most: int | None

    def worth(self, otherwise: Number) -> tuple[Number, Number, SplitPlay]:
        """The value of the split, its error, and how its hands are played."""
        rules, shoe, value, up = self.rules, self.shoe, self.value, self.up
        plays, price = self.at_price()
        split = SplitPlay(plays, plays)
        if shoe.step == 0 and self.judge is None:
            return split_with_memory(rules, shoe, value, up, self.seat, self.rows), shoe.numbers.make(0), split
        free = reprice_seat(self.seat, shoe.numbers.make(0))
        separate = separate_value(rules, shoe, value, (free, free), split, (up,))[up]
        rest = shoe.without(value, value, up + 1)
        natural = max(rest.values[9 - up], 0 * rest.left) / rest.left
        far = self.most is None and separate - natural * (1 - price) < otherwise - MARGIN
        found = tie(rules, shoe, value, plays, up, FEW if far else self.most)
        return separate - found.cost, found.error, split

    def at_price(self) -> tuple[dict[int, Decisions], Number]:
        """How the hands are played, knowing what one more live hand costs; and that price."""
        rules, shoe, value, up, hands = self.rules, self.shoe, self.value, self.up, hands_with((self.value,))
        price = shoe.numbers.make(1)
        if self.judge is not None:
            return _always(rules, value, self.judge(seat_of(rules, value, True)).part(hands)), price
        by = play_seat(rules, shoe, hands, self.seat, self.rows, (up,)).by
        for _ in range(ROUNDS_OF_PRICING):
            before, price = price, price_of_a_live_hand(rules, shoe, value, self.seat, by, self.rows, up)
            if before == price:
                break
            by = play_seat(rules, shoe, hands, reprice_seat(self.seat, price), self.rows, (up,)).by
        if self.method == "CDZ-":
            return _always(rules, value, by), price
        return play_split(rules, shoe, value, reprice_seat(self.seat, price), self.rows, self.method, (up,)), price


MARGIN = Fraction(1, 20)
"""How much a split must miss by, at the price of a live hand, for its tie to be counted with less care."""

FEW = 200_000
"""Combinations of hands that are counted one by one where it matters little."""
