"""What is cited while a record is replayed or a test runs, and the witnesses that result.

Cited is what somebody gets to see with its clause: an event, a settlement or a refusal of a table, a power granted or
denied, a choice that a rulebook refuses, and a value that a test shows. A test shows a value with `shown`, and must
have typed the clause, in its file or in `tests/stated`: a test that runs through everything a book says proves nothing
about any of it.

`make witnesses` (this file as a program) runs what the registers cite and writes `rulebooks/witnesses.csv`; the suite
checks each witness as it runs (`tests/conftest.py`).
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from record_tools import load_floor_record

import stated
from pitboss.errors import PitbossError
from pitboss.floor.records.floor_record import FLOOR_SUFFIX
from pitboss.floor.records.replay import replay_floor
from pitboss.records import read, replay
from pitboss.rulebooks import Rulebook, RulebookError, Rules
from pitboss.rulebooks.model.rules import SideWager
from pitboss.rulebooks.registers import load_registers
from pitboss.rulebooks.witnesses import FILE, NO_VALUES, Clause, Witness, digests, write_witnesses
from pitboss.table.draft import Refusal, Refused

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "src" / "pitboss" / "rulebooks" / FILE

UNWATCHED = "unwatched"
"""The name of a plugin in whose presence no test is held to be a witness: they are being found, or values flipped."""

Cited = set[Clause]


class _Shown:
    """Where `shown` puts the clauses while a test is watched."""

    into: Cited | None = None


def shown(source: Rules | Rulebook, what: Any) -> Any:
    """A value of a book, shown with its clauses, which the calling test must have typed.

    A parameter or a matter is named; anything else that carries clauses is handed in. Gives back the value and
    its clauses.
    """
    book = source.id if isinstance(source, Rulebook) else source.book
    if isinstance(what, str):
        assert isinstance(source, Rules)
        clauses = source.cite(what).clauses if what in source.sources else source.clauses(what)
        value = getattr(source, what, None)
    else:
        clauses, value = what.clauses, what
    _note_shown(book, clauses, sys._getframe(1).f_code.co_filename)
    return value, clauses


def shown_of(source: Rules, side: SideWager, *matters: str) -> tuple[str, ...]:
    """The clauses of a matter of a side wager, shown like a value."""
    clauses = side.cite(*matters)
    _note_shown(source.book, clauses, sys._getframe(1).f_code.co_filename)
    return clauses


def _note_shown(book: str, clauses: Iterable[str], test: str) -> None:
    if _Shown.into is not None:
        texts = (stated.typed(), Path(test).read_text("utf-8"))
        _Shown.into.update((book, clause) for clause in clauses if any(is_typed(clause, text) for text in texts))


def is_typed(clause: str, text: str) -> bool:
    """The clause stands in a text by its whole number."""
    return re.search(rf"(?<![\w.(]){re.escape(clause)}(?![\w(:/]|\.\w)", text) is not None


# Watching ----------------------------------------------------------------------------------------------


@contextlib.contextmanager
def watching() -> Iterator[Cited]:
    """Everything cited while this is open."""
    cited: Cited = set()
    with contextlib.ExitStack() as undo:
        for module, name, wrap in (
            ("pitboss.table.decide", "decide", _asking),
            ("pitboss.table.authority", "authorise", _authorising),
            ("pitboss.table.orders.roles", "rule", _ruling),
            ("pitboss.rulebooks.reading.resolve", "resolve", _resolving),
        ):
            undo.enter_context(_replaced(importlib.import_module(module), name, wrap(cited)))
        before, _Shown.into = _Shown.into, cited
        try:
            yield cited
        finally:
            _Shown.into = before


@contextlib.contextmanager
def _replaced(home: ModuleType, name: str, wrap: Callable[[Any], Any]) -> Iterator[None]:
    """A function of a module replaced by one that watches it, wherever it was imported to."""
    original = getattr(home, name)
    watched = wrap(original)
    holders = [module for module in list(sys.modules.values()) if vars(module).get(name) is original]
    for module in holders:
        setattr(module, name, watched)
    try:
        yield
    finally:
        for module in holders:
            setattr(module, name, original)


def _asking(cited: Cited) -> Callable[[Any], Any]:
    def wrap(decide: Any) -> Any:
        def ask(state: Any, *args: Any, **kwargs: Any) -> Any:
            answer = decide(state, *args, **kwargs)
            for one in (answer,) if isinstance(answer, Refusal) else answer.events:
                cited.update((state.rules.book, clause) for clause in _clauses_of(one))
            return answer

        return ask

    return wrap


def _clauses_of(event: Any) -> Iterator[str]:
    yield from event.clauses
    if (settlement := getattr(event, "settlement", None)) is not None:
        yield from settlement.clauses


def _authorising(cited: Cited) -> Callable[[Any], Any]:
    """A power asked for by a test itself; one asked for at a table is seen in the ruling."""

    def wrap(authorise: Any) -> Any:
        def ask(rules: Rules, *args: Any, **kwargs: Any) -> Any:
            by_test = not sys._getframe(1).f_globals["__name__"].startswith("pitboss.")
            try:
                clauses = authorise(rules, *args, **kwargs)
            except Refused as refused:
                cited.update((rules.book, clause) for clause in refused.clauses if by_test)
                raise
            cited.update((rules.book, clause) for clause in clauses if by_test)
            return clauses

        return ask

    return wrap


def _ruling(cited: Cited) -> Callable[[Any], Any]:
    """An order put on record in a draft of a test's own."""

    def wrap(rule: Any) -> Any:
        def ask(draft: Any, *args: Any, **kwargs: Any) -> Any:
            by_test = not sys._getframe(1).f_globals["__name__"].startswith("pitboss.")
            try:
                clauses = rule(draft, *args, **kwargs)
            except Refused as refused:
                cited.update((draft.state.rules.book, clause) for clause in refused.clauses if by_test)
                raise
            cited.update((draft.state.rules.book, clause) for clause in clauses if by_test)
            return clauses

        return ask

    return wrap


def _resolving(cited: Cited) -> Callable[[Any], Any]:
    def wrap(resolve: Any) -> Any:
        def ask(book: Rulebook, *args: Any, **kwargs: Any) -> Any:
            try:
                return resolve(book, *args, **kwargs)
            except RulebookError as error:
                cited.update((book.id, clause) for clause in _clauses_in(str(error)))
                raise

        return ask

    return wrap


def _clauses_in(message: str) -> Iterator[str]:
    """The clauses that a complaint names: `(clause 2.2(a), 3.1)`."""
    for found in re.findall(r"\(clause ((?:[^()]|\([^()]*\))*)\)", message):
        yield from (clause.strip() for clause in found.split(","))


def cited_by_record(path: str) -> Cited | str:
    """What a record cites when it is played, or how it differs from what it says."""
    if path.endswith(FLOOR_SUFFIX):
        return _cited_by_floor_record(path)
    try:
        record = read((ROOT / path).read_text("utf-8"), path)
        played = replay(record)
    except PitbossError as error:
        return str(error)
    if played.differences:
        return played.differences[0]
    book = played.rounds[0].state.rules.book
    return {(book, clause) for clause in played.cited}


def _cited_by_floor_record(path: str) -> Cited | str:
    try:
        played = replay_floor(load_floor_record(ROOT / path))
    except PitbossError as error:
        return str(error)
    return played.differences[0] if played.differences else set(played.cited)


# As a program ------------------------------------------------------------------------------------------


class _Watcher:
    """A plugin that watches every test that passes."""

    def __init__(self) -> None:
        self.cited: dict[str, Cited] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        with watching() as cited:
            result = yield
        self.cited[item.nodeid] = cited
        return result


class _Unwatched:
    """Registers a plugin under the name that turns the suite's own watching off."""

    def __init__(self, plugin: object) -> None:
        self.plugin = plugin

    def pytest_configure(self, config: pytest.Config) -> None:
        config.pluginmanager.register(self.plugin, UNWATCHED)


def run_tests(tests: Iterable[str], plugin: object) -> int:
    """Runs tests of the source tree in this process, with a plugin that watches them or runs them its own way."""
    arguments = ["-q", "-n0", "-p", "no:cacheprovider", *(str(ROOT / test) for test in tests)]
    return pytest.main(arguments, plugins=[_Unwatched(plugin)])


def cited_by_tests(tests: Iterable[str]) -> dict[str, Cited]:
    """Runs tests; for each case that passes, what it cites."""
    watcher = _Watcher()
    if run_tests(tests, watcher) != pytest.ExitCode.OK:
        raise SystemExit("the tests that the registers cite do not pass: nothing is written")
    return watcher.cited


def find_witnesses(cited: dict[str, Cited]) -> dict[Clause, Witness]:
    """The first of its tests that cites each enforced clause."""
    cases: dict[str, list[str]] = {}
    for name in cited:
        cases.setdefault(name.partition("[")[0], []).append(name)
    found: dict[Clause, Witness] = {}
    for book, rows in load_registers().items():
        values = digests(book)
        for row in rows:
            if row.status != "enforced":
                continue
            named = [case for test in row.tests for case in ([test] if test in cited else cases.get(test, []))]
            by = next((name for name in named if (book, row.clause) in cited[name]), None)
            if by is not None:
                found[book, row.clause] = Witness(by, values.get(row.clause, NO_VALUES))
    return found


def main() -> None:
    rows = [row for rows in load_registers().values() for row in rows if row.status == "enforced"]
    named = sorted({test for row in rows for test in row.tests})
    records = {name: cited_by_record(name) for name in named if name.endswith(".toml")}
    wrong = [f"{name}: {answer}" for name, answer in records.items() if isinstance(answer, str)]
    if wrong:
        raise SystemExit("\n".join(wrong))
    cited = {name: answer for name, answer in records.items() if not isinstance(answer, str)}
    cited |= cited_by_tests(name for name in named if not name.endswith(".toml"))
    witnesses = find_witnesses(cited)
    KEPT.write_text(write_witnesses(witnesses), "utf-8")
    print(f"{len(witnesses)} of {len(rows)} enforced clauses are witnessed")


if __name__ == "__main__":
    # The tests import this file by its name: what they show must reach the same module.
    importlib.import_module("witnessing").main()
