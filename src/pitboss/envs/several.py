"""Several boxes of one table as a PettingZoo environment: an agent for each, asked in the order of the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from pitboss.envs.env_choices import SideWagers, choose
from pitboss.envs.fields import DTYPE, Action
from pitboss.envs.seat import moves, observe, observe_shoe
from pitboss.envs.table_env import mask_of, space
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
        bets: Iterable[int] = (),
        side_wagers: SideWagers = (),
        meters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
        own_books: Iterable[Rulebook] = (),
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """The parameters of `BoxEnv`, for a table with `boxes` agents."""
        super().__init__()
        self.chosen = choose(game, stake, penetration, boxes, side_wagers, meters, readings, own_books, options, bets)
        self.render_mode = render_mode
        self.possible_agents = [f"box_{number}" for number in range(1, boxes + 1)]
        self._areas = {agent: number for number, agent in enumerate(self.possible_agents, 1)}
        seen = spaces.Dict(
            {
                "observation": space(self.chosen.hands, self.chosen.bets),
                "action_mask": spaces.Box(0, 1, (len(Action) + len(self.chosen.bets),), np.int8),
            }
        )
        self._spaces = dict.fromkeys(self.possible_agents, seen)
        self._actions = {agent: spaces.Discrete(len(Action) + len(self.chosen.bets)) for agent in self.possible_agents}
        self._table = TableRounds(self.chosen, {area: f"agent{area}" for area in self._areas.values()})
        self._random: np.random.Generator | None = None
        self._passed: set[str] = set()
        self._bets: dict[int, int] = {}
        """How many wagers are staked on each area; one that is missing has not chosen."""

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
        self._table.bring_cards(self._random, (options or {}).get("cards"), seed is not None)
        self._bets = {}
        if not self.chosen.bets:
            self._deal(dict.fromkeys(self._areas.values(), 1))
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
        bets, area = self.chosen.bets, self._areas[agent]
        seen = observe_shoe(self.table) if self._asks_bets() else observe(self.table, area)
        if bets:
            seen = np.append(seen, DTYPE(self._bets.get(area, 0)))
        mask = mask_of(self._moves(agent), bets, self._asks_bets() and area not in self._bets)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do one thing for the agent whose turn it is; what is not open changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        done = self._do(agent, -1 if action is None else int(action))
        self.infos[agent] = {} if done else {"refused": f"action {action} is not open to {agent} now"}
        if self.table.phase is Phase.SETTLED and done:
            self._settle()
        self.agent_selection = self.agents[0] if self.terminations[agent] else self._next()
        self._accumulate_rewards()

    def render(self) -> None:
        """There is nothing to draw: the terminal table and the pages are other programs."""

    def close(self) -> None:
        """Nothing is held."""

    # ------------------------------------------------------------------ the table

    def _asks_bets(self) -> bool:
        return bool(self.chosen.bets) and len(self._bets) < len(self._areas)

    def _deal(self, bets: dict[int, int]) -> None:
        assert self._random is not None
        self._bets = bets
        self._table.deal(self._random, bets)

    def _do(self, agent: str, action: int) -> bool:
        """Do what an agent asks for, if it is open: the cards are dealt when the last bet is chosen."""
        if self._asks_bets():
            is_open = bool(self.observe(agent)["action_mask"][action]) if action >= 0 else False
            if is_open:
                self._bets[self._areas[agent]] = self.chosen.bets[action - len(Action)]
                if not self._asks_bets():
                    self._deal(self._bets)
            return is_open
        command = self._moves(agent).get(Action(action)) if 0 <= action < len(Action) else None
        if command is not None:
            self._take(agent, command)
        return command is not None

    def _moves(self, agent: str) -> dict[Action, cmd.Command]:
        if self._asks_bets():
            return {}
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
        if self._asks_bets():
            return self._areas[agent] not in self._bets
        return agent not in self._passed and bool(moves(self.table, self._areas[agent]))

    def waiting_for(self) -> list[str]:
        """Agents who have something to decide."""
        return [agent for agent in self.agents if self._must_decide(agent)]

    def is_over(self) -> bool:
        """The round is settled."""
        return any(self.terminations.values())

    def _next(self) -> str:
        """Who is asked: the first who has something to decide; if nobody has, the first, who may only go on."""
        return next((agent for agent in self.agents if self._must_decide(agent)), self.agents[0])

    def _settle(self) -> None:
        for agent, area in self._areas.items():
            self.rewards[agent] = self._table.net_of(area)
            if self.chosen.side_stakes:
                self.infos[agent]["side_wagers"] = self._table.side_results_of(area)
            self.terminations[agent] = True


class BoxesAtOnceEnv(ParallelEnv):  # type: ignore[misc]
    """The same table where all agents are asked together: whoever has something to decide does it, in order.

    What an agent asks for that has nothing to decide is not looked at.
    """

    metadata: dict[str, Any] = {"name": "pitboss_boxes_at_once_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self, game: str, boxes: int = 3, *, render_mode: str | None = None, **choices: Any) -> None:
        """The parameters of `BoxesEnv`."""
        self.in_turn = BoxesEnv(game, boxes, render_mode=render_mode, **choices)
        self.render_mode = render_mode
        self.possible_agents = self.in_turn.possible_agents
        self.observation_space, self.action_space = self.in_turn.observation_space, self.in_turn.action_space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a round."""
        self.in_turn.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """One action of everybody who has something to decide now."""
        asked = self.in_turn.waiting_for() or self.agents[:1]
        for agent in asked:
            if not self.in_turn.is_over() and (agent in self.in_turn.waiting_for() or len(asked) == 1):
                self.in_turn.agent_selection = agent
                self.in_turn.step(int(actions[agent]))
        over, agents = self.in_turn.is_over(), self.agents
        answer = (
            self._observe(),
            {agent: float(self.in_turn.rewards[agent]) if over else 0.0 for agent in agents},
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: self.in_turn.infos[agent] for agent in agents},
        )
        if over:
            self.agents = []
        return answer

    def _observe(self) -> dict[str, Any]:
        return {agent: self.in_turn.observe(agent) for agent in self.agents}
