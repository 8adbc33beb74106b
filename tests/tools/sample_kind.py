"""A small kind of stream for tests: a club that takes members, keeps sealed notes, draws a member, and counts rounds.

It has a little of everything that a served kind may have: money that moves, a secret, a draw by chance that is handed
in, a clock, and something that it hears of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from pitboss.floor.decided import Decided
from pitboss.floor.ledger import Transfer, Unit, to_grains, wallet
from pitboss.floor.records.kind import FloorNow, Kind, TableDecision, map_tags
from pitboss.money import Money
from pitboss.records.narrate.table_events import Said
from pitboss.table import Refusal
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker

CLUB = "club"
MINUTE_MS = 60_000


class FoundClub(msgspec.Struct, frozen=True, tag="found", kw_only=True):
    title: str
    fee: Money
    table: str = ""
    open_minutes: int = 0
    rounds: int = 3
    """How many rounds it can count."""


class JoinClub(msgspec.Struct, frozen=True, tag="join", kw_only=True):
    player: str


class SealNote(msgspec.Struct, frozen=True, tag="seal-note", kw_only=True):
    player: str
    text: str


class DrawMember(msgspec.Struct, frozen=True, tag="draw", kw_only=True):
    role: str
    person: str


class CloseClub(msgspec.Struct, frozen=True, tag="close-entries", kw_only=True):
    pass


class CountRound(msgspec.Struct, frozen=True, tag="count-round", kw_only=True):
    pass


class Founded(msgspec.Struct, frozen=True, tag="founded", kw_only=True):
    title: str
    fee: Money
    table: str
    closes_ms: int | None
    rounds: int


class Joined(msgspec.Struct, frozen=True, tag="joined", kw_only=True):
    player: str


class NoteSealed(msgspec.Struct, frozen=True, tag="note-sealed", kw_only=True):
    player: str
    text: str


class MemberDrawn(msgspec.Struct, frozen=True, tag="member-drawn", kw_only=True):
    player: str
    chance: bytes


class EntriesClosed(msgspec.Struct, frozen=True, tag="entries-closed", kw_only=True):
    pass


class RoundCounted(msgspec.Struct, frozen=True, tag="round-counted", kw_only=True):
    pass


Event = Founded | Joined | NoteSealed | MemberDrawn | EntriesClosed | RoundCounted


class ClubState(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str = ""
    fee: Money = Money(0)
    table: str = ""
    closes_ms: int | None = None
    members: tuple[str, ...] = ()
    notes: dict[str, str] = {}
    drawn: str = ""
    chance: bytes = b""
    rounds: int = 0
    most_rounds: int = 0


def _begin(name: str, book: str) -> ClubState:
    return ClubState(name=name)


def _pool(club: ClubState) -> str:
    return f"pool:{club.name}"


def _decide(club: ClubState, command: Any, by: Asker, now: FloorNow) -> Decided[Any, ClubState] | Refusal:
    events: tuple[Any, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    match command:
        case FoundClub():
            if by.role == PLAYER:
                return Refusal("a club is founded by staff", ("1.1",))
            if command.table and command.table not in now.tables:
                return Refusal(f"there is no table {command.table}", ())
            closes = now.at_ms + command.open_minutes * MINUTE_MS if command.open_minutes else None
            own: dict[str, Any] = {
                "title": command.title,
                "fee": command.fee,
                "table": command.table,
                "rounds": command.rounds,
            }
            events = (Founded(**own, closes_ms=closes),)
        case _ if not club.title:
            return Refusal("there is no club yet", ())
        case JoinClub():
            if command.player in club.members:
                return Refusal("already a member", ("1.2",))
            if command.player not in now.house.people:
                return Refusal("nobody knows them", ())
            if now.funds(wallet(command.player)) < to_grains(club.fee):
                return Refusal("the fee is not in the wallet", ("1.3",))
            events = (Joined(player=command.player),)
            transfers = (Transfer(wallet(command.player), _pool(club), to_grains(club.fee), clauses=("1.3",)),)
        case SealNote():
            events = (NoteSealed(player=command.player, text=command.text),)
        case DrawMember():
            if not club.members:
                return Refusal("nobody can be drawn", ())
            index = int.from_bytes(now.entropy) % len(club.members)
            events = (MemberDrawn(player=club.members[index], chance=now.entropy),)
            pot = now.balances.get((_pool(club), Unit.CHIP), 0)
            transfers = (Transfer(_pool(club), wallet(club.members[index]), pot),) if pot else ()
        case CloseClub():
            events = (EntriesClosed(),)
        case CountRound():
            if club.rounds >= club.most_rounds:
                return Refusal(f"{club.most_rounds} rounds are enough", ())
            events = (RoundCounted(),)
    state = club
    for event in events:
        state = _evolve(state, event, now.at_ms)
    return Decided(events, state, transfers)


def _evolve(club: ClubState, event: Event, at_ms: int) -> ClubState:
    change = msgspec.structs.replace
    match event:
        case Founded():
            club = change(club, title=event.title, fee=event.fee, table=event.table, most_rounds=event.rounds)
            return change(club, closes_ms=event.closes_ms)
        case Joined():
            return change(club, members=(*club.members, event.player))
        case NoteSealed():
            return change(club, notes={**club.notes, event.player: event.text})
        case MemberDrawn():
            return change(club, drawn=event.player, chance=event.chance)
        case EntriesClosed():
            return change(club, closes_ms=None)
        case RoundCounted():
            return change(club, rounds=club.rounds + 1)
    raise AssertionError(event)


def _narrate(club: ClubState, event: Event) -> Iterator[Said]:
    match event:
        case Founded():
            yield Said(f"{event.title} is founded", ("1.1",))
        case Joined():
            yield Said(f"{event.player} joins", ("1.3",))
        case NoteSealed():
            yield Said(f"{event.player} seals {event.text}", ())
        case MemberDrawn():
            yield Said(f"{event.player} is drawn", ())
        case EntriesClosed():
            yield Said("entries close", ())
        case RoundCounted():
            yield Said(f"round {club.rounds + 1} is counted", ())


def _describe(club: ClubState) -> Mapping[str, Any]:
    return {"members": list(club.members), "drawn": club.drawn, "rounds": club.rounds}


def _show(club: ClubState, by: Asker) -> Mapping[str, Any]:
    shown: dict[str, Any] = {
        "title": club.title, "fee": club.fee, "members": club.members, "drawn": club.drawn, "rounds": club.rounds,
        "open": club.closes_ms is not None,
    }  # fmt: skip
    if by.role != PLAYER:
        shown["notes"] = club.notes
    elif by.name in club.notes:
        shown["note"] = club.notes[by.name]
    return shown


def _is_told(club: ClubState, event: Event, by: Asker) -> bool:
    return by.role != PLAYER or isinstance(event, Founded | MemberDrawn)


def _ask_at(club: ClubState, at_ms: int) -> Iterable[tuple[Any, Asker]]:
    return [(CloseClub(), SYSTEM)] if club.closes_ms is not None and club.closes_ms <= at_ms else []


def _hear(club: ClubState, decision: TableDecision, now: FloorNow) -> Iterable[tuple[Any, Asker]]:
    if club.table == decision.before.name:
        for event in decision.events:
            if isinstance(event, ev.RoundBegan):
                yield CountRound(), SYSTEM


CLUB_KIND = Kind(
    word=CLUB,
    commands=map_tags((FoundClub, JoinClub, SealNote, DrawMember, CloseClub, CountRound)),
    begin=_begin,
    decide=_decide,
    evolve=_evolve,
    narrate=_narrate,
    describe=_describe,
    events=(Founded, Joined, NoteSealed, MemberDrawn, EntriesClosed, RoundCounted),
    state=ClubState,
    show=_show,
    is_told=_is_told,
    find_next_moment=lambda club: club.closes_ms,
    ask_at=_ask_at,
    hear_table=_hear,
    list_duties=lambda club, at_ms: () if club.drawn else ("a member is drawn",),
)
