"""Meter systems as a display shows them, read back from plain data: what `show` of a jackpot system has sent."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.money import Money, parse_money


class ShownSystem(msgspec.Struct, frozen=True, kw_only=True):
    """One prize meter system as everybody may see it."""

    stream: str
    name: str
    wager: str
    price: Money
    is_open: bool
    works: bool
    tables: tuple[str, ...]
    values: dict[str, Money]
    seeds: dict[str, Money]
    rates: dict[str, Money]
    one_in: dict[str, int]
    """For each prize that goes to a box at random: one draw in how many wins."""
    commitment: str
    owed: dict[str, Money] = {}
    """What a closed system still owes to others, by meter."""

    @property
    def share(self) -> Money:
        """What all its meters together take of each wager."""
        return sum(self.rates.values(), Money(0))


def read_shown(stream: str, shown: Mapping[str, Any]) -> list[ShownSystem]:
    """The systems in what a jackpot system shows."""
    try:
        return [
            ShownSystem(
                stream=stream, name=name, wager=seen["wager"], price=_read(seen["price"]), is_open=seen["open"],
                works=seen["works"], tables=tuple(seen["tables"]), values=_read_all(seen["values"]),
                seeds=_read_all(seen["seeds"]), rates=_read_all(seen["rates"]), one_in=dict(seen["one_in"]),
                commitment=seen["commitment"], owed=_read_all(seen.get("owed", {})),
            )
            for name, seen in shown["systems"].items()
        ]  # fmt: skip
    except (KeyError, TypeError, AttributeError) as error:
        raise PitbossError(f"{stream} does not show meter systems as this program knows them: {error}") from None


def choose_system(systems: list[ShownSystem], wager: str, name: str, where: str) -> ShownSystem:
    """The one open system for a wager, or the one that is named."""
    fitting = [system for system in systems if system.is_open and system.wager == wager and name in ("", system.name)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        known = ", ".join(f"{system.name} for {system.wager}" for system in systems if system.is_open) or "none is open"
        raise PitbossError(f"{where} has no meter system {name or f'for {wager}'}: {known}")
    names = ", ".join(system.name for system in fitting)
    raise PitbossError(f"{where} has several meter systems for {wager}: name one of {names} with --system")


def list_chances(system: ShownSystem) -> dict[str, Fraction]:
    """How likely a single wager is drawn for each prize of the system, where no other box is in the draw."""
    return {pick: Fraction(1, one_in) for pick, one_in in system.one_in.items()}


def _read(value: Any) -> Money:
    return parse_money(value if isinstance(value, int | Money) else str(value))


def _read_all(values: Mapping[str, Any]) -> dict[str, Money]:
    return {name: _read(value) for name, value in values.items()}
