"""Tables with prize meters: opened with what they start from, kept in the ledger, drawn from by the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from floor_desk import KEY, Bench

from pitboss.floor import house_messages as hm
from pitboss.floor.ledger import Unit, from_grains, meter
from pitboss.floor.live_table import TableKind
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.stream_log import open_row
from pitboss.table import Phase, Refusal
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import HOUSE, Asker

METERS = ("blackjack-jackpots", "supernova-major", "supernova-minor", "supernova-mystery")


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    for player in ("ann", "bob"):
        made.admit(player)
    assert made.desk.store_line()
    yield made
    made.desk.store_line()
    assert audit_floor(address, KEY).found == []
    made.store.close()


def open_table(bench: Bench, name: str = "m", **fields: object) -> Answer:
    order: dict[str, object] = {
        "game": "melbourne/blackjack", "minimum": Money(5), "maximum": Money(500), "bank": Money(50_000),
        "side_wagers": ("blackjack-jackpots", "supernova"),
    }  # fmt: skip
    heard: list[Answer] = []
    command = hm.OpenTable(name=name, **{**order, **fields})  # type: ignore[arg-type]
    bench.desk.ask_house(HOUSE, f"open {name} {fields}", command, heard.append)
    assert bench.desk.store_line()
    return heard[0]


def put_up_sign(bench: Bench, table: str) -> None:
    role = bench.live(table).table.rules.ladder[0].id
    heard: list[Answer] = []
    bench.desk.ask(table, Asker(role, "dan"), "sign", {"type": "sign", "up": True}, heard.append)
    assert bench.desk.store_line()
    assert isinstance(heard[0], Done), heard


def read_meters(bench: Bench, table: str, unit: Unit = Unit.CHIP) -> dict[str, Money]:
    stored = bench.store.read_balances()
    return {name: from_grains(stored.get((meter(table, name), unit), 0)) for name in METERS}


def play_round(bench: Bench, table: str) -> None:
    """Both have a wager and a jackpot wager, and let the clock decide the rest."""
    for box, player in (("1", "ann"), ("2", "bob")):
        for wager in ("main", "supernova", "blackjack-jackpots"):
            bench.do(table, player, {"type": "place-bet", "box": box, "amount": "10", "wager": wager})
    first = bench.live(table).table.round
    for _ in range(200):
        bench.now_ms += 21_000
        bench.desk.run_clocks()
        assert bench.desk.store_line()
        state = bench.live(table).table
        if state.round > first and state.phase is Phase.BETTING:
            return
    raise AssertionError("the round does not end")


def sit_down(bench: Bench, table: str) -> None:
    put_up_sign(bench, table)
    for player in ("ann", "bob"):
        assert isinstance(bench.do(table, player, {"type": "buy-in", "amount": "500"}), Done)
    for _ in range(4):
        bench.now_ms += 21_000
        bench.desk.run_clocks()
        for player in ("ann", "bob"):
            bench.do(table, player, {"type": "ready"})


def test_a_table_opens_with_its_meters_and_their_money_is_in_the_ledger(bench: Bench) -> None:
    assert isinstance(open_table(bench, meters={"supernova-minor": Money(300)}), Done)
    wanted = {
        "blackjack-jackpots": Money(10_000), "supernova-major": Money(2500), "supernova-minor": Money(300),
        "supernova-mystery": Money(250),
    }  # fmt: skip
    assert read_meters(bench, "m") == wanted
    bench.start()
    assert {name: shown.value for name, shown in bench.live("m").table.meters.items()} == wanted


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"meters": {"lottery": Money(5)}}, "no meter lottery at this table"),
        ({"meters": {"supernova-minor": Money(-5)}}, "starts from chips"),
        ({"meters": {"supernova-minor": Money("0.0000001")}}, "starts from chips"),
        ({"bank": Money(10_000)}, "start from 12950, and the table opens with 10000"),
        ({"side_wagers": (), "meters": {"supernova-minor": Money(5)}}, "it has none"),
    ],
)
def test_meters_that_cannot_be_are_refused(bench: Bench, fields: dict[str, object], why: str) -> None:
    answer = open_table(bench, **fields)
    assert isinstance(answer, Refusal)
    assert why in answer.reason
    assert "m" not in bench.desk.slots


def test_meters_grow_with_every_wager_and_the_ledger_with_them(bench: Bench) -> None:
    open_table(bench)
    sit_down(bench, "m")
    before = read_meters(bench, "m")
    for _ in range(3):
        play_round(bench, "m")
        shown = {name: meter.value for name, meter in bench.live("m").table.meters.items()}
        assert read_meters(bench, "m") == shown
    assert any(read_meters(bench, "m")[name] > before[name] for name in METERS)


def test_the_machine_draws_boxes_for_the_prizes_of_the_system(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    open_table(bench)
    sit_down(bench, "m")
    with monkeypatch.context() as patched:
        patched.setattr("pitboss.floor.dealing_machine.PICK_ONE_IN", {"lucky": 1, "mystery": 1})
        play_round(bench, "m")
    events = [event for row in bench.store.read_log("m") for event in open_row(row, bench.desk.vault)]
    picked = [event.command.pick for event in events if isinstance(event, ev.Asked) and hasattr(event.command, "pick")]
    assert sorted(picked) == ["lucky", "mystery"], "one draw for each prize and round"
    assert read_meters(bench, "m")["supernova-mystery"] == 250, "the meter has paid and starts again"
    play_round(bench, "m")


def test_at_a_practice_table_meters_hold_play_chips(bench: Bench) -> None:
    assert isinstance(open_table(bench, "school", kind=TableKind.PRACTICE), Done)
    assert read_meters(bench, "school", Unit.PLAY)["supernova-major"] == 2500
    assert not any(read_meters(bench, "school").values())
