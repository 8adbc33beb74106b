"""The version of Magnificent Sevens as a kind of stream.

All tables that offer the wager offer it in one version: a table with another one is closed. A change is announced by a
notice, all games close, and only after a while may they open again. Towards the version that grants no entries nothing
changes while a tournament that has entries takes more, or an entry waits for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from pitboss.floor.decided import Decided
from pitboss.floor.house_orders import check_role
from pitboss.floor.live_table import LiveTable
from pitboss.floor.moments import is_moment, tell_time
from pitboss.floor.records.kind import FloorNow, Kind, map_tags
from pitboss.floor.sevens import version_messages as vm
from pitboss.floor.telling.won_entries import OPTION
from pitboss.floor.tournaments.course.sevens_tournament import list_waiting_entries
from pitboss.floor.tournaments.tournament_clauses import SEVENS, read_competition
from pitboss.floor.tournaments.tournament_draft import read_ladder
from pitboss.floor.tournaments.tournament_state import EntryStatus, TournamentPhase, TournamentState
from pitboss.records.narrate.table_events import Said
from pitboss.rulebooks.model.rules import Authority
from pitboss.table import Refusal
from pitboss.table.authority import authorise
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.messages.order_commands import CloseTable
from pitboss.table.state import Phase

SEVENS_VERSION = "sevens-version"
MINUTE_MS = 60_000
MOST_NOTICE = 60 * 24 * 366
"""In minutes."""
POWERS = "change-to-magnificent-sevens-version-"


def _begin(name: str, book: str) -> vm.VersionState:
    return vm.VersionState(name=name, book=book)


def _find_power(state: vm.VersionState, version: int) -> Authority:
    """The power of the book to go over to a version; its clauses are those of the change."""
    power = read_ladder(state.book).authority.get(f"{POWERS}{version}")
    if power is None:
        raise Refused(f"the book {state.book} has no version {version} of Magnificent Sevens")
    return power


def _check_asker(state: vm.VersionState, by: Asker, now: FloorNow, version: int) -> tuple[str, ...]:
    power = _find_power(state, version)
    if by == HOUSE:
        return power.clauses
    cited = authorise(read_ladder(state.book), by.role, power.id, given=power.needs)
    check_role(now.house, by, state.book)
    return cited


def _decide(
    state: vm.VersionState, command: vm.VersionCommand, by: Asker, now: FloorNow
) -> Decided[vm.VersionEvent, vm.VersionState] | Refusal:
    try:
        event = _answer(state, command, by, now)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    return Decided((event,), _evolve(state, event, now.at_ms))


def _answer(state: vm.VersionState, command: vm.VersionCommand, by: Asker, now: FloorNow) -> vm.VersionEvent:
    match command:
        case vm.DeclareVersion():
            clauses = _check_asker(state, by, now, command.version)
            if state.version:
                raise Refused(f"version {state.version} is in play: announce another one", clauses)
            return vm.VersionDeclared(version=command.version, clauses=clauses)
        case vm.AnnounceVersion():
            return _announce(state, command, _check_asker(state, by, now, command.version), now)
    if not state.coming:
        raise Refused("no other version is announced", _find_power(state, state.version or 1).clauses)
    clauses = _check_asker(state, by, now, state.coming)
    if isinstance(command, vm.CloseGames):
        return _close(state, clauses, now)
    if not state.closed_ms:
        raise Refused("all games close before the other version opens", clauses)
    if _list_open(now, state.book):
        raise Refused(f"games are still open: {', '.join(_list_open(now, state.book))}", clauses)
    if now.at_ms < state.closed_ms + state.closed_for_ms:
        raise Refused(f"games stay closed until {tell_time(state.closed_ms + state.closed_for_ms)}", clauses)
    return vm.VersionOpened(version=state.coming, clauses=clauses)


def _announce(
    state: vm.VersionState, command: vm.AnnounceVersion, clauses: tuple[str, ...], now: FloorNow
) -> vm.VersionAnnounced:
    if state.version in (0, command.version):
        already = "nobody has said which version is in play" if not state.version else "this version is in play"
        raise Refused(already, clauses)
    if not all(1 <= minutes <= MOST_NOTICE for minutes in (command.notice_minutes, command.closed_minutes)):
        raise Refused(f"a notice stands for 1 to {MOST_NOTICE} minutes, and games stay closed for as many", clauses)
    if not is_moment(command.start):
        raise Refused("games close for another version before the year 2100", clauses)
    if _needs_date(state, command.version) and command.start <= now.at_ms:
        raise Refused("name the date and time at which games close", clauses)
    return vm.VersionAnnounced(
        version=command.version, start=command.start, notice_minutes=command.notice_minutes,
        closed_minutes=command.closed_minutes, clauses=clauses,
    )  # fmt: skip


def _needs_date(state: vm.VersionState, version: int) -> bool:
    return "date" in _find_power(state, version).needs


def _close(state: vm.VersionState, clauses: tuple[str, ...], now: FloorNow) -> vm.GamesClosed:
    if state.closed_ms:
        raise Refused("all games are already closed", clauses)
    if now.at_ms < state.announced_ms + state.notice_ms:
        raise Refused(f"the notice stands until {tell_time(state.announced_ms + state.notice_ms)}", clauses)
    if now.at_ms < state.start_ms:
        raise Refused(f"games close at {tell_time(state.start_ms)}", clauses)
    grants = int(read_competition(state.book, SEVENS)["entry"]["version"])
    if state.coming != grants and (waiting := _find_undecided(now, state.book)):
        raise Refused(waiting, clauses)
    return vm.GamesClosed(clauses=clauses)


def _find_undecided(now: FloorNow, book: str) -> str:
    """Why the final entry is not determined although hands have won some; empty if none is won, or all are."""
    for stream, other in now.streams.items():
        if not isinstance(other, TournamentState) or other.format is None or other.form.competition != SEVENS:
            continue
        if other.phase is TournamentPhase.ENTRIES and any(e.status is EntryStatus.IN for e in other.entries.values()):
            return f"{stream} still takes entries, and has some: its last one is not determined yet"
    waiting = [won.player for won in list_waiting_entries(now, book)]
    return f"the entry of {waiting[0]} waits for a tournament" if waiting else ""


def _find_version(live: LiveTable) -> int:
    """The version that a table offers; 0 if it does not offer the wager."""
    rules = live.table.rules
    wager = str(read_competition(rules.book, SEVENS).get("side_wager", {}).get("value", ""))
    if rules.side_wager(wager) is None:
        return 0
    return int(rules.options.get(OPTION) or 0)


def _list_open(now: FloorNow, book: str) -> list[str]:
    """The tables that offer the wager and are open."""
    return [
        name
        for name, live in now.tables.items()
        if live.table.rules.book == book and _find_version(live) and not live.table.floor.closed
    ]


def _evolve(state: vm.VersionState, event: vm.VersionEvent, at_ms: int) -> vm.VersionState:
    match event:
        case vm.VersionDeclared():
            return replace(state, version=event.version)
        case vm.VersionAnnounced():
            return replace(
                state, coming=event.version, announced_ms=at_ms, start_ms=event.start,
                notice_ms=event.notice_minutes * MINUTE_MS, closed_for_ms=event.closed_minutes * MINUTE_MS,
            )  # fmt: skip
        case vm.GamesClosed():
            return replace(state, closed_ms=at_ms)
        case vm.VersionOpened():
            return vm.VersionState(name=state.name, book=state.book, version=event.version)
    return state


def _ask_tables(state: vm.VersionState, now: FloorNow) -> Iterator[tuple[str, CloseTable, Asker]]:
    """Tables with another version close, and all of them while the version changes."""
    for name in _list_open(now, state.book):
        live = now.tables[name]
        if not state.version or (_find_version(live) == state.version and not state.closed_ms):
            continue
        if live.table.phase not in (Phase.BETTING, Phase.SETTLED):
            continue
        role = live.table.rules.ladder[-1].id
        yield name, CloseTable(role=role, person="", reason="another version of Magnificent Sevens"), Asker(role)


def _tell(state: vm.VersionState, event: vm.VersionEvent) -> Iterator[Said]:
    match event:
        case vm.VersionDeclared():
            yield Said(f"Version {event.version} of Magnificent Sevens is in play at all tables", event.clauses)
        case vm.VersionAnnounced():
            when = f" at {tell_time(event.start)}" if event.start else ""
            yield Said(f"A notice says that version {event.version} comes{when}", event.clauses)
        case vm.GamesClosed():
            yield Said("All games of Magnificent Sevens close", event.clauses)
        case vm.VersionOpened():
            yield Said(f"Games may open with version {event.version}", event.clauses)


def _describe(state: vm.VersionState) -> Mapping[str, Any]:
    return {"version": state.version, "coming": state.coming, "closed": bool(state.closed_ms)}


def _show(state: vm.VersionState, by: Asker) -> Mapping[str, Any]:
    return {**_describe(state), "title": "Magnificent Sevens", "start_ms": state.start_ms}


def _is_told(state: vm.VersionState, event: vm.VersionEvent, by: Asker) -> bool:
    """A notice is there for everybody."""
    return True


def _list_duties(state: vm.VersionState, at_ms: int) -> Iterator[str]:
    if state.closed_ms:
        yield f"version {state.coming} opens"


VERSION_KIND = Kind(
    word=SEVENS_VERSION,
    commands=map_tags(vm.VERSION_COMMANDS),
    begin=_begin,
    decide=_decide,
    evolve=_evolve,
    narrate=_tell,
    describe=_describe,
    events=vm.VERSION_EVENTS,
    state=vm.VersionState,
    show=_show,
    is_told=_is_told,
    list_duties=_list_duties,
    ask_tables=_ask_tables,
)
