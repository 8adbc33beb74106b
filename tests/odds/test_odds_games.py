"""What the main games are worth: values published or computed by others, and what must hold between figures."""

from __future__ import annotations

import functools
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.odds import Edge, analyse, evaluate, parse_chart, price_chart
from pitboss.odds.analysis import MethodError, exact_expectation, price_edge, solution
from pitboss.odds.cards.composition import fresh, of_cards
from pitboss.odds.cards.numbers import EXACT, FLOATS
from pitboss.odds.hand.openings import solve
from pitboss.odds.known_tables import find_known
from pitboss.odds.splits import coupling
from pitboss.odds.splits import split_boxes as boxes
from pitboss.play.packed import pack
from pitboss.rulebooks import games, parse_user_book, rules_for
from pitboss.rulebooks.model.rules import Rules

pytestmark = pytest.mark.slow

OWN_BOOK = parse_user_book(Path("examples/las-vegas.toml").read_text(encoding="utf-8"), "las-vegas.toml")
EACH = 0.00002
"""How near an infinite deck must come, in per cent of the wager."""
NEAR = 0.001
"""How near a shoe must come."""


def rules_of(game: str, **choices: Any) -> Rules:
    return rules_for(game, own_books=[OWN_BOOK], **choices)


@functools.cache
def worth_of(game: str, decks: str, method: str = "CDZ-") -> Edge:
    return analyse(rules_of(game, decks=decks), method=method)


def percent(rules: Rules, **asked: Any) -> float:
    return 100 * analyse(rules, **asked).house_edge


# ---------------------------------------------------------------------- values known beforehand


@pytest.mark.parametrize(
    ("game", "choices", "edge"),
    [
        ("perth/blackjack", {"layout": 1}, 0.66331),
        pytest.param("perth/blackjack", {"layout": 7}, 0.89008, marks=pytest.mark.slow),
        pytest.param("melbourne/sports", {}, 2.19657, marks=pytest.mark.slow),
        pytest.param("melbourne/vegas", {}, 0.44643, marks=pytest.mark.slow),
        ("melbourne/select", {}, 2.64271),
        ("las-vegas/blackjack", {}, 0.511734),
        pytest.param(
            "star/switch", {"readings": {"natural_and_switch": "switch-first"}}, 0.74676, marks=pytest.mark.slow
        ),
    ],
)
def test_an_infinite_deck_is_worth_what_others_found(game: str, choices: dict[str, Any], edge: float) -> None:
    assert percent(rules_of(game, decks="inf", **choices)) == pytest.approx(edge, abs=EACH / 2 + 0.000005)


@pytest.mark.parametrize(
    ("game", "choices", "edge"),
    [
        ("star/blackjack", {}, 0.666),
        pytest.param(
            "star/blackjack", {"readings": {"dealer_natural_collect": "by-wager"}}, 0.663, marks=pytest.mark.slow
        ),
        pytest.param("star/switch", {}, 0.766, marks=pytest.mark.slow),
        pytest.param("star/switch", {"readings": {"dealer_drawing_rule": "s17"}}, 0.366, marks=pytest.mark.slow),
        pytest.param(
            "star/switch", {"readings": {"dealer_drawing_rule": "literal-14-2"}}, -2.24, marks=pytest.mark.slow
        ),
    ],
)
def test_an_infinite_deck_is_worth_what_others_rounded(game: str, choices: dict[str, Any], edge: float) -> None:
    places = len(str(edge).split(".")[1])
    assert round(percent(rules_of(game, decks="inf", **choices)), places) == edge


@pytest.mark.slow
def test_pontoon_from_an_infinite_deck_without_its_super_bonus() -> None:
    rules = rules_of("melbourne/pontoon", decks="inf")
    edge = analyse(rules)
    assert 100 * edge.house_edge_without_super_bonus == pytest.approx(0.47413, abs=EACH / 2)
    assert percent(rules, super_bonus=False) == pytest.approx(0.47413, abs=EACH / 2)
    assert edge.super_bonus is not None
    assert edge.super_bonus.worth > 0


@pytest.mark.parametrize(
    ("method", "edge"), [("CDZ-", 0.402870), pytest.param("CDP", 0.402862, marks=pytest.mark.slow)]
)
def test_six_decks_with_a_hole_card_by_method(method: str, edge: float) -> None:
    assert percent(rules_of("las-vegas/blackjack", decks=6), method=method) == pytest.approx(edge, abs=0.000002)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edge"), [("melbourne/blackjack", 0.54), ("perth/blackjack", 0.588)])
def test_eight_decks_are_worth_what_others_found(game: str, edge: float) -> None:
    assert percent(rules_of(game, decks=8)) == pytest.approx(edge, abs=NEAR + (0.001 if edge == 0.54 else 0))


@pytest.mark.slow
def test_premier_by_wager_is_what_others_found() -> None:
    """The book takes busted bets and one more, which costs two thousandths of a point above the published figure."""
    rules = rules_of("melbourne/premier", decks=8)
    by_wager = pack(rules)._replace(dealer_natural_takes=2)
    found = -100 * float(solution(by_wager, fresh(by_wager, FLOATS).keeping_distributions()).expectation)
    assert found == pytest.approx(0.656, abs=NEAR)
    assert 0 < percent(rules) - found < 0.003


# ---------------------------------------------------------------------- figures that must fit each other

EVERY = [*(game for game in games() if game != "star/switch"), "las-vegas/blackjack"]
SOME = ("star/blackjack", "las-vegas/blackjack")


def everywhere(*quick: str) -> list[Any]:
    """All games but Switch, those not in `quick` among the slow tests."""
    return [game if game in quick else pytest.param(game, marks=pytest.mark.slow) for game in EVERY]


@pytest.mark.parametrize("game", everywhere(*SOME))
def test_the_parts_and_the_up_cards_add_up_to_the_whole(game: str) -> None:
    edge = worth_of(game, "inf")
    assert sum(edge.parts.values()) == pytest.approx(edge.expectation, abs=1e-12)
    openings = sum(opening.chance for opening in edge.openings)
    assert openings == pytest.approx(1)
    worth = edge.super_bonus.worth if edge.super_bonus is not None else 0.0
    assert sum(opening.chance * opening.value for opening in edge.openings) == pytest.approx(edge.expectation - worth)
    chances = {up: sum(one.chance for one in edge.openings if one.up == up) for up in edge.by_up_card}
    by_up = sum(chances[up] * value for up, value in edge.by_up_card.items())
    assert by_up == pytest.approx(edge.expectation - worth)


@pytest.mark.parametrize("game", everywhere(*SOME))
def test_best_play_is_no_worse_than_its_chart_and_the_chart_than_any_other_action(game: str) -> None:
    edge = worth_of(game, "inf")
    assert edge.chart_cost >= -1e-12
    for opening in edge.openings:
        if opening.action in ("stand", "hit", "double", "split"):
            assert opening.actions[opening.action] == max(opening.actions.values())


@pytest.mark.parametrize("game", everywhere("star/blackjack"))
def test_the_chart_as_text_is_worth_what_it_was_said_to_be(game: str) -> None:
    edge = worth_of(game, "inf")
    worth = edge.super_bonus.by_chart if edge.super_bonus is not None else 0.0
    assert float(evaluate(rules_of(game, decks="inf"), edge.strategy)) == pytest.approx(edge.chart_expectation - worth)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["melbourne/blackjack", "rws/blackjack", "las-vegas/blackjack"])
def test_more_memory_is_worth_more(game: str) -> None:
    by_method = [worth_of(game, "6", method).expectation for method in ("CDZ-", "CDP1", "CDP")]
    assert by_method[0] <= by_method[1] + 1e-9 <= by_method[2] + 2e-9


@pytest.mark.slow
def test_fewer_decks_favour_the_player_and_an_infinite_deck_the_house() -> None:
    edges = [worth_of("melbourne/blackjack", decks).house_edge for decks in ("4", "8", "inf")]
    assert edges == sorted(edges)


# ---------------------------------------------------------------------- bounds, and the two kinds of numbers


@pytest.mark.parametrize("game", ["star/blackjack", pytest.param("melbourne/pontoon", marks=pytest.mark.slow)])
def test_hands_taken_to_be_independent_are_off_by_less_than_the_bound(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = pack(rules_of(game))
    shoe = fresh(packed, FLOATS).keeping_distributions()
    counted = solution(packed, shoe)
    assert counted.error == 0
    monkeypatch.setattr(coupling, "MOST_COMBINATIONS", 0)
    bounded = solution(packed, shoe)
    assert 0 < bounded.error < 0.0001
    assert 0 < abs(bounded.expectation - counted.expectation) <= bounded.error


@pytest.mark.slow
def test_a_split_counted_with_less_care_is_off_by_less_than_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack(rules_of("rws/blackjack"))
    shoe = fresh(packed, FLOATS).keeping_distributions()
    wanted = {5: (0, 9), 9: (0,)}
    some = solve(packed, shoe, wanted=lambda value: wanted.get(value, ())).splits
    monkeypatch.setattr(boxes, "MARGIN", 100)
    every = solve(packed, shoe, wanted=lambda value: wanted.get(value, ())).splits
    bounded = [(value, up) for value, ups in wanted.items() for up in ups if some[value].error[up] > 0]
    assert bounded
    for value, up in bounded:
        off = abs(some[value].value[up] - every[value].value[up])
        assert 0 < off <= some[value].error[up] + every[value].error[up]
        assert off < 0.0001


@pytest.mark.parametrize("game", ["star/blackjack", pytest.param("melbourne/plus", marks=pytest.mark.slow)])
def test_floats_are_the_fractions_rounded(game: str) -> None:
    packed = pack(rules_of(game))
    cards = ["As", "As", "8s", "8s", "8s", "Ts", "Ts", "Ts", "9s", "9s", "9s", "3s", "Ts"]
    exact = exact_expectation(packed, of_cards(cards, EXACT))
    assert isinstance(exact, Fraction)
    assert float(solution(packed, of_cards(cards, FLOATS)).expectation) == pytest.approx(float(exact), abs=1e-12)


def test_a_method_that_there_is_not() -> None:
    with pytest.raises(MethodError, match="CDZ-, CDP1, CDP"):
        analyse(rules_of("star/blackjack"), method="CDP9")


@pytest.mark.parametrize("game", ["las-vegas/blackjack", pytest.param("star/switch", marks=pytest.mark.slow)])
def test_the_best_chart_priced_like_anybodys_has_the_figures_of_best_play_nearly(game: str) -> None:
    edge = worth_of(game, "inf")
    chart = price_chart(rules_of(game, decks="inf"), edge.strategy)
    assert chart.expectation == pytest.approx(edge.chart_expectation, abs=1e-12)
    assert chart.variance == pytest.approx(edge.variance, abs=0.01)
    assert sum(chart.parts.values()) == pytest.approx(chart.expectation, abs=1e-9)


@pytest.mark.slow
def test_the_variance_of_split_hands_and_of_switch_is_that_of_rounds_played_out() -> None:
    once = replace(rules_of("las-vegas/blackjack"), split_max_hands=2)
    assert analyse(once).standard_deviation == pytest.approx(1.14654, abs=4e-5)  # worked out over all orders
    switch = rules_of("star/switch")
    assert price_chart(switch, analyse(switch).strategy).variance == pytest.approx(0.7247, abs=0.001)  # simulated


def test_a_timid_player_has_the_variance_of_what_can_be_counted_by_hand() -> None:
    """Nobody doubles or splits: what is won or lost is one unit, nothing, or one and a half on a natural."""
    stands = "\n".join(f"hard {total} " + "S " * 10 for total in range(12, 22))
    worth = price_chart(rules_of("las-vegas/blackjack", decks="inf"), parse_chart(stands))
    ends = dict(worth.outcomes)
    naturals = ends.pop("natural")
    even = sum(many for name, many in ends.items() if name in WON_OR_LOST)
    assert worth.variance == pytest.approx(even + 2.25 * naturals - worth.expectation**2, abs=1e-12)


WON_OR_LOST = {"bust", "lower", "higher", "dealer-natural", "dealer-bust"}


@pytest.mark.parametrize("game", ["melbourne/pontoon", "star/switch"])
def test_the_edge_by_itself_is_that_of_the_whole_analysis(game: str) -> None:
    rules = rules_for(game)
    known = find_known(rules)
    assert known is not None
    assert price_edge(rules) == pytest.approx(known.edges["main"], abs=1e-12)
