"""A stream of any kind as a served floor keeps it: what a row holds, and the stream after it.

The first line of every row says what was asked, by whom, and everything that the answer rested on: the chance that was
given, how far every other stream was that the decision looked at, and the balances that it read. So the same can be
asked again at any time, and must be answered with the same bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Union

import msgspec

from pitboss.floor.decided import Decided
from pitboss.floor.ledger import Transfer, Unit
from pitboss.floor.live_table import StreamError, fill_in_asker
from pitboss.floor.moments import make_plain
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.kind import FloorNow, Kind
from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.floor.records.table_kind import TABLE
from pitboss.records.read import parse_toml
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.wellformed import find_value_fault


class StreamAsked(msgspec.Struct, frozen=True, tag="stream-asked", kw_only=True):
    """What was asked of a stream, and what the answer rested on."""

    by: Asker
    book: str
    command: msgspec.Raw
    entropy: bytes
    """The chance that was given for this decision."""
    rests_on: dict[str, int] = {}
    """The streams that were looked at, and how far they were; 0: there was no such stream."""
    funds: dict[str, int] = {}
    """The balances that were read, in grains, by unit and account."""
    transfers: tuple[Transfer, ...] = ()


class KindStream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream between two decisions: the book by which it was opened, and the state that its kind gives it."""

    name: str
    """The word of its kind and its own name: `tournament spring`."""
    book: str
    state: Any
    at_ms: int = 0


class KindGranted(msgspec.Struct, frozen=True):
    """What was asked is done."""

    events: tuple[Any, ...]
    stream: KindStream
    transfers: tuple[Transfer, ...]


def is_of_kind(stream: str) -> bool:
    """A stream by its name that is neither a table nor the floor itself: no table has a space in its name."""
    return " " in stream


def is_table_name(stream: str) -> bool:
    """A stream by its name that is a table."""
    return stream != FLOOR and " " not in stream


def find_served_kind(stream: str) -> Kind | None:
    """The kind of a stream beside tables and floor, by its name; none if there is no such kind."""
    word, _, name = stream.partition(" ")
    return KIND_BY_WORD.get(word) if name and word not in (FLOOR, TABLE) else None


def get_kind(stream: str) -> Kind:
    """The kind of a stream that is there."""
    kind = find_served_kind(stream)
    if kind is None:
        raise StreamError(f"this program knows no streams such as {stream[:40]}")
    return kind


def list_served_kinds() -> list[Kind]:
    """Every kind of stream beside tables and floor."""
    return [kind for word, kind in KIND_BY_WORD.items() if word not in (FLOOR, TABLE)]


# ---------------------------------------------------------------------- deciding


def begin_kind(stream: str, book: str) -> KindStream:
    """A stream that nothing has happened on yet."""
    return KindStream(name=stream, book=book, state=get_kind(stream).begin(stream.partition(" ")[2], book))


def decide_kind(
    stream: KindStream, command: Any, by: Asker, now: FloorNow, rests_on: Mapping[str, int], funds: Mapping[str, int]
) -> KindGranted | Refusal:
    """What follows from a command; `rests_on` and `funds` are filled while the decision looks around."""
    kind = get_kind(stream.name)
    answer = kind.decide(stream.state, command, by, now)
    if isinstance(answer, Refusal):
        return answer
    asked = StreamAsked(
        by=by, book=stream.book, command=msgspec.Raw(_ENCODER.encode(command)), entropy=now.entropy,
        rests_on=dict(rests_on), funds=dict(funds), transfers=tuple(answer.transfers),
    )  # fmt: skip
    return _grant(kind, stream, asked, answer, now.at_ms)


def _grant(
    kind: Kind, stream: KindStream, asked: StreamAsked, answer: Decided[Any, Any], at_ms: int
) -> KindGranted | Refusal:
    """What is folded from the events counts, as it will when they are read back."""
    granted = fold_kind(stream.name, stream, (asked, *answer.events), at_ms)
    if granted.stream.state != answer.state:
        return Refusal(f"{stream.name}: its events do not lead to the state that was decided", ())
    if any(moved.amount <= 0 or moved.debit == moved.credit for moved in answer.transfers):
        return Refusal(f"{stream.name}: a transfer moves nothing", ())
    return granted


def fold_kind(name: str, stream: KindStream | None, events: tuple[Any, ...], at_ms: int) -> KindGranted:
    """The stream after a row of its log, which may be the first."""
    asked = events[0] if events else None
    if not isinstance(asked, StreamAsked):
        raise StreamError(f"a row of {name} begins with what was asked")
    kind = get_kind(name)
    before = begin_kind(name, asked.book) if stream is None else stream
    at_ms = max(at_ms, before.at_ms)
    state = functools.reduce(lambda so_far, event: kind.evolve(so_far, event, at_ms), events[1:], before.state)
    after = msgspec.structs.replace(before, state=state, at_ms=at_ms)
    return KindGranted(events, after, asked.transfers)


def find_moment(stream: KindStream) -> int | None:
    """When a clock of the stream runs out next."""
    return get_kind(stream.name).find_next_moment(stream.state)


# ---------------------------------------------------------------------- as text

_ENCODER = msgspec.json.Encoder(order="deterministic")


@functools.cache
def _make_decoder(events: tuple[type[Any], ...]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[(StreamAsked, *events)])


def decode_kind_row(stream: str, text: bytes) -> tuple[Any, ...]:
    """The events of one decision of a stream, what was asked first."""
    try:
        return tuple(_make_decoder(get_kind(stream).events).decode_lines(text))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StreamError(f"this is not a row of {stream}: {error}".replace("\n", " ")) from None


def convert_kind_command(kind: Kind, asked: object, by: Asker) -> Any:
    """A command out of plain data, with the asker's own name and role wherever it names somebody who asks."""
    if not isinstance(asked, dict):
        raise StreamError("a command is an object with a type")
    tag = asked.get("type")
    wanted = kind.commands.get(tag) if isinstance(tag, str) else None
    if wanted is None:
        raise StreamError(f"a {kind.word} knows no command {str(tag)[:40]!r}")
    try:
        command = msgspec.convert(_read_documents(fill_in_asker(asked, wanted, by), wanted), wanted, strict=True)
        fault = find_value_fault(command)
    except (msgspec.ValidationError, RecursionError) as error:
        raise StreamError(f"this is not a command: {error}".replace("\n", " ")) from None
    if fault:
        raise StreamError(f"this is not a command: {fault}")
    return command


def _read_documents(fields: dict[str, Any], wanted: type[Any]) -> dict[str, Any]:
    """Fields that hold a document, such as terms, may come as the text of its file."""
    documents = {
        field.name
        for field in msgspec.structs.fields(wanted)
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct)
    }
    texts = {name: text for name, text in fields.items() if name in documents and isinstance(text, str)}
    return {**fields, **{name: make_plain(parse_toml(text, name)) for name, text in texts.items()}}


def read_asked_command(kind: Kind, asked: StreamAsked) -> Any:
    """The command that a row tells of."""
    tag = msgspec.json.decode(asked.command).get("type")
    if tag not in kind.commands:
        raise StreamError(f"a {kind.word} knows no command {str(tag)[:40]!r}")
    return msgspec.json.decode(asked.command, type=kind.commands[tag])


def write_unit_and_account(account: tuple[str, Unit]) -> str:
    """How a row names an account whose balance was read."""
    return f"{account[1].value} {account[0]}"
