"""Several desks on one simulated store, decided by one seed: leases run out, processes sleep and wake, links break.

    python tests/tools/shared_floor_simulation.py --seeds 100         # seeds 1 to 100
    python tests/tools/shared_floor_simulation.py --seed 17           # one of them again

What people send is lost, doubled and out of order; commits fail; a process dies, or sleeps while others take its tables
and wakes up with old leases; what processes tell each other about leases and the floor is lost or comes twice. A row in
the wrong place, a command that is done twice, a patch that does not fit or a chip too many fails the run; so does an
order of the house that is acknowledged before every process knows of it, or news of a table that the floor never hears.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from floor_simulation import KEY, LIMITS, STAFF, SimulatedClient, SimulatedStore, run_seeds

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.documents import describe_public
from pitboss.floor.house_state import HouseState
from pitboss.floor.ledger import NEVER_NEGATIVE, WALLET, add_up_changes, find_imbalance
from pitboss.floor.served.kind_stream import is_table_name
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.server.client import merge_patch
from pitboss.server.desk import Desk
from pitboss.server.hub import Connection, Hub
from pitboss.server.live_stream import Answer, Done, read_stream
from pitboss.server.processes.notes import Back, FloorMoved, Look, Note
from pitboss.server.processes.relay import Doorway, Relay
from pitboss.server.processes.roster import Roster, run_at_once
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.leases import LEASE_MS, NOBODY, Directory, LeaseRow, ProcessRow
from pitboss.server.storage.rows import FIRST_DIGEST, FLOOR, LogEntry
from pitboss.server.storage.store import LeaseLost, Overdrawn
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import StreamPosition, fold_row
from pitboss.table.messages.askers import HOUSE, Asker

STEPS = 250
TABLES = 4


class SharedStore(SimulatedStore):
    """The simulated store with processes, as PostgreSQL keeps them; its clock is not that of the processes."""

    def __init__(self, chance: random.Random, clock: Callable[[], int]) -> None:
        super().__init__(chance)
        self.clock = clock
        self.processes: dict[str, ProcessRow] = {}
        self.until: dict[str, int] = {}

    def write(self, entries: list[LogEntry], owner: str, tokens: Mapping[str, int]) -> None:
        lost = [stream for stream, token in tokens.items() if self.leases.get(stream) != (owner, token)]
        if lost:
            raise LeaseLost(lost)
        changes = add_up_changes(moved for entry in entries for moved in entry.transfers)
        short = {
            name for (name, unit), change in changes.items()
            if name.startswith(WALLET) and self.balances.get((name, unit), 0) + change < 0
        }  # fmt: skip
        if short:
            raise Overdrawn(
                {entry.row.stream for entry in entries for moved in entry.transfers if moved.debit in short}
            )
        super().write(entries, owner, tokens)
        self.until.update(dict.fromkeys(tokens, self.clock() + LEASE_MS))

    def take(self, streams: list[str], owner: str) -> dict[str, int]:
        self._may_fail()
        now_ms = self.clock()
        live = {row.owner for row in self.processes.values() if row.until_ms > now_ms}
        free = [
            stream for stream in streams
            if (held := self.leases.get(stream, (NOBODY, 0))[0]) in (NOBODY, owner)
            or (held not in live and self.until.get(stream, 0) <= now_ms)
        ]  # fmt: skip
        self.until.update(dict.fromkeys(free, now_ms + LEASE_MS))
        return super().take(free, owner)

    def renew(self, owner: str, address: str = "", link: str = "") -> dict[str, int]:
        self._may_fail()
        self.processes[owner] = ProcessRow(owner, address, link, self.clock() + LEASE_MS)
        return {stream: token for stream, (holder, token) in self.leases.items() if holder == owner}

    def hand_back(self, streams: list[str], owner: str) -> None:
        for stream in streams:
            if self.leases[stream][0] == owner:
                self.leases[stream] = (NOBODY, self.leases[stream][1] + 1)
        self._may_fail()

    def strike(self, stream: str, owner: str) -> None:
        del self.leases[stream]

    def read_directory(self, known: Directory) -> Directory:
        self._may_fail()
        rows = {
            stream: LeaseRow(stream, owner, token, self.until.get(stream, 0))
            for stream, (owner, token) in self.leases.items()
        }
        return Directory(dict(self.processes), rows, now_ms=self.clock())


class Pipe:
    """A link from one process to another: in order, until it breaks."""

    def __init__(self, near: Node, far: Node) -> None:
        self.near, self.far = near, far
        self.there: list[Note] = []
        self.back: list[Back] = []
        self.doorway = Doorway(far.relay, lambda: None)
        far.relay.doorways.append(self.doorway)

    def move(self, chance: random.Random) -> bool:
        """Deliver one note each way, if both ends are awake; notices may be lost or come twice."""
        if self.near.asleep or self.far.asleep:
            return False
        moved = bool(self.there or self.back)
        if self.there:
            note = self.there.pop(0)
            for _ in range(chance.choice((0, 1, 2)) if isinstance(note, Look) else 1):
                self.doorway.hear(note)
        self.back += self.doorway.take_bundle()
        if self.back:
            back = self.back.pop(0)
            for _ in range(chance.choice((0, 1, 2)) if isinstance(back, FloorMoved) else 1):
                self.near.relay.hear_back(self.far.desk.owner, back)
        return moved or bool(self.there or self.back)


class StoredNews:
    """What is stored about the news of tables: up to which number a row tells, and in which row the floor has heard."""

    def __init__(self) -> None:
        self.at: dict[str, StreamPosition] = {}
        self.news_at: dict[tuple[str, int], int] = {}
        self.heard_at: dict[tuple[str, int], int] = {}

    def read(self, entries: dict[str, list[LogEntry]]) -> None:
        for stream, rows in entries.items():
            start = StreamPosition(HouseState() if stream == FLOOR else None, 0, FIRST_DIGEST)
            at = self.at.setdefault(stream, start)
            for entry in rows[at.seq :]:
                at = fold_row(at, entry.row, Vault(KEY)).after
                if is_table_name(stream):
                    self.news_at[stream, at.seq] = at.state.news_counted
                elif stream == FLOOR:
                    for table, number in at.state.heard.items():
                        self.heard_at.setdefault((table, number), at.seq)
            self.at[stream] = at


class Node:
    """A process: desk, hub, roster and relay."""

    def __init__(self, world: SharedWorld, owner: str) -> None:
        self.world = world
        self.asleep = False
        self.wants_to_look = False
        self.desk = Desk(
            world.store, Vault(KEY), clock=lambda: world.now_ms, entropy=world.entropy, owner=owner, shared=True
        )  # fmt: skip
        self.hub = Hub(self.desk, self.list_roles)
        self.roster = Roster(self.desk, world.store, "", "")
        self.relay = Relay(self.hub, self.roster, self.post)
        self.relay.cut = lambda owner: self.world.break_pipes(self, owner)
        self.relay.floor_moved = lambda seq: self.follow()
        self.desk.ready_to_move = self.relay.look = self.ask_to_look

    def list_roles(self, person: str, book: str) -> tuple[str, ...]:
        return tuple(role for role, of in self.desk.house.people[person].roles if of == book)

    def ask_to_look(self) -> None:
        self.wants_to_look = True

    def post(self, owner: str, note: Note) -> None:
        for pipe in self.world.pipes:
            if pipe.near is self and pipe.far.desk.owner == owner:
                pipe.there.append(note)
                return
        for far in self.world.nodes:
            if far.desk.owner == owner and far is not self:
                self.world.pipes.append(Pipe(self, far))
                self.world.pipes[-1].there.append(note)
                return
        self.world.lost.append((self, owner))

    def look(self) -> None:
        self.wants_to_look = False
        try:
            run_at_once(self.roster.look())
        except StoreError:
            self.wants_to_look = True

    def follow(self) -> None:
        try:
            run_at_once(self.roster.follow())
        except StoreError:
            return


class SharedClient(SimulatedClient):
    """Somebody who connects to any process."""

    world: SharedWorld
    node: Node

    def connect(self) -> None:
        if self.connection is not None:
            self.node.hub.leave(self.connection)
        self.node = self.world.chance.choice(self.world.nodes)
        own = self.connection = Connection(self.name, lambda: None, lambda reason: self.drop(own))
        self.send({"type": "watch", "table": self.table, "after": self.seq}, sure=True)
        for message in self.open.values():
            self.send(message)

    def drop(self, connection: Connection) -> None:
        """The process closes the connection."""
        self.node.hub.leave(connection)
        if self.connection is connection:
            self.hear()
            self.connection = None


class StaffClient(SharedClient):
    """Somebody of the house, who gives orders at a table through any process."""

    def act(self) -> None:
        chance = self.world.chance
        if self.open and chance.random() < 0.7:
            self.send(chance.choice(list(self.open.values())))
            return
        order: dict[str, Any] = {"type": chance.choice(("bar", "lift", "lift", "void", "withhold", "dealer"))}
        if order["type"] == "dealer":
            order["name"] = chance.choice((*STAFF, ""))
        elif order["type"] != "void":
            order["player"] = chance.choice(self.world.players).name
        self.asked += 1
        message = {
            "type": "ask", "id": f"{self.name}-{self.asked}", "table": self.table, "role": self.world.tops[self.table],
            "command": {**order, "reason": "x"},
        }  # fmt: skip
        self.open[message["id"]] = message
        self.send(message)

    def hear_message(self, message: dict[str, Any]) -> None:
        super().hear_message(message)
        if message["type"] == "acknowledged":
            self.world.check_news(self.table, message["seq"])


class SharedWorld:
    """Everything, decided by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.now_ms = 1_000_000
        ahead = self.chance.choice((-100_000, 0, 100_000))
        self.store = SharedStore(self.chance, lambda: self.now_ms + ahead)
        self.network: list[tuple[SharedClient, Connection | None, bytes]] = []
        self.pipes: list[Pipe] = []
        self.lost: list[tuple[Node, str]] = []
        self.nodes: list[Node] = []
        self.started = 0
        self.slept = self.died = 0
        first = self.start()
        for number in range(TABLES):
            rules = rules_for(self.chance.choice(list(games())))
            first.desk.open_table(
                f"t{number}", rules, kind=lt.TableKind.MACHINE, limits=LIMITS, clocks=lt.Clocks(pause_ms=500),
                bank=Money(1_000),
            )  # fmt: skip
        self.told = StoredNews()
        self.hire(first.desk)
        self.players = [SharedClient(self, f"p{number}", f"t{number % TABLES}") for number in range(8)]  # type: ignore[arg-type]
        self.staff = [StaffClient(self, name, f"t{number}") for number, name in enumerate(STAFF)]  # type: ignore[arg-type]
        self.clients = [*self.players, *self.staff]
        for client in self.players:
            add = hm.AddPerson(name=client.name, kind=hm.PersonKind.GUEST)
            first.desk.ask_house(HOUSE, f"add {client.name}", add, lambda answer: None)
            chips = hm.IssueChips(name=client.name, amount=Money(300))
            first.desk.ask_house(HOUSE, f"chips {client.name}", chips, lambda answer: None)
        assert first.desk.store_line()
        for _ in range(2):
            self.start()
        for client in self.clients:
            client.connect()
        self.asked: dict[str, list[Answer]] = {}
        self.ruled: dict[str, Asker] = {}
        """Who of the house was told that something is done on the floor."""
        self.store.trouble = self.chance.choice((0, 0.02, 0.05))

    def hire(self, desk: Desk) -> None:
        """People with the highest role of every book, and an inspector."""
        rules = {slot.name: slot.now.state.table.rules for slot in desk.tables}
        self.tops = {name: own.ladder[-1].id for name, own in rules.items()}
        self.games = {name: own.game for name, own in rules.items()}
        held = {(own.ladder[-1].id, own.book) for own in rules.values()}
        wanted: list[hm.HouseCommand] = [
            hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#") for name in STAFF
        ]
        wanted += [hm.GiveRole(name=name, role=role, book=book) for name in STAFF for role, book in sorted(held)]
        for number, command in enumerate(wanted):
            desk.ask_house(HOUSE, f"hire {number}", command, lambda answer: None)

    def entropy(self) -> bytes:
        return hashlib.sha256(self.chance.randbytes(16)).digest()

    def start(self) -> Node:
        """A process joins; it lets nobody in before it knows who serves what."""
        self.started += 1
        node = Node(self, f"process {self.started}")
        trouble, self.store.trouble = self.store.trouble, 0.0
        node.look()
        self.store.trouble = trouble
        self.nodes.append(node)
        return node

    def break_pipes(self, near: Node | None, owner: str) -> None:
        """Links to a process break: all of them, or those of one other process."""
        for pipe in list(self.pipes):
            if pipe.far.desk.owner == owner and (near is None or pipe.near is near):
                self.pipes.remove(pipe)
                pipe.doorway.close()
                self.lost.append((pipe.near, owner))

    def kill(self, node: Node) -> None:
        self.died += 1
        self.nodes.remove(node)
        self.break_pipes(None, node.desk.owner)
        for pipe in [pipe for pipe in self.pipes if pipe.near is node]:
            self.pipes.remove(pipe)
            pipe.doorway.close()
        for client in self.clients:
            if client.node is node:
                client.connection = None
        self.start()

    def step(self) -> None:
        chance = self.chance
        what, awake = chance.random(), [node for node in self.nodes if not node.asleep]
        if what < 0.3:
            chance.choice(self.clients).act()
        elif what < 0.65:
            self.deliver(8)
        elif what < 0.8:
            for node in awake:
                node.desk.store_line()
        elif what < 0.86:
            self.now_ms += chance.choice((10, 500, 1_000, 4_000, 30_000))
            for node in awake:
                node.desk.run_clocks()
        elif what < 0.93 and awake:
            chance.choice(awake).look()
        elif what < 0.95:
            self.fall_asleep_or_wake()
        elif what < 0.96:
            self.kill(chance.choice(self.nodes))
        elif what < 0.975 and self.pipes:
            pipe = chance.choice(self.pipes)
            self.break_pipes(pipe.near, pipe.far.desk.owner)
        elif what < 0.985:
            chance.choice(self.clients).connect()
        elif what < 0.99:
            self.issue_chips()
        else:
            self.rule_on_the_floor()
        self.settle()

    def settle(self) -> None:
        """What always happens some time."""
        lost, self.lost = self.lost, []
        for node, owner in lost:
            if node in self.nodes:
                node.relay.lose(owner)
        for node in self.nodes:
            if node.wants_to_look and not node.asleep and self.chance.random() < 0.5:
                node.look()
        for client in self.clients:
            if not client.node.asleep:
                client.hear()
            if client.connection is None or (client.node.asleep and self.chance.random() < 0.1):
                client.connect()
        self.check()

    def fall_asleep_or_wake(self) -> None:
        node = self.chance.choice(self.nodes)
        node.asleep = not node.asleep and sum(node.asleep for node in self.nodes) < 2
        self.slept += node.asleep

    def issue_chips(self) -> None:
        """The cage hands out chips, asked through any process."""
        name = f"chips {len(self.asked)}"
        heard = self.asked.setdefault(name, [])
        command = hm.IssueChips(name=self.chance.choice(self.clients).name, amount=Money(50))
        node = self.chance.choice(self.nodes)
        node.relay.ask_house(HOUSE, name, command, heard.append)

    def rule_on_the_floor(self) -> None:
        """Somebody of the house shuts a player out or lets them in again, asked through any process."""
        chance = self.chance
        table = chance.choice(list(self.games))
        name, by = f"floor {len(self.asked)}", Asker(self.tops[table], chance.choice(STAFF))
        heard = self.asked.setdefault(name, [])
        player, game = chance.choice(self.players).name, self.games[table]
        one_table = table if game.startswith("melbourne/") else ""
        command = chance.choice(
            (
                hm.Exclude(name=player, game=game, reason="x", table=one_table),
                hm.Readmit(name=player, game=game, reason="x"),
                hm.SendNotice(body="inspector", table=table, reason="x"),
            )
        )

        def hear(answer: Answer) -> None:
            heard.append(answer)
            if isinstance(answer, Done):
                self.ruled[name] = by
                self.check_heard(answer.seq)

        chance.choice(self.nodes).relay.ask_house(by, name, command, hear)

    def check_heard(self, seq: int) -> None:
        """What is acknowledged on the floor is known to every process that could decide something."""
        for node in self.nodes:
            until = node.desk.good_until_ms
            if until is not None and self.now_ms < until:
                assert node.desk.floor_seq >= seq, "a process decides without knowing what was acknowledged"

    def check_news(self, table: str, seq: int) -> None:
        """What is acknowledged at a table and matters elsewhere is known to the floor, and to every process."""
        self.told.read(self.store.entries)
        number = self.told.news_at[table, seq]
        if number > self.told.news_at[table, seq - 1]:
            assert (table, number) in self.told.heard_at, "the floor has not heard what was acknowledged"
            self.check_heard(self.told.heard_at[table, number])

    def deliver(self, most: int) -> None:
        for _ in range(min(len(self.network), most)):
            client, connection, text = self.network.pop(self.chance.randrange(len(self.network)))
            if connection is None or connection is not client.connection:
                continue
            if client.node.asleep:
                self.network.append((client, connection, text))
            else:
                client.node.hub.hear(connection, text)
        for pipe in list(self.pipes):
            for _ in range(most):
                if pipe in self.pipes and not pipe.move(self.chance):
                    break

    def check(self) -> None:
        """What must hold whatever happens."""
        assert find_imbalance(self.store.balances) == 0
        for (account, _), balance in self.store.balances.items():
            assert balance >= 0 or not account.startswith(NEVER_NEGATIVE), account
        for client in self.clients:
            rows = self.store.entries[client.table]
            assert client.seq is None or client.seq <= len(rows), "somebody was told what is not stored"

    def finish(self) -> None:
        """Everything works again: what is open is answered, and everybody sees the same."""
        self.store.trouble = 0.0
        for node in self.nodes:
            node.asleep = False
        for _ in range(30):
            self.now_ms += 1_000
            for node in self.nodes:
                node.look()
            for client in self.clients:
                for message in client.open.values():
                    client.send(message, sure=True)
            for _ in range(6):
                self.deliver(100)
                for node in self.nodes:
                    node.desk.store_line()
                self.settle()
            if self.is_settled():
                break
        assert self.is_settled(), "somebody was never answered, or a table is served by nobody"
        self.compare()

    def is_settled(self) -> bool:
        self.told.read(self.store.entries)
        orders = len(self.told.at[FLOOR].state.orders)
        for number in range(TABLES):
            live = self.told.at[f"t{number}"].state
            if live.news or live.passed_on < orders:
                return False
        served = all(sum(stream in node.desk.slots for node in self.nodes) == 1 for stream in self.store.entries)
        level = all(client.seq == len(self.store.entries[client.table]) for client in self.clients)
        return served and level and not any(client.open for client in self.clients)

    def compare(self) -> None:
        """What was acknowledged is stored once, and what everybody holds is what the log says."""
        for stream, entries in self.store.entries.items():
            ids = [entry.row.command_id for entry in entries if entry.row.command_id]
            assert len(ids) == len(set(ids)), "a command was done twice"
            serving = [node for node in self.nodes if stream in node.desk.slots]
            assert len(serving) == 1, f"{stream} is served by {len(serving)} processes"
            read = read_stream(self.store, Vault(KEY), stream).now.state
            assert serving[0].desk.slots[stream].durable.state == read
            for client in self.clients:
                if client.table == stream:
                    shown = msgspec.json.decode(msgspec.json.encode(describe_public(read)))
                    assert client.public == merge_patch({}, shown), "the patches do not add up to the document"
        for client in self.clients:
            stored = {entry.row.command_id: entry.row.seq for entry in self.store.entries[client.table]}
            for command_id, seq in client.acknowledged.items():
                assert stored[f"{client.name}:{command_id}"] == seq, "acknowledged and not stored"
        issued = {entry.row.command_id: entry.row.seq for entry in self.store.entries[FLOOR]}
        for name, heard in self.asked.items():
            asker = self.ruled.get(name, HOUSE)
            for answer in heard:
                assert not isinstance(answer, Done) or issued[f"{asker.name}:{name}"] == answer.seq
        for node in self.nodes:
            assert node.desk.house.people.keys() == {client.name for client in self.clients}
        for number in range(TABLES):
            table = f"t{number}"
            live, house = self.told.at[table].state, self.told.at[FLOOR].state
            assert house.heard.get(table, 0) == live.news_counted, "floor and table disagree about the news"
            assert house.dealers.get(table, "") == live.table.floor.dealer
        moved = add_up_changes(m for entries in self.store.entries.values() for e in entries for m in e.transfers)
        assert {key: value for key, value in moved.items() if value} == {
            key: value for key, value in self.store.balances.items() if value
        }


def simulate_shared(seed: int, steps: int = STEPS) -> SharedWorld:
    """A floor of several processes, from its opening to its end."""
    world = SharedWorld(seed)
    for _ in range(steps):
        world.step()
    world.finish()
    return world


def main() -> None:
    rows = slept = died = 0
    for world in run_seeds(simulate_shared, "tests/tools/shared_floor_simulation.py", __doc__, 100):
        rows += sum(map(len, world.store.entries.values()))
        slept, died = slept + world.slept, died + world.died
    print(f"{rows} decisions, {slept} processes slept and {died} died: all in order")


if __name__ == "__main__":
    main()
