"""A copy of a floor's database, made while the floor is open, and a floor made from such a copy.

A copy is always a SQLite file, of a floor on PostgreSQL too, and holds what was stored at one moment. It is worth
nothing until it has been audited, which needs the floor's key. The key is not copied: it has to lie elsewhere.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.store import Store

PAGE = 2_000
"""Rows that are copied at a time."""
WHO_SERVES = (schema.lease, schema.process)
LEFT_OUT = (schema.version_table.name, *(table.name for table in WHO_SERVES))
"""What is not copied row by row: a new database has its version, and nobody serves it."""


def back_up(address: str, target: Path) -> None:
    """Copy a database to a file that is not there yet."""
    if target.exists():
        raise StoreError(f"{target}: is there already; name a file that is not")
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    try:
        if sa.make_url(address).get_backend_name() == "sqlite":
            _copy_file(address, draft)
        else:
            _copy_rows(address, f"sqlite:///{draft}")
        draft.rename(target)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror}") from None
    finally:
        for path in (draft, *(draft.with_name(f"{draft.name}-{kind}") for kind in ("wal", "shm"))):
            path.unlink(missing_ok=True)


def restore_floor(copy: Path, address: str) -> None:
    """Make a new database from a copy: a file that is not there yet, or an empty database of PostgreSQL."""
    url = sa.make_url(address)
    if url.get_backend_name() != "sqlite":
        _copy_rows(f"sqlite:///{copy}", address)
        return
    target = Path(url.database or "")
    back_up(f"sqlite:///{copy}", target)
    store = Store(address)
    with store.engine.begin() as connection:
        for table in WHO_SERVES:
            connection.execute(table.delete())
    store.close()


def _copy_file(address: str, draft: Path) -> None:
    """Copy a file of SQLite page by page; what is written meanwhile is not in it."""
    name = sa.make_url(address).database or ""
    if not Path(name).is_file():
        raise StoreError(f"{name}: there is no such database")
    source = sqlite3.connect(f"file:{Path(name).resolve()}?mode=ro", uri=True)
    try:
        copy = sqlite3.connect(draft)
        try:
            source.backup(copy)
        finally:
            copy.close()
    except sqlite3.Error as error:
        raise StoreError(f"{name}: cannot be copied: {error}") from None
    finally:
        source.close()


def _copy_rows(address: str, target: str) -> None:
    """Copy everything row by row, as it stood at one moment, in one transaction."""
    source, copy = Store(address), Store(target)
    try:
        if copy.list_streams():
            raise StoreError("there is a floor in this database already; name one that is empty")
        level = "SERIALIZABLE" if source.kind == "sqlite" else "REPEATABLE READ"
        reader = source.reader.execution_options(isolation_level=level)
        with reader.connect() as reading, copy.engine.begin() as writing:
            for connection in (reading, writing):
                _take_time(connection)
            for table in schema.metadata.sorted_tables:
                if table.name not in LEFT_OUT:
                    for rows in _read_pages(reading, table):
                        writing.execute(table.insert(), rows)
    except sa.exc.SQLAlchemyError as error:
        raise StoreError(f"the database cannot be copied: {str(error).splitlines()[0]}") from None
    finally:
        source.close()
        copy.close()


def _take_time(connection: sa.Connection) -> None:
    """A copy takes as long as it takes: PostgreSQL is not to end it where the other side is slow."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")


def _read_pages(connection: sa.Connection, table: sa.Table) -> Iterator[list[dict[str, Any]]]:
    found = connection.execute(sa.select(table).execution_options(yield_per=PAGE))
    for rows in found.partitions(PAGE):
        yield [dict(row._mapping) for row in rows]
