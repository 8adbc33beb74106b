"""A block of rounds in plain Python by the tables of a round that splits, as `unfold.split_automaton` says."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pitboss.play.bonuses import grade_of
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plan import Prepared
from pitboss.sim.result import Sums, collect_sums
from pitboss.sim.unfold.split_automaton import (
    BY_SUIT,
    DECLINES,
    GRADES,
    MOST_SPLIT_HANDS,
    SPLITS,
    VARIANTS,
    SplitAutomaton,
    unfold_splits,
)
from pitboss.sim.unfold.tables import WIDTH

BITS = (1 << 64) - 1
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
SUPER = 8


def mix(z: int) -> int:
    z = (z ^ z >> 30) * MIX_1 & BITS
    z = (z ^ z >> 27) * MIX_2 & BITS
    return z ^ z >> 31


@dataclass
class Dealt:
    """A shoe and the stream that its cards are drawn by."""

    shoe: list[int]
    counter: int
    gamma: int
    pos: int = 0

    def draw(self) -> int:
        left = len(self.shoe) - self.pos
        while True:
            self.counter = self.counter + self.gamma & BITS
            pick = (mix(self.counter) >> 32) * left
            if pick & 0xFFFFFFFF >= (1 << 32) % left:
                break
        there = self.pos + (pick >> 32)
        self.shoe[there], self.shoe[self.pos] = self.shoe[self.pos], self.shoe[there]
        self.pos += 1
        return self.shoe[self.pos - 1]


@dataclass
class Box:
    """What is kept beside the state."""

    results: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    has_split: bool = False
    declined: bool = False
    marked: bool = False
    open: int = 0
    losses: int = 0


def play_round(auto: SplitAutomaton, dealt: Dealt) -> tuple[list[int], int, Box]:
    """The places at which a round is counted, the dealer's final hand, and the box."""
    box, begin, places = Box(), dealt.pos, []
    cards: list[int] = []
    state = auto.start
    while True:
        while state < auto.ends_from:
            cards.append(dealt.draw())
            state = int(auto.move[state * WIDTH + (cards[-1] & 15)])
        stop = state - auto.ends_from
        kind, value, then = int(auto.kinds[stop]), int(auto.values[stop]), int(auto.then[stop])
        up = dealt.shoe[begin + 1]
        if not box.has_split:
            cards = [dealt.shoe[begin], dealt.shoe[begin + 2], *cards[3 + auto.holes :]]
        if kind == DECLINES:
            box.declined, state = True, then
            continue
        if kind == SPLITS:
            first, second = cards
            places.append(int(auto.split_places[box.has_split * WIDTH + (first & 15)]))
            box.marked |= bool(auto.marks[first & 15]) and first >> 4 == second >> 4
            box.has_split = True
            box.waiting.append(second)
            cards = [first]
        else:
            result = value
            if kind == BY_SUIT:
                grade = grade_of(sum({1 << (card >> 4) for card in cards}))
                result = int(auto.by_suit[(value * VARIANTS + box.has_split + box.marked) * GRADES + grade])
            box.open |= int(auto.opens[result])
            box.losses = int(auto.losses[box.losses * auto.charge_count + int(auto.charges[result])])
            box.results.append(result)
            if not box.waiting:
                break
            cards = [box.waiting.pop()]
        half = (int(box.declined) * MOST_SPLIT_HANDS + len(box.results)) * MOST_SPLIT_HANDS + len(box.waiting)
        state = int(auto.halves[(half * WIDTH + (up & 15)) * WIDTH + (cards[0] & 15)])
    state = int(auto.starts[box.open * WIDTH + (up & 15)])
    assert box.has_split or kind == BY_SUIT or state == then
    if auto.holes and state < auto.ends_from:
        state = int(auto.move[state * WIDTH + (dealt.shoe[begin + 3] & 15)])
    while state < auto.ends_from:
        state = int(auto.move[state * WIDTH + (dealt.draw() & 15)])
    final = state - auto.finals_from
    places += [(result + auto.results * box.has_split) * auto.finals + final for result in box.results]
    if box.has_split and auto.naturals[final]:
        places.append(int(auto.loss_places[box.losses]))
    if box.open & SUPER:
        places.append(auto.super_place)
    return places, final, box


def play_by_tables(prepared: Prepared, block: int) -> Sums:
    """What a block of a plan comes to."""
    given, plan = prepared.given, prepared.plan
    auto = unfold_splits(given.rules, given.tables, given.shape.super_bonus)
    assert auto is not None
    kept = k.make_kept(given.shape)
    sums, rounds = kept.sums, plan.rounds_of(block)
    for strand in range(-(-rounds // plan.per_strand)):
        start = mix(mix(plan.seed + GOLDEN & BITS) ^ mix((block * LANES + strand) * GOLDEN + 1 & BITS))
        dealt = Dealt([int(card) for card in given.fresh], start, mix(start + GOLDEN & BITS) | 1, len(given.fresh))
        for _ in range(min(plan.per_strand, rounds - strand * plan.per_strand)):
            if dealt.pos >= given.shape.cut:
                dealt.pos = 0
                sums[k.SHOES] += 1
                for _ in range(given.shape.burn):
                    dealt.draw()
            begin = dealt.pos
            places, final, _ = play_round(auto, dealt)
            net = int(auto.nets[places].sum())
            for place in places:
                sums += auto.rows[place]
            sums[[k.ROUNDS, k.CARDS]] += np.array([1, dealt.pos - begin])
            sums[[k.DEALER_BUSTS, k.DEALER_NATURALS]] += np.array([auto.busts[final], auto.naturals[final]])
            assert abs(net) < k.HALF_HISTOGRAM
            kept.histogram[net + k.HALF_HISTOGRAM] += 1
    sums[k.NET : k.NET_3 + 1] = 0
    return collect_sums(prepared, kept)
