"""A simulation from beginning to end: what is asked for made ready, its kernels compiled, played, and the result.

`simulate` is all of it in one call. Whoever wants to watch, stop or keep a run makes it ready with `make_ready` and
plays it with `Run`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from pitboss.odds.charts.chart import Chart
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.kernels.lanes import LANES
from pitboss.sim.plan import Plan, Prepared, SimError, prepare
from pitboss.sim.result import SimResult, play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import Strategy
from pitboss.sim.strategy_choice import choose_strategy

MOST_ROUNDS = 10**13
MOST_THREADS = 1024


class Ready(NamedTuple):
    """A plan that can be played: its tables are built, and its kernels compiled unless others play it."""

    prepared: Prepared
    first_round_edge: Callable[[], float] | None
    """What the house wins of the first round of a full shoe, where the analyser knows it; worked out when asked."""


def make_ready(
    rules: Rules,
    strategy: str | Chart | Strategy,
    plan: Plan,
    read: Callable[[str], str] | None = None,
    *,
    compiles: bool = True,
) -> Ready:
    """Turn what is asked for into something that can be played; `read` gives the text of a chart's file.

    `compiles`: the processors of this machine will play it, or some of it.
    """
    chosen = choose_strategy(strategy, rules, plan.wager, read)
    prepared = prepare(rules, chosen.strategy, plan)
    if compiles:
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
    plan: Plan,
    strategy: str | Chart | Strategy = "chart",
    *,
    threads: int | None = None,
    cluster: str | None = None,
    gpu: bool = False,
    read: Callable[[str], str] | None = None,
    clock: Callable[[], float] | None = None,
) -> SimResult:
    """Play a plan to its end, on threads or a GPU of this machine, or on the Dask cluster at an address.

    `read` gives the text of a chart's file; `clock` is read before and after, for the speed.
    """
    count = count_threads(threads)
    run = Run(make_ready(rules, strategy, plan, read, compiles=not gpu).prepared)
    begun = clock() if clock is not None else 0.0
    if gpu:
        from pitboss.sim.gpu import on_gpu

        on_gpu(run, lambda _: True)
    elif cluster is None:
        run.on_threads(count, lambda _: True)
    else:
        from pitboss.sim.cluster import on_cluster

        on_cluster(run, cluster, lambda _: True)
    run.seconds = clock() - begun if clock is not None else 0.0
    return run.result()


def count_threads(threads: int | None) -> int:
    """So many threads, or as many as there are cores for this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    count = (cores or 1) if threads is None else threads
    if not 1 <= count <= MOST_THREADS:
        raise SimError(f"threads must be from 1 to {MOST_THREADS}, not {count}")
    return count
