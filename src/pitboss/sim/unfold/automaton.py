"""A round of one box as a finite automaton: every card moves it from one state to the next, and some states end it.

The states are unfolded from `Tables`: first card, up card, second card, the player's draws against that up card, then
the dealer's draws against what the player's hand is worth. What a state that ends a round means (net, bust, double,
stand-off and the rest) is computed once, here, with the functions of `play`; a kernel then only counts how often each
state is reached. What an automaton of one hand cannot hold, a split or a bonus by suits, leaves it by a `REPLAY` state:
the kernel plays that round again from its first card.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pitboss.play.dealer import NO_CARD, ONE_CARD, dealer_need
from pitboss.play.packed import Packed
from pitboss.play.settlement import dealer_natural_loss, natural_paid_now
from pitboss.sim.kernels import arguments as k
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_SURRENDER, POINTS, WIDTH, Tables

REPLAY_3, REPLAY_4 = -3, -4
"""The round leaves the automaton after so many cards."""

RANK_COUNT = len(POINTS)


class Automaton(NamedTuple):
    """The automaton of a round. States are kept as the place of their row: number times `WIDTH`."""

    move: np.ndarray[Any, Any]
    """[state][rank] -> state. Rows of ends are the row of the start, so that a round follows a round."""
    ends_from: int
    """States from here on end a round."""
    leaves_from: int
    """States from here to `ends_from` leave the automaton: first those after three cards, then after four."""
    rows: np.ndarray[Any, Any]
    """[end][place in the sums of a block] -> what one such round adds."""


def natural_of(one: int, two: int) -> bool:
    """An ace and a ten, by rank."""
    return {min(one, 9), min(two, 9)} == {0, 9}


class _Result(NamedTuple):
    """How a player's part of the round ended: a row of what each end of the dealer's hand adds."""

    need: int
    by_final: tuple[tuple[int, ...], ...]
    """[final] -> sums; one entry if the dealer draws nothing, two (no natural, natural) if one card is enough."""


class _Unfolding:
    """Unfolds the rounds of one box."""

    def __init__(self, rules: Packed, tables: Tables, shape: k.Shape) -> None:
        self.rules, self.t, self.shape = rules, tables, shape
        self.numbers: dict[tuple[Any, ...], int] = {}
        self.queue: list[tuple[Any, ...]] = []
        self.ends: dict[tuple[int, ...], int] = {}
        self.results: dict[_Result, int] = {}
        self.order: list[_Result] = []
        self.endings: dict[tuple[int, bool, int], _Result] = {}
        self.ups = self._ups()
        self.natural_final = int(np.argmax(tables.final_total))

    def _ups(self) -> list[int]:
        """For each rank the first rank that is the same to every hand as an up card."""
        act, rescue = self.t.act.reshape(-1, WIDTH), self.t.rescue.reshape(-1, WIDTH)
        seen: dict[tuple[Any, ...], int] = {}
        return [
            seen.setdefault((POINTS[rank], act[:, rank].tobytes(), rescue[:, rank].tobytes()), rank)
            for rank in range(RANK_COUNT)
        ]

    def state(self, *key: Any) -> int:
        """The number of a state that is not an end."""
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            self.queue.append(key)
        return self.numbers[key]

    # ------------------------------------------------------------------ moves; ends are numbered from -10 downwards

    def end(self, sums: tuple[int, ...]) -> int:
        """A state that ends a round."""
        return -10 - self.ends.setdefault(sums, len(self.ends))

    def moved(self, key: tuple[Any, ...], rank: int) -> int:
        """Where a card of this rank leads."""
        kind = key[0]
        if kind == "start":
            return self.state("first", min(rank, 9))
        if kind == "first":
            return self.state("up", key[1], self.ups[rank])
        if kind == "up":
            return self.opened(key[1], rank, key[2])
        if kind == "hand":
            return self.played(int(self.t.grow.reshape(-1, WIDTH)[key[1], rank]), key[2], 4)
        if kind == "double":
            return self.doubled(int(self.t.doubled.reshape(-1, WIDTH)[key[1], rank]), key[2])
        return self.dealt(self.order[key[1]], key[2], key[3], rank)

    def opened(self, one: int, two: int, up: int) -> int:
        """The second card makes a natural, or a hand that plays."""
        if natural_of(one, two):
            return self.natural(up)
        return self.played(int(self.t.opening.reshape(-1, WIDTH)[one, two]), up, 3)

    def natural(self, up: int) -> int:
        """A natural is paid, or waits for the dealer's hand."""
        shape, pay = self.shape, self.t.natural_pay

        def settled(final: int, natural: bool) -> tuple[int, ...]:
            known = natural or shape.natural_fails
            got = int(self.t.natural_pays[final]) if known else pay
            return self.sums(net=got, naturals=1, wins=int(got > 0), stand_offs=int(got == 0), net_naturals=got)

        if shape.naturals_win or natural_paid_now(self.rules, self.natural_possible(up)):
            won = self.sums(net=pay, naturals=1, wins=1, net_naturals=pay)
            return self.dealers(up, self.result(False, False, up, lambda *_: won))
        return self.dealers(up, self.result(bool(shape.natural_fails), True, up, settled))

    def played(self, hand: int, up: int, cards: int) -> int:
        """A hand acts."""
        action = int(self.t.act.reshape(-1, WIDTH)[hand, up])
        if action == DO_HIT:
            return self.state("hand", hand, up)
        if action == DO_DOUBLE:
            return self.state("double", hand, up)
        if action == DO_SPLIT:
            return REPLAY_3
        if action == DO_SURRENDER:
            return self.surrendered(up)
        return self.finished(int(self.t.worth[hand]), up, 1, 0)

    def surrendered(self, up: int) -> int:
        """Half is lost, or all of it to a dealer's natural."""
        shape, unit = self.shape, self.t.unit

        def settled(_: int, natural: bool) -> tuple[int, ...]:
            net = -unit if natural and shape.surrender_whole else -(unit // 2)
            return self.sums(net=net, hands=1, surrenders=1, losses=1, net_surrenders=net)

        return self.dealers(up, self.result(False, shape.surrender_waits != 0, up, settled))

    def doubled(self, kind: int, up: int) -> int:
        """A double has its card."""
        if self.t.rescue.reshape(-1, WIDTH)[kind, up]:
            lost = self.sums(net=-self.t.unit, hands=1, doubles=1, rescues=1, net_doubles=-self.t.unit)
            return self.dealers(up, self.result(False, False, up, lambda *_: lost))
        return self.finished(kind, up, 2, 1)

    def finished(self, kind: int, up: int, times: int, doubles: int) -> int:
        """The hand is over: bust, won whatever comes, or for the dealer to decide."""
        if self.t.suits[kind] and not self.t.live[kind]:
            return REPLAY_4
        key = (kind, self.natural_possible(up), times)
        if key not in self.endings:
            self.endings[key] = self.ending(kind, up, times, doubles)
        return self.dealers(up, self.endings[key])

    def ending(self, kind: int, up: int, times: int, doubles: int) -> _Result:
        """What a finished hand of a class leads to; of the up card only matters whether it may become a natural."""
        t = self.t
        token = self.shape.tokens and doubles
        staked = t.unit if token else t.unit * times
        part = "net_doubles" if doubles else "net_singles"
        more = {"hands": 1, "doubles": doubles, "tokens": int(bool(token))}
        if kind == 0:
            waits = bool(doubles) and self.rules.busted_double_lost == 0

            def bust(_: int, natural: bool) -> tuple[int, ...]:
                lost = t.unit if natural and waits else staked
                return self.sums(net=-lost, busts=1, losses=1, **{part: -lost}, **more)

            return self.result(False, waits, up, bust)
        if not t.live[kind]:
            pay = int(t.sure[kind]) * times
            won = self.sums(net=pay, wins=1, **{part: pay}, **more)
            return self.result(False, False, up, lambda *_: won)
        pays = t.pays.reshape(len(t.live), -1)[kind]

        def settled(final: int, natural: bool) -> tuple[int, ...]:
            pay = int(pays[final])
            if natural and pay < 0:
                lost = dealer_natural_loss(self.rules, t.unit, 0, staked, True, t.unit, 0)
                return self.sums(net=-lost, losses=1, **{part: -lost}, **more)
            net = pay * times if pay > 0 else -staked if pay < 0 else 0
            won, lose = int(pay > 0), int(pay < 0)
            return self.sums(net=net, wins=won, losses=lose, stand_offs=1 - won - lose, **{part: net}, **more)

        return self.result(True, False, up, settled)

    # ------------------------------------------------------------------ the dealer

    def natural_possible(self, up: int) -> bool:
        """The up card is an ace or a ten."""
        return up == 0 or up >= 9

    def result(self, live: bool, waits: bool, up: int, settle: Any) -> _Result:
        """What the player's part leads to, whatever the dealer draws."""
        need = int(dealer_need(self.rules, live, waits, self.natural_possible(up), self.shape.completes != 0))
        if need == NO_CARD:
            return _Result(need, (settle(0, False),))
        if need == ONE_CARD:
            two_cards = ((0, False), (self.natural_final, True))
            return _Result(need, tuple(self.with_dealer(settle(*final), 0, final[1]) for final in two_cards))
        finals = [(int(value) % 100, int(value) >= 100) for value in self.t.final_total]
        return _Result(
            need, tuple(self.with_dealer(settle(n, nat), points, nat) for n, (points, nat) in enumerate(finals))
        )

    def with_dealer(self, sums: tuple[int, ...], points: int, natural: bool) -> tuple[int, ...]:
        """The sums with what the dealer's hand adds to them."""
        found = list(sums)
        found[k.DEALER_BUSTS] += int(points > 21)
        found[k.DEALER_NATURALS] += int(natural)
        return tuple(found)

    def dealers(self, up: int, result: _Result) -> int:
        """The dealer's turn, if there is anything left to draw for."""
        if result.need == NO_CARD:
            return self.end(result.by_final[0])
        if result not in self.results:
            self.results[result] = len(self.order)
            self.order.append(result)
        return self.state("dealer", self.results[result], int(self.t.dealer_start[up]), up if up == 0 or up >= 9 else 1)

    def dealt(self, result: _Result, hand: int, up: int, rank: int) -> int:
        """The dealer draws a card."""
        if result.need == ONE_CARD:
            return self.end(result.by_final[int(natural_of(min(up, 9), rank))])
        grown = int(self.t.dealer.reshape(-1, WIDTH)[hand, rank])
        if grown >= 64:
            return self.end(result.by_final[grown - 64])
        return self.state("dealer", self.results[result], grown, 1)

    def sums(self, **found: int) -> tuple[int, ...]:
        """A row of the sums of a block."""
        row = [0] * k.SUMS
        row[k.ROUNDS] = 1
        row[k.BETS] = 1
        for name, value in found.items():
            row[getattr(k, name.upper())] = value
        return tuple(row)


def unfold(rules: Packed, tables: Tables, shape: k.Shape) -> Automaton:
    """The automaton of a round of one box, from tables that may be flat."""
    made = _Unfolding(rules, tables, shape)
    made.state("start")
    moves: list[list[int]] = []
    while len(moves) < len(made.queue):
        moves.append([made.moved(made.queue[len(moves)], rank) for rank in range(RANK_COUNT)])
    moves, start = _merged(moves)
    states = len(moves)
    ends = list(made.ends)
    table = np.zeros((states + 2 + len(ends), WIDTH), np.int64)
    for number, row in enumerate(moves):
        for rank, to in enumerate(row):
            table[number, rank] = to if to >= 0 else states - 3 - to if to > -10 else states + 2 - 10 - to
    table[states:] = table[start]
    small = np.uint16 if table.shape[0] * WIDTH <= 1 << 16 else np.uint32
    return Automaton(
        move=(table * WIDTH).astype(small).reshape(-1),
        ends_from=(states + 2) * WIDTH,
        leaves_from=states * WIDTH,
        rows=np.array(ends, np.int64).reshape(len(ends), k.SUMS),
    )


def _merged(moves: list[list[int]]) -> tuple[list[list[int]], int]:
    """States with the same moves are one state."""
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
    return rows, kept[names[0]]
