"""A whole floor in one process, decided by one seed: people, network, store, clock, and what goes wrong with them.

    python tests/tools/floor_simulation.py --seeds 200          # seeds 1 to 200
    python tests/tools/floor_simulation.py --seed 17            # one of them again

Messages are lost, doubled and come out of order; commits fail, also after everything was stored; processes die with
what they had not stored; the floor freezes and goes on; clocks jump; people of the house shut players out, void rounds
and have others confirm it. One table is dealt by a person, who keys in cards and now and then a wrong one; one is for
practice; robots play along. After every step: the ledger balances and nobody is below zero, and whoever has heard
everything holds the document of the table. At the end what was acknowledged is stored once, and everything is
read back.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from pitboss.cards import CARDS
from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.documents import describe_public
from pitboss.floor.ledger import Unit, add_up_changes, find_imbalance, find_overdraft
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.server.client import merge_patch
from pitboss.server.desk import Desk
from pitboss.server.hub import Connection, Hub
from pitboss.server.live_stream import Answer, Done, read_stream
from pitboss.server.robots.coach import LayoutQuestion
from pitboss.server.robots.robot_brain import RobotBrain
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FLOOR, LogEntry, LogRow
from pitboss.server.storage.store import CommandDone, LeaseLost
from pitboss.server.storage.vault import Vault
from pitboss.table import Limits
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.state import CardSource

KEY = b"k" * 32
LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
STEPS = 240
STAFF = ("mia", "max")


class SimulatedStore:
    """What a database does, in memory, and what it does when it fails."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.entries: dict[str, list[LogEntry]] = {}
        self.balances: dict[tuple[str, Unit], int] = {}
        self.leases: dict[str, tuple[str, int]] = {}
        self.snapshots: dict[str, tuple[int, bytes]] = {}
        self.trouble = 0.0

    def _may_fail(self) -> None:
        if self.chance.random() < self.trouble:
            raise StoreError("the store does not answer")

    def write(self, entries: list[LogEntry], owner: str, tokens: Mapping[str, int]) -> None:
        self._may_fail()
        streams = {entry.row.stream for entry in entries}
        lost = [stream for stream in streams if self.leases.get(stream) != (owner, tokens[stream])]
        if lost:
            raise LeaseLost(lost)
        known = {
            (entry.row.stream, entry.row.command_id or ""): old.row.seq
            for entry in entries
            if entry.row.command_id
            for old in self.entries.get(entry.row.stream, ())
            if old.row.command_id == entry.row.command_id
        }
        if known:
            raise CommandDone(known)
        for stream in streams:
            own = [entry.row.seq for entry in entries if entry.row.stream == stream]
            first = len(self.entries.setdefault(stream, [])) + 1
            assert own == list(range(first, first + len(own))), "a row is written in the wrong place"
        changes = add_up_changes(moved for entry in entries for moved in entry.transfers)
        assert not find_overdraft(self.balances, changes), "the database would refuse this"
        for entry in entries:
            self.entries[entry.row.stream].append(entry)
        for account, change in changes.items():
            self.balances[account] = self.balances.get(account, 0) + change
        self._may_fail()

    def take(self, streams: list[str], owner: str) -> dict[str, int]:
        taken = {stream: self.leases.get(stream, ("", 0))[1] + 1 for stream in streams}
        self.leases.update({stream: (owner, token) for stream, token in taken.items()})
        return taken

    def write_snapshot(self, stream: str, seq: int, body: bytes) -> None:
        self.snapshots[stream] = (seq, body)

    def list_streams(self) -> list[str]:
        return sorted(self.entries)

    def read_log(self, stream: str, after: int = 0) -> Iterator[LogRow]:
        self._may_fail()
        for entry in self.entries.get(stream, ())[after:]:
            yield entry.row

    def find_head(self, stream: str) -> tuple[int, bytes] | None:
        self._may_fail()
        own = self.entries.get(stream)
        return (own[-1].row.seq, own[-1].row.digest) if own else None

    def read_recent_ids(self, stream: str, count: int) -> dict[str, int]:
        rows = [entry.row for entry in self.entries.get(stream, ()) if entry.row.command_id]
        return {row.command_id or "": row.seq for row in rows[-count:]}

    def read_balances(self) -> dict[tuple[str, Unit], int]:
        return dict(self.balances)

    def read_some_balances(self, names: list[str]) -> dict[tuple[str, Unit], int]:
        return {key: balance for key, balance in self.balances.items() if key[0] in names}

    def read_snapshot(self, stream: str) -> tuple[int, bytes] | None:
        return self.snapshots.get(stream)


class SimulatedClient:
    """Somebody at a table: remembers what was asked, asks again what was not answered, and holds the document."""

    def __init__(self, world: World, name: str, table: str) -> None:
        self.world = world
        self.name = name
        self.table = table
        self.open: dict[str, dict[str, Any]] = {}
        self.acknowledged: dict[str, int] = {}
        self.public: Any = {}
        self.private: dict[str, Any] = {}
        self.seq: int | None = None
        self.asked = 0
        self.connection: Connection | None = None
        self.role = "player"

    def connect(self) -> None:
        world = self.world
        if self.connection is not None:
            world.hub.leave(self.connection)
        self.connection = Connection(self.name, lambda: None, lambda reason: None)
        world.hub.connections.add(self.connection)
        self.send({"type": "watch", "table": self.table, "after": self.seq}, sure=True)
        for message in self.open.values():
            self.send(message)

    def send(self, message: dict[str, Any], sure: bool = False) -> None:
        """Put a message on the network, which may lose it or bring it twice."""
        text = msgspec.json.encode(message)
        chance = self.world.chance
        times = 1 if sure else chance.choices((0, 1, 2), (1, 8, 1))[0]
        for _ in range(times):
            self.world.network.append((self, self.connection, text))

    def ask(self, command: dict[str, Any]) -> None:
        self.asked += 1
        message = {
            "type": "ask", "id": f"{self.name}-{self.asked}", "table": self.table, "command": command,
            "role": self.role,
        }  # fmt: skip
        self.open[message["id"]] = message
        self.send(message)

    def hear(self) -> None:
        if self.connection is None or not self.connection.waiting:
            return
        for message in msgspec.json.decode(self.connection.take_frame()):
            self.hear_message(message)

    def hear_message(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "acknowledged":
            self.open.pop(message["id"], None)
            before = self.acknowledged.setdefault(message["id"], message["seq"])
            assert before == message["seq"], "one command has two answers"
        elif kind == "refused":
            self.open.pop(message["id"], None)
            assert message["id"] not in self.acknowledged, "a command was done, and then refused"
        elif kind == "snapshot":
            self.public, self.seq = merge_patch({}, message["public"]), message["seq"]
        elif kind == "patch":
            assert message["after"] == self.seq, "a patch is missing or came twice"
            self.public, self.seq = merge_patch(self.public, message["patch"]), message["seq"]
        elif kind == "private":
            self.private = message["private"]

    def act(self) -> None:
        """Ask for something, or for what was not answered yet."""
        chance = self.world.chance
        if self.open and chance.random() < 0.7:
            self.send(chance.choice(list(self.open.values())))
            return
        if not self.public:
            return
        actions = [action for action in self.private.get("actions", ()) if action["type"] != "prize"]
        if self.name not in self.public["players"]:
            self.ask({"type": "buy-in", "amount": "100"})
        elif self.public["phase"] == "betting" and not actions:
            bets = any(bet["player"] == self.name for bet in self.public["bets"])
            box, amount = str(chance.randint(1, 5)), str(chance.choice((5, 10, 20, 600)))
            self.ask({"type": "ready"} if bets else {"type": "place-bet", "box": box, "amount": amount})
        elif actions and chance.random() < 0.8:
            self.ask(chance.choice(actions))
        else:
            self.ask({"type": chance.choice(("ready", "ready", "leave-table"))})


class SimulatedRobot(SimulatedClient):
    """A robot of the house, which thinks on the documents that it holds."""

    def __init__(self, world: World, name: str, table: str, policy: hm.RobotPolicy) -> None:
        super().__init__(world, name, table)
        self.brain = RobotBrain(name, policy, seed=world.chance.randrange(2**32))

    def act(self) -> None:
        if self.open:
            self.send(self.world.chance.choice(list(self.open.values())))
        elif self.public:
            chosen = self.brain.choose(self.public, self.private)
            if isinstance(chosen, LayoutQuestion):
                chosen = self.brain.take_advice(self.public, self.private, "stand")
            if chosen is not None:
                self.ask(chosen)


class SimulatedDealer(SimulatedClient):
    """Whoever deals at the table with a real shoe: draws a card, keys it in, and errs now and then."""

    def __init__(self, world: World, name: str, table: str, role: str) -> None:
        super().__init__(world, name, table)
        self.role = role

    def act(self) -> None:
        chance = self.world.chance
        if self.open:
            self.send(chance.choice(list(self.open.values())))
            return
        if not self.public:
            return
        shoe, phase = self.public["shoe"], self.public["phase"]
        if shoe["ran_out"] or (phase == "betting" and chance.random() < 0.02):
            cut_card = chance.random() < 0.05 or not shoe["ran_out"]
            self.ask({"type": "key-cut-card"} if cut_card else {"type": "key-card", "card": chance.choice(CARDS)})
        elif shoe["source"] != "keyed" or (phase == "betting" and (shoe["due"] or shoe["rounds"] > 8)):
            self.ask({"type": "bring-shoe"})
        elif phase == "betting":
            self.ask({"type": chance.choice(("deal", "deal", "no-more-bets"))})
        elif phase == "settled":
            self.ask({"type": "next-round"})
        else:
            actions = [action for action in self.private.get("actions", ()) if action["type"] != "proceed"]
            self.ask(chance.choice([{"type": "proceed"}, *actions]))


class World:
    """Everything, decided by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000_000
        self.store = SimulatedStore(self.chance)
        self.network: list[tuple[SimulatedClient, Connection | None, bytes]] = []
        self.starts = 0
        self.start()
        for number, kind in enumerate((lt.TableKind.MACHINE, lt.TableKind.PERSON, lt.TableKind.PRACTICE)):
            game = self.chance.choice(list(games()))
            self.desk.open_table(
                f"t{number}", rules_for(game), kind=kind, limits=LIMITS, clocks=lt.Clocks(pause_ms=500),
                bank=Money(1_000),
            )  # fmt: skip
        self.hire()
        self.staff_asked = 0
        self.staff_done: dict[tuple[str, str], int] = {}
        self.clients = [SimulatedClient(self, f"p{number}", f"t{number % 3}") for number in range(7)]
        for client in self.clients:
            add = hm.AddPerson(name=client.name, kind=hm.PersonKind.GUEST)
            self.desk.ask_house(HOUSE, f"add {client.name}", add, lambda answer: None)
            chips = hm.IssueChips(name=client.name, amount=Money(300))
            self.desk.ask_house(HOUSE, f"chips {client.name}", chips, lambda answer: None)
        self.dealer = self.hire_dealer("t1")
        self.clients += [self.dealer, *map(self.seat_robot, ("t0", "t2"))]
        assert self.desk.store_line()
        for client in self.clients:
            client.connect()
        self.store.trouble = self.chance.choice((0, 0.02, 0.1))

    def start(self) -> None:
        """A process begins; what the one before had not stored is gone."""
        self.starts += 1
        trouble, self.store.trouble = self.store.trouble, 0.0
        self.desk = Desk(
            self.store, Vault(KEY), clock=lambda: self.now_ms, entropy=self.entropy, owner=f"process {self.starts}"
        )
        self.desk.load()
        self.hub = Hub(self.desk, self.list_roles)
        self.store.trouble = trouble

    def list_roles(self, person: str, book: str) -> tuple[str, ...]:
        return tuple(role for role, of in self.desk.house.people[person].roles if of == book)

    def entropy(self) -> bytes:
        return hashlib.sha256(self.chance.randbytes(16)).digest()

    def hire_dealer(self, table: str) -> SimulatedDealer:
        """Somebody who deals at a table by the lowest role of its book."""
        rules = self.desk.slots[table].now.state.table.rules
        role = rules.ladder[0].id
        for command in (
            hm.AddPerson(name="dan", kind=hm.PersonKind.MEMBER, password_hash="#"),
            hm.GiveRole(name="dan", role=role, book=rules.book),
        ):
            self.desk.ask_house(HOUSE, f"dealer {type(command).__name__}", command, lambda answer: None)
        self.desk.ask(table, Asker(role, "dan"), "on", {"type": "dealer", "name": "dan"}, lambda answer: None)
        return SimulatedDealer(self, "dan", table, role)

    def seat_robot(self, table: str) -> SimulatedRobot:
        policy = self.chance.choice(list(hm.RobotPolicy))
        self.desk.ask_house(
            HOUSE, f"robot {table}", hm.SeatRobot(table=table, policy=policy, reason="x"), lambda answer: None
        )
        name = next(robot.name for robot in self.desk.house.robots.values() if robot.table == table)
        return SimulatedRobot(self, name, table, policy)

    def hire(self) -> None:
        """Two people with the highest role of every book, and an inspector."""
        books = {slot.now.state.table.rules.book: slot.now.state.table.rules for slot in self.desk.tables}
        self.tops = {book: rules.ladder[-1].id for book, rules in books.items()}
        wanted: list[hm.HouseCommand] = [
            hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#") for name in (*STAFF, "ivy")
        ]
        for name in STAFF:
            wanted += [hm.GiveRole(name=name, role=role, book=book) for book, role in self.tops.items()]
        wanted.append(hm.GiveRole(name="ivy", role="inspector"))
        wanted.append(hm.RequireSecondPerson(above=Money(5), minutes=1))
        for number, command in enumerate(wanted):
            self.desk.ask_house(HOUSE, f"hire {number}", command, lambda answer: None)

    def act_as_staff(self) -> None:
        """Somebody of the house does something, at a table or on the floor."""
        chance = self.chance
        slot = chance.choice(self.desk.tables)
        live: lt.LiveTable = slot.now.state
        by = Asker(self.tops[live.table.rules.book], chance.choice(STAFF))
        client = chance.choice(self.clients)
        self.staff_asked += 1
        full_id = f"staff-{self.staff_asked}"

        def note(stream: str, answer: Answer) -> None:
            if isinstance(answer, Done):
                self.staff_done[stream, f"{by.name}:{full_id}"] = answer.seq

        if chance.random() < 0.1:
            changes = chance.choice(((), (), ("a.py is another",)))
            report = hm.ReportFiles(digest=chance.choice(("1" * 64, "2" * 64)), changes=changes)
            by = HOUSE
            self.desk.ask_house(by, full_id, report, lambda answer: note(FLOOR, answer))
            return
        if chance.random() < 0.15:
            shut: hm.HouseCommand = hm.Exclude(name=client.name, game=live.table.rules.game, reason="x")
            back = hm.Readmit(name=client.name, game=live.table.rules.game, reason="x")
            command = chance.choice((shut, back, hm.SendNotice(body="inspector", table=slot.name, reason="x")))
            self.desk.ask_house(by, full_id, command, lambda answer: note(FLOOR, answer))
            return
        pending = [asked.number for asked in live.asked_orders]
        order: dict[str, Any] = {"type": chance.choice(("bar", "lift", "lift", "void", "void", "void", "withhold"))}
        if live.table.shoe.source is CardSource.KEYED and chance.random() < 0.8:
            order = {"type": "correct-card", "number": chance.randint(1, 5), "card": chance.choice(CARDS)}
        if pending and chance.random() < 0.7:
            order = {"type": chance.choice(("confirm-order", "withdraw-order")), "number": pending[0]}
        elif order["type"] not in ("void", "correct-card"):
            order["player"] = client.name
        order["reason"] = "x"
        self.desk.ask(slot.name, by, full_id, order, lambda answer: note(slot.name, answer))

    def step(self) -> None:
        chance = self.chance
        what = chance.random()
        if what < 0.40:
            for client in chance.sample(self.clients, 3):
                client.act()
            if chance.random() < 0.6:
                self.dealer.act()
        elif what < 0.48:
            self.act_as_staff()
        elif what < 0.75:
            self.deliver()
        elif what < 0.88:
            self.store_line()
        elif what < 0.94:
            jump = chance.choice((10, 1_000, 30_000, 3_600_000, -5_000))
            self.now_ms += jump
            if jump == 3_600_000 and not self.desk.frozen:
                self.desk.restart_clocks()
            self.desk.run_clocks()
        elif what < 0.97:
            chance.choice(self.clients).connect()
        elif what < 0.985:
            self.start()
            self.network.clear()
            for client in self.clients:
                client.connect()
        else:
            self.keep_state()
        for client in self.clients:
            client.hear()
        self.check()

    def store_line(self) -> None:
        """Store what is decided; where that fails the floor may freeze, and goes on once the store answers."""
        if self.desk.frozen:
            try:
                self.store.find_head(FLOOR)
            except StoreError:
                return
            self.desk.thaw()
        if not self.desk.store_line() and self.chance.random() < 0.5:
            self.desk.freeze("nothing can be stored now")

    def deliver(self) -> None:
        """Some of what is on the network arrives, in any order."""
        for _ in range(min(len(self.network), 8)):
            client, connection, text = self.network.pop(self.chance.randrange(len(self.network)))
            if connection is not None and connection is client.connection:
                self.hub.hear(connection, text)

    def keep_state(self) -> None:
        slot = self.chance.choice(self.desk.tables)
        slot.snapshot_seq = -10_000
        kept = self.desk.find_snapshot()
        if kept is not None:
            self.store.write_snapshot(kept[0].name, kept[1], kept[2])

    def check(self) -> None:
        """What must hold whatever happens."""
        stored = self.store.balances
        assert find_imbalance(stored) == 0
        assert find_imbalance(self.desk.balances) == 0
        for (account, _), balance in {**stored, **self.desk.balances}.items():
            assert balance >= 0 or not account.startswith(("wallet:", "purse:", "layout:", "held:")), account
        assert not (self.desk.frozen and self.desk.line), "something was decided while the floor is frozen"
        known = self.desk.slots[FLOOR]
        for slot in self.desk.tables:
            if not (slot.doubtful or known.doubtful):
                heard = len(known.durable.state.orders)
                live = slot.durable.state
                assert live.passed_on <= heard, "a table has heard what the floor has not stored"
                told = live.news_counted - len(live.news)
                assert told == known.durable.state.heard.get(slot.name, 0), "table and floor disagree about the news"
        for client in self.clients:
            slot = self.desk.slots[client.table]
            assert not slot.stopped, slot.stopped
            if client.seq == slot.durable.seq and not slot.doubtful:
                wanted = merge_patch({}, msgspec.json.decode(msgspec.json.encode(describe_public(slot.durable.state))))
                assert client.public == wanted, "the patches do not add up to the document"

    def finish(self) -> None:
        """Everything works again: what is open is answered, and everything that is stored is read back."""
        self.store.trouble = 0.0
        if self.desk.frozen:
            self.desk.thaw()
        for _ in range(3):
            for client in self.clients:
                client.connect()
                for message in client.open.values():
                    client.send(message, sure=True)
            while self.network:
                self.deliver()
            assert self.desk.store_line()
            for client in self.clients:
                client.hear()
        for slot in self.desk.tables:
            self.desk.ask(slot.name, HOUSE, "nothing", {"type": "deal"}, lambda answer: None)
        assert self.desk.store_line()
        for slot in self.desk.tables:
            assert slot.durable.state.passed_on == len(self.desk.house.orders), "a table has not heard an order"
            assert not slot.durable.state.news, "the floor has not heard the news of a table"
        self.check()
        stored = {
            (stream, entry.row.command_id): entry.row.seq
            for stream, entries in self.store.entries.items()
            for entry in entries
            if entry.row.command_id
        }
        for client in self.clients:
            assert not client.open, "something was never answered"
            for command_id, seq in client.acknowledged.items():
                assert stored[client.table, f"{client.name}:{command_id}"] == seq, "acknowledged and not stored"
        for (stream, full_id), seq in self.staff_done.items():
            assert stored[stream, full_id] == seq, "staff were told that something is done, and it is not stored"
        for stream, entries in self.store.entries.items():
            ids = [entry.row.command_id for entry in entries if entry.row.command_id]
            assert len(ids) == len(set(ids)), "a command was done twice"
            slot = read_stream(self.store, self.desk.vault, stream)
            assert slot.now.state == self.desk.slots[stream].durable.state
        moved = add_up_changes(
            moved for entries in self.store.entries.values() for entry in entries for moved in entry.transfers
        )
        assert {key: value for key, value in moved.items() if value} == {
            key: value for key, value in self.store.balances.items() if value
        }
        assert FLOOR in self.store.entries


def simulate(seed: int, steps: int = STEPS) -> World:
    """One floor from its opening to its end."""
    world = World(seed)
    for _ in range(steps):
        world.step()
    world.finish()
    return world


def run_seeds(simulate_one: Callable[[int], Any], script: str, description: str, seeds: int) -> Iterator[Any]:
    """Play the floors that the command line names; a floor that fails is named by the line that plays it again."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    for seed in [options.seed] if options.seed is not None else range(1, options.seeds + 1):
        try:
            world = simulate_one(seed)
        except BaseException:
            print(f"failed; again: python {script} --seed {seed}")
            raise
        yield world


def main() -> None:
    began, rows, acknowledged = time.perf_counter(), 0, 0
    for world in run_seeds(simulate, "tests/tools/floor_simulation.py", __doc__, 200):
        rows += sum(map(len, world.store.entries.values()))
        acknowledged += sum(len(client.acknowledged) for client in world.clients)
    print(f"{rows} decisions, {acknowledged} acknowledged commands, {time.perf_counter() - began:.1f} s: all in order")


if __name__ == "__main__":
    main()
