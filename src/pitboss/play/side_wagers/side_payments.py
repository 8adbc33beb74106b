"""What side wagers are paid: odds up to a posted maximum, prizes that are drawn or stand on a meter, and the stake.

Each of these is said once, for any kind of exact amount: the table pays money in chips, odds and simulator count in
fractions. What a book's odds make of a stake (`at_odds`) is therefore handed in by whoever asks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeVar

from pitboss.money import Money, Odds
from pitboss.play.side_wagers.judges import JUDGES, LOSES, OUTCOME, JudgeTerms, carrying_answer
from pitboss.rulebooks.model.rules import MeterShare, SideWager

Amount = TypeVar("Amount", Money, Fraction)
"""An exact amount: money at the table, a fraction elsewhere."""

MOST_CARRIED = 9
"""Rounds that a wager is carried for before what it may still win under a maximum is taken to stay as it is."""


def judge_terms(side: SideWager) -> JudgeTerms:
    """The terms of a wager that its judge goes by."""
    return JudgeTerms(
        sevens_of_three_suits=int(side.two_sevens_suits == "three-cards"),
        both_tiers=int(side.tiers_paid == "both"),
        carries_again=int(side.second_win == "carries-again"),
    )


def keeps_stake(side: SideWager) -> bool:
    """The house keeps the stake of a wager that has won a prize."""
    return side.winning_stake == "kept"


def pay_line(side: SideWager, outcome: str, paid: Amount, at_odds: Callable[[Odds], Amount]) -> Amount:
    """A line of the pay table at fixed odds, up to the posted maximum.

    `paid` is what the wager has won before, `at_odds` says what odds pay the stake.
    """
    odds = side.odds[outcome]
    assert isinstance(odds, Odds), f"{side.id}: {outcome} is a meter prize"
    won = at_odds(odds)
    if side.max_payout is None:
        return won
    most = type(won)(side.max_payout)
    return min(won, most - paid if side.payout_cap == "each-wager" else most)


def pay_drawn_prize(side: SideWager, per_unit: Amount, stake: Amount) -> Amount:
    """The net of a prize that pays per unit staked."""
    prize = per_unit * stake
    return prize - stake if keeps_stake(side) else prize


def pay_meter(side: SideWager, share: MeterShare, value: Amount, chip: Amount | None = None) -> Amount:
    """A share of what a meter shows, which is rounded up to a whole dollar, or to what chips can pay."""
    unit = type(value)(1) if side.meter_rounded == "whole-dollar" else chip
    shown = value if unit is None else math.ceil(value / unit) * unit
    return shown * share.percent / 100


def net_of(
    side: SideWager,
    answer: int,
    stake: Fraction,
    meters: Mapping[str, Fraction],
    paid: Fraction = Fraction(0),
) -> Fraction:
    """All that a judge's answer brings a stake in one round, stake and earlier steps of the round included."""
    judge = JUDGES[side.judge]
    net = Fraction(0)
    for place in judge.steps(answer, judge_terms(side)):
        if place == LOSES:
            net -= stake
        else:
            net += pay_outcome(side, judge.outcomes[place - 1], stake, meters, paid + net)
    return net - stake if keeps_stake(side) and answer & OUTCOME else net


def pay_outcome(
    side: SideWager,
    outcome: str,
    stake: Fraction,
    meters: Mapping[str, Fraction],
    paid: Fraction = Fraction(0),
) -> Fraction:
    """One line of the pay table for a stake, while the meters show so much; a meter not told shows nothing."""
    odds = side.odds[outcome]
    if isinstance(odds, MeterShare):
        return pay_meter(side, odds, meters.get(odds.meter, Fraction(0)))
    return pay_line(side, outcome, paid, lambda odds: stake * odds.win / odds.stake)


def sum_earlier_wins(side: SideWager, stake: Fraction) -> tuple[Fraction, ...]:
    """What a wager has won before its first round, before the one it is carried to, and so on.

    The list ends with the last round it can be carried to, or where what it has won makes no more difference.
    """
    paid = [Fraction(0)]
    while len(paid) <= MOST_CARRIED:
        answer = carrying_answer(side.judge, judge_terms(side), int(len(paid) > 1))
        if not answer:
            break
        won = net_of(side, answer, stake, {}, paid[-1])
        held = side.max_payout is not None and side.payout_cap == "each-wager"
        if len(paid) > 1 and not (held and won):
            break
        paid.append(paid[-1] + won)
    return tuple(paid)
