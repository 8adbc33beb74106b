"""How the audit reads a database: a page of rows at a time, up to where it stood when the audit began, and whatever a
row has become.

Nothing is written, not even a newer schema. A page that cannot be read is read row by row, so that the row at fault is
found; text that is no text any more is shown with its bytes. What was stored when the audit began is audited, so that a
floor may be open meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import StoreError, first_line
from pitboss.server.storage.ledger_guards import find_uneven_units

PAGE = 1_000
"""Rows that are read at a time."""
MOST_ROWS = 2**62
"""More than any stream has."""


class Standing(msgspec.Struct):
    """What a database held at one moment, as far as it can be held in memory."""

    heads: dict[str, int]
    """The number of the last row of each stream."""
    accounts: list[tuple[Any, ...]]
    sessions: list[tuple[Any, ...]]
    versions: list[Any]
    strays: list[str]
    """Rows of streams that have no log."""
    seals: int
    uneven: list[str]
    """Units of which the database itself says that they do not come to zero."""


class UnreadableRow(StoreError):
    """A row that the database cannot give back."""


class AuditReader:
    """Reads a database by its address, and changes nothing in it."""

    def __init__(self, address: str) -> None:
        self.engine = _make_engine(address)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def check_file(self) -> list[str]:
        """Damage to the file itself, which SQLite can tell."""
        if self.engine.dialect.name != "sqlite":
            return []
        try:
            with self.engine.connect() as connection:
                said = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
        except sa.exc.SQLAlchemyError as error:
            said = [first_line(error)]
        return [f"the database file is damaged: {' '.join(str(line).split())}" for line in said if line != "ok"]

    def find_standing(self) -> Standing:
        """Everything that changes while a floor is open, and where its streams end, at one moment."""
        try:
            with self.engine.connect() as connection:
                versions = list(connection.execute(sa.select(schema.version_table.c.version)).scalars())
                if sorted(versions, key=str) == list(range(1, len(versions) + 1)) and len(versions) < schema.VERSION:
                    raise StoreError(
                        f"the database has version {len(versions)}, and this pitboss audits version {schema.VERSION}: "
                        "open it once with pitboss serve"
                    )
                streams = list(connection.execute(sa.select(schema.hop_streams("log").c.stream)).scalars())
                return Standing(
                    heads={stream: _find_head(connection, stream) for stream in streams},
                    accounts=[tuple(row) for row in connection.execute(sa.select(schema.account))],
                    sessions=[tuple(row) for row in connection.execute(sa.select(schema.session))],
                    versions=versions,
                    strays=_find_strays(connection, set(streams)),
                    seals=connection.execute(sa.select(sa.func.max(schema.seal.c.number))).scalar() or 0,
                    uneven=list(find_uneven_units(connection)),
                )
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"the database cannot be read: {first_line(error)}") from None

    def read(self, table: sa.Table, key: tuple[str, ...], stream: str = "", until: int | None = None) -> Iterator[Any]:
        """The rows of a table, or of a stream in it, in the order of a key; `until` bounds the first part of it.

        Raises `UnreadableRow` where a row cannot be given back, with the last one that could.
        """
        columns = [table.c[name] for name in key]
        query = sa.select(table).order_by(*columns)
        if stream:
            query = query.where(table.c.stream == stream)
        if until is not None:
            query = query.where(columns[0] <= until)
        last: tuple[Any, ...] | None = None
        while True:
            page = query if last is None else query.where(sa.tuple_(*columns) > sa.tuple_(*last))
            rows, asked = self._fetch(page, PAGE), PAGE
            if rows is None:
                rows, asked = self._fetch(page, 1), 1
            if rows is None:
                raise UnreadableRow(f"the row after {'/'.join(map(str, last or (0,)))} cannot be read")
            yield from rows
            if len(rows) < asked:
                return
            last = tuple(rows[-1]._mapping[column] for column in columns)

    def _fetch(self, query: sa.Select[Any], count: int) -> list[Any] | None:
        try:
            with self.engine.connect() as connection:
                return list(connection.execute(query.limit(count)))
        except (sa.exc.SQLAlchemyError, ValueError, TypeError):
            return None

    def find_digest(self, stream: str, seq: int) -> bytes | None:
        """The digest of one row of a log."""
        if not 0 <= seq < MOST_ROWS:
            return None
        query = sa.select(schema.log.c.digest).where(schema.log.c.stream == stream, schema.log.c.seq == seq)
        rows = self._fetch(query, 1)
        return rows[0].digest if rows else None


def _find_head(connection: sa.Connection, stream: str) -> int:
    query = sa.select(schema.log.c.seq).where(schema.log.c.stream == stream)
    head = connection.execute(query.order_by(schema.log.c.seq.desc()).limit(1)).scalar()
    if head is None:
        return 0
    return head if isinstance(head, int) else MOST_ROWS


def _find_strays(connection: sa.Connection, streams: set[str]) -> list[str]:
    found = []
    for table in ("transfer", "round", "snapshot"):
        for stream in connection.execute(sa.select(schema.hop_streams(table).c.stream)).scalars():
            if stream not in streams:
                found.append(f"{table} {stream}: there is no such stream")
    return found


def _make_engine(address: str) -> sa.Engine:
    url = sa.make_url(address)
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, isolation_level="REPEATABLE READ", pool_pre_ping=True)
    if not url.database or not Path(url.database).is_file():
        raise StoreError(f"{url.database}: there is no such database")
    engine = sa.create_engine(url)

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
        connection.execute("PRAGMA query_only=ON")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine
