"""The audit names the row in which anything was changed."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from floor_desk import KEY, Bench
from floor_play import meters_of, rules_with_sides

from pitboss.floor import live_table as lt
from pitboss.server.reception import hash_token
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.floor_audit import NOT_AUDITED, audit_floor
from pitboss.server.storage.session_rows import SessionRow, prove_session
from pitboss.table.messages import events as ev


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
    for person in ("ann", "bob"):
        session = SessionRow(hash_token(person), person, "", 1_000, 2_000)
        bench.store.add_session(prove_session(session, bench.desk.vault))
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


TABLES = {name: table for name, table in schema.metadata.tables.items() if name not in NOT_AUDITED}


COLUMNS = [f"{name}.{column.name}" for name, table in TABLES.items() for column in table.columns]


def flip(value: Any, chance: random.Random) -> Any:
    """The value with one bit of it changed."""
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(20)
    if value is None or not len(value):
        return "x"
    body = value.encode() if isinstance(value, str) else value
    at = chance.randrange(len(body))
    flipped = body[:at] + bytes([body[at] ^ 1 << chance.randrange(8)]) + body[at + 1 :]
    return flipped.decode("utf-8", "backslashreplace") if isinstance(value, str) else flipped


def name_rows(table: str, row: dict[str, Any]) -> str:
    """How a finding begins that names a row."""
    if table in ("log", "snapshot"):
        return f"{table} {row['stream']} row {row['seq']}"
    if table == "transfer":
        return f"transfer {row['stream']} row {row['seq']}/{row['n']}:"
    if table == "round":
        return f"round {row['stream']} row {row['number']}:"
    if table == "account":
        return f"account {row['name']} ({row['unit']})"
    if table == "seal":
        return f"seal row {row['number']}"
    if table == "session":
        return f"session {row['token_hash'][:12]}"
    return f"schema_version row {row['version']}"


@pytest.mark.parametrize("place", COLUMNS)
def test_a_flipped_bit_in_any_column_is_found_and_its_row_named(played: Path, tmp_path: Path, place: str) -> None:
    chance, (table, column) = random.Random(place), place.split(".")
    for _ in range(2):
        copy = tmp_path / "floor.db"
        shutil.copy(played, copy)
        with sqlite3.connect(copy) as connection:
            connection.row_factory = sqlite3.Row
            keys = [key.name for key in TABLES[table].primary_key] or [column]
            rows = [dict(row) for row in connection.execute(f'select * from "{table}"')]
            connection.execute("pragma ignore_check_constraints = on")
            where = " and ".join(f"{key} = ?" for key in keys)
            changed = 0
            while not changed:
                row = chance.choice(rows)
                other = {**row, column: flip(row[column], chance)}
                with contextlib.suppress(sqlite3.IntegrityError):
                    changed = connection.execute(
                        f'update "{table}" set {column} = ? where {where}', (other[column], *(row[key] for key in keys))
                    ).rowcount
        connection.close()
        found = audit_floor(f"sqlite:///{copy}", KEY).found
        named = (name_rows(table, row), name_rows(table, other))
        whole_stream = f"{table} {other.get('stream')}:"
        following = f"log {row.get('stream')} row {row.get('seq', 0) + 1}:" if column in keys else named[0]
        assert any(line.startswith((*named, whole_stream, following)) for line in found), (row, other, found)


def test_every_table_is_audited_or_said_not_to_be() -> None:
    assert set(NOT_AUDITED) == {"lease", "process", "drill"}, (
        "say in floor_audit why a table is not audited, and here that it is not"
    )


def dump(path: Path) -> list[tuple[Any, ...]] | None:
    """Everything that is stored and audited, as bytes; none if it cannot be read."""
    try:
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        return [row for table in TABLES for row in connection.execute(f'select * from "{table}" order by 1, 2, 3, 4')]
    except sqlite3.Error:
        return None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_bit_of_the_file_is_found_if_it_changes_anything(played: Path, tmp_path: Path, seed: int) -> None:
    chance, copy = random.Random(seed), tmp_path / "floor.db"
    body = bytearray(played.read_bytes())
    body[chance.randrange(100, len(body))] ^= 1 << chance.randrange(8)
    copy.write_bytes(bytes(body))
    found = audit_floor(f"sqlite:///{copy}", KEY).found
    if dump(copy) == dump(played):
        return
    assert found


def test_a_log_that_was_written_anew_is_found_by_its_replay(tmp_path: Path) -> None:
    """Whoever has the key and chains everything afresh still cannot have a hand end as it did not."""
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    bench.open("one", "perth/blackjack", ("ann",))
    real = lt.encode_row
    lied = []

    def lie(events: tuple[Any, ...]) -> bytes:
        kept = [event for event in events if not isinstance(event, ev.NaturalStands | ev.HandEnded)]
        lied.extend(kept if len(kept) < len(events) else ())
        return real(kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lt, "encode_row", lie)
        while not lied:
            bench.step("one")
    assert bench.desk.store_line()
    bench.store.close()
    found = audit_floor(bench.address, KEY).found
    assert any("is not what is decided when it is asked again" in line for line in found), found


def test_an_open_floor_is_audited_as_it_stood_when_the_audit_began(tmp_path: Path) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    bench.open("one", "perth/blackjack", ("ann",))
    for _ in range(60):
        bench.step("one")
    assert bench.desk.store_line()
    rows = bench.desk.slots["one"].durable.seq

    def go_on(done: int, whole: int) -> None:
        for _ in range(40):
            bench.step("one")
        assert bench.desk.store_line()

    audit = audit_floor(bench.address, KEY, progress=go_on)
    assert bench.desk.slots["one"].durable.seq > rows
    assert audit.found == []
    assert audit.rows == rows + 2
    bench.store.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_it_is_told_how_far_the_audit_is(played: Path, workers: int) -> None:
    told: list[tuple[int, int]] = []
    audit = audit_floor(f"sqlite:///{played}", KEY, workers=workers, progress=lambda *so_far: told.append(so_far))
    assert told[-1] == (audit.rows, audit.rows)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_rows_are_read_page_by_page(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = audit_floor(f"sqlite:///{played}", KEY)
    monkeypatch.setattr("pitboss.server.storage.audit_reader.PAGE", 3)
    assert audit_floor(f"sqlite:///{played}", KEY) == whole


def test_a_database_of_an_older_version_is_told_so_and_left_alone(played: Path, tmp_path: Path) -> None:
    copy = tmp_path / "floor.db"
    shutil.copy(played, copy)
    with sqlite3.connect(copy) as connection:
        connection.execute("delete from schema_version where version = ?", (schema.VERSION,))
        connection.execute("alter table session drop column proof")
    connection.close()
    before = copy.read_bytes()
    found = audit_floor(f"sqlite:///{copy}", KEY).found
    assert len(found) == 1
    assert f"has version {schema.VERSION - 1}" in found[0]
    assert copy.read_bytes() == before
