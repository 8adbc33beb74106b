"""Charts of totals: what each code of a chart asks for, and what a chart means that says nothing."""

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
"""What a code asks for, the first choice first; `F` and `K` are about a double that may be taken back."""

CODE_OF: Mapping[tuple[str, ...], str] = {wishes: code for code, wishes in WISHES.items()}

NOTHING = "-"
"""Stands where a hand cannot be."""

RESCUE_CODES = frozenset({"F", "K", NOTHING})
PLAY_CODES = frozenset({*WISHES, NOTHING}) - {"F", "K"}
TOTAL_CODES = tuple(code for code, wishes in WISHES.items() if code in PLAY_CODES and "split" not in wishes)
"""Codes that say something to a hand that is no pair."""


def pick(codes: Iterable[str], can: Callable[[str], bool]) -> str:
    """The first thing that can be done of what these codes ask for, code by code; empty if nothing can."""
    for code in codes:
        for action in WISHES.get(code, ()):
            if can(action):
                return action
    return ""


def unsaid(points: int, soft: bool) -> str:
    """What is done with a hand of which a chart says nothing: low totals hit, high ones stand."""
    return "hit" if points < (18 if soft else 12) else "stand"
