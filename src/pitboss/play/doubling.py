"""Doubling: which hands may, for how much, and what becomes of a doubled hand."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import is_soft, total
from pitboss.play.packed import (
    DOUBLE,
    DOUBLE_9_11_ACE_ONE,
    DOUBLE_9_11_NO_ACE,
    DOUBLE_HARD_9_11,
    DOUBLE_NONE,
    DOUBLE_TWO,
    DOUBLE_TWO_OR_THREE,
    EXEMPT_ONLY_11,
    STAKE_TOKEN,
    STAKE_UP_TO,
    Packed,
)
from pitboss.play.settlement import Amount, always_wins


@kernel
def double_cards_fit(rules: Packed, cards: int) -> bool:
    """A hand of `cards` cards is of a size that may double."""
    if rules.double_cards == DOUBLE_TWO:
        return cards == 2
    if rules.double_cards == DOUBLE_TWO_OR_THREE:
        return cards == 2 or cards == 3
    return cards >= 2


@kernel
def double_total_fits(rules: Packed, hard: int, aces: int) -> bool:
    """The total of a hand is one that may double."""
    points = total(hard, aces)
    kind = rules.double_totals
    if points >= 21 or kind == DOUBLE_NONE:
        return False
    if kind == DOUBLE_HARD_9_11:
        return not is_soft(hard, aces) and 9 <= points <= 11
    if kind == DOUBLE_9_11_ACE_ONE:
        return 9 <= hard <= 11
    if kind == DOUBLE_9_11_NO_ACE:
        return aces == 0 and 9 <= hard <= 11
    return True


@kernel
def may_double(rules: Packed, hard: int, aces: int, cards: int, from_split: bool, from_aces: bool) -> bool:
    """The hand may double now."""
    if rules.actions & DOUBLE == 0:
        return False
    if from_split and (rules.double_after_split == 0 or (from_aces and rules.split_aces_one_card != 0)):
        return False
    return double_cards_fit(rules, cards) and double_total_fits(rules, hard, aces)


@kernel
def double_is_free(rules: Packed) -> bool:
    """A double stands on a token of the house's: it wins like money and costs nothing."""
    return rules.double_stake == STAKE_TOKEN


@kernel
def double_amount_fits(rules: Packed, amount: Amount, original: Amount) -> bool:
    """A double may be of this amount, beside an original wager."""
    if rules.double_stake == STAKE_UP_TO:
        return 0 < amount <= original
    return amount == original


@kernel
def aces_fixed(rules: Packed, aces_dealt: int) -> int:
    """Aces that a double makes count one for good; `aces_dealt`: those among the first two cards."""
    return aces_dealt if rules.double_ace_as_one != 0 else 0


@kernel
def doubled_must_draw(rules: Packed, points: int) -> bool:
    """A doubled hand must take a further card: the forced draw spares it at 11 only, under that reading of the book."""
    if rules.double_exempt_from_forced_draw != EXEMPT_ONLY_11:
        return False
    return points != 11 and points < rules.forced_draw_below


@kernel
def may_take_back(rules: Packed, points: int, cards: int, from_split: bool) -> bool:
    """A double that has its card may be taken back, the original wager being given up; one on a token has nothing to
    take back."""
    if rules.double_rescue == 0 or double_is_free(rules) or points > 21:
        return False
    return always_wins(rules, points, cards, False, from_split) == 0
