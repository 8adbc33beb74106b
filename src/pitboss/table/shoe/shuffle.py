"""The fair shuffle: an order of cards that a seed decides and everybody can check afterwards.

The seed is drawn from entropy that is passed in; nothing here reads the machine's randomness. The hash of seed and salt
is published before the shoe opens and the two are revealed when it is retired. From the seed come streams of words
(SHA-256 in counter mode), and each stream is one unbiased Fisher-Yates shuffle of the cards in their canonical order:
which cards went in and the seed are all it takes to deal the same order again. `bench/shuffle.py` tests the outcome,
with a compiled twin of these functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from pitboss.cards import CARD_ID, Card
from pitboss.errors import PitbossError

SEED_BYTES = 32
LEAST_ENTROPY_BYTES = 32
WORD_BITS = 16
WORDS = 1 << WORD_BITS


class EntropyError(PitbossError):
    """Too little to make a seed of."""


def seed_and_salt(entropy: bytes) -> tuple[bytes, bytes]:
    """The seed of a shoe and the salt that hides it, from entropy that nobody else knows."""
    if len(entropy) < LEAST_ENTROPY_BYTES:
        raise EntropyError(f"a shuffle needs at least {LEAST_ENTROPY_BYTES} bytes of entropy, not {len(entropy)}")
    return hashlib.sha256(b"pitboss seed" + entropy).digest(), hashlib.sha256(b"pitboss salt" + entropy).digest()


def commitment(seed: bytes, salt: bytes) -> str:
    """What is published before the shoe opens: SHA-256 of the seed followed by the salt, in hexadecimal."""
    return hashlib.sha256(seed + salt).hexdigest()


def stream_words(seed: bytes, stream: int) -> Iterator[int]:
    """The endless words of one stream: SHA-256 over seed, stream and a counter, sixteen bits at a time."""
    head = seed + stream.to_bytes(8, "big")
    counter = 0
    while True:
        block = hashlib.sha256(head + counter.to_bytes(8, "big")).digest()
        for at in range(0, len(block), 2):
            yield block[at] << 8 | block[at + 1]
        counter += 1


def draw_below(bound: int, source: Iterator[int]) -> int:
    """A number from 0 to `bound` - 1, all equally likely: words that would favour the small ones are thrown away."""
    if not 0 < bound <= WORDS:
        raise ValueError(f"a bound must be 1 to {WORDS}, not {bound}")
    limit = WORDS - WORDS % bound
    for word in source:
        if word < limit:
            return word % bound
    raise ValueError("the source of words has ended")


def canonical(cards: Iterable[Card]) -> list[Card]:
    """The cards as they lie before a shuffle: aces to kings, spades to clubs, equal cards together."""
    return sorted(cards, key=CARD_ID.__getitem__)


def shuffle_cards(cards: Iterable[Card], seed: bytes, stream: int = 0) -> tuple[Card, ...]:
    """These cards in the order that the seed gives them in this stream; the order in which they came in is nothing."""
    order = canonical(cards)
    source = stream_words(seed, stream)
    for last in range(len(order) - 1, 0, -1):
        chosen = draw_below(last + 1, source)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def cut_cards(cards: tuple[Card, ...], at: int) -> tuple[Card, ...]:
    """The first `at` cards go to the back."""
    return cards[at:] + cards[:at]
