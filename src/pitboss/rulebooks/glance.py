"""A game at a glance: the values that tell games apart, in the few words a list or a sign has room for.

Every cell is read off `Rules`; nothing here knows a game by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from pitboss.rulebooks.model.rules import Rules

NATURAL_PAID = {
    "at-once": "at once",
    "at-once-unless-ten-or-ace": "at once against 2-9",
    "final": "with all others",
}
DOUBLE_TOTALS = {
    "hard-9-11": "hard 9-11",
    "9-11-ace-as-one": "9-11 with aces as 1",
    "9-11-no-ace": "9-11 without aces",
    "any-below-21": "any below 21",
}
DOUBLE_CARDS = {"two": "2 cards", "two-or-three": "2 or 3 cards", "two-or-more": "2 or more cards"}
DOUBLE_STAKE = {"equal": "equal stake", "up-to-original": "up to the stake", "token": "free"}
DEALER_NATURAL = {
    "all": "all",
    "busted-plus-one": "busted wagers and one original",
    "by-wager": "busted wagers and the original",
    "capped-at-original": "the original at most",
    "one-per-live-hand": "one stake of each live hand",
    "original": "the original",
}
CONTROL = {"seated-highest-nearest": "the seated player calls", "nearest-dealer": "the nearest to the dealer calls"}
UP_CARDS = {"23456789TJQK": "2-K", "23456789TJQKA": "any card", "TJQKA": "10-A", "JQKA": "J-A"}


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one game from another, in a few words each."""

    cards: str
    natural: str
    natural_paid: str
    natural_vs_natural: str
    insurance: str
    even_money: str
    sharing: str
    double: str
    split: str
    surrender: str
    soft_17: str
    dealer_22: str
    always_wins: str
    dealer_natural_takes: str
    absent: str
    specials: str

    def cells(self) -> dict[str, str]:
        """Heading to text, in the order in which they are read."""
        return {name.replace("_", " "): getattr(self, name) for name in self.__struct_fields__}


def at_a_glance(rules: Rules, hinges: Mapping[str, Iterable[str]] | None = None) -> Glance:
    """The rules of a game in few words; with `hinges` (`compare.turns_on`) a choice that would change one is named."""
    by = _Hinges(rules, hinges or {})
    return Glance(
        cards=f"{rules.decks or 'infinite'} x {rules.deck_cards}",
        natural=by("natural_odds", str(rules.natural_odds)),
        natural_paid=by("natural_paid", NATURAL_PAID[rules.natural_paid]),
        natural_vs_natural=by("natural_vs_natural", {"win": "wins"}.get(rules.natural_vs_natural, "stand-off")),
        insurance=_insurance(rules),
        even_money=by("even_money", "yes" if rules.even_money == "on-request-against-ace" else rules.even_money),
        sharing=f"{rules.sharers_max} on a box, {CONTROL[rules.control_rule]}" if rules.sharers_max > 1 else "no",
        double=_double(rules),
        split=_split(rules, by),
        surrender=_surrender(rules),
        soft_17=by("dealer_hits_soft_17", "hit" if rules.dealer_hits_soft_17 else "stand"),
        dealer_22="stand-off" if rules.dealer_push_total == 22 else "bust",
        always_wins=_always_wins(rules),
        dealer_natural_takes=DEALER_NATURAL[rules.dealer_natural_takes],
        absent=_absent(rules),
        specials=_specials(rules),
    )


def number_words(values: Iterable[int]) -> str:
    """Numbers as people write them: `4-8`, `3, 4, 6, 8`."""
    ordered = sorted(set(values))
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"{ordered[0]}-{ordered[-1]}"
    return ", ".join(map(str, ordered))


class _Hinges:
    """Adds to a cell the option that would change it."""

    def __init__(self, rules: Rules, hinges: Mapping[str, Iterable[str]]) -> None:
        self.options = rules.options
        self.hinges = hinges

    def __call__(self, parameter: str, text: str) -> str:
        options = [name for name in self.hinges.get(parameter, ()) if name in self.options and name != "decks"]
        return f"{text} (by {', '.join(options)})" if options else text


def _insurance(rules: Rules) -> str:
    offers = []
    if rules.insurance_on_ace:
        offers.append(f"ace {rules.insurance_odds_ace}")
    if rules.insurance_on_ten:
        offers.append(f"ten {rules.insurance_odds_ten}")
    if not offers:
        return "no"
    if not rules.insurance_with_natural:
        offers.append("not on a natural")
    if rules.insurance_per == "hand":
        offers.append("per hand")
    return ", ".join(offers)


def _double(rules: Rules) -> str:
    if rules.double_totals == "none":
        return "no"
    words = [DOUBLE_TOTALS[rules.double_totals], DOUBLE_CARDS[rules.double_cards], DOUBLE_STAKE[rules.double_stake]]
    return ", ".join(words)


def _split(rules: Rules, by: _Hinges) -> str:
    if rules.split_max_hands == 1:
        return "no"
    aces = ", aces again" if rules.split_aces_max_hands > 2 else ""
    free = ", free but for tens" if rules.split_stake == "token-except-tens" else ""
    return by("split_max_hands", f"{rules.split_max_hands} hands{aces}{free}")


def _surrender(rules: Rules) -> str:
    if rules.surrender_when == "never":
        return "no"
    cards = "".join(rules.surrender_up_cards)
    against = UP_CARDS.get(cards, " ".join(rules.surrender_up_cards))
    return f"{against}, {'early' if rules.surrender_vs_natural == 'half-stake-lost' else 'late'}"


def _always_wins(rules: Rules) -> str:
    hands = ["21"] if rules.player_21_wins else []
    if rules.five_card_win != "none":
        hands.append({"at-most-21": "5 cards", "below-21": "5 cards below 21"}[rules.five_card_win])
    return ", ".join(hands) or "-"


def _absent(rules: Rules) -> str:
    hard, soft = rules.absent_hard, rules.absent_soft
    return f"drawn to {hard}" if soft == hard else f"drawn to {hard}, soft {soft}"


def _specials(rules: Rules) -> str:
    found = {
        "no tens in the deck": rules.deck_cards == 48,
        "two boxes an area, switch": rules.switch,
        "hole card": rules.hole_card != "none",
        "21 wins": rules.player_21_wins,
        "five cards win": rules.five_card_win != "none",
        f"{len(rules.bonuses)} bonus hands": rules.bonus_table != "none",
        "Super Bonus": rules.super_bonus,
        "double rescue": rules.double_rescue,
        "free doubles and splits": rules.double_stake == "token",
        f"dealer {rules.dealer_push_total} pushes": rules.dealer_push_total is not None,
        "automatic draws": rules.auto_draw == "compulsory",
        "no even money": rules.even_money == "no",
        "ties lose": rules.tie == "lose",
    }
    return ", ".join(text for text, true in found.items() if true) or "-"
