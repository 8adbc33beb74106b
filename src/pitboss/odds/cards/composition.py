"""The cards a calculation starts from: how many of each value, with suits and ranks only where a rule looks at them.

An infinite deck is a shoe of shares instead of counts, from which nothing is missing after a card was taken: its
`step` is nothing. Every formula of the room then holds for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pitboss.cards import SUITS, VALUE, Card, deck
from pitboss.errors import PitbossError
from pitboss.odds.cards.distributions import Distributions
from pitboss.odds.cards.numbers import Array, Number, Numbers
from pitboss.odds.hand.player_hands import VALUES
from pitboss.odds.hand.recursions import Rest
from pitboss.play.packed import Packed

SUITED = "678"
"""Ranks whose suits matter: those of the bonus hands."""

TENS = "TJQK"


class ShoeError(PitbossError):
    """A composition that no shoe of the game can have."""


class Composition(NamedTuple):
    """Cards by value; 6, 7 and 8 by suit; tens by rank."""

    numbers: Numbers
    values: Array
    left: Number
    step: Number
    suits: Array
    """`suits[r, s]`: cards of rank `SUITED[r]` and suit s."""
    tens: Array
    distributions: Distributions | None = None
    """Where the dealer's distributions for this shoe are cached, if they are."""

    @property
    def rest(self) -> Rest:
        """The cards as the recursions take them."""
        return Rest(self.values, self.left, self.step)

    def without(self, *values: int) -> Composition:
        """The shoe after cards of these values (1 to 10) have left it; suits and ranks stay those of the full shoe."""
        rest = self.values.copy()
        for value in values:
            rest[value - 1] = rest[value - 1] - self.step
        return self._replace(values=rest, left=self.left - self.step * len(values))

    def keeping_distributions(self) -> Composition:
        """The same shoe, which caches the dealer's distributions; for finite shoes, in floats."""
        if self.step == 0 or self.numbers.dtype is not float:
            return self
        return self._replace(distributions=Distributions(self.values))

    def holds(self, *values: int) -> bool:
        """The shoe has these cards."""
        rest = self.without(*values).values
        return bool(self.step == 0 or all(rest[value] >= 0 for value in range(VALUES)))


def fresh(rules: Packed, numbers: Numbers) -> Composition:
    """A full shoe of the game: its decks, or an infinite deck."""
    return of_cards(dict.fromkeys(deck(rules.deck_cards), max(rules.decks, 1)), numbers, endless=rules.decks == 0)


def of_cards(cards: Mapping[Card, int] | Iterable[Card], numbers: Numbers, *, endless: bool = False) -> Composition:
    """A shoe of these cards."""
    counted = Counter(cards)
    if any(card not in VALUE or many < 0 for card, many in counted.items()):
        raise ShoeError("a composition counts cards such as 'As' or 'Td', and no count may be below zero")
    whole = sum(counted.values())
    if whole == 0:
        raise ShoeError("a shoe without cards has no odds")
    share = numbers.make(whole) if endless else numbers.make(1)
    values = numbers.zeros(VALUES)
    suits = numbers.zeros(len(SUITED), len(SUITS))
    tens = numbers.zeros(len(TENS))
    for card, many in counted.items():
        part = numbers.make(many) / share
        values[VALUE[card] - 1] += part
        if card[0] in SUITED:
            suits[SUITED.index(card[0]), SUITS.index(card[1])] += part
        if card[0] in TENS:
            tens[TENS.index(card[0])] += part
    return Composition(numbers, values, numbers.make(whole) / share, numbers.make(0 if endless else 1), suits, tens)
