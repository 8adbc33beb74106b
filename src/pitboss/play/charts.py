"""Charts of totals: what each letter of a chart asks for, and what a chart means that says nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

WISHES: Mapping[str, tuple[str, ...]] = {
    "H": ("hit",),
    "S": ("stand",),
    "D": ("double", "hit"),
    "Ds": ("double", "stand"),
    "P": ("split",),
    "Pd": ("split", "double", "hit"),
    "R": ("surrender", "hit"),
    "Rs": ("surrender", "stand"),
    "Rp": ("surrender", "split"),
    "F": ("forfeit",),
    "K": ("keep",),
}
"""What a letter asks for, the first choice first; `F` and `K` are for a double that may be taken back."""

SILENT = "-"
"""Stands where a hand cannot be."""

RESCUE_LETTERS = frozenset({"F", "K", SILENT})
PLAY_LETTERS = frozenset({*WISHES, SILENT}) - {"F", "K"}
TOTAL_LETTERS = tuple(letter for letter, wishes in WISHES.items() if letter in PLAY_LETTERS and "split" not in wishes)
"""Letters that say something to a hand that is no pair."""


def wish(letters: Iterable[str], can: Callable[[str], bool]) -> str:
    """The first thing that can be done of what these letters ask for, letter by letter; empty if nothing can."""
    for letter in letters:
        for action in WISHES.get(letter, ()):
            if can(action):
                return action
    return ""


def unsaid(points: int, soft: bool) -> str:
    """What is done with a hand of which a chart says nothing: low totals hit, high ones stand."""
    return "hit" if points < (18 if soft else 12) else "stand"
