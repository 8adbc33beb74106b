"""Chance at a session: everything random comes out of the session's seed, by name, so that it can be drawn again.

A draw is named by what it is for (`"prize", round, box`). The same name gives the same answer: a robot asked twice
says the same, and a session that is resumed continues as it would have.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from pitboss.table.shoe.shuffle import stream_words


def entropy(seed: str, *names: object) -> bytes:
    """32 bytes for one purpose."""
    text = "\x1f".join([seed, *map(str, names)])
    return hashlib.sha256(text.encode()).digest()


def seed_stream(seed: str, *names: object) -> Iterator[int]:
    """The words of one purpose."""
    return stream_words(entropy(seed, *names), 0)
