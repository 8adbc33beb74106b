"""What a hand may do, must do, or has done for it."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import is_soft, total
from pitboss.play.packed import (
    AUTO_COMPULSORY,
    AUTO_OPTIONAL,
    DOUBLE,
    DOUBLE_9_11_ACE_ONE,
    DOUBLE_9_11_NO_ACE,
    DOUBLE_HARD_9_11,
    DOUBLE_NONE,
    DOUBLE_TWO,
    DOUBLE_TWO_OR_THREE,
    HIT,
    LINE_STANDS,
    MATCH_RANK,
    SPARES_HARD_9_11,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDER_NEVER,
    SURRENDER_OWN_TURN,
    Packed,
)


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
def may_split(
    rules: Packed,
    value_1: int,
    value_2: int,
    rank_1: int,
    rank_2: int,
    cards: int,
    hands: int,
    from_aces: bool,
    declined: bool,
) -> bool:
    """The first two cards of a hand may be parted; `hands` is how many the box has now."""
    if rules.actions & SPLIT == 0 or cards != 2 or value_1 != value_2:
        return False
    if rules.split_match == MATCH_RANK and rank_1 != rank_2:
        return False
    if hands >= rules.split_max_hands:
        return False
    if from_aces and hands >= rules.split_aces_max_hands:
        return False
    return not (declined and rules.split_declined_bars != 0)


@kernel
def surrender_fits(rules: Packed, up_rank: int, hard: int, aces: int, cards: int, from_split: bool) -> bool:
    """Surrender exists for this hand against this up card; whether its window is open is another question."""
    if rules.surrender_when == SURRENDER_NEVER or cards != 2:
        return False
    if rules.surrender_up_cards >> up_rank & 1 == 0 or total(hard, aces) >= rules.surrender_below:
        return False
    return not from_split or rules.surrender_after_split != 0


@kernel
def surrender_open(rules: Packed, own_turn: bool, further_card_dealt: bool) -> bool:
    """The window of surrender is open."""
    if rules.surrender_when == SURRENDER_OWN_TURN:
        return own_turn
    return rules.surrender_when != SURRENDER_NEVER and not further_card_dealt


@kernel
def takes_no_card(rules: Packed, hard: int, aces: int, cards: int, from_aces: bool, doubled: bool) -> bool:
    """The hand is complete: doubled, 21 or over, a split ace with its card, or full."""
    if cards < 2:
        return False
    points = total(hard, aces)
    if doubled or points > 21 or (points == 21 and rules.stand_on_21 != 0):
        return True
    if from_aces and rules.split_aces_one_card != 0:
        return True
    return rules.max_cards != 0 and cards >= rules.max_cards


@kernel
def must_draw(rules: Packed, hard: int, aces: int) -> bool:
    """The hand may not stand."""
    return total(hard, aces) < rules.forced_draw_below


@kernel
def draws_itself(
    rules: Packed, hard: int, aces: int, cards: int, drawing: bool, can_double: bool, can_split: bool
) -> bool:
    """The dealer draws for the hand without asking. `drawing`: an automatic draw of this hand has begun."""
    points = total(hard, aces)
    low = points < rules.auto_draw_soft if is_soft(hard, aces) else points < rules.auto_draw_hard
    if rules.auto_draw == AUTO_COMPULSORY:
        return low and (cards == 2 or drawing)
    if rules.auto_draw == AUTO_OPTIONAL:
        spared = can_double
        if rules.auto_draw_spares == SPARES_HARD_9_11:
            spared = cards == 2 and not is_soft(hard, aces) and 9 <= points <= 11
        return (drawing and low) or (points < 12 and not spared and not can_split)
    return False


@kernel
def stands_at_line(rules: Packed, hard: int, aces: int) -> bool:
    """A hand exactly where compulsory draws end stands unasked, where the clause is read so."""
    if rules.auto_draw != AUTO_COMPULSORY or rules.auto_draw_line != LINE_STANDS:
        return False
    points = total(hard, aces)
    return points == rules.auto_draw_soft if is_soft(hard, aces) else points == rules.auto_draw_hard


@kernel
def absent_draws(rules: Packed, hard: int, aces: int) -> bool:
    """The dealer draws for an absent player."""
    points = total(hard, aces)
    return points < rules.absent_soft if is_soft(hard, aces) else points < rules.absent_hard


@kernel
def action_set(rules: Packed, hard: int, aces: int, can_double: bool, can_split: bool, can_surrender: bool) -> int:
    """The actions of a hand whose turn it is and that is not complete, as bits."""
    actions = HIT
    if not must_draw(rules, hard, aces):
        actions |= STAND
    if can_double:
        actions |= DOUBLE
    if can_split:
        actions |= SPLIT
    if can_surrender:
        actions |= SURRENDER
    return actions
