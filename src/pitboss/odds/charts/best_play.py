"""The game's best player as the side wagers see it: what it does with two cards, read from an `Edge` or an `Outline`.

The player decides by the values of the cards and looks at no suits, as the expectation of an `Edge` does.
"""

from __future__ import annotations

from typing import Protocol

from pitboss.cards import VALUE, Card
from pitboss.odds.edge import OpeningWorth
from pitboss.odds.sides import BestPlay

LETTERS = "A23456789T"


class HasOpenings(Protocol):
    """Something that says what two cards are worth against each up card."""

    @property
    def openings(self) -> tuple[OpeningWorth, ...]: ...


def best_play_of(edge: HasOpenings) -> BestPlay:
    """What the best player does with two cards against an up card; a natural is finished."""
    actions = {(opening.cards, opening.up): opening.action for opening in edge.openings}

    def best_play(one: Card, other: Card, up: Card) -> str:
        low, high = sorted((VALUE[one], VALUE[other]))
        return actions.get((LETTERS[low - 1] + LETTERS[high - 1], LETTERS[VALUE[up] - 1]), "stand")

    return best_play
