"""A database by its address: how it is reached, read and written, and what is said when it cannot be."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa

from pitboss.errors import PitbossError
from pitboss.server.steady_clock import read_wall_ms
from pitboss.server.storage import database_schema as schema

PATIENCE = {"connect_timeout": 3, "keepalives_idle": 5, "keepalives_interval": 2, "tcp_user_timeout": 5_000}
"""How long PostgreSQL may be silent, in seconds and milliseconds, before it counts as gone."""
NAME_CHARACTERS = 60
"""How much of the end of its name a process shows as the name of its sessions; PostgreSQL keeps 63 characters."""
FROZEN_MS = 2_000
"""PostgreSQL ends a writer that stops in the middle of a transaction, so that its locks hold up nobody."""


class StoreError(PitbossError):
    """The database cannot be read or written now: nothing was changed."""


class Database:
    """A database: `sqlite:///floor.db`, `postgresql+psycopg://...`."""

    def __init__(self, address: str, owner: str = "", clock: Callable[[], int] | None = None) -> None:
        self.address = address
        try:
            self.engine = _make_engine(address, owner)
            self.reader = _make_reader(self.engine)
            with self.engine.begin() as connection:
                schema.migrate(connection)
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"{_hide_password(address)}: {first_line(error)}") from None
        self.clock = read_wall_ms if clock is None and self.kind == "sqlite" else clock
        """The clock by which leases run; none: the database has one."""

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        return self.engine.dialect.name

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        self.reader.dispose()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """A transaction; what the database complains about is told in one line."""
        try:
            with self.engine.begin() as connection:
                yield connection
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"the database cannot be written: {first_line(error)}") from None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self.reader.connect() as connection:
                yield connection
        except sa.exc.SQLAlchemyError as error:
            raise StoreError(f"the database cannot be read: {first_line(error)}") from None


def _make_engine(address: str, owner: str) -> sa.Engine:
    url = sa.make_url(address)
    if url.get_backend_name() != "sqlite":
        own = {"options": f"-c idle_in_transaction_session_timeout={FROZEN_MS}"}
        own["application_name"] = owner[-NAME_CHARACTERS:]
        return sa.create_engine(url, pool_pre_ping=True, connect_args={**PATIENCE, **own})
    engine = sa.create_engine(url, connect_args={"check_same_thread": False, "timeout": 10})

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        if connection.connection.in_transaction:
            connection.exec_driver_sql("ROLLBACK")  # a commit that was refused leaves its transaction open
        reads = connection.get_execution_options().get("reads", False)
        connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

    return engine


def _make_reader(engine: sa.Engine) -> sa.Engine:
    """The engine for what is only read; reading may take its time."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(reads=True)
    return sa.create_engine(engine.url, pool_pre_ping=True, isolation_level="AUTOCOMMIT", connect_args=PATIENCE)


def first_line(error: BaseException) -> str:
    """What a database complains about, in one line."""
    cause = getattr(error, "orig", None) or error
    return str(cause).splitlines()[0] if str(cause) else type(cause).__name__


def _hide_password(address: str) -> str:
    return sa.make_url(address).render_as_string(hide_password=True)
