"""A live table as a stream of floor records: buy-ins, wagers, orders; whole rounds are played by `replay`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitboss.floor import live_table as lt
from pitboss.floor.decided import Decided
from pitboss.floor.house_orders import check_with_floor
from pitboss.floor.jackpots.bet_managers import list_balances
from pitboss.floor.ledger import from_grains, wallet
from pitboss.floor.live_decisions import Asking, decide_live, find_funds_unit
from pitboss.floor.records.kind import FloorNow, Kind
from pitboss.money import show
from pitboss.records.narrate.table_events import Around, Said, tell_one
from pitboss.table import Refusal, evolve, results
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.notation import words
from pitboss.table.round.held_money import list_held_prizes

TABLE = "table"


def _begin(name: str, book: str) -> None:
    """A table opens by an order of the floor, or with the record: there is none before."""


def _decide(
    live: lt.LiveTable | None, command: lt.AnyTableCommand, by: Asker, now: FloorNow
) -> Decided[Any, lt.LiveTable] | Refusal:
    if live is None:
        return Refusal("there is no such table", ())
    try:
        check_with_floor(now.house, live, command, by, now.at_ms)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    second = now.house.second_person
    above, within = (None, 0) if second is None else (second.above, second.within_ms)
    asking = Asking(command, by, now.at_ms, b"", above, within)
    unit = find_funds_unit(command)
    answer = decide_live(live, asking, 0 if unit is None else now.funds(wallet(by.name), unit))
    return answer if isinstance(answer, Refusal) else Decided(answer.events, answer.live, answer.transfers)


def _evolve(live: lt.LiveTable, event: lt.AnyTableEvent, at_ms: int) -> lt.LiveTable:
    return lt.fold_live(live, (event,), at_ms).live


def _tell(live: lt.LiveTable, event: lt.AnyTableEvent) -> Iterator[Said]:
    if isinstance(event, lt.TableEvent):
        sentence = _tell_own(event)
        if sentence:
            yield Said(sentence, tuple(getattr(event, "clauses", ())))
    else:
        yield from tell_one(Around(live.table, evolve(live.table, event)), event)


def _tell_own(event: lt.TableEvent) -> str:
    """What happens at a table beside the game; nothing where the game says it."""
    match event:
        case lt.ChipsBought():
            return f"{event.player} buys in for {show(event.amount)}"
        case lt.ChipsCashed():
            return f"{event.player} leaves with {show(event.amount)}"
        case lt.TokensBrought():
            return f"{event.player} brings {show(event.amount)} in promotional tokens"
        case lt.ManagerLoaded():
            back = f" and hands {show(event.handed_back)} back" if event.handed_back else ""
            said = f"The Personal Bet Manager of {event.player} is credited {show(event.amount)} for {event.medium}"
            return f"{said}{back}"
        case lt.ManagerPaid():
            said = f"The Personal Bet Manager of {event.player} pays {show(event.amount)}: {show(event.chips)} in chips"
            return f"{said}, and is handed back" if event.ends else said
        case lt.MeterLinked():
            link = event.link
            if link is None:
                return f"The table is no longer in meter system {event.system}"
            faulty = ", and its equipment does not work" if link.faulty else ""
            return f"The table is in meter system {event.system}: {link.wager} costs {show(link.price)}{faulty}"
        case lt.TableKept():
            return f"The table is kept for {event.stream}" if event.stream else "The table is open to everybody again"
        case lt.ReadyCalled():
            return f"{event.player} is ready"
        case lt.AlongSet():
            return f"{event.player} {'goes along' if event.on else 'no longer goes along'} with whoever calls the box"
        case lt.OrderAsked():
            return f"Order {event.number}, '{words(event.order)}' for {show(event.amount)}, waits for a second person"
        case lt.OrderConfirmed():
            return f"{event.by.name} ({event.by.role}) confirms order {event.number}"
        case lt.OrderDropped():
            return f"Order {event.number} is {event.why}"
        case lt.OrderPassedOn():
            return f"Order {event.number} of the floor changes nothing here: {event.refused}" if event.refused else ""
    return ""


def _describe(live: lt.LiveTable) -> Mapping[str, Any]:
    state = live.table
    settled = {" ".join(key): net for key, net in results(state).items()} if state.settlements else {}
    return {
        "round": state.round,
        "phase": str(state.phase),
        "minimum": state.limits.minimum,
        "maximum": state.limits.maximum,
        "sign": state.floor.sign,
        "dealer": state.floor.dealer,
        "closed": state.floor.closed or bool(live.kept.stream),
        "kept_for": live.kept.stream,
        "barred": sorted(state.floor.barred),
        "tokens": {player: from_grains(tokens) for player, tokens in live.tokens.items()},
        "chips": {player: from_grains(chips) for player, chips in live.purses.items()},
        "meters": {name: meter.value for name, meter in state.meters.items()},
        "results": settled,
        "managers": list_balances(live),
        "systems": [link.system for link in live.links],
        "withdrawn": sorted(state.floor.withdrawn),
    }


def _list_duties(live: lt.LiveTable, at_ms: int) -> Iterator[str]:
    for asked in live.asked_orders:
        yield f"a second person confirms order {asked.number}"
    for item in live.table.floor.to_tell:
        yield f"the {item.body} is told of '{item.act}'"
    for prize in list_held_prizes(live.table):
        yield f"the prize of {prize.player} on box {prize.box} is confirmed"
    for dispute in live.table.floor.disputes:
        if not dispute.rulings:
            yield f"the dispute of {dispute.player} is decided"


TABLE_KIND = Kind(
    word=TABLE,
    commands=lt.KINDS,
    begin=_begin,
    decide=_decide,
    evolve=_evolve,
    narrate=_tell,
    describe=_describe,
    list_duties=_list_duties,
)
