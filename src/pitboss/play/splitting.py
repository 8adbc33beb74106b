"""Splitting: which cards, into how many hands, and whose money lies on them."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.packed import MATCH_RANK, OWN_STAKE_LAST, SPLIT, SPLIT_TOKEN_EXCEPT_TENS, Packed


@kernel
def cards_match(rules: Packed, value_1: int, value_2: int, rank_1: int, rank_2: int) -> bool:
    """Two cards are alike enough to be parted."""
    return value_1 == value_2 and (rules.split_match != MATCH_RANK or rank_1 == rank_2)


@kernel
def most_hands(rules: Packed, aces: bool) -> int:
    """Hands that the splits of a box can come to, of aces or of other cards; 1 where there is no split."""
    if rules.actions & SPLIT == 0:
        return 1
    if aces:
        return min(rules.split_max_hands, max(rules.split_aces_max_hands, 2))
    return rules.split_max_hands


@kernel
def has_room_to_split(rules: Packed, hands: int, of_aces: bool, declined: bool) -> bool:
    """A box with `hands` hands may have one more; `declined`: a split of it was not taken."""
    return hands < most_hands(rules, of_aces) and not (declined and rules.split_declined_bars != 0)


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
    if cards != 2 or not cards_match(rules, value_1, value_2, rank_1, rank_2):
        return False
    return has_room_to_split(rules, hands, from_aces, declined)


@kernel
def split_is_free(rules: Packed, value: int) -> bool:
    """The hand that is added by splitting cards of this value stands on a token of the house's."""
    return rules.split_stake == SPLIT_TOKEN_EXCEPT_TENS and value != 10


@kernel
def own_stake_last(rules: Packed, value: int) -> bool:
    """The player's own stake goes to the last hand of a split, and tokens lie on those before it."""
    return split_is_free(rules, value) and rules.free_split_stake == OWN_STAKE_LAST


@kernel
def holds_own_stake(rules: Packed, value: int, place: int, hands: int) -> bool:
    """The hand at this place (from 0) of a box with `hands` hands holds the original wager; `value` was split."""
    if own_stake_last(rules, value):
        return place == hands - 1
    return place == 0
