"""A table as somebody chooses it to look at: a game, the house's choices, and rules changed beyond the book."""

from __future__ import annotations

import msgspec

from pitboss.odds.what_if.vary import VaryError, parse_value, vary
from pitboss.rulebooks import Rulebook, Rules
from pitboss.rulebooks.house_choices import HouseChoices

MOST_CHANGES = 12


class TableChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game and everything chosen about it; values are written as on the command line."""

    game: str
    options: dict[str, str] = {}
    readings: dict[str, str] = {}
    changes: dict[str, str] = {}
    """Parameters set to what the book does not say, in this order."""

    def house_choices(self) -> HouseChoices:
        """The choices that the book knows."""
        return HouseChoices(dict(self.options), dict(self.readings))

    def resolve_rules(self, side_wagers: tuple[str, ...] = ()) -> tuple[Rulebook, Rules]:
        """The book, and the rules with everything that was chosen."""
        book, rules = self.house_choices()._replace(side_wagers=side_wagers).resolve(self.game)
        if len(self.changes) > MOST_CHANGES:
            raise VaryError(f"at most {MOST_CHANGES} rules can be changed at once, not {len(self.changes)}")
        for name, text in self.changes.items():
            rules = vary(rules, name, parse_value(name, text))
        return book, rules
