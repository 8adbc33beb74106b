"""What happens on the floor itself, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState
from pitboss.money import show
from pitboss.records.narrate.table_events import Said


def tell_house(house: HouseState, event: hm.HouseEvent) -> Iterator[Said]:
    """An event of the floor; `house` is the floor before it."""
    if not isinstance(event, hm.TableHeard):
        yield Said(TELLERS[type(event)](house, event) + _tell_reason(event), tuple(getattr(event, "clauses", ())))


def _tell_reason(event: Any) -> str:
    reason = getattr(event, "reason", "").rstrip(".")
    return f": {reason}" if reason else ""


def _tell_role(role: str, book: str) -> str:
    return f"{role.replace('-', ' ')} {f'by the book {book}' if book else 'of the floor'}"


def _tell_added(house: HouseState, event: hm.PersonAdded) -> str:
    return f"{event.name} comes in as a {event.kind}"


def _tell_password(house: HouseState, event: hm.PasswordChanged) -> str:
    return f"{event.name} has a new password"


def _tell_factor(house: HouseState, event: hm.HouseEvent) -> str:
    name = getattr(event, "name", "")
    return f"{name}: {str(event.__struct_config__.tag).replace('-', ' ')}"


def _tell_sessions(house: HouseState, event: hm.SessionsEnded) -> str:
    return f"{event.name or 'Everybody'} is signed out"


def _tell_role_given(house: HouseState, event: hm.RoleGiven) -> str:
    return f"{event.name} is {_tell_role(event.role, event.book)} from now on"


def _tell_role_ended(house: HouseState, event: hm.RoleEnded) -> str:
    return f"{event.name} is no longer {_tell_role(event.role, event.book)}"


def _tell_issued(house: HouseState, event: hm.ChipsIssued) -> str:
    return f"The cage hands {show(event.amount)} in chips to {event.name}"


def _tell_redeemed(house: HouseState, event: hm.ChipsRedeemed) -> str:
    return f"The cage takes {show(event.amount)} in chips back from {event.name}"


def _tell_filled(house: HouseState, event: hm.FloatFilled) -> str:
    if event.amount < 0:
        return f"{show(-event.amount)} go from the float of {event.table} to the cage"
    return f"{show(event.amount)} go from the cage to the float of {event.table}"


def _tell_excluded(house: HouseState, event: hm.PersonExcluded) -> str:
    where = "the casino" if event.casino else f"table {event.table}" if event.table else event.game
    return f"{event.name} is excluded from {where}"


def _tell_readmitted(house: HouseState, event: hm.PersonReadmitted) -> str:
    return f"{event.name} may play again by the book {event.book}"


def _tell_order(house: HouseState, event: hm.OrderGiven) -> str:
    where = f"table {event.table}" if event.table else f"every table of {event.game}" if event.game else "every table"
    verb = str(event.order.__struct_config__.tag).replace("-", " ")
    about = getattr(event.order, "player", "")
    return f"Order {event.number} for {where}: {verb}{f' {about}' if about else ''}"


def _tell_notice(house: HouseState, event: hm.NoticeSent) -> str:
    return f"Notice {event.number} to the {event.body} about {event.table}: {event.text.rstrip('.')}"


def _tell_received(house: HouseState, event: hm.NoticeReceived) -> str:
    approves = " and approves" if event.approved else ""
    return f"{event.by.name} ({event.by.role}) has read notice {event.number}{approves}"


def _tell_dealer(house: HouseState, event: hm.DealerNamed) -> str:
    return f"{event.name or 'Nobody'} deals at {event.table} from now on"


def _tell_second(house: HouseState, event: hm.SecondPersonRequired) -> str:
    if event.above is None:
        return "Voids and corrections need no second person any more"
    return f"Voids and corrections above {show(event.above)} need a second person within {event.minutes} minutes"


def _tell_dispute(house: HouseState, event: hm.DisputeTaken) -> str:
    return f"{event.player} takes dispute {event.number} about {event.table} to the {event.who}: {event.matter}"


def _tell_dispute_ruled(house: HouseState, event: hm.DisputeRuled) -> str:
    who = f"{event.by.name} ({event.by.role})"
    return f"{who} decides dispute {event.number} {'for' if event.upheld else 'against'} the player"


def _tell_table(house: HouseState, event: hm.TableOrdered) -> str:
    limits = f"{show(event.minimum)} to {show(event.maximum)}"
    return f"Table {event.name} opens with {event.game}, {limits}; its sign is not up yet"


def _tell_won(house: HouseState, event: hm.EntryWon) -> str:
    return f"{event.player} has won an entry with the hand on box {event.box} in round {event.round} at {event.table}"


def _tell_files(house: HouseState, event: hm.FilesChecked) -> str:
    changed = "; ".join(event.changes)
    return f"A server's files are {f'not those it began with: {changed}' if changed else 'those it began with'}"


def _tell_robot(house: HouseState, event: hm.RobotSeated) -> str:
    return f"{event.name} fills a seat at {event.table}"


def _tell_robot_gone(house: HouseState, event: hm.RobotRemoved) -> str:
    return f"{event.name} is to leave"


TELLERS: dict[type[hm.HouseEvent], Callable[[HouseState, Any], str]] = {
    hm.PersonAdded: _tell_added,
    hm.PasswordChanged: _tell_password,
    hm.FactorOffered: _tell_factor,
    hm.FactorConfirmed: _tell_factor,
    hm.FactorUsed: _tell_factor,
    hm.RecoveryUsed: _tell_factor,
    hm.FactorEnded: _tell_factor,
    hm.SessionsEnded: _tell_sessions,
    hm.RoleGiven: _tell_role_given,
    hm.RoleEnded: _tell_role_ended,
    hm.ChipsIssued: _tell_issued,
    hm.ChipsRedeemed: _tell_redeemed,
    hm.FloatFilled: _tell_filled,
    hm.PersonExcluded: _tell_excluded,
    hm.PersonReadmitted: _tell_readmitted,
    hm.OrderGiven: _tell_order,
    hm.NoticeSent: _tell_notice,
    hm.NoticeReceived: _tell_received,
    hm.DealerNamed: _tell_dealer,
    hm.SecondPersonRequired: _tell_second,
    hm.DisputeTaken: _tell_dispute,
    hm.DisputeRuled: _tell_dispute_ruled,
    hm.TableOrdered: _tell_table,
    hm.EntryWon: _tell_won,
    hm.FilesChecked: _tell_files,
    hm.RobotSeated: _tell_robot,
    hm.RobotRemoved: _tell_robot_gone,
}
"""Who tells what of the floor."""
