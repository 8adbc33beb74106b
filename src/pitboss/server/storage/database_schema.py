"""The tables of the database, and how an older database becomes a newer one.

Rows are added and never changed, but for balances, leases, processes, drills and the end of sessions. The database
itself refuses a balance below zero for what players own, a second row of one number in a stream, and a command that was
done already. Long rows lie in the order in which they came, so that a group of them touches few pages of the disk.
`ledger_guards` has what the database refuses about money beside.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from pitboss.errors import PitbossError
from pitboss.server.storage.ledger_guards import guard_all_players, guard_ledger

metadata = sa.MetaData()


class SchemaError(PitbossError):
    """A database that this version cannot serve."""


version_table = sa.Table("schema_version", metadata, sa.Column("version", sa.Integer, nullable=False))

log = sa.Table(
    "log",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("command_id", sa.Text),
    sa.Column("sealed", sa.Integer, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Column("previous", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
    sa.UniqueConstraint("stream", "command_id", name="command_once"),
)

transfer = sa.Table(
    "transfer",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("debit", sa.Text, nullable=False),
    sa.Column("credit", sa.Text, nullable=False),
    sa.Column("unit", sa.Text, nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("clauses", sa.Text, nullable=False),
    sa.CheckConstraint("amount > 0", name="money_moves"),
    sa.CheckConstraint("debit <> credit", name="money_moves_elsewhere"),
    sa.ForeignKeyConstraint(["stream", "seq"], ["log.stream", "log.seq"], name="money_follows_events"),
    sqlite_with_rowid=False,
)

account = sa.Table(
    "account",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("unit", sa.Text, primary_key=True),
    sa.Column("guarded", sa.Integer, nullable=False),
    sa.Column("balance", sa.BigInteger, nullable=False),
    sa.CheckConstraint("balance >= 0 or guarded = 0", name="nobody_below_zero"),
    sqlite_with_rowid=False,
)

round_table = sa.Table(
    "round",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("revision", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("first_seq", sa.BigInteger, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("rules_digest", sa.Text, nullable=False),
    sa.Column("code_digest", sa.Text, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
)

snapshot = sa.Table(
    "snapshot",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
)

lease = sa.Table(
    "lease",
    metadata,
    sa.Column("stream", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("token", sa.BigInteger, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
)

process = sa.Table(
    "process",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),
    sa.Column("link", sa.Text, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
)

seal = sa.Table(
    "seal",
    metadata,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at_ms", sa.BigInteger, nullable=False),
    sa.Column("heads", sa.Text, nullable=False),
    sa.Column("previous", sa.LargeBinary, nullable=False),
    sa.Column("digest", sa.LargeBinary, nullable=False),
)

session = sa.Table(
    "session",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("began_ms", sa.BigInteger, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
    sa.Column("seen_ms", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("proof", sa.Text, nullable=False),
)


drill = sa.Table(
    "drill",
    metadata,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("topic", sa.Text, primary_key=True),
    sa.Column("asked", sa.BigInteger, nullable=False),
    sa.Column("correct", sa.BigInteger, nullable=False),
    sa.Column("in_a_row", sa.BigInteger, nullable=False),
    sa.Column("last_ms", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)


def hop_streams(table: str) -> sa.CTE:
    """Every stream that has a row in a table, found by hopping from one to the next: its rows are not read."""
    column = metadata.tables[table].c.stream
    first = sa.select(sa.func.min(column).label("stream")).cte("streams", recursive=True)
    following = sa.select(sa.func.min(column)).where(column > first.c.stream).scalar_subquery()
    hopping = first.union_all(sa.select(following).where(first.c.stream.is_not(None)))
    return sa.select(hopping.c.stream).where(hopping.c.stream.is_not(None)).cte("found_streams")


def _make_first(connection: sa.Connection) -> None:
    later = (process, drill)
    metadata.create_all(connection, tables=[table for table in metadata.sorted_tables if table not in later])


def _index_staff(connection: sa.Connection) -> None:
    """What people of the house did is found without reading what everybody played."""
    connection.exec_driver_sql("CREATE INDEX staff_rows ON log (at_ms) WHERE actor <> '' AND role <> 'player'")


def _add_processes(connection: sa.Connection) -> None:
    """Several processes serve one floor: each of them has a row."""
    process.create(connection)


def _note_use_of_sessions(connection: sa.Connection) -> None:
    """It is known when a session was last used; and those of one person are found quickly."""
    if "seen_ms" not in _list_session_columns(connection):
        connection.exec_driver_sql("ALTER TABLE session ADD COLUMN seen_ms BIGINT NOT NULL DEFAULT 0")
    connection.exec_driver_sql("CREATE INDEX sessions_of ON session (person)")


def _prove_sessions(connection: sa.Connection) -> None:
    """Sessions have a proof; whoever was signed in without one signs in again."""
    if "proof" not in _list_session_columns(connection):
        connection.execute(session.delete())
        connection.exec_driver_sql("ALTER TABLE session ADD COLUMN proof TEXT NOT NULL DEFAULT ''")


def _list_session_columns(connection: sa.Connection) -> set[str]:
    return {column["name"] for column in sa.inspect(connection).get_columns(session.name)}


def _keep_drills(connection: sa.Connection) -> None:
    """It is kept how far somebody has come with the drills."""
    drill.create(connection)


MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (
    _make_first, _index_staff, _add_processes, guard_ledger, _note_use_of_sessions, _prove_sessions,
    guard_all_players, _keep_drills,
)  # fmt: skip
"""What leads from one version of the schema to the next; the first makes all tables that no later one adds."""

VERSION = len(MIGRATIONS)
MIGRATION_LOCK = 8021
"""The advisory lock under which PostgreSQL lets one process at a time change the schema."""


def find_version(connection: sa.Connection) -> int:
    """The version of a database; 0 if it is empty."""
    if not sa.inspect(connection).has_table(version_table.name):
        return 0
    found = connection.execute(sa.select(sa.func.max(version_table.c.version))).scalar()
    return int(found or 0)


def migrate(connection: sa.Connection) -> None:
    """Bring the database to this version, step by step; a newer one is refused."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
    found = find_version(connection)
    if found > VERSION:
        raise SchemaError(
            f"the database has version {found} and this pitboss knows version {VERSION}: use a newer pitboss"
        )
    for number, step in enumerate(MIGRATIONS[found:], found + 1):
        step(connection)
        connection.execute(version_table.insert().values(version=number))
