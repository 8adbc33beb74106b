"""What a notebook shows of a result: of a game its chart, of a side wager its outcomes, of a comparison its table.

Results below hold figures and know no HTML; `Tabular` asks here when one is looked at.
"""

from __future__ import annotations

import functools
from html import escape

from pitboss.formats.html import table_html
from pitboss.formats.wording import one_in, percent, short_fraction, write_signed
from pitboss.odds.edge import Edge
from pitboss.odds.sides.insurance_edge import Insurance
from pitboss.odds.sides.side_edge import PLAYERS, SideEdge
from pitboss.odds.what_if.comparison import Comparison, WhatIf
from pitboss.report.charts.chart_html import chart_html
from pitboss.report.charts.sheets import lay_out
from pitboss.report.simulations.simulation_answer import result_facts, side_rows
from pitboss.sim.result import SimResult


@functools.singledispatch
def notebook_html(result: object) -> str:
    """A result as HTML; there is a way for every kind of result that is `Tabular`."""
    raise NotImplementedError(f"no way to show a {type(result).__name__} in a notebook")


@notebook_html.register
def _(edge: Edge) -> str:
    footer = (
        f"House edge {percent(edge.house_edge)} with best play, {percent(-edge.chart_expectation)} by this chart; "
        f"standard deviation {edge.standard_deviation:.4f}; method {edge.method}"
    )
    return chart_html(lay_out(edge.strategy, edge.name, f"{edge.game}, decks: {edge.decks or 'inf'}", footer))


@notebook_html.register
def _(side: SideEdge) -> str:
    exact = short_fraction(side.house_edge)
    edge = f"{percent(side.house_edge)} = {exact}" if exact else percent(side.house_edge)
    head = f"House edge {edge} of the stake, for {PLAYERS[side.player]}"
    rows = [
        (
            one.id,
            one.prize or write_signed(one.net),
            percent(one.probability, 4),
            one_in(one.probability),
            str(one.probability),
        )
        for one in side.outcomes
    ]
    table = table_html(("outcome", "net", "chance", "one in", "exactly"), rows, numbers=(1, 2, 3, 4))
    place = f"{side.game}, decks: {side.decks or 'inf'}"
    return f"<h3>{escape(side.name)}</h3><p>{escape(place)}</p><p>{escape(head)}</p>{table}"


@notebook_html.register
def _(insurance: Insurance) -> str:
    rows = [
        (hand.hand, percent(hand.wins), percent(-hand.expectation), str(-hand.expectation)) for hand in insurance.hands
    ]
    return table_html(("hand", "wins", "house edge", "exactly"), rows, numbers=(1, 2, 3))


@notebook_html.register
def _(comparison: Comparison) -> str:
    head = ("game", "name", "decks", "house edge", "by chart", "standard deviation")
    rows = [
        (
            game.game,
            game.name,
            str(game.decks or "inf"),
            percent(game.house_edge),
            percent(game.chart_house_edge),
            f"{game.variance**0.5:.4f}",
        )
        for game in comparison.games
    ]
    return table_html(head, rows, numbers=(2, 3, 4, 5))


@notebook_html.register
def _(changes: WhatIf) -> str:
    head = ("game", "rule", "from", "to", "house edge", "change")
    rows = [
        (
            change.game,
            change.rule,
            change.before,
            change.after,
            percent(change.house_edge),
            percent(change.difference, sign=True),
        )
        for change in changes.changes
    ]
    return table_html(head, rows, numbers=(4, 5))


@notebook_html.register
def _(simulation: SimResult) -> str:
    facts = [(name, text) for name, text in result_facts(simulation).items() if text]
    tables = [table_html(("simulation", ""), facts)]
    if simulation.sums.sides:
        tables.append(table_html(("side wager", "house edge", "±", "how often"), side_rows(simulation), numbers=(1, 2)))
    return "".join(tables)
