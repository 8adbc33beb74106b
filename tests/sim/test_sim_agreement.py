"""Simulator = odds: with a full shoe for every round the two must agree within four standard errors.

`make bench-agreement` does the same at a size at which small mistakes show.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sim_tools import GAMES, wager_sets

from pitboss.money import Money
from pitboss.odds import analyse
from pitboss.odds.analysis import full_shoe_of, solution
from pitboss.odds.switch.area_values import areas
from pitboss.odds.switch.switch_analysis import areas_played_alone, pairs_by_chart
from pitboss.play.packed import pack
from pitboss.rulebooks import rules_for
from pitboss.sim.agreement import Agreement, Effort, main_wager, side_wagers
from pitboss.sim.plan import Prepared
from pitboss.sim.result import SimResult
from pitboss.sim.run import Run
from pitboss.sim.strategies import Yardstick
from pitboss.sim.strategy_choice import ByChart, Optimum, choose_strategy

pytestmark = pytest.mark.slow

MOST_APART = 4.0
ROUNDS = 1 << 21
SEED = 20


def play(prepared: Prepared) -> SimResult:
    run = Run(prepared)
    run.on_threads(2, lambda _: True)
    return run.result()


def check(row: Agreement) -> None:
    assert abs(row.errors_apart) < MOST_APART, str(row)


@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/pontoon"])
def test_the_best_chart_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "chart", Effort(ROUNDS, seed=SEED), play))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "chart", Effort(4 * ROUNDS, seed=SEED), play))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["rws/blackjack", "perth/plus", "melbourne/free-bet"])
def test_best_play_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "optimum", Effort(4 * ROUNDS, seed=SEED), play))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_side_wager_wins_what_the_analyser_says(game: str) -> None:
    for offered in wager_sets(game):
        for row in side_wagers(
            rules_for(game, side_wagers=list(offered)), Yardstick(), Effort(ROUNDS // 8, seed=SEED), play
        ):
            check(row)


def test_a_player_who_does_not_look_for_the_super_bonus_is_compared_with_one_who_does_not() -> None:
    rules = rules_for("melbourne/pontoon")
    edge = analyse(rules)
    for name, exact in (("basic", -edge.chart_expectation), ("optimum", edge.house_edge_by_values)):
        first_round = choose_strategy(name, rules, Money(25)).first_round_edge
        assert first_round is not None
        assert first_round() == pytest.approx(exact)
        assert first_round() > edge.house_edge + 0.0003


@pytest.mark.parametrize("name", ["basic", "optimum"])
def test_second_cards_are_switched_in_rounds_where_the_odds_switch_them(name: str) -> None:
    rules = rules_for("star/switch")
    packed = pack(rules)
    chosen = choose_strategy(name, rules, Money(25))
    strategy, shoe = chosen.strategy, full_shoe_of(packed)
    if isinstance(strategy, ByChart):
        found = areas(packed, shoe, pairs_by_chart(packed, shoe, strategy.chart))
    else:
        assert isinstance(strategy, Optimum)
        found = areas_played_alone(packed, shoe, solution(packed, shoe).position)
    values = range(10)
    switched = np.zeros(found.chance.shape, dtype=np.bool_)
    for a1, a2, b1, b2, up in itertools.product(values, repeat=5):
        switched[a1, a2, b1, b2, up] = strategy.switches((a1 + 1, a2 + 1), (b1 + 1, b2 + 1), up + 1)
    played = (found.chance * np.where(switched, found.switched, found.left)).sum() / 2
    assert chosen.first_round_edge is not None
    assert chosen.first_round_edge() == pytest.approx(-float(played), abs=1e-12)
    edge = analyse(rules)
    assert edge.house_edge < chosen.first_round_edge() < -edge.chart_expectation + 1e-12
