"""Insurance and even money: against which card they are offered, to whom, how much, and what they pay."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import ACE, TEN
from pitboss.play.naturals import natural_paid_now
from pitboss.play.packed import (
    EVEN_MONEY_ON_REQUEST,
    INSURANCE_BY_CONTROLLER,
    INSURANCE_RETURNED,
    INSURANCE_WHOLE,
    Packed,
)


@kernel
def insurance_offered(rules: Packed, up_rank: int) -> bool:
    """Insurance is offered against this up card."""
    if up_rank == ACE:
        return rules.insurance_on_ace != 0
    return up_rank >= TEN and rules.insurance_on_ten != 0


@kernel
def hand_may_insure(rules: Packed, natural: bool) -> bool:
    """A player with this hand may insure: not one whose natural is paid already, though the dealer may have one too."""
    return not natural or (rules.insurance_with_natural != 0 and not natural_paid_now(rules, True))


@kernel
def decides_on_insurance(rules: Packed, controls: bool) -> bool:
    """A player of a box decides on insurance and even money; `controls`: it is the controlling player."""
    return controls or rules.insurance_by != INSURANCE_BY_CONTROLLER


@kernel
def insurance_halves(rules: Packed) -> int:
    """The largest insurance, in halves of the wager."""
    return 2 if rules.insurance_max == INSURANCE_WHOLE else 1


@kernel
def odds_of_insurance(rules: Packed, up_rank: int) -> tuple[int, int]:
    """What insurance that wins pays against this up card, for each so much staked."""
    if up_rank == ACE:
        return rules.insurance_odds_ace_win, rules.insurance_odds_ace_stake
    return rules.insurance_odds_ten_win, rules.insurance_odds_ten_stake


@kernel
def even_money_offered(rules: Packed, up_rank: int, waiting_natural: bool) -> bool:
    """A natural that waits for the dealer's second card may be paid one to one now."""
    return waiting_natural and rules.even_money == EVEN_MONEY_ON_REQUEST and up_rank == ACE


@kernel
def even_money_returns_insurance(rules: Packed) -> bool:
    """A player who takes even money has the insurance back; else it stands."""
    return rules.even_money_insurance == INSURANCE_RETURNED
