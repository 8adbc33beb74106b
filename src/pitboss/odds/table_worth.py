"""What is known about a whole table, small enough to be kept: the house's edge on each wager, and the best chart.

It takes from a second to a minute to work out. The odds and what compiles them are loaded only when that is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitboss.errors import PitbossError
from pitboss.rulebooks.model.rules import Rules

if TYPE_CHECKING:
    from pitboss.odds.charts.chart import Chart


class TableWorth(msgspec.Struct, frozen=True):
    """The edges of a table, and its best chart as text."""

    edges: dict[str, float]
    """The house's edge by wager, as a share of it: `main` and the side wagers on offer that can be computed."""
    chart: str

    def strategy(self) -> Chart:
        """The chart."""
        from pitboss.odds.charts.chart import parse_chart

        return parse_chart(self.chart)


def table_worth(rules: Rules) -> TableWorth:
    """What the wagers of a table are worth to the house, with best play."""
    from pitboss.odds.analysis import analyse
    from pitboss.odds.charts.best_play import best_play_of
    from pitboss.odds.sides import side_odds

    edge = analyse(rules)
    edges = {"main": edge.house_edge}
    best = best_play_of(edge)
    for side in rules.side_wagers:
        try:
            edges[side.id] = float(side_odds(rules, side.id, best_play=best).house_edge)
        except PitbossError:
            continue
    return TableWorth(edges, str(edge.strategy))
