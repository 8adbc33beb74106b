"""A strategy as people read it: grids of letters by hand and up card, with what the letters mean and their colours.

This is the one description that the terminal, the pictures, the pages and notebooks draw. Colours are pale enough to
be read and printed through, differ for the colour-blind, and are never alone: every cell has its letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

WORDS: Mapping[str, str] = {
    "H": "hit",
    "S": "stand",
    "D": "double, else hit",
    "Ds": "double, else stand",
    "P": "split",
    "Pd": "split, else double",
    "R": "surrender, else hit",
    "Rs": "surrender, else stand",
    "Rp": "surrender, else split",
    "-": "cannot be",
}
"""What each code of a cell says."""

COLOURS: Mapping[str, str] = {
    "H": "#f4efe6",
    "S": "#f6c667",
    "D": "#8ecbee",
    "P": "#8fd3b6",
    "R": "#e3a9cb",
    "-": "#ffffff",
}
"""Background by the first letter of a code."""


class Grid(msgspec.Struct, frozen=True):
    """One block of a chart: a row for each hand, a column for each up card."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def cells(self) -> Iterator[tuple[str, str, str]]:
        """Hand, up card, code."""
        for hand, codes in self.rows:
            yield from ((hand, up, code) for up, code in zip(self.columns, codes, strict=True))


class Chart(msgspec.Struct, frozen=True):
    """A whole chart with its heading and the line of figures below it."""

    title: str
    subtitle: str
    grids: tuple[Grid, ...]
    footer: str = ""

    @property
    def legend(self) -> dict[str, str]:
        """The codes that the chart uses, in a fixed order, and what they say."""
        used = {code for grid in self.grids for _, _, code in grid.cells()}
        known = {code: words for code, words in WORDS.items() if code in used}
        return {**known, **{code: code for code in sorted(used - set(WORDS))}}


def colour(code: str) -> str:
    """The background of a cell."""
    return COLOURS.get(code[:1], COLOURS["-"])
