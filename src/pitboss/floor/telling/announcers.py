"""Who has announced what is to come at a table: it is done in their name when its time has come."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.table.messages.askers import Asker
from pitboss.table.orders.rulings import Ruled
from pitboss.table.state import State

ANNOUNCING = {"announce-limits": "limits", "announce-closing": "closing"}


def find_announcers(
    known: dict[str, Asker], before: State, after: State, events: Iterable[object]
) -> dict[str, Asker]:  # fmt: skip
    """By what is to come, whoever has announced it, after these events."""
    if after.floor is before.floor:
        return known
    found = dict(known)
    for event in events:
        if isinstance(event, Ruled) and event.act in ANNOUNCING:
            found[ANNOUNCING[event.act]] = Asker(event.role, event.person)
    return found
