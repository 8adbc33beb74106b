"""What the tests of the simulator share: plans that are ready to play, and every game with what it can offer."""

from __future__ import annotations

from typing import Any

from pitboss.money import Money
from pitboss.rulebooks import RulebookError, find_game, games, rules_for
from pitboss.sim.plan import Plan, Prepared, prepare
from pitboss.sim.strategies import Basic, Strategy

GAMES = tuple(games())
METER = Money(50)
"""Where meters stand, per unit staked."""


def ready(
    game: str,
    *,
    strategy: Strategy | None = None,
    side_wagers: tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    readings: dict[str, str] | None = None,
    **plan: Any,
) -> Prepared:
    """A plan for a game, ready to be played."""
    rules = rules_for(game, side_wagers=list(side_wagers), readings=readings or {}, **(options or {}))
    meters = {name: METER for side in rules.side_wagers for name in side.meters}
    made = Plan(**{"rounds": 1 << 14, "seed": 7, "block_rounds": 1 << 14, "meters": meters, **plan})
    return prepare(rules, strategy or Basic(), made)


def side_wagers_of(game: str) -> list[str]:
    """The side wagers that a game can offer with its default options."""
    book, found = find_game(game)
    offered = []
    for wager in book.side_wagers_of(found):
        try:
            rules_for(game, side_wagers=[wager])
        except RulebookError:
            continue
        offered.append(wager)
    return offered
