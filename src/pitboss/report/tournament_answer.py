"""Tournaments in the terminal and as files: standings after every round, places and what they were paid."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.money import Money, show
from pitboss.report.terminal_tables import print_table

SHOWN_STANDINGS = 7
"""How many players a line of standings names; the rest are counted."""
STANDING_COLUMNS = ("stage", "heat", "round", "place", "player", "table", "chips")


def tell_standings(stage: str, heat: int, number: int, standings: Iterable[tuple[str, Money]]) -> str:
    """The standings after a round in one line."""
    ranked = list(standings)
    ahead = ", ".join(f"{player} {show(chips)}" for player, chips in ranked[:SHOWN_STANDINGS])
    rest = len(ranked) - SHOWN_STANDINGS
    more = f", and {rest} more" if rest > 0 else ""
    return f"{stage}, heat {heat}, round {number}: {ahead}{more}"


def print_prizes(prizes: Iterable[Mapping[str, Any]]) -> None:
    """A line for each place that was paid."""
    rows = [
        (str(prize["place"]), prize["player"], show(Money(str(prize["amount"]))), prize["goods"]) for prize in prizes
    ]  # fmt: skip
    print_table("", ("place", "player", "paid", "goods"), rows, fixed=2, numbers=("place", "paid"))


def print_stacks(tables: Mapping[str, Any], stacks: Mapping[str, Any]) -> None:
    """Who sits where, with how many chips."""
    rows = [
        (name, str(table["round"]), key, show(Money(str(stacks.get(key, 0)))))
        for name, table in tables.items()
        for key in table["seats"]
        if key
    ]
    print_table("", ("table", "round", "player", "chips"), rows, fixed=3, numbers=("round", "chips"))


def write_standings(rounds: Iterable[Mapping[str, Any]]) -> str:
    """Every standing as CSV: a line for each player after each round."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(STANDING_COLUMNS)
    for item in rounds:
        for place, line in enumerate(item["standings"], 1):
            chips = show(Money(str(line["chips"])))
            writer.writerow((item["stage"], item["heat"], item["round"], place, line["player"], line["table"], chips))
    return text.getvalue()
