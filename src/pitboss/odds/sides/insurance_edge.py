"""Insurance and even money: what the dealer's second card is worth to a bet on it.

Knowing the up card only, and knowing the player's own two cards as well, from a fresh shoe. The insurance of other
boxes is the same bet seen with more cards; the exact figure for cards seen in play is a matter of the composition
left.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from pitboss.cards import VALUE
from pitboss.formats.frames import Tabular
from pitboss.formats.wording import percent
from pitboss.money import Odds
from pitboss.odds.sides.counting import Pack, pack_of
from pitboss.play import insurance
from pitboss.play.naturals import makes_natural, natural_odds
from pitboss.play.packed import pack as pack_rules
from pitboss.rulebooks.model.rules import Rules

METHOD = "the dealer's second card from a fresh shoe less the cards seen, counted exactly"
ACE, TEN = 1, 10
NAMES = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "T")


class HandInsurance(msgspec.Struct, frozen=True):
    """Insurance by a player who holds two cards, told by value."""

    hand: str
    wins: Fraction
    expectation: Fraction
    allowed: bool
    """The rules let this hand insure."""


class Insurance(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """Insurance against one up card, per unit insured."""

    up_card: str
    odds: Odds
    wins: Fraction
    expectation: Fraction
    variance: Fraction
    hands: tuple[HandInsurance, ...]
    clauses: tuple[str, ...]
    method: str = METHOD

    def __repr__(self) -> str:
        return f"<Insurance against {self.up_card} at {self.odds}: house edge {percent(self.house_edge, 4)}>"

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each unit insured, the up card alone being known."""
        return -self.expectation

    def hand(self, name: str) -> HandInsurance:
        """The figures for a hand such as `"T9"`, in any order."""
        wanted = sorted(name)
        return next(hand for hand in self.hands if sorted(hand.hand) == wanted)

    def rows(self) -> list[dict[str, object]]:
        """A row for each hand of the player's."""
        return [
            {
                "up_card": self.up_card,
                "hand": hand.hand,
                "wins": float(hand.wins),
                "expectation": float(hand.expectation),
                "expectation_exact": str(hand.expectation),
                "allowed": hand.allowed,
            }
            for hand in self.hands
        ]


class EvenMoney(msgspec.Struct, frozen=True):
    """A natural against an ace: paid one to one now, or left to the dealer's second card."""

    taken: Fraction
    left: Fraction
    clauses: tuple[str, ...]


class InsuranceOdds(msgspec.Struct, frozen=True, kw_only=True):
    """What a game offers on the dealer's natural; none where it does not."""

    game: str
    decks: int
    on_ace: Insurance | None
    on_ten: Insurance | None
    even_money: EvenMoney | None


def insurance_odds(rules: Rules) -> InsuranceOdds:
    """Insurance against an ace and against a ten, and even money, as far as the game has them."""
    on_ace, on_ten = (_insurance(rules, up) for up in (ACE, TEN))
    return InsuranceOdds(
        game=rules.game, decks=rules.decks, on_ace=on_ace, on_ten=on_ten, even_money=_even_money(rules)
    )


def second_card(pack: Pack, value: int, seen: tuple[int, ...]) -> Fraction:
    """How likely the next card has this value, when cards of the values in `seen` are gone."""
    per_deck = sum(VALUE[card] == value for card in pack.deck)
    return Fraction(pack.left(per_deck, seen.count(value)), pack.left(pack.size, len(seen)))


def _insurance(rules: Rules, up: int) -> Insurance | None:
    packed, pack, needed = pack_rules(rules), pack_of(rules), TEN if up == ACE else ACE
    if not insurance.insurance_offered(packed, up - 1):
        return None
    odds = Odds(*insurance.odds_of_insurance(packed, up - 1))
    pays = Fraction(*odds)
    wins = second_card(pack, needed, (up,))
    expectation = wins * pays - (1 - wins)
    hands = []
    for one in range(1, 11):
        for other in range(one, 11):
            chance = second_card(pack, needed, (up, one, other))
            allowed = insurance.hand_may_insure(packed, makes_natural(one - 1, other - 1))
            hands.append(HandInsurance(NAMES[other] + NAMES[one], chance, chance * pays - (1 - chance), allowed))
    return Insurance(
        up_card=NAMES[up], odds=odds, wins=wins, expectation=expectation,
        variance=wins * pays**2 + (1 - wins) - expectation**2, hands=tuple(hands),
        clauses=rules.clauses("insurance_offer", f"insurance_odds_{'ace' if up == ACE else 'ten'}"),
    )  # fmt: skip


def _even_money(rules: Rules) -> EvenMoney | None:
    packed = pack_rules(rules)
    if not insurance.even_money_offered(packed, ACE - 1, True):
        return None
    stands = second_card(pack_of(rules), TEN, (ACE, ACE, TEN))
    return EvenMoney(Fraction(1), Fraction(*natural_odds(packed)) * (1 - stands), rules.clauses("even_money"))
