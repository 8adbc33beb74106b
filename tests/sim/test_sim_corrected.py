"""Estimates without the luck of the cards: the same mean as the rounds as they fell, and a fraction of the error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray
from sim_tools import GAMES, HI_LO, METER, ready, wager_sets

import pitboss
from pitboss.cards import CODE, decks
from pitboss.money import Money
from pitboss.odds import side_odds
from pitboss.play.packed import pack
from pitboss.play.side_wagers.judges import CARRIES, OUTCOME
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.agreement import play_for_side, strategy_of
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.any_round import play_rounds
from pitboss.sim.plan import BetSchedule, CountKept, Plan, prepare
from pitboss.sim.result import FINE, SimResult, play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import Strategy, Yardstick
from pitboss.sim.unfold.later_rounds import know_later_rounds, no_later_rounds, value_shares
from pitboss.sim.unfold.luck_tables import NO_TAGS, value_states
from pitboss.sim.unfold.side_values import value_sides

pytestmark = pytest.mark.slow

HOLE_CARD = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
MOST_APART = 4.0
ROUNDING = 1e-9
MID_ROUND = {"card_source": "device", "readings": {"csm_recirculation": "mid-round"}}


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


@pytest.mark.parametrize("game", [*GAMES, "las-vegas/blackjack"])
def test_the_corrected_edge_is_the_exact_one(game: str) -> None:
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, exact = strategy_of(rules, "chart")
    found = played(rules, strategy, 1 << 16, seed=3, fresh_shoe=True)
    check(found, exact)
    assert found.variance_ratio > 1000


@pytest.mark.parametrize(
    ("game", "choices"),
    [
        ("perth/blackjack", MID_ROUND),
        ("perth/plus", MID_ROUND),
        ("star/blackjack", {"card_source": "device"}),
        ("star/switch", {"card_source": "device"}),
        ("melbourne/pontoon", {"card_source": "device"}),
    ],
    ids=str,
)
@pytest.mark.parametrize("boxes", [1, 3])
def test_the_luck_of_a_continuous_device_is_subtracted(game: str, choices: dict[str, Any], boxes: int) -> None:
    wager = {"star/blackjack": "any-pairs", "star/switch": "super-match"}.get(game, "perfect-pairs")
    rules = rules_for(game, side_wagers=[wager], **choices)
    strategy, _ = strategy_of(rules_for(game), "chart")
    found = played(rules, strategy, 1 << 17, boxes=boxes)
    check(found)
    assert found.variance_ratio > 1000
    check_side(found, wager)


def test_a_device_that_returns_cards_after_the_next_deal_keeps_count_of_them() -> None:
    """What has gone back is told from what is still out, or the sums of luck would not come to nothing."""
    device = {"card_source": "device"}
    made = ready("star/blackjack", options=device, side_wagers=("any-pairs",), boxes=2, corrected=True)
    assert made.given.shape.returns_late
    tiny = np.array([CODE[card] for card in decks(1)], np.uint8)
    whole = np.bincount(tiny & 15, minlength=13).astype(float)
    given = made.given._replace(fresh=tiny, luck=made.given.luck._replace(whole=whole))
    kept, scratch = k.make_kept(given.shape), k.make_scratch(given.shape, given.rules)
    shoe = tiny.copy()
    pos, _, _ = play_rounds(given, kept, scratch, shoe, 0, 0, 0, np.uint64(3), np.uint64(5), 0, 1000)
    left = np.bincount(shoe[pos:], minlength=64)
    assert scratch.side.left.tolist() == left.tolist()
    assert scratch.left.tolist() == [sum(left[rank + 16 * suit] for suit in range(4)) for rank in range(13)]


@pytest.mark.parametrize(
    ("game", "least"), [("star/blackjack", 300), ("las-vegas/blackjack", 250), ("star/switch", 200)]
)
def test_a_round_varies_some_hundred_times_less(game: str, least: int) -> None:
    rules = hole_card_game() if game == "las-vegas/blackjack" else rules_for(game)
    strategy, _ = strategy_of(rules, "chart")
    found = played(rules, strategy, 1 << 18, penetration=Money("0.75"))
    check(found)
    assert found.variance_ratio > least
    assert found.variance_ratio == pytest.approx((found.raw.standard_error / found.standard_error) ** 2)


def test_boxes_bets_and_insurance_are_corrected_too() -> None:
    schedule = BetSchedule(HI_LO, units=((-20, 1), (1, 2), (3, 8)), insure_from=3)
    rules = hole_card_game()
    strategy, _ = strategy_of(rules, "chart")
    for source in (rules, rules_for("rws/blackjack")):
        check(played(source, strategy, 1 << 17, boxes=3, schedule=schedule, penetration=Money("0.7")))


def check_side(
    found: SimResult, wager: str, exact: float | None = None, *, variance: float = 0.0, times: float = 10.0
) -> None:
    """The error is so many times smaller than that of raw rounds.

    `variance` is that of a stake: where prizes are rare, raw rounds tell too little of it.
    """
    edge, error = found.side_edge(wager)
    raw, raw_error = found.raw_side_edge(wager)
    raw_error = max(raw_error, (variance / found.rounds) ** 0.5)
    assert abs(edge - raw) < MOST_APART * raw_error, wager
    assert error < raw_error / times, wager
    if exact is not None:
        assert abs(edge - exact) < MOST_APART * error + ROUNDING, wager


@pytest.mark.parametrize("game", GAMES)
def test_the_corrected_edge_of_every_side_wager_is_the_exact_one(game: str) -> None:
    for offered in wager_sets(game):
        rules = rules_for(game, side_wagers=list(offered))
        meters = {name: METER for side in rules.side_wagers for name in side.meters}
        prepared = prepare(
            rules, Yardstick(), Plan(rounds=1 << 17, seed=4, fresh_shoe=True, meters=meters, corrected=True)
        )
        run = Run(prepared)
        run.on_threads(1, lambda _: True)
        for side in rules.side_wagers:
            meter = dict.fromkeys(side.meters, METER) or None
            exact = side_odds(rules, side.id, best_play=play_for_side(prepared), meter=meter)
            check_side(run.result(), side.id, float(exact.house_edge), variance=float(exact.variance))


@pytest.mark.parametrize(
    ("game", "wagers", "plan"),
    [
        ("melbourne/blackjack", ("perfect-pairs", "buster", "magnificent-sevens"), {"boxes": 3}),
        ("melbourne/free-bet", ("pot-of-gold", "buster"), {"boxes": 2, "burn": 30}),
        ("melbourne/pontoon", ("blackpot", "spread-bet"), {"boxes": 7}),
        ("star/switch", ("super-match",), {"boxes": 2}),
        ("rws/blackjack", ("over-13",), {"penetration": Money("0.5")}),
    ],
    ids=str,
)
def test_side_wagers_of_several_boxes_are_corrected_in_shoes_of_any_depth(
    game: str, wagers: tuple[str, ...], plan: dict[str, Any]
) -> None:
    rules = rules_for(game, side_wagers=list(wagers))
    strategy, _ = strategy_of(rules_for(game), "chart")
    found = played(rules, strategy, 1 << 17, **plan)
    check(found)
    for wager in wagers:
        check_side(found, wager, times=8)


def test_boxes_that_win_on_the_dealers_hand_together_say_no_more_than_one_of_them() -> None:
    rules = rules_for("melbourne/blackjack", side_wagers=["buster", "perfect-pairs"])
    one, three = (
        Run(prepare(rules, Yardstick(), Plan(rounds=1 << 14, boxes=boxes, fresh_shoe=True))) for boxes in (1, 3)
    )
    for run in (one, three):
        run.on_threads(1, lambda _: True)
    error, of_three = (run.result().side_edge("buster")[1] for run in (one, three))
    assert of_three == pytest.approx(error, rel=0.1)
    error, of_three = (run.result().side_edge("perfect-pairs")[1] for run in (one, three))
    assert of_three == pytest.approx(error / 3**0.5, rel=0.1)


def test_a_round_that_is_sat_out_has_no_side_wagers() -> None:
    schedule = BetSchedule(HI_LO, units=((-20, 0), (1, 2)), insure_from=3)
    rules = rules_for("melbourne/blackjack", side_wagers=["perfect-pairs", "blackpot"])
    strategy, _ = strategy_of(rules_for("melbourne/blackjack"), "chart")
    found = played(rules, strategy, 1 << 17, schedule=schedule)
    check(found)
    for wager in ("perfect-pairs", "blackpot"):
        check_side(found, wager, times=4)
        stakes = found.sums.side_corrected[wager]["shoe_bets"]
        assert stakes == found.sums.sides[wager]["stakes"] * FINE < (1 << 16) * FINE


@pytest.mark.parametrize("changed", [{}, {"hole_card": "peek"}, {"hole_card": "no-peek"}], ids=str)
def test_hands_that_exchange_second_cards_are_corrected_beside_a_hole_card_too(changed: dict[str, Any]) -> None:
    rules = replace(rules_for("star/switch"), **changed)
    strategy, _ = strategy_of(rules_for("star/switch"), "chart")
    found = played(rules, strategy, 1 << 16, boxes=2)
    check(found)
    assert found.variance_ratio > 150


@pytest.mark.parametrize(
    ("game", "wagers", "boxes"),
    [
        ("star/blackjack", (), 1),
        ("melbourne/free-bet", ("pot-of-gold", "perfect-pairs"), 2),
        ("star/switch", ("super-match",), 1),
        ("melbourne/pontoon", ("pontoon-pandemonium", "blackpot"), 3),
    ],
)
def test_subtracting_luck_changes_no_whole_number(game: str, wagers: tuple[str, ...], boxes: int) -> None:
    with_luck = play_block(ready(game, side_wagers=wagers, boxes=boxes, corrected=True), 0)
    without = play_block(ready(game, side_wagers=wagers, boxes=boxes), 0)
    assert with_luck.corrected
    assert set(with_luck.side_corrected) == set(wagers)
    assert not without.corrected
    assert (with_luck.totals, with_luck.histogram) == (without.totals, without.histogram)
    assert with_luck.sides == without.sides


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
        for name in ("won_2", "shoe_won_2"):
            assert ours.corrected[name] == pytest.approx(one_by_one.corrected[name], rel=0.2)
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


def carried_on(given: k.Given, wager: int, outcomes: int) -> NDArray[np.float64]:
    """What a wager is worth after each outcome of its first round, for being carried to the next."""
    answers, worth = given.sides.answers[wager, 0], np.zeros(outcomes)
    carries = np.unique(answers[answers & CARRIES != 0] & OUTCOME)
    if len(carries):
        worth[carries] = given.side_luck.start[wager, 1]
    return worth


TINY = ("Ts",) * 5 + ("8s",) * 3 + ("3s", "As")
SEVENS = ("Ts",) * 5 + ("7s", "7s", "7h", "3c", "As")
SIXES = ("Ts",) * 3 + ("7s", "6s", "6s", "8h", "8h", "9c")


def orders(cards: tuple[str, ...], dealt: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every order of some cards."""
    if not cards:
        yield dealt
    for card in dict.fromkeys(cards):
        left = list(cards)
        left.remove(card)
        yield from orders(tuple(left), (*dealt, card))


@pytest.mark.parametrize(
    ("game", "wagers", "cards"),
    [
        ("star/blackjack", (), TINY),
        ("las-vegas/blackjack", (), TINY),
        ("star/switch", ("super-match",), TINY),
        ("melbourne/blackjack", ("magnificent-sevens", "perfect-pairs", "crown-suits"), SEVENS),
        ("melbourne/blackjack", ("blackpot", "buster", "spread-bet"), SIXES),
        ("melbourne/free-bet", ("pot-of-gold", "supernova"), TINY),
    ],
)
def test_over_all_orders_of_a_tiny_shoe_luck_comes_to_nothing(
    game: str, wagers: tuple[str, ...], cards: tuple[str, ...]
) -> None:
    own = game == "las-vegas/blackjack"
    rules = hole_card_game() if own else rules_for(game, side_wagers=list(wagers))
    strategy, _ = strategy_of(hole_card_game() if own else rules_for(game), "chart")
    meters = {name: METER for side in rules.side_wagers for name in side.meters}
    made = prepare(rules, strategy, Plan(rounds=1, fresh_shoe=True, corrected=True, meters=meters))
    shoes = [np.array([CODE[card] for card in order], np.uint8) for order in orders(cards)]
    packed, given = pack(rules), made.given
    luck = value_states(packed, made.tables, shoes[0], NO_TAGS, given.schedule.switches)
    side_luck = value_sides(packed, made.tables, given.sides, len(wagers), 1, shoes[0])
    given = given._replace(fresh=shoes[0], luck=luck, side_luck=side_luck if wagers else given.side_luck)
    kept, scratch = k.make_kept(given.shape), k.make_scratch(given.shape, given.rules)
    for shoe in shoes:
        scratch.carried[:] = 0
        play_rounds(given, kept, scratch, shoe, shoe.size, shoe.size, 0, np.uint64(1), np.uint64(1), 0, 1)
        assert kept.last[k.END] <= shoe.size
    nets = np.flatnonzero(kept.histogram)
    net = int(sum((place - k.HALF_HISTOGRAM) * kept.histogram[place] for place in nets))
    least = min if cards == TINY else max
    assert least(kept.sums[k.SPLITS], kept.sums[k.DOUBLES]) > 0
    assert kept.sums[k.ROUNDS] == len(shoes)
    assert kept.corrected[k.CORRECTED] == pytest.approx(net / made.tables.unit, abs=1e-8)
    for wager, names in enumerate(made.side_names):
        won = 0.0
        for number, times in enumerate(kept.side_counts[wager, : len(names.pays)]):
            won += times * names.pays[number] / names.parts
        carried = kept.side_counts[wager, : len(names.pays)] @ carried_on(given, wager, len(names.pays))
        assert kept.side_corrected[wager, k.CORRECTED] == pytest.approx(won + carried, abs=1e-7), wagers[wager]


@pytest.mark.parametrize(("game", "wagers"), [("star/blackjack", ()), ("rws/blackjack", ("over-13",))])
def test_over_all_orders_of_a_shoe_luck_of_later_rounds_comes_to_nothing(game: str, wagers: tuple[str, ...]) -> None:
    rules = rules_for(game, side_wagers=list(wagers))
    made = prepare(rules, Yardstick(), Plan(rounds=2, corrected=True))
    shoes = [
        np.array([CODE[card] for card in order], np.uint8) for order in orders(("Ts",) * 10 + ("8s",) * 3 + ("As",))
    ]
    given, cut = made.given, 9
    shape = given.shape._replace(cut=cut, burn=0)
    gain = value_shares(given.rules, made.tables, shoes[0], given.schedule.switches, 1)
    found = []
    for later in (know_later_rounds(gain, shoes[0].size, cut, 1), no_later_rounds()):
        luck = value_states(given.rules, made.tables, shoes[0], NO_TAGS, given.schedule.switches)
        side_luck = value_sides(given.rules, made.tables, given.sides, len(wagers), 1, shoes[0])
        ours = given._replace(shape=shape, fresh=shoes[0], luck=luck, side_luck=side_luck, later=later)
        kept, scratch = k.make_kept(shape), k.make_scratch(shape, given.rules)
        for shoe in shoes:
            play_rounds(ours, kept, scratch, shoe, shoe.size, shoe.size, 0, np.uint64(1), np.uint64(1), 0, 2)
            assert kept.last[k.END] <= shoe.size
        found.append(kept)
    with_later, without = found
    net = float((np.arange(kept.histogram.size) - k.HALF_HISTOGRAM) @ kept.histogram) / made.tables.unit
    pairs = [(with_later.corrected, without.corrected, net)]
    for wager, names in enumerate(made.side_names):
        won = float(kept.side_counts[wager, : len(names.pays)] @ np.array(names.pays)) / names.parts
        pairs.append((with_later.side_corrected[wager], without.side_corrected[wager], won))
    for row, bare, won in pairs:
        assert row[k.CORRECTED] == pytest.approx(won, abs=1e-7)
        assert bare[k.CORRECTED] == pytest.approx(won, abs=1e-7)
        assert row[k.SHOE_WON_2] != bare[k.SHOE_WON_2]
        assert row[k.CORRECTED_SHOES] == len(shoes), "both rounds are dealt from one shoe"
