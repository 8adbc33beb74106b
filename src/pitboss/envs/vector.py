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
from pitboss.envs.acting import ACTIONS, deal_all, step_all
from pitboss.envs.compiled_rows import NOTES, VIEW, Ended, Shown, Tables
from pitboss.envs.env_choices import EnvError, SideWagers, areas_in, choose, game_of, shoe_from
from pitboss.envs.fields import DTYPE, count_fields
from pitboss.envs.table_env import space
from pitboss.envs.table_rounds import check_wagers
from pitboss.play.round.row import KNOWN, new_row
from pitboss.rulebooks import Rulebook
from pitboss.sim.kernels.streams import open_stream

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
        bets: Iterable[int] = (),
        side_wagers: SideWagers = (),
        meters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Iterable[Rulebook] = (),
        threads: int | None = None,
        **options: Any,
    ) -> None:
        """The parameters of `BoxEnv`, for `num_envs` tables; `threads` is as many as there are cores if left out."""
        if num_envs < 1:
            raise EnvError(f"there must be 1 table or more, not {num_envs}")
        self.chosen = choose(game, stake, penetration, 1, side_wagers, meters, readings, own_books, options, bets)
        check_wagers(self.chosen)
        self.num_envs = num_envs
        self.single_observation_space = space(self.chosen.hands, self.chosen.bets)
        self.single_action_space = spaces.Discrete(ACTIONS + len(self.chosen.bets))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._game, names = game_of(self.chosen)
        self.side_outcomes = {wager: name.names for wager, name in zip(self.chosen.side_stakes, names, strict=True)}
        """What the numbers of each side wager's outcomes mean."""
        self._fresh = np.array([CODE[card] for card in self.chosen.fresh], np.uint8)
        self._first_row = np.array(new_row(areas_in(self.chosen)[0]), np.int32)
        self._tables = Tables(
            rows=np.tile(self._first_row, (num_envs, 1)),
            notes=np.zeros((num_envs, NOTES), np.int32),
            views=np.zeros((num_envs, VIEW), DTYPE),
            shoes=np.tile(self._fresh, (num_envs, 1)),
            chances=np.zeros((num_envs, 2), np.uint64),
        )
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
            self._tables.chances[table] = open_stream(start, table)
        self._tables.rows[:] = self._first_row
        self._tables.notes[:] = self._tables.views[:] = 0
        self._tables.shoes[:] = self._fresh
        cards = (options or {}).get("cards")
        if cards is not None:
            self._lay_out(cards)
        shown = self._room()
        self._on_threads(deal_all, shown)
        return shown.seen, {"action_mask": shown.masks}

    def step(self, actions: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers, dict[str, Any]]:
        """One action at every table; what is not open there changes nothing, and `info["refused"]` says so."""
        asked = np.asarray(actions)
        if asked.shape != (self.num_envs,):
            raise EnvError(f"{self.num_envs} actions are needed, one for each table, not an array of {asked.shape}")
        shown = self._room()
        ended = Ended(
            rewards=np.empty(self.num_envs, np.float64),
            ended=np.empty(self.num_envs, np.bool_),
            refused=np.empty(self.num_envs, np.bool_),
            finals=np.zeros_like(shown.seen),
            outcomes=np.zeros((self.num_envs, max(len(self.side_outcomes), 1)), np.uint8),
        )
        self._on_threads(step_all, shown, ended, asked.astype(np.int64, copy=False))
        info: dict[str, Any] = {
            "action_mask": shown.masks, "refused": ended.refused, "final_obs": ended.finals, "_final_obs": ended.ended,
        }  # fmt: skip
        if self.side_outcomes:
            info["side_wagers"] = self._side_results(ended)
        return shown.seen, ended.rewards, ended.ended, np.zeros(self.num_envs, np.bool_), info

    def _side_results(self, ended: Ended) -> dict[str, dict[str, Numbers]]:
        """What each side wager came to, where a round has ended: number of its outcome, net in units."""
        found: dict[str, dict[str, Numbers]] = {}
        for place, wager in enumerate(self.side_outcomes):
            outcome = ended.outcomes[:, place]
            found[wager] = {"outcome": outcome, "net": np.where(ended.ended, self._game.side_pays[place][outcome], 0.0)}
        return found

    def _on_threads(self, play: Callable[..., None], *arrays: Any) -> None:
        """Each thread plays its share of the tables, this one too; kernels let go of the interpreter."""
        given = (self._game, self._tables, *arrays)
        (first, last), *others = self._shares
        running = [self._pool.submit(play, *given, *share) for share in others] if self._pool else []
        play(*given, first, last)
        for future in running:
            future.result()

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if self._pool:
            self._pool.shutdown()

    def _room(self) -> Shown:
        many, bets = self.num_envs, self.chosen.bets
        return Shown(np.empty((many, count_fields(bets)), DTYPE), np.empty((many, ACTIONS + len(bets)), np.int8))

    def _lay_out(self, cards: Any) -> None:
        if len(cards) != self.num_envs:
            raise EnvError(f"cards are needed for each of {self.num_envs} tables, not for {len(cards)}")
        for table, begun in enumerate(cards):
            self._tables.shoes[table] = [CODE[card] for card in shoe_from(self.chosen.fresh, begun)]
        self._tables.rows[:, KNOWN] = len(self._fresh)
