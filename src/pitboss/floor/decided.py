"""What a stream of the floor answers when it grants what it was asked."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from pitboss.floor.ledger import Transfer

Event = TypeVar("Event")
State = TypeVar("State")


class Decided(msgspec.Struct, Generic[Event, State], frozen=True):
    """What happened, the state after it, and what it moves in money."""

    events: tuple[Event, ...]
    state: State
    transfers: tuple[Transfer, ...] = ()
