"""The same seed, plan and rules give the same integers: in step or one by one, in any order, on any threads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sim_tools import GAMES, HI_LO, Erratic, ready
from speeds import few
from variants import HOUSE_BOOK, HOUSE_GAME

from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plan import BetSchedule, Plan, SimError, prepare
from pitboss.sim.result import Sums, empty, merge_results, play_block
from pitboss.sim.run import Run, Saved, ranges
from pitboss.sim.strategies import Yardstick
from pitboss.sim.strategy_choice import choose_strategy

DEVICE_GAMES = ("perth/blackjack", "melbourne/pontoon")


@pytest.mark.parametrize("game", few([game for game in GAMES if game != "star/switch"], 17))
def test_lanes_in_step_play_what_one_table_after_the_other_plays(game: str) -> None:
    for strategy in (Yardstick(), Erratic(8)):
        prepared = ready(game, strategy=strategy)
        assert prepared.automaton is not None
        assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)


@pytest.mark.parametrize("rounds", few([1, 40, 640, 1000, 1023], 5))
def test_lanes_in_step_play_a_part_of_a_block(rounds: int) -> None:
    for fresh in (False, True):
        prepared = ready("star/blackjack", rounds=rounds, block_rounds=1024, strategy=Erratic(8), fresh_shoe=fresh)
        assert prepared.automaton is not None
        sums = play_block(prepared, 0)
        assert sums.totals["rounds"] == rounds
        assert sums == play_block(prepared._replace(automaton=None), 0)


@pytest.mark.parametrize("block_rounds", few([1, 31, 33, 1000, 1023], 5))
def test_a_block_that_the_lanes_do_not_divide_has_streams_of_its_own(block_rounds: int) -> None:
    prepared = ready("star/blackjack", rounds=2 * block_rounds, block_rounds=block_rounds, strategy=Erratic(8))
    assert prepared.automaton is not None
    assert -(-block_rounds // prepared.plan.per_strand) <= LANES
    for block in range(2):
        assert play_block(prepared, block) == play_block(prepared._replace(automaton=None), block)


@pytest.mark.slow
@pytest.mark.parametrize(
    "changed",
    [{}, {"hole_card": "no-peek"}, {"surrender_when": "table-pass"}],
    ids=str,
)
def test_lanes_in_step_turn_a_hole_card(changed: dict[str, Any]) -> None:
    rules = replace(rules_for(HOUSE_GAME, own_books=[HOUSE_BOOK], surrender=True), **changed)
    for strategy in (Yardstick(), Erratic(11)):
        prepared = prepare(rules, strategy, Plan(rounds=1 << 14, block_rounds=1 << 14))
        assert prepared.automaton is not None
        assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)


@pytest.mark.parametrize("game", few(GAMES, 23))
def test_boxes_in_step_play_what_one_table_after_the_other_plays(game: str) -> None:
    for strategy, boxes in ((Yardstick(), 2), (Erratic(8), 1 if game == "star/switch" else 3)):
        prepared = ready(game, strategy=strategy, boxes=boxes)
        assert prepared.automaton is not None
        assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "wagers", "boxes"),
    [
        ("star/blackjack", ("perfect-pairs",), 2),
        ("star/switch", ("super-match",), 1),
        ("rws/blackjack", ("player-pair", "under-13", "over-13"), 3),
        ("melbourne/blackjack", ("perfect-pairs", "buster"), 2),
        ("melbourne/crown", ("supernova",), 1),
        ("melbourne/blackjack", ("magnificent-sevens", "perfect-pairs"), 7),
        ("melbourne/blackjack", ("blackpot", "buster"), 3),
        ("melbourne/vegas", ("blackpot",), 1),
        ("melbourne/free-bet", ("pot-of-gold", "spread-bet"), 4),
        ("melbourne/free-bet", ("pot-of-gold",), 1),
        ("melbourne/pontoon", ("pontoon-pandemonium", "blackpot"), 3),
    ],
)
def test_boxes_in_step_judge_the_wagers_that_one_table_after_the_other_judges(
    game: str, wagers: tuple[str, ...], boxes: int
) -> None:
    prepared = ready(game, strategy=Erratic(5), side_wagers=wagers, boxes=boxes)
    assert prepared.automaton is not None
    sums = play_block(prepared, 0)
    assert sums == play_block(prepared._replace(automaton=None), 0)
    assert all(row["net_2"] for row in sums.sides.values())
    carried = {
        name for row in sums.sides.values() for name, times in row.items() if name.startswith("carried") and times
    }
    assert bool(carried) == ("blackpot" in wagers)


@pytest.mark.slow
@pytest.mark.parametrize("changed", [{}, {"hole_card": "no-peek"}, {"surrender_when": "table-pass"}], ids=str)
def test_boxes_in_step_turn_a_hole_card(changed: dict[str, Any]) -> None:
    rules = replace(rules_for(HOUSE_GAME, own_books=[HOUSE_BOOK], surrender=True), **changed)
    prepared = prepare(rules, Erratic(11), Plan(rounds=1 << 14, block_rounds=1 << 14, boxes=3))
    assert prepared.automaton is not None
    assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)


@pytest.mark.slow
@pytest.mark.parametrize("plan", [{"fresh_shoe": True}, {"burn": 40}, {"seed": 9}], ids=str)
def test_boxes_in_step_deal_from_any_shoe(plan: dict[str, Any]) -> None:
    prepared = ready("star/blackjack", strategy=Erratic(2), boxes=7, **plan)
    assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)


def test_results_by_opening_hand_are_left_to_the_kernel_for_every_form_of_round() -> None:
    assert ready("star/blackjack", boxes=2, detail=True).automaton is None


@pytest.mark.slow
@pytest.mark.parametrize("game", few(DEVICE_GAMES, 4))
def test_lanes_in_step_deal_from_a_continuous_device_too(game: str) -> None:
    prepared = ready(game, options={"card_source": "device"})
    assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)
    assert play_block(prepared, 0).totals["shoes"] == prepared.plan.rounds


@pytest.mark.slow
def test_lanes_in_step_draw_again_to_doubled_hands_that_must() -> None:
    prepared = ready("perth/vegas", readings={"double_stops_any_total": "no"}, strategy=Erratic(9))
    assert play_block(prepared, 0) == play_block(prepared._replace(automaton=None), 0)
    assert play_block(prepared, 0) != play_block(ready("perth/vegas", strategy=Erratic(9)), 0)


@pytest.mark.slow
def test_the_best_player_of_a_game_without_splits_is_not_asked_about_split_hands() -> None:
    best = choose_strategy("optimum", rules_for("melbourne/select"), Money(25)).strategy
    totals = play_block(ready("melbourne/select", strategy=best), 0).totals
    assert (totals["rounds"], totals["splits"]) == (1 << 14, 0)


def small_run() -> Run:
    return Run(ready("star/blackjack", rounds=5 * 2048 + 77, block_rounds=2048))


def all_sums(run: Run, threads: int) -> Sums:
    run.on_threads(threads, lambda _: True)
    return run.sums


def test_one_thread_and_two_give_the_same_integers() -> None:
    assert all_sums(small_run(), 1) == all_sums(small_run(), 2)


def test_blocks_merge_in_any_order() -> None:
    prepared = small_run().prepared
    blocks = [play_block(prepared, block) for block in range(prepared.plan.blocks)]
    assert merge_results(blocks, empty(prepared)) == merge_results(blocks[::-1], empty(prepared))
    assert merge_results(blocks, empty(prepared)) == all_sums(small_run(), 2)
    assert merge_results(blocks, empty(prepared)).totals["rounds"] == prepared.plan.rounds


def test_a_run_that_was_stopped_goes_on_from_its_file() -> None:
    stopped = small_run()
    stopped.on_threads(1, lambda _: False)
    assert 0 < len(stopped.done) < stopped.prepared.plan.blocks
    text = msgspec.json.encode(stopped.save())
    resumed = Run(small_run().prepared, msgspec.json.decode(text, type=Saved))
    assert all_sums(resumed, 2) == all_sums(small_run(), 1)


def test_a_run_is_not_taken_up_by_another_plan() -> None:
    saved = small_run().save()
    with pytest.raises(SimError, match="another plan"):
        Run(ready("star/blackjack", rounds=5 * 2048 + 77, block_rounds=2048, seed=8), saved)
    with pytest.raises(SimError, match="another game"):
        Run(ready("perth/blackjack", rounds=5 * 2048 + 77, block_rounds=2048), saved)


def test_ranges_of_blocks_are_written_short() -> None:
    assert ranges([3, 1, 2, 7]) == [(1, 3), (7, 7)]


def test_seeds_differ() -> None:
    assert play_block(ready("star/blackjack", seed=1), 0) != play_block(ready("star/blackjack", seed=2), 0)


def test_wins_losses_stand_offs_and_rescues_are_all_hands() -> None:
    totals = play_block(ready("star/blackjack"), 0).totals
    decided = totals["wins"] + totals["losses"] + totals["stand_offs"]
    assert decided == totals["hands"] + totals["naturals"]
    assert totals["net"] == sum(net * times for net, times in play_block(ready("star/blackjack"), 0).histogram.items())


def test_the_net_is_the_sum_of_its_parts() -> None:
    schedule = BetSchedule(tags=HI_LO, units=((-20, 1), (1, 5)), insure_from=2)
    for prepared in (
        ready("star/blackjack", strategy=Erratic(3)),
        ready("melbourne/free-bet", strategy=Erratic(4), boxes=3),
        ready("star/blackjack", schedule=schedule, boxes=2),
    ):
        totals = play_block(prepared, 0).totals
        parts = [value for name, value in totals.items() if name.startswith("net_") and name not in ("net_2", "net_3")]
        assert all(parts[:4]), "every part that these games have came up"
        assert totals["net"] == sum(parts) + totals["insurance_net"]


def test_detail_by_opening_hand_adds_up() -> None:
    for boxes in (1, 3):
        sums = play_block(ready("star/blackjack", detail=True, boxes=boxes), 0)
        assert sum(times for times, _ in sums.openings.values()) == boxes * sums.totals["rounds"]
        assert sum(net for _, net in sums.openings.values()) == sums.totals["net"]


def test_bankrolls_are_followed_to_their_horizon() -> None:
    sums = play_block(ready("star/blackjack", bankroll_units=20, horizon_rounds=512), 0)
    assert sums.paths == (1 << 14) // 512
    assert sum(sums.finals.values()) == sums.paths
    assert 0 < sums.ruined < sums.paths


def counted(**more: object) -> Sums:
    schedule = BetSchedule(tags=HI_LO, units=((-20, 1), (2, 4), (4, 8)), insure_from=3, **more)  # type: ignore[arg-type]
    return play_block(ready("star/blackjack", schedule=schedule, penetration=Money("0.75")), 0)


def test_bets_follow_the_true_count() -> None:
    totals = counted().totals
    assert totals["bets"] > totals["rounds"]
    assert totals["insured"] > 0


def test_one_who_has_left_waits_for_the_next_shoe_where_entry_is_barred() -> None:
    leaves = ((-20, 0), (0, 1))
    free, barred = (
        play_block(ready("star/blackjack", schedule=BetSchedule(tags=HI_LO, units=leaves, mid_shoe_entry=entry)), 0)
        for entry in (True, False)
    )
    assert 0 < barred.totals["bets"] < free.totals["bets"] < free.totals["rounds"]


@pytest.mark.slow
def test_burnt_cards_leave_the_shoe() -> None:
    kept, burnt = (play_block(ready("perth/blackjack", burn_each_round=each), 0).totals for each in (False, True))
    assert kept["cards"] / kept["shoes"] > burnt["cards"] / burnt["shoes"] + 20
    assert (
        play_block(ready("star/blackjack", burn=40), 0).totals["shoes"]
        > play_block(ready("star/blackjack"), 0).totals["shoes"]
    )


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"boxes": 10}, "boxes must be from 1 to"),
        ({"penetration": Money("0.2")}, "penetration must be from"),
        ({"penetration": Money("0.99")}, "does not leave"),
        ({"seed": -1}, "seed"),
        ({"burn": -1}, "burnt"),
        ({"bankroll_units": 0}, "bankroll"),
        ({"meters": {"nothing": Money(1)}}, "no meter"),
        ({"schedule": BetSchedule(tags={"X": 1}, units=((0, 1),))}, "not a rank"),
        ({"schedule": BetSchedule(tags={}, units=())}, "units"),
        ({"schedule": BetSchedule(tags={}, units=((0, 1),), insure_ten_from=1)}, "against a ten"),
        ({"burn_each_round": True}, "does not burn a card before every round"),
        ({"fresh_shoe": True, "penetration": Money("0.7")}, "fresh shoe"),
    ],
)
def test_what_cannot_be_simulated_is_refused(plan: dict[str, object], words: str) -> None:
    with pytest.raises(SimError, match=words):
        ready("star/blackjack", **plan)  # type: ignore[arg-type]
