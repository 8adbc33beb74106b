"""What notebooks show: of a game its chart, of a side wager its outcomes, of a table the layout, of a record its text.

The rooms below hold figures and know no HTML; `NotebookView` asks here when somebody looks at one of their objects.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from html import escape

from pitboss.cards import Card
from pitboss.formats.frames import Tabular
from pitboss.formats.html import table_html
from pitboss.formats.wording import one_in, percent, short_fraction, write_signed
from pitboss.money import show
from pitboss.odds.charts.chart import Chart
from pitboss.odds.edge import Edge
from pitboss.odds.removal.bet_ramps import BetRamp
from pitboss.odds.removal.count_systems import BestTags
from pitboss.odds.removal.effects import RemovalEffects
from pitboss.odds.removal.exposure import Exposure
from pitboss.odds.removal.index_plays import IndexPlays
from pitboss.odds.session_cost import SessionCost
from pitboss.odds.sides.insurance_edge import Insurance
from pitboss.odds.sides.side_edge import PLAYERS, SideEdge
from pitboss.odds.what_if.comparison import Comparison, WhatIf
from pitboss.records.live import Table
from pitboss.records.model import Record
from pitboss.records.narrate.explanation import explain, table_words
from pitboss.records.narrate.settlements import hand_words, total_words
from pitboss.records.replay import Replay
from pitboss.records.settlement_table import COLUMNS, SettlementTable
from pitboss.records.write import write
from pitboss.report.charts.chart_html import chart_html
from pitboss.report.charts.sheets import lay_out
from pitboss.report.counting.count_answer import EXPOSURE_HEAD, counts_table, exposure_cells, plays_table, study_facts
from pitboss.report.games.cost_answer import COST_HEAD, cost_cells
from pitboss.report.simulations.simulation_answer import result_facts, side_rows
from pitboss.rulebooks import Rulebook, Rules, readable
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.sim.counts.count_study import CountStudy, RankedExposure
from pitboss.sim.counts.true_counts import CountedGame
from pitboss.sim.result import SimResult


@functools.singledispatch
def notebook_html(result: object) -> str:
    """An object as HTML: a table for the answers of this package, what Python prints for anything else."""
    return f"<pre>{escape(repr(result))}</pre>"


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


@notebook_html.register
def _(study: CountStudy) -> str:
    facts = [(name, text) for name, text in study_facts(study).items() if text]
    exposed = [exposure_cells(wager.exposure) for wager in study.wagers.values()]
    parts = [table_html(("counting", ""), facts), table_html(EXPOSURE_HEAD, exposed, numbers=(1, 2, 3, 4, 5, 6))]
    if study.counted is not None:
        head, rows = counts_table(study)
        parts.append(table_html(head, rows, numbers=tuple(range(len(head)))))
    if study.plays is not None:
        parts.append(table_html(*plays_table(study), numbers=(4, 5, 6)))
    return "".join(parts)


@notebook_html.register(BestTags)
@notebook_html.register(BetRamp)
@notebook_html.register(CountedGame)
@notebook_html.register(Exposure)
@notebook_html.register(IndexPlays)
@notebook_html.register(RankedExposure)
@notebook_html.register(RemovalEffects)
def _(result: Tabular) -> str:
    """Parts of a study as the tables that they are."""
    rows = result.rows()
    head = tuple(rows[0]) if rows else ()
    cells = [
        tuple(f"{value:.5g}" if isinstance(value, float) else str(value) for value in row.values()) for row in rows
    ]
    return table_html(tuple(name.replace("_", " ") for name in head), cells)


@notebook_html.register
def _(cost: SessionCost) -> str:
    rows = [cost_cells(one) for one in (*cost.plays, *cost.sides)]
    pace = f"{cost.game}: {cost.bet:g} a round, {cost.hours:g} h, {cost.rounds:.0f} rounds"
    return f"<p>{escape(pace)}</p>{table_html(COST_HEAD, rows, numbers=(1, 2, 3, 4, 5))}"


# Rules, tables and records ------------------------------------------------------------------------------

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RED = "#b00020"
CARD = "display:inline-block;border:1px solid #999;border-radius:4px;padding:0 .35em;margin-right:.2em;background:#fff"


@notebook_html.register
def _(rules: Rules) -> str:
    rows = [
        (described.text, readable(value), name, ", ".join(rules.cite(name).clauses))
        for name, value in rules.values().items()
        if not (described := DESCRIBED[name]).describes
    ]
    table = table_html(("rule", "value", "parameter", "clauses"), rows)
    return f"{_heading(rules)}<details open><summary>{len(rows)} rules</summary>{table}</details>"


@notebook_html.register
def _(book: Rulebook) -> str:
    rows = [(f"{book.namespace}/{name}", game.name, game.summary) for name, game in book.games.items()]
    place = f"{book.edition}, {book.jurisdiction}"
    return f"<h3>{escape(book.name)}</h3><p>{escape(place)}</p>{table_html(('game', 'name', 'summary'), rows)}"


@notebook_html.register
def _(table: Table) -> str:
    state = table.state
    lines = []
    if state.dealer:
        points = total_words(state.dealer_hard, state.dealer_aces)
        shown = state.dealer[:1] if state.hole else state.dealer
        lines.append(("Dealer", _cards_html(shown), "" if state.hole else points, "", ""))
    for box in state.boxes:
        for number, hand in enumerate(box.hands, 1):
            name = f"Box {box.number}" if len(box.hands) == 1 else f"Box {box.number}, hand {number}"
            stakes = ", ".join(f"{stake.player} {show(stake.winning)}" for stake in hand.stakes)
            lines.append((name, _cards_html(hand.cards), hand_words(hand), stakes, hand.status.value))
    body = "".join(
        f"<tr><th>{escape(name)}</th><td>{cards}</td>{''.join(f'<td>{escape(text)}</td>' for text in rest)}</tr>"
        for name, cards, *rest in lines
    )
    layout = f"<table><tbody>{body}</tbody></table>" if lines else ""
    legal = ", ".join(f"<code>{escape(words)}</code>" for words in table.legal())
    now = f"<p>Round {state.round}, {state.phase.value}{f'; legal now: {legal}' if legal else ''}</p>"
    settled = notebook_html(table.settlement()) if state.settlements else ""
    return f"{_heading(state.rules)}{layout}{now}{settled}"


@notebook_html.register
def _(settlement: SettlementTable) -> str:
    return table_html(COLUMNS, settlement.cells(), numbers=(4, 5))


@notebook_html.register
def _(record: Record) -> str:
    return f"<h3>{escape(record.title or record.game)}</h3><pre>{escape(write(record))}</pre>"


@notebook_html.register
def _(replayed: Replay) -> str:
    title, *lines = explain(replayed)
    found = "".join(f"<li>{escape(difference)}</li>" for difference in replayed.differences)
    verdict = f"<p>Not as recorded:</p><ul>{found}</ul>" if found else "<p>As recorded.</p>"
    settled = notebook_html(SettlementTable(replayed.settlements))
    story = escape("\n".join(lines))
    return f"<h3>{escape(title)}</h3>{verdict}{settled}<details><summary>In words</summary><pre>{story}</pre></details>"


@notebook_html.register
def _(chart: Chart) -> str:
    return chart_html(lay_out(chart, "Strategy by totals", "Rows are your hand, columns the dealer's up card"))


def _heading(rules: Rules) -> str:
    name, _, rest = table_words(rules).partition(" (")
    return f"<h3>{escape(name)}</h3><p>{escape(rest.replace(')', '', 1))}</p>"


def _cards_html(cards: Sequence[Card]) -> str:
    return "".join(
        f'<span style="{CARD};color:{RED if card[1] in "hd" else "#111"}">{card[0].replace("T", "10")}'
        f"{SUITS[card[1]]}</span>"
        for card in cards
    )
