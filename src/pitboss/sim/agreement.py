"""Simulator against analyser: the same figure from both, and how many standard errors lie between.

Both are asked about the first round of a full shoe. The Super Bonus is left out on both sides of the main wager: the
analyser counts it for a player who looks at the suits of two sevens, which no simulated player does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

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

METER = Money(50)
"""Where prize meters stand, per unit staked."""
MAIN = "main"
WORDS = {DO_STAND: "stand", DO_HIT: "hit", DO_DOUBLE: "double", DO_SPLIT: "split", DO_SURRENDER: "surrender"}

Play = Callable[[Prepared], SimResult]
"""Plays a plan to its end, on whatever there is."""


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
        return (self.simulated - self.exact) / self.standard_error


def strategy_of(rules: Rules, name: str) -> tuple[Strategy, float]:
    """The analyser's chart or its best play, and the house edge that it says they leave."""
    edge = analyse(rules, super_bonus=False)
    if name == "chart":
        return ByChart(name, pack(rules), edge.strategy), -edge.chart_expectation
    best = Optimum(pack(rules))
    return best, -float(mean_of(best.areas)) if rules.switch else edge.house_edge


def first_rounds(rules: Rules, strategy: Strategy, rounds: int, seed: int, *, corrected: bool = False) -> Prepared:
    """A plan of first rounds of full shoes."""
    meters = {name: METER for side in rules.side_wagers for name in side.meters}
    plan = Plan(rounds=rounds, seed=seed, fresh_shoe=True, meters=meters, corrected=corrected)
    return prepare(rules, strategy, plan)


def main_wager(rules: Rules, name: str, rounds: int, seed: int, play: Play) -> Agreement:
    """The main wager of a game under the chart or the best play, without the luck of the cards where it is known."""
    strategy, exact = strategy_of(rules, name)
    result = play(first_rounds(rules, strategy, rounds, seed, corrected=True))
    bonus = result.parts["super bonus"]
    return Agreement(
        rules.game, f"{MAIN}, {name}", result.rounds, exact, result.house_edge + bonus, result.standard_error
    )


def side_wagers(rules: Rules, strategy: Strategy, rounds: int, seed: int, play: Play) -> Iterator[Agreement]:
    """Every side wager that the rules offer, for a player with this strategy on the hand itself."""
    if not rules.side_wagers:
        return
    prepared = first_rounds(rules, strategy, rounds, seed)
    result = play(prepared)
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
