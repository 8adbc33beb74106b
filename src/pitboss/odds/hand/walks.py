"""How often each hand is reached: the game walked forward from the deal by decisions already made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.dealer_hands import ALL_UPS
from pitboss.odds.cards.numbers import Array
from pitboss.odds.hand.hand_tables import HandTables, layers, tables
from pitboss.odds.hand.openings import Cell
from pitboss.odds.hand.player_hands import VALUES, Hands, all_hands
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND, Reached, Rights
from pitboss.odds.hand.solver import Decisions, hand_cards, within
from pitboss.play.doubling import aces_fixed
from pitboss.play.packed import Packed


class Reach(NamedTuple):
    """Chances by layer, hand and up card."""

    acted: Array
    """Hands that decide."""
    stood: Array
    doubled: Array
    """Doubled hands that take no more cards."""
    bust: Array
    """`bust[s, up]`: s stakes over 21, in all and against a dealer's natural."""


def walk_forward(
    rules: Packed, shoe: Composition, hands: Hands, table: HandTables, by: Decisions, start: Array, twice: Array
) -> Reach:
    """Walk from the hands that `start` says decide and `twice` says have doubled."""
    numbers = shoe.numbers
    shape = (layers(rules), len(hands.cards), VALUES)
    found = Reached(start, numbers.zeros(*shape), twice, numbers.zeros(*shape), numbers.zeros(3, VALUES, 2))
    numbers.kernel("walk")(
        within(hands, shoe), np.array(ALL_UPS, dtype=np.int64), shoe.rest, hand_cards(hands), Rights(*table[:9]),
        by.decision, found,
    )  # fmt: skip
    return Reach(start, found.stood, twice, found.bust)


def unsplit(rules: Packed, shoe: Composition, by: Decisions, openings: Iterable[Cell]) -> Reach:
    """Walk the hands that are neither naturals nor split nor surrendered, each opened by its cell's action."""
    hands, numbers, table = all_hands(), shoe.numbers, tables(rules)
    shape = (layers(rules), len(hands.cards), VALUES)
    start, twice = numbers.zeros(*shape), numbers.zeros(*shape)
    decision = by.decision.copy()
    actions = {"stand": STAND, "hit": HIT, "double": DOUBLE}
    for cell in openings:
        if cell.action in actions:
            layer = aces_fixed(rules, int(cell.first == 1) + int(cell.second == 1))
            hand = hands.of(cell.first, cell.second)
            start[layer, hand, cell.up] += cell.chance
            decision[layer, hand, cell.up] = actions[cell.action]
    return walk_forward(rules, shoe, hands, table, by._replace(decision=decision), start, twice)
