"""What a floor record expects, compared with what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pitboss.floor.ledger import Unit, from_grains
from pitboss.floor.records.floor_record import Expected
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.records.registry import find_kind
from pitboss.floor.records.table_kind import TABLE
from pitboss.money import show


def compare_expected(expected: Expected, now: FloorNow) -> Iterator[str]:
    """What is not as expected, a sentence each."""
    for account, amount in expected.balances.items():
        name, _, unit = account.partition(" ")
        found = from_grains(now.funds(name, Unit(unit) if unit else Unit.CHIP))
        if found != amount:
            yield f"{account}: expected {show(amount)}, holds {show(found)}"
    for stream, wanted in expected.streams.items():
        state = find_state(now, stream)
        if state is None:
            yield f"{stream}: expected, but there is no such stream"
        else:
            yield from _compare_tables(stream, wanted, find_kind(stream).describe(state))
    if expected.open is not None:
        duties = list_duties(now)
        for line in expected.open:
            if line not in duties:
                yield f"expected to be open, and is not: {line}"
        for line in duties:
            if line not in expected.open:
                yield f"still open, and not expected: {line}"


def find_state(now: FloorNow, stream: str) -> Any:
    """The state of a stream by its name; none if there is no such stream."""
    word, _, name = stream.partition(" ")
    if word == FLOOR:
        return now.house
    return now.tables.get(name) if word == TABLE else now.streams.get(stream)


def list_streams(now: FloorNow) -> dict[str, Any]:
    """Every stream with its state, the floor first."""
    return {FLOOR: now.house, **{f"{TABLE} {name}": live for name, live in now.tables.items()}, **now.streams}


def list_duties(now: FloorNow) -> list[str]:
    """What is still to be done, on all streams."""
    return [
        f"{stream}: {duty}"
        for stream, state in list_streams(now).items()
        for duty in find_kind(stream).list_duties(state, now.at_ms)
    ]


def _compare_tables(where: str, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Only what is expected is compared: a stream may have more results than a record names."""
    for name, value in wanted.items():
        at = f"{where}, {name}"
        if name not in found:
            known = ", ".join(map(str, found)) or "nothing"
            yield f"{at}: expected {_tell(value)}, but there is none; there is: {known}"
        elif isinstance(value, Mapping) and isinstance(found[name], Mapping):
            yield from _compare_tables(at, value, found[name])
        elif _make_plain(value) != _make_plain(found[name]):
            yield f"{at}: expected {_tell(value)}, found {_tell(found[name])}"


def _make_plain(value: Any) -> Any:
    """A value as records write it: enums as texts, tuples as lists."""
    if isinstance(value, Mapping):
        return {str(name): _make_plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_make_plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def _tell(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Decimal():
            return show(value)
        case list() | tuple():
            return f"[{', '.join(_tell(item) for item in value)}]"
        case Mapping():
            return f"{{{', '.join(f'{name} = {_tell(item)}' for name, item in value.items())}}}"
        case None:
            return "nothing"
    return str(value)
