"""What a game is worth: exact expectation, variance and best play, from the same rules the table runs.

Here belong the recursions over compositions of the shoe, the strategies they find, the side
wagers' expectations, and the charts that show them. Every answer names its method and the bound
on its error.

Not here: sampling (that is `sim`), rules of play of its own (they are called from `play`), and
people, chips or sessions of play (those are `table` and `floor`).

For the main games:

    edge = analyse(rules_for("melbourne/pontoon", decks=8))   # an `Edge`: see `result`
    edge.house_edge, edge.variance, edge.strategy             # the strategy is a `Chart`; str() and parse_chart
    evaluate(rules, parse_chart(text))                        # expectation of a player who follows a chart
    price_chart(rules, parse_chart(text)).variance            # the other figures of that player: a `ChartWorth`

For side wagers and insurance, and for games beside each other:

    side_odds(rules_for("star/switch", side_wagers=["super-match"]), "super-match").house_edge   # a Fraction
    insurance_odds(rules).on_ace                              # knowing the up card, and the player's hand too
    compare([edge, other])                                    # games ranked; `vary` changes one rule of a game
"""

from __future__ import annotations

from pitboss.odds.analysis import analyse, evaluate, price_chart
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.charts.chart import Chart, ChartError, parse_chart
from pitboss.odds.edge import ChartWorth, Edge, Opening
from pitboss.odds.sides import InsuranceOdds, SideEdge, insurance_odds, side_odds, super_bonus_odds
from pitboss.odds.what_if.comparison import Comparison, WhatIf, compare
from pitboss.odds.what_if.vary import alternatives, vary

__all__ = [
    "Chart", "ChartError", "ChartWorth", "Comparison", "Edge", "InsuranceOdds", "Opening", "SideEdge", "WhatIf",
    "alternatives", "analyse", "best_play_of", "compare", "evaluate", "insurance_odds", "parse_chart", "price_chart",
    "side_odds", "super_bonus_odds", "vary",
]  # fmt: skip
