"""Several boxes of one table as a PettingZoo environment: an agent for each, asked in the order of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from pitboss.envs.env_choices import SideWagers, choose
from pitboss.envs.fields import Action
from pitboss.envs.seat import moves, observe
from pitboss.envs.single import mask_of, space
from pitboss.envs.table_rounds import TableRounds
from pitboss.rulebooks import Rulebook
from pitboss.table import Phase, State
from pitboss.table.messages import commands as cmd


class BoxesEnv(AECEnv):  # type: ignore[misc]
    """One round of a table with an agent on each box (area at Switch); rewards come with its end.

    Offers go round the table in the order of the boxes and close when everybody has passed; then boxes act in turn.
    """

    metadata: dict[str, Any] = {"name": "pitboss_boxes_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        boxes: int = 3,
        *,
        stake: Any = 25,
        penetration: float | None = None,
        side_wagers: SideWagers = (),
        meters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Iterable[Rulebook] = (),
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """The parameters of `BoxEnv`, for a table with `boxes` agents."""
        super().__init__()
        self.chosen = choose(game, stake, penetration, boxes, side_wagers, meters, readings, own_books, options)
        self.render_mode = render_mode
        self.possible_agents = [f"box_{number}" for number in range(1, boxes + 1)]
        self._areas = {agent: number for number, agent in enumerate(self.possible_agents, 1)}
        seen = spaces.Dict(
            {"observation": space(self.chosen.hands), "action_mask": spaces.Box(0, 1, (len(Action),), np.int8)}
        )
        self._spaces = dict.fromkeys(self.possible_agents, seen)
        self._actions = {agent: spaces.Discrete(len(Action)) for agent in self.possible_agents}
        self._table = TableRounds(self.chosen, {area: f"agent{area}" for area in self._areas.values()})
        self._random: np.random.Generator | None = None
        self._passed: set[str] = set()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees: `observation` and `action_mask`."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent may ask for."""
        return self._actions[agent]

    @property
    def table(self) -> State:
        """The current state of the table."""
        return self._table.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a round. `options={"cards": "8s 6d 7h"}` puts these cards first into a new shoe."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._table.deal(self._random, (options or {}).get("cards"), seed is not None)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._passed = set()
        self.agent_selection = self._next()

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """The table as an agent sees it, and what it may do; nothing but `PROCEED` if it is another's turn."""
        return {"observation": observe(self.table, self._areas[agent]), "action_mask": mask_of(self._moves(agent))}

    def step(self, action: int | None) -> None:
        """Do one thing for the agent whose turn it is; what is not open changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        command = None if action is None else self._moves(agent).get(Action(int(action)))
        self.infos[agent] = {} if command is not None else {"refused": f"action {action} is not open to {agent} now"}
        if command is not None:
            self._take(agent, command)
        if self.table.phase is Phase.SETTLED and (command is not None):
            self._settle()
        self.agent_selection = self.agents[0] if self.terminations[agent] else self._next()
        self._accumulate_rewards()

    def render(self) -> None:
        """There is nothing to draw: the terminal table and the pages are other programs."""

    def close(self) -> None:
        """Nothing is held."""

    # ------------------------------------------------------------------ the table

    def _moves(self, agent: str) -> dict[Action, cmd.Command]:
        found = {} if agent in self._passed else moves(self.table, self._areas[agent])
        return found or {Action.PROCEED: cmd.Proceed()}

    def _take(self, agent: str, command: cmd.Command) -> None:
        """Passing on an offer closes it only when everybody has."""
        state = self.table
        if isinstance(command, cmd.Proceed) and state.phase is Phase.OFFERS:
            self._passed.add(agent)
            if any(self._must_decide(other) for other in self.agents):
                return
        if state.phase is not Phase.SETTLED:
            self._table.do(command)
        if self.table.phase is not Phase.OFFERS:
            self._passed = set()

    def _must_decide(self, agent: str) -> bool:
        """The agent has something to decide."""
        return agent not in self._passed and bool(moves(self.table, self._areas[agent]))

    def _next(self) -> str:
        """Who is asked: the first who has something to decide; if nobody has, the first, who may only go on."""
        return next((agent for agent in self.agents if self._must_decide(agent)), self.agents[0])

    def _settle(self) -> None:
        for agent, area in self._areas.items():
            self.rewards[agent] = self._table.net_of(area)
            if self.chosen.side_stakes:
                self.infos[agent]["side_wagers"] = self._table.side_results_of(area)
            self.terminations[agent] = True
