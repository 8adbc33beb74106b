"""Surrender: for which hands, when it is open, when it is settled and what it costs."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import total
from pitboss.play.packed import (
    SURRENDER_AFTER_OWN_CARDS,
    SURRENDER_AT_ONCE,
    SURRENDER_NEVER,
    SURRENDER_OWN_TURN,
    SURRENDER_UNTIL_ANOTHER_DRAWS,
    SURRENDER_WHOLE,
    Packed,
)


@kernel
def surrender_after_own_cards(rules: Packed) -> bool:
    """A hand that has drawn may still surrender."""
    return rules.surrender_when == SURRENDER_AFTER_OWN_CARDS


@kernel
def surrender_fits(rules: Packed, up_rank: int, hard: int, aces: int, cards: int, from_split: bool) -> bool:
    """Surrender exists for this hand against this up card; whether its window is open is another question."""
    if rules.surrender_when == SURRENDER_NEVER or from_split:
        return False
    if cards != 2 and not surrender_after_own_cards(rules):
        return False
    return rules.surrender_up_cards >> up_rank & 1 != 0 and total(hard, aces) < rules.surrender_below


@kernel
def surrender_open(rules: Packed, own_turn: bool, card_drawn: bool, card_of_another: bool) -> bool:
    """The window of surrender is open.

    `card_drawn`: a card was dealt beyond the initial deal; `card_of_another`: one to a box of another player.
    """
    if rules.surrender_when == SURRENDER_OWN_TURN:
        return own_turn
    if rules.surrender_when == SURRENDER_UNTIL_ANOTHER_DRAWS or surrender_after_own_cards(rules):
        return not card_of_another
    return rules.surrender_when != SURRENDER_NEVER and not card_drawn


@kernel
def surrender_before_turns(rules: Packed) -> bool:
    """Surrender is open to the whole table before boxes act, and so before the dealer looks for a natural."""
    return rules.surrender_when != SURRENDER_NEVER and rules.surrender_when != SURRENDER_OWN_TURN


@kernel
def surrender_waits(rules: Packed) -> bool:
    """A surrendered wager waits for the dealer's hand; else half of it is taken at once and the rest goes back."""
    return rules.surrender_settled != SURRENDER_AT_ONCE


@kernel
def surrender_costs(rules: Packed, dealer_natural: bool) -> int:
    """What a surrendered wager loses, in halves of it.

    A dealer's natural takes the whole of it where the book says so and the wager is still on the table.
    """
    if dealer_natural and surrender_waits(rules) and rules.surrender_vs_natural == SURRENDER_WHOLE:
        return 2
    return 1
