"""Values of a book that no other test varies: with another value, the table does something else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from shoe_play import Table

from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.table import open_table, results
from pitboss.table.messages import commands as cmd
from pitboss.table.round.dealing import places_of_deal
from pitboss.table.state import Limits

BLACKJACK, SWITCH, PERTH = "star/blackjack", "star/switch", "perth/blackjack"


def table_with(game: str, limits: Limits | None = None, **values: Any) -> Table:
    """A table of a game with some values of its book changed."""
    table = Table(game)
    table.start = table.state = open_table(msgspec.structs.replace(rules_for(game), **values), limits)
    return table


def stakes(table: Table, *cards: str) -> dict[str, list[Money]]:
    """What counts of each player's wagers once betting has closed."""
    table.do(cmd.LoadShoe(cards=cards))
    table.do(cmd.Deal())
    found: dict[str, list[Money]] = {}
    for box in table.state.boxes:
        for bettor in box.bettors:
            found.setdefault(bettor.player, []).append(bettor.stake)
    return found


CARDS = ("9h", "8d", "7s", "9c", "8c", "Kd", "2d", "3d")


@pytest.mark.parametrize(("order", "ann", "bob"), [("controller-then-placed", 20, 80), ("as-placed", 60, 40)])
def test_the_maximum_of_a_box_is_filled_in_the_order_of_the_book(order: str, ann: int, bob: int) -> None:
    table = table_with(BLACKJACK, Limits(Money(5), Money(100)), limit_fill_order=order)
    table.bet("1", "ann", 60)
    table.do(cmd.PlaceBet(box="1", player="bob", amount=Money(80), seated=True))
    assert stakes(table, *CARDS) == {"ann": [Money(ann)], "bob": [Money(bob)]}


@pytest.mark.parametrize(("said", "counts"), [("capped", 100), ("stands", 150)])
def test_a_wager_over_the_maximum_is_capped_or_stands(said: str, counts: int) -> None:
    table = table_with(BLACKJACK, Limits(Money(5), Money(100)), over_maximum=said)
    table.bet("1", "ann", 150)
    assert stakes(table, *CARDS) == {"ann": [Money(counts)]}


@pytest.mark.parametrize(("said", "counts"), [("lower-counts", [10, 10]), ("stand", [10, 20])])
def test_of_unequal_wagers_on_an_area_the_lower_counts_or_both_stand(said: str, counts: list[int]) -> None:
    table = table_with(SWITCH, unequal_pair=said)
    table.bet("1a", "ann", 10)
    table.bet("1b", "ann", 20)
    assert stakes(table, *CARDS) == {"ann": [Money(amount) for amount in counts]}


@pytest.mark.parametrize(("said", "paid"), [("round-up", "10"), ("exact", "7.5")])
def test_a_natural_that_chips_cannot_pay_exactly_is_rounded_up_or_paid_to_the_cent(said: str, paid: str) -> None:
    table = table_with("melbourne/blackjack", Limits(chip=Money(5)), odd_payment=said)
    table.bet("1", "ann", 5)
    table.do(cmd.LoadShoe(cards=("As", "8d", "Ks")))
    table.do(cmd.Deal())
    assert results(table.state)["1", "ann", "main"] == Money(paid)


def shared(game: str, cards: tuple[str, ...], **values: Any) -> Table:
    """A box of two players, dealt these cards."""
    table = table_with(game, **values)
    table.do(cmd.LoadShoe(cards=cards))
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True))
    table.bet("1", "bob", 10)
    table.do(cmd.Deal())
    return table


def test_sharers_double_where_each_may_choose() -> None:
    double = cmd.Double(box="1", amounts=(("ann", Money(10)), ("bob", Money(10))))
    cards = ("5h", "8d", "6s", "9c", "8c", "Kd")
    shared(PERTH, cards).do(double)
    table = shared(PERTH, cards, double_sharers="not-applicable")
    assert "only ann" in table.no(double).reason
    table.do(cmd.Double(box="1", amounts=(("ann", Money(10)),)))


def test_sharers_split_where_they_may_match() -> None:
    cards = ("8h", "8d", "8s", "9c", "8c", "Kd", "2c", "3c")
    shared(PERTH, cards).do(cmd.Split(box="1", players=("bob",)))
    table = shared(PERTH, cards, split_sharers="not-applicable")
    assert "only ann" in table.no(cmd.Split(box="1", players=("bob",))).reason
    table.do(cmd.Split(box="1"))


def test_the_dealer_gets_a_card_last_where_the_deal_goes_so() -> None:
    for order, places in (("boxes-dealer-boxes", 3), ("boxes-dealer-boxes-dealer", 4)):
        table = table_with(BLACKJACK, deal_order=order, hole_card="none" if places == 3 else "no-peek")
        table.bet()
        table.do(cmd.LoadShoe(cards=CARDS))
        table.do(cmd.Deal())
        assert len(places_of_deal(table.state)) == places
        assert len(table.state.dealer) == places - 2
