"""What `decide` works with: a state that grows by events, and the way to say no.

A draft belongs to one call of `decide`. When something is refused on the way, the draft is dropped and nothing has
happened.
"""

from __future__ import annotations

import msgspec

from pitboss.money import Money
from pitboss.table import events as ev
from pitboss.table.evolve import FOLDS, Step
from pitboss.table.state import Settlement, State


class Refusal(msgspec.Struct, frozen=True):
    """No: why, by which clauses, and what would be legal. The table has not changed."""

    reason: str
    clauses: tuple[str, ...]
    legal: tuple[str, ...] = ()

    def __str__(self) -> str:
        cited = f" (clause {', '.join(self.clauses)})" if self.clauses else ""
        would_do = f"; legal now: {', '.join(self.legal)}" if self.legal else ""
        return f"{self.reason}{cited}{would_do}"


class Refused(Exception):
    """Raised inside `decide` and turned into a `Refusal` there."""

    def __init__(self, reason: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clauses = clauses


class Draft:
    """The events so far, and the state after them."""

    __slots__ = ("cite", "events", "state", "steps")

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[ev.Event] = []
        self.steps: list[Step] = []
        self.cite = state.rules.clauses
        """Clauses for an event, by matters: they are the same all through a decision."""

    def emit(self, event: ev.Event) -> None:
        """Something happens."""
        before = self.state
        self.state = after = FOLDS[event.__class__](before, event)
        self.events.append(event)
        self.steps.append((before, event, after))

    def refuse(self, reason: str, *matters: str) -> Refused:
        """A refusal that cites the clauses of `matters`."""
        return Refused(reason, self.cite(*matters))

    def settle(
        self, box: str, hand: int, player: str, wager: str, stake: Money, net: Money, outcome: str,
        clauses: tuple[str, ...], *, interim: bool = False,
    ) -> None:  # fmt: skip
        """A main wager or insurance is decided."""
        settlement = Settlement(box, hand, player, wager, stake, net, outcome, clauses, interim)
        self.emit(ev.WagerSettled(settlement=settlement, clauses=clauses))
