"""What the database itself refuses about money, whoever writes to it.

Every transfer names two accounts and one amount, so that it balances by itself. Beside that, all accounts of a unit
come to zero whenever a transaction is committed, and no account that a player owns, no layout and nothing that is held
back is ever below zero. SQLite adds up each unit in a row that must be zero at the commit (a deferred foreign key, as
connections of the server enforce them). PostgreSQL adds up what one transaction changes and looks at it at the commit
(a deferred constraint trigger), so that processes do not wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from pitboss.floor.ledger import NEVER_NEGATIVE

BELOW_ZERO = "nobody below zero"
NOT_ZERO = "all accounts come to zero"


def guard_ledger(connection: sa.Connection) -> None:
    """Have the database refuse money out of nothing."""
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL:
        connection.exec_driver_sql(statement)


def guard_all_players(connection: sa.Connection) -> None:
    """Have it refuse a balance below zero for every account that may have none now, not only for those known before."""
    for statement in _SQLITE_AGAIN if connection.dialect.name == "sqlite" else _POSTGRESQL_AGAIN:
        connection.exec_driver_sql(statement)


def find_uneven_units(connection: sa.Connection) -> Iterator[str]:
    """Units whose sums, as SQLite keeps them, are not what they must be; PostgreSQL keeps none."""
    if connection.dialect.name != "sqlite":
        return
    yield from connection.exec_driver_sql("SELECT unit FROM unit_total WHERE total <> 0 ORDER BY unit").scalars()
    if connection.exec_driver_sql("SELECT group_concat(value) FROM zero").scalar() != "0":
        yield "zero"


_GUARDED = " OR ".join(f"NEW.name GLOB '{kind}*'" for kind in NEVER_NEGATIVE)
_ADD_NEW = (
    "INSERT INTO unit_total VALUES (NEW.unit, NEW.balance) ON CONFLICT (unit) DO UPDATE SET total = total + NEW.balance"
)
_TAKE_OLD = "UPDATE unit_total SET total = total - OLD.balance WHERE unit = OLD.unit"

_BELOW_ZERO = tuple(
    f"CREATE TRIGGER below_zero_{when.lower()} BEFORE {when} ON account WHEN NEW.balance < 0 AND ({_GUARDED})"
    f" BEGIN SELECT RAISE(ABORT, '{BELOW_ZERO}'); END"
    for when in ("INSERT", "UPDATE")
)
_SQLITE = (
    "CREATE TABLE zero (value INTEGER PRIMARY KEY CHECK (value = 0))",
    "INSERT INTO zero VALUES (0)",
    "CREATE TABLE unit_total (unit TEXT PRIMARY KEY, total INTEGER NOT NULL REFERENCES zero (value)"
    " DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID",
    "INSERT INTO unit_total SELECT unit, SUM(balance) FROM account GROUP BY unit",
    f"CREATE TRIGGER account_added AFTER INSERT ON account BEGIN {_ADD_NEW}; END",
    "CREATE TRIGGER account_changed AFTER UPDATE ON account WHEN NEW.unit = OLD.unit BEGIN"
    " UPDATE unit_total SET total = total + NEW.balance - OLD.balance WHERE unit = NEW.unit; END",
    f"CREATE TRIGGER account_renamed AFTER UPDATE ON account WHEN NEW.unit <> OLD.unit BEGIN {_TAKE_OLD}; {_ADD_NEW};"
    " END",
    f"CREATE TRIGGER account_gone AFTER DELETE ON account BEGIN {_TAKE_OLD}; END",
    *_BELOW_ZERO,
)
_SQLITE_AGAIN = (*(f"DROP TRIGGER below_zero_{when}" for when in ("insert", "update")), *_BELOW_ZERO)

_KINDS = "|".join(kind.rstrip(":") for kind in NEVER_NEGATIVE)
_PLAYERS = f"ALTER TABLE account ADD CONSTRAINT players_below_zero CHECK (balance >= 0 OR name !~ '^({_KINDS}):')"
_MOVED = "'pitboss.moved_' || replace(unit, '-', '_')"
_ADD_UP = f"""
    CREATE OR REPLACE FUNCTION pitboss_add_up(unit text, change numeric) RETURNS numeric LANGUAGE sql AS $$
        SELECT set_config({_MOVED},
            (coalesce(nullif(current_setting({_MOVED}, true), ''), '0')::numeric + change)::text,
            true)::numeric
    $$
    """
"""Adds to what one transaction has moved of a unit; the name of a setting has no hyphen."""
_POSTGRESQL_AGAIN = (_ADD_UP, "ALTER TABLE account DROP CONSTRAINT players_below_zero", _PLAYERS)
_POSTGRESQL = (
    _PLAYERS,
    _ADD_UP,
    """
    CREATE FUNCTION pitboss_count_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'INSERT' THEN PERFORM pitboss_add_up(OLD.unit, -OLD.balance); END IF;
        IF TG_OP <> 'DELETE' THEN PERFORM pitboss_add_up(NEW.unit, NEW.balance); END IF;
        RETURN NULL;
    END $$
    """,
    f"""
    CREATE FUNCTION pitboss_check_changes() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE changed text := CASE TG_OP WHEN 'DELETE' THEN OLD.unit ELSE NEW.unit END;
    BEGIN
        IF pitboss_add_up(changed, 0) <> 0 THEN
            RAISE EXCEPTION USING MESSAGE = '{NOT_ZERO}: not so for ' || changed, ERRCODE = 'check_violation';
        END IF;
        RETURN NULL;
    END $$
    """,
    "CREATE TRIGGER balance_counted AFTER INSERT OR UPDATE OR DELETE ON account"
    " FOR EACH ROW EXECUTE FUNCTION pitboss_count_change()",
    "CREATE CONSTRAINT TRIGGER balances_come_to_zero AFTER INSERT OR UPDATE OR DELETE ON account"
    " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pitboss_check_changes()",
)  # fmt: skip
