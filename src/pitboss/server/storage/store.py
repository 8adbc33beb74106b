"""The store: the database behind the floor, and the one way in which it is written.

`write` puts everything that a group of decisions says into one transaction, after it has made sure that this process
still holds the streams in it. SQLite is in write-ahead mode with `synchronous=FULL`: what `write` has returned from is
on the disk.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from pitboss.floor.ledger import NEVER_NEGATIVE, WALLET, Unit, add_up_changes
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import StoreError, first_line
from pitboss.server.storage.leases import LeaseBook, insert_or_leave
from pitboss.server.storage.lookups import DrillBook, RecallBook
from pitboss.server.storage.rows import FLOOR, LogEntry, LogRow, RoundRow, seal_digest, write_heads
from pitboss.server.storage.session_rows import SessionRow

PAGE = 2_000
"""Rows that are read at a time."""


class CommandDone(StoreError):
    """Commands of a group are in the log already; `known` has them by stream and id, with their numbers."""

    def __init__(self, known: dict[tuple[str, str], int]) -> None:
        super().__init__("a command was done before")
        self.known = known


class LeaseLost(StoreError):
    """Another process serves these streams now."""

    def __init__(self, streams: Iterable[str]) -> None:
        self.streams = tuple(streams)
        super().__init__(f"another process serves {', '.join(self.streams)}")


class Overdrawn(StoreError):
    """Decisions of these streams would bring an account below zero: another process has moved its chips meanwhile."""

    def __init__(self, streams: Iterable[str]) -> None:
        self.streams = tuple(streams)
        super().__init__("these chips were moved by another process meanwhile")


class Store(LeaseBook, RecallBook, DrillBook):
    """A database by its address: `sqlite:///floor.db`, `postgresql+psycopg://...`."""

    def __init__(self, address: str, owner: str = "", clock: Callable[[], int] | None = None) -> None:
        super().__init__(address, owner, clock)
        self._accounts: set[tuple[str, str]] = set()
        self._statements = _Statements()

    # ------------------------------------------------------------------ writing

    def write(self, entries: Sequence[LogEntry], owner: str, tokens: Mapping[str, int]) -> None:
        """Store a group of decisions in one transaction; raises, and changes nothing, if it cannot be.

        `tokens` are those of the leases of all streams in the group.
        """
        self.begin_write(entries, owner, tokens)()

    def begin_write(self, entries: Sequence[LogEntry], owner: str, tokens: Mapping[str, int]) -> Callable[[], None]:
        """Begin to store a group; what is returned finishes it, and may be called in another thread.

        SQLite gets its rows here and waits for the disk there: a thread that inserts row by row beside a busy one would
        lose a turn with every row. PostgreSQL is at the other end of a connection, so all of it is done there.
        """
        if self.kind != "sqlite":
            return lambda: self._write_at_once(entries, owner, tokens)
        fresh: set[tuple[str, str]] = set()
        try:
            connection = self.engine.connect()
        except sa.exc.SQLAlchemyError as error:
            raise self._explain(error, entries) from None
        try:
            self._add_rows(connection, entries, owner, tokens, fresh)
        except BaseException as error:
            connection.close()
            raise self._explain(error, entries) from None

        def finish() -> None:
            try:
                connection.commit()
            except sa.exc.SQLAlchemyError as error:
                raise self._explain(error, entries) from None
            finally:
                connection.close()
            self._accounts |= fresh

        return finish

    def _write_at_once(
        self, entries: Sequence[LogEntry], owner: str, tokens: Mapping[str, int]
    ) -> None:  # fmt: skip
        fresh: set[tuple[str, str]] = set()
        try:
            with self.engine.begin() as connection:
                self._add_rows(connection, entries, owner, tokens, fresh)
        except sa.exc.SQLAlchemyError as error:
            raise self._explain(error, entries) from None
        self._accounts |= fresh

    def _add_rows(
        self, connection: sa.Connection, entries: Sequence[LogEntry], owner: str, tokens: Mapping[str, int],
        fresh: set[tuple[str, str]],
    ) -> None:  # fmt: skip
        """Everything that a group says."""
        lost = self._find_lost(connection, owner, tokens)
        if lost:
            raise LeaseLost(lost)
        _insert_many(connection, schema.log, [_row_values(entry.row) for entry in entries])
        self._move_money(connection, entries, fresh)
        rounds = [msgspec.structs.asdict(entry.round) for entry in entries if entry.round is not None]
        if rounds:
            connection.execute(self._statements.add_round, rounds)

    def _explain(self, error: BaseException, entries: Sequence[LogEntry]) -> BaseException:
        """What went wrong, in one line; commands that are in the log already are named."""
        if isinstance(error, sa.exc.IntegrityError):
            known = self.find_commands(
                [(entry.row.stream, entry.row.command_id) for entry in entries if entry.row.command_id is not None]
            )
            return CommandDone(known) if known else StoreError(f"the database refuses: {first_line(error)}")
        if isinstance(error, sa.exc.SQLAlchemyError):
            return StoreError(f"the database cannot be written: {first_line(error)}")
        return error

    def _move_money(
        self, connection: sa.Connection, entries: Sequence[LogEntry], fresh: set[tuple[str, str]]
    ) -> None:  # fmt: skip
        rows = [
            (
                entry.row.stream, entry.row.seq, n, moved.debit, moved.credit, moved.unit.value, moved.amount,
                " ".join(moved.clauses),
            )
            for entry in entries
            for n, moved in enumerate(entry.transfers)
        ]  # fmt: skip
        if not rows:
            return
        _insert_many(connection, schema.transfer, rows)
        changes = add_up_changes(moved for entry in entries for moved in entry.transfers)
        moved = sorted((name, unit.value, change) for (name, unit), change in changes.items())
        self._lock_accounts(connection, entries, moved)
        fresh |= {(name, unit) for name, unit, _ in moved} - self._accounts
        for name, unit in sorted(fresh):
            guarded = int(name.startswith(NEVER_NEGATIVE))
            connection.execute(
                insert_or_leave(connection, schema.account),
                {"name": name, "unit": unit, "guarded": guarded, "balance": 0},
            )
        connection.execute(
            self._statements.change_balance,
            [{"of": name, "in": unit, "change": change} for name, unit, change in moved if change],
        )

    def _lock_accounts(
        self, connection: sa.Connection, entries: Sequence[LogEntry], moved: list[tuple[str, str, int]]
    ) -> None:
        """Lock what other processes may move too, in the order of the names, and see that nobody spends chips twice.

        SQLite has one process, whose desk knows every balance.
        """
        if self.kind == "sqlite" or not any(name.startswith(WALLET) for name, _, _ in moved):
            return
        account = schema.account
        found = connection.execute(
            sa.select(account.c.name, account.c.unit, account.c.balance)
            .where(account.c.name.in_([name for name, _, _ in moved]))
            .order_by(account.c.name, account.c.unit)
            .with_for_update()
        )
        balances = {(row.name, row.unit): row.balance for row in found}
        wallets = [
            (name, balances.get((name, unit), 0) + change) for name, unit, change in moved if name.startswith(WALLET)
        ]
        short = {name for name, left in wallets if left < 0}
        if short:
            raise Overdrawn(
                {entry.row.stream for entry in entries for moved in entry.transfers if moved.debit in short}
            )  # fmt: skip

    def write_snapshot(self, stream: str, seq: int, body: bytes) -> None:
        """Keep a stream's state at a row: a short cut to the newest state, and to what happened after this row."""
        with self._writing() as connection:
            connection.execute(schema.snapshot.insert().values(stream=stream, seq=seq, body=body))

    def write_seal(self, at_ms: int, owner: str, token: int) -> bytes:
        """Seal the heads of all streams; the digest of the seal. Whoever serves the floor itself seals."""
        with self._writing() as connection:
            if self._find_lost(connection, owner, {FLOOR: token}):
                raise LeaseLost([FLOOR])
            last = connection.execute(
                sa.select(schema.seal.c.number, schema.seal.c.digest).order_by(schema.seal.c.number.desc()).limit(1)
            ).first()
            number, previous = (last.number + 1, last.digest) if last is not None else (1, bytes(32))
            text = write_heads(_read_heads(connection))
            digest = seal_digest(number, at_ms, text, previous)
            connection.execute(
                schema.seal.insert().values(number=number, at_ms=at_ms, heads=text, previous=previous, digest=digest)
            )
        return digest

    # ------------------------------------------------------------------ reading

    def is_empty(self) -> bool:
        """Nothing was ever decided here."""
        with self._reading() as connection:
            return connection.execute(sa.select(schema.log.c.seq).limit(1)).first() is None

    def list_streams(self, table: str = "log") -> list[str]:
        """Every stream that has a row in a table of the database."""
        with self._reading() as connection:
            return list(connection.execute(sa.select(schema.hop_streams(table).c.stream)).scalars())

    def read_log(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[LogRow]:
        """The rows of a stream in order, those after a number and up to another."""
        while True:
            query = (
                sa.select(schema.log)
                .where(schema.log.c.stream == stream, schema.log.c.seq > after)
                .order_by(schema.log.c.seq)
                .limit(PAGE)
            )
            if until is not None:
                query = query.where(schema.log.c.seq <= until)
            with self._reading() as connection:
                rows = connection.execute(query).all()
            for row in rows:
                yield LogRow(**{**row._mapping, "sealed": bool(row.sealed)})
            if len(rows) < PAGE:
                return
            after = rows[-1].seq

    def read_staff_rows(self, last: int, actor: str = "", stream: str = "") -> list[LogRow]:
        """The last rows that people of the house have caused, the newest first; of one of them, or of one stream."""
        log = schema.log
        query = sa.select(log).where(log.c.actor != "", log.c.role != "player")
        if actor:
            query = query.where(log.c.actor == actor)
        if stream:
            query = query.where(log.c.stream == stream)
        query = query.order_by(log.c.at_ms.desc(), log.c.stream, log.c.seq.desc()).limit(last)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [LogRow(**{**row._mapping, "sealed": bool(row.sealed)}) for row in rows]

    def find_head(self, stream: str) -> tuple[int, bytes] | None:
        """Number and digest of the last row of a stream."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(schema.log.c.seq, schema.log.c.digest)
                .where(schema.log.c.stream == stream)
                .order_by(schema.log.c.seq.desc())
                .limit(1)
            ).first()
        return None if row is None else (row.seq, row.digest)

    def find_commands(self, asked: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Those of these commands, by stream and id, that are in the log, and where."""
        found: dict[tuple[str, str], int] = {}
        with self._reading() as connection:
            for stream, command_id in asked:
                seq = connection.execute(
                    sa.select(schema.log.c.seq).where(
                        schema.log.c.stream == stream, schema.log.c.command_id == command_id
                    )
                ).scalar()
                if seq is not None:
                    found[stream, command_id] = seq
        return found

    def read_recent_ids(self, stream: str, count: int) -> dict[str, int]:
        """The last commands of a stream by their ids."""
        with self._reading() as connection:
            rows = connection.execute(
                sa.select(schema.log.c.command_id, schema.log.c.seq)
                .where(schema.log.c.stream == stream, schema.log.c.command_id.is_not(None))
                .order_by(schema.log.c.seq.desc())
                .limit(count)
            ).all()
        return {row.command_id: row.seq for row in reversed(rows)}

    def read_balances(self) -> dict[tuple[str, Unit], int]:
        """Every account and what is in it."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(schema.account)).all()
        self._accounts = {(row.name, row.unit) for row in rows}
        return {(row.name, Unit(row.unit)): row.balance for row in rows}

    def read_some_balances(self, names: Sequence[str]) -> dict[tuple[str, Unit], int]:
        """What is in these accounts, in every unit they hold."""
        with self._reading() as connection:
            rows = connection.execute(sa.select(schema.account).where(schema.account.c.name.in_(names))).all()
        return {(row.name, Unit(row.unit)): row.balance for row in rows}

    def find_imbalance(self) -> int:
        """By how much all accounts together miss zero, over all units, in grains."""
        account = schema.account
        with self._reading() as connection:
            sums = connection.execute(sa.select(sa.func.sum(account.c.balance)).group_by(account.c.unit)).scalars()
            return sum(abs(int(total)) for total in sums)

    def read_transfers(self, stream: str) -> Iterator[Any]:
        """The transfers of a stream in order."""
        with self._reading() as connection:
            query = (
                sa.select(schema.transfer)
                .where(schema.transfer.c.stream == stream)
                .order_by(schema.transfer.c.seq, schema.transfer.c.n)
            )
            yield from connection.execute(query)

    def read_rounds(self, stream: str, last: int = 20) -> list[RoundRow]:
        """The last rounds of a table, the newest first; all of them if `last` is below zero."""
        query = (
            sa.select(schema.round_table)
            .where(schema.round_table.c.stream == stream)
            .order_by(schema.round_table.c.number.desc(), schema.round_table.c.revision.desc())
        )
        with self._reading() as connection:
            rows = connection.execute(query if last < 0 else query.limit(last)).all()
        return [RoundRow(**row._mapping) for row in rows]

    def read_round(self, stream: str, number: int) -> RoundRow | None:
        """One round of a table, as it was put right last."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(schema.round_table)
                .where(schema.round_table.c.stream == stream, schema.round_table.c.number == number)
                .order_by(schema.round_table.c.revision.desc())
                .limit(1)
            ).first()
        return None if row is None else RoundRow(**row._mapping)

    def count_rounds(self) -> int:
        """How many rounds are kept: those of a table are numbered from 1."""
        streams, kept = schema.hop_streams("round"), schema.round_table
        last = sa.select(sa.func.max(kept.c.number)).where(kept.c.stream == streams.c.stream).scalar_subquery()
        with self._reading() as connection:
            return sum(connection.execute(sa.select(last).select_from(streams)).scalars())

    def read_snapshot(self, stream: str, until: int | None = None) -> tuple[int, bytes] | None:
        """The last kept state of a stream, up to a row if one is given, and the row it stands at."""
        query = sa.select(schema.snapshot).where(schema.snapshot.c.stream == stream)
        if until is not None:
            query = query.where(schema.snapshot.c.seq <= until)
        with self._reading() as connection:
            row = connection.execute(query.order_by(schema.snapshot.c.seq.desc()).limit(1)).first()
        return None if row is None else (row.seq, row.body)

    def read_seals(self) -> Iterator[Any]:
        """Every seal in order."""
        with self._reading() as connection:
            yield from connection.execute(sa.select(schema.seal).order_by(schema.seal.c.number))

    # ------------------------------------------------------------------ sessions

    def add_session(self, session: SessionRow) -> None:
        """Somebody signs in."""
        with self._writing() as connection:
            connection.execute(schema.session.insert().values(**msgspec.structs.asdict(session)))

    def find_session(self, token_hash: str) -> SessionRow | None:
        """Who is signed in with this token."""
        with self._reading() as connection:
            row = connection.execute(sa.select(schema.session).where(schema.session.c.token_hash == token_hash)).first()
        return None if row is None else SessionRow(**row._mapping)

    def list_sessions(self, person: str, now_ms: int) -> list[SessionRow]:
        """The sessions of a person that have not run out, the newest first."""
        session = schema.session
        query = sa.select(session).where(session.c.person == person, session.c.until_ms > now_ms)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(session.c.began_ms.desc(), session.c.token_hash)).all()
        return [SessionRow(**row._mapping) for row in rows]

    def change_session(self, token_hash: str, change: Callable[[SessionRow], SessionRow]) -> SessionRow | None:
        """A session is used, or ends: what `change` makes of the row as it is now, whoever else has changed it."""
        kept = schema.session
        own = kept.c.token_hash == token_hash
        with self._writing() as connection:
            row = connection.execute(sa.select(kept).where(own).with_for_update()).first()
            if row is None:
                return None
            changed = change(SessionRow(**row._mapping))
            connection.execute(kept.update().where(own).values(**msgspec.structs.asdict(changed)))
        return changed


class _Statements:
    """What is written for every group, put together once."""

    def __init__(self) -> None:
        account = schema.account
        self.add_round = schema.round_table.insert()
        self.change_balance = (
            account.update()
            .where(account.c.name == sa.bindparam("of"), account.c.unit == sa.bindparam("in"))
            .values(balance=account.c.balance + sa.bindparam("change"))
        )


def _row_values(row: LogRow) -> tuple[Any, ...]:
    return (
        row.stream, row.seq, row.at_ms, row.role, row.actor, row.command_id, int(row.sealed), row.body, row.previous,
        row.digest,
    )  # fmt: skip


def _insert_many(connection: sa.Connection, table: sa.Table, rows: list[tuple[Any, ...]]) -> None:
    """Add rows, with their values in the order of the columns; SQLite takes them as they are."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_write_insert(table), rows)
    else:
        names = [column.name for column in table.columns]
        connection.execute(table.insert(), [dict(zip(names, row, strict=True)) for row in rows])


@functools.cache
def _write_insert(table: sa.Table) -> str:
    names = ", ".join(column.name for column in table.columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({', '.join('?' * len(table.columns))})"


def _read_heads(connection: sa.Connection) -> dict[str, tuple[int, bytes]]:
    """The last row of every stream, by its index: a stream has a lease before it has a row."""
    log, lease = schema.log, schema.lease
    own = log.alias()
    last = sa.select(sa.func.max(own.c.seq)).where(own.c.stream == lease.c.stream).scalar_subquery()
    query = sa.select(log.c.stream, log.c.seq, log.c.digest).join(
        lease, sa.and_(log.c.stream == lease.c.stream, log.c.seq == last)
    )
    return {row.stream: (row.seq, row.digest) for row in connection.execute(query)}
