"""Commands, events and states as JSON, and back: what a store keeps and what travels between processes.

Each command and event carries its tag (`"type": "hit"`), amounts are decimal texts, and a state is whole: its rules are
in it, so it can be read where the rulebook it came from is not at hand. What is read back equals what was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, Union

import msgspec

from pitboss.errors import PitbossError
from pitboss.table.messages.commands import Command
from pitboss.table.messages.events import Event
from pitboss.table.messages.order_commands import COMMANDS
from pitboss.table.orders.rulings import EVENTS
from pitboss.table.state import State

T = TypeVar("T")


class CodecError(PitbossError):
    """A text that should be a command, an event or a state is not."""


_COMMAND = msgspec.json.Decoder(Union[COMMANDS])  # noqa: UP007 - a union made of a list
_EVENT = msgspec.json.Decoder(Union[EVENTS])  # noqa: UP007 - a union made of a list
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
