"""Every value that a book states, and what the book says when one of them is flipped.

A value that no test would miss is a value that nothing holds. `values_of` lists what a book states beside a clause, and
`flipped` gives the book again with one of them changed: a yes becomes a no, a number goes up by one, a word becomes the
next one allowed, odds become others, a list loses its last entry. Clauses, names and explanations stay as they are,
and so does what only describes: nothing is decided by it.
"""

from __future__ import annotations

import copy
import tomllib
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, NamedTuple

from pitboss.errors import PitbossError
from pitboss.money import Odds
from pitboss.rulebooks import Rulebook, clause_exists
from pitboss.rulebooks.model.parameters import DESCRIBED, TYPES, WORDS
from pitboss.rulebooks.model.side_terms import SIDE_TERMS, SIDE_TYPES
from pitboss.rulebooks.reading.loader import read_book

Path = tuple[str | int, ...]
OTHER_ODDS = ("7:5", "8:5")
SPANS = ("minutes", "rounds", "hours", "days")


class Value(NamedTuple):
    """One value of a book: where it stands in the file, what is written there, and the clauses beside it."""

    book: str
    path: Path
    written: Any
    clauses: tuple[str, ...]
    others: tuple[Any, ...]
    """What could be written instead, in the order in which it is tried."""

    @property
    def place(self) -> str:
        """The value as registers name it: keys alone, numbers of rows and cases left out."""
        return ".".join(key for key in self.path if isinstance(key, str) and key != "value")

    def __str__(self) -> str:
        steps = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in self.path)
        return f"{self.book}.toml:{''.join(steps).lstrip('.')}"


@cache
def document(book: str) -> dict[str, Any]:
    """The tables of a book's file."""
    text = (resources.files("pitboss.rulebooks") / "books" / f"{book}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def read_flipped(value: Value) -> Iterator[Rulebook]:
    """The book with another value, for each that can be read and whose games can all be resolved."""
    for other in value.others:
        try:
            book = read_book(_with(value, other), f"{value.book}.toml", clause_exists)
            for game in book.games:
                book.rules(game)
        except PitbossError:
            continue
        yield book


def flipped(value: Value) -> Rulebook | None:
    """The book with the value flipped; none if the loader refuses every other value: then it notices by itself."""
    return next(read_flipped(value), None)


def _with(value: Value, other: Any) -> dict[str, Any]:
    data = copy.deepcopy(document(value.book))
    holder: Any = data
    for key in value.path[:-1]:
        holder = holder[key]
    if other is _GONE:
        del holder[value.path[-1]]
    else:
        holder[value.path[-1]] = other
    return data


_GONE = object()


# What a book states ------------------------------------------------------------------------------------


def values_of(book: str) -> tuple[Value, ...]:
    """Every value that has a clause and could be another, in the order of the file's chapters."""
    return tuple(
        Value(book, path, written, clauses, others)
        for path, written, clauses, others in _found(document(book))
        if clauses and others
    )


Found = Iterator[tuple[Path, Any, tuple[str, ...], tuple[Any, ...]]]


def _found(data: Mapping[str, Any]) -> Found:
    yield from _people(data)
    yield from _choices(data.get("options", {}), ("options",))
    for name, reading in data.get("readings", {}).items():
        if reading["alternatives"]:
            words = (reading["default"], *reading["alternatives"])
            others = tuple(
                {**reading, "default": word, "alternatives": [other for other in words if other != word]}
                for word in words[1:]
            )
            yield ("readings", name), reading["default"], _clauses(reading["clauses"]), others
    yield from _parameters(data.get("rules", {}), ("rules",))
    for name, game in data["games"].items():
        yield from _game(data, game, ("games", name))
    for name, wager in data.get("side_wagers", {}).items():
        yield from _side_wager(data, wager, ("side_wagers", name))


def _clauses(item: Any) -> tuple[str, ...]:
    return (item,) if isinstance(item, str) else tuple(item or ())


def _cases(entry: Any, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    if isinstance(entry, list):
        yield from (((*path, number), case) for number, case in enumerate(entry))
    else:
        yield path, entry


def _parameters(rules: Mapping[str, Any], path: Path) -> Found:
    for name, entry in rules.items():
        if DESCRIBED[name].describes:
            continue
        for where, case in _cases(entry, (*path, name)):
            others = _others(TYPES[name], case["value"], WORDS.get(name, ()))
            yield (*where, "value"), case["value"], _clauses(case.get("clause")), others


def _others(kind: Any, written: Any, words: tuple[str, ...] = ()) -> tuple[Any, ...]:
    """Other values of a kind, as a file writes them."""
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        at = choices.index(written)
        return (*choices[at + 1 :], *choices[:at])
    if isinstance(written, bool):
        return (not written,)
    if isinstance(written, int):
        return (written + 1, *((written - 1,) if written else ()))
    if isinstance(written, list):
        shorter = (written[:-1],) if written else ()
        return (*shorter, *([*written, word] for word in words if word not in written))
    if kind is Odds or (isinstance(written, str) and ":" in written):
        return tuple(odds for odds in OTHER_ODDS if odds != written)
    if written == "none":
        return (23, *OTHER_ODDS)
    return (f"{written} otherwise",)


def _choices(options: Mapping[str, Any], path: Path) -> Found:
    """What a house may choose: the default, and the other values."""
    for name, option in options.items():
        clauses = _clauses(option.get("clause"))
        by_case = [item for item in option.get("allowed", []) if isinstance(item, dict)]
        for number, case in enumerate(by_case):
            where = (*path, name, "allowed", number, "values")
            yield where, case["values"], _clauses(case.get("clause", clauses)), _shorter(case["values"])
        if "allowed" in option and not by_case:
            yield (*path, name, "allowed"), option["allowed"], clauses, _shorter(option["allowed"])
        plain = {"values": option["allowed"] if "allowed" in option and not by_case else []}
        for where, default, when in _defaults(option["default"], (*path, name, "default")):
            open_now = [value for case in by_case or [plain] if _may_hold(case, when) for value in case["values"]]
            others = tuple(value for value in open_now if value != default)
            yield where, default, clauses, others if "allowed" in option else (777,)


def _shorter(values: list[Any]) -> tuple[list[Any], ...]:
    return values[1:], values[:-1]


def _defaults(default: Any, path: Path) -> Iterator[tuple[Path, Any, Mapping[str, Any] | None]]:
    """The default values of a house, each with its conditions; a plain one has none, and holds whatever is."""
    if isinstance(default, list):
        yield from (((*path, number, "value"), case["value"], case["when"]) for number, case in enumerate(default))
    else:
        yield path, default, None


def _may_hold(case: Mapping[str, Any], when: Mapping[str, Any] | None) -> bool:
    """The case of an option is open under these conditions."""
    if when is None:
        return True
    wanted = case.get("when", {}).items()
    return all(name in when and set(_list(when[name])) <= set(_list(values)) for name, values in wanted)


def _list(item: Any) -> list[Any]:
    return item if isinstance(item, list) else [item]


def _people(data: Mapping[str, Any]) -> Found:
    roles = [role["id"] for role in data["roles"]["ladder"]]
    bodies = [body["id"] for body in data["roles"].get("bodies", [])]
    for number, role in enumerate(data["roles"]["ladder"]):
        at = number + 1 if number + 1 < len(roles) else number - 1
        ladder = list(data["roles"]["ladder"])
        ladder[number], ladder[at] = ladder[at], ladder[number]
        yield ("roles", "ladder"), role["id"], _clauses(role.get("clause")), (ladder,)
    for name, power in data.get("authority", {}).items():
        path, clauses = ("authority", name), _clauses(power["clause"])
        if power["role"] in roles:
            at = roles.index(power["role"])
            yield (*path, "role"), power["role"], clauses, (*roles[at + 1 :], *roles[:at][::-1])
        for told in ("notify_before", "notify_after"):
            if told in power:
                yield (*path, told), power[told], clauses, (power[told][:-1],)
        if power.get("needs"):
            yield (*path, "needs"), power["needs"], clauses, (power["needs"][:-1],)
    for name, notice in data.get("notices", {}).items():
        for span in SPANS:
            if span in notice:
                yield ("notices", name, span), notice[span], _clauses(notice["clause"]), (notice[span] + 1,)
    for number, step in enumerate(data.get("disputes", {}).get("chain", [])):
        for key, names in (("role", roles), ("body", bodies)):
            if key in step:
                others = tuple(name for name in names if name != step[key])
                yield ("disputes", "chain", number, key), step[key], _clauses(step["clause"]), others


def _game(data: Mapping[str, Any], game: Mapping[str, Any], path: Path) -> Found:
    yield from _parameters(game.get("rules", {}), (*path, "rules"))
    yield from _choices(game.get("options", {}), (*path, "options"))
    if "extends" in game:
        others = tuple(name for name in data["games"] if name not in (path[-1], game["extends"]))
        yield (*path, "extends"), game["extends"], _clauses(game.get("clause")), (_GONE, *others)
    for number, bonus in enumerate(game.get("bonuses", [])):
        others = _others(Odds, bonus["odds"])
        yield (*path, "bonuses", number, "odds"), bonus["odds"], _clauses(bonus["clause"]), others
    if (sums := game.get("super_bonus")) is not None:
        clauses = _clauses(sums["clause"])
        for number, tier in enumerate(sums["tiers"]):
            for key in ("from", "pays"):
                yield (*path, "super_bonus", "tiers", number, key), tier[key], clauses, (tier[key] + 1,)
        yield (*path, "super_bonus", "others"), sums["others"], clauses, (sums["others"] + 1,)


def _side_wager(data: Mapping[str, Any], wager: Mapping[str, Any], path: Path) -> Found:
    for name, term in SIDE_TERMS.items():
        for where, case in _cases(wager.get(name, []), (*path, name)):
            written = case["value"]
            if term.describes:
                continue
            if name == "hosts":
                others: tuple[Any, ...] = (written[:-1],) if len(written) > 1 else (_other_hosts(data, written),)
            else:
                others = _others(SIDE_TYPES[name], written)
            yield (*where, "value"), written, _clauses(case.get("clause")), others
    for number, need in enumerate(wager.get("requires", [])):
        for key in [key for key in need if key not in ("clause", "when", "not_with", "payout_posted")]:
            shorter = need[key][:-1] or [100 - need[key][0]]
            yield (*path, "requires", number, key), need[key], _clauses(need["clause"]), (shorter,)
    for number, table in enumerate(wager["pays"]):
        clauses = _clauses(table["clause"])
        for outcome, odds in table.get("odds", {}).items():
            yield (*path, "pays", number, "odds", outcome), odds, clauses, _other_prizes(odds)
        for row, (count, prize) in enumerate(table.get("prizes", [])):
            yield (*path, "pays", number, "prizes", row, 0), count, clauses, (count + 1,)
            yield (*path, "pays", number, "prizes", row, 1), prize, clauses, (prize + 1,)
    yield from _parameters(wager.get("rules", {}), (*path, "rules"))


def _other_hosts(data: Mapping[str, Any], written: list[str]) -> list[str]:
    return [next(name for name in data["games"] if name not in written)] if set(data["games"]) - set(written) else []


def _other_prizes(written: str) -> tuple[str, ...]:
    if not written.startswith("meter:"):
        return _others(Odds, written)
    head, _, percent = written.rpartition(":")
    return (f"{head}:{int(percent[:-1]) // 2}%",)
