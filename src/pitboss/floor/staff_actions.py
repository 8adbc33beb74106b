"""What people of the house have done, one line for each: who, in which role, what, why, and by which clause.

It is read off the rows of the log: nothing is kept beside it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor import live_table as lt
from pitboss.floor.served.kind_stream import StreamAsked
from pitboss.table.messages import events as ev
from pitboss.table.orders.rulings import Ruled


class StaffAction(msgspec.Struct, frozen=True):
    """Something that somebody of the house did."""

    stream: str
    """The table, or the floor."""
    seq: int
    at_ms: int
    actor: str
    role: str
    act: str
    words: str
    """What was done, in the words of the order or the event."""
    reason: str
    clauses: tuple[str, ...]


def describe_action(stream: str, seq: int, at_ms: int, actor: str, role: str, events: tuple[Any, ...]) -> StaffAction:
    """A row of the log as what somebody did."""
    main = _find_main(events)
    if isinstance(main, StreamAsked):
        asked = msgspec.json.decode(main.command)
        act, reason = str(asked.pop("type", "")), str(asked.get("reason", ""))
        words = _write_fields(asked)
    elif isinstance(main, Ruled):
        act, words, reason = main.act, main.words, main.reason
    elif isinstance(main, ev.Asked):
        act, words, reason = _find_tag(main.command), _write(main.command), getattr(main.command, "reason", "")
    elif isinstance(main, lt.OrderAsked):
        act, words, reason = _find_tag(main), _write(main.order), getattr(main.order, "reason", "")
    else:
        act, words, reason = _find_tag(main), _write(main), getattr(main, "reason", "")
    confirmed = next((event for event in events if isinstance(event, lt.OrderConfirmed)), None)
    if confirmed is not None:
        act, words = _find_tag(confirmed), f"order {confirmed.number}: {words}"
    clauses = dict.fromkeys(clause for event in events for clause in getattr(event, "clauses", ()))
    return StaffAction(stream, seq, at_ms, actor, role, act, words, reason, tuple(clauses))


def _find_main(events: tuple[Any, ...]) -> Any:
    """The event that says most about what was done."""
    for kind in (Ruled, ev.Asked):
        for event in events:
            if isinstance(event, kind):
                return event
    return events[0]


def _find_tag(message: Any) -> str:
    return str(message.__struct_config__.tag)


HIDDEN = frozenset({"password_hash", "secret", "recovery", "code_hash", "reason", "clauses", "entropy", "cards"})
"""Fields that are told elsewhere, or to nobody."""


def _write(message: Any) -> str:
    """The fields of a message that say something, in one line."""
    return _write_fields(msgspec.to_builtins(message))


def _write_fields(fields: dict[str, Any]) -> str:
    shown = [f"{name} {_write_value(value)}" for name, value in fields.items() if name not in HIDDEN and value]
    return ", ".join(shown)


def _write_value(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
