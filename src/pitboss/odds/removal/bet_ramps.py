"""Bets by the count: the best ramp for a bankroll and a risk, and what it wins.

A ramp is chosen from what each count is worth and how much a round varies there. Unfettered, the best bet is in
proportion to worth over variance; limits, units, a spread and rounds sat out bend it from there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular

LEAST_SCALE, GROWTH, STEPS = 1e-3, 1.03, 400
"""Scales of a ramp that are tried for the one that wins most within a risk, in bankrolls, each above the one before."""
HUNDRED = 100
CLEAR_ERROR = 2e-3
"""A count whose worth is known to this error is bet on by its own figure."""


class RampError(PitbossError):
    """Bets that cannot be made as asked."""


class CountRow(msgspec.Struct, frozen=True, kw_only=True):
    """What rounds with one count are like, for one unit on each of your boxes."""

    count: int
    share: float
    """Of all rounds."""
    expectation: float
    """The player's, per round, in units."""
    standard_error: float
    variance: float
    """Of a round's result, in units squared."""


class RampWishes(msgspec.Struct, frozen=True, kw_only=True):
    """What a ramp is to keep to. Amounts are money."""

    bankroll: float
    kelly: float | None = 1.0
    """The share of a full Kelly bet; none: `risk` decides."""
    risk: float | None = None
    """The risk of ruin that is accepted, without ever betting less when the bankroll falls."""
    minimum: float = 25.0
    maximum: float = 1000.0
    step: float = 5.0
    """Bets are whole multiples of this."""
    spread: float | None = None
    """The highest bet over the lowest; none: whatever the limits allow."""
    sit_out_below: int | None = None
    """Rounds with a lower count are watched and not played."""
    rounds_per_hour: float = 70.0


class RampStep(msgspec.Struct, frozen=True, kw_only=True):
    """The bet at one count."""

    count: int
    share: float
    bet: float
    """On each box; 0 where the round is sat out."""
    expectation: float
    win_per_100: float
    """What these rounds bring to each hundred of all rounds, in money."""


class BetRamp(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """A ramp and what it comes to; money, and rounds dealt, those sat out among them."""

    steps: tuple[RampStep, ...]
    boxes: int
    wishes: RampWishes
    average_bet: float
    """On each box, over all rounds."""
    played_share: float
    """Rounds that are played."""
    win_per_100: float
    win_error_per_100: float
    deviation_per_100: float
    win_per_hour: float
    deviation_per_hour: float
    score: float
    """A million times the squared ratio of a round's win to its deviation."""
    n_zero: float
    """Rounds after which the win expected is one deviation."""
    risk_of_ruin: float
    """Of ever losing the bankroll, by formula."""

    def rows(self) -> list[dict[str, object]]:
        """A row for each count."""
        return [dict(msgspec.structs.asdict(step)) for step in self.steps]

    def __repr__(self) -> str:
        return f"<BetRamp: {self.win_per_100:+.2f} per 100 rounds, SCORE {self.score:.2f}, N0 {self.n_zero:,.0f}>"


def ruin_ever(bankroll: float, mean: float, variance: float) -> float:
    """The risk of ever losing a bankroll with these results of a round, the bets staying what they are."""
    return math.exp(-2 * bankroll * mean / variance) if mean > 0 and variance > 0 else 1.0


def ruin_within(bankroll: float, mean: float, variance: float, rounds: int) -> float:
    """The risk of losing a bankroll within so many rounds."""
    if variance <= 0 or rounds <= 0:
        return 0.0
    deviation = math.sqrt(variance * rounds)
    below = 0.5 * math.erfc((bankroll + mean * rounds) / deviation / math.sqrt(2))
    back = 0.5 * math.erfc((bankroll - mean * rounds) / deviation / math.sqrt(2))
    return min(1.0, below + math.exp(-2 * bankroll * mean / variance) * back)


def best_ramp(rows: Sequence[CountRow], wishes: RampWishes, boxes: int = 1) -> BetRamp:
    """The best ramp for what is wished."""
    check_wishes(wishes)
    if wishes.risk is None:
        return _summarise(rows, _bets(rows, wishes, (wishes.kelly or 1.0) * wishes.bankroll), wishes, boxes)
    tried = [wishes.bankroll * LEAST_SCALE * GROWTH**step for step in range(STEPS)]
    ramps = [_summarise(rows, _bets(rows, wishes, scale), wishes, boxes) for scale in tried]
    allowed = [ramp for ramp in ramps if ramp.risk_of_ruin <= wishes.risk]
    if not allowed:
        least = min(ramp.risk_of_ruin for ramp in ramps)
        raise RampError(f"no ramp within these limits has a risk of ruin of {wishes.risk:g}; the least is {least:.3g}")
    return max(allowed, key=lambda ramp: ramp.win_per_100)


def ramp_of_bets(rows: Sequence[CountRow], bets: Sequence[float], wishes: RampWishes, boxes: int = 1) -> BetRamp:
    """What a ramp of somebody's own comes to."""
    return _summarise(rows, list(bets), wishes, boxes)


def check_wishes(wishes: RampWishes) -> None:
    """Refuse bets that cannot be made, before anything is worked out for them."""
    if wishes.bankroll <= 0:
        raise RampError(f"a bankroll must be above zero, not {wishes.bankroll:g}")
    if not 0 < wishes.minimum <= wishes.maximum:
        limits = f"{wishes.minimum:g} to {wishes.maximum:g}"
        raise RampError(f"bets from {limits}: the minimum must be above 0, and the maximum no less")
    if wishes.step <= 0 or (wishes.spread is not None and wishes.spread < 1):
        raise RampError("the unit of bets must be above zero, and a spread 1 or more")
    lowest, highest = _range_of(wishes)
    if lowest > highest:
        limits = f"{wishes.minimum:g} to {wishes.maximum:g}"
        raise RampError(f"no bet in whole units of {wishes.step:g} lies within the limits, {limits}")
    if wishes.risk is not None and not 0 < wishes.risk < 1:
        raise RampError(f"a risk of ruin must lie between 0 and 1, not {wishes.risk:g}")
    if wishes.kelly is not None and not 0 < wishes.kelly <= 2:
        raise RampError(f"a Kelly share must be above 0 and at most 2, not {wishes.kelly:g}")


def _range_of(wishes: RampWishes) -> tuple[float, float]:
    """The lowest and the highest bet: whole units within the limits and the spread."""
    lowest = math.ceil(wishes.minimum / wishes.step - 1e-9) * wishes.step
    highest = wishes.maximum if wishes.spread is None else min(wishes.maximum, lowest * wishes.spread)
    return lowest, math.floor(highest / wishes.step + 1e-9) * wishes.step


def _bets(rows: Sequence[CountRow], wishes: RampWishes, scale: float) -> list[float]:
    """Bets in proportion to worth over variance, as the limits and units of the table allow them."""
    lowest, highest = _range_of(wishes)
    bets = []
    for row, (worth, variance) in zip(rows, _smooth(rows), strict=True):
        wanted = scale * worth / variance if variance > 0 else 0.0
        bet = math.floor(wanted / wishes.step + 1e-9) * wishes.step
        sits_out = wishes.sit_out_below is not None and row.count < wishes.sit_out_below
        bets.append(0.0 if sits_out else min(max(bet, lowest), highest))
    return bets


def _smooth(rows: Sequence[CountRow]) -> list[tuple[float, float]]:
    """What each count is worth and its variance: where a count came too seldom to tell by itself, by a line through all
    and by the mean of all."""
    errors = _errors_of(rows)
    known = [(row, 1 / error**2) for row, error in zip(rows, errors, strict=True) if error > 0]
    whole = sum(weight for _, weight in known)
    shares = sum(row.share for row in rows)
    if len(known) < 2 or shares <= 0:
        return [(row.expectation, row.variance) for row in rows]
    usual = sum(row.share * row.variance for row in rows) / shares
    middle = sum(weight * row.count for row, weight in known) / whole
    height = sum(weight * row.expectation for row, weight in known) / whole
    over = sum(weight * (row.count - middle) ** 2 for row, weight in known)
    slope = sum(weight * (row.count - middle) * (row.expectation - height) for row, weight in known) / (over or 1.0)
    return [
        (row.expectation, row.variance) if 0 < error < CLEAR_ERROR else (height + slope * (row.count - middle), usual)
        for row, error in zip(rows, errors, strict=True)
    ]


def _errors_of(rows: Sequence[CountRow]) -> list[float]:
    """The error of each count, at least what so few rounds usually have: two rounds alike do not make it certain."""
    shares = sum(row.share for row in rows)
    if shares <= 0:
        return [row.standard_error for row in rows]
    of_a_round = sum((row.share * row.standard_error) ** 2 for row in rows) / shares
    return [max(row.standard_error, math.sqrt(of_a_round / row.share)) if row.share > 0 else 0.0 for row in rows]


def _summarise(rows: Sequence[CountRow], bets: Sequence[float], wishes: RampWishes, boxes: int) -> BetRamp:
    steps = tuple(
        RampStep(
            count=row.count, share=row.share, bet=bet, expectation=row.expectation,
            win_per_100=HUNDRED * row.share * bet * row.expectation,
        )
        for row, bet in zip(rows, bets, strict=True)
    )  # fmt: skip
    mean = sum(step.win_per_100 for step in steps) / HUNDRED
    square = sum(row.share * bet**2 * (row.variance + row.expectation**2) for row, bet in zip(rows, bets, strict=True))
    variance = square - mean**2
    error = math.sqrt(sum((row.share * bet * row.standard_error) ** 2 for row, bet in zip(rows, bets, strict=True)))
    hours = wishes.rounds_per_hour
    return BetRamp(
        steps=steps,
        boxes=boxes,
        wishes=wishes,
        average_bet=sum(row.share * bet for row, bet in zip(rows, bets, strict=True)),
        played_share=sum(row.share for row, bet in zip(rows, bets, strict=True) if bet > 0),
        win_per_100=HUNDRED * mean,
        win_error_per_100=HUNDRED * error,
        deviation_per_100=math.sqrt(HUNDRED * max(variance, 0.0)),
        win_per_hour=hours * mean,
        deviation_per_hour=math.sqrt(hours * max(variance, 0.0)),
        score=1e6 * mean**2 / variance if mean > 0 and variance > 0 else 0.0,
        n_zero=variance / mean**2 if mean > 0 else math.inf,
        risk_of_ruin=ruin_ever(wishes.bankroll, mean, variance),
    )
