"""Tables and facts on stdout. A table is a table at every width: what does not fit a terminal is left out by whole
columns, with a line that says which; numbers line up on the point. In a pipe every column is printed, a row to a line.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from rich.console import Console
from rich.table import Table
from rich.text import Text

Row = Sequence[str]

INDENT = 2
LEAST_WRAP = 16
"""A column of words is wrapped down to this width before a column is left out."""

WIDEST = 200
"""Nobody is told to make a terminal wider than this."""

NUMBER = re.compile(r"(?:1 in )?[+-]?[\d,]+")
"""A number up to its point, with the words that may stand before it."""


def print_table(
    title: str,
    head: Row,
    rows: Iterable[Row],
    *,
    fixed: int = 1,
    wide: Mapping[str, int] | Iterable[str] = (),
    numbers: Iterable[str] = (),
    see: str = "--json",
) -> None:
    """One table, under its title if it has one; columns without a word in them are left out.

    The `fixed` first columns always stay. `wide` columns hold words and are wrapped on a terminal, down to the width
    given with them; `numbers` are lined up on the point. `see` says what shows the columns that a terminal has no room
    for.
    """
    lines = [tuple(row) for row in rows]
    if not lines:
        return
    kept = [place for place in range(len(head)) if place < fixed or any(line[place] for line in lines)]
    names = [head[place] for place in kept]
    numeric = frozenset(numbers)
    wrapped = wide if isinstance(wide, Mapping) else dict.fromkeys(wide, LEAST_WRAP)
    columns = [_column(head[place], [line[place] for line in lines], head[place] in numeric) for place in kept]
    console = Console(highlight=False)
    if title:
        print()
    if not console.is_terminal:
        print("\n".join([*filter(None, [title]), *_join(columns, any(names))]))
        return
    layout = _Layout(columns, names, wrapped, console.width - INDENT)
    count = layout.fit(fixed)
    if title:
        console.print(Text(title, style="bold"), soft_wrap=True)
    for number, line in enumerate(layout.lines(count)):
        if number or any(names):
            console.print(Text(line, style="" if number else "dim"), soft_wrap=True)
    if names[count:]:
        needed = layout.least(len(names)) + INDENT
        wider = f", or widen the terminal to {needed}" if needed <= WIDEST else ""
        print_note(f"Left out at {console.width} columns: {', '.join(names[count:])}. See {see}{wider}.")


class _Layout:
    """The columns of a table, each with its heading first, in the room that a terminal has."""

    def __init__(self, columns: list[list[str]], names: Row, wide: Mapping[str, int], room: int) -> None:
        self.columns = columns
        self.wanted = [len(column[0]) for column in columns]
        self.narrowest = [
            min(width, max(wide[name], len(name))) if name in wide else width
            for width, name in zip(self.wanted, names, strict=True)
        ]
        self.room = room
        self.gap = 2

    def least(self, count: int) -> int:
        """The least width of the first columns."""
        return sum(self.narrowest[:count]) + self.gap * (count - 1)

    def fit(self, fixed: int) -> int:
        """How many of the columns are shown; columns that must be move closer together if there is no other way."""
        if self.least(fixed) > self.room:
            self.gap = 1
        return next((count for count in range(len(self.columns), fixed, -1) if self.least(count) <= self.room), fixed)

    def widths(self, count: int) -> list[int]:
        """The width of each column: what there is to spare goes to columns of words, the neediest first."""
        widths, wanted = self.narrowest[:count], self.wanted[:count]
        for _ in range(self.room - self.least(count)):
            neediest = max(range(count), key=lambda place: wanted[place] - widths[place])
            widths[neediest] += widths[neediest] < wanted[neediest]
        return widths

    def lines(self, count: int) -> Iterator[str]:
        """The rows as lines, the headings first; a cell of many words makes its row as high as it needs."""
        widths = self.widths(count)
        for row in zip(*self.columns[:count], strict=True):
            cells = [
                [cell.rstrip()] if len(cell.rstrip()) <= width else textwrap.wrap(cell, width)
                for cell, width in zip(row, widths, strict=True)
            ]
            for line in zip_longest(*cells, fillvalue=""):
                padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
                yield " " * INDENT + (" " * self.gap).join(padded).rstrip()


def _column(name: str, cells: list[str], numeric: bool) -> list[str]:
    """The heading and the cells of a column, all of one width."""
    if numeric:
        cells = line_up(cells)
    width = max(map(len, [name, *cells]))
    return [cell.rjust(width) if numeric else cell.ljust(width) for cell in (name, *cells)]


def line_up(cells: Sequence[str]) -> list[str]:
    """Numbers padded so that their points stand under each other; words end where the whole numbers end."""
    points = [found.end() if (found := NUMBER.match(cell)) else len(cell) for cell in cells]
    before = max(points)
    lined = [" " * (before - point) + cell for cell, point in zip(cells, points, strict=True)]
    width = max(map(len, lined))
    return [cell.ljust(width) for cell in lined]


def _join(columns: Sequence[Sequence[str]], headed: bool) -> list[str]:
    lines = ["  ".join(["", *row]).rstrip() for row in zip(*columns, strict=True)]
    return lines if headed else lines[1:]


def print_note(text: str) -> None:
    """A sentence below a table: wrapped on a terminal, one line in a pipe."""
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(Text(text, style="dim"))
    else:
        print(text)


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """A few facts, the name of each before it."""
    lines = [(name, text) for name, text in facts if text]
    console = Console(highlight=False)
    width = max(len(name) for name, _ in lines) + 2
    if not console.is_terminal:
        print("\n".join(f"{name:<{width}}{text}" for name, text in lines))
        return
    grid = Table.grid(padding=(0, 2))
    for name, text in lines:
        grid.add_row(Text(name, style="dim"), Text(text))
    console.print(grid)
