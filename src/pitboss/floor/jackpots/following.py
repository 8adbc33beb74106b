"""What a table does with what its prize meter system tells it: terms, values of meters, equipment that fails."""

from __future__ import annotations

from pitboss.floor.live_table import AnyTableEvent, FollowMeters, LiveTable, MeterLinked
from pitboss.table import Refusal, decide
from pitboss.table.draft import Refused
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import SYSTEM, Asker


def follow_meters(live: LiveTable, command: FollowMeters, by: Asker) -> tuple[AnyTableEvent, ...]:
    """The table takes over what the system says; nobody else may say it."""
    if by != SYSTEM:
        raise Refused("the jackpot system itself says what its meters show")
    known = next((link for link in live.links if link.system == command.system), None)
    link = command.link
    if link is None:
        gone = known.meters if known is not None else ()
        followed = ev.MetersFollowed(meters={}, gone=gone)
        return (followed, MeterLinked(system=command.system)) if known is not None else ()
    events: list[AnyTableEvent] = [MeterLinked(system=link.system, link=link)] if link != known else []
    if {name: live.table.meters.get(name) for name in command.meters} != command.meters:
        side = live.table.rules.side_wager(link.wager)
        clauses = side.cite("display") if side is not None else ()
        events.append(ev.MetersFollowed(meters=command.meters, clauses=clauses))
    if link.faulty != (known is not None and known.faulty):
        events += _change_health(live, command)
    return tuple(events)


def _change_health(live: LiveTable, command: FollowMeters) -> tuple[AnyTableEvent, ...]:
    """The wager is taken off the layout and offered no more, or offered again; the table may know already."""
    assert command.link is not None
    wager, by = command.link.wager, command.by
    order: od.Malfunction | od.Repaired
    if command.link.faulty:
        order = od.Malfunction(role=by.role, person=by.name, reason=command.reason, wager=wager)
    else:
        order = od.Repaired(role=by.role, person=by.name, reason=command.reason, wager=wager)
    answer = decide(live.table, order, by)
    return () if isinstance(answer, Refusal) else answer.events
