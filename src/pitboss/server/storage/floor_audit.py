"""The audit of a stored floor: everything that can be derived again is derived again and compared.

The chain of every stream, the replay of every decision, the transfers that follow from it, the rounds and their
records, the shoes against their commitments, the balances against the transfers, the seals against the chains, and the
file of the database itself. A finding names the table of the database and the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

import msgspec
import sqlalchemy as sa

from pitboss.errors import PitbossError
from pitboss.floor import house_state as hs
from pitboss.floor import live_table as lt
from pitboss.floor.ledger import NEVER_NEGATIVE, Transfer, Unit, add_up_changes, find_imbalance
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogRow, RoundRow, seal_digest
from pitboss.server.storage.store import Store, StoreError
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import Folded, StreamPosition, decode_snapshot, fold_row
from pitboss.table import evolve
from pitboss.table.messages import events as ev
from pitboss.table.shoe_proof import ShoeWatcher, problems

Balances = dict[tuple[str, Unit], int]


class StreamAudit(msgspec.Struct):
    """What was found in one stream."""

    stream: str
    rows: int = 0
    rounds: int = 0
    shoes: int = 0
    commitments: list[str] = []
    moved: dict[str, int] = {}
    """What the transfers make of each account, by unit and name."""
    orders: int = 0
    """How many orders the floor has given, or a table has heard."""
    news: dict[str, int] = {}
    """The last news of each table that the floor has heard, or that the table has counted."""
    told: int = 0
    """The last news of which a table knows that the floor has heard it."""
    digests: dict[int, bytes] = {}
    """The digest of each row that a seal names."""
    found: list[str] = []


class FloorAudit(msgspec.Struct):
    """What was found on a floor."""

    streams: int
    rows: int
    rounds: int
    shoes: int
    seals: int
    found: list[str]

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return not self.found


def audit_floor(
    address: str, key: bytes, *, workers: int = 1, progress: Callable[[int, int], None] = lambda done, whole: None
) -> FloorAudit:
    """Audit the floor in a database with its key; `progress` hears how many of its streams are done."""
    store = Store(address)
    try:
        found = _check_file(store)
        if found:
            return FloorAudit(0, 0, 0, 0, 0, found)
        streams = store.list_streams()
        sealed_rows = _list_sealed_rows(store, found)
        jobs = [(address, key, stream, sorted(sealed_rows.get(stream, ()))) for stream in streams]
        parts = []
        for done, part in enumerate(_run_jobs(jobs, workers), 1):
            parts.append(part)
            progress(done, len(jobs))
        parts.sort(key=lambda part: part.stream)
        for part in parts:
            found.extend(part.found)
        found.extend(_check_balances(store, parts))
        found.extend(_check_commitments(parts))
        found.extend(_check_orders(parts))
        found.extend(_check_news(parts))
        seals, wrong = _check_seals(store, {part.stream: part.digests for part in parts})
        found.extend(wrong)
        found.extend(_find_strays(store, set(streams)))
    finally:
        store.close()
    return FloorAudit(
        len(streams), sum(part.rows for part in parts), sum(part.rounds for part in parts),
        sum(part.shoes for part in parts), seals, found,
    )  # fmt: skip


def _run_jobs(jobs: list[tuple[str, bytes, str, list[int]]], workers: int) -> Iterator[StreamAudit]:
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield audit_stream(*job)
        return
    with ProcessPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(audit_stream, *job) for job in jobs]):
            yield future.result()


def _check_file(store: Store) -> list[str]:
    """Damage to the file itself, which SQLite can tell."""
    if store.kind != "sqlite":
        return []
    try:
        with store.reader.connect() as connection:
            said = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
    except sa.exc.SQLAlchemyError as error:
        return [f"the database file is damaged: {str(getattr(error, 'orig', error)).splitlines()[0]}"]
    return [f"the database file is damaged: {line}".replace("\n", " ") for line in said if line != "ok"]


# ---------------------------------------------------------------------- one stream


def audit_stream(address: str, key: bytes, stream: str, sealed_rows: list[int]) -> StreamAudit:
    """Replay one stream from its first row, and compare everything that follows from it."""
    store, vault = Store(address), Vault(key)
    part = StreamAudit(stream)
    try:
        _StreamAuditor(store, vault, part, set(sealed_rows)).run()
    except StoreError as error:
        part.found.append(f"log {stream}: {error}")
    finally:
        store.close()
    return part


class _StreamAuditor:
    def __init__(self, store: Store, vault: Vault, part: StreamAudit, sealed_rows: set[int]) -> None:
        self.store, self.vault, self.part, self.sealed_rows = store, vault, part, sealed_rows
        state = hs.HouseState() if part.stream == FLOOR else None
        self.at = StreamPosition(state, 0, FIRST_DIGEST)
        self.at_ms = 0
        self.watcher = ShoeWatcher()
        self.commitment = ""
        self.transfers = _Lines(store.read_transfers(part.stream))
        self.rounds = {(row.number, row.revision): row for row in store.read_rounds(part.stream, last=-1)}
        self.snapshot = store.read_snapshot(part.stream)

    def complain(self, table: str, row: object, what: str) -> None:
        self.part.found.append(f"{table} {self.part.stream} row {row}: {what}")

    def run(self) -> None:
        for row in self.store.read_log(self.part.stream):
            try:
                folded = fold_row(self.at, row, self.vault)
            except (StoreError, PitbossError, ValueError, KeyError, AssertionError) as error:
                self.complain("log", row.seq, str(error) or type(error).__name__)
                return
            self.check_row(row, folded)
            self.at = folded.after
        for stored in self.transfers.rest():
            self.complain("transfer", f"{stored.seq}/{stored.n}", "follows from no row of the log")
        for number, _ in self.rounds:
            self.complain("round", number, "follows from no row of the log")

    def check_row(self, row: LogRow, folded: Folded) -> None:
        part = self.part
        part.rows += 1
        if row.at_ms < self.at_ms:
            self.complain("log", row.seq, "time goes back")
        self.at_ms = row.at_ms
        if row.seq in self.sealed_rows:
            part.digests[row.seq] = row.digest
        self.check_transfers(row, folded.transfers)
        if folded.round is not None:
            self.check_round(folded.round)
        state = folded.after.state
        if isinstance(state, lt.LiveTable):
            part.orders = state.passed_on
            part.news, part.told = {part.stream: state.news_counted}, state.news_counted - len(state.news)
            self.check_shoe(row, folded)
            self.check_second_person(row, folded)
        else:
            part.orders, part.news = len(state.orders), state.heard
        if self.snapshot is not None and self.snapshot[0] == row.seq:
            self.check_snapshot(self.snapshot[1], folded.after)

    def check_transfers(self, row: LogRow, transfers: tuple[Transfer, ...]) -> None:
        for n, moved in enumerate(transfers):
            stored = self.transfers.take(row.seq, n)
            wanted = (moved.debit, moved.credit, moved.unit.value, moved.amount, " ".join(moved.clauses))
            if stored is None:
                self.complain("transfer", f"{row.seq}/{n}", "is missing")
            elif (stored.debit, stored.credit, stored.unit, stored.amount, stored.clauses) != wanted:
                self.complain("transfer", f"{row.seq}/{n}", "is not what follows from the log")
        for (account, unit), change in add_up_changes(transfers).items():
            key = f"{unit.value} {account}"
            self.part.moved[key] = self.part.moved.get(key, 0) + change
        for stored in self.transfers.take_rest(row.seq):
            self.complain("transfer", f"{stored.seq}/{stored.n}", "follows from no event")

    def check_round(self, wanted: RoundRow) -> None:
        self.part.rounds += 1
        stored = self.rounds.pop((wanted.number, wanted.revision), None)
        if stored is None:
            self.complain("round", wanted.number, "is missing")
        elif stored != wanted:
            self.complain("round", wanted.number, "is not what follows from the log")

    def check_shoe(self, row: LogRow, folded: Folded) -> None:
        if self.at.state is None:
            return
        state = self.at.state.table
        for event in folded.events:
            if isinstance(event, lt.TableEvent):
                continue
            before, state = state, evolve(state, event)
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

    def check_snapshot(self, body: bytes, at: StreamPosition) -> None:
        try:
            kept = decode_snapshot(self.vault, self.part.stream, at.seq, body)
        except (PitbossError, msgspec.DecodeError) as error:
            self.complain("snapshot", at.seq, str(error))
            return
        if kept != at:
            self.complain("snapshot", at.seq, "is not what follows from the log")


class _Lines:
    """Stored transfers in their order, taken one by one."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def _take(self) -> Any:
        taken, self._next = self._next, next(self._rows, None)
        return taken

    def take(self, seq: int, n: int) -> Any:
        """The transfer of this number, if it comes next."""
        return self._take() if self._next is not None and (self._next.seq, self._next.n) == (seq, n) else None

    def take_rest(self, seq: int) -> Iterator[Any]:
        """What else is stored for this row, or before it."""
        while self._next is not None and self._next.seq <= seq:
            yield self._take()

    def rest(self) -> Iterator[Any]:
        """Everything that is left."""
        while self._next is not None:
            yield self._take()


# ---------------------------------------------------------------------- across streams


def _check_balances(store: Store, parts: list[StreamAudit]) -> Iterator[str]:
    """Balances are the sums of transfers, nobody is below zero, and everything comes to zero."""
    wanted: dict[str, int] = {}
    for part in parts:
        for key, change in part.moved.items():
            wanted[key] = wanted.get(key, 0) + change
    try:
        stored = store.read_balances()
    except ValueError as error:
        yield f"account: {error}"
        return
    for (name, unit), balance in stored.items():
        key = f"{unit.value} {name}"
        if wanted.pop(key, 0) != balance:
            yield f"account {name} ({unit.value}): the balance is not the sum of its transfers"
        if balance < 0 and name.startswith(NEVER_NEGATIVE):
            yield f"account {name} ({unit.value}): the balance is below zero"
    for key, balance in wanted.items():
        if balance:
            yield f"account {key.split(' ', 1)[1]}: is missing"
    if find_imbalance(stored):
        yield "account: all accounts together do not come to zero"


def _check_commitments(parts: list[StreamAudit]) -> Iterator[str]:
    """A shoe belongs to one table: no two share a commitment."""
    owners: dict[str, str] = {}
    for part in parts:
        for commitment in part.commitments:
            if commitment in owners:
                yield f"log {part.stream}: a shoe has the commitment of a shoe of {owners[commitment]}"
            owners[commitment] = part.stream


def _check_orders(parts: list[StreamAudit]) -> Iterator[str]:
    """No table has heard an order that the floor has not given."""
    given = next((part.orders for part in parts if part.stream == FLOOR), 0)
    for part in parts:
        if part.orders > given:
            yield f"log {part.stream}: has heard order {part.orders}, and the floor has given {given}"


def _check_news(parts: list[StreamAudit]) -> Iterator[str]:
    """The floor has heard no news that a table does not have, and all that a table has told."""
    heard = next((part.news for part in parts if part.stream == FLOOR), {})
    counted = {part.stream: part.news[part.stream] for part in parts if part.stream != FLOOR and part.news}
    for part in parts:
        if part.told > heard.get(part.stream, 0):
            yield f"log {part.stream}: has told news {part.told}, and the floor has heard {heard.get(part.stream, 0)}"
    for table, number in heard.items():
        if number > counted.get(table, 0):
            yield f"log {FLOOR}: has heard news {number} of {table}, which has {counted.get(table, 0)}"


def _list_sealed_rows(store: Store, found: list[str]) -> dict[str, set[int]]:
    """The rows that seals name, by stream."""
    named: dict[str, set[int]] = {}
    for seal in store.read_seals():
        try:
            heads = msgspec.json.decode(seal.heads, type=dict[str, tuple[int, str]])
        except msgspec.DecodeError:
            found.append(f"seal row {seal.number}: cannot be read")
            continue
        for stream, (seq, _) in heads.items():
            named.setdefault(stream, set()).add(seq)
    return named


def _check_seals(store: Store, digests: dict[str, dict[int, bytes]]) -> tuple[int, list[str]]:
    found: list[str] = []
    previous, count = bytes(32), 0
    for seal in store.read_seals():
        count += 1
        if seal.number != count or seal.previous != previous:
            found.append(f"seal row {seal.number}: does not follow from the seal before it")
        if seal_digest(seal.number, seal.at_ms, seal.heads, seal.previous) != seal.digest:
            found.append(f"seal row {seal.number}: its digest is wrong")
        previous = seal.digest
        try:
            heads = msgspec.json.decode(seal.heads, type=dict[str, tuple[int, str]])
        except msgspec.DecodeError:
            continue
        for stream, (seq, digest) in heads.items():
            row = digests.get(stream, {}).get(seq)
            if row is None or row.hex() != digest:
                found.append(f"seal row {seal.number}: {stream} row {seq} is not what was sealed")
    return count, found


def _find_strays(store: Store, streams: set[str]) -> Iterator[str]:
    """Transfers, rounds and snapshots of streams that have no log."""
    for table in ("transfer", "round", "snapshot"):
        for stream in store.list_streams(table):
            if stream not in streams:
                yield f"{table} {stream}: there is no such stream"
