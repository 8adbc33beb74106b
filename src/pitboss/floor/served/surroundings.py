"""What a decision of a stream sees of everything around it, and a note of what it has looked at.

A stream may look at the floor itself, at tables, at other streams and at balances. Whatever it looks at is noted with
how far it was, so that the decision can be repeated on the same facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pitboss.floor.house_state import HouseState
from pitboss.floor.ledger import Unit
from pitboss.floor.live_table import LiveTable
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.served.kind_stream import KindStream, is_of_kind, is_table_name, write_unit_and_account

FindStream = Callable[[str], tuple[int, Any]]
"""How far a stream is, and its state; 0 and none if there is no such stream."""


class Surroundings:
    """Everything around one decision."""

    def __init__(
        self, find: FindStream, list_names: Callable[[], Iterable[str]],
        find_funds: Callable[[tuple[str, Unit]], int], list_funds: Callable[[], Iterable[tuple[str, Unit]]],
    ) -> None:  # fmt: skip
        self._find = find
        self.list_names = list_names
        self._find_funds = find_funds
        self.list_funds = list_funds
        self.rests_on: dict[str, int] = {}
        self.funds: dict[str, int] = {}

    def look(self, book: str, at_ms: int, entropy: bytes) -> FloorNow:
        """What the decision is handed."""
        house = self.see(FLOOR)
        return FloorNow(
            book=book, at_ms=at_ms, house=HouseState() if house is None else house, tables=_TablesAround(self),
            streams=_StreamsAround(self), balances=_FundsAround(self), entropy=entropy,
        )  # fmt: skip

    def see(self, stream: str) -> Any:
        """The state of a stream, with a note of how far it is; none if there is no such stream."""
        self.rests_on[stream], state = self._find(stream)
        return state

    def count(self, account: tuple[str, Unit]) -> int:
        """What is in an account, with a note of it."""
        found = self.funds[write_unit_and_account(account)] = self._find_funds(account)
        return found


class _TablesAround(Mapping[str, LiveTable]):
    """Tables by name."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def __getitem__(self, name: str) -> LiveTable:
        found = self._around.see(name) if is_table_name(name) else None
        if not isinstance(found, LiveTable):
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        names = sorted(name for name in self._around.list_names() if is_table_name(name))
        return iter([name for name in names if self._around.see(name) is not None])

    def __len__(self) -> int:
        return len(list(iter(self)))


class _StreamsAround(Mapping[str, Any]):
    """The states of other streams by their names."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def __getitem__(self, name: str) -> Any:
        found = self._around.see(name) if is_of_kind(name) else None
        if not isinstance(found, KindStream):
            raise KeyError(name)
        return found.state

    def __iter__(self) -> Iterator[str]:
        names = sorted(name for name in self._around.list_names() if is_of_kind(name))
        return iter([name for name in names if self._around.see(name) is not None])

    def __len__(self) -> int:
        return len(list(iter(self)))


class _FundsAround(Mapping[tuple[str, Unit], int]):
    """Balances by account and unit."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def __getitem__(self, account: tuple[str, Unit]) -> int:
        return self._around.count(account)

    def __iter__(self) -> Iterator[tuple[str, Unit]]:
        return iter(sorted(self._around.list_funds()))

    def __len__(self) -> int:
        return len(list(self._around.list_funds()))
