"""The relay: clients of this process at tables of another, and clients of other processes at ours.

A client that asks about a table which another process serves is given a number on the link to that process, and from
there on is a connection like any other over there; what it is sent comes back as the same bytes. When a link breaks, or
a table moves, the clients concerned have to connect again, and go on after the number they have seen. The relay knows
no sockets: `post` takes a note for another process, `hear_there` and `hear_back` are given what arrives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor.served.kind_stream import is_table_name
from pitboss.floor.telling.table_news import TableNews
from pitboss.server import messages as me
from pitboss.server.commit_line import ELSEWHERE
from pitboss.server.desk import Desk
from pitboss.server.hub import LONGEST_ID, MOVED, Connection, Hub
from pitboss.server.live_stream import Answer, Done, NotDone, Reply, Step
from pitboss.server.processes.notes import (
    Answered,
    AskFacts,
    AskFloor,
    Back,
    Drop,
    Enter,
    Exit,
    FloorMoved,
    Follow,
    ListLines,
    Look,
    Note,
    Say,
    Tell,
    decode_answer,
    encode_answer,
)
from pitboss.server.processes.placement import find_owner, list_live
from pitboss.server.processes.roster import Roster
from pitboss.server.storage.rows import FLOOR
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker

NOBODY_SERVES = "nobody serves this table just now"

_ENCODE = msgspec.json.Encoder().encode
_FACTS: msgspec.json.Decoder[hm.TableFacts | None] = msgspec.json.Decoder(hm.TableFacts | None)

# ---------------------------------------------------------------------- clients of other processes, here


class Visiting(Connection):
    """A client of another process, at a table of ours."""

    local = False

    def __init__(
        self, person: str, send: Callable[[bytes], None], drop: Callable[[str], None], *, staff: bool
    ) -> None:  # fmt: skip
        super().__init__(person, lambda: None, drop, staff=staff)
        self._send = send

    def send(self, message: bytes) -> None:
        """Put a message onto the link."""
        self._send(message)


class Bundle:
    """What goes back over a link in one go: the same bytes for many clients travel once.

    For each client the order is kept: it joins an earlier note only if nothing for it came after that note.
    """

    def __init__(self) -> None:
        self.notes: list[Back] = []
        self._places: dict[int, int] = {}
        self._last: dict[int, int] = {}

    def tell(self, number: int, text: bytes) -> None:
        """Add a message for one client."""
        place = self._places.get(id(text), -1)
        if place > self._last.get(number, -1):
            note = self.notes[place]
            assert isinstance(note, Tell)
            note.numbers.append(number)
        else:
            place = self._places[id(text)] = len(self.notes)
            self.notes.append(Tell([number], text))
        self._last[number] = place

    def add(self, note: Back) -> None:
        """Add anything else."""
        self.notes.append(note)
        if isinstance(note, Drop):
            self._last[note.number] = len(self.notes) - 1


class Doorway:
    """One link from another process: its clients, as they come to tables of ours."""

    def __init__(self, relay: Relay, wake: Callable[[], None]) -> None:
        self.relay = relay
        self.bundle = Bundle()
        self._wake = wake
        self._clients: dict[int, Visiting] = {}

    def take_bundle(self) -> list[Back]:
        """Everything that waits to go back."""
        taken, self.bundle = self.bundle, Bundle()
        return taken.notes

    def put(self, note: Back) -> None:
        """Send something back."""
        self.bundle.add(note)
        self._wake()

    def _tell(self, number: int, text: bytes) -> None:
        self.bundle.tell(number, text)
        self._wake()

    def hear(self, note: Note) -> None:
        """A note from the other process."""
        relay = self.relay
        match note:
            case Enter(number, person, staff):
                self._clients[number] = Visiting(
                    person, lambda text: self._tell(number, text), lambda reason: self._drop(number), staff=staff
                )  # fmt: skip
            case Say(number, text):
                if number in self._clients:
                    relay.hub.hear(self._clients[number], text)
            case Exit(number):
                self._end(number)
            case AskFloor():
                self._ask_floor(note)
            case AskFacts(number, table):
                slot = relay.desk.slots.get(table)
                known = None if slot is None or not is_table_name(table) else hm.list_facts(slot.now.state)
                self.put(Answered(number, _ENCODE(known)))
            case Follow(number, seq):
                relay.wait_for_floor(seq, lambda: self.put(Answered(number, b"")))
            case ListLines(number):
                self.put(Answered(number, _ENCODE(relay.hub.list_lines())))
            case Look():
                relay.look()

    def _ask_floor(self, note: AskFloor) -> None:
        def reply(answer: Answer) -> None:
            self.put(Answered(note.number, encode_answer(answer)))

        try:
            command = hm.decode_house_command(note.command)
        except PitbossError as error:
            reply(Refusal(str(error), ()))
            return
        self.relay.desk.ask_house(note.by, note.id, command, reply, note.table)

    def _drop(self, number: int) -> None:
        if number in self._clients:
            self._end(number)
            self.put(Drop(number))

    def _end(self, number: int) -> None:
        client = self._clients.pop(number, None)
        if client is not None:
            self.relay.hub.leave(client)

    def close(self) -> None:
        """The link is broken: whoever came over it is gone."""
        for number in list(self._clients):
            self._end(number)
        self.relay.doorways.remove(self)


# ---------------------------------------------------------------------- our clients, elsewhere


class _Way:
    """Everything that is under way to one other process."""

    def __init__(self) -> None:
        self.numbers: dict[Connection, int] = {}
        self.clients: dict[int, Connection] = {}
        self.asked: dict[int, Callable[[bytes | None], None]] = {}
        """Who waits for an answer; told nothing if the link breaks."""


class _Spreading:
    """A row of the floor itself that every process is to read before somebody is answered."""

    def __init__(self, seq: int, answer: Done, reply: Reply, reads_begun: int) -> None:
        self.seq = seq
        self.answer = answer
        self.reply = reply
        self.reads_begun = reads_begun
        """How often the directory had been read, or was being read: a later reading counts."""
        self.missing: set[str] | None = None
        """Who has not read that far; none as long as it is not known who there is."""
        self.asked: set[str] = set()


class Relay:
    """Finds the process that serves a table, and passes messages to and fro."""

    def __init__(self, hub: Hub, roster: Roster, post: Callable[[str, Note], None]) -> None:
        self.hub = hub
        self.desk: Desk = hub.desk
        self.roster = roster
        self.post = post
        """Takes a note for a process, by its owner name, and delivers it in order, or says `lose` some time later."""
        self.look: Callable[[], None] = lambda: None
        """Told when there is reason to look at once who serves what."""
        self.floor_moved: Callable[[int], None] = lambda seq: None
        """Told when the floor itself has moved on elsewhere."""
        self.cut: Callable[[str], None] = lambda owner: None
        """Ends the link to a process."""
        self.doorways: list[Doorway] = []
        self._ways: dict[str, _Way] = {}
        self._unreachable: set[str] = set()
        self._parked: dict[Connection, dict[str, tuple[me.TableMessage | me.StreamMessage, bytes | str]]] = {}
        """Watches of streams that nobody serves at the moment."""
        self._asking: list[tuple[Asker, str, hm.HouseCommand, Reply]] = []
        """Commands for the floor itself while nobody serves it."""
        self._lines: dict[str, Any] = {}
        """The last that was heard of each table elsewhere."""
        self._spreading: list[_Spreading] = []
        self._spread_seq = 0
        """The row of the floor itself up to which every process has read its log."""
        self._followers: list[tuple[int, Callable[[], None]]] = []
        """Who waits until the log of the floor itself is read as far as a row."""
        self._number = 0
        hub.elsewhere = self
        self.desk.tell_floor = self._tell_news
        self.desk.spread = self.spread
        roster.changed = self.settle
        roster.handed_back = self.tell_all_to_look
        publish = self.desk.watch

        def watch(steps: list[Step]) -> None:
            publish(steps)
            self._announce(steps)

        self.desk.watch = watch
        hear_floor = self.desk.floor_followed

        def follow(events: list[hm.HouseEvent]) -> None:
            hear_floor(events)
            self._answer_followers()

        self.desk.floor_followed = follow

    def _announce(self, steps: list[Step]) -> None:
        """Tell the others that the floor itself has moved on."""
        last = max((step.after.seq for step in steps if step.slot.name == FLOOR), default=0)
        for doorway in self.doorways if last else ():
            doorway.put(FloorMoved(last))

    def tell_all_to_look(self) -> None:
        """Something has changed that the others would otherwise find out within a second."""
        for owner in sorted(list_live(self.roster.directory, self.roster.read_clock()) - {self.desk.owner}):
            self.post(owner, Look())

    # ------------------------------------------------------------------ clients

    def _find(self, stream: str) -> str:
        """The other process that serves a stream and can be reached; empty if there is none."""
        owner = find_owner(self.roster.directory, stream, self.roster.read_clock())
        return "" if owner == self.desk.owner or owner in self._unreachable else owner

    def forward(self, connection: Connection, message: me.TableMessage | me.StreamMessage, text: bytes | str) -> bool:
        """Pass a message on to the process that serves its stream; False if there is no such table."""
        if isinstance(message, me.StreamMessage):
            self._forward_to(self._find(FLOOR), connection, message, text)
            return True
        if not self.desk.is_table(message.table):
            return False
        self._forward_to(self._find(message.table), connection, message, text)
        return True

    def _forward_to(
        self, owner: str, connection: Connection, message: me.TableMessage | me.StreamMessage, text: bytes | str
    ) -> None:
        """Pass a message on to a process; where nobody serves the stream, questions are answered and watches wait."""
        if owner:
            way = self._ways.setdefault(owner, _Way())
            number = way.numbers.get(connection)
            if number is None:
                number = way.numbers[connection] = self._count()
                way.clients[number] = connection
                self.post(owner, Enter(number, connection.person, connection.staff))
            self.post(owner, Say(number, text.encode() if isinstance(text, str) else text))
        elif isinstance(message, me.AskTable):
            connection.send(_ENCODE(me.NotStored(message.id[:LONGEST_ID], message.table, NOBODY_SERVES)))
        elif isinstance(message, me.AskStream):
            connection.send(_ENCODE(me.NotStored(message.id[:LONGEST_ID], message.stream, NOBODY_SERVES)))
        elif isinstance(message, me.AskAdvice):
            connection.send(_ENCODE(me.RefusedAsk(message.id[:LONGEST_ID], message.table, NOBODY_SERVES, (), ())))
        elif isinstance(message, me.Watch):
            self._parked.setdefault(connection, {})[message.table] = (message, text)
        elif isinstance(message, me.WatchStream):
            self._parked.setdefault(connection, {})[message.stream] = (message, text)
        elif isinstance(message, me.ListStreams):
            self._parked.setdefault(connection, {})[""] = (message, text)
        elif connection in self._parked:
            left = message.stream if isinstance(message, me.UnwatchStream) else message.table
            self._parked[connection].pop(left, None)

    def _count(self) -> int:
        self._number += 1
        return self._number

    def leave(self, connection: Connection) -> None:
        """Somebody is gone."""
        self._parked.pop(connection, None)
        for owner, way in self._ways.items():
            number = way.numbers.pop(connection, None)
            if number is not None:
                way.clients.pop(number, None)
                self.post(owner, Exit(number))

    def settle(self) -> None:
        """It is known again who serves what: whatever waits for that goes on."""
        self._unreachable.clear()
        live = list_live(self.roster.directory, self.roster.read_clock())
        for owner in [owner for owner in self._ways if owner not in live]:
            self.cut(owner)
            self.lose(owner)
        if FLOOR not in self.desk.slots and self._find(FLOOR) and self._find(FLOOR) not in self._ways:
            self._ways[self._find(FLOOR)] = _Way()
            self.post(self._find(FLOOR), Look())
        parked, self._parked = self._parked, {}
        for connection, watches in parked.items():
            for message, text in watches.values():
                served = FLOOR if isinstance(message, me.StreamMessage) else message.table
                if served in self.desk.slots or not self.forward(connection, message, text):
                    self.hub.hear(connection, text)
        asking, self._asking = self._asking, []
        for by, command_id, command, reply in asking:
            self.ask_house(by, command_id, command, reply)
        self._answer_followers()
        self._go_on_spreading()

    # ------------------------------------------------------------------ the floor itself

    def ask_house(self, by: Asker, command_id: str, command: hm.HouseCommand, reply: Reply) -> None:
        """Ask something of the floor itself, wherever it is served; where nobody does, it waits until somebody does."""
        table = getattr(command, "table", "")
        if not self.desk.is_table(table):
            self._ask_floor(by, command_id, command, reply, None)
        elif table in self.desk.slots:
            self._ask_floor(by, command_id, command, reply, hm.list_facts(self.desk.slots[table].now.state))
        else:

            def hear(text: bytes | None) -> None:
                facts = None if text is None else _FACTS.decode(text)
                if facts is None:
                    self._asking.append((by, command_id, command, reply))
                else:
                    self._ask_floor(by, command_id, command, reply, facts)

            self._ask(self._find(table), lambda number: AskFacts(number, table), hear)

    def _ask_floor(
        self, by: Asker, command_id: str, command: hm.HouseCommand, reply: Reply, table: hm.TableFacts | None
    ) -> None:
        if FLOOR in self.desk.slots:
            self.desk.ask_house(by, command_id, command, reply, table)
            return

        def hear(text: bytes | None) -> None:
            answer = NotDone(ELSEWHERE) if text is None else decode_answer(text)
            if answer == NotDone(ELSEWHERE):
                self._asking.append((by, command_id, command, reply))
            else:
                reply(answer)

        encoded = hm.encode_house_command(command)
        self._ask(self._find(FLOOR), lambda number: AskFloor(number, by, command_id, encoded, table), hear)

    def _ask(self, owner: str, write: Callable[[int], Note], hear: Callable[[bytes | None], None]) -> None:
        """Ask another process something; what is heard is nothing if it cannot be reached."""
        if not owner:
            hear(None)
            return
        number = self._count()
        self._ways.setdefault(owner, _Way()).asked[number] = hear
        self.post(owner, write(number))

    def _tell_news(self, news: TableNews, reply: Reply) -> None:
        self.ask_house(news.by, "", hm.HearTable(news=news), reply)

    # ------------------------------------------------------------------ what everybody must know

    def spread(self, seq: int, answer: Done, reply: Reply) -> None:
        """Answer once every process has read the log of the floor itself as far as a row.

        Which processes there are is read after the row was stored: whoever joins later reads the log first.
        """
        if seq <= self._spread_seq:
            reply(answer)
            return
        self._spreading.append(_Spreading(seq, answer, reply, self.roster.reads_begun))
        self.look()

    def _go_on_spreading(self) -> None:
        """Ask whoever has not said yet how far they have read, and answer what everybody knows."""
        live = list_live(self.roster.directory, self.roster.read_clock()) - {self.desk.owner}
        waiting, self._spreading = self._spreading, []
        for item in waiting:
            if self.roster.directory_read <= item.reads_begun:
                self._spreading.append(item)
                continue
            if item.missing is None:
                item.missing = set(live)
            item.missing &= live
            if not item.missing or item.seq <= self._spread_seq:
                self._spread_seq = max(self._spread_seq, item.seq)
                item.reply(item.answer)
                continue
            self._spreading.append(item)
            for owner in sorted(item.missing - item.asked):
                item.asked.add(owner)
                self._ask_to_follow(item, owner)

    def _ask_to_follow(self, item: _Spreading, owner: str) -> None:
        def hear(text: bytes | None) -> None:
            item.asked.discard(owner)
            if text is not None and item.missing is not None:
                item.missing.discard(owner)
                if item in self._spreading and not item.missing:
                    self._go_on_spreading()

        self._ask(owner, lambda number: Follow(number, item.seq), hear)

    def wait_for_floor(self, seq: int, then: Callable[[], None]) -> None:
        """Do something once the log of the floor itself is read as far as a row."""
        self._followers.append((seq, then))
        self._answer_followers()
        if self._followers:
            self.floor_moved(seq)

    def _answer_followers(self) -> None:
        waiting, self._followers = self._followers, []
        for seq, then in waiting:
            if seq <= self.desk.floor_seq:
                then()
            else:
                self._followers.append((seq, then))

    # ------------------------------------------------------------------ the list of tables

    def ask_lines(self, heard: Callable[[], None]) -> int:
        """Ask every other process about its tables; `heard` is told of each answer. How many were asked."""
        others = list_live(self.roster.directory, self.roster.read_clock()) - {self.desk.owner} - self._unreachable
        for owner in sorted(others):

            def hear(text: bytes | None) -> None:
                for line in msgspec.json.decode(text, type=list[me.TableLine]) if text is not None else ():
                    self._lines[line.name] = line
                heard()

            number = self._count()
            self._ways.setdefault(owner, _Way()).asked[number] = hear
            self.post(owner, ListLines(number))
        return len(others)

    def list_lines(self) -> list[me.TableLine]:
        """Every table, here and elsewhere, as it was last heard of."""
        lines = {line.name: line for line in self.hub.list_lines()}
        for name, line in self._lines.items():
            if name not in lines and self.desk.is_table(name):
                away = "" if self._find(name) else NOBODY_SERVES
                lines[name] = msgspec.structs.replace(line, stopped=line.stopped or away)
        return sorted(lines.values(), key=lambda line: line.name)

    # ------------------------------------------------------------------ what comes back

    def hear_back(self, owner: str, note: Back) -> None:
        """A note from a process that serves tables for clients of ours."""
        way = self._ways.get(owner)
        match note:
            case FloorMoved(seq):
                self.floor_moved(seq)
            case Tell(numbers, text) if way is not None:
                for number in numbers:
                    if number in way.clients:
                        way.clients[number].send(text)
            case Drop(number) if way is not None:
                client = way.clients.pop(number, None)
                if client is not None:
                    way.numbers.pop(client, None)
                    client.drop(MOVED)
                self.look()
            case Answered(number, text) if way is not None:
                hear = way.asked.pop(number, None)
                if hear is not None:
                    hear(text)

    def lose(self, owner: str) -> None:
        """The link to a process is broken: its clients of ours connect again, what was asked is asked again."""
        self._unreachable.add(owner)
        way = self._ways.pop(owner, None)
        if way is not None:
            for client in list(way.numbers):
                client.drop(MOVED)
            for hear in list(way.asked.values()):
                hear(None)
        self.look()
