"""Naturals: what one is, when it is paid, and what it can still lose."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import ACE, TEN, is_natural
from pitboss.play.packed import (
    NATURAL_AT_ONCE,
    NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE,
    NATURAL_PUSHES,
    Packed,
)
from pitboss.play.settlement import always_wins


@kernel
def counts_as_natural(hard: int, aces: int, cards: int, from_split: bool, switched: bool) -> bool:
    """A player's hand is a natural: not one that a split or a switch has made."""
    return is_natural(hard, aces, cards) and not from_split and not switched


@kernel
def makes_natural(rank_1: int, rank_2: int) -> bool:
    """An ace and a ten or picture, by rank."""
    return (rank_1 == ACE and rank_2 >= TEN) or (rank_1 >= TEN and rank_2 == ACE)


@kernel
def may_become_natural(up_rank: int) -> bool:
    """The dealer's up card is an ace, a ten or a picture."""
    return up_rank == ACE or up_rank >= TEN


@kernel
def natural_paid_now(rules: Packed, dealer_may_have_one: bool) -> bool:
    """A player's natural is paid before boxes act; `dealer_may_have_one`: the up card may become a natural."""
    if rules.natural_paid == NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE:
        return not dealer_may_have_one
    return rules.natural_paid == NATURAL_AT_ONCE


@kernel
def natural_odds(rules: Packed) -> tuple[int, int]:
    """What a winning natural is paid, for each so much staked."""
    return rules.natural_odds_win, rules.natural_odds_stake


@kernel
def natural_always_wins(rules: Packed) -> bool:
    """A player's natural wins whatever the dealer has."""
    return always_wins(rules, 21, 2, True, False) != 0


@kernel
def natural_may_fail(rules: Packed) -> bool:
    """A player's natural can do worse than win even if the dealer has none."""
    return rules.natural_beats_drawn_21 == 0 or rules.natural_vs_push_total == NATURAL_PUSHES
