"""A game as the library shows it: what its layout says, its rules with their clauses, choices, readings and chart."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.formats.wording import percent
from pitboss.odds.charts.chart import parse_chart
from pitboss.odds.known_tables import find_known
from pitboss.report.charts.sheets import lay_out
from pitboss.report.games.rules_data import rules_data
from pitboss.report.library.clause_pages import NotOnShelf
from pitboss.report.library.library_answers import (
    ChartPart,
    ClauseLesson,
    GameSheet,
    GameSide,
    RuleGroup,
    ShownRule,
)
from pitboss.rulebooks import Rules, find_game, readable
from pitboss.rulebooks.glance import at_a_glance
from pitboss.rulebooks.house_choices import HouseChoices, as_typed


def show_game(name: str, felt: Sequence[str], lessons: Sequence[tuple[ClauseLesson, str]]) -> GameSheet:
    """A game; `felt` is what its layout says, and `lessons` come with the game that they are played at."""
    sheet = _show_game(name)
    own = [lesson for lesson, game in lessons if game == sheet.id]
    return replace(sheet, felt=list(felt), lessons=own)


def find_shelved_rules(name: str) -> Rules:
    """The rules of a game on the shelf, as its book has them."""
    try:
        book, game = find_game(name[:80])
    except PitbossError as error:
        raise NotOnShelf(str(error)) from None
    return book.rules(game.id)


@functools.lru_cache(maxsize=64)
def _show_game(name: str) -> GameSheet:
    rules = find_shelved_rules(name)
    book, game = find_game(rules.game)
    data = rules_data(book, rules, HouseChoices())
    known = find_known(rules)
    sheet = None if known is None else lay_out(parse_chart(known.chart), rules.name, "")
    return GameSheet(
        id=rules.game,
        name=rules.name,
        book=book.id,
        book_name=book.name,
        summary=game.summary,
        clauses=list(game.clauses),
        glance={heading: text for heading, text in at_a_glance(rules).cells().items() if text != "-"},
        felt=[],
        options=[_show_choice(item, item["allowed"] or ()) for item in data["options"]],
        readings=[_show_choice(item, (item["default"], *item["alternatives"])) for item in data["readings"]],
        groups=list(_group_parameters(rules, data["parameters"])),
        bonuses=[ShownRule(item["hand"], "", item["odds"], [], item["clauses"], False) for item in data["bonuses"]],
        side_wagers=[_show_wager(rules, item) for item in data["side_wagers_available"]],
        edge="" if known is None else percent(known.edges["main"], 4),
        chart=[]
        if sheet is None
        else [
            ChartPart(grid.title, list(grid.columns), [[hand, *codes] for hand, codes in grid.rows])
            for grid in sheet.grids
        ],
        legend={} if sheet is None else sheet.legend,
        lessons=[],
    )


def _show_choice(item: dict[str, Any], choices: Sequence[Any]) -> ShownRule:
    value = "" if item["value"] is None else as_typed(item["value"])
    return ShownRule(item["name"], item["text"], value, [as_typed(one) for one in choices], item["clauses"], False)


def _group_parameters(rules: Rules, parameters: Sequence[dict[str, Any]]) -> Iterator[RuleGroup]:
    groups: dict[str, list[ShownRule]] = {}
    for item in parameters:
        value = readable(getattr(rules, item["name"]))
        shown = ShownRule(item["name"], item["text"], value, [], item["clauses"], item["describes"])
        groups.setdefault(item["group"], []).append(shown)
    for title, found in groups.items():
        yield RuleGroup(title, found)


def _show_wager(rules: Rules, item: dict[str, Any]) -> GameSide:
    pays: list[str] = []
    if not item["refused"]:
        side = HouseChoices(side_wagers=(item["id"],)).resolve(rules.game)[1].side_wager(item["id"])
        if side is not None:
            pays = [f"{outcome.replace('-', ' ')} {odds}" for outcome, odds in side.odds.items()]
            pays += [f"{many}: {prize} for 1" for many, prize in side.prizes]
    return GameSide(item["id"], item["name"], item["refused"] or "", item["clauses"], pays)
