"""What each executor refuses: the list that the documentation prints and that tests hold to what happens.

A row says which rules are refused, the words of the refusal, and one table that meets it. Whatever else an executor
refuses, or stops refusing, is a failure of the tests that cross rules with executors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from variants import Variant

from pitboss.rulebooks import Rules


class Refusal(NamedTuple):
    """Rules that an executor does not play."""

    executor: str
    what: str
    words: str
    """Some of the line that it answers with."""
    holds: Callable[[Rules], bool]
    example: Variant


INFINITE = "an infinite deck (`decks=inf`)"
REFUSALS = (
    Refusal(
        "simulator",
        INFINITE,
        "an infinite deck cannot be dealt from",
        lambda rules: rules.decks == 0,
        Variant("star/blackjack", options=(("decks", 0),)),
    ),
    Refusal(
        "simulator",
        "bonus hands where a 21 does not win whatever the dealer has (`bonus_table`, `player_21_wins`)",
        "pays bonus hands only where a 21 wins",
        lambda rules: rules.bonus_table != "none" and not (rules.player_21_wins and rules.winning_hands_first),
        Variant("melbourne/pontoon", changes=(("player_21_wins", False),)),
    ),
    Refusal(
        "environments",
        INFINITE,
        "an infinite deck cannot be dealt from",
        lambda rules: rules.decks == 0,
        Variant("star/blackjack", options=(("decks", 0),)),
    ),
)  # fmt: skip


def refusal_of(executor: str, rules: Rules) -> Refusal | None:
    """The row of the list that these rules meet."""
    return next((row for row in REFUSALS if row.executor == executor and row.holds(rules)), None)
