"""Sessions: somebody who can write to the database and does not have the floor's key cannot make one, or change one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from floor_desk import KEY, Bench

from pitboss.server.reception import Reception, SignedOut, hash_token
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.session_rows import SessionRow, prove_session
from pitboss.server.storage.vault import Vault


def test_a_session_is_good_until_it_ends_also_after_a_restart(address: str) -> None:
    bench = Bench(address)
    bench.admit("ann")
    bench.desk.store_line()
    session = SessionRow(hash_token("token"), "ann", "", 2_000, 99_000)
    bench.store.add_session(prove_session(session, bench.desk.vault))
    assert asyncio.run(Reception(bench.desk, bench.store).find_visitor("token")).name == "ann"
    bench.now_ms = 3_000
    assert asyncio.run(Reception(bench.desk, bench.store).sign_out("token")) == "ann"
    with pytest.raises(SignedOut):
        asyncio.run(Reception(bench.desk, bench.store).find_visitor("token"))
    assert audit_floor(address, KEY).found == []
    bench.store.close()


@pytest.mark.parametrize("change", [{"person": "bob"}, {"until_ms": 10**15}, {"role": "administrator"}])
def test_a_session_that_was_changed_is_nobodys(tmp_path: Path, change: dict[str, object]) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    for name in ("ann", "bob"):
        bench.admit(name)
    bench.desk.store_line()
    session = SessionRow(hash_token("token"), "ann", "", 2_000, 99_000)
    bench.store.add_session(prove_session(session, bench.desk.vault))
    with bench.store.engine.begin() as connection:
        connection.execute(sa.update(schema.session).values(**change))
    with pytest.raises(SignedOut):
        asyncio.run(Reception(bench.desk, bench.store).find_visitor("token"))
    assert audit_floor(bench.address, KEY).found == [f"session {session.token_hash[:12]}: its proof is wrong"]
    bench.store.close()


def test_a_session_of_another_floor_is_nobodys(tmp_path: Path) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    bench.admit("ann")
    bench.desk.store_line()
    forged = prove_session(SessionRow(hash_token("token"), "ann", "", 2_000, 99_000), Vault(b"x" * 32))
    bench.store.add_session(forged)
    with pytest.raises(SignedOut):
        asyncio.run(Reception(bench.desk, bench.store).find_visitor("token"))
    bench.store.close()


def test_whoever_uses_a_session_does_not_undo_that_it_was_ended(address: str) -> None:
    bench = Bench(address)
    bench.admit("ann")
    bench.desk.store_line()
    session = prove_session(SessionRow(hash_token("token"), "ann", "", 2_000, 99_000, 2_000), bench.desk.vault)
    bench.store.add_session(session)
    bench.now_ms = 3_000
    here, elsewhere = Reception(bench.desk, bench.store), Reception(bench.desk, bench.store)
    assert asyncio.run(elsewhere.sign_out("token")) == "ann"
    asyncio.run(here._note_use(session, 3_500))
    kept = bench.store.find_session(session.token_hash)
    assert kept is not None
    assert (kept.until_ms, kept.seen_ms) == (3_000, 3_500)
    with pytest.raises(SignedOut):
        asyncio.run(here.find_visitor("token"))
    assert audit_floor(address, KEY).found == []
    bench.store.close()
