"""What the floor is to hear of a decision at a table: notices, orders that hold elsewhere, who deals, won entries.

A table numbers its news, and the floor knows up to which number it has heard those of each table. So news that are
stored with a decision of the table and not told yet are told later, whatever happened in between, and none twice.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.floor.telling.won_entries import EntryNews
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.messages.events import Asked
from pitboss.table.orders.rulings import Ruled
from pitboss.table.state import State

INBOXES = ("inspector", "surveillance")
"""Bodies with people on the floor, who read what they are told there and confirm it."""

PersonalOrder = (
    od.Bar | od.PersonalLimits | od.HoldToMinimum | od.OneBox | od.Withhold | od.ReleaseWinnings | od.ForfeitWinnings
)  # fmt: skip
"""Orders about one person that stand until they are lifted."""
SpanningOrder = PersonalOrder | od.Lift | od.TellBodies
"""Orders that may hold at more than one table, and what a table hears of a receipt."""


class NoticeNews(msgspec.Struct, frozen=True):
    """A ruling of which the inspector or surveillance must be told."""

    body: str
    text: str
    act: str
    clauses: tuple[str, ...]


class TableNews(msgspec.Struct, frozen=True, kw_only=True):
    """What the floor is to hear of one decision at a table."""

    number: int
    table: str
    game: str
    book: str
    by: Asker
    notices: tuple[NoticeNews, ...] = ()
    order: SpanningOrder | None = None
    """An order about a person that may hold elsewhere too."""
    clauses: tuple[str, ...] = ()
    """Those of the order."""
    dealer: str | None = None
    """Who deals from now on, empty for nobody; none if that is as it was."""
    heard: int = 0
    """The last order of the floor that the table had heard."""
    entries: tuple[EntryNews, ...] = ()
    """Entries into tournaments that hands have won."""


def find_news(
    table: str, before: State, after: State, events: Iterable[object], *, number: int, heard: int, passed_on: bool,
    entries: tuple[EntryNews, ...] = (),
) -> TableNews | None:  # fmt: skip
    """What the floor is to hear of these events, under this number; an order that it passed on itself is no news."""
    ruled = [event for event in events if type(event) is Ruled]
    if not ruled and after.floor is before.floor and not entries:
        return None
    rules = after.rules
    notices = tuple(
        NoticeNews(body, f"{event.words}: {event.reason}", event.act, event.clauses)
        for event in ruled
        for body in event.to_tell
        if body in INBOXES
    )
    asked = next((event for event in events if type(event) is Asked), None)
    order = None if asked is None or passed_on else _find_order(rules, asked.command, ruled)
    dealer = None if after.floor.dealer == before.floor.dealer else after.floor.dealer
    if not entries and (asked is None or (not notices and order is None and dealer is None)):
        return None
    return TableNews(
        number=number, table=table, game=rules.game, book=rules.book, by=HOUSE if asked is None else asked.by,
        notices=notices, order=order, clauses=() if order is None else ruled[0].clauses, dealer=dealer, heard=heard,
        entries=entries,
    )  # fmt: skip


def _find_order(rules: Rules, command: cmd.Command, ruled: list[Ruled]) -> SpanningOrder | None:
    """The order, if it is about a person and by a power that is not for one table alone, or may lift one that was."""
    if isinstance(command, od.Lift):
        return command
    if not isinstance(command, PersonalOrder):
        return None
    powers = [rules.authority[event.power] for event in ruled if event.power]
    return command if any(power.scope == "floor" for power in powers) else None
