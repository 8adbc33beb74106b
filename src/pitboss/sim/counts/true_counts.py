"""What each count is worth: corrected rounds of the ordinary player, sorted by the count before them.

Everybody plays the same strategy and bets one unit, so a count's worth is that of its composition. What index plays
add at a count is worked out exactly elsewhere and added to it where it is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.money import Money
from pitboss.odds import price_chart
from pitboss.odds.removal.bet_ramps import BetRamp, CountRow
from pitboss.odds.removal.count_systems import CountSystem
from pitboss.odds.removal.effects import TEN_RANKS, VALUES, RemovalEffects
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.api import make_ready
from pitboss.sim.plan import BetSchedule, CountKept, Plan, why_raw
from pitboss.sim.result import FINE, SimResult
from pitboss.sim.run import Run
from pitboss.sim.strategy_choice import ByChart


class CountedError(PitbossError):
    """Rounds that cannot be sorted by a count."""


class CountedGame(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What each count of a system is worth at a table."""

    game: str
    system: str
    decks: int
    penetration: float
    boxes: int
    """Boxes of the counting player's."""
    others: int
    """Boxes of other players."""
    rounds: int
    expectation: float
    """Of a unit on every own box in every round, per round."""
    standard_error: float
    shares: dict[int, dict[str, float]]
    """Count -> share of each value among the cards left, on average."""
    counts: tuple[CountRow, ...]
    """The last ones hold all counts beyond them too."""

    def rows(self) -> list[dict[str, object]]:
        """A row for each count."""
        return [{"game": self.game, "system": self.system, **msgspec.structs.asdict(row)} for row in self.counts]

    def worth_of(self, effects: RemovalEffects) -> dict[int, float]:
        """Count -> what another wager is worth to the player, to first order in what the shoe then holds."""
        pull = {value: -effect * (effects.cards - 1) for value, effect in effects.centred.items()}
        return {
            count: effects.expectation + sum(pull[value] * (held[value] - effects.shares[value]) for value in VALUES)
            for count, held in self.shares.items()
        }

    def with_plays(self, gain_by_count: Mapping[int, float]) -> CountedGame:
        """The same for a player who also makes index plays, which gain so much at each count on each box."""
        counts = tuple(
            msgspec.structs.replace(row, expectation=row.expectation + self.boxes * gain_by_count.get(row.count, 0.0))
            for row in self.counts
        )
        gained = sum(row.share * self.boxes * gain_by_count.get(row.count, 0.0) for row in self.counts)
        return msgspec.structs.replace(self, counts=counts, expectation=self.expectation + gained)


def sort_rounds(
    rules: Rules,
    system: CountSystem,
    *,
    penetration: Money | None = None,
    boxes: int = 1,
    others: int = 0,
    rounds: int = 1 << 20,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[float], None] | None = None,
) -> CountedGame:
    """Play rounds by the game's basic strategy and sort them by the count before each."""
    if boxes < 1 or others < 0:
        raise CountedError("a counter plays 1 box or more, and others 0 or more")
    start = round(system.multiple * system.starts_at(rules.decks))
    plan = Plan(
        rounds=rounds, seed=seed, boxes=boxes + others, penetration=penetration, corrected=True,
        count=CountKept(system.whole_tags(), system.multiple, system.running, start),
    )  # fmt: skip
    if why := why_raw(rules, plan):
        raise CountedError(f"{rules.game} is not sorted by counts: {why}; --removal works without rounds")
    run = Run(make_ready(rules, "chart", plan).prepared)

    def tell(_: object) -> bool:
        if progress is not None:
            progress(len(run.done) / plan.blocks)
        return True

    run.on_threads(threads, tell)
    return _count_up(run.result(), run, system, boxes, others)


def _count_up(result: SimResult, run: Run, system: CountSystem, boxes: int, others: int) -> CountedGame:
    """What is found of all boxes, for the counter: every box expects the same, and they vary together."""
    dealt = boxes + others
    together, shared = boxes / dealt, _box_correlation(run, result, dealt)
    counts, shares = [], {}
    whole = sum(row["rounds"] for row in result.sums.by_count.values())
    for count, row in result.sums.by_count.items():
        rounds = row["rounds"] / FINE
        won, net = row["won"] / FINE / rounds, row["net"] / FINE / rounds
        left = max(row["won_2"] / FINE / rounds - won**2, 0.0)
        counts.append(
            CountRow(
                count=count,
                share=row["rounds"] / whole,
                expectation=won * together,
                standard_error=math.sqrt(left / rounds) * together,
                variance=_own_variance(max(row["net_2"] / FINE / rounds - net**2, 0.0), boxes, dealt, shared),
            )
        )
        shares[count] = {
            value: sum(row[rank] for rank in (TEN_RANKS if value == "T" else value)) / row["rounds"] for value in VALUES
        }
    shape = run.prepared.given.shape
    return CountedGame(
        game=result.game, system=system.id, decks=result.decks,
        penetration=shape.cut / run.prepared.given.fresh.size, boxes=boxes, others=others, rounds=result.rounds,
        expectation=-result.house_edge * boxes, standard_error=result.standard_error * boxes, shares=shares,
        counts=tuple(counts),
    )  # fmt: skip


def _box_correlation(run: Run, result: SimResult, dealt: int) -> float:
    """How much the results of two boxes of a round go together, through the dealer's hand."""
    strategy = run.prepared.strategy
    if dealt == 1 or not isinstance(strategy, ByChart):
        return 0.0
    one = price_chart(run.prepared.rules, strategy.chart).variance
    return (result.variance / one - dealt) / (dealt * (dealt - 1))


def _own_variance(all_boxes: float, boxes: int, dealt: int, shared: float) -> float:
    """The variance of some of the boxes, from that of all: boxes are alike and vary together."""
    if boxes == dealt:
        return all_boxes
    one = all_boxes / (dealt + dealt * (dealt - 1) * shared)
    return one * (boxes + boxes * (boxes - 1) * shared)


# Bets by raw rounds ------------------------------------------------------------------------------------


def schedule_of(ramp: BetRamp, system: CountSystem, unit: float) -> BetSchedule:
    """A ramp as the simulator's bet schedule, in whole units of money."""
    if system.multiple != 1 or system.running:
        raise CountedError(f"{system.name} is not played in raw rounds: they take whole tags and true counts")
    units = []
    for step in ramp.steps:
        amount = step.bet / unit
        if not math.isclose(amount, round(amount), abs_tol=1e-9):
            raise CountedError(f"a bet of {step.bet:g} is no whole number of units of {unit:g}")
        units.append((step.count, round(amount)))
    first = units[0][1]
    return BetSchedule(system.whole_tags(), ((-100, first), *units))


def play_ramp(
    rules: Rules, ramp: BetRamp, system: CountSystem, counted: CountedGame, *, rounds: int, horizon: int, seed: int = 2,
    threads: int = 1,
) -> SimResult:  # fmt: skip
    """Raw rounds bet by a ramp, in units of its step, with the paths that a bankroll takes."""
    unit = ramp.wishes.step
    plan = Plan(
        rounds=rounds, seed=seed, boxes=counted.boxes, penetration=Money(str(counted.penetration)),
        schedule=schedule_of(ramp, system, unit), bankroll_units=max(int(ramp.wishes.bankroll / unit), 1),
        horizon_rounds=horizon, corrected=True,
    )  # fmt: skip
    run = Run(make_ready(rules, "chart", plan).prepared)
    run.on_threads(threads, lambda _: True)
    return run.result()
