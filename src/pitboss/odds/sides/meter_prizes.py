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
from pitboss.money import Money
from pitboss.odds.sides.counting import pack_of
from pitboss.odds.sides.first_cards import METHOD, dealt
from pitboss.odds.sides.side_edge import LOSES, MeterWorth, SideEdge, SideOutcome, odds_of, outcome_of, side_edge
from pitboss.rulebooks.model.rules import MeterShare, Rules, SideWager
from pitboss.rulebooks.reading.values import nearest

PICKS = ("lucky", "mystery")
"""Prizes that the system picks, whatever the cards."""

Meters = Mapping[str, Money | int | Fraction]


class MeterError(PitbossError):
    """A meter or a chance that the wager does not have."""


def jackpot_odds(
    rules: Rules, side: SideWager, *, meters: Meters, picks: Mapping[str, Fraction], stake: Money | int = 1
) -> SideEdge:
    """One wager of `stake` while the meters stand at `meters`; `picks` has the chances of the system's prizes."""
    _check(side, meters, picks)
    units = Fraction(stake)
    values = {name: Fraction(value) for name, value in meters.items()}
    now = _outcomes(rules, side, values, picks, units)
    bare = _outcomes(rules, side, {}, picks, units)
    fixed = sum((outcome.probability * outcome.net for outcome in bare), Fraction(0))
    shares = {name: _share(rules, side, name, picks) / units for name in side.meters}
    return side_edge(
        rules, side, now, method=METHOD, stake=units, fixed_part=fixed,
        meters=tuple(_worth(name, values, shares, fixed) for name in side.meters),
        notes=() if meters else ("no meter was told: the figures are for meters that stand at nothing",),
    )  # fmt: skip


def _check(side: SideWager, meters: Meters, picks: Mapping[str, Fraction]) -> None:
    for name, value in meters.items():
        if name not in side.meters:
            raise MeterError(f"{side.name} has no meter '{name}'; {nearest(name, side.meters)}")
        if value < 0:
            raise MeterError(f"the meter {name} cannot stand at {value}")
    for name, chance in picks.items():
        if name not in side.odds or name not in PICKS:
            raise MeterError(f"{side.name} has no prize '{name}' that the system picks")
        if not 0 <= chance <= 1:
            raise MeterError(f"the chance of {name} must be from 0 to 1, not {chance}")


def _outcomes(
    rules: Rules, side: SideWager, meters: Mapping[str, Fraction], picks: Mapping[str, Fraction], units: Fraction
) -> list[SideOutcome]:
    found = dealt(side.judge, pack_of(rules))
    kept = 1 if side.winning_stake == "kept" else 0
    outcomes = [
        msgspec.structs.replace(
            outcome_of(side, name, found.get(name, Fraction(0)), _prize(side, name, meters, units) - kept),
            prize=str(odds) if isinstance(odds, MeterShare) else "",
        )
        for name, odds in side.odds.items()
        if name not in PICKS
    ]
    outcomes.append(outcome_of(side, LOSES, found.get(LOSES, Fraction(0)), Fraction(-1)))
    for pick, chance in picks.items():
        outcomes = list(_with_pick(side, outcomes, pick, chance, _prize(side, pick, meters, units)))
    return outcomes


def _with_pick(
    side: SideWager, outcomes: list[SideOutcome], pick: str, chance: Fraction, prize: Fraction
) -> list[SideOutcome]:
    """The prize comes on top of what the cards gave, and saves a stake the cards lost."""
    found = [msgspec.structs.replace(one, probability=one.probability * (1 - chance)) for one in outcomes]
    for one in outcomes:
        name = pick if one.id == LOSES else f"{one.id}+{pick}"
        net = prize + max(one.net, Fraction(0))
        found.append(SideOutcome(name, one.probability * chance, net, (*side.cite(pick, "wins"),)))
    return found


def _prize(side: SideWager, name: str, meters: Mapping[str, Fraction], units: Fraction) -> Fraction:
    odds = side.odds[name]
    if isinstance(odds, MeterShare):
        return meters.get(odds.meter, Fraction(0)) * Fraction(odds.percent, 100) / units
    return odds_of(side, name)


def _share(rules: Rules, side: SideWager, meter: str, picks: Mapping[str, Fraction]) -> Fraction:
    """The expected prize from a meter, as a share of what it stands at."""
    found = dealt(side.judge, pack_of(rules))
    share = Fraction(0)
    for name, odds in side.odds.items():
        if isinstance(odds, MeterShare) and odds.meter == meter:
            chance = picks.get(name, Fraction(0)) if name in PICKS else found.get(name, Fraction(0))
            share += chance * Fraction(odds.percent, 100)
    return share


def _worth(name: str, values: Mapping[str, Fraction], shares: Mapping[str, Fraction], fixed: Fraction) -> MeterWorth:
    """A meter that never pays (a pick without a chance) has no break-even, which is said as none."""
    others = sum((values.get(other, Fraction(0)) * share for other, share in shares.items() if other != name), fixed)
    break_even = -others / shares[name] if shares[name] else None
    return MeterWorth(name, values.get(name), shares[name], break_even)
