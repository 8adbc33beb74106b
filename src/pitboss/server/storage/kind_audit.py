"""The audit of a stream of any kind: everything that was asked of it is asked again, with what the answer rested on.

A row says how far the floor, the tables and the other streams were that the decision looked at. They are followed from
their own logs up to there, so the same is asked on the same facts; balances count as the row has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pitboss.floor import house_state as hs
from pitboss.floor.ledger import Unit
from pitboss.floor.served.kind_stream import (
    KindStream,
    StreamAsked,
    begin_kind,
    decide_kind,
    get_kind,
    read_asked_command,
    write_unit_and_account,
)
from pitboss.floor.served.surroundings import Surroundings
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.audit_reader import AuditReader
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogRow
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, fold_row
from pitboss.table import Refusal


class _Follower:
    """Another stream, followed as far as a decision had seen it."""

    def __init__(self, reader: AuditReader, vault: Vault, stream: str) -> None:
        self._vault = vault
        self._rows: Iterator[Any] = reader.read(schema.log, ("seq",), stream)
        self.at = StreamPosition(hs.HouseState() if stream == FLOOR else None, 0, FIRST_DIGEST)

    def go_to(self, seq: int) -> Any:
        """The state at a row; none if the stream never was there."""
        while self.at.seq < seq:
            stored = next(self._rows, None)
            if stored is None:
                return None
            row = LogRow(**{**stored._mapping, "sealed": bool(stored.sealed)})
            self.at = fold_row(self.at, row, self._vault).after
        return self.at.state if self.at.seq == seq else None


class KindAuditor:
    """Repeats the decisions of one stream."""

    def __init__(self, reader: AuditReader, vault: Vault) -> None:
        self._reader = reader
        self._vault = vault
        self._followers: dict[str, _Follower] = {}

    def decide_again(self, stream: str, before: KindStream | None, row: LogRow, asked: StreamAsked) -> tuple[Any, ...]:
        """The events that follow from what was asked; raises if it is refused now, or rests on what is not there."""
        own = begin_kind(stream, asked.book) if before is None else before
        if asked.book != own.book:
            raise ValueError("is decided by another book than the rows before it")
        states = {name: self._find(name, seq, stream, own, row.seq) for name, seq in asked.rests_on.items()}

        def find_funds(account: tuple[str, Unit]) -> int:
            name = write_unit_and_account(account)
            if name not in asked.funds:
                raise ValueError(f"does not say what it found in {account[0]}")
            return asked.funds[name]

        accounts = [(name, Unit(unit)) for unit, _, name in (each.partition(" ") for each in asked.funds)]
        around = Surroundings(
            lambda name: (asked.rests_on.get(name, 0), states.get(name)), lambda: asked.rests_on, find_funds,
            lambda: accounts,
        )  # fmt: skip
        command = read_asked_command(get_kind(stream), asked)
        now = around.look(own.book, row.at_ms, asked.entropy)
        answer = decide_kind(own, command, asked.by, now, around.rests_on, around.funds)
        if isinstance(answer, Refusal):
            raise ValueError(f"is refused when it is asked again: {answer.why}")
        return answer.events

    def _find(self, name: str, seq: int, stream: str, own: KindStream, row: int) -> Any:
        """A stream as the decision has seen it."""
        if not seq:
            return None
        if name == stream:
            if seq != row - 1:
                raise ValueError("has looked at itself where it did not stand")
            return own
        follower = self._followers.get(name)
        if follower is None:
            follower = self._followers[name] = _Follower(self._reader, self._vault, name)
        state = follower.go_to(seq)
        if state is None:
            raise ValueError(f"rests on row {seq} of {name}, which is not there or was passed already")
        return state
