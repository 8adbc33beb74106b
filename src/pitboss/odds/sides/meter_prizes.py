"""Side wagers with prize meters: Blackjack Jackpots and Supernova.

The worth of a wager is a fixed part, from prizes at fixed odds, and what its meters add, which grows in a straight
line with where they stand. Prizes the jackpot system picks without looking at the cards (Lucky Player, Mystery) are
not in the books' numbers: how often they come is told by whoever asks. One wager is looked at alone: winners of one
round share a meter, which only matters on other boxes of the same table.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import Money
from pitboss.odds.sides.counting import Pack
from pitboss.odds.sides.first_cards import METHOD, judge_deals
from pitboss.odds.sides.side_edge import LOST, MeterWorth, SideEdge, SideOutcome, outcomes_of, side_edge
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.play.side_wagers.side_payments import judge_terms, pay_meter, pay_outcome
from pitboss.rulebooks.model.rules import MeterShare, Rules, SideWager

Meters = Mapping[str, Money | int | Fraction]


class MeterError(PitbossError):
    """A meter or a chance that the wager does not have."""


def jackpot_odds(
    rules: Rules, side: SideWager, cards: Pack, stake: Fraction, *, meters: Meters, picks: Mapping[str, Fraction]
) -> SideEdge:
    """One wager of `stake` while the meters stand at `meters`; `picks` has the chances of the system's prizes."""
    _check(side, meters, picks)
    values = {name: Fraction(value) for name, value in meters.items()}
    now = _outcomes(side, cards, values, picks, stake)
    bare = _outcomes(side, cards, {}, picks, stake)
    fixed = sum((outcome.probability * outcome.net for outcome in bare), Fraction(0))
    shares = {name: _share(side, cards, name, picks) / stake for name in side.meters}
    return side_edge(
        rules, side, now, method=METHOD, stake=stake, fixed_part=fixed,
        meters=tuple(_worth(name, values, shares, fixed) for name in side.meters),
        notes=() if meters else ("no meter was given: the figures are for meters at zero",),
    )  # fmt: skip


def _check(side: SideWager, meters: Meters, picks: Mapping[str, Fraction]) -> None:
    for name, value in meters.items():
        if name not in side.meters:
            raise MeterError(f"{side.name} has no meter '{name}'; {nearest(name, side.meters)}")
        if value < 0:
            raise MeterError(f"the meter {name} cannot be {value}")
    for name, chance in picks.items():
        if name not in JUDGES[side.judge].picks:
            raise MeterError(f"{side.name} has no prize '{name}' that the system picks")
        if not 0 <= chance <= 1:
            raise MeterError(f"the chance of {name} must be from 0 to 1, not {chance}")


def _outcomes(
    side: SideWager, cards: Pack, meters: Mapping[str, Fraction], picks: Mapping[str, Fraction], units: Fraction
) -> list[SideOutcome]:
    outcomes = outcomes_of(side, judge_deals(side.judge, judge_terms(side), cards), units, meters)
    for pick, chance in picks.items():
        prize = pay_outcome(side, pick, units, meters) / units
        outcomes = _with_pick(side, outcomes, pick, chance, prize)
    return outcomes


def _with_pick(
    side: SideWager, outcomes: list[SideOutcome], pick: str, chance: Fraction, prize: Fraction
) -> list[SideOutcome]:
    """The prize comes on top of what the cards gave, and saves a stake the cards lost."""
    found = [msgspec.structs.replace(one, probability=one.probability * (1 - chance)) for one in outcomes]
    for one in outcomes:
        name = pick if one.id == LOST else f"{one.id}+{pick}"
        net = prize + max(one.net, Fraction(0))
        found.append(SideOutcome(name, one.probability * chance, net, (*side.cite(pick, "wins"),)))
    return found


def _share(side: SideWager, cards: Pack, meter: str, picks: Mapping[str, Fraction]) -> Fraction:
    """The expected prize from a meter, as a share of what it stands at, rounded up as it is paid."""
    judge = JUDGES[side.judge]
    found = judge_deals(side.judge, judge_terms(side), cards)
    share = Fraction(0)
    for place, name in enumerate(judge.outcomes, start=1):
        odds = side.odds[name]
        if isinstance(odds, MeterShare) and odds.meter == meter:
            chance = picks.get(name, Fraction(0)) if name in judge.picks else found.get(place, Fraction(0))
            share += chance * pay_meter(side, odds, Fraction(1))
    return share


def _worth(name: str, values: Mapping[str, Fraction], shares: Mapping[str, Fraction], fixed: Fraction) -> MeterWorth:
    """A meter that never pays (a pick without a chance) has no break-even, which is said as none."""
    others = sum((values.get(other, Fraction(0)) * share for other, share in shares.items() if other != name), fixed)
    break_even = -others / shares[name] if shares[name] else None
    return MeterWorth(name, values.get(name), shares[name], break_even)
