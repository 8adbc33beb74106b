"""Strategies a simulated player can have: a question about a hand, an answer among the legal actions.

A strategy is asked once for every kind of hand when a plan is made; kernels play from the resulting tables. A
strategy that looks at more than total, softness and number of cards says so (`composition`), and the tables keep
hands apart by their cards.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

from pitboss.play.packed import ACTION_BITS, DOUBLE, HIT, SPLIT, STAND, SURRENDER


class Question(NamedTuple):
    """A hand that has to act. Cards are point values, aces 1."""

    values: tuple[int, ...]
    """The cards in ascending order; empty when the strategy does not look at them and the hand has more than two."""
    total: int
    soft: bool
    cards: int
    from_split: bool
    up: int
    legal: int
    """Bits of the actions allowed."""
    other: bool = False
    """The hand was made by a split and does not hold the original wager."""
    free: bool = False
    """Its stake is a free token."""
    split_value: int = 0
    """The value of the pair that was split; 0 if none was, or if the strategy does not look at cards."""
    early_aces: int = 0
    """Aces among the first two cards, where the game counts them."""

    def can(self, action: str) -> bool:
        """The hand may do this."""
        return ACTION_BITS[action] & self.legal != 0


@runtime_checkable
class Strategy(Protocol):
    """What every strategy answers."""

    name: str
    composition: bool

    def action(self, hand: Question) -> int:
        """One bit of `hand.legal`."""

    def rescues(self, total: int, up: int) -> bool:
        """Take a pontoon double back at this total."""

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        """Exchange the second cards of an area's two hands."""


class SimpleStrategy:
    """What simple strategies share: no rescue, no switch."""

    name = "plain"
    composition = False

    def rescues(self, total: int, up: int) -> bool:
        """Never."""
        return False

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        """Never."""
        return False


class MimicTheDealer(SimpleStrategy):
    """Draw to 17, never double, split or surrender."""

    name = "mimic-the-dealer"

    def action(self, hand: Question) -> int:
        """Hit below 17."""
        return HIT if hand.legal & HIT and (hand.total < 17 or not hand.legal & STAND) else STAND


class NeverBust(SimpleStrategy):
    """Stand on every hand that one card could take over 21."""

    name = "never-bust"

    def action(self, hand: Question) -> int:
        """Hit soft hands below 18 and hard hands below 12."""
        low = hand.total < 18 if hand.soft else hand.total < 12
        return HIT if hand.legal & HIT and (low or not hand.legal & STAND) else STAND


class Yardstick(SimpleStrategy):
    """A fixed common chart for games without a hole card, by which speeds are compared: the best play of no game."""

    name = "yardstick"

    def action(self, hand: Question) -> int:
        """Pairs first, then doubles, then totals."""
        legal, up, total = hand.legal, hand.up, hand.total
        strong = up in (1, 10)
        if legal & SPLIT and hand.cards == 2 and self._splits(hand.values[0], up):
            return SPLIT
        if legal & SURRENDER and not hand.soft and total == 16 and strong:
            return SURRENDER
        if legal & DOUBLE and not strong and self._doubles(hand):
            return DOUBLE
        if hand.soft:
            stand = total >= 19 or (total == 18 and up not in (9, 10, 1))
        else:
            stand = total >= 17 or (total >= 13 and 2 <= up <= 6) or (total == 12 and 4 <= up <= 6)
        return STAND if (stand and legal & STAND) or not legal & HIT else HIT

    @staticmethod
    def _splits(value: int, up: int) -> bool:
        if value == 1:
            return up != 1
        if value == 8:
            return 2 <= up <= 9
        if value == 9:
            return up in (2, 3, 4, 5, 6, 8, 9)
        if value in (2, 3, 7):
            return 2 <= up <= 7
        return value == 6 and 2 <= up <= 6

    @staticmethod
    def _doubles(hand: Question) -> bool:
        if hand.soft:
            return False
        if hand.total == 9:
            return 3 <= hand.up <= 6
        return hand.total in (10, 11) and 2 <= hand.up <= 9


STRATEGIES: dict[str, type[MimicTheDealer] | type[NeverBust] | type[Yardstick]] = {
    "mimic-the-dealer": MimicTheDealer,
    "never-bust": NeverBust,
    "yardstick": Yardstick,
}
