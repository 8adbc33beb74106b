"""What an order would do, worked out on a copy of the table and kept nowhere.

An order is shown before it is given: the table before and after, the money that would move, the clauses and who must
agree. What would come out of a shoe whose order the server knows is not shown: nobody may look at cards to come by
asking what an order would make of them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor.desks.chip_payouts import ChipPayment, list_payments
from pitboss.floor.documents import PublicTable, describe_public, find_changes
from pitboss.floor.house_orders import check_with_floor
from pitboss.floor.house_state import HouseState
from pitboss.floor.ledger import Transfer, from_grains
from pitboss.floor.live_decisions import Asking, decide_live
from pitboss.floor.live_table import Granted, LiveTable, OrderAsked
from pitboss.floor.telling.table_log import SaidLine, tell_table
from pitboss.money import Money
from pitboss.table import Refusal
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.orders.rulings import Ruled
from pitboss.table.state import CardSource


class MovedMoney(msgspec.Struct, frozen=True):
    """Money that would move from one account to another."""

    debit: str
    credit: str
    amount: Money
    unit: str
    clauses: tuple[str, ...]


class OrderPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What an order would do if it were given now."""

    seq: int
    """The decision of the table from which this was worked out."""
    granted: bool
    reason: str = ""
    """Why it would be refused."""
    clauses: tuple[str, ...] = ()
    role: str = ""
    told_later: tuple[str, ...] = ()
    """Who must be told of it afterwards."""
    second_person: bool = False
    """Somebody else would have to confirm it first."""
    weight: Money | None = None
    """What it moves or is about, where it needs a second person."""
    before: PublicTable | None = None
    after: PublicTable | None = None
    changed: tuple[str, ...] = ()
    """Members of the document that differ."""
    lines: tuple[SaidLine, ...] = ()
    moves: tuple[MovedMoney, ...] = ()
    payments: tuple[ChipPayment, ...] = ()
    """Wagers that would be settled, or whose settlement would be undone."""
    hidden_cards: bool = False
    """Cards would leave the shoe, and what follows from them is not shown."""


def preview_order(live: LiveTable, asking: Asking, seq: int, house: HouseState | None = None) -> OrderPreview:
    """What an order would do; a command that is none is refused, and so is what the floor itself would refuse."""
    if not isinstance(asking.command, cmd.Order):
        return OrderPreview(seq=seq, granted=False, reason="only orders of the house are tried out beforehand")
    if house is not None:
        try:
            check_with_floor(house, live, asking.command, asking.by, asking.at_ms)
        except Refused as refused:
            return OrderPreview(
                seq=seq, granted=False, reason=refused.reason, clauses=refused.clauses, role=asking.by.role
            )
    alone = msgspec.structs.replace(asking, second_above=None)
    answer = decide_live(live, alone)
    if isinstance(answer, Refusal):
        return OrderPreview(
            seq=seq, granted=False, reason=answer.reason, clauses=answer.clauses, role=asking.by.role
        )  # fmt: skip
    asked = decide_live(live, asking)
    waits = [event for event in asked.events if isinstance(event, OrderAsked)] if isinstance(asked, Granted) else []
    ruled = next((event for event in answer.events if isinstance(event, Ruled)), None)
    common: dict[str, Any] = {
        "seq": seq, "granted": True, "role": asking.by.role, "clauses": ruled.clauses if ruled is not None else (),
        "told_later": ruled.to_tell if ruled is not None else (),
    }  # fmt: skip
    before = describe_public(live)
    if _takes_hidden_cards(live, answer.live):
        return OrderPreview(**common, before=before, hidden_cards=True)
    after = describe_public(answer.live)
    return OrderPreview(
        **common,
        second_person=bool(waits),
        weight=waits[0].amount if waits else None,
        before=before,
        after=after,
        changed=tuple(find_changes(before, after)),
        lines=tuple(tell_table(live.table, answer.events)),
        moves=tuple([_describe_move(moved) for moved in answer.transfers]),
        payments=_list_settled(live, answer),
    )


def _takes_hidden_cards(live: LiveTable, after: LiveTable) -> bool:
    """Cards would leave a shoe whose order is known to the server alone, or lie in another order in it."""
    old, new = live.table.shoe, after.table.shoe
    if old.source is CardSource.KEYED:
        return False
    return new.position > old.position or new.cards[: old.position] != old.cards[: old.position] or (
        len(new.burnt) > len(old.burnt)
    )  # fmt: skip


def _describe_move(moved: Transfer) -> MovedMoney:
    return MovedMoney(moved.debit, moved.credit, from_grains(moved.amount), str(moved.unit), moved.clauses)


def _list_settled(live: LiveTable, granted: Granted) -> tuple[ChipPayment, ...]:
    old, new = live.table.settlements, granted.live.table.settlements
    kept = old if new[: len(old)] == old else ()
    return list_payments(granted.live.table, new[len(kept) :])
