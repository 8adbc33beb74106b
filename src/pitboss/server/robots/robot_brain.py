"""How a robot chooses: it sees what any client sees, the documents of a table, and picks among what the server lists.

It bets the minimum, says when it is ready, and lets pass what is on offer unless its policy wants it. A chart is that
of the game; best play is worked out, by whoever runs the robot, for the cards that do not lie on the table. Where
neither is known, a robot follows the rule of thumb of a careful beginner.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from typing import Any

import msgspec

from pitboss.cards import CARD_ID, decks
from pitboss.errors import PitbossError
from pitboss.floor.house_messages import RobotPolicy
from pitboss.floor.live_table import KINDS
from pitboss.odds.advice.observed import SeenTable, see_layout
from pitboss.odds.charts.chart import Chart
from pitboss.odds.charts.chart_choices import chart_choice
from pitboss.odds.known_tables import find_known
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.server.robots.coach import LayoutQuestion
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import words
from pitboss.table.state import Pending, Phase
from pitboss.table.views import BoxView

TableJson = dict[str, Any]
"""A document or a command, as it travels."""
STANDS_ON = 17
READY: TableJson = {"type": "ready"}
BUY_IN = "500"


@functools.lru_cache(64)
def find_known_rules(game: str, side_wagers: tuple[str, ...], digest: str) -> Rules | None:
    """The rules of a table, if they are those of its game as the books have it."""
    try:
        rules = rules_for(game, side_wagers=list(side_wagers))
    except PitbossError:
        return None
    return rules if rules.digest == digest else None


@functools.lru_cache(64)
def find_chart(game: str, side_wagers: tuple[str, ...], digest: str) -> Chart | None:
    """The best chart of totals for a table, where it is known."""
    rules = find_known_rules(game, side_wagers, digest)
    known = None if rules is None else find_known(rules)
    return None if known is None else known.strategy()


def list_choices(private: TableJson) -> list[TableJson]:
    """What the server would grant; prizes are drawn by a machine."""
    return [action for action in private.get("actions", ()) if action["type"] != "prize"]


class RobotBrain:
    """One robot at one table."""

    def __init__(self, name: str, policy: RobotPolicy, *, box: str = "", seed: int = 0) -> None:
        self.name = name
        self.policy = policy
        self.box = box
        """The box that it always plays; empty: any that is free, the last first."""
        self.chance = random.Random(seed)

    def choose(self, public: TableJson, private: TableJson) -> TableJson | LayoutQuestion | None:
        """What to ask for now, or what to find out first; none: wait."""
        if self.name not in public["players"]:
            return {"type": "buy-in", "amount": BUY_IN}
        actions = list_choices(private)
        phase = public["phase"]
        if phase == "betting":
            return self._bet(public, actions)
        if phase == "turns" and public.get("turn") is not None and not public.get("pending"):
            own = [action for action in actions if action.get("box") == public["turn"][0]]
            return self._decide(public, actions, own) if own else None
        if phase in ("offers", "settled") or public.get("pending"):
            if self.name in public["ready"]:
                return None
            wanted = self._decide(public, actions, actions) if actions and phase != "settled" else None
            return wanted or READY
        return None

    def _bet(self, public: TableJson, actions: list[TableJson]) -> TableJson | None:
        if any(action["type"] == "refuse-cut" for action in actions):
            return {"type": "refuse-cut"}
        if public["shoe"].get("asked") or public["shoe"]["stage"] != "open" or public["shoe"]["due"]:
            return None
        if not any(bet["player"] == self.name for bet in public["bets"]):
            box = self.box or self._find_free_box(public)
            return {"type": "place-bet", "box": box, "amount": public["notice"]["limits"]["minimum"]} if box else None
        return None if self.name in public["ready"] else READY

    def _find_free_box(self, public: TableJson) -> str:
        """A box that nobody has a wager on, the last first; one is always left to people."""
        taken = {bet["box"].rstrip("ab") for bet in public["bets"]}
        free = [str(number) for number in range(1, public["boxes_max"] + 1) if str(number) not in taken]
        return free[-1] if len(free) > 1 else ""

    def _decide(
        self, public: TableJson, actions: list[TableJson], own: list[TableJson]
    ) -> TableJson | LayoutQuestion | None:
        if self.policy is RobotPolicy.RANDOM:
            return self.chance.choice(own)
        if self.policy is RobotPolicy.CHART:
            return self._follow_chart(public, own) or self._follow_thumb(public, own)
        if self.policy is RobotPolicy.OPTIMUM:
            return self._wonder(public, actions, own) or self._follow_thumb(public, own)
        return self._follow_thumb(public, own)

    def _follow_thumb(self, public: TableJson, own: list[TableJson]) -> TableJson | None:
        if public.get("turn") is None or public.get("pending") or public["phase"] != "turns":
            return None
        box, hand = public["turn"]
        cards = next(item for item in public["boxes"] if item["number"] == box)["hands"][hand - 1]
        wanted = "stand" if (cards.get("total") or 0) >= STANDS_ON else "hit"
        kinds = {action["type"]: action for action in own}
        return kinds.get(wanted) or kinds.get("stand") or kinds.get("hit") or own[0]

    # ------------------------------------------------------------------ what it knows of the game

    def _see(self, public: TableJson, actions: list[TableJson]) -> SeenTable | None:
        """The table as the odds want it; none where the rules are not known or a card lies face down."""
        rules = find_known_rules(public["game"], tuple(public["side_wagers"]), public["rules_digest"])
        if rules is None:
            return None
        boxes = msgspec.convert(public["boxes"], tuple[BoxView, ...])
        if any(card not in CARD_ID for box in boxes for hand in box.hands for card in hand.cards):
            return None
        may = tuple(words(_read_action(action)) for action in actions)
        turn = None if public.get("turn") is None else (str(public["turn"][0]), int(public["turn"][1]))
        return see_layout(
            rules, Phase(public["phase"]), Pending(public.get("pending", "")), boxes, turn,
            tuple(public["dealer"]), may,
        )  # fmt: skip

    def _follow_chart(self, public: TableJson, own: list[TableJson]) -> TableJson | None:
        chart = find_chart(public["game"], tuple(public["side_wagers"]), public["rules_digest"])
        seen = self._see(public, own)
        if chart is None or seen is None:
            return None
        options: list[cmd.Command] = [_read_action(action) for action in own]
        passes = public["phase"] == "offers" or bool(public.get("pending"))
        place = chart_choice(chart, seen, [*options, cmd.Proceed()] if passes else options)
        return None if place is None or place >= len(own) else own[place]

    def _wonder(
        self, public: TableJson, actions: list[TableJson], own: list[TableJson]
    ) -> LayoutQuestion | None:  # fmt: skip
        """Ask what the choices are worth, from whole decks less what lies on the table."""
        seen = self._see(public, actions)
        box = next((action["box"] for action in own if "box" in action), "")
        if seen is None or not box or not any(item.number == box for item in seen.boxes):
            return None
        left = Counter(decks(seen.rules.decks, seen.rules.deck_cards))
        for item in seen.boxes:
            for hand in item.hands:
                left.subtract(hand.cards)
        left.subtract(seen.dealer)
        return LayoutQuestion(seen, +left, box)

    def take_advice(self, public: TableJson, private: TableJson, best: str) -> TableJson | None:
        """The action that was found to be the best, or what to do instead."""
        actions = list_choices(private)
        wanted = next((action for action in actions if action["type"] == best), None)
        if public["phase"] == "offers" or public.get("pending"):
            return wanted if best in ("surrender", "switch", "forfeit") and wanted is not None else READY
        own = [action for action in actions if public.get("turn") and action.get("box") == public["turn"][0]]
        return wanted or (self._follow_thumb(public, own) if own else None)


def _read_action(action: TableJson) -> cmd.Command:
    command: cmd.Command = msgspec.convert(action, KINDS[action["type"]], strict=True)
    return command
