"""Effects of removal: what taking one card of each value out of the full shoe does to a wager, exactly.

The game is solved again with one card less, ten times; side wagers and insurance are counted again. To first order,
what a wager is worth at any time follows from these ten numbers and from what the shoe holds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec

from pitboss.cards import VALUE, Card, deck
from pitboss.errors import PitbossError
from pitboss.formats.frames import Tabular
from pitboss.formats.names import nearest
from pitboss.odds.analysis import analyse, basic_strategy, price_by_chart
from pitboss.odds.cards.composition import Composition, of_cards
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.charts.best_play import best_play_of
from pitboss.odds.charts.chart import Chart
from pitboss.odds.sides import PLAY_DECIDES, Pack, side_odds
from pitboss.play.hands import ACE, TEN
from pitboss.play.insurance import insurance_halves, insurance_offered, odds_of_insurance
from pitboss.play.packed import pack
from pitboss.play.side_wagers.judges import BY_TOKENS, JUDGES
from pitboss.rulebooks.model.rules import Rules

MAIN, INSURANCE, INSURANCE_ON_TENS = "main", "insurance", "insurance-on-tens"
VALUES = "A23456789T"
"""The values of cards, as effects and tags are written."""
TEN_RANKS = "TJQK"
SUITS = "shdc"


class RemovalError(PitbossError):
    """A question about removed cards that has no answer."""


class RemovalEffects(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What the removal of single cards does to one wager."""

    game: str
    wager: str
    """`main`, `insurance` (against an ace, per unit insured), `insurance-on-tens`, or the name of a side wager."""
    decks: int
    cards: int
    """Cards of the full shoe."""
    expectation: float
    """The player's, from the full shoe."""
    shares: dict[str, float]
    """Share of each value in the full shoe."""
    effects: dict[str, float]
    """Value of the card removed -> what it adds to the player's expectation."""
    method: str
    stake_per_round: float = 1.0
    """What can be staked on it in a round of one unit, on average: half a unit of insurance, where an ace shows."""

    @property
    def centred(self) -> dict[str, float]:
        """Effects less their mean over the shoe, which is nothing but for rounding and the shoe's size."""
        mean = sum(self.shares[value] * effect for value, effect in self.effects.items())
        return {value: effect - mean for value, effect in self.effects.items()}

    @property
    def spread(self) -> float:
        """Root mean square of the effects: how much there is to count."""
        return math.sqrt(sum(self.shares[value] * effect**2 for value, effect in self.centred.items()))

    def deviation(self, cards_left: float) -> float:
        """Standard deviation of the expectation when so many cards are left, to first order."""
        gone = max(self.cards - cards_left, 0.0)
        return self.spread * math.sqrt(max(self.cards - 1, 1) * gone / max(cards_left, 1.0))

    def rows(self) -> list[dict[str, object]]:
        """A row for each value."""
        return [
            {"game": self.game, "wager": self.wager, "decks": self.decks, "card": value, "effect": self.effects[value]}
            for value in VALUES
        ]

    def __repr__(self) -> str:
        shown = ", ".join(f"{value} {100 * self.effects[value]:+.4f}" for value in "5T")
        return f"<RemovalEffects {self.game}, {self.wager}: {shown} %>"


def removal_effects(rules: Rules, wager: str = MAIN, *, chart: Chart | None = None) -> RemovalEffects:
    """The effects of removal on a wager of a table; on the main wager for a player of the chart, or of the best."""
    if rules.decks == 0:
        raise RemovalError("an infinite deck loses no cards: name a number of decks")
    if wager == MAIN:
        return _of_main(rules, chart or basic_strategy(rules))
    if wager in (INSURANCE, INSURANCE_ON_TENS):
        return _of_insurance(rules, ACE if wager == INSURANCE else TEN)
    return _of_side_wager(rules, wager)


def full_shoe(rules: Rules) -> list[Card]:
    """Every card of the full shoe."""
    return [*deck(rules.deck_cards)] * rules.decks


def shares_of(cards: list[Card]) -> dict[str, float]:
    """The share of each value in some cards."""
    return {value: sum(VALUES[VALUE[card] - 1] == value for card in cards) / len(cards) for value in VALUES}


def _less_one(cards: list[Card], value: str) -> list[Card]:
    """The shoe without one card of a value."""
    less = list(cards)
    less.remove(next(card for card in cards if VALUES[VALUE[card] - 1] == value))
    return less


def _of_main(rules: Rules, chart: Chart) -> RemovalEffects:
    packed, cards = pack(rules), full_shoe(rules)

    def worth(shoe: Composition) -> float:
        shoe = shoe.keeping_distributions()
        if packed.switch:
            from pitboss.odds.switch.switch_analysis import expectation_by_chart

            return float(expectation_by_chart(packed, shoe, chart))
        return float(price_by_chart(packed, shoe, chart).expectation)

    whole = worth(of_cards(cards, FLOATS))
    found = {value: worth(of_cards(_less_one(cards, value), FLOATS)) - whole for value in VALUES}
    method = "the game by its chart of totals, solved again with one card less; without the Super Bonus"
    return _effects_of(rules, MAIN, cards, whole, found, method)


def insurance_name(up: int) -> str:
    """The name of insurance against an up card."""
    return INSURANCE if up == ACE else INSURANCE_ON_TENS


def _of_insurance(rules: Rules, up: int) -> RemovalEffects:
    packed, cards = pack(rules), full_shoe(rules)
    shown, partner = ("A", "T") if up == ACE else ("T", "A")
    if not insurance_offered(packed, up):
        raise RemovalError(f"{rules.game} has no insurance against {'an ace' if up == ACE else 'a ten'}")
    win, stake = odds_of_insurance(packed, up)
    partners, left = sum(VALUES[VALUE[card] - 1] == partner for card in cards), len(cards) - 1

    def worth(of_partners: int, of_cards_left: int) -> float:
        return of_partners / of_cards_left * (1 + win / stake) - 1

    whole = worth(partners, left)
    found = {value: worth(partners - (value == partner), left - 1) - whole for value in VALUES}
    method = f"{'tens' if up == ACE else 'aces'} among the cards left, the up card seen, counted"
    made = _effects_of(rules, insurance_name(up), cards, whole, found, method)
    return msgspec.structs.replace(made, stake_per_round=made.shares[shown] * insurance_halves(packed) / 2)


def _of_side_wager(rules: Rules, wager: str) -> RemovalEffects:
    side = rules.side_wager(wager)
    if side is None:
        hint = nearest(wager, [MAIN, INSURANCE, INSURANCE_ON_TENS, *(item.id for item in rules.side_wagers)])
        raise RemovalError(f"{wager} is not on offer at this table of {rules.game}; {hint}")
    cards = full_shoe(rules)
    best = best_play_of(analyse(rules)) if side.judge in PLAY_DECIDES else None

    def worth(held: list[Card]) -> float:
        return float(side_odds(rules, wager, best_play=best, pack=Pack(1, tuple(held))).expectation)

    whole = worth(cards)
    by_value = JUDGES[side.judge].looks_at == BY_TOKENS
    found = {}
    for value in VALUES:
        tried = list(_alike(value))[: 1 if by_value else None]
        changes = [worth(_without_card(cards, card)) - whole for card in tried if card in cards]
        found[value] = sum(changes) / len(changes) if changes else 0.0
    return _effects_of(
        rules, wager, cards, whole, found, "all ways to deal the deciding cards with one card less, counted"
    )


def _alike(value: str) -> Iterator[Card]:
    """Cards of a value: every suit, and for tens every rank with them."""
    for place, suit in enumerate(SUITS):
        yield f"{TEN_RANKS[-1 - place] if value == 'T' else value}{suit}"


def _without_card(cards: list[Card], card: Card) -> list[Card]:
    less = list(cards)
    less.remove(card)
    return less


def _effects_of(
    rules: Rules, wager: str, cards: list[Card], whole: float, found: dict[str, float], method: str
) -> RemovalEffects:
    return RemovalEffects(
        game=rules.game, wager=wager, decks=rules.decks, cards=len(cards), expectation=whole, shares=shares_of(cards),
        effects=found, method=method,
    )  # fmt: skip
