"""The tables of a round that splits, and the kernel of a GPU that plays them: the same integers as the processors'.

Without a GPU the tables are played by plain Python, and the source of the kernel by a C++ compiler.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cuda_on_cpu import COMPILER, play_without_gpu
from sim_tools import GAMES, Erratic, ready
from speeds import few
from split_play import play_by_tables

import pitboss
from pitboss.cards import CODE
from pitboss.cli import main
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.play.packed import SPLIT
from pitboss.sim.gpu import Device, find_cupy, on_gpu, pack_tables
from pitboss.sim.plan import BetSchedule, Plan, Prepared, prepare
from pitboss.sim.result import empty, merge_results, play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import MimicTheDealer, Question, Strategy, Yardstick

HOLE_CARD = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
HOLE_CARD_GAME = "las-vegas/blackjack"
ONE_BOX_GAMES = [*(game for game in GAMES if game != "star/switch"), HOLE_CARD_GAME]


def plan_of(game: str, strategy: Strategy, **plan: Any) -> Prepared:
    if game != HOLE_CARD_GAME:
        return ready(game, strategy=strategy, **plan)
    rules = pitboss.rules(game, own_books=HOLE_CARD)
    return prepare(rules, strategy, Plan(**{"rounds": 1 << 14, "block_rounds": 1 << 14, "wager": Money(100), **plan}))


def by_processors(prepared: Prepared) -> Any:
    blocks = range(prepared.plan.blocks)
    return merge_results((play_block(prepared, block) for block in blocks), empty(prepared))


def missing_gpu() -> str:
    try:
        find_cupy()
    except PitbossError as error:
        return str(error)
    return ""


class SplitOnce(MimicTheDealer):
    """Split every pair, but no pair of a hand that a split has made; else draw to 17."""

    name = "split-once"

    def action(self, hand: Question) -> int:
        return SPLIT if hand.legal & SPLIT and not hand.from_split else super().action(hand)


def of_sevens(strategy: Strategy, reading: str) -> Prepared:
    """A plan of rounds from a shoe rich in sevens, by a reading of the Super Bonus after a split."""
    readings = {"super_bonus_after_split": reading}
    plan = {"rounds": 1 << 12, "block_rounds": 1 << 12}
    prepared = ready("melbourne/pontoon", strategy=strategy, readings=readings, **plan)
    rich = np.array([CODE[card] for card in (*("7h", "7s") * 4, "2c", "8c", "Kc", "Ac")] * 12, np.uint8)
    given = prepared.given._replace(fresh=rich, shape=prepared.given.shape._replace(cut=60))
    return prepared._replace(given=given)


@pytest.mark.parametrize("game", few(ONE_BOX_GAMES, 18))
def test_tables_that_split_play_what_the_kernel_for_every_round_plays(game: str) -> None:
    for strategy in (Yardstick(), Erratic(8)):
        prepared = plan_of(game, strategy, rounds=1 << 12, block_rounds=1 << 12)
        found = play_by_tables(prepared, 0)
        assert found == play_block(prepared._replace(automaton=None), 0)
        assert found == play_block(prepared, 0)
        assert found.totals["splits"] > 0 or game == "melbourne/select"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "after_split"), [("never", False), ("unless-suited-sevens-split", True)], ids=["never", "unless"]
)
def test_tables_that_split_pay_a_super_bonus_once_and_only_to_whom_it_belongs(reading: str, after_split: bool) -> None:
    drawn, split = of_sevens(MimicTheDealer(), reading), of_sevens(SplitOnce(), reading)
    for prepared in (drawn, split):
        found = play_by_tables(prepared, 0)
        assert found == play_block(prepared._replace(automaton=None), 0)
        assert found == play_block(prepared, 0)
        hands, boxes = (
            found.totals["super_bonuses"],
            found.totals["net_super_bonus"] // prepared.given.shape.super_bonus,
        )
        if prepared is drawn:
            assert hands == boxes > 0
        else:
            assert found.totals["splits"] > 0
            # Both hands of some boxes won it, which are paid it once.
            assert hands > boxes > 0 if after_split else hands == boxes == 0


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
@pytest.mark.parametrize("strategy", [MimicTheDealer(), SplitOnce()], ids=lambda strategy: strategy.name)
def test_the_source_of_the_gpu_kernel_pays_a_super_bonus_as_the_processors_do(
    strategy: Strategy, tmp_path: Path
) -> None:
    prepared = of_sevens(strategy, "unless-suited-sevens-split")
    found = play_without_gpu(prepared, range(prepared.plan.blocks), tmp_path)
    assert found == by_processors(prepared)
    assert found.totals["super_bonuses"] > 0


@pytest.mark.slow
@pytest.mark.skipif(COMPILER is None, reason="there is no C++ compiler here")
@pytest.mark.parametrize(
    ("game", "plan"),
    [
        ("star/blackjack", {}),
        ("melbourne/pontoon", {"seed": 3}),
        ("melbourne/free-bet", {"burn": 0}),
        (HOLE_CARD_GAME, {"penetration": Money("0.6")}),
        ("rws/blackjack", {"fresh_shoe": True}),
        ("perth/blackjack", {"rounds": 20_011, "block_rounds": 1000}),
    ],
)
def test_the_source_of_the_gpu_kernel_plays_what_the_processors_play(
    game: str, plan: dict[str, Any], tmp_path: Path
) -> None:
    prepared = plan_of(game, Erratic(5), **{"rounds": 40_000, **plan})
    found = play_without_gpu(prepared, range(prepared.plan.blocks), tmp_path)
    assert found == by_processors(prepared)


@pytest.mark.gpu
@pytest.mark.slow
@pytest.mark.parametrize("game", ONE_BOX_GAMES)
def test_a_gpu_plays_what_the_processors_play(game: str) -> None:
    if reason := missing_gpu():
        pytest.skip(reason)
    for strategy in (Yardstick(), Erratic(8)):
        prepared = plan_of(game, strategy, rounds=(1 << 20) + 5000)
        run = Run(prepared)
        on_gpu(run, lambda _: True)
        assert not run.left()
        assert run.sums == by_processors(prepared)


@pytest.mark.gpu
@pytest.mark.slow
def test_a_gpu_plays_blocks_in_any_shape() -> None:
    if reason := missing_gpu():
        pytest.skip(reason)
    prepared = plan_of("star/blackjack", Yardstick(), rounds=1 << 18, fresh_shoe=True)
    want = by_processors(prepared)
    for threads, steps in ((32, 1), (256, 2), (None, 7)):
        assert Device(prepared, threads=threads, steps=steps).play(range(prepared.plan.blocks)) == want


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"corrected": True}, "corrected rounds: add --raw"),
        ({"boxes": 2}, "more boxes than one"),
        ({"side_wagers": ("perfect-pairs",)}, "side wagers"),
        ({"schedule": BetSchedule(tags={"5": 1}, units=((0, 1),))}, "bets that follow a count"),
        ({"detail": True}, "results by opening hand"),
        ({"bankroll_units": 100}, "bankrolls"),
    ],
)
def test_what_a_gpu_does_not_play_is_refused_in_one_line(plan: dict[str, Any], words: str) -> None:
    with pytest.raises(PitbossError, match=f"^a GPU plays no {words}$"):
        pack_tables(ready("star/blackjack", **plan))


def test_two_hands_of_a_player_are_refused() -> None:
    with pytest.raises(PitbossError, match=r"^a GPU plays no two hands of a player$"):
        pack_tables(ready("star/switch"))


@pytest.mark.skipif(not missing_gpu(), reason="there is a GPU here")
def test_without_a_gpu_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "star/blackjack", "--gpu"]) == 2
    error = capsys.readouterr().err
    assert "--gpu" in error
    assert error.count("\n") == 1


def test_a_gpu_is_not_asked_for_together_with_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "star/blackjack", "--gpu", "--threads", "2"]) == 2
    assert "--gpu and --threads: choose one of them" in capsys.readouterr().err
