"""Wagers in promotional tokens at random tables: each unit adds up, and what is won or lost is what was settled."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.cards import decks
from pitboss.floor.ledger import Unit, add_up_changes, from_grains, layout, purse
from pitboss.floor.postings import Staked, count_staked, post_decision
from pitboss.money import ZERO, Money
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.round.betting import TOKENS
from pitboss.table.state import Phase

GAMES = ("star/blackjack", "star/switch")
PLAYERS = ("ann", "bob", "cat")
MOST_STEPS = 200


class TokenTable:
    """A table with its accounts: every decision is posted, and every posting is compared with the layout."""

    def __init__(self, game: str, chance: random.Random) -> None:
        rules = rules_for(game, side_wagers=["super-match" if game.endswith("switch") else "perfect-pairs"])
        self.chance, self.state = chance, open_table(rules)
        self.staked = Staked()
        self.balances: defaultdict[tuple[str, Unit], int] = defaultdict(int)

    def ask(self, command: cmd.Command) -> bool:
        before = self.state
        answer = decide(before, command)
        if isinstance(answer, Refusal):
            return False
        after = answer.state
        staked = count_staked(after)
        transfers = post_decision("t", before, self.staked, after, staked)
        changes = add_up_changes(transfers)
        undone = add_up_changes(post_decision("t", after, staked, before, self.staked))
        assert all(undone.get(account, 0) == -change for account, change in changes.items()), "what is undone goes back"
        for account, change in changes.items():
            self.balances[account] += change
        self.state, self.staked = after, staked
        assert all(moved.amount > 0 for moved in transfers)
        assert all(amount >= 0 for amount in (*staked.chips.values(), *staked.promotional.values()))
        assert self.read(layout("t")) == sum(staked.chips.values(), ZERO)
        assert self.read(layout("t"), Unit.TOKEN) == sum(staked.promotional.values(), staked.tokens)
        for unit in Unit:
            assert sum(grains for (_, of), grains in self.balances.items() if of is unit) == 0
        return True

    def read(self, account: str, unit: Unit = Unit.CHIP) -> Money:
        return from_grains(self.balances[account, unit])

    def read_worth(self, player: str) -> Money:
        """What somebody has gained or lost, chips and tokens together."""
        return self.read(purse("t", player)) + self.read(purse("t", player), Unit.TOKEN)

    def bet(self) -> None:
        pack = list(decks(self.state.rules.decks, self.state.rules.deck_cards))
        self.chance.shuffle(pack)
        assert self.ask(cmd.LoadShoe(cards=tuple(pack)))
        for box in ("1", "2"):
            for player in self.chance.sample(PLAYERS, self.chance.randint(1, 3)):
                for wager in ("main", "main", self.state.rules.side_wagers[0].id):
                    if self.chance.random() < 0.6:
                        medium = TOKENS if self.chance.random() < 0.6 else ""
                        amount = Money(self.chance.choice((5, 10, 25)))
                        self.ask(cmd.PlaceBet(box=box, player=player, amount=amount, wager=wager, medium=medium))

    def play(self, void_at: int) -> None:
        """Play on at random; at one moment the round may be void."""
        assert self.ask(cmd.Deal())
        for step in range(MOST_STEPS):
            if self.state.phase is Phase.SETTLED:
                return
            if step == void_at and self.ask(cmd.Void(role="gaming-manager", reason="the lights went out")):
                return
            self.ask(self.chance.choice(legal(self.state)))
        raise AssertionError("the round does not end")


def sum_up_nets(state: State) -> dict[str, Money]:
    found: dict[str, Money] = {}
    for settled in state.settlements:
        found[settled.player] = found.get(settled.player, ZERO) + settled.net
    return found


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), void_at=st.integers(-20, 12))
def test_chips_and_tokens_add_up_and_come_to_what_was_settled(game: str, seed: int, void_at: int) -> None:
    table = TokenTable(game, random.Random(seed))
    table.bet()
    if not any(bet.wager == "main" for bet in table.state.bets):
        return
    table.play(void_at)
    nets = sum_up_nets(table.state)
    for player in PLAYERS:
        assert table.read_worth(player) == nets.get(player, ZERO)
        assert table.read(purse("t", player), Unit.TOKEN) <= 0, "nobody wins tokens"
    assert not table.staked.promotional
    assert table.read(layout("t"), Unit.TOKEN) == 0
