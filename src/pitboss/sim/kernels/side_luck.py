"""The luck of side wagers in a kernel: what each card drawn brings a wager above the mean of the cards that are left.

Before a card is drawn, a row for each wager is filled with what the wager is worth after each card, as far as the card
matters to it; `note_sides` then adds the luck of the card that came. What wagers are worth is looked up in
`unfold.side_values`. These functions are compiled by themselves and handed no more than they need, because they are
called in many places of a kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.play._jit import register_all
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_FIRST_TWO,
    BY_FOUR_CARDS,
    BY_THIRD_CARD,
    BY_TOKENS,
    BY_UP_CARD,
    NO_CARD_CODE,
    OUTCOME,
)
from pitboss.play.side_wagers.side_tables import CODES, SideTables, look_up_four, pair_of
from pitboss.sim.kernels.compiling import INT64, UINT64, Ints, compile_apart
from pitboss.sim.unfold.luck_tables import RANK_COUNT, Floats
from pitboss.sim.unfold.side_values import TOKENS, SideLuck
from pitboss.sim.unfold.tables import DO_SPLIT, WIDTH, Small

register_all()

LUCK, WON, STAKES, OF_SHOE, STAKES_OF_SHOE, NUMBERS = range(6)
"""Places of what a wager has come to: the luck of its cards in the round, what it won, new stakes; what the rounds of
the shoe won less their luck, and their stakes."""


class SideRoom(NamedTuple):
    """What is remembered of side wagers within a round."""

    follow: Floats
    """[wager][card] -> what the wager is worth after the next card, as far as that card decides."""
    matters: Ints
    """[wager] -> 1 if the next card matters to it."""
    left: Floats
    """[card] -> how many are left in the shoe."""
    numbers: Floats
    """[see `LUCK`][wager]"""
    codes: Ints
    """[box][first card, second card], as the kernel has them."""
    carried: Ints
    """[box][wager] -> for how many rounds it has been carried, as the kernel has it."""


def make_side_room(sides: int, codes: Ints, carried: Ints) -> SideRoom:
    """Room for so many wagers on each box."""
    return SideRoom(
        np.zeros((sides, CODES)), np.zeros(sides, np.int64), np.zeros(CODES), np.zeros((NUMBERS, sides)), codes, carried
    )


@compile_apart
def note_sides(room: SideRoom, card: int) -> None:
    """A card has been drawn from what was left; whatever it mattered to is forgotten."""
    cards = 0.0
    for code in range(CODES):
        cards += room.left[code]
    for wager in range(room.matters.size):
        if room.matters[wager] != 0:
            mean = 0.0
            for code in range(CODES):
                mean += room.left[code] * room.follow[wager, code]
            room.numbers[LUCK, wager] += room.follow[wager, card] - mean / cards
            room.matters[wager] = 0
            for code in range(CODES):
                room.follow[wager, code] = 0.0
    room.left[card] -= 1.0


@compile_apart
def follow_rank(room: SideRoom, wager: int, rank: int, worth: float) -> None:
    """A wager is worth this much more after any card of a rank."""
    room.matters[wager] = 1
    for suit in range(4):
        room.follow[wager, UINT64(suit << 4 | rank)] += worth


@compile_apart
def follow_row(room: SideRoom, wager: int, worth: Floats) -> None:
    """A wager is worth this much more after each card."""
    room.matters[wager] = 1
    for code in range(CODES):
        room.follow[wager, code] += worth[code]


@compile_apart
def follow_ranks(room: SideRoom, wager: int, worth: Floats, times: int) -> None:
    """So many wagers are worth this much more after each rank."""
    for rank in range(RANK_COUNT):
        follow_rank(room, wager, rank, worth[rank] * times)


@compile_apart
def follow_first_of_sides(sides: SideTables, luck: SideLuck, room: SideRoom, b: int) -> None:
    """The next card is the first of a box."""
    for wager in range(luck.wagers):
        source = sides.source[wager]
        if source == BY_DEALER_HAND:
            follow_ranks(room, wager, luck.dealer.before[wager], luck.of_each)
        elif source == BY_TOKENS:
            follow_ranks(room, wager, luck.tokens.first[wager], 1)
        elif source == BY_FOUR_CARDS:
            other = room.codes[b - 1, 0] & 15
            follow_ranks(room, wager, luck.four_pair[wager, other] if b & 1 else luck.four_first[wager], 1)
        else:
            follow_row(room, wager, luck.first[wager, room.carried[b, wager]])


@compile_apart
def follow_up_of_sides(sides: SideTables, luck: SideLuck, room: SideRoom, boxes: int) -> None:
    """The next card is the dealer's up card."""
    for wager in range(luck.wagers):
        source = sides.source[wager]
        if source == BY_DEALER_HAND:
            follow_ranks(room, wager, luck.dealer.up[wager], luck.of_each)
            continue
        for b in range(0, boxes, 2 if source == BY_FOUR_CARDS else 1):
            first = room.codes[b, 0]
            if source == BY_TOKENS:
                follow_ranks(room, wager, luck.tokens.up[wager, first & 15], 1)
            elif source == BY_FOUR_CARDS:
                follow_ranks(room, wager, luck.four_up[wager, first & 15, room.codes[b + 1, 0] & 15], 1)
            else:
                follow_row(room, wager, luck.up[wager, room.carried[b, wager], first])


@compile_apart
def worth_of_pair(
    sides: SideTables, luck: SideLuck, wager: int, carried: int, first: int, second: int, up_code: int
) -> float:
    """What a wager on the cards of a box is worth when its first two cards lie."""
    source, group = sides.source[wager], INT64(sides.classes[wager, UINT64(pair_of(first, second))])
    if source == BY_FIRST_TWO:
        return float(luck.ends[wager, carried, group, 0])
    if source == BY_UP_CARD:
        return float(luck.ends[wager, carried, group, up_code])
    ends = luck.ends[wager, carried, group]
    if luck.draws[up_code & 15, min(first & 15, 12), min(second & 15, 12)] == 0:
        return float(ends[NO_CARD_CODE])
    gone = ends[first] + ends[second] + ends[up_code]
    return float(luck.thirds[wager, carried, group] - gone) / (luck.cards - 3)


@compile_apart
def pay_of_four(sides: SideTables, luck: SideLuck, wager: int, one: int, two: int, three: int, four: int) -> float:
    """What a wager on the four cards of an area wins with these ranks, in any order."""
    return float(luck.pays[wager, look_up_four(sides, wager, one, two, three, four) & OUTCOME])


@compile_apart
def worth_of_three(sides: SideTables, luck: SideLuck, wager: int, one: int, two: int, three: int, up: int) -> float:
    """What such a wager is worth with three of the cards and the up card."""
    gone = 0.0
    for rank in (one, two, three, up):
        gone += pay_of_four(sides, luck, wager, one, two, three, rank)
    return float(luck.four_sum[wager, one, two, three] - gone) / (luck.cards - 4)


@compile_apart
def follow_second_of_sides(sides: SideTables, luck: SideLuck, room: SideRoom, b: int, up_code: int) -> None:
    """The next card is the second of a box."""
    codes, up = room.codes, up_code & 15
    first = codes[b, 0]
    for wager in range(luck.wagers):
        source = sides.source[wager]
        if source == BY_DEALER_HAND:
            follow_ranks(room, wager, luck.dealer.after[wager, up], luck.of_each)
        elif source == BY_TOKENS:
            follow_ranks(room, wager, luck.tokens.second[wager, up, first & 15], 1)
        elif source == BY_FOUR_CARDS:
            for rank in range(RANK_COUNT):
                if b & 1:
                    known = codes[b - 1, 0] & 15, codes[b - 1, 1] & 15
                    worth = pay_of_four(sides, luck, wager, known[0], known[1], first & 15, rank)
                else:
                    worth = worth_of_three(sides, luck, wager, first & 15, codes[b + 1, 0] & 15, rank, up)
                follow_rank(room, wager, rank, worth)
        else:
            room.matters[wager] = 1
            for code in range(CODES):
                worth = worth_of_pair(sides, luck, wager, room.carried[b, wager], first, code, up_code)
                room.follow[wager, code] += worth


@compile_apart
def follow_draw_of_sides(sides: SideTables, luck: SideLuck, room: SideRoom, b: int, up: int, third: int) -> None:
    """The next card goes to a hand of a box that has its first two cards; `third`: what came after them so far."""
    for wager in range(luck.wagers):
        source = sides.source[wager]
        if source == BY_DEALER_HAND:
            follow_ranks(room, wager, luck.dealer.after[wager, up], luck.of_each)
        elif source == BY_THIRD_CARD and third == NO_CARD_CODE:
            group = INT64(sides.classes[wager, UINT64(pair_of(room.codes[b, 0], room.codes[b, 1]))])
            follow_row(room, wager, luck.ends[wager, room.carried[b, wager], group])


@compile_apart
def worth_of_tokens(
    luck: SideLuck, wager: int, state: int, waiting: int, hands: int, rank: int, up: int, used: int
) -> float:
    """What a wager on tokens is worth with a hand in play that does not split, and others that wait for a card."""
    worth, pays = 0.0, luck.tokens.pays[wager, waiting, hands, rank, up]
    for further in range(TOKENS):
        worth += luck.tokens.hands[up, state, further] * pays[min(used + further, TOKENS - 1)]
    return worth


@compile_apart
def follow_hit_of_tokens(
    sides: SideTables, luck: SideLuck, room: SideRoom, grow: Small, b: int, up: int, state: int, waiting: int,
    hands: int, used: int,
) -> None:  # fmt: skip
    """The next card goes to a hand that goes on."""
    for wager in range(luck.wagers):
        if sides.source[wager] == BY_TOKENS:
            for rank in range(RANK_COUNT):
                grown = INT64(grow[UINT64(state * WIDTH + rank)])
                worth = worth_of_tokens(luck, wager, grown, waiting, hands, room.codes[b, 0] & 15, up, used)
                follow_rank(room, wager, rank, worth)


@compile_apart
def follow_half_of_tokens(
    sides: SideTables, luck: SideLuck, room: SideRoom, act: Small, opening: Small, unsplit: Small, up: int, rank: int,
    room_to_split: bool, waiting: int, hands: int, used: int,
) -> None:  # fmt: skip
    """The next card is the second of a hand of a split, which may be split again or not."""
    tokens = luck.tokens
    for wager in range(luck.wagers):
        if sides.source[wager] == BY_TOKENS:
            for card in range(RANK_COUNT):
                state = INT64(opening[UINT64(rank * WIDTH + card)])
                state = state if room_to_split else INT64(unsplit[UINT64(state)])
                worth = worth_of_tokens(luck, wager, state, waiting, hands, rank, up, used)
                if room_to_split and act[UINT64(state * WIDTH + up)] == DO_SPLIT:
                    more = min(used + tokens.splits[rank], TOKENS - 1)
                    worth = float(tokens.pays[wager, waiting + 2, hands + 1, rank, up, more])
                follow_rank(room, wager, card, worth)


@compile_apart
def follow_dealer_of_sides(
    sides: SideTables, luck: SideLuck, room: SideRoom, dealer: Ints, up: int, state: int, cards: int
) -> None:
    """The next card is the dealer's, who has come to this state with so many."""
    for wager in range(luck.wagers):
        if sides.source[wager] == BY_DEALER_HAND:
            for rank in range(RANK_COUNT):
                after = dealer[UINT64(state * WIDTH + rank)]
                follow_rank(room, wager, rank, luck.of_each * luck.dealer.hands[wager, up, cards + 1, after])


@compile_apart
def open_sides(room: SideRoom) -> None:
    """A round begins."""
    for wager in range(room.matters.size):
        room.numbers[LUCK, wager] = room.numbers[WON, wager] = room.numbers[STAKES, wager] = 0.0


@compile_apart
def judge_cards(
    sides: SideTables, luck: SideLuck, room: SideRoom, wager: int, carried: int, pair: int, further: int
) -> None:
    """A wager is judged that was carried for so many rounds: what it has come to, and what it may still."""
    group = INT64(sides.classes[wager, UINT64(pair)])
    room.numbers[WON, wager] += luck.ends[wager, carried, group, further]
    if carried:
        room.numbers[WON, wager] -= luck.start[wager, carried]
    else:
        room.numbers[STAKES, wager] += 1.0
