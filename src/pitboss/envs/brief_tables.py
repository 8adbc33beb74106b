"""What becomes of a box with one hand, looked up: most rounds are no more than that, and need no whole row.

The tables are filled by the functions of `play` themselves, asked about a row on which the hand has been laid out. A
place that they do not answer (a pair to split, a double, an offer, a bonus by suits) says so, and the round goes on in
its row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.envs.compiled_rows import Cards, TablePlay, compiled
from pitboss.play._jit import register_all
from pitboss.play.dealer import has_hole_card
from pitboss.play.hands import ACE, points_of, total
from pitboss.play.naturals import makes_natural
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.allowed import decisions_of
from pitboss.play.round.ending import complete_hand, dealer_need_of, settle_box
from pitboss.play.round.next_step import ASKED, COMPLETE, next_of_hand
from pitboss.play.round.row import Area, Row, end_hand_as, hand_at, layout_at, take
from pitboss.play.round.step import clear_row, settle_deal
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.sim.kernels.compiling import Codes, compile_apart

register_all()

RANKS, HARDS, ACE_COUNTS, CARD_COUNTS = 13, 32, 4, 10
"""Hands with more aces or more cards are left to their rows."""
TOTALS = 32
DEALER_NATURAL = 27
FINALS = 28
"""The dealer's totals up to 26, and a natural."""
OPEN_IN_ROW, ENDS = 0, -1
"""What a hand comes to, beside the actions that are open: something for its row, or its end."""
STANDS, IS_COMPLETE = 0, 1
"""How a hand ends."""


NETS_SIZE = TOTALS * CARD_COUNTS * FINALS
HANDS_SIZE = RANKS * HARDS * ACE_COUNTS * CARD_COUNTS
GROWN = RANKS**3
NEEDS = GROWN + HANDS_SIZE
NETS = NEEDS + 2 * HANDS_SIZE
BRIEF_SIZE = NETS + 2 * NETS_SIZE
"""The tables stand one after the other. At 0: what a dealt hand comes to, where the dealer has no natural, by
`opening_at`; then what a hand of three cards and more comes to, and for either way to end how much of the dealer's hand
is needed, by `hand_place`; then what it wins, in parts, by `net_at`."""


@compile_apart
def opening_at(up: int, first: int, second: int) -> int:
    """The place of a dealt hand, by ranks."""
    return (up * RANKS + first) * RANKS + second


@compile_apart
def hand_place(up: int, hard: int, aces: int, cards: int) -> int:
    """The place of a hand against an up card."""
    return ((up * HARDS + (hard & HARDS - 1)) * ACE_COUNTS + aces) * CARD_COUNTS + cards


@compile_apart
def net_at(ends: int, points: int, cards: int, final: int) -> int:
    """The place of what a hand wins against the dealer's final."""
    return NETS + ends * NETS_SIZE + (points * CARD_COUNTS + cards) * FINALS + final


@compile_apart
def lay_out_box(area: Area, row: Row, up: int, hole: int) -> None:
    """An empty box against an up card, its turn having come."""
    row[r.HOLE] = NO_CARD_CODE
    clear_row(area, row)
    row[r.UP], row[r.DEALER_CARDS], row[r.HOLE] = up, 1, hole
    row[r.DEALER_HARD], row[r.DEALER_ACES] = points_of(up & 15), int(up & 15 == ACE)
    row[r.AT_STAGE] = r.TURN


@compile_apart
def lay_out_hand(area: Area, row: Row, up: int, hard: int, aces: int, cards: int) -> None:
    """A hand of three cards and more of which nothing is known but its sum, aces and cards."""
    lay_out_box(area, row, up, NO_CARD_CODE)
    at = hand_at(area, 0, 0)
    row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS] = hard, aces, cards
    row[r.FURTHER] = 1


@compiled
def fill_tables(play: TablePlay, row: Row, shoe: Codes, chance: NDArray[np.uint64]) -> None:
    """Ask `play` about every hand."""
    rules, area, brief = play.rules, play.areas[0], play.brief
    cards_left = Cards(shoe, chance, layout_at(area))
    for up in range(RANKS):
        hole = NO_CARD_CODE
        if has_hole_card(rules):
            hole = RANKS - 1
            while makes_natural(up, hole):
                hole -= 1
        for first in range(RANKS):
            for second in range(RANKS):
                lay_out_box(area, row, up, hole)
                row[r.POSITION] = row[r.KNOWN] = 0
                take(area, row, hand_at(area, 0, 0), first)
                take(area, row, hand_at(area, 0, 0), second)
                settle_deal(rules, area, row, cards_left)
                is_plain = row[r.AT_STAGE] == r.TURN and row[r.POSITION] == 0 and row[r.HOLE] == hole
                brief[opening_at(up, first, second)] = row[r.ALLOWED] if is_plain else OPEN_IN_ROW
        for cards in range(2, CARD_COUNTS):
            for aces in range(min(cards + 1, ACE_COUNTS)):
                for hard in range(cards, HARDS):
                    fill_hand(rules, area, row, brief, up, hard, aces, cards)


@compile_apart
def fill_hand(
    rules: Packed, area: Area, row: Row, brief: NDArray[np.int32], up: int, hard: int, aces: int, cards: int
) -> None:
    """Ask about one hand."""
    at = hand_at(area, 0, 0)
    points = total(hard, aces)
    if cards > 2:
        lay_out_hand(area, row, up, hard, aces, cards)
        comes = next_of_hand(rules, hard, aces, cards, False, False, False, False, False, False)
        if comes == ASKED:
            brief[GROWN + hand_place(up, hard, aces, cards)] = decisions_of(rules, area, row)
        elif comes == COMPLETE:
            brief[GROWN + hand_place(up, hard, aces, cards)] = ENDS
    for ends in range(2):
        for final in range(-1, FINALS):
            lay_out_hand(area, row, up, hard, aces, cards)
            if ends == STANDS:
                end_hand_as(area, row, at, r.STOOD)
            else:
                complete_hand(rules, area, row, 0, at)
            if final < 0:
                brief[NEEDS + ends * HANDS_SIZE + hand_place(up, hard, aces, cards)] = dealer_need_of(rules, area, row)
            elif up == 0 and aces == 0 and points < TOTALS:
                row[r.DEALER_HARD], row[r.DEALER_ACES] = final, 0
                if final == DEALER_NATURAL:
                    row[r.DEALER_HARD], row[r.DEALER_ACES], row[r.DEALER_NATURAL] = 11, 1, 1
                settle_box(rules, area, row, 0)
                brief[net_at(ends, points, cards, final)] = row[r.NET]
