"""The hub: who watches which table, and what they are sent.

One public patch for each table and group of decisions is put together and encoded once, and the same bytes go to
everybody who watches; each player gets their own part when it has changed. A connection is a list of encoded messages
that wait, and a way to say that there are some: the hub knows no sockets. Whoever does not keep up is dropped.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from pitboss.floor.documents import PublicTable, describe_private, describe_public, find_changes, list_visible
from pitboss.floor.house_messages import HouseEvent, PasswordChanged, SessionsEnded
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.floor.practice import AdviceQuestion, ask_advice
from pitboss.floor.served.kind_stream import is_of_kind, is_table_name
from pitboss.floor.telling.table_log import tell_table
from pitboss.money import ZERO, Money
from pitboss.server import messages as me
from pitboss.server.commit_line import ELSEWHERE
from pitboss.server.desk import Desk
from pitboss.server.kinds.stream_watch import StreamWatch
from pitboss.server.live_stream import Answer, Done, LiveStream, NotDone, Past, Step
from pitboss.server.logbook import Logbook
from pitboss.server.metrics import Timings
from pitboss.server.people.inbox_watch import InboxWatch
from pitboss.server.storage.rows import FLOOR
from pitboss.server.stream_log import StreamPosition
from pitboss.table import Refusal, legal
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.messages.commands import Command
from pitboss.table.state import Phase
from pitboss.table.views import Observer, Viewer

if TYPE_CHECKING:
    from pitboss.odds.advice.advise import Advice

PATCHES_KEPT = 128
"""Patches of each table that a client who comes back can be sent."""
MOST_WAITING = 2_000
"""Messages that may wait for one connection before it is dropped."""
MOST_TABLES = 200
"""Tables that one connection may watch."""
LONGEST_ID = 64

_ENCODE = msgspec.json.Encoder().encode
_DECODER = msgspec.json.Decoder(me.ClientMessage)
_SPECTATOR = Observer(Viewer.SPECTATOR)


MOVED = "a table has moved to another process: connect again"


class Connection:
    """Somebody who is connected: what waits to be sent to them, and what they watch."""

    local = True
    """Connected to this process; not through another one, which would have found the right process by itself."""

    def __init__(
        self, person: str, wake: Callable[[], None], drop: Callable[[str], None], *, staff: bool = True
    ) -> None:  # fmt: skip
        self.person = person
        self.staff = staff
        """The session is good for what staff do."""
        self.wake = wake
        self.drop = drop
        self.waiting: list[bytes] = []
        self.tables: dict[str, bool] = {}
        """Tables that are watched, and whether with their events."""
        self.was_heard = False
        """A message has come since this was last looked at."""
        self.is_advised = False
        """A question for advice is out."""
        self.private: dict[str, bytes] = {}
        """The last private part that was sent, by table."""

    def send(self, message: bytes) -> None:
        """Put an encoded message into the line."""
        self.waiting.append(message)
        if len(self.waiting) == 1:
            self.wake()
        elif len(self.waiting) > MOST_WAITING:
            self.drop("too slow: connect again")

    def take_frame(self) -> bytes:
        """Everything that waits, as one frame."""
        waiting, self.waiting = self.waiting, []
        return b"[" + b",".join(waiting) + b"]"


class _KeptPatch:
    """What leads from one number of a table to another; its events are written when somebody wants them."""

    def __init__(self, after: int, bare: bytes, steps: list[Past]) -> None:
        self.after = after
        self.bare = bare
        self._steps = steps
        self._whole = b""

    def write(self, events: bool) -> bytes:
        """The encoded patch, with events or without."""
        if not events:
            return self.bare
        if not self._whole:
            described = _ENCODE([_describe_past(step) for step in self._steps])
            self._whole, self._steps = b'%b,"events":%b}' % (self.bare[:-1], described), []
        return self._whole


class _Watched:
    """A table that somebody watches."""

    def __init__(self, seq: int, public: PublicTable) -> None:
        self.seq = seq
        self.public = public
        self.patches: deque[_KeptPatch] = deque(maxlen=PATCHES_KEPT)
        self.watchers: dict[Connection, None] = {}
        """In the order in which they came, so that a run is repeated exactly."""


class Elsewhere(Protocol):
    """The way to tables that other processes serve; see `processes.relay`."""

    def forward(self, connection: Connection, message: me.TableMessage | me.StreamMessage, text: bytes | str) -> bool:
        """Pass a message on to the process that serves its stream; False if there is no such table."""

    def leave(self, connection: Connection) -> None:
        """Somebody is gone."""


class Hub:
    """Everybody who is connected."""

    def __init__(self, desk: Desk, roles: Callable[[str, str], tuple[str, ...]]) -> None:
        self.desk = desk
        self.roles = roles
        """The roles that a person holds by a book."""
        self.connections: set[Connection] = set()
        self.watched: dict[str, _Watched] = {}
        self.logbook = Logbook()
        self.answers = {"acknowledged": 0, "refused": 0, "not_done": 0}
        self.answer_time = Timings()
        """From a command to its acknowledgement."""
        self.advise: Callable[[AdviceQuestion, Callable[[Advice | None], None]], bool] = lambda question, reply: False
        """Has a question answered; False if that cannot be done now."""
        self.elsewhere: Elsewhere | None = None
        self.streams = StreamWatch(desk, roles, self.encode_answer, self._note_refused_stream)
        self.inboxes = InboxWatch(lambda: desk.stored_house, roles)
        desk.watch = self.publish
        desk.catch_up = self.publish_afresh
        desk.gone = self.close_table
        desk.floor_followed = self.hear_floor

    # ------------------------------------------------------------------ from clients

    def hear(self, connection: Connection, text: bytes | str) -> None:
        """A message of a client's."""
        try:
            message = _DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            connection.send(_ENCODE(me.Complaint(f"this is not a message: {error}".replace("\n", " "))))
            return
        if isinstance(message, me.WatchInbox):
            self.inboxes.start(connection, message)
            return
        if isinstance(message, me.StreamMessage):
            if FLOOR in self.desk.slots or not self._pass_on(connection, message, text):
                self.streams.hear(connection, message)
            return
        if message.table not in self.desk.slots and self._pass_on(connection, message, text):
            return
        match message:
            case me.AskTable():
                self.ask(connection, message)
            case me.Watch():
                self.start_watch(connection, message)
            case me.Unwatch():
                self.end_watch(connection, message.table)
            case me.AskAdvice():
                self.ask_advice(connection, message)

    def _pass_on(self, connection: Connection, message: me.TableMessage | me.StreamMessage, text: bytes | str) -> bool:
        """Somebody else serves this stream; False if there is none. Nothing is passed on twice."""
        if connection.local:
            return self.elsewhere is not None and self.elsewhere.forward(connection, message, text)
        if isinstance(message, me.AskTable):
            connection.send(_ENCODE(me.NotStored(message.id, message.table, ELSEWHERE)))
        elif isinstance(message, me.AskStream):
            connection.send(_ENCODE(me.NotStored(message.id, message.stream, ELSEWHERE)))
        elif isinstance(message, me.AskAdvice):
            connection.send(_ENCODE(me.RefusedAsk(message.id, message.table, ELSEWHERE, (), ())))
        elif isinstance(message, me.Watch | me.WatchStream | me.ListStreams):
            connection.drop(MOVED)
        return True

    def ask(self, connection: Connection, message: me.AskTable) -> None:
        """Pass a question on to the table, and its answer back."""
        if not 0 < len(message.id) <= LONGEST_ID or len(message.table) > LONGEST_ID:
            connection.send(_ENCODE(me.Complaint(f"an id has 1 to {LONGEST_ID} characters")))
            return
        by = self.find_asker(connection.person, message.table, message.role, connection.staff)
        if by is None:
            self.answers["refused"] += 1
            reason = f"you do not hold the role {message.role[:40]} here"
            self._note_refusal(connection.person, message, reason)
            connection.send(_ENCODE(me.RefusedAsk(message.id, message.table, reason, (), ())))
            return
        tell, began = connection.send, time.perf_counter()

        def reply(answer: Answer) -> None:
            if isinstance(answer, Done):
                self.answer_time.note((time.perf_counter() - began) * 1000)
            if by.role != PLAYER and isinstance(answer, Refusal):
                self._note_refusal(connection.person, message, answer.reason)
            tell(self.encode_answer(message.id, message.table, answer))

        self.desk.ask(message.table, by, message.id, message.command, reply)

    def _note_refusal(self, person: str, message: me.AskTable, reason: str) -> None:
        """Whoever runs the floor can read who tried to act for the house and may not."""
        self.logbook.warn(
            "command refused", person=person, role=message.role[:40], table=message.table[:40],
            command=str(message.command.get("type"))[:40], reason=reason,
        )  # fmt: skip

    def _note_refused_stream(self, person: str, message: me.AskStream, reason: str) -> None:
        self._note_refusal(person, me.AskTable(message.id, message.stream, message.command, message.role), reason)

    def ask_advice(self, connection: Connection, message: me.AskAdvice) -> None:
        """Have a decision at a practice table priced; the answer comes when it is there."""
        if not 0 < len(message.id) <= LONGEST_ID or len(message.table) > LONGEST_ID:
            connection.send(_ENCODE(me.Complaint(f"an id has 1 to {LONGEST_ID} characters")))
            return

        def refuse(reason: str, clauses: tuple[str, ...] = ()) -> None:
            connection.send(_ENCODE(me.RefusedAsk(message.id, message.table, reason, clauses, ())))

        stream = self.desk.slots.get(message.table)
        if stream is None or not is_table_name(message.table) or not stream.durable.seq:
            refuse(f"there is no table {message.table[:40]}")
            return
        try:
            question = ask_advice(stream.durable.state, connection.person, message.box)
        except Refused as refused:
            refuse(refused.reason, refused.clauses)
            return
        seq = stream.durable.seq
        stake = float(_find_stake(stream.durable.state, question.box, connection.person))

        def reply(found: Advice | None) -> None:
            connection.is_advised = False
            if found is None:
                refuse("nobody can say what this is worth")
                return
            given = me.GivenAdvice(
                message.id, message.table, seq, found.box, found.hand, found.best, found.actions,
                {name: f"{value * stake:+.2f}" for name, value in found.actions.items()},
                found.shares,
            )  # fmt: skip
            connection.send(_ENCODE(given))

        if connection.is_advised or not self.advise(question, reply):
            refuse("advice is on its way: ask again when it has come")
            return
        connection.is_advised = True

    def find_asker(self, person: str, table: str, role: str, staff: bool) -> Asker | None:
        """Who asks, as the table is told: the person, in a role that they hold; `staff` as for a connection."""
        if not person:
            return None
        if role == PLAYER:
            return Asker(PLAYER, person)
        stream = self.desk.slots.get(table)
        if stream is None or not is_table_name(table) or not staff:
            return None
        book = stream.now.state.table.rules.book
        return Asker(role, person) if role in self.roles(person, book) else None

    def encode_answer(self, message_id: str, table: str, answer: Answer) -> bytes:
        """An answer as the client hears it."""
        if isinstance(answer, Done):
            self.answers["acknowledged"] += 1
            return _ENCODE(me.Acknowledged(message_id, table, answer.seq))
        if isinstance(answer, NotDone):
            self.answers["not_done"] += 1
            return _ENCODE(me.NotStored(message_id, table, answer.reason))
        self.answers["refused"] += 1
        return _ENCODE(me.RefusedAsk(message_id, table, answer.reason, answer.clauses, answer.legal))

    # ------------------------------------------------------------------ watching

    def start_watch(self, connection: Connection, message: me.Watch) -> None:
        """Somebody follows a table from now on, or goes on to."""
        stream = self.desk.slots.get(message.table)
        if stream is None or not is_table_name(message.table) or not stream.durable.seq:
            connection.send(_ENCODE(me.Complaint(f"there is no table {message.table[:40]}")))
            return
        if len(connection.tables) >= MOST_TABLES:
            connection.send(_ENCODE(me.Complaint(f"one connection watches {MOST_TABLES} tables at most")))
            return
        watched = self._find_watched(stream)
        watched.watchers[connection] = None
        connection.tables[message.table] = message.events
        connection.private.pop(message.table, None)
        missed = self._find_missed(watched, stream, message)
        if missed is None:
            connection.send(_ENCODE(me.Snapshot(message.table, watched.seq, watched.public)))
        else:
            for patch in missed:
                connection.send(patch)
        live: LiveTable = stream.durable.state
        self._send_private(connection, live, watched.seq, list_options(live))

    def _find_watched(self, stream: LiveStream) -> _Watched:
        watched = self.watched.get(stream.name)
        if watched is None:
            watched = _Watched(stream.durable.seq, describe_public(stream.durable.state))
            self.watched[stream.name] = watched
        return watched

    def _find_missed(self, watched: _Watched, stream: LiveStream, message: me.Watch) -> list[bytes] | None:
        """The patches that lead on from where a client stands; none if it has to start over."""
        if message.after is None:
            return None
        if message.after == watched.seq:
            return []
        if not watched.patches or message.after < watched.patches[0].after:
            self._recall(watched, stream, message.after)
        missed = [patch for patch in watched.patches if patch.after >= message.after]
        if not missed or missed[0].after != message.after:
            return None
        return [patch.write(message.events) for patch in missed]

    def _recall(self, watched: _Watched, stream: LiveStream, after: int) -> None:
        """Put together what happened before this process served the table, for those who were told elsewhere."""
        until = watched.patches[0].after if watched.patches else watched.seq
        past = [step for step in stream.trail if after < step.after.seq <= until]
        if not past or past[0].before.seq != after or past[-1].after.seq != until or past[0].before.state is None:
            return
        begin, end = describe_public(past[0].before.state), describe_public(past[-1].after.state)
        bare = _ENCODE(me.Patch(stream.name, after, until, find_changes(begin, end)))
        watched.patches.appendleft(_KeptPatch(after, bare, past))

    def end_watch(self, connection: Connection, table: str) -> None:
        """Somebody follows a table no longer."""
        connection.tables.pop(table, None)
        if table in self.watched:
            self.watched[table].watchers.pop(connection, None)

    def enter(self, connection: Connection) -> None:
        """Somebody is connected."""
        self.connections.add(connection)
        if self.desk.frozen:
            connection.send(_ENCODE(me.FloorNotice(True, self.desk.frozen)))

    def leave(self, connection: Connection) -> None:
        """Somebody is gone."""
        for table in list(connection.tables):
            self.end_watch(connection, table)
        if self.elsewhere is not None:
            self.elsewhere.leave(connection)
        self.inboxes.leave(connection)
        self.streams.leave(connection)
        self.connections.discard(connection)

    def hear_floor(self, events: Iterable[HouseEvent]) -> None:
        """Something has happened on the floor: inboxes change, and whoever has to sign in again is told."""
        events = tuple(events)
        self.inboxes.hear(events)
        for event in events:
            if isinstance(event, PasswordChanged | SessionsEnded) and event.name:
                self.drop_person(event.name)
            elif isinstance(event, SessionsEnded):
                for connection in [each for each in self.connections if each.person]:
                    connection.drop("sign in again")

    def drop_person(self, person: str) -> None:
        """Whoever is connected under this name has to come in again."""
        for connection in [each for each in self.connections if each.person == person]:
            connection.drop("sign in again")

    def close_table(self, table: str) -> None:
        """This process serves a stream no longer: whoever watches it has to connect again."""
        self.streams.close(table, MOVED)
        watched = self.watched.pop(table, None)
        for connection in list(watched.watchers) if watched is not None else ():
            connection.tables.pop(table, None)
            connection.drop(MOVED)

    def list_lines(self) -> list[me.TableLine]:
        """The tables that are served here, for the list of tables."""
        found = []
        for stream in self.desk.tables:
            live: LiveTable | None = stream.durable.state
            if live is not None:
                limits, game = live.table.limits, live.table.rules.game
                found.append(
                    me.TableLine(
                        live.name, game, live.kind, len(live.purses), live.table.round, limits.minimum, limits.maximum,
                        stream.stopped or self.desk.frozen,
                    )
                )  # fmt: skip
        return found

    # ------------------------------------------------------------------ to clients

    def publish(self, steps: list[Step]) -> None:
        """A group of decisions is stored: everybody who watches hears of it."""
        by_table: dict[str, list[Step]] = {}
        for step in steps:
            if step.slot.name == FLOOR:
                self.hear_floor(step.events)
            if step.slot.name in self.watched:
                by_table.setdefault(step.slot.name, []).append(step)
        for name, own in by_table.items():
            self._publish_table(self.watched[name], own)
        self.streams.publish(step.slot.name for step in steps if is_of_kind(step.slot.name))

    def tell_standing(self) -> None:
        """Everybody hears whether the floor is frozen."""
        told = _ENCODE(me.FloorNotice(bool(self.desk.frozen), self.desk.frozen))
        for connection in list(self.connections):
            connection.send(told)

    def publish_afresh(self, stream: LiveStream, before: StreamPosition) -> None:
        """A table stands further on than everybody was told: they begin from its document."""
        if stream.name == FLOOR:
            self.inboxes.start_over()
        self.streams.publish([stream.name] if is_of_kind(stream.name) else [])
        watched = self.watched.pop(stream.name, None)
        if watched is None:
            return
        for connection in list(watched.watchers):
            self.start_watch(connection, me.Watch(stream.name, None, connection.tables[stream.name]))

    def _publish_table(self, watched: _Watched, steps: list[Step]) -> None:
        last = steps[-1]
        live: LiveTable = last.after.state
        before, watched.public = watched.public, describe_public(live)
        changes = find_changes(before, watched.public)
        seq, after = last.after.seq, watched.seq
        watched.seq = seq
        past = [Past(step.before, step.after, step.entry.row.at_ms, step.events) for step in steps]
        patch = _KeptPatch(after, _ENCODE(me.Patch(live.name, after, seq, changes)), past)
        watched.patches.append(patch)
        if len(watched.patches) == PATCHES_KEPT:
            last.slot.trail.clear()
        if not watched.watchers:
            return
        options = list_options(live)
        for connection in watched.watchers:
            connection.send(patch.write(bool(connection.tables.get(live.name))))
            self._send_private(connection, live, seq, options)

    def _deals(self, connection: Connection, live: LiveTable) -> bool:
        """Somebody is on at a table where a person deals."""
        return live.kind is TableKind.PERSON and connection.staff and connection.person == live.table.floor.dealer

    def _send_private(
        self, connection: Connection, live: LiveTable, seq: int, options: tuple[Command, ...]
    ) -> None:  # fmt: skip
        """What only this person may know, if it has changed."""
        here = bool(connection.person) and (connection.person in live.purses or self._deals(connection, live))
        last = connection.private.get(live.name)
        if not here and last is None:
            return
        private = _ENCODE(describe_private(live, connection.person, options))
        if last == private:
            return
        if here:
            connection.private[live.name] = private
        else:
            del connection.private[live.name]
        connection.send(b'{"type":"private","table":%b,"seq":%d,"private":%b}' % (_ENCODE(live.name), seq, private))


def _find_stake(live: LiveTable, box: str | None, player: str) -> Money:
    """The wager of a player on a box."""
    index = live.table.box_index(box or "")
    bettor = live.table.boxes[index].bettor(player) if index >= 0 else None
    return ZERO if bettor is None else bettor.stake


def list_options(live: LiveTable) -> tuple[Command, ...]:
    """What is legal at a table, as far as a client could ask for it: before a machine deals that is only the cut."""
    state = live.table
    only_wagers = state.phase is Phase.BETTING and not state.shoe.asked and live.kind is not TableKind.PERSON
    return () if only_wagers else legal(state)


def _describe_past(step: Past) -> me.SeenEvents:
    before: Any = step.before.state
    table = None if before is None else before.table
    events = list_visible(table, step.events, _SPECTATOR)
    return me.SeenEvents(step.after.seq, step.at_ms, events, tell_table(table, step.events))
