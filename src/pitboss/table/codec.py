"""Commands, events and states as JSON, and back: what a store keeps and what travels between processes.

Each command and event carries its tag (`"type": "hit"`), amounts are decimal texts, and a state is whole: its rules are
in it, so it can be read where the rulebook it came from is not at hand. What is read back equals what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, Union

import msgspec

from pitboss.errors import PitbossError
from pitboss.table.commands import Command
from pitboss.table.events import Event
from pitboss.table.orders import asked as orders
from pitboss.table.orders import rulings
from pitboss.table.state import State

T = TypeVar("T")

MODULES = (orders, rulings)
"""Where more commands and events are defined: they must be known before a decoder for all of them is made."""


class CodecError(PitbossError):
    """A text that should be a command, an event or a state is not."""


def _kinds(base: type[Any]) -> list[type[Any]]:
    """The kinds of `base` that are not bases themselves."""
    kinds = []
    for kind in base.__subclasses__():
        kinds.extend(_kinds(kind) if kind.__subclasses__() else [kind])
    return kinds


def _decoder(base: type[Any]) -> msgspec.json.Decoder[Any]:
    """Reads any one of the kinds of `base`, told apart by their tags."""
    return msgspec.json.Decoder(Union[tuple(_kinds(base))])  # noqa: UP007 - a union made of a list


_COMMAND = _decoder(Command)
_EVENT = _decoder(Event)
_STATE = msgspec.json.Decoder(State)
_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(value: Command | Event | State) -> bytes:
    """A command, an event or a state as JSON; equal values give equal bytes."""
    return _ENCODER.encode(value)


def encode_events(events: Iterable[Event]) -> bytes:
    """Events as JSON, one on each line."""
    return _ENCODER.encode_lines(list(events))


def decode_command(text: bytes | str) -> Command:
    """The command that `text` is."""
    command: Command = _read("command", _COMMAND.decode, text)
    return command


def decode_event(text: bytes | str) -> Event:
    """The event that `text` is."""
    event: Event = _read("event", _EVENT.decode, text)
    return event


def decode_events(text: bytes | str) -> tuple[Event, ...]:
    """The events of `text`, one on each line."""
    return tuple(_read("event", _EVENT.decode_lines, text))


def decode_state(text: bytes | str) -> State:
    """The state that `text` is."""
    return _read("state", _STATE.decode, text)


def _read(what: str, decode: Callable[[bytes | str], T], text: bytes | str) -> T:
    try:
        return decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CodecError(f"this is not a {what}: {error}".replace("\n", " ")) from None
    except RecursionError:
        raise CodecError(f"this is not a {what}: it is nested too deeply") from None
