"""`pitboss cost GAME`: what some hours at a table cost, with good play and with bad."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from pitboss.cli.game_options import BookFile, Decks, GameName, Options, Readings, Sides, read_choices
from pitboss.cli.progress import working
from pitboss.formats.typed_numbers import read_number, read_whole
from pitboss.odds.session_cost import session_cost
from pitboss.report.games.cost_answer import cost_data, print_cost

EXAMPLES = (
    "pitboss cost star/blackjack --bet 25 --hours 3",
    "pitboss cost melbourne/pontoon --bet 50 --side perfect-pairs --side-bet 10",
    "pitboss cost rws/blackjack --rounds-per-hour 80 --json",
)


def run(
    game: GameName,
    bet: Annotated[str, typer.Option("--bet", metavar="AMOUNT", help="The wager of a round.")] = "25",
    hours: Annotated[str, typer.Option("--hours", metavar="N", help="How long it is played.")] = "1",
    players: Annotated[str, typer.Option("--players", metavar="N", help="Boxes in play at the table.")] = "5",
    rounds_per_hour: Annotated[
        str | None, typer.Option("--rounds-per-hour", metavar="N", help="If you know it: estimated otherwise.")
    ] = None,
    side_bet: Annotated[
        str, typer.Option("--side-bet", metavar="AMOUNT", help="What is staked on each side wager in every round.")
    ] = "5",
    decks: Decks = None,
    option: Options = None,
    side: Sides = None,
    reading: Readings = None,
    book: BookFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what playing costs: expected loss for hours of play, luck, and the chance to be ahead."""
    pace = None if rounds_per_hour is None else float(read_number("--rounds-per-hour", rounds_per_hour))
    amounts = {flag: float(read_number(flag, text)) for flag, text in (("--bet", bet), ("--side-bet", side_bet))}
    time = float(read_number("--hours", hours))
    boxes = read_whole("--players", players, 1, 100)
    _, rules = read_choices(decks, option, side, reading, book).resolve(game)
    with working(f"pricing {rules.game}"):
        found = session_cost(
            rules, bet=amounts["--bet"], hours=time, players=boxes, rounds_per_hour=pace, side_bet=amounts["--side-bet"]
        )
    if as_json:
        print(json.dumps(cost_data(found), indent=2, ensure_ascii=False))
    else:
        print_cost(found)
