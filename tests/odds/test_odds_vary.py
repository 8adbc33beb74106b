"""One rule changed: what must change with it does, and what could not be played is refused."""

from __future__ import annotations

import pytest

from pitboss.money import Odds
from pitboss.odds import analyse
from pitboss.odds.what_if.vary import DECIDING, SENSIBLE, VaryError, alternatives, parse_value, vary
from pitboss.play.packed import pack
from pitboss.rulebooks import games, rules_for
from pitboss.rulebooks.model.parameters import TYPES
from pitboss.rulebooks.reading.contradictions import contradictions

OPEN = {
    "absent_hard", "absent_soft", "actions", "auto_draw_hard", "auto_draw_soft", "insurance_odds_ten",
    "surrender_below",
}  # fmt: skip
"""Parameters of which any value may be asked for, so that none is tried by itself."""


def test_a_parameter_of_any_value_wants_it_said() -> None:
    for parameter in OPEN:
        with pytest.raises(VaryError, match=f"{parameter}=VALUE"):
            alternatives(rules_for("star/blackjack"), parameter)


@pytest.mark.parametrize("game", games())
def test_every_alternative_of_every_game_could_be_played(game: str) -> None:
    rules = rules_for(game)
    for parameter in sorted(DECIDING):
        for value in alternatives(rules, parameter) if parameter not in OPEN else ():
            changed = vary(rules, parameter, value)
            assert getattr(changed, parameter) == value
            assert not list(contradictions(changed))
            pack(changed)


def test_the_dealer_who_draws_on_soft_17_is_the_same_however_it_is_said() -> None:
    rules = rules_for("perth/blackjack", layout=1)
    hits = vary(rules, "dealer_hits_soft_17", True)
    assert pack(hits) == pack(vary(rules, "dealer_stands_soft", 18)) == pack(rules_for("perth/blackjack", layout=7))
    assert pack(vary(hits, "dealer_hits_soft_17", False)) == pack(rules)
    assert hits.cite("dealer_hits_soft_17").layer == "what if"


def test_a_surrender_that_opens_brings_its_terms() -> None:
    rules = rules_for("melbourne/blackjack")
    late = vary(rules, "surrender_when", "own-turn")
    assert "surrender" in late.actions
    assert late.surrender_up_cards
    assert late.surrender_vs_natural == "whole-stake-lost"
    closed = vary(rules_for("melbourne/vegas"), "surrender_up_cards", ())
    assert closed.surrender_when == "never"
    assert "surrender" not in closed.actions


def test_a_surrender_that_is_settled_at_once_costs_half() -> None:
    lost = rules_for("rws/blackjack", readings={"surrender_lost_to_dealer_bj": "yes"})
    assert vary(lost, "surrender_settled", "at-once").surrender_vs_natural == "half-stake-lost"
    kept = vary(rules_for("rws/blackjack"), "surrender_vs_natural", "whole-stake-lost")
    assert kept.surrender_settled == "final"
    paid_first = vary(rules_for("star/switch"), "switch_after_paid_natural", True)
    assert paid_first.natural_paid == "final"
    assert not vary(paid_first, "natural_paid", "at-once").switch_after_paid_natural


@pytest.mark.slow
def test_tens_that_only_split_by_rank_change_nothing_where_nobody_splits_them() -> None:
    rules = rules_for("melbourne/blackjack", decks=4)
    base, by_rank = analyse(rules), analyse(vary(rules, "split_match", "rank"))
    assert by_rank.house_edge == pytest.approx(base.house_edge, abs=1e-12)


def test_a_game_without_splits_can_be_given_them() -> None:
    select = rules_for("melbourne/select")
    split = vary(select, "split_max_hands", 3)
    assert "split" in split.actions
    assert split.split_stake == "equal"
    none = vary(rules_for("perth/blackjack"), "split_max_hands", 1)
    assert "split" not in none.actions
    assert none.split_aces_max_hands == 2


@pytest.mark.parametrize(
    ("parameter", "value", "complaint"),
    [
        ("switch", True, "actions must have switch"),
        ("bonus_table", "pontoon", "bonus_table has no rows"),
        ("dealer_stands_hard", 25, "12 to 21"),
        ("boxes_max", 3, "does not change what a game is worth"),
        ("dealer_hits_soft_71", True, "did you mean"),
    ],
)
def test_what_cannot_be_is_refused(parameter: str, value: object, complaint: str) -> None:
    with pytest.raises(VaryError, match=complaint):
        vary(rules_for("melbourne/blackjack"), parameter, value)


@pytest.mark.parametrize(
    ("parameter", "text", "value"),
    [
        ("dealer_hits_soft_17", "true", True),
        ("dealer_hits_soft_17", "no", False),
        ("split_max_hands", "4", 4),
        ("natural_odds", "6:5", Odds(6, 5)),
        ("double_totals", "any-below-21", "any-below-21"),
        ("surrender_up_cards", "TJQKA", tuple("TJQKA")),
        ("surrender_up_cards", "T,A", ("T", "A")),
        ("max_cards", "none", None),
        ("decks", "inf", 0),
    ],
)
def test_values_are_read_as_a_command_line_writes_them(parameter: str, text: str, value: object) -> None:
    assert parse_value(parameter, text) == value


@pytest.mark.parametrize(
    ("parameter", "text"),
    [("split_max_hands", "many"), ("natural_odds", "1.5"), ("double_totals", "all"), ("decks", "0")],
)
def test_a_value_of_the_wrong_kind_is_refused(parameter: str, text: str) -> None:
    with pytest.raises(VaryError, match=parameter):
        parse_value(parameter, text)


def test_sensible_values_are_of_parameters_that_are_there() -> None:
    assert set(SENSIBLE) <= set(TYPES) & DECIDING
