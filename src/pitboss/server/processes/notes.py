"""What travels between processes: notes for the one that serves a table or the floor itself, and what comes back."""

from __future__ import annotations

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.server.live_stream import Answer, Done, NotDone
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker


class Enter(msgspec.Struct, frozen=True, tag="enter", array_like=True):
    """A client of ours gets a number; who it is has been checked."""

    number: int
    person: str
    staff: bool
    """The session is good for what staff do."""


class Say(msgspec.Struct, frozen=True, tag="say", array_like=True):
    """What that client says, as it came."""

    number: int
    text: bytes


class Exit(msgspec.Struct, frozen=True, tag="exit", array_like=True):
    """That client is gone."""

    number: int


class AskFloor(msgspec.Struct, frozen=True, tag="ask-floor", array_like=True):
    """A command for the floor itself."""

    number: int
    by: Asker
    id: str
    command: bytes
    table: hm.TableFacts | None
    """What is known of the table that the command names."""


class AskFacts(msgspec.Struct, frozen=True, tag="ask-facts", array_like=True):
    """What the floor must know of a table that is served there."""

    number: int
    table: str


class Follow(msgspec.Struct, frozen=True, tag="follow", array_like=True):
    """Read the log of the floor itself as far as this row, let the tables there hear of it, and say so."""

    number: int
    seq: int


class ListLines(msgspec.Struct, frozen=True, tag="list-lines", array_like=True):
    """Which tables are served there, for the list of tables."""

    number: int


class Look(msgspec.Struct, frozen=True, tag="look", array_like=True):
    """Something has changed about who serves what."""


Note = Enter | Say | Exit | AskFloor | AskFacts | Follow | ListLines | Look
"""What goes to the process that serves a table."""


class Tell(msgspec.Struct, frozen=True, tag="tell", array_like=True):
    """What these clients are sent."""

    numbers: list[int]
    text: bytes


class Drop(msgspec.Struct, frozen=True, tag="drop", array_like=True):
    """That client has to connect again."""

    number: int


class Answered(msgspec.Struct, frozen=True, tag="answered", array_like=True):
    """The answer to something that was asked under a number: JSON."""

    number: int
    text: bytes


class FloorMoved(msgspec.Struct, frozen=True, tag="floor-moved", array_like=True):
    """The floor itself has a new row; whoever misses this finds it at the next look."""

    seq: int


Back = Tell | Drop | Answered | FloorMoved
"""What comes back from it."""


class _Told(msgspec.Struct):
    """An answer of the floor, on its way between two processes."""

    done: int = 0
    reason: str = ""
    refused: bool = False
    clauses: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()


def encode_answer(answer: Answer) -> bytes:
    """An answer of the floor, as it travels."""
    if isinstance(answer, Done):
        return _ENCODE(_Told(done=answer.seq))
    if isinstance(answer, NotDone):
        return _ENCODE(_Told(reason=answer.reason))
    return _ENCODE(_Told(reason=answer.reason, refused=True, clauses=answer.clauses, legal=answer.legal))


def decode_answer(text: bytes) -> Answer:
    """An answer of the floor that has come."""
    told = _TOLD.decode(text)
    if told.done:
        return Done(told.done)
    return Refusal(told.reason, told.clauses, told.legal) if told.refused else NotDone(told.reason)


_ENCODE = msgspec.json.Encoder().encode
_TOLD = msgspec.json.Decoder(_Told)
