"""Charts as HTML, for notebooks and the page of a game: plain elements, no script, no network."""

from __future__ import annotations

from html import escape

from pitboss.report.charts.sheets import Grid, Sheet, colour_of_letter, two_columns

CHART_STYLE = """
.pb-grids { display: flex; flex-wrap: wrap; gap: 1.2rem 2rem; align-items: flex-start; }
.pb-grid { border-collapse: separate; border-spacing: 1px; font: 13px/1.2 system-ui, sans-serif; }
.pb-grid caption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
.pb-grid th { font-weight: 500; padding: .15rem .35rem; text-align: right; white-space: nowrap; }
.pb-grid thead th { text-align: center; }
.pb-grid td { min-width: 1.7rem; padding: .28rem .2rem; text-align: center; font-weight: 600; color: #1b1b1b; }
.pb-legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; }
.pb-legend li { font: 13px/1.4 system-ui, sans-serif; }
.pb-legend b { display: inline-block; min-width: 1.7rem; padding: .1rem .2rem; margin-right: .4rem; }
.pb-legend b { text-align: center; color: #1b1b1b; }
.pb-notes { list-style: none; padding: 0; font: 13px/1.4 system-ui, sans-serif; }
.pb-grid td, .pb-legend b { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
@media print { .pb-grid { break-inside: avoid; } }
"""


def sheet_html(sheet: Sheet) -> str:
    """The grids side by side and what their letters say, without heading and style."""
    grids = "\n".join(f"<div>{''.join(map(grid_html, column))}</div>" for column in two_columns(sheet.grids))
    items = "".join(
        f'<li><b style="background:{colour_of_letter(code)}">{escape(code)}</b>{escape(words)}</li>'
        for code, words in sheet.legend.items()
    )
    notes = "".join(f"<li>* {escape(note)}</li>" for note in sheet.notes)
    return (
        f'<div class="pb-grids">\n{grids}\n</div>\n<ul class="pb-legend">{items}</ul>'
        f"{f'<ul class=pb-notes>{notes}</ul>' if notes else ''}"
    )


def grid_html(grid: Grid) -> str:
    """One grid as a table; each cell says in words what it is for those who hear it read."""
    head = "".join(f'<th scope="col">{escape(up)}</th>' for up in grid.columns)
    lines = []
    for hand, codes in grid.rows:
        cells = "".join(f'<td style="background:{colour_of_letter(code)}">{escape(code)}</td>' for code in codes)
        lines.append(f'<tr><th scope="row">{escape(hand)}</th>{cells}</tr>')
    return (
        f'<table class="pb-grid"><caption>{escape(grid.title)}</caption>'
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def chart_html(sheet: Sheet) -> str:
    """A chart for a notebook: heading, style and grids in one piece."""
    footer = f"<p>{escape(sheet.footer)}</p>" if sheet.footer else ""
    return (
        f"<style>{CHART_STYLE}</style><h3>{escape(sheet.title)}</h3><p>{escape(sheet.subtitle)}</p>"
        f"{sheet_html(sheet)}{footer}"
    )
