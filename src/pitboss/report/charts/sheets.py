"""A strategy laid out for reading: grids of letters by hand and up card, with what the letters mean and their colours.

A `Sheet` is the one description that the terminal, the pictures, the pages and notebooks draw; it is made from a
`Chart`, which is the strategy itself. Colours are pale enough to be read and printed through, differ for the colour-
blind, and are never alone: every cell has its letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from pitboss.odds.charts.chart import UPS, Chart, ChartLine
from pitboss.play.charts import WISHES

WORDS: Mapping[str, str] = {
    **{code: ", else ".join(wishes[:2]) for code, wishes in WISHES.items()},
    "F": "take the double back",
    "K": "keep the double",
    "-": "cannot be",
}
"""What each code of a cell says."""

COLOURS: Mapping[str, str] = {
    "H": "#f4efe6",
    "S": "#f6c667",
    "D": "#8ecbee",
    "P": "#8fd3b6",
    "R": "#e3a9cb",
    "F": "#e3a9cb",
    "K": "#f6c667",
    "-": "#ffffff",
}
"""Background by the first letter of a code."""

TITLES: Mapping[str, str] = {
    "hard": "Hard totals",
    "soft": "Soft totals",
    "pair": "Pairs",
    "rescue": "Doubled totals",
}


class Grid(msgspec.Struct, frozen=True):
    """One block of a sheet: a row for each hand, a column for each up card."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]

    def cells(self) -> Iterator[tuple[str, str, str]]:
        """Hand, up card, code."""
        for hand, codes in self.rows:
            yield from ((hand, up, code) for up, code in zip(self.columns, codes, strict=True))


class Sheet(msgspec.Struct, frozen=True):
    """A whole chart with its heading and the line of figures that goes with it."""

    title: str
    subtitle: str
    grids: tuple[Grid, ...]
    footer: str = ""
    notes: tuple[str, ...] = ()
    """Cells that their letters cannot tell in full, marked there by a star."""

    @property
    def legend(self) -> dict[str, str]:
        """The codes that the sheet uses, in a fixed order, and what they say."""
        used = {code for grid in self.grids for _, _, code in grid.cells()}
        return {code: _say(code) for code in sorted(used, key=lambda code: (list(WORDS).index(_plain(code)), code))}


def _plain(code: str) -> str:
    """A code without its number of cards or its star."""
    return code.rstrip("*0123456789")


def _say(code: str) -> str:
    """What a code says, in words."""
    words = WORDS[_plain(code)]
    if code[-1].isdigit():
        return f"{words}; with {code[-1]} cards or more, hit"
    return f"{words}; see the notes" if code.endswith("*") else words


def colour_of_letter(code: str) -> str:
    """The background of a cell."""
    return COLOURS[code[:1]]


def two_columns(grids: Sequence[Grid]) -> list[list[Grid]]:
    """The grids in their order, each put below the shorter column, so that the sheet fills evenly."""
    columns: list[list[Grid]] = [[], []]
    heights = [0, 0]
    for grid in grids:
        place = 0 if heights[0] <= heights[1] else 1
        columns[place].append(grid)
        heights[place] += len(grid.rows) + 3
    return [column for column in columns if column]


def lay_out(chart: Chart, title: str, subtitle: str, footer: str = "") -> Sheet:
    """The lines of a chart in grids, a row for each hand, the highest on top."""
    blocks: dict[tuple[bool, str], dict[int, list[ChartLine]]] = {}
    split_aces = ChartLine("pair", 1) in chart.rows
    for row in chart.rows:
        if split_aces and (row.kind, row.total) == ("soft", 12):
            continue  # two aces, which are a pair
        blocks.setdefault((row.free, row.kind), {}).setdefault(row.total, []).append(row)
    grids, notes = [], []
    for (free, kind), totals in blocks.items():
        name = f"{TITLES[kind]} on a free token" if free else TITLES[kind]
        lines = []
        for total in sorted(totals, key=lambda total: -total if kind != "pair" or total > 1 else -11):
            rows = sorted(totals[total], key=lambda row: row.cards)
            codes = [_tell_by_cards(chart, rows, column) for column in range(len(UPS))]
            lines.append((_hand(rows[0]), tuple(code for code, _ in codes)))
            notes += [
                f"{_hand(rows[0])} against {up}: {note}" for up, (_, note) in zip(UPS, codes, strict=True) if note
            ]
        grids.append(Grid(name, UPS, tuple(lines if kind == "pair" else _join_totals(lines, kind == "rescue"))))
    return Sheet(title, subtitle, tuple(grids), footer, tuple(notes))


Line = tuple[str, tuple[str, ...]]


def _join_totals(lines: list[Line], whatever: bool) -> Iterator[Line]:
    """Totals in a row that do the same, as one line: `17-20`, `A,2-6`; `whatever` it is, or if it is one thing."""
    while lines:
        (hand, codes), alike = lines[0], 1
        while (whatever or len(set(codes)) == 1) and alike < len(lines) and lines[alike][1] == codes:
            alike += 1
        if alike > 1:
            hand = f"{lines[alike - 1][0]}-{hand.removeprefix('A,')}"
        yield hand, codes
        lines = lines[alike:]


def _tell_by_cards(chart: Chart, rows: list[ChartLine], column: int) -> tuple[str, str]:
    """One cell for lines that differ by the number of cards: `S4` stands with up to three cards and hits with more.

    What does not fit into that is starred, with a note that says it all.
    """
    runs: list[tuple[str, int]] = []
    for row in rows:
        code = chart.rows[row][column]
        if code != "-" and (not runs or runs[-1][0] != code):
            runs.append((code, row.cards))
    if not runs:
        return "-", ""
    if len(runs) == 1:
        return runs[0][0], ""
    if len(runs) == 2 and runs[1][0] == "H" and runs[1][1] < 10:
        return f"{runs[0][0]}{runs[1][1]}", ""
    told = [WORDS[runs[0][0]], *(f"from {cards} cards {WORDS[code]}" for code, cards in runs[1:])]
    return f"{runs[0][0]}*", ", ".join(told)


def _hand(row: ChartLine) -> str:
    """A hand in few letters: `16`, `A,7`, `8,8`."""
    if row.kind == "pair":
        card = {1: "A", 10: "T"}.get(row.total, str(row.total))
        return f"{card},{card}"
    return f"A,{row.total - 11 if row.total > 12 else 'A'}" if row.kind == "soft" else str(row.total)
