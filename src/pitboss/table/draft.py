"""What a decision is worked out with: a state that grows by events, and the way to say no.

A draft belongs to one decision. When something is refused on the way, the draft is dropped and nothing has happened.
Here it knows neither how events fold nor what can go wrong at a table: `working` puts these in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Self

import msgspec

from pitboss.money import Money
from pitboss.rulebooks.model.book import Rulebook
from pitboss.table.messages import events as ev
from pitboss.table.state import Settlement, State

Fold = Callable[[State, Any], State]
"""What one kind of event does to a table."""


class Refusal(msgspec.Struct, frozen=True):
    """The answer to a command that the rules do not allow. The table has not changed."""

    reason: str
    """Why not, in one sentence."""
    clauses: tuple[str, ...]
    """The clauses that refuse it."""
    legal: tuple[str, ...] = ()
    """What is legal instead."""

    @property
    def why(self) -> str:
        """The reason with its clauses."""
        return f"{self.reason} (clause {', '.join(self.clauses)})" if self.clauses else self.reason

    def __str__(self) -> str:
        return f"{self.why}; legal now: {', '.join(self.legal)}" if self.legal else self.why


class Refused(Exception):
    """Raised inside `decide` and turned into a `Refusal` there."""

    def __init__(self, reason: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clauses = clauses


class Draft:
    """The events so far, and the state after them."""

    __slots__ = ("cite", "events", "own_books", "state")

    folds: ClassVar[Mapping[type[ev.Event], Fold]] = {}
    """What each kind of event does to the table."""

    def __init__(self, state: State, own_books: Iterable[Rulebook] = ()) -> None:
        self.state = state
        self.own_books = own_books
        """Rulebooks beside the built-in ones, for what changes the rules."""
        self.events: list[ev.Event] = []
        self.cite = state.rules.clauses
        """Clauses for an event, by matters: they are the same all through a decision."""

    def try_out(self) -> Self:
        """A draft that goes on from here, to be kept or dropped."""
        return type(self)(self.state, self.own_books)

    def keep(self, trial: Draft) -> None:
        """What was tried out happens."""
        self.events.extend(trial.events)
        self.state = trial.state

    def emit(self, event: ev.Event) -> None:
        """Something happens."""
        self.state = self.folds[event.__class__](self.state, event)
        self.events.append(event)

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

    def mend_before_hand(self, at: tuple[int, int] | None) -> bool:
        """Do what a mishap has made due before the hand `at` acts (None: no hand is left); False if nothing is."""
        return False

    def mend_before_dealer(self) -> None:
        """Do what a mishap has made due before the dealer's hand is played."""

    def mend_before_settlement(self) -> None:
        """Do what a mishap has made due before the final settlement."""
