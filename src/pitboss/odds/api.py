"""Everything that the room offers under its own name, in one place; `pitboss.odds` fetches it from here when asked."""

from __future__ import annotations

from pitboss.odds.analysis import analyse, evaluate, price_chart
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.charts.chart import Chart, ChartError, parse_chart
from pitboss.odds.edge import ChartWorth, Edge, OpeningWorth
from pitboss.odds.sides import InsuranceOdds, SideEdge, insurance_odds, side_odds, super_bonus_odds
from pitboss.odds.what_if.comparison import Comparison, WhatIf, compare
from pitboss.odds.what_if.vary import alternatives, vary

__all__ = [
    "Chart", "ChartError", "ChartWorth", "Comparison", "Edge", "InsuranceOdds", "OpeningWorth", "SideEdge", "WhatIf",
    "alternatives", "analyse", "best_play_of", "compare", "evaluate", "insurance_odds", "parse_chart", "price_chart",
    "side_odds", "super_bonus_odds", "vary",
]  # fmt: skip
