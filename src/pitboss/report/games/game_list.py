"""The list of games: each with what it costs, its book and its main rules at a glance, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pitboss.formats.wording import percent
from pitboss.money import Money, show
from pitboss.odds.known_tables import find_known
from pitboss.report.terminal_tables import print_note, print_table
from pitboss.rulebooks import Game, Rulebook, Rules
from pitboss.rulebooks.differences import turns_on
from pitboss.rulebooks.glance import Glance, at_a_glance, number_words
from pitboss.rulebooks.house_choices import HouseChoices

COLUMNS = {
    "natural": "natural",
    "decks": "cards",
    "soft 17": "soft_17",
    "name": "",
    "surrender": "surrender",
    "split": "split",
    "also": "specials",
    "double": "double",
    "book": "",
}
"""Heading to the field of a glance; the columns that a narrow terminal leaves out stand last."""


class Pace(NamedTuple):
    """How somebody plays: what is staked on a round, all original wagers together, and how many rounds an hour has."""

    stake: Money = Money(25)
    rounds_per_hour: int = 60

    def cost(self, edge: float) -> float:
        """What an hour costs on average, in the money of the stake."""
        return edge * float(self.stake) * self.rounds_per_hour


class ListedGame(NamedTuple):
    """A game as it is listed."""

    book: Rulebook
    game: Game
    rules: Rules
    glance: Glance
    decks: tuple[int, ...]
    house_edge: float | None
    """With best play; none for a game that comes without its figures, such as one of your own."""

    @property
    def id(self) -> str:
        return self.rules.game

    @property
    def cells(self) -> dict[str, str]:
        """The main rules, by heading."""
        names = {"name": self.game.name, "book": self.book.name}
        cells = {heading: names.get(heading) or getattr(self.glance, field) for heading, field in COLUMNS.items()}
        if len(self.decks) > 1:
            cells["decks"] = f"{self.rules.decks} ({number_words(self.decks)}) x {self.rules.deck_cards}"
        return cells


def list_games(books: Sequence[Rulebook]) -> Iterator[ListedGame]:
    """The games of the books, in their order, each with the book's default choices."""
    for book in books:
        for game in book.games.values():
            rules = book.rules(game.id)
            hinges = turns_on(book, rules, {}, options_only=True)
            decks = tuple(sorted(HouseChoices(own_books=(book,)).possible(rules.game, "decks")))
            worth = find_known(rules)
            edge = None if worth is None else worth.edges["main"]
            yield ListedGame(book, game, rules, at_a_glance(rules, hinges), decks, edge)


def list_data(listed: ListedGame, pace: Pace) -> dict[str, Any]:
    """A game for programs."""
    edge = listed.house_edge
    book, game, rules = listed.book, listed.game, listed.rules
    return {
        "game": rules.game,
        "name": rules.name,
        "book": {"id": book.id, "name": book.name, "edition": book.edition, "jurisdiction": book.jurisdiction},
        "extends": None if game.extends is None else f"{book.namespace}/{game.extends}",
        "clauses": list(game.clauses),
        "summary": game.summary,
        "house_edge": edge,
        "per_hour": {
            "cost": None if edge is None else pace.cost(edge),
            "stake": float(pace.stake),
            "rounds": pace.rounds_per_hour,
        },
        "decks": {"default": rules.decks, "allowed": list(listed.decks), "cards": rules.deck_cards},
        "at_a_glance": {field: getattr(listed.glance, field) for field in Glance.__struct_fields__},
        "side_wagers": list(book.side_wagers_of(game)),
        "options": list(rules.options),
        "digest": rules.digest,
    }


def print_games(found: Sequence[ListedGame], pace: Pace) -> None:
    """The games for people, a line to a game."""
    head = ("game", "edge", "per hour", *COLUMNS)
    rows = [(one.id, *_worth(one, pace), *one.cells.values()) for one in found]
    print_table("", head, rows, fixed=3, numbers=("edge", "per hour"), see="pitboss rules GAME")
    print_note(
        f"Per hour: what the house edge costs on average at {show(pace.stake)} a round and {pace.rounds_per_hour} "
        "rounds an hour, with best play and the book's default options."
    )


def _worth(listed: ListedGame, pace: Pace) -> tuple[str, str]:
    edge = listed.house_edge
    return ("", "") if edge is None else (percent(edge), f"{pace.cost(edge):.2f}")
