"""How the jackpot system of a table is set, where whoever opens it does not say: the books leave it to the operator."""

from __future__ import annotations

from pitboss.money import Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.state import Meter

PICK_ONE_IN = {"lucky": 100, "mystery": 1000}
"""How often the jackpot system picks a box that has a wager on it."""


def default_meters(rules: Rules) -> dict[str, Meter]:
    """What each meter starts from that the side wagers on offer pay from."""
    start = {
        "major": (Money(2500), Money("0.05")),
        "minor": (Money(200), Money("0.05")),
        "mystery": (Money(250), Money("0.05")),
    }
    found = {}
    for side in rules.side_wagers:
        for name in side.meters:
            seed, rate = start.get(name.rpartition("-")[2], (Money(10000), Money("0.05")))
            found[name] = Meter(seed, rate, seed)
    return found
