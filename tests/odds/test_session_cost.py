"""What playing costs: the figures of the odds, times bets and rounds."""

from __future__ import annotations

import pytest

import pitboss
from pitboss.errors import PitbossError
from pitboss.odds.session_cost import cost_of_an_hour, rounds_of_an_hour, session_cost
from pitboss.rulebooks import rules_for

GAME = "star/blackjack"


@pytest.mark.slow
def test_the_loss_is_edge_times_bets_and_the_worse_player_loses_more() -> None:
    rules = rules_for(GAME)
    edge = pitboss.odds(rules)
    found = session_cost(rules, bet=25, hours=3, rounds_per_hour=60)
    plays = {one.play: one for one in found.plays}
    assert plays["best play"].loss == pytest.approx(edge.house_edge * 25 * 180)
    assert plays["best play"].deviation == pytest.approx(25 * (edge.variance * 180) ** 0.5)
    assert plays["basic strategy"].house_edge == pytest.approx(-edge.chart_expectation)
    assert [one.house_edge for one in found.plays] == sorted(one.house_edge for one in found.plays)
    assert {"never splits", "never doubles", "plays as the dealer", "never risks a bust", "always insures"} <= set(
        plays
    )
    assert plays["plays as the dealer"].house_edge == pytest.approx(0.0568, abs=0.002)
    insured = plays["always insures"].house_edge - plays["basic strategy"].house_edge
    assert insured == pytest.approx((1 - 3 * 128 / 415) / 26, abs=1e-6)
    assert 0.4 < (plays["best play"].ahead or 0) < 0.5


@pytest.mark.slow
def test_side_wagers_stand_beside_the_game() -> None:
    found = pitboss.cost("perth/blackjack", hours=2, side_wagers="perfect-pairs", side_bet=10, rounds_per_hour=50)
    (pairs,) = found.sides
    assert pairs.loss == pytest.approx(float(pitboss.side_odds("perth/blackjack", "perfect-pairs").house_edge) * 1000)
    assert len(found.rows()) == len(found.plays) + 1
    assert "perfect-pairs" in found._repr_html_()


@pytest.mark.slow
def test_few_rounds_say_nothing_of_being_ahead() -> None:
    found = session_cost(rules_for(GAME), hours=0.1, rounds_per_hour=60)
    assert all(one.ahead is None for one in found.plays)


def test_more_players_mean_fewer_rounds_and_a_device_more() -> None:
    paces = [rounds_of_an_hour(players, device=False) for players in range(1, 8)]
    assert paces == sorted(paces, reverse=True)
    assert paces[0] == pytest.approx(209, rel=0.01)
    assert paces[6] == pytest.approx(52, rel=0.02)
    assert rounds_of_an_hour(5, device=True) > rounds_of_an_hour(5, device=False)


def test_the_cost_of_an_hour_is_looked_up_where_it_is_known() -> None:
    known = cost_of_an_hour(rules_for(GAME), 25, 60)
    assert known == pytest.approx(0.0058718 * 1500, rel=1e-3)
    assert cost_of_an_hour(rules_for(GAME, decks=6), 25, 60) is None


REFUSED = [
    ({"bet": 0}, "above zero"),
    ({"hours": 0}, "above 0"),
    ({"players": 99}, "from 1 to"),
    ({"rounds_per_hour": -1}, "above 0"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[next(iter(given)) for given, _ in REFUSED])
def test_what_cannot_be_played_is_refused(given: dict[str, float], said: str) -> None:
    with pytest.raises(PitbossError, match=said):
        session_cost(rules_for(GAME), **given)  # type: ignore[arg-type]
