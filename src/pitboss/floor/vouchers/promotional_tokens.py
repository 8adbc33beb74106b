"""Wagers in promotional tokens: what of a layout is tokens, and what becomes of them.

A token is staked like a chip. A wager that wins is paid in chips and its tokens go back to the player, as they do on a
push; what it loses goes into the tray: of an original wager the tokens first. Doubles and splits are made in chips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pitboss.floor.ledger import TRAY, Transfer, Unit, layout, purse, to_grains
from pitboss.money import ZERO, Money
from pitboss.table.state import Bet, Box, Fate, Phase, Settlement, State

MARK = "\t"


def name_wager(box: str, player: str, wager: str) -> str:
    """A wager as a text: no name has a tab in it."""
    return MARK.join((box, player, wager))


def find_bettor(wager: str) -> str:
    """Whose wager it is."""
    return wager.split(MARK)[1]


def count_promotional(state: State) -> dict[str, Money]:
    """The promotional tokens that lie on a layout and are not decided, by wager."""
    found: dict[str, Money] = {}
    for at in (state, state.waiting):
        if at is None or at.phase is Phase.SETTLED:
            continue
        for bet in at.bets:
            if bet.tokens:
                for wager, amount in _list_tokens(at, bet):
                    found[wager] = found.get(wager, ZERO) + amount
    return {wager: amount for wager, amount in found.items() if amount}


def _list_tokens(state: State, bet: Bet) -> Iterator[tuple[str, Money]]:
    main_on_both = bet.wager == "main" and state.rules.boxes_per_area == 2 and bet.box.isdigit()
    if not state.boxes:
        yield name_wager(bet.box, bet.player, bet.wager), bet.tokens * (2 if main_on_both else 1)
    elif bet.wager == "main":
        numbers = (f"{bet.box}a", f"{bet.box}b") if main_on_both else (bet.box,)
        for box in state.boxes:
            if box.number in numbers:
                yield name_wager(box.number, bet.player, bet.wager), min(bet.tokens, _find_original(box, bet.player))
    else:
        key = (bet.box, bet.player, bet.wager)
        lies = sum((s.amount for s in state.sides if s.state and (s.box, s.player, s.wager) == key), ZERO)
        yield name_wager(*key), min(bet.tokens, lies)


def _find_original(box: Box, player: str) -> Money:
    """What lies of a player's original wager on a box."""
    if not box.hands:
        return sum((bettor.stake for bettor in box.bettors if bettor.player == player), ZERO)
    return sum(
        (
            stake.base
            for hand in box.hands
            for stake in hand.stakes
            if stake.player == player and stake.original and stake.fate is not Fate.SETTLED
        ),
        ZERO,
    )


def _is_original(state: State, settled: Settlement) -> bool:
    """A settlement is about the original wager, not about one that a split has added."""
    for box in state.boxes:
        if box.number == settled.box and settled.hand and len(box.hands) >= settled.hand:
            stakes = box.hands[settled.hand - 1].stakes
            return any(stake.player == settled.player and stake.original for stake in stakes)
    return True


class LostTokens:
    """What settlements take of the tokens on a layout, or give back when they are undone."""

    def __init__(self, table: str, before: Mapping[str, Money], after: Mapping[str, Money]) -> None:
        self.table = table
        self.concerned = bool(before or after)
        self.taken = {wager: amount - after.get(wager, ZERO) for wager, amount in before.items()}
        """How many tokens are no longer on the layout, by wager: no more than these can be lost."""
        self.returned = {wager: amount - before.get(wager, ZERO) for wager, amount in after.items()}
        self.lost: dict[str, Money] = {}
        self.moved: dict[str, Money] = {}
        """By player, what goes onto the layout, or comes back from it."""
        for wager in {**before, **after}:
            player = find_bettor(wager)
            change = after.get(wager, ZERO) - before.get(wager, ZERO)
            self.moved[player] = self.moved.get(player, ZERO) + change

    def take(self, state: State, settled: Settlement, sign: int) -> Money:
        """How much of a loss is tokens; it is none of the chips'. With `sign` -1 the loss is undone."""
        left = self.taken if sign > 0 else self.returned
        wager = name_wager(settled.box, settled.player, settled.wager)
        amount = min(left.get(wager, ZERO), -settled.net)
        if amount <= 0 or not _is_original(state, settled):
            return ZERO
        left[wager] -= amount
        self.lost[settled.player] = self.lost.get(settled.player, ZERO) + amount * sign
        return amount

    def list_transfers(self) -> list[Transfer]:
        """Tokens onto the layout and back, and what is lost into the tray."""
        found = []
        for player, change in self.moved.items():
            lost = self.lost.get(player, ZERO)
            back = change + lost
            for giver, taker, amount in (
                (purse(self.table, player), layout(self.table), back),
                (layout(self.table), TRAY + self.table, lost),
            ):
                if amount:
                    ends = (giver, taker) if amount > 0 else (taker, giver)
                    found.append(Transfer(*ends, to_grains(abs(amount)), Unit.TOKEN))
        return found
