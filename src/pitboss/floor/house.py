"""The floor itself as a stream: its people, their roles and passwords, who may not play where, and chips at the cage.

A role is held by book: somebody may deal by one book and supervise by another. What a role may do at a table is for the
table and its book to say; here are the acts that span tables. Nobody is ever deleted: people, roles and exclusions end.
"""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor.ledger import CAGE, Transfer, float_of, from_grains, to_grains, wallet
from pitboss.money import show
from pitboss.rulebooks import BOOKS, load_book, rules_for
from pitboss.table import Refusal
from pitboss.table.authority import authorise, power_of
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import Asker
from pitboss.table.messages.notation import player_name

ADMINISTRATOR = "administrator"
"""Runs the server: people, roles, tables. It is a role of no book and has no power at a table."""
HOUSE_ROLES = (ADMINISTRATOR, "inspector", "surveillance")
"""Roles that are held for the whole floor, not by book."""
NOT_NAMES = frozenset({"player", "house", "system", *HOUSE_ROLES})
"""Words that stand for somebody else already."""


# ---------------------------------------------------------------------- the stream


class Exclusion(msgspec.Struct, frozen=True):
    """Where somebody may not play: at one table, in one game, or anywhere."""

    game: str
    table: str
    casino: bool
    clauses: tuple[str, ...]


class Person(msgspec.Struct, frozen=True):
    """Somebody on the floor."""

    name: str
    kind: hm.PersonKind
    password_hash: str = ""
    roles: frozenset[tuple[str, str]] = frozenset()
    """Role and book."""
    exclusions: tuple[Exclusion, ...] = ()


class HouseState(msgspec.Struct, frozen=True):
    """The floor between two decisions."""

    people: dict[str, Person] = {}
    at_ms: int = 0


class HouseGranted(msgspec.Struct, frozen=True):
    """What was asked is done."""

    events: tuple[hm.HouseEvent, ...]
    house: HouseState
    transfers: tuple[Transfer, ...]


def decide_house(
    house: HouseState, command: hm.HouseCommand, by: Asker, at_ms: int, funds: int = 0
) -> HouseGranted | Refusal:
    """What follows from what is asked, or why not. `funds` are in the account that gives, in grains."""
    try:
        return fold_house(house, (_answer(house, command, by, funds),), at_ms)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)


def fold_house(house: HouseState, events: tuple[hm.HouseEvent, ...], at_ms: int) -> HouseGranted:
    """The floor after a row of its log, and the money that moves."""
    transfers: list[Transfer] = []
    people = dict(house.people)
    for event in events:
        _fold_event(people, event, transfers)
    return HouseGranted(events, HouseState(people, max(at_ms, house.at_ms)), tuple(transfers))


def _fold_event(people: dict[str, Person], event: hm.HouseEvent, transfers: list[Transfer]) -> None:
    match event:
        case hm.PersonAdded():
            people[event.name] = Person(event.name, event.kind, event.password_hash)
        case hm.PasswordChanged():
            _change(people, event.name, password_hash=event.password_hash)
        case hm.RoleGiven():
            _change(people, event.name, roles=people[event.name].roles | {(event.role, event.book)})
        case hm.RoleEnded():
            _change(people, event.name, roles=people[event.name].roles - {(event.role, event.book)})
        case hm.ChipsIssued():
            transfers.append(Transfer(CAGE, wallet(event.name), to_grains(event.amount)))
        case hm.ChipsRedeemed():
            transfers.append(Transfer(wallet(event.name), CAGE, to_grains(event.amount)))
        case hm.FloatFilled():
            grains, bank = to_grains(event.amount), float_of(event.table)
            transfers.append(Transfer(CAGE, bank, grains) if grains > 0 else Transfer(bank, CAGE, -grains))
        case hm.PersonExcluded():
            shut = Exclusion(event.game, event.table, event.casino, event.clauses)
            _change(people, event.name, exclusions=(*people[event.name].exclusions, shut))
        case hm.PersonReadmitted():
            _change(people, event.name, exclusions=())


def _change(people: dict[str, Person], name: str, **changes: Any) -> None:
    people[name] = msgspec.structs.replace(people[name], **changes)


def find_exclusion(house: HouseState, name: str, game: str, table: str) -> Exclusion | None:
    """What keeps somebody from playing a game at a table, if anything does."""
    person = house.people.get(name)
    for shut in person.exclusions if person is not None else ():
        if shut.casino or shut.table == table or (not shut.table and shut.game == game):
            return shut
    return None


# ---------------------------------------------------------------------- answers


def _answer(house: HouseState, command: hm.HouseCommand, by: Asker, funds: int) -> hm.HouseEvent:
    match command:
        case hm.AddPerson():
            return _add_person(house, command, by)
        case hm.SetPassword():
            if by.name != command.name:
                _administrator(by)
            _find_person(house, command.name)
            return hm.PasswordChanged(name=command.name, password_hash=command.password_hash)
        case hm.GiveRole() | hm.EndRole():
            return _change_role(house, command, by)
        case hm.IssueChips() | hm.RedeemChips() | hm.FillFloat():
            return _move_chips(house, command, by, funds)
        case hm.Exclude():
            return _exclude(house, command, by)
        case hm.Readmit():
            return _readmit(house, command, by)
    raise AssertionError(f"{type(command).__name__} has no answer")


def _administrator(by: Asker) -> None:
    if by.role not in (ADMINISTRATOR, "house"):
        raise Refused(f"the {ADMINISTRATOR} does this, not a {by.role}")


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
    if command.name in house.people:
        raise Refused(f"somebody is called {command.name} already: choose another name")
    if command.kind is hm.PersonKind.MEMBER and not command.password_hash:
        raise Refused("a member has a password")
    if command.kind is hm.PersonKind.MEMBER:
        _administrator(by)
    return hm.PersonAdded(name=command.name, kind=command.kind, password_hash=command.password_hash)


def _change_role(house: HouseState, command: hm.GiveRole | hm.EndRole, by: Asker) -> hm.HouseEvent:
    _administrator(by)
    person = _find_person(house, command.name)
    held = (command.role, command.book) in person.roles
    if isinstance(command, hm.EndRole):
        if not held:
            raise Refused(f"{command.name} does not hold this role")
        return hm.RoleEnded(name=command.name, role=command.role, book=command.book)
    if person.kind is not hm.PersonKind.MEMBER:
        raise Refused("a guest holds no role")
    if held:
        raise Refused(f"{command.name} holds this role already")
    if command.book and command.book not in BOOKS:
        raise Refused(f"'{command.book[:40]}' is not one of the books: {', '.join(BOOKS)}")
    known = HOUSE_ROLES if not command.book else list_roles(command.book)
    if command.role not in known:
        raise Refused(f"'{command.role[:40]}' is not a role of {command.book or 'the floor'}: {', '.join(known)}")
    return hm.RoleGiven(name=command.name, role=command.role, book=command.book)


@functools.cache
def list_roles(book: str = "") -> tuple[str, ...]:
    """The roles on the ladder of a book, or of all books."""
    found: dict[str, None] = {}
    for name in (book,) if book else BOOKS:
        loaded = load_book(name)
        for game in loaded.games:
            found.update(dict.fromkeys(rung.id for rung in loaded.rules(game).ladder))
    return tuple(found)


def _move_chips(
    house: HouseState, command: hm.IssueChips | hm.RedeemChips | hm.FillFloat, by: Asker, funds: int
) -> hm.HouseEvent:  # fmt: skip
    _administrator(by)
    if isinstance(command, hm.FillFloat):
        if not command.amount:
            raise Refused("a fill or a credit moves some chips")
        if not command.reason:
            raise Refused("a reason must be given")
        return hm.FloatFilled(table=command.table, amount=command.amount, reason=command.reason)
    _find_person(house, command.name)
    if command.amount <= 0:
        raise Refused(f"chips are handed out or taken back above zero, not {show(command.amount)}")
    if isinstance(command, hm.IssueChips):
        return hm.ChipsIssued(name=command.name, amount=command.amount)
    if to_grains(command.amount) > funds:
        raise Refused(f"{command.name} has {show(from_grains(funds))}, and this takes {show(command.amount)}")
    return hm.ChipsRedeemed(name=command.name, amount=command.amount)


def _exclude(house: HouseState, command: hm.Exclude, by: Asker) -> hm.HouseEvent:
    _find_person(house, command.name)
    rules = rules_for(command.game)
    powers = ("exclude-from-casino",) if command.casino else ("exclude-player", "bar-from-game")
    if power_of(rules, *powers) is None:
        raise Refused(f"this book has no rule by which anybody could do this: {' or '.join(powers)}")
    clauses = authorise(rules, by.role, *powers, reason=command.reason, given=("player",))
    return hm.PersonExcluded(
        name=command.name, game=command.game, table=command.table, casino=command.casino, reason=command.reason,
        clauses=clauses,
    )  # fmt: skip


def _readmit(house: HouseState, command: hm.Readmit, by: Asker) -> hm.HouseEvent:
    person = _find_person(house, command.name)
    if not person.exclusions:
        raise Refused(f"nothing keeps {command.name} from playing")
    rules = rules_for(command.game)
    authorise(rules, by.role, "exclude-player", "bar-from-game", reason=command.reason, given=("player",))
    return hm.PersonReadmitted(name=command.name, reason=command.reason)
