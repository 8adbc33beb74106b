"""Running the recursions: a seat's tables and a shoe in, the value of every hand against every up card out."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from pitboss.errors import PitbossError
from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.dealer_hands import ALL_UPS, Dealings, dealings, list_results
from pitboss.odds.cards.numbers import Array, Number, Numbers
from pitboss.odds.cards.suits import mean_premium, spread_premium, suits_matter
from pitboss.odds.hand.hand_tables import HandKind, HandTables, Seat, layers, tables
from pitboss.odds.hand.player_hands import VALUES, Bools, Hands, Ints
from pitboss.odds.hand.recursions import LANES, Choices, DealerTree, DealerWork, HandCards, Paid, Rest, Rights, Worths
from pitboss.play.bonuses import MIXED, PATTERN_678, PATTERN_777, bonus_code
from pitboss.play.dealer import dealer_looks
from pitboss.play.packed import Packed
from pitboss.play.surrender import surrender_after_own_cards

SUITED_BONUSES = (
    ((6, 7), bonus_code(21, 3, PATTERN_678, MIXED)),
    ((7, 7), bonus_code(21, 3, PATTERN_777, MIXED)),
)
"""Bonus hands that suits may raise: two of their cards, and their code."""


class Priced(NamedTuple):
    """A seat's tables, with payments in numbers of one kind."""

    tables: HandTables
    pay: Array
    pay_doubled: Array
    gone: Array
    forfeit: Array


class Decisions(NamedTuple):
    """A way to play. First index: layer; then hand, then up card."""

    hands: Hands
    decision: Ints
    given_up: Bools
    """A doubled hand of these cards takes its double back."""

    def part(self, hands: Hands) -> Decisions:
        """The same for some of the hands only."""
        if hands.start == self.hands.start:
            return self
        if self.hands.start:
            raise ValueError("only decisions for all hands have parts")
        cut = hands.origin
        return Decisions(
            hands, np.ascontiguousarray(self.decision[:, cut]), np.ascontiguousarray(self.given_up[:, cut])
        )


class Play(NamedTuple):
    """What the recursion found. First index: layer; then hand, then up card."""

    shoe: Composition
    """The cards it was played with, those of the hand and the up card among them."""
    by: Decisions
    value: Array
    acts: Array
    """Value of standing, hitting, doubling, whether allowed or not."""

    def draws(self, hand: tuple[int, ...], card: int, up: int) -> Number:
        """The chance that `card` comes next to a hand of these values against the up card of index `up`."""
        rest = self.shoe.without(*hand, up + 1)
        many: Number = max(rest.values[card - 1], 0 * rest.left)
        return many / rest.left


@functools.lru_cache(maxsize=1024)
def _price_hands(rules: Packed, seat: Seat, start: tuple[int, ...], numbers: Numbers) -> Priced:
    found = tables(rules, seat, start)
    payments = (found.pay, found.pay_doubled, found.gone, found.forfeit)
    return Priced(found, *(numbers.array(table) for table in payments))


def price_seat(rules: Packed, seat: Seat, shoe: Composition, start: tuple[int, ...] = ()) -> Priced:
    """The tables of a seat in numbers; bonus hands are paid their mean over the suits of the shoe."""
    found = _price_hands(rules, seat, start, shoe.numbers)
    if not suits_matter(rules):
        return found
    pay, doubled = found.pay.copy(), found.pay_doubled.copy()
    for pair, code in SUITED_BONUSES:
        mean = mean_premium(rules, shoe, *pair)
        for table, kinds, stakes in ((pay, found.tables.kinds, 1), (doubled, found.tables.kinds_doubled, 2)):
            for place, kind in enumerate(kinds):
                if kind.bonus == code:
                    table[place] = table[place] + (table[place] > 0) * (stakes * mean)
    return found._replace(pay=pay, pay_doubled=doubled)


def square_premiums(rules: Packed, shoe: Composition, kinds: tuple[HandKind, ...], stakes: int) -> Array:
    """What the suits of a bonus hand add to the mean square of its net beyond the square of the mean, by kind."""
    found = shoe.numbers.zeros(len(kinds))
    if suits_matter(rules):
        for pair, code in SUITED_BONUSES:
            spread = spread_premium(rules, shoe, *pair)
            for place, kind in enumerate(kinds):
                if kind.bonus == code:
                    found[place] = spread * stakes * stakes
    return found


def square_seat(rules: Packed, shoe: Composition, seat: Priced) -> Priced:
    """The seat with squares of payments in place of payments."""
    pay, doubled = seat.pay * seat.pay, seat.pay_doubled * seat.pay_doubled
    for table, money, kinds, stakes in (
        (pay, seat.pay, seat.tables.kinds, 1), (doubled, seat.pay_doubled, seat.tables.kinds_doubled, 2),
    ):  # fmt: skip
        table += (money > 0) * square_premiums(rules, shoe, kinds, stakes)[:, None]
    return seat._replace(pay=pay, pay_doubled=doubled, gone=seat.gone * seat.gone, forfeit=seat.forfeit * seat.forfeit)


def reprice_seat(seat: Priced, live_cost: Number, after: tuple[Number, Number, Number] | None = None) -> Priced:
    """The same seat where a dealer's natural takes `live_cost` from a live hand.

    `after`: what the rest of the box is worth once this hand is live, gone, or safe from a dealer's natural.
    """
    pay, doubled, gone, forfeit = (table.copy() for table in seat[1:])
    for table, safe in ((pay, seat.tables.safe), (doubled, seat.tables.safe_doubled)):
        table[~safe, -1] = -live_cost
        if after is not None:
            table[~safe] = table[~safe] + after[0]
            table[safe] = table[safe] + after[2]
    if after is not None:
        gone[1:] = gone[1:] + after[1]
        forfeit[:] = forfeit + after[1]
    return seat._replace(pay=pay, pay_doubled=doubled, gone=gone, forfeit=forfeit)


def counting(seat: Priced, *, live: bool, gone: bool) -> Priced:
    """The seat with payments that count, in place of money, the dealer's naturals that find the hand so.

    Hands safe from a natural and doubles taken back are always counted.
    """
    pay, doubled, busted, forfeit = (0 * table for table in seat[1:])
    pay[seat.tables.safe | live, -1] += 1
    doubled[seat.tables.safe_doubled | live, -1] += 1
    busted[1:, 1] += int(gone)
    forfeit[1] += 1
    return seat._replace(pay=pay, pay_doubled=doubled, gone=busted, forfeit=forfeit)


def count_naturals(seat: Priced) -> Priced:
    """The seat with payments that count, in place of money, the dealer's naturals that take the hand."""
    pay, doubled, busted, forfeit = (0 * table for table in seat[1:])
    pay[~seat.tables.safe, -1] += 1
    doubled[~seat.tables.safe_doubled, -1] += 1
    return seat._replace(pay=pay, pay_doubled=doubled, gone=busted, forfeit=forfeit)


def without_naturals(seat: Priced) -> Priced:
    """The seat where a dealer's natural has ended the round before anybody acts: the opening hand has lost to it."""
    pay, doubled, gone, forfeit = (table.copy() for table in seat[1:])
    pay[:, -1], doubled[:, -1], gone[:, 1], forfeit[1] = (0 * table.flat[0] for table in (pay, doubled, gone, forfeit))
    return seat._replace(pay=pay, pay_doubled=doubled, gone=gone, forfeit=forfeit)


def within(hands: Hands, shoe: Composition) -> Ints:
    """The hands that the shoe can deal, fullest first."""
    if shoe.step == 0 or min(shoe.values) >= MOST_OF_A_VALUE:
        return hands.backwards
    can_be = np.all(hands.held <= np.asarray(shoe.values, dtype=float), axis=1)
    return hands.backwards if can_be.all() else np.ascontiguousarray(hands.backwards[can_be[hands.backwards]])


MOST_OF_A_VALUE = 21
"""No hand holds more cards of one value."""


def dealable(dealer: Dealings, shoe: Composition) -> Dealings:
    """The dealer's hands without those that a small shoe cannot deal."""
    if shoe.step == 0 or shoe.left > SMALL_SHOE:
        return dealer
    short: Bools = np.array(dealer.node_nth >= np.asarray(shoe.values, dtype=float)[dealer.node_rank])
    short[0] = False
    for node in range(1, len(short)):
        short[node] |= short[dealer.node_parent[node]]
    kept = np.flatnonzero(~short)
    number = np.cumsum(~short) - 1
    ends = ~short[dealer.end_node]
    return Dealings(
        number[dealer.node_parent[kept]], dealer.node_rank[kept], dealer.node_nth[kept], dealer.node_size[kept],
        number[dealer.end_node[ends]], dealer.end_place[ends], dealer.end_ways[ends], dealer.results,
    )  # fmt: skip


SMALL_SHOE = 60
"""Shoes of up to this many cards get their own list of dealer's hands."""


def refuse_surrender_after_own_cards(rules: Packed) -> None:
    """The recursions weigh surrender against the other decisions for the first two cards only."""
    if surrender_after_own_cards(rules):
        raise PitbossError("the odds do not cover a surrender after one's own third card")


def find_distributions(
    rules: Packed, shoe: Composition, hands: Hands, order: Ints | None = None, ups: tuple[int, ...] = ALL_UPS
) -> Array:
    """The dealer's distribution of results: `rows[hand, up, result]`, for hands of `order` and up cards `ups`."""
    order = within(hands, shoe) if order is None else order
    if shoe.distributions is not None:
        results = len(list_results(rules))
        return shoe.distributions.rows(shoe.values, hands, order, results, functools.partial(_work_out, rules, shoe))
    rows = shoe.numbers.zeros(len(hands.cards), VALUES, len(list_results(rules)))
    _deal(rules, shoe, shoe.values, shoe.left, order, hands.held, hands.cards, ups, rows)
    return rows


def _work_out(rules: Packed, shoe: Composition, out: Ints, rows: Array) -> None:
    """The dealer's distributions for a full shoe without each row of `out`."""
    assert shoe.distributions is not None
    whole = shoe.distributions.whole.astype(float)
    _deal(rules, shoe, whole, whole.sum(), np.arange(len(out)), out, out.sum(axis=1), shoe.distributions.ups, rows)


def _deal(
    rules: Packed, shoe: Composition, values: Array, left: Number, order: Ints, held: Ints, cards: Ints,
    ups: tuple[int, ...], rows: Array,
) -> None:  # fmt: skip
    numbers, dealer = shoe.numbers, dealable(dealings(rules, ups), shoe)
    work = DealerWork(
        have=numbers.zeros(VALUES, LANES),
        parts=numbers.zeros(max(int(dealer.node_size.max()), 2) + 1, LANES),
        products=numbers.zeros(len(dealer.node_parent), LANES),
        distribution=numbers.zeros(VALUES * len(dealer.results), LANES),
    )
    numbers.kernel("dealer_rows")(
        order, np.array(ups, dtype=np.int64), Rest(values, left, shoe.step), held, cards,
        DealerTree(*dealer[:7]), work, numbers.make(1), rows,
    )  # fmt: skip


def deal_without(rules: Packed, shoe: Composition, out: Ints, ups: tuple[int, ...] = ALL_UPS) -> Array:
    """The dealer's distribution of results with the cards of each row of `out` out: `rows[row, up, result]`."""
    rows = shoe.numbers.zeros(len(out), VALUES, len(list_results(rules)))
    if len(out):
        _deal(rules, shoe, shoe.values, shoe.left, np.arange(len(out)), out, out.sum(axis=1), ups, rows)
    return rows


def hand_cards(hands: Hands) -> HandCards:
    """Hands as the recursions take them."""
    return HandCards(hands.held, hands.cards, hands.aces, hands.after)


def play_seat(
    rules: Packed, shoe: Composition, hands: Hands, seat: Priced, rows: Array,
    ups: tuple[int, ...] = ALL_UPS, judge: Decisions | None = None,
) -> Play:  # fmt: skip
    """The value of every hand: by the best decisions, or by those of `judge`.

    Against an up card under which the dealer looks for a natural, it is the value of rounds that go on.
    """
    numbers = shoe.numbers
    shape = (layers(rules), len(hands.cards), VALUES)
    found = Worths(numbers.zeros(*shape), numbers.zeros(*shape), numbers.zeros(*shape), numbers.zeros(*shape, 3))
    by = judge or Decisions(hands, np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.bool_))
    looked = tuple(up for up in ups if dealer_looks(rules, up))
    others = tuple(up for up in ups if up not in looked)
    for some, money in ((others, seat), (looked, without_naturals(seat) if looked else seat)):
        if some:
            numbers.kernel("play_hands")(
                within(hands, shoe), np.array(some, dtype=np.int64), judge is not None,
                shoe.rest, hand_cards(hands), rows,
                Rights(*seat.tables[:9]), Paid(*money[1:]), numbers.make(1), Choices(by.decision, by.given_up), found,
            )  # fmt: skip
    return Play(shoe, by, found.value, found.acts)
