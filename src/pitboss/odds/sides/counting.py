"""Exact counting over a fresh shoe: every way to draw a few cards, with how often it comes.

A `Pack` is a number of 52- or 48-card decks, or an infinite deck in which a card drawn leaves the rest as it was.
Cards that a wager does not tell apart are drawn as one class (by rank, by value, by suit), so that a few thousand cases
stand for all orders of the shoe. Weights are whole numbers; nothing here rounds.

Players' draws do not disturb these counts. Cards taken from a shuffled shoe at moments that are settled by what has
been seen before have the same distribution as the first cards of the shoe, whatever was dealt in between; so the
dealer's hand, or the second cards of split hands, may be counted as if they came first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pitboss.cards import CODE, Card, deck
from pitboss.play.side_wagers.judges import KEYS
from pitboss.rulebooks.model.rules import Rules

EVERY_CARD, BY_VALUE = "rank-suit", "total-ace-one"
"""Keys of `play.side_wagers.judges` by which every card is its own class, or ten, jack, queen and king are one."""

Class = tuple[Card, int]
"""A card that stands for its class, and how many of the class one deck has."""


class Pack(NamedTuple):
    """The cards of a fresh shoe: so many times the same `deck`; 0 decks: an infinite deck of it."""

    decks: int
    deck: tuple[Card, ...]

    @property
    def size(self) -> int:
        """Cards of one deck."""
        return len(self.deck)

    @property
    def infinite(self) -> bool:
        """Cards are drawn with replacement."""
        return self.decks == 0

    def left(self, per_deck: int, drawn: int) -> int:
        """How many cards of a class are left once `drawn` of them are gone."""
        return per_deck if self.infinite else max(per_deck * self.decks - drawn, 0)

    def orders(self, cards: int) -> int:
        """In how many ways `cards` cards can be drawn one after the other."""
        ways = 1
        for drawn in range(cards):
            ways *= self.left(self.size, drawn)
        return ways


def pack_of(rules: Rules) -> Pack:
    """The fresh shoe of a table."""
    return Pack(rules.decks, deck(rules.deck_cards))


def classes(pack: Pack, key: str = EVERY_CARD) -> tuple[Class, ...]:
    """The cards of one deck in classes that `key` does not tell apart, each with the card that stands for it."""
    found: dict[int, list[Card]] = {}
    for card in pack.deck:
        found.setdefault(KEYS[key](CODE[card]), []).append(card)
    return tuple((cards[0], len(cards)) for cards in found.values())


def list_draws(pack: Pack, *places: Sequence[Class]) -> Iterator[tuple[tuple[Card, ...], int]]:
    """All ways to draw one card for each of `places`, with their weights; all weights add up to `pack.orders`."""

    def fill(place: int, cards: tuple[Card, ...], weight: int) -> Iterator[tuple[tuple[Card, ...], int]]:
        if place == len(places):
            yield cards, weight
            return
        for card, per_deck in places[place]:
            ways = pack.left(per_deck, cards.count(card))
            if ways:
                yield from fill(place + 1, (*cards, card), weight * ways)

    return fill(0, (), 1)


def distribution(
    pack: Pack, answer: Callable[[tuple[Card, ...]], int], *places: Sequence[Class]
) -> dict[int, Fraction]:
    """The probability of each answer to the cards drawn for `places`, which must not leave any card out."""
    weights: dict[int, int] = {}
    for cards, weight in list_draws(pack, *places):
        found = answer(cards)
        weights[found] = weights.get(found, 0) + weight
    total = pack.orders(len(places))
    return {found: Fraction(weight, total) for found, weight in weights.items()}
