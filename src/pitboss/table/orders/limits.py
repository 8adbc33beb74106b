"""The limits of the table changed: announced on a sign, changed when its time has come, or at once.

A book either lets the minimum be raised only after a sign has stood for its time (Melbourne, The Star), or asks that of
every change unless nobody is there or all agree (Perth): the notice that it names says which. The Star may also raise
a minimum at once; whoever is at the table then keeps the old one, with a marker, until they leave.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.money import ZERO, Money, show
from pitboss.rulebooks import Rules
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import LimitSign, Protected
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.powers import require_between_rounds, set_floor
from pitboss.table.orders.roles import rule
from pitboss.table.round.sign import find_sign_fault
from pitboss.table.state import Limits, SideLimit, State

Clauses = tuple[str, ...]


def announce_limits(draft: Draft, command: od.AnnounceLimits) -> None:
    """The sign with the new figures goes up."""
    clauses = rule(draft, command, "announce-limits", given=("sign", "notice"))
    _in_order(command.minimum, command.maximum, clauses)
    _of_this_table(draft.state, command.wager, clauses)
    sign = LimitSign(command.minimum, command.maximum, command.minute, clauses, command.wager)
    set_floor(draft, clauses, limit_sign=sign)


def change_limits(draft: Draft, command: od.ChangeLimits) -> None:
    """Other limits hold from the next deal on."""
    state = draft.state
    if command.how == "now" and not state.rules.minimum_raise_protects_seated:
        raise draft.refuse("this book lets nobody raise a minimum at once", "minimum_raise_notice_minutes")
    act = _act(state, command)
    given = ("sign", "notice", *(("marker",) if command.shown else ()))
    clauses = rule(draft, command, act, given=given)
    _in_order(command.minimum, command.maximum, clauses)
    require_between_rounds(draft, clauses)
    _of_this_table(state, command.wager, clauses)
    if command.how in ("now", "all") and command.wager != "main":
        raise Refused(f"`{command.how}` is for the minimum of the main wager", clauses)
    if command.how == "now" and not _raises(state, command):
        raise Refused("this does not raise the minimum: change it without `now`", clauses)
    if command.how == "all" and not state.floor.protected:
        raise Refused("nobody keeps an old minimum at this table", clauses)
    if command.how != "now" and _needs_notice(state, command):
        _notice_has_run(state, command, clauses)
    protected = _protect(state, command, clauses)
    limits = _put_up(state.limits, command)
    if fault := find_sign_fault(state.rules, limits):
        raise Refused(fault, clauses)
    side = state.rules.side_wager(command.wager)
    shown_by = side.clauses.get("sign", ()) if side is not None else ()
    draft.emit(ru.LimitsChanged(limits=limits, clauses=tuple(dict.fromkeys((*clauses, *shown_by)))))
    set_floor(draft, clauses, protected=protected, limit_sign=None)


def _of_this_table(state: State, wager: str, clauses: Clauses) -> None:
    if wager != "main" and state.rules.side_wager(wager) is None:
        raise Refused(f"{wager} is not on offer at this table", clauses)


def _put_up(limits: Limits, command: od.ChangeLimits) -> Limits:
    """The sign with what the order changes on it."""
    limits = replace(limits, unit=command.unit or limits.unit, per=command.per or limits.per)
    if command.wager == "main":
        return replace(limits, minimum=command.minimum, maximum=command.maximum)
    limit = replace(limits.side.get(command.wager, SideLimit()), minimum=command.minimum, maximum=command.maximum)
    return replace(limits, side={**limits.side, command.wager: limit})


def _act(state: State, command: od.ChangeLimits) -> str:
    if command.how in ("now", "all"):
        return f"limits-{command.how}"
    return "limits-raised" if _raises(state, command) else "limits"


def _raises(state: State, command: od.ChangeLimits) -> bool:
    limits = state.limits if command.wager == "main" else state.limits.of_side(command.wager)
    return command.minimum > (limits.minimum or ZERO)


def _in_order(minimum: Money, maximum: Money, clauses: Clauses) -> None:
    if not ZERO < minimum <= maximum:
        raise Refused(f"a minimum of {show(minimum)} does not go with a maximum of {show(maximum)}", clauses)


def _notice_for_any_change(rules: Rules) -> bool:
    return "change-limits" in rules.notices


def _needs_notice(state: State, command: od.ChangeLimits) -> bool:
    if not _notice_for_any_change(state.rules):
        return command.how == "all" or _raises(state, command)
    empty = not state.arrivals and not state.bets
    return not empty and command.how != "agreed"


def _notice_has_run(state: State, command: od.ChangeLimits, clauses: Clauses) -> None:
    """Refuse a change whose sign has not stood for its time."""
    needed, sign = state.rules.minimum_raise_notice_minutes, state.floor.limit_sign
    if sign is None or sign.wager != command.wager:
        others = ", or all players agree" if _notice_for_any_change(state.rules) else ""
        at_once = ", or raise it now for newcomers only" if state.rules.minimum_raise_protects_seated else ""
        raise Refused(f"the new limits must be announced {needed} minutes before{others}{at_once}", clauses)
    if sign.minimum != command.minimum or (_notice_for_any_change(state.rules) and sign.maximum != command.maximum):
        words = f"the sign announces {show(sign.minimum)} to {show(sign.maximum)}"
        raise Refused(f"{words}, not {show(command.minimum)} to {show(command.maximum)}", clauses)
    stood = command.minute - sign.minute
    if stood < needed:
        raise Refused(f"the sign has been up for {stood} minutes, not {needed}", clauses)


def _protect(state: State, command: od.ChangeLimits, clauses: Clauses) -> tuple[Protected, ...]:
    """Who keeps an old minimum after the change: whoever did, if it is still the lower one, and with `now` all here."""
    if command.how == "all":
        return ()
    kept = [item for item in state.floor.protected if item.minimum < command.minimum]
    if command.how == "now":
        old = state.limits.minimum or ZERO
        known = {item.player for item in kept}
        kept += [
            Protected(arrival.player, old, arrival.area, clauses)
            for arrival in state.arrivals
            if arrival.player not in known
        ]
    return tuple(kept)
