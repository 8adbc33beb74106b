"""What a game with chosen rules is worth, and its chart beside that of the game as its book has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.formats.wording import decks_in_words, of_the_house, percent
from pitboss.odds.analysis import Outline, by_up_card, solution
from pitboss.odds.cards.composition import of_cards
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.charts.chart import UPS, Chart, parse_chart
from pitboss.odds.edge import Edge
from pitboss.odds.known_tables import find_known
from pitboss.play.packed import pack
from pitboss.report.charts.sheets import Sheet, lay_out
from pitboss.report.lab.lab_answers import (
    ChartBlock,
    ChartCell,
    ChartRow,
    CodeMeaning,
    FigurePair,
    LabFigure,
    ShownNumber,
    WorthAnswer,
)
from pitboss.report.words import METHODS, end_in_words
from pitboss.rulebooks import Rules, rules_for

LEAST_CARDS = 40
"""With fewer cards left no round is dealt."""


class ShoeTooThin(PitbossError):
    """A shoe from which no round would be dealt."""


def pair_figures(rules: Rules, edge: Edge) -> FigurePair:
    """The worth of a game in few numbers."""
    cards = decks_in_words(rules.decks, rules.deck_cards)
    return FigurePair(
        rules.game, rules.name, cards, edge.house_edge, -edge.chart_expectation, edge.standard_deviation
    )  # fmt: skip


def answer_worth(rules: Rules, edge: Edge, left: Mapping[Card, int] | None) -> WorthAnswer:
    """Everything about the worth of a game; `left` are the cards of a shoe that has been dealt from."""
    ends = sorted(edge.outcomes.items(), key=lambda item: -item[1])
    return msgspec.structs.replace(
        _show_chart(rules, edge.strategy),
        figures=[*_list_figures(rules, edge), *([] if left is None else [_price_shoe(rules, left)])],
        by_up_card=_show_up_cards(edge.by_up_card),
        ends=[LabFigure(end_in_words(name, rules), _per_cent(share, 2), "") for name, share in ends if share],
        whole=True,
    )


def recall_worth(rules: Rules) -> WorthAnswer | None:
    """What is kept about a game as its book has it: the chart and the edge, at once."""
    known = find_known(rules)
    if known is None:
        return None
    shown = _show_chart(rules, parse_chart(known.chart))
    return msgspec.structs.replace(shown, figures=[_show_best(rules, -known.edges["main"])])


def outline_worth(rules: Rules, known: Outline, left: Mapping[Card, int] | None) -> WorthAnswer:
    """What is soon known of a game: the chart, and the edge where two boxes are not played together."""
    shown = _show_chart(rules, known.chart)
    if known.expectation is None or known.chart_expectation is None:
        return shown
    return msgspec.structs.replace(
        shown,
        figures=[
            *_show_edge(rules, known.expectation, known.chart_expectation),
            *([] if left is None else [_price_shoe(rules, left)]),
        ],
        by_up_card=_show_up_cards(by_up_card(known.found.cells)),
    )


def _show_chart(rules: Rules, chart: Chart) -> WorthAnswer:
    """The chart beside that of the book, and nothing else yet."""
    sheet = lay_out(chart, rules.name, "")
    base = _find_chart(rules)
    before = {} if base is None else dict(_read_cells(lay_out(base, rules.name, "")))
    return WorthAnswer(
        game=rules.game,
        name=rules.name,
        cards=decks_in_words(rules.decks, rules.deck_cards),
        figures=[],
        chart=[_show_block(sheet, place, before) for place in range(len(sheet.grids))],
        legend=[CodeMeaning(code, words) for code, words in sheet.legend.items()],
        notes=list(sheet.notes),
        by_up_card=[],
        ends=[],
        text=str(chart),
        whole=False,
    )


def _show_up_cards(worths: Mapping[str, float]) -> list[LabFigure]:
    return [LabFigure(up, _per_cent(worths[up], 2, sign=True), "") for up in UPS]


def _per_cent(number: float, digits: int = 4, *, sign: bool = False) -> ShownNumber:
    return ShownNumber(percent(number, digits, sign=sign), number)


def _list_figures(rules: Rules, edge: Edge) -> Iterator[LabFigure]:
    yield from _show_edge(rules, edge.expectation, edge.chart_expectation)
    deviation = edge.standard_deviation
    variance = f"variance {edge.variance:.4f}"
    yield LabFigure("deviation", ShownNumber(f"{deviation:.4f}", deviation), f"wagers, of one round; {variance}")
    error = f"; off by {edge.error_bound:.2g} at most" if edge.error_bound else ""
    yield LabFigure("method", ShownNumber(edge.method, edge.error_bound), METHODS.get(edge.method, "") + error)
    if edge.super_bonus is not None:
        bonus = edge.super_bonus
        yield LabFigure("super-bonus", _per_cent(bonus.worth), f"of the edge above, for a wager of {bonus.stake}")
    if edge.switch_rate is not None:
        yield LabFigure("switch", _per_cent(edge.switch_rate, 1), "of all rounds are better switched")


def _show_edge(rules: Rules, best: float, charted: float) -> Iterator[LabFigure]:
    yield _show_best(rules, best)
    yield LabFigure("by-chart", _per_cent(-charted), f"which costs {percent(best - charted, 4)} against best play")


def _show_best(rules: Rules, best: float) -> LabFigure:
    unit = "of the two wagers together" if rules.switch else "of the original wager"
    return LabFigure("edge", _per_cent(-best), f"{unit}, {of_the_house(-best)}, with best play")


def _price_shoe(rules: Rules, left: Mapping[Card, int]) -> LabFigure:
    """The house edge of the next round from the cards that are left."""
    many = sum(left.values())
    if many < LEAST_CARDS:
        raise ShoeTooThin(f"with {many} cards left no round is dealt: leave {LEAST_CARDS} or more in the shoe")
    packed = pack(rules)
    if packed.switch:
        from pitboss.odds.switch.switch_analysis import expectation

        found = float(expectation(packed, of_cards(left, FLOATS).keeping_distributions(), "CDZ-"))
    else:
        found = float(solution(packed, of_cards(left, FLOATS).keeping_distributions()).expectation)
    return LabFigure("shoe", _per_cent(-found), f"of the next round, from the {many} cards that are left")


def _find_chart(rules: Rules) -> Chart | None:
    """The best chart of the game as its book has it, where it is known."""
    known = find_known(rules_for(rules.game))
    return None if known is None else parse_chart(known.chart)


def _read_cells(sheet: Sheet) -> Iterator[tuple[tuple[str, str, str], str]]:
    """Cells by block, hand and up card; totals that stand in one line of the sheet are taken apart."""
    for grid in sheet.grids:
        for hand, up, code in grid.cells():
            for single in _take_apart(hand):
                yield (grid.title, single, up), code


def _take_apart(hand: str) -> list[str]:
    """`17-20` as its totals, `A,2-6` as its hands."""
    head, _, last = hand.partition("-")
    if not last or not last.isdecimal():
        return [hand]
    front, _, first = head.rpartition(",")
    numbers = range(min(int(first), int(last)), max(int(first), int(last)) + 1)
    return [f"{front},{number}" if front else str(number) for number in numbers]


def _show_block(sheet: Sheet, place: int, before: Mapping[tuple[str, str, str], str]) -> ChartBlock:
    grid = sheet.grids[place]
    rows = []
    for hand, codes in grid.rows:
        cells = []
        for up, code in zip(grid.columns, codes, strict=True):
            olds = {before.get((grid.title, single, up), code if not before else "") for single in _take_apart(hand)}
            other = sorted(old for old in olds if old and old != code)
            cells.append(ChartCell(code, other[0] if other else ""))
        rows.append(ChartRow(hand, cells))
    return ChartBlock(grid.title, list(grid.columns), rows)
