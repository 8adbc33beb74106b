"""Rounds sorted by a count, and ramps played: what is worked out is what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import pitboss
from pitboss.money import Money
from pitboss.odds.removal.bet_ramps import RampWishes, best_ramp, ramp_of_bets, ruin_within
from pitboss.odds.removal.count_systems import SYSTEMS, worth_per_count
from pitboss.odds.removal.effects import full_shoe, removal_effects, shares_of
from pitboss.odds.removal.exposure import count_shares
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.counts.count_study import StudyWishes, rank_exposure, study_counting
from pitboss.sim.counts.true_counts import CountedError, CountedGame, play_ramp, schedule_of, sort_rounds

pytestmark = pytest.mark.slow

HOLE_CARD = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
HI_LO = SYSTEMS["hi-lo"]
PENETRATION = Money("0.75")


def hole_card_game() -> Rules:
    return pitboss.rules("las-vegas/blackjack", own_books=HOLE_CARD)


@pytest.fixture(scope="module")
def counted() -> CountedGame:
    return sort_rounds(hole_card_game(), HI_LO, penetration=PENETRATION, rounds=1 << 19, seed=4)


def test_a_true_count_is_worth_about_half_a_per_cent(counted: CountedGame) -> None:
    rows = {row.count: row for row in counted.counts}
    slope = worth_per_count(HI_LO, removal_effects(hole_card_game()))
    assert slope == pytest.approx(0.005, abs=3e-4)
    found = (rows[3].expectation - rows[-3].expectation) / 6
    assert found == pytest.approx(slope, rel=0.08)
    assert rows[0].standard_error < 2e-4
    assert rows[3].standard_error < 1e-3
    assert rows[2].expectation > 0 > rows[-1].expectation


def test_counts_come_as_often_as_worked_out(counted: CountedGame) -> None:
    cards = full_shoe(hole_card_game())
    shares = count_shares(HI_LO, shares_of(cards), len(cards), 0.75)
    for row in counted.counts:
        if 2 <= abs(row.count) <= 6 and row.count > 0:
            assert row.share == pytest.approx(shares[row.count], rel=0.15), row.count
    assert sum(row.share for row in counted.counts) == pytest.approx(1)


def test_flat_bets_come_to_the_games_edge(counted: CountedGame) -> None:
    assert counted.expectation == pytest.approx(sum(row.share * row.expectation for row in counted.counts), abs=1e-9)
    assert counted.expectation == pytest.approx(-0.0042, abs=4 * counted.standard_error + 2e-4)


def test_a_ramp_wins_when_played_what_was_worked_out(counted: CountedGame) -> None:
    wishes = RampWishes(bankroll=2_000, minimum=10, maximum=150, step=5)
    ramp = best_ramp(counted.counts, wishes)
    rounds, horizon = 1 << 20, 4096
    found = play_ramp(hole_card_game(), ramp, HI_LO, counted, rounds=rounds, horizon=horizon, seed=9)
    win, error = 5 * 100 * found.mean, 5 * 100 * found.mean_error
    assert error == pytest.approx(5 * 100 * found.standard_error * found.bet_per_round, rel=0.2)
    assert 1.1 < counted.alike < 2, "rounds of a shoe are alike"
    worked_out = ramp.win_error_per_100 * counted.alike
    assert abs(win - ramp.win_per_100) < 4 * (error**2 + worked_out**2) ** 0.5
    assert 5 * 10 * found.variance**0.5 == pytest.approx(ramp.deviation_per_100, rel=0.02)
    assert found.score == pytest.approx(ramp.score, rel=0.35)
    expected = ruin_within(2_000, ramp.win_per_100 / 100, ramp.deviation_per_100**2 / 100, horizon)
    assert found.risk_of_ruin is not None
    assert found.sums.paths == rounds // horizon
    assert abs(found.risk_of_ruin - expected) < 4 * (expected * (1 - expected) / found.sums.paths) ** 0.5 + 0.02


def test_over_13_pays_from_three_by_the_crush() -> None:
    rules = rules_for("rws/blackjack", side_wagers=["over-13"], decks=6)
    crush = SYSTEMS["crush"]
    counted = sort_rounds(rules, crush, penetration=PENETRATION, rounds=1 << 18)
    worth = counted.worth_of(removal_effects(rules, "over-13"))
    assert worth[4] > 0.02
    assert worth[2] < 0 < worth[3]
    assert worth[4] > worth[3] > worth[2]


def test_two_boxes_win_twice_and_vary_together() -> None:
    rules = hole_card_game()
    alone = sort_rounds(rules, HI_LO, penetration=PENETRATION, rounds=1 << 17)
    both = sort_rounds(rules, HI_LO, penetration=PENETRATION, rounds=1 << 17, boxes=2)
    beside = sort_rounds(rules, HI_LO, penetration=PENETRATION, rounds=1 << 17, boxes=1, others=1)
    varies = [next(row.variance for row in found.counts if row.count == 0) for found in (alone, both, beside)]
    assert 2.3 < varies[1] / varies[0] < 3.2
    assert varies[2] == pytest.approx(varies[0], rel=0.05)
    assert beside.expectation == pytest.approx(both.expectation / 2)


def test_unbalanced_counts_and_halves_are_sorted_too() -> None:
    rules = rules_for("star/blackjack")
    for name in ("ko", "halves"):
        found = sort_rounds(rules, SYSTEMS[name], rounds=1 << 16)
        known = [row for row in found.counts if row.share > 0.01]
        assert known[-1].expectation > known[0].expectation
        bets = [5.0 * (1 + (row.count > 2)) for row in found.counts]
        schedule = schedule_of(ramp_of_bets(found.counts, bets, RampWishes(bankroll=1000)), rules, SYSTEMS[name], 5)
        assert (schedule.running, schedule.start, schedule.multiple) == {"ko": (True, -28, 1)}.get(name, (False, 0, 2))


def test_index_plays_gain_in_rounds_what_is_worked_out() -> None:
    """And most of what the count gains by playing: high counts win more than by the chart, low ones lose less."""
    wishes = StudyWishes(wagers=("main",), sort=True, plays=True, penetration=PENETRATION, rounds=1 << 18)
    study = study_counting(hole_card_game(), HI_LO, wishes)
    measured = study.plays_measured
    assert measured is not None
    assert measured.worked_out == pytest.approx(8.5e-4, abs=1e-4)
    assert abs(measured.found - measured.worked_out) < 4 * measured.standard_error + 1e-4


def test_a_deck_without_tens_has_the_same_true_count_at_every_depth() -> None:
    found = sort_rounds(rules_for("melbourne/pontoon"), HI_LO, rounds=1 << 16)
    often = max(found.counts, key=lambda row: row.share)
    assert often.count in (-5, -4)
    assert sum(row.share for row in found.counts if -7 <= row.count <= -2) > 0.7


def test_what_is_not_sorted_says_why() -> None:
    with pytest.raises(CountedError, match="second cards are switched"):
        sort_rounds(rules_for("star/switch"), HI_LO, rounds=1000)
    with pytest.raises(CountedError, match="device"):
        sort_rounds(rules_for("perth/blackjack", card_source="device"), HI_LO, rounds=1000)


def test_a_study_holds_what_was_asked_for_and_no_more() -> None:
    rules = rules_for("rws/blackjack", side_wagers=["over-13"])
    found = study_counting(rules, SYSTEMS["crush"], StudyWishes(wagers=("over-13",)))
    assert list(found.wagers) == ["over-13"]
    assert (found.counted, found.plays, found.ramp) == (None, None, None)
    assert found.wagers["over-13"].pays_from == pytest.approx(3.16, abs=0.2)
    device = rules_for("perth/blackjack", card_source="device")
    near_nothing = study_counting(device, HI_LO, StudyWishes(wagers=("main",))).wagers["main"].exposure
    assert near_nothing.gain < 2e-5


def test_wagers_of_many_games_are_ranked() -> None:
    tables = [rules_for("rws/blackjack", side_wagers=["over-13"]), rules_for("star/blackjack")]
    ranked = rank_exposure(tables, HI_LO, 0.75)
    gains = [one.gain for one in ranked.exposures]
    assert gains == sorted(gains, reverse=True)
    assert {(one.game, one.wager) for one in ranked.exposures} >= {
        ("rws/blackjack", "main"), ("rws/blackjack", "over-13"), ("star/blackjack", "insurance"),
    }  # fmt: skip
