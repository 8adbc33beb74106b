"""What `pitboss cost` prints: what some hours at a table cost, for people and for programs."""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.formats.wording import percent
from pitboss.odds.session_cost import PlayCost, SessionCost
from pitboss.report.terminal_tables import print_facts, print_note, print_table

COST_HEAD = ("play", "house edge", "an hour", "in all", "std dev", "ahead")


def cost_data(found: SessionCost) -> dict[str, Any]:
    """The answer for programs."""
    data: dict[str, Any] = msgspec.to_builtins(found)
    return data


def cost_cells(one: PlayCost) -> tuple[str, ...]:
    """A way to play as a row of a table."""
    return (
        one.play,
        percent(one.house_edge, 3),
        f"{one.loss_per_hour:.2f}",
        f"{one.loss:.2f}",
        f"{one.deviation:.2f}",
        "" if one.ahead is None else percent(one.ahead, 1),
    )


def print_cost(found: SessionCost) -> None:
    """What hours cost, for people."""
    players = "1 player" if found.players == 1 else f"{found.players} players"
    pace = f"about {found.rounds_per_hour:.0f} rounds an hour"
    facts = [
        ("game", f"{found.game}, {found.decks or 'inf'} decks"),
        ("bet", f"{found.bet:g} a round"),
        (
            "time",
            f"{found.hours:g} h, {players}, {pace}: {found.rounds:.0f} rounds",
        ),
    ]
    print_facts(facts)
    print_table("Expected loss", COST_HEAD, [cost_cells(one) for one in found.plays], numbers=COST_HEAD[1:])
    title = f"Side wagers, {found.side_bet:g} in every round, beside the game"
    print_table(title, ("wager", *COST_HEAD[1:]), [cost_cells(one) for one in found.sides], numbers=COST_HEAD[1:])
    print_note("Std dev and the chance to be ahead are for the whole time. Rounds an hour are an estimate.")
