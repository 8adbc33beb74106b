"""The lab over HTTP: positions, games, side wagers and long work, about cards that somebody has set and no table's.

Everybody may ask, so many times a minute. Whoever has a wager in a round in play at a table in service is not told
what a position is worth until it is over.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

import msgspec
from litestar import Request, delete, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.floor.live_table import TableKind
from pitboss.money import Money, parse_money, parse_stake
from pitboss.odds.advice.board_position import BoardPosition
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.report.lab.lab_answers import BoardAnswer, SidesAnswer, SwitchesAnswer, WorthAnswer
from pitboss.server.lab.lab_desk import LabBusy, LabDesk, LabWork
from pitboss.server.lab.lab_questions import AskBoard, AskSides, AskSwitches, SimulationWish
from pitboss.server.reception import SignedOut
from pitboss.server.storage.rows import FLOOR
from pitboss.server.web.services import REFUSALS, Services, find_services, limit_rate
from pitboss.server.web.socket import find_address, read_token
from pitboss.table.state import Phase

MOST_METERS = 20
Answered = TypeVar("Answered")


class BoardRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A position at a table."""

    choice: TableChoice
    position: BoardPosition


class WorthRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A game; `seen` are cards that have left the shoe."""

    choice: TableChoice
    seen: str = ""
    first: bool = False
    """Answer with what is soon known; `whole` says whether that is all."""


class SidesRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A game, and where the meters of its side wagers stand: `{"supernova.supernova": "12000"}`."""

    choice: TableChoice
    stake: str = "1"
    meters: dict[str, str] = {}


class SwitchesRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A game as it is set."""

    choice: TableChoice


class RulesWorkRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What is each rule of a game worth? `beyond`: rules that no book has, too."""

    choice: TableChoice
    beyond: bool = False


class GamesWorkRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Which of these games costs least?"""

    choices: list[TableChoice]


class SimulationRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Rounds of a game, played."""

    choice: TableChoice
    wish: SimulationWish = SimulationWish()


def find_lab(request: Request[Any, Any, Any]) -> LabDesk:
    """The lab, if this floor has one."""
    lab = find_services(request.app.state).lab
    if lab is None:
        raise HTTPException("this floor has no lab", status_code=404)
    return lab


def ask_lab(request: Request[Any, Any, Any]) -> LabDesk:
    """The lab, for one more question, unless whoever asks has asked too often."""
    lab, services = find_lab(request), find_services(request.app.state)
    address = find_address(request.scope)  # type: ignore[arg-type]
    limit_rate(services, f"lab {address}", services.bounds.lab_per_minute)
    return lab


async def _answer(found: Awaitable[Answered]) -> Answered:
    try:
        return await found
    except LabBusy as busy:
        raise HTTPException(str(busy), status_code=429) from None


async def _refuse_in_play(request: Request[Any, Any, Any]) -> None:
    """No advice for whoever has a hand in play at a table in service."""
    token = read_token(request.scope)  # type: ignore[arg-type]
    services = find_services(request.app.state)
    if not token:
        return
    try:
        visitor = await services.reception.find_visitor(token)
    except SignedOut:
        return
    reason = find_hand_in_play(services, visitor.name)
    if reason:
        raise HTTPException(reason, status_code=409)


def find_hand_in_play(services: Services, person: str) -> str:
    """Why somebody is not advised now: they have a wager in a round in play; nothing if they have none here."""
    for name, stream in services.desk.slots.items():
        if name == FLOOR or not stream.durable.seq:
            continue
        live = stream.durable.state
        state = live.table
        if live.kind is TableKind.PRACTICE or state.phase in (Phase.BETTING, Phase.SETTLED):
            continue
        if any(box.bettor(person) is not None for box in state.boxes):
            clauses = ", ".join(state.rules.clauses("advice"))
            cited = f" ({clauses})" if clauses else ""
            return f"you have a wager in play at table {name}: the lab says what a hand is worth when it is over{cited}"
    return ""


@post("/api/lab/board", summary="What the actions of a position are worth", status_code=200, responses=REFUSALS)
async def price_board(data: JSONBody[BoardRequest], request: Request[Any, Any, Any]) -> BoardAnswer:
    lab = ask_lab(request)
    await _refuse_in_play(request)
    found: BoardAnswer = await _answer(lab.ask(AskBoard(data.choice, data.position)))
    return found


@post("/api/lab/worth", summary="What a game is worth, and its chart", status_code=200, responses=REFUSALS)
async def price_rules(data: JSONBody[WorthRequest], request: Request[Any, Any, Any]) -> WorthAnswer:
    found: WorthAnswer = await _answer(ask_lab(request).ask_worth(data.choice, data.seen, first=data.first))
    return found


@post("/api/lab/side-wagers", summary="What the side wagers of a game are worth", status_code=200, responses=REFUSALS)
async def price_sides(data: JSONBody[SidesRequest], request: Request[Any, Any, Any]) -> SidesAnswer:
    if len(data.meters) > MOST_METERS:
        raise HTTPException(f"at most {MOST_METERS} meters", status_code=400)
    meters = tuple(sorted((name, _read_meter(name, text)) for name, text in data.meters.items()))
    found: SidesAnswer = await _answer(ask_lab(request).ask(AskSides(data.choice, parse_stake(data.stake), meters)))
    return found


def _read_meter(name: str, text: str) -> Money:
    amount = parse_money(text)
    if amount < 0:
        raise HTTPException(f"meter {name[:60]}: {text[:40]} is below zero", status_code=400)
    return amount


@post("/api/lab/switches", summary="Everything about a game that can be switched", status_code=200, responses=REFUSALS)
async def show_switches(data: JSONBody[SwitchesRequest], request: Request[Any, Any, Any]) -> SwitchesAnswer:
    found: SwitchesAnswer = await _answer(ask_lab(request).ask(AskSwitches(data.choice)))
    return found


@post("/api/lab/works/rules", summary="Begin to price every rule of a game", status_code=200, responses=REFUSALS)
async def begin_rules_work(data: JSONBody[RulesWorkRequest], request: Request[Any, Any, Any]) -> LabWork:
    lab = ask_lab(request)
    return await _answer(_begin(lambda: lab.begin_rules(data.choice, beyond=data.beyond)))


@post("/api/lab/works/games", summary="Begin to compare games", status_code=200, responses=REFUSALS)
async def begin_games_work(data: JSONBody[GamesWorkRequest], request: Request[Any, Any, Any]) -> LabWork:
    lab = ask_lab(request)
    return await _answer(_begin(lambda: lab.begin_games(data.choices)))


@post("/api/lab/works/simulation", summary="Begin to play rounds of a game", status_code=200, responses=REFUSALS)
async def begin_simulation_work(data: JSONBody[SimulationRequest], request: Request[Any, Any, Any]) -> LabWork:
    lab = ask_lab(request)
    return await _answer(_begin(lambda: lab.begin_simulation(data.choice, data.wish)))


async def _begin(begin: Any) -> LabWork:
    work: LabWork = begin()
    return work


@get("/api/lab/works/{work:str}", summary="How far a long work has come", responses=REFUSALS)
async def read_work(work: FromPath[str], request: Request[Any, Any, Any]) -> LabWork:
    return _check_work(find_lab(request).find_work(work))


@delete("/api/lab/works/{work:str}", summary="Stop a long work", status_code=200, responses=REFUSALS)
async def stop_work(work: FromPath[str], request: Request[Any, Any, Any]) -> LabWork:
    """What has been found stays."""
    return _check_work(find_lab(request).stop_work(work))


def _check_work(found: LabWork | None) -> LabWork:
    if found is None:
        raise HTTPException("the lab does not know this work any more", status_code=404)
    return found


LAB_HANDLERS: tuple[Any, ...] = (
    price_board, price_rules, price_sides, show_switches, begin_rules_work, begin_games_work, begin_simulation_work,
    read_work, stop_work,
)  # fmt: skip
