"""Interruptions: a process may end at any moment of any game, and the table goes on at the same card.

For every game, with its side wagers, meters and buttons, people play at random and supervisors give orders. After every
step the process ends and another one reads what was stored. It must stand where the first stood: the same cards, the
same chips, the same legal actions, the same clock. The phases that were interrupted are counted, so none is missed.
"""

from __future__ import annotations

import random

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
from pitboss.server.desk import Desk
from pitboss.server.storage.vault import Vault
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.state import Phase
from pitboss.table.views import Observer, Viewer, choose_actions

PLAYERS = ("ann", "bob")


class Interrupted:
    """A floor whose process ends after every step."""

    def __init__(self, game: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000
        self.store = SimulatedStore(self.chance)
        self.asked = 0
        self.phases: set[Phase] = set()
        self.desk = self.start()
        rules = rules_with_sides(game)
        self.desk.open_table(
            "t", rules, kind=lt.TableKind.MACHINE, limits=LIMITS, clocks=lt.Clocks(), bank=Money(1000),
            meters=meters_of(rules),
        )  # fmt: skip
        for player in PLAYERS:
            add = hm.AddPerson(name=player, kind=hm.PersonKind.GUEST)
            self.desk.ask_house(HOUSE, player, add, lambda answer: None)
            chips = hm.IssueChips(name=player, amount=Money(5000))
            self.desk.ask_house(HOUSE, f"chips {player}", chips, lambda answer: None)
            self.ask(player, {"type": "buy-in", "amount": "5000"})

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

    def ask(self, player: str, asked: object, role: str = "player") -> None:
        self.asked += 1
        self.desk.ask("t", Asker(role, player), str(self.asked), asked, lambda answer: None)

    def step(self) -> None:
        state, chance = self.live.table, self.chance
        player = chance.choice(PLAYERS)
        if chance.random() < 0.05:
            order = {"type": chance.choice(("void", "order-shuffle", "withhold")), "player": player, "reason": "a test"}
            self.ask("eve", order, state.rules.ladder[-1].id)
        elif state.phase is Phase.BETTING and not state.shoe.asked and chance.random() < 0.8:
            wager = chance.choice(["main", "main", *(side.id for side in state.rules.side_wagers)])
            self.ask(player, {"type": "place-bet", "box": str(chance.randint(1, 3)), "amount": "10", "wager": wager})
        elif chance.random() < 0.3:
            self.ask(player, {"type": "ready"})
        elif state.prizes_due and chance.random() < 0.5:
            self.ask(state.prizes_due[0][1], {"type": "press-button", "box": state.prizes_due[0][0]})
        else:
            self.act()
        assert self.desk.store_line()

    def act(self) -> None:
        actions = [
            (player, action)
            for player in PLAYERS
            for action in choose_actions(self.live.table, Observer(Viewer.PLAYER, player))
            if not isinstance(action, cmd.DrawPrize)
        ]
        if actions:
            player, action = self.chance.choice(actions)
            self.ask(player, msgspec.to_builtins(action))
        else:
            self.now_ms += 30_000
            self.desk.run_clocks()

    def interrupt(self) -> None:
        """The process ends; another one must stand where it stood."""
        before, live = self.desk, self.live
        self.phases.add(live.table.phase)
        self.desk = self.start()
        assert self.live == live
        assert describe_public(self.live) == describe_public(live)
        assert legal(self.live.table) == legal(live.table)
        for player in PLAYERS:
            options = legal(live.table)
            assert describe_private(self.live, player, options) == describe_private(live, player, options)
        put_off_or_same = (before.slots["t"].deadline_ms, find_next_moment(live))
        assert self.desk.slots["t"].deadline_ms in put_off_or_same
        assert {key: value for key, value in self.desk.balances.items() if value} == {
            key: value for key, value in before.balances.items() if value
        }


@pytest.mark.parametrize("game", games())
def test_a_table_goes_on_at_the_same_card_after_any_interruption(game: str) -> None:
    floor = Interrupted(game, seed=2)
    for _ in range(90):
        floor.step()
        floor.interrupt()
    assert {Phase.BETTING, Phase.TURNS, Phase.SETTLED} <= floor.phases, floor.phases


@pytest.mark.slow
def test_every_phase_is_interrupted_somewhere() -> None:
    phases: set[Phase] = set()
    for game in games():
        floor = Interrupted(game, seed=6)
        for _ in range(150):
            floor.step()
            floor.interrupt()
        phases |= floor.phases
    assert {Phase.BETTING, Phase.OFFERS, Phase.TURNS, Phase.SETTLED} <= phases
