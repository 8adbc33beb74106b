"""Reading single things out of a rulebook file: values with clauses, cases, odds; with errors a person can act on.

Every complaint names the file, the key and what is allowed. Nothing here knows what a parameter means.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, NoReturn

from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import MoneyError, Odds, parse_odds


class RulebookError(PitbossError):
    """A rulebook file, or a choice of options, that the loader cannot accept; by these clauses, if a book says so."""

    def __init__(self, message: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.clauses = clauses

    @property
    def reason(self) -> str:
        """The message without its clauses, for whoever names them beside it."""
        return str(self).replace(f" (clause {', '.join(self.clauses)})", "")


class Case(NamedTuple):
    """One value with its clauses and the conditions under which it holds."""

    value: Any
    clauses: tuple[str, ...]
    when: Mapping[str, tuple[Any, ...]]

    def holds(self, context: Mapping[str, Any]) -> bool:
        """All conditions are met in `context`."""
        return all(_is_met(context.get(key), wanted) for key, wanted in self.when.items())


def _is_met(actual: Any, wanted: tuple[Any, ...]) -> bool:
    if isinstance(actual, frozenset):
        return any(item in actual for item in wanted)
    return any(actual == item and isinstance(actual, bool) == isinstance(item, bool) for item in wanted)


class Reader:
    """Walks one file: knows its name, so that every complaint can say where."""

    def __init__(self, file: str, clause_ok: Callable[[str], bool] | None = None) -> None:
        self.file = file
        self.clause_ok = clause_ok
        self.conditions: set[str] = set()
        self.asked: list[tuple[str, str, tuple[Any, ...]]] = []
        """Every condition read so far: where, on what, and the values it waits for."""

    def fail(self, key: str, problem: str) -> NoReturn:
        raise RulebookError(f"{self.file}: {key}: {problem}")

    def table(self, value: Any, key: str, *, known: Iterable[str] = (), needed: Iterable[str] = ()) -> dict[str, Any]:
        """`value` as a table whose keys are all known, and which has all those needed."""
        if not isinstance(value, dict):
            self.fail(key, f"must be a table, not {read_plain(value)}")
        known = tuple(known)
        if known:
            for name in value:
                if name not in known:
                    self.fail(f"{key}.{name}", f"unknown key; {nearest(name, known)}")
        for name in needed:
            if name not in value:
                self.fail(key, f"lacks '{name}'")
        return typing.cast(dict[str, Any], value)

    def rows(self, value: Any, key: str, form: str) -> list[tuple[str, Any]]:
        """The entries of a list, each with the key that names it in complaints."""
        if not isinstance(value, list):
            self.fail(key, f"must be a list of {form}, not {read_plain(value)}")
        return [(f"{key}[{number}]", item) for number, item in enumerate(value)]

    def name(self, value: Any, key: str) -> str:
        """A word that can stand in `namespace/game`, on a command line and in a record."""
        if not isinstance(value, str) or re.fullmatch(r"[a-z0-9]+([_-][a-z0-9]+)*", value) is None:
            self.fail(key, f"{read_plain(value)} is not a name: write small letters and digits, joined by '-'")
        return value

    def flag(self, value: Any, key: str) -> bool:
        if not isinstance(value, bool):
            self.fail(key, f"must be true or false, not {read_plain(value)}")
        return value

    def text(self, value: Any, key: str) -> str:
        if not isinstance(value, str) or not value.strip():
            self.fail(key, f"must be a text, not {read_plain(value)}")
        return value

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fail(key, f"must be a list of words, not {read_plain(value)}")
        return tuple(value)

    def clauses(self, value: Any, key: str) -> tuple[str, ...]:
        """One clause id or a list of them, each in the register."""
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
            self.fail(key, f"must be a clause or a list of clauses, not {read_plain(value)}")
        for item in items:
            if self.clause_ok is not None and not self.clause_ok(item):
                self.fail(key, f"clause '{item}' is not in the book's register")
        return tuple(items)

    def odds(self, value: Any, key: str) -> Odds:
        try:
            odds: Odds = coerce(Odds, value)
        except ValueError as error:
            self.fail(key, str(error))
        return odds

    def when(self, value: Any, key: str, extra: Iterable[str] = ()) -> dict[str, tuple[Any, ...]]:
        """Conditions: option, reading or side wager, each with the values that satisfy it."""
        table = self.table(value, key)
        allowed = self.conditions | set(extra)
        for name in table:
            if name not in allowed:
                self.fail(f"{key}.{name}", f"no such option or reading; {nearest(name, allowed)}")
        wanted = {name: tuple(item) if isinstance(item, list) else (item,) for name, item in table.items()}
        for name, values in wanted.items():
            if not values or not all(isinstance(item, (bool, int, str)) for item in values):
                self.fail(f"{key}.{name}", f"must be a value or a list of values, not {read_plain(table[name])}")
            self.asked.append((f"{key}.{name}", name, values))
        return wanted

    def check_conditions(self, possible: Mapping[str, tuple[Any, ...] | None]) -> None:
        """Every condition read waits for something that can be; `None`: anything can."""
        for key, name, values in self.asked:
            choices = possible.get(name)
            for value in values if choices is not None else ():
                if not _is_met(value, choices or ()):
                    can_be = ", ".join(map(read_plain, choices or ())) or "nothing"
                    self.fail(key, f"{name} is never {read_plain(value)}: it can be {can_be}")

    def matter(self, value: Any, key: str) -> tuple[Case, ...]:
        """The clauses of a matter: `"8.1"`, `["8.1", "8.2"]`, or a list of `{ clause, when }`."""
        if not isinstance(value, list) or not any(isinstance(item, dict) for item in value):
            clauses = self.clauses(value, key)
            return (Case(clauses, clauses, {}),)
        found = []
        for where, item in self.rows(value, key, "{ clause, when }"):
            table = self.table(item, where, known=("clause", "when"), needed=("clause",))
            clauses = self.clauses(table["clause"], f"{where}.clause")
            found.append(Case(clauses, clauses, self.when(table.get("when", {}), f"{where}.when")))
        return tuple(found)

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
                self.fail(
                    where, f'write {{ value = {read_plain(item)}, clause = "..." }}: every value needs its clause'
                )
            table = self.table(item, where, known=("value", "clause", "when", "silent"), needed=("value",))
            silent = self.flag(table.get("silent", False), f"{where}.silent")
            if silent and "clause" in table:
                self.fail(where, "has a clause and is silent: keep one of the two")
            if clause_needed and not silent and "clause" not in table:
                self.fail(where, 'lacks its clause: add clause = "...", or silent = true where the book says nothing')
            clauses = self.clauses(table["clause"], f"{where}.clause") if "clause" in table else ()
            if clause_needed and not silent and not clauses:
                self.fail(f"{where}.clause", "names no clause")
            found.append(
                Case(check(table["value"], where), clauses, self.when(table.get("when", {}), f"{where}.when", extra))
            )
        return tuple(found)


def pick_case(cases: tuple[Case, ...], context: Mapping[str, Any], complain: Callable[[str], NoReturn]) -> Case | None:
    """The one case that holds; two that hold and differ are a contradiction."""
    holding = [case for case in cases if not case.when or case.holds(context)]
    if not holding:
        return None
    first = holding[0]
    for other in holding[1:]:
        if other.value != first.value:
            complain(
                f"two cases hold at once, {read_plain(first.value)} ({', '.join(first.clauses)}) and "
                f"{read_plain(other.value)} ({', '.join(other.clauses)}): their conditions must exclude each other"
            )
    return first


def coerce(kind: Any, value: Any) -> Any:
    """`value` as the type `kind`, or `ValueError` that says what is allowed."""
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
        raise ValueError(f"must be one of {', '.join(map(read_plain, choices))}, not {read_plain(value)}")
    if kind is Odds:
        if not isinstance(value, str):
            raise ValueError(f'must be odds such as "3:2", not {read_plain(value)}')
        try:
            return parse_odds(value)
        except MoneyError:
            raise ValueError(f'must be odds such as "3:2", not {read_plain(value)}') from None
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"must be true or false, not {read_plain(value)}")
    if kind is int:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        raise ValueError(f"must be a whole number, not {read_plain(value)}")
    if kind is str:
        if isinstance(value, str) and value:
            return value
        raise ValueError(f"must be a text, not {read_plain(value)}")
    item_kind = typing.get_args(kind)[0]
    if isinstance(value, list):
        return tuple(coerce(item_kind, item) for item in value)
    raise ValueError(f"must be a list, not {read_plain(value)}")


def read_plain(value: Any) -> str:
    """A value as a rulebook writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(read_plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "a table"
    return "none" if value is None else str(value)
