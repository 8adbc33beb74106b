"""The boxes of a round as a finite automaton played once for each box, and the dealer's hand as another.

A box depends on the others only through how much of the dealer's hand is drawn. So its hand is unfolded as in a round
of one box, but ends in a result: what it needs of the dealer's hand, and what it adds to the sums for each hand that
the dealer may come to. Needs of all boxes are joined and looked up; no rule is left for a kernel to know. What a hand
by itself cannot hold, a split or a bonus by suits, ends the round: the kernel plays it again from its first card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.dealer import NO_CARD, ONE_CARD, completes_for_side_wagers, dealer_looks, dealer_need, has_hole_card
from pitboss.play.naturals import makes_natural, may_become_natural
from pitboss.play.packed import Packed
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.boxes import NEEDS, ORDINARY
from pitboss.sim.unfold.areas import find_exchanges
from pitboss.sim.unfold.automaton import (
    FIRST_END,
    FIRST_LEAVE,
    RANK_COUNT,
    UNSEEN,
    Settle,
    TurnResult,
    Unfolding,
    merge_states,
)
from pitboss.sim.unfold.tables import WIDTH, PlayTables

AGAIN = ORDINARY << 1
"""The bit of a result that sends the round to the kernel for every form of round."""
OPEN_SETS = AGAIN
"""How many sets of what boxes leave open are looked up."""
MOST_STATES = 1 << 16


class BoxAutomaton(NamedTuple):
    """The tables of a round of any number of boxes."""

    openings: NDArray[np.uint16]
    """[cards exchanged][dealer has shown a natural][up card][first card][second card] -> state of a box."""
    switches: int
    """1 if an area may exchange the second cards of its two boxes."""
    exchanges: NDArray[np.uint64]
    """[up card][first, second card of a box][first, second card of the other] -> a bit: 1 if its player does."""
    move: NDArray[np.uint16]
    """[state][rank] -> state. The first after the states that draw ends the round, the others end a box."""
    ends_from: int
    """States from here on draw no card."""
    opens: NDArray[np.uint8]
    """[state] -> bits of what the box leaves open."""
    shows: NDArray[np.uint8]
    """[up card][hole card] -> 1 if the dealer shows a natural before boxes act."""
    holes: int
    """1 if a card is dealt under the dealer's."""
    starts: NDArray[np.uint8]
    """[what boxes leave open][up card] -> state of the dealer."""
    dealer: NDArray[np.uint8]
    """[state][rank] -> state."""
    finals_from: int
    """States of the dealer from here on are final."""
    finals: int
    """How many finals there are; the last one is a dealer who shows nothing that matters."""
    busts: NDArray[np.int64]
    naturals: NDArray[np.int64]
    """[final] -> 1 if it is over 21, if it is a natural."""
    nets: NDArray[np.int64]
    """[result][final] -> parts won."""
    rows: NDArray[np.int64]
    """[result, final][place in the sums of a block] -> what one such box adds."""
    tokens: NDArray[np.int64]
    """[result] -> tokens used."""
    looks_on: tuple[int, ...]
    """`(1,)` if side wagers are on third cards or tokens, or are carried on: known from its type, as with `Form`."""


class BoxUnfolding(Unfolding):
    """Unfolds the hand of one box against each up card; an end of it says what the box leaves open."""

    def __init__(self, rules: Packed, tables: PlayTables) -> None:
        super().__init__(rules, tables)
        natural = [int(value) >= 100 for value in tables.final_total]
        self.finals = [*enumerate(natural), (0, False)]

    def result(self, needs: int, up: int, settle: Settle) -> TurnResult:
        """What the box comes to with each hand of the dealer's, whoever makes the dealer draw it."""
        rows = tuple(settle(*final) for final in self.finals)
        ordinary = not (rows[-1][k.NATURALS] or rows[-1][k.BUSTS])
        return TurnResult(needs | ORDINARY * ordinary, rows)

    def end_turn(self, up: int, hole: int, result: TurnResult) -> int:
        """The box is over."""
        return FIRST_END - self.number(result)

    def sums(self, **found: int) -> tuple[int, ...]:
        """What one box adds to the sums of a block: rounds are counted by themselves."""
        row = list(super().sums(**found))
        row[k.ROUNDS] = 0
        return tuple(row)

    def open_box(self, exchanged: bool, ended: bool, up: int, one: int, two: int) -> int:
        """The state of a box that has its two cards."""
        if makes_natural(one, two) and not exchanged:
            return self.natural(up, UNSEEN)
        return self.play(int(self.t.opening.reshape(-1, WIDTH)[one, two]), up, UNSEEN, ended=ended)


def unfold_boxes(
    rules: Packed, tables: PlayTables, switches: NDArray[np.uint8], *, dealer_side: bool, looks_on: bool
) -> BoxAutomaton | None:
    """The automaton of the boxes of a round; none if it is too large.

    `switches`: what the player exchanges, as a kernel looks it up. `dealer_side`: wagers are on the dealer's hand.
    `looks_on`: wagers are on what becomes of a box after its first two cards, or on further rounds.
    """
    made = BoxUnfolding(rules, tables)
    shape = (2 if rules.switch else 1, 2 if _shows_early(rules) else 1, RANK_COUNT, RANK_COUNT, RANK_COUNT)
    opened = {place: made.open_box(*_flags(place), made.ups[place[2]], *place[3:]) for place in np.ndindex(shape)}
    moves: list[list[int]] = []
    while len(moves) < len(made.queue):
        moves.append([made.move(made.queue[len(moves)], rank) for rank in range(RANK_COUNT)])
    rows, places = merge_states(moves)
    states, results = len(rows), [TurnResult(AGAIN, ((0,) * k.SUMS,) * len(made.finals)), *made.order]
    if states + len(results) > MOST_STATES:
        return None

    def number(to: int) -> int:
        return to if to >= 0 else states if to <= FIRST_LEAVE else states + 1 + FIRST_END - to

    move = np.zeros((states, WIDTH), np.uint16)
    for state, row in enumerate(rows):
        move[state, :RANK_COUNT] = [number(to) for to in row]
    openings = np.zeros((2, 2, WIDTH, WIDTH, WIDTH), np.uint16)
    for place, to in opened.items():
        openings[place] = number(places[to] if to >= 0 else to)
    opens = np.zeros(states + len(results), np.uint8)
    opens[states:] = [result.need for result in results]
    sums = np.array([result.by_final for result in results], np.int64)
    dealer, starts, finals_from = unfold_dealer(rules, tables, dealer_side)
    totals = np.append(tables.final_total, 0)
    return BoxAutomaton(
        openings=openings.reshape(-1),
        switches=int(rules.switch != 0),
        exchanges=_pack_exchanges(rules, switches),
        move=move.reshape(-1),
        ends_from=states,
        opens=opens,
        shows=_show_naturals(rules).reshape(-1),
        holes=int(has_hole_card(rules)),
        starts=starts.reshape(-1),
        dealer=dealer.reshape(-1),
        finals_from=finals_from,
        finals=len(totals),
        busts=(totals % 100 > 21).astype(np.int64),
        naturals=(totals >= 100).astype(np.int64),
        nets=sums[:, :, k.NET].reshape(-1).copy(),
        rows=sums.reshape(-1, k.SUMS),
        tokens=sums[:, 0, k.TOKENS].copy(),
        looks_on=(1,) if looks_on else (),
    )


def _flags(place: tuple[int, ...]) -> tuple[bool, bool]:
    return bool(place[0]), bool(place[1])


def _show_naturals(rules: Packed) -> NDArray[np.uint8]:
    """[up card][hole card] -> 1 if the dealer shows a natural before boxes act."""
    shows = np.zeros((WIDTH, WIDTH), np.uint8)
    for up, hole in np.ndindex(RANK_COUNT, RANK_COUNT):
        shows[up, hole] = has_hole_card(rules) and dealer_looks(rules, up) and makes_natural(up, hole)
    return shows


def _shows_early(rules: Packed) -> bool:
    return bool(_show_naturals(rules).any())


def _pack_exchanges(rules: Packed, switches: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """The exchanges that a player makes, as `find_exchanges` has them: 64 of them in a word."""
    if rules.switch == 0:
        return np.zeros(1, np.uint64)
    bits = np.packbits(find_exchanges(rules, switches).reshape(-1), bitorder="little")
    return np.pad(bits, (0, -len(bits) % 8)).view("<u8").astype(np.uint64)


def unfold_dealer(
    rules: Packed, tables: PlayTables, dealer_side: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], int]:
    """The dealer's states with each card, where they begin by what boxes leave open, and from where they are final.

    A dealer who needs the second card only has states of its own, which lead to a natural or to nothing that matters;
    up cards that it makes a natural of alike share one, as they share the states of whoever plays against them.
    """
    whole = tables.dealer.reshape(-1, WIDTH)
    finals_from, nothing = len(whole) + RANK_COUNT, len(tables.final_total)
    natural = int(np.argmax(tables.final_total))
    dealer = np.zeros((finals_from, WIDTH), np.uint8)
    dealer[: len(whole)] = np.where(whole >= 64, whole - 64 + finals_from, whole)
    starts = np.zeros((OPEN_SETS, WIDTH), np.uint8)
    for up in range(RANK_COUNT):
        for rank in range(RANK_COUNT):
            dealer[len(whole) + up, rank] = finals_from + (natural if makes_natural(up, rank) else nothing)
    seconds = [row.tobytes() for row in dealer[len(whole) :]]
    for up in range(RANK_COUNT):
        for left in range(OPEN_SETS):
            completes = dealer_side and completes_for_side_wagers(rules, left & ORDINARY != 0)
            need = dealer_need(rules, left & NEEDS, may_become_natural(up), completes)
            by_need = {NO_CARD: finals_from + nothing, ONE_CARD: len(whole) + seconds.index(seconds[up])}
            starts[left, up] = by_need.get(need, int(tables.dealer_start[up]))
    return dealer, starts, finals_from
