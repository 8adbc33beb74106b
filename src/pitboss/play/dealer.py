"""The dealer's hand: when a card is drawn, when the dealer looks for a natural, and how much of the hand is needed.

What is left on the table says what it needs of the dealer's hand: nothing, the second card, or all of it. Needs are
joined by `|`.
"""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import ACE, is_soft, total
from pitboss.play.naturals import may_become_natural, natural_always_wins, natural_may_fail
from pitboss.play.packed import COMPLETES_LISTED, HOLE_NONE, HOLE_PEEK, INSURANCE_BEFORE_PLAY, Packed
from pitboss.play.settlement import always_wins
from pitboss.play.surrender import surrender_waits

NO_CARD, ONE_CARD, WHOLE_HAND = 0, 1, 3


@kernel
def dealer_draws(rules: Packed, hard: int, aces: int) -> bool:
    """The drawing rule: below the standing total, soft and hard each with their own."""
    points = total(hard, aces)
    if is_soft(hard, aces):
        return points < rules.dealer_stands_soft
    return points < rules.dealer_stands_hard


@kernel
def has_hole_card(rules: Packed) -> bool:
    """The dealer's second card belongs to the initial deal, and lies face down."""
    return rules.hole_card != HOLE_NONE


@kernel
def dealer_looks(rules: Packed, up_rank: int) -> bool:
    """A dealer's natural is found before boxes act, and ends the round: by a look under the up card, or by a second
    card that is drawn to an ace at once."""
    if rules.hole_card == HOLE_PEEK:
        return may_become_natural(up_rank)
    return not has_hole_card(rules) and rules.insurance_settled == INSURANCE_BEFORE_PLAY and up_rank == ACE


# ---------------------------------------------------------------------- what waits for the dealer's hand


@kernel
def natural_needs(rules: Packed) -> int:
    """What a player's natural needs that was not paid at once: a dealer's natural may tie it, a total may too."""
    if natural_always_wins(rules):
        return NO_CARD
    return WHOLE_HAND if natural_may_fail(rules) else ONE_CARD


@kernel
def hand_needs(rules: Packed, points: int, cards: int, from_split: bool) -> int:
    """What a finished hand needs that is neither over 21 nor a natural."""
    return NO_CARD if always_wins(rules, points, cards, False, from_split) != 0 else WHOLE_HAND


@kernel
def bust_needs(rules: Packed, doubled: bool) -> int:
    """What a hand over 21 needs: a dealer's natural may give its double back."""
    return ONE_CARD if doubled and rules.busted_double_lost == 0 else NO_CARD


@kernel
def surrender_needs(rules: Packed) -> int:
    """What a surrendered hand needs."""
    return ONE_CARD if surrender_waits(rules) else NO_CARD


@kernel
def completes_for_side_wagers(rules: Packed, ordinary_hand: bool) -> bool:
    """The dealer completes the hand for a side wager on it; `ordinary_hand`: one is neither bust nor a natural."""
    if rules.dealer_completes_for_side_wagers == COMPLETES_LISTED:
        return not ordinary_hand
    return rules.dealer_completes_for_side_wagers != 0


@kernel
def dealer_need(rules: Packed, needs: int, natural_possible: bool, side_wager_lives: bool) -> int:
    """How much of the dealer's hand is dealt once players are done.

    `needs`: what hands and insurance need, joined. `natural_possible`: the up card may become a natural.
    `side_wager_lives`: the dealer completes the hand for a side wager.
    """
    if needs == WHOLE_HAND or rules.dealer_skips_moot_cards == 0 or side_wager_lives:
        return WHOLE_HAND
    return ONE_CARD if needs == ONE_CARD and natural_possible else NO_CARD
