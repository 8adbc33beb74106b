"""The list of games: each with its book and its main rules at a glance, for people and for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.rulebooks import Game, Rulebook, Rules
from pitboss.rulebooks.differences import turns_on
from pitboss.rulebooks.glance import Glance, at_a_glance, number_words

TABLE_WIDTH = 150
"""From this many columns on a terminal the games are a table; below, a paragraph each reads better."""

COLUMNS = {
    "decks": "cards",
    "natural": "natural",
    "soft 17": "soft_17",
    "double": "double",
    "split": "split",
    "surrender": "surrender",
    "besides": "specials",
}
"""Heading to the field of a glance; the heading is also the word before a value in a paragraph."""


class ListedGame(NamedTuple):
    """A game as it is listed."""

    book: Rulebook
    game: Game
    rules: Rules
    glance: Glance
    decks: tuple[int, ...]

    @property
    def id(self) -> str:
        return self.rules.game

    @property
    def cells(self) -> dict[str, str]:
        """The main rules, by heading."""
        cells = {heading: getattr(self.glance, field) for heading, field in COLUMNS.items()}
        if len(self.decks) > 1:
            cells["decks"] = f"{self.rules.decks} ({number_words(self.decks)}) x {self.rules.deck_cards}"
        return cells


def list_games(books: Sequence[Rulebook]) -> Iterator[ListedGame]:
    """The games of the books, in their order, each with the book's default choices."""
    for book in books:
        for game in book.games.values():
            rules = book.rules(game.id)
            hinges = turns_on(book, rules, {}, options_only=True)
            decks = tuple(sorted(book.options_of(game)["decks"].choices))
            yield ListedGame(book, game, rules, at_a_glance(rules, hinges), decks)


def list_data(listed: ListedGame) -> dict[str, Any]:
    """A game for programs."""
    book, game, rules = listed.book, listed.game, listed.rules
    return {
        "game": rules.game,
        "name": rules.name,
        "book": {"id": book.id, "name": book.name, "edition": book.edition, "jurisdiction": book.jurisdiction},
        "extends": None if game.extends is None else f"{book.namespace}/{game.extends}",
        "clauses": list(game.clauses),
        "summary": game.summary,
        "decks": {"default": rules.decks, "allowed": list(listed.decks), "cards": rules.deck_cards},
        "at_a_glance": {field: getattr(listed.glance, field) for field in Glance.__struct_fields__},
        "side_wagers": list(book.side_wagers_of(game)),
        "options": list(rules.options),
        "digest": rules.digest,
    }


def print_games(found: Sequence[ListedGame]) -> None:
    """The games for people: a table where the terminal is wide enough, else a paragraph each."""
    console = Console(highlight=False)
    if console.is_terminal and console.width >= TABLE_WIDTH:
        console.print(_table(found))
    else:
        _print_paragraphs(console, found)


def _table(found: Sequence[ListedGame]) -> Table:
    table = Table("game", *COLUMNS, "what makes it special", box=SIMPLE_HEAD, pad_edge=False, expand=True)
    table.columns[0].no_wrap = True
    book: Rulebook | None = None
    for one in found:
        if one.book is not book:
            book = one.book
            table.add_section()
            table.add_row(Text(book.name, style="bold", overflow="fold"))
        table.add_row(one.id, *map(Text, one.cells.values()), Text(f"{one.game.name}: {one.game.summary}"))
    return table


def _print_paragraphs(console: Console, found: Sequence[ListedGame]) -> None:
    book: Rulebook | None = None
    for one in found:
        if one.book is not book:
            book = one.book
            console.print(Text(f"{book.name}, {book.edition}" if book.edition else book.name, style="bold"))
            console.print()
        console.print(Text.assemble((one.id, "cyan"), f"  {one.game.name}"))
        cells = (f"{heading} {text}" for heading, text in one.cells.items() if text not in ("-", "no"))
        console.print(Text(_indent("; ".join(cells), console.width)))
        if one.game.summary:
            console.print(Text(_indent(one.game.summary, console.width), style="dim"))
        console.print()


def _indent(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
