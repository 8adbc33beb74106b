"""Games ranked by what they are worth, and what changes of rules are worth: for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.formats.wording import percent
from pitboss.money import show
from pitboss.odds.what_if.comparison import Comparison, WhatIf
from pitboss.report.games.game_list import Pace
from pitboss.report.terminal_tables import print_note, print_table


def comparison_data(games: Comparison, changes: WhatIf, left_out: Mapping[str, str]) -> dict[str, Any]:
    """The answer for programs: the same keys whatever was asked for."""
    return {
        "games": [
            {**row, "decks": row["decks"] or "inf", "cost_per_hour": Pace().cost(game.house_edge)}
            for row, game in zip(games.rows(), games.games, strict=True)
        ],
        "what_if": changes.rows(),
        "left_out": dict(left_out),
    }


def print_comparison(found: Comparison) -> None:
    """Games from the least house edge to the greatest, for people."""
    pace = Pace()
    head = ("game", "house edge", "by the chart", "per hour", "std dev", "decks", "name")
    rows = [
        (
            game.game,
            percent(game.house_edge, 4),
            percent(game.chart_house_edge, 4),
            f"{pace.cost(game.house_edge):.2f}",
            f"{game.variance**0.5:.4f}",
            str(game.decks or "inf"),
            game.name,
        )
        for game in found.games
    ]
    title = "House edge, of the original wager, first round of a fresh shoe"
    print_table(title, head, rows, fixed=2, numbers=head[1:6])
    print_note(
        f"Per hour: what best play costs at {show(pace.stake)} a round and {pace.rounds_per_hour} rounds an hour."
    )


def print_changes(found: WhatIf) -> None:
    """What each change of rules is worth, for people."""
    head = ("game", "rule", "from", "to", "change", "house edge")
    rows = [
        (
            one.game,
            one.rule,
            one.before,
            one.after,
            percent(one.difference, 4, sign=True),
            percent(one.house_edge, 4),
        )
        for one in found.changes
    ]
    title = "What if: change of the house edge, of the original wager"
    print_table(title, head, rows, fixed=5, wide=head[2:4], numbers=head[4:])
