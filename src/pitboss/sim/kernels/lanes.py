"""Blocks of rounds: strands one after the other, or many tables in step.

A block is cut into `LANES` strands, each with a random stream and a shoe of its own. The kernel for every form of round
plays them one after the other. Rounds of one box without anything beside them are also an automaton, and that plays
all strands of a block in step: a card for each lane, one look into a table, no branch that depends on the cards. Both
give the same sums, which a test holds them to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.sim.kernels.any_round import play_rounds, rounds_within
from pitboss.sim.kernels.arguments import (
    CARDS,
    HALF_HISTOGRAM,
    NET,
    NET_2,
    NET_3,
    OUTSIDE,
    SHOES,
    SUMS,
    Given,
    Kept,
    Scratch,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes
from pitboss.sim.kernels.compiling import compile_kernel as compiled
from pitboss.sim.kernels.streams import below, mix, open_stream
from pitboss.sim.unfold.automaton import Automaton
from pitboss.sim.unfold.tables import WIDTH

LANES = 32
U64 = UINT64
HIGH, LOW, ROW = U64(32), U64(0xFFFFFFFF), U64(4)
LEAST_CARDS = 3
"""No round has fewer."""
TAIL_ROUNDS = 8
"""So near the end of a strand lanes stop going in step."""


def play_strands(
    given: Given, kept: Kept, scratch: Scratch, seed: int, block: int, per_strand: int, rounds: int
) -> None:
    """Play the first `rounds` rounds of a block, strand after strand."""
    for strand in range(-(-rounds // per_strand)):
        shoe = given.fresh.copy()
        scratch.carried[:] = 0
        ctr, gamma = open_stream(seed, block * LANES + strand)
        pos, first = 0 if given.shape.returns_late else shoe.size, strand * per_strand
        many = min(per_strand, rounds - first)
        play_rounds(given, kept, scratch, shoe, pos, 0, 0, U64(ctr), U64(gamma), first, many)


@compiled
def _new_shoe(shoe: Codes, burn: int, ctr: int, gamma: int) -> tuple[int, int]:
    """Cards dealt and counter after a new shoe's burn."""
    pos = 0
    for _ in range(burn):
        j, ctr = below(shoe.size - pos, ctr, gamma)
        card = shoe[pos + j]
        shoe[pos + j] = shoe[pos]
        shoe[pos] = card
        pos += 1
    return pos, ctr


GAMMA, POS, PICK, STATE, DONE, WORDS = (U64(number * LANES) for number in range(1, 7))
"""Where the words of the lanes lie, after the counters of their streams: increments of the streams, cards dealt, place
of the card that comes next, state of the automaton, rounds done. One array, because the compiler then sees that they do
not overlap, and draws for several lanes at once."""


class Lanes(NamedTuple):
    """Where each lane stands."""

    shoes: Codes
    words: NDArray[np.uint64]
    seen: NDArray[np.uint32]
    """[state of the automaton] -> how often it was reached, by all lanes."""


def lanes(size: int, automaton: Automaton) -> Lanes:
    """Room for the lanes of a block."""
    seen = np.zeros(automaton.move.size // WIDTH, np.uint32)
    return Lanes(np.zeros((LANES, size), np.uint8), np.zeros(int(WORDS), np.uint64), seen)


@compiled
def play_lanes(
    given: Given, kept: Kept, scratch: Scratch, auto: Automaton, tables: Lanes, seed: int, block: int, per_strand: int
) -> None:
    """Play the strands of a whole block in step; for one box, nothing counted, no side wager, no detail."""
    size = given.fresh.size
    burn, device = given.shape.burn, given.shape.cut == 0
    # A device is a new shoe for every round.
    back = U64(device)
    limit = U64(size + 1) if device else U64(given.shape.cut)
    move, leaves, ends = auto.move, U64(auto.leaves_from), U64(auto.ends_from)
    shoes, w, seen = tables.shoes, tables.words, tables.seen
    n_shoes = n_cards = 0
    for number in range(LANES):
        lane = U64(number)
        for place in range(size):
            shoes[lane, place] = given.fresh[place]
        start, step = open_stream(seed, block * LANES + number)
        dealt, start = _new_shoe(shoes[lane], burn, start, step)
        w[lane], w[GAMMA + lane], w[POS + lane], w[STATE + lane] = start, step, U64(dealt), ends
        w[DONE + lane] = U64(0)
        n_shoes += 1
    # All lanes go in step while none can reach the end of its strand; then each goes there by itself.
    first, last = 0, LANES
    while first < LANES:
        steps = 1
        if last - first == LANES:
            most = 0
            for number in range(LANES):
                lane = U64(number)
                most = max(most, int(w[DONE + lane]))
            if per_strand - most <= TAIL_ROUNDS:
                last = 1
            else:
                steps = LEAST_CARDS * (per_strand - most - 2)
        if last - first == 1 and INT64(w[DONE + U64(first)]) >= per_strand:
            first, last = first + 1, last + 1
            continue
        for _ in range(steps):
            again = U64(0)
            for number in range(first, last):
                lane = U64(number)
                c = w[lane] + w[GAMMA + lane]
                w[lane] = c
                left = U64(size) - w[POS + lane]
                m = (mix(c) >> HIGH) * (left & LOW)
                again |= U64((m & LOW) < left)
                w[PICK + lane] = (m >> HIGH) + w[POS + lane]
            if again:
                for number in range(first, last):
                    lane = U64(number)
                    j, w[lane] = below(size - INT64(w[POS + lane]), w[lane] - w[GAMMA + lane], w[GAMMA + lane])
                    w[PICK + lane] = U64(j) + w[POS + lane]
            for number in range(first, last):
                lane = U64(number)
                here, there = w[POS + lane], w[PICK + lane]
                card = shoes[lane, there]
                shoes[lane, there] = shoes[lane, here]
                shoes[lane, here] = card
                s = U64(move[w[STATE + lane] + U64(card & 15)])
                w[STATE + lane] = s
                seen[s >> ROW] += 1
            special = U64(0)
            for number in range(first, last):
                lane = U64(number)
                s, after = w[STATE + lane], w[POS + lane] + U64(1)
                ended = U64(s >= ends)
                w[DONE + lane] += ended
                special |= U64(s >= leaves) & (U64(s < ends) | U64(after >= limit))
                w[POS + lane] = after * (U64(1) - ended * back)
            n_cards += last - first
            if not special:
                continue
            for number in range(first, last):
                lane = U64(number)
                s = w[STATE + lane]
                if leaves <= s < ends:
                    cards = auto.dealt if s == leaves else auto.dealt + 1
                    begin = INT64(w[POS + lane]) - cards
                    dealt, _count, w[lane] = rounds_within(
                        given, kept, scratch, shoes[lane], begin, begin + cards, 0, w[lane], w[GAMMA + lane], 0, 1
                    )
                    n_cards -= cards
                    w[POS + lane] = U64(0) if device else U64(dealt)
                    w[STATE + lane] = ends
                    w[DONE + lane] += U64(1)
                over = w[STATE + lane] >= ends and w[POS + lane] >= limit
                if over and INT64(w[DONE + lane]) < per_strand:
                    dealt, w[lane] = _new_shoe(shoes[lane], burn, w[lane], w[GAMMA + lane])
                    w[POS + lane] = U64(dealt)
                    n_shoes += 1
    # ------------------------------------------------------------ sums
    kept.sums[CARDS] += n_cards
    if not device:
        kept.sums[SHOES] += n_shoes
    for number in range(auto.rows.shape[0]):
        times = INT64(seen[ends // U64(WIDTH) + U64(number)])
        net = auto.rows[number, NET]
        for place in range(SUMS):
            if place < NET or place > NET_3:
                kept.sums[place] += times * auto.rows[number, place]
        if device:
            kept.sums[SHOES] += times
        if -HALF_HISTOGRAM <= net < HALF_HISTOGRAM:
            kept.histogram[net + HALF_HISTOGRAM] += times
        else:
            kept.sums[OUTSIDE] += times
            kept.sums[NET] += times * net
            kept.sums[NET_2] += times * net * net
            kept.sums[NET_3] += times * net * net * net
