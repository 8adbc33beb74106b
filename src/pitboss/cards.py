"""Cards, decks and compositions.

A card is its two-letter name, `"As"` or `"Td"`: what records, events, logs and views show. The arithmetic of play
works on integers: `CARD_ID` numbers the 52 cards, `VALUE` gives the point value (an ace is 1 here; whether it
counts eleven is a question about a hand, not about a card). A composition is how many of each card are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pitboss.errors import PitbossError

Card = str
"""Rank then suit: one of `A23456789TJQK` and one of `shdc`."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
RED = frozenset("hd")

CARDS: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
CARD_ID: dict[Card, int] = {card: number for number, card in enumerate(CARDS)}
"""0 for the ace of spades to 51 for the king of clubs; `id // 4` is the rank, `id % 4` the suit."""

CODE: dict[Card, int] = {card: RANKS.index(card[0]) | SUITS.index(card[1]) << 4 for card in CARDS}
"""A card as kernels and judges hold it: its rank in the low four bits, its suit in the next two."""
CARD_OF_CODE: dict[int, Card] = {code: card for card, code in CODE.items()}

RANK: dict[Card, int] = {card: number // len(SUITS) for card, number in CARD_ID.items()}
"""0 for an ace to 12 for a king."""

VALUE: dict[Card, int] = {card: min(RANKS.index(card[0]) + 1, 10) for card in CARDS}
"""Point value with every ace as 1."""

DECK_52: tuple[Card, ...] = CARDS
DECK_48: tuple[Card, ...] = tuple(card for card in CARDS if card[0] != "T")
"""The pack of the pontoon games: the four tens are out, pictures stay."""


class CardError(PitbossError):
    """A text that should name cards does not."""


def parse_card(text: str) -> Card:
    """The card that `text` names: `"As"`, `"td"`."""
    card = text[:1].upper() + text[1:].lower()
    if card not in CARD_ID:
        raise CardError(f"'{text}' is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as Td")
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a line such as `"8s 8d | Ac"`; bars are only for readability."""
    return tuple(parse_card(word) for word in text.replace("|", " ").split())


def deck(size: int) -> tuple[Card, ...]:
    """One pack of 52 cards, or of 48 without the tens."""
    if size == 52:
        return DECK_52
    if size == 48:
        return DECK_48
    raise CardError(f"no deck has {size} cards: 52, or 48 without the tens")


def decks(count: int, size: int = 52) -> tuple[Card, ...]:
    """`count` packs, one after the other, unshuffled."""
    return deck(size) * count


def add_up(cards: Sequence[Card]) -> tuple[int, int]:
    """The sum of cards with aces as one, and how many aces there are."""
    return sum(VALUE[card] for card in cards), sum(card[0] == "A" for card in cards)


def composition(cards: Iterable[Card]) -> Counter[Card]:
    """How many of each card there are."""
    return Counter(cards)


def colour(card: Card) -> str:
    """`"red"` or `"black"`."""
    return "red" if card[1] in RED else "black"


def find_impossible(cards: Iterable[Card], decks: int | None, size: int) -> Iterator[str]:
    """What cannot be dealt from decks of this size, in words; with no number of decks, a card may come often."""
    one_deck = deck(size)
    for card, count in Counter(cards).items():
        if card not in one_deck:
            yield f"{card} is not in a deck of {size} cards"
        elif decks is not None and count > decks:
            yield f"{card} is dealt {count} times from {decks} deck{'s' * (decks != 1)}"
