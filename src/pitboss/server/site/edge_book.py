"""What the lobby knows of the cost of tables: found beforehand for the usual ones, worked out for others when asked.

Side wagers change nothing about the main wager, so a table is looked up without them. The coach works out what is
not known, one table after another, while the lobby shows the rest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pitboss.errors import PitbossError
from pitboss.odds.known_tables import find_known, key_of
from pitboss.rulebooks import rules_for
from pitboss.rulebooks.model.rules import Rules

FindEdge = Callable[[Rules], Awaitable[float | None]]


class EdgeBook:
    """House edges on main wagers, by what they depend on."""

    def __init__(self, find_edge: FindEdge) -> None:
        self._find_edge = find_edge
        self._plain: dict[str, tuple[str, Rules]] = {}
        self._found: dict[str, float | None] = {}
        self._waiting: dict[str, Rules] = {}
        self._work: asyncio.Task[None] | None = None

    def look_up(self, rules: Rules) -> tuple[float | None, bool]:
        """The edge if it is known, and whether it is being worked out."""
        key, plain = self._strip(rules)
        if key not in self._found and key not in self._waiting:
            known = find_known(plain)
            if known is not None:
                self._found[key] = known.edges["main"]
            else:
                self._waiting[key] = plain
                if self._work is None or self._work.done():
                    self._work = asyncio.get_running_loop().create_task(self._work_out())
        return self._found.get(key), key in self._waiting

    def _strip(self, rules: Rules) -> tuple[str, Rules]:
        """The same table without side wagers, and the key of its main wager."""
        found = self._plain.get(rules.digest)
        if found is None:
            try:
                choices: dict[str, Any] = {**rules.chosen, "decks": rules.decks}
                plain = rules_for(rules.game, readings=rules.chosen_readings, **choices)
            except PitbossError:
                plain = rules
            found = self._plain[rules.digest] = (key_of(plain), plain)
        return found

    async def _work_out(self) -> None:
        while self._waiting:
            key, rules = next(iter(self._waiting.items()))
            self._found[key] = await self._find_edge(rules)
            del self._waiting[key]

    def close(self) -> None:
        """Work nothing out any more."""
        if self._work is not None:
            self._work.cancel()
