"""Kernel = table: simulated rounds are dealt again at the table, and every wager must come out the same to the cent.

The players are erratic: they split, double, draw, surrender, switch and take doubles back where nobody would, so that
few hands are needed to meet what is rare.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sim_tools import GAMES, HI_LO, Erratic, ready, wager_sets
from speeds import few

from pitboss.cards import CODE, decks
from pitboss.money import Money
from pitboss.play.packed import HIT, SPLIT, STAND
from pitboss.records import read, replay
from pitboss.rulebooks import Rulebook, parse_user_book, rules_for
from pitboss.sim.plan import BetSchedule, Plan, Prepared, SimError, prepare
from pitboss.sim.plays_by_count import CountPlay
from pitboss.sim.strategies import MimicTheDealer, NeverBust, Question, Yardstick
from pitboss.sim.witness import simulate_round, witness

LAS_VEGAS = (Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml").read_text("utf-8")


def compare(prepared: Prepared, rounds: int, step: int = 37, books: Iterable[Rulebook] = ()) -> None:
    """Rounds of several strands, so that shoes are met at every depth."""
    for number in range(0, rounds * step, step):
        seen = witness(prepared, 0, number % prepared.plan.rounds, books)
        assert seen.kernel_net == seen.table_net, f"round {number}: {' '.join(seen.cards)}"
        assert seen.kernel_sides == seen.table_sides, f"round {number}: {' '.join(seen.cards)}"


@pytest.mark.parametrize("game", few(GAMES, 9))
def test_kernel_and_table_agree_with_side_wagers(game: str) -> None:
    for offered in wager_sets(game):
        compare(ready(game, side_wagers=offered, strategy=Erratic(1), boxes=2), 12)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_kernel_and_table_agree_on_two_thousand_rounds(game: str) -> None:
    offered = wager_sets(game)
    for wagers in offered:
        compare(ready(game, side_wagers=wagers, strategy=Erratic(2)), -(-1700 // len(offered)), step=5)
        two = ready(game, side_wagers=wagers, strategy=Erratic(3), boxes=2, seed=8)
        compare(two, -(-300 // len(offered)), step=11)


@pytest.mark.slow
def test_kernel_and_table_agree_on_a_player_who_looks_at_every_card() -> None:
    compare(ready("star/blackjack", strategy=Erratic(3, composition=True), boxes=2), 200)


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *[("perth/blackjack", {"layout": layout}) for layout in (4, 7, 10)],
    ("perth/blackjack", {"card_source": "device"}),
    ("perth/plus", {"layout": 8}),
    ("star/blackjack", {"resplit": True}),
    ("star/blackjack", {"card_source": "device"}),
    ("star/switch", {"double_with_ace": True}),
    ("star/switch", {"card_source": "device"}),
    ("melbourne/blackjack", {"auto_draw": True}),
    ("melbourne/free-bet", {"decks": 6}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_kernel_and_table_agree_under_options(game: str, options: dict[str, Any]) -> None:
    compare(ready(game, options=options, strategy=Erratic(4)), 25)


READINGS: list[tuple[str, tuple[str, ...], dict[str, str]]] = [
    ("perth/plus", (), {"plus_win_limbs_first": "no"}),
    ("perth/vegas", (), {"double_stops_any_total": "no"}),
    ("rws/blackjack", (), {"insurance_settle_time": "early-check"}),
    ("star/switch", (), {"natural_and_switch": "switch-first"}),
    ("star/switch", (), {"switch_waiting_natural": "refused"}),
    ("melbourne/free-bet", (), {"free_split_stake": "last-hand"}),
    ("melbourne/plus", (), {"busted_double_against_dealer_natural": "original-only"}),
    ("melbourne/spanish", (), {"surrender_moment": "table-pass"}),
    ("melbourne/vegas", ("buster",), {"buster_dealer_finishes": "listed-cases"}),
    ("melbourne/vegas", (), {"natural_paid_early": "always"}),
    ("melbourne/blackjack", ("crown-suits",), {"crown_suits_tiers": "both"}),
    ("melbourne/blackjack", ("magnificent-sevens",), {"magnificent_sevens_two_sevens": "three-cards"}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "wagers", "readings"), READINGS)
def test_kernel_and_table_agree_under_readings(game: str, wagers: tuple[str, ...], readings: dict[str, str]) -> None:
    compare(ready(game, side_wagers=wagers, readings=readings, strategy=Erratic(7), boxes=2), 30)


@pytest.mark.slow
@pytest.mark.parametrize("boxes", range(1, 10))
def test_kernel_and_table_agree_for_every_number_of_boxes(boxes: int) -> None:
    if boxes > ready("perth/blackjack").rules.boxes_max:
        with pytest.raises(SimError, match="boxes must be"):
            ready("perth/blackjack", boxes=boxes)
    else:
        compare(ready("perth/blackjack", boxes=boxes, strategy=Erratic(5)), 5, step=53)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", [MimicTheDealer(), NeverBust()], ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("game", ["rws/blackjack", "star/switch", "melbourne/pontoon"])
def test_kernel_and_table_agree_for_plain_strategies(game: str, strategy: Any) -> None:
    compare(ready(game, strategy=strategy), 15)


def test_a_super_bonus_is_shared_with_the_other_boxes() -> None:
    """From a shoe rich in sevens, a round is searched in which a box has three of one suit against a seven."""
    prepared = ready("melbourne/pontoon", boxes=7, strategy=MimicTheDealer(), rounds=4096, block_rounds=4096)
    rich = np.array([CODE[card] for card in ("7h", "7s", *(rank + "c" for rank in "23456789JK"))] * 8, np.uint8)
    given = prepared.given._replace(fresh=rich, shape=prepared.given.shape._replace(cut=1))
    prepared = prepared._replace(given=given)
    number = next(
        number for number in range(4096) if simulate_round(prepared, 0, number).net > given.shape.super_bonus // 2
    )
    seen = witness(prepared, 0, number)
    assert {"super-bonus", "super-bonus-others"} <= {settled.outcome for settled in seen.table.state.settlements}
    assert seen.kernel_net == seen.table_net


def vegas(
    strategy: Any, text: str = LAS_VEGAS, boxes: int = 2, schedule: BetSchedule | None = None, **options: Any
) -> tuple[Prepared, Rulebook]:
    book = parse_user_book(text, "las-vegas.toml")
    rules = rules_for("las-vegas/blackjack", own_books=[book], **options)
    plan = Plan(rounds=1 << 14, seed=7, block_rounds=1 << 14, boxes=boxes, wager=Money(100), schedule=schedule)
    return prepare(rules, strategy, plan), book


EARLY = LAS_VEGAS.replace('{ value = "own-turn"', '{ value = "before-third-card"').replace(
    'surrender_vs_natural = { value = "whole-stake-lost"', 'surrender_vs_natural = { value = "half-stake-lost"'
)
UNSEEN = LAS_VEGAS.replace('hole_card = { value = "peek"', 'hole_card = { value = "no-peek"').replace(
    'insurance_settled = { value = "before-play"', 'insurance_settled = { value = "dealer-second-card"'
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "options"),
    [(LAS_VEGAS, {}), (LAS_VEGAS, {"surrender": True}), (EARLY, {"surrender": True}), (UNSEEN, {"soft_17": "hit"})],
    ids=["peek", "late surrender", "early surrender", "no peek"],
)
def test_kernel_and_table_agree_on_hole_cards(text: str, options: dict[str, Any]) -> None:
    prepared, book = vegas(Erratic(9), text, **options)
    compare(prepared, 60, books=[book])


def test_bets_and_insurance_of_a_schedule_are_those_of_the_table() -> None:
    schedule = BetSchedule(tags=HI_LO, units=((-20, 1), (1, 3), (2, 8)), insure_from=1)
    prepared = ready("star/blackjack", schedule=schedule, strategy=Erratic(6), boxes=2)
    insured = [number for number in range(2048) if simulate_round(prepared, 0, number).insures]
    for number in (*insured[:10], *range(0, 30 * 31, 31)):
        seen = witness(prepared, 0, number)
        assert seen.agrees, f"round {number}: {' '.join(seen.cards)}"
        assert (number in insured) == any(wager == "insurance" for _, _, wager in seen.table.results())


PLAYS = (
    *(CountPlay(hand=f"hard {total}", up=up, action="stand", from_count=0) for total in (12, 14, 16) for up in "79TA"),
    *(CountPlay(hand=f"hard {total} x3+", up=up, action="hit", below=1) for total in (13, 15, 17) for up in "26T"),
    *(CountPlay(hand=f"hard {total}", up=up, action="double", from_count=1) for total in (8, 9) for up in "258T"),
    *(CountPlay(hand=hand, up=up, action="split", from_count=-1) for hand in ("pair T", "pair 5") for up in "4568"),
)


@pytest.mark.parametrize("hole", [False, True], ids=["no hole card", "hole card"])
def test_plays_by_the_count_are_those_of_a_player_who_sees_every_card_on_the_table(hole: bool) -> None:
    schedule = BetSchedule(tags=HI_LO, units=((-20, 1), (1, 3)), insure_from=1, plays=PLAYS)
    if hole:
        prepared, book = vegas(Yardstick(), LAS_VEGAS, schedule=schedule, boxes=2)
        compare(prepared, 60, books=[book])
    else:
        prepared = ready("star/blackjack", schedule=schedule, strategy=Yardstick(), boxes=2)
        compare(prepared, 60)
    assert len(prepared.by_count) == 4
    met = {prepared.strategy_at(count).action(sixteen()) for count in (-1, 0)}
    assert met == {STAND, HIT}


def sixteen() -> Question:
    return Question((6, 10), 16, False, 2, False, 10, STAND | HIT)


@pytest.mark.slow
def test_insurance_that_is_decided_before_play_is_that_of_the_table() -> None:
    schedule = BetSchedule(tags=HI_LO, units=((-20, 1),), insure_from=-20)
    early = ready(
        "rws/blackjack", readings={"insurance_settle_time": "early-check"}, schedule=schedule, strategy=Erratic(8)
    )
    compare(early, 150)


SIX_HANDS = LAS_VEGAS.replace("split_max_hands = { value = 4", "split_max_hands = { value = 6")


@pytest.mark.slow
def test_a_box_can_have_more_hands_than_four() -> None:
    """From a shoe of eights and a few others, rounds are searched in which everything is split."""
    prepared, book = vegas(Erratic(3), SIX_HANDS, boxes=1)
    eights = np.array([CODE[card] for card in ("8h", "8s", "8d", "8c", "2c", "Th")] * 12, np.uint8)
    given = prepared.given._replace(fresh=eights, shape=prepared.given.shape._replace(cut=1))
    prepared = prepared._replace(given=given)
    most = 0
    for number in range(0, 40 * 37, 37):
        seen = witness(prepared, 0, number, [book])
        assert seen.kernel_net == seen.table_net, f"round {number}: {' '.join(seen.cards)}"
        most = max(most, len(seen.table.state.boxes[0].hands))
    assert most == 6


@pytest.mark.slow
def test_a_split_that_is_declined_bars_the_next_whatever_is_done_instead() -> None:
    """Who stands on a pair of a split has declined, and the next pair of the box may not split."""
    prepared = ready("melbourne/blackjack", strategy=StandsOnTheFirst(5), rounds=4096, block_rounds=4096)
    eights = np.array([CODE[card] for card in ("8h", "8s", "8d", "8c", "2c", "Th")] * 20, np.uint8)
    given = prepared.given._replace(fresh=eights, shape=prepared.given.shape._replace(cut=1))
    compare(prepared._replace(given=given), 60, step=13)


class StandsOnTheFirst(Erratic):
    """Splits what it can, but stands on a pair in the first hand of a split."""

    def action(self, hand: Question) -> int:
        if hand.legal & SPLIT:
            return STAND if hand.from_split and not hand.other else SPLIT
        return super().action(hand)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["perth/blackjack", "perth/plus"])
def test_a_device_that_is_fed_in_mid_round_deals_collected_cards_again(game: str) -> None:
    prepared = ready(
        game,
        options={"card_source": "device"},
        readings={"csm_recirculation": "mid-round"},
        strategy=Erratic(8),
        boxes=3,
    )
    compare(prepared, 20)
    one_deck = np.array([CODE[card] for card in decks(1)], np.uint8)
    small = prepared._replace(given=prepared.given._replace(fresh=one_deck))
    compare(small, 20)
    rounds = [simulate_round(small, 0, number).cards for number in range(0, 50 * 31, 31)]
    assert any(len(set(cards)) < len(cards) for cards in rounds)
    after_round = ready(game, options={"card_source": "device"}, strategy=Erratic(8), boxes=3)
    plain = after_round._replace(given=after_round.given._replace(fresh=one_deck))
    assert all(
        len(set(cards)) == len(cards)
        for cards in (simulate_round(plain, 0, number).cards for number in range(0, 50 * 31, 31))
    )


def test_a_round_without_a_bet_has_no_record() -> None:
    prepared = ready("star/blackjack", schedule=BetSchedule(tags=HI_LO, units=((-20, 0),)))
    with pytest.raises(SimError, match="bets nothing"):
        witness(prepared, 0, 5)


def test_a_simulated_round_is_a_record_that_replays() -> None:
    seen = witness(ready("star/blackjack", side_wagers=("perfect-pairs",)), 0, 123)
    record = read(seen.table.record("Simulated"))
    written = {(line.box, line.player, line.wager): line.net for line in record.rounds[0].results or ()}
    assert not replay(record).differences
    assert written == seen.table.results()


def test_a_round_that_was_not_played_has_no_record() -> None:
    with pytest.raises(SimError, match="there is no round 3:0"):
        witness(ready("star/blackjack"), 3, 0)
