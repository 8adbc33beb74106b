"""For somebody who chooses a table: the games by book, and what makes each special, read off its resolved rules.

Nothing here knows a game by its name. A sentence is kept with the parameters it comes from, so that its clauses can
be shown.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from pitboss.rulebooks import Rulebook, games, load_book
from pitboss.rulebooks.model.rules import Rules


class Special(msgspec.Struct, frozen=True):
    """One remarkable rule in plain words, with its clauses."""

    text: str
    clauses: tuple[str, ...]


Books = tuple[Rulebook, ...]
"""Rulebooks of the player's own."""

Teller = Callable[[Rules], str]
"""The sentence, or nothing where the rule is the usual one."""


def headings(books: Books = ()) -> list[tuple[Rulebook, tuple[str, ...]]]:
    """The books with their games, in order; the player's own ones first."""
    own = [(book, tuple(f"{book.namespace}/{game}" for game in book.games)) for book in books]
    there = {game for _, names in own for game in names}
    found: dict[str, list[str]] = {}
    for game, (book_id, _) in games().items():
        if game not in there:
            found.setdefault(book_id, []).append(game)
    return [*own, *((load_book(book_id), tuple(names)) for book_id, names in found.items())]


def specials(rules: Rules) -> tuple[Special, ...]:
    """What somebody who knows plain blackjack would want to be told, the most unusual first."""
    found = []
    for parameters, tell in _TELLERS:
        if text := tell(rules):
            found.append(Special(text, rules.clauses(*parameters)))
    return tuple(found)


def _switch(rules: Rules) -> str:
    return "you play two boxes and may exchange their second cards" if rules.switch else ""


def _tokens(rules: Rules) -> str:
    doubles, splits = rules.double_stake == "token", rules.split_stake == "token-except-tens"
    if doubles and splits:
        return "doubles are free, and so are splits except of tens: the house puts up a token"
    if doubles:
        return "doubles are free: the house puts up a token"
    return "splits are free except of tens: the house puts up a token" if splits else ""


def _no_tens(rules: Rules) -> str:
    return "48-card packs: no tens, but jacks, queens and kings stay" if rules.deck_cards == 48 else ""


def _twenty_one(rules: Rules) -> str:
    return "your 21 always wins" if rules.player_21_wins else ""


def _naturals_meet(rules: Rules) -> str:
    return f"your {rules.natural_name} beats the dealer's" if rules.natural_vs_natural == "win" else ""


def _natural_odds(rules: Rules) -> str:
    odds = rules.natural_odds
    return f"a {rules.natural_name} pays {odds.win} to {odds.stake}" if tuple(odds) != (3, 2) else ""


def _five_cards(rules: Rules) -> str:
    if rules.five_card_win == "none":
        return ""
    limit = "21 or less" if rules.five_card_win == "at-most-21" else "less than 21"
    return f"five cards of {limit} win whatever the dealer has"


def _bonuses(rules: Rules) -> str:
    if not rules.bonuses or rules.bonus_table == "none":
        return ""
    best = max((bonus.odds for bonus in rules.bonuses), key=lambda odds: odds.win * 1000 // odds.stake)
    return f"6-7-8, 7-7-7 and 21 in five or more cards are paid extra, up to {best.win} to {best.stake}"


def _super_bonus(rules: Rules) -> str:
    return "suited 7-7-7 against a seven is paid a Super Bonus" if rules.super_bonus else ""


def _push_total(rules: Rules) -> str:
    return f"the dealer's {rules.dealer_push_total} is a push, not a bust" if rules.dealer_push_total else ""


def _no_choices(rules: Rules) -> str:
    missing = [name for name in ("double", "split") if name not in rules.actions]
    return f"no {' and no '.join(missing)}" if missing else ""


def _auto_draw(rules: Rules) -> str:
    return "the dealer draws to every low hand for you" if rules.auto_draw == "compulsory" else ""


def _rescue(rules: Rules) -> str:
    return "double rescue: take a double back and lose the original wager" if rules.double_rescue else ""


def _double_cards(rules: Rules) -> str:
    if "double" not in rules.actions:
        return ""
    words = {"two-or-three": "double on two or three cards", "two-or-more": "double on any number of cards"}
    any_two = "double on any two cards" if rules.double_totals == "any-below-21" else ""
    return words.get(rules.double_cards, any_two)


def _double_totals(rules: Rules) -> str:
    words = {
        "hard-9-11": "double on hard 9, 10, 11 only",
        "9-11-ace-as-one": "double on 9, 10, 11 only, an ace counting one",
        "9-11-no-ace": "double on 9, 10, 11 only, and never with an ace",
    }
    return words.get(rules.double_totals, "")


def _surrender(rules: Rules) -> str:
    if rules.surrender_when == "never":
        return ""
    cards = "".join(rules.surrender_up_cards)
    against = {"TJQKA": "a ten or an ace", "JQKA": "a picture or an ace", "23456789TJQK": "anything but an ace"}
    return f"surrender against {against.get(cards, ', '.join(rules.surrender_up_cards))}"


def _soft_17(rules: Rules) -> str:
    return "the dealer draws on soft 17" if rules.dealer_hits_soft_17 else "the dealer stands on every 17"


def _hole(rules: Rules) -> str:
    return "" if rules.hole_card == "none" else "the dealer takes a hole card"


def _splits(rules: Rules) -> str:
    if "split" not in rules.actions:
        return ""
    again = ", aces too" if rules.split_aces_max_hands > 2 else ""
    return f"split to {rules.split_max_hands} hands{again}"


def _dealer_natural(rules: Rules) -> str:
    if "split" not in rules.actions and "double" not in rules.actions:
        return ""
    if rules.dealer_natural_takes == "all":
        return "a dealer's natural takes all doubles and splits"
    return "a dealer's natural does not take all doubles and splits"


def _ties(rules: Rules) -> str:
    return "ties lose" if rules.tie == "lose" else ""


def _insurance(rules: Rules) -> str:
    return "insurance against a ten too" if rules.insurance_on_ten else ""


_TELLERS: tuple[tuple[tuple[str, ...], Teller], ...] = (
    (("switch",), _switch),
    (("free_double", "free_split"), _tokens),
    (("deck_cards",), _no_tens),
    (("player_21_wins",), _twenty_one),
    (("five_card_win",), _five_cards),
    (("natural_vs_natural",), _naturals_meet),
    (("natural_odds",), _natural_odds),
    (("dealer_push_total",), _push_total),
    (("tie",), _ties),
    (("actions",), _no_choices),
    (("auto_draw",), _auto_draw),
    (("bonus_table",), _bonuses),
    (("super_bonus",), _super_bonus),
    (("double_cards",), _double_cards),
    (("double_totals",), _double_totals),
    (("double_rescue",), _rescue),
    (("surrender_offer",), _surrender),
    (("insurance_on_ten",), _insurance),
    (("hole_card",), _hole),
    (("dealer_hits_soft_17",), _soft_17),
    (("split_max_hands", "split_aces_max_hands"), _splits),
    (("dealer_natural_takes",), _dealer_natural),
)
