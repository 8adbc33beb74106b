"""What is asked for at a table of a game: the house's options, readings, side wagers, and your own rulebooks.

The command line and the front door fill in the same `HouseChoices`, so a choice means the same and is refused in the
same words wherever it is made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.rulebooks import Rulebook, RulebookError, Rules, find_game
from pitboss.rulebooks.reading.values import read_plain


class HouseChoices(NamedTuple):
    """Choices that hold for any game; what is left out takes the book's default."""

    options: Mapping[str, Any] = {}
    readings: Mapping[str, str] = {}
    side_wagers: tuple[str, ...] = ()
    own_books: tuple[Rulebook, ...] = ()
    """Rulebooks of the user's, looked at before the built-in ones."""

    def keywords(self) -> dict[str, Any]:
        """The choices as `Rulebook.rules` takes them."""
        return {**self.options, "side_wagers": list(self.side_wagers), "readings": dict(self.readings)}

    def resolve(self, game: str) -> tuple[Rulebook, Rules]:
        """The book of a game and its rules with these choices."""
        book, found = find_game(game, self.own_books)
        return book, book.rules(found.id, **self.keywords())

    def applying_to(self, game: str) -> HouseChoices:
        """Those of the choices that a game knows: it need not have every option, reading and side wager of another."""
        book, found = find_game(game, self.own_books)
        options, readings, wagers = book.options_of(found), book.readings_of(found), book.side_wagers_of(found)
        return HouseChoices(
            {name: value for name, value in self.options.items() if name in options},
            {name: value for name, value in self.readings.items() if name in readings},
            tuple(name for name in self.side_wagers if name in wagers),
            self.own_books,
        )

    def possible(self, game: str, option: str) -> tuple[Any, ...]:
        """The values of an option that can be chosen beside these choices, in the book's order."""
        book, found = find_game(game, self.own_books)
        values = []
        for value in book.options_of(found)[option].choices:
            with contextlib.suppress(RulebookError):
                self._replace(options={**self.options, option: value}).resolve(game)
                values.append(value)
        return tuple(values)

    def why_not(self, game: str, wager: str) -> str:
        """Why a side wager cannot be offered beside these choices; nothing if it can."""
        try:
            self._replace(side_wagers=(*self.side_wagers, wager)).resolve(game)
        except RulebookError as error:
            return str(error)
        return ""

    def with_only(self, wager: str) -> HouseChoices:
        """The same table with one side wager on offer and no other."""
        return self._replace(side_wagers=(wager,))

    def each_side_wager(self, game: str) -> tuple[list[str], dict[str, str]]:
        """The side wagers that a game could offer one at a time with these choices, and why not the others."""
        book, found = find_game(game, self.own_books)
        offered, refused = [], {}
        for wager in book.side_wagers_of(found):
            why = self._replace(side_wagers=()).why_not(game, wager)
            if why:
                refused[wager] = why
            else:
                offered.append(wager)
        return offered, refused


def as_typed(value: object) -> str:
    """The value of an option as it is typed on a command line."""
    return read_plain(value).strip('"')


def as_rules(game: Rules | str) -> Rules:
    """Resolved rules as they are, or those of a game by its id, with its book's defaults."""
    if isinstance(game, Rules):
        return game
    if not isinstance(game, str):
        raise RulebookError(f"{game!r} is neither rules nor the name of a game such as 'melbourne/pontoon'")
    return HouseChoices().resolve(game)[1]
