"""Side wagers as tables: which outcome two cards and one more thing lead to, asked of the table's own judges.

A card is a code: its rank in the low four bits, its suit in the next two. For every side wager the pairs of codes are
sorted into classes, and a class with one further number (the dealer's up card, the next card to the box, how many
cards the dealer went over with, how many tokens were used) gives the outcome. Kernels look both up and know no wager.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pitboss.cards import CARDS, RANKS, SUITS, VALUE, Card
from pitboss.money import Money, Odds
from pitboss.rulebooks.model.rules import MeterShare, Rules, SideWager
from pitboss.table.round.sides.dealt import crown_suits, over_13, pair, perfect_pairs, spread_bet, super_match, under_13
from pitboss.table.round.sides.meters import jackpots_outcome, supernova_outcome

CODES = 64
NO_CARD_CODE = 63
"""Stands for "no further card came to the box"."""

BY_NOTHING, BY_UP_CARD, BY_THIRD_CARD, BY_BUST_CARDS, BY_TOKENS = 0, 1, 2, 3, 4
"""What decides beside the two cards."""

DRAWS_PRIZE = 64
"""Bit of an outcome: a prize is drawn at random."""
CARRIES = 128
"""Bit of an outcome: the wager is carried to the next round."""

MOST_OUTCOMES = 32
MOST_CARDS = 24
"""More than any dealer's hand has, and more tokens than a box can use."""
FOUR_CARDS = 1 << 16

DEALT: dict[str, Callable[[tuple[Card, ...], Card], str]] = {
    "perfect-pairs": perfect_pairs,
    "pair": pair,
    "under-13": under_13,
    "over-13": over_13,
    "crown-suits": crown_suits,
    "spread-bet": spread_bet,
    "blackjack-jackpots": jackpots_outcome,
    "supernova": supernova_outcome,
}


def code(card: Card) -> int:
    """A card as kernels hold it."""
    return RANKS.index(card[0]) | SUITS.index(card[1]) << 4


def card_of(number: int) -> Card:
    """The card of a code."""
    return RANKS[number & 15] + SUITS[number >> 4]


class Sides(NamedTuple):
    """Side wagers as a kernel looks them up."""

    source: np.ndarray[Any, Any]
    """[wager] -> what decides beside the two cards."""
    classes: np.ndarray[Any, Any]
    """[wager][card][card] -> class."""
    outcomes: np.ndarray[Any, Any]
    """[wager][carried][class][further number] -> outcome, with the bits above."""
    four: np.ndarray[Any, Any]
    """[rank][rank][rank][rank] -> outcome of the wager on an area's four cards; one entry if there is none."""
    four_place: int
    """Which wager that is; -1 if none."""
    prize_ends: np.ndarray[Any, Any]
    prize_total: int


class SideNames(NamedTuple):
    """What the numbers of one wager's outcomes mean."""

    names: tuple[str, ...]
    pays: tuple[int, ...]
    """Net of the outcome for one unit staked, in parts."""


def side_tables(rules: Rules) -> Sides:
    """The tables of the side wagers on offer."""
    count = max(len(rules.side_wagers), 1)
    source = np.zeros(count, np.int64)
    pages: list[tuple[Any, Any]] = []
    four, four_place = np.zeros(1, np.uint8), -1
    ends = np.zeros(1, np.int64)
    for number, side in enumerate(rules.side_wagers):
        names = _names(side)
        if side.judge == "super-match":
            four, four_place = _four_cards(names), number
            pages.append((np.zeros(CODES * CODES, np.uint8), np.zeros((2, 1, CODES), np.uint8)))
            continue
        source[number], page = _page(rules, side, names)
        pages.append(page)
        if side.prizes:
            ends = np.cumsum([times for times, _ in side.prizes])
    widest = max((page[1].shape[1] for page in pages), default=1)
    classes = np.zeros((count, CODES * CODES), np.uint8)
    outcomes = np.zeros((count, 2, widest, CODES), np.uint8)
    for number, (of_pairs, of_classes) in enumerate(pages):
        classes[number] = of_pairs
        outcomes[number, :, : of_classes.shape[1]] = of_classes
    return Sides(source, classes, outcomes, four, four_place, ends, int(ends[-1]) or 1)


def _page(rules: Rules, side: SideWager, names: tuple[str, ...]) -> tuple[int, tuple[Any, Any]]:
    """What decides a wager, its classes of pairs and their outcomes."""
    by, ask = _asking(rules, side)
    numbers = {name: place for place, name in enumerate(names)}
    vectors: dict[bytes, int] = {}
    classes = np.zeros(CODES * CODES, np.uint8)
    rows: list[np.ndarray[Any, Any]] = []
    for one in CARDS:
        for two in CARDS:
            row = np.zeros((2, CODES), np.uint8)
            for carried in range(2 if side.judge == "blackpot" else 1):
                for further, thing in _further(by):
                    name, bits = ask((one, two), thing, bool(carried))
                    row[carried, further] = numbers[name] | bits
            key = row.tobytes()
            if key not in vectors:
                vectors[key] = len(rows)
                rows.append(row)
            classes[code(one) << 6 | code(two)] = vectors[key]
    return by, (classes, np.stack(rows, axis=1))


def _further(by: int) -> list[tuple[int, Any]]:
    if by in (BY_UP_CARD, BY_THIRD_CARD):
        cards: list[tuple[int, Any]] = [(code(card), card) for card in CARDS]
        return [*cards, (NO_CARD_CODE, "")] if by == BY_THIRD_CARD else cards
    return [(number, number) for number in range(MOST_CARDS)] if by else [(0, 0)]


Ask = Callable[[tuple[Card, Card], Any, bool], tuple[str, int]]


def _asking(rules: Rules, side: SideWager) -> tuple[int, Ask]:
    """What decides a wager beside two cards, and the question that gives its outcome."""
    if side.judge in DEALT:
        judge = DEALT[side.judge]
        by_up = side.judge in ("crown-suits", "blackjack-jackpots")
        return (BY_UP_CARD if by_up else BY_NOTHING), lambda cards, up, _: (judge(cards, up or "2s"), 0)
    if side.judge == "pandemonium":
        return BY_NOTHING, lambda cards, *_: ("", DRAWS_PRIZE if {VALUE[card] for card in cards} == {1, 10} else 0)
    if side.judge == "buster":
        return BY_BUST_CARDS, lambda _, bust, __: (f"cards-{min(bust, 8)}" if bust > 2 else "", 0)
    if side.judge == "pot-of-gold":
        return BY_TOKENS, lambda _, tokens, __: (f"tokens-{min(tokens, 5)}" if tokens else "", 0)
    if side.judge == "magnificent-sevens":
        three = side.two_sevens_suits == "three-cards"
        return BY_THIRD_CARD, lambda cards, third, _: (_sevens(cards, third, three), 0)
    assert side.judge == "blackpot", f"no way to judge {side.judge}"
    again = side.second_win == "carries-again"
    return BY_THIRD_CARD, lambda cards, third, carried: _blackpot(cards, third, carried, again)


def _sevens(cards: tuple[Card, Card], third: Card, by_three_cards: bool) -> str:
    """Two or three sevens; the card after the first two goes to the box, also into a split hand."""
    one, two = cards
    if one[0] != "7" or two[0] != "7":
        return ""
    suited = one[1] == two[1]
    if third[:1] == "7":
        return "three-suited" if suited and third[1] == one[1] else "three-mixed"
    if third and by_three_cards and third[1] != one[1]:
        suited = False
    return "two-suited" if suited else "two-mixed"


def _blackpot(cards: tuple[Card, Card], third: Card, carried: bool, again: bool) -> tuple[str, int]:
    """The whole round of a Blackpot wager: what it won on two cards, on three, and whether it is carried on."""
    prefix = "carried-" if carried else ""
    ranks = {card[0] for card in cards}
    if len(ranks) != 2 or not ranks <= {"6", "7", "8"}:
        return f"{prefix}loses", 0
    if third and {*ranks, third[0]} == {"6", "7", "8"}:
        return f"{prefix}three-cards", CARRIES if again or not carried else 0
    return f"{prefix}two-cards", 0


def _four_cards(names: tuple[str, ...]) -> np.ndarray[Any, Any]:
    table = np.zeros(FOUR_CARDS, np.uint8)
    count = len(RANKS)
    for place in np.ndindex(count, count, count, count):
        ranks = tuple(RANKS[rank] + "s" for rank in place)
        index = ((place[0] << 4 | place[1]) << 4 | place[2]) << 4 | place[3]
        table[index] = names.index(super_match(ranks, "2s"))
    return table


def _names(side: SideWager) -> tuple[str, ...]:
    """Outcomes by number; 0 is a loss."""
    if side.judge == "blackpot":
        return tuple(f"{prefix}{name}" for prefix in ("", "carried-") for name in ("loses", "two-cards", "three-cards"))
    if side.prizes:
        return ("", *(f"prize-{place}" for place in range(len(side.prizes))))
    return ("", *side.odds)


def side_names(rules: Rules, side: SideWager, unit: int, meters: dict[str, Money], stake: Money) -> SideNames:
    """What each outcome of a wager pays, whole rounds of Blackpot and drawn prizes included.

    `stake` is one unit in money: a posted maximum depends on it.
    """
    names = _names(side)
    kept = unit if side.winning_stake == "kept" else 0
    if side.prizes:
        return SideNames(
            tuple(f"prize {prize}" if place else "loses" for place, (_, prize) in enumerate(((0, 0), *side.prizes))),
            (-unit, *(unit * prize - kept for _, prize in side.prizes)),
        )
    if side.judge == "blackpot":
        return SideNames(names, tuple(_blackpot_net(side, name, unit, stake) for name in names))
    pays = {name: _parts(odds, unit, meters) for name, odds in side.odds.items()}
    if side.judge == "crown-suits" and side.tiers_paid == "both":
        pays["super-suit"] += pays["matching-suit"]
    if side.winning_stake == "kept":
        pays = {name: pay - unit for name, pay in pays.items()}
    return SideNames(("loses", *names[1:]), (-unit, *(pays[name] for name in names[1:])))


def _parts(odds: Odds | MeterShare, unit: int, meters: dict[str, Money]) -> int:
    """What odds pay one unit, in parts; a meter counts at the value it is held at."""
    if isinstance(odds, Odds):
        return unit * odds.win // odds.stake
    return int(meters.get(odds.meter, Money(0)) * odds.percent * unit / 100)


def _blackpot_net(side: SideWager, name: str, unit: int, stake: Money) -> int:
    """Net of a whole round: on two cards the stake stays for the third, which loses it or pays on top."""
    if name.endswith("loses"):
        return -unit
    prefix = "carried-" if name.startswith("carried-") else ""
    steps = [_parts(side.odds[f"{prefix}{step}-cards"], unit, {}) for step in ("two", "three")]
    if side.max_payout is not None:
        steps = [min(step, int(side.max_payout * unit / stake)) for step in steps]
    return steps[0] - unit if name.endswith("two-cards") else sum(steps)
