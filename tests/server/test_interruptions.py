"""Interruptions: a process may end at any moment of any game, and the table goes on at the same card.

For every game, with its side wagers, meters and buttons, people play at random and supervisors give orders. Whenever
the table is in a situation that the game was not interrupted in yet, the process ends and another one reads what was
stored. It must stand where the first stood: the same cards, the same chips, the same legal actions, the same clock. A
situation is a phase of the round together with something that is open in it; the matrix says which of them each game
has, and a game in which one was not met fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from floor_desk import KEY, LIMITS
from floor_play import meters_of, rules_with_sides
from floor_simulation import SimulatedStore

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import find_next_moment
from pitboss.floor.documents import describe_private, describe_public
from pitboss.money import Money
from pitboss.rulebooks import games
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.desk import Desk
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import FLOOR
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.state import Pending, Phase, ShoeStage
from pitboss.table.views import Observer, Viewer, choose_actions

PLAYERS = ("ann", "bob")
MOST_STEPS = 8_000
ORDERS = (
    {"type": "void"}, {"type": "order-shuffle"}, {"type": "withhold", "player": "ann"},
    {"type": "dispute", "player": "bob"}, {"type": "announce-limits", "minimum": "10", "maximum": "400"},
    {"type": "bar", "player": "bob"}, {"type": "lift", "player": "bob"}, {"type": "release-winnings", "player": "ann"},
    {"type": "ruling", "player": "bob", "upheld": False},
)  # fmt: skip

# ---------------------------------------------------------------------- what may be open

Question = Callable[[lt.LiveTable], bool]

STAGES: dict[str, Question] = {
    "no wager": lambda live: live.table.phase is Phase.BETTING and not live.table.bets and not live.table.shoe.asked,
    "wagers down": lambda live: live.table.phase is Phase.BETTING and bool(live.table.bets),
    "cut on offer": lambda live: bool(live.table.shoe.asked),
    "offers": lambda live: live.table.phase is Phase.OFFERS,
    "turns": lambda live: live.table.phase is Phase.TURNS and live.table.pending is Pending.NOTHING,
    "settled": lambda live: live.table.phase is Phase.SETTLED,
}
"""Where a round may stand."""

OPEN: dict[str, Question] = {
    "nothing else": lambda live: True,
    "an order for a second person": lambda live: bool(live.asked_orders),
    "a sign": lambda live: live.table.floor.limit_sign is not None,
    "a dispute": lambda live: bool(live.table.floor.disputes),
    "winnings held back": lambda live: bool(live.table.floor.withheld),
    "somebody barred": lambda live: bool(live.table.floor.barred),
    "a side wager": lambda live: bool(live.table.sides),
    "a split hand": lambda live: any(len(box.hands) > 1 for box in live.table.boxes),
    "somebody ready": lambda live: bool(live.ready),
}
"""What may be open beside."""

SPECIAL: dict[str, Question] = {
    "a prize is due": lambda live: bool(live.table.prizes_due),
    "a switch is open": lambda live: any(isinstance(option, cmd.Switch) for option in legal(live.table)),
    "a double may be rescued": lambda live: live.table.pending is Pending.RESCUE,
    "the shoe is not ready": lambda live: live.table.shoe.stage is not ShoeStage.OPEN,
    "the round is void": lambda live: live.table.void,
}
"""What only some games have, or only for a moment."""

Cell = tuple[str, str]


def list_cells(live: lt.LiveTable) -> set[Cell]:
    """The situations that a table is in."""
    stages = [name for name, asks in STAGES.items() if asks(live)]
    found = {(stage, name) for name, asks in OPEN.items() if asks(live) for stage in stages}
    return found | {(name, "") for name, asks in SPECIAL.items() if asks(live)}


def list_expected(rules: Rules) -> set[Cell]:
    """The situations that a game has."""
    stages = {"no wager", "wagers down", "offers", "turns", "settled"}
    if rules.cut_order:
        stages.add("cut on offer")
    everywhere = {"nothing else", "an order for a second person", "a dispute"}
    if "withhold-winnings" in rules.authority:
        everywhere.add("winnings held back")
    if {"exclude-player", "bar-from-game"} & rules.authority.keys():
        everywhere.add("somebody barred")
    cells = {(stage, name) for stage in stages - {"cut on offer"} for name in everywhere}
    cells |= {(stage, "somebody ready") for stage in stages & {"no wager", "wagers down"}}
    if "cut on offer" in stages:
        cells.add(("cut on offer", "nothing else"))
    if rules.side_wagers:
        cells.add(("turns", "a side wager"))
    if rules.split_max_hands > 1:
        cells.add(("turns", "a split hand"))
    if rules.boxes_per_area > 1:
        cells.add(("a switch is open", ""))
    if rules.double_rescue:
        cells.add(("a double may be rescued", ""))
    if any(side.prizes for side in rules.side_wagers):
        cells.add(("a prize is due", ""))
    return cells


# ---------------------------------------------------------------------- a floor whose process ends


class Interrupted:
    """A floor on which everything happens, and whose process ends now and then."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000
        self.store = SimulatedStore(self.chance)
        self.asked = 0
        self.met: set[Cell] = set()
        self.desk = self.start()
        rules = rules_with_sides(game)
        self.top = rules.ladder[-1].id
        self.desk.open_table(
            "t", rules, kind=lt.TableKind.MACHINE, limits=LIMITS, clocks=lt.Clocks(), bank=Money(1000),
            meters=meters_of(rules),
        )  # fmt: skip
        for player in PLAYERS:
            self.tell_floor(hm.AddPerson(name=player, kind=hm.PersonKind.GUEST))
            self.tell_floor(hm.IssueChips(name=player, amount=Money(50_000)))
            self.ask(player, {"type": "buy-in", "amount": "50000"})
        self.tell_floor(hm.RequireSecondPerson(above=Money(1), minutes=600))

    def start(self) -> Desk:
        desk = Desk(
            self.store, Vault(KEY), clock=lambda: self.now_ms, entropy=lambda: self.chance.randbytes(32), owner="one"
        )
        desk.load()
        return desk

    @property
    def live(self) -> lt.LiveTable:
        state: lt.LiveTable = self.desk.slots["t"].now.state
        return state

    def tell_floor(self, command: hm.HouseCommand) -> None:
        self.asked += 1
        self.desk.ask_house(HOUSE, str(self.asked), command, lambda answer: None)

    def ask(self, player: str, asked: dict[str, Any], role: str = "player") -> None:
        self.asked += 1
        self.desk.ask("t", Asker(role, player), str(self.asked), asked, lambda answer: None)

    # ------------------------------------------------------------------ what people do

    def step(self) -> None:
        state, chance = self.live.table, self.chance
        player = chance.choice(PLAYERS)
        if chance.random() < (0.4 if state.phase is Phase.OFFERS else 0.12):
            self.order()
        elif state.prizes_due and chance.random() < 0.5:
            self.ask(state.prizes_due[0][1], {"type": "press-button", "box": state.prizes_due[0][0]})
        elif state.phase is Phase.BETTING and not state.shoe.asked and chance.random() < 0.7:
            wager = chance.choice(["main", "main", *(side.id for side in state.rules.side_wagers)])
            self.ask(player, {"type": "place-bet", "box": str(chance.randint(1, 3)), "amount": "10", "wager": wager})
        elif chance.random() < 0.25:
            self.ask(player, {"type": "ready"})
        else:
            self.act()
        assert self.desk.store_line()

    def order(self) -> None:
        waiting = self.live.asked_orders
        if waiting and self.chance.random() < 0.1:
            what = self.chance.choice(("confirm-order", "withdraw-order"))
            self.ask("max", {"type": what, "number": waiting[0].number, "reason": "a test"}, self.top)
        else:
            self.ask("eve", {**self.chance.choice(ORDERS), "reason": "a test"}, self.top)

    def act(self) -> None:
        actions = [
            (player, action)
            for player in PLAYERS
            for action in choose_actions(self.live.table, Observer(Viewer.PLAYER, player))
            if not isinstance(action, cmd.DrawPrize)
        ]
        splits = [item for item in actions if isinstance(item[1], cmd.Split)]
        if actions:
            player, action = self.chance.choice(splits or actions)
            self.ask(player, msgspec.to_builtins(action))
        else:
            self.now_ms += 30_000
            self.desk.run_clocks()

    # ------------------------------------------------------------------ what happens to the process

    def interrupt(self) -> None:
        """The process ends; another one must stand where it stood."""
        before, live = self.desk, self.live
        self.desk = self.start()
        assert self.live == live
        assert self.desk.slots[FLOOR].now.state == before.slots[FLOOR].now.state
        assert describe_public(self.live) == describe_public(live)
        options = legal(live.table)
        assert legal(self.live.table) == options
        for player in PLAYERS:
            assert describe_private(self.live, player, options) == describe_private(live, player, options)
        put_off_or_same = (before.slots["t"].deadline_ms, find_next_moment(live))
        assert self.desk.slots["t"].deadline_ms in put_off_or_same
        assert {key: value for key, value in self.desk.balances.items() if value} == {
            key: value for key, value in before.balances.items() if value
        }

    def play(self, wanted: set[Cell]) -> None:
        """Play until everything that is wanted was interrupted once."""
        for _ in range(MOST_STEPS):
            if wanted <= self.met:
                return
            self.step()
            if not list_cells(self.live) <= self.met:
                self.met |= list_cells(self.live)
                self.interrupt()


@pytest.mark.parametrize("game", games())
def test_a_table_goes_on_at_the_same_card_wherever_it_is_interrupted(game: str) -> None:
    floor = Interrupted(game, seed=2)
    wanted = list_expected(floor.live.table.rules)
    floor.play(wanted)
    assert not wanted - floor.met, f"{game} was never interrupted so: {sorted(wanted - floor.met)}"
