"""The audit names the row in which anything was changed."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from floor_desk import KEY, Bench
from floor_play import meters_of, rules_with_sides

from pitboss.server.storage.floor_audit import audit_floor


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor with some rounds of two games, sealed, and a kept state."""
    folder = tmp_path_factory.mktemp("floor")
    bench = Bench(f"sqlite:///{folder}/floor.db")
    bench.open("one", "perth/blackjack", ("ann", "bob"))
    free = rules_with_sides("melbourne/free-bet")
    bench.open("two", free, ("cyd",), meters_of(free))
    for _ in range(120):
        bench.step("one")
        bench.step("two")
        assert bench.desk.store_line()
    bench.desk.slots["one"].snapshot_seq = -10_000
    for _ in range(60):
        bench.step("one")
        assert bench.desk.store_line()
        found = bench.desk.find_snapshot()
        if found is not None:
            bench.store.write_snapshot(found[0].name, found[1], found[2])
    for at_ms in (1, 2):
        bench.store.write_seal(at_ms, bench.desk.owner, bench.desk.slots["floor"].token)
    bench.store.close()
    return folder / "floor.db"


def test_a_floor_that_nobody_touched_is_in_order(played: Path) -> None:
    audit = audit_floor(f"sqlite:///{played}", KEY)
    assert audit.found == []
    assert audit.streams == 3
    assert audit.rounds > 5
    assert audit.seals == 2


def test_several_workers_find_the_same(played: Path) -> None:
    assert audit_floor(f"sqlite:///{played}", KEY, workers=2) == audit_floor(f"sqlite:///{played}", KEY)


def test_without_its_key_a_floor_is_not_in_order(played: Path) -> None:
    found = audit_floor(f"sqlite:///{played}", b"x" * 32).found
    assert any("cannot be decrypted" in line for line in found)


CHANGES = {
    "log at_ms": ("update log set at_ms = at_ms + 1 where stream = 'one' and seq = 9", "log one row 9"),
    "log actor": ("update log set actor = 'eve' where stream = 'one' and seq = 9", "log one row 9"),
    "log role": ("update log set role = 'dealer' where stream = 'one' and seq = 9", "log one row 9"),
    "log id": ("update log set command_id = 'x' where stream = 'one' and seq = 9", "log one row 9"),
    "log sealed": ("update log set sealed = 1 - sealed where stream = 'one' and seq = 9", "log one row 9"),
    "log previous": ("update log set previous = zeroblob(32) where stream = 'one' and seq = 9", "log one row 9"),
    "log digest": ("update log set digest = zeroblob(32) where stream = 'one' and seq = 9", "log one row 9"),
    "log gone": ("delete from log where stream = 'one' and seq = 9", "log one row 10"),
    "transfer amount": (
        "update transfer set amount = amount + 1 where stream = 'one' and seq = 2",
        "transfer one row 2/0",
    ),
    "transfer clauses": ("update transfer set clauses = '1' where stream = 'one' and seq = 2", "transfer one row 2/0"),
    "transfer gone": ("delete from transfer where stream = 'one' and seq = 2", "transfer one row 2/0"),
    "transfer more": (
        "insert into transfer select stream, seq, 99, debit, credit, unit, amount, clauses from transfer "
        "where stream = 'one' and seq = 2",
        "transfer one row 2/99",
    ),
    "account": ("update account set balance = balance + 1 where name = 'cage:'", "account cage:"),
    "account gone": ("delete from account where name = 'wallet:ann'", "account wallet:ann"),
    "round": ("update round set record = record || ' ' where stream = 'one' and number = 1", "round one row 1"),
    "round rules": ("update round set rules_digest = '' where stream = 'one' and number = 1", "round one row 1"),
    "round code": ("update round set code_digest = 'x' where stream = 'one' and number = 1", "round one row 1"),
    "round gone": ("delete from round where stream = 'one' and number = 1", "round one row 1"),
    "snapshot": ("update snapshot set body = zeroblob(99)", "snapshot one row"),
    "seal": ("update seal set at_ms = 9 where number = 1", "seal row 1"),
    "seal gone": ("delete from seal where number = 1", "seal row 2"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_and_its_row_named(played: Path, tmp_path: Path, change: str) -> None:
    copy = tmp_path / "floor.db"
    shutil.copy(played, copy)
    statement, named = CHANGES[change]
    with sqlite3.connect(copy) as connection:
        assert connection.execute(statement).rowcount > 0, "nothing was changed"
    connection.close()
    found = audit_floor(f"sqlite:///{copy}", KEY).found
    assert any(line.startswith(named) for line in found), found


def test_every_flipped_bit_of_a_body_is_found(played: Path, tmp_path: Path) -> None:
    chance = random.Random(4)
    copy = tmp_path / "floor.db"
    for _ in range(12):
        shutil.copy(played, copy)
        with sqlite3.connect(copy) as connection:
            rows = connection.execute("select stream, seq, body from log").fetchall()
            stream, seq, body = chance.choice(rows)
            at = chance.randrange(len(body))
            flipped = body[:at] + bytes([body[at] ^ 1 << chance.randrange(8)]) + body[at + 1 :]
            connection.execute("update log set body = ? where stream = ? and seq = ?", (flipped, stream, seq))
        connection.close()
        found = audit_floor(f"sqlite:///{copy}", KEY).found
        assert any(line.startswith(f"log {stream} row {seq}:") for line in found), found
