"""Who asks something of a table: what the log keeps beside every command.

A command names whoever it is given by, as far as its form has a place for it: a player, the role and the person of an
order. What names nobody is the dealer's doing. Whoever runs a table and knows better (a server at which people have
signed in) says so when it asks.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.rulebooks.model.rules import Rules
from pitboss.table.messages import commands as cmd


class Asker(msgspec.Struct, frozen=True):
    """Somebody who asks: `player`, `dealer`, another role of the book, `system` (a machine) or `house` (nobody in
    person), and their name where it is known."""

    role: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.role} {self.name}" if self.name else self.role


PLAYER = "player"
DEALER = Asker("dealer")
SYSTEM = Asker("system")
HOUSE = Asker("house")


def find_asker(command: cmd.Command, rules: Rules) -> Asker:
    """Whoever a command itself names."""
    kind = type(command)
    if kind in UNNAMED:
        return UNNAMED[kind]
    fields = kind.__struct_fields__
    given: Any = command
    if "by" in fields and given.by is not None:
        a_role = kind is cmd.Cut and rules.rank(given.by) >= 0
        return Asker(given.by) if a_role else Asker(PLAYER, given.by)
    if "role" in fields:
        return Asker(given.role, given.person if isinstance(command, cmd.Order) else "")
    return Asker(PLAYER, given.player) if "player" in fields else DEALER


UNNAMED: dict[type[cmd.Command], Asker] = {
    cmd.LoadShoe: HOUSE,
    cmd.SystemPick: SYSTEM,
    cmd.DrawPrize: SYSTEM,
    cmd.Deal: DEALER,
    cmd.Proceed: DEALER,
    cmd.PlayAbsent: DEALER,
    cmd.NextRound: DEALER,
}
"""What nobody asks in their own name: the house puts cards in, machines draw prizes, the dealer goes on."""
