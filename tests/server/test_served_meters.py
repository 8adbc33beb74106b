"""Prize meter systems on a served floor: one transaction with their tables, kept over a restart, and audited."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from floor_desk import KEY, Bench

from pitboss.floor import house_messages as hm
from pitboss.floor.jackpots.meter_state import JackpotState, MeterSystem
from pitboss.floor.ledger import Unit, bet_manager, from_grains, jackpot_of
from pitboss.floor.records.kind import Kind
from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.rows import FLOOR
from pitboss.table import Phase, Refusal
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

MAIN = "meters main"
METER = "blackjack-jackpots"
ACM = Asker("assistant-casino-manager", "acm")
OPENING = {
    "type": "open-system", "system": "bj1", "wager": METER, "price": "5",
    "meters": {METER: {"seed": "8000", "rate": "0.05"}}, "one_in": {"lucky": 1},
}  # fmt: skip
MINUTES_20 = 20 * 60_000


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    for player in ("ann", "bob"):
        made.admit(player)
    add = hm.AddPerson(name="acm", kind=hm.PersonKind.MEMBER, password_hash="#")
    made.desk.ask_house(HOUSE, "acm", add, lambda answer: None)
    role = hm.GiveRole(name="acm", role="assistant-casino-manager", book="melbourne")
    made.desk.ask_house(HOUSE, "role", role, lambda answer: None)
    for table, player in (("m1", "ann"), ("m2", "bob")):
        order = hm.OpenTable(
            name=table, game="melbourne/blackjack", minimum=Money(5), maximum=Money(500), bank=Money(50_000),
            side_wagers=(METER,),
        )  # fmt: skip
        made.desk.ask_house(HOUSE, f"open {table}", order, lambda answer: None)
        made.desk.ask(table, Asker("dealer", "dan"), f"sign {table}", {"type": "sign", "up": True}, lambda answer: None)
        assert made.desk.store_line()
        assert isinstance(made.do(table, player, {"type": "buy-in", "amount": "500"}), Done)
    yield made
    made.desk.store_line()
    assert audit_floor(address, KEY).found == []
    made.store.close()


def ask(bench: Bench, asked: dict[str, object], by: Asker = ACM) -> Answer:
    heard: list[Answer] = []
    bench.asked += 1
    bench.desk.ask_stream(MAIN, by, f"s{bench.asked}", asked, heard.append, "melbourne")
    assert bench.desk.store_line()
    return heard[0]


def find_system(bench: Bench) -> MeterSystem:
    state = bench.desk.slots[MAIN].now.state.state
    assert isinstance(state, JackpotState)
    return state.systems["bj1"]


def join(bench: Bench) -> None:
    assert isinstance(ask(bench, OPENING), Done)
    for table in ("m1", "m2"):
        sign = {"type": "put-sign", "table": table, "about": "join", "system": "bj1"}
        assert isinstance(ask(bench, sign), Done)
    bench.now_ms += MINUTES_20
    for table in ("m1", "m2"):
        assert isinstance(ask(bench, {"type": "join-table", "table": table, "system": "bj1"}), Done)


def wager(bench: Bench, table: str, player: str) -> None:
    for asked in (
        {"type": "place-bet", "box": "1", "amount": "10"},
        {"type": "load-manager", "amount": "20"},
        {"type": "place-bet", "box": "1", "amount": "5", "wager": METER},
    ):
        answer = bench.do(table, player, asked)
        assert isinstance(answer, Done), answer


def run_to(bench: Bench, table: str, phase: Phase) -> None:
    """Let the clock decide everything until the table is there."""
    for _ in range(200):
        if bench.live(table).table.phase is phase and bench.live(table).table.boxes:
            return
        bench.now_ms += 21_000
        bench.desk.run_clocks()
    raise AssertionError(f"the round does not come to {phase}")


def check_copies(bench: Bench) -> None:
    """System, ledger and every member table say the same."""
    shown = find_system(bench).meters[METER]
    assert shown.adds_up
    assert from_grains(bench.desk.balances[jackpot_of("bj1", METER), Unit.CHIP]) == shown.value
    for table in ("m1", "m2"):
        assert bench.live(table).table.meters[METER].value == shown.value


def test_wagers_at_two_tables_feed_one_meter_and_a_restart_finds_it_as_it_was(bench: Bench) -> None:
    join(bench)
    check_copies(bench)
    for table, player in (("m1", "ann"), ("m2", "bob")):
        wager(bench, table, player)
        run_to(bench, table, Phase.SETTLED)
        assert bench.desk.store_line()
    assert find_system(bench).meters[METER].contributed == Money("0.5")
    check_copies(bench)
    before = find_system(bench)
    assert [draw.box for draw in before.series.draws if before.series] == ["1", "1"]
    assert before.due == ()
    bench.start()
    assert find_system(bench) == before
    check_copies(bench)
    left = bench.live("m1").managers["ann"]
    assert bench.desk.balances[bet_manager("m1", "ann"), Unit.CHIP] == left


def test_what_a_round_moves_is_stored_with_the_round_or_not_at_all(bench: Bench) -> None:
    join(bench)
    wager(bench, "m1", "ann")
    before = find_system(bench)
    run_to(bench, "m1", Phase.SETTLED)
    streams = {entry.row.stream for entry in bench.desk.take_group()}
    assert {"m1", "m2", MAIN} <= streams
    bench.desk.go_back(StoreError("the disk is gone"))
    assert find_system(bench) == before
    check_copies(bench)


def test_a_fault_takes_wagers_off_every_layout_and_mending_offers_them_again(bench: Bench) -> None:
    join(bench)
    wager(bench, "m1", "ann")
    broken = {"type": "report-fault", "system": "bj1", "part": "meter", "reason": "the screen is dark"}
    assert isinstance(ask(bench, broken), Done)
    for table in ("m1", "m2"):
        assert METER in bench.live(table).table.floor.withdrawn
    assert [bet.wager for bet in bench.live("m1").table.bets] == ["main"]
    assert from_grains(bench.live("m1").managers["ann"]) == 20
    assert isinstance(bench.do("m1", "ann", {"type": "place-bet", "box": "1", "amount": "5", "wager": METER}), Refusal)
    assert isinstance(ask(bench, {"type": "mend-fault", "system": "bj1", "reason": "replaced"}), Done)
    assert isinstance(bench.do("m1", "ann", {"type": "place-bet", "box": "1", "amount": "5", "wager": METER}), Done)


def test_a_player_sees_live_values_and_commitments_but_no_seed(bench: Bench) -> None:
    join(bench)
    kind: Kind = KIND_BY_WORD["meters"]
    state = bench.desk.slots[MAIN].now.state.state
    seen = kind.show(state, Asker(PLAYER, "ann"))
    system = seen["systems"]["bj1"]
    assert system["values"] == {METER: 8000 + 0}
    series = state.systems["bj1"].series
    assert system["commitment"] == series.commitment
    told = msgspec.json.encode(seen).decode()
    assert series.seed.hex() not in told
    assert "readings" not in seen
    assert "readings" in kind.show(state, Asker("higher-duties-dealer", "hdd"))
    assert "readings" not in kind.show(state, Asker("dealer", "dan"))
    for row in bench.store.read_log(MAIN):
        assert row.sealed
        assert series.seed.hex().encode() not in row.body


def test_nobody_but_the_system_tells_a_table_what_its_meters_show(bench: Bench) -> None:
    join(bench)
    answer = bench.do("m1", "ann", {"type": "follow-meters", "system": "bj1"})
    assert isinstance(answer, Refusal)
    forged = {"type": "hear-outcome", "system": "bj1", "table": "m1", "round": 1}
    assert ask(bench, forged) == Refusal("tables themselves report their outcomes", ())


def test_a_member_table_apart_from_its_system_takes_no_jackpot_wager(bench: Bench) -> None:
    join(bench)
    assert isinstance(bench.do("m1", "ann", {"type": "place-bet", "box": "1", "amount": "10"}), Done)
    assert isinstance(bench.do("m1", "ann", {"type": "load-manager", "amount": "20"}), Done)
    floor = bench.desk.slots.pop(FLOOR)
    answer = bench.do("m1", "ann", {"type": "place-bet", "box": "1", "amount": "5", "wager": METER})
    assert isinstance(answer, Refusal)
    assert "not served where the table is" in answer.reason
    bench.desk.slots[FLOOR] = floor
    assert isinstance(bench.do("m1", "ann", {"type": "place-bet", "box": "1", "amount": "5", "wager": METER}), Done)


def test_the_audit_finds_a_ledger_that_holds_something_else_than_the_meters_show(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(bench)
    account = jackpot_of("bj1", METER)
    with monkeypatch.context() as patched:
        other = msgspec.structs.replace(KIND_BY_WORD["meters"], list_holdings=lambda state: [(account, Unit.CHIP, 7)])
        patched.setitem(KIND_BY_WORD, "meters", other)
        assert audit_floor(bench.address, KEY).found == [f"account {account} (chip): does not hold what {MAIN} says"]
