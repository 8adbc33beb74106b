"""What is said about a game: its worth, its variance, how to play it, and where the worth comes from.

Figures are per unit of the original wager (on Blackjack Switch, of the two wagers together) and for the first round of
a full shoe.
"""

from __future__ import annotations

import msgspec

from pitboss.formats.frames import Tabular
from pitboss.formats.wording import percent
from pitboss.odds.charts.chart import Chart


class OpeningWorth(msgspec.Struct, frozen=True):
    """Two cards against an up card."""

    cards: str
    """Values, the lower first, ace before all: `"A8"`, `"8T"`."""
    up: str
    chance: float
    """Of these cards and this up card together."""
    value: float
    """Expectation of the box with best play."""
    action: str
    actions: dict[str, float]
    """Expectation of each action that is open."""


class Departure(msgspec.Struct, frozen=True):
    """A hand for which the best action is not the chart's."""

    cards: str
    up: str
    action: str
    chart: str
    gain: float
    """What the better action is worth more, for that hand."""


class SuperBonusWorth(msgspec.Struct, frozen=True):
    """The Super Bonus, which pays a fixed sum and so depends on the stake."""

    stake: str
    pays: str
    chance: float
    """Of winning it, for a player who looks for it."""
    worth: float
    """What it adds to the expectation per unit, the play that it asks for included."""
    by_values: float
    """What best play by values alone, which does not look for it, gets of it per unit."""
    by_chart: float
    """What the chart gets of it per unit."""


class ChartWorth(msgspec.Struct, frozen=True):
    """What a game is worth to a player who follows a chart; figures as in `Edge`, the Super Bonus left out."""

    expectation: float
    variance: float
    variance_error_bound: float
    error_bound: float
    by_up_card: dict[str, float]
    outcomes: dict[str, float]
    parts: dict[str, float]
    nets: dict[float, float] = {}
    nets_error_bound: float = 0.0


class Edge(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The worth of a game."""

    game: str
    name: str
    decks: int
    """Number of decks; 0 is an infinite deck."""
    method: str
    """How the hands of a split are played: see docs/methods.md."""
    expectation: float
    """The player's, per unit of the original wager, with the Super Bonus where it was asked for."""
    expectation_exact: str = ""
    """The same as a fraction, where it was worked out in fractions."""
    variance: float
    """Of the net result per unit."""
    variance_error_bound: float
    """The most that `variance` can be off; 0 means exact up to the rounding of floats."""
    error_bound: float
    """The most that `expectation` can be off for its method; 0 means exact up to the rounding of floats."""
    strategy: Chart
    """The best chart by totals."""
    chart_expectation: float
    """What a player who follows `strategy` expects; of the Super Bonus, what the chart gets without looking for it."""
    departures: tuple[Departure, ...]
    """Opening hands for which the best play is not the chart's."""
    by_up_card: dict[str, float]
    openings: tuple[OpeningWorth, ...]
    outcomes: dict[str, float]
    """Hands per round that end in each way; the hands of a split each count."""
    parts: dict[str, float]
    """The expectation by where it comes from."""
    nets: dict[float, float] = {}
    """How often a round comes to each net result, per unit; the Super Bonus left out. Empty for Switch."""
    nets_error_bound: float = 0.0
    """The most that can be elsewhere: boxes of more than two hands are taken to be independent given the dealer's."""
    suit_gain: float = 0.0
    """What looking at suits adds for a player who otherwise decides by values."""
    super_bonus: SuperBonusWorth | None = None
    switch_rate: float | None = None
    """How often a switch is right; none for other games."""
    seconds: float | None = None

    @property
    def house_edge(self) -> float:
        """What the house keeps of each unit staked; below zero where the game favours the player."""
        return -self.expectation

    @property
    def house_edge_without_super_bonus(self) -> float:
        """The house edge leaving the Super Bonus out."""
        return self.house_edge + (self.super_bonus.worth if self.super_bonus is not None else 0.0)

    @property
    def house_edge_by_values(self) -> float:
        """The house edge for best play by values alone: by a player who does not look at suits."""
        met = self.super_bonus.by_values if self.super_bonus is not None else 0.0
        return self.house_edge_without_super_bonus - met

    @property
    def house_edge_exact(self) -> str:
        """The house edge as a fraction, where it is known as one."""
        if not self.expectation_exact:
            return ""
        return self.expectation_exact[1:] if self.expectation_exact.startswith("-") else f"-{self.expectation_exact}"

    @property
    def chart_cost(self) -> float:
        """What playing by the chart costs against the best play."""
        return self.expectation - self.chart_expectation

    @property
    def standard_deviation(self) -> float:
        """Of the net result per unit."""
        return float(self.variance**0.5)

    def __repr__(self) -> str:
        decks = "an infinite deck" if self.decks == 0 else f"{self.decks} deck{'s' * (self.decks > 1)}"
        return f"<Edge {self.game}, {decks}: house edge {percent(self.house_edge, 4)}, method {self.method}>"

    def rows(self) -> list[dict[str, object]]:
        """A row for every opening hand and up card."""
        return [
            {
                "game": self.game, "cards": opening.cards, "up": opening.up, "chance": opening.chance,
                "expectation": opening.value, "action": opening.action,
                **{f"expectation_{name}": opening.actions.get(name) for name in ACTION_COLUMNS},
            }
            for opening in self.openings
        ]  # fmt: skip


ACTION_COLUMNS = ("stand", "hit", "double", "split", "surrender")
