"""What a kind of stream offers so that floor records can ask it, tell of it and check it.

A package of streams (meters, tournaments, promotions) hands over one `Kind`; nothing else in the notation knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from pitboss.floor.decided import Decided
from pitboss.floor.house_state import HouseState
from pitboss.floor.ledger import Unit
from pitboss.floor.live_table import AnyTableCommand, LiveTable
from pitboss.records.narrate.table_events import Said
from pitboss.table import Refusal
from pitboss.table.messages.askers import PLAYER, Asker


class FloorNow(msgspec.Struct, frozen=True, kw_only=True):
    """Everything around a stream when it is asked: where a kind finds the facts that its decision needs."""

    book: str
    """The book of the record."""
    at_ms: int
    house: HouseState
    tables: Mapping[str, LiveTable]
    streams: Mapping[str, Any]
    """The states of all other streams, by their names in the record: `tournament spring`."""
    balances: Mapping[tuple[str, Unit], int]
    entropy: bytes = b""
    """Thirty-two bytes of chance for this one decision: what a draw commits to. A record takes them from its `seed`."""

    def funds(self, account: str, unit: Unit = Unit.CHIP) -> int:
        """What is in an account, in grains."""
        return self.balances.get((account, unit), 0)


class TableDecision(msgspec.Struct, frozen=True):
    """What was decided at a table, for streams that follow tables."""

    before: LiveTable
    after: LiveTable
    events: tuple[Any, ...]


def keep_silent(state: Any, at_ms: int) -> Iterable[str]:
    """Nothing is left to do."""
    return ()


def ignore_tables(state: Any, decision: TableDecision, now: FloorNow) -> Iterable[tuple[Any, Asker]]:
    """Nothing follows from what is decided at tables."""
    return ()


def hold_nothing(state: Any) -> Iterable[tuple[str, Unit, int]]:
    """No account has to hold anything."""
    return ()


def ask_no_table(state: Any, now: FloorNow) -> Iterable[tuple[str, AnyTableCommand, Asker]]:
    """Nothing follows at tables."""
    return ()


def take_nothing_up(state: Any, now: FloorNow) -> Iterable[tuple[Any, Asker]]:
    """Nothing follows from what the floor has heard."""
    return ()


def keep_hidden(state: Any, by: Asker) -> Mapping[str, Any]:
    """Nothing is shown."""
    return {}


def find_no_moment(state: Any) -> int | None:
    """No clock runs."""
    return None


def ask_nothing(state: Any, at_ms: int) -> Iterable[tuple[Any, Asker]]:
    """The clock asks for nothing."""
    return ()


def find_no_step(state: Any, seed: int) -> tuple[Any, Asker] | None:
    """Robots play no part."""
    return None


def tell_staff(state: Any, event: Any, by: Asker) -> bool:
    """Whoever acts for the house is told of everything, a player of nothing."""
    return by.role != PLAYER


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of stream. Its state may be anything; only these functions look into it."""

    word: str
    """How a record names it before the stream's own name: `promotion`."""
    commands: Mapping[str, type[Any]]
    """What can be asked, by its tag."""
    begin: Callable[[str, str], Any]
    """The state of a stream that nothing has happened on yet, from its name and the book of the record."""
    decide: Callable[[Any, Any, Asker, FloorNow], Decided[Any, Any] | Refusal]
    """The answer to a command: state, command, who asks, what is around."""
    evolve: Callable[[Any, Any, int], Any]
    """The state after one event at a moment: folding what `decide` gave must lead to the state it gave."""
    narrate: Callable[[Any, Any], Iterable[Said]]
    """An event in sentences with their clauses; the state is the one before it."""
    describe: Callable[[Any], Mapping[str, Any]]
    """What can be expected of the stream, by name: amounts, texts, numbers, lists and tables of these."""
    events: tuple[type[Any], ...] = ()
    """What can happen on the stream: tagged structs, so that a log can be read back."""
    state: type[Any] | None = None
    """The type of its state, which a server keeps as JSON between two starts."""
    show: Callable[[Any, Asker], Mapping[str, Any]] = keep_hidden
    """What somebody may see of the stream: what is sealed or not theirs is left out. A spectator has no name."""
    is_told: Callable[[Any, Any, Asker], bool] = tell_staff
    """Whether somebody may read of an event what `narrate` says; the state is the one before it."""
    find_next_moment: Callable[[Any], int | None] = find_no_moment
    """When a clock of the stream runs out next, in milliseconds since 1970."""
    ask_at: Callable[[Any, int], Iterable[tuple[Any, Asker]]] = ask_nothing
    """Commands that are due at a moment because a clock has run out, with who asks."""
    find_robot_step: Callable[[Any, int], tuple[Any, Asker] | None] = find_no_step
    """What comes next, and who asks for it, when robots play for everybody; none at the end. A number seeds chance."""
    list_duties: Callable[[Any, int], Iterable[str]] = keep_silent
    """What still has to be done, a line each, at a moment."""
    list_holdings: Callable[[Any], Iterable[tuple[str, Unit, int]]] = hold_nothing
    """What accounts hold by what the stream says, in grains: ledger and stream must agree at every moment."""
    hear_table: Callable[[Any, TableDecision, FloorNow], Iterable[tuple[Any, Asker]]] = ignore_tables
    """Commands that follow on this stream, with who asks, from what was decided at a table."""
    take_up: Callable[[Any, FloorNow], Iterable[tuple[Any, Asker]]] = take_nothing_up
    """Commands that follow on this stream, with who asks, from what the floor has heard and no stream has taken up:
    asked again until one has, so that nothing is lost; what is refused waits."""
    ask_tables: Callable[[Any, FloorNow], Iterable[tuple[str, AnyTableCommand, Asker]]] = ask_no_table
    """What tables are to be asked because of what the stream is now, each with the table and who asks: asked again as
    long as a table does not show it, so that nothing is lost; a table that refuses stays as it is."""


def map_tags(commands: Iterable[type[Any]]) -> dict[str, type[Any]]:
    """Commands by their tags."""
    return {str(kind.__struct_config__.tag): kind for kind in commands}
