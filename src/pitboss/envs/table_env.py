"""One box of any game as a Gymnasium environment whose rounds the table itself plays, with all that it can say of them.

`single.BoxEnv` plays the same rounds compiled, and turns to this one for what only a table has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from pitboss.cards import Card
from pitboss.envs.env_choices import EnvError, SideWagers, choose
from pitboss.envs.fields import DTYPE, Action, bounds
from pitboss.envs.seat import moves, observe, observe_shoe
from pitboss.envs.table_rounds import TableRounds
from pitboss.money import half
from pitboss.play.insurance import insurance_halves
from pitboss.rulebooks import Rulebook
from pitboss.table import Phase, Refusal, State, decide
from pitboss.table.messages import commands as cmd

PLAYER = "agent"
AREA = 1


def space(hands: int, bets: Sequence[int] = ()) -> spaces.Box:
    """The observations of a seat whose boxes may have so many hands, and choose one of these bets."""
    low, high = bounds(hands, bets)
    return spaces.Box(low, high, dtype=DTYPE)


def mask_of(actions: Iterable[int], bets: Sequence[int] = (), asks_bet: bool = False) -> np.ndarray[Any, Any]:
    """These actions as a mask, and all bets where one is asked for."""
    mask = np.zeros(len(Action) + len(bets), np.int8)
    mask[list(actions)] = 1
    mask[len(Action) :] = asks_bet
    return mask


class TableBoxEnv(gymnasium.Env[np.ndarray[Any, Any], np.int64]):
    """One box (one area at Switch), one round to an episode, one unit to the main wager.

    An action that is not open changes nothing and is rewarded with nothing; `info` says why, with the clause.
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
        self.chosen = choose(game, stake, penetration, 1, side_wagers, meters, readings, own_books, options, bets)
        self.observation_space = space(self.chosen.hands, self.chosen.bets)
        self.action_space = spaces.Discrete(len(Action) + len(self.chosen.bets))
        self.render_mode = render_mode
        self._table = TableRounds(self.chosen, {AREA: PLAYER})
        self._moves: dict[Action, cmd.Command] = {}
        self._bet = 0
        """How many wagers are staked; none as long as that is asked."""
        self._paid = False

    @property
    def state(self) -> State:
        """The current state of the table."""
        return self._table.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Deal a round. `options={"cards": "8s 6d 7h"}` puts these cards first into a new shoe."""
        super().reset(seed=seed)
        self._table.bring_cards(self.np_random, (options or {}).get("cards"), seed is not None)
        self._paid, self._bet = False, 0
        if not self.chosen.bets:
            self._deal(1)
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Do one thing; the reward of a round comes with its end, in units of the wager."""
        asked, bets = int(action), self.chosen.bets
        if self._paid or (not self.state.boxes and not self._asks_bet()):
            raise EnvError("the round is over: reset the environment")
        if not 0 <= asked < len(Action) + len(bets):
            return self._observe(), 0.0, False, False, {**self._info(), "refused": f"there is no action {asked}"}
        if self._asks_bet() or asked >= len(Action):
            return self._take_bet(asked)
        command = self._moves.get(Action(asked))
        if command is None:
            return self._observe(), 0.0, False, False, {**self._info(), "refused": self._why_not(action)}
        if self.state.phase is not Phase.SETTLED:
            self._table.do(command)
        self._paid = self.state.phase is Phase.SETTLED
        info = self._info()
        if self._paid and self.chosen.side_stakes:
            info["side_wagers"] = self._table.side_results_of(AREA)
        return self._observe(), self._table.net_of(AREA) if self._paid else 0.0, self._paid, False, info

    def replay(self, cards: Sequence[Card], rounds: Iterable[Sequence[int]]) -> None:
        """Play these rounds from a shoe of these cards: the actions of each, none of which is refused."""
        for number, actions in enumerate(rounds):
            self._table.bring_cards(self.np_random, cards if number == 0 else None, number == 0)
            self._paid, self._bet = False, 0
            if not self.chosen.bets:
                self._deal(1)
            self._info()
            for action in actions:
                self.step(np.int64(action))

    def action_masks(self) -> np.ndarray[Any, Any]:
        """Which actions are open, as booleans."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """The table in words."""
        if self.render_mode != "ansi":
            return None
        state = self.state
        lines = [f"dealer  {' '.join(state.dealer)}"]
        for box in state.boxes:
            lines.extend(f"box {box.number}   {' '.join(hand.cards)}  {hand.points}" for hand in box.hands)
        return "\n".join([*lines, f"open    {', '.join(action.name for action in self._moves)}"])

    # ------------------------------------------------------------------ the table

    def _asks_bet(self) -> bool:
        return bool(self.chosen.bets) and self._bet == 0

    def _take_bet(self, action: int) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Deal for a bet, if it is one and it is asked for."""
        if self._asks_bet() and action >= len(Action):
            self._deal(self.chosen.bets[action - len(Action)])
            return self._observe(), 0.0, False, False, self._info()
        why = "a bet is asked for" if self._asks_bet() else "the bet is placed"
        return self._observe(), 0.0, False, False, {**self._info(), "refused": f"action {action} is not open: {why}"}

    def _deal(self, bet: int) -> None:
        self._bet = bet
        self._table.deal(self.np_random, {AREA: bet})

    def _observe(self) -> np.ndarray[Any, Any]:
        """What the agent sees; before the deal, the cards that have been dealt from the shoe."""
        seen = observe_shoe(self.state) if self._asks_bet() else observe(self.state, AREA)
        return np.append(seen, DTYPE(self._bet)) if self.chosen.bets else seen

    def _mask(self) -> np.ndarray[Any, Any]:
        return mask_of((int(action) for action in self._moves), self.chosen.bets, self._asks_bet())

    def _info(self) -> dict[str, Any]:
        over = self.state.phase is Phase.SETTLED
        if self._asks_bet():
            self._moves = {}
        else:
            self._moves = {Action.PROCEED: cmd.Proceed()} if over else moves(self.state, AREA)
        return {"action_mask": self._mask()}

    def _why_not(self, action: np.int64) -> str:
        """The table's own refusal, with its clause; or what is asked first, where the table would let that pass."""
        at = self.state.turn[0] if self.state.turn is not None else 0
        box, asked = self.state.boxes[at].number, Action(int(action))
        insurance = half(self._bet * self.chosen.stake) * insurance_halves(self.state.packed)
        commands: dict[Action, cmd.Command] = {
            Action.HIT: cmd.Hit(box=box),
            Action.STAND: cmd.Stand(box=box),
            Action.DOUBLE: cmd.Double(box=box),
            Action.SPLIT: cmd.Split(box=box),
            Action.SURRENDER: cmd.Surrender(box=box),
            Action.INSURE: cmd.Insure(box=box, player=PLAYER, amount=insurance),
            Action.EVEN_MONEY: cmd.TakeEvenMoney(box=box, player=PLAYER),
            Action.FORFEIT: cmd.Forfeit(box=box, player=PLAYER),
            Action.SWITCH: cmd.Switch(area=str(AREA)),
        }
        answer = decide(self.state, commands.get(asked, cmd.Proceed()))
        if isinstance(answer, Refusal):
            return str(answer)
        return f"{asked.name} is not legal now; legal are {', '.join(action.name for action in self._moves)}"
