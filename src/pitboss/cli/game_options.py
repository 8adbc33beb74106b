"""What commands about a game have in common: the game, the house's choices, side wagers, readings, a book of one's own.

A command takes the annotated types below as its parameters and asks `Choices` for the rules, so that a choice is
written and refused in the same way everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from pitboss.cli.files import read_text
from pitboss.errors import PitbossError
from pitboss.rulebooks import Rulebook, RulebookError, Rules, find_game, parse_user_book

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; `pitboss games` lists them.")]
Decks = Annotated[str | None, typer.Option("--decks", metavar="N", help="Decks in play; inf for an infinite deck.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A choice of the house; may be repeated."),
]
Sides = Annotated[
    list[str] | None,
    typer.Option("--side", metavar="WAGER", help="A side wager on offer; may be repeated."),
]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="NAME=VALUE", help="A doubtful clause read otherwise; may be repeated."),
]
BookFile = Annotated[
    Path | None,
    typer.Option("--book", metavar="FILE", help="A rulebook of your own, looked at before the others."),
]


class Choices(NamedTuple):
    """What was chosen on the command line, as `Rulebook.rules` takes it, and the user's book if there is one."""

    made: dict[str, Any]
    books: tuple[Rulebook, ...]

    def rules(self, game: str) -> tuple[Rulebook, Rules]:
        """The book of a game and its rules with these choices."""
        book, found = find_game(game, self.books)
        return book, book.rules(found.id, **self.made)

    def why_not(self, game: str, wager: str) -> str:
        """Why a side wager cannot be offered beside these choices; nothing if it can."""
        book, found = find_game(game, self.books)
        try:
            book.rules(found.id, **{**self.made, "side_wagers": [*self.made["side_wagers"], wager]})
        except RulebookError as error:
            return str(error)
        return ""

    def where_they_apply(self, game: str) -> tuple[Rulebook, Rules]:
        """The same for a second game, which need not have every option, reading and side wager of the first."""
        book, found = find_game(game, self.books)
        options, readings, wagers = book.options_of(found), book.readings_of(found), book.side_wagers_of(found)
        made: dict[str, Any] = {name: value for name, value in self.made.items() if name in options}
        made["readings"] = {name: value for name, value in self.made["readings"].items() if name in readings}
        made["side_wagers"] = [name for name in self.made["side_wagers"] if name in wagers]
        return book, book.rules(found.id, **made)


def read_choices(
    decks: str | None = None,
    option: Sequence[str] | None = None,
    side: Sequence[str] | None = None,
    reading: Sequence[str] | None = None,
    book: Path | None = None,
) -> Choices:
    """The choices of a command line; what is not of the form asked for is refused."""
    made: dict[str, Any] = pairs("--option", option or ())
    for name, instead in {"side_wagers": "--side WAGER", "readings": "--reading NAME=VALUE"}.items():
        if name in made:
            raise PitbossError(f"--option {name}: write {instead}")
    if decks is not None:
        if "decks" in made:
            raise PitbossError("decks are given twice: --decks N is short for --option decks=N")
        made["decks"] = decks
    made["side_wagers"] = list(side or ())
    made["readings"] = pairs("--reading", reading or ())
    return Choices(made, own_books(book))


def pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    """`NAME=VALUE` texts as a table."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise PitbossError(f"{flag} {text}: write {flag} NAME=VALUE")
        if name in found:
            raise PitbossError(f"{flag} {name} is given twice: {found[name]} and {value}")
        found[name] = value
    return found


def own_books(file: Path | None) -> tuple[Rulebook, ...]:
    """The user's rulebook, read and checked; none if no file is named."""
    return () if file is None else (parse_user_book(read_text(file), str(file)),)
