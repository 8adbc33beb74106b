"""The odds against the table: on small shoes the recursions in fractions equal, to the last digit, all orders of the
cards dealt by the table engine; and they no longer do when a rule is broken on one side.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from enumeration import ByPosition, NotTheGame, by_odds_and_by_table, shoe_of, value_by_table
from msgspec.structs import replace

from pitboss.money import Money
from pitboss.odds.analysis import solution
from pitboss.odds.charts.chart import Chart, parse_chart
from pitboss.odds.hand.openings import cells
from pitboss.odds.what_if.vary import vary
from pitboss.play.packed import DOUBLE_ANY, Packed, pack
from pitboss.rulebooks import games, parse_user_book, rules_for
from pitboss.rulebooks.model.rules import Rules

pytestmark = pytest.mark.slow

OWN_BOOK = parse_user_book(Path("examples/las-vegas.toml").read_text(encoding="utf-8"), "las-vegas.toml")


def rules_of(game: str, **choices: Any) -> Rules:
    return rules_for(game, own_books=[OWN_BOOK], **choices)


PAIRS = "As As 8s 8s 8s Ts Ts Ts 9s 9s 3s"
"""Naturals, aces, eights and tens to split, soft hands."""
MORE_PAIRS = "As As 8s 8s 8s Ts Ts Ts Ts 9s 9s 3s"
"""The same, where three hands draw more cards."""
FOUR = "As As 8s 8s 8s 8s Ts Ts Ts Ts 9s 9s 9s"
"""Four hands of one box."""
LOW = "2s 2s 3s 3s 4s Ts Ts Ts Ts Ts 9s"
"""Hands of many cards, doubles."""
SOFT = "As As 6s 6s 6s 8s Ts Ts Ts Ts Ts"
"""Soft seventeens of the dealer."""
BONUS = "6s 7s 7s 7h 8s Ks Ks Ks Ks 9s"
"""6-7-8 and 7-7-7, in and out of suit."""
FIVE = "As 2s 2s 3s 4s 9s 9s Ks Ks Ks Ks"
"""Twenty-one with five cards."""
TWO_BOXES = "As As 8s 8s 8s Ts Ts Ts Ts Ts 9s 9s 9s"
"""Four cards, and two boxes that can both split."""

QUICK = [("star/blackjack", PAIRS, {}), ("melbourne/pontoon", BONUS, {})]
SLOW: list[tuple[str, str, dict[str, Any]]] = [
    ("perth/blackjack", PAIRS, {}),
    ("perth/blackjack", SOFT, {"layout": 7}),
    ("perth/vegas", PAIRS, {}),
    ("perth/vegas", LOW, {"readings": {"double_stops_any_total": "no"}}),
    ("perth/plus", LOW, {}),
    ("perth/plus", MORE_PAIRS, {"readings": {"plus_split_uses_6_1": "no"}}),
    ("rws/blackjack", FOUR, {}),
    ("rws/blackjack", FOUR, {"readings": {"bj_loss_scope": "one-per-hand", "surrender_lost_to_dealer_bj": "yes"}}),
    ("rws/blackjack", FOUR, {"readings": {"insurance_settle_time": "early-check"}}),
    ("star/blackjack", PAIRS, {"resplit": True}),
    ("star/blackjack", SOFT, {"readings": {"dealer_natural_collect": "by-wager"}}),
    ("star/switch", TWO_BOXES, {}),
    ("melbourne/blackjack", MORE_PAIRS, {}),
    ("melbourne/blackjack", MORE_PAIRS,
     {"auto_draw": True, "readings": {"busted_split_against_dealer_natural": "capped-at-original"}}),
    ("melbourne/pontoon", MORE_PAIRS.replace("T", "K"), {}),
    ("melbourne/vegas", PAIRS, {}),
    ("melbourne/crown", SOFT, {}),
    ("melbourne/premier", LOW, {}),
    ("melbourne/premium-doubling", LOW, {}),
    ("melbourne/sports", PAIRS, {}),
    ("melbourne/six-to-five-pontoon", LOW.replace("T", "K"), {}),
    ("melbourne/plus", LOW, {}),
    ("melbourne/plus", MORE_PAIRS, {}),
    ("melbourne/spanish", BONUS, {"readings": {"surrender_moment": "table-pass"}}),
    ("melbourne/select", LOW, {}),
    ("melbourne/free-bet", LOW, {}),
    ("melbourne/free-bet", FOUR.replace("3s", "Ts"), {}),
    ("melbourne/free-bet", FOUR.replace("3s", "Ts"), {"readings": {"free_split_stake": "last-hand"}}),
    ("las-vegas/blackjack", FOUR, {}),
    ("las-vegas/blackjack", FOUR, {"surrender": True, "soft_17": "hit"}),
]  # fmt: skip
SHOES = [*QUICK, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW)]


def test_every_game_has_a_small_shoe() -> None:
    assert {game for game, _, _ in [*QUICK, *SLOW]} == {*games(), "las-vegas/blackjack"}


@pytest.mark.parametrize(("game", "cards", "choices"), SHOES)
def test_a_small_shoe_is_worth_what_the_table_pays(game: str, cards: str, choices: dict[str, Any]) -> None:
    odds, table = by_odds_and_by_table(rules_of(game, **choices), cards)
    assert odds == table


def test_a_surrender_settled_at_once_costs_half_whatever_the_dealer_then_has() -> None:
    """The loader refuses a book that says otherwise: but what is settled is settled, whoever reckons it."""
    cards = "As Ts Ts Ts 6s 6s 9s 9s 9s"
    half, whole = (
        vary(rules_of("rws/blackjack", readings={"surrender_lost_to_dealer_bj": word}), "split_max_hands", 1)
        for word in ("no", "yes")
    )
    odds, table = by_odds_and_by_table(replace(whole, surrender_settled="at-once"), cards)
    assert odds == table == by_odds_and_by_table(half, cards)[0]
    assert odds > by_odds_and_by_table(whole, cards)[0]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["CDP1", "CDP"])
def test_a_player_with_more_memory_is_paid_what_the_method_says(method: str) -> None:
    odds, table = by_odds_and_by_table(rules_of("rws/blackjack"), FOUR, method=method)
    assert odds == table


CHART = """
hard 12  H H S S S H H H H H
hard 13  S S S S S H H H H H
hard 14  S S S S S H H H H H
hard 15  S S S S S H H H H H
hard 16  S S S S S H H H H H
hard 11  D D D D D D D D H H
hard 10  D D D D D D D D H H
pair 8   P P P P P P P P P P
pair A   P P P P P P P P P P
"""


@pytest.mark.parametrize(
    ("game", "cards"),
    [
        ("perth/blackjack", PAIRS),
        pytest.param("melbourne/vegas", LOW, marks=pytest.mark.slow),
        pytest.param("star/switch", TWO_BOXES, marks=pytest.mark.slow),
    ],
)
def test_a_chart_is_worth_what_the_table_pays_who_follows_it(game: str, cards: str) -> None:
    odds, table = by_odds_and_by_table(rules_of(game), cards, chart=parse_chart(CHART))
    assert odds == table


@pytest.mark.slow
def test_who_looks_at_suits_is_paid_the_super_bonus_as_said() -> None:
    rules = vary(rules_of("melbourne/pontoon"), "split_max_hands", 1)  # a split is priced at its mean over suits
    shoe, counted = shoe_of("6s 7s 7s 7s 7h 8s Ks Ks Ks 9s")
    position = solution(pack(rules), shoe).position
    stake = 25
    units = Fraction(rules.super_bonus_sums.pays(Money(stake))) / stake  # type: ignore[union-attr]
    found = list(cells(position, units))
    odds = sum((cell.chance * cell.seen for cell in found), start=Fraction(0))
    assert odds > sum((cell.chance * cell.seen for cell in cells(position)), start=Fraction(0))
    assert odds == value_by_table(rules, counted, ByPosition(position, found, suits=True), stake)


# ---------------------------------------------------------------------- rules broken on purpose

BOLD = parse_chart("""
hard 5   D D D D D D D D D D
hard 6   D D D D D D D D D D
hard 7   D D D D D D D D D D
hard 8   D D D D D D D D D D
hard 9   D D D D D D D D D D
hard 12  D D D D D D D D D D
hard 13  D D D D D D D D D D
hard 14  S S S S S S S S S S
hard 15  S S S S S S S S S S
hard 16  S S S S S S S S S S
pair 8   P P P P P P P P P P
pair A   P P P P P P P P P P
rescue 12  F F F F F F F F F F
rescue 13  F F F F F F F F F F
rescue 14  F F F F F F F F F F
rescue 15  F F F F F F F F F F
""")
"""A player who does everything there is, so that no rule goes unused."""

PATIENT = parse_chart("""
hard 9   D D D D D D D D D D
hard 10  D D D D D D D D D D
hard 11  D D D D D D D D D D
hard 12  S S S S S S S S S S
hard 13  S S S S S S S S S S
hard 14  S S S S S S S S S S
hard 15  S S S S S S S S S S
hard 16  S S S S S S S S S S
""")
"""A player who draws to nine, ten and eleven, and then doubles."""

BROKEN: list[tuple[str, str, Chart | None, dict[str, Any]]] = [
    ("star/blackjack", SOFT, None, {"dealer_stands_soft": 18}),
    ("star/blackjack", PAIRS, None, {"dealer_natural_takes": 2}),
    ("perth/blackjack", PAIRS, None, {"dealer_natural_takes": 1}),
    ("star/blackjack", PAIRS, None, {"natural_odds_win": 6, "natural_odds_stake": 5}),
    ("perth/blackjack", MORE_PAIRS, BOLD, {"split_max_hands": 2}),
    ("perth/blackjack", MORE_PAIRS, BOLD, {"split_aces_one_card": 0}),
    ("perth/blackjack", LOW, BOLD, {"double_totals": DOUBLE_ANY}),
    ("melbourne/vegas", PAIRS, None, {"surrender_vs_natural": 1}),
    ("melbourne/premier", LOW, PATIENT, {"double_cards": 2}),
    ("melbourne/six-to-five-pontoon", FIVE, None, {"bonus_win": (1, 2, 2, 3, 3, 2, 3, 3, 2, 3)}),
    ("melbourne/premier", LOW, BOLD, {"double_rescue": 1}),
    ("melbourne/free-bet", LOW, None, {"dealer_push_total": 0}),
    ("melbourne/free-bet", FIVE.replace("K", "T"), PATIENT, {"double_stake": 0}),
    ("perth/plus", LOW, None, {"five_card_win": 0}),
    ("perth/plus", PAIRS, None, {"player_21_wins": 0}),
]  # fmt: skip


def agree(rules: Rules, cards: str, packed: Packed, chart: Chart | None = None) -> bool:
    try:
        odds, table = by_odds_and_by_table(rules, cards, packed, chart)
    except NotTheGame:
        return False
    return odds == table


@pytest.mark.parametrize(
    ("game", "cards", "chart", "wrong"),
    [case if place < 2 else pytest.param(*case, marks=pytest.mark.slow) for place, case in enumerate(BROKEN)],
)
def test_a_rule_broken_in_the_odds_shows(game: str, cards: str, chart: Chart | None, wrong: dict[str, Any]) -> None:
    rules = rules_of(game)
    packed = pack(rules)
    assert any(getattr(packed, name) != value for name, value in wrong.items())
    assert not agree(rules, cards, packed._replace(**wrong), chart)


PLAYED = [(game, cards, chart) for game, cards, chart, _ in BROKEN if chart is not None]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "cards", "chart"), PLAYED)
def test_a_chart_is_paid_as_said_where_no_rule_is_broken(game: str, cards: str, chart: Chart) -> None:
    rules = rules_of(game)
    assert agree(rules, cards, pack(rules), chart)


@pytest.mark.slow
def test_a_rule_broken_at_the_table_shows() -> None:
    rules = rules_of("perth/blackjack")
    assert not agree(rules_of("perth/blackjack", layout=7), SOFT, pack(rules))
