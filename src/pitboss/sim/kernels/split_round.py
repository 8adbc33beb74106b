"""The rest of a round of one box that splits, or is paid by its suits, in a kernel: played from `SplitAutomaton`.

One round in forty leaves the automaton of whole rounds. It goes on here by itself, from the cards that it has. The luck
of further cards is summed where it is to be subtracted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.play._jit import register_all
from pitboss.play.bonuses import grade_of
from pitboss.sim.kernels.arguments import (
    DEALER_BUSTS,
    DEALER_NATURALS,
    HALF_HISTOGRAM,
    NET,
    NET_2,
    NET_3,
    OUTSIDE,
    ROUNDS,
    SUMS,
    Kept,
)
from pitboss.sim.kernels.boxes import SUPER
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, Ints, part
from pitboss.sim.kernels.luck import note_card
from pitboss.sim.kernels.streams import draw_from_shoe
from pitboss.sim.unfold.luck_tables import RANK_COUNT, Floats
from pitboss.sim.unfold.split_automaton import (
    BY_SUIT,
    DECLINES,
    GRADES,
    MOST_SPLIT_HANDS,
    SPLITS,
    VARIANTS,
    LaneAutomaton,
    SplitAutomaton,
    SplitHandValues,
)
from pitboss.sim.unfold.tables import WIDTH

U64 = UINT64

register_all()


class SplitRoom(NamedTuple):
    """What a round needs beside its state, and what has been counted."""

    waiting: Ints
    """First cards of halves."""
    results: Ints
    """[hand] -> result."""
    places: Ints
    """[place] -> how often."""
    finals: Ints
    """[final] -> how often."""
    follow: Floats
    """[rank] -> what the round is worth after the next card, as far as that card decides."""
    left: Floats
    """[rank] -> cards left in the shoe."""
    by_final: Floats
    """[final] -> what the round comes to with that hand of the dealer's."""
    luck: Floats
    """The luck of the cards of this round so far, in parts."""


def make_split_room(auto: SplitAutomaton) -> SplitRoom:
    """Room for the rounds of a block."""
    return SplitRoom(
        np.zeros(MOST_SPLIT_HANDS, np.int64), np.zeros(MOST_SPLIT_HANDS + 1, np.int64),
        np.zeros(len(auto.nets), np.int64), np.zeros(auto.finals, np.int64),
        np.zeros(RANK_COUNT), np.zeros(RANK_COUNT), np.zeros(auto.finals), np.zeros(1),
    )  # fmt: skip


@part
def add_net(kept: Kept, net: int, times: int) -> None:
    """Rounds that came to the same."""
    if -HALF_HISTOGRAM <= net < HALF_HISTOGRAM:
        kept.histogram[U64(net + HALF_HISTOGRAM)] += times
    else:
        kept.sums[OUTSIDE] += times
        kept.sums[NET] += times * net
        kept.sums[NET_2] += times * net * net
        kept.sums[NET_3] += times * net * net * net


@part
def follow_hand(auto: SplitAutomaton, worth: SplitHandValues, room: SplitRoom, state: int, context: int) -> None:
    """The next card goes to a hand in this state."""
    for rank in range(RANK_COUNT):
        to = INT64(auto.move[U64(state * WIDTH + rank)])
        splits = to >= auto.ends_from and auto.kinds[U64(max(to - auto.ends_from, 0))] == SPLITS
        if splits:
            room.follow[rank] = worth.again[U64(state * worth.contexts + context)]
        else:
            room.follow[rank] = worth.hands[U64(to * worth.contexts + context)]


@part
def follow_dealer_hand(auto: SplitAutomaton, worth: SplitHandValues, room: SplitRoom, state: int) -> None:
    """The next card is the dealer's, who has come to this state."""
    for rank in range(RANK_COUNT):
        room.follow[rank] = 0.0
    # Ranks inside: their sums do not wait for each other.
    for final in range(auto.finals):
        for rank in range(RANK_COUNT):
            to = U64(auto.move[U64(state * WIDTH + rank)])
            room.follow[rank] += worth.ends[to, U64(final)] * room.by_final[final]


@part
def weigh_hands(
    auto: SplitAutomaton, room: SplitRoom, over: int, has_split: int, losses: int, left: int, final: int
) -> int:
    """What the hands of a box come to with a final hand of the dealer's."""
    net = INT64(0)
    for hand in range(over):
        net += auto.nets[U64((room.results[U64(hand)] + auto.results * has_split) * auto.finals + final)]
    if has_split != 0 and auto.naturals[U64(final)] != 0:
        net += auto.nets[U64(auto.loss_places[U64(losses)])]
    if left & SUPER:
        net += auto.nets[U64(auto.super_place)]
    return net


@part
def play_split_round(
    tables: LaneAutomaton, room: SplitRoom, kept: Kept, shoe: Codes, begin: int, pos: int, ctr: int, gamma: int
) -> tuple[int, int, int]:
    """Play a round to its end of which the cards from `begin` to `pos` are dealt.

    Gives back cards dealt then, the counter of the stream, and what the round has come to.
    """
    auto, worth, valued = tables.apart, tables.worth, len(tables.valued) > 0
    state = INT64(auto.start)
    for place in range(begin, pos):
        state = INT64(auto.move[U64(state * WIDTH + (INT64(shoe[U64(place)]) & 15))])
    up = INT64(shoe[U64(begin + 1)]) & 15
    first, second_at = INT64(shoe[U64(begin)]), begin + 2
    context = up
    if auto.holes != 0:
        context = RANK_COUNT * (1 + up) + (INT64(shoe[U64(begin + 3)]) & 15)
    over = depth = has_split = declined = marked = left = losses = net = INT64(0)
    playing = True
    while playing:
        while state < auto.ends_from:
            card, ctr = draw_from_shoe(shoe, pos, ctr, gamma)
            pos += 1
            if valued:
                follow_hand(auto, worth, room, state, context)
                note_card(room.follow, room.left, room.luck, card)
            state = INT64(auto.move[U64(state * WIDTH + (card & 15))])
        stop = U64(state - auto.ends_from)
        kind = INT64(auto.kinds[stop])
        if kind == DECLINES:
            declined = INT64(1)
            state = INT64(auto.then[stop])
        else:
            second = INT64(shoe[U64(second_at)])
            if kind == SPLITS:
                counted = auto.split_places[U64(has_split * WIDTH + (first & 15))]
                room.places[U64(counted)] += 1
                net += auto.nets[U64(counted)]
                marked |= INT64(auto.marks[U64(first & 15)]) & INT64(first >> 4 == second >> 4)
                has_split = INT64(1)
                room.waiting[U64(depth)] = second
                depth += 1
            else:
                result = INT64(auto.values[stop])
                if kind == BY_SUIT:
                    third = INT64(shoe[U64(pos - 1)])
                    grade = INT64(grade_of(1 << (first >> 4) | 1 << (second >> 4) | 1 << (third >> 4)))
                    result = INT64(auto.by_suit[U64((result * VARIANTS + has_split + marked) * GRADES + grade)])
                left |= INT64(auto.opens[U64(result)])
                losses = INT64(auto.losses[U64(losses * auto.charge_count + INT64(auto.charges[U64(result)]))])
                room.results[U64(over)] = result
                over += 1
                playing = depth > 0
                if playing:
                    depth -= 1
                    first = room.waiting[U64(depth)]
            if playing:
                second_at = pos
                half = (declined * MOST_SPLIT_HANDS + over) * MOST_SPLIT_HANDS + depth
                state = INT64(auto.halves[U64((half * WIDTH + up) * WIDTH + (first & 15))])
    state = INT64(auto.starts[U64(left * WIDTH + up)])
    if auto.holes != 0 and state < auto.ends_from:
        state = INT64(auto.move[U64(state * WIDTH + (INT64(shoe[U64(begin + 3)]) & 15))])
    if valued:
        for other in range(auto.finals):
            room.by_final[other] = weigh_hands(auto, room, over, has_split, losses, left, INT64(other))
    while state < auto.ends_from:
        card, ctr = draw_from_shoe(shoe, pos, ctr, gamma)
        pos += 1
        if valued:
            follow_dealer_hand(auto, worth, room, state)
            note_card(room.follow, room.left, room.luck, card)
        state = INT64(auto.move[U64(state * WIDTH + (card & 15))])
    final = state - auto.finals_from
    for hand in range(over):
        room.places[U64((room.results[U64(hand)] + auto.results * has_split) * auto.finals + final)] += 1
    if has_split != 0 and auto.naturals[U64(final)] != 0:
        room.places[U64(auto.loss_places[U64(losses)])] += 1
    if left & SUPER:
        room.places[U64(auto.super_place)] += 1
    net += weigh_hands(auto, room, over, has_split, losses, left, final)
    room.finals[U64(final)] += 1
    add_net(kept, net, 1)
    return pos, ctr, net


@part
def add_split_rounds(auto: SplitAutomaton, room: SplitRoom, kept: Kept) -> None:
    """Add what these rounds came to; their results are in the histogram already."""
    for final in range(auto.finals):
        kept.sums[ROUNDS] += room.finals[final]
        kept.sums[DEALER_BUSTS] += room.finals[final] * auto.busts[final]
        kept.sums[DEALER_NATURALS] += room.finals[final] * auto.naturals[final]
    for place in range(len(room.places)):
        if room.places[place] > 0:
            for column in range(SUMS):
                if column < NET or column > NET_3:
                    kept.sums[column] += room.places[place] * auto.rows[place, column]
