"""What a game is worth: exact expectation, variance and best play, from the same rules the table runs.

Here belong the recursions over compositions of the shoe, the strategies they find, and the side wagers' expectations.
Every answer names its method and the bound on its error.

Not here: sampling (that is `sim`), rules of play of its own (they are called from `play`), what an answer looks like
(that is `report`), and people, chips or sessions of play (those are `table` and `floor`).

For the main games:

    edge = analyse(rules_for("melbourne/pontoon", decks=8))   # an `Edge`
    edge.house_edge, edge.variance, edge.strategy             # the strategy is a `Chart`; str() and parse_chart
    evaluate(rules, parse_chart(text))                        # expectation of a player who follows a chart
    price_chart(rules, parse_chart(text)).variance            # the other figures of that player: a `ChartWorth`

For side wagers and insurance, and for comparing games:

    side_odds(rules_for("star/switch", side_wagers=["super-match"]), "super-match").house_edge   # a Fraction
    insurance_odds(rules).on_ace                              # knowing the up card, and the player's hand too
    compare([edge, other])                                    # games ranked; `vary` changes one rule of a game

The names are loaded from `api` on first use: the analyser and its compiler take a second to load. The package itself
can be called: `pitboss.odds(rules)` is `analyse(rules)`, and also takes the id of a game.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pitboss.money import Money, parse_stake

if TYPE_CHECKING:
    from pitboss.odds.analysis import analyse, evaluate, price_chart
    from pitboss.odds.charts.best_play import best_play_of
    from pitboss.odds.charts.chart import Chart, ChartError, parse_chart
    from pitboss.odds.edge import ChartWorth, Edge, OpeningWorth
    from pitboss.odds.sides import InsuranceOdds, SideEdge, insurance_odds, side_odds, super_bonus_odds
    from pitboss.odds.what_if.comparison import Comparison, WhatIf, compare
    from pitboss.odds.what_if.vary import alternatives, vary
    from pitboss.rulebooks import Rules

__all__ = [
    "Chart", "ChartError", "ChartWorth", "Comparison", "Edge", "InsuranceOdds", "OpeningWorth", "SideEdge", "WhatIf",
    "alternatives", "analyse", "best_play_of", "compare", "evaluate", "insurance_odds", "parse_chart", "price_chart",
    "side_odds", "super_bonus_odds", "vary",
]  # fmt: skip


class OddsRoom(ModuleType):
    """The room as a module that can be called; Python lets a module have a class of its own for this."""

    def __call__(
        self, rules: Rules | str, *, method: str = "CDZ-", super_bonus: bool = True, stake: Money | int | str = 25
    ) -> Edge:
        """What a game is worth with best play, for resolved rules or for the id of a game with its book's defaults.

        `method` says how the hands of a split are played; `super_bonus` includes the Super Bonus of the pontoon games
        for an original wager of `stake`.
        """
        from pitboss.odds.analysis import analyse
        from pitboss.rulebooks.house_choices import as_rules

        return analyse(as_rules(rules), method=method, super_bonus=super_bonus, stake=parse_stake(stake))

    def __getattr__(self, name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        from pitboss.odds import api

        return getattr(api, name)

    def __dir__(self) -> list[str]:
        parts = {
            name for name, value in vars(self).items() if getattr(value, "__name__", "").startswith(f"{__name__}.")
        }
        return sorted({*__all__, *parts, *(name for name in vars(self) if name.startswith("__"))})


sys.modules[__name__].__class__ = OddsRoom
