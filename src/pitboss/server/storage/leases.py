"""Leases: which process serves which stream, as the database has it.

A process that lives says so every second, in one row of its own; a lease names the process that serves a stream, and
has a fencing token that grows with every change of hands. A stream may be taken when its process has not been heard of
for a while. Every commit locks the leases of its streams and compares their tokens, so whoever slept meanwhile
writes nothing. Leases run by the clock of the database, which is the same for every process; on SQLite, which has one
process, by that of the machine.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import NAME_CHARACTERS, Database

LEASE_MS = 3_000
"""How long a process serves a stream after it was last heard of."""
NOBODY = ""
"""The owner of a stream that was handed back."""
ROOM = 65_536
"""Characters that must find room in a database that was full before it counts as well again."""
FORGOTTEN_MS = 60_000
"""How long after it was last heard of a process is still listed."""

_NOW = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)
"""The time of the database, in milliseconds since 1970."""

_END_SESSIONS = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name IN "
    f"(SELECT right(owner, {NAME_CHARACTERS}) FROM lease WHERE stream = ANY(:streams) AND owner <> '' "
    "AND until_ms <= :now AND owner NOT IN (SELECT owner FROM process WHERE until_ms > :now))"
)
"""A process that froze in the middle of a transaction holds its locks for as long as it sleeps: end its sessions."""


class ProcessRow(msgspec.Struct, frozen=True):
    """A server process: where clients reach it, where other processes do, and until when it counts as alive."""

    owner: str
    address: str
    link: str
    until_ms: int


class LeaseRow(msgspec.Struct, frozen=True):
    """Who serves a stream."""

    stream: str
    owner: str
    token: int
    until_ms: int


class Directory(msgspec.Struct, frozen=True):
    """Every process and every lease, as they were read."""

    processes: dict[str, ProcessRow] = {}
    leases: dict[str, LeaseRow] = {}
    version: tuple[int, int] = (0, 0)
    """How many leases there are and what their tokens come to: the same as long as no lease has changed."""
    now_ms: int = 0
    """When it was read, by the clock of leases."""


class LeaseBook(Database):
    """The part of a store that is about leases."""

    def _read_clock(self, connection: sa.Connection) -> int:
        return int(connection.execute(sa.select(_NOW)).scalar_one()) if self.clock is None else self.clock()

    def take(self, streams: Sequence[str], owner: str) -> dict[str, int]:
        """Become the process that serves these streams; those that could be taken, and their tokens.

        A stream may be taken when it is new, was handed back, or its process has not been heard of. Whoever held it
        finds out when it next writes, and writes nothing. A lease that another transaction holds is left alone.
        """
        lease, process = schema.lease, schema.process
        taken: dict[str, int] = {}
        with self._writing() as connection:
            now_ms = self._read_clock(connection)
            until_ms = now_ms + LEASE_MS
            known = connection.execute(sa.select(lease.c.stream).where(lease.c.stream.in_(streams))).scalars().all()
            for stream in sorted(set(streams) - set(known)):
                made = _insert_if_new(connection, lease, stream=stream, owner=owner, token=1, until_ms=until_ms)
                if made:
                    taken[stream] = 1
            alive = sa.select(process.c.owner).where(process.c.until_ms > now_ms)
            gone = sa.and_(lease.c.until_ms <= now_ms, lease.c.owner.not_in(alive))
            if connection.dialect.name == "postgresql":
                connection.execute(_END_SESSIONS, {"streams": list(streams), "now": now_ms})
            free = connection.execute(
                sa.select(lease.c.stream, lease.c.token)
                .where(lease.c.stream.in_(known), sa.or_(lease.c.owner.in_((owner, NOBODY)), gone))
                .order_by(lease.c.stream)
                .with_for_update(skip_locked=True)
            ).all()
            for stream, token in free:
                connection.execute(
                    lease.update()
                    .where(lease.c.stream == stream)
                    .values(owner=owner, token=token + 1, until_ms=until_ms)
                )
                taken[stream] = token + 1
        return taken

    def renew(self, owner: str, address: str = "", link: str = "") -> dict[str, int]:
        """Say that this process lives; what it serves, by the token of each stream."""
        with self._writing() as connection:
            now_ms = self._read_clock(connection)
            values = msgspec.structs.asdict(ProcessRow(owner, address, link, now_ms + LEASE_MS))
            found = connection.execute(schema.process.update().where(schema.process.c.owner == owner).values(**values))
            if not found.rowcount:
                connection.execute(schema.process.insert().values(**values))
                old = schema.process.c.until_ms < now_ms - FORGOTTEN_MS
                connection.execute(schema.process.delete().where(old))
            rows = connection.execute(
                sa.select(schema.lease.c.stream, schema.lease.c.token).where(schema.lease.c.owner == owner)
            ).all()
        return {row.stream: row.token for row in rows}

    def check_room(self, owner: str) -> None:
        """Store something and take it away again: raises unless there is room for what may be decided next."""
        process, name = schema.process, f"{owner} looks for room"
        with self._writing() as connection:
            connection.execute(process.delete().where(process.c.owner == name))
            connection.execute(process.insert().values(owner=name, address="." * ROOM, link="", until_ms=0))
        with self._writing() as connection:
            connection.execute(process.delete().where(process.c.owner == name))

    def hand_back(self, streams: Sequence[str], owner: str) -> None:
        """Serve these streams no longer, so that another process may at once."""
        lease = schema.lease
        with self._writing() as connection:
            connection.execute(
                lease.update()
                .where(lease.c.owner == owner, lease.c.stream.in_(streams))
                .values(owner=NOBODY, token=lease.c.token + 1, until_ms=0)
            )

    def strike(self, stream: str, owner: str) -> None:
        """End the lease of a stream that was never opened: whoever was about to has gone."""
        lease = schema.lease
        with self._writing() as connection:
            connection.execute(lease.delete().where(lease.c.stream == stream, lease.c.owner == owner))

    def free(self, owner: str) -> None:
        """End as a process: no longer serve anything, so that others may at once."""
        lease = schema.lease
        with self._writing() as connection:
            connection.execute(
                lease.update().where(lease.c.owner == owner).values(owner=NOBODY, token=lease.c.token + 1, until_ms=0)
            )
            connection.execute(schema.process.delete().where(schema.process.c.owner == owner))

    def free_all(self) -> None:
        """Nobody serves anything: for whoever knows otherwise that no other process is there."""
        lease = schema.lease
        with self._writing() as connection:
            connection.execute(lease.update().values(owner=NOBODY, token=lease.c.token + 1, until_ms=0))
            connection.execute(schema.process.delete())

    def read_directory(self, known: Directory) -> Directory:
        """Who serves what; leases are read again only if one of them has changed since `known`."""
        lease, process = schema.lease, schema.process
        with self._reading() as connection:
            processes = [ProcessRow(**row._mapping) for row in connection.execute(sa.select(process))]
            count, tokens = connection.execute(
                sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(lease.c.token), 0)).select_from(lease)
            ).one()
            version, leases = (int(count), int(tokens)), known.leases
            if version != known.version:
                leases = {row.stream: LeaseRow(**row._mapping) for row in connection.execute(sa.select(lease))}
                version = (len(leases), sum(row.token for row in leases.values()))
            return Directory({row.owner: row for row in processes}, leases, version, self._read_clock(connection))

    def _find_lost(self, connection: sa.Connection, owner: str, tokens: Mapping[str, int]) -> list[str]:
        """Lock the leases of these streams and keep them a while longer; those that are not ours under these tokens."""
        bound: dict[str, object] = {"mine": owner, "streams": sorted(tokens)}
        if self.clock is not None:
            bound["until"] = self.clock() + LEASE_MS
        held = {row.stream: row.token for row in connection.execute(_make_renewal(self.clock is None), bound)}
        return [stream for stream, token in tokens.items() if held.get(stream) != token]


@functools.cache
def _make_renewal(by_database: bool) -> Any:
    """The statement that keeps leases, put together once for each clock."""
    lease = schema.lease
    until = _NOW + LEASE_MS if by_database else sa.bindparam("until")
    streams: sa.BindParameter[Any] = sa.bindparam("streams", expanding=True)
    return (
        lease.update()
        .where(lease.c.owner == sa.bindparam("mine"), lease.c.stream.in_(streams))
        .values(until_ms=until)
        .returning(lease.c.stream, lease.c.token)
    )


def _insert_if_new(connection: sa.Connection, table: sa.Table, **values: object) -> bool:
    """Add a row unless its key is there; whether it was added."""
    return bool(connection.execute(insert_or_leave(connection, table).values(**values)).rowcount)


def insert_or_leave(connection: sa.Connection, table: sa.Table) -> Any:
    """An insert that leaves a row alone whose key is there already, whoever has added it."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    return insert(table).on_conflict_do_nothing()
