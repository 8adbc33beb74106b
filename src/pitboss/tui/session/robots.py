"""How robots decide: by chart, by the optimum, or at random.

A robot is asked with what it may do and answers with one of it. Values come from an advisor that is handed in; while
there is no answer, a robot follows a rule of thumb.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.shoe.draws import draw_number, pick_one
from pitboss.table.state import State
from pitboss.tui.session import chance
from pitboss.tui.session.setup import Policy, Robot, Setup

CHARTED = (cmd.Stand, cmd.Hit, cmd.Double, cmd.Split, cmd.Surrender)
"""What a chart speaks of."""


class Advisor(Protocol):
    """Who knows what choices are worth. `seconds` is how long an answer is waited for; none: as long as it takes."""

    @property
    def patience(self) -> float:
        """How long a robot should wait for the worth of its choices."""

    def prepare(self, rules: Rules) -> None:
        """Somebody sits down at such a table and will ask: begin with what takes long."""

    def values(
        self, state: State, options: Sequence[cmd.Command], seconds: float | None = 0, player: str = ""
    ) -> Mapping[int, float] | None:
        """Expectation of options (by their place in the list) for the cards that are left, in units of the wager of
        the box; none: no answer. It is that of who calls the box, unless a player is named who shares it."""

    def by_chart(self, state: State, options: Sequence[cmd.Command]) -> int | None:
        """The place of the option that the best chart of totals names; none: no answer yet."""

    def edges(self, rules: Rules, seconds: float | None = 0) -> Mapping[str, float] | None:
        """The house's edge on each wager on offer, as a share of it; none: no answer."""


class NoAdvisor:
    """Nobody to ask."""

    patience = 0.0

    def prepare(self, rules: Rules) -> None:
        """There is nothing to begin."""

    def values(
        self, state: State, options: Sequence[cmd.Command], seconds: float | None = 0, player: str = ""
    ) -> Mapping[int, float] | None:
        """Nothing is known."""
        return None

    def by_chart(self, state: State, options: Sequence[cmd.Command]) -> int | None:
        """Nothing is known."""
        return None

    def edges(self, rules: Rules, seconds: float | None = 0) -> Mapping[str, float] | None:
        """Nothing is known."""
        return None


def decide_for(
    setup: Setup, robot: Robot, state: State, options: Sequence[cmd.Command], advisor: Advisor
) -> cmd.Command:
    """What a robot does with these options, the modest one first; the same question always has the same answer."""
    if len(options) == 1:
        return options[0]
    if robot.policy is Policy.RANDOM:
        asked = (
            robot.name,
            state.round,
            state.shoe.position,
            len(state.settlements),
            *(type(o).__name__ for o in options),
        )
        return pick_one(options, chance.seed_stream(setup.seed, "robot", *asked))
    if robot.policy is Policy.CHART:
        found = advisor.by_chart(state, options)
        if found is not None:
            return options[found]
    values = advisor.values(state, options, advisor.patience)
    if not values:
        return rule_of_thumb(state, options)
    return options[max(values, key=lambda place: values[place])]


def rule_of_thumb(state: State, options: Sequence[cmd.Command]) -> cmd.Command:
    """What a robot does while nobody knows better: it takes nothing that costs, and draws to 17 like a dealer."""
    draw = next((option for option in options if isinstance(option, cmd.Hit)), None)
    if draw is None or state.turn is None:
        return options[0]
    hand = state.boxes[state.turn[0]].hands[state.turn[1]]
    return draw if hand.points < 17 else options[0]


def joins(setup: Setup, robot: Robot, state: State, command: cmd.Command, advisor: Advisor) -> bool:
    """A robot that shares a box goes along with a double, a split or a surrender.

    Those who play at random toss for it. The others do if the chart would have them do the same; while there is none,
    they trust who calls.
    """
    if robot.policy is Policy.RANDOM:
        what = type(command).__name__
        source = chance.seed_stream(setup.seed, "joins", robot.name, state.round, state.shoe.position, what)
        return draw_number(2, source) == 1
    options = [option for option in legal(state) if isinstance(option, CHARTED)]
    place = advisor.by_chart(state, options)
    return place is None or type(options[place]) is type(command)


def stake(setup: Setup, robot: Robot, number: int, least: Money, most: Money | None) -> Money:
    """What a robot wagers in a round: the minimum or a small multiple of it."""
    times = pick_one((1, 1, 2, 2, 3, 5), chance.seed_stream(setup.seed, "stake", robot.name, number))
    amount = least * times
    return least if most is not None and amount > most else amount


def side_wager(setup: Setup, robot: Robot, number: int, offered: Sequence[str]) -> str | None:
    """A side wager that a robot adds now and then; only those who play at random do."""
    if robot.policy is not Policy.RANDOM or not offered:
        return None
    source = chance.seed_stream(setup.seed, "side", robot.name, number)
    return pick_one(offered, source) if draw_number(3, source) == 0 else None
