"""Flips every value of every book that has an enforced clause, and lists those that no cited test notices.

The records and tests that the registers cite for the clauses that a value meets are run on the flipped book, records
first, until one of them objects: a record that no longer plays as it says, a test that fails. A value whose every
other form the loader refuses is noticed by whatever loads the book. `make trace-bite` runs it; a few values are flipped
in the suite. Tests run in a child process for each value, forked from one that has collected them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from flips import Value, flipped, values_of
from witnessing import run_tests

import pitboss.rulebooks
from pitboss.errors import PitbossError
from pitboss.records import Record, read, replay
from pitboss.rulebooks import BOOKS, Rulebook, load_book
from pitboss.rulebooks.registers import load_registers

ROOT = Path(__file__).resolve().parents[2]
CACHED = type(cache(len))
"""What `functools.cache` makes of a function."""


class Flip(NamedTuple):
    """A value, and the tests of each clause that must notice when it is flipped."""

    value: Value
    tests: Mapping[str, tuple[str, ...]]


def values_to_flip(books: Iterable[str]) -> Iterator[Flip]:
    """Every value beside an enforced clause.

    The tests of each clause that the register says is met by the value must notice; where it says so of none, those of
    one of them.
    """
    for book in books:
        rows = {row.clause: row for row in load_registers([book])[book] if row.status == "enforced"}
        for value in values_of(book):
            beside = [rows[clause] for clause in value.clauses if clause in rows]
            met = {row.clause: row.tests for row in beside if any(_holds(value, place) for place in row.where)}
            every = tuple(dict.fromkeys(test for row in beside for test in row.tests))
            if beside:
                yield Flip(value, met or {", ".join(row.clause for row in beside): every})


def _holds(value: Value, place: str) -> bool:
    """The place of a register is the value, or a table that it stands in."""
    return f"{value.book}.toml:{value.place}.".startswith(f"{place}.")


# Records -----------------------------------------------------------------------------------------------


@cache
def _record(path: str) -> tuple[Record, str]:
    record = read((ROOT / path).read_text("utf-8"), path)
    return record, record.rules().digest


def record_notices(path: str, book: Rulebook) -> bool:
    """The record does not play as it says by this book."""
    record, digest = _record(path)
    try:
        if record.rules([book]).digest == digest:
            return False
        return bool(replay(record, [book]).differences)
    except (PitbossError, ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        return True


# Tests -------------------------------------------------------------------------------------------------


class _Flipping:
    """Instead of running the tests that were collected, runs those of each value on its flipped book."""

    def __init__(self, flips: Sequence[Flip]) -> None:
        self.flips = flips
        self.unnoticed: list[tuple[Value, str]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items: dict[str, list[pytest.Item]] = {}
        for item in session.items:
            for name in {item.nodeid, item.nodeid.partition("[")[0]}:
                items.setdefault(name, []).append(item)
        self.check_unflipped(items)
        for value, tests in self.flips:
            chosen = {
                clause: [item for test in names for item in items.get(test, [])] for clause, names in tests.items()
            }
            silent = _in_child(partial(_silent, value, chosen))
            self.unnoticed += [(value, clause) for clause in silent]
        return True

    def check_unflipped(self, items: Mapping[str, Sequence[pytest.Item]]) -> None:
        """The same tests pass on the books as they are: whatever fails later fails because of the flip."""
        for book in dict.fromkeys(value.book for value, _ in self.flips):
            flips = [flip for flip in self.flips if flip.value.book == book]
            names = {name for flip in flips for named in flip.tests.values() for name in named}
            tests = [item for name in sorted(names) for item in items.get(name, [])]
            passing = _in_child(partial(_passing, book, tests))
            failing = sorted({item.nodeid for item in tests} - set(passing))
            if failing:
                raise pytest.UsageError(f"fails although nothing is flipped in {book}: {', '.join(failing)}")


def _passing(book: str, tests: Sequence[pytest.Item]) -> list[str]:
    put_in_place(book, load_book(book))
    return [item.nodeid for item in tests if not _fails(item)]


def _silent(value: Value, tests: Mapping[str, Sequence[pytest.Item]]) -> list[str]:
    """The clauses whose tests all pass on the flipped book."""
    book = flipped(value)
    assert book is not None
    put_in_place(value.book, book)
    failing = cache(_fails)
    return [clause for clause, items in tests.items() if not any(map(failing, items))]


def _in_child(work: Callable[[], list[str]]) -> list[str]:
    """The answer of some work that is done in a child process, which may be left in any state."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        with os.fdopen(reading) as answer:
            found = json.loads(answer.read())
        os.waitpid(child, 0)
        if isinstance(found, str):
            raise RuntimeError(found)
        return list(found)
    os.close(reading)
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        found: list[str] | str = work()
    except BaseException:
        found = traceback.format_exc()
    with os.fdopen(writing, "w") as answer:
        answer.write(json.dumps(found))
    os._exit(0)


def _fails(item: pytest.Item) -> bool:
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def put_in_place(name: str, book: Rulebook) -> None:
    """Makes a book the one that everybody gets who asks for it by name, whatever was kept of it."""
    parse = pitboss.rulebooks.parse_book

    def parse_or_give(text: str, file: str, register: Any) -> Rulebook:
        return book if file == f"{name}.toml" else parse(text, file, register)

    pitboss.rulebooks.parse_book = parse_or_give
    for module in list(sys.modules.values()):
        for kept in list(vars(module).values()):
            if isinstance(kept, CACHED):
                kept.cache_clear()


def unnoticed_by_tests(flips: Sequence[Flip]) -> list[tuple[Value, str]]:
    """Of some values, those whose tests pass anyway, with the clause whose tests they are."""
    named = sorted({test for flip in flips for tests in flip.tests.values() for test in tests})
    flipping = _Flipping(flips)
    if run_tests(named, flipping) not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit("the cited tests could not be run")
    return flipping.unnoticed


# All of it ---------------------------------------------------------------------------------------------


def unnoticed(flips: Iterable[Flip]) -> list[tuple[Value, str]]:
    """The values that no record or test of a clause notices when they are flipped, with the clause."""
    left: list[Flip] = []
    found: list[tuple[Value, str]] = []
    for value, tests in flips:
        book = flipped(value)
        if book is None:
            continue
        notices = cache(partial(record_notices, book=book))
        for clause, names in tests.items():
            if any(notices(name) for name in names if name.endswith(".toml")):
                continue
            others = tuple(name for name in names if not name.endswith(".toml"))
            if others:
                left.append(Flip(value, {clause: others}))
            else:
                found.append((value, clause))
    return [*found, *(unnoticed_by_tests(_together(left)) if left else ())]


def _together(flips: Iterable[Flip]) -> list[Flip]:
    """One flip for each value, with all clauses that are left of it."""
    found: dict[tuple[str, str], Flip] = {}
    for value, tests in flips:
        key = (str(value), str(value.written))
        found[key] = Flip(value, {**found[key].tests, **tests} if key in found else tests)
    return list(found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Flip every value of the books; list those that no cited test notices."
    )
    parser.add_argument("books", nargs="*", default=list(BOOKS), help="only these books")
    flips = list(values_to_flip(parser.parse_args(arguments).books))
    found = unnoticed(flips)
    for value, clause in found:
        print(f"{value} = {value.written}: no test of {clause} notices when it is flipped")
    print(f"{len(flips)} values flipped, {len({str(value) for value, _ in found})} not noticed")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
