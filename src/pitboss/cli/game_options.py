"""What commands about a game have in common: the game, the house's choices, side wagers, readings, your own book.

A command takes the annotated types below as its parameters and asks `HouseChoices` for the rules, so that a choice is
written and refused in the same way everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pitboss.errors import PitbossError
from pitboss.files import read_text
from pitboss.formats.typed_numbers import read_number, read_whole
from pitboss.money import Money, parse_money
from pitboss.rulebooks import Rulebook, parse_user_book
from pitboss.rulebooks.house_choices import HouseChoices
from pitboss.rulebooks.model.ranges import MOST_DECKS

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Such as melbourne/pontoon; `pitboss games` lists them.")]
Decks = Annotated[str | None, typer.Option("--decks", metavar="N", help="Decks in play; inf for an infinite deck.")]
DealtDecks = Annotated[str | None, typer.Option("--decks", metavar="N", help="Decks in play.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A house option; may be repeated."),
]
Sides = Annotated[
    list[str] | None,
    typer.Option("--side", metavar="WAGER", help="A side wager on offer; may be repeated."),
]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="NAME=VALUE", help="Another reading of an ambiguous clause; may be repeated."),
]
BookFile = Annotated[
    Path | None,
    typer.Option("--book", metavar="FILE", help="Your own rulebook; it takes precedence over the built-in ones."),
]

Force = Annotated[bool, typer.Option("--force", help="Overwrite a file that pitboss did not write.")]


def read_choices(
    decks: str | None = None,
    option: Sequence[str] | None = None,
    side: Sequence[str] | None = None,
    reading: Sequence[str] | None = None,
    book: Path | None = None,
    *,
    dealt: bool = False,
) -> HouseChoices:
    """The choices of a command line; what is not of the form asked for is refused.

    If cards are `dealt`, an infinite deck is refused too.
    """
    options = pairs("--option", option or ())
    for name, instead in {"side_wagers": "--side WAGER", "readings": "--reading NAME=VALUE"}.items():
        if name in options:
            raise PitbossError(f"--option {name}: write {instead}")
    if decks is not None:
        if "decks" in options:
            raise PitbossError("decks are given twice: --decks N is short for --option decks=N")
        options["decks"] = decks
    if "decks" in options:
        options["decks"] = _read_decks(options["decks"], dealt)
    return HouseChoices(options, pairs("--reading", reading or ()), tuple(side or ()), own_books(book))


def _read_decks(text: str, dealt: bool) -> str:
    if text == "inf":
        if dealt:
            raise PitbossError("--decks inf: an infinite deck can be analysed but not dealt: name a number of decks")
        return text
    try:
        return str(read_whole("--decks", text, 1, MOST_DECKS))
    except PitbossError as error:
        raise PitbossError(str(error) if dealt else f"{error}, or inf for an infinite deck") from None


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


def read_stake(flag: str, text: str) -> Money:
    """An amount that can be staked."""
    amount = read_amount(flag, text)
    if amount <= 0:
        raise PitbossError(f"{flag} {text}: the amount must be above zero")
    return amount


def read_amount(flag: str, text: str) -> Money:
    """An exact amount of money."""
    return parse_money(read_number(flag, text))


def own_books(file: Path | None) -> tuple[Rulebook, ...]:
    """The user's rulebook, read and checked; none if no file is named."""
    return () if file is None else (parse_user_book(read_text(file), str(file)),)
