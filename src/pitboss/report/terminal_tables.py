"""Tables on stdout: drawn by Rich on a terminal, aligned plain text with one row to a line in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

Row = Sequence[str]

NARROW = 120
"""Below this many columns a terminal gets a table's first columns only, and the other cells beneath them."""


def print_table(title: str, head: Row, rows: Iterable[Row], *, keep: int = 2, wide: Iterable[str] = ()) -> None:
    """One table; columns without a word in them are left out, and the first is never broken.

    `keep` columns stay columns on a narrow terminal; `wide` ones take the room that a wide terminal has to spare. A
    column without a heading holds sentences.
    """
    lines = [tuple(row) for row in rows]
    if not lines:
        return
    kept = [number for number in range(len(head)) if number == 0 or any(line[number] for line in lines)]
    names = tuple(head[number] for number in kept)
    lines = [tuple(line[number] for number in kept) for line in lines]
    console = Console(highlight=False)
    if not console.is_terminal:
        print("\n".join(["", title, *align([names, *lines] if any(names) else lines)]))
    elif console.width < NARROW and len(names) > keep:
        console.print(_draw(title, names[:keep], [_stack(names, line, keep) for line in lines]))
    else:
        console.print(_draw(title, names, [tuple(map(Text, line)) for line in lines], frozenset(wide)))


def _draw(title: str, names: Row, lines: Iterable[Sequence[Text]], wide: frozenset[str] = frozenset()) -> Table:
    table = Table(title=Text(title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    table.show_header = any(names)
    table.expand = bool(wide & set(names))
    for number, name in enumerate(names):
        ratio = 1 if name in wide else None
        table.add_column(name, overflow="fold", ratio=ratio, no_wrap=number == 0)
    for line in lines:
        table.add_row(*line)
    return table


def _stack(names: Row, line: Row, keep: int) -> tuple[Text, ...]:
    """The first cells of a row, the last of them with all the others beneath it."""
    *first, last = map(Text, line[:keep])
    others = [(name, cell) for name, cell in zip(names[keep:], line[keep:], strict=True) if cell]
    labelled = "; ".join(f"{name} {cell}" for name, cell in others if name)
    sentences = [cell for name, cell in others if not name]
    beneath = "\n".join(filter(None, [labelled, *sentences]))
    return (*first, Text.assemble(last, "\n", (beneath, "dim")) if beneath else last)


def align(lines: Sequence[Row]) -> list[str]:
    """Rows of equal length as lines whose columns stand under each other."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines]
    return ["  ".join(["", *cells]).rstrip() for cells in padded]


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
