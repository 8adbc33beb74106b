"""A simulation from beginning to end: what is asked for made ready, its kernels compiled, played, and the result.

`simulate` is the whole of it in one call. Whoever wants to watch, stop or keep a run makes it ready with `make_ready`
and plays it with `Run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss.money import Money, parse_stake
from pitboss.odds.charts.chart import Chart
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plan import BetSchedule, Plan, Prepared, SimError, prepare
from pitboss.sim.result import SimResult
from pitboss.sim.result import play as play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import Strategy
from pitboss.sim.strategy_choice import choose

Number = int | float | str | Decimal
MOST_ROUNDS = 10**13
MOST_THREADS = 1024


class Ready(NamedTuple):
    """A plan that can be played: its tables are built and its kernels compiled."""

    prepared: Prepared
    first_round_edge: Callable[[], float] | None
    """What the house wins of the first round of a full shoe, where the analyser knows it; worked out when asked."""


def make_ready(
    rules: Rules, strategy: str | Chart | Strategy, plan: Plan, read: Callable[[str], str] | None = None
) -> Ready:
    """Turn what is asked for into something that can be played; `read` gives the text of a chart's file."""
    chosen = choose(strategy, rules, plan.wager, read)
    prepared = prepare(rules, chosen.strategy, plan)
    warm_up(prepared)
    return Ready(prepared, chosen.first_round_edge if plan.schedule is None else None)


def warm_up(prepared: Prepared) -> None:
    """Compile what the plan needs, or load what is compiled already: whole blocks, and a last one that is not whole."""
    plan = prepared.plan
    sizes = set()
    if plan.rounds >= plan.block_rounds:
        sizes.add(LANES)
    if plan.rounds % plan.block_rounds:
        sizes.add(1)
    for rounds in sizes:
        play_block(prepared._replace(plan=replace(plan, rounds=rounds, block_rounds=LANES)), 0)


def simulate(
    rules: Rules,
    *,
    rounds: Number = 1_000_000,
    strategy: str | Chart | Strategy = "chart",
    seed: int = 1,
    threads: int | None = None,
    boxes: int = 1,
    penetration: Number | None = None,
    burn: int | None = None,
    burn_each_round: bool = False,
    fresh_shoe: bool = False,
    bets: BetSchedule | Mapping[str, Any] | None = None,
    meters: Mapping[str, Number] | None = None,
    stake: Money | int | str = 25,
    detail: bool = False,
    bankroll: int | None = None,
    horizon: int = 1000,
    cluster: str | None = None,
    read: Callable[[str], str] | None = None,
    clock: Callable[[], float] | None = None,
) -> SimResult:
    """Play rounds of a game and say what came of them; the same seed gives the same sums on any number of threads.

    `strategy` is a name (chart, optimum, basic, mimic-the-dealer, never-bust), a chart, or a strategy; with `read` also
    the name of a chart's file. `bets` are units by true count, `meters` prize meters per unit staked, `bankroll`
    follows bankrolls of so many units for `horizon` rounds, `stake` is one unit in money. `cluster` plays on the Dask
    cluster at that address. `clock` is read before and after, for the speed.
    """
    plan = Plan(
        rounds=whole_rounds(rounds),
        seed=_whole("seed", seed),
        boxes=_whole("boxes", boxes),
        penetration=None if penetration is None else _number("penetration", penetration),
        burn=None if burn is None else _whole("burn", burn),
        burn_each_round=burn_each_round,
        fresh_shoe=fresh_shoe,
        schedule=None if bets is None else bet_schedule(bets),
        meters={name: _number(f"meter {name}", value) for name, value in (meters or {}).items()},
        detail=detail,
        bankroll_units=None if bankroll is None else _whole("bankroll", bankroll),
        horizon_rounds=_whole("horizon", horizon),
        wager=parse_stake(stake),
    )
    count = count_threads(threads)
    run = Run(make_ready(rules, strategy, plan, read).prepared)
    begun = clock() if clock is not None else 0.0
    if cluster is None:
        run.on_threads(count, lambda _: True)
    else:
        from pitboss.sim.cluster import on_cluster

        on_cluster(run, cluster, lambda _: True)
    run.seconds = clock() - begun if clock is not None else 0.0
    return run.result()


def whole_rounds(rounds: Number) -> int:
    """A number of rounds, such as 1e6."""
    amount = _number("rounds", rounds)
    if amount != amount.to_integral_value() or not 1 <= amount <= MOST_ROUNDS:
        raise SimError(f"rounds must be a whole number from 1 to {MOST_ROUNDS:.0e}, not {rounds}")
    return int(amount)


def count_threads(threads: int | None) -> int:
    """So many threads, or as many as there are cores for this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = (cores or 1) if threads is None else _whole("threads", threads)
    if not 1 <= count <= MOST_THREADS:
        raise SimError(f"threads must be from 1 to {MOST_THREADS}, not {count}")
    return count


def bet_schedule(bets: BetSchedule | Mapping[str, Any]) -> BetSchedule:
    """A bet schedule as it is, or from plain data: `{"tags": {"5": 1}, "units": [[-99, 1], [2, 4]]}`."""
    if isinstance(bets, BetSchedule):
        return bets
    try:
        return msgspec.convert(bets, BetSchedule)
    except msgspec.ValidationError as error:
        raise SimError(f"this is no bet schedule: {error}") from None


def _whole(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SimError(f"{name} must be a whole number, not {value!r}")
    return value


def _number(name: str, value: Number) -> Money:
    try:
        amount = Money(str(value))
    except InvalidOperation:
        amount = Money("NaN")
    if not amount.is_finite():
        raise SimError(f"{name} must be a number, not {value!r}")
    return amount
