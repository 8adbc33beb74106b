"""`pitboss trace`: clause by clause, how the project meets the rulebooks; and whether what it says is so."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

import pitboss
from pitboss.errors import PitbossError
from pitboss.rulebooks.register_page import page
from pitboss.rulebooks.registers import (
    CLAUSE_LISTS,
    KINDS,
    STATUSES,
    ClauseRow,
    by_kind,
    by_status,
    check,
    find,
    load_registers,
    select,
)  # fmt: skip

CHECK_FAILED = 1
COLOURS = {"enforced": "green", "operator": "cyan", "planned": "yellow", "physical": "dim", "legal": "dim"}

Selection = Mapping[str, Sequence[ClauseRow]]


def run(
    book: Annotated[str | None, typer.Option(help=f"Only this book: {', '.join(CLAUSE_LISTS)}.")] = None,
    kind: Annotated[str | None, typer.Option(help=f"Only clauses of this kind: {', '.join(KINDS)}.")] = None,
    status: Annotated[str | None, typer.Option(help=f"Only clauses met in this way: {', '.join(STATUSES)}.")] = None,
    clause: Annotated[str | None, typer.Option(help="This clause in full, in every book that has it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write a report to this file, and print the totals only.")] = None,
) -> None:
    """Say how each clause of the rulebooks is met, and fail if a register does not tell the truth."""
    _known("book", book, CLAUSE_LISTS)
    _known("kind", kind, KINDS)
    _known("status", status, STATUSES)
    registers = load_registers(CLAUSE_LISTS if book is None else [book])
    root = source_tree()
    problems = check(registers, root)
    chosen: Selection = {name: select(rows, kind, status) for name, rows in registers.items()}
    if clause is not None:
        chosen = _with_clause(chosen, clause)

    if html is not None:
        html.write_text(page(chosen, problems), encoding="utf-8")
        typer.echo(f"wrote {html}", err=True)
    if as_json:
        print(json.dumps(as_data(chosen, problems, tests_checked=root is not None), indent=2, ensure_ascii=False))
    elif clause is not None:
        print("\n\n".join(in_full(name, row) for name, rows in chosen.items() for row in rows))
    else:
        _print_matrix(chosen, rows_too=html is None)

    if root is None:
        typer.echo("the tests are not installed beside the package: what is said about them is not checked", err=True)
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(CHECK_FAILED)


def source_tree() -> Path | None:
    """The root of the source tree that the package runs from; none where it is installed without its tests."""
    package = Path(pitboss.__file__).resolve().parent
    root = package.parent.parent
    return root if (root / "tests" / "clauses").is_dir() and root / "src" / "pitboss" == package else None


def as_data(chosen: Selection, problems: Sequence[str], *, tests_checked: bool) -> dict[str, object]:
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


def _known(what: str, value: str | None, choices: Iterable[str]) -> None:
    if value is not None and value not in choices:
        raise PitbossError(f"there is no {what} '{value}'; --{what} takes {', '.join(choices)}")


def _with_clause(chosen: Selection, clause: str) -> Selection:
    found = {name: find(rows, clause) for name, rows in chosen.items()}
    having = {name: rows for name, rows in found.items() if rows}
    if not having:
        known = [row.clause for rows in chosen.values() for row in rows]
        near = difflib.get_close_matches(clause, known, n=3, cutoff=0)
        hint = f"nearest are {', '.join(near)}" if near else "the other filters leave none"
        raise PitbossError(f"there is no clause '{clause}' in {', '.join(chosen)}; {hint}")
    return having


def _print_matrix(chosen: Selection, *, rows_too: bool) -> None:
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
