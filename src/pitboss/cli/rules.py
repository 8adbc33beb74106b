"""`pitboss rules GAME`: every value of a game with its clause and where it came from; what ambiguous clauses could mean
instead, who may do what, and what a variation changes. Without a game: a parameter explained, a rulebook checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pitboss.cli.game_options import BookFile, Decks, Options, Readings, Sides, own_books, read_choices
from pitboss.errors import CheckFailed, PitbossError
from pitboss.files import read_text
from pitboss.report.games.parameter_answer import explain_parameter, parameter_data
from pitboss.report.games.rules_answer import print_authority, print_difference, print_readings, print_rules
from pitboss.report.games.rules_data import difference_data, rules_data
from pitboss.rulebooks import RulebookError, Rules, games, parse_user_book, rules_for
from pitboss.rulebooks.differences import compare_rules
from pitboss.rulebooks.schema import rulebook_schema

EXAMPLES = (
    "pitboss rules melbourne/pontoon",
    "pitboss rules melbourne/pontoon --diff melbourne/blackjack",
    "pitboss rules star/switch --readings   # the ambiguous clauses",
    "pitboss rules perth/blackjack --authority   # who may do what",
    "pitboss rules --explain dealer_hits_soft_17",
    "pitboss rules --check my-book.toml",
    "pitboss rules --schema > rulebook.schema.json   # for your editor",
)

Game = Annotated[
    str | None, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; `pitboss games` lists them.")
]
InForce = Annotated[bool, typer.Option("--readings", help="List the ambiguous clauses and how each is read.")]
Powers = Annotated[bool, typer.Option("--authority", help="List who may do what, and who must be told.")]
Other = Annotated[str | None, typer.Option("--diff", metavar="OTHER", help="Show what differs from this game.")]
Explain = Annotated[
    str | None,
    typer.Option("--explain", metavar="PARAMETER", help="Say what a parameter means, may be, and is in each game."),
]
Check = Annotated[
    Path | None, typer.Option("--check", metavar="FILE", help="Check your own rulebook, and name the line at fault.")
]
AsSchema = Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of rulebooks, for editors.")]


def run(
    game: Game = None,
    decks: Decks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    readings: InForce = False,
    authority: Powers = False,
    diff: Other = None,
    explain: Explain = None,
    check: Check = None,
    schema: AsSchema = False,
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the rules of a game: every value, its clause, and the layer it came from."""
    asked = (readings, authority, diff is not None, explain is not None, check is not None, schema)
    if sum(asked) > 1:
        raise PitbossError(
            "--readings, --authority, --diff, --explain, --check and --schema are six questions: ask one at a time"
        )
    if check is not None:
        _check_book(check)
    elif schema:
        print(json.dumps(rulebook_schema(), indent=1))
    elif explain is not None:
        tables = [read_choices(decks, option, side, reading, book).resolve(game)[1]] if game else _all_rules(book)
        if as_json:
            print(json.dumps(parameter_data(explain, tables), indent=2, ensure_ascii=False))
        else:
            explain_parameter(explain, tables)
    elif game is None:
        raise PitbossError("name a game, such as melbourne/pontoon; `pitboss games` lists them")
    else:
        choices = read_choices(decks, option, side, reading, book)
        found, rules = choices.resolve(game)
        if diff is not None:
            difference = compare_rules((found, rules), choices.applying_to(diff).resolve(diff))
            if as_json:
                print(json.dumps(difference_data(difference), indent=2, ensure_ascii=False))
            else:
                print_difference(difference)
        elif as_json:
            print(json.dumps(rules_data(found, rules, choices), indent=2, ensure_ascii=False))
        elif readings:
            print_readings(found, rules)
        elif authority:
            print_authority(rules)
        else:
            print_rules(found, rules, choices)


def _all_rules(book: Path | None) -> list[Rules]:
    own = [found.rules(game) for found in own_books(book) for game in found.games]
    return own or [rules_for(game) for game in games()]


def _check_book(file: Path) -> None:
    """Read a rulebook and resolve each of its games; the first mistake is the answer."""
    try:
        book = parse_user_book(read_text(file), str(file))
    except RulebookError as error:
        raise CheckFailed(str(error)) from None
    names = ", ".join(f"{book.namespace}/{game}" for game in book.games)
    print(f"{file}: no mistake found; it has {names}")
