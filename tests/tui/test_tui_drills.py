"""Drills: questions whose answers are what the table pays, what the chart names and what the cards count."""

from __future__ import annotations

import pytest
from tui_tools import EACH_GAME, Knows, side_wagers

from pitboss.errors import PitbossError
from pitboss.rulebooks import rules_for
from pitboss.table.messages import commands as cmd
from pitboss.tui.help.drills import Drill, DrillKind, DrillQuestion, ask_count, ask_hand, ask_payout, count_hi_lo
from pitboss.tui.session.robots import NoAdvisor

TURN = {cmd.Hit: 0.1, cmd.Stand: 0.0, cmd.Double: 0.2, cmd.Split: 0.3, cmd.Surrender: -0.5}
KNOWS = Knows({**TURN, cmd.Proceed: 0.0, cmd.Insure: -0.1, cmd.TakeEvenMoney: -0.1})


@pytest.mark.parametrize("game", EACH_GAME)
def test_every_game_has_hands_payouts_and_cards_to_count(game: str) -> None:
    rules = rules_for(game, side_wagers=side_wagers(game))
    for number in range(3):
        hand = ask_hand(rules, KNOWS, f"seed {number}")
        assert len(hand.answers) >= 2
        assert hand.right in dict(hand.answers)
        payout = ask_payout(rules, f"seed {number}")
        assert payout.is_right(payout.right)
        assert not payout.answers
        count = ask_count(rules, f"seed {number}")
        assert len(count.shown) >= 3


def test_the_right_hand_is_the_one_that_the_chart_names() -> None:
    rules = rules_for("melbourne/blackjack")
    rights = {ask_hand(rules, KNOWS, f"seed {number}").right for number in range(30)}
    assert rights - {"space"} == {"h", "d", "p"}
    timid = Knows({cmd.Stand: 1.0, cmd.Hit: 0.0, cmd.Proceed: 0.0})
    assert {ask_hand(rules, timid, f"seed {number}").right for number in range(5)} == {"s"}
    with pytest.raises(PitbossError, match="not known yet"):
        ask_hand(rules, NoAdvisor(), "seed")


def test_a_drill_in_hands_asks_about_what_is_offered_before_play_too() -> None:
    rules = rules_for("rws/blackjack")
    asked = [ask_hand(rules, KNOWS, f"seed {number}") for number in range(150)]
    offers = {question.answers: question for question in asked if "space" in dict(question.answers)}
    told = {" ".join(dict(answers)): question.why.rpartition(": ")[2] for answers, question in offers.items()}
    assert told["r space"] in ("no surrender.", "surrender.")
    assert told["i space"] == "no insurance."
    assert any("h" in dict(question.answers) for question in asked)
    assert not any({"h", "space"} <= set(dict(question.answers)) for question in asked)


def test_a_payout_is_what_the_table_pays() -> None:
    rules = rules_for("perth/blackjack", side_wagers=["perfect-pairs"])
    asked = [ask_payout(rules, f"seed {number}") for number in range(25)]
    naturals = [question for question in asked if question.asks.startswith("Blackjack")]
    pairs = [question for question in asked if question.asks.startswith("Perfect Pairs: mixed")]
    assert naturals
    assert pairs
    for question in naturals:
        stake = float(question.asks.partition("wager of ")[2].partition(". ")[0])
        assert float(question.right) == -(-stake * 3 // 1) / 2
    for question in pairs:
        stake = float(question.asks.partition("wager of ")[2].partition(". ")[0])
        assert float(question.right) == stake * 5
    assert all("[" in question.why for question in asked)


def test_hi_lo_counts_low_cards_up_and_tens_and_aces_down() -> None:
    assert count_hi_lo(("2s", "6h", "7d", "9c", "Ts", "Kh", "Ad")) == -1
    assert count_hi_lo(("2s", "3h", "4d", "5c", "6s")) == 5


def test_a_number_is_right_however_it_is_written() -> None:
    question = DrillQuestion((), "?", "3", "")
    assert [question.is_right(text) for text in ("3", "+3", "3.0", "-3", "", "three")] == [True, True, True] + [
        False
    ] * 3
    assert DrillQuestion((), "?", "-3", "").is_right("-3")


def test_a_drill_keeps_the_score_and_asks_something_new() -> None:
    drill = Drill(DrillKind.COUNTING, rules_for("star/blackjack"), NoAdvisor(), "seed")
    first = drill.ask()
    assert drill.answer(first, first.right).endswith("1 of 1 right.")
    second = drill.ask()
    assert second.shown != first.shown
    assert drill.answer(second, "99").startswith("Wrong. The running count is ")
    assert (drill.right, drill.asked) == (1, 2)
