"""Reading single things out of a rulebook file: values with clauses, cases, odds; with errors a person can act on.

Every complaint names the file, the key and what would do. Nothing here knows what a parameter means.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, NoReturn

from pitboss.errors import PitbossError
from pitboss.money import MoneyError, Odds, parse_odds


class RulebookError(PitbossError):
    """A rulebook file, or a choice of options, that the loader cannot accept."""


class Case(NamedTuple):
    """One value with its clauses and the conditions under which it holds."""

    value: Any
    clauses: tuple[str, ...]
    when: Mapping[str, tuple[Any, ...]]

    def holds(self, context: Mapping[str, Any]) -> bool:
        """All conditions are met in `context`."""
        return all(_met(context.get(key), wanted) for key, wanted in self.when.items())


def _met(actual: Any, wanted: tuple[Any, ...]) -> bool:
    if isinstance(actual, frozenset):
        return any(item in actual for item in wanted)
    return any(actual == item and isinstance(actual, bool) == isinstance(item, bool) for item in wanted)


class Reader:
    """Walks one file: knows its name, so that every complaint can say where."""

    def __init__(self, file: str, clause_ok: Callable[[str], bool] | None = None) -> None:
        self.file = file
        self.clause_ok = clause_ok
        self.conditions: set[str] = set()

    def fail(self, key: str, problem: str) -> NoReturn:
        raise RulebookError(f"{self.file}: {key}: {problem}")

    def table(self, value: Any, key: str, *, known: Iterable[str] = (), needed: Iterable[str] = ()) -> dict[str, Any]:
        """`value` as a table whose keys are all known, and which has all those needed."""
        if not isinstance(value, dict):
            self.fail(key, f"must be a table, not {plain(value)}")
        known = tuple(known)
        if known:
            for name in value:
                if name not in known:
                    self.fail(f"{key}.{name}", f"unknown key; {nearest(name, known)}")
        for name in needed:
            if name not in value:
                self.fail(key, f"lacks '{name}'")
        return typing.cast(dict[str, Any], value)

    def text(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self.fail(key, f"must be a text, not {plain(value)}")
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fail(key, f"must be a list of words, not {plain(value)}")
        return tuple(value)

    def clauses(self, value: Any, key: str) -> tuple[str, ...]:
        """One clause id or a list of them, each in the register."""
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
            self.fail(key, f"must be a clause or a list of clauses, not {plain(value)}")
        for item in items:
            if self.clause_ok is not None and not self.clause_ok(item):
                self.fail(key, f"clause '{item}' is not in the book's register")
        return tuple(items)

    def when(self, value: Any, key: str, extra: Iterable[str] = ()) -> dict[str, tuple[Any, ...]]:
        """Conditions: option, reading or side wager, each with the values that satisfy it."""
        table = self.table(value, key)
        allowed = self.conditions | set(extra)
        for name in table:
            if name not in allowed:
                self.fail(f"{key}.{name}", f"no such option or reading; {nearest(name, allowed)}")
        return {name: tuple(item) if isinstance(item, list) else (item,) for name, item in table.items()}

    def cases(
        self,
        value: Any,
        key: str,
        check: Callable[[Any, str], Any],
        *,
        clause_needed: bool = True,
        extra: Iterable[str] = (),
    ) -> tuple[Case, ...]:
        """`{ value, clause }`, or a list of such with `when`."""
        items = value if isinstance(value, list) else [value]
        if not items:
            self.fail(key, 'needs at least one case: write { value = ..., clause = "..." }')
        found = []
        for number, item in enumerate(items):
            where = f"{key}[{number}]" if isinstance(value, list) else key
            if not isinstance(item, dict):
                self.fail(where, f'write {{ value = {plain(item)}, clause = "..." }}: a value stands beside its clause')
            table = self.table(item, where, known=("value", "clause", "when", "silent"), needed=("value",))
            if "clause" in table:
                clauses = self.clauses(table["clause"], f"{where}.clause")
            elif clause_needed and table.get("silent") is not True:
                self.fail(where, 'lacks its clause: add clause = "...", or silent = true where the book says nothing')
            else:
                clauses = ()
            found.append(
                Case(check(table["value"], where), clauses, self.when(table.get("when", {}), f"{where}.when", extra))
            )
        return tuple(found)


def choose(cases: tuple[Case, ...], context: Mapping[str, Any], complain: Callable[[str], NoReturn]) -> Case | None:
    """The one case that holds; two that hold and differ are a contradiction."""
    holding = [case for case in cases if case.holds(context)]
    if not holding:
        return None
    first = holding[0]
    for other in holding[1:]:
        if other.value != first.value:
            complain(
                f"two cases hold at once, {plain(first.value)} ({', '.join(first.clauses)}) and "
                f"{plain(other.value)} ({', '.join(other.clauses)}): their conditions must exclude each other"
            )
    return first


def coerce(kind: Any, value: Any) -> Any:
    """`value` as the type `kind`, or `ValueError` with what would do."""
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        arms = typing.get_args(kind)
        if value == "none" and type(None) in arms:
            return None
        return coerce(next(arm for arm in arms if arm is not type(None)), value)
    if origin is Literal:
        choices = typing.get_args(kind)
        if any(value == choice and type(value) is type(choice) for choice in choices):
            return value
        raise ValueError(f"must be one of {', '.join(map(plain, choices))}, not {plain(value)}")
    if kind is Odds:
        if not isinstance(value, str):
            raise ValueError(f'must be odds such as "3:2", not {plain(value)}')
        try:
            return parse_odds(value)
        except MoneyError:
            raise ValueError(f'must be odds such as "3:2", not {plain(value)}') from None
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"must be true or false, not {plain(value)}")
    if kind is int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise ValueError(f"must be a whole number, not {plain(value)}")
    if kind is str:
        if isinstance(value, str) and value:
            return value
        raise ValueError(f"must be a text, not {plain(value)}")
    item_kind = typing.get_args(kind)[0]
    if isinstance(value, list):
        return tuple(coerce(item_kind, item) for item in value)
    raise ValueError(f"must be a list, not {plain(value)}")


def plain(value: Any) -> str:
    """A value as a rulebook writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "a table"
    return "none" if value is None else str(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint: the likely word, else all of them when they are few."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    if len(names) <= 24:
        return f"known are: {', '.join(names)}"
    return "see docs/rulebook-format.md for the known ones"
