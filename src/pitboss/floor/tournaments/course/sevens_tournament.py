"""The Magnificent Sevens tournament: who enters, when it is held, its schedule, prizes and bonus, all from its book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from pitboss.floor.house_messages import EntryWon
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.format import PlacePrize, StageKind, TournamentStage
from pitboss.floor.tournaments.tournament_clauses import SEVENS, read_competition, read_term
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_folds import list_in
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import Money
from pitboss.table.messages.askers import SYSTEM, Asker

DAY_MS = 24 * 60 * 60_000
ABOUT_PERCENT = 10
"""By how much a date may be before the day that a book names with "about"."""


def check_calendar(draft: TournamentDraft, number: int) -> None:
    """A tournament is held about every so many days, and later if there are too few entries."""
    days = int(draft.read("about_every_days", 0))
    waited = (draft.now.at_ms - draft.state.entries_opened_ms) // DAY_MS
    if waited < days * (100 - ABOUT_PERCENT) // 100:
        raise draft.refuse(f"a tournament is held about every {days} days; entries are open for {waited}", "calendar")
    sizes = list_sizes(draft.state.book)
    if number not in sizes:
        known = ", ".join(map(str, sizes))
        raise draft.refuse(
            f"there are {number} entrants, and the schedule is for {known}: wait for more entries",
            "calendar", "structure",
        )  # fmt: skip


def list_sizes(book: str) -> list[int]:
    """For how many entrants there is a schedule."""
    return sorted(int(size) for size in read_competition(book, SEVENS)["schedule"])


def plan_sevens(draft: TournamentDraft, number: int) -> tuple[TournamentStage, ...]:
    """The stages that the schedule has for so many entrants; chips and limits are those of the terms."""
    own = draft.state.form.stages[-1]
    found: list[TournamentStage] = []
    for row in _list_rows(draft.state.book, number):
        last = row["round"] == "final"
        found.append(
            replace(
                own, name="final" if last else f"round {row['round']}",
                kind=StageKind.FINAL if last else StageKind.HEAT, tables=int(row["tables"]),
                heats=int(row.get("heats", 1)),
                seats=int(draft.read("players_per_table", 0)), rounds=0, minutes=0,
                shoes=int(draft.read("shoes_per_heat", 0)),
                advance=int(row["entrants"] if last else row["progress_per_table"]),
                next_best=0 if last else int(row["other_top_chip_holders"]),
            )
        )  # fmt: skip
    return tuple(found)


def _list_rows(book: str, number: int) -> list[dict[str, Any]]:
    return list(read_competition(book, SEVENS)["schedule"].get(str(number), ()))


def tell_schedule(book: str) -> Iterator[str]:
    """For each number of entrants how the schedule brings them to the final, and what they play for."""
    for number in list_sizes(book):
        parts = []
        for row in _list_rows(book, number):
            if row["round"] == "final":
                parts.append(f"a final of {row['entrants']}")
                continue
            others = row["other_top_chip_holders"]
            more = f" and {others} others" if others else ""
            heats = f"{row['heats']} heat{'s' * (row['heats'] > 1)}"
            parts.append(f"{row['tables']} tables in {heats}, {row['progress_per_table']} of each{more} go on")
        pool = read_competition(book, SEVENS)["prizes"][str(number)]["pool"]
        yield f"{number} entrants: {'; '.join(parts)}; {pool} in prizes"


def cite_schedule(state: TournamentState) -> tuple[str, ...]:
    """The row of the schedule that a stage follows."""
    if state.format is None or state.form.competition != SEVENS or state.stage < 0:
        return ()
    rows = _list_rows(state.book, count_entrants(state))
    return (str(rows[state.stage]["clause"]),) if state.stage < len(rows) else ()


def cite_whole_schedule(book: str, number: int) -> tuple[str, ...]:
    """Every row of the schedule for so many entrants, and the rows of their prizes."""
    rows = [str(row["clause"]) for row in _list_rows(book, number)]
    return (*rows, *read_competition(book, SEVENS)["prizes"]["clause"]) if rows else ()


def count_entrants(state: TournamentState) -> int:
    """For how many the schedule was chosen when entries closed."""
    return state.stages[0].tables * state.stages[0].seats if state.stages else 0


def find_pool(draft: TournamentDraft, number: int) -> Iterator[tuple[Money, tuple[str, ...]]]:
    """What the operator puts into the pool for so many entrants."""
    table = read_competition(draft.state.book, SEVENS)["prizes"]
    row = table.get(str(number))
    if row is not None:
        clauses = [clause for clause in table["clause"] if clause.endswith(("pool", "8.6"))]
        yield Money(row["pool"]), tuple(clauses)


def list_sevens_prizes(book: str, number: int) -> tuple[tuple[PlacePrize, tuple[str, ...]], ...]:
    """The prizes by place for so many entrants, each with its clauses."""
    table = read_competition(book, SEVENS)["prizes"]
    places = table.get(str(number), {}).get("places", ())
    cited = [clause for clause in table["clause"] if "Table" in clause and not clause.endswith("pool")]
    return tuple(
        [
            (PlacePrize(place=place, amount=Money(amount)), (cited[place - 1],))
            for place, amount in enumerate(places, 1)
        ]
    )  # fmt: skip


def find_bonus(state: TournamentState) -> Money:
    """What every entrant receives as the tournament begins."""
    if state.form.competition != SEVENS:
        return Money(0)
    return Money(read_term(state.book, SEVENS, "entrant_bonus", 0))


def name_hand(table: str, number: int, box: str) -> str:
    """How an entry names the hand that has won it."""
    return f"{table}/{number}/{box}"


def find_grant(streams: Mapping[str, Any], player: str, hand: str) -> str:
    """The tournament that has granted a player the entry of a hand; one that was called off has granted nothing."""
    for stream, other in streams.items():
        if not isinstance(other, TournamentState) or other.phase is TournamentPhase.CANCELLED:
            continue
        if any(entry.won_by == hand and entry.holder == player for entry in other.entries.values()):
            return stream
    return ""


def list_waiting_entries(now: FloorNow, book: str) -> Iterator[EntryWon]:
    """The entries that hands have won and no tournament has granted."""
    for won in now.house.entries_won:
        if won.book == book and not find_grant(now.streams, won.player, name_hand(won.table, won.round, won.box)):
            yield won


def _has_place(state: Any) -> bool:
    if not isinstance(state, TournamentState) or state.phase is not TournamentPhase.ENTRIES:
        return False
    return state.form.competition == SEVENS and len(list_in(state)) < state.form.most_entrants


def _comes_before(other: TournamentState, state: TournamentState) -> bool:
    return other.book == state.book and (other.entries_opened_ms, other.name) < (state.entries_opened_ms, state.name)


def take_up_entries(state: TournamentState, now: FloorNow) -> Iterator[tuple[tc.TournamentCommand, Asker]]:
    """The entries that wait are granted by the tournament that takes entries next: the first that has a place left."""
    if not _has_place(state) or any(
        _has_place(other) and _comes_before(other, state) for other in now.streams.values()
    ):
        return
    for won in tuple(list_waiting_entries(now, state.book)):
        yield tc.GrantEntry(player=won.player, table=won.table, round=won.round, box=won.box), SYSTEM
