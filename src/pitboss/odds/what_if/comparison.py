"""Games ranked by house edge, and each game compared with itself after one rule is changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from pitboss.formats.frames import Tabular
from pitboss.formats.wording import percent
from pitboss.odds.analysis import analyse
from pitboss.odds.edge import Edge
from pitboss.rulebooks import Rules
from pitboss.rulebooks.house_choices import as_rules


class Ranked(msgspec.Struct, frozen=True):
    """A game in a comparison."""

    game: str
    name: str
    decks: int
    house_edge: float
    chart_house_edge: float
    """Of a player who follows the best chart by totals."""
    variance: float
    method: str
    error_bound: float


class Comparison(Tabular, msgspec.Struct, frozen=True):
    """Games from the least house edge to the greatest."""

    games: tuple[Ranked, ...]

    def __repr__(self) -> str:
        best = f", the best {self.games[0].game} at {percent(self.games[0].house_edge)}" if self.games else ""
        return f"<Comparison of {len(self.games)} games{best}>"

    def rows(self) -> list[dict[str, object]]:
        """A row for each game."""
        return [msgspec.structs.asdict(game) for game in self.games]


class Change(msgspec.Struct, frozen=True):
    """One rule of one game changed."""

    game: str
    rule: str
    """The parameter, option or reading that was changed."""
    before: str
    after: str
    house_edge: float
    difference: float
    """What the change is worth to the house, per unit of the original wager."""
    method: str
    error_bound: float


class WhatIf(Tabular, msgspec.Struct, frozen=True):
    """Changes of rules, the best for the player first within each game."""

    changes: tuple[Change, ...]

    def __repr__(self) -> str:
        games = ", ".join(dict.fromkeys(change.game for change in self.changes))
        return f"<WhatIf of {games}: {len(self.changes)} changes>"

    def rows(self) -> list[dict[str, object]]:
        """A row for each change."""
        return [msgspec.structs.asdict(change) for change in self.changes]


def compare(games: Iterable[Edge | Rules | str]) -> Comparison:
    """Games ranked by house edge: the edges of `pitboss.odds`, or rules and ids of games, which are analysed first."""
    found = [
        Ranked(
            edge.game,
            edge.name,
            edge.decks,
            edge.house_edge,
            -edge.chart_expectation,
            edge.variance,
            edge.method,
            edge.error_bound,
        )
        for edge in map(_edge_of, games)
    ]
    return Comparison(tuple(sorted(found, key=lambda game: (game.house_edge, game.game))))


def _edge_of(game: Edge | Rules | str) -> Edge:
    return game if isinstance(game, Edge) else analyse(as_rules(game))


def change(base: Edge, changed: Edge, rule: str, before: str, after: str) -> Change:
    """What a changed rule is worth against the game as it is."""
    return Change(
        base.game,
        rule,
        before,
        after,
        changed.house_edge,
        changed.house_edge - base.house_edge,
        changed.method,
        base.error_bound + changed.error_bound,
    )


def what_if(changes: Sequence[Change]) -> WhatIf:
    """Changes in order: games as they came, the best for the player first."""
    order = {game: place for place, game in enumerate(dict.fromkeys(change.game for change in changes))}
    return WhatIf(tuple(sorted(changes, key=lambda change: (order[change.game], change.rule, change.difference))))
