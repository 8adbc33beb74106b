"""Random meter systems with random rounds, joins, moves and closings keep all sums and pay every prize once."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.floor.dealing_machine import list_machine_moves
from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.jackpots.box_draws import check_series, draw_box, seal_series
from pitboss.floor.jackpots.meter_state import JackpotState, MeterSystem, fold_meters
from pitboss.floor.ledger import NEVER_NEGATIVE, Unit, bet_manager, find_imbalance, from_grains
from pitboss.floor.live_decisions import MACHINE
from pitboss.floor.live_table import LeaveTable, LoadManager, TableEvent
from pitboss.floor.records.floor_record import FloorStep
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import FloorPlayer, replay_floor
from pitboss.money import Money
from pitboss.records import read, replay, write
from pitboss.records.log import from_events
from pitboss.table import Phase
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import PLAYER, Asker

METER = "blackjack-jackpots"
MAIN = "meters main"
TABLES = {"m1": "ann", "m2": "bob", "m3": "eve"}
ACM, DAN = Asker("assistant-casino-manager", "acm"), Asker("dealer", "dan")
CARDS = {
    "spades": ("As As As | 9h | 6d", "1 hit"),
    "hearts": ("Ah Ah Ah | 9s | 6d", "1 hit"),
    "plain": ("Th 6c 9d | Kh 9c", "1 stand"),
}
PRICE, SHARE = Decimal(5), Decimal("0.25")


def write_record() -> str:
    people = "".join(f"{player} = {{ chips = 500 }}\n" for player in TABLES.values())
    tables = "".join(
        f'[tables.{table}]\ngame = "melbourne/blackjack"\nside_wagers = ["{METER}"]\noptions = {{ decks = 6 }}\n'
        f"sign = {{ min = 5, max = 500, chip = 0.5 }}\nbank = 900000\nplayers = {{ {player} = 5000 }}\n"
        for table, player in TABLES.items()
    )
    rounds = "".join(
        f'[[step]]\non = "table {table}"\ndo = "round"\nbets = ["1 {player}* 10", "1 {player} 5 {METER}"]\n'
        f'cards = "{cards}"\nactions = ["{action}"]\n'
        for table, player in TABLES.items()
        for cards, action in CARDS.values()
    )
    head = 'floor = 1\nbook = "melbourne"\nstart = 2026-03-02T18:00:00\n'
    staff = 'acm = "assistant-casino-manager"\ndan = "dealer"\nhal = "higher-duties-dealer"\n'
    return f"{head}[people]\n{people}{staff}{tables}{rounds}"


RECORD = read_floor_record(write_record())
ROUNDS: dict[tuple[str, str], FloorStep] = {
    (table, hand): RECORD.steps[at]
    for at, (table, hand) in enumerate((table, hand) for table in TABLES for hand in CARDS)
}


class Model:
    """The same by plain sums: what each meter must show, and which table is where."""

    def __init__(self) -> None:
        self.floor = FloorPlayer(RECORD, ())
        self.floor.begin()
        self.values: dict[str, Decimal] = {}
        self.seeds: dict[str, Decimal] = {}
        self.owed: dict[str, Decimal] = {}
        self.members: dict[str, str] = {}
        self.paid = Decimal(0)

    def ask(self, command: Any, by: Asker = ACM) -> bool:
        return self.floor.ask(MAIN, command, by) is None

    @property
    def state(self) -> JackpotState:
        state: JackpotState = self.floor.streams[MAIN]
        return state

    def open(self, name: str, seed: int) -> None:
        terms = {METER: mm.MeterTerms(Money(seed), Money("0.05"))}
        done = self.ask(mm.OpenSystem(system=name, wager=METER, price=Money(5), meters=terms, one_in={"lucky": 60_000}))
        assert done != (name in self.seeds)
        if done:
            self.values[name] = self.seeds[name] = Decimal(seed)

    def change(self, table: str, about: str, to: str, *, waits: bool) -> None:
        """A table joins, leaves or moves; without its notice nothing happens."""
        own = self.members.get(table, "")
        system = to if about == "join" else own
        if not system or system not in self.values:
            return
        target = to if about == "move" else ""
        self.ask(mm.PutSign(table=table, about=about, system=system, to=target), DAN)  # type: ignore[arg-type]
        if waits:
            self.floor.at_ms += 20 * 60_000
        commands: dict[str, mm.MeterCommand] = {
            "join": mm.JoinTable(table=table, system=system),
            "leave": mm.RemoveTable(table=table, system=system),
            "move": mm.MoveTable(table=table, system=system, to=to),
        }
        if self.ask(commands[about]):
            assert waits or self.state.systems[system].signs.get(table) is None
            self.members.pop(table, None)
            if about != "leave":
                self.members[table] = to

    def close(self, name: str, to: str) -> None:
        for table, system in self.members.items():
            if system == name:
                self.ask(mm.PutSign(table=table, about="close", system=name), DAN)
        self.floor.at_ms += 20 * 60_000
        others = {other for other in self.values if other != name}
        if name in self.values and self.ask(mm.CloseSystem(system=name, to={to: 1} if to in others else {})):
            above = self.values.pop(name) - self.seeds[name]
            if to in others:
                self.values[to] += above
            else:
                assert not others or not above
                self.owed[name] = above
            self.members = {table: system for table, system in self.members.items() if system != name}

    def play(self, table: str, hand: str) -> None:
        system, player = self.members.get(table), TABLES[table]
        if system is None:
            return
        live = self.floor.tables[table]
        if live.table.phase is Phase.SETTLED:
            assert self.floor.ask(f"table {table}", cmd.NextRound(), MACHINE) is None
        here = Asker(PLAYER, player)
        assert self.floor.ask(f"table {table}", cmd.PlaceBet(box="1", player=player, amount=Money(10)), here) is None
        assert self.floor.ask(f"table {table}", LoadManager(player=player, amount=Money(5)), here) is None
        assert self.floor.ask(f"table {table}", cmd.RemoveBet(box="1", player=player, wager="main"), here) is None
        before = self.balance(table)
        played = self.floor.play(msgspec.structs.replace(ROUNDS[table, hand], at_ms=self.floor.at_ms))
        assert played.differences == ()
        self.values[system] += SHARE
        whole = self.values[system].to_integral_value(rounding="ROUND_CEILING")
        prize = {"spades": whole, "hearts": whole / 10, "plain": Decimal(0)}[hand]
        self.values[system] = max(self.values[system] - prize, self.seeds[system])
        self.paid += prize
        assert self.balance(table) - before == (prize if prize else -PRICE)

    def balance(self, table: str) -> Decimal:
        return from_grains(self.floor.balances.get((bet_manager(table, TABLES[table]), Unit.CHIP), 0))

    def check(self) -> None:
        floor = self.floor
        assert find_imbalance(floor.balances) == 0
        assert list(floor.list_disagreements()) == []
        for (account, _), grains in floor.balances.items():
            assert grains >= 0 or not account.startswith(NEVER_NEGATIVE), account
        systems = floor.streams[MAIN].systems if MAIN in floor.streams else {}
        assert sum((it.meters[METER].prizes for it in systems.values()), Decimal(0)) == self.paid
        for name, system in systems.items():
            shown = system.meters[METER]
            assert shown.adds_up
            assert shown.value == self.values.get(name, 0)
            assert sum(system.owed.values(), Decimal(0)) == self.owed.get(name, 0)
            for table in system.tables:
                assert self.members[table] == name
                assert floor.tables[table].table.meters[METER].value == shown.value


NAMES = st.sampled_from(("bj1", "bj2", "bj3"))
STEPS = st.one_of(
    st.tuples(st.just("open"), NAMES, st.integers(100, 5000)),
    st.tuples(
        st.just("change"), st.sampled_from(tuple(TABLES)), st.sampled_from(("join", "join", "leave", "move")), NAMES,
        st.booleans(),
    ),
    st.tuples(st.just("close"), NAMES, NAMES),
    *[st.tuples(st.just("play"), st.sampled_from(tuple(TABLES)), st.sampled_from(tuple(CARDS)))] * 8,
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=6, max_size=20))
def test_random_systems_keep_all_sums_and_pay_no_prize_twice(steps: list[tuple[Any, ...]]) -> None:
    model = Model()
    model.open("bj1", 1000)
    model.change("m1", "join", "bj1", waits=True)
    model.change("m2", "join", "bj1", waits=True)
    for what, *values in steps:
        match what:
            case "open":
                model.open(*values)
            case "change":
                model.change(*values[:3], waits=values[3])
            case "close":
                model.close(*values)
            case "play":
                model.play(*values)
        model.check()
    for table, player in TABLES.items():
        live = model.floor.tables[table]
        if live.table.phase is Phase.SETTLED or not live.table.bets:
            assert model.floor.ask(f"table {table}", LeaveTable(player=player), Asker(PLAYER, player)) is None
            assert model.balance(table) == 0
    model.check()


def test_draws_can_be_checked_by_whoever_has_the_revealed_seed() -> None:
    series = seal_series(1, b"x" * 32)
    boxes = ("1", "2", "4")
    draws = tuple(
        mm.BoxDrawn(
            system="bj1", series=1, number=number, table="m1", round=number + 1, pick="lucky", one_in=2, boxes=boxes,
            box=draw_box(series.seed, number, 2, boxes),
        )
        for number in range(40)
    )  # fmt: skip
    whole = msgspec.structs.replace(series, draws=draws)
    assert {draw.box for draw in draws} == {"", *boxes}
    assert list(check_series(whole)) == []
    forged = msgspec.structs.replace(draws[7], box="2" if draws[7].box != "2" else "1")
    assert "draw 7" in next(check_series(msgspec.structs.replace(whole, draws=(*draws[:7], forged, *draws[8:]))))
    assert "missing" in next(check_series(msgspec.structs.replace(whole, draws=draws[1:])))
    other = seal_series(1, b"y" * 32)
    assert "committed" in next(check_series(msgspec.structs.replace(whole, seed=other.seed)))


def test_a_fold_that_would_break_the_sum_of_a_meter_fails_at_once() -> None:
    model = Model()
    model.open("bj1", 1000)
    system: MeterSystem = model.state.systems["bj1"]
    event = mm.OutcomeHeard(
        system="bj1", table="m1", round=1, credited={},
        changes={METER: mm.MeterChange(Money(0), Money(10), Money(0))},
    )  # fmt: skip
    with pytest.raises(AssertionError, match="below its seed"):
        fold_meters(model.state, event, 0)
    assert system.meters[METER].adds_up


def test_a_shared_meter_is_not_stated_by_a_round() -> None:
    text = (
        write_record().split("[[step]]")[0]
        + f"""[[step]]
on = "{MAIN}"
do = "open-system"
system = "bj1"
wager = "{METER}"
price = 5
meters = {{ {METER} = {{ seed = 100, rate = 0.05 }} }}
[[step]]
by = "dan"
on = "{MAIN}"
do = "put-sign"
table = "m1"
about = "join"
system = "bj1"
[[step]]
at = "+20m"
by = "acm"
on = "{MAIN}"
do = "join-table"
table = "m1"
system = "bj1"
[[step]]
on = "table m1"
do = "round"
bets = ["1 ann* 10"]
meters = {{ {METER} = {{ seed = 100, rate = 0.05, value = 900 }} }}
cards = "Th 6c 9d | Kh 9c"
actions = ["1 stand"]
"""
    )
    (difference,) = replay_floor(read_floor_record(text)).differences
    assert "leave 'meters' out" in difference


def test_a_round_during_which_another_table_feeds_the_meter_is_written_and_replayed() -> None:
    model = Model()
    model.open("bj1", 1000)
    for table in ("m1", "m2"):
        model.change(table, "join", "bj1", waits=True)
    floor = model.floor
    opening = floor.tables["m1"].table
    floor.happened.clear()
    here, chance = Asker(PLAYER, "ann"), iter(range(10_000))

    def go_on_until(phase: Phase) -> None:
        while floor.tables["m1"].table.phase is not phase:
            moves = list_machine_moves(floor.tables["m1"], floor.at_ms, lambda: b"%032d" % next(chance))
            if not any(floor.ask("table m1", move.command, move.by) is None for move in moves):
                floor.at_ms += 21_000

    go_on_until(Phase.BETTING)
    for command in (
        cmd.PlaceBet(box="1", player="ann", amount=Money(10)),
        LoadManager(player="ann", amount=Money(5)),
        cmd.PlaceBet(box="1", player="ann", amount=Money(5), wager=METER),
    ):
        while floor.ask("table m1", command, here) is not None:
            floor.at_ms += 21_000
            moves = list_machine_moves(floor.tables["m1"], floor.at_ms, lambda: b"%032d" % next(chance))
            assert any(floor.ask("table m1", move.command, move.by) is None for move in moves)
    while floor.tables["m1"].table.phase is Phase.BETTING:
        floor.at_ms += 21_000
        moves = list_machine_moves(floor.tables["m1"], floor.at_ms, lambda: b"%032d" % next(chance))
        assert any(floor.ask("table m1", move.command, move.by) is None for move in moves)
    assert floor.tables["m1"].table.phase is not Phase.SETTLED, "another seed: the round must be in play"
    model.values["bj1"] += SHARE
    happened = list(floor.happened)
    floor.happened.clear()
    step = msgspec.structs.replace(ROUNDS["m2", "plain"], at_ms=floor.at_ms)
    assert floor.ask("table m2", cmd.PlaceBet(box="1", player="bob", amount=Money(10)), Asker(PLAYER, "bob")) is None
    assert floor.ask("table m2", LoadManager(player="bob", amount=Money(5)), Asker(PLAYER, "bob")) is None
    assert floor.ask("table m2", cmd.RemoveBet(box="1", player="bob", wager="main"), Asker(PLAYER, "bob")) is None
    happened += floor.happened
    floor.happened.clear()
    played = floor.play(step)
    assert played.differences == ()
    happened += played.happened
    model.values["bj1"] += SHARE
    model.check()
    go_on_until(Phase.SETTLED)
    happened += floor.happened
    events = [
        event for item in happened if item.stream == "table m1" for event in item.events
        if not isinstance(event, TableEvent)
    ]  # fmt: skip
    assert any(isinstance(event, ev.MetersFollowed) for event in events)
    record = from_events(opening, events)
    assert record.rounds[0].meters[METER].value in (Money(1000), Money("1000.25"))
    assert replay(record).differences == ()
    assert read(write(record)).rounds == record.rounds
    model.check()
