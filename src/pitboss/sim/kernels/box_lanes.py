"""Rounds of several boxes, or with side wagers on cards that are seen: all strands of a block, round by round.

Each strand is a lane with a shoe of its own. A round is dealt in all lanes at once; then those lanes in which a hand
still draws take a card each, step after step, box after box, until none does; then the dealers. The list of lanes that
still draw is written again at each step, so that no branch depends on a card. A box that has ended leaves the number
of its result; with the dealer's final hand that is the place where the round is counted. A round that the automaton
cannot hold is played again from its first card by the kernel for every form of round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.sim.kernels.any_round import play_rounds
from pitboss.sim.kernels.arguments import (
    CARDS,
    DEALER_BUSTS,
    DEALER_NATURALS,
    HALF_HISTOGRAM,
    NET,
    NET_2,
    NET_3,
    OUTSIDE,
    ROUNDS,
    SHOES,
    SUMS,
    Given,
    Kept,
    Scratch,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, Ints, part
from pitboss.sim.kernels.compiling import compile_kernel as compiled
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.kernels.settling import judge_sides
from pitboss.sim.kernels.streams import below, mix, open_stream
from pitboss.sim.unfold.box_automaton import AGAIN, BoxAutomaton

U64 = UINT64
HIGH, LOW, ROW, ONE, RANK = U64(32), U64(0xFFFFFFFF), U64(4), U64(1), U64(15)

Words = NDArray[np.uint64]
COUNTER, GAMMA, POS, BEGIN, STATE, HEAD, KEPT, OPEN, TURN, PICK, DRAWS = (U64(number * LANES) for number in range(11))
WORDS = 11 * LANES
"""Where the words of the lanes lie: counters and increments of the streams, cards dealt, first card of the round,
state, how many boxes have begun to draw, how many results are kept, what boxes leave open, cards dealt when the
dealer's turn began, place of the card that comes next, bits of the boxes that draw."""


class BoxLanes(NamedTuple):
    """Where each lane stands."""

    shoes: Codes
    words: Words
    waiting: Words
    """[lane][boxes that draw, then the end] -> state it begins with."""
    results: Words
    """[lane][box] -> state it ended in: first those that draw nothing, then those that do."""
    turns: Words
    """[lane][box that draws] -> cards dealt when its turn began."""
    carried: Ints
    """[lane][box][wager] -> for how many rounds it has been carried."""
    drawing: Words
    """Lanes that still draw."""
    seen: Ints
    """[result, final] -> how often."""
    dealers: Ints
    """[final] -> how often."""


def make_box_lanes(size: int, boxes: int, sides: int, auto: BoxAutomaton) -> BoxLanes:
    """Room for the lanes of a block."""
    return BoxLanes(
        np.zeros((LANES, size), np.uint8), np.zeros(WORDS, np.uint64),
        np.zeros((LANES, boxes + 2), np.uint64), np.zeros((LANES, boxes + 1), np.uint64),
        np.zeros((LANES, boxes + 2), np.uint64), np.zeros((LANES, boxes, sides), np.int64),
        np.zeros(LANES + 1, np.uint64), np.zeros(len(auto.nets), np.int64), np.zeros(auto.finals, np.int64),
    )  # fmt: skip


@part
def _draw(shoe: Codes, w: Words, lane: int, size: int) -> int:
    """The rank of the next card of a lane."""
    here = w[POS + lane]
    left = size - here
    counter = w[lane] + w[GAMMA + lane]
    m = (mix(counter) >> HIGH) * left
    there = (m >> HIGH) + here
    if (m & LOW) < left:
        j, counter = below(INT64(left), w[lane], w[GAMMA + lane])
        there = U64(j) + here
    w[lane] = counter
    w[POS + lane] = here + ONE
    card = shoe[there]
    shoe[there] = shoe[here]
    shoe[here] = card
    return U64(card) & RANK


@part
def _take_codes(auto: BoxAutomaton, scratch: Scratch, shoe: Codes, begin: int, boxes: int, up: int) -> int:
    """Take the first cards of all boxes, exchanged where a player does that: bits of the boxes that did."""
    switched = U64(0)
    for b in range(boxes):
        scratch.codes[b, 0] = shoe[begin + U64(b)]
        scratch.codes[b, 1] = shoe[begin + U64(boxes + 1 + b)]
    if auto.switches:
        for b in range(0, boxes, 2):
            codes = scratch.codes
            place = min(INT64(up), 9)
            for half in range(4):
                place = place * 10 + min(codes[b + half // 2, half % 2] & 15, 9)
            swaps = auto.exchanges[U64(place >> 6)] >> U64(place & 63) & ONE
            mask = -INT64(swaps) & (codes[b, 1] ^ codes[b + 1, 1])
            codes[b, 1] ^= mask
            codes[b + 1, 1] ^= mask
            switched |= (swaps * U64(3)) << U64(b)
    return switched


@part
def _look_on(auto: BoxAutomaton, room: BoxLanes, scratch: Scratch, lane: int, boxes: int) -> None:
    """What became of the boxes of a lane after their first two cards, as side wagers are judged by it."""
    draws = room.words[DRAWS + lane]
    ended, queued = U64(0), U64(boxes)
    for b in range(boxes):
        queued -= draws >> U64(b) & ONE
    first = queued
    for b in range(boxes):
        bit = draws >> U64(b) & ONE
        place = queued if bit else ended
        scratch.third[b] = room.shoes[lane, room.turns[lane, queued - first]] if bit else NO_CARD_CODE
        scratch.tokens[b] = auto.tokens[room.results[lane, place] - U64(auto.ends_from)]
        queued += bit
        ended += ONE - bit


@part
def _recall_carried(room: BoxLanes, scratch: Scratch, lane: int, boxes: int) -> None:
    """The wagers that a lane has carried over."""
    for b in range(boxes):
        for wager in range(room.carried.shape[2]):
            scratch.carried[b, wager] = room.carried[lane, b, wager]


@part
def _keep_carried(room: BoxLanes, scratch: Scratch, lane: int, boxes: int) -> None:
    """The wagers that a lane carries over."""
    for b in range(boxes):
        for wager in range(room.carried.shape[2]):
            room.carried[lane, b, wager] = scratch.carried[b, wager]


@compiled
def play_box_lanes(
    given: Given, kept: Kept, scratch: Scratch, auto: BoxAutomaton, room: BoxLanes, seed: int, block: int,
    per_strand: int,
) -> None:  # fmt: skip
    """Play the strands of a whole block; nothing counted, no detail, only side wagers that these cards decide."""
    size, boxes = U64(given.fresh.size), given.shape.boxes if len(given.form.many) > 0 else 1
    cut, burn = U64(given.shape.cut), given.shape.burn
    judged = len(given.form.beside) > 0 and given.shape.sides != 0
    exchanges, looks_on = auto.switches != 0, len(auto.looks_on) > 0
    move, opens, dealer, openings = auto.move, auto.opens, auto.dealer, auto.openings
    ends, finals_from, finals = U64(auto.ends_from), U64(auto.finals_from), U64(auto.finals)
    shoes, w, drawing, seen = room.shoes, room.words, room.drawing, room.seen
    waiting, results = room.waiting, room.results
    second = U64(boxes + 1)
    dealt = U64(2 * boxes + 1 + auto.holes)
    n_cards = n_shoes = n_rounds = 0
    for number in range(LANES):
        lane = U64(number)
        for place in range(given.fresh.size):
            shoes[lane, U64(place)] = given.fresh[place]
        w[lane], w[GAMMA + lane] = open_stream(seed, block * LANES + number)
        w[POS + lane] = size
    for _ in range(per_strand):
        # ------------------------------------------------------------ shoe and initial deal
        for number in range(LANES):
            lane = U64(number)
            if w[POS + lane] >= cut:
                w[POS + lane] = U64(0)
                n_shoes += 1
                for _card in range(burn):
                    _draw(shoes[lane], w, lane, size)
            w[BEGIN + lane] = w[POS + lane]
        for _card in range(dealt):
            again = U64(0)
            for number in range(LANES):
                lane = U64(number)
                c = w[lane] + w[GAMMA + lane]
                w[lane] = c
                left = size - w[POS + lane]
                m = (mix(c) >> HIGH) * (left & LOW)
                again |= U64((m & LOW) < left)
                w[PICK + lane] = (m >> HIGH) + w[POS + lane]
            if again:
                for number in range(LANES):
                    lane = U64(number)
                    j, w[lane] = below(INT64(size - w[POS + lane]), w[lane] - w[GAMMA + lane], w[GAMMA + lane])
                    w[PICK + lane] = U64(j) + w[POS + lane]
            for number in range(LANES):
                lane = U64(number)
                here, there = w[POS + lane], w[PICK + lane]
                card = shoes[lane, there]
                shoes[lane, there] = shoes[lane, here]
                shoes[lane, here] = card
                w[POS + lane] = here + ONE
        # ------------------------------------------------------------ what each box begins with
        n = U64(0)
        for number in range(LANES):
            lane = U64(number)
            begin = w[BEGIN + lane]
            up = U64(shoes[lane, begin + U64(boxes)]) & RANK
            base = up
            if auto.holes:
                hole = U64(shoes[lane, begin + dealt - ONE]) & RANK
                base = U64(auto.shows[up << ROW | hole]) << ROW | up
            switched = _take_codes(auto, scratch, shoes[lane], begin, boxes, up) if exchanges else U64(0)
            queued, ended, left, drawn = U64(0), U64(0), U64(0), U64(0)
            for b in range(boxes):
                if exchanges:
                    one, two = U64(scratch.codes[b, 0]) & RANK, U64(scratch.codes[b, 1]) & RANK
                    top = (switched >> U64(b) & ONE) << U64(5)
                else:
                    one = U64(shoes[lane, begin + U64(b)]) & RANK
                    two = U64(shoes[lane, begin + second + U64(b)]) & RANK
                    top = U64(0)
                s = U64(openings[((top | base) << ROW | one) << ROW | two])
                waiting[lane, queued] = s
                results[lane, ended] = s
                draws = U64(s < ends)
                drawn |= draws << U64(b)
                queued += draws
                ended += ONE - draws
                left |= U64(opens[s])
            waiting[lane, queued] = ends
            if looks_on:
                w[DRAWS + lane] = drawn
                room.turns[lane, U64(0)] = w[POS + lane]
            w[STATE + lane], w[HEAD + lane], w[KEPT + lane], w[OPEN + lane] = waiting[lane, U64(0)], ONE, ended, left
            drawing[n] = lane
            n += U64(waiting[lane, U64(0)] < ends) & U64(left < U64(AGAIN))
        # ------------------------------------------------------------ boxes
        while n:
            still = U64(0)
            for i in range(n):
                lane = drawing[U64(i)]
                s = U64(move[w[STATE + lane] << ROW | _draw(shoes[lane], w, lane, size)])
                results[lane, w[KEPT + lane]] = s
                w[OPEN + lane] |= U64(opens[s])
                ended = U64(s >= ends)
                w[KEPT + lane] += ended
                then = waiting[lane, w[HEAD + lane]]
                if looks_on:
                    room.turns[lane, w[HEAD + lane]] = w[POS + lane]
                w[HEAD + lane] += ended
                s = then if s > ends else s
                w[STATE + lane] = s
                drawing[still] = lane
                still += U64(s < ends)
            n = still
        # ------------------------------------------------------------ dealers
        n = U64(0)
        for number in range(LANES):
            lane = U64(number)
            begin, left = w[BEGIN + lane], w[OPEN + lane]
            w[TURN + lane] = w[POS + lane]
            if left >= U64(AGAIN):
                n_shoes -= cut == 0
                if looks_on:
                    _recall_carried(room, scratch, lane, boxes)
                # Numbers of a width, not written ones: those would have the kernel compiled once more for themselves.
                before, _count, w[lane] = play_rounds(
                    given, kept, scratch, shoes[lane], INT64(begin), INT64(w[POS + lane]), INT64(0), w[lane],
                    w[GAMMA + lane], INT64(0), INT64(1),
                )  # fmt: skip
                if looks_on:
                    _keep_carried(room, scratch, lane, boxes)
                w[POS + lane] = U64(before)
                continue
            up = U64(shoes[lane, begin + U64(boxes)]) & RANK
            s = U64(auto.starts[left << ROW | up])
            if auto.holes and s < finals_from:
                s = U64(dealer[s << ROW | U64(shoes[lane, begin + dealt - ONE]) & RANK])
            w[STATE + lane] = s
            drawing[n] = lane
            n += U64(s < finals_from)
        while n:
            still = U64(0)
            for i in range(n):
                lane = drawing[U64(i)]
                s = U64(dealer[w[STATE + lane] << ROW | _draw(shoes[lane], w, lane, size)])
                w[STATE + lane] = s
                drawing[still] = lane
                still += U64(s < finals_from)
            n = still
        # ------------------------------------------------------------ what the rounds came to
        for number in range(LANES):
            lane = U64(number)
            if w[OPEN + lane] >= U64(AGAIN):
                continue
            final = w[STATE + lane] - finals_from
            net = 0
            for b in range(boxes):
                place = (results[lane, U64(b)] - ends) * finals + final
                seen[place] += 1
                net += auto.nets[place]
            room.dealers[final] += 1
            n_rounds += 1
            n_cards += INT64(w[POS + lane] - w[BEGIN + lane])
            if -HALF_HISTOGRAM <= net < HALF_HISTOGRAM:
                kept.histogram[U64(net + HALF_HISTOGRAM)] += 1
            else:
                kept.sums[OUTSIDE] += 1
                kept.sums[NET] += net
                kept.sums[NET_2] += net * net
                kept.sums[NET_3] += net * net * net
            if judged:
                begin = w[BEGIN + lane]
                up_code = INT64(shoes[lane, begin + U64(boxes)])
                _take_codes(auto, scratch, shoes[lane], begin, boxes, U64(up_code) & RANK)
                cards = INT64(w[POS + lane] - w[TURN + lane]) + 1 + auto.holes
                over = cards if auto.busts[final] else 0
                if looks_on:
                    _look_on(auto, room, scratch, lane, boxes)
                    _recall_carried(room, scratch, lane, boxes)
                w[lane] = judge_sides(given, kept, scratch, up_code, over, w[lane], w[GAMMA + lane])
                if looks_on:
                    _keep_carried(room, scratch, lane, boxes)
    # ------------------------------------------------------------ sums
    kept.sums[ROUNDS] += n_rounds
    kept.sums[CARDS] += n_cards
    kept.sums[SHOES] += n_shoes
    for final in range(auto.finals):
        kept.sums[DEALER_BUSTS] += room.dealers[final] * auto.busts[final]
        kept.sums[DEALER_NATURALS] += room.dealers[final] * auto.naturals[final]
    for place in range(len(seen)):
        if seen[place] > 0:
            for column in range(SUMS):
                if column < NET or column > NET_3:
                    kept.sums[column] += seen[place] * auto.rows[place, column]
