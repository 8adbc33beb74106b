"""A floor without sockets: a desk on a database in a folder, with a clock and chance that a test decides."""

from __future__ import annotations

import hashlib
import random

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.desk import Desk
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import Vault
from pitboss.table import Limits, Phase
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.state import Meter
from pitboss.table.views import Observer, Viewer, choose_actions

KEY = b"k" * 32
LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))


class Bench:
    """A desk, and people at it who remember every answer they were given."""

    def __init__(self, address: str, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000
        self.address = address
        self.store = Store(address, clock=lambda: self.now_ms)
        self.answers: dict[tuple[str, str, str], list[Answer]] = {}
        self.asked = 0
        self.start()

    def start(self) -> None:
        """A process begins to serve what is stored."""
        self.store.free_all()
        self.desk = Desk(
            self.store, Vault(KEY), clock=lambda: self.now_ms, entropy=self.entropy, owner=f"desk {self.asked}"
        )
        self.desk.load()

    def entropy(self) -> bytes:
        return hashlib.sha256(self.chance.randbytes(16)).digest()

    def open(
        self, name: str, game: str | Rules, players: tuple[str, ...] = (), meters: dict[str, Meter] | None = None
    ) -> None:
        """A table, and guests with chips at it."""
        rules = rules_for(game) if isinstance(game, str) else game
        self.desk.open_table(
            name, rules, kind=lt.TableKind.MACHINE, limits=LIMITS, clocks=lt.Clocks(), bank=Money(10_000),
            meters=meters,
        )  # fmt: skip
        for player in players:
            self.admit(player)
            self.ask(name, player, {"type": "buy-in", "amount": "500"})

    def admit(self, player: str) -> None:
        add = hm.AddPerson(name=player, kind=hm.PersonKind.GUEST)
        self.desk.ask_house(HOUSE, f"add {player}", add, lambda answer: None)
        chips = hm.IssueChips(name=player, amount=Money(1000))
        self.desk.ask_house(HOUSE, f"chips {player}", chips, lambda answer: None)

    def ask(self, table: str, player: str, asked: object, command_id: str = "") -> str:
        """Ask; the id under which the answer will be found."""
        self.asked += 1
        command_id = command_id or str(self.asked)
        heard = self.answers.setdefault((table, player, command_id), [])
        self.desk.ask(table, Asker("player", player), command_id, asked, heard.append)
        return command_id

    def hear(self, table: str, player: str, command_id: str) -> Answer | None:
        heard = self.answers[table, player, command_id]
        return heard[-1] if heard else None

    def do(self, table: str, player: str, asked: object) -> Answer:
        """Ask, store, and the answer."""
        command_id = self.ask(table, player, asked)
        self.desk.store_line()
        answer = self.hear(table, player, command_id)
        assert answer is not None
        return answer

    def live(self, table: str) -> lt.LiveTable:
        state: lt.LiveTable = self.desk.slots[table].now.state
        return state

    def step(self, table: str) -> None:
        """Somebody at the table does something, or time passes."""
        live = self.live(table)
        state = live.table
        player = self.chance.choice(list(live.purses))
        if state.phase is Phase.BETTING and not state.shoe.asked:
            if any(bet.player == player for bet in state.bets):
                self.ask(table, player, {"type": "ready"})
            else:
                box, amount = str(self.chance.randint(1, 4)), str(self.chance.choice((5, 10, 20)))
                self.ask(table, player, {"type": "place-bet", "box": box, "amount": amount})
            return
        choices = [
            (name, msgspec.to_builtins(action))
            for name in live.purses
            for action in choose_actions(state, Observer(Viewer.PLAYER, name))
            if type(action).__name__ != "DrawPrize"
        ]
        if choices and self.chance.random() < 0.8:
            self.ask(table, *self.chance.choice(choices))
        else:
            self.now_ms += 5_000
            self.desk.run_clocks()

    def list_done(self) -> dict[tuple[str, str], int]:
        """Everything that was acknowledged: stream and full id, with its row."""
        return {
            (table, f"{player}:{command_id}"): answer.seq
            for (table, player, command_id), heard in self.answers.items()
            for answer in heard
            if isinstance(answer, Done)
        }
