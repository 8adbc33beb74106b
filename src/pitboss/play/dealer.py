"""The dealer's hand: when a card is drawn, and when none is needed."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import is_soft, total
from pitboss.play.packed import Packed

NO_CARD, ONE_CARD, WHOLE_HAND = 0, 1, 2


@kernel
def dealer_draws(rules: Packed, hard: int, aces: int) -> bool:
    """The drawing rule: below the standing total, soft and hard each with their own."""
    points = total(hard, aces)
    if is_soft(hard, aces):
        return points < rules.dealer_stands_soft
    return points < rules.dealer_stands_hard


@kernel
def dealer_need(
    rules: Packed, live_hand: bool, waits_for_natural: bool, natural_possible: bool, side_wager_lives: bool
) -> int:
    """How much of the dealer's hand is still to be dealt once players are done.

    `live_hand`: a hand is still to be compared. `waits_for_natural`: insurance, a natural or a surrendered wager hangs
    on the second card. `natural_possible`: the up card is an ace or a ten.
    """
    if live_hand or rules.dealer_skips_moot_cards == 0:
        return WHOLE_HAND
    if side_wager_lives and rules.dealer_completes_for_side_wagers != 0:
        return WHOLE_HAND
    if waits_for_natural and natural_possible:
        return ONE_CARD
    return NO_CARD
