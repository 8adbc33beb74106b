"""What at a table waits for somebody of the house: orders for a second person, disputes, prizes, signs that run.

Everything is read off the table as it stands, so a desk shows the same after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from pitboss.floor.live_decisions import MINUTE_MS
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.money import show
from pitboss.table.floor_state import FloorState
from pitboss.table.messages.notation import words
from pitboss.table.orders.roles import power_for
from pitboss.table.round.held_money import list_held_prizes
from pitboss.table.state import State

Urgency = Literal["now", "soon", "runs"]


class WaitingMatter(msgspec.Struct, frozen=True, kw_only=True):
    """Something that waits for somebody of the house, or runs by the clock."""

    kind: str
    """`second-person`, `dispute`, `misdeal`, `prize`, `tell`, `inquiry`, `sign`, `limits`, `closing`, `dealer`."""
    urgency: Urgency
    """The table waits for it; somebody is to see to it; or it runs by itself."""
    text: str
    player: str = ""
    clauses: tuple[str, ...] = ()
    until_ms: int | None = None
    """When it runs out, or comes."""
    order: str = ""
    """The type of the order that ends it."""
    fields: dict[str, Any] = {}
    """What this order is about."""


def list_matters(live: LiveTable) -> tuple[WaitingMatter, ...]:
    """What waits at a table, the most urgent first."""
    found = [*_list_table_matters(live), *_list_floor_matters(live.table)]
    ranks = ("now", "soon", "runs")
    return tuple(sorted(found, key=lambda matter: ranks.index(matter.urgency)))


def _list_table_matters(live: LiveTable) -> Iterator[WaitingMatter]:
    state = live.table
    for asked in live.asked_orders:
        yield WaitingMatter(
            kind="second-person", urgency="now", until_ms=asked.until_ms, order="confirm-order",
            text=f"{asked.by.name} asks for a second person: {words(asked.order)} ({show(asked.amount)})",
            fields={"number": asked.number},
        )  # fmt: skip
    if state.trouble.halted:
        yield WaitingMatter(
            kind="misdeal", urgency="now", order="reconstruct", text="the deal went wrong: have it rebuilt, or void it",
            clauses=state.rules.clauses("initial_deal"),
        )  # fmt: skip
    if live.kind is TableKind.PERSON and not state.floor.dealer and not state.floor.closed:
        yield WaitingMatter(kind="dealer", urgency="now", order="dealer", text="nobody deals here")


def _list_floor_matters(state: State) -> Iterator[WaitingMatter]:
    rules, floor = state.rules, state.floor
    for dispute in floor.disputes:
        if not dispute.rulings:
            power = power_for(rules, "ruling", None)
            yield WaitingMatter(
                kind="dispute", urgency="now", player=dispute.player, order="ruling",
                text=f"{dispute.player} disputes: {dispute.matter}", fields={"player": dispute.player},
                clauses=() if power is None else power.clauses,
            )  # fmt: skip
    for prize in list_held_prizes(state):
        power = rules.authority.get(prize.power)
        yield WaitingMatter(
            kind="prize", urgency="now", player=prize.player, order="confirm-prize",
            text=f"a prize of {show(prize.amount)} of {prize.player} on box {prize.box} is to be confirmed",
            fields={"box": prize.box, "outcome": prize.outcome}, clauses=() if power is None else power.clauses,
        )  # fmt: skip
    for item in floor.to_tell:
        yield WaitingMatter(
            kind="tell", urgency="soon", order="tell", text=f"{item.body} is to be told of {item.act}",
            clauses=item.clauses, fields={"bodies": [item.body]},
        )  # fmt: skip
    for held in floor.withheld:
        yield WaitingMatter(
            kind="inquiry", urgency="soon", player=held.player, order="release-winnings",
            text=f"winnings of {held.player} are held back until the inquiry is over", clauses=held.clauses,
            fields={"player": held.player},
        )  # fmt: skip
    yield from _list_signs(state, floor)


def _list_signs(state: State, floor: FloorState) -> Iterator[WaitingMatter]:
    rules = state.rules
    if floor.sign == "down" or (floor.on_record and not floor.sign):
        yield WaitingMatter(
            kind="sign",
            urgency="now",
            order="sign",
            text="no wager is taken before the sign is up",
            fields={"up": True},
        )
    if floor.limit_sign is not None and not floor.closed:
        sign = floor.limit_sign
        yield WaitingMatter(
            kind="limits", urgency="runs", clauses=sign.clauses,
            text=f"the sign announces {show(sign.minimum)} to {show(sign.maximum)} for {sign.wager} wagers",
            until_ms=(sign.minute + rules.minimum_raise_notice_minutes) * MINUTE_MS,
        )  # fmt: skip
    if floor.closing is not None and not floor.closed:
        closing = floor.closing
        minutes = None if closing.minute is None else closing.minute + (rules.close_notice_minutes or 0)
        left = f" after {closing.rounds_left} more rounds" if closing.rounds_left is not None else ""
        yield WaitingMatter(
            kind="closing", urgency="runs", text=f"the table closes{left}", clauses=closing.clauses,
            until_ms=None if minutes is None else minutes * MINUTE_MS,
        )  # fmt: skip
