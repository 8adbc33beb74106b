"""A robot at a served table: it sees what any client sees, and knows no rule.

It bets the minimum, says when it is ready, declines what is on offer and picks among the commands that the server
lists: at random, or by the rule of thumb of a careful beginner.
"""

from __future__ import annotations

import random
from typing import Any

from pitboss.server.client import AskRefused, WatchedTable

STANDS_ON = 17


class TableRobot:
    """Plays on one box of a table."""

    def __init__(self, table: WatchedTable, box: str, *, policy: str = "thumb", seed: int = 0) -> None:
        self.table = table
        self.box = box
        self.policy = policy
        self.chance = random.Random(seed)
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
            command = self.choose()
            if command is None:
                await self.table.wait_for_change()
                continue
            await self.ask(command)

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

    def choose(self) -> dict[str, Any] | None:
        """What to ask for now; none: wait."""
        public, name = self.table.public, self.table.client.name
        actions = [action for action in self.table.private.get("actions", ()) if action["type"] != "prize"]
        phase = public["phase"]
        if phase == "betting":
            for action in actions:
                if action["type"] == "refuse-cut":
                    return {"type": "refuse-cut"}
            if public["shoe"].get("asked") or public["shoe"]["stage"] != "open" or public["shoe"]["due"]:
                return None
            if not any(bet["player"] == name for bet in public["bets"]):
                return {"type": "place-bet", "box": self.box, "amount": public["notice"]["limits"]["minimum"]}
        elif phase == "turns" and actions and not public.get("pending"):
            return self._decide(actions)
        if phase in ("betting", "offers", "settled") or public.get("pending"):
            return None if name in public["ready"] else {"type": "ready"}
        return None

    def _decide(self, actions: list[dict[str, Any]]) -> dict[str, Any] | None:
        box, hand = self.table.public["turn"]
        own = [action for action in actions if action.get("box") == box]
        if not own:
            return None
        if self.policy == "random":
            return self.chance.choice(own)
        cards = next(item for item in self.table.public["boxes"] if item["number"] == box)["hands"][hand - 1]
        wanted = "stand" if (cards.get("total") or 0) >= STANDS_ON else "hit"
        kinds = {action["type"]: action for action in own}
        return kinds.get(wanted) or kinds.get("stand") or kinds.get("hit") or own[0]
