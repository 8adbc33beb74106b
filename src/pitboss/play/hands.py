"""Totals, soft and hard; naturals; the bonus hands of the pontoon family."""

from __future__ import annotations

from pitboss.play._jit import kernel


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
    """An ace and a ten-value card, two cards; whether the hand may count as a natural is the caller's to know."""
    return cards == 2 and aces == 1 and hard == 11


@kernel
def bonus_code(cards: int, total_points: int, ranks_678: bool, ranks_777: bool, one_suit: bool, spades: bool) -> int:
    """Code of the bonus hand of 21 (see `BONUS_ORDER`), 0 for an ordinary one.

    `ranks_678` and `ranks_777` say that the hand is three cards 6-7-8 or 7-7-7; `one_suit` and `spades` are about
    those.
    """
    if total_points != 21:
        return 0
    if cards >= 7:
        return 3
    if cards == 6:
        return 2
    if cards == 5:
        return 1
    if cards == 3 and (ranks_678 or ranks_777):
        grade = 2 if spades else 1 if one_suit else 0
        return (4 if ranks_678 else 7) + grade
    return 0
