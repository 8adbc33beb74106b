"""Orders of the floor at a table: carried out as the book there lets them be, and heard once.

An order about a person may come from another table or from the floor itself. Where the book of a table knows no such
order, somebody who is shut out has their wagers taken off the layout before the deal; further ones are refused by the
floor.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor.live_decisions import MACHINE
from pitboss.floor.live_table import AnyTableEvent, FloorTold, Granted, LiveTable, OrderPassedOn, fold_live
from pitboss.table import Refusal, decide
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.state import Phase


def list_unheard(live: LiveTable, orders: tuple[hm.OrderGiven, ...]) -> Iterable[hm.OrderGiven]:
    """Orders of the floor that a table has not heard yet."""
    return orders[live.passed_on :]


def pass_on(live: LiveTable, given: hm.OrderGiven, at_ms: int) -> Granted:
    """The table after it has heard an order of the floor."""
    events: tuple[AnyTableEvent, ...] = ()
    refused = ""
    if _concerns(live, given):
        answer = decide(live.table, given.order, MACHINE if isinstance(given.order, od.TellBodies) else given.by)
        if isinstance(answer, Refusal):
            refused = answer.reason
            events = _clear_wagers(live, given.order.player) if isinstance(given.order, od.Bar) else ()
        else:
            events = answer.events
    return fold_live(live, (*events, OrderPassedOn(number=given.number, refused=refused)), at_ms)


def mark_told(granted: Granted) -> Granted:
    """What was decided at a table whose news the floor hears with it."""
    live = msgspec.structs.replace(granted.live, news=())
    return Granted((*granted.events, FloorTold(number=live.news_counted)), live, granted.transfers)


def _concerns(live: LiveTable, given: hm.OrderGiven) -> bool:
    if given.origin == live.name:
        return False
    if given.table:
        return given.table == live.name
    return not given.game or given.game == live.table.rules.game


def _clear_wagers(live: LiveTable, player: str) -> tuple[AnyTableEvent, ...]:
    """Take a player's wagers off the layout, as long as no card is dealt on them."""
    state = live.table
    found: list[AnyTableEvent] = []
    for bet in state.bets if state.phase is Phase.BETTING else ():
        if bet.player == player:
            answer = decide(state, cmd.RemoveBet(box=bet.box, player=player, wager=bet.wager), MACHINE)
            if not isinstance(answer, Refusal):
                state = answer.state
                found += answer.events
    return tuple(found)
