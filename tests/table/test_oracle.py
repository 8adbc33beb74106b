"""The table against the independent program: random rounds of every game, decision by decision.

At every decision both must offer the same moves, and at the end both must have paid the same on every wager, with the
same dealer's hand and as many cards. One playing area, one player or two; decks do not matter here, so cards are drawn
with return, from packs in which pairs, aces and tens are common.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from independent.games import GAMES, Game, game
from independent.rounds import PROCEED, Move, Result, play
from lockstep import BEFORE_TURNS, dealt, do, money, offered

from pitboss.cards import Card, deck
from pitboss.rulebooks import Rules, rules_for
from pitboss.table import Phase, State, results
from pitboss.table.messages import commands as cmd

AUTO_DRAW = ("blackjack", "vegas", "crown", "premier", "sports", "plus", "free-bet")
TABLES: list[tuple[str, dict[str, object]]] = [(name, {}) for name in GAMES]
TABLES += [(name, {"layout": 8}) for name in GAMES if name.startswith("perth/")]
TABLES += [(f"melbourne/{name}", {"auto_draw": True}) for name in AUTO_DRAW]
TABLES += [
    ("star/blackjack", {"resplit": True}),
    ("star/blackjack", {"insurance_on_ten": True}),
    ("star/switch", {"resplit": True}),
    ("star/switch", {"double_with_ace": True}),
    ("star/switch", {"resplit": True, "double_with_ace": True}),
]
NAMES = [" ".join((name, *(f"{key}={value}" for key, value in options.items()))) for name, options in TABLES]

LONGEST_ROUND = 80
ANN, BOB = "ann", "bob"


def packs(row: Game) -> list[list[Card]]:
    """A plain deck, one of aces, eights and ten-values, one of low cards with aces and ten-values."""
    whole = deck(48 if row.bonuses else 52)
    return [
        list(whole),
        [card for card in whole if card[0] in "A8K"] + ["As", "7s", "7s", "8d"],
        [card for card in whole if card[0] in "A2367J"],
    ]


class Match:
    """One round on both, move by move."""

    def __init__(self, rules: Rules, row: Game, chance: random.Random, shared: bool) -> None:
        self.row, self.chance = row, chance
        self.stakes = {ANN: Fraction(100)} | ({BOB: Fraction(60)} if shared else {})
        self.cards = tuple(chance.choices(chance.choice(packs(row)), k=LONGEST_ROUND))
        self.state = dealt(rules, self.cards, self.stakes)
        self.made: list[Move] = []

    def story(self) -> str:
        return f"cards {' '.join(self.cards[:30])}, moves {self.made}"

    def play(self) -> None:
        other = play(self.row, self.cards, self.stakes)
        before: State | None = None
        try:
            moves = next(other)
            while True:
                open_now = offered(self.state, self.row)
                assert open_now.keys() == moves, self.story()
                move, command = self.choose(open_now)
                self.made.append(move)
                after = do(self.state, command)
                if before is not None and self.closes_offers(move):
                    assert do(before, command) == after, f"going on without a word differs: {self.story()}"
                before = self.state if move == PROCEED else None
                self.state = after
                moves = other.send(move)
        except StopIteration as end:
            self.compare(end.value)

    def closes_offers(self, move: Move) -> bool:
        """Made while offers are open, the move lets them pass; an offer that is taken leaves the others open."""
        return move[0] not in BEFORE_TURNS or self.row.surrender_on_turn

    def compare(self, ours: Result) -> None:
        assert self.state.phase is Phase.SETTLED, self.story()
        assert {key: Fraction(net) for key, net in results(self.state).items()} == ours.net, self.story()
        assert list(self.state.dealer) == ours.dealer, self.story()
        assert self.state.shoe.position == ours.cards_used, self.story()

    def choose(self, moves: dict[Move, cmd.Command]) -> tuple[Move, cmd.Command]:
        """A move, seldom that of an absent player, with amounts and sharers."""
        likely = [move for move in sorted(moves) if move[0] != "absent" or self.chance.random() < 0.2]
        move = self.chance.choice(likely or sorted(moves))
        match move[0]:
            case "insure" if self.chance.random() < 0.5:
                most = Fraction(moves[move].amount)
                amount = min(most, Fraction(self.chance.randint(1, 50)))
                return (*move, amount), cmd.Insure(box=move[1], player=move[2], amount=money(amount))
            case "double":
                return self.double(move)
            case "split" | "surrender" if self.joins(move[1]):
                kind: Any = type(moves[move])
                return (*move, BOB), kind(box=move[1], players=(BOB,))
        return move, moves[move]

    def joins(self, box: str) -> bool:
        """The sharer has something on the hand that acts, and goes along."""
        index = self.state.box_index(box)
        hand = self.state.boxes[index].hands[self.state.turn[1] if self.state.turn else 0]
        return any(stake.player == BOB for stake in hand.stakes) and self.chance.random() < 0.5

    def double(self, move: Move) -> tuple[Move, cmd.Command]:
        amounts = {ANN: self.stakes[ANN]}
        if self.joins(move[1]):
            amounts[BOB] = self.stakes[BOB]
        if self.row.double_for_less and not self.row.double_free:
            for player in amounts:
                if self.chance.random() < 0.4:
                    amounts[player] = Fraction(self.chance.randint(1, int(self.stakes[player])))
        in_money = tuple((player, money(amount)) for player, amount in amounts.items())
        return (*move, amounts), cmd.Double(box=move[1], amounts=in_money)


def play_rounds(name: str, options: dict[str, object], seeds: Sequence[int]) -> None:
    rules, row = rules_for(name, **options), game(name, options)
    for seed in seeds:
        chance = random.Random(seed)
        shared = rules.sharers_max > 1 and chance.random() < 0.4
        Match(rules, row, chance, shared).play()


@pytest.mark.parametrize(("name", "options"), TABLES, ids=NAMES)
def test_fifty_random_rounds_are_played_and_paid_alike(name: str, options: dict[str, object]) -> None:
    play_rounds(name, options, range(50))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), TABLES, ids=NAMES)
def test_a_thousand_random_rounds_are_played_and_paid_alike(name: str, options: dict[str, object]) -> None:
    play_rounds(name, options, range(1_000, 2_000))
