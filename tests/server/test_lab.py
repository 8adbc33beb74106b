"""The lab: what it answers over HTTP, that it stands apart from tables, and how much of it there is at once."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from floor_server import Served, open_floor, play_to_a_decision, seat

from pitboss.odds.analysis import analyse
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.rulebooks import rules_for
from pitboss.server.client import ClientError, call
from pitboss.server.lab import lab_desk
from pitboss.server.lab.lab_desk import LabBusy, LabDeclined, LabDesk
from pitboss.server.lab.lab_questions import AskBoard, AskFigures, SimulationWish
from pitboss.server.robots.coach import Coach

PATIENCE_S = 300
GAME = {"game": "perth/blackjack"}


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab gives way to nobody here: other tests are no tables."""
    monkeypatch.setattr(lab_desk, "QUICK_NICENESS", "0")
    monkeypatch.setattr(lab_desk, "SLOW_NICENESS", "0")


def serve(folder: Path, story: Callable[[Served], Awaitable[None]]) -> None:
    """A floor for a story; kernels may have to be compiled first."""

    async def run() -> None:
        async with open_floor(folder) as served:
            await asyncio.wait_for(story(served), PATIENCE_S)

    asyncio.run(run())


async def post(served: Served, path: str, body: dict[str, Any], token: str = "") -> Any:
    return (await call(served.address, "POST", path, body, token))[0]


async def wait_for(served: Served, work: dict[str, Any]) -> dict[str, Any]:
    """A long work when it is over."""
    while work["state"] == "running":
        await asyncio.sleep(0.02)
        work = (await call(served.address, "GET", f"/api/lab/works/{work['id']}"))[0]
    return work


@pytest.mark.slow
def test_the_lab_answers_and_refuses_in_one_line(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        position = {"boxes": ["Ts 6h"], "up": "Td", "stake": "25"}
        board = await post(served, "/api/lab/board", {"choice": GAME, "position": position})
        assert board["sentence"] == "Box 1: 16 against a ten."
        worths = {action["action"]: action for action in board["actions"]}
        assert worths["hit"]["best"]
        assert not worths["stand"]["best"]
        assert worths["stand"]["money"]["value"] == pytest.approx(25 * worths["stand"]["worth"]["value"])
        assert worths["stand"]["money"]["text"].startswith("-14.")
        assert {refused["action"] for refused in board["refused"]} >= {"split", "double"}
        assert all(refused["clauses"] for refused in board["refused"] if refused["action"] == "double")
        assert "perth/blackjack" in board["record"]

        first = await post(served, "/api/lab/worth", {"choice": GAME, "seen": "5 5 5 5", "first": True})
        by_the_book = await post(served, "/api/lab/worth", {"choice": GAME, "first": True})
        worth = await post(served, "/api/lab/worth", {"choice": GAME, "seen": "5 5 5 5"})
        assert [figure["number"]["text"] for figure in by_the_book["figures"]] == ["0.5882 %"]
        assert by_the_book["chart"] == worth["chart"]
        known = {figure["id"]: figure for figure in first["figures"]}
        assert (first["whole"], worth["whole"]) == (False, True)
        assert known == {figure["id"]: figure for figure in worth["figures"] if figure["id"] in known}
        assert set(known) == {"edge", "by-chart", "shoe"}
        assert (first["chart"], first["by_up_card"]) == (worth["chart"], worth["by_up_card"])
        assert await post(served, "/api/lab/worth", {"choice": GAME, "seen": "5 5 5 5", "first": True}) == worth
        figures = {figure["id"]: figure["number"] for figure in worth["figures"]}
        assert figures["edge"]["value"] == pytest.approx(analyse(rules_for("perth/blackjack")).house_edge, abs=1e-12)
        assert figures["shoe"]["value"] < figures["edge"]["value"], "fives that are gone help the player"
        assert not any(cell["was"] for block in worth["chart"] for row in block["rows"] for cell in row["cells"])
        changed = {"choice": {**GAME, "changes": {"double_totals": "any-below-21"}}}
        varied = await post(served, "/api/lab/worth", changed)
        cells = [cell for block in varied["chart"] for row in block["rows"] for cell in row["cells"]]
        assert any(cell["was"] for cell in cells), "cells that have changed say what they were"

        switches = await post(served, "/api/lab/switches", {"choice": GAME})
        by_name = {switch["name"]: switch for switch in switches["switches"]}
        assert by_name["decks"]["kind"] == "option"
        assert by_name["dealer_hits_soft_17"]["kind"] == "change"
        sides = await post(served, "/api/lab/side-wagers", {"choice": GAME})
        assert {wager["id"] for wager in sides["wagers"]} >= {"insurance", "perfect-pairs"}

        for path, body, said in (
            ("board", {"choice": {"game": "perth/chess"}, "position": position}, "chess"),
            ("board", {"choice": GAME, "position": {**position, "stake": "-1"}}, "-1"),
            ("worth", {"choice": {**GAME, "changes": {"tie": "win"}}}, "tie"),
            ("side-wagers", {"choice": GAME, "meters": {"x": "-5"}}, "below zero"),
            ("works/simulation", {"choice": GAME, "wish": {"rounds": 10**12}}, "50,000,000"),
            ("works/simulation", {"choice": GAME, "wish": {"strategy": "../secret"}}, "secret"),
        ):
            with pytest.raises(ClientError) as refused:
                await post(served, f"/api/lab/{path}", body)
            assert said in str(refused.value)

    serve(tmp_path, story)


@pytest.mark.slow
def test_long_work_comes_step_by_step_and_can_be_stopped(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        begun = await post(served, "/api/lab/works/games", {"choices": [GAME, {"game": "perth/plus"}]})
        games = await wait_for(served, begun)
        assert [row["game"] for row in games["games"]] == ["perth/blackjack", "perth/plus"]
        begun = await post(served, "/api/lab/works/rules", {"choice": GAME})
        while not begun["rules"]:
            await asyncio.sleep(0.02)
            begun = (await call(served.address, "GET", f"/api/lab/works/{begun['id']}"))[0]
        stopped = (await call(served.address, "DELETE", f"/api/lab/works/{begun['id']}"))[0]
        assert stopped["state"] == "stopped"
        assert stopped["rules"][0]["difference"]["text"].endswith("%")
        wish = {"rounds": 300_000, "fresh_shoe": True}
        done = await wait_for(served, await post(served, "/api/lab/works/simulation", {"choice": GAME, "wish": wish}))
        found = done["simulation"]
        assert (done["state"], found["rounds"]["value"]) == ("done", 300_000)
        error = (found["high"]["value"] - found["low"]["value"]) / 3.92
        assert abs(found["edge"]["value"] - found["exact"]["value"]) < 5 * error

    serve(tmp_path, story)


@pytest.mark.slow
def test_nobody_with_a_hand_in_play_is_told_what_a_position_is_worth(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            body = {"choice": GAME, "position": {"boxes": ["Ts 6h"], "up": "Td"}}
            await post(served, "/api/lab/board", body, ann.token)
            await play_to_a_decision(ann, "t")
            with pytest.raises(ClientError, match="wager in play at table t"):
                await post(served, "/api/lab/board", body, ann.token)

    serve(tmp_path, story)


def test_a_floor_without_a_lab_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_floor(tmp_path, lab=False) as served:
            with pytest.raises(ClientError, match="no lab"):
                await post(served, "/api/lab/worth", {"choice": GAME})
            uses = (await call(served.address, "GET", "/api/library/uses?book=perth&clause=4.21"))[0]
            assert uses == {"uses": [], "searched": 0, "pending": 0}

    asyncio.run(run())


ECHO = (
    "from pitboss.server.question_worker import serve_questions\n"
    "def answer(question):\n"
    "    return getattr(question, 'choice', question)\n"
    "serve_questions(answer)\n"
)
"""A process that answers with what it was asked about."""


def test_too_many_questions_at_once_are_refused_and_the_same_one_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab_desk, "WORKER", (sys.executable, "-c", ECHO))
    monkeypatch.setattr(lab_desk, "MOST_WAITING", 2)

    async def run() -> None:
        desk = LabDesk()
        tables = [TableChoice(f"game-{number}") for number in range(3)]
        try:
            asked = [asyncio.create_task(desk.ask(AskFigures(choice))) for choice in (tables[0], tables[0], tables[1])]
            await asyncio.sleep(0)
            with pytest.raises(LabBusy):
                await desk.ask(AskFigures(tables[2]))
            assert await asyncio.gather(*asked) == [tables[0], tables[0], tables[1]]
            assert await desk.ask(AskFigures(tables[2])) == tables[2]
            begun = [desk.begin_simulation(tables[0], SimulationWish()) for _ in range(lab_desk.MOST_WORKS)]
            with pytest.raises(LabBusy):
                desk.begin_simulation(tables[0], SimulationWish())
            assert desk.stop_work(begun[0].id) is begun[0]
            desk.begin_simulation(tables[0], SimulationWish())
            with pytest.raises(LabDeclined):
                desk.begin_games([tables[0]] * (lab_desk.MOST_GAMES + 1))
        finally:
            desk.close()

    asyncio.run(run())


def test_the_lab_has_processes_of_its_own_and_begins_none_before_it_is_asked() -> None:
    desk, coach = LabDesk(), Coach()
    try:
        assert desk._quick.worker is not coach._worker
        assert desk._quick.worker._process is None
        assert AskBoard.__name__ not in type(coach).__dict__
    finally:
        desk.close()
        coach.close()
