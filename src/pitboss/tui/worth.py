"""What the odds know about a table: the house's edge on each wager, and the chart that a robot plays by.

Working this out takes from a second to a minute, so it is asked for in the background; the answer is small and can be
kept between sittings. The odds and what compiles them are loaded only where they are put to work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pitboss.errors import PitbossError
from pitboss.rulebooks.rules import Rules

if TYPE_CHECKING:
    from pitboss.odds import Chart


class TableWorth(msgspec.Struct, frozen=True):
    """The edges of a table, and its best chart as text."""

    edges: dict[str, float]
    """The house's edge by wager, as a share of it: `main` and the side wagers on offer that can be reckoned."""
    chart: str

    def strategy(self) -> Chart:
        """The chart."""
        from pitboss.odds import parse_chart

        return parse_chart(self.chart)


def table_worth(rules: Rules) -> TableWorth:
    """What the wagers of a table are worth to the house, with best play."""
    from pitboss.odds import analyse
    from pitboss.odds.best_play import best_play_of
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
