"""What the counts should be if every order is equally likely, and how far they are from it: one p-value for each test.

Every shuffle is whole and independent of the others, so a count over shuffles at fixed positions is multinomial and its
chi-square needs no correction; where counts of one matrix bind each other, the known covariance of random permutations
is allowed for. Exact distributions are used for runs, kept neighbours and fixed cards, exact moments for ascents and
serial products. P-values are two-sided: a fit that is too good is as suspicious as one that is too bad.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from battery.kernel import Array, Counts, Pack

LEAST_EXPECTED = 10


class Test(NamedTuple):
    """One test: what was looked at, the statistic with its degrees of freedom (0: a normal deviate), the p-value."""

    family: str
    name: str
    statistic: float
    freedom: int
    p: float


# ---------------------------------------------------------------------- distributions


def chi_square_tails(statistic: float, freedom: int) -> tuple[float, float]:
    """The probabilities of less and of more than `statistic`: the incomplete gamma function, by series or fraction."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 0.0, 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-17:
            n += 1
            term *= x / n
            total += term
        lower = scale * total
        return lower, 1 - lower
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    result = d
    i = 0
    while True:
        i += 1
        step = -i * (i - a)
        b += 2
        d = 1 / _away(step * d + b, tiny)
        c = _away(b + step / c, tiny)
        result *= d * c
        if abs(d * c - 1) < 1e-15:
            return 1 - scale * result, scale * result


def _away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny


def two_sided(statistic: float, freedom: int) -> float:
    """The p-value of a chi-square, or of a normal deviate if `freedom` is 0."""
    if freedom == 0:
        return math.erfc(abs(statistic) / math.sqrt(2))
    return min(1.0, 2 * min(chi_square_tails(statistic, freedom)))


def _fit(family: str, name: str, observed: Array, chances: list[Fraction], shuffles: int) -> Test:
    """Goodness of fit to an exact distribution; outcomes that are too rare are joined."""
    statistic, bins = 0.0, 0
    seen, expected = 0, Fraction(0)
    groups: list[tuple[int, float]] = []
    for count, chance in zip(observed, chances, strict=False):
        seen += int(count)
        expected += chance * shuffles
        if expected >= LEAST_EXPECTED:
            groups.append((seen, float(expected)))
            seen, expected = 0, Fraction(0)
    if groups:
        last_seen, last_expected = groups[-1]
        groups[-1] = (last_seen + seen, last_expected + float(expected))
    for found, wanted in groups:
        statistic += (found - wanted) ** 2 / wanted
        bins += 1
    return Test(family, name, statistic, bins - 1, two_sided(statistic, bins - 1))


# ---------------------------------------------------------------------- exact distributions of permutations


def chances_of_runs(reds: int, blacks: int) -> list[Fraction]:
    """How likely each number of runs of one colour is."""
    ways = math.comb(reds + blacks, reds)
    found = [Fraction(0)] * (reds + blacks + 1)
    for k in range(1, max(reds, blacks) + 1):
        even = 2 * math.comb(reds - 1, k - 1) * math.comb(blacks - 1, k - 1)
        odd = math.comb(reds - 1, k) * math.comb(blacks - 1, k - 1) + math.comb(reds - 1, k - 1) * math.comb(
            blacks - 1, k
        )
        for runs, count in ((2 * k, even), (2 * k + 1, odd)):
            if count:
                found[runs] = Fraction(count, ways)
    return found


def _derangements(count: int) -> list[int]:
    found = [1, 0]
    for n in range(2, count + 1):
        found.append((n - 1) * (found[-1] + found[-2]))
    return found


def chances_of_fixed(cards: int) -> list[Fraction]:
    """How likely it is that so many cards stay where they were."""
    away, all_orders = _derangements(cards), math.factorial(cards)
    return [Fraction(math.comb(cards, k) * away[cards - k], all_orders) for k in range(cards + 1)]


def chances_of_kept(cards: int) -> list[Fraction]:
    """How likely it is that so many cards still follow the one they followed."""
    away, all_orders = _derangements(cards), math.factorial(cards)
    found = []
    for k in range(cards):
        rest = cards - k
        apart = away[rest] + away[rest - 1]
        found.append(Fraction(math.comb(cards - 1, k) * apart, all_orders))
    return found


def serial_moments(values: list[int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of the sum of products of neighbours round a random order (Wald and Wolfowitz)."""
    n = len(values)
    s1, s2, s3, s4 = (sum(value**power for value in values) for power in (1, 2, 3, 4))
    mean = Fraction(s1 * s1 - s2, n - 1)
    variance = (
        Fraction(s2 * s2 - s4, n - 1)
        + Fraction(s1**4 - 4 * s1 * s1 * s2 + 4 * s1 * s3 + s2 * s2 - 2 * s4, (n - 1) * (n - 2))
        - mean * mean
    )
    return mean, variance


# ---------------------------------------------------------------------- the tests


def judge(pack: Pack, counts: Counts) -> Iterator[Test]:
    """Every test of the battery on what was counted."""
    yield from _positions(pack, counts)
    yield from _pairs(pack, counts)
    yield from _runs(pack, counts)
    yield from _serial(pack, counts)


def _positions(pack: Pack, counts: Counts) -> Iterator[Test]:
    """Which cards come to which position: each position by rank and by card, and all of them together."""
    cards, shuffles = len(pack.rank), counts.shuffles
    kinds = np.arange(cards) // pack.decks
    for family, groups in (("position and rank", pack.rank), ("position and card", kinds)):
        size = int(groups.max()) + 1
        observed = np.zeros((cards, size))
        for card, group in enumerate(groups):
            observed[:, group] += counts.places[:, card]
        share = np.bincount(groups) / cards
        surprise = (observed - shuffles * share) ** 2 / (shuffles * share)
        for position, statistic in enumerate(surprise.sum(axis=1)):
            yield Test(
                family, f"position {position + 1}", float(statistic), size - 1, two_sided(float(statistic), size - 1)
            )
        # Positions bind each other: over all orders the sum is stretched by n / (n - 1).
        whole = float(surprise.sum()) * (cards - 1) / cards
        freedom = (cards - 1) * (size - 1)
        yield Test(family, "all positions", whole, freedom, two_sided(whole, freedom))
    expected = shuffles / cards
    whole = float(((counts.places - expected) ** 2).sum() / expected) * (cards - 1) / cards
    freedom = (cards - 1) ** 2
    yield Test("position and origin", "all positions", whole, freedom, two_sided(whole, freedom))
    yield _fit("position and origin", "cards that stay", counts.fixed, chances_of_fixed(cards), shuffles)


def _pairs(pack: Pack, counts: Counts) -> Iterator[Test]:
    """Ranks of neighbouring cards, at each two neighbouring positions; and neighbours that stay neighbours."""
    cards, shuffles = len(pack.rank), counts.shuffles
    of_rank = np.bincount(pack.rank).astype(float)
    share = np.outer(of_rank, of_rank) - np.diag(of_rank)
    expected = shuffles * share / (cards * (cards - 1))
    statistics = ((counts.pairs - expected) ** 2 / expected).sum(axis=(1, 2))
    freedom = len(of_rank) ** 2 - 1
    for at, statistic in enumerate(statistics):
        name = f"positions {at + 1} and {at + 2}"
        yield Test("pairs", name, float(statistic), freedom, two_sided(float(statistic), freedom))
    yield _fit("pairs", "neighbours that stay", counts.kept, chances_of_kept(cards), shuffles)


def _runs(pack: Pack, counts: Counts) -> Iterator[Test]:
    """Runs of one colour, by their exact distribution; ascents, by mean and spread."""
    cards, shuffles = len(pack.rank), counts.shuffles
    reds = int(pack.red.sum())
    yield _fit("runs", "runs of one colour", counts.runs, chances_of_runs(reds, cards - reds), shuffles)
    values = np.arange(len(counts.ascents))
    mean, variance, fourth = (cards - 1) / 2, (cards + 1) / 12, -(cards + 1) / 120
    found = float((values * counts.ascents).sum()) / shuffles
    deviate = (found - mean) / math.sqrt(variance / shuffles)
    yield Test("runs", "ascents", deviate, 0, two_sided(deviate, 0))
    spread = float(((values - mean) ** 2 * counts.ascents).sum()) / shuffles
    deviate = (spread - variance) / math.sqrt((fourth + 2 * variance**2) / shuffles)
    yield Test("runs", "spread of ascents", deviate, 0, two_sided(deviate, 0))


def _serial(pack: Pack, counts: Counts) -> Iterator[Test]:
    """Products of ranks at a distance of one, two and three cards."""
    mean, variance = serial_moments([int(value) for value in pack.rank])
    for lag, total in enumerate(counts.serial, start=1):
        excess = Fraction(int(total)) - mean * counts.shuffles
        deviate = float(excess) / math.sqrt(float(variance) * counts.shuffles)
        yield Test("serial correlation", f"distance {lag}", deviate, 0, two_sided(deviate, 0))
