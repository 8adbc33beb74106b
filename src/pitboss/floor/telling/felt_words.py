"""What is printed on the layout of a table, in the words of real layouts, drawn from the rules alone.

Whoever draws a felt needs nothing else: its lines with the clauses they come from, its bonus table, a spot for each
wager, and the chips that are used there. Nothing here knows a game by its name.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

import msgspec

from pitboss.money import Money, Odds, show
from pitboss.records.narrate.settlements import outcome_words
from pitboss.rulebooks.model.rules import MeterShare, Rules
from pitboss.table.state import Limits

CHIPS = tuple(Money(value) for value in ("0.5", "1", "2.5", "5", "25", "100", "500", "1000", "5000", "25000"))
"""The chips of a floor, as far as the smallest one of a table allows."""
PICTURES = {"TJQKA": "a ten, a picture or an ace", "JQKA": "a picture or an ace", "23456789TJQK": "2 to king",
            "23456789TJQKA": "any card"}  # fmt: skip


class FeltLine(msgspec.Struct, frozen=True):
    """A line of the layout, and the clauses that it says in short."""

    text: str
    clauses: tuple[str, ...]
    kind: str
    """What it is about: `natural`, `dealer`, `insurance` are printed along the curve, others below it."""


class FeltPayment(msgspec.Struct, frozen=True):
    """A hand or an outcome, and what it pays."""

    name: str
    pays: str
    clauses: tuple[str, ...]


class FeltSpot(msgspec.Struct, frozen=True):
    """A place for a side wager, at each box or each area."""

    wager: str
    name: str
    short: str
    """A few letters that no other wager of the table has."""
    per_area: bool
    """One for both boxes of an area."""
    pays: tuple[FeltPayment, ...]
    meters: tuple[str, ...]
    clauses: tuple[str, ...]


class FeltBox(msgspec.Struct, frozen=True):
    """A box of the layout, and where a main wager on it is placed: on the box, or on the area with both its boxes."""

    number: str
    area: str


class Felt(msgspec.Struct, frozen=True, kw_only=True):
    """A layout."""

    book: str
    """Where its clauses stand."""
    title: str
    natural: str
    lines: tuple[FeltLine, ...]
    bonuses: tuple[FeltPayment, ...]
    spots: tuple[FeltSpot, ...]
    boxes: tuple[FeltBox, ...]
    chips: tuple[Money, ...]
    tokens: bool
    """Free tokens are laid beside wagers."""
    decks: int
    deck_cards: int


@functools.lru_cache(maxsize=256)
def describe_felt(rules: Rules, chip: Money | None) -> Felt:
    """The layout of a table whose smallest chip is `chip`."""
    return Felt(
        book=rules.book,
        title=rules.name,
        natural=rules.natural_name,
        lines=tuple(_list_lines(rules)),
        bonuses=tuple(_list_bonuses(rules)),
        spots=_list_spots(rules),
        boxes=tuple(_list_boxes(rules)),
        chips=tuple(value for value in CHIPS if chip is None or (value >= chip and value % chip == 0)),
        tokens=rules.double_stake == "token" or rules.split_stake != "equal",
        decks=rules.decks,
        deck_cards=rules.deck_cards,
    )


def find_felt(rules: Rules, limits: Limits) -> Felt:
    """The layout of a table under its sign."""
    return describe_felt(rules, limits.chip)


def say_odds(odds: Odds) -> str:
    """`3 to 2`; `evens` for even money."""
    return "evens" if odds.win == odds.stake else f"{odds.win} to {odds.stake}"


def _list_lines(rules: Rules) -> Iterator[FeltLine]:
    def line(kind: str, text: str, *matters: str) -> FeltLine:
        return FeltLine(text, rules.clauses(*matters), kind)

    yield line("natural", f"{rules.natural_name} pays {say_odds(rules.natural_odds)}", "natural_odds")
    soft = "hit soft 17" if rules.dealer_hits_soft_17 else "stand on all 17s"
    yield line("dealer", f"Dealer must draw to 16 and {soft}", "dealer_hits_soft_17")
    yield _word_insurance(rules)
    if rules.dealer_push_total is not None:
        yield line("rule", f"Dealer's {rules.dealer_push_total} is a push", "dealer_push_total")
    if rules.natural_vs_natural == "win":
        yield line("rule", f"Player's {rules.natural_name} beats dealer's", "natural_vs_natural")
    if rules.player_21_wins:
        yield line("rule", "Player's 21 always wins", "player_21_wins")
    if rules.five_card_win != "none":
        most = "21 or less" if rules.five_card_win == "at-most-21" else "20 or less"
        yield line("rule", f"Five cards of {most} win", "five_card_win")
    if rules.tie == "lose":
        yield line("rule", "Ties lose", "tie")
    if rules.switch:
        yield line("rule", "The second cards of two boxes may be switched", "switch")
    if rules.double_stake == "token":
        free = "Free doubles on hard 9, 10 and 11" if rules.double_totals == "hard-9-11" else "Doubles are free"
        yield line("rule", free, "double_stake", "double_totals")
    if rules.split_stake == "token-except-tens":
        yield line("rule", "Splits are free, except tens", "split_stake")
    if rules.surrender_when != "never":
        cards = "".join(rules.surrender_up_cards)
        against = PICTURES.get(cards, ", ".join(rules.surrender_up_cards))
        yield line("rule", f"Surrender against {against}", "surrender_up_cards")


def _word_insurance(rules: Rules) -> FeltLine:
    offers = []
    if rules.insurance_on_ace:
        offers.append(say_odds(rules.insurance_odds_ace))
    ten = rules.insurance_odds_ten
    if rules.insurance_on_ten and ten is not None and say_odds(ten) not in offers:
        offers.append(f"{say_odds(ten)} against a ten")
    text = f"Insurance pays {', '.join(offers)}" if offers else "No insurance"
    return FeltLine(text, rules.clauses("insurance_on_ace"), "insurance")


def _list_bonuses(rules: Rules) -> Iterator[FeltPayment]:
    if rules.bonus_table != "none":
        for bonus in rules.bonuses:
            yield FeltPayment(outcome_words(bonus.hand), say_odds(bonus.odds), bonus.clauses)
    if rules.super_bonus and rules.super_bonus_sums is not None:
        sums = rules.super_bonus_sums
        for least, paid in sums.tiers:
            name = "super bonus" if least <= 1 else f"super bonus from {show(least)}"
            yield FeltPayment(name, show(paid), sums.clauses)


def _list_spots(rules: Rules) -> tuple[FeltSpot, ...]:
    taken: set[str] = set()
    return tuple(
        FeltSpot(
            wager=side.id,
            name=side.name,
            short=_shorten(side.name, taken),
            per_area=rules.boxes_per_area == 2,
            pays=tuple(
                FeltPayment(outcome_words(name), _say_payment(odds), side.cite(name, "pays"))
                for name, odds in side.odds.items()
            ),
            meters=side.meters,
            clauses=side.cite("introduced"),
        )
        for side in rules.side_wagers
    )


def _say_payment(odds: Odds | MeterShare) -> str:
    return str(odds) if isinstance(odds, MeterShare) else say_odds(odds)


def _shorten(name: str, taken: set[str]) -> str:
    words = name.replace("-", " ").split()
    ends = "".join(word if word.isdigit() else word[0].upper() for word in words[1:])
    for letters in range(1, max(map(len, words)) + 1):
        short = words[0][:letters] + ends
        if len(short) > 1 and short not in taken:
            break
    else:
        short = name
    taken.add(short)
    return short


def _list_boxes(rules: Rules) -> Iterator[FeltBox]:
    parts = ("",) if rules.boxes_per_area == 1 else ("a", "b")
    for area in range(1, rules.boxes_max + 1):
        for part in parts:
            yield FeltBox(f"{area}{part}", str(area))
