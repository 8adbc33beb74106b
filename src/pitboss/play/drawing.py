"""Drawing: when a hand takes a card, must, may not, or has one drawn for it automatically."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import is_soft, total
from pitboss.play.packed import (
    AUTO_COMPULSORY,
    AUTO_OPTIONAL,
    DOUBLE,
    HIT,
    LINE_STANDS,
    SPARES_HARD_9_11,
    SPLIT,
    STAND,
    SURRENDER,
    Packed,
)


@kernel
def has_its_one_card(rules: Packed, from_aces: bool) -> bool:
    """A hand of two cards that split aces made takes no other: it stands, or splits again."""
    return from_aces and rules.split_aces_one_card != 0


@kernel
def takes_no_card(rules: Packed, hard: int, aces: int, cards: int, from_aces: bool, doubled: bool) -> bool:
    """The hand is complete: doubled, 21 or over, a split ace with its card, or full."""
    if cards < 2:
        return False
    points = total(hard, aces)
    if doubled or points > 21 or (points == 21 and rules.stand_on_21 != 0):
        return True
    if has_its_one_card(rules, from_aces):
        return True
    return rules.max_cards != 0 and cards >= rules.max_cards


@kernel
def must_draw(rules: Packed, hard: int, aces: int) -> bool:
    """The total is one on which a player's hand draws, whoever plays it."""
    return total(hard, aces) < rules.forced_draw_below


@kernel
def may_stand(rules: Packed, hard: int, aces: int, from_aces: bool) -> bool:
    """The hand may stand: its total does not force a card, or it may not have one."""
    return has_its_one_card(rules, from_aces) or not must_draw(rules, hard, aces)


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
    """A hand exactly where compulsory draws end stands automatically, under that reading of the clause."""
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
def action_set(
    rules: Packed, hard: int, aces: int, from_aces: bool, can_double: bool, can_split: bool, can_surrender: bool
) -> int:
    """The actions of a hand whose turn it is, as bits; `can_...`: what its own chapter says of it."""
    actions = 0 if has_its_one_card(rules, from_aces) else HIT
    if may_stand(rules, hard, aces, from_aces):
        actions |= STAND
    if can_double:
        actions |= DOUBLE
    if can_split:
        actions |= SPLIT
    if can_surrender:
        actions |= SURRENDER
    return actions
