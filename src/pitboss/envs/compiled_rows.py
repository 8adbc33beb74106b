"""What compiled rounds at thousands of tables work on: the game, what each table has of its own, and its cards."""

from __future__ import annotations

import functools
from typing import NamedTuple, ParamSpec, TypeVar

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from pitboss.play._jit import register_all
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.row import Row, empty_rack, pick_ticket, take_next
from pitboss.play.side_wagers.side_tables import SideTables
from pitboss.sim.kernels.compiling import INT64, ROOMS, Codes, compile_apart, compile_kernel
from pitboss.sim.kernels.streams import below

register_all()

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Rows = NDArray[np.int32]
Stream = NDArray[np.uint64]
"""The counter of a random stream and its increment."""
Numbers = NDArray[np.int16]
Flags = NDArray[np.bool_]

COUNTER, GAMMA = 0, 1
POSITIVE = 0xFFFF
"""Shows the compiler that a place is not negative: it need not look then."""

compiled = functools.partial(compile_kernel, rooms=(*ROOMS, "pitboss.envs"))


class Dealing(NamedTuple):
    """How tables in step deal, as integers."""

    cut: int
    """A new shoe is begun when so many cards are dealt at the start of a round; 0: for every round."""
    returns_late: int
    """A device takes the cards of a round back only after the next initial deal."""
    waits: int
    """After a round the table waits until somebody has it deal again."""
    is_brief: int
    """Rounds of one hand are played from tables of what it comes to, without a row."""
    asks_bets: int
    """Every round begins with the question how many wagers are staked."""


class TablePlay(NamedTuple):
    """How rounds are played at all tables. It is handed on from kernel to kernel, so there is little of it."""

    rules: Packed
    areas: NDArray[np.void]
    """The area (`Area`) with each bet that may be chosen: what pays a fixed sum is worth less of a higher one."""
    bets: NDArray[np.int64]
    """How many wagers each bet is."""
    dealing: Dealing
    brief: NDArray[np.int32]
    """What `play` says of a box with one hand (see `brief_tables`)."""


class EnvGame(NamedTuple):
    """Everything that is the same at all tables."""

    play: TablePlay
    sides: SideTables
    side_pays: NDArray[np.float64]
    """[side wager][outcome] -> what it brings, in units of the main wager."""


IN_ROW, BRIEF, BETTING = range(3)
"""How a table is being played: in its row, by looking up, or not yet because the bet is asked for."""
(
    MODE, BET, POSITION, KNOWN, UP, HOLE, FIRST, SECOND, THIRD, HARD, ACES, CARDS, SUITS, RANKS, ALLOWED, NET,
) = range(16)  # fmt: skip
"""Places in a table's notes; `POSITION` and `KNOWN` as in a row, `THIRD` is the first card beyond the deal."""
NOTES, VIEW = 16, 32
"""Numbers in a table's notes, and in a view, which has room to spare."""


class Tables(NamedTuple):
    """What each table has of its own, one row for each."""

    rows: Rows
    notes: Rows
    """A hand that is not in its row, and how the table is being played."""
    views: Numbers
    """What is seen of such a hand."""
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


@compile_apart
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
