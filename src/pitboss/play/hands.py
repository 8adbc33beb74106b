"""Cards and totals: what a card counts, what a hand counts, soft and hard, and an ace with a ten."""

from __future__ import annotations

from pitboss.play._jit import kernel

ACE, SEVEN, TEN = 0, 6, 9
"""Ranks by number: 0 is the ace, 9 the ten, 10 to 12 the pictures."""


@kernel
def points_of(rank: int) -> int:
    """The points of a card, an ace as one."""
    return min(rank, TEN) + 1


@kernel
def total(hard: int, aces: int) -> int:
    """Best total of a hand whose cards sum to `hard` with every ace as one."""
    if aces > 0 and hard <= 11:
        return hard + 10
    return hard


@kernel
def is_soft(hard: int, aces: int) -> bool:
    """An ace of the hand counts eleven."""
    return aces > 0 and hard <= 11


@kernel
def is_natural(hard: int, aces: int, cards: int) -> bool:
    """Two cards, an ace and a ten or picture: the dealer's natural, and a player's if the hand is as it was dealt."""
    return cards == 2 and aces == 1 and hard == 11
