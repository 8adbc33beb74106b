"""The page of a game: one HTML document with its rules and clauses, what it is worth, how to play it, and what else is
on.

The page loads nothing from anywhere, reads in light and dark, and prints on paper. It is written from a `GamePage`,
which holds texts and numbers only; who fills it decides what was worth computing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from pitboss.formats.html import table_html
from pitboss.formats.wording import percent
from pitboss.odds.what_if.vary import DECIDING
from pitboss.report.charts.chart_html import CHART_STYLE, sheet_html
from pitboss.report.charts.sheets import Sheet
from pitboss.rulebooks.glance import at_a_glance
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.model.rules import Rules, readable

STYLE = (
    """
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --house: #b3541e; --player: #1d7a5a; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1.2rem; }
h1 { margin-bottom: .2rem; } h2 { margin: 2.4rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
.lead, .note { color: var(--quiet); } .note { font-size: .9em; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; margin: 1.4rem 0; }
.figures div { border: 1px solid var(--line); border-radius: .5rem; padding: .7rem .9rem; }
.figures dt { color: var(--quiet); font-size: .85em; } .figures dd { margin: 0; }
.figures .value { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; margin: .6rem 0 1.4rem; }
table:not(.pb-grid) th, table:not(.pb-grid) td { border-bottom: 1px solid var(--line); padding: .25rem .9rem .25rem 0; }
th, td { text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { display: flex; align-items: center; min-width: 14rem; } .bar span { flex: 1; display: flex; }
.bar span:first-child { justify-content: flex-end; border-right: 1px solid var(--quiet); }
.bar i { height: .8rem; display: block; background: var(--house); print-color-adjust: exact; }
.bar span:first-child i { background: var(--player); }
.clause { color: var(--quiet); white-space: nowrap; }
details summary { cursor: pointer; font-weight: 600; margin: .5rem 0; }
nav a { margin-right: 1rem; } @page { margin: 14mm; }
@media print { nav { display: none; } body { margin: 0; } }
@media print { h2, h3, .note { break-after: avoid; } tr { break-inside: avoid; } }
"""
    + CHART_STYLE
)


class Figure(NamedTuple):
    """A number worth a box of its own."""

    name: str
    value: str
    note: str = ""


class HouseChoice(NamedTuple):
    """What the game is worth if the house chooses another option."""

    name: str
    value: str
    house_edge: float
    difference: float
    clauses: tuple[str, ...]
    text: str = ""


class SideOffer(NamedTuple):
    """A side wager, or insurance, in one line."""

    name: str
    played_by: str
    house_edge: float
    exact: str
    deviation: float
    clauses: tuple[str, ...]
    note: str = ""


class FigureTable(NamedTuple):
    """A table of figures with its heading."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str = ""


class GamePage(NamedTuple):
    """Everything the page shows."""

    rules: Rules
    book: str
    summary: str
    figures: Sequence[Figure]
    method: str
    sheet: Sheet
    tables: Sequence[FigureTable]
    choices: Sequence[HouseChoice]
    offers: Sequence[SideOffer]
    not_offered: Sequence[tuple[str, str]]
    made_by: str


def page_html(page: GamePage) -> str:
    """The whole page."""
    title = f"{page.rules.name}: what it is worth"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
            *_head(page, title),
            *_section("chart", "How to play", _chart(page)),
            *_section("figures", "Figures", _tables(page)),
            *_section("options", "What each choice of the house is worth", _choices(page)),
            *_section("sides", "Side wagers and insurance", _offers(page)),
            *_section("rules", "Rules and their clauses", _rules(page.rules)),
            f'<p class="note">{escape(page.made_by)}</p></body></html>',
            "",
        ]
    )


def _head(page: GamePage, title: str) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    yield f'<p class="lead">{escape(page.rules.game)} &middot; {escape(page.book)}</p>'
    yield f"<p>{escape(page.summary)}</p>"
    places = {
        "chart": "How to play",
        "figures": "Figures",
        "options": "House choices",
        "sides": "Side wagers",
        "rules": "Rules",
    }
    yield "<nav>" + "".join(f'<a href="#{place}">{name}</a>' for place, name in places.items()) + "</nav>"
    yield '<dl class="figures">'
    for figure in page.figures:
        note = f'<dd class="note">{escape(figure.note)}</dd>' if figure.note else ""
        yield f'<div><dt>{escape(figure.name)}</dt><dd class="value">{escape(figure.value)}</dd>{note}</div>'
    yield f'</dl><p class="note">Method: {escape(page.method)}</p>'


def _section(place: str, title: str, lines: Iterator[str]) -> Iterator[str]:
    content = list(lines)
    if content:
        yield f'<section id="{place}"><h2>{escape(title)}</h2>'
        yield from content
        yield "</section>"


def _chart(page: GamePage) -> Iterator[str]:
    yield f"<p>{escape(page.sheet.subtitle)}</p>"
    yield sheet_html(page.sheet)
    if page.sheet.footer:
        yield f'<p class="note">{escape(page.sheet.footer)}</p>'


def _tables(page: GamePage) -> Iterator[str]:
    for table in page.tables:
        yield f"<h3>{escape(table.title)}</h3>"
        if table.note:
            yield f'<p class="note">{escape(table.note)}</p>'
        yield table_html(table.head, table.rows, numbers=range(1, len(table.head)))


def _choices(page: GamePage) -> Iterator[str]:
    if not page.choices:
        return
    yield (
        '<p class="note">Each line changes one option and leaves the rest as it is. A bar to the right favours the '
        "house, a bar to the left the player, in per cent of the original wager.</p>"
    )
    widest = max(abs(choice.difference) for choice in page.choices) or 1.0
    yield "<table><thead><tr><th>choice</th><th>value</th><th class='number'>house edge</th>"
    yield "<th class='number'>change</th><th></th><th>clause</th></tr></thead><tbody>"
    for choice in page.choices:
        share = 100 * abs(choice.difference) / widest
        bar = f'<i style="width:{share:.1f}%"></i>'
        left, right = (bar, "") if choice.difference < 0 else ("", bar)
        yield (
            f'<tr><td title="{escape(choice.text)}">{escape(choice.name)}</td><td>{escape(choice.value)}</td>'
            f'<td class="number">{percent(choice.house_edge)}</td>'
            f'<td class="number">{percent(choice.difference, sign=True)}</td>'
            f'<td><div class="bar"><span>{left}</span><span>{right}</span></div></td>'
            f'<td class="clause">{escape(", ".join(choice.clauses[:2]))}</td></tr>'
        )
    yield "</tbody></table>"


def _offers(page: GamePage) -> Iterator[str]:
    if page.offers:
        head = ("wager", "played by", "house edge", "exactly", "standard deviation", "clause", "")
        rows = [
            (
                offer.name,
                offer.played_by,
                percent(offer.house_edge),
                offer.exact,
                f"{offer.deviation:.3f}",
                ", ".join(offer.clauses[:2]),
                offer.note,
            )
            for offer in page.offers
        ]
        yield '<p class="note">Per unit staked on the wager itself, from a fresh shoe.</p>'
        yield table_html(head, rows, numbers=(2, 3, 4))
    if page.not_offered:
        yield "<details><summary>Not available with these options</summary>"
        yield table_html(("wager", "why"), page.not_offered)
        yield "</details>"


def _rules(rules: Rules) -> Iterator[str]:
    """The rules that decide what the game is worth in full view, procedure and floor folded away."""
    yield table_html(("at a glance", ""), at_a_glance(rules).cells().items())
    deciding = _groups(rules, lambda name: name in DECIDING)
    if rules.bonuses and rules.bonus_table != "none":
        deciding["bonus hands"] = [
            (bonus.hand, str(bonus.odds), ", ".join(bonus.clauses), "") for bonus in rules.bonuses
        ]
    for group, rows in deciding.items():
        yield f"<h3>{escape(group)}</h3>"
        yield table_html(RULE_HEAD, rows)
    for group, rows in _groups(rules, lambda name: name not in DECIDING).items():
        yield f"<details><summary>procedure: {escape(group)}</summary>"
        yield table_html(RULE_HEAD, rows)
        yield "</details>"


RULE_HEAD = ("what", "value", "clause", "parameter")


def _groups(rules: Rules, wanted: Callable[[str], bool]) -> dict[str, list[tuple[str, str, str, str]]]:
    groups: dict[str, list[tuple[str, str, str, str]]] = {}
    for name, value in rules.values().items():
        if wanted(name):
            row = (DESCRIBED[name].text, readable(value), ", ".join(rules.cite(name).clauses), name)
            groups.setdefault(DESCRIBED[name].group, []).append(row)
    return groups
