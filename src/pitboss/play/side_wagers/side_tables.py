"""Side wagers as tables: what two cards and one thing more amount to, and what that pays; the judges are asked once.

For every side wager the pairs of cards are sorted into classes, and a class with one further number (the dealer's up
card, the next card to the box, how many cards the dealer went over with, how many tokens were used) gives the judge's
answer. Kernels look both up and know no wager. An outcome is a number: 0 is a loss in the first round of a wager, and a
wager that is carried over has numbers of its own for every round it is carried to, since it may be paid differently.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.play._jit import kernel
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_FIRST_TWO,
    BY_FOUR_CARDS,
    BY_THIRD_CARD,
    BY_UP_CARD,
    CARRIES,
    DRAWS_PRIZE,
    JUDGES,
    NO_CARD_CODE,
    NOT_DEALT,
    OUTCOME,
    Judge,
    JudgeTerms,
    SeenCards,
    alike,
    outcome_name,
    third_card_answers,
)
from pitboss.play.side_wagers.side_payments import judge_terms, net_of, pay_drawn_prize, sum_earlier_wins
from pitboss.rulebooks.model.rules import Rules, SideWager

Codes = NDArray[np.uint8]
Ints = NDArray[np.int64]
_INT64 = cast("Callable[[object], int]", np.int64)
"""A whole number of this width: kernels are particular about it, and to the reader it is a whole number."""

CODES = 64
MOST_OUTCOMES = OUTCOME + 1
MOST_CARDS = 24
"""More than any dealer's hand has, and more tokens than a box can use."""
MOST_PARTS = 1 << 62
BUST = 22
RANK_BITS, RANKS = 4, 13

LOST = "loses"
CARRIED = "carried-"
"""How the names of outcomes begin of a wager that was carried from an earlier round."""


class SideTableError(PitbossError):
    """Side wagers that cannot be put into tables."""


class SideTables(NamedTuple):
    """Side wagers as a kernel looks them up."""

    source: Ints
    """[wager] -> what decides beside the two cards, as `play.side_wagers.judges` numbers it."""
    classes: Codes
    """[wager][card][card] -> class."""
    answers: Codes
    """[wager][rounds carried][class][further number] -> number of the outcome, with the judge's bits."""
    nets: Ints
    """[wager][outcome] -> what the round brings, in parts of the stake; drawn prizes are the outcomes from 1 on."""
    parts: Ints
    """[wager] -> how many parts make the stake."""
    four_row: Ints
    """[wager] -> row of `four`; -1 for a wager that does not look at the four cards of an area."""
    four: Codes
    """[row][rank][rank][rank][rank] -> number of the outcome."""
    prize_ends: Ints
    prize_total: int
    """Up to which ticket each prize goes, and how many tickets there are."""


class SideNames(NamedTuple):
    """What the numbers of one wager's outcomes mean."""

    names: tuple[str, ...]
    pays: tuple[int, ...]
    """Net of the outcome in its round for one stake, in parts."""
    won_before: tuple[int, ...]
    """What the same wager had won in the rounds before, in parts."""
    parts: int
    """How many parts make the stake."""


# ---------------------------------------------------------------------- looking up


@kernel
def pair_of(first: int, second: int) -> int:
    """Two cards as tables find them."""
    return first << 6 | second


@kernel
def look_up(tables: SideTables, wager: int, rounds_carried: int, pair: int, further: int) -> int:
    """The number of a wager's outcome, with the judge's bits; what `further` is, `source` says."""
    group = _INT64(tables.classes[wager, np.uint64(pair)])
    return _INT64(tables.answers[wager, rounds_carried, group, further])


@kernel
def look_up_four(tables: SideTables, wager: int, first: int, second: int, third: int, fourth: int) -> int:
    """The same of a wager on the four cards of an area, in any order."""
    place = ((first & 15) << 4 | second & 15) << 8 | (third & 15) << 4 | fourth & 15
    return _INT64(tables.four[tables.four_row[wager], np.uint64(place)])


@kernel
def rounds_carried_then(tables: SideTables, rounds_carried: int, answer: int) -> int:
    """How many rounds a wager has been carried when the next one begins; 0 if it is not."""
    return min(rounds_carried + 1, tables.answers.shape[1] - 1) if answer & CARRIES != 0 else 0


# ---------------------------------------------------------------------- building


def build_side_tables(
    rules: Rules, unit: int, meters: Mapping[str, Money], stakes: Mapping[str, Money]
) -> tuple[SideTables, tuple[SideNames, ...]]:
    """The tables of the side wagers on offer, and what their numbers mean.

    A stake has at least `unit` parts, and as many more as make every payment whole. `stakes` is the money of each, on
    which a posted maximum and whole dollars of a meter depend; `meters` is what prize meters show.
    """
    count = max(len(rules.side_wagers), 1)
    pages: list[tuple[Codes, Codes]] = []
    names: list[SideNames] = []
    four_row = np.full(count, -1, np.int64)
    fours: list[Codes] = []
    ends = np.zeros(1, np.int64)
    for wager, side in enumerate(rules.side_wagers):
        judge, terms = JUDGES[side.judge], judge_terms(side)
        stake = Fraction(stakes[side.id])
        rows = _rows(side, terms, stake, {name: Fraction(value) for name, value in meters.items()})
        names.append(_meaning(side, rows, unit, stake))
        if judge.looks_at == BY_FOUR_CARDS:
            four_row[wager] = len(fours)
            fours.append(_four_cards(judge, terms))
            pages.append((np.zeros(CODES * CODES, np.uint8), np.zeros((1, 1, CODES), np.uint8)))
        else:
            pages.append(_page(judge, terms, rows))
        if side.prizes:
            ends = np.cumsum([times for times, _ in side.prizes])
    rounds, widest = (max((page[1].shape[axis] for page in pages), default=1) for axis in (0, 1))
    tables = SideTables(
        source=np.array([JUDGES[side.judge].looks_at for side in rules.side_wagers] or [BY_FIRST_TWO], np.int64),
        classes=np.zeros((count, CODES * CODES), np.uint8),
        answers=np.zeros((count, rounds, widest, CODES), np.uint8),
        nets=np.zeros((count, MOST_OUTCOMES), np.int64),
        parts=np.array([name.parts for name in names] or [unit], np.int64),
        four_row=four_row,
        four=np.stack(fours) if fours else np.zeros((1, 1), np.uint8),
        prize_ends=ends,
        prize_total=int(ends[-1]) or 1,
    )
    for wager, (of_pairs, of_classes) in enumerate(pages):
        tables.classes[wager] = of_pairs
        tables.answers[wager, : of_classes.shape[0], : of_classes.shape[1]] = of_classes
        tables.nets[wager, : len(names[wager].pays)] = names[wager].pays
    return tables, tuple(names)


class OutcomeRow(NamedTuple):
    """An outcome of a wager in one of its rounds."""

    rounds_carried: int
    answer: int
    """What the judge says, without the bits."""
    name: str
    net: Fraction
    won_before: Fraction
    """In money: of the round, and of the rounds before."""


def _rows(side: SideWager, terms: JudgeTerms, stake: Fraction, meters: Mapping[str, Fraction]) -> list[OutcomeRow]:
    """All outcomes of a wager, in the order of their numbers."""
    judge = JUDGES[side.judge]
    if side.prizes:
        prizes = [(prize, pay_drawn_prize(side, Fraction(prize), stake)) for _, prize in side.prizes]
        won = [
            OutcomeRow(0, place, f"prize {prize}", net, Fraction(0))
            for place, (prize, net) in enumerate(prizes, start=1)
        ]
        return [OutcomeRow(0, 0, LOST, -stake, Fraction(0)), *won]
    paid = sum_earlier_wins(side, stake)
    rows: list[OutcomeRow] = []
    for carried, before in enumerate(paid):
        answers: Sequence[int] = range(len(judge.outcomes) + 1)
        if len(paid) > 1:
            answers = [answer & OUTCOME for answer in third_card_answers(side.judge, terms, min(carried, 1))]
        for answer in answers:
            net = net_of(side, answer, stake, meters, before)
            rows.append(OutcomeRow(carried, answer, _name(judge, answer, carried), net, before))
    if len(rows) > MOST_OUTCOMES:
        raise SideTableError(f"{side.name} has {len(rows)} outcomes, and tables have room for {MOST_OUTCOMES}")
    return rows


def _name(judge: Judge, answer: int, carried: int) -> str:
    name = (outcome_name(judge, answer) or LOST).removeprefix(CARRIED)
    return f"{CARRIED}{carried}-{name}" if carried > 1 else f"{CARRIED}{name}" if carried else name


def _meaning(side: SideWager, rows: Sequence[OutcomeRow], unit: int, stake: Fraction) -> SideNames:
    parts = math.lcm(unit, *((row.net / stake).denominator for row in rows))
    pays = tuple(int(row.net / stake * parts) for row in rows)
    if max(map(abs, pays)) >= MOST_PARTS:
        raise SideTableError(f"what {side.name} pays cannot be counted that finely: state meters in whole cents")
    won_before = tuple(int(row.won_before / stake * parts) for row in rows)
    return SideNames(tuple(row.name for row in rows), pays, won_before, parts)


def _page(judge: Judge, terms: JudgeTerms, rows: Sequence[OutcomeRow]) -> tuple[Codes, Codes]:
    """The classes of pairs of cards, and the answers of each in every round."""
    numbers = {(row.rounds_carried, row.answer): number for number, row in enumerate(rows)}
    rounds = rows[-1].rounds_carried + 1
    same, known = alike(judge.key), {}
    vectors: dict[bytes, int] = {}
    found: list[Codes] = []
    for one, two in itertools.product(sorted(set(same.values())), repeat=2):
        vector = np.zeros((rounds, CODES), np.uint8)
        for carried in range(rounds):
            for further, seen in _further(judge, SeenCards(one, two, carried=int(carried > 0)), same):
                answer = judge.judge(seen, terms)
                number = 0 if answer & DRAWS_PRIZE else numbers[carried, answer & OUTCOME]
                vector[carried, further] = number | answer & ~OUTCOME
        key = vector.tobytes()
        if key not in vectors:
            vectors[key] = len(found)
            found.append(vector)
        known[one, two] = vectors[key]
    classes = np.zeros(CODES * CODES, np.uint8)
    for one, two in itertools.product(same, repeat=2):
        classes[pair_of(one, two)] = known[same[one], same[two]]
    return classes, np.stack(found, axis=1)


def _further(judge: Judge, seen: SeenCards, same: Mapping[int, int]) -> Iterator[tuple[int, SeenCards]]:
    """The further numbers that a wager may be looked up with, and what each of them means."""
    if judge.looks_at == BY_FIRST_TWO:
        yield 0, seen
    elif judge.looks_at == BY_UP_CARD:
        yield from ((up, seen._replace(up=same[up])) for up in same)
    elif judge.looks_at == BY_THIRD_CARD:
        yield from ((third, seen._replace(third=same.get(third, third))) for third in (*same, NO_CARD_CODE, NOT_DEALT))
    elif judge.looks_at == BY_DEALER_HAND:
        yield 0, seen
        yield from ((cards, seen._replace(dealer_total=BUST, dealer_cards=cards)) for cards in range(3, MOST_CARDS))
    else:
        yield from ((tokens, seen._replace(tokens=tokens)) for tokens in range(MOST_CARDS))


def _four_cards(judge: Judge, terms: JudgeTerms) -> Codes:
    table = np.zeros(1 << 4 * RANK_BITS, np.uint8)
    for one, two, three, four in itertools.product(range(RANKS), repeat=4):
        place = ((one << RANK_BITS | two) << RANK_BITS | three) << RANK_BITS | four
        table[place] = judge.judge(SeenCards(one, two, three, four), terms)
    return table
