"""Estimates without the luck of the cards: the same mean as the rounds as they fell, and a fraction of the error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sim_tools import GAMES, HI_LO, ready

import pitboss
from pitboss.cards import RANKS
from pitboss.money import Money
from pitboss.play.packed import pack
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.agreement import strategy_of
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.any_round import play_rounds
from pitboss.sim.plan import BetSchedule, CountKept, Plan, prepare, why_raw
from pitboss.sim.result import FINE, SimResult, play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import Strategy
from pitboss.sim.unfold.luck_tables import NO_TAGS, value_states

pytestmark = pytest.mark.slow

HOLE_CARD = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
MOST_APART = 4.0
CORRECTED_GAMES = [game for game in GAMES if not why_raw(rules_for(game), Plan(rounds=1, fresh_shoe=True))]


def hole_card_game() -> Rules:
    return pitboss.rules("las-vegas/blackjack", own_books=HOLE_CARD)


def played(rules: Rules, strategy: Strategy, rounds: int, **plan: object) -> SimResult:
    run = Run(prepare(rules, strategy, Plan(rounds=rounds, corrected=True, **plan)))  # type: ignore[arg-type]
    run.on_threads(1, lambda _: True)
    return run.result()


def check(found: SimResult, exact: float | None = None) -> None:
    raw = found.raw
    apart = abs(found.house_edge - raw.house_edge)
    assert apart < MOST_APART * (raw.standard_error**2 + found.standard_error**2) ** 0.5
    assert 0 < found.standard_error < raw.standard_error / 5
    if exact is not None:
        assert abs(found.house_edge - exact) < MOST_APART * found.standard_error


@pytest.mark.parametrize("game", [*CORRECTED_GAMES, "las-vegas/blackjack"])
def test_the_corrected_edge_is_the_exact_one(game: str) -> None:
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, exact = strategy_of(rules, "chart")
    found = played(rules, strategy, 1 << 16, seed=3, fresh_shoe=True)
    check(found, exact)
    assert found.variance_ratio > 1000


def test_only_switched_cards_and_devices_are_not_corrected() -> None:
    assert set(GAMES) - set(CORRECTED_GAMES) == {"star/switch"}
    device = rules_for("perth/blackjack", card_source="device")
    assert "device" in why_raw(device, Plan(rounds=1))
    assert not why_raw(device, Plan(rounds=1, fresh_shoe=True))


@pytest.mark.parametrize(("game", "least"), [("star/blackjack", 300), ("las-vegas/blackjack", 250)])
def test_a_round_varies_some_hundred_times_less(game: str, least: int) -> None:
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, _ = strategy_of(rules, "chart")
    found = played(rules, strategy, 1 << 18, penetration=Money("0.75"))
    check(found)
    assert found.variance_ratio > least
    assert (found.raw.standard_error / found.standard_error) ** 2 < found.variance_ratio, "rounds of a shoe are alike"


def test_boxes_bets_and_insurance_are_corrected_too() -> None:
    schedule = BetSchedule(HI_LO, units=((-20, 1), (1, 2), (3, 8)), insure_from=3)
    rules = hole_card_game()
    strategy, _ = strategy_of(rules, "chart")
    for source in (rules, rules_for("rws/blackjack")):
        check(played(source, strategy, 1 << 17, boxes=3, schedule=schedule, penetration=Money("0.7")))


@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/free-bet"])
def test_subtracting_luck_changes_no_whole_number(game: str) -> None:
    with_luck = play_block(ready(game, corrected=True), 0)
    without = play_block(ready(game), 0)
    assert with_luck.corrected
    assert not without.corrected
    assert (with_luck.totals, with_luck.histogram) == (without.totals, without.histogram)


@pytest.mark.parametrize("game", ["las-vegas/blackjack", "melbourne/pontoon", "melbourne/free-bet", "rws/blackjack"])
def test_lanes_in_step_subtract_what_one_table_after_the_other_subtracts(game: str) -> None:
    """Up to the values of hands that have split, which lanes put together otherwise."""
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, _ = strategy_of(rules, "chart")
    for fresh in (False, True):
        plan = Plan(rounds=30_000, block_rounds=1 << 15, corrected=True, fresh_shoe=fresh)
        prepared = prepare(rules, strategy, plan)
        assert prepared.automaton is not None
        ours, one_by_one = play_block(prepared, 0), play_block(prepared._replace(automaton=None), 0)
        assert (ours.totals, ours.histogram) == (one_by_one.totals, one_by_one.histogram)
        for name in ("rounds", "shoes", "shoe_bets", "shoe_bets_2"):
            assert ours.corrected[name] == one_by_one.corrected[name]
        assert ours.corrected["won_2"] == pytest.approx(one_by_one.corrected["won_2"], rel=0.2)
        error = FINE * (one_by_one.corrected["won_2"] / FINE) ** 0.5
        assert abs(ours.corrected["won"] - one_by_one.corrected["won"]) < error


def test_rounds_are_sorted_by_a_count_beside_the_game() -> None:
    rules = rules_for("star/blackjack")
    strategy, _ = strategy_of(rules, "chart")
    found = played(rules, strategy, 1 << 16, count=CountKept(HI_LO))
    rows = found.sums.by_count
    assert sum(row["rounds"] for row in rows.values()) == (1 << 16) * FINE
    assert sum(row["won"] for row in rows.values()) == pytest.approx(found.sums.corrected["won"], rel=1e-6)
    tens = {count: sum(row[rank] for rank in "TJQK") / row["rounds"] for count, row in rows.items()}
    assert tens[-3] < 4 / 13 < tens[3], "a high count means many tens"
    assert rows[3]["won"] / rows[3]["rounds"] > 0 > rows[-3]["won"] / rows[-3]["rounds"]


TINY = {"T": 5, "8": 3, "3": 1, "A": 1}


def orders(left: dict[str, int], dealt: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every order of some cards."""
    if not any(left.values()):
        yield dealt
    for rank, many in left.items():
        if many:
            yield from orders({**left, rank: many - 1}, (*dealt, rank))


@pytest.mark.parametrize("game", ["star/blackjack", "las-vegas/blackjack"])
def test_over_all_orders_of_a_tiny_shoe_luck_comes_to_nothing(game: str) -> None:
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, _ = strategy_of(rules, "chart")
    made = prepare(rules, strategy, Plan(rounds=1, fresh_shoe=True, corrected=True))
    shoes = [np.array([RANKS.index(rank) for rank in order], np.uint8) for order in orders(TINY)]
    luck = value_states(pack(rules), made.tables, shoes[0], NO_TAGS)
    given = made.given._replace(fresh=shoes[0], luck=luck)
    kept, scratch = k.make_kept(given.shape), k.make_scratch(given.shape, given.rules)
    for shoe in shoes:
        play_rounds(given, kept, scratch, shoe, shoe.size, shoe.size, 0, np.uint64(1), np.uint64(1), 0, 1)
        assert kept.last[k.END] <= shoe.size
    nets = np.flatnonzero(kept.histogram)
    net = int(sum((place - k.HALF_HISTOGRAM) * kept.histogram[place] for place in nets))
    assert min(kept.sums[k.SPLITS], kept.sums[k.DOUBLES]) > 0
    assert kept.sums[k.ROUNDS] == len(shoes)
    assert kept.corrected[k.CORRECTED] == pytest.approx(net / made.tables.unit, abs=1e-8)
