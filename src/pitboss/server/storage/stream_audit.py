"""The audit of one stream: every row of its log is decided again, and everything that follows from it compared.

The chain of hashes; every command, which the table has to answer once more with the same bytes; the
transfers; the rounds and their records; the states that were kept; and every shoe against its commitment. A finding
names the table of the database and the row. Rows are read page by page: a stream may be of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.floor import live_table as lt
from pitboss.floor.ledger import Transfer, Unit, jackpot_of, to_grains
from pitboss.floor.served.kind_stream import KindStream, get_kind
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.audit_reader import AuditReader, UnreadableRow
from pitboss.server.storage.kind_audit import KindAuditor
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogRow, RoundRow
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import Folded, StreamPosition, decode_snapshot, fold_row
from pitboss.table import Refusal, decide, evolve
from pitboss.table.messages import events as ev
from pitboss.table.shoe_proof import ShoeWatcher, problems
from pitboss.table.state import State

COUNT_EVERY = 200
"""Rows after which it is told how far the audit is."""
LOG_TYPES: tuple[tuple[type, ...], ...] = (
    (str,), (int,), (int,), (str,), (str,), (str, type(None)), (int,), (bytes,), (bytes,), (bytes,),
)  # fmt: skip
"""What the columns of a row of the log hold."""


class StreamAudit(msgspec.Struct):
    """What was found in one stream."""

    stream: str
    rows: int = 0
    rounds: int = 0
    shoes: int = 0
    commitments: list[str] = []
    moved: dict[tuple[str, str], int] = {}
    """What the transfers make of each account, by name and unit."""
    orders: int = 0
    """How many orders the floor has given, or a table has heard."""
    news: dict[str, int] = {}
    """The last news of each table that the floor has heard, or that the table has counted."""
    told: int = 0
    """The last news of which a table knows that the floor has heard it."""
    holdings: dict[tuple[str, str], int] = {}
    """What accounts hold by what a stream says at its end, by name and unit."""
    found: list[str] = []


def audit_stream(
    address: str, key: bytes, stream: str, head: int, code: str, count: Callable[[int], None] = lambda rows: None
) -> StreamAudit:
    """Audit a stream up to its row `head`; `code` is this program's digest, and `count` hears of rows that are done."""
    reader = AuditReader(address)
    try:
        auditor = _StreamAuditor(reader, Vault(key), StreamAudit(stream), head, code)
        auditor.run(count)
        return auditor.part
    finally:
        reader.close()


class _StreamAuditor:
    def __init__(self, reader: AuditReader, vault: Vault, part: StreamAudit, head: int, code: str) -> None:
        self.reader, self.vault, self.part, self.head, self.code = reader, vault, part, head, code
        state = hs.HouseState() if part.stream == FLOOR else None
        self.at = StreamPosition(state, 0, FIRST_DIGEST)
        self.at_ms = 0
        self.watcher = ShoeWatcher()
        self.kinds = KindAuditor(reader, self.vault)
        self.commitment = ""
        self.log = reader.read(schema.log, ("seq",), part.stream, head)
        self.transfers = _Lines(self, reader, schema.transfer, ("seq", "n"))
        self.rounds = _Lines(self, reader, schema.round_table, ("number", "revision"))
        self.snapshots = _Lines(self, reader, schema.snapshot, ("seq",))

    def complain(self, table: str, row: object, what: str) -> None:
        self.part.found.append(f"{table} {self.part.stream} row {row}: {what}")

    def run(self, count: Callable[[int], None]) -> None:
        """Everything, from the first row to the last; a row that cannot be followed ends it."""
        whole = self.follow_log(count)
        for stored in self.transfers.take_rest():
            if self.is_newer(stored.seq):
                break
            self.add_up(stored)
            if whole:
                self.complain("transfer", f"{stored.seq}/{stored.n}", "follows from no row of the log")
        if not whole:
            return
        for stored in self.rounds.take_rest():
            if self.is_newer(stored.last_seq):
                break
            self.complain("round", stored.number, "follows from no row of the log")
        for stored in self.snapshots.take_rest():
            if self.is_newer(stored.seq):
                break
            self.complain("snapshot", stored.seq, "is of no row of the log")

    def is_newer(self, seq: Any) -> bool:
        """What is stored for this row was stored after the audit had begun."""
        if not isinstance(seq, int) or seq <= self.head:
            return False
        return self.reader.find_digest(self.part.stream, seq) is not None

    def follow_log(self, count: Callable[[int], None]) -> bool:
        """Follow the log row by row; whether that was possible to its end."""
        try:
            for stored in self.log:
                try:
                    row = _read_row(stored)
                    folded = fold_row(self.at, row, self.vault)
                    self.check_row(row, folded)
                except Exception as error:  # whatever a changed row leads to, the row is at fault
                    self.complain("log", stored.seq, " ".join(str(error).split()) or type(error).__name__)
                    return False
                self.at = folded.after
                if self.part.rows % COUNT_EVERY == 0:
                    count(COUNT_EVERY)
        except UnreadableRow as error:
            self.complain("log", self.at.seq + 1, str(error))
            return False
        if not self.part.rows:
            self.complain("log", 1, "cannot be read")
        count(self.part.rows % COUNT_EVERY)
        return True

    def check_row(self, row: LogRow, folded: Folded) -> None:
        part = self.part
        part.rows += 1
        if row.at_ms < self.at_ms:
            self.complain("log", row.seq, "time goes back")
        self.at_ms = row.at_ms
        self.check_transfers(row, folded.transfers)
        if folded.round is not None:
            self.check_round(folded.round)
        state = folded.after.state
        if isinstance(state, lt.LiveTable):
            part.orders = state.passed_on
            part.news, part.told = {part.stream: state.news_counted}, state.news_counted - len(state.news)
            part.holdings = {
                (jackpot_of(link.system, name), Unit.CHIP.value): to_grains(state.table.meters[name].value)
                for link in state.links
                for name in link.meters
            }
            self.check_play(row, folded)
            self.check_second_person(row, folded)
        elif isinstance(state, KindStream):
            self.check_kind(row, folded)
            held = get_kind(row.stream).list_holdings(state.state)
            part.holdings = {(account, unit.value): grains for account, unit, grains in held}
        else:
            part.orders, part.news = len(state.orders), state.heard
            self.check_bytes(row, hm.encode_house_row(folded.events))
        for stored in self.snapshots.take_before(row.seq):
            self.complain("snapshot", stored.seq, "is of no row of the log")
        stored = self.snapshots.take(row.seq)
        if stored is not None:
            self.check_snapshot(stored.body, folded.after)

    def check_bytes(self, row: LogRow, wanted: bytes) -> None:
        """The row holds what was decided, byte for byte."""
        body = self.vault.unseal(row.body, f"{row.stream}/{row.seq}") if row.sealed else row.body
        if body != wanted:
            deciding = self.at.state.code if isinstance(self.at.state, lt.LiveTable) else ""
            other = deciding and deciding != self.code
            hint = f"; it was decided by another program, {deciding[:12]}: audit it with that one" if other else ""
            self.complain("log", row.seq, f"is not what is decided when it is asked again{hint}")

    def check_kind(self, row: LogRow, folded: Folded) -> None:
        """Ask a stream that is no table for the row once more."""
        asked = folded.events[0]
        if (asked.by.role, asked.by.name) != (row.role, row.actor):
            self.complain("log", row.seq, "was asked by somebody else than the row says")
        self.check_bytes(row, lt.encode_row(self.kinds.decide_again(row.stream, self.at.state, row, asked)))

    # ------------------------------------------------------------------ play

    def check_play(self, row: LogRow, folded: Folded) -> None:
        """Ask for everything in the row once more, and compare the answer; watch the shoe on the way."""
        if self.at.state is None:
            self.check_bytes(row, lt.encode_row(folded.events))
            return
        state: State = self.at.state.table
        replayed: list[Any] = []
        answer: Iterator[Any] = iter(())
        for event in folded.events:
            if isinstance(event, lt.TableEvent):
                replayed.append(event)
                continue
            if isinstance(event, ev.MetersFollowed):  # what a meter system says; its own log is audited too
                replayed.append(event)
                state = evolve(state, event)
                continue
            if isinstance(event, ev.Asked):
                replayed += answer
                decision = decide(state, event.command, event.by)
                answer = iter(()) if isinstance(decision, Refusal) else iter(decision.events)
            replayed += [again for again in (next(answer, None),) if again is not None]
            before, state = state, evolve(state, event)
            self.watch_shoe(row, before, state, event)
        replayed += answer
        self.check_bytes(row, lt.encode_row(replayed))

    def watch_shoe(self, row: LogRow, before: State, state: State, event: ev.Event) -> None:
        file = self.watcher.hear(before, state, event)
        if isinstance(event, ev.Shuffled):
            self.commitment = event.origin.commitment
            self.part.commitments.append(self.commitment)
        if file is not None:
            self.part.shoes += 1
            for problem in problems(file, self.commitment):
                self.complain("log", row.seq, f"shoe {file.number}: {problem}")

    def check_second_person(self, row: LogRow, folded: Folded) -> None:
        """An order that needs two people has two, and the second is who the row says."""
        for event in folded.events:
            if isinstance(event, lt.OrderConfirmed):
                asked = [order for order in self.at.state.asked_orders if order.number == event.number]
                if not asked or event.by.name in ("", asked[0].by.name) or event.by.name != row.actor:
                    self.complain("log", row.seq, f"order {event.number} has no second person")

    # ------------------------------------------------------------------ what follows from the log

    def check_transfers(self, row: LogRow, transfers: tuple[Transfer, ...]) -> None:
        for n, moved in enumerate(transfers):
            for stored in self.transfers.take_before(row.seq, n):
                self.complain("transfer", f"{stored.seq}/{stored.n}", "follows from no event")
            stored = self.transfers.take(row.seq, n)
            wanted = (moved.debit, moved.credit, moved.unit.value, moved.amount, " ".join(moved.clauses))
            if stored is None:
                self.complain("transfer", f"{row.seq}/{n}", "is missing")
            elif (stored.debit, stored.credit, stored.unit, stored.amount, stored.clauses) != wanted:
                self.complain("transfer", f"{row.seq}/{n}", "is not what follows from the log")
            self.move(moved.debit, moved.credit, moved.unit.value, moved.amount)
        for stored in self.transfers.take_before(row.seq + 1):
            self.complain("transfer", f"{stored.seq}/{stored.n}", "follows from no event")

    def add_up(self, stored: Any) -> None:
        """Count a transfer as it is stored, where the log does not say what it should be."""
        if isinstance(stored.amount, int):
            self.move(stored.debit, stored.credit, stored.unit, stored.amount)

    def move(self, debit: str, credit: str, unit: str, amount: int) -> None:
        moved = self.part.moved
        moved[debit, unit] = moved.get((debit, unit), 0) - amount
        moved[credit, unit] = moved.get((credit, unit), 0) + amount

    def check_round(self, wanted: RoundRow) -> None:
        self.part.rounds += 1
        for stored in self.rounds.take_before(wanted.number, wanted.revision):
            self.complain("round", stored.number, "follows from no row of the log")
        stored = self.rounds.take(wanted.number, wanted.revision)
        if stored is None:
            self.complain("round", wanted.number, "is missing")
        elif dict(stored._mapping) != msgspec.structs.asdict(wanted):
            self.complain("round", wanted.number, "is not what follows from the log")

    def check_snapshot(self, body: bytes, at: StreamPosition) -> None:
        try:
            kept = decode_snapshot(self.vault, self.part.stream, at.seq, body)
        except Exception as error:  # whatever a changed state leads to, it is at fault
            self.complain("snapshot", at.seq, " ".join(str(error).split()) or type(error).__name__)
            return
        if kept != at:
            self.complain("snapshot", at.seq, "is not what follows from the log")


def _read_row(stored: Any) -> LogRow:
    """A row of the log, if its columns hold what such columns hold."""
    values = tuple(stored)
    sealed = values[6]
    if sealed not in (0, 1) or any(type(value) not in kinds for value, kinds in zip(values, LOG_TYPES, strict=True)):
        raise ValueError("is no row of a log")
    return LogRow(**{**stored._mapping, "sealed": bool(sealed)})


class _Lines:
    """Rows that are stored beside the log, in the order of their key, taken one by one."""

    def __init__(self, auditor: _StreamAuditor, reader: AuditReader, table: Any, key: tuple[str, ...]) -> None:
        self._auditor, self._table, self._key = auditor, table.name, key
        self._rows = reader.read(table, key, auditor.part.stream)
        self._place: tuple[Any, ...] = (0,)
        self._next: Any = None
        self._advance()

    def _advance(self) -> Any:
        taken = self._next
        try:
            self._next = next(self._rows, None)
        except UnreadableRow as error:
            self._next = None
            self._auditor.complain(self._table, "/".join(map(str, self._place)), str(error))
        if self._next is not None:
            self._place = tuple(getattr(self._next, name) for name in self._key)
        return taken

    def take(self, *place: int) -> Any:
        """The row at this place, if it comes next."""
        return self._advance() if self._next is not None and self._place == place else None

    def take_before(self, *place: int) -> Iterator[Any]:
        """Everything that is stored before this place."""
        while self._next is not None and self._place < place:
            yield self._advance()

    def take_rest(self) -> Iterator[Any]:
        """Everything that is left."""
        while self._next is not None:
            yield self._advance()
