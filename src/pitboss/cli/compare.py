"""`pitboss compare`: games beside each other by house edge, and what a changed rule is worth in each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import msgspec
import typer

from pitboss.cli.choices import BookFile, Choices, Decks, Options, Readings, read_choices
from pitboss.cli.progress import working
from pitboss.cli.tables import print_table
from pitboss.errors import PitbossError
from pitboss.odds.analysis import analyse
from pitboss.odds.compare import Change, Comparison, WhatIf, change, compare, what_if
from pitboss.odds.result import Edge
from pitboss.odds.vary import alternatives, parse_value, vary
from pitboss.odds.wording import percent
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks import Rulebook, RulebookError, Rules, games, readable
from pitboss.rulebooks.forms import nearest, plain
from pitboss.rulebooks.parameters import TYPES


class Table(NamedTuple):
    """A game with the choices that apply to it."""

    book: Rulebook
    rules: Rules


def run(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; left out: all eighteen.")
    ] = None,
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
    worked = _Analyst(method)
    edges = [worked(table.rules) for table in tables]
    changes = [made for asked in what or () for table in tables for made in _changes(choices, table, asked, worked)]
    found = what_if(changes)
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


class _Analyst:
    """Analyses each set of rules once, and says what is being worked out."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.known: dict[Packed, Edge] = {}

    def __call__(self, rules: Rules) -> Edge:
        packed = pack(rules)
        if packed not in self.known:
            with working(f"working out {rules.game}"):
                self.known[packed] = analyse(rules, method=self.method)
        found = self.known[packed]
        return msgspec.structs.replace(found, game=rules.game, name=rules.name)


# ---------------------------------------------------------------------- what if


def _changes(choices: Choices, table: Table, asked: str, worked: _Analyst) -> Iterator[Change]:
    """What a rule is worth in one game: an option or a reading if the game has one of this name, else a parameter."""
    name, _, value = (part.strip() for part in asked.partition("="))
    base = worked(table.rules)
    for before, after, rules in _others(choices, table, name, value):
        yield change(base, worked(rules), name, before, after)


def _others(choices: Choices, table: Table, name: str, value: str) -> Iterator[tuple[str, str, Rules]]:
    book, rules = table
    game = book.game(rules.game)
    options, readings = book.options_of(game), book.readings_of(game)
    if name in options:
        values = [value] if value else [choice for choice in options[name].choices if choice != rules.options[name]]
        before = plain(rules.options[name]).strip('"')
        yield from _resolved(choices, table, before, [({name: item}, item) for item in values])
    elif name in readings:
        texts = [value] if value else [readings[name].default, *readings[name].alternatives]
        others = [text for text in texts if text != rules.readings[name]]
        made = [({"readings": {**choices.made["readings"], name: text}}, text) for text in others]
        yield from _resolved(choices, table, rules.readings[name], made)
    elif name in TYPES:
        before = readable(getattr(rules, name))
        for item in [parse_value(name, value)] if value else alternatives(rules, name):
            yield before, readable(item), vary(rules, name, item)
    else:
        raise PitbossError(
            f"{rules.game} has no parameter, option or reading '{name}'; {nearest(name, [*TYPES, *options, *readings])}"
        )


def _resolved(
    choices: Choices, table: Table, before: str, made: list[tuple[dict[str, Any], Any]]
) -> Iterator[tuple[str, str, Rules]]:
    """Rules with another choice of the book's own; one that the others made rule out is passed over if any is left."""
    refused = ""
    some = False
    for changed, value in made:
        try:
            rules = table.book.rules(table.rules.game, **{**_applying(choices, table), **changed})
        except RulebookError as error:
            refused = str(error)
            continue
        some = True
        yield before, plain(value).strip('"'), rules
    if refused and not some:
        raise PitbossError(refused)


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
