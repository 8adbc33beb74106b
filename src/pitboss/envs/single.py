"""One box of any game as a Gymnasium environment, played by the compiled rounds; the table is there for the asking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np

from pitboss.cards import CARD_OF_CODE, CODE
from pitboss.envs.acting import ACTIONS, deal_all, step_all
from pitboss.envs.compiled_rows import NOTES, VIEW, Ended, EnvGame, Shown, Tables
from pitboss.envs.env_choices import EnvError, SideWagers, areas_in, game_of, shoe_from
from pitboss.envs.fields import DTYPE, count_fields
from pitboss.envs.table_env import TableBoxEnv
from pitboss.play.round import row as r
from pitboss.play.round.row import forget_cards, new_row
from pitboss.rulebooks import Rulebook
from pitboss.sim.kernels.compiling import compile_for
from pitboss.table import State

Seen = np.ndarray[Any, Any]


class _OneTable:
    """A table for compiled rounds: its arrays, and what has been asked for since its shoe was brought."""

    def __init__(self, env: TableBoxEnv) -> None:
        chosen = env.chosen
        self.game: EnvGame = game_of(chosen, waits=True)[0]
        self.codes = np.array([CODE[card] for card in chosen.fresh], np.uint8)
        self.tables = Tables(
            rows=np.array([new_row(areas_in(chosen)[0])], np.int32), notes=np.zeros((1, NOTES), np.int32),
            views=np.zeros((1, VIEW), DTYPE), shoes=self.codes[None].copy(), chances=np.ones((1, 2), np.uint64),
        )  # fmt: skip
        self.fields, self.actions = count_fields(chosen.bets), ACTIONS + len(chosen.bets)
        self.ended = Ended(
            np.zeros(1), np.zeros(1, np.bool_), np.zeros(1, np.bool_), np.zeros((1, self.fields), DTYPE),
            np.zeros((1, 1), np.uint8),
        )  # fmt: skip
        self.asked = np.zeros(1, np.int64)
        self.rounds: list[list[int]] = []
        shown = self._room()
        self._deal = compile_for(deal_all, self.game, self.tables, shown, 0, 1)
        self._step = compile_for(step_all, self.game, self.tables, shown, self.ended, self.asked, 0, 1)

    def bring_shoe(self, codes: np.ndarray[Any, Any]) -> None:
        """These cards come next, in this order."""
        self.tables.shoes[0] = codes
        row = self.tables.rows[0]
        forget_cards(row)
        row[r.POSITION], row[r.KNOWN] = 0, len(codes)
        self.rounds.clear()

    def deal(self) -> Shown:
        """Begin a round."""
        shown = self._room()
        self._deal(self.game, self.tables, shown, 0, 1)
        self.rounds.append([])
        return shown

    def step(self, action: int) -> Shown:
        """Do one thing."""
        shown = self._room()
        self.asked[0] = action
        self._step(self.game, self.tables, shown, self.ended, self.asked, 0, 1)
        if not self.ended.refused[0]:
            self.rounds[-1].append(action)
        return shown

    def _room(self) -> Shown:
        return Shown(np.empty((1, self.fields), DTYPE), np.empty((1, self.actions), np.int8))


class BoxEnv(gymnasium.Env[Seen, np.int64]):
    """One box (one area at Switch), one round to an episode, one unit to the main wager or as many as are bet.

    An action that is not open changes nothing and is rewarded with nothing; `info` says why, with the clause. Rounds
    with side wagers or a device are played by the table, others compiled; `state` is the table's state in both.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        game: str,
        *,
        stake: Any = 25,
        penetration: float | None = None,
        bets: Iterable[int] = (),
        side_wagers: SideWagers = (),
        meters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Iterable[Rulebook] = (),
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`options` are the house's choices, such as `decks=6`; without `penetration` every round has a fresh shoe.

        With `bets` every round begins with the question how many wagers of `stake` are staked, one of these numbers.
        `side_wagers` are placed in every round, for as much as the main wager or for the stake named with each;
        `meters` is what prize meters show.
        """
        self._told = TableBoxEnv(
            game, stake=stake, penetration=penetration, bets=bets, side_wagers=side_wagers, meters=meters,
            readings=readings, own_books=own_books, render_mode=render_mode, **options,
        )  # fmt: skip
        self.chosen = self._told.chosen
        self.observation_space, self.action_space = self._told.observation_space, self._told.action_space
        self.render_mode = render_mode
        self._is_compiled = not self.chosen.from_device and not self.chosen.side_stakes
        self._one: _OneTable | None = None
        self._is_told = False
        """The table knows of everything that was done."""
        self._over, self._under_way = True, False
        self._mask: Seen = np.zeros(0, np.int8)

    @property
    def state(self) -> State:
        """The current state of the table."""
        return self._table().state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a round. `options={"cards": "8s 6d 7h"}` puts these cards first into a new shoe."""
        super().reset(seed=seed)
        if not self._is_compiled:
            seen, info = self._told.reset(seed=seed, options=options)
            self._mask = info["action_mask"]
            return seen, info
        cards = options.get("cards") if options else None
        is_first = self._one is None
        one = self._one = self._one or _OneTable(self._told)
        if cards is not None:
            one.bring_shoe(np.array([CODE[card] for card in shoe_from(self.chosen.fresh, cards)], np.uint8))
        elif is_first or seed is not None or self._under_way or self._position(one) >= self.chosen.cut:
            one.bring_shoe(one.codes[self.np_random.permutation(len(one.codes))])
        self._is_told, self._over, self._under_way = False, False, not self.chosen.bets
        shown = one.deal()
        self._mask = shown.masks[0]
        return shown.seen[0], {"action_mask": self._mask}

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Do one thing; the reward of a round comes with its end, in units of the wager."""
        one = self._one
        if not self._is_compiled:
            answer = self._told.step(action)
            self._mask = answer[4]["action_mask"]
            return answer
        if self._over or one is None:
            raise EnvError("the round is over: reset the environment")
        asked = int(action)
        shown, ended = one.step(asked), one.ended
        if ended.refused[0]:
            why = self._table().step(np.int64(asked))[4]["refused"]
            return shown.seen[0], 0.0, False, False, {"action_mask": shown.masks[0], "refused": why}
        self._is_told, self._under_way = False, True
        if ended.ended[0]:
            self._over, self._under_way = True, False
            self._mask = shown.masks[0]
            self._mask[0] = 1
            return shown.seen[0], float(ended.rewards[0]), True, False, {"action_mask": self._mask}
        self._mask = shown.masks[0]
        return shown.seen[0], 0.0, False, False, {"action_mask": self._mask}

    def action_masks(self) -> Seen:
        """Which actions are open, as booleans."""
        return self._mask.astype(np.bool_)

    def render(self) -> str | None:
        """The table in words."""
        return self._table().render()

    # ------------------------------------------------------------------ the table

    def _position(self, one: _OneTable) -> int:
        return int(one.tables.rows[0, r.POSITION])

    def _table(self) -> TableBoxEnv:
        """The table, having been told what was done since its shoe was brought."""
        if self._is_compiled and self._one is not None and not self._is_told:
            self._told.replay([CARD_OF_CODE[code] for code in self._one.tables.shoes[0].tolist()], self._one.rounds)
            self._is_told = True
        return self._told
