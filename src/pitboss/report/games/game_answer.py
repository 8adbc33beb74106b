"""What a game is worth: the answer for programs and for people."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.formats.wording import decks_in_words, of_the_house, percent
from pitboss.odds.charts.chart import UPS, Chart
from pitboss.odds.edge import ChartWorth, Edge
from pitboss.odds.sides import insurance_odds
from pitboss.report.charts.sheets import Sheet, lay_out
from pitboss.report.charts.terminal_charts import print_sheet
from pitboss.report.games.side_answer import insurance_data
from pitboss.report.terminal_tables import print_facts, print_note, print_table
from pitboss.report.words import METHODS, PART_NAMES, end_in_words
from pitboss.rulebooks import Rulebook, Rules


class GameWorth(NamedTuple):
    """A game analysed, and the chart of the user's own if there is one."""

    book: Rulebook
    rules: Rules
    edge: Edge
    own: Chart | None = None
    own_worth: ChartWorth | None = None
    """What the own chart is worth."""
    side_wagers: tuple[str, ...] = ()
    """What can be priced beside the choices made, insurance included where it is offered."""

    @property
    def house_edge(self) -> float:
        """Of the player asked about: by the chart given, else with best play; with the Super Bonus in either case."""
        if self.own_worth is None:
            return self.edge.house_edge
        bonus = self.edge.super_bonus.worth if self.edge.super_bonus is not None else 0.0
        return -self.own_worth.expectation - bonus

    @property
    def figures(self) -> Edge | ChartWorth:
        """The figures of the player asked about."""
        return self.edge if self.own_worth is None else self.own_worth

    @property
    def sheet(self) -> Sheet:
        """The chart laid out for reading."""
        rules, edge = self.rules, self.edge
        table = f"{rules.game}, {decks_in_words(rules.decks, rules.deck_cards)}"
        if self.own is not None:
            worth, best = percent(self.house_edge, 4), percent(edge.house_edge, 4)
            footer = f"House edge {worth} of the original wager; best play {best}"
            return lay_out(self.own, rules.name, f"{table}: your own chart", footer)
        footer = (
            f"House edge {percent(-edge.chart_expectation, 4)} of the original wager by this chart, "
            f"{percent(edge.house_edge, 4)} with best play"
        )
        return lay_out(edge.strategy, rules.name, f"{table}: basic strategy, the best play by totals", footer)


def game_data(worth: GameWorth) -> dict[str, Any]:
    """The answer for programs."""
    rules, edge = worth.rules, worth.edge
    chart = edge.strategy if worth.own is None else worth.own
    data: dict[str, Any] = {
        "game": rules.game,
        "name": rules.name,
        "book": worth.book.id,
        "decks": rules.decks or "inf",
        "deck_cards": rules.deck_cards,
        "options": dict(rules.options),
        "readings": dict(rules.readings),
        "digest": rules.digest,
        "house_edge": worth.house_edge,
        "house_edge_exact": (edge.house_edge_exact or None) if worth.own is None else None,
        "variance": worth.figures.variance,
        "variance_error_bound": worth.figures.variance_error_bound,
        "standard_deviation": worth.figures.variance**0.5,
        "nets": {f"{net:g}": often for net, often in worth.figures.nets.items()},
        "nets_error_bound": worth.figures.nets_error_bound,
        "method": edge.method,
        "error_bound": worth.figures.error_bound,
        "strategy": chart_data(chart),
        "best_play": {
            "house_edge": edge.house_edge,
            "variance": edge.variance,
            "variance_error_bound": edge.variance_error_bound,
            "by_up_card": dict(edge.by_up_card),
            "openings": [
                {
                    "cards": opening.cards,
                    "up": opening.up,
                    "chance": opening.chance,
                    "expectation": opening.value,
                    "action": opening.action,
                    "actions": dict(opening.actions),
                }
                for opening in edge.openings
            ],
            "outcomes": dict(edge.outcomes),
            "parts": dict(edge.parts),
        },
        "best_chart": {
            "house_edge": -edge.chart_expectation,
            "cost": edge.chart_cost,
            "departures": [
                {"cards": one.cards, "up": one.up, "action": one.action, "chart": one.chart, "gain": one.gain}
                for one in edge.departures
            ],
        },
        "suit_gain": edge.suit_gain,
        "switch_rate": edge.switch_rate,
        "super_bonus": None,
        "insurance": insurance_data(insurance_odds(rules)),
    }
    if worth.own_worth is not None:
        own = worth.own_worth
        data["own_chart"] = {
            "house_edge": worth.house_edge,
            "cost": worth.house_edge - edge.house_edge,
            "variance": own.variance,
            "variance_error_bound": own.variance_error_bound,
            "by_up_card": dict(own.by_up_card),
            "outcomes": dict(own.outcomes),
            "parts": dict(own.parts),
        }
    if edge.super_bonus is not None:
        bonus = edge.super_bonus
        data["super_bonus"] = {
            "stake": bonus.stake,
            "pays": bonus.pays,
            "chance": bonus.chance,
            "worth": bonus.worth,
            "house_edge_without": edge.house_edge_without_super_bonus,
        }
    return data


def chart_data(chart: Chart) -> dict[str, Any]:
    """A chart for programs: its text, which `--strategy` reads, and the same by line."""
    return {
        "up_cards": list(UPS),
        "rows": {str(row): list(codes) for row, codes in chart.rows.items()},
        "text": str(chart),
    }


def print_game(worth: GameWorth, *, hands: bool = False) -> None:
    """The answer for people; with `hands` the expectation of every opening hand too."""
    edge, figures = worth.edge, worth.figures
    print_facts([*_table_facts(worth), *_edge_facts(worth), *_more_facts(worth)])
    print_sheet(worth.sheet)
    for note in worth.sheet.notes:
        print_note(f"* {note}")
    rows = [tuple(f"{100 * figures.by_up_card[up]:+.1f}" for up in UPS)]
    print_table("Expectation of the player by up card, in per cent", UPS, rows, fixed=len(UPS), numbers=UPS)
    if hands:
        head = ("cards", *UPS)
        title = "Expectation by opening hand with best play, in per cent"
        print_table(title, head, opening_rows(edge), fixed=len(head), numbers=UPS)
    parts = [(PART_NAMES.get(name, name), percent(value, sign=True)) for name, value in figures.parts.items() if value]
    print_table("Where it comes from", ("part", "expectation"), parts, fixed=2, numbers=("expectation",))
    outcomes = sorted(figures.outcomes.items(), key=lambda item: -item[1])
    print_table(
        "How hands end",
        ("outcome", "per round"),
        [(end_in_words(name, worth.rules), percent(value)) for name, value in outcomes if value],
        fixed=2,
        numbers=("per round",),
    )
    if edge.departures:
        shown = edge.departures[:12]
        columns = ("cards", "against", "best play", "chart", "worth")
        lines = [(one.cards, one.up, one.action, one.chart, percent(one.gain)) for one in shown]
        more = f", {len(shown)} of {len(edge.departures)}" if len(shown) < len(edge.departures) else ""
        print_table(f"Opening hands where best play departs from the chart{more}", columns, lines, numbers=columns[-1:])
    if worth.side_wagers:
        print()
        print_note(f"Side wagers, priced with --side WAGER: {', '.join(worth.side_wagers)}")


def opening_rows(edge: Edge) -> list[tuple[str, ...]]:
    """A row for every two cards: their expectation in per cent against each up card, in the order of charts."""
    rows: dict[str, dict[str, str]] = {}
    for opening in edge.openings:
        rows.setdefault(opening.cards, {})[opening.up] = f"{100 * opening.value:+.1f}"
    return [(cards, *(row.get(up, "") for up in UPS)) for cards, row in rows.items()]


def _table_facts(worth: GameWorth) -> list[tuple[str, str]]:
    rules = worth.rules
    return [
        ("game", f"{rules.name}, {rules.game}"),
        ("book", ", ".join(filter(None, (worth.book.name, worth.book.edition)))),
        ("cards", f"{decks_in_words(rules.decks, rules.deck_cards)}, first round of a fresh shoe"),
    ]


def _edge_facts(worth: GameWorth) -> list[tuple[str, str]]:
    edge = worth.edge
    unit = "of the two wagers together" if worth.rules.switch else "of the original wager"
    best = f"{percent(edge.house_edge, 4)} {unit}, {of_the_house(edge.house_edge)}"
    if worth.own is not None:
        own = f"{percent(worth.house_edge, 4)} {unit} by your chart, {of_the_house(worth.house_edge)}"
        cost = percent(worth.house_edge - edge.house_edge, 4)
        return [("house edge", own), ("best play", best), ("chart costs", f"{cost} against best play")]
    chart = f"{percent(-edge.chart_expectation, 4)} by the best chart, which costs {percent(edge.chart_cost, 4)}"
    return [("house edge", best), ("by totals", chart)]


def _more_facts(worth: GameWorth) -> list[tuple[str, str]]:
    edge, variance, error = worth.edge, worth.figures.variance, worth.figures.error_bound
    bound = worth.figures.variance_error_bound
    off = f", off by {bound:.1g} at most" if bound else ""
    facts = [
        ("variance", f"{variance:.4f} per unit squared{off}, standard deviation {variance**0.5:.4f}"),
        ("method", f"{edge.method}: {METHODS.get(edge.method, edge.method)}"),
        (
            "error",
            f"at most {error:.2g} of a unit" if error else "none apart from floating-point rounding",
        ),
    ]
    if edge.switch_rate is not None:
        facts.append(("switch", f"right in {percent(edge.switch_rate, 2)} of all rounds"))
    if edge.super_bonus is not None:
        bonus = edge.super_bonus
        facts.append(
            (
                "Super Bonus",
                f"included for a wager of {bonus.stake}, which wins {bonus.pays}: worth {percent(bonus.worth, 4)}; "
                f"without it the edge is {percent(edge.house_edge_without_super_bonus, 4)}",
            )
        )
    if edge.suit_gain:
        facts.append(("suits", f"looking at suits gains {percent(edge.suit_gain, 4)} more"))
    return facts
