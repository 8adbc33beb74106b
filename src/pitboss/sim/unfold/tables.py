"""A game and a strategy as tables: what a hand becomes with each card, what it does, what it is worth.

Hands are explored from the two-card openings with the functions of `play`, the strategy is asked once for each, and
hands that can no longer be told apart (same actions against every up card, same worth) are merged. The kernel then
plays by looking up integers; it restates no rule, because every entry was computed by the same functions the table
calls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import RANKS
from pitboss.errors import PitbossError
from pitboss.money import Odds
from pitboss.play.dealer import dealer_draws
from pitboss.play.hands import bonus_code, is_natural, is_soft, total
from pitboss.play.packed import (
    DOUBLE,
    EXEMPT_ONLY_11,
    HIT,
    MATCH_RANK,
    SPLIT,
    SPLIT_TOKEN_EXCEPT_TENS,
    STAND,
    SURRENDER,
    Packed,
    pack,
)
from pitboss.play.settlement import always_wins, outcome
from pitboss.play.turns import (
    action_set,
    draws_itself,
    may_double,
    may_split,
    stands_at_line,
    surrender_fits,
    takes_no_card,
)
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.strategies import Question, Strategy

WIDTH = 16
"""Columns of a table that is looked up by rank: 0 (ace) to 12 (king) are used."""

POINTS = tuple(min(rank + 1, 10) for rank in range(len(RANKS)))
"""Points of each rank, aces as one."""

DO_STAND, DO_HIT, DO_DOUBLE, DO_SPLIT, DO_SURRENDER = 0, 1, 2, 3, 4

BUST_CLASS = 0
"""The class of every hand over 21."""

BUST_TOTAL = 30
"""The dealer's total in a final hand that is over 21 and not the pushing total."""


class Tables(NamedTuple):
    """Everything a kernel looks up. Arrays of two or more dimensions are flattened row by row."""

    opening: np.ndarray[Any, Any]
    """[rank][rank] -> state of a dealt hand."""
    split_opening: np.ndarray[Any, Any]
    """[rank][rank] -> state of the first hand of a split with its second card."""
    other_opening: np.ndarray[Any, Any]
    """The same for its other hands."""
    grow: np.ndarray[Any, Any]
    """[state][rank] -> state."""
    act: np.ndarray[Any, Any]
    """[state][rank of the up card] -> what the hand does."""
    unsplit: np.ndarray[Any, Any]
    """[state] -> the same hand where its box may not split any more."""
    worth: np.ndarray[Any, Any]
    """[state] -> class of the hand if it ends here."""
    doubled: np.ndarray[Any, Any]
    """[state][rank] -> class of the hand doubled with that card."""
    pair: np.ndarray[Any, Any]
    """[state] -> value of the pair it is, 0 if none."""
    live: np.ndarray[Any, Any]
    """[class] -> 1 if the dealer's hand decides it."""
    sure: np.ndarray[Any, Any]
    """[class] -> payment per unit of a hand that wins whatever the dealer has, else 0."""
    suits: np.ndarray[Any, Any]
    """[class] -> 1 for 6-7-8 and 2 for 7-7-7 in three cards, whose suits set the payment."""
    pays: np.ndarray[Any, Any]
    """[class][final] -> payment per unit."""
    suited: np.ndarray[Any, Any]
    """[6-7-8 or 7-7-7][mixed, one suit, spades] -> payment per unit of such a hand."""
    rescue: np.ndarray[Any, Any]
    """[class][rank of the up card] -> 1 if the double is taken back."""
    dealer: np.ndarray[Any, Any]
    """[dealer state][rank] -> dealer state; finals are 64 and above."""
    dealer_start: np.ndarray[Any, Any]
    """[rank] -> dealer state."""
    final_total: np.ndarray[Any, Any]
    """[final] -> dealer's total."""
    natural_pays: np.ndarray[Any, Any]
    """[final] -> payment of a natural per unit."""
    natural_pay: int
    """Payment of a winning natural per unit."""
    unit: int
    """Payments and stakes are counted in parts of the initial wager: this many parts make one."""
    total_of: np.ndarray[Any, Any]
    """[class] -> total, for reports and rescues."""


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
    of_tens: bool = False
    """Tens were split."""


class _Build:
    """Explores the hands of one game under one strategy."""

    def __init__(self, rules: Rules, strategy: Strategy) -> None:
        self.rules = rules
        self.packed: Packed = pack(rules)
        self.strategy = strategy
        self.keys: dict[_Key, int] = {}
        self.order: list[_Key] = []
        self.bonus = rules.bonus_table != "none"
        self.most_cards = 7 if self.bonus else max(4, self.packed.max_cards)
        if self.packed.double_exempt_from_forced_draw == EXEMPT_ONLY_11 and self.packed.forced_draw_below:
            raise PitbossError("the simulator has no forced draws after a double: use the default reading")
        if self.bonus and not always_wins(self.packed, 21, 3, False, False):
            raise PitbossError("the simulator pays bonus hands only where a 21 wins whatever the dealer has")
        odds = [rules.natural_odds, rules.win_odds, *(bonus.odds for bonus in rules.bonuses)]
        self.unit = 2 * int(np.lcm.reduce([item.stake for item in odds]))
        self.classes: dict[tuple[int, ...], int] = {}
        self.class_rows: list[dict[str, Any]] = []
        self.class_of(22, 3, False, False)

    # ------------------------------------------------------------------ classes: what a finished hand is worth

    def part(self, odds: Odds) -> int:
        """A payment at these odds, in parts of the wager."""
        return self.unit * odds.win // odds.stake

    def class_of(self, points: int, cards: int, from_split: bool, doubled: bool, pattern: int = 0) -> int:
        """The class of a finished hand that is not a natural."""
        if points > 21:
            key: tuple[int, ...] = (99,)
        else:
            counted = min(cards, self.most_cards)
            special = self.packed.five_card_win or self.bonus
            key = (points, counted if special else 0, int(from_split and not self.packed.split_hands_settle_as_main))
            key = (*key, int(doubled), pattern)
        if key in self.classes:
            return self.classes[key]
        number = len(self.class_rows)
        self.classes[key] = number
        self.class_rows.append(
            {"points": points, "cards": cards, "split": from_split, "doubled": doubled, "pattern": pattern}
        )
        return number

    def bonus_pay(self, row: dict[str, Any]) -> int:
        """What a winning hand of this class is paid, in parts."""
        code = 0
        if self.bonus and (not row["doubled"] or self.packed.double_bonus):
            code = bonus_code(row["cards"], row["points"], False, False, False, False)
        return self.part(Odds(self.packed.bonus_win[code], self.packed.bonus_stake[code]))

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
            early_aces if self.packed.double_ace_as_one else 0,
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

    def grown(self, key: _Key, value: int, drawing: bool) -> _Key:
        """The hand with one more card."""
        hard, aces = key.hard + value, key.aces + (value == 1)
        cards = min(key.cards + 1, self.most_cards)
        keep = key.values and (len(key.values) + 1 <= (3 if self.bonus else 2) or self.strategy.composition)
        values = tuple(sorted((*key.values, value))) if keep else ()
        if not keep:
            aces = min(aces, 1)
        return _Key(
            values, hard, aces, cards, key.early_aces, key.from_split, key.from_aces, drawing,
            other=key.other, pair_of=key.pair_of, of_tens=key.of_tens,
        )  # fmt: skip

    def legal(self, key: _Key, up: int, can_split: bool) -> tuple[int, bool]:
        """Legal actions of an open hand as bits, and whether the dealer draws to it unasked."""
        p = self.packed
        can_double = may_double(p, key.hard, key.aces, key.cards, key.from_split, key.from_aces)
        auto = bool(p.auto_draw) and draws_itself(p, key.hard, key.aces, key.cards, key.drawing, can_double, can_split)
        if auto:
            return HIT, True
        if stands_at_line(p, key.hard, key.aces):
            return STAND, False
        can_surrender = surrender_fits(p, up, key.hard, key.aces, key.cards, key.from_split)
        return action_set(p, key.hard, key.aces, can_double, can_split, can_surrender), False

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

    def act(self, key: _Key, up: int) -> int:
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
        chosen = self.strategy.action(question) if legal & (legal - 1) else legal
        if not chosen & legal:
            raise PitbossError(f"strategy {self.strategy.name} answered with an action that is not legal")
        return {STAND: DO_STAND, HIT: DO_HIT, DOUBLE: DO_DOUBLE, SPLIT: DO_SPLIT, SURRENDER: DO_SURRENDER}[chosen]

    def question(self, key: _Key, up: int, legal: int) -> Question:
        """The hand as a strategy is asked about it."""
        # A token stands on every further hand of a split, tens apart.
        free = key.other and self.packed.split_stake == SPLIT_TOKEN_EXCEPT_TENS and not key.of_tens
        return Question(
            key.values, total(key.hard, key.aces), is_soft(key.hard, key.aces), key.cards, key.from_split, up, legal,
            key.other, free, key.pair_of, key.early_aces,
        )  # fmt: skip

    def explore(self) -> tuple[np.ndarray[Any, Any], ...]:
        """Number every reachable hand and fill its rows."""
        self.order.append(_Key((), 22, 0, 3, 0, False, False, False))
        opening = np.zeros((WIDTH, WIDTH), np.int64)
        split_opening, other_opening = np.zeros((WIDTH, WIDTH), np.int64), np.zeros((WIDTH, WIDTH), np.int64)
        for place in np.ndindex(len(POINTS), len(POINTS)):
            one, two = (POINTS[rank] for rank in place)
            unlike = bool(one == two and place[0] != place[1] and self.packed.split_match == MATCH_RANK)
            aces = (one == 1) + (two == 1)
            opening[place] = self.state(self.key((one, two), aces, False, False, False)._replace(unsplit=unlike))
            split = self.key((one, two), aces, True, one == 1, False)._replace(
                unsplit=unlike, pair_of=one if self.strategy.composition else 0, of_tens=one == 10
            )
            split_opening[place] = self.state(split)
            other_opening[place] = self.state(split._replace(other=True))
        grow: list[Any] = []
        act: list[Any] = []
        unsplit: list[Any] = []
        worth: list[Any] = []
        doubled: list[Any] = []
        pair: list[Any] = []
        number = 0
        while number < len(self.order):
            key = self.order[number]
            rows = self.rows(key) if number else self.bust_rows()
            for column, row in zip((grow, act, unsplit, worth, doubled, pair), rows, strict=True):
                column.append(row)
            number += 1
        return (
            opening,
            split_opening,
            other_opening,
            *(np.array(column, np.int64) for column in (grow, act, unsplit, worth, doubled, pair)),
        )

    def bust_rows(self) -> tuple[Any, ...]:
        empty = [0] * WIDTH
        return empty, empty, 0, BUST_CLASS, empty, 0

    def rows(self, key: _Key) -> tuple[Any, ...]:
        """Growth, actions, worth, doubles and pair of one hand."""
        act, grow, doubled = [0] * WIDTH, [0] * WIDTH, [0] * WIDTH
        for up in range(len(POINTS)):
            act[up] = self.act(key, up)
        drawing = bool(self.packed.auto_draw) and self.legal(key, 1, self.can_split(key))[1]
        unsplit = self.state(key._replace(unsplit=True)) if self.pair_value(key) else self.keys[key]
        for rank, value in enumerate(POINTS):
            grow[rank] = self.state(self.grown(key, value, drawing))
            free = key.aces - key.early_aces if self.packed.double_ace_as_one else key.aces
            points = total(key.hard + value, free + (value == 1))
            doubled[rank] = self.class_of(points, key.cards + 1, key.from_split, True)
        points = total(key.hard, key.aces)
        patterns: dict[tuple[int, ...], int] = {(6, 7, 8): 1, (7, 7, 7): 2}
        pattern = patterns.get(key.values, 0) if self.bonus else 0
        return (
            grow,
            act,
            unsplit,
            self.class_of(points, key.cards, key.from_split, False, pattern),
            doubled,
            self.pair_value(key),
        )


def _finals(packed: Packed) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[tuple[int, bool]]]:
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


def merge(
    opening: Any,
    split_opening: Any,
    other_opening: Any,
    grow: Any,
    act: Any,
    unsplit: Any,
    worth: Any,
    doubled: Any,
    pair: Any,
) -> Any:
    """Merge hands that act alike, are worth the same and grow alike: the smallest tables that play the same."""
    signature = np.column_stack([act, worth, doubled, pair])
    _, block = np.unique(signature, axis=0, return_inverse=True)
    block = block.reshape(-1)
    while True:
        _, finer = np.unique(np.column_stack([block, block[grow], block[unsplit]]), axis=0, return_inverse=True)
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
    return (
        names[opening],
        names[split_opening],
        names[other_opening],
        names[grow[first]],
        act[first],
        names[unsplit[first]],
        worth[first],
        doubled[first],
        pair[first],
    )


def _natural_pay(made: _Build, final: tuple[int, bool]) -> int:
    """What a natural that waits for the dealer's hand is paid, in parts."""
    result = outcome(made.packed, 21, 2, True, False, *final)
    return made.part(made.rules.natural_odds) if result > 20 else 0 if result > 10 else -made.unit


def build(rules: Rules, strategy: Strategy) -> Tables:
    """The tables of a game played by a strategy."""
    made = _Build(rules, strategy)
    packed = made.packed
    parts = merge(*made.explore())
    dealer, start, finals = _finals(packed)
    count = len(made.class_rows)
    live, sure, suits = np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    pays = np.zeros((count, len(finals)), np.int64)
    rescue = np.zeros((count, WIDTH), np.int64)
    for number, row in enumerate(made.class_rows):
        if row["points"] > 21:
            continue
        win = made.bonus_pay(row)
        won = always_wins(packed, row["points"], row["cards"], False, row["split"])
        live[number] = int(won == 0)
        sure[number] = win if won else 0
        suits[number] = row["pattern"] if won else 0
        for place, (points, natural) in enumerate(finals):
            result = outcome(packed, row["points"], row["cards"], False, row["split"], points, natural)
            pays[number, place] = win if result > 20 else 0 if result > 10 else -made.unit
        if packed.double_rescue and row["doubled"] and not won:
            for rank, value in enumerate(POINTS):
                rescue[number, rank] = int(strategy.rescues(row["points"], value))
    suited = np.zeros((3, 3), np.int64)
    for pattern, first_code in ((1, 4), (2, 7)):
        for grade in range(3):
            code = first_code + grade
            suited[pattern, grade] = made.part(Odds(packed.bonus_win[code], packed.bonus_stake[code]))
    opening, split_opening, other_opening, grow, act, unsplit, worth, doubled, pair = parts
    small = np.uint16 if len(grow) < 65536 else np.int64
    return Tables(
        opening=opening.astype(small), split_opening=split_opening.astype(small),
        other_opening=other_opening.astype(small), grow=grow.astype(small),
        act=act.astype(np.uint8), unsplit=unsplit.astype(small), worth=worth.astype(np.uint16),
        doubled=doubled.astype(np.uint16), pair=pair.astype(np.uint8), live=live, sure=sure, suits=suits, pays=pays,
        suited=suited, rescue=rescue, dealer=dealer, dealer_start=start,
        final_total=np.array([points + 100 * natural for points, natural in finals], np.int64),
        natural_pays=np.array([_natural_pay(made, final) for final in finals], np.int64),
        natural_pay=made.part(rules.natural_odds), unit=made.unit,
        total_of=np.array([row["points"] for row in made.class_rows], np.int64),
    )  # fmt: skip
