"""Bonus hands of 21 and the Super Bonus: which cards they are, who is paid for them, and when not."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import SEVEN
from pitboss.play.packed import BONUS_AFTER_SPLIT_NEVER, Packed

NO_PATTERN, PATTERN_678, PATTERN_777 = 0, 1, 2
"""Patterns of three cards that are paid by their suits."""

MIXED, ONE_SUIT, SPADES = 0, 1, 2
"""Grades of suits."""

RANKS_678 = 1 << 5 | 1 << 6 | 1 << 7
RANKS_777 = 1 << SEVEN


@kernel
def pattern_of(cards: int, ranks: int) -> int:
    """The pattern of a hand; `ranks` has a bit for each rank that it holds, bit 0 for aces."""
    if cards != 3:
        return NO_PATTERN
    return PATTERN_678 if ranks == RANKS_678 else PATTERN_777 if ranks == RANKS_777 else NO_PATTERN


@kernel
def grade_of(suits: int) -> int:
    """The grade of a hand; `suits` has a bit for each suit that it holds, bit 0 for spades."""
    return MIXED if suits & (suits - 1) else SPADES if suits == 1 else ONE_SUIT


@kernel
def bonus_code(points: int, cards: int, pattern: int, grade: int) -> int:
    """Code of the bonus hand of 21 (see `BONUS_ORDER`), 0 for an ordinary one."""
    if points != 21:
        return 0
    if cards >= 5:
        return min(cards, 7) - 4
    if pattern != NO_PATTERN:
        return (4 if pattern == PATTERN_678 else 7) + grade
    return 0


@kernel
def bonus_paid(rules: Packed, points: int, cards: int, pattern: int, grade: int, doubled: bool) -> int:
    """Code of the bonus that a winning hand is paid: none for a doubled hand, unless the book keeps it."""
    if doubled and rules.double_bonus == 0:
        return 0
    return bonus_code(points, cards, pattern, grade)


@kernel
def win_odds(rules: Packed, code: int) -> tuple[int, int]:
    """What a winning hand that is no natural is paid by the code of its bonus, for each so much staked."""
    return rules.bonus_win[code], rules.bonus_stake[code]


@kernel
def wins_super_bonus(
    rules: Packed, up_rank: int, pattern: int, grade: int, doubled: bool, from_split: bool, sevens_split: bool
) -> bool:
    """Sevens of one suit against a seven, neither doubled nor barred by a split.

    `sevens_split`: the box has split two sevens of one suit.
    """
    if rules.super_bonus == 0 or pattern != PATTERN_777 or grade == MIXED or doubled or up_rank != SEVEN:
        return False
    if not from_split:
        return True
    return rules.super_bonus_after_split != BONUS_AFTER_SPLIT_NEVER and not sevens_split


@kernel
def splits_suited_sevens(rank_1: int, rank_2: int, suit_1: int, suit_2: int) -> bool:
    """The two cards that are parted are sevens of one suit."""
    return rank_1 == SEVEN and rank_2 == SEVEN and suit_1 == suit_2
