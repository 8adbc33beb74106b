"""How each clause is met, as a matrix of clauses and a count of each book; for people, and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from rich.console import Console

from pitboss.report.terminal_tables import print_table
from pitboss.rulebooks.registers import STATUSES, ClauseRow, by_kind, by_status
from pitboss.rulebooks.witnesses import Clause, Witnesses

Selection = Mapping[str, Sequence[ClauseRow]]
"""Book -> the clauses of it that are looked at."""


Silent = Mapping[Clause, str]
"""The enforced clauses that have no witness, and why."""


def matrix_data(
    chosen: Selection, problems: Sequence[str], witnesses: Witnesses, silent: Silent, *, tests_checked: bool
) -> dict[str, object]:
    """The answer for programs: the same keys whatever was asked for."""
    everything = [(name, row) for name, rows in chosen.items() for row in rows]
    return {
        "clauses": [
            {
                "book": name,
                **msgspec.to_builtins(row),  # the keys of a row are those of the register's columns
                "witness": _witness(name, row, witnesses) if (name, row.clause) not in silent else None,
            }
            for name, row in everything
        ],
        "books": {name: _counts([(name, row) for row in rows], silent) for name, rows in chosen.items()},
        "total": _counts(everything, silent),
        "tests_checked": tests_checked,
        "problems": list(problems),
    }


def _counts(rows: Sequence[tuple[str, ClauseRow]], silent: Silent) -> dict[str, object]:
    plain = [row for _, row in rows]
    return {
        "clauses": len(rows),
        "statuses": by_status(plain),
        "witnessed": count_witnessed(rows, silent),
        "kinds": by_kind(plain),
    }


def count_witnessed(rows: Iterable[tuple[str, ClauseRow]], silent: Silent) -> int:
    """How many enforced clauses have a witness that counts."""
    return sum(row.status == "enforced" and (book, row.clause) not in silent for book, row in rows)


def _witness(book: str, row: ClauseRow, witnesses: Witnesses) -> str | None:
    found = witnesses.get((book, row.clause)) if row.status == "enforced" else None
    return None if found is None else found.by


def print_in_full(chosen: Selection, witnesses: Witnesses) -> None:
    """Clauses with everything their registers say: wrapped on a terminal, a fact to a line in a pipe."""
    console = Console()
    width = console.width if console.is_terminal else None
    print("\n\n".join(list_in_full(name, row, witnesses, width) for name, rows in chosen.items() for row in rows))


def list_in_full(book: str, row: ClauseRow, witnesses: Witnesses, width: int | None = None) -> str:
    """One clause with everything its register says, a fact to a line, or to as many as a width asks for."""
    facts = [("says", row.summary), ("note", row.note), ("how", row.reason)]
    facts += [("where", place) for place in row.where]
    facts += [("test", test) for test in row.tests]
    facts += [("seen", _witness(book, row, witnesses) or "")]
    lines = [f"{book} {row.clause}: {row.kind}, {row.status}"]
    lines += [line for name, text in facts if text for line in _write_fact(name, text, width)]
    return "\n".join(lines)


def _write_fact(name: str, text: str, width: int | None) -> list[str]:
    """A fact after its name; words that belong together, such as the name of a test, stay whole."""
    label = f"  {name:<6}"
    room = len(text) if width is None else width - len(label)
    first, *others = textwrap.wrap(text, max(room, 1), break_long_words=False, break_on_hyphens=False)
    return [label + first, *(" " * len(label) + line for line in others)]


def print_matrix(chosen: Selection, silent: Silent, *, rows_too: bool) -> None:
    """The clauses if they are wanted, and the totals of each book."""
    console = Console()
    if console.is_terminal:
        if rows_too:
            for name, rows in chosen.items():
                _print_rows(name, rows)
        _print_totals(chosen, silent)
        return
    if rows_too:
        for name, rows in chosen.items():
            for row in rows:
                places = " ".join(row.where), " ".join(row.tests)
                print(name, row.clause, row.kind, row.status, row.summary, *places, row.reason, sep="\t")
        print()
    print("\n".join(_totals_text(chosen, silent)))


def _print_rows(book: str, rows: Sequence[ClauseRow]) -> None:
    head = ("clause", "status", "kind", "what it says", "how it is met")
    lines = [
        (row.clause, row.status, row.kind, row.summary, " ".join(filter(None, (row.reason, *row.where))))
        for row in rows
    ]
    wide = {"clause": 20, "what it says": 30, "how it is met": 36}
    print_table(book, head, lines, fixed=4, wide=wide, see=f"pitboss trace --book {book} --clause CLAUSE")


def _print_totals(chosen: Selection, silent: Silent) -> None:
    head, *lines = _totals(chosen, silent)
    print_table("Clauses by book", head, lines, numbers=head[1:], fixed=4)


def _totals_text(chosen: Selection, silent: Silent) -> list[str]:
    lines = _totals(chosen, silent)
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    return [
        "  ".join([name.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, others, strict=True))])
        for name, *cells in lines
    ]


def _totals(chosen: Selection, silent: Silent) -> list[list[str]]:
    counted = {name: [(name, row) for row in rows] for name, rows in chosen.items()}
    counted["all"] = [pair for pairs in counted.values() for pair in pairs]
    enforced, *others = STATUSES
    lines = [["book", "clauses", enforced, "witnessed", *others]]
    for name, rows in counted.items():
        counts = by_status(row for _, row in rows)
        numbers = [len(rows), counts[enforced], count_witnessed(rows, silent), *(counts[status] for status in others)]
        lines.append([name, *map(str, numbers)])
    return lines
