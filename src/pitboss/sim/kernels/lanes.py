"""Blocks of rounds: strands one after the other, or many tables in step.

A block is cut into `LANES` strands, each with a random stream and a shoe of its own. The kernel for every form of round
plays them one after the other. Rounds of one box without anything beside them are also an automaton, and that plays
all strands of a block in step: a card for each lane, one look into a table, no branch that depends on the cards. A
round that splits is played on by itself, from tables too. Both give the same sums, which a test holds them to.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.sim.kernels.any_round import play_rounds
from pitboss.sim.kernels.arguments import CARDS, NET, NET_3, SHOES, SUMS, Given, Kept, Scratch, Shape
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, part
from pitboss.sim.kernels.compiling import compile_kernel as compiled
from pitboss.sim.kernels.split_round import SplitRoom, add_net, add_split_rounds, make_split_room, play_split_round
from pitboss.sim.kernels.streams import below, mix, open_stream
from pitboss.sim.unfold.automaton import Automaton
from pitboss.sim.unfold.split_automaton import LaneAutomaton
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


@part
def new_shoe(shoe: Codes, burn: int, ctr: int, gamma: int) -> tuple[int, int]:
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


Seen = NDArray[np.uint32]
Words = NDArray[np.uint64]


class Lanes(NamedTuple):
    """Where each lane stands."""

    shoes: Codes
    words: Words
    seen: Seen
    """[state of the automaton] -> how often it was reached, by all lanes."""
    apart: SplitRoom


def make_lanes(size: int, automaton: LaneAutomaton) -> Lanes:
    """Room for the lanes of a block."""
    seen = np.zeros(automaton.whole.move.size // WIDTH, np.uint32)
    room = make_split_room(automaton.apart)
    return Lanes(np.zeros((LANES, size), np.uint8), np.zeros(int(WORDS), np.uint64), seen, room)


@part
def open_lane(room: Lanes, fresh: Codes, burn: int, lane: int, seed: int, block: int, ends: int) -> None:
    """The first shoe of a lane; `ends` is a state before a round."""
    w = room.words
    for place in range(fresh.size):
        room.shoes[lane, U64(place)] = fresh[place]
    start, step = open_stream(seed, block * LANES + INT64(lane))
    dealt, start = new_shoe(room.shoes[lane], burn, start, step)
    w[lane], w[GAMMA + lane], w[POS + lane], w[STATE + lane] = start, step, U64(dealt), ends
    w[DONE + lane] = U64(0)


@part
def steps_together(w: Words, lanes: int, per_strand: int) -> int:
    """How many cards the first lanes can surely draw in step before one of them comes near the end of its strand."""
    most = 0
    for number in range(lanes):
        most = max(most, INT64(w[DONE + U64(number)]))
    return 0 if per_strand - most <= TAIL_ROUNDS else LEAST_CARDS * (per_strand - most - 2)


@part
def pick_cards(w: Words, size: int, first: int, last: int) -> None:
    """The place of the next card of each lane."""
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


@part
def add_seen(kept: Kept, auto: Automaton, seen: Seen, device: bool) -> None:
    """Add what the rounds came to that ended in the automaton."""
    for number in range(auto.rows.shape[0]):
        times = INT64(seen[U64(auto.ends_from // WIDTH + number)])
        for place in range(SUMS):
            if place < NET or place > NET_3:
                kept.sums[place] += times * auto.rows[number, place]
        if device:
            kept.sums[SHOES] += times
        add_net(kept, auto.rows[number, NET], times)


@compiled
def play_lanes(
    fresh: Codes, shape: Shape, kept: Kept, tables: LaneAutomaton, room: Lanes, seed: int, block: int, per_strand: int,
    rounds: int,
) -> None:  # fmt: skip
    """Play the first `rounds` rounds of a block, full strands in step.

    For one box, nothing counted, no side wager, no detail.
    """
    size, auto = fresh.size, tables.whole
    burn, device = shape.burn, shape.cut == 0
    # A device is a new shoe for every round.
    back = U64(device)
    limit = U64(size + 1) if device else U64(shape.cut)
    move, leaves, ends = auto.move, U64(auto.leaves_from), U64(auto.ends_from)
    shoes, w, seen = room.shoes, room.words, room.seen
    used = -(-rounds // per_strand)
    n_shoes, n_cards = used, 0
    for number in range(used):
        open_lane(room, fresh, burn, U64(number), seed, block, ends)
    # All lanes go in step while none can reach the end of its strand; then each goes there by itself.
    first, last = 0, max(rounds // per_strand, 1)
    while first < used:
        steps, goal = 1, min(per_strand, rounds - first * per_strand)
        if last - first > 1:
            steps = steps_together(w, last, per_strand)
            if steps == 0:
                last = 1
                continue
        elif INT64(w[DONE + U64(first)]) >= goal:
            first, last = first + 1, last + 1
            continue
        for _ in range(steps):
            pick_cards(w, size, first, last)
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
                    pos = INT64(w[POS + lane])
                    begin = pos - auto.leave_cards[(s - leaves) >> ROW]
                    dealt, w[lane], _net = play_split_round(
                        tables, room.apart, kept, shoes[lane], begin, pos, w[lane], w[GAMMA + lane]
                    )
                    n_cards += dealt - pos
                    w[POS + lane] = U64(0) if device else U64(dealt)
                    w[STATE + lane] = ends
                    w[DONE + lane] += U64(1)
                    n_shoes += device
                over = w[STATE + lane] >= ends and w[POS + lane] >= limit
                if over and INT64(w[DONE + lane]) < goal:
                    dealt, w[lane] = new_shoe(shoes[lane], burn, w[lane], w[GAMMA + lane])
                    w[POS + lane] = U64(dealt)
                    n_shoes += 1
    # ------------------------------------------------------------ sums
    kept.sums[CARDS] += n_cards
    kept.sums[SHOES] += n_shoes - used * device
    add_seen(kept, auto, seen, device)
    add_split_rounds(tables.apart, room.apart, kept)
