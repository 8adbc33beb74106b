"""Stakes on side wagers that a book does not take together, said once for the table and for all who play rounds."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules, SideWager

UNDER_AND_OVER = ("under-13", "over-13")


def fault_of_under_and_over(side: SideWager, is_second: bool, together: Money, main: Money) -> str:
    """Why one of these two wagers of a player on a box is not taken; empty if it is.

    `is_second`: it was placed after the other one; `together`: what is staked on both.
    """
    if side.under_with_over == "one-only" and is_second:
        return "a box takes one of Under 13 and Over 13"
    if side.under_with_over == "combined-cap" and together > main:
        return "Under 13 and Over 13 together may not exceed the main wager"
    return ""


def fault_of_stakes(rules: Rules, stakes: Mapping[str, Money], main: Money) -> str:
    """Why these stakes on side wagers are not all taken from one player of a box; empty if they are."""
    both = [side for side in rules.side_wagers if side.id in UNDER_AND_OVER]
    together = sum((stakes[side.id] for side in both), Money(0))
    found = (fault_of_under_and_over(side, place > 0, together, main) for place, side in enumerate(both))
    return next(filter(None, found), "")
