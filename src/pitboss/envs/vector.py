"""Thousands of tables in step as one Gymnasium vector environment: numbers in, numbers out, all cores."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pitboss.cards import CODE
from pitboss.envs.acting import deal_all, step_all
from pitboss.envs.env_choices import EnvError, as_record, chosen, house_of, shoe_from
from pitboss.envs.fields import DTYPE, FIELDS, Action
from pitboss.envs.rows import KNOWN, POS, ROW, SEEN
from pitboss.envs.single import space
from pitboss.rulebooks import Rulebook
from pitboss.sim.kernels.streams import stream

LEAST_SHARE = 256
"""Fewer tables are not worth a thread of their own."""
Numbers = np.ndarray[Any, Any]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class VectorBoxEnv(VectorEnv[Numbers, Numbers, Numbers]):
    """Many tables of one box each, as `BoxEnv` has them, played by compiled rounds in step.

    A round that ends is followed by the next one in the same step: the reward belongs to the old round, the observation
    to the new one, and `info["final_obs"]` holds how the old one ended.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        game: str,
        num_envs: int = 1024,
        *,
        stake: Any = 25,
        penetration: float | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Iterable[Rulebook] = (),
        threads: int | None = None,
        **options: Any,
    ) -> None:
        """The parameters of `BoxEnv`, for `num_envs` tables; `threads` is as many as there are cores if left out."""
        if num_envs < 1:
            raise EnvError(f"there must be 1 table or more, not {num_envs}")
        self.chosen = chosen(game, stake, penetration, 1, readings, own_books, options)
        self.num_envs = num_envs
        self.single_observation_space = space()
        self.single_action_space = spaces.Discrete(len(Action))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rules, self._house = map(as_record, house_of(self.chosen))
        self._fresh = np.array([CODE[card] for card in self.chosen.fresh], np.uint8)
        self._tables = np.zeros((num_envs, ROW), np.int32)
        self._shoes = np.tile(self._fresh, (num_envs, 1))
        self._chances = np.zeros((num_envs, 2), np.uint64)
        count = min(threads or _cores(), -(-num_envs // LEAST_SHARE))
        edges = [num_envs * number // count for number in range(count + 1)]
        self._shares = list(itertools.pairwise(edges))
        self._pool = ThreadPoolExecutor(count - 1) if count > 1 else None

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Deal a round at every table. `options={"cards": [...]}` puts these cards first into the shoe of each."""
        if isinstance(seed, list):
            raise EnvError("one seed is enough for all tables")
        super().reset(seed=seed)
        start = int(self.np_random.integers(1 << 62)) if seed is None else seed
        for table in range(self.num_envs):
            self._chances[table] = stream(start, table)
        self._tables[:, POS] = self._tables[:, KNOWN] = 0
        self._tables[:, SEEN : SEEN + 10] = 0
        self._shoes[:] = self._fresh
        cards = (options or {}).get("cards")
        if cards is not None:
            self._lay_out(cards)
        seen, masks = self._room()
        self._on_threads(deal_all, seen, masks)
        return seen, {"action_mask": masks}

    def step(self, actions: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers, dict[str, Any]]:
        """One action at every table; what is not open there changes nothing, and `info["refused"]` says so."""
        asked = np.asarray(actions)
        if asked.shape != (self.num_envs,):
            raise EnvError(f"{self.num_envs} actions are needed, one for each table, not an array of {asked.shape}")
        seen, masks = self._room()
        rewards = np.empty(self.num_envs, np.float64)
        ended, refused = np.empty(self.num_envs, np.bool_), np.empty(self.num_envs, np.bool_)
        finals = np.zeros_like(seen)
        whole = asked.astype(np.int64, copy=False)
        self._on_threads(step_all, whole, seen, masks, rewards, ended, refused, finals)
        info = {"action_mask": masks, "refused": refused, "final_obs": finals, "_final_obs": ended}
        return seen, rewards, ended, np.zeros(self.num_envs, np.bool_), info

    def _on_threads(self, play: Callable[..., None], *arrays: Numbers) -> None:
        """Each thread plays its share of the tables, this one too; kernels let go of the interpreter."""
        given = (self._rules, self._house, self._tables, self._shoes, self._chances, *arrays)
        (first, last), *others = self._shares
        running = [self._pool.submit(play, *given, *share) for share in others] if self._pool else []
        play(*given, first, last)
        for future in running:
            future.result()

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._pool:
            self._pool.shutdown()

    def _room(self) -> tuple[Numbers, Numbers]:
        return np.empty((self.num_envs, len(FIELDS)), DTYPE), np.empty((self.num_envs, len(Action)), np.int8)

    def _lay_out(self, cards: Any) -> None:
        if len(cards) != self.num_envs:
            raise EnvError(f"cards are needed for each of {self.num_envs} tables, not for {len(cards)}")
        for table, begun in enumerate(cards):
            self._shoes[table] = [CODE[card] for card in shoe_from(self.chosen.fresh, begun)]
        self._tables[:, KNOWN] = len(self._fresh)
