"""Effects of removal, counts, index plays and ramps: held to the literature where it speaks, and to themselves."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest

import pitboss
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds import analyse, vary
from pitboss.odds.analysis import basic_strategy
from pitboss.odds.known_tables import find_known
from pitboss.odds.removal.bet_ramps import CountRow, RampError, RampWishes, best_ramp, ruin_ever, ruin_within
from pitboss.odds.removal.count_systems import (
    SYSTEMS,
    CountError,
    best_tags,
    correlation,
    find_system,
    worth_per_count,
)
from pitboss.odds.removal.effects import (
    INSURANCE,
    VALUES,
    RemovalEffects,
    full_shoe,
    removal_effects,
    shares_of,
)
from pitboss.odds.removal.exposure import count_shares, device_exposure, exposure, two_card_exposure
from pitboss.odds.removal.index_plays import IndexPlays, index_plays
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules

HI_LO, CRUSH = SYSTEMS["hi-lo"], SYSTEMS["crush"]
HOLE_CARD = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"


def hole_card_game(*, surrender: bool = False) -> Rules:
    return pitboss.rules("las-vegas/blackjack", own_books=HOLE_CARD, surrender=surrender)


@pytest.fixture(scope="module")
def six_decks() -> RemovalEffects:
    return removal_effects(hole_card_game())


# ---------------------------------------------------------------------- effects of removal

GRIFFIN = {
    "A": -0.61,
    "2": 0.38,
    "3": 0.44,
    "4": 0.55,
    "5": 0.69,
    "6": 0.46,
    "7": 0.28,
    "8": 0.0,
    "9": -0.18,
    "T": -0.51,
}
"""Griffin, The Theory of Blackjack: one deck, the dealer stands on soft 17, no double after a split; in per cent."""


@pytest.mark.slow
def test_effects_on_one_deck_are_those_of_the_literature() -> None:
    one = vary(vary(hole_card_game(), "decks", 1), "double_after_split", False)
    found = removal_effects(one)
    for value, known in GRIFFIN.items():
        assert 100 * found.effects[value] == pytest.approx(known, abs=0.03), value


@pytest.mark.slow
def test_effects_sum_to_nothing_over_the_shoe(six_decks: RemovalEffects) -> None:
    mean = sum(six_decks.shares[value] * six_decks.effects[value] for value in VALUES)
    assert abs(mean) < 0.01 * six_decks.spread


@pytest.mark.slow
def test_hi_lo_and_halves_tell_bets_as_well_as_published(six_decks: RemovalEffects) -> None:
    known = {
        "hi-lo": 0.97,
        "hi-opt-1": 0.88,
        "hi-opt-2": 0.91,
        "ko": 0.98,
        "omega-2": 0.92,
        "zen": 0.96,
        "halves": 0.99,
    }
    for name, published in known.items():
        assert correlation(SYSTEMS[name], six_decks) == pytest.approx(published, abs=0.012), name


@pytest.mark.slow
def test_no_tags_of_a_level_beat_the_best(six_decks: RemovalEffects) -> None:
    levels = [best_tags(six_decks, level).correlation for level in (1, 2, 3)]
    assert levels == sorted(levels)
    assert levels[0] >= correlation(SYSTEMS["ko"], six_decks) - 1e-9
    assert levels[2] >= correlation(SYSTEMS["halves"], six_decks)
    assert math.isclose(correlation(HI_LO, six_decks), 0.9665, abs_tol=5e-4)


def test_insurance_is_taken_from_about_three_and_only_tens_count() -> None:
    found = removal_effects(hole_card_game(), INSURANCE)
    assert found.expectation == pytest.approx(96 / 311 * 3 - 1)
    assert correlation(SYSTEMS["tens"], found) == pytest.approx(1.0)
    assert -found.expectation / worth_per_count(HI_LO, found) == pytest.approx(3.1, abs=0.2)
    assert correlation(HI_LO, found) == pytest.approx(0.76, abs=0.005)


def test_over_13_favours_the_crush_from_about_three_at_six_decks() -> None:
    found = removal_effects(rules_for("rws/blackjack", side_wagers=["over-13"], decks=6), "over-13")
    assert found.expectation == pytest.approx(-0.0655, abs=5e-4)
    assert -found.expectation / worth_per_count(CRUSH, found) == pytest.approx(3.16, abs=0.02)
    assert correlation(CRUSH, found) > 0.9 > abs(correlation(HI_LO, found))


PERFECT_PLAY = {"over-13": 0.7697, "under-13": 0.3875}
"""E. Jacobson: units for 100 rounds with six decks, 52 cards behind the cut card, every card known."""


@pytest.mark.parametrize("wager", PERFECT_PLAY)
def test_over_and_under_13_offer_what_is_published_of_perfect_play(wager: str) -> None:
    rules = rules_for("rws/blackjack", side_wagers=[wager], decks=6)
    found = two_card_exposure(rules, rules.side_wagers[0], removal_effects(rules, wager), 260 / 312)
    assert 100 * found.gain == pytest.approx(PERFECT_PLAY[wager], rel=0.12)


def test_a_pair_wager_has_nothing_to_count_to_first_order() -> None:
    rules = rules_for("star/blackjack", side_wagers=["any-pairs"])
    found = removal_effects(rules, "any-pairs")
    assert found.spread == pytest.approx(0, abs=1e-12)
    with pytest.raises(CountError, match="nothing to count"):
        best_tags(found, 1)
    deep = two_card_exposure(rules, rules.side_wagers[0], found, 0.9)
    assert deep.deviation > 0.01
    assert deep.bet_share < 0.05


def test_sampled_compositions_agree_with_the_first_order() -> None:
    rules = rules_for("rws/blackjack", side_wagers=["over-13"], decks=6)
    effects = removal_effects(rules, "over-13")
    sampled, first = two_card_exposure(rules, rules.side_wagers[0], effects, 0.75), exposure(effects, 0.75)
    assert sampled.deviation == pytest.approx(first.deviation, rel=0.12)
    assert sampled.gain == pytest.approx(first.gain, rel=0.15)


def test_a_deeper_cut_gives_more_and_a_device_next_to_nothing() -> None:
    found = removal_effects(hole_card_game(), INSURANCE)
    gains = [exposure(found, cut, HI_LO).gain for cut in (0.5, 0.65, 0.75, 0.85)]
    assert gains == sorted(gains)
    assert device_exposure(found, 22).gain < gains[1] / 50
    known = exposure(found, 0.75, HI_LO)
    assert 0 < known.gain_by_count < known.gain


def test_counts_come_as_often_as_they_should() -> None:
    cards = full_shoe(hole_card_game())
    shares = count_shares(HI_LO, shares_of(cards), len(cards), 0.75)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-3)
    assert shares[0] == pytest.approx(shares[-1])
    assert shares[2] > shares[4] > shares[6]


# ---------------------------------------------------------------------- index plays

ILLUSTRIOUS = {
    ("insurance", "A"): 3, ("hard 16", "T"): 0, ("hard 15", "T"): 4, ("pair T", "5"): 5, ("pair T", "6"): 4,
    ("hard 10", "T"): 4, ("hard 12", "3"): 2, ("hard 12", "2"): 3, ("hard 11", "A"): 1, ("hard 9", "2"): 1,
    ("hard 10", "A"): 4, ("hard 9", "7"): 3, ("hard 16", "9"): 5, ("hard 13", "2"): -1, ("hard 12", "4"): 0,
    ("hard 12", "5"): -2, ("hard 12", "6"): -1, ("hard 13", "3"): -2,
}  # fmt: skip
"""The Illustrious 18 for Hi-Lo and several decks, as Schlesinger gives them in Blackjack Attack."""


@pytest.fixture(scope="module")
def hi_lo_plays() -> IndexPlays:
    rules = hole_card_game()
    cards = full_shoe(rules)
    shares = count_shares(HI_LO, shares_of(cards), len(cards), 0.75)
    return index_plays(rules, HI_LO, shares, analyse(rules).strategy)


@pytest.mark.slow
@pytest.mark.parametrize("spot", ILLUSTRIOUS, ids=" against ".join)
def test_indices_are_within_one_of_the_literature(spot: tuple[str, str], hi_lo_plays: IndexPlays) -> None:
    play = next(play for play in hi_lo_plays.plays if (play.hand, play.up) == spot)
    assert abs(play.index - ILLUSTRIOUS[spot]) <= 1, play


@pytest.mark.slow
def test_insurance_is_the_most_valuable_play_and_efficiency_is_near_a_half(hi_lo_plays: IndexPlays) -> None:
    assert hi_lo_plays.plays[0].hand == "insurance"
    assert hi_lo_plays.efficiency == pytest.approx(0.51, abs=0.05)
    assert hi_lo_plays.gain_by_count[6] > hi_lo_plays.gain_by_count[3] > hi_lo_plays.gain_by_count[0] >= 0
    assert hi_lo_plays.gain == pytest.approx(sum(play.gain for play in hi_lo_plays.plays))


@pytest.mark.slow
def test_most_indices_are_those_of_the_literature_and_insurance_turns_at_three(hi_lo_plays: IndexPlays) -> None:
    found = {(play.hand, play.up): play for play in hi_lo_plays.plays}
    assert sum(found[spot].index == index for spot, index in ILLUSTRIOUS.items()) >= 11
    assert found["insurance", "A"].turns_at == pytest.approx(3.01, abs=0.02)


@pytest.mark.slow
def test_index_plays_are_written_for_programs(hi_lo_plays: IndexPlays) -> None:
    assert msgspec.json.decode(msgspec.json.encode(hi_lo_plays), type=IndexPlays) == hi_lo_plays


FAB_FOUR = {("hard 14", "T"): 3, ("hard 15", "T"): 0, ("hard 15", "9"): 2, ("hard 15", "A"): 1}
"""The surrenders that Schlesinger calls the Fab Four, for a dealer who stands on soft 17."""


@pytest.mark.slow
def test_surrenders_turn_where_the_literature_says() -> None:
    rules = hole_card_game(surrender=True)
    found = {(play.hand, play.up): play for play in index_plays(rules, HI_LO, {0: 1.0}, basic_strategy(rules)).plays}
    assert {spot: found[spot].index for spot in FAB_FOUR} == FAB_FOUR
    assert all(found[spot].from_it == "surrender" for spot in FAB_FOUR)


def test_the_basic_chart_alone_is_that_of_the_whole_analysis() -> None:
    rules = rules_for("melbourne/select", decks=6)
    assert find_known(rules) is None
    assert basic_strategy(rules) == analyse(rules).strategy


@pytest.mark.slow
def test_hands_of_more_cards_and_soft_hands_and_pairs_have_indices_of_their_own(hi_lo_plays: IndexPlays) -> None:
    found = {(play.hand, play.up): play for play in hi_lo_plays.plays}
    two, more = found["hard 16", "T"], found["hard 16 x3+", "T"]
    assert (two.from_it, more.from_it) == ("stand", "stand")
    assert more.turns_at < two.turns_at - 0.5, "small cards that have gone make standing better"
    assert found["soft 19", "6"].from_it == "double"
    assert found["pair 3", "2"].from_it == "split"
    assert not found["hard 13", "2"].rises
    assert two.rises


# ---------------------------------------------------------------------- ramps

ROWS = [
    CountRow(count=count, share=share, expectation=worth, standard_error=1e-4, variance=1.3)
    for count, share, worth in ((-1, 0.4, -0.01), (0, 0.3, -0.002), (1, 0.15, 0.004), (2, 0.1, 0.01), (3, 0.05, 0.02))
]


def test_kelly_bets_are_worth_over_variance_within_limits() -> None:
    ramp = best_ramp(ROWS, RampWishes(bankroll=10_000, minimum=10, maximum=100, step=5))
    assert [step.bet for step in ramp.steps] == [10, 10, 30, 75, 100]
    win = sum(row.share * step.bet * row.expectation for row, step in zip(ROWS, ramp.steps, strict=True))
    assert ramp.win_per_100 == pytest.approx(100 * win)
    assert ramp.score == pytest.approx(1e6 / ramp.n_zero)


def test_a_count_that_hardly_came_is_bet_on_by_a_line_through_all() -> None:
    wishes = RampWishes(bankroll=10_000, minimum=10, maximum=120)
    plain = best_ramp(ROWS, wishes)
    seldom = CountRow(count=9, share=1e-6, expectation=-1.0, standard_error=0.0, variance=0.0)
    alike = msgspec.structs.replace(seldom, count=10, standard_error=1e-9)
    ramp = best_ramp([*ROWS, seldom, alike], wishes)
    assert [step.bet for step in ramp.steps[-2:]] == [120, 120]
    assert [step.bet for step in ramp.steps[:-2]] == [step.bet for step in plain.steps]


def test_unfettered_kelly_risks_what_kelly_risks() -> None:
    rows = [row for row in ROWS if row.expectation > 0]
    whole = sum(row.share for row in rows)
    shared = [
        CountRow(**{**{f: getattr(row, f) for f in row.__struct_fields__}, "share": row.share / whole}) for row in rows
    ]
    ramp = best_ramp(shared, RampWishes(bankroll=1e6, minimum=1, maximum=1e6, step=1))
    assert ramp.risk_of_ruin == pytest.approx(math.exp(-2), abs=0.005)


def test_a_fixed_risk_is_kept_to_and_one_too_small_is_refused() -> None:
    wishes = RampWishes(bankroll=20_000, minimum=10, maximum=500, step=5, risk=0.05, sit_out_below=1)
    ramp = best_ramp(ROWS, wishes)
    assert 0.03 < ramp.risk_of_ruin <= 0.05
    assert ramp.played_share == pytest.approx(0.3)
    with pytest.raises(RampError, match="the least is"):
        best_ramp(ROWS, RampWishes(bankroll=100, minimum=10, maximum=20, risk=0.001))


def test_a_spread_holds_the_highest_bet() -> None:
    ramp = best_ramp(ROWS, RampWishes(bankroll=1e5, minimum=10, maximum=1000, spread=4))
    assert max(step.bet for step in ramp.steps) == 40


def test_ruin_within_a_horizon_grows_to_ruin_ever() -> None:
    risks = [ruin_within(500, 0.05, 100.0, rounds) for rounds in (100, 10_000, 10_000_000)]
    assert risks == sorted(risks)
    assert risks[-1] == pytest.approx(ruin_ever(500, 0.05, 100.0), rel=1e-3)
    assert ruin_ever(500, -0.01, 100.0) == 1.0


# ---------------------------------------------------------------------- refusals

REFUSED = [
    (lambda: find_system("hi-low"), "hi-lo"),
    (lambda: find_system("own.json", lambda _: '{"tags": {"A": 1}}'), "no tag for 2"),
    (lambda: find_system("own.json", lambda _: '{"tags": {"Z": 1}}'), "'Z' is no value"),
    (lambda: find_system("own.json", lambda _: '{"tags": {"A": 99}}'), "from -9 to 9"),
    (lambda: find_system("own.json", lambda _: "{"), "own.json"),
    (lambda: removal_effects(rules_for("star/blackjack", decks="inf")), "infinite deck"),
    (lambda: removal_effects(rules_for("star/blackjack"), "over-13"), "not on offer"),
    (lambda: best_ramp(ROWS, RampWishes(bankroll=0)), "above zero"),
    (lambda: best_ramp(ROWS, RampWishes(bankroll=1, minimum=50, maximum=10)), "bets from 50 to 10"),
]


@pytest.mark.parametrize(("ask", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_cannot_be_is_refused_in_one_line(ask: object, said: str) -> None:
    with pytest.raises(PitbossError, match=said) as refused:
        ask()  # type: ignore[operator]
    assert "\n" not in str(refused.value)


def test_an_own_count_is_read() -> None:
    tags = {"A": -1, **dict.fromkeys("23456", 0.5), **dict.fromkeys("789", 0), "T": -0.5}
    own = find_system("own.json", lambda _: f'{{"name": "Mine", "tags": {str(tags).replace(chr(39), chr(34))}}}')
    assert own.multiple == 2
    assert own.whole_tags()["K"] == -1
    assert Money(str(own.balance())) == own.balance()
