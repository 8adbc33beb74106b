"""The floor itself as a stream: its people, their roles, passwords and second factors, and chips at the cage.

A role is held by book: somebody may deal by one book and supervise by another. What a role may do at a table is for the
table and its book to say; here are the acts that span tables. Whoever acts for the house says why.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor import house_orders as orders
from pitboss.floor.house_orders import check_role
from pitboss.floor.house_state import Factor, HouseGranted, HouseState, Person, fold_house
from pitboss.floor.ledger import GRAIN_PLACES, from_grains, to_grains
from pitboss.floor.live_table import Clocks, Granted, TableKind, TableSet, open_live
from pitboss.floor.second_factor import find_step
from pitboss.floor.telling.table_news import INBOXES
from pitboss.money import Money, show
from pitboss.rulebooks import BOOKS, RulebookError, load_book, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import Limits, OpeningError, Refusal, begin_log
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.messages.notation import player_name
from pitboss.table.messages.wellformed import LONGEST_TEXT
from pitboss.table.meters import default_meters
from pitboss.table.state import Meter

ADMINISTRATOR = "administrator"
"""Runs the server: people, roles, tables. It is a role of no book and has no power at a table."""
HOUSE_ROLES = (ADMINISTRATOR, *INBOXES)
"""Roles that are held for the whole floor, not by book."""
NOT_NAMES = frozenset({"player", "house", "system", *HOUSE_ROLES})
"""Words that stand for somebody else already."""
ROBOT_PREFIX = "robot-"
"""How the name of every robot begins, and of nobody else."""
ROBOT_CHIPS = Money(1000)
MOST_ROBOTS = 5
"""Robots at one table."""
MOST_MINUTES = 24 * 60
"""How long a second person may take at most."""


def decide_house(
    house: HouseState,
    command: hm.HouseCommand,
    by: Asker,
    at_ms: int,
    funds: int = 0,
    table: hm.TableFacts | None = None,
) -> HouseGranted | Refusal:
    """What follows from what is asked, or why not.

    `funds` are in the account that gives, in grains; `table` is what is known of the one that the command
    names, if there is one.
    """
    try:
        if isinstance(command, hm.StaffCommand):
            _say_why(command.reason, by)
        return fold_house(house, _answer(house, command, by, max(at_ms, house.at_ms), funds, table), at_ms)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)


def _say_why(reason: str, by: Asker) -> None:
    if not reason and by != HOUSE:
        raise Refused(f"the {by.role} must give a reason")
    if len(reason) > LONGEST_TEXT or not reason.isprintable():
        raise Refused(f"a reason is one line of no more than {LONGEST_TEXT} characters")


# ---------------------------------------------------------------------- answers


def _answer(
    house: HouseState, command: hm.HouseCommand, by: Asker, at_ms: int, funds: int, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:
    match command:
        case hm.AddPerson():
            return (_add_person(house, command, by),)
        case hm.SetPassword():
            if by.name != command.name:
                _administrator(house, by)
                _say_why(command.reason, by)
            _find_person(house, command.name)
            changed = hm.PasswordChanged(
                name=command.name, password_hash=command.password_hash, reason=command.reason,
                first=by.name != command.name,
            )  # fmt: skip
            return (changed,)
        case hm.EndSessions():
            if by.name != command.name:
                _administrator(house, by)
                _say_why(command.reason, by)
            if command.name:
                _find_person(house, command.name)
            return (hm.SessionsEnded(name=command.name, reason=command.reason),)
        case hm.OfferFactor() | hm.ConfirmFactor() | hm.UseFactor() | hm.UseRecovery() | hm.EndFactor():
            return (_change_factor(house, command, by, at_ms),)
        case hm.GiveRole() | hm.EndRole():
            return (_change_role(house, command, by),)
        case hm.IssueChips() | hm.RedeemChips() | hm.FillFloat():
            return (_move_chips(house, command, by, funds, table),)
        case hm.RequireSecondPerson():
            return (_require_second(house, command, by),)
        case hm.OpenTable():
            return (_open_table(house, command, by),)
        case hm.SeatRobot():
            return _seat_robot(house, command, by, table)
        case hm.RemoveRobot():
            return (_remove_robot(house, command, by),)
    return _answer_orders(house, command, by, table)


def _answer_orders(
    house: HouseState, command: hm.HouseCommand, by: Asker, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:
    match command:
        case hm.Exclude():
            _find_person(house, command.name)
            return orders.exclude(house, command, by, table)
        case hm.Readmit():
            _find_person(house, command.name)
            return orders.readmit(house, command, by)
        case hm.SendNotice():
            return orders.send_notice(house, command, by, table)
        case hm.ReportFiles():
            return orders.report_files(house, command, by)
        case hm.ConfirmReceipt():
            return orders.confirm_receipt(house, command, by)
        case hm.TakeDisputeFurther():
            return orders.take_dispute_further(house, command, by, table)
        case hm.HearTable():
            return orders.hear_table(house, command.news)
        case hm.RuleOnTakenDispute():
            return orders.rule_on_taken(house, command, by, ADMINISTRATOR)
    raise AssertionError(f"{type(command).__name__} has no answer")


def _administrator(house: HouseState, by: Asker) -> None:
    if by != HOUSE and by.role != ADMINISTRATOR:
        raise Refused(f"the {ADMINISTRATOR} does this, not a {by.role}")
    check_role(house, by, "")


def _find_person(house: HouseState, name: str) -> Person:
    person = house.people.get(name)
    if person is None:
        raise Refused(f"there is nobody called {name[:40]} here")
    return person


def _add_person(house: HouseState, command: hm.AddPerson, by: Asker) -> hm.HouseEvent:
    try:
        player_name(command.name)
    except PitbossError as error:
        raise Refused(str(error)) from None
    if ":" in command.name or "/" in command.name:
        raise Refused("a name has no ':' and no '/'")
    if command.name in NOT_NAMES or command.name in list_roles():
        raise Refused(f"'{command.name}' is a role: choose a name")
    if command.name.startswith(ROBOT_PREFIX) or command.kind is hm.PersonKind.ROBOT:
        raise Refused(f"'{command.name}' is the name of a robot: choose another name")
    if command.name in house.people:
        raise Refused(f"somebody is called {command.name} already: choose another name")
    if command.kind is hm.PersonKind.MEMBER and not command.password_hash:
        raise Refused("a member has a password")
    if command.kind is hm.PersonKind.MEMBER:
        _administrator(house, by)
    return hm.PersonAdded(
        name=command.name, kind=command.kind, password_hash=command.password_hash, reason=command.reason,
        first=command.kind is hm.PersonKind.MEMBER and by != HOUSE,
    )  # fmt: skip


def _change_role(house: HouseState, command: hm.GiveRole | hm.EndRole, by: Asker) -> hm.HouseEvent:
    _administrator(house, by)
    person = _find_person(house, command.name)
    held = (command.role, command.book) in person.roles
    if isinstance(command, hm.EndRole):
        if not held:
            raise Refused(f"{command.name} does not hold this role")
        return hm.RoleEnded(name=command.name, role=command.role, book=command.book, reason=command.reason)
    if person.kind is not hm.PersonKind.MEMBER:
        raise Refused("a guest holds no role")
    if held:
        raise Refused(f"{command.name} holds this role already")
    if command.book and command.book not in BOOKS:
        raise Refused(f"'{command.book[:40]}' is not one of the books: {', '.join(BOOKS)}")
    known = HOUSE_ROLES if not command.book else list_roles(command.book)
    if command.role not in known:
        raise Refused(f"'{command.role[:40]}' is not a role of {command.book or 'the floor'}: {', '.join(known)}")
    return hm.RoleGiven(name=command.name, role=command.role, book=command.book, reason=command.reason)


@functools.cache
def list_roles(book: str = "") -> tuple[str, ...]:
    """The roles on the ladder of a book and the bodies beside it, or those of all books.

    Bodies that read notices here hold their role for the whole floor, and are not among them.
    """
    found: dict[str, None] = {}
    for name in (book,) if book else BOOKS:
        loaded = load_book(name)
        for game in loaded.games:
            found.update(dict.fromkeys(rung.id for rung in loaded.rules(game).ladder))
        found.update(dict.fromkeys(body.id for body in loaded.bodies if body.id not in HOUSE_ROLES))
    return tuple(found)


def _move_chips(
    house: HouseState, command: hm.IssueChips | hm.RedeemChips | hm.FillFloat, by: Asker, funds: int,
    table: hm.TableFacts | None,
) -> hm.HouseEvent:  # fmt: skip
    _administrator(house, by)
    if isinstance(command, hm.FillFloat):
        if table is None:
            raise Refused(f"there is no table {command.table[:40]}")
        if table.kind is TableKind.PRACTICE:
            raise Refused("a practice table needs no chips: the house lends them")
        if not command.amount:
            raise Refused("a fill or a credit moves some chips")
        return hm.FloatFilled(table=command.table, amount=command.amount, reason=command.reason)
    _find_person(house, command.name)
    if command.amount <= 0:
        raise Refused(f"chips are handed out or taken back above zero, not {show(command.amount)}")
    if isinstance(command, hm.IssueChips):
        return hm.ChipsIssued(name=command.name, amount=command.amount, reason=command.reason)
    if to_grains(command.amount) > funds:
        raise Refused(f"{command.name} has {show(from_grains(funds))}, and this takes {show(command.amount)}")
    return hm.ChipsRedeemed(name=command.name, amount=command.amount, reason=command.reason)


def _require_second(house: HouseState, command: hm.RequireSecondPerson, by: Asker) -> hm.HouseEvent:
    _administrator(house, by)
    if command.above is not None and command.above < 0:
        raise Refused(f"an amount is not below zero: {show(command.above)}")
    if not 0 < command.minutes <= MOST_MINUTES:
        raise Refused(f"a second person has 1 to {MOST_MINUTES} minutes, not {command.minutes}")
    return hm.SecondPersonRequired(above=command.above, minutes=command.minutes, reason=command.reason)


def _seat_robot(
    house: HouseState, command: hm.SeatRobot, by: Asker, table: hm.TableFacts | None
) -> tuple[hm.HouseEvent, ...]:  # fmt: skip
    """A robot is somebody with a name that says what it is; the house gives it chips."""
    _administrator(house, by)
    if table is None:
        raise Refused(f"there is no table {command.table[:40]}")
    if table.kind is TableKind.PERSON:
        raise Refused("a robot sits where a machine deals")
    if sum(robot.table == table.name for robot in house.robots.values()) >= MOST_ROBOTS:
        raise Refused(f"{MOST_ROBOTS} robots sit at this table")
    number = 1 + sum(person.kind is hm.PersonKind.ROBOT for person in house.people.values())
    name = f"{ROBOT_PREFIX}{command.policy}-{number}"
    seated = hm.RobotSeated(name=name, table=table.name, policy=command.policy, reason=command.reason)
    added = hm.PersonAdded(name=name, kind=hm.PersonKind.ROBOT, reason=command.reason)
    if table.kind is TableKind.PRACTICE:
        return added, seated
    return added, seated, hm.ChipsIssued(name=name, amount=ROBOT_CHIPS, reason=command.reason)


def _remove_robot(house: HouseState, command: hm.RemoveRobot, by: Asker) -> hm.HouseEvent:
    _administrator(house, by)
    if command.name not in house.robots:
        raise Refused(f"there is no robot {command.name[:40]}")
    return hm.RobotRemoved(name=command.name, reason=command.reason)


def _open_table(house: HouseState, command: hm.OpenTable, by: Asker) -> hm.HouseEvent:
    _administrator(house, by)
    try:
        rules = rules_for(command.game, side_wagers=list(command.side_wagers))
        begin_log(rules, Limits(minimum=command.minimum, maximum=command.maximum, chip=command.chip))
    except RulebookError as error:
        raise Refused(error.reason, error.clauses) from None
    except OpeningError as error:
        raise Refused(str(error)) from None
    if command.kind is TableKind.PERSON and rules.hole_card != "none":
        raise Refused("cards that lie face down cannot be keyed in as they are dealt: no person deals this game here")
    if command.bank < 0:
        raise Refused(f"a table opens with chips, not with {show(command.bank)}")
    meters = _set_meters(rules, command.meters)
    shown = sum((meter.value for meter in meters.values()), Money(0))
    if shown > command.bank:
        raise Refused(f"the meters start from {show(shown)}, and the table opens with {show(command.bank)}")
    return hm.TableOrdered(
        name=command.name, game=command.game, minimum=command.minimum, maximum=command.maximum, bank=command.bank,
        chip=command.chip, kind=command.kind, side_wagers=command.side_wagers, reason=command.reason, meters=meters,
    )  # fmt: skip


def _set_meters(rules: Rules, wanted: Mapping[str, Money]) -> dict[str, Meter]:
    """The prize meters of the side wagers on offer, with what they start from."""
    meters = default_meters(rules)
    for name, seed in wanted.items():
        if name not in meters:
            raise Refused(f"there is no meter {name[:40]} at this table: {', '.join(meters) or 'it has none'}")
        if seed < 0 or seed.scaleb(GRAIN_PLACES) % 1:
            raise Refused(f"a meter starts from chips, not from {show(seed)}")
        meters[name] = Meter(seed, meters[name].rate, seed)
    return meters


def open_ordered(ordered: hm.TableOrdered, at_ms: int) -> Granted:
    """A table that somebody has ordered opens; its sign is not up yet."""
    rules = rules_for(ordered.game, side_wagers=list(ordered.side_wagers))
    limits = Limits(minimum=ordered.minimum, maximum=ordered.maximum, chip=ordered.chip)
    table = begin_log(rules, limits, ordered.meters)
    table = replace(table, floor=replace(table.floor, sign="down"))
    opening = TableSet(name=ordered.name, kind=ordered.kind, clocks=Clocks(), bank=ordered.bank)
    return open_live(opening, table, at_ms)


# ---------------------------------------------------------------------- second factors


def _change_factor(
    house: HouseState, command: hm.OfferFactor | hm.ConfirmFactor | hm.UseFactor | hm.UseRecovery | hm.EndFactor,
    by: Asker, at_ms: int,
) -> hm.HouseEvent:  # fmt: skip
    person = _find_person(house, command.name)
    if isinstance(command, hm.EndFactor):
        _administrator(house, by)
        if person.factor is None:
            raise Refused(f"{command.name} has no second factor")
        return hm.FactorEnded(name=command.name, reason=command.reason)
    if by != HOUSE and by.name != command.name:
        raise Refused("a second factor is its owner's own")
    if isinstance(command, hm.OfferFactor):
        if person.kind is not hm.PersonKind.MEMBER:
            raise Refused("a guest has no second factor")
        if person.factor is not None and person.factor.since_ms:
            raise Refused(f"{command.name} has a second factor: the {ADMINISTRATOR} ends it first")
        return hm.FactorOffered(name=command.name, secret=command.secret)
    factor = person.factor
    if factor is None:
        raise Refused(f"{command.name} has no second factor")
    return _take_code(factor, command, at_ms)


def _take_code(
    factor: Factor, command: hm.ConfirmFactor | hm.UseFactor | hm.UseRecovery, at_ms: int
) -> hm.HouseEvent:  # fmt: skip
    """A code counts once: none of the same half minute or before it is taken again."""
    if isinstance(command, hm.UseRecovery):
        if command.code_hash not in factor.recovery:
            raise Refused("this recovery code is wrong, or was used")
        return hm.RecoveryUsed(name=command.name, code_hash=command.code_hash)
    confirmed = bool(factor.since_ms)
    if isinstance(command, hm.ConfirmFactor) == confirmed:
        raise Refused("the second factor is confirmed already" if confirmed else "the second factor is not confirmed")
    step = find_step(factor.secret, command.code, at_ms, factor.used)
    if step is None:
        raise Refused("this code is wrong, too old, or was used")
    if isinstance(command, hm.UseFactor):
        return hm.FactorUsed(name=command.name, step=step)
    return hm.FactorConfirmed(name=command.name, step=step, recovery=command.recovery)
