"""The second moment and the distribution of a round: against all orders of small shoes, and against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from enumeration import squares_by_odds_and_by_table
from msgspec.structs import replace

from pitboss.odds import analyse
from pitboss.odds.analysis import exact_second_moment, solution
from pitboss.odds.cards.composition import fresh, of_cards
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.splits import joint_results
from pitboss.odds.splits.joint_results import BoxCounter
from pitboss.play.packed import pack
from pitboss.rulebooks import parse_user_book, rules_for
from pitboss.rulebooks.model.rules import Rules

pytestmark = pytest.mark.slow

OWN_BOOK = parse_user_book(Path("examples/las-vegas.toml").read_text(encoding="utf-8"), "las-vegas.toml")
PAIRS = "As As 8s 8s 8s Ts Ts Ts 9s 9s 3s"
FOUR = "As As 8s 8s 8s 8s Ts Ts Ts Ts 9s 9s 9s"
LOW = "2s 2s 3s 3s 4s Ts Ts Ts Ts Ts 9s"
BONUS = "6s 7s 7s 7h 8s Ks Ks Ks Ks 9s"


def rules_of(game: str, **choices: Any) -> Rules:
    return rules_for(game, own_books=[OWN_BOOK], **choices)


@pytest.mark.parametrize(
    ("game", "cards", "choices"),
    [
        ("las-vegas/blackjack", FOUR, {}),
        ("las-vegas/blackjack", FOUR, {"surrender": True, "soft_17": "hit"}),
        ("star/blackjack", PAIRS, {}),
        ("star/blackjack", PAIRS, {"readings": {"dealer_natural_collect": "by-wager"}}),
        ("melbourne/pontoon", BONUS, {}),
        ("melbourne/plus", LOW, {}),
        ("melbourne/premier", LOW, {}),
        ("melbourne/free-bet", FOUR.replace("3s", "Ts"), {}),
        ("perth/vegas", PAIRS, {}),
    ],
)
def test_the_square_of_a_round_is_what_the_table_pays(game: str, cards: str, choices: dict[str, Any]) -> None:
    odds, table = squares_by_odds_and_by_table(rules_of(game, **choices), cards)
    assert odds == table


@pytest.mark.parametrize("game", ["las-vegas/blackjack", "star/blackjack", "melbourne/free-bet"])
def test_what_is_left_out_of_a_split_is_less_than_its_bound(game: str) -> None:
    """One deck, in which cards matter most: every dealer's hand worked out, and put together from two."""
    packed = pack(rules_of(game))
    shoe = of_cards([rank + suit for rank in "A23456789TJQK" for suit in "shdc"], FLOATS).keeping_distributions()
    found = solution(packed, shoe)
    split = [cell for cell in found.cells if cell.action == "split" and cell.up in (4, 6, 9)][:6]
    assert split
    near, exact = BoxCounter(packed, shoe), BoxCounter(packed, shoe)
    exact.is_exact = True
    for cell in split:
        boxes = [counter.count(cell.first, cell.up, found.position.splits[cell.first]) for counter in (near, exact)]
        assert abs(boxes[0].second - boxes[1].second) <= boxes[0].error
        assert boxes[0].error < boxes[1].second / 10


def test_hands_two_by_two_leave_the_dealers_second_difference_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the term with a card of each hand the figure would be another one."""
    rules = replace(rules_of("las-vegas/blackjack"), split_max_hands=2)
    whole = analyse(rules).variance
    slopes = joint_results.find_slopes
    monkeypatch.setattr(
        joint_results, "find_slopes", lambda *given: slopes(*given)._replace(second=0 * slopes(*given).second)
    )
    assert analyse(rules).variance != whole
    assert analyse(rules).variance == pytest.approx(whole, abs=2e-5)


def test_game_a_split_once_has_the_deviation_that_others_found() -> None:
    edge = analyse(replace(rules_of("las-vegas/blackjack"), split_max_hands=2))
    assert edge.standard_deviation == pytest.approx(1.14654, abs=5e-6)
    assert 100 * edge.house_edge == pytest.approx(0.456886, abs=1e-6)
    assert 0 < edge.variance_error_bound < 1e-4


@pytest.mark.parametrize("game", ["las-vegas/blackjack", "star/blackjack", "melbourne/pontoon", "melbourne/free-bet"])
def test_the_nets_of_a_round_have_its_mean_and_its_variance(game: str) -> None:
    edge = analyse(rules_of(game), super_bonus=False)
    mean = sum(net * often for net, often in edge.nets.items())
    square = sum(net * net * often for net, often in edge.nets.items())
    most = max(abs(net) for net in edge.nets)
    assert sum(edge.nets.values()) == pytest.approx(1.0, abs=1e-9)
    assert mean == pytest.approx(edge.expectation, abs=most * edge.nets_error_bound + 1e-9)
    assert square - mean * mean == pytest.approx(
        edge.variance, abs=most**2 * edge.nets_error_bound + edge.variance_error_bound + 1e-9
    )
    assert edge.nets_error_bound < 0.001


def test_floats_have_the_second_moment_of_fractions() -> None:
    packed = pack(rules_of("las-vegas/blackjack"))
    shoe = fresh(packed, FLOATS).keeping_distributions()
    edge = analyse(rules_of("las-vegas/blackjack"))
    second = exact_second_moment(packed, shoe)
    assert second - edge.expectation**2 == pytest.approx(edge.variance, abs=1e-9)
