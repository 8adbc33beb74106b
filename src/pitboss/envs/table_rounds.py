"""Rounds of agents at the table itself: a shoe or a device, wagers on the agents' boxes, and what these came to."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from pitboss.envs.env_choices import Chosen, EnvError, shoe_from
from pitboss.money import ZERO, Money
from pitboss.table import Phase, Refusal, State, decide, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shuffle import LEAST_ENTROPY_BYTES
from pitboss.table.state import CardSource, Meter, Settlement


def check_wagers(chosen: Chosen) -> None:
    """Refuse wagers that a table would turn away."""
    if chosen.side_stakes:
        table, chance = TableRounds(chosen, {1: "agent"}), np.random.default_rng(0)
        table.bring_cards(chance, None, True)
        table.deal(chance, {})


class TableRounds:
    """One table, dealt round after round; each agent has an area with the same wagers in every round."""

    def __init__(self, chosen: Chosen, players: Mapping[int, str]) -> None:
        self.chosen = chosen
        self.players = players
        """The player of each area."""
        self.state = self._open()

    def bring_cards(self, chance: np.random.Generator, cards: Any, afresh: bool) -> None:
        """Make ready for a round: with `afresh` a new table with a new shoe, or a shoe of `cards` if any are named."""
        self._clear(afresh)
        self._bring_shoe(chance, cards)

    def deal(self, chance: np.random.Generator, bets: Mapping[int, int]) -> None:
        """Deal the next round for which cards are there, with so many wagers staked on each area."""
        for area, player in self.players.items():
            amount = bets.get(area, 1) * self.chosen.stake
            self.do(cmd.PlaceBet(box=str(area), player=player, amount=amount, seated=True))
            for wager, amount in self.chosen.side_stakes.items():
                self.do(cmd.PlaceBet(box=str(area), player=player, amount=amount, wager=wager))
        self.do(cmd.Deal())
        while self.state.prizes_due:
            self._draw_prize(chance)

    def do(self, command: cmd.Command) -> None:
        """Have the table do something that it must not refuse."""
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            raise EnvError(f"the table refuses: {answer}")
        for event in answer.events:
            if isinstance(event, ev.WagerReturned):
                raise EnvError(f"{event.wager} cannot be placed: {event.why} (clause {', '.join(event.clauses)})")
        self.state = answer.state

    def net_of(self, area: int) -> float:
        """What the round brought an area, in units of the main wager."""
        return self._units(row for row in self.state.settlements if row.box.rstrip("ab") == str(area))

    def side_results_of(self, area: int) -> dict[str, dict[str, Any]]:
        """What each side wager of an area came to: how it was settled, step by step, and its net in units."""
        found: dict[str, dict[str, Any]] = {}
        for wager in self.chosen.side_stakes:
            rows = [row for row in self.state.settlements if (row.box, row.wager) == (str(area), wager)]
            found[wager] = {"outcome": ", ".join(row.outcome for row in rows), "net": self._units(rows)}
        return found

    # ------------------------------------------------------------------

    def _units(self, rows: Any) -> float:
        settled: list[Settlement] = list(rows)
        return float(sum((row.net for row in settled), ZERO) / self.chosen.stake)

    def _open(self) -> State:
        return open_table(self.chosen.rules, meters=self._meters())

    def _meters(self) -> dict[str, Meter]:
        return {name: Meter(ZERO, ZERO, value) for name, value in self.chosen.meters.items()}

    def _clear(self, afresh: bool) -> None:
        """The round before is over, or given up; meters show again what they were said to show."""
        if afresh or self.state.phase not in (Phase.BETTING, Phase.SETTLED):
            self.state = self._open()
        elif self.state.phase is Phase.SETTLED:
            self.do(cmd.NextRound())
            self.state = replace(self.state, meters=self._meters())

    def _bring_shoe(self, chance: np.random.Generator, cards: Any) -> None:
        """A shoe that begins with `cards`, or a new one if it is time for one."""
        shoe, fresh = self.state.shoe, self.chosen.fresh
        if cards is not None:
            self.do(cmd.LoadShoe(cards=shoe_from(fresh, cards)))
        elif self.chosen.from_device:
            if shoe.source is not CardSource.DEVICE:
                self.do(cmd.Shuffle(entropy=chance.bytes(LEAST_ENTROPY_BYTES)))
        elif not shoe.cards or shoe.position >= self.chosen.cut:
            self.do(cmd.LoadShoe(cards=tuple(fresh[place] for place in chance.permutation(len(fresh)))))

    def _draw_prize(self, chance: np.random.Generator) -> None:
        """The jackpot button draws a prize for the first winner who waits for one."""
        box, player = self.state.prizes_due[0]
        side = next(side for side in self.chosen.rules.side_wagers if side.prizes)
        ends = list(itertools.accumulate(tickets for tickets, _ in side.prizes))
        ticket = int(chance.integers(ends[-1]))
        prize = next(prize for end, (_, prize) in zip(ends, side.prizes, strict=True) if ticket < end)
        self.do(cmd.DrawPrize(box=box, player=player, amount=Money(prize)))
