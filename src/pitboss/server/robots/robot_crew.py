"""The robots of the house: they sit at tables as the floor has ordered, and go the same way as people.

Each has a connection at the hub like anybody who is connected: it hears messages, holds the documents, and asks by
messages with ids of its own. Nothing is decided here; when a person wants its box, the desk takes its wager off.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import SeatedRobot
from pitboss.floor.live_table import TableKind
from pitboss.server.client import TableDocument
from pitboss.server.desk import Desk
from pitboss.server.hub import Connection, Hub
from pitboss.server.live_stream import Answer, NotDone
from pitboss.server.reception import AskHouse
from pitboss.server.robots.coach import Coach, LayoutQuestion
from pitboss.server.robots.robot_brain import RobotBrain
from pitboss.server.storage.database import StoreError
from pitboss.table.messages.askers import HOUSE

LOOK_S = 0.25
"""How often the crew looks whether robots have come or are to go."""
PACE_S = 0.2
"""How long a robot takes before it asks for something."""
RETRY_S = 0.5
USUAL_POLICIES = (hm.RobotPolicy.CHART, hm.RobotPolicy.OPTIMUM, hm.RobotPolicy.RANDOM)
"""What the robots of a table play by, in turn, where nobody has chosen."""


class _Robot:
    """One robot that sits at a table, or is about to."""

    def __init__(self, crew: RobotCrew, order: SeatedRobot) -> None:
        self.crew = crew
        self.order = order
        self.brain = RobotBrain(order.name, order.policy, seed=secrets.randbits(32))
        self.document = TableDocument()
        self.is_leaving = False
        self._news = asyncio.Event()
        self._answer: dict[str, Any] | None = None
        self.task = asyncio.create_task(self._play())
        self._connection = Connection(order.name, self._news.set, self._end)
        crew.hub.connections.add(self._connection)
        self._say({"type": "watch", "table": order.table, "events": False})

    def _say(self, message: dict[str, Any]) -> None:
        self.crew.hub.hear(self._connection, msgspec.json.encode(message))

    def _end(self, reason: str) -> None:
        """The table is served elsewhere now, or the hub has lost patience: the crew sees to it."""
        self.task.cancel()

    def leave_soon(self) -> None:
        """Go as soon as nothing of the robot's lies on the layout."""
        self.is_leaving = True
        self._news.set()

    def close(self) -> None:
        """Leave the hub, not the table."""
        self.task.cancel()
        self.crew.hub.leave(self._connection)

    def _hear(self) -> None:
        self._news.clear()
        for message in msgspec.json.decode(self._connection.take_frame()):
            if "id" in message:
                self._answer = message
            elif message["type"] in ("snapshot", "patch", "private"):
                self.document.take_in(message)

    async def _play(self) -> None:
        refused: dict[str, Any] | None = None
        while True:
            self._hear()
            if self.is_leaving and self.brain.name not in self.document.public.get("players", (self.brain.name,)):
                return
            chosen = await self._choose()
            if chosen is None or chosen == refused:
                refused = None
                await self._news.wait()
                continue
            await asyncio.sleep(self.crew.pace_s)
            refused = None if await self._ask(chosen) else chosen

    async def _choose(self) -> dict[str, Any] | None:
        public, private = self.document.public, self.document.private
        if not public:
            return None
        if self.is_leaving and public["phase"] in ("betting", "settled"):
            staked = [bet for bet in public["bets"] if bet["player"] == self.brain.name]
            if staked and public["phase"] == "betting":
                return {"type": "remove-bet", "box": staked[0]["box"], "wager": staked[0]["wager"]}
            return {"type": "leave-table"}
        chosen = self.brain.choose(public, private)
        if isinstance(chosen, LayoutQuestion):
            advice = await self.crew.coach.advise(chosen)
            return self.brain.take_advice(public, private, "" if advice is None else advice.best)
        return chosen

    async def _ask(self, command: dict[str, Any]) -> bool:
        """Ask until it could be stored; False if it is refused."""
        message_id = secrets.token_hex(12)
        while True:
            self._answer = None
            self._say({"type": "ask", "id": message_id, "table": self.order.table, "command": command})
            while self._answer is None or self._answer["id"] != message_id:
                if not self._connection.waiting:
                    await self._news.wait()
                self._hear()
            if self._answer["type"] != "not-done":
                return bool(self._answer["type"] == "acknowledged")
            await asyncio.sleep(RETRY_S)


class RobotCrew:
    """Keeps robots at the tables that are served here, as the floor has ordered."""

    def __init__(self, hub: Hub, coach: Coach, ask_house: AskHouse, pace_s: float = PACE_S) -> None:
        self.hub = hub
        self.coach = coach
        self.ask_house = ask_house
        """Asks something of the floor itself, wherever it is served."""
        self.pace_s = pace_s
        self.robots: dict[str, _Robot] = {}
        self._gone: set[str] = set()
        """Robots that are gone, and have left chips perhaps."""

    async def work(self) -> None:
        """Look after the robots until cancelled."""
        try:
            while True:
                self._look()
                await asyncio.sleep(LOOK_S)
        finally:
            for robot in self.robots.values():
                robot.close()

    def _look(self) -> None:
        ordered = self.hub.desk.stored_house.robots
        for order in self._list_orders():
            if order.name not in self.robots:
                self.robots[order.name] = _Robot(self, order)
        for name, robot in list(self.robots.items()):
            if robot.task.done():
                robot.close()
                del self.robots[name]
                if not robot.task.cancelled():
                    robot.task.result()
                    self._gone.add(name)
            elif name not in ordered and not robot.is_leaving:
                robot.leave_soon()
        for name in sorted(self._gone):
            self._collect_chips(name)

    def _list_orders(self) -> Iterator[SeatedRobot]:
        """The robots of the tables here: those that are to sit there, and those that sit there and are to go."""
        desk = self.hub.desk
        ordered = desk.stored_house.robots
        tables = {slot.name: slot.durable.state for slot in desk.tables if slot.durable.seq}
        yield from (order for order in ordered.values() if order.table in tables)
        for table, live in tables.items():
            for name in sorted(live.robots - ordered.keys() - self._gone):
                yield SeatedRobot(name, table, hm.RobotPolicy.RANDOM)

    def _collect_chips(self, name: str) -> None:
        """The cage takes back what a robot that is gone has left."""
        try:
            left = self.hub.desk.find_wallet(name)
        except StoreError:
            return
        self._gone.discard(name)

        def hear(answer: Answer) -> None:
            if isinstance(answer, NotDone):
                self._gone.add(name)

        if left:
            redeem = hm.RedeemChips(name=name, amount=left, reason="the robot is gone")
            self.ask_house(HOUSE, f"redeem {name}", redeem, hear)


def seat_robots(desk: Desk, count: int) -> None:
    """Order so many robots to every table here that a machine deals, as far as there are fewer."""
    for slot in desk.tables:
        if slot.now.state.kind is TableKind.PERSON:
            continue
        seated = sum(robot.table == slot.name for robot in desk.house.robots.values())
        for number in range(seated, count):
            policy = USUAL_POLICIES[number % len(USUAL_POLICIES)]
            order = hm.SeatRobot(table=slot.name, policy=policy, reason="the floor opens")
            desk.ask_house(HOUSE, f"robot {secrets.token_hex(8)}", order, lambda answer: None)
    if not desk.store_line():
        raise PitbossError("the robots could not be stored")
