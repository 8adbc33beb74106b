"""Tables that say which function answers which kind of command or event, put together from their parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def merge_tables(*parts: Mapping[K, V]) -> dict[K, V]:
    """One table of all parts. No two of them may answer for the same key: one would be silently lost."""
    whole: dict[K, V] = {}
    for part in parts:
        twice = whole.keys() & part.keys()
        if twice:
            raise ValueError(f"two parts of a table answer for {', '.join(sorted(map(str, twice)))}")
        whole.update(part)
    return whole
