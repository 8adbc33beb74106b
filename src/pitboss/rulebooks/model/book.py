"""What a rulebook holds, as it is written: layers, options, readings, side-wager modules, people and their powers.

Nothing here is chosen yet: `loader` makes a `Rulebook` from a file, and `resolve` makes `Rules` from a `Rulebook`, a
game and the choices of a house.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pitboss.formats.names import nearest
from pitboss.formats.notebook_view import NotebookView
from pitboss.rulebooks.model.rules import Authority, Bonus, DisputeStep, Notice, Role, Rules, SuperBonus
from pitboss.rulebooks.reading.values import Case, RulebookError

BONUS_HANDS = (
    "five-cards-21", "six-cards-21", "seven-cards-21",
    "678-mixed", "678-suited", "678-spades", "777-mixed", "777-suited", "777-spades",
)  # fmt: skip


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """An ambiguous clause, how it is read, and how else it could be."""

    id: str
    text: str
    default: str
    alternatives: tuple[str, ...]
    clauses: tuple[str, ...]
    games: tuple[str, ...] | None


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A choice that the house has: the allowed values (a union of cases) and the default."""

    id: str
    text: str
    default: tuple[Case, ...]
    allowed: tuple[Case, ...]
    """Cases whose value is a tuple of allowed values; empty for an amount of money."""
    clauses: tuple[str, ...]
    games: tuple[str, ...] | None

    @property
    def choices(self) -> tuple[Any, ...]:
        """Every value that can be chosen under some circumstances; none for an amount of money."""
        values = {(type(value), value): value for case in self.allowed for value in case.value}.values()
        return tuple(sorted(values) if all(type(value) is int for value in values) else values)


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """What one layer sets: parameters and the clauses of matters."""

    name: str
    parameters: dict[str, tuple[Case, ...]]
    matters: dict[str, tuple[Case, ...]]
    """Cases whose value is the clauses to cite."""


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a book: an overlay on the base or on another game."""

    id: str
    name: str
    summary: str
    extends: str | None
    alias_of: bool
    clauses: tuple[str, ...]
    layer: Layer
    options: dict[str, Option]
    bonuses: tuple[Bonus, ...]
    super_bonus: SuperBonus | None


class SideModule(msgspec.Struct, frozen=True, kw_only=True):
    """A side wager as the book has it, before a game and its options choose the pay table."""

    id: str
    name: str
    judge: str
    clauses: tuple[str, ...]
    matters: dict[str, tuple[Case, ...]]
    terms: dict[str, tuple[Case, ...]]
    requires: tuple[Case, ...]
    """Cases whose value is a table: `decks`, `deck_cards` to the numbers allowed."""
    pays: tuple[Case, ...]
    """Cases whose value is `(odds, prizes)`."""
    max_payout_option: str | None
    meters: tuple[str, ...]
    layer: Layer

    @property
    def hosts(self) -> frozenset[str]:
        """The games it may be offered at; `*` is all."""
        return frozenset(host for case in self.terms.get("hosts", ()) for host in case.value) or frozenset("*")


class Rulebook(NotebookView, msgspec.Struct, frozen=True, kw_only=True):
    """A whole book, checked."""

    id: str
    namespace: str
    name: str
    edition: str
    jurisdiction: str
    file: str
    ladder: tuple[Role, ...]
    bodies: tuple[Role, ...]
    authority: dict[str, Authority]
    notices: dict[str, Notice]
    disputes: tuple[DisputeStep, ...]
    options: dict[str, Option]
    readings: dict[str, Reading]
    base: Layer
    games: dict[str, Game]
    side_wagers: dict[str, SideModule]
    competitions: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Rulebook {self.name}, {self.edition}: {', '.join(self.games)}>"

    def rules(self, game: str, **choices: Any) -> Rules:
        """The resolved `Rules` of one game: options by name, `side_wagers=[...]`, `readings={...}`."""
        from pitboss.rulebooks.reading.resolve import resolve

        return resolve(self, game, choices)

    def game(self, name: str) -> Game:
        """The game of that name, with or without the book's namespace before it."""
        game = self.games.get(name.removeprefix(f"{self.namespace}/"))
        if game is None:
            raise RulebookError(f"'{name}' is not a game of {self.name}; {nearest(name, self.games)}")
        return game

    def lineage(self, game: Game) -> tuple[Game, ...]:
        """The game and what it extends, from the root down."""
        chain = [game]
        while (parent := chain[-1].extends) is not None:
            chain.append(self.games[parent])
        return tuple(reversed(chain))

    def options_of(self, game: Game) -> dict[str, Option]:
        """The choices a house has for a game: what the book says, or what the variation says instead."""
        found = dict(self.options)
        for layer in self.lineage(game):
            found.update(layer.options)
        return {name: option for name, option in found.items() if option.games is None or game.id in option.games}

    def readings_of(self, game: Game) -> dict[str, Reading]:
        """The ambiguous clauses that concern a game."""
        return {name: item for name, item in self.readings.items() if item.games is None or game.id in item.games}

    def side_wagers_of(self, game: Game) -> dict[str, SideModule]:
        """The side wagers that may be offered at a game, if nothing else is in the way."""
        return {name: item for name, item in self.side_wagers.items() if item.hosts & {"*", game.id}}
