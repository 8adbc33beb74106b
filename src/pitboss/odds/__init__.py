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
"""

from __future__ import annotations

from pitboss.odds.analysis import analyse, evaluate
from pitboss.odds.charts import Chart, ChartError, parse_chart
from pitboss.odds.result import Edge, Opening

__all__ = ["Chart", "ChartError", "Edge", "Opening", "analyse", "evaluate", "parse_chart"]
