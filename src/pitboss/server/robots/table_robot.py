"""A robot at a served table, over the published protocol: `pitboss join --robot`."""

from __future__ import annotations

import asyncio
from typing import Any

from pitboss.errors import PitbossError
from pitboss.floor.house_messages import RobotPolicy
from pitboss.server.client import AskRefused, WatchedTable
from pitboss.server.robots.coach import LayoutQuestion, answer_question
from pitboss.server.robots.robot_brain import RobotBrain


class TableRobot:
    """Plays on one box of a table."""

    def __init__(self, table: WatchedTable, box: str, *, policy: str = "thumb", seed: int = 0) -> None:
        self.table = table
        self.brain = RobotBrain(table.client.name, RobotPolicy(policy), box=box, seed=seed)
        self.asked = 0
        self.refused = 0
        self.history: dict[str, int] = {}
        """What was acknowledged: the id of each command, and the number of the decision."""
        self._last_chips: str | None = None

    async def sit_down(self, chips: str = "500") -> None:
        """Bring chips to the table."""
        await self.table.ask({"type": "buy-in", "amount": chips})

    async def play(self, rounds: int) -> None:
        """Play until so many rounds are over."""
        last = self.table.public["round"] + rounds
        while self.table.public["round"] < last:
            command = await self.choose()
            if command is None:
                await self.table.wait_for_change()
                continue
            await self.ask(command)

    async def choose(self) -> dict[str, Any] | None:
        """What to ask for now; none: wait. Best play is worked out beside what else this program does."""
        public, private = self.table.public, self.table.private
        chosen = self.brain.choose(public, private)
        if not isinstance(chosen, LayoutQuestion):
            return chosen
        try:
            best = (await asyncio.to_thread(answer_question, chosen)).best
        except PitbossError:
            best = ""
        return self.brain.take_advice(public, private, best)

    async def ask(self, command: dict[str, Any]) -> None:
        """Ask for one thing; a refusal is counted, and the next choice is made on what is known then."""
        self.asked += 1
        command_id = f"{self.table.client.name}-{self.table.client.token[:8]}-{self.asked}"
        try:
            self.history[command_id] = await self.table.ask(command, command_id=command_id)
        except AskRefused:
            self.refused += 1
            if command["type"] == "place-bet" and self.table.private.get("chips") != self._last_chips:
                self._last_chips = self.table.private.get("chips")
                await self.ask({"type": "buy-in", "amount": command["amount"]})
            else:
                await self.table.wait_for_change()
