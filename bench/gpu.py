"""How many rounds a second a GPU plays, splits, a finite shoe and the cut card included: `pitboss simulate --gpu`.

Each game is the best of several runs of a few seconds' rounds, from the first launch until its sums are in; `--threads`
and `--steps` try other shapes of the kernel.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import pitboss
from pitboss.sim.gpu import STEPS, Device
from pitboss.sim.plan import Plan, prepare
from pitboss.sim.strategies import Yardstick

RUNS = 5
LAUNCHES = 4
HOLE_CARD = Path(__file__).resolve().parents[1] / "examples" / "las-vegas.toml"
GAMES = {
    "Star Blackjack": "star/blackjack",
    "Game A (a hole card, four hands)": "las-vegas/blackjack",
    "Pontoon": "melbourne/pontoon",
    "Free Bet": "melbourne/free-bet",
}


def best(game: str, threads: int | None, steps: int) -> tuple[float, int]:
    """Rounds per second of the best run, and threads of a multiprocessor."""
    device = Device(
        prepare(pitboss.rules(game, own_books=[HOLE_CARD]), Yardstick(), Plan(rounds=10**13)),
        threads=threads,
        steps=steps,
    )
    many = device.blocks_at_once
    device.play(range(1))
    found = 0.0
    for run in range(RUNS):
        begun = time.perf_counter()
        rounds = 0
        for launch in range(run * LAUNCHES, (run + 1) * LAUNCHES):
            rounds += device.play(range(launch * many, (launch + 1) * many)).totals["rounds"]
        found = max(found, rounds / (time.perf_counter() - begun))
    return found, device.threads


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, help="threads of a multiprocessor; as many as have room if left out")
    parser.add_argument("--steps", type=int, default=STEPS, help="cards that are drawn between looks at what is rare")
    asked = parser.parse_args()
    print(f"{'':36}{'threads':>8}{'G rounds/s':>12}")
    for name, game in GAMES.items():
        rounds, threads = best(game, asked.threads, asked.steps)
        print(f"{name:36}{threads:8}{rounds / 1e9:12.2f}", flush=True)


if __name__ == "__main__":
    main()
