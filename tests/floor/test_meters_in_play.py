"""Random rounds at keyed tables of meter systems, with everything that may go wrong in them, keep every sum.

Tables of two systems of a kind are dealt card by card at the same time; rounds are void, corrected, taken back and
interrupted by faults, tables come and go, prices change. Whatever is asked, what the meters show is what they took and
gave, the ledger holds it, every member shows it, and after a round its players have what its results say and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from speeds import few

from pitboss.floor import live_table as lt
from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.ledger import (
    NEVER_NEGATIVE,
    Unit,
    bet_manager,
    find_imbalance,
    from_grains,
    hold_for,
    jackpot_of,
    purse,
)
from pitboss.floor.records.read import read_floor_record
from pitboss.floor.records.replay import FloorPlayer
from pitboss.money import Money
from pitboss.table import Phase, results
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import PLAYER, Asker

MAIN = "meters main"
PLAYERS = {"m1": ("ann", "bob"), "m2": ("cat", "dot"), "m3": ("eve", "fay")}
SYSTEMS = ("one", "two")
METERS = {
    "blackjack-jackpots": ("blackjack-jackpots",),
    "supernova": ("supernova-major", "supernova-minor", "supernova-mystery"),
}
PICKS = {"blackjack-jackpots": "lucky", "supernova": "mystery"}
CARDS = ("As", "Ah", "As", "Js", "Ad", "7c")
ACM, AM = Asker("assistant-casino-manager", "acm"), Asker("area-manager", "mia")
HDD, DAN = Asker("higher-duties-dealer", "hal"), "dealer"


def write_record(wager: str) -> str:
    tables = "".join(
        f'[tables.{table}]\ngame = "melbourne/blackjack"\nside_wagers = ["{wager}"]\noptions = {{ decks = 6 }}\n'
        f'sign = {{ min = 5, max = 500, chip = 0.5 }}\nbank = 900000\ndealt_by = "person"\n'
        f"players = {{ {', '.join(f'{player} = 5000' for player in players)} }}\n"
        for table, players in PLAYERS.items()
    )
    people = "".join(f"{player} = {{ chips = 10 }}\n" for players in PLAYERS.values() for player in players)
    staff = 'acm = "assistant-casino-manager"\nmia = "area-manager"\nhal = "higher-duties-dealer"\n'
    dealers = "".join(f'dan-{table} = "dealer"\n' for table in PLAYERS)
    return f'floor = 1\nbook = "melbourne"\nstart = 2026-03-02T18:00:00\n[people]\n{people}{staff}{dealers}{tables}'


RECORDS = {wager: read_floor_record(write_record(wager)) for wager in METERS}


class Pit:
    """Three keyed tables, two meter systems, and what every player must have by the results of their rounds."""

    def __init__(self, wager: str) -> None:
        self.wager = wager
        self.floor = FloorPlayer(RECORDS[wager], ())
        self.floor.begin()
        self.owns = {player: Decimal(5000) for players in PLAYERS.values() for player in players}
        for seed, system in enumerate(SYSTEMS, 1):
            meters = {name: mm.MeterTerms(Money(100 * seed), Money("0.05")) for name in METERS[wager]}
            one_in = {PICKS[wager]: 3}
            self.must(
                MAIN, mm.OpenSystem(system=system, wager=wager, price=Money(5), meters=meters, one_in=one_in), ACM
            )
        for table in PLAYERS:
            self.must(MAIN, mm.PutSign(table=table, about="join", system=self.home(table)), self.dealer("m1"))
        self.floor.at_ms += 20 * 60_000
        for table in PLAYERS:
            self.must(MAIN, mm.JoinTable(table=table, system=self.home(table)), ACM)
            self.must(f"table {table}", od.ChangeDealer(role=AM.role, name=f"dan-{table}"), AM)
            self.must(f"table {table}", cmd.BringShoe(), self.dealer(table))

    @staticmethod
    def home(table: str) -> str:
        return SYSTEMS[table == "m3"]

    @staticmethod
    def dealer(table: str) -> Asker:
        return Asker(DAN, f"dan-{table}")

    def must(self, stream: str, command: Any, by: Asker) -> None:
        assert self.ask(stream, command, by), command

    def ask(self, stream: str, command: Any, by: Asker) -> bool:
        """Ask, and check everything afterwards; whether it was granted."""
        name = stream.partition(" ")[2]
        before = self.floor.tables[name].table.phase if name in PLAYERS else None
        granted = self.floor.ask(stream, command, by) is None
        self.count(name, before)
        self.check()
        return granted

    def count(self, table: str, before: Phase | None) -> None:
        """What a round that is over has won and lost, and what chips could not pay of a balance exactly."""
        for item in self.floor.happened:
            for event in item.events:
                if isinstance(event, lt.ManagerPaid):
                    self.owns[event.player] += event.chips - event.amount
        self.floor.happened.clear()
        if table in PLAYERS and before is not Phase.SETTLED and before is not Phase.BETTING:
            state = self.floor.tables[table].table
            if state.phase is Phase.SETTLED:
                for (_, player, _), net in results(state).items():
                    self.owns[player] += net

    def check(self) -> None:
        floor = self.floor
        assert floor.differences == []
        assert find_imbalance(floor.balances) == 0
        assert list(floor.list_disagreements()) == []
        for (account, _), grains in floor.balances.items():
            assert grains >= 0 or not account.startswith(NEVER_NEGATIVE), account
        for name, system in floor.streams[MAIN].systems.items():
            for meter, shown in system.meters.items():
                assert shown.adds_up
                assert shown.value >= shown.seed or not system.is_open
                assert self.balance(jackpot_of(name, meter)) == shown.value
                assert min(shown.contributed, shown.prizes, shown.moved_in, shown.moved_out) >= 0
                for table in system.tables:
                    assert floor.tables[table].table.meters[meter].value == shown.value
        for table, players in PLAYERS.items():
            state = floor.tables[table].table
            if state.phase is Phase.SETTLED or (state.phase is Phase.BETTING and not state.bets):
                for player in players:
                    assert self.wealth(table, player) == self.owns[player], player

    def balance(self, account: str) -> Decimal:
        return from_grains(self.floor.balances.get((account, Unit.CHIP), 0))

    def wealth(self, table: str, player: str) -> Decimal:
        return sum((self.balance(of(table, player)) for of in (purse, bet_manager, hold_for)), Decimal(0))

    # ------------------------------------------------------------------ steps

    def step(self, table: str, seat: int, what: str, choice: int) -> None:
        state = self.floor.tables[table].table
        if what == "system":
            self.change_system(table, choice)
        elif what == "order" and state.phase not in (Phase.BETTING, Phase.SETTLED):
            self.order(table, seat, choice)
        elif what == "bet" and state.phase is Phase.BETTING:
            self.bet(table, seat, choice)
        elif what == "play":
            self.play(table, seat, choice)

    def bet(self, table: str, seat: int, choice: int) -> None:
        player, stream, box = PLAYERS[table][seat], f"table {table}", str(seat + 1)
        own = Asker(PLAYER, player)
        self.ask(stream, cmd.PlaceBet(box=box, player=player, amount=Money(10), seated=True), own)
        self.ask(stream, lt.LoadManager(player=player, amount=Money((5, 7, 20)[choice % 3])), self.dealer(table))
        price = Money((5, 5, 6)[choice % 3])
        self.ask(stream, cmd.PlaceBet(box=box, player=player, amount=price, wager=self.wager), own)
        if choice % 7 == 6:
            self.ask(stream, cmd.RemoveBet(box=box, player=player, wager=(self.wager, "main")[choice % 2]), own)

    def play(self, table: str, seat: int, choice: int) -> None:
        player, stream, box = PLAYERS[table][seat], f"table {table}", str(seat + 1)
        state, dealer = self.floor.tables[table].table, self.dealer(table)
        if state.phase is Phase.BETTING:
            self.ask(stream, cmd.BringShoe() if choice % 5 == 4 else cmd.Deal(), dealer)
        elif state.phase is Phase.SETTLED:
            if choice % 3 == 0:
                part = None if choice % 2 else Money(5)
                self.ask(stream, lt.PayManager(player=player, amount=part), dealer)
            self.ask(stream, cmd.NextRound(), dealer)
        elif state.shoe.out:
            self.ask(stream, cmd.KeyCard(card=CARDS[choice % len(CARDS)]), dealer)
        elif not self.ask(stream, cmd.Stand(box=box), Asker(PLAYER, player)):
            self.ask(stream, cmd.Proceed(), dealer)

    def order(self, table: str, seat: int, choice: int) -> None:
        """What somebody of the house orders, or a player takes back, in the middle of a round."""
        player, box, why = PLAYERS[table][seat], str(seat + 1), "it is so"
        acm, hdd = ACM.role, HDD.role
        orders: tuple[Callable[[], tuple[Any, Asker]], ...] = (
            lambda: (cmd.Void(role=hdd, reason=why, clause="32.4"), HDD),
            lambda: (cmd.Void(role=acm, box=box, reason=why, clause="32.3"), ACM),
            lambda: (cmd.Void(role=acm, box=box, player=player, wager=self.wager, reason=why, clause="32.3"), ACM),
            lambda: (cmd.Void(role=acm, box=box, player=player, wager="main", reason=why, clause="32.3"), ACM),
            lambda: (od.CorrectCard(role=hdd, number=1 + choice % 5, card=CARDS[choice % 6], reason=why), HDD),
            lambda: (od.Unregistered(role=DAN, wager=self.wager), self.dealer(table)),
            lambda: (od.Retract(box=box, player=player, wager=self.wager), Asker(PLAYER, player)),
            lambda: (od.Malfunction(role=hdd, wager=self.wager, reason=why), HDD),
            lambda: (od.Reconstruct(role=hdd, box=box, should="hit", reason=why), HDD),
        )
        command, by = orders[choice % len(orders)]()
        if self.ask(f"table {table}", command, by) and isinstance(command, od.Unregistered):
            back = od.Retract(box=box, player=player, wager=self.wager)
            self.ask(f"table {table}", back, Asker(PLAYER, player))

    def change_system(self, table: str, choice: int) -> None:
        """A table comes, goes or moves, a system closes; prices, meters and equipment change."""
        system, other = SYSTEMS if choice % 2 else SYSTEMS[::-1]
        meter, why = METERS[self.wager][0], "it is so"
        changes: tuple[Callable[[], tuple[Any, Asker]], ...] = (
            lambda: (mm.SetPrice(system=system, price=Money((5, 6)[choice % 2])), ACM),
            lambda: (mm.ResetMeter(system=system, meter=meter, value=Money(100 + choice), reason=why), ACM),
            lambda: (mm.ReportFault(system=system, part="meter", reason=why), HDD),
            lambda: (mm.RevealDraws(system=system), HDD),
            lambda: self.announce(table, "join", system, mm.JoinTable(table=table, system=system)),
            lambda: self.announce(table, "leave", system, mm.RemoveTable(table=table, system=system)),
            lambda: self.announce(table, "move", system, mm.MoveTable(table=table, system=system, to=other), other),
            lambda: self.announce(table, "close", system, mm.CloseSystem(system=system, to={other: 1})),
        )
        command, by = changes[choice // 2 % len(changes)]()
        self.ask(MAIN, command, by)
        for name in SYSTEMS:
            self.ask(MAIN, mm.MendFault(system=name, reason=why), HDD)
        for name in PLAYERS:
            self.ask(f"table {name}", od.Repaired(role=HDD.role, wager=self.wager, reason=why), HDD)

    def announce(
        self, table: str, about: mm.SignAbout, system: str, command: mm.MeterCommand, to: str = ""
    ) -> tuple[mm.MeterCommand, Asker]:
        """A sign stands for as long as it must before what it announces."""
        for name in PLAYERS if about == "close" else (table,):
            self.ask(MAIN, mm.PutSign(table=name, about=about, system=system, to=to), self.dealer(table))
        self.floor.at_ms += 20 * 60_000
        return command, ACM


STEPS = st.tuples(
    st.sampled_from(tuple(PLAYERS)), st.integers(0, 1),
    st.sampled_from(("bet", "bet", "play", "play", "play", "play", "play", "play", "order", "system")),
    st.integers(0, 79),
)  # fmt: skip


@pytest.mark.parametrize("wager", few(METERS, 2))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, min_size=60, max_size=120))
def test_meters_and_players_have_what_the_rounds_gave_whatever_happens(
    wager: str, steps: list[tuple[str, int, str, int]]
) -> None:
    pit = Pit(wager)
    for step in steps:
        pit.step(*step)
