"""The floor itself between two decisions, and how what happens changes it.

Nobody is ever deleted: people, roles and exclusions end, orders are lifted, notices are received. Orders that tables
are given are numbered, and a table knows up to which number it has heard them; so a table that opens later, or was not
there, hears what it has missed. News of tables are numbered in the same way, and the floor knows what it has heard.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.floor import house_messages as hm
from pitboss.floor.ledger import CAGE, Transfer, float_of, to_grains, wallet
from pitboss.table.messages.askers import Asker


class Exclusion(msgspec.Struct, frozen=True):
    """Where somebody may not play: at one table, in one game, or anywhere."""

    game: str
    book: str
    table: str
    casino: bool
    clauses: tuple[str, ...]


class Factor(msgspec.Struct, frozen=True):
    """Somebody's second factor."""

    secret: bytes
    since_ms: int = 0
    """When the first code was shown; 0 as long as none was, and the factor does not count."""
    used: int = 0
    """The half minute whose code was used last: none before it is good any more."""
    recovery: frozenset[str] = frozenset()
    """Hashes of the recovery codes that are left."""


class Person(msgspec.Struct, frozen=True):
    """Somebody on the floor."""

    name: str
    kind: hm.PersonKind
    password_hash: str = ""
    roles: frozenset[tuple[str, str]] = frozenset()
    """Role and book."""
    exclusions: tuple[Exclusion, ...] = ()
    factor: Factor | None = None
    signed_out_ms: int = 0
    """Sessions that began before this are over: the password is another, or they were ended."""
    first_password_ms: int = 0
    """When somebody else chose the password; 0 if its owner did."""


class InboxNotice(msgspec.Struct, frozen=True):
    """Something that the inspector or surveillance is told, and who of them has read it."""

    number: int
    body: str
    table: str
    book: str
    text: str
    act: str
    clauses: tuple[str, ...]
    by: Asker
    at_ms: int
    received_by: str = ""
    received_ms: int = 0
    approved: bool = False


class TakenDispute(msgspec.Struct, frozen=True):
    """A dispute that a player has taken further than the table."""

    number: int
    player: str
    table: str
    book: str
    matter: str
    who: str
    step: int
    """Which step of the book's chain, from 0."""
    clauses: tuple[str, ...]
    at_ms: int
    upheld: bool | None = None
    """For the player, against, or not decided yet."""
    reason: str = ""
    by: Asker | None = None


class SecondPerson(msgspec.Struct, frozen=True):
    """What a void or a correction may move before a second person is needed, and how long there is for it."""

    above: int
    """In grains."""
    within_ms: int


class SeatedRobot(msgspec.Struct, frozen=True):
    """A robot that fills a seat."""

    name: str
    table: str
    policy: hm.RobotPolicy


class HouseState(msgspec.Struct, frozen=True):
    """The floor between two decisions."""

    people: dict[str, Person] = {}
    at_ms: int = 0
    orders: tuple[hm.OrderGiven, ...] = ()
    """What tables are given, by number from 1."""
    notices: dict[int, InboxNotice] = {}
    disputes: dict[int, TakenDispute] = {}
    second_person: SecondPerson | None = None
    robots: dict[str, SeatedRobot] = {}
    """Robots that are to sit at tables, by name."""
    dealers: dict[str, str] = {}
    """Who deals, by table."""
    heard: dict[str, int] = {}
    """The number of the last news that the floor has heard, by table."""
    files: hm.FilesChecked | None = None
    """The last check of a server's files."""
    entries_won: tuple[hm.EntryWon, ...] = ()
    """The entries that hands at tables have won, by number from 1."""


class HouseGranted(msgspec.Struct, frozen=True):
    """What was asked is done."""

    events: tuple[hm.HouseEvent, ...]
    house: HouseState
    transfers: tuple[Transfer, ...]


def fold_house(house: HouseState, events: tuple[hm.HouseEvent, ...], at_ms: int) -> HouseGranted:
    """The floor after a row of its log, and the money that moves."""
    transfers: list[Transfer] = []
    at_ms = max(at_ms, house.at_ms)
    house = msgspec.structs.replace(house, at_ms=at_ms)
    for event in events:
        match event:
            case hm.ChipsIssued():
                transfers.append(Transfer(CAGE, wallet(event.name), to_grains(event.amount)))
            case hm.ChipsRedeemed():
                transfers.append(Transfer(wallet(event.name), CAGE, to_grains(event.amount)))
            case hm.FloatFilled():
                grains, bank = to_grains(event.amount), float_of(event.table)
                transfers.append(Transfer(CAGE, bank, grains) if grains > 0 else Transfer(bank, CAGE, -grains))
            case _:
                house = _fold_person(house, event) or _fold_business(house, event) or house
    return HouseGranted(events, house, tuple(transfers))


def _fold_person(house: HouseState, event: hm.HouseEvent) -> HouseState | None:
    """What changes somebody; none if the event is about something else."""
    match event:
        case hm.PersonAdded():
            chosen = house.at_ms if event.first else 0
            person = Person(event.name, event.kind, event.password_hash, first_password_ms=chosen)
            return msgspec.structs.replace(house, people={**house.people, event.name: person})
        case hm.PasswordChanged():
            return _change(
                house, event.name, password_hash=event.password_hash, signed_out_ms=house.at_ms,
                first_password_ms=house.at_ms if event.first else 0,
            )  # fmt: skip
        case hm.SessionsEnded():
            for name in [event.name] if event.name else list(house.people):
                house = _change(house, name, signed_out_ms=house.at_ms)
            return house
        case hm.RoleGiven():
            return _change(house, event.name, roles=house.people[event.name].roles | {(event.role, event.book)})
        case hm.RoleEnded():
            return _change(house, event.name, roles=house.people[event.name].roles - {(event.role, event.book)})
        case hm.PersonExcluded():
            shut = Exclusion(event.game, event.book, event.table, event.casino, event.clauses)
            return _change(house, event.name, exclusions=(*house.people[event.name].exclusions, shut))
        case hm.PersonReadmitted():
            kept = tuple(item for item in house.people[event.name].exclusions if item.book != event.book)
            return _change(house, event.name, exclusions=kept)
        case hm.FactorOffered():
            return _change(house, event.name, factor=Factor(event.secret))
        case hm.FactorConfirmed():
            return _change_factor(
                house, event.name, since_ms=house.at_ms, used=event.step, recovery=frozenset(event.recovery)
            )
        case hm.FactorUsed():
            return _change_factor(house, event.name, used=event.step)
        case hm.RecoveryUsed():
            factor = house.people[event.name].factor
            assert factor is not None, "a recovery code of nobody's was used"
            return _change_factor(house, event.name, recovery=factor.recovery - {event.code_hash})
        case hm.FactorEnded():
            return _change(house, event.name, factor=None)
    return None


def _change(house: HouseState, name: str, **changes: Any) -> HouseState:
    person = msgspec.structs.replace(house.people[name], **changes)
    return msgspec.structs.replace(house, people={**house.people, name: person})


def _change_factor(house: HouseState, name: str, **changes: Any) -> HouseState:
    factor = house.people[name].factor
    assert factor is not None, f"{name} has no second factor"
    return _change(house, name, factor=msgspec.structs.replace(factor, **changes))


def _fold_business(house: HouseState, event: hm.HouseEvent) -> HouseState | None:
    """What is ordered, told, disputed or set; none if the event is about something else."""
    change = msgspec.structs.replace
    match event:
        case hm.OrderGiven():
            return change(house, orders=(*house.orders, event))
        case hm.NoticeSent():
            notice = InboxNotice(
                event.number, event.body, event.table, event.book, event.text, event.act, event.clauses, event.by,
                house.at_ms,
            )  # fmt: skip
            return change(house, notices={**house.notices, event.number: notice})
        case hm.NoticeReceived():
            notice = change(
                house.notices[event.number], received_by=event.by.name, received_ms=house.at_ms, approved=event.approved
            )
            return change(house, notices={**house.notices, event.number: notice})
        case hm.DisputeTaken():
            dispute = TakenDispute(
                event.number, event.player, event.table, event.book, event.matter, event.who, event.step,
                event.clauses, house.at_ms,
            )  # fmt: skip
            return change(house, disputes={**house.disputes, event.number: dispute})
        case hm.DisputeRuled():
            dispute = change(house.disputes[event.number], upheld=event.upheld, reason=event.reason, by=event.by)
            return change(house, disputes={**house.disputes, event.number: dispute})
        case hm.RobotSeated():
            robot = SeatedRobot(event.name, event.table, event.policy)
            return change(house, robots={**house.robots, event.name: robot})
        case hm.RobotRemoved():
            kept = {name: robot for name, robot in house.robots.items() if name != event.name}
            return change(house, robots=kept)
        case hm.DealerNamed():
            return change(house, dealers={**house.dealers, event.table: event.name})
        case hm.TableHeard():
            return change(house, heard={**house.heard, event.table: event.number})
        case hm.EntryWon():
            return change(house, entries_won=(*house.entries_won, event))
        case hm.FilesChecked():
            return change(house, files=event)
        case hm.SecondPersonRequired():
            if event.above is None:
                return change(house, second_person=None)
            return change(house, second_person=SecondPerson(to_grains(event.above), event.minutes * 60_000))
    return None


def find_exclusion(house: HouseState, name: str, game: str, table: str) -> Exclusion | None:
    """What keeps somebody from playing a game at a table, if anything does."""
    person = house.people.get(name)
    for shut in person.exclusions if person is not None else ():
        if shut.casino or shut.table == table or (not shut.table and shut.game == game):
            return shut
    return None
