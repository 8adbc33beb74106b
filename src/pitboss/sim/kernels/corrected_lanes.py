"""Rounds of one box in step, less the luck of their cards.

As in `lanes`, a card for each lane and one look into a table. Before a card is drawn, what it can lead to is weighed by
the cards that are left; what the round was worth before is subtracted. The sum of that over a round is what the round
won less its luck, whatever it came to: values of states are whole numbers, and an end is worth what it pays. A round
that splits leaves the automaton with what has been summed so far, and is played on by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.sim.kernels.arguments import (
    CARDS,
    CORRECTED,
    CORRECTED_2,
    CORRECTED_ROUNDS,
    CORRECTED_SHOES,
    SHOE_BETS,
    SHOE_BETS_2,
    SHOE_WON_2,
    SHOE_WON_BETS,
    SHOES,
    Kept,
    Shape,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, part
from pitboss.sim.kernels.compiling import compile_short_loops as compiled
from pitboss.sim.kernels.lanes import (
    DONE,
    GAMMA,
    LANES,
    PICK,
    POS,
    ROW,
    STATE,
    Lanes,
    add_seen,
    new_shoe,
    open_lane,
    pick_cards,
    steps_together,
)
from pitboss.sim.kernels.luck import add_shoe, find_later_luck
from pitboss.sim.kernels.split_round import add_split_rounds, play_split_round
from pitboss.sim.unfold.later_rounds import LaterRounds
from pitboss.sim.unfold.luck_tables import RANK_COUNT, Floats
from pitboss.sim.unfold.split_automaton import LaneAutomaton
from pitboss.sim.unfold.tables import WIDTH

U64 = UINT64
LAST = U64(WIDTH - 1)
WORTH, WON, WON_2, OF_SHOE, BETS, DRAWN = (U64(number * LANES) for number in range(6))
NUMBERS = 6 * LANES
"""Where the numbers of the lanes lie: what the round has come to less its luck, the same of all rounds and its square,
of those of the shoe, how many those are, and what the next card brings times the cards left."""


class LuckRoom(NamedTuple):
    """What is known of the luck of each lane."""

    whole: NDArray[np.int32]
    """[rank] -> cards of a full shoe."""
    left: NDArray[np.int32]
    """[lane][rank] -> cards left; last minus how many they are together."""
    numbers: Floats


def make_luck_room(fresh: Codes) -> LuckRoom:
    """Room for the lanes of a block."""
    whole = np.bincount(fresh & 15, minlength=RANK_COUNT).astype(np.int32)
    return LuckRoom(whole, np.zeros(LANES * WIDTH, np.int32), np.zeros(NUMBERS))


@part
def fill_shoe(room: Lanes, luck: LuckRoom, lane: int) -> None:
    """A lane has a new shoe, of which some cards may be burnt."""
    row, dealt = lane << ROW, INT64(room.words[POS + lane])
    for rank in range(RANK_COUNT):
        luck.left[row + U64(rank)] = luck.whole[rank]
    for place in range(dealt):
        luck.left[row + U64(room.shoes[lane, U64(place)] & 15)] -= np.int32(1)
    luck.left[row + LAST] = np.int32(dealt - room.shoes.shape[1])


@part
def close_shoe(kept: Kept, room: Lanes, luck: LuckRoom, later: LaterRounds, unit: float, parts: int, lane: int) -> None:
    """The shoe of a lane is over."""
    numbers = luck.numbers
    dealt = INT64(room.words[POS + lane]) if numbers[BETS + lane] > 0.0 else 0
    more = find_later_luck(later, later.gain, room.shoes[lane], dealt) / parts
    add_shoe(kept.corrected, numbers[OF_SHOE + lane] / unit, numbers[BETS + lane], more)
    numbers[OF_SHOE + lane] = 0.0
    numbers[BETS + lane] = 0.0


@part
def leave_lanes(tables: LaneAutomaton, kept: Kept, room: Lanes, luck: LuckRoom, unit: int, lane: int) -> int:
    """Play a round to its end that leaves the automaton: how many cards that took; `unit` parts are a wager."""
    auto, apart, w, numbers, row = tables.whole, room.apart, room.words, luck.numbers, lane << ROW
    s, pos = w[STATE + lane], INT64(w[POS + lane])
    begin = pos - auto.leave_cards[(s - U64(auto.leaves_from)) >> ROW]
    scale = auto.worth_unit / unit
    apart.luck[0] = (auto.worth[s + LAST] - numbers[WORTH + lane]) / scale
    for rank in range(RANK_COUNT):
        apart.left[rank] = luck.left[row + U64(rank)]
    dealt, w[lane], net = play_split_round(tables, apart, kept, room.shoes[lane], begin, pos, w[lane], w[GAMMA + lane])
    for rank in range(RANK_COUNT):
        luck.left[row + U64(rank)] = np.int32(apart.left[rank])
    luck.left[row + LAST] = np.int32(dealt - room.shoes.shape[1])
    won = (net - apart.luck[0]) * scale
    numbers[WORTH + lane] = 0.0
    numbers[WON + lane] += won
    numbers[WON_2 + lane] += won * won
    numbers[OF_SHOE + lane] += won
    numbers[BETS + lane] += 1.0
    w[POS + lane] = U64(dealt)
    w[STATE + lane] = U64(auto.ends_from)
    w[DONE + lane] += U64(1)
    return dealt - pos


@compiled
def play_corrected_lanes(
    fresh: Codes, shape: Shape, parts: int, kept: Kept, tables: LaneAutomaton, room: Lanes, luck: LuckRoom,
    later: LaterRounds, seed: int, block: int, per_strand: int, rounds: int,
) -> None:  # fmt: skip
    """Play the first `rounds` rounds of a block, as `play_lanes` does; `parts` make a wager."""
    size, auto, unit = fresh.size, tables.whole, tables.whole.worth_unit
    burn, device = shape.burn, shape.cut == 0
    back = U64(device)
    limit = U64(size + 1) if device else U64(shape.cut)
    move, worth, leaves, ends = auto.move, auto.worth, U64(auto.leaves_from), U64(auto.ends_from)
    shoes, w, seen, left, numbers = room.shoes, room.words, room.seen, luck.left, luck.numbers
    used = -(-rounds // per_strand)
    n_shoes, n_cards = used, 0
    for number in range(used):
        open_lane(room, fresh, burn, U64(number), seed, block, ends)
        fill_shoe(room, luck, U64(number))
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
                here, there, before = w[POS + lane], w[PICK + lane], w[STATE + lane]
                row = lane << ROW
                brings = INT64(0)
                for rank in range(WIDTH):
                    brings += INT64(left[row + U64(rank)]) * INT64(worth[before + U64(rank)])
                numbers[DRAWN + lane] = float(brings)
                card = shoes[lane, there]
                shoes[lane, there] = shoes[lane, here]
                shoes[lane, here] = card
                place = U64(card & 15)
                left[row + place] -= np.int32(1)
                left[row + LAST] += np.int32(1)
                s = U64(move[before + place])
                w[STATE + lane] = s
                seen[s >> ROW] += 1
            special = U64(0)
            for number in range(first, last):
                lane = U64(number)
                s, pos = w[STATE + lane], w[POS + lane]
                after = pos + U64(1)
                ended = U64(s >= ends)
                come_to = numbers[WORTH + lane] + numbers[DRAWN + lane] / float(U64(size) - pos)
                won = come_to * float(ended)
                numbers[WORTH + lane] = come_to - won
                numbers[WON + lane] += won
                numbers[WON_2 + lane] += won * won
                numbers[OF_SHOE + lane] += won
                numbers[BETS + lane] += float(ended)
                w[DONE + lane] += ended
                special |= U64(s >= leaves) & (U64(s < ends) | U64(after >= limit)) | (ended & back)
                w[POS + lane] = after * (U64(1) - ended * back)
            n_cards += last - first
            if not special:
                continue
            for number in range(first, last):
                lane = U64(number)
                s = w[STATE + lane]
                if leaves <= s < ends:
                    n_cards += leave_lanes(tables, kept, room, luck, parts, lane)
                    w[POS + lane] *= U64(1) - back
                    n_shoes += device
                if device and w[STATE + lane] >= ends:
                    fill_shoe(room, luck, lane)
                elif w[STATE + lane] >= ends and w[POS + lane] >= limit:
                    close_shoe(kept, room, luck, later, unit, parts, lane)
                    if INT64(w[DONE + lane]) < goal:
                        dealt, w[lane] = new_shoe(shoes[lane], burn, w[lane], w[GAMMA + lane])
                        w[POS + lane] = U64(dealt)
                        fill_shoe(room, luck, lane)
                        n_shoes += 1
    # ------------------------------------------------------------ sums
    kept.sums[CARDS] += n_cards
    kept.sums[SHOES] += n_shoes - used * device
    add_seen(kept, auto, seen, device)
    add_split_rounds(tables.apart, room.apart, kept)
    found = kept.corrected
    found[CORRECTED_ROUNDS] += rounds
    for number in range(LANES):
        lane = U64(number)
        won, won_2 = numbers[WON + lane] / unit, numbers[WON_2 + lane] / (unit * unit)
        found[CORRECTED] += won
        found[CORRECTED_2] += won_2
        if device:
            found[SHOE_WON_2] += won_2
            found[SHOE_WON_BETS] += won
        else:
            close_shoe(kept, room, luck, later, unit, parts, lane)
    if device:
        for place in (CORRECTED_SHOES, SHOE_BETS, SHOE_BETS_2):
            found[place] += rounds
