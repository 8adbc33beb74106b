"""What happens on a jackpot system in sentences, what can be expected of it, what observers see, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.jackpots.meter_state import DrawSeries, JackpotState, MeterReading, MeterSystem
from pitboss.money import ZERO, show
from pitboss.records.narrate.table_events import Said, and_words
from pitboss.rulebooks import load_book
from pitboss.table.messages.askers import PLAYER, Asker


def tell_meters(state: JackpotState, event: mm.MeterEvent) -> Iterator[Said]:
    """An event in sentences; `state` is the one before it."""
    for sentence in TELLERS[type(event)](state, event):
        yield Said(sentence, event.clauses)


def _tell_opened(state: JackpotState, event: mm.SystemOpened) -> Iterator[str]:
    starts = [f"{name} from {show(terms.seed)} with {show(terms.rate)}" for name, terms in event.meters.items()]
    yield f"Meter system {event.system} opens for {event.wager} at {show(event.price)} a wager: {and_words(starts)}"


SIGNS = {"join": "joins", "leave": "leaves", "move": "moves from", "close": "will see the end of"}


def _tell_sign(state: JackpotState, event: mm.SignPut) -> Iterator[str]:
    to = f" to {event.to}" if event.to else ""
    yield f"A sign at table {event.table} says that it {SIGNS[event.about]} {event.system}{to}"


def _tell_sign_taken(state: JackpotState, event: mm.SignTaken) -> Iterator[str]:
    yield f"The sign about {event.system} at table {event.table} is taken down"


def _tell_joined(state: JackpotState, event: mm.TableJoined) -> Iterator[str]:
    more = sum(event.brings.values(), ZERO)
    brings = f" and brings {show(more)} that its own meters held above their seeds" if more else ""
    yield f"Table {event.table} joins {event.system}{brings}"


def _tell_removed(state: JackpotState, event: mm.TableRemoved) -> Iterator[str]:
    yield f"Table {event.table} leaves {event.system}{f' for {event.to}' if event.to else ''}"


def _tell_closed(state: JackpotState, event: mm.SystemClosed) -> Iterator[str]:
    yield f"Meter system {event.system} closes"
    for item in event.moved:
        yield f"{show(item.amount)} of its meter {item.meter} go to {item.to}"
    for name, amount in event.owed.items():
        yield f"{show(amount)} of its meter {name} are owed until another system is there"


def _tell_owed(state: JackpotState, event: mm.OwedMoved) -> Iterator[str]:
    for name, amount in event.amounts.items():
        yield f"{show(amount)} that {event.system} owed go to the meter {name} of {event.to}"


def _tell_price(state: JackpotState, event: mm.PriceSet) -> Iterator[str]:
    yield f"Wagers in {event.system} cost {show(event.price)} from now on"


def _tell_raised(state: JackpotState, event: mm.MeterRaised) -> Iterator[str]:
    reason = f": {event.reason.rstrip('.')}" if event.reason else ""
    yield f"The house adds {show(event.amount)} to the meter {event.meter} of {event.system}{reason}"


def _tell_fault(state: JackpotState, event: mm.FaultReported) -> Iterator[str]:
    wager = state.systems[event.system].wager
    yield f"The equipment of {event.system} does not work ({event.part}), and {wager} is not offered: {event.reason}"


def _tell_mended(state: JackpotState, event: mm.FaultMended) -> Iterator[str]:
    yield f"The equipment of {event.system} works again"


def _tell_outcome(state: JackpotState, event: mm.OutcomeHeard) -> Iterator[str]:
    where = f"round {event.round} at table {event.table}"
    system = state.systems[event.system]
    for name, change in event.changes.items():
        after = system.meters[name].value + change.contributed - change.prizes + change.topped_up
        parts = [f"{show(change.contributed)} from wagers"] if change.contributed else []
        parts += [f"{show(change.prizes)} for prizes"] if change.prizes else []
        parts += [f"{show(change.topped_up)} put in"] if change.topped_up else []
        yield f"{system.name}, {where}: {name} shows {show(after)} ({', '.join(parts)})"
    if event.reading:
        yield f"{system.name}: reading {event.reading}, {where}{f', {event.awarded}' if event.awarded else ''}"
    for player, amount in event.credited.items():
        yield f"{show(amount)} go to the Personal Bet Manager of {player}"


def _tell_read(state: JackpotState, event: mm.EarlierRead) -> Iterator[str]:
    reading = state.readings[event.reading - 1]
    values = [f"{name} {show(value)}" for name, value in reading.values.items()]
    pick = f", when {reading.pick} was awarded" if reading.pick else ""
    where = f"round {reading.round} at table {reading.table}{pick}"
    yield f"{event.by.name} ({event.by.role}) reads what {event.system} showed in {where}: {and_words(values)}"


def _tell_sealed(state: JackpotState, event: mm.DrawsSealed) -> Iterator[str]:
    yield f"{event.system} commits to its draws, series {event.series}: {event.commitment}"


def _tell_drawn(state: JackpotState, event: mm.BoxDrawn) -> Iterator[str]:
    picks = f"box {event.box}" if event.box else "no box"
    boxes = and_words(list(event.boxes))
    yield f"{event.system} draws for {event.pick}, one in {event.one_in}, among {boxes} of {event.table}: {picks}"


def _tell_revealed(state: JackpotState, event: mm.DrawsRevealed) -> Iterator[str]:
    yield f"{event.system} reveals series {event.series}: seed {event.seed.hex()}, salt {event.salt.hex()}"


TELLERS: dict[type[mm.MeterEvent], Callable[[JackpotState, Any], Iterator[str]]] = {
    mm.SystemOpened: _tell_opened,
    mm.SignPut: _tell_sign,
    mm.SignTaken: _tell_sign_taken,
    mm.TableJoined: _tell_joined,
    mm.TableRemoved: _tell_removed,
    mm.SystemClosed: _tell_closed,
    mm.OwedMoved: _tell_owed,
    mm.PriceSet: _tell_price,
    mm.MeterRaised: _tell_raised,
    mm.FaultReported: _tell_fault,
    mm.FaultMended: _tell_mended,
    mm.OutcomeHeard: _tell_outcome,
    mm.EarlierRead: _tell_read,
    mm.DrawsSealed: _tell_sealed,
    mm.BoxDrawn: _tell_drawn,
    mm.DrawsRevealed: _tell_revealed,
}
"""Who tells what."""


# ---------------------------------------------------------------------- results and views


def describe_meters(state: JackpotState) -> Mapping[str, Any]:
    """What a floor record can expect: a table for each system, and how often meters were read."""
    return {**{name: _describe_system(system) for name, system in state.systems.items()}, "readings": _list(state)}


def _list(state: JackpotState) -> dict[str, Any]:
    return {str(reading.number): _describe_reading(reading) for reading in state.readings}


def _describe_reading(reading: MeterReading) -> dict[str, Any]:
    return {
        "system": reading.system, "table": reading.table, "round": reading.round, "at": reading.at_ms,
        "values": reading.values, "prizes": reading.prizes, "pick": reading.pick,
    }  # fmt: skip


def _describe_system(system: MeterSystem) -> dict[str, Any]:
    return {
        "wager": system.wager,
        "price": system.price,
        "open": system.is_open,
        "tables": list(system.tables),
        "signs": {table: f"{sign.about} {sign.to}".strip() for table, sign in system.signs.items()},
        "works": system.fault is None,
        "values": {name: shown.value for name, shown in system.meters.items()},
        "seeds": {name: shown.seed for name, shown in system.meters.items()},
        "rates": {name: shown.rate for name, shown in system.meters.items()},
        "contributed": {name: shown.contributed for name, shown in system.meters.items()},
        "prizes": {name: shown.prizes for name, shown in system.meters.items()},
        "topped_up": {name: shown.topped_up for name, shown in system.meters.items()},
        "moved_in": {name: shown.moved_in for name, shown in system.meters.items()},
        "moved_out": {name: shown.moved_out for name, shown in system.meters.items()},
        "owed": system.owed,
        "draws": 0 if system.series is None else len(system.series.draws),
        "revealed": len(system.revealed),
    }


def show_meters(state: JackpotState, by: Asker) -> Mapping[str, Any]:
    """What a display has for everybody: live values, prices, health, commitments; readings for those who may."""
    shown: dict[str, Any] = {"systems": {name: _show_system(system) for name, system in state.systems.items()}}
    if _may_read(state, by):
        shown["readings"] = [_describe_reading(reading) for reading in state.readings]
    return shown


def _show_system(system: MeterSystem) -> dict[str, Any]:
    seen = _describe_system(system)
    names = ("wager", "price", "open", "tables", "signs", "works", "values", "seeds", "rates", "owed")
    series = system.series
    return {
        **{name: seen[name] for name in names},
        "one_in": system.one_in,
        "commitment": "" if series is None else series.commitment,
        "revealed": [_show_series(item) for item in system.revealed],
    }


def _show_series(series: DrawSeries) -> dict[str, Any]:
    return {
        "series": series.number,
        "commitment": series.commitment,
        "seed": series.seed.hex(),
        "salt": series.salt.hex(),
        "draws": [
            {
                "number": draw.number, "table": draw.table, "round": draw.round, "pick": draw.pick,
                "one_in": draw.one_in, "boxes": list(draw.boxes), "box": draw.box,
            }
            for draw in series.draws
        ],
    }  # fmt: skip


def _may_read(state: JackpotState, by: Asker) -> bool:
    """Whoever the book lets read earlier values: a role, and those above it."""
    if by.role == PLAYER or not by.name:
        return False
    book = load_book(state.book)
    power = book.authority.get("read-meter")
    rungs = [role.level for role in book.ladder]
    names = [role.id for role in book.ladder]
    if power is None or by.role not in names:
        return False
    order = list(dict.fromkeys(rungs))
    level = {role.id: order.index(role.level) for role in book.ladder}
    return level[by.role] >= level[power.role]


def list_meter_duties(state: JackpotState, at_ms: int) -> Iterator[str]:
    """What is still to be done about meters."""
    for system in state.systems.values():
        if system.fault is not None:
            yield f"the equipment of {system.name} is mended"
        for table, sign in system.signs.items():
            yield f"what the sign at {table} says is done: {sign.about} {system.name}"
        for due in system.due:
            yield f"box {due.box} at {due.table} is paid the {due.pick} prize of round {due.round}"
        for name, amount in system.owed.items():
            yield f"{show(amount)} of {name} that {system.name} owes go to another system"
