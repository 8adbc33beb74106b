"""Strategies as charts: a letter for every total and up card, in a text that is written, read and edited by people.

A line is a hand and ten codes, against 2 to 9, T and A; `#` begins a comment. Hands are `hard 16`, `soft 18` (the ace
counted eleven), `pair 8`. `hard 14 x3` is for hands of three cards, `hard 14 x4+` for four and more; the line that says
most about a hand counts. `free hard 16` is for hands that stand on a free token, `rescue 13` for a doubled total that
could take its double back. Codes: H hit, S stand, D double or else hit, Ds double or else stand, P split, Pd split or
else double, R surrender or else hit, Rs surrender or else stand, Rp surrender or else split; on rescue lines F forfeit
and K keep. Against what a code cannot do, the second choice holds; - stands where the hand cannot be.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.notebook_view import NotebookView
from pitboss.play.charts import NOTHING, PLAY_CODES, RESCUE_CODES

UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A")
"""Up cards in the order of the columns."""

COLUMN = {9: 8, 0: 9, **{value: value - 1 for value in range(1, 9)}}
"""The column of an up card by its value index."""

_SILENT = (NOTHING,) * len(UPS)

_ROW = re.compile(
    r"(?P<free>free\s+)?(?P<kind>hard|soft|pair|rescue)\s+(?P<total>\d{1,2}|[TA])(\s+x(?P<cards>\d+)(?P<more>\+)?)?\s+"
)


class ChartError(PitbossError):
    """A text that should be a chart is not."""


class ChartLine(NamedTuple):
    """The hand of a line."""

    kind: str
    total: int
    """The total; for a pair the value of its card, 1 for an ace."""
    cards: int = 0
    """Number of cards the line is for; 0: any."""
    more: bool = False
    """It is for that many cards or more."""
    free: bool = False

    def __str__(self) -> str:
        total = {1: "A", 10: "T"}.get(self.total, str(self.total)) if self.kind == "pair" else str(self.total)
        cards = f" x{self.cards}{'+' if self.more else ''}" if self.cards else ""
        return f"{'free ' if self.free else ''}{self.kind} {total}{cards}"


class Chart(NotebookView, msgspec.Struct, frozen=True):
    """A strategy by totals."""

    rows: dict[ChartLine, tuple[str, ...]]

    def __repr__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(row.kind for row in self.rows).items())
        return f"<Chart of {len(self.rows)} lines: {kinds}>"

    def code(self, kind: str, total: int, cards: int, up: int, *, free: bool = False) -> str:
        """The code for a hand against the up card of value index `up`; empty if the chart says nothing."""
        for row in _look_up(kind, total, cards, free):
            code = self.rows.get(row, _SILENT)[COLUMN[up]]
            if code != NOTHING:
                return code
        return ""

    def codes(self, kind: str, total: int, cards: int, *, free: bool = False) -> list[str]:
        """The codes for a hand by the value index of the up card."""
        lines = [self.rows[row] for row in _look_up(kind, total, cards, free) if row in self.rows]
        return [next((line[COLUMN[up]] for line in lines if line[COLUMN[up]] != NOTHING), "") for up in range(len(UPS))]

    def __str__(self) -> str:
        width = max((len(str(row)) for row in self.rows), default=0)
        lines = [f"{'#':<{width}}  {'  '.join(f'{up:<2}' for up in UPS)}".rstrip()]
        for row, codes in self.rows.items():
            lines.append(f"{row!s:<{width}}  {'  '.join(f'{code:<2}' for code in codes)}".rstrip())
        return "\n".join(lines) + "\n"


@functools.cache
def _look_up(kind: str, total: int, cards: int, free: bool) -> tuple[ChartLine, ...]:
    """The lines that can speak about a hand, the most special first."""
    found: list[ChartLine] = []
    for token in dict.fromkeys((free, False)):
        found.append(ChartLine(kind, total, cards, False, token))
        found += [ChartLine(kind, total, least, True, token) for least in range(cards, 1, -1)]
        found.append(ChartLine(kind, total, 0, False, token))
    return tuple(found)


def parse_chart(text: str, name: str = "chart") -> Chart:
    """The chart that a text gives; `name` is shown in complaints."""
    rows: dict[ChartLine, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        said = line.split("#", 1)[0].strip()
        if not said:
            continue
        row, codes = _line(said, f"{name}, line {number}")
        if row in rows:
            raise ChartError(f"{name}, line {number}: '{row}' is listed twice")
        rows[row] = codes
    if not any(row.kind == "hard" for row in rows):
        raise ChartError(f"{name}: no line for a hard total: write lines such as 'hard 16  S S S S S H H H H H'")
    return Chart(rows)


def _line(said: str, where: str) -> tuple[ChartLine, tuple[str, ...]]:
    found = _ROW.match(f"{said} ")
    if found is None:
        raise ChartError(f"{where}: '{said}' does not begin with a hand such as 'hard 16', 'soft 18' or 'pair 8'")
    total = {"A": 1, "T": 10}.get(found["total"], 0) or int(found["total"])
    row = ChartLine(found["kind"], total, int(found["cards"] or 0), bool(found["more"]), bool(found["free"]))
    least, most = {"hard": (4, 21), "soft": (12, 21), "pair": (1, 10), "rescue": (4, 21)}[row.kind]
    if not least <= total <= most or (row.kind != "pair" and found["total"] in "AT"):
        raise ChartError(f"{where}: there is no {row.kind} {found['total']}")
    codes = tuple(said[found.end() - 1 :].split()) if found.end() <= len(said) else ()
    if len(codes) != len(UPS):
        raise ChartError(f"{where}: '{row}' needs ten codes, against {' '.join(UPS)}, and has {len(codes)}")
    allowed = RESCUE_CODES if row.kind == "rescue" else PLAY_CODES
    for code in codes:
        if code not in allowed:
            raise ChartError(f"{where}: '{code}' is not one of {', '.join(sorted(allowed))}")
    return row, codes


def merge_lines(*charts: Mapping[ChartLine, tuple[str, ...]]) -> Chart:
    """Lines of several charts as one, sorted as people read them."""
    rows: dict[ChartLine, tuple[str, ...]] = {}
    for lines in charts:
        rows.update(lines)
    order = {"hard": 0, "soft": 1, "pair": 2, "rescue": 3}
    keys = sorted(rows, key=lambda row: (row.free, order[row.kind], row.total == 1, row.total, row.cards))
    return Chart({row: rows[row] for row in keys})
