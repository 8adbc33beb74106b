"""What a floor record holds, as plain frozen data: people, tables, steps, and what is expected."""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor.live_table import TableKind
from pitboss.money import Money
from pitboss.records.model import Choice, Round
from pitboss.table.messages.askers import Asker
from pitboss.table.state import Limits

FLOOR_FORMAT = 1
"""The version of the format, as `floor = 1` names it."""

FLOOR_SUFFIX = ".floor.toml"

ROUND = "round"
"""What a step at a table does when it holds a whole round."""


ROBOTS = "let-robots-play"
"""What a step does in which robots play on a stream, for everybody and to its end or to a point before it."""


class RecordedPerson(msgspec.Struct, frozen=True):
    """Somebody on the floor: the roles they hold, by book, and the chips they come with."""

    name: str
    roles: tuple[tuple[str, str], ...] = ()
    """Role and book; none: a player."""
    chips: Money = Money(0)


class RecordedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that is open when the record begins."""

    name: str
    game: str
    options: dict[str, Choice] = {}
    readings: dict[str, str] = {}
    side_wagers: tuple[str, ...] = ()
    sign: Limits = Limits()
    bank: Money = Money(0)
    dealt_by: TableKind = TableKind.MACHINE
    players: dict[str, Money] = {}
    """Who has bought in, and for how much."""


class Expected(msgspec.Struct, frozen=True):
    """What must hold: results of streams by name, balances, and duties that are still open."""

    streams: dict[str, dict[str, Any]] = {}
    balances: dict[str, Money] = {}
    """Account to amount; a unit other than chips follows the account: `wallet:ann voucher`."""
    open: tuple[str, ...] | None = None
    """All duties still open, each `STREAM: what`; none: nothing is said about them."""


class FloorStep(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asks a stream for something, or a round is played at a table."""

    line: int
    at_ms: int
    by: Asker
    stream: str
    """The kind of stream and its name: `promotion tvs`; `floor` alone."""
    do: str
    command: Any = None
    """What is asked; none for a round."""
    until: str = ""
    """The command before which robots stop, once they have done something; none: they play to the end."""
    rounds: tuple[Round, ...] = ()
    refused: bool = False
    clause: str = ""
    """The clause that must refuse it."""
    says: str = ""
    """A part of the words in which it must be refused."""
    expect: Expected = Expected()


class FloorRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A whole record."""

    file: str = "record"
    """The name by which complaints call it."""
    book: str
    title: str = ""
    cites: tuple[str, ...] = ()
    start_ms: int = 0
    seed: int = 1
    """Where the chance of draws comes from."""
    people: dict[str, RecordedPerson] = {}
    tables: dict[str, RecordedTable] = {}
    steps: tuple[FloorStep, ...] = ()
    expect: Expected = Expected()
