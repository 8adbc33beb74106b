"""What a jackpot system makes of its member tables: what it hears from their decisions, and what it tells them.

What rounds contribute and win is read off the table before and after a decision, round by round, so that a void or a
rebuilt round takes back what it had brought. A table is told whatever its copy of the system does not show yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss.floor import live_table as lt
from pitboss.floor.jackpots.meter_links import MeterLink
from pitboss.floor.jackpots.meter_messages import HearOutcome, MeterChange
from pitboss.floor.jackpots.meter_state import JackpotState, MeterSystem
from pitboss.floor.live_decisions import MACHINE
from pitboss.floor.live_table import FollowMeters, LiveTable
from pitboss.floor.records.kind import FloorNow, TableDecision
from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import SideWager
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import SYSTEM, Asker
from pitboss.table.round.sides.prizes import has_gone_back, list_prizes_off_meter
from pitboss.table.state import Phase, State

WORD = "meters"
"""How a jackpot system is named among streams."""


def hear_outcomes(
    state: JackpotState, decision: TableDecision, now: FloorNow
) -> Iterator[tuple[HearOutcome, Asker]]:  # fmt: skip
    """What each system is to hear of a decision at one of its tables."""
    before, after = decision.before, decision.after
    if before.table is after.table or any(type(event) is ev.MetersFollowed for event in decision.events):
        return
    for system in state.systems.values():
        if after.name in system.tables:
            side = after.table.rules.side_wager(system.wager)
            heard = None if side is None else _hear_system(system, side, decision)
            if heard is not None:
                yield heard, SYSTEM


def _hear_system(system: MeterSystem, side: SideWager, decision: TableDecision) -> HearOutcome | None:
    before, after = decision.before.table, decision.after.table
    changes = {}
    for name in system.meters:
        change = _count_change(before, after, side, name)
        if any((change.contributed, change.prizes, change.topped_up)):
            changes[name] = change
    dealt = any(type(event) is ev.InitialDeal for event in decision.events)
    over = after.phase is Phase.SETTLED and before.phase is not Phase.SETTLED and not after.void
    boxes = (
        tuple(bet.box for bet in after.sides if bet.wager == side.id and not has_gone_back(after, bet)) if over else ()
    )
    done = tuple(item.pick for item in system.due if item.table == decision.after.name and not _is_due(after, item))
    if not (changes or dealt or boxes or done):
        return None
    return HearOutcome(
        system=system.name, table=decision.after.name, round=after.round, changes=changes, dealt=dealt,
        credited=_count_credited(decision, side) if system.managed else {}, boxes=boxes, over=over, done=done,
        awarded=_find_awarded(system, decision),
    )  # fmt: skip


def _find_awarded(system: MeterSystem, decision: TableDecision) -> str:
    """The prize of a box at random that a decision settles, if it settles one."""
    for event in decision.events:
        if isinstance(event, ev.SideSettled) and event.settlement.outcome in system.one_in:
            return event.settlement.outcome
    return ""


def _is_due(state: State, due: object) -> bool:
    """The table can still pay the prize of a box that was drawn."""
    number, box, pick = (getattr(due, name) for name in ("round", "box", "pick"))
    paid = any((settled.box, settled.outcome) == (box, pick) for settled in state.settlements)
    return state.round == number and not paid and not state.void


def _count_change(before: State, after: State, side: SideWager, name: str) -> MeterChange:
    """What a decision moved on one meter; what wagers and prizes do not explain, the house has put in."""
    was, now = _count_rounds(before, side, name), _count_rounds(after, side, name)
    contributed, prizes = ZERO, ZERO
    for number, (shares, paid) in now.items():
        known = was.get(number, (ZERO, ZERO))
        contributed += shares - known[0]
        prizes += paid - known[1]
    if name not in before.meters or name not in after.meters:
        return MeterChange(ZERO, ZERO, ZERO)
    moved = after.meters[name].value - before.meters[name].value
    return MeterChange(contributed, prizes, moved - contributed + prizes)


def _count_rounds(state: State, side: SideWager, name: str) -> dict[int, tuple[Money, Money]]:
    """What each round that the table still knows has brought to a meter, and what it has won from it."""
    found: dict[int, tuple[Money, Money]] = {}
    for at in (state, state.past, state.waiting):
        if at is not None and at.boxes and name in at.meters and at.round not in found:
            staked = [bet for bet in at.sides if bet.wager == side.id and not has_gone_back(at, bet, ("retracted",))]
            shares = at.meters[name].rate * sum((bet.amount for bet in staked), ZERO)
            back = {(bet.box, bet.player) for bet in at.sides if bet.wager == side.id and has_gone_back(at, bet)}
            paid = [prize for key, prize in list_prizes_off_meter(at, side, name) if key not in back]
            found[at.round] = (shares, sum(paid, ZERO))
    return found


def _count_credited(decision: TableDecision, side: SideWager) -> dict[str, Money]:
    """What players have won with this wager by a decision."""
    before, after = decision.before.table, decision.after.table
    known = before.settlements if before.round == after.round else ()
    won: dict[str, Money] = {}
    for settled in after.settlements[len(known) :]:
        if settled.wager == side.id and settled.net > 0:
            won[settled.player] = won.get(settled.player, ZERO) + settled.net
    return won


# ---------------------------------------------------------------------- what tables are told


def tell_tables(state: JackpotState, now: FloorNow) -> Iterator[tuple[str, lt.AnyTableCommand, Asker]]:
    """What tables are to be asked, so that each shows what its systems do, and pays a box that was drawn."""
    stream = f"{WORD} {state.name}"
    for name in sorted(now.tables):
        live = now.tables[name]
        for link in live.links:
            if link.stream == stream and name not in state.systems[link.system].tables:
                yield name, FollowMeters(system=link.system), SYSTEM
        for system in state.systems.values():
            if name in system.tables:
                yield from _tell_table(stream, system, live)


def _tell_table(
    stream: str, system: MeterSystem, live: LiveTable
) -> Iterable[tuple[str, lt.AnyTableCommand, Asker]]:  # fmt: skip
    fault = system.fault
    link = MeterLink(
        stream=stream, system=system.name, wager=system.wager, price=system.price, meters=tuple(system.meters),
        managed=system.managed, faulty=fault is not None,
    )  # fmt: skip
    meters = {name: shown.shown for name, shown in system.meters.items()}
    if link not in live.links or any(live.table.meters.get(name) != shown for name, shown in meters.items()):
        reason = system.mended_reason if fault is None else fault.reason
        by = system.mended_by if fault is None else fault.by
        yield live.name, FollowMeters(system=system.name, link=link, meters=meters, reason=reason, by=by), SYSTEM
    for due in system.due:
        if due.table == live.name and due.round == live.table.round and live.table.phase is not Phase.BETTING:
            yield live.name, cmd.SystemPick(pick=due.pick, box=due.box), MACHINE
