"""Who calls the decisions of a box, and who does after them."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules


def find_controller(rules: Rules, seated: Sequence[bool], placed: Sequence[Money]) -> int:
    """The place of the controlling player among the players of a box, who stand in order from the dealer outward.

    It is the nearest to the dealer, or who is seated, or the highest wager, of equal ones the nearest.
    """
    if rules.control_rule == "nearest-dealer":
        return 0
    if any(seated):
        return seated.index(True)
    return placed.index(max(placed))


def find_heir(rules: Rules, placed: Sequence[Money]) -> int:
    """The place, among the players who stay on a box, of the one who calls its decisions when nobody seated does."""
    return find_controller(rules, [False] * len(placed), placed)


def find_rivals(rules: Rules, seated: Sequence[bool], placed: Sequence[Money]) -> tuple[int, ...]:
    """The places of the highest wagers, where they decide and some, not all, are equal; else nothing."""
    if rules.control_rule == "nearest-dealer" or any(seated):
        return ()
    tied = tuple(place for place, amount in enumerate(placed) if amount == max(placed))
    return tied if 1 < len(tied) < len(placed) else ()
