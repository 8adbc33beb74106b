"""Outcomes: which limb of the settlement rules decides a hand, and what a dealer's natural takes."""

from __future__ import annotations

import math
from typing import TypeVar

from pitboss.money import Money
from pitboss.play._jit import kernel
from pitboss.play.packed import (
    FIVE_AT_MOST_21,
    FIVE_BELOW_21,
    NATURAL_BEATS_PUSH,
    NATURALS_WIN,
    TAKES_ALL,
    TAKES_BUSTED_PLUS_ONE,
    TAKES_BY_WAGER,
    TAKES_CAPPED,
    TAKES_ORIGINAL,
    TAKES_PER_HAND,
    TIE_LOSE,
    Packed,
)

Amount = TypeVar("Amount", int, Money)
"""An exact amount in any one unit: whole numbers in kernels, money at the table."""

LOSE_BUST, LOSE_LOWER, LOSE_DEALER_NATURAL, LOSE_TIE = 1, 2, 3, 4
STAND_OFF, STAND_OFF_NATURALS, STAND_OFF_PUSH_TOTAL = 11, 12, 13
WIN_HIGHER, WIN_DEALER_BUST, WIN_NATURAL, WIN_21, WIN_FIVE_CARDS = 21, 22, 23, 24, 25
"""Outcomes, in this order: losses, stand-offs, wins."""


@kernel
def wins(decided: int) -> bool:
    """The outcome is a win."""
    return decided >= WIN_HIGHER


@kernel
def loses(decided: int) -> bool:
    """The outcome is a loss."""
    return decided <= LOSE_TIE


@kernel
def five_cards_win(rules: Packed, points: int, cards: int) -> bool:
    """Five cards that win whatever the dealer has."""
    if cards != 5:
        return False
    if rules.five_card_win == FIVE_AT_MOST_21:
        return points <= 21
    return rules.five_card_win == FIVE_BELOW_21 and points < 21


@kernel
def always_wins(rules: Packed, points: int, cards: int, natural: bool, from_split: bool) -> int:
    """The outcome of a hand that wins whatever the dealer has, else 0."""
    if from_split and rules.split_hands_settle_as_main == 0:
        return 0
    if rules.winning_hands_first == 0:
        return 0
    if natural:
        return WIN_NATURAL if rules.natural_vs_natural == NATURALS_WIN else 0
    if rules.player_21_wins != 0 and points == 21:
        return WIN_21
    if five_cards_win(rules, points, cards):
        return WIN_FIVE_CARDS
    return 0


@kernel
def is_switched_21(points: int, cards: int, from_split: bool) -> bool:
    """A hand that is no natural is an ace and a ten that a switch has brought together."""
    return points == 21 and cards == 2 and not from_split


@kernel
def outcome(
    rules: Packed,
    points: int,
    cards: int,
    natural: bool,
    from_split: bool,
    dealer_points: int,
    dealer_natural: bool,
) -> int:
    """Which limb decides a player's hand against the dealer's finished hand."""
    if points > 21:
        return LOSE_BUST
    sure = always_wins(rules, points, cards, natural, from_split)
    if sure != 0:
        return sure
    if natural:
        if dealer_natural:
            return WIN_NATURAL if rules.natural_vs_natural == NATURALS_WIN else STAND_OFF_NATURALS
        if rules.dealer_push_total != 0 and dealer_points == rules.dealer_push_total:
            return WIN_NATURAL if rules.natural_vs_push_total == NATURAL_BEATS_PUSH else STAND_OFF_PUSH_TOTAL
        if dealer_points == 21 and rules.natural_beats_drawn_21 == 0:
            return STAND_OFF
        return WIN_NATURAL
    special = not from_split or rules.split_hands_settle_as_main != 0
    loses_anyway = not special or is_switched_21(points, cards, from_split)
    if dealer_natural and (rules.dealer_natural_beats_21 != 0 or loses_anyway):
        return LOSE_DEALER_NATURAL
    if rules.dealer_push_total != 0 and dealer_points == rules.dealer_push_total and special:
        return STAND_OFF_PUSH_TOTAL
    if dealer_points > 21:
        return WIN_DEALER_BUST if rules.dealer_bust_pays != 0 or not special else STAND_OFF
    if points > dealer_points:
        return WIN_HIGHER
    if points < dealer_points:
        return LOSE_DEALER_NATURAL if dealer_natural else LOSE_LOWER
    return LOSE_TIE if rules.tie == TIE_LOSE else STAND_OFF


@kernel
def dealer_natural_loss(
    rules: Packed,
    original: Amount,
    busted: Amount,
    live: Amount,
    holds_original: bool,
    hand_base: Amount,
    taken: Amount,
) -> Amount:
    """What a dealer's natural takes from one live, losing hand of a player's box.

    All amounts are in one unit. `original`: the player's original wager; `busted`: what busted hands of the box have
    already cost; `live`: everything the player has on this hand; `hand_base`: the part of it that is an original or
    split stake, not a double; `holds_original`: the hand holds the original wager itself; `taken`: what earlier live
    hands of the box have cost.
    """
    kind = rules.dealer_natural_takes
    if kind == TAKES_ALL:
        return live
    if kind == TAKES_BUSTED_PLUS_ONE:
        left = original - taken
    elif kind == TAKES_BY_WAGER:
        left = original if holds_original else original - original
    elif kind == TAKES_CAPPED:
        left = original - busted - taken
    elif kind in (TAKES_PER_HAND, TAKES_ORIGINAL):
        left = hand_base
    else:
        left = live
    return min(max(left, original - original), live)


@kernel
def natural_takes_one_wager(rules: Packed) -> bool:
    """A dealer's natural takes one wager from the live hands of a box together: the second costs nothing more."""
    first = dealer_natural_loss(rules, 1, 0, 1, True, 1, 0)
    return first == 1 and dealer_natural_loss(rules, 1, 0, 1, True, 1, first) == 0


@kernel
def busts_count_as_taken(rules: Packed) -> bool:
    """A hand of the box that went over 21 has paid what a dealer's natural would take."""
    return dealer_natural_loss(rules, 1, 1, 1, True, 1, 0) == 0


@kernel
def busted_double_returns(rules: Packed, dealer_natural: bool) -> bool:
    """A dealer's natural gives back the double of a hand that is bust, under that reading of the book."""
    return dealer_natural and rules.busted_double_lost == 0


def parts_of_a_wager(rules: Packed) -> int:
    """Into how many equal parts a wager is cut so that halves of it, and what they can win, are whole numbers."""
    stakes = (rules.natural_odds_stake, *rules.bonus_stake)
    insured = (rules.insurance_odds_ace_stake, rules.insurance_odds_ten_stake)
    return 2 * math.lcm(*stakes, *(stake for stake in insured if stake))
