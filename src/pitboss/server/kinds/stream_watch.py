"""Streams of any kind, as connections ask them, watch them and list them.

What a stream shows depends on who looks: everybody is sent the document that is theirs, whole, whenever it has changed.
Spectators all have the same, which is put together and encoded once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import msgspec

from pitboss.floor.served.kind_stream import KindStream, get_kind, is_of_kind
from pitboss.server import messages as me
from pitboss.server.kinds.kind_line import KindLine
from pitboss.server.live_stream import Answer, LiveStream
from pitboss.table.messages.askers import PLAYER, Asker

CROWD = 20
"""So many watchers are shown everything at once; more than that, what was gathered for a moment."""
MOST_WATCHED = 200
"""Streams that one connection may watch."""
LONGEST_STREAM = 100
LONGEST_COMMAND_ID = 64

_ENCODE = msgspec.json.Encoder().encode


class StreamReader(Protocol):
    """A connection, as far as streams need it; see `hub.Connection`."""

    person: str
    staff: bool

    def send(self, message: bytes) -> None:
        """Put an encoded message into the line."""

    @property
    def drop(self) -> Callable[[str], None]:
        """Says why the connection ends."""


class _Watching(msgspec.Struct):
    """How somebody watches a stream, and what they were shown last."""

    role: str
    last: tuple[bytes, tuple[str, ...]] = (b"", ())


class StreamWatch:
    """Who watches which stream."""

    def __init__(
        self, line: KindLine, roles: Callable[[str, str], tuple[str, ...]],
        encode_answer: Callable[[str, str, Answer], bytes], note_refusal: Callable[[str, me.AskStream, str], None],
    ) -> None:  # fmt: skip
        self.line = line
        self.roles = roles
        """The roles that a person holds by a book; by none, for the whole floor."""
        self.encode_answer = encode_answer
        self.note_refusal = note_refusal
        self.watchers: dict[str, dict[Any, _Watching]] = {}
        self.later: Callable[[Callable[[], None]], object] = lambda work: work()
        """Does something in a moment, so that what is decided until then is shown to a crowd once."""
        self._gathered: dict[str, None] = {}

    # ------------------------------------------------------------------ from clients

    def hear(self, reader: StreamReader, message: me.StreamMessage) -> None:
        """A message about streams."""
        match message:
            case me.AskStream():
                self.ask(reader, message)
            case me.WatchStream():
                self.start(reader, message)
            case me.UnwatchStream(stream):
                self.watchers.get(stream, {}).pop(reader, None)
            case me.ListStreams():
                reader.send(_ENCODE(me.StreamList(tuple(self.list_lines(reader.person)))))

    def ask(self, reader: StreamReader, message: me.AskStream) -> None:
        """Pass a question on to the stream, and its answer back."""
        if not 0 < len(message.id) <= LONGEST_COMMAND_ID or len(message.stream) > LONGEST_STREAM:
            reader.send(_ENCODE(me.Complaint(f"an id has 1 to {LONGEST_COMMAND_ID} characters")))
            return
        slot = self.line.slots.get(message.stream) if is_of_kind(message.stream) else None
        book = message.book if slot is None or not slot.durable.seq else slot.durable.state.book
        by = self.find_stream_asker(reader.person, reader.staff, message.role, book)
        if by is None:
            reason = f"you do not hold the role {message.role[:40]} here"
            self.note_refusal(reader.person, message, reason)
            reader.send(_ENCODE(me.RefusedAsk(message.id, message.stream, reason, (), ())))
            return

        def reply(answer: Answer) -> None:
            reader.send(self.encode_answer(message.id, message.stream, answer))

        self.line.ask_stream(message.stream, by, message.id, message.command, reply, message.book)

    def find_stream_asker(self, person: str, staff: bool, role: str, book: str) -> Asker | None:
        """Who asks: the person, in a role that they hold by the book of the stream or for the whole floor."""
        if role == PLAYER:
            return Asker(PLAYER, person) if person else None
        held = (*self.roles(person, book), *self.roles(person, "")) if person and staff else ()
        return Asker(role, person) if role in held else None

    # ------------------------------------------------------------------ watching

    def start(self, reader: StreamReader, message: me.WatchStream) -> None:
        """Somebody follows a stream from now on."""
        slot = self.line.slots.get(message.stream) if is_of_kind(message.stream) else None
        if slot is None or not slot.durable.seq:
            reader.send(_ENCODE(me.Complaint(f"there is no {message.stream[:LONGEST_STREAM]}")))
            return
        if sum(reader in each for each in self.watchers.values()) >= MOST_WATCHED:
            reader.send(_ENCODE(me.Complaint(f"one connection watches {MOST_WATCHED} streams at most")))
            return
        by = self._find_viewer(reader, message.role, slot)
        if by is None:
            reader.send(_ENCODE(me.Complaint(f"you do not hold the role {message.role[:40]} here")))
            return
        watching = _Watching(message.role, self._describe(slot, by))
        self.watchers.setdefault(message.stream, {})[reader] = watching
        reader.send(self._write(slot, watching))

    def _find_viewer(self, reader: StreamReader, role: str, slot: LiveStream) -> Asker | None:
        """Who looks: anybody as a spectator or player, others in a role that they hold."""
        if role == PLAYER:
            return Asker(PLAYER, reader.person)
        return self.find_stream_asker(reader.person, reader.staff, role, slot.durable.state.book)

    def _write(self, slot: LiveStream, watching: _Watching) -> bytes:
        word, _, name = slot.name.partition(" ")
        own = me.StreamShown(
            slot.name, word, name, slot.durable.state.book, slot.durable.seq, watching.role, slot.stopped,
            msgspec.Raw(watching.last[0]), watching.last[1],
        )  # fmt: skip
        return _ENCODE(own)

    def _describe(self, slot: LiveStream, by: Asker) -> tuple[bytes, tuple[str, ...]]:
        """What somebody may see of a stream as it is stored, encoded; and what is still to be done, for the house."""
        kind, state = get_kind(slot.name), slot.durable.state.state
        duties = tuple(kind.list_duties(state, self.line.clock())) if by.role != PLAYER else ()
        return _ENCODE(kind.show(state, by)), duties

    def publish(self, names: Iterable[str]) -> None:
        """These streams have moved on, and it is stored: whoever sees something else than before is shown it."""
        for name in dict.fromkeys(names):
            if len(self.watchers.get(name, ())) <= CROWD:
                self._show(name)
            elif name not in self._gathered:
                self._gathered[name] = None
                self.later(lambda name=name: self._show(name))  # type: ignore[misc]

    def _show(self, name: str) -> None:
        self._gathered.pop(name, None)
        slot, watchers = self.line.slots.get(name), self.watchers.get(name)
        if slot is not None and watchers:
            shown: dict[Asker, tuple[bytes, tuple[str, ...]]] = {}
            for reader, watching in list(watchers.items()):
                by = self._find_viewer(reader, watching.role, slot)
                if by is None:
                    del watchers[reader]
                    reader.send(_ENCODE(me.Complaint(f"you do not hold the role {watching.role} any more")))
                    continue
                if by not in shown:
                    shown[by] = self._describe(slot, by)
                if shown[by] != watching.last:
                    watching.last = shown[by]
                    reader.send(self._write(slot, watching))

    def leave(self, reader: Any) -> None:
        """Somebody is gone."""
        for watchers in self.watchers.values():
            watchers.pop(reader, None)

    def close(self, stream: str, reason: str) -> None:
        """This process serves a stream no longer: whoever watches it has to connect again."""
        for reader in list(self.watchers.pop(stream, ())):
            reader.drop(reason)

    def list_lines(self, person: str) -> list[me.StreamLine]:
        """Every stream that is served here."""
        found = []
        for slot in sorted(self.line.kinds, key=lambda each: each.name):
            if slot.durable.seq:
                stream: KindStream = slot.durable.state
                word, _, name = slot.name.partition(" ")
                shown = get_kind(slot.name).show(stream.state, Asker(PLAYER, person))
                title = str(shown.get("title") or (shown.get("terms") or {}).get("name") or name)
                found.append(me.StreamLine(word, name, stream.book, title, slot.durable.seq, slot.stopped))
        return found
