"""Robots that fill seats: they go the way that people go, play by what they are called, and give way to people."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_desk import Bench
from floor_server import Served, seat, serve, take_office

from pitboss.floor import house_messages as hm
from pitboss.floor.dealing_machine import find_deadline
from pitboss.floor.desks.full_layout import choose_side_wagers
from pitboss.floor.documents import describe_private, describe_public
from pitboss.floor.live_table import TableKind
from pitboss.odds.advice.advise import advise
from pitboss.rulebooks import games
from pitboss.server.client import AskRefused, Client
from pitboss.server.hub import list_options
from pitboss.server.live_stream import Answer, Done
from pitboss.server.robots.coach import LayoutQuestion, answer_question
from pitboss.server.robots.robot_brain import RobotBrain
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.serving import TableWish
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key
from pitboss.table import Phase, Refusal
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.meters import default_meters
from pitboss.table.shoe.shoe_views import count_unseen


def audit(folder: Path) -> Any:
    return audit_floor(f"sqlite:///{folder}/floor.db", load_key(folder / "floor.key", make=False))


async def play_alone(client: Client, rounds: int, box: str = "1", policy: str = "thumb") -> None:
    await asyncio.wait_for(TableRobot(client.tables["t"], box, policy=policy).play(rounds), 600)


def test_robots_play_beside_a_person_and_stop_when_nobody_is_there(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        desk = served.floor.desk
        async with seat(served, "ann") as (ann,):
            table = ann.tables["t"]
            while len(table.public["robots"]) < 3:
                await table.wait_for_change()
            assert [name.rsplit("-", 1)[0] for name in table.public["robots"]] == [
                "robot-chart", "robot-optimum", "robot-random",
            ]  # fmt: skip
            await play_alone(ann, 4)
            await table.ask({"type": "leave-table"})
        before = desk.slots["t"].durable.state.table.round
        await asyncio.sleep(0.5)
        live = desk.slots["t"].durable.state
        assert live.table.round == before, "robots play alone"
        assert find_deadline(live) is None
        log = await asyncio.to_thread(lambda: list(desk.store.read_log("t")))
        robots = {row.actor for row in log if row.actor.startswith("robot-") and row.command_id}
        assert len(robots) == 3, "a robot has no ids"

    serve(tmp_path, story, robots=3, database=address)
    found = audit_floor(address, load_key(tmp_path / "floor.key", make=False))
    assert found.ok, found.found
    assert found.rounds >= 4


def test_the_administrator_seats_robots_and_has_them_go(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        with pytest.raises(AskRefused, match="a machine deals"):
            await root.ask_floor({"type": "seat-robot", "table": "pit", "reason": "x"}, role="administrator")
        order = {"type": "seat-robot", "table": "t", "policy": "thumb", "reason": "a quiet night"}
        await root.ask_floor(order, role="administrator")
        table = await root.watch("t")
        while table.public["robots"] != ["robot-thumb-1"]:
            await table.wait_for_change()
        remove = {"type": "remove-robot", "name": "robot-thumb-1", "reason": "a busy night"}
        await root.ask_floor(remove, role="administrator")
        while table.public["robots"]:
            await table.wait_for_change()
        for _ in range(200):
            if not served.floor.desk.find_wallet("robot-thumb-1"):
                break
            await asyncio.sleep(0.02)
        assert not served.floor.desk.find_wallet("robot-thumb-1"), "the cage has not taken its chips back"
        with pytest.raises(AskRefused, match="no robot"):
            await root.ask_floor(remove, role="administrator")
        await root.close()

    serve(
        tmp_path,
        story,
        tables=(TableWish("t", "perth/blackjack"), TableWish("pit", "perth/blackjack", TableKind.PERSON)),
    )
    assert audit(tmp_path).ok


@pytest.mark.parametrize("policy", ["optimum", "chart", "random", "thumb"])
def test_a_client_plays_by_any_policy(tmp_path: Path, policy: str) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            await play_alone(ann, 2, policy=policy)

    serve(tmp_path, story)


class Seats(Bench):
    """A desk with robots in its house."""

    def seat(self, policy: str = "chart", by: Asker = HOUSE) -> Answer:
        heard: list[Answer] = []
        self.asked += 1
        order = hm.SeatRobot(table="t", policy=hm.RobotPolicy(policy), reason="x")
        self.desk.ask_house(by, f"seat {self.asked}", order, heard.append)
        self.desk.store_line()
        return heard[0]


@pytest.fixture
def seats(tmp_path: Path) -> Seats:
    bench = Seats(f"sqlite:///{tmp_path}/floor.db")
    bench.open("t", "perth/blackjack", ("ann",))
    assert isinstance(bench.seat(), Done)
    bench.do("t", "robot-chart-1", {"type": "buy-in", "amount": "500"})
    return bench


def make_ready_to_bet(seats: Seats) -> None:
    for _ in range(50):
        state = seats.live("t").table
        if state.shoe.stage == "open" and not state.shoe.due and not state.shoe.asked and state.shoe.left:
            return
        seats.now_ms += 30_000
        seats.desk.run_clocks()
    raise AssertionError("the shoe is not ready")


def test_a_robot_gives_way_when_a_person_wants_its_box(seats: Seats) -> None:
    make_ready_to_bet(seats)
    assert isinstance(seats.do("t", "robot-chart-1", {"type": "place-bet", "box": "3", "amount": "5"}), Done)
    assert isinstance(seats.do("t", "ann", {"type": "place-bet", "box": "3", "amount": "5"}), Done)
    assert [(bet.box, bet.player) for bet in seats.live("t").table.bets] == [("3", "ann")]


def test_robots_alone_are_not_dealt_to(seats: Seats) -> None:
    make_ready_to_bet(seats)
    seats.do("t", "robot-chart-1", {"type": "place-bet", "box": "3", "amount": "5"})
    seats.do("t", "robot-chart-1", {"type": "ready"})
    seats.do("t", "ann", {"type": "ready"})
    seats.now_ms += 3_600_000
    seats.desk.run_clocks()
    assert seats.live("t").table.phase is Phase.BETTING
    seats.do("t", "ann", {"type": "place-bet", "box": "1", "amount": "5"})
    seats.now_ms += 3_600_000
    seats.desk.run_clocks()
    assert seats.live("t").table.phase is not Phase.BETTING


def test_nobody_else_has_the_name_of_a_robot(seats: Seats) -> None:
    for kind in hm.PersonKind:
        heard: list[Answer] = []
        add = hm.AddPerson(name="robot-best-9", kind=kind, password_hash="#")
        seats.desk.ask_house(HOUSE, f"add {kind}", add, heard.append)
        assert isinstance(heard[0], Refusal)
    assert isinstance(seats.seat(by=Asker("player", "ann")), Refusal)


def test_a_table_has_so_many_robots_and_no_more(seats: Seats) -> None:
    for _ in range(4):
        assert isinstance(seats.seat(), Done)
    answer = seats.seat()
    assert isinstance(answer, Refusal)
    assert answer.reason == "5 robots sit at this table"


# ---------------------------------------------------------------------- what they choose


@pytest.mark.parametrize("game", games())
def test_every_choice_of_a_robot_is_granted(tmp_path: Path, game: str) -> None:
    """By chart, by best play, by thumb and at random: what they pick is among what the server lists."""
    bench = Bench(f"sqlite:///{tmp_path}/floor.db", seed=4)
    names = {"ann": "chart", "bob": "optimum", "cyd": "random"}
    rules = choose_side_wagers(game)
    bench.open("t", rules, tuple(names), default_meters(rules))
    brains = {
        name: RobotBrain(name, hm.RobotPolicy(policy), box=str(box), seed=box)
        for box, (name, policy) in enumerate(names.items(), 1)
    }
    chance = random.Random(1)
    decided, questions = set(), 0
    for _ in range(400):
        if bench.live("t").table.round > 3:
            break
        moved = False
        for name in chance.sample(list(names), 3):
            live = bench.live("t")
            public = msgspec.json.decode(msgspec.json.encode(describe_public(live)))
            public = {key: value for key, value in public.items() if value is not None}
            private = msgspec.json.decode(msgspec.json.encode(describe_private(live, name, list_options(live))))
            chosen = brains[name].choose(public, private)
            if isinstance(chosen, LayoutQuestion):
                questions += 1
                best = answer_question(chosen).best if questions <= 3 else ""
                chosen = brains[name].take_advice(public, private, best)
            if chosen is None:
                continue
            answer = bench.do("t", name, chosen)
            assert isinstance(answer, Done), (name, chosen, answer)
            decided.add((name, chosen["type"]))
            moved = True
        if not moved:
            bench.now_ms += 1_000
            bench.desk.run_clocks()
    assert bench.live("t").table.round > 3
    assert {name for name, kind in decided if kind in ("hit", "stand", "double", "split")} == set(names)


def test_best_play_is_what_the_advice_says_for_a_fresh_shoe(tmp_path: Path) -> None:
    bench = Bench(f"sqlite:///{tmp_path}/floor.db", seed=6)
    bench.open("t", "perth/blackjack", ("ann",))
    for _ in range(200):
        live = bench.live("t")
        if live.table.phase is Phase.TURNS and live.table.turn is not None:
            break
        bench.step("t")
    live = bench.live("t")
    public = msgspec.json.decode(msgspec.json.encode(describe_public(live)))
    private = msgspec.json.decode(msgspec.json.encode(describe_private(live, "ann", list_options(live))))
    question = RobotBrain("ann", hm.RobotPolicy.OPTIMUM).choose(public, private)
    assert isinstance(question, LayoutQuestion)
    mine, exact = answer_question(question), advise(live.table, count_unseen(live.table), question.box)
    assert set(mine.actions) == set(exact.actions)
    for name, worth in mine.actions.items():
        assert worth == pytest.approx(exact.actions[name], abs=0.05), name
