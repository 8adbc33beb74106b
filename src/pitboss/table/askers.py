"""Who asks something of a table: what the log keeps beside every command.

A command names whoever it is given by, as far as its form has a place for it: a player, the role and the person of an
order. What names nobody is the dealer's doing. Whoever runs a table and knows better (a server at which people have
signed in) says so when it asks.
"""

from __future__ import annotations

import msgspec

from pitboss.rulebooks.model.rules import Rules
from pitboss.table import commands as cmd


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

MACHINES = (cmd.SystemPick, cmd.DrawPrize)
"""What a jackpot system or its button says."""


def find_asker(command: cmd.Command, rules: Rules) -> Asker:
    """Whoever a command itself names."""
    by: str | None = getattr(command, "by", None)
    if by is not None:
        a_role = isinstance(command, cmd.Cut) and rules.rank(by) >= 0
        return Asker(by) if a_role else Asker(PLAYER, by)
    role: str | None = getattr(command, "role", None)
    if role is not None:
        return Asker(role, command.person if isinstance(command, cmd.Order) else "")
    if isinstance(command, MACHINES):
        return SYSTEM
    if isinstance(command, cmd.LoadShoe):
        return HOUSE
    player: str | None = getattr(command, "player", None)
    return DEALER if player is None else Asker(PLAYER, player)
