"""What travels over the WebSocket of a floor: the messages of both sides.

A client sends one message in a frame. The server sends frames that hold a list of messages, in order. Every message
about a table has `seq`, the number of the last decision it includes; a client that comes back says after which number
it wants to go on. `describe_messages` gives the JSON Schemas that the server publishes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.documents import PrivateTable, PublicTable
from pitboss.floor.house_state import InboxNotice
from pitboss.floor.served.kind_stream import list_served_kinds
from pitboss.floor.telling.table_log import SaidLine
from pitboss.floor.visibility import RULES
from pitboss.money import Money
from pitboss.odds.advice.outcome_shares import OutcomeShares

# ---------------------------------------------------------------------- from the client


class Watch(msgspec.Struct, frozen=True, tag="watch", forbid_unknown_fields=True):
    """Follow a table, from where the client stands if it was there before."""

    table: str
    after: int | None = None
    events: bool = True
    """Also send the events as they may be seen; without, only the documents and how they change."""


class Unwatch(msgspec.Struct, frozen=True, tag="unwatch", forbid_unknown_fields=True):
    """Follow a table no longer."""

    table: str


class AskTable(msgspec.Struct, frozen=True, tag="ask", forbid_unknown_fields=True):
    """Ask something of a table. The id is the client's own: the same id again gets the same answer."""

    id: str
    table: str
    command: dict[str, Any]
    role: str = "player"
    """The role in which it is asked: a player, or a role that the person holds by the book of the table."""


class AskAdvice(msgspec.Struct, frozen=True, tag="advise", forbid_unknown_fields=True):
    """Ask what a decision is worth, at a practice table: the one that is due, or that of a box."""

    id: str
    table: str
    box: str | None = None


class WatchInbox(msgspec.Struct, frozen=True, tag="watch-inbox", forbid_unknown_fields=True):
    """Follow the inbox of a role: `inspector` or `surveillance`."""

    role: str


class WatchStream(msgspec.Struct, frozen=True, tag="watch-stream", forbid_unknown_fields=True):
    """Follow a stream that is no table: `tournament spring`, a meter system, a promotion."""

    stream: str
    role: str = "player"
    """As whom: a player or spectator, or a role that the person holds by the book of the stream or everywhere."""


class UnwatchStream(msgspec.Struct, frozen=True, tag="unwatch-stream", forbid_unknown_fields=True):
    """Follow a stream no longer."""

    stream: str


class AskStream(msgspec.Struct, frozen=True, tag="ask-stream", forbid_unknown_fields=True):
    """Ask something of a stream that is no table. The id is the client's own."""

    id: str
    stream: str
    command: dict[str, Any]
    role: str = "player"
    book: str = ""
    """Whoever opens a stream with its first command names its book."""


class ListStreams(msgspec.Struct, frozen=True, tag="list-streams", forbid_unknown_fields=True):
    """Ask which streams there are beside tables."""


TableMessage = Watch | Unwatch | AskTable | AskAdvice
StreamMessage = WatchStream | UnwatchStream | AskStream | ListStreams
ClientMessage = TableMessage | WatchInbox | StreamMessage


# ---------------------------------------------------------------------- from the server


class Snapshot(msgspec.Struct, frozen=True, tag="snapshot"):
    """A table as everybody sees it: the document that patches lead on from."""

    table: str
    seq: int
    public: PublicTable


class SeenEvents(msgspec.Struct, frozen=True):
    """The events of one decision, as they may be seen."""

    seq: int
    at_ms: int
    events: list[Any]
    said: list[SaidLine] = []
    """The same in sentences."""


class Patch(msgspec.Struct, frozen=True, tag="patch", omit_defaults=True):
    """What changed in the public document (JSON Merge Patch) since the number `after`."""

    table: str
    after: int
    seq: int
    patch: dict[str, Any]
    events: list[SeenEvents] = []


class Private(msgspec.Struct, frozen=True, tag="private"):
    """What the client's own person may know beside the public document; it replaces what was sent before."""

    table: str
    seq: int
    private: PrivateTable


class Acknowledged(msgspec.Struct, frozen=True, tag="acknowledged"):
    """What was asked is done and stored."""

    id: str
    table: str
    seq: int


class RefusedAsk(msgspec.Struct, frozen=True, tag="refused"):
    """What was asked is refused, and nothing has changed."""

    id: str
    table: str
    reason: str
    clauses: tuple[str, ...]
    legal: tuple[str, ...]


class NotStored(msgspec.Struct, frozen=True, tag="not-done"):
    """What was asked could not be stored, and nothing has changed: ask again with the same id."""

    id: str
    table: str
    reason: str


class GivenAdvice(msgspec.Struct, frozen=True, tag="advice"):
    """What the actions of a box are worth, for the cards that nobody had seen at the decision `seq`."""

    id: str
    table: str
    seq: int
    box: str
    hand: int
    best: str
    actions: dict[str, float]
    """By action, as records write it: the expectation in units of the wager."""
    money: dict[str, str] = {}
    """The same in money, to the cent."""
    shares: dict[str, OutcomeShares] = {}
    """How often standing, hitting and doubling win, push and lose; left out where that cannot be said exactly."""


class Complaint(msgspec.Struct, frozen=True, tag="complaint"):
    """A message that is none, or comes too fast; the connection may be closed next."""

    reason: str
    wait_ms: int = 0
    """It was not heard because it came too fast: after so long whatever has no answer may be sent again."""


class FloorNotice(msgspec.Struct, frozen=True, tag="notice"):
    """The floor is frozen because it cannot store anything, or goes on again: no clock runs in between."""

    frozen: bool
    reason: str


class TableLine(msgspec.Struct):
    """A table in the list of tables."""

    name: str
    game: str
    kind: lt.TableKind
    players: int
    round: int
    minimum: Money | None
    maximum: Money | None
    stopped: str
    """Why it takes no commands, if it does not."""


class InboxNews(msgspec.Struct, frozen=True, tag="inbox"):
    """Notices of an inbox that are new or have changed; each replaces what was sent under its number."""

    role: str
    notices: tuple[InboxNotice, ...]


class StreamShown(msgspec.Struct, frozen=True, tag="stream"):
    """A stream as this client may see it; it replaces what was sent before."""

    stream: str
    kind: str
    name: str
    book: str
    seq: int
    role: str
    """As whom it is seen."""
    stopped: str
    """Why it takes no commands, if it does not."""
    shown: dict[str, Any] | msgspec.Raw
    duties: tuple[str, ...] = ()
    """What is still to be done, for those who act for the house."""


class StreamLine(msgspec.Struct, frozen=True):
    """A stream in the list of streams."""

    kind: str
    name: str
    book: str
    title: str
    seq: int
    stopped: str


class StreamList(msgspec.Struct, frozen=True, tag="streams"):
    """The streams that there are beside tables."""

    streams: tuple[StreamLine, ...]


ServerMessage = (
    Snapshot | Patch | Private | Acknowledged | RefusedAsk | NotStored | GivenAdvice | Complaint | FloorNotice
    | InboxNews | StreamShown | StreamList
)  # fmt: skip


# ---------------------------------------------------------------------- schemas

SET_BY_SERVER = ("player", "by", "role", "person")
"""What a command says about who asks: the server puts it in, whatever a client sends."""


def describe_messages() -> dict[str, Any]:
    """The JSON Schemas of both sides, of all commands and of all events, in one document."""
    streams = {kind.word: list(kind.commands.values()) for kind in list_served_kinds()}
    of_streams = [command for commands in streams.values() for command in commands]
    kinds = [
        *of_streams, ClientMessage, ServerMessage, *lt.KINDS.values(), *hm.FLOOR_COMMANDS, *RULES,
    ]  # fmt: skip
    schemas, components = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    refs = dict(zip(of_streams, schemas, strict=False))
    schemas = schemas[len(of_streams) :]
    commands = [kind.__name__ for kind in lt.KINDS.values()]
    for name in (*commands, *(schema["$ref"].rpartition("/")[2] for schema in refs.values())):
        part = components[name]
        part["required"] = [field for field in part.get("required", []) if field not in SET_BY_SERVER]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of a pitboss floor",
        "client": schemas[0],
        "server": {"type": "array", "items": schemas[1]},
        "commands": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in commands]},
        "floor_commands": {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in hm.FLOOR_COMMANDS]},
        "stream_commands": {
            word: {"anyOf": [refs[command] for command in own] or [False]} for word, own in streams.items()
        },
        "events": {"anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in RULES]},
        "$defs": components,
    }
