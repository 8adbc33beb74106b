"""`pitboss games`: every game with what it costs, its book and its main rules at a glance."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pitboss.cli.game_options import BookFile, own_books, read_stake
from pitboss.formats.typed_numbers import read_whole
from pitboss.report.games.game_list import Pace, list_data, list_games, print_games
from pitboss.rulebooks import BOOKS, load_book

EXAMPLES = (
    "pitboss games",
    "pitboss games --stake 50 --rounds-per-hour 80   # another pace",
    "pitboss games --json",
)


def run(
    stake: Annotated[str, typer.Option("--stake", metavar="AMOUNT", help="What is staked on a round.")] = "25",
    rounds_per_hour: Annotated[
        str, typer.Option("--rounds-per-hour", metavar="N", help="Rounds played in an hour.")
    ] = "60",
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List all games with their edge, their cost per hour and their main rules; with --book, the games of that file."""
    pace = Pace(read_stake("--stake", stake), read_whole("--rounds-per-hour", rounds_per_hour, 1, 1000))
    books = own_books(book) or tuple(map(load_book, BOOKS))
    found = list(list_games(books))
    if as_json:
        print(json.dumps([list_data(game, pace) for game in found], indent=2, ensure_ascii=False))
    else:
        print_games(found, pace)
