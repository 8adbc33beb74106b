"""`pitboss trace`: clause by clause, how the project meets the rulebooks, and whether the registers are right."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

import pitboss
from pitboss.cli.game_options import Force
from pitboss.errors import PitbossError
from pitboss.files import check_place, read_text, write_marked
from pitboss.floor.records.floor_record import FLOOR_SUFFIX
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import replay_floor
from pitboss.formats.names import nearest
from pitboss.records import read, replay
from pitboss.report.clauses.clause_matrix import Selection, matrix_data, print_in_full, print_matrix
from pitboss.report.clauses.register_page import page
from pitboss.rulebooks.registers import CLAUSE_LISTS, KINDS, STATUSES, check, find, load_registers, select
from pitboss.rulebooks.witnesses import Clause, Run, find_unwitnessed, load_witnesses

CHECK_FAILED = 1

EXAMPLES = (
    "pitboss trace --book rws",
    "pitboss trace --clause 10.5.4   # this clause in full",
    "pitboss trace --status planned",
    "pitboss trace --html trace.html",
)


Book = Annotated[str | None, typer.Option(metavar="BOOK", help=f"Only this book: {', '.join(CLAUSE_LISTS)}.")]
Kind = Annotated[str | None, typer.Option(metavar="KIND", help=f"Only clauses of this kind: {', '.join(KINDS)}.")]
Status = Annotated[
    str | None, typer.Option(metavar="STATUS", help=f"Only clauses met in this way: {', '.join(STATUSES)}.")
]
InFull = Annotated[str | None, typer.Option(metavar="CLAUSE", help="This clause in full, in every book that has it.")]
Page = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a report to this file, and print the totals only.")
]


def run(
    book: Book = None,
    kind: Kind = None,
    status: Status = None,
    clause: InFull = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    html: Page = None,
    force: Force = False,
) -> None:
    """Show how each clause of the rulebooks is met, and fail if what a register claims is not true."""
    check_place("--html", html, force=force)
    _check_words("book", book, CLAUSE_LISTS)
    _check_words("kind", kind, KINDS)
    _check_words("status", status, STATUSES)
    registers = load_registers(CLAUSE_LISTS if book is None else [book])
    root = source_tree()
    witnesses = load_witnesses()
    silent = find_unwitnessed(registers, witnesses, None if root is None else replays(root))
    problems = [*check(registers, root), *(f"{book} {clause} {why}" for (book, clause), why in silent.items())]
    chosen: Selection = {name: select(rows, kind, status) for name, rows in registers.items()}
    if clause is not None:
        chosen = _with_clause(chosen, clause)

    if html is not None:
        write_marked(html, page(chosen, problems, silent).encode())
        typer.echo(f"wrote {html}", err=True)
    if as_json:
        data = matrix_data(chosen, problems, witnesses, silent, tests_checked=root is not None)
        print(json.dumps(data, indent=2, ensure_ascii=False))
    elif clause is not None:
        print_in_full(chosen, witnesses)
    else:
        print_matrix(chosen, silent, rows_too=html is None)

    if root is None:
        typer.echo(
            "the tests are not installed with the package: what the registers say about them is not checked", err=True
        )
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(CHECK_FAILED)


def source_tree() -> Path | None:
    """The root of the source tree that the package runs from; none where it is installed without its tests."""
    package = Path(pitboss.__file__).resolve().parent
    root = package.parent.parent
    return root if (root / "tests" / "clauses").is_dir() and root / "src" / "pitboss" == package else None


def replays(root: Path) -> Run:
    """Plays records of the source tree, each once: the clauses cited, or the first thing that is not as recorded."""

    @cache
    def run(path: str) -> frozenset[Clause] | str:
        try:
            if path.endswith(FLOOR_SUFFIX):
                return _replay_floor(root / path)
            record = read((root / path).read_text(encoding="utf-8"), path)
            played = replay(record)
        except (OSError, PitbossError) as error:
            return str(error)
        if played.differences:
            return played.differences[0]
        return frozenset((record.rules().book, clause) for clause in played.cited)

    return run


def _replay_floor(path: Path) -> frozenset[Clause] | str:
    text = path.read_text(encoding="utf-8")
    played = replay_floor(read_floor_record(text, str(path), (), lambda name: read_text(path.parent / name)))
    return played.differences[0] if played.differences else played.cited


def _check_words(what: str, value: str | None, choices: Iterable[str]) -> None:
    if value is not None and value not in choices:
        raise PitbossError(f"there is no {what} '{value}'; {nearest(value, choices)}")


def _with_clause(chosen: Selection, clause: str) -> Selection:
    found = {name: find(rows, clause) for name, rows in chosen.items()}
    having = {name: rows for name, rows in found.items() if rows}
    if not having:
        known = dict.fromkeys(row.clause for rows in chosen.values() for row in rows)
        near = difflib.get_close_matches(clause, known, n=3, cutoff=0)
        hint = f"nearest are {', '.join(near)}" if near else "the other filters leave none"
        raise PitbossError(f"there is no clause '{clause}' in {', '.join(chosen)}; {hint}")
    return having
