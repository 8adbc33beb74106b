"""Copies: made while the floor is open they are in order, and a floor made from one goes on at the same card."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from floor_desk import KEY, Bench

from pitboss.cli import main
from pitboss.server.reception import hash_token
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.backup import LEFT_OUT, back_up, restore_floor
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.session_rows import SessionRow, prove_session
from pitboss.server.storage.store import Store


def play(address: str) -> Bench:
    bench = Bench(address)
    bench.open("t", "perth/blackjack", ("ann", "bob"))
    session = SessionRow(hash_token("ann"), "ann", "", 1_000, 2_000)
    bench.store.add_session(prove_session(session, bench.desk.vault))
    for _ in range(60):
        bench.step("t")
        assert bench.desk.store_line()
    bench.store.write_seal(bench.now_ms, bench.desk.owner, bench.desk.slots["floor"].token)
    return bench


def dump(address: str) -> dict[str, list[tuple[object, ...]]]:
    store = Store(address)
    with store.reader.connect() as connection:
        rows = {
            name: sorted((tuple(row) for row in connection.execute(sa.select(table))), key=repr)
            for name, table in schema.metadata.tables.items()
            if name not in LEFT_OUT
        }
    store.close()
    return rows


def test_a_floor_from_a_copy_holds_everything_and_goes_on_at_the_same_card(address: str, tmp_path: Path) -> None:
    bench = play(address)
    copy = tmp_path / "copy.db"
    back_up(address, copy)
    assert audit_floor(f"sqlite:///{copy}", KEY).found == []
    again = f"sqlite:///{tmp_path}/again.db"
    restore_floor(copy, again)
    assert audit_floor(again, KEY).found == []
    assert dump(again) == dump(address)
    other = Bench(again, seed=7)
    assert other.live("t") == bench.live("t")
    for _ in range(30):
        other.step("t")
    assert other.desk.store_line()
    assert audit_floor(again, KEY).found == []
    for each in (bench, other):
        each.store.close()


@pytest.mark.slow
def test_a_copy_of_one_kind_of_database_becomes_the_other(address: str, tmp_path: Path, cluster: object) -> None:
    bench = play(address)
    bench.store.close()
    back_up(address, tmp_path / "copy.db")
    other = "postgresql+psycopg" + cluster.make_database().removeprefix("postgresql")  # type: ignore[attr-defined]
    restore_floor(tmp_path / "copy.db", other)
    assert audit_floor(other, KEY).found == []
    assert dump(other) == dump(address)
    with pytest.raises(StoreError, match="there is a floor in this database already"):
        restore_floor(tmp_path / "copy.db", other)


def test_a_copy_is_made_while_everything_goes_on(address: str, tmp_path: Path) -> None:
    bench = play(address)
    copies = [tmp_path / f"{number}.db" for number in range(3)]
    failed: list[BaseException] = []

    def copy_all() -> None:
        try:
            for copy in copies:
                back_up(address, copy)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=copy_all)
    thread.start()
    stored = 0
    while thread.is_alive() or stored < 60:
        bench.step("t")
        assert bench.desk.store_line()
        stored += 1
    thread.join()
    bench.store.close()
    assert not failed
    rows = [audit_floor(f"sqlite:///{copy}", KEY) for copy in copies]
    assert [audit.found for audit in rows] == [[], [], []]
    assert rows[0].rows <= rows[1].rows <= rows[2].rows <= audit_floor(address, KEY).rows


@pytest.mark.slow
def test_copies_are_made_and_restored_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(f"sqlite:///{tmp_path}/floor.db").store.close()
    (tmp_path / "floor.key").write_text(KEY.hex())
    floor, copy, new, key = (str(tmp_path / name) for name in ("floor.db", "copy.db", "new.db", "floor.key"))
    assert main(["floor", "backup", floor, "--to", copy]) == 0
    assert "all in order" in capsys.readouterr().out
    assert main(["floor", "backup", floor]) == 2
    assert main(["floor", "backup", floor, "--to", copy]) == 2
    assert main(["floor", "restore", copy, "--to", new]) == 2, "the key does not lie beside the copy"
    assert main(["floor", "restore", copy, "--to", new, "--key", key]) == 0
    assert "all in order" in capsys.readouterr().out
    assert main(["floor", "restore", copy, "--to", new, "--key", key]) == 2
    assert main(["floor", "restore", str(tmp_path / "none.db"), "--to", new]) == 2
    with sqlite3.connect(copy) as connection:
        connection.execute("update account set balance = balance + 1")
    connection.close()
    assert main(["floor", "restore", copy, "--to", str(tmp_path / "other.db"), "--key", key]) == 1
    assert "account" in capsys.readouterr().err
    assert not (tmp_path / "other.db").exists(), "a copy that is not in order becomes no floor"


def test_what_cannot_be_copied_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such database"):
        back_up(f"sqlite:///{tmp_path}/none.db", tmp_path / "copy.db")
    with pytest.raises(StoreError):
        back_up(f"sqlite:///{tmp_path}/none.db", tmp_path / "nowhere" / "copy.db")
    with pytest.raises(StoreError) as caught:
        back_up("postgresql+psycopg://nobody@127.0.0.1:1/none", tmp_path / "copy.db")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
