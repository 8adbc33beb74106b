"""From the rules of play to tables: what every hand may do and what it is paid, as `play` answers hand by hand.

A `Seat` is a situation in which a hand is played: the box's one hand, a hand made by a split, a hand on a free token.
Hands that differ only in cards that no rule looks at are of one `HandKind`: a row of payments by the dealer's result.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pitboss.odds.cards.dealer_hands import list_results
from pitboss.odds.hand.player_hands import Bools, Hands, Ints, all_hands, hands_with
from pitboss.play.bonuses import MIXED, NO_PATTERN, PATTERN_678, PATTERN_777, bonus_paid, win_odds
from pitboss.play.doubling import aces_fixed, double_is_free, doubled_must_draw, may_double, may_take_back
from pitboss.play.drawing import draws_itself, may_stand, stands_at_line, takes_no_card
from pitboss.play.hands import total
from pitboss.play.naturals import natural_odds
from pitboss.play.packed import Packed
from pitboss.play.settlement import (
    LOSE_DEALER_NATURAL,
    WIN_NATURAL,
    busted_double_returns,
    dealer_natural_loss,
    loses,
    outcome,
    wins,
)

Payments = tuple[tuple[Fraction, ...], ...]
Entry = TypeVar("Entry", np.bool_, np.int64)

MANY = 8
"""Hands of this many cards and more are alike to every rule."""


class Seat(NamedTuple):
    """A situation in which a hand is played."""

    split: bool = False
    aces: bool = False
    """The hand was made by splitting aces."""
    token: bool = False
    """Its stake is a free token: it wins like money and costs nothing."""
    holds_original: bool = True


MAIN = Seat()


class HandKind(NamedTuple):
    """What settlement looks at in a finished hand."""

    points: int
    cards: int
    bonus: int


name_kind = functools.cache(HandKind)
"""A kind by its numbers. One object of each is enough: games and seats have most in common."""


class HandTables(NamedTuple):
    """What the recursion needs to know about a seat. Arrays by hand, or by layer and hand."""

    complete: Bools
    may_stand: Bools
    may_double: Bools
    draws: Bools
    """The dealer draws to the hand automatically."""
    goes_on: Bools
    """The dealer draws again, having begun."""
    redraws: Bools
    """A doubled hand must take another card."""
    rescues: Bools
    """A doubled hand may take its double back."""
    kind: Ints
    kind_doubled: Ints
    pay: Payments
    pay_doubled: Payments
    gone: Payments
    """What no, one, two stakes over 21 cost: in general, and against a dealer's natural."""
    forfeit: tuple[Fraction, Fraction]
    """What a double taken back costs, in general and against a dealer's natural."""
    safe: Bools
    """By kind: a dealer's natural does not take the hand."""
    safe_doubled: Bools
    kinds: tuple[HandKind, ...]
    kinds_doubled: tuple[HandKind, ...]


def layers(rules: Packed) -> int:
    """Layers of the recursion, by aces that a double fixes: three where those among the first two cards count one."""
    return 1 + aces_fixed(rules, 2)


@functools.lru_cache(maxsize=1024)
def tables(rules: Packed, seat: Seat = MAIN, start: tuple[int, ...] = ()) -> HandTables:
    """The tables of a seat, for the hands that hold `start`."""
    if start:
        return _part(tables(rules, seat), hands_with(start).origin)
    hands, depth = all_hands(), layers(rules)
    single = _by_key(lambda hard, aces, cards: _single(rules, seat, hard, aces, cards))
    ask = functools.cache(functools.partial(_double_hand, rules, seat))
    doubled = [
        _by_key(lambda hard, aces, cards, fixed=layer: ask(total(hard, max(aces - fixed, 0)), cards))  # type: ignore[misc]
        for layer in range(depth)
    ]
    kinds, kind = _kinds(rules, hands, single[:, 0], doubled=False)
    kinds_doubled, kind_doubled = _kinds_doubled(rules, hands, doubled)
    stakes = _stakes(rules, seat)
    return HandTables(
        complete=single[:, 1] != 0,
        may_stand=single[:, 2] != 0,
        may_double=np.stack([single[:, 3] != 0] * depth),
        draws=np.stack([single[:, 4] != 0] * depth),
        goes_on=np.stack([single[:, 5] != 0] * depth),
        redraws=np.stack([rows[:, 1] != 0 for rows in doubled]),
        rescues=np.stack([rows[:, 2] != 0 for rows in doubled]),
        kind=kind,
        kind_doubled=kind_doubled,
        pay=_payments(rules, seat, kinds, *stakes[1]),
        pay_doubled=_payments(rules, seat, kinds_doubled, *stakes[2]),
        gone=((Fraction(0), Fraction(0)), _price_loss(stakes[1][0]), _price_busted_double(rules, stakes)),
        forfeit=_price_loss(stakes[1][0]),
        safe=np.array([_safe(rules, seat, found) for found in kinds]),
        safe_doubled=np.array([_safe(rules, seat, found) for found in kinds_doubled]),
        kinds=tuple(kinds),
        kinds_doubled=tuple(kinds_doubled),
    )


def _part(whole: HandTables, origin: Ints) -> HandTables:
    """The tables for some of the hands."""

    def some(table: NDArray[Entry]) -> NDArray[Entry]:
        return np.ascontiguousarray(table[..., origin])

    return whole._replace(
        complete=some(whole.complete),
        may_stand=some(whole.may_stand),
        may_double=some(whole.may_double),
        draws=some(whole.draws),
        goes_on=some(whole.goes_on),
        redraws=some(whole.redraws),
        rescues=some(whole.rescues),
        kind=some(whole.kind),
        kind_doubled=some(whole.kind_doubled),
    )


# ---------------------------------------------------------------------- what a hand may do


@functools.cache
def _keys_of_hands() -> tuple[list[list[int]], Ints]:
    """Every sum, number of aces and number of cards that a hand has, and the place of each hand's among them."""
    hands = all_hands()
    keys, place = np.unique(np.stack((hands.hard, hands.aces, hands.cards), axis=1), axis=0, return_inverse=True)
    return keys.tolist(), place.reshape(-1).astype(np.int64)


def _by_key(ask: Callable[[int, int, int], tuple[int, ...]]) -> Ints:
    """The answers of `ask` for every hand, asked once for each sum, number of aces and number of cards."""
    keys, place = _keys_of_hands()
    return np.array([ask(*key) for key in keys], dtype=np.int64)[place]


def _single(rules: Packed, seat: Seat, hard: int, aces: int, cards: int) -> tuple[int, ...]:
    complete = takes_no_card(rules, hard, aces, cards, seat.aces, False)
    stands = may_stand(rules, hard, aces, seat.aces)
    doubles = may_double(rules, hard, aces, cards, seat.split, seat.aces)
    draws = not complete and cards > 1 and draws_itself(rules, hard, aces, cards, False, doubles, False)
    goes_on = not complete and draws_itself(rules, hard, aces, cards, True, doubles, False)
    ends = complete or (cards > 1 and not draws and stands_at_line(rules, hard, aces))
    return total(hard, aces), ends, stands, doubles, draws, goes_on


def _double_hand(rules: Packed, seat: Seat, points: int, cards: int) -> tuple[int, ...]:
    return points, doubled_must_draw(rules, points), may_take_back(rules, points, cards, seat.split)


def _kinds(rules: Packed, hands: Hands, points: Ints, *, doubled: bool) -> tuple[list[HandKind], Ints]:
    """The kinds of finished hands and the kind of each hand; a bonus by suits is that of mixed ones."""
    codes = np.zeros(len(points), dtype=np.int64)
    for many in (5, 6, 7):
        alike = (points == 21) & (np.minimum(hands.cards, 7) == many)
        codes[alike] = bonus_paid(rules, 21, many, NO_PATTERN, MIXED, doubled)
    codes[hands.of(6, 7, 8)] = bonus_paid(rules, 21, 3, PATTERN_678, MIXED, doubled)
    codes[hands.of(7, 7, 7)] = bonus_paid(rules, 21, 3, PATTERN_777, MIXED, doubled)
    shape = (int(points.max()) + 1, MANY + 1, int(codes.max()) + 1)
    looks = np.ravel_multi_index((points, np.minimum(hands.cards, MANY), codes), shape)
    keys, place = np.unique(looks, return_inverse=True)
    kinds = np.stack(np.unravel_index(keys, shape), axis=1).tolist()
    return [name_kind(*kind) for kind in kinds], place.astype(np.int64)


def _kinds_doubled(rules: Packed, hands: Hands, by_layer: list[Ints]) -> tuple[list[HandKind], Ints]:
    found: dict[HandKind, int] = {}
    rows = []
    for answers in by_layer:
        kinds, place = _kinds(rules, hands, answers[:, 0], doubled=True)
        numbers = np.array([found.setdefault(kind, len(found)) for kind in kinds], dtype=np.int64)
        rows.append(numbers[place])
    return list(found), np.stack(rows)


# ---------------------------------------------------------------------- what a hand is paid


def _stakes(rules: Packed, seat: Seat) -> dict[int, tuple[int, int]]:
    """Money at risk and money that wins, single and doubled, for an original wager of one."""
    money = 0 if seat.token else 1
    return {1: (money, 1), 2: (money + (not double_is_free(rules)), 2)}


def decide_limb(rules: Packed, seat: Seat, kind: HandKind, dealer_points: int, dealer_natural: bool) -> int:
    """Which limb of the settlement rules decides a finished hand."""
    return outcome(rules, kind.points, kind.cards, False, seat.split, dealer_points, dealer_natural)


def dealer_hands(rules: Packed) -> tuple[tuple[int, bool], ...]:
    """The dealer's total and whether it is a natural, by result; over 21 is 23, whatever it is."""
    results = list_results(rules)
    return (*((points, False) for points in results[:-2]), (23, False), (21, True))


def _payments(rules: Packed, seat: Seat, kinds: Sequence[HandKind], money: int, winning: int) -> Payments:
    """Net results of finished hands by kind and by the dealer's result."""

    @functools.cache
    def pay(code: int, bonus: int) -> Fraction:
        if wins(code):
            return winning * Fraction(*win_odds(rules, bonus))
        if code == LOSE_DEALER_NATURAL:
            base = 0 if seat.token else 1
            return -Fraction(dealer_natural_loss(rules, 1, 0, money, seat.holds_original, base, 0))
        return Fraction(-money if loses(code) else 0)

    @functools.cache
    def pay_row(codes: tuple[int, ...], bonus: int) -> tuple[Fraction, ...]:
        return tuple(pay(code, bonus) for code in codes)

    dealers = dealer_hands(rules)
    return tuple(
        pay_row(tuple(decide_limb(rules, seat, kind, *dealer) for dealer in dealers), kind.bonus) for kind in kinds
    )


@functools.lru_cache(maxsize=256)
def one_card_payments(rules: Packed, seat: Seat) -> Payments:
    """Net results by kind of doubled hand for a stake that stays single, by the dealer's result."""
    money, winning = _stakes(rules, seat)[1]
    return _payments(rules, seat, tables(rules, seat).kinds_doubled, money, winning)


def _price_loss(money: int) -> tuple[Fraction, Fraction]:
    """What stakes lost before the dealer's hand cost, in general and against a dealer's natural."""
    return Fraction(-money), Fraction(-money)


def _price_busted_double(rules: Packed, stakes: dict[int, tuple[int, int]]) -> tuple[Fraction, Fraction]:
    """What a doubled hand over 21 costs: a dealer's natural may give the double back."""
    single, both = stakes[1][0], stakes[2][0]
    return Fraction(-both), Fraction(-single if busted_double_returns(rules, True) else -both)


def _safe(rules: Packed, seat: Seat, kind: HandKind) -> bool:
    return kind.points <= 21 and decide_limb(rules, seat, kind, 21, True) != LOSE_DEALER_NATURAL


# ---------------------------------------------------------------------- naturals


def natural_payments(rules: Packed) -> tuple[Fraction, ...]:
    """Net result of a player's natural that waits for the dealer's hand, by the dealer's result."""
    odds = Fraction(*natural_odds(rules))
    codes = (outcome(rules, 21, 2, True, False, *dealer) for dealer in dealer_hands(rules))
    return tuple(odds if code == WIN_NATURAL else Fraction(-1 if loses(code) else 0) for code in codes)
