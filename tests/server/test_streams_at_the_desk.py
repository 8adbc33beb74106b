"""Streams of any kind at a desk: decided, stored with tables in one transaction, read back, and decided again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from floor_desk import KEY, Bench
from sample_kind import CLUB, CLUB_KIND

from pitboss.floor import house_messages as hm
from pitboss.floor.ledger import Unit, to_grains, wallet
from pitboss.floor.live_table import StreamError
from pitboss.floor.records.kind import FloorNow, Kind
from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.floor.served.kind_stream import decode_kind_row, list_served_kinds
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done, NotDone
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, Asker

CHESS = f"{CLUB} chess"
DIRECTOR = Asker("casino-manager", "dora")
FOUND = {"type": "found", "title": "Chess club", "fee": "25", "table": "t", "open_minutes": 5}


@pytest.fixture(autouse=True)
def _clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KIND_BY_WORD, CLUB, CLUB_KIND)


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    made.open("t", "perth/blackjack", ("ann", "bob"))
    made.desk.store_line()
    yield made
    made.store.close()


def ask(bench: Bench, by: Asker, command: dict[str, object], command_id: str = "", book: str = "") -> list[Answer]:
    """Ask the club for something; what is answered, as far as it is."""
    heard: list[Answer] = []
    bench.asked += 1
    bench.desk.ask_stream(CHESS, by, command_id or str(bench.asked), command, heard.append, book)
    return heard


def do(bench: Bench, by: Asker, command: dict[str, object], command_id: str = "", book: str = "perth") -> Answer:
    heard = ask(bench, by, command, command_id, book)
    bench.desk.store_line()
    return heard[0]


def club(bench: Bench) -> object:
    return bench.desk.slots[CHESS].now.state.state


def fill(bench: Bench) -> None:
    assert do(bench, DIRECTOR, FOUND) == Done(1)
    for name in ("ann", "bob"):
        assert isinstance(do(bench, Asker("player", name), {"type": "join"}), Done)


def check_audit(bench: Bench) -> None:
    audit = audit_floor(bench.address, KEY)
    assert audit.found == []


def test_a_stream_is_opened_by_its_first_command_and_read_back(bench: Bench) -> None:
    fill(bench)
    before = club(bench)
    assert bench.desk.balances["pool:chess", Unit.CHIP] == to_grains(Money(50))
    bench.start()
    assert club(bench) == before
    assert bench.desk.balances["pool:chess", Unit.CHIP] == to_grains(Money(50))
    assert bench.desk.slots[CHESS].now.state.book == "perth"
    check_audit(bench)


def test_a_refusal_names_its_clause_and_changes_nothing(bench: Bench) -> None:
    unknown = do(bench, DIRECTOR, FOUND, book="")
    assert isinstance(unknown, Refusal)
    assert "names its book" in unknown.reason
    refused = do(bench, Asker("player", "ann"), FOUND)
    assert refused == Refusal("a club is founded by staff", ("1.1",))
    assert CHESS not in bench.desk.slots
    fill(bench)
    twice = do(bench, Asker("player", "ann"), {"type": "join"})
    assert twice == Refusal("already a member", ("1.2",))
    assert isinstance(do(bench, DIRECTOR, FOUND, book="star"), Refusal), "it was opened by another book"
    assert isinstance(do(bench, DIRECTOR, {"type": "nothing"}), Refusal)
    assert isinstance(do(bench, DIRECTOR, {"type": "found", "title": 7}), Refusal)
    for odd in ("club a:b", "club x y", "house x", "table t", "club "):
        heard: list[Answer] = []
        bench.desk.ask_stream(odd, DIRECTOR, "x", FOUND, heard.append, "perth")
        assert isinstance(heard[0], Refusal), odd


def test_a_player_asks_in_their_own_name_only(bench: Bench) -> None:
    assert do(bench, DIRECTOR, FOUND) == Done(1)
    assert isinstance(do(bench, Asker("player", "ann"), {"type": "join", "player": "bob"}), Done)
    assert bench.desk.slots[CHESS].now.state.state.members == ("ann",)


def test_a_command_is_done_once_whoever_asks_again(bench: Bench) -> None:
    assert do(bench, DIRECTOR, FOUND, "open") == Done(1)
    assert do(bench, DIRECTOR, FOUND, "open") == Done(1)
    assert do(bench, Asker("player", "ann"), {"type": "join"}, "a") == Done(2)
    bench.start()
    assert do(bench, Asker("player", "ann"), {"type": "join"}, "a") == Done(2)
    assert bench.desk.slots[CHESS].now.seq == 2


def test_money_that_is_not_there_cannot_be_moved(bench: Bench) -> None:
    dear = {**FOUND, "fee": "600"}
    assert do(bench, DIRECTOR, dear) == Done(1)
    refused = do(bench, Asker("player", "ann"), {"type": "join"})
    assert refused == Refusal("the fee is not in the wallet", ("1.3",))
    assert bench.desk.balances[wallet("ann"), Unit.CHIP] == to_grains(Money(500))


def test_a_draw_is_decided_again_from_the_chance_on_record_which_nobody_can_read(bench: Bench) -> None:
    fill(bench)
    assert isinstance(do(bench, DIRECTOR, {"type": "draw"}), Done)
    state = bench.desk.slots[CHESS].now.state.state
    assert state.drawn in ("ann", "bob")
    assert bench.desk.balances["pool:chess", Unit.CHIP] == 0
    assert isinstance(do(bench, Asker("player", "ann"), {"type": "seal-note", "text": "under the rose"}), Done)
    for row in bench.store.read_log(CHESS):
        assert row.sealed
        assert b"rose" not in row.body
        assert state.chance.hex().encode() not in row.body
    check_audit(bench)


def test_a_clock_runs_out_also_after_a_restart(bench: Bench) -> None:
    fill(bench)
    closes = bench.desk.slots[CHESS].now.state.state.closes_ms
    bench.now_ms = closes - 1
    bench.desk.run_clocks()
    assert bench.desk.slots[CHESS].now.state.state.closes_ms == closes
    bench.start()
    bench.now_ms = closes
    bench.desk.run_clocks()
    assert bench.desk.store_line()
    assert bench.desk.slots[CHESS].durable.state.state.closes_ms is None
    check_audit(bench)


def play_until(bench: Bench, rounds: int) -> None:
    for _ in range(400):
        bench.step("t")
        if bench.live("t").table.round > rounds:
            return
    raise AssertionError("no round came to its end")


def test_what_is_decided_at_a_table_follows_in_the_same_transaction(bench: Bench) -> None:
    fill(bench)
    first = bench.live("t").table.round
    play_until(bench, first)
    entries = bench.desk.take_group()
    rows = [entry.row for entry in entries if entry.row.stream == CHESS]
    assert [row.command_id for row in rows] == [f"/t/{bench.desk.slots['t'].now.seq}/0"]
    bench.desk.go_back(StoreError("the disk is gone"))
    assert bench.desk.slots[CHESS].now.state.state.rounds == 0
    assert bench.live("t").table.round == first
    play_until(bench, first)
    assert bench.desk.store_line()
    bench.start()
    assert bench.live("t").table.round == first + 1
    assert bench.desk.slots[CHESS].now.state.state.rounds == 1
    check_audit(bench)


def test_a_stream_that_does_not_follow_its_table_is_stopped_and_the_table_goes_on(bench: Bench) -> None:
    fill(bench)
    play_until(bench, bench.live("t").table.round + 3)
    assert bench.desk.store_line()
    refused = do(bench, DIRECTOR, {"type": "draw"})
    assert isinstance(refused, Refusal)
    assert "3 rounds are enough" in refused.reason
    play_until(bench, bench.live("t").table.round)
    assert bench.desk.store_line()
    check_audit(bench)


def test_where_the_store_fails_nothing_was_opened(bench: Bench) -> None:
    heard = ask(bench, DIRECTOR, FOUND, book="perth")
    bench.desk.take_group()
    bench.desk.go_back(StoreError("the disk is gone"))
    assert isinstance(heard[0], NotDone)
    assert CHESS not in bench.desk.slots
    assert do(bench, DIRECTOR, FOUND) == Done(1)


def test_states_are_kept_and_lead_to_the_same(bench: Bench) -> None:
    fill(bench)
    bench.desk.slots[CHESS].snapshot_seq = -10_000
    found = bench.desk.find_snapshot()
    assert found is not None
    assert found[0].name == CHESS
    bench.store.write_snapshot(found[0].name, found[1], found[2])
    before = club(bench)
    bench.start()
    assert bench.desk.slots[CHESS].snapshot_seq == 3
    assert club(bench) == before
    check_audit(bench)


def test_the_audit_finds_a_decision_that_does_not_follow(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(bench)
    assert isinstance(do(bench, DIRECTOR, {"type": "draw"}), Done)
    others = CLUB_KIND.decide

    def decide(state: Any, command: Any, by: Asker, now: FloorNow) -> Any:
        answer = others(state, command, by, now)
        return Refusal("not any more", ()) if type(command).__name__ == "DrawMember" else answer

    monkeypatch.setitem(KIND_BY_WORD, CLUB, msgspec.structs.replace(CLUB_KIND, decide=decide))
    audit = audit_floor(bench.address, KEY)
    assert any("is refused when it is asked again: not any more" in line for line in audit.found), audit.found


def test_the_floor_goes_on_beside_it(bench: Bench) -> None:
    fill(bench)
    bench.desk.ask_house(
        HOUSE, "add zoe", hm.AddPerson(name="zoe", kind=hm.PersonKind.GUEST), lambda answer: None
    )  # fmt: skip
    bench.desk.ask_house(HOUSE, "chips", hm.IssueChips(name="zoe", amount=Money(30)), lambda answer: None)
    heard = ask(bench, Asker("player", "zoe"), {"type": "join"})
    assert bench.desk.store_line()
    assert isinstance(heard[0], Done)
    assert bench.desk.slots[CHESS].durable.state.state.members == ("ann", "bob", "zoe")
    assert [slot.name for slot in bench.desk.tables] == ["t"]
    check_audit(bench)


@pytest.mark.parametrize("kind", list_served_kinds(), ids=lambda kind: kind.word)
def test_logs_and_states_of_every_kind_can_be_read_back(kind: Kind) -> None:
    assert kind.events
    assert kind.state is not None
    begun = kind.begin("x", "star")
    assert msgspec.json.decode(msgspec.json.encode(begun), type=kind.state) == begun
    with pytest.raises(StreamError, match=f"this is not a row of {kind.word} x"):
        decode_kind_row(f"{kind.word} x", b'{"type":"nothing"}')
