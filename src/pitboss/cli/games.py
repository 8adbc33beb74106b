"""`pitboss games`: every game with what it costs, its book and its main rules at a glance."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pitboss.cli.game_options import BookFile, own_books
from pitboss.report.games.game_list import Pace, list_data, list_games, print_games
from pitboss.rulebooks import BOOKS, load_book


def run(
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List all games with their edge, their cost per hour and their main rules; with --book, the games of that file."""
    pace = Pace()
    books = own_books(book) or tuple(map(load_book, BOOKS))
    found = list(list_games(books))
    if as_json:
        print(json.dumps([list_data(game, pace) for game in found], indent=2, ensure_ascii=False))
    else:
        print_games(found, pace)
