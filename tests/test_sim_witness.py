"""Kernel = table: simulated rounds are dealt again at the table, and every wager must come out the same to the cent."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.records import read, replay
from pitboss.sim.plan import Prepared, SimError
from pitboss.sim.strategies import MimicTheDealer, NeverBust
from pitboss.sim.witness import witness
from sim_tools import GAMES, ready, side_wagers_of


def compare(prepared: Prepared, rounds: int, step: int = 7) -> None:
    """Rounds of several strands, so that shoes are met at every depth."""
    for number in range(0, rounds * step, step):
        seen = witness(prepared, 0, number % prepared.plan.rounds)
        assert seen.kernel_net == seen.table_net, f"round {number}: {' '.join(seen.cards)}"
        assert seen.kernel_sides == seen.table_sides, f"round {number}: {' '.join(seen.cards)}"


def wagers(game: str) -> list[tuple[str, ...]]:
    """Every side wager of a game at least once: those that can be offered together, together."""
    return [(wager,) for wager in side_wagers_of(game)] or [()]


@pytest.mark.parametrize("game", GAMES)
def test_kernel_and_table_agree_with_each_side_wager(game: str) -> None:
    for offered in wagers(game):
        compare(ready(game, side_wagers=offered), 24, step=37)


@pytest.mark.parametrize("game", GAMES)
def test_kernel_and_table_agree_with_three_boxes(game: str) -> None:
    compare(ready(game, boxes=3, side_wagers=wagers(game)[0]), 60)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_kernel_and_table_agree_on_two_thousand_rounds(game: str) -> None:
    offered = wagers(game)
    for wager in offered:
        compare(ready(game, side_wagers=wager), -(-2000 // len(offered)), step=5)


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *[("perth/blackjack", {"layout": layout}) for layout in (1, 4, 7, 10)],
    ("perth/plus", {"layout": 8}),
    ("star/blackjack", {"resplit": True}),
    ("star/blackjack", {"decks": 6}),
    ("star/blackjack", {"card_source": "device"}),
    ("star/switch", {"double_with_ace": True}),
    ("star/switch", {"card_source": "device"}),
    ("melbourne/blackjack", {"auto_draw": True}),
    ("melbourne/blackjack", {"card_source": "device"}),
    ("melbourne/free-bet", {"decks": 6}),
]


@pytest.mark.parametrize(("game", "options"), OPTIONS)
def test_kernel_and_table_agree_under_options(game: str, options: dict[str, Any]) -> None:
    compare(ready(game, options=options), 60)


@pytest.mark.parametrize("boxes", range(1, 10))
def test_kernel_and_table_agree_for_every_number_of_boxes(boxes: int) -> None:
    prepared = ready("perth/blackjack", boxes=1)
    if boxes > prepared.rules.boxes_max:
        with pytest.raises(SimError, match="boxes must be"):
            ready("perth/blackjack", boxes=boxes)
    else:
        compare(ready("perth/blackjack", boxes=boxes), 12, step=53)


@pytest.mark.parametrize("strategy", [MimicTheDealer(), NeverBust()], ids=lambda strategy: strategy.name)
@pytest.mark.parametrize("game", ["rws/blackjack", "star/switch", "melbourne/pontoon", "melbourne/free-bet"])
def test_kernel_and_table_agree_for_other_strategies(game: str, strategy: Any) -> None:
    compare(ready(game, strategy=strategy), 40)


def test_a_simulated_round_is_a_record_that_replays() -> None:
    seen = witness(ready("star/blackjack", side_wagers=("perfect-pairs",)), 0, 123)
    record = read(seen.table.record("Simulated"))
    written = {(line.box, line.player, line.wager): line.net for line in record.rounds[0].results or ()}
    assert not replay(record).differences
    assert written == seen.table.results()


def test_a_round_that_was_not_played_has_no_record() -> None:
    with pytest.raises(SimError, match="there is no round 3:0"):
        witness(ready("star/blackjack"), 3, 0)
