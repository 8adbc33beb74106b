"""Simulator against analyser: the same figure from both, and how many standard errors lie between.

Both are asked about the first round of a full shoe. The Super Bonus is left out on both sides of the main wager: the
analyser counts it for a player who looks at the suits of two sevens, which no simulated player does.

Rounds are played without the luck of their cards, as many as it takes to come as near as is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from pitboss.cards import RANKS, Card
from pitboss.money import Money
from pitboss.odds import analyse, side_odds
from pitboss.odds.switch.switch_analysis import mean_of
from pitboss.play.packed import pack
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.plan import Plan, Prepared, prepare
from pitboss.sim.result import SimResult
from pitboss.sim.strategies import Strategy
from pitboss.sim.strategy_choice import ByChart, Optimum
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, WIDTH

ROUNDING = 1e-9
"""Of a wager whose luck is known to the last card nothing is left but how its sums are rounded."""
FIRST_ROUNDS = 1_000_000
"""Played to see how many more it takes."""
METER = Money(50)
"""Where prize meters stand, per unit staked."""
MAIN = "main"
WORDS = {DO_STAND: "stand", DO_HIT: "hit", DO_DOUBLE: "double", DO_SPLIT: "split", DO_SURRENDER: "surrender"}

Play = Callable[[Prepared], SimResult]
"""Plays a plan to its end, on whatever there is."""


class Effort(NamedTuple):
    """How many rounds are played for a figure."""

    most_rounds: int
    error: float = 0.0
    """Standard error that is near enough."""
    seed: int = 20


class Agreement(NamedTuple):
    """One figure, twice."""

    game: str
    wager: str
    rounds: int
    exact: float
    """House edge by the analyser, per unit of original stake."""
    simulated: float
    standard_error: float

    @property
    def errors_apart(self) -> float:
        """The difference in standard errors."""
        return (self.simulated - self.exact) / math.hypot(self.standard_error, ROUNDING)


def strategy_of(rules: Rules, name: str) -> tuple[Strategy, float]:
    """The analyser's chart or its best play, and the house edge that it says they leave."""
    edge = analyse(rules, super_bonus=False)
    if name == "chart":
        return ByChart(name, pack(rules), edge.strategy), -edge.chart_expectation
    best = Optimum(pack(rules))
    return best, -float(mean_of(best.areas)) if rules.switch else edge.house_edge


def play_first_rounds(prepared: Prepared, effort: Effort, play: Play, error: Callable[[SimResult], float]) -> SimResult:
    """Play first rounds of full shoes until the error is as small as is wanted, or the most rounds are played."""
    rounds = min(FIRST_ROUNDS, effort.most_rounds)
    while True:
        result = play(prepared._replace(plan=msgspec.structs.replace(prepared.plan, rounds=rounds)))
        found = error(result)
        if found <= effort.error or rounds == effort.most_rounds:
            return result
        wanted = 1.1 * rounds * (found / effort.error) ** 2 if effort.error else math.inf
        rounds = int(min(wanted, effort.most_rounds))


def first_rounds(rules: Rules, strategy: Strategy, seed: int) -> Prepared:
    """A plan of first rounds of full shoes."""
    meters = {name: METER for side in rules.side_wagers for name in side.meters}
    plan = Plan(rounds=FIRST_ROUNDS, seed=seed, fresh_shoe=True, meters=meters, corrected=True)
    return prepare(rules, strategy, plan)


def main_wager(rules: Rules, name: str, effort: Effort, play: Play) -> Agreement:
    """The main wager of a game under the chart or the best play."""
    strategy, exact = strategy_of(rules, name)
    prepared = first_rounds(rules, strategy, effort.seed)
    result = play_first_rounds(prepared, effort, play, lambda found: found.standard_error)
    bonus = result.parts["super bonus"]
    return Agreement(
        rules.game, f"{MAIN}, {name}", result.rounds, exact, result.house_edge + bonus, result.standard_error
    )


def side_wagers(rules: Rules, strategy: Strategy, effort: Effort, play: Play) -> Iterator[Agreement]:
    """Every side wager that the rules offer, for a player with this strategy on the hand itself."""
    if not rules.side_wagers:
        return
    prepared = first_rounds(rules, strategy, effort.seed)
    result = play_first_rounds(
        prepared, effort, play, lambda found: max(found.side_edge(side.id)[1] for side in rules.side_wagers)
    )
    for side in rules.side_wagers:
        meters = dict.fromkeys(side.meters, METER) or None
        exact = side_odds(rules, side.id, best_play=play_for_side(prepared), meter=meters).house_edge
        yield Agreement(rules.game, side.id, result.rounds, float(exact), *result.side_edge(side.id))


def play_for_side(prepared: Prepared) -> Callable[[Card, Card, Card], str]:
    """What the simulated player does with two cards, read from the tables that kernels play from."""
    tables = prepared.tables

    def action(one: Card, other: Card, up: Card) -> str:
        first, second, shown = (RANKS.index(card[0]) for card in (one, other, up))
        if {min(first, 9), min(second, 9)} == {0, 9}:
            return WORDS[DO_STAND]
        state = int(tables.opening[first * WIDTH + second])
        return WORDS[int(tables.act[state * WIDTH + shown])]

    return action
