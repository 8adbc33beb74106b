"""The rulebooks as data: one TOML file for each book, the clause registers, and the loader that resolves `Rules`.

What belongs here: the books' values with their clauses, how variations, options, readings and side wagers are laid over
each other, and who may do what. What does not: what follows from a value once cards are dealt; that is `play` and
`table`. To add a game, write an overlay in a book (docs/rulebook-format.md).
"""

from __future__ import annotations

import csv
import functools
import re
from collections.abc import Callable, Iterable
from importlib import resources
from io import StringIO
from typing import Any

from pitboss.formats.names import nearest
from pitboss.formats.toml_places import find_places, line_of
from pitboss.rulebooks.model.book import Game, Rulebook
from pitboss.rulebooks.model.rules import Rules, SideWager, Source, difference, readable
from pitboss.rulebooks.reading.loader import NOT_TOML, parse_book
from pitboss.rulebooks.reading.values import RulebookError

__all__ = [
    "BOOKS", "Game", "Rulebook", "RulebookError", "Rules", "SideWager", "Source",
    "clause_exists", "difference", "find_game", "games", "load_book", "parse_user_book", "readable", "rules_for",
]  # fmt: skip

BOOKS = ("perth", "rws", "star", "star-switch", "melbourne")
"""The books of the project, by id."""


@functools.cache
def _clause_ids(book: str) -> frozenset[str] | None:
    file = resources.files(__package__) / "clauses" / f"{book}.csv"
    if not file.is_file():
        return None
    text = StringIO(file.read_text(encoding="utf-8"), newline="")
    return frozenset(row["clause"] for row in csv.DictReader(text))


def clause_exists(book: str) -> Callable[[str], bool] | None:
    """The test whether a clause, or a parent of one, is in a book's register; none if there is no register."""
    ids = _clause_ids(book)
    if ids is None:
        return None
    known = ids

    def exists(clause: str) -> bool:
        return clause in known or any(item.startswith(clause) and item[len(clause)] in "/(.:" for item in known)

    return functools.cache(exists)


@functools.cache
def load_book(book: str) -> Rulebook:
    """One of the books of the project."""
    if book not in BOOKS:
        raise RulebookError(f"'{book}' is not one of the books; {nearest(book, BOOKS)}")
    file = resources.files(__package__) / "books" / f"{book}.toml"
    return parse_book(file.read_text(encoding="utf-8"), f"{book}.toml", clause_exists)


def parse_user_book(text: str, file: str) -> Rulebook:
    """A user's rulebook in the same form, each game of it resolved once; `file` is the name shown in complaints."""
    try:
        book = parse_book(text, file, clause_exists)
        for game in book.games:
            book.rules(game)
    except RulebookError as error:
        raise RulebookError(_add_line(str(error), text, file)) from None
    return book


def _add_line(complaint: str, text: str, file: str) -> str:
    """A complaint about a key of a file, with the line on which that key stands."""
    key, colon, problem = complaint.removeprefix(f"{file}: ").partition(": ")
    if not colon or not complaint.startswith(f"{file}: "):
        return complaint
    if key == NOT_TOML:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", problem)
        line = int(found[2]) if found is not None and found[2] else text.count("\n") + 1
        return f"{file}:{line}: {key}: {found[1] if found is not None else problem}"
    steps = [step for step in re.split(r"[.\[\]]+", key) if step]
    path = tuple(int(step) if step.isdecimal() else step for step in steps[steps[0] == "file" :])
    return f"{file}:{line_of(find_places(text), path)}: {key}: {problem}"


@functools.cache
def games() -> dict[str, tuple[str, str]]:
    """Every game of the books: its id to (book, game), in the order of the books."""
    found = {}
    for book in BOOKS:
        loaded = load_book(book)
        for game in loaded.games:
            found[f"{loaded.namespace}/{game}"] = (book, game)
    return found


def find_game(game: str, own_books: Iterable[Rulebook] = ()) -> tuple[Rulebook, Game]:
    """The book and game that an id such as `melbourne/pontoon` names; a user's books are looked at first."""
    known = {}
    for book in own_books:
        for name, found in book.games.items():
            known[f"{book.namespace}/{name}"] = (book, found)
    for name, (book_id, game_id) in games().items():
        loaded = load_book(book_id)
        known.setdefault(name, (loaded, loaded.games[game_id]))
    if game not in known:
        called = {name: found.name for name, (_, found) in known.items()}
        hint = nearest(game, known, "`pitboss games` lists them", called)
        raise RulebookError(f"there is no game '{game}'; {hint}")
    return known[game]


def rules_for(game: str, /, own_books: Iterable[Rulebook] = (), **choices: Any) -> Rules:
    """The resolved rules of a game: `rules_for("star/blackjack", decks=6, side_wagers=["any-pairs"])`."""
    book, found = find_game(game, own_books)
    return book.rules(found.id, **choices)
