"""How each clause is met, as a matrix of clauses and a count of each book; for people, and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pitboss.rulebooks.registers import STATUSES, ClauseRow, by_kind, by_status

COLOURS = {"enforced": "green", "operator": "cyan", "planned": "yellow", "physical": "dim", "legal": "dim"}

Selection = Mapping[str, Sequence[ClauseRow]]
"""Book -> the clauses of it that are looked at."""


def matrix_data(chosen: Selection, problems: Sequence[str], *, tests_checked: bool) -> dict[str, object]:
    """The answer for programs: the same keys whatever was asked for."""
    everything = [row for rows in chosen.values() for row in rows]
    return {
        "clauses": [
            {"book": name, **msgspec.to_builtins(row)}  # the keys of a row are those of the register's columns
            for name, rows in chosen.items()
            for row in rows
        ],
        "books": {
            name: {"clauses": len(rows), "statuses": by_status(rows), "kinds": by_kind(rows)}
            for name, rows in chosen.items()
        },
        "total": {"clauses": len(everything), "statuses": by_status(everything), "kinds": by_kind(everything)},
        "tests_checked": tests_checked,
        "problems": list(problems),
    }


def in_full(book: str, row: ClauseRow) -> str:
    """One clause with everything its register says, a fact to a line."""
    facts = [("says", row.summary), ("note", row.note), ("how", row.reason)]
    facts += [("where", place) for place in row.where]
    facts += [("test", test) for test in row.tests]
    return "\n".join(
        [f"{book} {row.clause}: {row.kind}, {row.status}", *(f"  {name:<6}{text}" for name, text in facts if text)]
    )


def print_matrix(chosen: Selection, *, rows_too: bool) -> None:
    """The clauses if they are wanted, and the totals of each book."""
    console = Console()
    if console.is_terminal:
        if rows_too:
            for name, rows in chosen.items():
                console.print(_rows_table(name, rows))
        console.print(_totals_table(chosen))
        return
    if rows_too:
        for name, rows in chosen.items():
            for row in rows:
                places = " ".join(row.where), " ".join(row.tests)
                print(name, row.clause, row.kind, row.status, row.summary, *places, row.reason, sep="\t")
        print()
    print("\n".join(_totals_text(chosen)))


def _rows_table(book: str, rows: Sequence[ClauseRow]) -> Table:
    table = Table(title=book, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("clause", ratio=2, overflow="fold")
    table.add_column("kind", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("what it says", ratio=4)
    table.add_column("how it is met", ratio=4, overflow="fold")
    for row in rows:
        tests = [f"tests: {len(row.tests)}"] if row.tests else []
        met = "\n".join([*([row.reason] if row.reason else []), *row.where, *tests])
        table.add_row(escape(row.clause), row.kind, _painted(row.status), escape(row.summary), escape(met))
    return table


def _totals_table(chosen: Selection) -> Table:
    head, *lines = _totals(chosen)
    table = Table(head[0], show_footer=True, box=SIMPLE_HEAD, pad_edge=False)
    table.columns[0].footer = lines[-1][0]
    for number, name in enumerate(head[1:], start=1):
        table.add_column(name, justify="right", footer=lines[-1][number])
    for line in lines[:-1]:
        table.add_row(*line)
    return table


def _totals_text(chosen: Selection) -> list[str]:
    lines = _totals(chosen)
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    return [
        "  ".join([name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for name, *cells in lines
    ]


def _totals(chosen: Selection) -> list[list[str]]:
    everything = [row for rows in chosen.values() for row in rows]
    counted = [*chosen.items(), ("all", everything)]
    return [
        ["book", "clauses", *STATUSES],
        *([name, str(len(rows)), *map(str, by_status(rows).values())] for name, rows in counted),
    ]


def _painted(status: str) -> str:
    return f"[{COLOURS[status]}]{status}[/]" if status in COLOURS else status
