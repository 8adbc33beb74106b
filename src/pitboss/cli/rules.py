"""`pitboss rules GAME`: every value of a game with its clause and where it came from; what ambiguous clauses could mean
instead, who may do what, and what a variation changes."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pitboss.cli.game_options import BookFile, Decks, GameName, Options, Readings, Sides, read_choices
from pitboss.errors import PitbossError
from pitboss.report.games.rules_answer import print_authority, print_difference, print_readings, print_rules
from pitboss.report.games.rules_data import difference_data, rules_data
from pitboss.rulebooks.differences import compare_rules

EXAMPLES = (
    "pitboss rules melbourne/pontoon",
    "pitboss rules melbourne/pontoon --diff melbourne/blackjack",
    "pitboss rules star/switch --readings   # the ambiguous clauses",
    "pitboss rules perth/blackjack --authority   # who may do what",
)


def run(
    game: GameName,
    decks: Decks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    readings: Annotated[
        bool, typer.Option("--readings", help="List the ambiguous clauses and how each is read.")
    ] = False,
    authority: Annotated[bool, typer.Option("--authority", help="List who may do what, and who must be told.")] = False,
    diff: Annotated[
        str | None, typer.Option("--diff", metavar="OTHER", help="Show what differs from this game.")
    ] = None,
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the rules of a game: every value, its clause, and the layer it came from."""
    if sum((readings, authority, diff is not None)) > 1:
        raise PitbossError("--readings, --authority and --diff are three questions: ask one at a time")
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
