"""Steps a second for agents: tables in step beside one table, and beside Gymnasium's own blackjack.

Every agent draws to 17. The first column is the environment alone, per second of processor time (what one idle core
does); the second is by the clock, on whatever else the machine is doing, with the agent's choice in NumPy.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import gymnasium
import numpy as np

from pitboss.envs import Action, BoxEnv, VectorBoxEnv

TABLES = 8192
STEPS = 300
GAMES = ("star/blackjack", "melbourne/pontoon", "melbourne/free-bet", "star/switch", "rws/blackjack")
PROCEED, HIT, STAND = (np.int64(action) for action in (Action.PROCEED, Action.HIT, Action.STAND))


def in_step(game: str, threads: int) -> tuple[float, float]:
    """Steps of many tables: per second of processor time, and by the clock with the agent's choice."""
    env = VectorBoxEnv(game, TABLES, threads=threads)
    seen, info = env.reset(seed=1)
    spent, began = 0.0, time.perf_counter()
    for number in range(STEPS + 20):
        if number == 20:
            spent, began = 0.0, time.perf_counter()
        mask, total = info["action_mask"], seen[:, 2]
        draws = (total < 17) | (mask[:, STAND] == 0)
        actions = np.where(
            mask[:, HIT] == 1, np.where(draws, HIT, STAND), np.where(mask[:, STAND] == 1, STAND, PROCEED)
        )
        start = time.process_time()
        seen, _, _, _, info = env.step(actions)
        spent += time.process_time() - start
        assert not info["refused"].any()
    env.close()
    return TABLES * STEPS / spent, TABLES * STEPS / (time.perf_counter() - began)


def alone(make: Callable[[], gymnasium.Env], choose: Callable[[np.ndarray, dict], int], steps: int) -> float:
    """Steps a second of one environment."""
    env = make()
    seen, info = env.reset(seed=1)
    start = time.perf_counter()
    for _ in range(steps):
        seen, _, over, _, info = env.step(choose(seen, info))
        if over:
            seen, info = env.reset()
    return steps / (time.perf_counter() - start)


def draw_to_17(seen: np.ndarray, info: dict) -> int:
    mask = info["action_mask"]
    if mask[HIT]:
        return int(HIT if seen[2] < 17 or not mask[STAND] else STAND)
    return int(STAND if mask[STAND] else PROCEED)


def main() -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    theirs = alone(lambda: gymnasium.make("Blackjack-v1"), lambda seen, _: int(seen[0] < 17), 20_000)
    ours = alone(lambda: BoxEnv("star/blackjack"), draw_to_17, 3000)
    print(f"{'steps a second':36}{'of a core':>14}{'by the clock':>14}{'times theirs':>14}")
    print(f"{'Gymnasium Blackjack-v1, one table':36}{'':>14}{theirs:14,.0f}{1:14.1f}")
    print(f"{'star/blackjack, one table':36}{'':>14}{ours:14,.0f}{ours / theirs:14.1f}")
    for game in GAMES:
        for threads in sorted({1, cores}):
            env, both = max(in_step(game, threads) for _ in range(3))
            name = f"{game}, {TABLES} tables, {threads} thread{'s' * (threads > 1)}"
            print(f"{name:36}{env:14,.0f}{both:14,.0f}{both / theirs:14.1f}")


main()
