"""What is said about a side wager: outcomes with exact probabilities, expectation, variance, and the method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Literal

import msgspec

from pitboss.formats.frames import Tabular
from pitboss.formats.wording import percent, short_fraction
from pitboss.play.side_wagers.judges import JUDGES, LOSES
from pitboss.play.side_wagers.side_payments import net_of
from pitboss.rulebooks.model.rules import MeterShare, Rules, SideWager

Player = Literal["any", "wager", "game"]
"""Whose play the figures are for: it does not matter; one who plays for the side wager; one who plays the game best."""

PLAYERS: Mapping[Player, str] = {
    "any": "any player: nothing the player does matters",
    "wager": "a player who plays for the side wager",
    "game": "the game's best player, who does not look at the side wager",
}

LOST = "loses"
"""The outcome of a wager that loses."""


class SideOutcome(msgspec.Struct, frozen=True):
    """One thing that can happen to a wager of one unit."""

    id: str
    probability: Fraction
    net: Fraction
    """What the player is up or down, per unit staked."""
    clauses: tuple[str, ...] = ()
    prize: str = ""
    """The prize in words, where it is not a number of units: a share of a meter."""


class MeterWorth(msgspec.Struct, frozen=True):
    """What a prize meter adds to a wager."""

    meter: str
    value: Fraction | None
    """What the meter stands at, in money; none: not told, and counted as nothing."""
    share: Fraction
    """Expected prize per unit of money on the meter."""
    break_even: Fraction | None
    """Where it must stand, as it is paid, for the wager to be fair, the others standing as they do; none: never."""


class SideEdge(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The worth of a side wager, exactly, per unit staked."""

    game: str
    wager: str
    name: str
    decks: int
    """Number of decks; 0 is an infinite deck."""
    player: Player
    outcomes: tuple[SideOutcome, ...]
    expectation: Fraction
    """The player's, per unit staked."""
    variance: Fraction
    method: str
    error_bound: Fraction = Fraction(0)
    stake: Fraction = Fraction(1)
    """The stake in money, which matters only to meters and capped payouts."""
    meters: tuple[MeterWorth, ...] = ()
    fixed_part: Fraction | None = None
    """The expectation with every meter at zero; none for a wager without meters."""
    entry_probability: Fraction | None = None
    """How likely the wager wins an entry to a tournament; none for a wager without."""
    notes: tuple[str, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each unit staked; below zero where the wager favours the player."""
        return -self.expectation

    @property
    def favours_player(self) -> bool:
        """The player is expected to gain."""
        return self.expectation > 0

    @property
    def win_probability(self) -> Fraction:
        """How often the player ends up ahead."""
        return sum((outcome.probability for outcome in self.outcomes if outcome.net > 0), Fraction(0))

    def probability(self, outcome: str) -> Fraction:
        """How likely one outcome is."""
        return sum((found.probability for found in self.outcomes if found.id == outcome), Fraction(0))

    def __repr__(self) -> str:
        exact = short_fraction(self.house_edge)
        edge = f"{percent(self.house_edge, 4)}{f' = {exact}' if exact else ''}"
        return f"<SideEdge {self.wager} at {self.game}: house edge {edge}>"

    def rows(self) -> list[dict[str, object]]:
        """A row for each outcome."""
        return [
            {
                "game": self.game,
                "wager": self.wager,
                "decks": self.decks,
                "player": self.player,
                "outcome": outcome.id,
                "net": float(outcome.net),
                "probability": float(outcome.probability),
                "probability_exact": str(outcome.probability),
                "contribution": float(outcome.probability * outcome.net),
            }
            for outcome in self.outcomes
        ]


def moments(outcomes: Iterable[SideOutcome]) -> tuple[Fraction, Fraction]:
    """Expectation and variance."""
    mean = square = Fraction(0)
    for outcome in outcomes:
        mean += outcome.probability * outcome.net
        square += outcome.probability * outcome.net**2
    return mean, square - mean**2


def outcome_of(side: SideWager, name: str, probability: Fraction, net: Fraction, clauses_of: str = "") -> SideOutcome:
    """An outcome with the clauses the book has for it."""
    if name == LOST:
        return SideOutcome(name, probability, net, side.cite("loses"))
    return SideOutcome(name, probability, net, tuple(dict.fromkeys((*side.cite(clauses_of or name, "wins"),))))


def outcomes_of(
    side: SideWager,
    chances: Mapping[int, Fraction],
    stake: Fraction,
    meters: Mapping[str, Fraction] | None = None,
) -> list[SideOutcome]:
    """The outcomes of a wager that is settled in one round, from the chances of its judge's answers."""
    judge = JUDGES[side.judge]
    outcomes = []
    for name, odds in side.odds.items():
        if name not in judge.picks:
            place = judge.outcomes.index(name) + 1
            net = net_of(side, place, stake, meters or {}) / stake
            outcome = outcome_of(side, name, chances.get(place, Fraction(0)), net)
            prize = str(odds) if isinstance(odds, MeterShare) else ""
            outcomes.append(msgspec.structs.replace(outcome, prize=prize))
    outcomes.append(outcome_of(side, LOST, chances.get(LOSES, Fraction(0)), Fraction(-1)))
    return outcomes


def side_edge(
    rules: Rules,
    side: SideWager,
    outcomes: Iterable[SideOutcome],
    *,
    player: Player = "any",
    method: str,
    **more: object,
) -> SideEdge:
    """A result whose expectation and variance are those of its outcomes; impossible outcomes are left out."""
    possible = tuple(outcome for outcome in outcomes if outcome.probability)
    assert sum(outcome.probability for outcome in possible) == 1, f"{side.id}: the outcomes are not all there"
    expectation, variance = moments(possible)
    return SideEdge(
        game=rules.game, wager=side.id, name=side.name, decks=rules.decks, player=player, outcomes=possible,
        expectation=expectation, variance=variance, method=method, **more,  # type: ignore[arg-type]
    )  # fmt: skip
