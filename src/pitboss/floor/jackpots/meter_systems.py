"""What a jackpot system answers: systems open and close, tables join, leave and move, meters are read, boxes are drawn.

Notice stands at the tables for as long as the book says. A table is in one system of a kind, and changes it between
rounds, while no wager of that kind lies on its layout. What rounds take and give is heard in the order in which the
tables report it. A refusal changes nothing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from pitboss.floor.decided import Decided
from pitboss.floor.house_orders import check_role
from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.jackpots.box_draws import MOST_ONE_IN, draw_box, seal_series
from pitboss.floor.jackpots.meter_links import needs_manager
from pitboss.floor.jackpots.meter_state import JackpotState, MeterSystem, fold_meters, post_meters
from pitboss.floor.ledger import GRAIN_PLACES, Transfer, from_grains, to_grains
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.floor.records.kind import FloorNow
from pitboss.money import ZERO, Money, show
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.rulebooks import RulebookError, Rules, load_book
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table import Refusal
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, SYSTEM, Asker
from pitboss.table.meters import PICK_ONE_IN
from pitboss.table.round.held_money import list_held_prizes
from pitboss.table.state import Meter, Phase

MINUTE_MS = 60_000
MEMBERS, CLOSING, RESET = "change-meter-group", "close-meter-system", "reset-meter"
READING, FAULT, CHECK = "read-meter", "withdraw-jackpot", "check-jackpot-equipment"
"""The powers of a book over meter systems, and those by which equipment is withdrawn and checked."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
NO_SYSTEM = "readings"
"""What a floor record calls the readings of all systems."""


class _Draft:
    """The events of one decision so far, the state after them, and the money they move."""

    def __init__(self, state: JackpotState, at_ms: int) -> None:
        self.state = state
        self.at_ms = at_ms
        self.events: list[mm.MeterEvent] = []
        self.transfers: list[Transfer] = []

    def emit(self, event: mm.MeterEvent) -> None:
        self.transfers += post_meters(self.state, event)
        self.state = fold_meters(self.state, event, self.at_ms)
        self.events.append(event)


def decide_meters(
    state: JackpotState, command: mm.MeterCommand, by: Asker, now: FloorNow
) -> Decided[mm.MeterEvent, JackpotState] | Refusal:
    """What follows from what is asked, or why not."""
    draft = _Draft(state, now.at_ms)
    try:
        for event in _answer(draft, command, by, now):
            draft.emit(event)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    return Decided(tuple(draft.events), draft.state, tuple(draft.transfers))


def _answer(draft: _Draft, command: mm.MeterCommand, by: Asker, now: FloorNow) -> Iterator[mm.MeterEvent]:
    state = draft.state
    match command:
        case mm.OpenSystem():
            yield from _open_system(state, command, by, now)
        case mm.PutSign():
            yield _put_sign(state, command, by, now)
        case mm.TakeSign():
            yield _take_sign(state, command, by, now)
        case mm.JoinTable():
            yield _join(state, command.table, command.system, "join", by, now)
        case mm.RemoveTable():
            yield _remove(state, command, by, now)
        case mm.MoveTable():
            yield from _move(draft, command, by, now)
        case mm.CloseSystem():
            yield from _close(state, command, by, now)
        case mm.MoveOwed():
            yield _move_owed(state, command, by, now)
        case mm.SetPrice():
            yield _set_price(state, command, by, now)
        case mm.ResetMeter():
            yield _reset(state, command, by, now)
        case mm.ReportFault() | mm.MendFault():
            yield _change_fault(state, command, by, now)
        case mm.ReadMeter():
            yield _read(state, command, by, now)
        case mm.RevealDraws():
            yield from _reveal(state, command, by, now)
        case mm.HearOutcome():
            yield from _hear(draft, command, by)
        case _:
            raise AssertionError(f"{type(command).__name__} has no answer")


# ---------------------------------------------------------------------- what the book says


@functools.cache
def find_jackpot_rules(book: str, wager: str) -> Rules | None:
    """The rules of a game of the book that offers a wager with meters; none if no game does."""
    found = load_book(book)
    for game in found.games if wager in found.side_wagers and found.side_wagers[wager].meters else ():
        try:
            return found.rules(game, side_wagers=[wager])
        except RulebookError:
            continue
    return None


def find_terms(state: JackpotState, wager: str) -> tuple[Rules, SideWager]:
    """The book's rules for a jackpot wager."""
    rules = find_jackpot_rules(state.book, wager)
    side = None if rules is None else rules.side_wager(wager)
    if rules is None or side is None:
        known = ", ".join(name for name, module in load_book(state.book).side_wagers.items() if module.meters)
        raise Refused(f"{wager[:40]} does not pay from meters in this book: {known or 'it has none'}")
    return rules, side


def _permit(
    state: JackpotState, wager: str, by: Asker, now: FloorNow, power: str, *, given: tuple[str, ...] = ()
) -> tuple[Rules, SideWager]:
    """The book's terms for a wager, if the asker may use this power over it."""
    rules, side = find_terms(state, wager)
    if by == HOUSE:
        return rules, side
    authorise(rules, by.role, power, reason="given", given=given)
    check_role(now.house, by, state.book)
    return rules, side


def _find(state: JackpotState, name: str) -> MeterSystem:
    system = state.systems.get(name)
    if system is None:
        raise Refused(f"there is no meter system {name[:40]}: {', '.join(state.systems) or 'none is open'}")
    return system


def _find_open(state: JackpotState, name: str) -> MeterSystem:
    system = _find(state, name)
    if not system.is_open:
        raise Refused(f"meter system {name} is closed", find_terms(state, system.wager)[1].cite("closing_notice"))
    return system


def _find_table(now: FloorNow, name: str) -> LiveTable:
    if name not in now.tables:
        raise Refused(f"there is no table {name[:40]}")
    return now.tables[name]


def _check_amount(amount: Money, what: str, clauses: tuple[str, ...]) -> None:
    if amount <= 0 or amount.scaleb(GRAIN_PLACES) % 1:
        raise Refused(f"{what} is chips above zero, not {show(amount)}", clauses)


# ---------------------------------------------------------------------- opening


def _open_system(
    state: JackpotState, command: mm.OpenSystem, by: Asker, now: FloorNow
) -> Iterator[mm.MeterEvent]:  # fmt: skip
    _, side = _permit(state, command.wager, by, now, MEMBERS, given=("sign",))
    clauses = side.cite("system")
    name = command.system
    taken = [held for other in now.streams.values() if isinstance(other, JackpotState) for held in other.systems]
    if not _NAME.fullmatch(name) or name in (*taken, *state.systems, NO_SYSTEM):
        raise Refused(f"'{name[:40]}' cannot be the name of a meter system: it is taken, or has a sign in it", clauses)
    _check_price(command.price, command.meters.values(), side)
    if set(command.meters) != set(side.meters):
        named = ", ".join(command.meters) or "none"
        raise Refused(f"{side.name} pays from {', '.join(side.meters)}; terms are given for {named}", clauses)
    for terms in command.meters.values():
        _check_amount(terms.seed, "what a meter starts from", side.cite("meter"))
        if not 0 <= terms.rate <= 1:
            words = f"a meter takes a share from 0 to 1 of each wager, not {show(terms.rate)}"
            raise Refused(words, (*clauses, *side.cite("meter")))
    picks = JUDGES[side.judge].picks
    for pick, number in command.one_in.items():
        if pick not in picks or not 1 <= number <= MOST_ONE_IN:
            known = f"{', '.join(picks)} with 1 to {MOST_ONE_IN}" if picks else "no prize"
            raise Refused(f"the system draws boxes for {known}, not for {pick[:40]} with {number}", clauses)
    one_in = {pick: command.one_in.get(pick, PICK_ONE_IN[pick]) for pick in picks}
    yield mm.SystemOpened(
        system=name, wager=command.wager, price=command.price, meters=command.meters, one_in=one_in,
        managed=needs_manager(side), clauses=clauses,
    )  # fmt: skip
    if picks:
        yield _seal(name, 1, now)


def _check_price(price: Money, meters: Iterable[mm.MeterTerms], side: SideWager) -> None:
    _check_amount(price, "the price of a jackpot wager", side.cite("price"))
    for terms in meters:
        if (terms.rate * price).scaleb(GRAIN_PLACES) % 1:
            share = show(terms.rate * price)
            raise Refused(
                f"a meter's share of {show(price)} would be {share}, finer than the ledger", side.cite("price")
            )


def _seal(system: str, number: int, now: FloorNow) -> mm.DrawsSealed:
    series = seal_series(number, now.entropy)
    return mm.DrawsSealed(
        system=system, series=number, commitment=series.commitment, seed=series.seed, salt=series.salt
    )


# ---------------------------------------------------------------------- signs and members


def _put_sign(state: JackpotState, command: mm.PutSign, by: Asker, now: FloorNow) -> mm.MeterEvent:
    system = _find_open(state, command.system)
    _, side = _permit(state, system.wager, by, now, CHECK)
    table, about = command.table, command.about
    clauses = side.cite("closing_notice" if about == "close" else "member_notice")
    _find_table(now, table)
    if (about == "join") == (table in system.tables):
        words = "is in it already" if about == "join" else "is not in it"
        raise Refused(f"table {table} {words}: {system.name}", clauses)
    if (about == "move") != bool(command.to):
        raise Refused("a sign that a table moves names the system that it moves to, and no other sign does", clauses)
    if command.to:
        other = _find_open(state, command.to)
        if other.name == system.name or other.wager != system.wager:
            raise Refused(f"a table moves to another system for {side.name}, not to {other.name}", clauses)
    return mm.SignPut(system=system.name, table=table, about=about, to=command.to, clauses=clauses)


def _take_sign(state: JackpotState, command: mm.TakeSign, by: Asker, now: FloorNow) -> mm.MeterEvent:
    system = _find_open(state, command.system)
    _, side = _permit(state, system.wager, by, now, CHECK)
    if command.table not in system.signs:
        raise Refused(f"no sign about {system.name} stands at table {command.table[:40]}", side.cite("member_notice"))
    return mm.SignTaken(system=system.name, table=command.table, clauses=side.cite("member_notice"))


def _check_sign(system: MeterSystem, side: SideWager, rules: Rules, table: str, about: str, now: FloorNow) -> None:
    """Refuse what a sign has not announced for as long as the book says."""
    closing = about == "close"
    notice = rules.notices.get("meter-system-close" if closing else "meter-group-change")
    clauses = side.cite("closing_notice" if closing else "member_notice")
    minutes = (notice.minutes if notice is not None else None) or 0
    sign = system.signs.get(table)
    if sign is None or sign.about != about:
        raise Refused(f"no sign at table {table} says so: it stands for {minutes} minutes before", clauses)
    since = (now.at_ms - sign.since_ms) // MINUTE_MS
    if now.at_ms - sign.since_ms < minutes * MINUTE_MS:
        raise Refused(f"the sign at table {table} has stood for {since} minutes, and must for {minutes}", clauses)


def _check_between_rounds(live: LiveTable, side: SideWager, clauses: tuple[str, ...]) -> None:
    """Refuse while a wager of this kind lies on the layout: it is paid from the meters for which it was placed."""
    state = live.table
    lying = state.bets if state.phase is Phase.BETTING else () if state.phase is Phase.SETTLED else state.sides
    if any(bet.wager == side.id for bet in lying) or (live.table.waiting is not None):
        raise Refused(f"a {side.name} wager lies at table {live.name}: wait until its round is over", clauses)
    for prize in list_held_prizes(state):
        if prize.wager == side.id:
            words = f"the {prize.outcome} prize on box {prize.box} at table {live.name} is to be confirmed first"
            raise Refused(words, (*state.rules.authority[prize.power].clauses, *clauses))


def _check_due(system: MeterSystem, table: str, clauses: tuple[str, ...]) -> None:
    """Refuse while a prize that was drawn for a box at the table is not paid."""
    if any(item.table == table for item in system.due):
        raise Refused(f"a box at table {table} was drawn for a prize: it is paid first", clauses)


def _join(state: JackpotState, table: str, name: str, about: str, by: Asker, now: FloorNow) -> mm.MeterEvent:
    system = _find_open(state, name)
    rules, side = _permit(state, system.wager, by, now, MEMBERS, given=("sign",))
    live = _find_table(now, table)
    offered = live.table.rules.side_wager(side.id)
    if live.table.rules.book != state.book or offered is None:
        raise Refused(f"table {table} does not offer {side.name}", side.cite("members"))
    if live.kind is TableKind.PRACTICE:
        raise Refused(f"table {table} is for practice: play chips are in no meter", side.cite("members"))
    for other in _list_systems(state, now):
        if table in other.tables and other.wager == side.id:
            words = f"table {table} is in meter system {other.name}, and a table is in one of a kind"
            raise Refused(words, side.cite("group"))
    _check_sign(system, side, rules, table, about, now)
    _check_limits(live, side, system.name, system.price)
    _check_between_rounds(live, side, side.cite("member_notice"))
    own = {name: live.table.meters[name] for name in side.meters if name in live.table.meters}
    return _take_in(live, system, side, own)


def _check_limits(live: LiveTable, side: SideWager, system: str, price: Money) -> None:
    """Refuse a price that the sign of a table does not allow: it is the same at every table of a system."""
    limit = live.table.limits.of_side(side.id)
    if (limit.minimum or ZERO) > price or (limit.maximum is not None and limit.maximum < price):
        words = f"the sign of table {live.name} does not allow a wager of {show(price)}"
        raise Refused(f"{words}, which is the price at every table of {system}", side.cite("price"))


def _take_in(live: LiveTable, system: MeterSystem, side: SideWager, own: dict[str, Meter]) -> mm.TableJoined:
    """A meter that was the table's alone closes as any system does: what is above its seed moves on."""
    seeds = {name: shown.seed for name, shown in own.items()}
    brings = {name: shown.value - shown.seed for name, shown in own.items() if shown.value > shown.seed}
    clauses = (*side.cite("members"), *side.cite("member_notice"), *(side.cite("moved_on") if brings else ()))
    return mm.TableJoined(system=system.name, table=live.name, brings=brings, seeds=seeds, clauses=clauses)


def _list_systems(state: JackpotState, now: FloorNow) -> Iterator[MeterSystem]:
    """Every meter system of the floor, whoever runs it."""
    yield from state.systems.values()
    for other in now.streams.values():
        if isinstance(other, JackpotState) and other.name != state.name:
            yield from other.systems.values()


def _remove(state: JackpotState, command: mm.RemoveTable, by: Asker, now: FloorNow) -> mm.MeterEvent:
    system = _find_open(state, command.system)
    rules, side = _permit(state, system.wager, by, now, MEMBERS, given=("sign",))
    clauses = side.cite("member_notice")
    if command.table not in system.tables:
        raise Refused(f"table {command.table[:40]} is not in {system.name}", clauses)
    _check_sign(system, side, rules, command.table, "leave", now)
    _check_between_rounds(_find_table(now, command.table), side, clauses)
    _check_due(system, command.table, clauses)
    return mm.TableRemoved(system=system.name, table=command.table, clauses=clauses)


def _move(draft: _Draft, command: mm.MoveTable, by: Asker, now: FloorNow) -> Iterator[mm.MeterEvent]:
    """The table leaves one system and joins the other, with one sign for both."""
    state = draft.state
    system, other = _find_open(state, command.system), _find_open(state, command.to)
    rules, side = _permit(state, system.wager, by, now, MEMBERS, given=("sign",))
    clauses = side.cite("member_notice")
    if command.table not in system.tables or other.wager != system.wager or other.name == system.name:
        raise Refused(f"table {command.table[:40]} does not move from {system.name} to {other.name}", clauses)
    _check_sign(system, side, rules, command.table, "move", now)
    if system.signs[command.table].to != other.name:
        raise Refused(f"the sign says that the table moves to {system.signs[command.table].to}", clauses)
    live = _find_table(now, command.table)
    _check_limits(live, side, other.name, other.price)
    _check_between_rounds(live, side, clauses)
    _check_due(system, command.table, clauses)
    yield mm.TableRemoved(system=system.name, table=command.table, to=other.name, clauses=clauses)
    yield _take_in(live, other, side, {})


# ---------------------------------------------------------------------- closing


def _close(state: JackpotState, command: mm.CloseSystem, by: Asker, now: FloorNow) -> Iterator[mm.MeterEvent]:
    system = _find_open(state, command.system)
    rules, side = _permit(state, system.wager, by, now, CLOSING, given=("sign",))
    for table in system.tables:
        _check_sign(system, side, rules, table, "close", now)
        _check_between_rounds(_find_table(now, table), side, side.cite("closing_notice"))
        _check_due(system, table, side.cite("closing_notice"))
    clauses = (*side.cite("closing_notice"), *side.cite("moved_on"))
    others = [other.name for other in state.systems.values() if _may_take(system, other)]
    for name, part in command.to.items():
        if name not in others or part <= 0:
            raise Refused(f"{name[:40]} takes no part of it: {', '.join(others) or 'no other system'}", clauses)
    above = {name: shown.value - shown.seed for name, shown in system.meters.items()}
    if others and not command.to and any(above.values()):
        words = f"{system.name} holds {show(sum(above.values(), ZERO))} above its seed"
        raise Refused(f"{words}: say which systems it goes to, of {', '.join(others)}", clauses)
    moved = tuple(_share_out(above, command.to))
    owed = {} if command.to else {name: amount for name, amount in above.items() if amount}
    yield mm.SystemClosed(system=system.name, moved=moved, owed=owed, clauses=clauses)
    if system.series is not None:
        series = system.series
        yield mm.DrawsRevealed(
            system=system.name, series=series.number, seed=series.seed, salt=series.salt, clauses=()
        )  # fmt: skip


def _may_take(system: MeterSystem, other: MeterSystem) -> bool:
    return other.is_open and other.name != system.name and other.wager == system.wager


def _share_out(above: dict[str, Money], to: dict[str, int]) -> Iterator[mm.MoneyMoved]:
    """What each system takes of each meter, by its part; grains that cannot be shared go to the last one named."""
    whole = sum(to.values())
    for name, amount in above.items():
        left = to_grains(amount)
        for at, (system, part) in enumerate(to.items(), 1):
            grains = left if at == len(to) else to_grains(amount) * part // whole
            left -= grains
            if grains:
                yield mm.MoneyMoved(name, system, from_grains(grains))


def _move_owed(state: JackpotState, command: mm.MoveOwed, by: Asker, now: FloorNow) -> mm.MeterEvent:
    system, other = _find(state, command.system), _find_open(state, command.to)
    _, side = _permit(state, system.wager, by, now, CLOSING, given=("sign",))
    if not system.owed:
        raise Refused(f"{system.name} owes nothing", side.cite("moved_on"))
    if not _may_take(system, other):
        raise Refused(f"what {system.name} owes is for a system for {side.name}", side.cite("moved_on"))
    return mm.OwedMoved(system=system.name, to=other.name, amounts=system.owed, clauses=side.cite("moved_on"))


# ---------------------------------------------------------------------- price, meters, equipment


def _set_price(state: JackpotState, command: mm.SetPrice, by: Asker, now: FloorNow) -> mm.MeterEvent:
    """Another price for all tables at once; wagers that lie on a layout were placed at the one before."""
    system = _find_open(state, command.system)
    _, side = _permit(state, system.wager, by, now, MEMBERS, given=("sign",))
    meters = [mm.MeterTerms(shown.seed, shown.rate) for shown in system.meters.values()]
    _check_price(command.price, meters, side)
    for table in system.tables:
        _check_limits(_find_table(now, table), side, system.name, command.price)
    return mm.PriceSet(system=system.name, price=command.price, clauses=side.cite("price"))


def _reset(state: JackpotState, command: mm.ResetMeter, by: Asker, now: FloorNow) -> mm.MeterEvent:
    """A meter may show more than it has to, and never less."""
    system = _find_open(state, command.system)
    _, side = _permit(state, system.wager, by, now, RESET)
    clauses = side.cite("meter")
    shown = system.meters.get(command.meter)
    if shown is None:
        raise Refused(f"{system.name} has the meters {', '.join(system.meters)}, not {command.meter[:40]}", clauses)
    if command.value < shown.seed:
        raise Refused(f"{show(command.value)} is below {show(shown.seed)}, from which the meter starts", clauses)
    if command.value <= shown.value:
        raise Refused(f"the meter shows {show(shown.value)}, and never less than it must", clauses)
    _check_amount(command.value, "a meter", clauses)
    more = command.value - shown.value
    return mm.MeterRaised(
        system=system.name, meter=command.meter, amount=more, reason=command.reason, clauses=clauses
    )  # fmt: skip


WORKS: dict[str, str] = {
    "bet-manager": "works_bet_manager", "meter": "works_meter", "times": "works_times", "reading": "works_reading",
}  # fmt: skip
"""The matter under which a book says that this part of the equipment must work."""


def _change_fault(
    state: JackpotState, command: mm.ReportFault | mm.MendFault, by: Asker, now: FloorNow
) -> mm.MeterEvent:
    system = _find_open(state, command.system)
    if isinstance(command, mm.MendFault):
        _, side = _permit(state, system.wager, by, now, CHECK)
        if system.fault is None:
            raise Refused(f"the equipment of {system.name} works", side.cite("works_meter"))
        clauses = side.cite(WORKS[system.fault.part])
        return mm.FaultMended(system=system.name, reason=command.reason, by=by, clauses=clauses)
    rules, side = find_terms(state, system.wager)
    withdrawn = authorise(rules, by.role, FAULT, reason=command.reason)
    check_role(now.house, by, state.book)
    if command.part == "bet-manager" and not system.managed:
        raise Refused(f"{side.name} has no Personal Bet Managers", side.cite("works_meter"))
    if system.fault is not None:
        raise Refused(f"the equipment of {system.name} is out of order already", withdrawn)
    clauses = (*side.cite(WORKS[command.part]), *withdrawn)
    return mm.FaultReported(system=system.name, part=command.part, reason=command.reason, by=by, clauses=clauses)


def _read(state: JackpotState, command: mm.ReadMeter, by: Asker, now: FloorNow) -> mm.MeterEvent:
    """What the meters showed when a round was settled, for whoever may look it up."""
    system = _find(state, command.system)
    _, side = _permit(state, system.wager, by, now, READING)
    clauses = (*side.cite("works_reading"), *side.cite("works_times"))
    asked = (system.name, command.table, command.round, command.pick)
    for reading in reversed(state.readings):
        if (reading.system, reading.table, reading.round, reading.pick) == asked:
            return mm.EarlierRead(system=system.name, reading=reading.number, by=by, clauses=clauses)
    what = f"with the prize {command.pick[:40]} " if command.pick else ""
    raise Refused(f"no round {command.round} at table {command.table[:40]} was settled {what}in {system.name}", clauses)


def _reveal(state: JackpotState, command: mm.RevealDraws, by: Asker, now: FloorNow) -> Iterator[mm.MeterEvent]:
    system = _find_open(state, command.system)
    _, side = _permit(state, system.wager, by, now, READING)
    series = system.series
    if series is None:
        raise Refused(f"{side.name} has no prize that is drawn", side.cite("system"))
    clauses = tuple(dict.fromkeys(clause for pick in system.one_in for clause in side.cite(pick)))
    yield mm.DrawsRevealed(
        system=system.name, series=series.number, seed=series.seed, salt=series.salt, clauses=clauses
    )  # fmt: skip
    yield _seal(system.name, series.number + 1, now)


# ---------------------------------------------------------------------- what tables report


def _hear(draft: _Draft, command: mm.HearOutcome, by: Asker) -> Iterator[mm.MeterEvent]:
    """An outcome is taken as it comes; then boxes are drawn for the round that is over."""
    if by != SYSTEM:
        raise Refused("tables themselves report their outcomes")
    state = draft.state
    system = _find_open(state, command.system)
    _, side = find_terms(state, system.wager)
    read = command.dealt or bool(command.awarded)
    matters = ["order", "meter", *(["works_times"] if read else []), *([command.awarded] if command.awarded else [])]
    matters += ["credited"] if command.credited else []
    clauses = tuple(dict.fromkeys(clause for matter in matters for clause in side.cite(matter)))
    yield mm.OutcomeHeard(
        system=system.name, table=command.table, round=command.round, changes=command.changes,
        credited=command.credited, reading=len(state.readings) + 1 if read else 0, done=command.done,
        awarded=command.awarded, clauses=clauses,
    )  # fmt: skip
    if command.over and command.boxes:
        yield from _draw(draft, system.name, side, command)


def _draw(draft: _Draft, name: str, side: SideWager, command: mm.HearOutcome) -> Iterator[mm.MeterEvent]:
    for pick, one_in in draft.state.systems[name].one_in.items():
        series = draft.state.systems[name].series
        assert series is not None, "a system that draws has committed to its draws"
        number = len(series.draws)
        yield mm.BoxDrawn(
            system=name, series=series.number, number=number, table=command.table, round=command.round, pick=pick,
            one_in=one_in, boxes=command.boxes, box=draw_box(series.seed, number, one_in, command.boxes),
            clauses=side.cite(pick),
        )  # fmt: skip
