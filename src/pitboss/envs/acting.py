"""Rounds at thousands of tables in step, compiled: cards from their shoes, actions of agents, what the agents see.

The rounds are those of `play.round`; here are the shoes they are dealt from, and the way from a row of integers to an
observation, a mask and a reward.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numba import njit
from numba.extending import overload
from numpy.typing import NDArray

from pitboss.envs import fields as w
from pitboss.play._jit import register_all
from pitboss.play.bonuses import grade_of
from pitboss.play.hands import points_of, total
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.row import (
    Area,
    Row,
    box_at,
    empty_rack,
    forget_cards,
    hand_at,
    layout_at,
    pick_ticket,
    take_next,
)
from pitboss.play.round.side_results import judge_side_wagers
from pitboss.play.round.step import deal_round, settle_deal, step
from pitboss.play.side_wagers.side_tables import SideTables
from pitboss.sim.kernels.compiling import INT64, OPTIONS, ROOMS, Codes, compile_kernel
from pitboss.sim.kernels.streams import below

register_all()

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Rows = NDArray[np.int32]
Stream = NDArray[np.uint64]
"""The counter of a random stream and its increment."""
Numbers = NDArray[np.int16]
Flags = NDArray[np.bool_]

ACTIONS = len(w.Action)
COUNTER, GAMMA = 0, 1
POSITIVE = 0xFFFF
"""Shows the compiler that a place is not negative: it need not look then."""

compiled = functools.partial(compile_kernel, rooms=(*ROOMS, "pitboss.envs"))


def inner(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a function that only kernels call: nothing is made for callers from outside, which takes long."""
    without_wrappers: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made: Callable[Arguments, Result] = njit(**{**OPTIONS, **without_wrappers, "cache": False})(function)
    return made


class Dealing(NamedTuple):
    """How tables in step deal, as integers."""

    cut: int
    """A new shoe is begun when so many cards are dealt at the start of a round; 0: for every round."""
    returns_late: int
    """A device takes the cards of a round back only after the next initial deal."""


class EnvGame(NamedTuple):
    """Everything that is the same at all tables."""

    rules: Packed
    area: Area
    dealing: Dealing
    sides: SideTables
    side_pays: NDArray[np.float64]
    """[side wager][outcome] -> what it brings, in units of the main wager."""


class Tables(NamedTuple):
    """What each table has of its own, one row for each."""

    rows: Rows
    shoes: Codes
    chances: Stream


class Shown(NamedTuple):
    """What agents are told, one row for each table."""

    seen: Numbers
    masks: NDArray[np.int8]


class Ended(NamedTuple):
    """What an action has brought, one row for each table."""

    rewards: NDArray[np.float64]
    ended: Flags
    refused: Flags
    finals: Numbers
    outcomes: Codes
    """[table][side wager] -> number of its outcome, where a round has ended."""


# Cards --------------------------------------------------------------------------------------------------


class Cards(NamedTuple):
    """What the cards of one table are drawn from."""

    shoe: Codes
    chance: Stream
    layout: int
    """Where the row lists the cards on the layout."""

    def draw(self, row: Row) -> int:
        """The next card of a table: one that lies in the shoe already in front of `KNOWN`, or a fresh draw."""
        if row[r.RACK] != 0:
            take_back(self, row)
        position = INT64(row[r.POSITION] & POSITIVE)
        if position == self.shoe.size:
            position = INT64(0)  # a round for which the shoe is too small goes on with all cards shuffled
        if position < row[r.KNOWN]:
            code = INT64(self.shoe[position])
        else:
            there = pick_ticket(self, self.shoe.size - position) + position & POSITIVE
            code = INT64(self.shoe[there])
            self.shoe[there] = self.shoe[position]
            self.shoe[position] = code
        row[r.POSITION] = position + 1
        return code

    def pick(self, tickets: int) -> int:
        """One of that many tickets at random."""
        picked, self.chance[COUNTER] = below(tickets, self.chance[COUNTER], self.chance[GAMMA])
        return picked


overload(take_next, strict=False)(lambda self, row: Cards.draw)
overload(pick_ticket, strict=False)(lambda self, tickets: Cards.pick)


@inner
def take_back(cards: Cards, row: Row) -> None:
    """The rack goes into the device, unless its cards were laid out in order."""
    if row[r.KNOWN] != 0:
        return
    for place in range(cards.layout, cards.layout + 2 * row[r.LAYOUT], 2):
        if row[place + 1] == 0:
            last = row[r.POSITION] - 1
            at = last
            while cards.shoe[at] != row[place]:
                at -= 1
            cards.shoe[at], cards.shoe[last] = cards.shoe[last], cards.shoe[at]
            row[r.POSITION] = last
    empty_rack(row, cards.layout)


@inner
def new_round(game: EnvGame, row: Row, cards: Cards) -> None:
    """Deal the next round, from a new shoe if it is time for one."""
    dealing = game.dealing
    out = 0
    if row[r.POSITION] >= dealing.cut:
        if dealing.returns_late != 0 and row[r.KNOWN] == 0:
            out = INT64(row[r.POSITION])
        else:
            row[r.POSITION] = 0
        row[r.KNOWN] = 0
        forget_cards(row)
    deal_round(game.rules, game.area, row, cards)
    if out != 0:
        for place in range(row[r.POSITION] - out):
            cards.shoe[place], cards.shoe[out + place] = cards.shoe[out + place], cards.shoe[place]
        row[r.POSITION] -= out
    settle_deal(game.rules, game.area, row, cards)


# Seeing -------------------------------------------------------------------------------------------------


@inner
def show_row(area: Area, row: Row, seen: Numbers) -> None:
    """What the agent at a table sees."""
    b, h = INT64(row[r.AT_BOX]), INT64(row[r.AT_HAND])
    at = hand_at(area, b, h)
    points = total(row[at + r.HARD], row[at + r.ACES])
    seen[w.STAGE] = row[r.AT_STAGE]
    seen[w.UP_CARD] = points_of(row[r.UP] & 15)
    seen[w.TOTAL], seen[w.SOFT] = points, int(points != row[at + r.HARD])
    seen[w.CARDS] = row[at + r.CARDS]
    seen[w.FIRST_CARD] = points_of(row[at + r.FIRST] & 15)
    seen[w.SECOND_CARD] = points_of(row[at + r.SECOND] & 15)
    seen[w.SUITED] = grade_of(row[at + r.SUITS])
    seen[w.DOUBLED], seen[w.FROM_SPLIT] = row[at + r.IS_DOUBLED], row[at + r.FROM_SPLIT]
    seen[w.HAND], seen[w.HANDS], seen[w.BOX] = h + 1, row[box_at(b) + r.BOX_HANDS], b + 1
    seen[w.INSURED] = int(row[box_at(b) + r.INSURANCE] != 0)
    if area.boxes == 2:
        other = hand_at(area, 1 - b, 0)
        seen[w.OTHER_TOTAL] = total(row[other + r.HARD], row[other + r.ACES])
        seen[w.OTHER_FIRST_CARD] = points_of(row[other + r.FIRST] & 15)
        seen[w.OTHER_SECOND_CARD] = points_of(row[other + r.SECOND] & 15)
    else:
        seen[w.OTHER_TOTAL] = seen[w.OTHER_FIRST_CARD] = seen[w.OTHER_SECOND_CARD] = 0
    for value in range(10):
        seen[w.SEEN + value] = row[r.SEEN + value]


@inner
def show_mask(row: Row, mask: NDArray[np.int8]) -> None:
    """Which actions are open at a table."""
    bits = row[r.ALLOWED]
    for action in range(ACTIONS):
        mask[action] = bits >> action & 1


# All tables ---------------------------------------------------------------------------------------------


@compiled
def deal_all(game: EnvGame, tables: Tables, shown: Shown, start: int, stop: int) -> None:
    """The first round at tables `start` to `stop`, from the shoes as they are."""
    layout = layout_at(game.area)
    for i in range(start, stop):
        row, cards = tables.rows[i], Cards(tables.shoes[i], tables.chances[i], layout)
        deal_round(game.rules, game.area, row, cards)
        settle_deal(game.rules, game.area, row, cards)
        show_row(game.area, row, shown.seen[i])
        show_mask(row, shown.masks[i])


@compiled
def step_all(
    game: EnvGame, tables: Tables, shown: Shown, ended: Ended, actions: NDArray[np.int64], start: int, stop: int
) -> None:
    """One action at each of the tables. A round that ends is settled, and the next one is dealt at once."""
    layout = layout_at(game.area)
    for i in range(start, stop):
        row, cards = tables.rows[i], Cards(tables.shoes[i], tables.chances[i], layout)
        action = INT64(actions[i])
        is_open = 0 <= action < ACTIONS and (row[r.ALLOWED] >> action & 1) != 0
        ended.refused[i] = not is_open
        ended.ended[i] = False
        ended.rewards[i] = 0.0
        if is_open:
            if row[r.AT_STAGE] != r.OVER:
                step(game.rules, game.area, row, action, cards)
            if row[r.AT_STAGE] == r.OVER:
                ended.ended[i] = True
                reward = row[r.NET] / game.area.unit
                judge_side_wagers(game.area, row, game.sides, ended.outcomes[i], cards)
                for wager in range(game.area.side_wagers):
                    reward += game.side_pays[wager, ended.outcomes[i, wager]]
                ended.rewards[i] = reward
                show_row(game.area, row, ended.finals[i])
                new_round(game, row, cards)
        show_row(game.area, row, shown.seen[i])
        show_mask(row, shown.masks[i])
