"""Side wagers inside kernels: the outcome of each judge as a number, 0 for a loss.

A card is a code: point value in the low four bits, suit in the next two, rank above. Outcomes are numbered in the
order of the loader's list of judges; a test plays the same cards through the table's judges and compares.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from pitboss.cards import CARD_ID, VALUE, Card

(
    PERFECT_PAIRS, PAIR, UNDER, OVER, SUPER_MATCH, CROWN_SUITS, SPREAD, PANDEMONIUM, SEVENS, BLACKPOT, BUSTER,
    POT_OF_GOLD, JACKPOTS, SUPERNOVA,
) = range(14)  # fmt: skip

JUDGE_NUMBERS: dict[str, int] = {
    "perfect-pairs": PERFECT_PAIRS,
    "pair": PAIR,
    "under-13": UNDER,
    "over-13": OVER,
    "super-match": SUPER_MATCH,
    "crown-suits": CROWN_SUITS,
    "spread-bet": SPREAD,
    "pandemonium": PANDEMONIUM,
    "magnificent-sevens": SEVENS,
    "blackpot": BLACKPOT,
    "buster": BUSTER,
    "pot-of-gold": POT_OF_GOLD,
    "blackjack-jackpots": JACKPOTS,
    "supernova": SUPERNOVA,
}

LATER, DRAW_PRIZE = -1, -2
"""The wager is decided by play; the wager has won a prize that is drawn at random."""


def code(card: Card) -> int:
    """A card as kernels hold it."""
    number = CARD_ID[card]
    return VALUE[card] | (number % 4) << 4 | (number // 4) << 6


def card_of(number: int) -> Card:
    """The card of a code."""
    from pitboss.cards import CARDS

    return CARDS[(number >> 6) * 4 + (number >> 4 & 3)]


@njit(cache=True)
def _same(one: int, two: int) -> int:
    """Perfect 1, coloured 2, mixed 3 for two cards of one rank; 0 for no pair."""
    if one >> 6 != two >> 6:
        return 0
    first, second = one >> 4 & 3, two >> 4 & 3
    if first == second:
        return 1
    # Suits are spades, hearts, diamonds, clubs: black is 0 and 3, red 1 and 2.
    return 2 if first + second == 3 else 3


@njit(cache=True)
def _match(a: int, b: int, c: int, d: int) -> int:
    """Four of a kind 1, two pair 2, three of a kind 3, pair 4 among four ranks; 0 for none."""
    pairs = (a == b) + (a == c) + (a == d) + (b == c) + (b == d) + (c == d)
    if pairs == 6:
        return 1
    if pairs == 2:
        return 2
    if pairs == 3:
        return 3
    return 4 if pairs == 1 else 0


@njit(cache=True)
def _natural(one: int, two: int) -> bool:
    return (one & 15 == 1 and two & 15 == 10) or (one & 15 == 10 and two & 15 == 1)


@njit(cache=True)
def _jackpot(one: int, two: int, up: int) -> int:
    if one & 15 == 1 and two & 15 == 1 and up & 15 == 1:
        if one == two and two == up:
            return 1 if one >> 4 & 3 == 0 else 2
        return 3
    if _natural(one, two):
        return 4 if one >> 4 & 3 == two >> 4 & 3 else 5
    return 0


@njit(cache=True)
def judge_dealt(judge: int, codes: Any, b: int, up: int, area: int) -> int:
    """The outcome of a wager on the initial deal of box `b`, or `LATER` or `DRAW_PRIZE`."""
    one, two = codes[b, 0], codes[b, 1]
    points = (one & 15) + (two & 15)
    suited = one >> 4 & 3 == two >> 4 & 3
    if judge == PERFECT_PAIRS:
        return _same(one, two)
    if judge == PAIR:
        return 1 if one >> 6 == two >> 6 else 0
    if judge == UNDER:
        return 1 if points < 13 else 0
    if judge == OVER:
        return 1 if points > 13 else 0
    if judge == SUPER_MATCH:
        return _match(one >> 6, two >> 6, codes[b + 1, 0] >> 6, codes[b + 1, 1] >> 6)
    if judge == CROWN_SUITS:
        return (2 if up >> 4 & 3 == one >> 4 & 3 else 1) if suited else 0
    if judge == SPREAD:
        return 1 if points <= 3 else 2 if points <= 5 else 3 if points <= 9 else 0
    if judge == PANDEMONIUM:
        return DRAW_PRIZE if _natural(one, two) else 0
    if judge == JACKPOTS:
        return _jackpot(one, two, up)
    if judge == SUPERNOVA:
        if not (_natural(one, two) and suited):
            return 0
        # The ace and jack of spades: ranks 0 and 10.
        return 1 if one >> 4 & 3 == 0 and (one >> 6) + (two >> 6) == 10 else 2
    return LATER


@njit(cache=True)
def judge_third_card(judge: int, codes: Any, b: int, third: int, bust_cards: int, tokens: int, carried: int) -> int:
    """The outcome of a wager that play decides. `third` is the next card to the box plus one, 0 if there was none.

    For Blackpot the low byte is the outcome (three more for a carried wager) and the rest whether it is carried on.
    """
    one, two = codes[b, 0], codes[b, 1]
    if judge == BUSTER:
        return 0 if bust_cards == 0 else min(bust_cards, 8) - 2
    if judge == POT_OF_GOLD:
        return min(tokens, 5)
    if judge == SEVENS:
        if one & 15 != 7 or two & 15 != 7:
            return 0
        suited = one >> 4 & 3 == two >> 4 & 3
        if third > 0 and (third - 1) & 15 == 7:
            return 1 if suited and (third - 1) >> 4 & 3 == one >> 4 & 3 else 2
        return 3 if suited else 4
    return _blackpot(one & 15, two & 15, (third - 1) & 15 if third > 0 else 0, carried)


@njit(cache=True)
def _blackpot(one: int, two: int, third: int, carried: int) -> int:
    more = 3 if carried else 0
    if one == two or not 6 <= one <= 8 or not 6 <= two <= 8:
        return more
    if third == 21 - one - two:
        return (more + 2) | (0 if carried else 256)
    return more + 1
