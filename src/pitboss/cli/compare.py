"""`pitboss compare`: games ranked by house edge, and what a rule change is worth in each."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

import typer

from pitboss.cli.game_options import BookFile, Decks, Options, Readings, read_choices
from pitboss.cli.progress import working
from pitboss.errors import PitbossError
from pitboss.odds.what_if.changes import Other, knows, others
from pitboss.odds.what_if.comparison import change, compare, what_if
from pitboss.odds.what_if.many_games import ManyGames
from pitboss.report.games.comparison_answer import comparison_data, print_changes, print_comparison
from pitboss.rulebooks import Rulebook, RulebookError, Rules, games
from pitboss.rulebooks.house_choices import HouseChoices

EXAMPLES = (
    "pitboss compare",
    "pitboss compare perth/vegas melbourne/vegas --decks inf",
    "pitboss compare melbourne/blackjack --what-if dealer_hits_soft_17",
)


class Compared(NamedTuple):
    """A game with the choices that apply to it."""

    book: Rulebook
    rules: Rules


def run(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME...", help="Games to compare; all of them by default.")
    ] = None,
    what: Annotated[
        list[str] | None,
        typer.Option("--what-if", metavar="RULE[=VALUE]", help="Price a change to a parameter, option or reading."),
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
    """Rank games by house edge; with --what-if, price a rule change in each."""
    choices = read_choices(decks, option, None, reading, book)
    tables, left_out = _tables(choices, game or _all_games(choices))
    changed = _change_rule(choices, tables, what or [])
    wanted = [*(table.rules for table in tables), *(other.rules for _, other in changed)]
    with working("pricing games") as say:
        worth = ManyGames(wanted, method, lambda done, of: say(f"{done} of {of}"))
    edges = compare(worth.edge(table.rules) for table in tables)
    found = what_if(
        [
            change(worth.edge(base), worth.edge(other.rules), other.rule, other.before, other.after)
            for base, other in changed
        ]
    )
    if as_json:
        print(json.dumps(comparison_data(edges, found, left_out), indent=2, ensure_ascii=False))
        return
    if what:
        print_changes(found)
    else:
        print_comparison(edges)
    for name, why in left_out.items():
        typer.echo(f"{name} is left out: {why}", err=True)


def _all_games(choices: HouseChoices) -> list[str]:
    own = [f"{book.namespace}/{name}" for book in choices.own_books for name in book.games]
    return [*own, *games()]


def _tables(choices: HouseChoices, names: list[str]) -> tuple[list[Compared], dict[str, str]]:
    """The games that can be played with the choices made, and why the others cannot."""
    tables, left_out = [], {}
    for name in dict.fromkeys(names):
        applying = choices.applying_to(name)
        try:
            tables.append(Compared(*applying.resolve(name)))
        except RulebookError as error:
            if len(names) == 1:
                raise
            left_out[name] = str(error)
    if not tables:
        raise PitbossError(f"no game is left: {'; '.join(left_out.values())}")
    return tables, left_out


# ---------------------------------------------------------------------- what if


def _read_question(text: str) -> tuple[str, str]:
    name, _, value = (part.strip() for part in text.partition("="))
    return name, value


def _change_rule(choices: HouseChoices, tables: list[Compared], what: list[str]) -> list[tuple[Rules, Other]]:
    """Every game that has a rule asked about, with that rule changed; a rule that none has is refused."""
    found = []
    for name, value in map(_read_question, what):
        having = [table for table in tables if knows(table.book, table.rules, name)]
        for table in having or tables:
            known = choices.applying_to(table.rules.game)
            found += [(table.rules, other) for other in others(table.book, table.rules, known, name, value)]
    return found
