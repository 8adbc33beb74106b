"""How many rounds a second the simulator plays, on one thread and on two, and how long a start takes.

Other work on the machine only ever slows a run down, so each case is the best of several short runs. A box played is
the common measure: one hand dealt, its side wagers with it. `--starts` also times the first round after a start, with
compiled kernels on disk and without (the second takes a while).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.sim.plan import Plan, Prepared, prepare
from pitboss.sim.result import play_block
from pitboss.sim.run import Run
from pitboss.sim.strategies import Yardstick

RUNS = 7
FIRST_ROUND = """
import time; begun = time.perf_counter()
from pitboss.rulebooks import rules_for
from pitboss.sim.plan import Plan, prepare
from pitboss.sim.result import play_block
from pitboss.sim.strategies import Yardstick
plan = Plan(rounds=32, block_rounds=32, boxes={boxes}, corrected={corrected})
play_block(prepare(rules_for("melbourne/blackjack", side_wagers={wagers}), Yardstick(), plan), 0)
print(time.perf_counter() - begun)
"""
STARTS: dict[str, tuple[int, list[str], bool]] = {
    "one box": (1, [], False),
    "one box, corrected": (1, [], True),
    "three boxes, a side wager": (3, ["perfect-pairs"], False),
    "three boxes, a side wager, corrected": (3, ["perfect-pairs"], True),
}
"""Boxes, side wagers, and whether the luck of the cards is subtracted: each needs another kernel."""

CASES: dict[str, tuple[str, int, tuple[str, ...], int]] = {
    "Star Blackjack, one box": ("star/blackjack", 1, (), 1 << 20),
    "Pontoon, one box": ("melbourne/pontoon", 1, (), 1 << 20),
    "Free Bet, one box": ("melbourne/free-bet", 1, (), 1 << 20),
    "Switch, one area": ("star/switch", 1, (), 1 << 19),
    "Star, seven boxes": ("star/blackjack", 7, (), 1 << 17),
    "Star, seven boxes, a side wager": ("star/blackjack", 7, ("perfect-pairs",), 1 << 17),
    "Melbourne, seven boxes, two side wagers": ("melbourne/blackjack", 7, ("perfect-pairs", "buster"), 1 << 17),
}


def ready(game: str, boxes: int, wagers: tuple[str, ...], rounds: int) -> Prepared:
    rules = rules_for(game, side_wagers=list(wagers))
    return prepare(rules, Yardstick(), Plan(rounds=rounds * 8, boxes=boxes, block_rounds=rounds, wager=Money(25)))


def best(prepared: Prepared, threads: int) -> tuple[float, float]:
    """Rounds per second of wall time, and per second of the threads' own time; the best runs."""
    by_wall = by_cpu = 0.0
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        run = Run(prepared)
        run.on_threads(threads, lambda _: True)
        by_wall = max(by_wall, prepared.plan.rounds / (time.perf_counter() - wall))
        by_cpu = max(by_cpu, prepared.plan.rounds / (time.process_time() - cpu))
    return by_wall, by_cpu


def start(kind: tuple[int, list[str], bool], cache: str) -> float:
    """Seconds from an interpreter's start of work to the first rounds played."""
    boxes, wagers, corrected = kind
    code = FIRST_ROUND.format(boxes=boxes, wagers=wagers, corrected=corrected)
    place = {**os.environ, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run([sys.executable, "-c", code], env=place, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", action="store_true", help="time starts too")
    asked = parser.parse_args()
    print(f"{'':42}{'1 thread':>10}{'2 threads':>11}{'scaling':>9}{'M boxes/s':>11}{'CPU, 1 thr.':>12}{'of Star':>9}")
    star = 0.0
    for name, case in CASES.items():
        prepared = ready(*case)
        play_block(prepared, 0)
        (one, cpu), (two, _) = best(prepared, 1), best(prepared, 2)
        boxes = prepared.given.shape.boxes
        star = star or cpu * boxes
        figures = f"{one / 1e6:10.2f}{two / 1e6:11.2f}{two / one:9.2f}{two * boxes / 1e6:11.1f}"
        print(f"{name:42}{figures}{cpu * boxes / 1e6:12.1f}{cpu * boxes / star:9.2f}", flush=True)
    print("millions of rounds a second; the last two columns are boxes per second of processor time, and their share")
    if asked.starts:
        print(f"{'seconds to the first round':42}{'compiling':>10}{'later':>8}")
        for name, kind in STARTS.items():
            with tempfile.TemporaryDirectory() as cache:
                first = start(kind, cache)
                print(f"{name:42}{first:10.1f}{min(start(kind, cache) for _ in range(3)):8.2f}", flush=True)


if __name__ == "__main__":
    main()
