"""The draw: an order of all entries that a committed seed decides, and the winners that follow from it.

The hash of seed and salt is published when the terms are lodged, before there is any entry; seed, salt and the digest
of the entries are published with the draw. With them anybody draws the same winners again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence

import msgspec

from pitboss.table.shoe.draws import draw_number
from pitboss.table.shoe.shuffle import commitment, stream_words


class PromotionEntry(msgspec.Struct, frozen=True):
    """One entry in the draw."""

    number: int
    player: str


class DrawOutcome(msgspec.Struct, frozen=True):
    """Who won: by prize from the first, then the reserves in their order."""

    winners: tuple[PromotionEntry, ...]
    reserves: tuple[PromotionEntry, ...] = ()


def digest_entries(entries: Sequence[PromotionEntry]) -> str:
    """SHA-256 of the entries that take part, a line each: number and name."""
    return hashlib.sha256("".join(f"{entry.number} {entry.player}\n" for entry in entries).encode()).hexdigest()


def select_entries(entries: Sequence[PromotionEntry], present: Collection[str] | None) -> list[PromotionEntry]:
    """The entries that take part: all, or those of whoever is present where only they can win."""
    return [entry for entry in entries if present is None or entry.player in present]


def draw_winners(
    entries: Sequence[PromotionEntry], seed: bytes, prizes: int, *, wins_each: int, reserves: int
) -> DrawOutcome:
    """Who wins. An entry wins once, a person no more than so often; whoever has won enough is passed over."""
    left, source = list(entries), stream_words(seed, 0)
    won: Counter[str] = Counter()
    drawn: list[PromotionEntry] = []
    while left and len(drawn) < prizes + reserves:
        at = draw_number(len(left), source)
        left[at], left[-1] = left[-1], left[at]
        entry = left.pop()
        if won[entry.player] < wins_each:
            won[entry.player] += 1
            drawn.append(entry)
    return DrawOutcome(tuple(drawn[:prizes]), tuple(drawn[prizes:]))


def find_draw_faults(
    entries: Sequence[PromotionEntry], committed: str, seed: bytes, salt: bytes, outcome: DrawOutcome, *,
    prizes: int, wins_each: int, reserves: int,
) -> list[str]:  # fmt: skip
    """What is wrong with a draw that was held, a sentence each: nothing, if it was the one that was committed to."""
    faults = []
    if commitment(seed, salt) != committed:
        faults.append("seed and salt are not those that were committed to")
    if draw_winners(entries, seed, prizes, wins_each=wins_each, reserves=reserves) != outcome:
        faults.append("the seed draws other winners from these entries")
    return faults
