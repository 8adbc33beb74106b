"""A floor on PostgreSQL whose user may read and write its tables, and no more."""

from __future__ import annotations

import secrets
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from floor_server import Served, hire, seat, serve, take_office
from postgres import Cluster

from pitboss.server.serving import read_address
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.store import Store

GRANTS = (
    "GRANT SELECT, INSERT ON log, transfer, round, seal TO {role}",
    "GRANT SELECT, INSERT, UPDATE ON account, session, drill TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON lease, process TO {role}",
    "GRANT SELECT, INSERT, DELETE ON snapshot TO {role}",
    "GRANT SELECT ON schema_version TO {role}",
)
"""As docs/security.md has them."""


@pytest.mark.slow
def test_the_servers_user_needs_no_power_over_the_schema(tmp_path: Path, cluster: Cluster) -> None:
    owner = cluster.make_database()
    role = f"server_{secrets.token_hex(4)}"
    Store(read_address(owner)).close()
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {role} LOGIN")
        for grant in GRANTS:
            connection.execute(grant.format(role=role))
    lesser = read_address(owner.replace("postgres@", f"{role}@", 1))
    assert role in lesser

    async def story(served: Served) -> None:
        root = await take_office(served)
        dan = await hire(root, "dan", ("dealer", "perth"))
        async with seat(served, "ann") as (ann,):
            await ann.ask("t", {"type": "ready"})
        for client in (root, dan):
            await client.close()

    serve(tmp_path, story, database=lesser)
    engine = sa.create_engine(lesser)
    for statement in (
        "DROP TABLE log", "CREATE TABLE mine (x int)", "UPDATE log SET actor = 'eve'", "DELETE FROM transfer",
        "ALTER TABLE account DROP CONSTRAINT nobody_below_zero", "ALTER TABLE account DISABLE TRIGGER ALL",
        f"INSERT INTO {schema.version_table.name} VALUES (99)", "DELETE FROM account", "UPDATE round SET record = ''",
    ):  # fmt: skip
        with engine.connect() as connection, pytest.raises(sa.exc.ProgrammingError):
            connection.exec_driver_sql(statement)
    engine.dispose()
