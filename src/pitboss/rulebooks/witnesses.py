"""Witnesses: for every clause that the registers call enforced, a record or test that was run and cited it.

`witnesses.csv` is written by `make witnesses`, which runs what the registers cite and keeps, for each clause,
the first that yields an event, a refusal, a settlement or a shown value under that clause. With each witness stands the
digest of the values beside the clause in its book: when one of them changes the witness no longer counts, until it has
been run again. A record and a test are named as in the registers; a test with cases is named with the case.
"""

from __future__ import annotations

import csv
import hashlib
import json
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from importlib import resources
from io import StringIO
from typing import Any, NamedTuple

from pitboss.rulebooks.registers import ClauseRow, RegisterError, Registers

FILE = "witnesses.csv"
COLUMNS = ("book", "clause", "witness", "values")
NO_VALUES = "-"
SAID_ONLY = frozenset({"clause", "clauses", "text", "name", "summary"})
"""Keys of a book's tables that are no values: who says it, and what it is called."""

Clause = tuple[str, str]
"""A book and the number of a clause in it."""


class Witness(NamedTuple):
    """What was run, and the digest of the values that stood beside the clause then."""

    by: str
    values: str


Witnesses = Mapping[Clause, Witness]
Run = Callable[[str], Collection[Clause] | str]
"""Runs a record: the clauses it cites, or why it no longer plays as recorded."""


def load_witnesses() -> dict[Clause, Witness]:
    """The witnesses that are kept with the registers."""
    text = (resources.files(__package__) / FILE).read_text(encoding="utf-8")
    lines = csv.reader(StringIO(text, newline=""), strict=True)
    if tuple(next(lines, ())) != COLUMNS:
        raise RegisterError(f"{FILE}: line 1: the columns must be {', '.join(COLUMNS)}")
    found = {}
    for cells in lines:
        if len(cells) != len(COLUMNS):
            raise RegisterError(f"{FILE}: line {lines.line_num}: {len(cells)} cells instead of {len(COLUMNS)}")
        book, clause, by, values = cells
        found[book, clause] = Witness(by, values)
    return found


def write_witnesses(witnesses: Witnesses) -> str:
    """The text of the file."""
    out = StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    table.writerows((*clause, *witness) for clause, witness in witnesses.items())
    return out.getvalue()


# Values beside a clause --------------------------------------------------------------------------------


def digests(book: str) -> dict[str, str]:
    """For every clause that a value in a book's file cites: a digest of all those values."""
    text = (resources.files(__package__) / "books" / f"{book}.toml").read_text(encoding="utf-8")
    beside: dict[str, list[tuple[str, object]]] = {}
    for path, table in _tables(tomllib.loads(text), ""):
        cited = table.get("clause", table.get("clauses", []))
        for clause in [cited] if isinstance(cited, str) else cited if isinstance(cited, list) else ():
            if isinstance(clause, str):
                stated = {key: item for key, item in table.items() if key not in SAID_ONLY and _is_value(item)}
                beside.setdefault(clause, []).append((path, stated))
    return {clause: _digest(values) for clause, values in beside.items()}


def _tables(value: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from _tables(item, f"{path}.{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _tables(item, f"{path}[{number}]")


def _is_value(item: Any) -> bool:
    """Anything but a table that has clauses of its own."""
    return not any("clause" in table for _, table in _tables(item, ""))


def _digest(values: Sequence[tuple[str, object]]) -> str:
    text = json.dumps(values, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


# What must hold ----------------------------------------------------------------------------------------


def find_unwitnessed(registers: Registers, kept: Witnesses, run: Run | None) -> dict[Clause, str]:
    """Every enforced clause without a witness that counts, and why.

    `run` replays a record of the source tree; without it the witnesses that are kept are believed.
    """
    found: dict[Clause, str] = {}
    for book, rows in registers.items():
        values = digests(book)
        for row in rows:
            if row.status != "enforced":
                continue
            problem = _problem(book, row, kept.get((book, row.clause)), values.get(row.clause, NO_VALUES), run)
            if problem:
                found[book, row.clause] = problem
    return found


def _problem(book: str, row: ClauseRow, witness: Witness | None, values: str, run: Run | None) -> str:
    if witness is None:
        return "is enforced, and nothing that it cites was seen to cite it"
    if witness.by not in row.tests and witness.by.partition("[")[0] not in row.tests:
        return f"has the witness {witness.by}, which the register does not name"
    if witness.values != values:
        return f"has other values than when {witness.by} was run: run make witnesses"
    if run is not None and witness.by.endswith(".toml"):
        answer = run(witness.by)
        if isinstance(answer, str):
            return f"has the witness {witness.by}, which does not play as recorded: {answer}"
        if (book, row.clause) not in answer:
            return f"has the witness {witness.by}, which does not cite it"
    return ""
