"""A side wager priced for everybody who could place it: one who plays for the wager, and the game's best player.

Where nothing that the player does matters, the two are one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from pitboss.money import Money
from pitboss.odds.sides import PLAY_DECIDES, BestPlay, SideEdge, side_odds
from pitboss.odds.sides.meter_prizes import Meters
from pitboss.rulebooks.model.rules import Rules


class Conditions(NamedTuple):
    """What a side wager's worth hangs on besides the cards."""

    meters: Money | Meters | None = None
    """Where the prize meters stand: one number, or by name."""
    picks: Mapping[str, Fraction] = {}
    """How likely the jackpot system picks the wager for each of its own prizes."""
    stake: Money = Money(1)
    entry: Money = Money(0)
    """What a tournament entry is worth."""


class SideWorth(NamedTuple):
    """A side wager at a table, counted for those who could place it."""

    rules: Rules
    edge: SideEdge
    by_game: SideEdge | None
    """The same for the game's best player, where play decides."""


def price_side_wager(
    rules: Rules, wager: str, conditions: Conditions, find_best_play: Callable[[Rules], BestPlay]
) -> SideWorth:
    """Price a wager that the rules offer; the game's best play is asked for only if it matters."""

    def price(best_play: BestPlay | None) -> SideEdge:
        return side_odds(
            rules,
            wager,
            best_play=best_play,
            meter=conditions.meters,
            picks=conditions.picks,
            stake=conditions.stake,
            entry=conditions.entry,
        )

    edge = price(None)
    side = rules.side_wager(wager)
    play_decides = side is not None and side.judge in PLAY_DECIDES
    return SideWorth(rules, edge, price(find_best_play(rules)) if play_decides else None)
