"""A jackpot system between two decisions, and how what happens changes it.

After every event each meter keeps its identity to the grain: what it shows is its seed, and what wagers and others have
brought, less what it has paid and handed on. A fold that broke it would fail at once.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.ledger import CAGE, Transfer, float_of, jackpot_of, meter, name_debt, to_grains
from pitboss.money import ZERO, Money
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.state import Meter


class SystemMeter(msgspec.Struct, frozen=True, kw_only=True):
    """One meter of a system, and what has moved it since it began."""

    seed: Money
    rate: Money
    value: Money
    contributed: Money = ZERO
    """Shares of wagers."""
    prizes: Money = ZERO
    topped_up: Money = ZERO
    """What the house has put in: to come back to the seed after a prize, or to show more."""
    moved_in: Money = ZERO
    moved_out: Money = ZERO

    @property
    def adds_up(self) -> bool:
        """What it shows is what came in less what went out."""
        brought = self.seed + self.contributed + self.topped_up + self.moved_in
        return self.value == brought - self.prizes - self.moved_out

    @property
    def shown(self) -> Meter:
        """The meter as a member table has it."""
        return Meter(self.seed, self.rate, self.value)


class StandingSign(msgspec.Struct, frozen=True):
    """A sign at a table, and since when it stands."""

    about: mm.SignAbout
    to: str
    since_ms: int


class EquipmentFault(msgspec.Struct, frozen=True):
    """What does not work, and who has said so."""

    part: mm.Part
    reason: str
    by: Asker


class DrawSeries(msgspec.Struct, frozen=True):
    """Draws that one seed decides: committed to before the first, revealed after the last."""

    number: int
    commitment: str
    seed: bytes
    salt: bytes
    draws: tuple[mm.BoxDrawn, ...] = ()


class DuePick(msgspec.Struct, frozen=True):
    """A box that was drawn and whose prize the table has not paid yet."""

    table: str
    round: int
    pick: str
    box: str


class MeterReading(msgspec.Struct, frozen=True):
    """What the meters of a system showed when a round was settled, and what it won."""

    number: int
    at_ms: int
    system: str
    table: str
    round: int
    values: dict[str, Money]
    prizes: dict[str, Money]
    pick: str = ""
    """The prize of a box at random that was awarded then; empty: what the cards of the round gave."""


class MeterSystem(msgspec.Struct, frozen=True, kw_only=True):
    """One prize meter system."""

    name: str
    wager: str
    price: Money
    meters: dict[str, SystemMeter]
    managed: bool = False
    one_in: dict[str, int] = {}
    tables: tuple[str, ...] = ()
    signs: dict[str, StandingSign] = {}
    """What stands at tables about this system, by table."""
    fault: EquipmentFault | None = None
    mended_by: Asker = HOUSE
    mended_reason: str = ""
    series: DrawSeries | None = None
    revealed: tuple[DrawSeries, ...] = ()
    due: tuple[DuePick, ...] = ()
    closed_ms: int | None = None
    owed: dict[str, Money] = {}
    """What it still owes to others since it closed, by meter."""

    @property
    def is_open(self) -> bool:
        return self.closed_ms is None


class JackpotState(msgspec.Struct, frozen=True, kw_only=True):
    """Every prize meter system that one jackpot system runs, and every reading of their meters."""

    name: str
    book: str
    at_ms: int = 0
    systems: dict[str, MeterSystem] = {}
    readings: tuple[MeterReading, ...] = ()


def fold_meters(state: JackpotState, event: mm.MeterEvent, at_ms: int) -> JackpotState:
    """The jackpot system after an event at a moment."""
    at_ms = max(at_ms, state.at_ms)
    state = replace(state, at_ms=at_ms)
    if isinstance(event, mm.SystemOpened):
        return _with(state, _open(event))
    if isinstance(event, mm.OwedMoved):
        state = _with(state, replace(state.systems[event.system], owed={}))
        return _receive(state, [mm.MoneyMoved(name, event.to, amount) for name, amount in event.amounts.items()])
    if isinstance(event, mm.OutcomeHeard):
        return _hear(state, event)
    state = _with(state, _fold_system(state.systems[event.system], event, at_ms))
    return _receive(state, event.moved) if isinstance(event, mm.SystemClosed) else state


def _with(state: JackpotState, system: MeterSystem) -> JackpotState:
    for name, shown in system.meters.items():
        assert shown.adds_up, f"meter {name} of {system.name} does not add up"
        assert not system.is_open or shown.value >= shown.seed, f"meter {name} of {system.name} is below its seed"
    return replace(state, systems={**state.systems, system.name: system})


def _open(event: mm.SystemOpened) -> MeterSystem:
    meters = {
        name: SystemMeter(seed=terms.seed, rate=terms.rate, value=terms.seed) for name, terms in event.meters.items()
    }
    return MeterSystem(
        name=event.system, wager=event.wager, price=event.price, meters=meters, managed=event.managed,
        one_in=event.one_in,
    )  # fmt: skip


def _receive(state: JackpotState, moved: tuple[mm.MoneyMoved, ...] | list[mm.MoneyMoved]) -> JackpotState:
    for item in moved:
        system = state.systems[item.to]
        before = system.meters[item.meter]
        after = replace(before, value=before.value + item.amount, moved_in=before.moved_in + item.amount)
        state = _with(state, replace(system, meters={**system.meters, item.meter: after}))
    return state


def _hear(state: JackpotState, event: mm.OutcomeHeard) -> JackpotState:
    """Outcomes come one after the other: each is read from the meters as the one before left them."""
    system = state.systems[event.system]
    meters = dict(system.meters)
    for name, change in event.changes.items():
        before = meters[name]
        meters[name] = replace(
            before,
            value=before.value + change.contributed - change.prizes + change.topped_up,
            contributed=before.contributed + change.contributed,
            prizes=before.prizes + change.prizes,
            topped_up=before.topped_up + change.topped_up,
        )
    due = tuple(item for item in system.due if item.table != event.table or item.pick not in event.done)
    state = _with(state, replace(system, meters=meters, due=due))
    if not event.reading:
        return state
    values = {
        name: shown.value + (event.changes[name].contributed if name in event.changes else ZERO)
        for name, shown in system.meters.items()
    }
    prizes = {name: change.prizes for name, change in event.changes.items() if change.prizes}
    reading = MeterReading(
        event.reading, state.at_ms, system.name, event.table, event.round, values, prizes, event.awarded
    )
    return replace(state, readings=(*state.readings, reading))


def _fold_system(system: MeterSystem, event: mm.MeterEvent, at_ms: int) -> MeterSystem:
    match event:
        case mm.SignPut():
            return replace(system, signs={**system.signs, event.table: StandingSign(event.about, event.to, at_ms)})
        case mm.SignTaken():
            return replace(system, signs=_without(system.signs, event.table))
        case mm.TableJoined():
            return _join(system, event)
        case mm.TableRemoved():
            left = tuple(table for table in system.tables if table != event.table)
            return replace(system, tables=left, signs=_without(system.signs, event.table))
        case mm.SystemClosed():
            return _close(system, event, at_ms)
        case mm.PriceSet():
            return replace(system, price=event.price)
        case mm.MeterRaised():
            before = system.meters[event.meter]
            after = replace(before, value=before.value + event.amount, topped_up=before.topped_up + event.amount)
            return replace(system, meters={**system.meters, event.meter: after})
        case mm.FaultReported():
            return replace(system, fault=EquipmentFault(event.part, event.reason, event.by))
        case mm.FaultMended():
            return replace(system, fault=None, mended_by=event.by, mended_reason=event.reason)
    return _fold_draws(system, event)


def _fold_draws(system: MeterSystem, event: mm.MeterEvent) -> MeterSystem:
    match event:
        case mm.DrawsSealed():
            return replace(system, series=DrawSeries(event.series, event.commitment, event.seed, event.salt))
        case mm.BoxDrawn():
            assert system.series is not None, "a draw needs a seed that was committed to"
            series = replace(system.series, draws=(*system.series.draws, event))
            due = (DuePick(event.table, event.round, event.pick, event.box),) if event.box else ()
            return replace(system, series=series, due=(*system.due, *due))
        case mm.DrawsRevealed():
            assert system.series is not None, "there is nothing to reveal"
            return replace(system, series=None, revealed=(*system.revealed, system.series))
    return system


def _without(signs: dict[str, StandingSign], table: str) -> dict[str, StandingSign]:
    return {name: sign for name, sign in signs.items() if name != table}


def _join(system: MeterSystem, event: mm.TableJoined) -> MeterSystem:
    meters = dict(system.meters)
    for name, amount in event.brings.items():
        before = meters[name]
        meters[name] = replace(before, value=before.value + amount, moved_in=before.moved_in + amount)
    signs = _without(system.signs, event.table)
    return replace(system, meters=meters, tables=(*system.tables, event.table), signs=signs)


def _close(system: MeterSystem, event: mm.SystemClosed, at_ms: int) -> MeterSystem:
    """The meters end: what is above the seed has gone to others or is owed to them, the seed to the house."""
    meters = {
        name: replace(shown, value=ZERO, moved_out=shown.moved_out + shown.value)
        for name, shown in system.meters.items()
    }
    return replace(system, meters=meters, tables=(), signs={}, due=(), closed_ms=at_ms, owed=event.owed)


# ---------------------------------------------------------------------- the money


def post_meters(state: JackpotState, event: mm.MeterEvent) -> tuple[Transfer, ...]:
    """What an event moves in the ledger; `state` is the one before. Rounds move their money at their tables."""
    found: list[tuple[str, str, Money]] = []
    own = event.system
    match event:
        case mm.SystemOpened():
            found = [(CAGE, jackpot_of(own, name), terms.seed) for name, terms in event.meters.items()]
        case mm.TableJoined():
            found = [(meter(event.table, name), float_of(event.table), seed) for name, seed in event.seeds.items()]
            found += [(meter(event.table, name), jackpot_of(own, name), more) for name, more in event.brings.items()]
        case mm.MeterRaised():
            found = [(CAGE, jackpot_of(own, event.meter), event.amount)]
        case mm.SystemClosed():
            found = [(jackpot_of(own, name), CAGE, shown.seed) for name, shown in state.systems[own].meters.items()]
            found += [(jackpot_of(own, it.meter), jackpot_of(it.to, it.meter), it.amount) for it in event.moved]
            found += [(jackpot_of(own, name), name_debt(own, name), amount) for name, amount in event.owed.items()]
        case mm.OwedMoved():
            found = [(name_debt(own, name), jackpot_of(event.to, name), more) for name, more in event.amounts.items()]
    return tuple(
        Transfer(giver, taker, to_grains(amount), clauses=event.clauses) for giver, taker, amount in found if amount
    )
