"""Charts as pictures. The sizes are those of a sheet of paper: a chart fits on one upright A4 or Letter page, and its
cells can be read at arm's length."""

from __future__ import annotations

from typing import Any

from pitboss.report.charts.sheets import Grid, Sheet, colour_of_letter, two_columns
from pitboss.report.picture_files import FONT, check_kind, drawing_tools, picture_file

INK, QUIET, RULE = "#1b1b1b", "#5b5b5b", "#ffffff"
CELL_WIDTH, CELL_HEIGHT = 30, 22
LONGEST_IN_HALF = 24
"""Two entries of the legend stand below a grid if none has more letters than this."""


def chart_picture(sheet: Sheet, kind: str) -> bytes:
    """The chart as a file of one of `KINDS`."""
    check_kind("a chart", kind)
    return picture_file(drawing(sheet), kind, sheet.title)


def drawing(sheet: Sheet) -> Any:
    """The chart as an Altair chart, for those who want to go on with it."""
    altair, _ = drawing_tools()
    columns = [
        altair.vconcat(*(_block(altair, grid) for grid in column), spacing=18) for column in two_columns(sheet.grids)
    ]
    below = [_legend(altair, sheet, len(columns)), *([_notes(altair, sheet)] if sheet.notes else [])]
    whole = altair.vconcat(altair.hconcat(*columns, spacing=30), *below, spacing=16)
    return whole.properties(title=_title(altair, sheet), padding=24, background="#ffffff").configure(
        font=FONT, view=altair.ViewConfig(stroke=None)
    )


def _title(altair: Any, sheet: Sheet) -> Any:
    lines = [line for line in (sheet.subtitle, sheet.footer) if line]
    return altair.TitleParams(
        sheet.title, subtitle=lines, anchor="start", fontSize=20, subtitleFontSize=12, color=INK, subtitleColor=QUIET,
        offset=16, subtitlePadding=6, font=FONT, subtitleFont=FONT,
    )  # fmt: skip


def _block(altair: Any, grid: Grid) -> Any:
    """Squares in the colours of their codes, the letters on them."""
    rows = [
        {"hand": hand, "up": up, "code": code, "fill": colour_of_letter(code), "says": f"{hand} against {up}"}
        for hand, up, code in grid.cells()
    ]
    hands = [hand for hand, _ in grid.rows]
    axis = {"title": None, "domain": False, "ticks": False, "labelColor": INK, "labelFontSize": 12, "labelFont": FONT}
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("up:N", sort=list(grid.columns), axis=altair.Axis(orient="top", labelAngle=0, **axis)),
        y=altair.Y("hand:N", sort=hands, axis=altair.Axis(**axis)),
    )
    squares = base.mark_rect(stroke=RULE, strokeWidth=1.5).encode(color=altair.Color("fill:N", scale=None))
    letters = base.mark_text(font=FONT, fontSize=12, fontWeight="bold", color=INK).encode(text="code:N")
    return (squares + letters).properties(
        width=CELL_WIDTH * len(grid.columns),
        height=CELL_HEIGHT * len(hands),
        title=altair.TitleParams(
            grid.title, anchor="start", frame="group", fontSize=14, color=INK, font=FONT, offset=4
        ),
    )


def _legend(altair: Any, sheet: Sheet, columns: int) -> Any:
    """The codes of this chart in rows as wide as the grids above."""
    per_line = columns if max(map(len, sheet.legend.values())) > LONGEST_IN_HALF else 2 * columns
    rows = [
        {"x": place % per_line, "y": place // per_line, "code": code, "words": words, "fill": colour_of_letter(code)}
        for place, (code, words) in enumerate(sheet.legend.items())
    ]
    lines = (len(rows) + per_line - 1) // per_line
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("x:Q", axis=None, scale=altair.Scale(domain=[0, per_line])),
        y=altair.Y("y:Q", axis=None, scale=altair.Scale(domain=[-0.5, lines - 0.5], reverse=True)),
    )
    squares = base.mark_rect(width=CELL_WIDTH, height=CELL_HEIGHT - 2, xOffset=CELL_WIDTH / 2).encode(
        color=altair.Color("fill:N", scale=None)
    )
    letters = base.mark_text(font=FONT, fontSize=12, fontWeight="bold", color=INK, xOffset=CELL_WIDTH / 2)
    words = base.mark_text(font=FONT, fontSize=12, color=INK, align="left", xOffset=CELL_WIDTH + 8)
    return (squares + letters.encode(text="code:N") + words.encode(text="words:N")).properties(
        width=(CELL_WIDTH * 10 + 30) * columns, height=(CELL_HEIGHT + 4) * lines
    )


def _notes(altair: Any, sheet: Sheet) -> Any:
    """What the starred cells say in full, a line each."""
    rows = [{"y": place, "text": f"* {note}"} for place, note in enumerate(sheet.notes)]
    scale = altair.Scale(domain=[-0.5, len(rows) - 0.5], reverse=True)
    return (
        altair.Chart(altair.Data(values=rows))
        .mark_text(font=FONT, fontSize=11, color=QUIET, align="left", x=0)
        .encode(y=altair.Y("y:Q", axis=None, scale=scale), text="text:N")
        .properties(width=CELL_WIDTH * 20, height=16 * len(rows))
    )
