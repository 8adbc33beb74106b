"""What a table opens with: the sign, the number of boxes; and what records and views say of them."""

from __future__ import annotations

import pytest

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.records.live import Table
from pitboss.records.read import read
from pitboss.records.write import write
from pitboss.rulebooks import rules_for
from pitboss.table import Limits, OpeningError, SideLimit, open_table
from pitboss.table.views import Observer, Viewer, view

SIGN = Limits(
    Money(5),
    Money(100),
    Money("0.5"),
    unit=Money(5),
    per="player",
    side={"perfect-pairs": SideLimit(Money(1), Money(25)), "buster": SideLimit(maximum=Money(10))},
)


def test_a_sign_reads_back_as_it_is_written() -> None:
    sign = {"min": 5, "max": 100, "chip": "0.5", "unit": 5, "per": "player"}
    sides = {"perfect-pairs": {"min": 1, "max": 25}, "buster": {"max": 10}}
    table = Table(
        "melbourne/blackjack", cards="Th 6c 9s Kd Ts", side_wagers=list(sides), limits={**sign, "side": sides}, places=7
    )
    table.bet("1 ann 20")
    table.deal()
    table.do("1 stand")
    record = read(table.record())
    assert record.limits == table.state.limits == SIGN
    assert record.places == 7
    assert read(write(record)) == record


@pytest.mark.parametrize(
    ("game", "fewest", "most", "clause"),
    [("melbourne/blackjack", 1, 9, "2.1"), ("star/blackjack", 5, 9, "2.2.1"), ("star/switch", 1, 5, "2.2.1")],
)
def test_a_layout_has_as_many_boxes_as_its_book_allows(game: str, fewest: int, most: int, clause: str) -> None:
    rules = rules_for(game)
    assert [open_table(rules, places=number).places for number in (fewest, most)] == [fewest, most]
    assert open_table(rules).places == most
    for number in (fewest - 1 or -1, most + 1):
        with pytest.raises(OpeningError, match=clause):
            open_table(rules, places=number)


def test_a_sign_speaks_of_what_the_table_has() -> None:
    with pytest.raises(OpeningError, match="buster, which is not on offer"):
        open_table(rules_for("melbourne/blackjack"), Limits(side={"buster": SideLimit(Money(1))}))
    with pytest.raises(OpeningError, match="for each box in this book"):
        open_table(rules_for("star/blackjack"), Limits(per="player"))
    with pytest.raises(PitbossError, match="per box or per player"):
        Table("melbourne/blackjack", limits={"per": "table"})


def test_everybody_sees_the_sign_and_the_boxes() -> None:
    rules = rules_for("melbourne/blackjack", side_wagers=["perfect-pairs", "buster"])
    seen = view(open_table(rules, SIGN, places=7), Observer(Viewer.SPECTATOR))
    assert seen.notice.limits == SIGN
    assert seen.places == 7
