"""Strategy charts in the terminal: coloured where it has colours, and readable letters everywhere else."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.report.charts.sheets import Grid, Sheet, colour_of_letter

INK = "#1b1b1b"
FEW = {
    "S": "black on yellow",
    "D": "black on cyan",
    "P": "black on green",
    "R": "black on magenta",
    "F": "black on magenta",
}
"""Styles for terminals of sixteen colours, which would show the pale ones alike."""


def print_sheet(sheet: Sheet) -> None:
    """The grids of a chart, side by side where there is room, and what their letters say."""
    console = Console(highlight=False)
    if not console.is_terminal:
        print("\n".join(line for grid in sheet.grids for line in ("", *plain_grid(grid))))
        print()
        print("\n".join(f"{code:<2}  {words}" for code, words in sheet.legend.items()))
        return
    console.print()
    few = console.color_system == "standard"
    console.print(Columns([_paint_chart(grid, few) for grid in sheet.grids], padding=(1, 4)))
    console.print()
    console.print(Columns([_legend(code, words, few) for code, words in sheet.legend.items()], padding=(0, 2)))


def plain_grid(grid: Grid) -> list[str]:
    """A grid as lines of text, its columns under each other."""
    names = [hand for hand, _ in grid.rows]
    width = max(map(len, (*names, grid.title)))
    return [_line(grid.title, grid.columns, width), *(_line(hand, codes, width) for hand, codes in grid.rows)]


def _line(name: str, cells: Sequence[str], width: int) -> str:
    return f"{name:<{width}}  {' '.join(f'{cell:<2}' for cell in cells)}".rstrip()


def _paint_chart(grid: Grid, few: bool) -> Table:
    table = Table(title=Text(grid.title), title_justify="left", title_style="bold", box=None, padding=0, pad_edge=False)
    table.add_column("", justify="right")
    for up in grid.columns:
        table.add_column(Text(f" {up}", style="dim"), width=3, no_wrap=True)
    for hand, codes in grid.rows:
        table.add_row(Text(f"{hand} "), *(Text(f" {code:<2}", style=_style(code, few)) for code in codes))
    return table


def _legend(code: str, words: str, few: bool) -> Text:
    return Text.assemble((f" {code:<2} ", _style(code, few)), f" {words}")


def _style(code: str, few: bool) -> str:
    return FEW.get(code[:1], "") if few else f"{INK} on {colour_of_letter(code)}"
