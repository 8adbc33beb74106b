"""A second set of books for one round: what every player put down and got back, read off the events alone.

Money is put down with a wager, an insurance, a double or a split; it comes off the layout when a wager is settled,
returned or taken back. The table keeps no such account: a difference means that chips appeared or vanished.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

from pitboss.table import State
from pitboss.table.messages import events as ev
from pitboss.table.state import Stake

Key = tuple[str, str, str]
"""Area, player, wager. An area may be two boxes; what limits send back is for both together."""


class Account:
    """The chips of one round."""

    def __init__(self) -> None:
        self.staked: defaultdict[Key, Decimal] = defaultdict(Decimal)
        """Everything put down on a wager that stayed in play."""
        self.lying: defaultdict[Key, Decimal] = defaultdict(Decimal)
        """What of it still lies on the layout."""
        self.net: defaultdict[Key, Decimal] = defaultdict(Decimal)
        self.released: set[tuple[object, ...]] = set()

    def follow(self, before: State, event: ev.Event) -> None:
        """Book one event; `before` is the table as it was."""
        match event:
            case ev.BetPlaced():
                bet = event.bet
                twice = before.rules.boxes_per_area == 2 and bet.wager == "main" and bet.box.isdigit()
                self.put(bet.box, bet.player, bet.wager, bet.amount * (2 if twice else 1))
            case ev.BetRemoved():
                key = (_area(event.box), event.player, event.wager)
                gone = [bet for bet in before.bets if (bet.box, bet.player, bet.wager) == (event.box, *key[1:])]
                twice = before.rules.boxes_per_area == 2 and event.wager == "main" and event.box.isdigit()
                self.put(event.box, event.player, event.wager, -sum(bet.amount for bet in gone) * (2 if twice else 1))
            case ev.WagerReturned():
                self.put(event.box, event.player, event.wager, -event.amount)
            case ev.InsurancePlaced():
                self.put(event.box, event.player, "insurance", event.amount)
            case ev.Doubled():
                for old, new in zip(_stakes(before, event.box, event.hand), event.stakes, strict=True):
                    self.put(event.box, new.player, "main", new.double - old.double)
            case ev.HandSplit():
                for stake in _stakes(before, event.box, event.hand):
                    self.put(event.box, stake.player, "main", -stake.base)
                for stake in (*event.first, *event.second):
                    self.put(event.box, stake.player, "main", stake.base)
            case ev.Forfeited():
                back = next(s for s in _stakes(before, event.box, event.hand) if s.player == event.player)
                self.put(event.box, event.player, "main", -back.double)
            case ev.WagerSettled() | ev.SideSettled():
                self.settle(event)

    def put(self, box: str, player: str, wager: str, amount: Decimal) -> None:
        key = (_area(box), player, wager)
        self.staked[key] += amount
        self.lying[key] += amount

    def settle(self, event: ev.WagerSettled | ev.SideSettled) -> None:
        settled = event.settlement
        key = (_area(settled.box), settled.player, settled.wager)
        self.net[key] += settled.net
        wager: tuple[object, ...] = (settled.box, settled.hand, settled.player, settled.wager)
        goes_on = isinstance(event, ev.SideSettled) and event.state != ""
        if settled.stake and not goes_on and wager not in self.released:
            self.released.add(wager)
            self.lying[key] -= settled.stake

    def check_settled(self) -> None:
        """The round is over: nothing lies on the layout, and nobody lost more than they put down."""
        assert not any(self.lying.values()), {key: left for key, left in self.lying.items() if left}
        for key, net in self.net.items():
            assert net >= -self.staked[key], (key, net, self.staked[key])


def _area(box: str) -> str:
    return box.rstrip("ab")


def _stakes(state: State, box: str, hand: int) -> tuple[Stake, ...]:
    return state.boxes[state.box_index(box)].hands[hand - 1].stakes
