"""A game and a strategy as tables: what a hand becomes with each card, what it does, what it is worth.

Hands are explored from the two-card openings with the functions of `play`, the strategy is asked once for each, and
hands that can no longer be told apart (same actions against every up card, same worth) are merged. The kernel then
plays by looking up integers; it restates no rule, because every entry was computed by the same functions the table
calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS
from pitboss.errors import PitbossError
from pitboss.play.bonuses import (
    MIXED,
    NO_PATTERN,
    PATTERN_678,
    PATTERN_777,
    SPADES,
    bonus_code,
    bonus_paid,
    pattern_of,
    win_odds,
)
from pitboss.play.dealer import dealer_draws
from pitboss.play.doubling import aces_fixed, doubled_must_draw, may_double, may_take_back
from pitboss.play.drawing import action_set, draws_itself, stands_at_line, takes_no_card
from pitboss.play.hands import is_natural, is_soft, points_of, total
from pitboss.play.naturals import natural_odds
from pitboss.play.packed import DOUBLE, HIT, PAID_AT_ONCE, SPLIT, STAND, SURRENDER, Packed, pack
from pitboss.play.settlement import always_wins, is_switched_21, loses, outcome, parts_of_a_wager, wins
from pitboss.play.splitting import cards_match, may_split, most_hands, split_is_free
from pitboss.play.surrender import surrender_fits
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.strategies import Question, Strategy

WIDTH = 16
"""Columns of a table that is looked up by rank: 0 (ace) to 12 (king) are used."""

POINTS = tuple(points_of(rank) for rank in range(len(RANKS)))
"""Points of each rank, aces as one."""

DO_STAND, DO_HIT, DO_DOUBLE, DO_SPLIT, DO_SURRENDER = 0, 1, 2, 3, 4

Ints = NDArray[np.int64]
Small = NDArray[np.generic]
"""Whole numbers in as few bytes as hold them."""

BUST_CLASS = 0
"""The class of every hand over 21."""

BUST_TOTAL = 30
"""The dealer's total in a final hand that is over 21 and not the push total."""


class PlayTables(NamedTuple):
    """Everything a kernel looks up. Arrays of two or more dimensions are flattened row by row."""

    opening: Small
    """[rank][rank] -> state of a dealt hand."""
    split_opening: Small
    """[rank][rank] -> state of the first hand of a split with its second card."""
    other_opening: Small
    """The same for its other hands."""
    grow: Small
    """[state][rank] -> state."""
    act: Small
    """[state][rank of the up card] -> what the hand does."""
    by_count: Small
    """[count's strategy and state][rank of the up card] -> the same where plays follow a count; empty elsewhere."""
    unsplit: Small
    """[state] -> the same hand where its box may not split any more."""
    worth: Small
    """[state] -> class of the hand if it ends here."""
    doubled: Small
    """[state][rank] -> class of the hand doubled with that card."""
    splits: Small
    """[state] -> 1 if the hand may split."""
    live: Ints
    """[class] -> 1 if the dealer's hand decides it."""
    sure: Ints
    """[class] -> payment per unit of a hand that wins whatever the dealer has, else 0."""
    suits: Ints
    """[class] -> 1 for 6-7-8 and 2 for 7-7-7 in three cards, whose suits set the payment."""
    pays: Ints
    """[class][final] -> payment per unit."""
    suited: Ints
    """[6-7-8 or 7-7-7][mixed, one suit, spades] -> payment per unit of such a hand."""
    collected: Ints
    """[class] -> 1 if its cards go away as soon as the hand is over: it is lost, or paid at once."""
    redraws: Ints
    """[class] -> 1 if a doubled hand must take another card."""
    redrawn: Ints
    """[class][rank] -> class of such a hand with that card."""
    rescue: Ints
    """[class][rank of the up card] -> 1 if the double is taken back."""
    dealer: Ints
    """[dealer state][rank] -> dealer state; finals are 64 and above."""
    dealer_start: Ints
    """[rank] -> dealer state."""
    final_total: Ints
    """[final] -> dealer's total."""
    natural_pays: Ints
    """[final] -> payment of a natural per unit."""
    natural_pay: int
    """Payment of a winning natural per unit."""
    unit: int
    """Payments and stakes are counted in parts of the initial wager: this many parts make one."""


class _Key(NamedTuple):
    """What tells hands apart while they are explored."""

    values: tuple[int, ...]
    hard: int
    aces: int
    cards: int
    early_aces: int
    from_split: bool
    from_aces: bool
    drawing: bool
    unsplit: bool = False
    """A pair whose box may not split any more."""
    other: bool = False
    """A hand of a split that does not hold the original wager."""
    pair_of: int = 0
    """The value that was split, for a strategy that looks at cards."""
    free: bool = False
    """Its stake is a free token."""


class _Class(NamedTuple):
    """What settlement looks at in a finished hand that is no natural."""

    points: int
    cards: int
    from_split: bool
    doubled: bool
    pattern: int


class _Row(NamedTuple):
    """What a hand becomes with each card, does against each up card, and is worth."""

    grow: list[int]
    act: list[int]
    by_count: list[int]
    unsplit: int
    worth: int
    doubled: list[int]
    splits: int


class _Hands(NamedTuple):
    """The openings, and the rows of all hands one below the other."""

    opening: Ints
    split_opening: Ints
    other_opening: Ints
    grow: Ints
    act: Ints
    by_count: Ints
    unsplit: Ints
    worth: Ints
    doubled: Ints
    splits: Ints


class _Build:
    """Explores the hands of one game under one strategy."""

    def __init__(self, rules: Rules, strategy: Strategy, by_count: Sequence[Strategy]) -> None:
        self.rules = rules
        self.packed: Packed = pack(rules)
        self.strategy = strategy
        self.by_count = by_count
        self.keys: dict[_Key, int] = {}
        self.order: list[_Key] = []
        self.bonus = rules.bonus_table != "none"
        self.most_cards = 7 if self.bonus else max(6 if self.packed.five_card_win else 4, self.packed.max_cards)
        if self.bonus and not always_wins(self.packed, 21, 3, False, False):
            raise PitbossError("the simulator pays bonus hands only where a 21 wins whatever the dealer has")
        self.unit = parts_of_a_wager(self.packed)
        self.classes: dict[tuple[int, ...], int] = {}
        self.class_rows: list[_Class] = []
        self.class_of(22, 3, False, False)

    # ------------------------------------------------------------------ classes: what a finished hand is worth

    def part(self, win: int, stake: int) -> int:
        """A payment at these odds, in parts of the wager."""
        return self.unit * win // stake

    def class_of(self, points: int, cards: int, from_split: bool, doubled: bool, pattern: int = 0) -> int:
        """The class of a finished hand that is not a natural."""
        if points > 21:
            key: tuple[int, ...] = (99,)
        else:
            counted = min(cards, self.most_cards)
            special = self.packed.five_card_win or self.bonus
            key = (points, counted if special else 0, int(from_split and not self.packed.split_hands_settle_as_main))
            key = (*key, int(doubled), pattern, int(is_switched_21(points, cards, from_split)))
        if key in self.classes:
            return self.classes[key]
        number = len(self.class_rows)
        self.classes[key] = number
        self.class_rows.append(_Class(points, cards, from_split, doubled, pattern))
        return number

    def pattern(self, values: tuple[int, ...], cards: int, doubled: bool) -> int:
        """The pattern by which a finished hand is paid, if it is paid a bonus at all."""
        found = pattern_of(cards, sum(1 << value - 1 for value in set(values))) if self.bonus else NO_PATTERN
        return found if bonus_paid(self.packed, 21, cards, found, MIXED, doubled) else NO_PATTERN

    def win_pay(self, row: _Class) -> int:
        """What a winning hand of this class is paid, in parts; its pattern as one of mixed suits."""
        code = bonus_paid(self.packed, row.points, row.cards, row.pattern, MIXED, row.doubled)
        return self.part(*win_odds(self.packed, code))

    def redraw(self) -> tuple[Ints, Ints]:
        """Which doubled hands must take another card, and what they become; the classes of those too."""
        redraws, redrawn = [], []
        number = 0
        while number < len(self.class_rows):
            row = self.class_rows[number]
            again = row.doubled and row.points <= 21 and doubled_must_draw(self.packed, row.points)
            redraws.append(int(again))
            redrawn.append([0] * WIDTH)
            for rank, value in enumerate(POINTS) if again else ():
                points = total(row.points + value, int(value == 1))
                redrawn[number][rank] = self.class_of(points, row.cards + 1, row.from_split, True)
            number += 1
        return np.array(redraws, np.int64), np.array(redrawn, np.int64)

    # ------------------------------------------------------------------ hands

    def key(self, values: tuple[int, ...], early_aces: int, from_split: bool, from_aces: bool, drawing: bool) -> _Key:
        """The key of a hand: its cards where they matter, else its totals."""
        hard = sum(values)
        aces = values.count(1)
        cards = min(len(values), self.most_cards)
        keep = len(values) <= (3 if self.bonus else 2) or self.strategy.composition
        return _Key(
            tuple(sorted(values)) if keep else (),
            hard,
            min(aces, 1) if not keep else aces,
            cards,
            aces_fixed(self.packed, early_aces),
            from_split,
            from_aces,
            drawing,
        )

    def state(self, key: _Key) -> int:
        """The number of a hand; bust hands share state 0."""
        if key.hard > 21:
            return 0
        if key not in self.keys:
            self.keys[key] = len(self.order)
            self.order.append(key)
        return self.keys[key]

    def grow_key(self, key: _Key, value: int, drawing: bool) -> _Key:
        """The hand with one more card."""
        hard, aces = key.hard + value, key.aces + (value == 1)
        cards = min(key.cards + 1, self.most_cards)
        keep = key.values and (len(key.values) + 1 <= (3 if self.bonus else 2) or self.strategy.composition)
        values = tuple(sorted((*key.values, value))) if keep else ()
        if not keep:
            aces = min(aces, 1)
        return _Key(
            values, hard, aces, cards, key.early_aces, key.from_split, key.from_aces, drawing,
            other=key.other, pair_of=key.pair_of, free=key.free,
        )  # fmt: skip

    def legal(self, key: _Key, up: int, can_split: bool) -> tuple[int, bool]:
        """Legal actions of an open hand as bits, and whether the dealer draws to it automatically."""
        p = self.packed
        can_double = may_double(p, key.hard, key.aces, key.cards, key.from_split, key.from_aces)
        auto = bool(p.auto_draw) and draws_itself(p, key.hard, key.aces, key.cards, key.drawing, can_double, can_split)
        if auto:
            return HIT, True
        if stands_at_line(p, key.hard, key.aces):
            return STAND, False
        can_surrender = surrender_fits(p, up, key.hard, key.aces, key.cards, key.from_split)
        return action_set(p, key.hard, key.aces, key.from_aces, can_double, can_split, can_surrender), False

    def pair_value(self, key: _Key) -> int:
        """The value of the pair that a two-card hand is; 0 if it is none or its cards are not kept."""
        if key.cards == 2 and len(key.values) == 2 and key.values[0] == key.values[1]:
            return key.values[0]
        return 0

    def can_split(self, key: _Key) -> bool:
        """The hand may split; that its box has room for another hand is for the kernel to know."""
        pair = self.pair_value(key)
        hands = 2 if key.from_split else 1
        return bool(
            pair
            and not key.unsplit
            and may_split(self.packed, pair, pair, pair - 1, pair - 1, 2, hands, key.from_aces, False)
        )

    def act(self, key: _Key, up: int, strategy: Strategy) -> int:
        """What the hand does against an up card of this rank."""
        p = self.packed
        can_split = self.can_split(key)
        if takes_no_card(p, key.hard, key.aces, key.cards, key.from_aces, False):
            if not (key.from_aces and can_split):
                return DO_STAND
            legal, auto = STAND | SPLIT, False
        else:
            legal, auto = self.legal(key, up, can_split)
        if auto:
            return DO_HIT
        question = self.question(key, POINTS[up], legal)
        chosen = strategy.action(question) if legal & (legal - 1) else legal
        if not chosen & legal:
            raise PitbossError(f"strategy {strategy.name} answered with an action that is not legal")
        return {STAND: DO_STAND, HIT: DO_HIT, DOUBLE: DO_DOUBLE, SPLIT: DO_SPLIT, SURRENDER: DO_SURRENDER}[chosen]

    def question(self, key: _Key, up: int, legal: int) -> Question:
        """The hand as a strategy is asked about it."""
        return Question(
            key.values, total(key.hard, key.aces), is_soft(key.hard, key.aces), key.cards, key.from_split, up, legal,
            key.other, key.free, key.pair_of, key.early_aces,
        )  # fmt: skip

    def explore(self) -> _Hands:
        """Number every reachable hand and fill its rows."""
        self.order.append(_Key((), 22, 0, 3, 0, False, False, False))
        opening = np.zeros((WIDTH, WIDTH), np.int64)
        split_opening, other_opening = np.zeros((WIDTH, WIDTH), np.int64), np.zeros((WIDTH, WIDTH), np.int64)
        for place in np.ndindex(len(POINTS), len(POINTS)):
            one, two = (POINTS[rank] for rank in place)
            unlike = one == two and not cards_match(self.packed, one, two, *place)
            aces = (one == 1) + (two == 1)
            opening[place] = self.state(self.key((one, two), aces, False, False, False)._replace(unsplit=unlike))
            if most_hands(self.packed, one == 1) == 1:
                continue
            split = self.key((one, two), aces, True, one == 1, False)._replace(
                unsplit=unlike, pair_of=one if self.strategy.composition else 0
            )
            split_opening[place] = self.state(split)
            other_opening[place] = self.state(split._replace(other=True, free=split_is_free(self.packed, one)))
        silent = [0] * (WIDTH * len(self.by_count))
        rows = [_Row([0] * WIDTH, [0] * WIDTH, silent, 0, BUST_CLASS, [0] * WIDTH, 0)]
        while len(rows) < len(self.order):
            rows.append(self.row(self.order[len(rows)]))
        columns = (np.array(column, np.int64) for column in zip(*rows, strict=True))
        return _Hands(opening, split_opening, other_opening, *columns)

    def row(self, key: _Key) -> _Row:
        """Growth, actions, worth, doubles and splits of one hand."""
        act, grow, doubled = [0] * WIDTH, [0] * WIDTH, [0] * WIDTH
        for up in range(len(POINTS)):
            act[up] = self.act(key, up, self.strategy)
        by_count = [
            self.act(key, up, strategy) if up < len(POINTS) else 0 for strategy in self.by_count for up in range(WIDTH)
        ]
        drawing = bool(self.packed.auto_draw) and self.legal(key, 1, self.can_split(key))[1]
        unsplit = self.state(key._replace(unsplit=True)) if self.pair_value(key) else self.keys[key]
        for rank, value in enumerate(POINTS):
            grow[rank] = self.state(self.grow_key(key, value, drawing))
            points = total(key.hard + value, key.aces - key.early_aces + (value == 1))
            pattern = self.pattern((*key.values, value), key.cards + 1, True)
            doubled[rank] = self.class_of(points, key.cards + 1, key.from_split, True, pattern)
        points = total(key.hard, key.aces)
        return _Row(
            grow,
            act,
            by_count,
            unsplit,
            self.class_of(points, key.cards, key.from_split, False, self.pattern(key.values, key.cards, False)),
            doubled,
            int(self.can_split(key)),
        )


def _finals(packed: Packed) -> tuple[Ints, Ints, list[tuple[int, bool]]]:
    """The dealer's hands: growth, start, and the final hands as (total, natural)."""
    finals: list[tuple[int, bool]] = []
    numbers: dict[tuple[int, int, int], int] = {}
    rows: list[list[int]] = []

    def final(points: int, natural: bool) -> int:
        shown = points if points <= 21 or points == packed.dealer_push_total else BUST_TOTAL
        if (shown, natural) not in finals:
            finals.append((shown, natural))
        return 64 + finals.index((shown, natural))

    def state(hard: int, aces: int, cards: int) -> int:
        key = (hard, min(aces, 1), min(cards, 2))
        if cards >= 2 and not dealer_draws(packed, hard, aces):
            return final(total(hard, aces), is_natural(hard, aces, cards))
        if key not in numbers:
            numbers[key] = len(rows)
            rows.append([0] * WIDTH)
            here = numbers[key]
            for rank, value in enumerate(POINTS):
                rows[here][rank] = state(hard + value, aces + (value == 1), cards + 1)
        return numbers[key]

    start = np.zeros(WIDTH, np.int64)
    for rank, value in enumerate(POINTS):
        start[rank] = state(value, int(value == 1), 1)
    assert len(rows) <= 64
    return np.array(rows, np.int64), start, finals


def merge_hands(hands: _Hands) -> _Hands:
    """Merge hands that act alike, are worth the same and grow alike: the smallest tables that play the same."""
    signature = np.column_stack([hands.act, hands.by_count, hands.worth, hands.doubled, hands.splits])
    _, block = np.unique(signature, axis=0, return_inverse=True)
    block = block.reshape(-1)
    while True:
        after = [block, block[hands.grow], block[hands.unsplit]]
        _, finer = np.unique(np.column_stack(after), axis=0, return_inverse=True)
        finer = finer.reshape(-1)
        if finer.max() == block.max():
            break
        block = finer
    order = np.argsort(block == block[0], kind="stable")[::-1]
    remap: dict[int, int] = {}
    for old in block[order]:
        remap.setdefault(int(old), len(remap))
    names = np.array([remap[int(b)] for b in block])
    first = np.array([int(np.flatnonzero(names == n)[0]) for n in range(len(remap))])
    return _Hands(
        names[hands.opening],
        names[hands.split_opening],
        names[hands.other_opening],
        names[hands.grow[first]],
        hands.act[first],
        hands.by_count[first],
        names[hands.unsplit[first]],
        hands.worth[first],
        hands.doubled[first],
        hands.splits[first],
    )


def _natural_pay(made: _Build, final: tuple[int, bool]) -> int:
    """What a natural that waits for the dealer's hand is paid, in parts."""
    result = outcome(made.packed, 21, 2, True, False, *final)
    return made.part(*natural_odds(made.packed)) if wins(result) else -made.unit if loses(result) else 0


def _stack_by_count(acts: Ints, strategies: int) -> Small:
    """What hands do, strategy after strategy, and no longer hand after hand."""
    stacked = acts.reshape(len(acts), strategies, WIDTH).transpose(1, 0, 2)
    return np.ascontiguousarray(stacked, np.uint8).reshape(-1)


def build(rules: Rules, strategy: Strategy, by_count: Sequence[Strategy] = ()) -> PlayTables:
    """The tables of a game played by a strategy, and by those that it becomes with the count."""
    made = _Build(rules, strategy, by_count)
    packed = made.packed
    hands = merge_hands(made.explore())
    redraws, redrawn = made.redraw()
    dealer, start, finals = _finals(packed)
    count = len(made.class_rows)
    live, sure, suits = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    pays = np.zeros((count, len(finals)), np.int64)
    rescue, collected = np.zeros((count, WIDTH), np.int64), np.zeros(count, np.int64)
    for number, row in enumerate(made.class_rows):
        if row.points > 21:
            collected[number] = 1
            continue
        win = made.win_pay(row)
        won = always_wins(packed, row.points, row.cards, False, row.from_split)
        live[number] = int(won == 0)
        sure[number] = win if won else 0
        suits[number] = row.pattern if won else NO_PATTERN
        ends = takes_no_card(packed, row.points, 0, row.cards, False, row.doubled)
        collected[number] = int(won and ends and packed.player_21_paid == PAID_AT_ONCE)
        for place, (points, natural) in enumerate(finals):
            result = outcome(packed, row.points, row.cards, False, row.from_split, points, natural)
            pays[number, place] = win if wins(result) else -made.unit if loses(result) else 0
        if row.doubled and may_take_back(packed, row.points, row.cards, row.from_split):
            for rank, value in enumerate(POINTS):
                rescue[number, rank] = int(strategy.rescues(row.points, value))
    suited = np.zeros((3, 3), np.int64)
    for pattern in (PATTERN_678, PATTERN_777):
        for grade in range(MIXED, SPADES + 1):
            suited[pattern, grade] = made.part(*win_odds(packed, bonus_code(21, 3, pattern, grade)))
    small = np.uint16 if len(hands.grow) < 65536 else np.int64
    return PlayTables(
        opening=hands.opening.astype(small).reshape(-1),
        split_opening=hands.split_opening.astype(small).reshape(-1),
        other_opening=hands.other_opening.astype(small).reshape(-1),
        grow=hands.grow.astype(small).reshape(-1),
        act=hands.act.astype(np.uint8).reshape(-1),
        by_count=_stack_by_count(hands.by_count, len(by_count)),
        unsplit=hands.unsplit.astype(small),
        worth=hands.worth.astype(np.uint16),
        doubled=hands.doubled.astype(np.uint16).reshape(-1),
        splits=hands.splits.astype(np.uint8),
        live=live,
        sure=sure,
        suits=suits,
        pays=pays.reshape(-1),
        suited=suited.reshape(-1),
        collected=collected,
        redraws=redraws,
        redrawn=redrawn.reshape(-1),
        rescue=rescue.reshape(-1),
        dealer=dealer.reshape(-1),
        dealer_start=start,
        final_total=np.array([points + 100 * natural for points, natural in finals], np.int64),
        natural_pays=np.array([_natural_pay(made, final) for final in finals], np.int64),
        natural_pay=made.part(*natural_odds(packed)),
        unit=made.unit,
    )
