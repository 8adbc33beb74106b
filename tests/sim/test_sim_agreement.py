"""Simulator = odds: with a full shoe for every round the two must agree within four standard errors.

`make bench-agreement` does the same at a size at which small mistakes show.
"""

from __future__ import annotations

import pytest
from sim_tools import GAMES, wager_sets

from pitboss.money import Money
from pitboss.odds import analyse
from pitboss.rulebooks import rules_for
from pitboss.sim.agreement import Agreement, main_wager, side_wagers
from pitboss.sim.plan import Prepared
from pitboss.sim.result import SimResult
from pitboss.sim.run import Run
from pitboss.sim.strategies import Yardstick
from pitboss.sim.strategy_choice import choose_strategy

pytestmark = pytest.mark.slow

MOST_APART = 4.0
ROUNDS = 1 << 21
SEED = 20


def play(prepared: Prepared) -> SimResult:
    run = Run(prepared)
    run.on_threads(2, lambda _: True)
    return run.result()


def check(row: Agreement) -> None:
    assert row.standard_error > 0
    assert abs(row.errors_apart) < MOST_APART, str(row)


@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/pontoon"])
def test_the_best_chart_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "chart", ROUNDS, SEED, play))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "chart", 4 * ROUNDS, SEED, play))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["rws/blackjack", "perth/plus", "melbourne/free-bet"])
def test_best_play_wins_what_the_analyser_says(game: str) -> None:
    check(main_wager(rules_for(game), "optimum", 4 * ROUNDS, SEED, play))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_side_wager_wins_what_the_analyser_says(game: str) -> None:
    for offered in wager_sets(game):
        for row in side_wagers(rules_for(game, side_wagers=list(offered)), Yardstick(), ROUNDS, SEED, play):
            check(row)


def test_a_player_who_does_not_look_for_the_super_bonus_is_compared_with_one_who_does_not() -> None:
    rules = rules_for("melbourne/pontoon")
    edge = analyse(rules)
    for name, exact in (("basic", -edge.chart_expectation), ("optimum", edge.house_edge_by_values)):
        first_round = choose_strategy(name, rules, Money(25)).first_round_edge
        assert first_round is not None
        assert first_round() == pytest.approx(exact)
        assert first_round() > edge.house_edge + 0.0003
