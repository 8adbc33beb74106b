"""What a round record holds: one table, the rounds played at it, and what is recorded of their outcome.

Plain frozen data. A record says nothing that its text does not say; what follows from it is worked out by replaying.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

import msgspec

from pitboss.cards import Card
from pitboss.errors import PitbossError
from pitboss.formats.notebook_view import NotebookView
from pitboss.money import Money
from pitboss.rulebooks import Rulebook, RulebookError, Rules, rules_for
from pitboss.table.messages.commands import Command, PlaceBet
from pitboss.table.messages.notation import Result, words
from pitboss.table.state import Limits, Meter

FORMAT = 1
"""The version of the format, as `record = 1` names it."""

SUFFIX = ".round.toml"

Choice = bool | int | str | Decimal
"""The value of a house option."""


class RecordError(PitbossError):
    """A record that cannot be read: the file, the line, and what was expected there."""

    def __init__(self, file: str, line: int, expected: str) -> None:
        super().__init__(f"{file}:{line}: {expected}")
        self.file = file
        self.line = line
        self.expected = expected


class RecordedAction(msgspec.Struct, frozen=True):
    """Something done, or (`refused`) something that must be refused; `clause` is the one that refuses it."""

    command: Command
    refused: bool = False
    clause: str | None = None

    def __str__(self) -> str:
        if not self.refused:
            return words(self.command)
        text = words(self.command)
        names_it_already = text.startswith("!")
        return f"?{text}" if self.clause is None or names_it_already else f"?{text} @{self.clause}"


class Before(msgspec.Struct, frozen=True):
    """An order of the floor, an answer to it, or a refused wager, among the bets: before the bet of this index."""

    at: int
    action: RecordedAction


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One round: what was staked, dealt and done; and what is recorded of how it ended."""

    bets: tuple[PlaceBet, ...]
    orders: tuple[Before, ...] = ()
    """What stands among the bets: floor orders, answers of players who are asked by one, refused wagers."""
    deals: tuple[tuple[Card, ...], ...]
    """The cards in dealing order, grouped by the bars, which are only for readability."""
    actions: tuple[RecordedAction, ...] = ()
    results: tuple[Result, ...] | None = None
    """None: nothing is recorded, the round is to be played and settled."""
    dealer: tuple[Card, ...] | None = None
    meters: dict[str, Meter] = {}
    meters_after: dict[str, Money] = {}
    void: bool = False

    def __repr__(self) -> str:
        return f"<Round: {len(self.bets)} bets, {len(self.cards)} cards, {len(self.actions)} actions>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards, first card first."""
        return tuple(card for group in self.deals for card in group)


class Record(NotebookView, msgspec.Struct, frozen=True, kw_only=True):
    """One table and the rounds played at it, in a row."""

    game: str
    rounds: tuple[Round, ...]
    title: str = ""
    cites: tuple[str, ...] = ()
    options: dict[str, Choice] = {}
    readings: dict[str, str] = {}
    side_wagers: tuple[str, ...] = ()
    limits: Limits = Limits()
    places: int = 0
    """Boxes (playing areas) on the layout; 0: as many as the book allows."""

    def __repr__(self) -> str:
        title = f" '{self.title}'" if self.title else ""
        return f"<Record{title}, {self.game}, {len(self.rounds)} round{'s' * (len(self.rounds) != 1)}>"

    def rules(self, own_books: Iterable[Rulebook] = ()) -> Rules:
        """The rules of the table, resolved.

        A record need not say where the cards come from: a number of decks that the book has for a shuffling device
        alone says it.
        """
        books = tuple(own_books)
        try:
            return self._resolve(books, self.options)
        except RulebookError as refused:
            if "decks" not in self.options or "card_source" in self.options:
                raise
            try:
                return self._resolve(books, {**self.options, "card_source": "device"})
            except RulebookError:
                raise refused from None

    def _resolve(self, own_books: tuple[Rulebook, ...], options: dict[str, Choice]) -> Rules:
        return rules_for(self.game, own_books, readings=self.readings, side_wagers=self.side_wagers, **options)
