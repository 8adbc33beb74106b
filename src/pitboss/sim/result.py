"""Sums of a simulation and what follows from them.

Everything counted is a whole number; two results of the same plan merge by addition, in any order. Rates, errors,
skew and the rest are computed from the sums when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeVar

import msgspec
import numpy as np

from pitboss.cards import RANKS
from pitboss.formats.frames import Tabular
from pitboss.formats.wording import percent
from pitboss.play.side_wagers.side_tables import CARRIED, SideNames
from pitboss.sim.kernels import arguments as k
from pitboss.sim.kernels.box_lanes import make_box_lanes, play_box_lanes
from pitboss.sim.kernels.compiling import Ints
from pitboss.sim.kernels.corrected_lanes import make_luck_room, play_corrected_lanes
from pitboss.sim.kernels.lanes import LANES, make_lanes, play_lanes, play_strands
from pitboss.sim.plan import Prepared
from pitboss.sim.unfold.box_automaton import BoxAutomaton
from pitboss.sim.unfold.luck_tables import Floats
from pitboss.sim.unfold.split_automaton import LaneAutomaton

FINE = 1 << 24
"""Corrected results are no whole numbers: the sums of a block are rounded to this part, so that blocks merge
exactly."""
PARTS = k.SUM_NAMES[k.NET_SINGLES : k.NET_SUPER_BONUS + 1]
Z_95, Z_99 = 1.959963984540054, 2.5758293035489004


class Sums(msgspec.Struct, kw_only=True):
    """Whole-number sums of any number of blocks of one plan."""

    totals: dict[str, int]
    histogram: dict[int, int]
    """Result of a round in parts -> how often."""
    sides: dict[str, dict[str, int]] = {}
    """Side wager -> stakes, net and net_2 in parts, and how often each outcome came."""
    openings: dict[str, tuple[int, int]] = {}
    """`a-b-up` in point values -> how often, and what it won in parts."""
    paths: int = 0
    ruined: int = 0
    finals: dict[int, int] = {}
    """Bankroll at the end of a path in whole units -> how often."""
    corrected: dict[str, int] = {}
    """Sums of results less the luck of the cards, in units times `FINE`; empty where nothing was subtracted."""
    side_corrected: dict[str, dict[str, int]] = {}
    """Side wager -> the same sums of its results, in stakes times `FINE`."""
    by_count: dict[int, dict[str, int]] = {}
    """Count before the round -> sums of those rounds, times `FINE`: results, squares, shares of the ranks left."""

    def __repr__(self) -> str:
        return f"<Sums of {self.totals['rounds']:,} rounds>"

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            totals={name: self.totals[name] + other.totals[name] for name in self.totals},
            histogram=_add_sums(self.histogram, other.histogram),
            sides={name: _add_sums(self.sides[name], other.sides[name]) for name in self.sides},
            openings={
                name: (
                    self.openings.get(name, (0, 0))[0] + other.openings.get(name, (0, 0))[0],
                    self.openings.get(name, (0, 0))[1] + other.openings.get(name, (0, 0))[1],
                )
                for name in sorted({*self.openings, *other.openings})
            },
            paths=self.paths + other.paths,
            ruined=self.ruined + other.ruined,
            finals=_add_sums(self.finals, other.finals),
            corrected=_add_sums(self.corrected, other.corrected),
            side_corrected={
                name: _add_sums(self.side_corrected.get(name, {}), other.side_corrected.get(name, {}))
                for name in sorted({*self.side_corrected, *other.side_corrected})
            },
            by_count={
                count: _add_sums(self.by_count.get(count, {}), other.by_count.get(count, {}))
                for count in sorted({*self.by_count, *other.by_count})
            },
        )


Name = TypeVar("Name", int, str)


def _add_sums(one: dict[Name, int], two: dict[Name, int]) -> dict[Name, int]:
    found = dict(one)
    for name, times in two.items():
        found[name] = found.get(name, 0) + times
    return dict(sorted(found.items()))


def empty(prepared: Prepared) -> Sums:
    """Nothing played yet."""
    return Sums(
        totals=dict.fromkeys(k.SUM_NAMES, 0),
        histogram={},
        sides={side.id: {"stakes": 0, "net": 0, "net_2": 0} for side in prepared.rules.side_wagers},
    )


def merge_results(parts: Iterable[Sums], start: Sums) -> Sums:
    """All sums together."""
    total = start
    for part in parts:
        total = total + part
    return total


def play_block(prepared: Prepared, block: int) -> Sums:
    """Play one block of a plan."""
    plan = prepared.plan
    rounds = plan.rounds_of(block)
    kept = k.make_kept(prepared.given.shape, rounds if plan.bankroll_units else 0)
    scratch = k.make_scratch(prepared.given.shape, prepared.given.rules)
    given, automaton = prepared.given, prepared.automaton
    if automaton is None or (isinstance(automaton, BoxAutomaton) and rounds != LANES * plan.per_strand):
        play_strands(given, kept, scratch, plan.seed, block, plan.per_strand, rounds)
    elif isinstance(automaton, LaneAutomaton):
        room = make_lanes(given.fresh.size, automaton)
        if given.form.valued:
            unit = given.tables.unit
            luck = make_luck_room(given.fresh)
            play_corrected_lanes(
                given.fresh, given.shape, unit, kept, automaton, room, luck, given.later, plan.seed, block,
                plan.per_strand, rounds,
            )  # fmt: skip
        else:
            play_lanes(given.fresh, given.shape, kept, automaton, room, plan.seed, block, plan.per_strand, rounds)
    else:
        places = make_box_lanes(given.fresh.size, given.shape.boxes, given.shape.sides, automaton)
        play_box_lanes(given, kept, scratch, automaton, places, plan.seed, block, plan.per_strand)
    return collect_sums(prepared, kept)


def collect_sums(prepared: Prepared, kept: k.Kept) -> Sums:
    """What a kernel leaves, as sums of the plan."""
    totals = {name: int(value) for name, value in zip(k.SUM_NAMES, kept.sums, strict=True)}
    nets = np.flatnonzero(kept.histogram)
    counted = {int(place) - k.HALF_HISTOGRAM: int(kept.histogram[place]) for place in nets}
    for power, name in ((1, "net"), (2, "net_2"), (3, "net_3")):
        totals[name] += sum(net**power * times for net, times in counted.items())
    sides = {
        side.id: _side_sums(names, kept.side_counts[number])
        for number, (side, names) in enumerate(zip(prepared.rules.side_wagers, prepared.side_names, strict=True))
    }
    side_corrected = {
        side.id: of_side
        for number, side in enumerate(prepared.rules.side_wagers)
        if (of_side := _sum_corrected(kept.side_corrected[number]))
    }
    openings, path = kept.openings, kept.path
    found: dict[str, tuple[int, int]] = {}
    if prepared.plan.detail:
        for place in np.flatnonzero(openings[0]):
            name = f"{place // 121}-{place // 11 % 11}-{place % 11}"
            found[name] = (int(openings[0, place]), int(openings[1, place]))
    paths, ruined, finals = _bankrolls(prepared, path)
    return Sums(
        totals=totals, histogram=counted, sides=sides, openings=found, paths=paths, ruined=ruined, finals=finals,
        corrected=_sum_corrected(kept.corrected), side_corrected=side_corrected,
        by_count=_by_count(kept) if prepared.plan.count is not None else {},
    )  # fmt: skip


def _sum_corrected(found: Floats) -> dict[str, int]:
    if not found[k.CORRECTED_ROUNDS]:
        return {}
    return {name: round(float(value) * FINE) for name, value in zip(k.CORRECTED_NAMES, found, strict=True)}


def _by_count(kept: k.Kept) -> dict[int, dict[str, int]]:
    names = (*k.COUNT_NAMES, *RANKS)
    rows = np.flatnonzero(kept.by_count[:, k.COUNT_ROUNDS])
    return {
        int(row) - k.HALF_COUNTS: {
            name: round(float(value) * FINE) for name, value in zip(names, kept.by_count[row], strict=True)
        }
        for row in rows
    }


def _side_sums(names: SideNames, counts: Ints) -> dict[str, int]:
    """Stakes, net and squares of a side wager, and how often each outcome came.

    A carried wager is no new stake: what it wins or loses belongs to the one that was carried, and so do the squares.
    """
    times = {name: int(counts[number]) for number, name in enumerate(names.names)}
    return {
        "stakes": sum(many for name, many in times.items() if not name.startswith(CARRIED)),
        "net": sum(pay * times[name] for name, pay in zip(names.names, names.pays, strict=True)),
        "net_2": sum(
            (pay * pay + 2 * before * pay) * times[name]
            for name, pay, before in zip(names.names, names.pays, names.won_before, strict=True)
        ),
        **times,
    }


def _bankrolls(prepared: Prepared, path: Ints) -> tuple[int, int, dict[int, int]]:
    """Cut the results of a block into paths of the horizon's length, each from a fresh bankroll."""
    plan = prepared.plan
    if not plan.bankroll_units:
        return 0, 0, {}
    count = len(path) // plan.horizon_rounds
    if not count:
        return 0, 0, {}
    walks = np.cumsum(path[: count * plan.horizon_rounds].reshape(count, plan.horizon_rounds), axis=1)
    start = plan.bankroll_units * prepared.tables.unit
    ruined = walks.min(axis=1) <= -start
    ends = np.where(ruined, 0, (start + walks[:, -1]) // prepared.tables.unit)
    values, times = np.unique(ends, return_counts=True)
    return count, int(ruined.sum()), {int(value): int(n) for value, n in zip(values, times, strict=True)}


def _in_units(sums: dict[str, int]) -> dict[str, float]:
    return {name: value / FINE for name, value in sums.items()}


def _error_by_shoes(found: dict[str, float], won: float) -> float:
    """The standard error of what a unit bet wins, from sums over whole shoes."""
    apart = found["shoe_won_2"] - 2 * won * found["shoe_won_bets"] + won**2 * found["shoe_bets_2"]
    return math.sqrt(max(apart, 0.0)) / max(found["shoe_bets"], 1e-12)


class RawEstimate(msgspec.Struct, frozen=True):
    """What the rounds came to as they fell, nothing subtracted."""

    house_edge: float
    standard_error: float


class SimResult(Tabular, msgspec.Struct, kw_only=True):
    """What a simulation found. Rates are per unit of initial wager, positive for the house where they are edges."""

    game: str
    decks: int
    rules_digest: str
    strategy: str
    boxes: int
    seed: int
    unit: int
    side_parts: dict[str, int] = {}
    """Side wager -> the parts of its stake that its sums are counted in."""
    shared_sides: tuple[str, ...] = ()
    """Side wagers that come to the same at every box of a round."""
    sums: Sums
    seconds: float = 0.0

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.sums.totals["rounds"]

    @property
    def bet_per_round(self) -> float:
        """Initial wagers of a round, in units."""
        return self.sums.totals["bets"] / max(self.rounds, 1)

    @property
    def house_edge(self) -> float:
        """What the house wins of each unit wagered initially, less the luck of the cards where that is known."""
        return -self.mean / max(self.bet_per_round, 1e-12)

    @property
    def raw(self) -> RawEstimate:
        """House edge and standard error of the rounds as they fell."""
        bet = max(self.bet_per_round, 1e-12)
        return RawEstimate(-self._raw_mean / bet, math.sqrt(max(self.variance, 0.0) / max(self.rounds, 1)) / bet)

    @property
    def is_corrected(self) -> bool:
        """The luck of the cards has been subtracted."""
        return bool(self.sums.corrected)

    @property
    def variance_ratio(self) -> float:
        """How many times as many raw rounds it takes for the same standard error; 1 for raw."""
        if not self.is_corrected:
            return 1.0
        return (self.raw.standard_error / self.standard_error) ** 2 if self.standard_error > 0 else math.inf

    @property
    def mean(self) -> float:
        """What a round wins the players, in units."""
        if self.is_corrected:
            return self.sums.corrected["won"] / max(self.sums.corrected["rounds"], 1)
        return self._raw_mean

    @property
    def _raw_mean(self) -> float:
        return self.sums.totals["net"] / self.unit / max(self.rounds, 1)

    @property
    def variance(self) -> float:
        """Variance of a round's result, in units squared."""
        return self.sums.totals["net_2"] / self.unit**2 / max(self.rounds, 1) - self._raw_mean**2

    @property
    def skew(self) -> float:
        """Skewness of a round's result."""
        if self.variance <= 0:
            return 0.0
        third = self.sums.totals["net_3"] / self.unit**3 / max(self.rounds, 1)
        mean = self._raw_mean
        return (third - 3 * mean * self.variance - mean**3) / math.pow(self.variance, 1.5)

    @property
    def standard_error(self) -> float:
        """Standard error of the house edge; a corrected one counts whole shoes, whose rounds are alike."""
        if not self.is_corrected:
            return self.raw.standard_error
        return _error_by_shoes(_in_units(self.sums.corrected), -self.house_edge)

    @property
    def mean_error(self) -> float:
        """Standard error of what a round wins: with bets that follow a count, shoes that bet more win more, too."""
        if not self.is_corrected:
            return math.sqrt(max(self.variance, 0.0) / max(self.rounds, 1))
        found = _in_units(self.sums.corrected)
        apart = found["shoe_won_2"] - found["won"] ** 2 / max(found["shoes"], 1.0)
        return math.sqrt(max(apart, 0.0)) / max(found["rounds"], 1.0)

    @property
    def interval_95(self) -> tuple[float, float]:
        """The 95 % confidence interval of the house edge."""
        margin = Z_95 * self.standard_error
        return self.house_edge - margin, self.house_edge + margin

    @property
    def rounds_per_second(self) -> float:
        """Speed of the run."""
        return self.rounds / self.seconds if self.seconds else 0.0

    @property
    def n_zero(self) -> float:
        """Rounds after which the expected win equals one standard deviation; infinite for a game that loses."""
        return self.variance / self.mean**2 if self.mean > 0 else math.inf

    @property
    def score(self) -> float:
        """SCORE: a million times the squared ratio of a round's win to its deviation; 0 for a game that loses."""
        return 1e6 * self.mean**2 / self.variance if self.mean > 0 and self.variance > 0 else 0.0

    @property
    def parts(self) -> dict[str, float]:
        """What the players won by where it comes from, per unit of initial wager: the parts of minus the house edge."""
        totals, whole = self.sums.totals, self.unit * max(self.sums.totals["bets"], 1)
        named = {name.replace("net_", "").replace("_", " "): totals[name] / whole for name in PARTS}
        return {**named, "insurance": totals["insurance_net"] / whole}

    def rows(self) -> list[dict[str, object]]:
        """A row for every result that a round came to, in units: how often, and as a share of all rounds."""
        return [
            {"game": self.game, "net": net / self.unit, "rounds": times, "share": times / max(self.rounds, 1)}
            for net, times in sorted(self.sums.histogram.items())
        ]

    def __repr__(self) -> str:
        edge = f"house edge {percent(self.house_edge, 4)} ± {percent(self.standard_error, 4)}"
        return f"<SimResult {self.game}: {self.rounds:,} rounds by {self.strategy}, {edge}>"

    def side_edge(self, wager: str) -> tuple[float, float]:
        """House edge of a side wager per unit staked and its standard error, less the luck of the cards where known."""
        if wager not in self.sums.side_corrected:
            return self.raw_side_edge(wager)
        found = _in_units(self.sums.side_corrected[wager])
        won = found["won"] / max(found["shoe_bets"], 1e-12)
        return -won, _error_by_shoes(found, won)

    def raw_side_edge(self, wager: str) -> tuple[float, float]:
        """The same of the rounds as they fell, nothing subtracted."""
        row, parts = self.sums.sides[wager], self.side_parts[wager]
        stakes = max(row["stakes"], 1)
        mean = row["net"] / parts / stakes
        variance = row["net_2"] / parts**2 / stakes - mean**2
        alike = self.boxes if wager in self.shared_sides else 1
        return -mean, math.sqrt(max(variance, 0.0) * alike / stakes)

    @property
    def risk_of_ruin(self) -> float | None:
        """Share of bankroll paths that were ruined; none if no bankroll was followed."""
        return self.sums.ruined / self.sums.paths if self.sums.paths else None

    def quantile(self, share: float) -> int | None:
        """The bankroll, in units, that this share of paths ended at or below."""
        seen = 0
        for final in sorted(self.sums.finals):
            seen += self.sums.finals[final]
            if seen >= share * self.sums.paths:
                return final
        return None
