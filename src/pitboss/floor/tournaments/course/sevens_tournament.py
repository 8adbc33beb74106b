"""The Magnificent Sevens tournament: who enters, when it is held, its schedule, prizes and bonus, all from its book."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from pitboss.floor.records.kind import FloorNow, TableDecision
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.format import PlacePrize, StageKind, TournamentStage
from pitboss.floor.tournaments.tournament_clauses import SEVENS, read_competition, read_term
from pitboss.floor.tournaments.tournament_draft import TournamentDraft
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import Money
from pitboss.table.messages import events as ev
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


def hear_sevens(
    state: TournamentState, decision: TableDecision, now: FloorNow
) -> Iterator[tuple[tc.TournamentCommand, Asker]]:
    """The entries that hands at a table have just won, while entries are open."""
    if state.phase is not TournamentPhase.ENTRIES or state.format is None or state.format.competition != SEVENS:
        return
    terms = read_competition(state.book, SEVENS)
    rules = decision.after.table.rules
    version = rules.options.get("magnificent_sevens_version")
    if rules.book != state.book or version != terms["entry"]["version"]:
        return
    wager, outcome = terms["side_wager"]["value"], terms["entry"]["value"]
    for event in decision.events:
        if isinstance(event, ev.SideSettled):
            settled = event.settlement
            if settled.wager == wager and settled.outcome == outcome and settled.net > 0:
                yield (
                    tc.GrantEntry(
                        player=settled.player, table=decision.after.name, round=decision.after.table.round,
                        box=settled.box,
                    ),
                    SYSTEM,
                )  # fmt: skip
