"""A round of one box as a finite automaton: every card moves it from one state to the next, and some states end it.

The states are unfolded from `PlayTables`: first card, up card, second card, the player's draws against that up card,
then the dealer's draws against what the player's hand is worth. A card under the up card is drawn where it is dealt,
and the states of the player remember it. What a state that ends a round means (net, bust, double, stand-off and the
rest) is computed once, here, with the functions of `play`; a kernel then only counts how often each state is reached.
What an automaton of one hand cannot hold, a split or a bonus by suits, leaves it by a state of its own, and is played
on by other tables.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.dealer import (
    NO_CARD,
    ONE_CARD,
    WHOLE_HAND,
    bust_needs,
    dealer_looks,
    dealer_need,
    has_hole_card,
    natural_needs,
    surrender_needs,
)
from pitboss.play.doubling import double_is_free
from pitboss.play.naturals import makes_natural, may_become_natural, natural_may_fail, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.play.settlement import busted_double_returns, dealer_natural_loss
from pitboss.play.surrender import surrender_before_turns, surrender_costs
from pitboss.sim.kernels import arguments as k
from pitboss.sim.unfold.luck_tables import Floats, LuckTables, pay_of_sure_win
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, POINTS, WIDTH, PlayTables

FIRST_END = -10
FIRST_LEAVE = FIRST_END - (1 << 32)
"""Where a card leads that leads to no further state: ends of a round are numbered from the first downwards, ways to
leave the automaton from the second."""
DEALT_CARDS = 3
"""Cards of a deal to one box, without a card under the dealer's."""
UNSEEN = -1
"""The dealer has one card only."""
NATURAL_HAND = -1
"""Two cards that are a natural, among the numbers of hands."""

RANK_COUNT = len(POINTS)

Key = tuple[str | int, ...]
"""What tells states apart: the kind of state, then numbers."""
Settle = Callable[[int, bool], tuple[int, ...]]
"""What a round adds to the sums by the dealer's final hand and whether it is a natural."""


class Automaton(NamedTuple):
    """The automaton of a round. States are kept as the place of their row: number times `WIDTH`."""

    move: NDArray[np.generic]
    """[state][rank] -> state. Rows of ends are the row of the start, so that a round follows a round."""
    ends_from: int
    """States from here on end a round."""
    leaves_from: int
    """States from here to `ends_from` leave the automaton: a hand splits, or it is paid by its suits."""
    rows: NDArray[np.int64]
    """[end][place in the sums of a block] -> what one such round adds."""
    leave_cards: NDArray[np.int64]
    """[state that leaves] -> cards of the round that have been dealt."""
    worth: NDArray[np.int32]
    """[state][rank] -> what the state that the card leads to is worth in a full shoe, last what this one is; empty
    where no luck is subtracted."""
    worth_unit: float
    """What one wager is in `worth`."""


class TurnResult(NamedTuple):
    """How a player's part of the round ended: a row of what each end of the dealer's hand adds."""

    need: int
    by_final: tuple[tuple[int, ...], ...]
    """[final] -> sums; one entry if the dealer draws nothing, two (no natural, natural) if one card is enough."""
    charge: tuple[int, ...] = ()
    """What a dealer's natural sees of the hand, where it may take less of hands together than of each."""


class HandStake(NamedTuple):
    """What lies on a hand before it is doubled."""

    money: int
    holds_original: bool = True
    """The original wager itself lies here, and not what a split has added."""
    from_split: bool = False


class Unfolding:
    """Unfolds the rounds of one box; what a finished hand leads to can be told otherwise by who builds on it."""

    def __init__(self, rules: Packed, tables: PlayTables, luck: LuckTables | None = None) -> None:
        self.rules, self.t, self.luck = rules, tables, luck
        self.leaves: dict[tuple[int, float], int] = {}
        self.numbers: dict[Key, int] = {}
        self.queue: list[Key] = []
        self.ends: dict[tuple[int, ...], int] = {}
        self.results: dict[TurnResult, int] = {}
        self.order: list[TurnResult] = []
        self.endings: dict[tuple[int, bool, int], TurnResult] = {}
        self.firsts = self._firsts()
        self.ups = self._ups()
        self.natural_final = int(np.argmax(tables.final_total))
        self.dealt = DEALT_CARDS + int(has_hole_card(rules))

    def _firsts(self) -> list[int]:
        """For each rank the first rank that is the same to every second card as a player's first card."""
        opening = self.t.opening.reshape(-1, WIDTH)
        seen: dict[tuple[int, bytes], int] = {}
        return [seen.setdefault((POINTS[rank], opening[rank].tobytes()), rank) for rank in range(RANK_COUNT)]

    def _ups(self) -> list[int]:
        """For each rank the first rank that is the same to every hand as an up card."""
        act, rescue = self.t.act.reshape(-1, WIDTH), self.t.rescue.reshape(-1, WIDTH)
        seen: dict[tuple[int, bytes, bytes], int] = {}
        return [
            seen.setdefault((POINTS[rank], act[:, rank].tobytes(), rescue[:, rank].tobytes()), rank)
            for rank in range(RANK_COUNT)
        ]

    def state(self, *key: str | int) -> int:
        """The number of a state that is not an end."""
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            self.queue.append(key)
        return self.numbers[key]

    # ------------------------------------------------------------------ moves

    def end(self, sums: tuple[int, ...]) -> int:
        """A state that ends a round."""
        return FIRST_END - self.ends.setdefault(sums, len(self.ends))

    def leave(self, cards: int, worth: float) -> int:
        """A state in which a round leaves the automaton after so many cards; worth so many parts, if that matters."""
        return FIRST_LEAVE - self.leaves.setdefault((cards, worth), len(self.leaves))

    def move(self, key: Key, rank: int) -> int:
        """Where a card of this rank leads."""
        kind, (one, two, three) = key[0], (*(int(number) for number in key[1:]), 0, 0, 0)[:3]
        if kind == "start":
            return self.state("first", self.firsts[rank])
        if kind == "first":
            return self.state("up", one, self.ups[rank])
        if kind == "up":
            return self.deal_second(one, rank, two)
        if kind == "hole":
            return self.turn_hole(one, two, rank)
        if kind == "hand":
            return self.play(int(self.t.grow.reshape(-1, WIDTH)[one, rank]), two, three)
        if kind == "double":
            return self.double(int(self.t.doubled.reshape(-1, WIDTH)[one, rank]), two, three)
        if kind == "redraw":
            return self.double(int(self.t.redrawn.reshape(-1, WIDTH)[one, rank]), two, three)
        return self.deal(self.order[one], two, three, rank)

    def deal_second(self, one: int, two: int, up: int) -> int:
        """The second card makes a natural, or a hand that plays."""
        hand = NATURAL_HAND if makes_natural(one, two) else int(self.t.opening.reshape(-1, WIDTH)[one, two])
        if has_hole_card(self.rules):
            return self.state("hole", hand, up)
        return self.natural(up, UNSEEN) if hand == NATURAL_HAND else self.play(hand, up, UNSEEN)

    def turn_hole(self, hand: int, up: int, rank: int) -> int:
        """The hole card is dealt before anybody acts; a natural that the dealer looks for ends the round."""
        row = self.t.dealer.reshape(-1, WIDTH)[int(self.t.dealer_start[up])]
        alike = [(int(row[other]), makes_natural(up, other)) for other in range(RANK_COUNT)]
        hole = alike.index(alike[rank])
        if hand == NATURAL_HAND:
            return self.natural(up, hole)
        return self.play(hand, up, hole, ended=bool(dealer_looks(self.rules, up) and makes_natural(up, rank)))

    def natural(self, up: int, hole: int) -> int:
        """A natural is paid, or waits for the dealer's hand."""
        rules, pay = self.rules, self.t.natural_pay
        needs = NO_CARD if natural_paid_now(rules, may_become_natural(up)) else natural_needs(rules)

        def settle(final: int, natural: bool) -> tuple[int, ...]:
            known = needs != NO_CARD and (natural or natural_may_fail(rules))
            got = int(self.t.natural_pays[final]) if known else pay
            return self.sums(net=got, naturals=1, wins=int(got > 0), stand_offs=int(got == 0), net_naturals=got)

        return self.end_turn(up, hole, self.result(needs, up, settle))

    def play(self, hand: int, up: int, hole: int, *, ended: bool = False) -> int:
        """A hand acts, unless the round has ended."""
        action = int(self.t.act.reshape(-1, WIDTH)[hand, up])
        if ended and not (action == DO_SURRENDER and surrender_before_turns(self.rules)):
            action = DO_STAND
        if action == DO_HIT:
            return self.state("hand", hand, up, hole)
        if action == DO_DOUBLE:
            return self.state("double", hand, up, hole)
        if action == DO_SPLIT:
            return self.leave(self.dealt, self.worth_of_split(hand, up, hole))
        if action == DO_SURRENDER:
            return self.surrender(up, hole)
        return self.finish(int(self.t.worth[hand]), up, hole, 1, 0)

    def worth_of_split(self, hand: int, up: int, hole: int) -> float:
        """What two cards are worth that are split."""
        if self.luck is None:
            return 0.0
        pairs = self.t.opening.reshape(-1, WIDTH)[:RANK_COUNT, :RANK_COUNT] == hand
        one, two = (int(rank) for rank in np.argwhere(pairs)[0])
        return float(self.luck.dealt[up if hole == UNSEEN else RANK_COUNT * (1 + up) + hole, one, two])

    def surrender(self, up: int, hole: int) -> int:
        """Half is lost, or all of it to a dealer's natural."""
        rules, unit = self.rules, self.t.unit

        def settle(_: int, natural: bool) -> tuple[int, ...]:
            net = -(unit // 2) * surrender_costs(rules, natural)
            return self.sums(net=net, hands=1, surrenders=1, losses=1, net_surrenders=net)

        return self.end_turn(up, hole, self.result(surrender_needs(rules), up, settle))

    def double(self, kind: int, up: int, hole: int) -> int:
        """A double has its card; it may have to take another."""
        if self.t.redraws[kind]:
            return self.state("redraw", kind, up, hole)
        if self.t.rescue.reshape(-1, WIDTH)[kind, up]:
            lost = self.sums(net=-self.t.unit, hands=1, doubles=1, rescues=1, net_doubles=-self.t.unit)
            return self.end_turn(up, hole, self.result(NO_CARD, up, lambda *_: lost))
        return self.finish(kind, up, hole, 2, 1)

    def finish(self, kind: int, up: int, hole: int, times: int, doubles: int) -> int:
        """The hand is over: bust, won whatever comes, or for the dealer to decide."""
        if self.t.suits[kind] and not self.t.live[kind]:
            worth = 0.0 if self.luck is None else pay_of_sure_win(self.t, kind) * times
            return self.leave(self.dealt + 1, worth)
        key = (kind, may_become_natural(up), times)
        if key not in self.endings:
            self.endings[key] = self.ending(kind, up, times, doubles)
        return self.end_turn(up, hole, self.endings[key])

    def ending(self, kind: int, up: int, times: int, doubles: int) -> TurnResult:
        """What a finished hand of a class leads to; of the up card only matters whether it may become a natural."""
        needs, settle = self.judge(kind, times, doubles, HandStake(self.t.unit))
        return self.result(needs, up, settle)

    def judge(self, kind: int, times: int, doubles: int, stake: HandStake) -> tuple[int, Settle]:
        """What a finished hand of a class needs of the dealer's, and what it then adds to the sums."""
        t, rules = self.t, self.rules
        token = doubles and double_is_free(rules)
        base = stake.money
        staked = base if token else base + t.unit * (times - 1)
        part = "net_splits" if stake.from_split else "net_doubles" if doubles else "net_singles"
        more = {"hands": 1, "doubles": doubles, "tokens": int(bool(token))}
        if kind == 0:

            def bust(_: int, natural: bool) -> tuple[int, ...]:
                lost = base if busted_double_returns(rules, natural) else staked
                return self.sums(net=-lost, busts=1, losses=1, **{part: -lost}, **more)

            return bust_needs(rules, bool(doubles)), bust
        if not t.live[kind]:
            return NO_CARD, lambda *_: self.sure_win(int(t.sure[kind]) * times, part, more)
        pays = t.pays.reshape(len(t.live), -1)[kind]

        def settle(final: int, natural: bool) -> tuple[int, ...]:
            pay = int(pays[final])
            if natural and pay < 0:
                lost = dealer_natural_loss(rules, t.unit, 0, staked, stake.holds_original, base, 0)
                return self.sums(net=-lost, losses=1, **{part: -lost}, **more)
            net = pay * times if pay > 0 else -staked if pay < 0 else 0
            won, lose = int(pay > 0), int(pay < 0)
            return self.sums(net=net, wins=won, losses=lose, stand_offs=1 - won - lose, **{part: net}, **more)

        return WHOLE_HAND, settle

    def sure_win(self, pay: int, part: str, more: dict[str, int]) -> tuple[int, ...]:
        """What a hand adds to the sums that wins whatever the dealer has."""
        return self.sums(net=pay, wins=1, **{part: pay}, **more)

    # ------------------------------------------------------------------ the dealer

    def result(self, needs: int, up: int, settle: Settle) -> TurnResult:
        """What the player's part leads to, whatever the dealer draws."""
        need = dealer_need(self.rules, needs, may_become_natural(up), False)
        if need == NO_CARD:
            return TurnResult(need, (settle(0, False),))
        if need == ONE_CARD:
            two_cards = ((0, False), (self.natural_final, True))
            return TurnResult(need, tuple(self.with_dealer(settle(*final), 0, final[1]) for final in two_cards))
        finals = [(int(value) % 100, int(value) >= 100) for value in self.t.final_total]
        return TurnResult(
            need, tuple(self.with_dealer(settle(n, nat), points, nat) for n, (points, nat) in enumerate(finals))
        )

    def with_dealer(self, sums: tuple[int, ...], points: int, natural: bool) -> tuple[int, ...]:
        """The sums with what the dealer's hand adds to them."""
        found = list(sums)
        found[k.DEALER_BUSTS] += int(points > 21)
        found[k.DEALER_NATURALS] += int(natural)
        return tuple(found)

    def end_turn(self, up: int, hole: int, result: TurnResult) -> int:
        """The dealer's turn, if there is anything left to draw for."""
        if result.need == NO_CARD:
            return self.end(result.by_final[0])
        start = int(self.t.dealer_start[up])
        if hole != UNSEEN:
            return self.deal(result, start, up, hole)
        return self.state("dealer", self.number(result), start, up if may_become_natural(up) else 1)

    def number(self, result: TurnResult) -> int:
        """The number of a result that waits for the dealer's cards."""
        if result not in self.results:
            self.results[result] = len(self.order)
            self.order.append(result)
        return self.results[result]

    def deal(self, result: TurnResult, hand: int, up: int, rank: int) -> int:
        """The dealer draws a card."""
        if result.need == ONE_CARD:
            return self.end(result.by_final[int(makes_natural(up, rank))])
        grown = int(self.t.dealer.reshape(-1, WIDTH)[hand, rank])
        if grown >= 64:
            return self.end(result.by_final[grown - 64])
        return self.state("dealer", self.number(result), grown, 1)

    def sums(self, **found: int) -> tuple[int, ...]:
        """A row of the sums of a block."""
        row = [0] * k.SUMS
        row[k.ROUNDS] = 1
        row[k.BETS] = 1
        for name, value in found.items():
            row[getattr(k, name.upper())] = value
        return tuple(row)


def unfold(rules: Packed, tables: PlayTables, luck: LuckTables | None = None) -> Automaton:
    """The automaton of a round of one box; with what its states are worth, if the luck of the cards is known."""
    made = Unfolding(rules, tables, luck)
    made.state("start")
    moves: list[list[int]] = []
    while len(moves) < len(made.queue):
        moves.append([made.move(made.queue[len(moves)], rank) for rank in range(RANK_COUNT)])
    moves, places = merge_states(moves)
    start = places[0]
    states, ends = len(moves), list(made.ends)
    first_end = states + len(made.leaves)
    table = np.zeros((first_end + len(ends), WIDTH), np.int64)
    for number, row in enumerate(moves):
        for rank, to in enumerate(row):
            left = to if to >= 0 else states + FIRST_LEAVE - to
            table[number, rank] = left if to >= 0 or to <= FIRST_LEAVE else first_end + FIRST_END - to
    table[states:] = table[start]
    small = np.uint16 if table.shape[0] * WIDTH <= 1 << 16 else np.uint32
    rows = np.array(ends, np.int64).reshape(len(ends), k.SUMS)
    worth, worth_unit = np.zeros(0, np.int32), 0.0
    if luck is not None:
        known = np.concatenate([np.zeros(states), [worth for _, worth in made.leaves], rows[:, k.NET]])
        worth, worth_unit = _value_moves(table, known, states, luck.whole, tables.unit)
        # A round begins with nothing, also where the last one has ended.
        worth[[start, *range(first_end, len(table))], WIDTH - 1] = 0
    return Automaton(
        move=(table * WIDTH).astype(small).reshape(-1),
        ends_from=first_end * WIDTH,
        leaves_from=states * WIDTH,
        rows=rows,
        leave_cards=np.array([cards for cards, _ in made.leaves], np.int64),
        worth=worth.reshape(-1),
        worth_unit=worth_unit,
    )


def _value_moves(
    table: NDArray[np.int64], known: Floats, states: int, whole: Floats, unit: int
) -> tuple[NDArray[np.int32], float]:
    """What each card leads to is worth in a full shoe, in whole numbers, and what a wager is in them.

    They are so small that their sum over the cards of a shoe, and what the state itself is worth as often, fit in 31
    bits.
    """
    shares, values = whole / whole.sum(), known.copy()
    moves = table[:states, :RANK_COUNT]
    while True:
        after = values[moves] @ shares
        if np.array_equal(after, values[:states]):
            break
        values[:states] = after
    most = max(float(np.abs(values).max()), float(unit))
    scale = 1 << int(np.log2(2.0**30 / (whole.sum() * most)))
    whole_numbers = np.rint(values * scale).astype(np.int64)
    worth = np.zeros((len(table), WIDTH), np.int32)
    worth[:, :RANK_COUNT] = whole_numbers[table[:, :RANK_COUNT]]
    worth[:, WIDTH - 1] = whole_numbers
    return worth, float(unit * scale)


def merge_states(moves: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """States with the same moves are one state: the moves of those that are left, and which each state has become."""
    names = list(range(len(moves)))
    while True:
        seen: dict[tuple[int, ...], int] = {}
        finer = [
            seen.setdefault(tuple(names[to] if to >= 0 else to for to in row), number)
            for number, row in enumerate(moves)
        ]
        if finer == names:
            break
        names = finer
    kept = {name: number for number, name in enumerate(sorted(set(names)))}
    rows = [[kept[names[to]] if to >= 0 else to for to in moves[name]] for name in kept]
    return rows, [kept[name] for name in names]
