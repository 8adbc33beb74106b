"""What the lobby shows: every table with its sign, its places and what it costs, and the clause behind a number.

The edge is that of the main wager with best play, as it was worked out beforehand; what an hour costs follows from the
minimum and about as many rounds as such a table deals. No odds are told at a table in service, only here, before
somebody sits down.
"""

from __future__ import annotations

import functools
from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery

from pitboss.errors import PitbossError
from pitboss.floor.ledger import from_grains
from pitboss.floor.live_table import LiveTable, TableKind
from pitboss.floor.telling.felt_words import describe_felt
from pitboss.money import Money
from pitboss.odds.session_cost import rounds_of_an_hour
from pitboss.rulebooks import find_game, rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.rulebooks.registers import find, load_register
from pitboss.server.web.services import REFUSALS, find_services, find_visitor, list_lines
from pitboss.table.state import Meter

BOXES_IN_PLAY = 5
"""What an hour costs is told for a table with so many boxes in play, or all that it has, as `pitboss cost` does."""


class LobbyTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the lobby shows it."""

    name: str
    game: str
    title: str
    rulebook: str
    kind: TableKind
    players: tuple[str, ...]
    robots: tuple[str, ...]
    number_of_players: int
    places: int
    round: int
    minimum: Money | None
    maximum: Money | None
    stopped: str
    lines: tuple[str, ...]
    """What its layout says: natural, dealer, insurance, and what is special."""
    side_wagers: tuple[str, ...]
    meters: dict[str, Money]
    edge: str | None
    """The house edge on the main wager with best play, in percent; none where it is not known."""
    cost_per_hour: str | None
    """What an hour at the minimum costs on average, with best play."""
    working_out: bool
    """The edge is being worked out: ask again in a while."""
    rounds_per_hour: int
    chips: Money | None
    """What the person who asks has left there."""


class ShownClause(msgspec.Struct, frozen=True):
    """A clause: our summary, and where it stands."""

    book: str
    clause: str
    kind: str
    status: str
    summary: str
    note: str


@functools.cache
def _default_rules(game: str) -> Rules:
    return rules_for(game)


@get("/api/lobby", summary="The tables as the lobby shows them, with their edge", responses=REFUSALS)
async def describe_lobby(request: Request[Any, Any, Any]) -> list[LobbyTable]:
    services = find_services(request.app.state)
    try:
        person = (await find_visitor(request)).name
    except (HTTPException, PitbossError):
        person = ""
    found = []
    for line in await list_lines(services):
        stream = services.desk.slots.get(line.name)
        live: LiveTable | None = None if stream is None else stream.durable.state
        rules = _default_rules(line.game) if live is None else live.table.rules
        felt = describe_felt(rules, None)
        edge, working = services.edges.look_up(rules)
        pace = rounds_of_an_hour(min(BOXES_IN_PLAY, rules.boxes_max), device=rules.card_source == "device")
        cost = None if edge is None or line.minimum is None else float(line.minimum) * edge * pace
        purses = {} if live is None else live.purses
        meters: dict[str, Meter] = {} if live is None else live.table.meters
        found.append(
            LobbyTable(
                name=line.name, game=line.game, title=felt.title, rulebook=find_game(line.game)[0].name,
                kind=line.kind, players=tuple(purses), robots=() if live is None else tuple(sorted(live.robots)),
                number_of_players=line.players, places=rules.boxes_max, round=line.round, minimum=line.minimum,
                maximum=line.maximum, stopped=line.stopped, lines=tuple(item.text for item in felt.lines),
                side_wagers=tuple(spot.name for spot in felt.spots),
                meters={name: meter.value for name, meter in meters.items()},
                edge=None if edge is None else f"{edge * 100:.3f}",
                cost_per_hour=None if cost is None else f"{cost:.2f}", working_out=working,
                rounds_per_hour=round(pace), chips=from_grains(purses[person]) if person in purses else None,
            )
        )  # fmt: skip
    return found


@get("/api/clauses/{book:str}", summary="A clause of a rulebook: our summary and where it stands", responses=REFUSALS)
async def show_clause(book: FromPath[str], clause: FromQuery[str], state: State) -> list[ShownClause]:
    try:
        rows = find(load_register(book), clause)
    except PitbossError:
        rows = ()
    if not rows:
        raise HTTPException(f"{book[:40]} has no clause {clause[:60]}", status_code=404)
    return [ShownClause(book, row.clause, row.kind, row.status, row.summary, row.note) for row in rows]


LOBBY_HANDLERS: tuple[Any, ...] = (describe_lobby, show_clause)
