"""The table and the independent blackjack, put side by side: the same shoe, the same moves, the same words for them.

A move is the independent program's tuple (`("hit", "1")`). `offered` turns what the table lists as legal into such
moves, so that the two can be compared at every decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from independent.games import Game
from independent.rounds import PROCEED, Move

from pitboss.rulebooks import Rules
from pitboss.table import Phase, Refusal, State, decide, legal, open_table
from pitboss.table.messages import commands as cmd

BEFORE_TURNS = ("insure", "even-money", "surrender")
"""Verbs of what is on offer before boxes act, in the order in which a round is counted once."""


def do(state: State, command: cmd.Command) -> State:
    """The state after a command that must be accepted."""
    answer = decide(state, command)
    assert not isinstance(answer, Refusal), f"{command}: {answer}"
    return answer.state


def dealt(rules: Rules, cards: Sequence[str], stakes: Mapping[str, Fraction]) -> State:
    """A table with these wagers on box 1 after the initial deal; the first player controls it."""
    state = do(open_table(rules), cmd.LoadShoe(cards=tuple(cards)))
    for place, (player, stake) in enumerate(stakes.items()):
        state = do(state, cmd.PlaceBet(box="1", player=player, amount=money(stake), seated=place == 0))
    return do(state, cmd.Deal())


def money(amount: Fraction) -> Decimal:
    """A fraction that is an exact decimal, as one."""
    return Decimal(amount.numerator) / Decimal(amount.denominator)


def as_move(command: cmd.Command) -> Move:
    """A legal command in the other program's words."""
    match command:
        case cmd.Insure():
            return ("insure", command.box, command.player)
        case cmd.TakeEvenMoney():
            return ("even-money", command.box, command.player)
        case cmd.Forfeit():
            return ("forfeit", command.box, command.player)
        case cmd.Switch():
            return ("switch", command.area)
        case cmd.Hit() | cmd.Stand() | cmd.Double() | cmd.Split() | cmd.Surrender() | cmd.PlayAbsent():
            return (str(type(command).__struct_config__.tag), command.box)
        case cmd.Proceed():
            return PROCEED
    raise AssertionError(f"{command} has no place in a round of the independent program")


def offered(state: State, game: Game) -> dict[Move, cmd.Command]:
    """What the table lists as legal. While offers are open it also lists what boxes could do next: that is left out."""
    found = {as_move(command): command for command in legal(state)}
    if state.phase is not Phase.OFFERS:
        return found
    first = BEFORE_TURNS[:2] if game.surrender_on_turn else BEFORE_TURNS
    return {move: command for move, command in found.items() if move[0] in first or move == PROCEED}


def counted(moves: frozenset[Move], made: Sequence[Move], game: Game) -> list[Move]:
    """The moves that a count of distinct rounds follows: offers in one order, a surrender open to everybody once."""
    last = max((_place(move) for move in made if move[0] in BEFORE_TURNS), default=(-1,))
    found = []
    for move in sorted(moves):
        if move[0] in BEFORE_TURNS and not game.surrender_on_turn and (PROCEED in made or _place(move) < last):
            continue
        found.append(move)
    return found


def _place(move: Move) -> tuple[object, ...]:
    return (BEFORE_TURNS.index(move[0]), *move[1:])
