"""What each count is worth: corrected rounds, sorted by the count before them, and rounds bet by a ramp.

Everybody plays the same strategy and bets one unit, so a count's worth is that of its composition; index plays are made
in the rounds themselves where they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.money import Money
from pitboss.odds import price_chart
from pitboss.odds.removal.bet_ramps import BetRamp, CountRow
from pitboss.odds.removal.count_systems import CountSystem
from pitboss.odds.removal.effects import INSURANCE, INSURANCE_ON_TENS, TEN_RANKS, VALUES, RemovalEffects
from pitboss.odds.removal.index_plays import NEVER, IndexPlays
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.api import make_ready
from pitboss.sim.plan import BetSchedule, CountKept, Plan, check_plan
from pitboss.sim.plays_by_count import CountPlay
from pitboss.sim.result import FINE, SimResult
from pitboss.sim.run import Run
from pitboss.sim.strategy_choice import ByChart

SORTED_BLOCK = 1 << 18
"""Corrected rounds are few and slow: so many in a block, so that every core has some and one sees how far they are."""


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

    @property
    def alike(self) -> float:
        """How many times the error of flat bets is that of independent rounds: those of one shoe are alike."""
        apart = math.sqrt(sum((row.share * row.standard_error) ** 2 for row in self.counts))
        return max(self.standard_error / apart, 1.0) if apart > 0 else 1.0

    def worth_of(self, effects: RemovalEffects) -> dict[int, float]:
        """Count -> what another wager is worth to the player, to first order in what the shoe then holds."""
        pull = {value: -effect * (effects.cards - 1) for value, effect in effects.centred.items()}
        return {
            count: effects.expectation + sum(pull[value] * (held[value] - effects.shares[value]) for value in VALUES)
            for count, held in self.shares.items()
        }


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
    plays: IndexPlays | None = None,
    progress: Callable[[float], None] | None = None,
) -> CountedGame:
    """Play rounds by the game's basic strategy, and by index plays if there are any, and sort them by the count before.

    Plays go by the count of their moment, at which every card on the table is seen but the dealer's hidden one.
    """
    plan = plan_to_sort(rules, system, penetration, boxes, others, rounds, seed)
    if plays is not None:
        plan = msgspec.structs.replace(plan, schedule=_with_plays(((-100, 1),), rules, system, plays))
    run = Run(make_ready(rules, "chart", plan).prepared)

    def tell(_: object) -> bool:
        if progress is not None:
            progress(len(run.done) / plan.blocks)
        return True

    run.on_threads(threads, tell)
    return _count_up(run.result(), run, system, boxes, others)


def why_unsorted(rules: Rules) -> str:
    """Why the rounds of a game are not sorted by counts; empty where they are."""
    if rules.switch:
        return "second cards are switched"
    return "a device takes its cards back" if rules.card_source == "device" else ""


def plan_to_sort(
    rules: Rules, system: CountSystem, penetration: Money | None, boxes: int, others: int, rounds: int, seed: int
) -> Plan:
    """The rounds that are sorted by a count; what cannot be is refused."""
    if boxes < 1 or others < 0:
        raise CountedError("a counter plays 1 box or more, and others 0 or more")
    plan = Plan(
        rounds=rounds, seed=seed, boxes=boxes + others, penetration=penetration, corrected=True,
        block_rounds=SORTED_BLOCK,
        count=CountKept(system.whole_tags(), system.multiple, system.running, _start_of(system, rules)),
    )  # fmt: skip
    if why := why_unsorted(rules):
        raise CountedError(f"{rules.game} is not sorted by counts: {why}; --removal works without rounds")
    check_plan(rules, plan)
    return plan


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


# Bets and plays in rounds ------------------------------------------------------------------------------


def plays_by_count(plays: IndexPlays) -> tuple[CountPlay, ...]:
    """Index plays as the simulator makes them; insurance is no part of them."""
    return tuple(
        CountPlay(hand=play.hand, up=play.up, action=play.from_it, from_count=play.index)
        if play.rises
        else CountPlay(hand=play.hand, up=play.up, action=play.below, below=play.index)
        for play in plays.plays
        if play.basic != NEVER
    )


def _start_of(system: CountSystem, rules: Rules) -> int:
    return round(system.multiple * system.starts_at(rules.decks, rules.deck_cards))


def _with_plays(
    units: Sequence[tuple[int, int]], rules: Rules, system: CountSystem, plays: IndexPlays | None
) -> BetSchedule:
    """A schedule of bets by a count, with index plays and insurance if there are any."""
    insured = {} if plays is None else {play.hand: play.index for play in plays.plays if play.basic == NEVER}
    return BetSchedule(
        system.whole_tags(), tuple(units), insure_from=insured.get(INSURANCE),
        insure_ten_from=insured.get(INSURANCE_ON_TENS), plays=() if plays is None else plays_by_count(plays),
        multiple=system.multiple, start=_start_of(system, rules), running=system.running,
    )  # fmt: skip


def schedule_of(
    ramp: BetRamp, rules: Rules, system: CountSystem, unit: float, plays: IndexPlays | None = None
) -> BetSchedule:
    """A ramp as the simulator's bet schedule, in whole units of money."""
    units = []
    for step in ramp.steps:
        amount = step.bet / unit
        if not math.isclose(amount, round(amount), abs_tol=1e-9):
            raise CountedError(f"a bet of {step.bet:g} is no whole number of units of {unit:g}")
        units.append((step.count, round(amount)))
    first = units[0][1]
    return _with_plays(((-100, first), *units), rules, system, plays)


def play_ramp(
    rules: Rules, ramp: BetRamp, system: CountSystem, counted: CountedGame, *, rounds: int, horizon: int, seed: int = 2,
    threads: int = 1, plays: IndexPlays | None = None, raw: bool = False,
) -> SimResult:  # fmt: skip
    """Rounds bet by a ramp, in units of its step, with the paths that a bankroll takes."""
    unit = ramp.wishes.step
    plan = Plan(
        rounds=rounds, seed=seed, boxes=counted.boxes, penetration=Money(str(counted.penetration)),
        schedule=schedule_of(ramp, rules, system, unit, plays), bankroll_units=max(int(ramp.wishes.bankroll / unit), 1),
        horizon_rounds=horizon, corrected=not raw,
    )  # fmt: skip
    run = Run(make_ready(rules, "chart", plan).prepared)
    run.on_threads(threads, lambda _: True)
    return run.result()
