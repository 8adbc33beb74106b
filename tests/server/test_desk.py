"""The desk: what is acknowledged is stored, what is stored was decided once, and what fails has not happened."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from floor_desk import KEY, Bench

from pitboss.floor import live_table as lt
from pitboss.records import read, replay
from pitboss.server.live_stream import Done, NotDone
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.leases import LEASE_MS, Directory
from pitboss.server.storage.rows import LogEntry
from pitboss.server.storage.store import LeaseLost, Store
from pitboss.server.stream_log import open_row
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker

GAME = "perth/blackjack"
BET = {"type": "place-bet", "box": "1", "amount": "10"}


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    made.open("t", GAME, ("ann", "bob"))
    assert made.desk.store_line()
    for player in ("ann", "bob"):
        made.ask("t", player, {"type": "ready"})
    assert made.desk.store_line()
    yield made
    made.store.close()


def test_nothing_is_acknowledged_before_it_is_stored(bench: Bench) -> None:
    command_id = bench.ask("t", "ann", BET)
    assert bench.hear("t", "ann", command_id) is None
    assert bench.desk.store_line()
    answer = bench.hear("t", "ann", command_id)
    assert isinstance(answer, Done)
    row = next(row for row in bench.store.read_log("t") if row.seq == answer.seq)
    assert (row.role, row.actor, row.command_id) == ("player", "ann", f"ann:{command_id}")


def test_a_refusal_comes_at_once_and_changes_nothing(bench: Bench) -> None:
    before = bench.desk.slots["t"].now
    command_id = bench.ask("t", "ann", {**BET, "amount": "9999"})
    assert isinstance(bench.hear("t", "ann", command_id), Refusal)
    assert bench.desk.slots["t"].now is before
    again = bench.ask("t", "ann", BET, command_id)
    assert bench.desk.store_line()
    assert isinstance(bench.hear("t", "ann", again), Done), "a refused command may be tried again under its id"


def test_a_command_sent_twice_is_done_once(bench: Bench) -> None:
    first = bench.ask("t", "ann", BET)
    bench.ask("t", "ann", BET, first)
    assert bench.desk.store_line()
    bench.ask("t", "ann", BET, first)
    heard = bench.answers["t", "ann", first]
    assert len(heard) == 3
    assert len(set(heard)) == 1
    assert [bet.amount for bet in bench.live("t").table.bets] == [10]


def test_a_command_sent_twice_is_done_once_also_after_a_restart(bench: Bench) -> None:
    first = bench.ask("t", "ann", BET)
    assert bench.desk.store_line()
    bench.start()
    bench.ask("t", "ann", BET, first)
    heard = bench.answers["t", "ann", first]
    assert heard[0] == heard[1]


def test_a_command_that_is_no_longer_remembered_is_found_in_the_log(bench: Bench) -> None:
    first = bench.ask("t", "ann", BET)
    assert bench.desk.store_line()
    bench.desk.slots["t"].ids.clear()
    bench.ask("t", "ann", BET, first)
    assert not bench.desk.store_line()
    assert isinstance(bench.hear("t", "ann", first), NotDone)
    bench.ask("t", "ann", BET, first)
    assert bench.answers["t", "ann", first][0] == bench.answers["t", "ann", first][-1]
    assert [bet.amount for bet in bench.live("t").table.bets] == [10]


def test_nobody_gets_the_answer_to_the_command_of_another(bench: Bench) -> None:
    assert isinstance(bench.do("t", "ann", BET), Done)
    used = str(bench.asked)
    bench.ask("t", "bob", {**BET, "box": "2"}, used)
    assert bench.desk.store_line()
    assert bench.hear("t", "bob", used) != bench.hear("t", "ann", used)


def test_when_a_commit_fails_everything_goes_back(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before, balances = bench.desk.slots["t"].now, dict(bench.desk.balances)
    ids = [bench.ask("t", "ann", BET), bench.ask("t", "bob", {**BET, "box": "2"})]

    def fail(*arguments: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(bench.store, "write", fail)
        assert not bench.desk.store_line()
    for player, command_id in zip(("ann", "bob"), ids, strict=True):
        assert bench.hear("t", player, command_id) == NotDone("it could not be stored")
    assert bench.desk.slots["t"].now == before
    assert {key: value for key, value in bench.desk.balances.items() if value} == {
        key: value for key, value in balances.items() if value
    }
    bench.ask("t", "ann", BET, ids[0])
    assert bench.desk.store_line()
    assert isinstance(bench.hear("t", "ann", ids[0]), Done)


def test_a_table_resumes_at_the_same_card(bench: Bench) -> None:
    for _ in range(80):
        bench.step("t")
    assert bench.desk.store_line()
    live, deadline = bench.live("t"), bench.desk.slots["t"].deadline_ms
    bench.start()
    assert bench.live("t") == live
    assert bench.desk.slots["t"].deadline_ms == deadline


def test_what_was_not_stored_is_gone_after_a_restart(bench: Bench) -> None:
    live = bench.live("t")
    bench.ask("t", "ann", BET)
    bench.start()
    assert bench.live("t") == live


def test_a_process_that_lost_its_lease_writes_nothing(bench: Bench) -> None:
    head = bench.store.find_head("t")
    token = bench.desk.slots["t"].token
    assert bench.store.take(["t"], "another process") == {}
    bench.now_ms += LEASE_MS
    assert bench.store.take(["t"], "another process") == {"t": token + 1}
    command_id = bench.ask("t", "ann", BET)
    assert not bench.desk.store_line()
    assert isinstance(bench.hear("t", "ann", command_id), NotDone)
    assert bench.store.find_head("t") == head
    answer = bench.do("t", "ann", BET)
    assert isinstance(answer, NotDone)
    assert "another process" in answer.reason
    assert "t" not in bench.desk.slots
    with pytest.raises(LeaseLost):
        bench.store.write([_entry(bench)], bench.desk.owner, {"t": token})


def test_a_lease_that_came_back_under_another_token_is_not_the_old_one(bench: Bench) -> None:
    token = bench.desk.slots["t"].token
    bench.now_ms += LEASE_MS
    bench.store.take(["t"], "another process")
    bench.now_ms += LEASE_MS
    assert bench.store.take(["t"], bench.desk.owner) == {"t": token + 2}
    with pytest.raises(LeaseLost):
        bench.store.write([_entry(bench)], bench.desk.owner, {"t": token})


def test_a_process_that_lives_keeps_what_it_serves(bench: Bench) -> None:
    bench.now_ms += 10 * LEASE_MS
    assert bench.store.renew(bench.desk.owner) == {name: slot.token for name, slot in bench.desk.slots.items()}
    assert bench.store.take(["t"], "another process") == {}
    bench.now_ms += LEASE_MS
    assert bench.store.take(["t"], "another process") != {}


def test_who_stops_serving_lets_others_at_once(bench: Bench) -> None:
    assert bench.store.renew(bench.desk.owner).keys() == {"t", "floor"}
    bench.store.free(bench.desk.owner)
    assert bench.store.take(["t", "floor"], "another process").keys() == {"t", "floor"}
    assert bench.store.renew(bench.desk.owner) == {}


def test_leases_run_by_the_clock_of_the_database(address: str) -> None:
    store = Store(address)
    store.renew("one", "address", "link")
    assert store.take(["t"], "one") == {"t": 1}
    read = store.read_directory(Directory())
    assert abs(read.now_ms - time.time() * 1000) < 60_000
    assert 0 < read.processes["one"].until_ms - read.now_ms <= LEASE_MS
    assert 0 < read.leases["t"].until_ms - read.now_ms <= LEASE_MS
    assert (store.clock is None) == (store.kind == "postgresql")
    store.close()


def test_whoever_does_not_serve_the_floor_itself_seals_nothing(bench: Bench) -> None:
    with pytest.raises(LeaseLost):
        bench.store.write_seal(bench.now_ms, "another process", bench.desk.slots["floor"].token)
    assert list(bench.store.read_seals()) == []


def _entry(bench: Bench) -> LogEntry:
    return LogEntry(next(iter(bench.store.read_log("t"))), ())


def test_the_database_itself_refuses_a_player_below_zero(bench: Bench) -> None:
    with bench.store.engine.begin() as connection, pytest.raises(sa.exc.IntegrityError):
        connection.execute(schema.account.update().where(schema.account.c.name == "wallet:ann").values(balance=-1))


def test_a_newer_database_is_refused_in_one_line(bench: Bench) -> None:
    with bench.store.engine.begin() as connection:
        connection.execute(schema.version_table.insert().values(version=schema.VERSION + 1))
    with pytest.raises(schema.SchemaError, match=f"has version {schema.VERSION + 1}"):
        Store(bench.address)


def test_an_empty_database_is_brought_up_to_date(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/new.db")
    with store.reader.connect() as connection:
        assert schema.find_version(connection) == schema.VERSION
    Store(store.address)


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_database_of_any_version_is_brought_up_to_date(address: str, version: int) -> None:
    engine = sa.create_engine(address)
    with engine.begin() as connection:
        for migrate in schema.MIGRATIONS[:version]:
            migrate(connection)
        connection.execute(schema.version_table.insert().values(version=version))
        assert sa.inspect(connection).has_table("process") == (version >= 3)
        for column in ("proof", "seen_ms")[: max(0, 6 - max(version, 4))]:
            connection.exec_driver_sql(f"ALTER TABLE session DROP COLUMN {column}")
    engine.dispose()
    store = Store(address)
    assert store.renew("one") == {}
    with store.reader.connect() as connection:
        assert schema.find_version(connection) == schema.VERSION > 1
        assert "staff_rows" in {index["name"] for index in sa.inspect(connection).get_indexes("log")}
        assert sa.inspect(connection).has_table("process")
        assert {"seen_ms", "proof"} <= {column["name"] for column in sa.inspect(connection).get_columns("session")}
    assert store.read_staff_rows(5) == []
    store.close()


def test_sqlite_is_durable(tmp_path: Path) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db")
    with bench.store.reader.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_a_database_that_cannot_be_opened_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        Store(f"sqlite:///{tmp_path}/missing/floor.db")
    assert "\n" not in str(caught.value)


def test_no_row_shows_a_card_to_come(bench: Bench) -> None:
    for _ in range(30):
        bench.step("t")
    assert bench.desk.store_line()
    shoe = bench.live("t").table.shoe
    stored = b"".join(row.body for row in bench.store.read_log("t"))
    assert shoe.origin.commitment.encode() not in stored, "the shuffle lies in the open"
    assert shoe.origin.seed.hex().encode() not in stored
    assert sum(row.sealed for row in bench.store.read_log("t")) >= 1


@pytest.mark.slow
def test_kept_states_open_a_table_quickly_and_rightly(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.server.commit_line.SNAPSHOT_EVERY", 5)
    kept = 0
    for _ in range(300):
        bench.step("t")
        assert bench.desk.store_line()
        found = bench.desk.find_snapshot()
        if found is not None:
            bench.store.write_snapshot(found[0].name, found[1], found[2])
            kept += 1
    assert kept > 3
    live = bench.live("t")
    read: list[int] = []
    whole = bench.store.read_log
    monkeypatch.setattr(bench.store, "read_log", lambda stream, after=0: read.append(after) or whole(stream, after))
    bench.start()
    assert bench.live("t") == live
    assert max(read) > 50, "the log was read from its beginning"
    assert audit_floor(bench.address, KEY).found == []


def test_where_ledger_and_log_disagree_the_table_stops(bench: Bench) -> None:
    with bench.store.engine.begin() as connection:
        connection.exec_driver_sql("update account set balance = balance + 1 where name = 'purse:t/ann'")
        connection.exec_driver_sql("update account set balance = balance - 1 where name = 'cage:'")
    bench.start()
    answer = bench.do("t", "ann", BET)
    assert isinstance(answer, Refusal)
    assert "ledger and log disagree" in answer.reason


@pytest.mark.slow
def test_a_round_that_is_put_right_afterwards_is_kept_once_more(bench: Bench) -> None:
    role = bench.live("t").table.rules.ladder[-1].id
    voided: set[int] = set()
    for _ in range(250):
        bench.step("t")
        state = bench.live("t").table
        if state.past is not None and state.round not in voided and bench.chance.random() < 0.5:
            voided.add(state.round)
            order = {"type": "void", "reason": "a test"}
            bench.desk.ask("t", Asker(role, "eve"), f"void {state.round}", order, lambda answer: None)
    assert bench.desk.store_line()
    rounds = bench.store.read_rounds("t", last=-1)
    again = [kept for kept in rounds if kept.revision]
    assert len(again) > 2
    for kept in again:
        assert "void" in kept.record
        assert bench.store.read_round("t", kept.number) == kept
        assert replay(read(kept.record, "record")).differences == ()
    assert audit_floor(bench.address, KEY).found == []


def test_every_round_is_kept_as_a_record_that_replays(bench: Bench) -> None:
    for _ in range(200):
        bench.step("t")
    assert bench.desk.store_line()
    rounds = bench.store.read_rounds("t", last=-1)
    assert len(rounds) > 3
    for kept in rounds:
        assert replay(read(kept.record, "record")).differences == ()
        assert kept.rules_digest == bench.live("t").table.rules.digest
    assert bench.store.read_round("t", 1) == rounds[-1]


def test_a_round_is_kept_with_the_program_that_decided_it_as_the_log_says(bench: Bench) -> None:
    for code in ("a" * 64, "b" * 64):
        bench.desk.code_digest = code
        already = bench.store.count_rounds()
        while bench.store.count_rounds() < already + 2:
            bench.step("t")
            assert bench.desk.store_line()
    noted = [
        (row.seq, event.digest)
        for row in bench.store.read_log("t")
        for event in open_row(row, bench.desk.vault)
        if isinstance(event, lt.CodeNoted)
    ]
    assert [digest for _, digest in noted] == ["a" * 64, "b" * 64]
    for kept in bench.store.read_rounds("t", last=-1):
        assert kept.code_digest == next(digest for seq, digest in reversed(noted) if seq <= kept.last_seq)
    assert audit_floor(bench.address, KEY).found == []


def test_streams_and_rounds_are_counted_without_reading_their_rows(bench: Bench) -> None:
    bench.open("another", GAME, ("cyd",))
    for _ in range(120):
        bench.step("t")
    assert bench.desk.store_line()
    assert bench.store.list_streams() == ["another", "floor", "t"]
    assert bench.store.list_streams("round") == ["t"]
    assert bench.store.list_streams("snapshot") == []
    assert bench.store.count_rounds() == bench.live("t").table.round - 1 > 1


def test_kept_states_stay_so_that_what_came_after_them_is_found_quickly(bench: Bench) -> None:
    for seq in (10, 20, 30):
        bench.store.write_snapshot("t", seq, str(seq).encode())
    assert bench.store.read_snapshot("t") == (30, b"30")
    assert bench.store.read_snapshot("t", 29) == (20, b"20")
    assert bench.store.read_snapshot("t", 9) is None
