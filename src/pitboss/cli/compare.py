"""`pitboss compare`: games beside each other by house edge, and what a changed rule is worth in each."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from pitboss.cli.game_options import BookFile, Choices, Decks, Options, Readings, read_choices
from pitboss.cli.progress import working
from pitboss.errors import PitbossError
from pitboss.formats.wording import percent
from pitboss.odds.analysis import analyse
from pitboss.odds.edge import Edge
from pitboss.odds.what_if.changes import Other, knows, others
from pitboss.odds.what_if.comparison import Comparison, WhatIf, change, compare, what_if
from pitboss.play.packed import Packed, pack
from pitboss.report.terminal_tables import print_table
from pitboss.rulebooks import Rulebook, RulebookError, Rules, games


class Table(NamedTuple):
    """A game with the choices that apply to it."""

    book: Rulebook
    rules: Rules


def run(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; left out: all of them.")] = None,
    what: Annotated[
        list[str] | None,
        typer.Option("--what-if", metavar="RULE[=VALUE]", help="Price a change of a parameter, option or reading."),
    ] = None,
    decks: Decks = None,
    option: Options = None,
    reading: Readings = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="How split hands are played: CDZ-, CDP1 or CDP.")
    ] = "CDZ-",
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rank games by house edge; with --what-if, say what a change of rules is worth in each."""
    choices = read_choices(decks, option, None, reading, book)
    tables, left_out = _tables(choices, game or _all_games(choices))
    changed = _changed(choices, tables, what or [])
    analyst = Analyst(method, [*(table.rules for table in tables), *(other.rules for _, other in changed)])
    edges = [analyst(table.rules) for table in tables]
    found = what_if(
        [change(analyst(base), analyst(other.rules), other.rule, other.before, other.after) for base, other in changed]
    )
    if as_json:
        print(json.dumps(_data(compare(edges), found, left_out), indent=2, ensure_ascii=False))
        return
    if what:
        _print_changes(found)
    else:
        _print_games(compare(edges))
    for name, why in left_out.items():
        typer.echo(f"{name} is left out: {why}", err=True)


def _all_games(choices: Choices) -> list[str]:
    own = [f"{book.namespace}/{name}" for book in choices.books for name in book.games]
    return [*own, *games()]


def _tables(choices: Choices, names: list[str]) -> tuple[list[Table], dict[str, str]]:
    """The games that can be played with the choices made, and why the others cannot."""
    tables, left_out = [], {}
    for name in dict.fromkeys(names):
        try:
            tables.append(Table(*choices.where_they_apply(name)))
        except RulebookError as error:
            if len(names) == 1:
                raise
            left_out[name] = str(error)
    if not tables:
        raise PitbossError(f"no game is left: {'; '.join(left_out.values())}")
    return tables, left_out


class Analyst:
    """Has analysed a number of games: those that are played alike once, and as many at a time as there are cores."""

    def __init__(self, method: str, wanted: Iterable[Rules]) -> None:
        games = {pack(rules): rules for rules in wanted}
        longest_first = sorted(games.items(), key=lambda item: (not item[1].switch, item[1].deck_cards))
        with working(f"working out {len(games)} games"), ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda item: (item[0], analyse(item[1], method=method)), longest_first)
            self.known: dict[Packed, Edge] = dict(done)

    def __call__(self, rules: Rules) -> Edge:
        return msgspec.structs.replace(self.known[pack(rules)], game=rules.game, name=rules.name)


# ---------------------------------------------------------------------- what if


def _asked(text: str) -> tuple[str, str]:
    name, _, value = (part.strip() for part in text.partition("="))
    return name, value


def _changed(choices: Choices, tables: list[Table], what: list[str]) -> list[tuple[Rules, Other]]:
    """Every game that has a rule asked about, with that rule changed; a rule that none has is refused."""
    found = []
    for name, value in map(_asked, what):
        having = [table for table in tables if knows(table.book, table.rules, name)]
        for table in having or tables:
            made = _applying(choices, table)
            found += [(table.rules, other) for other in others(table.book, table.rules, made, name, value)]
    return found


def _applying(choices: Choices, table: Table) -> dict[str, Any]:
    """The choices made that this game knows."""
    game = table.book.game(table.rules.game)
    made = {name: value for name, value in choices.made.items() if name in table.book.options_of(game)}
    readings = table.book.readings_of(game)
    made["readings"] = {name: value for name, value in choices.made["readings"].items() if name in readings}
    return made


# ---------------------------------------------------------------------- answers


def _data(games: Comparison, changes: WhatIf, left_out: dict[str, str]) -> dict[str, Any]:
    return {
        "games": [{**row, "decks": row["decks"] or "inf"} for row in games.rows()],
        "what_if": changes.rows(),
        "left_out": left_out,
    }


def _print_games(found: Comparison) -> None:
    head = ("game", "name", "decks", "house edge", "by the best chart", "standard deviation")
    rows = [
        (
            game.game,
            game.name,
            str(game.decks or "inf"),
            percent(game.house_edge, 4),
            percent(game.chart_house_edge, 4),
            f"{game.variance**0.5:.4f}",
        )
        for game in found.games
    ]
    print_table("House edge, of the original wager, first round of a fresh shoe", head, rows)


def _print_changes(found: WhatIf) -> None:
    head = ("game", "rule", "from", "to", "house edge", "worth to the house")
    rows = [
        (
            one.game,
            one.rule,
            one.before,
            one.after,
            percent(one.house_edge, 4),
            percent(one.difference, 4, sign=True),
        )
        for one in found.changes
    ]
    print_table("What if: change of the house edge, of the original wager", head, rows)
