"""What must be on record once somebody says so: the sign, checks of equipment, confirmations of large prizes."""

from __future__ import annotations

import pytest
from shoe_play import Table

from pitboss.money import Money
from pitboss.rulebooks import BOOKS, load_book
from pitboss.table import FloorState, Limits, Meter, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.round.held_money import list_prizes
from pitboss.table.views import Observer, Viewer, view

METERS = {f"supernova-{name}": Meter(Money(50), Money(0), Money(120)) for name in ("major", "minor", "mystery")}


def table_on_record(limits: Limits | None = None) -> Table:
    table = Table("melbourne/blackjack", decks=6, side_wagers=["supernova"])
    sign = limits or Limits(Money(5), Money(500))
    table.state = open_table(table.state.rules, sign, METERS, FloorState(on_record=True))
    return table


def minor_jackpot() -> Table:
    """A round that ann has won a Minor Jackpot in, settled."""
    table = table_on_record()
    table.do(od.DisplaySign(role="dealer", up=True))
    table.do(od.CheckEquipment(role="dealer", wager="supernova"))
    table.do(cmd.LoadShoe(cards=("Ah", "7c", "Kh")))
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(10)))
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(5), wager="supernova"))
    table.do(cmd.Deal())
    return table


def test_no_table_opens_without_its_sign() -> None:
    table = table_on_record()
    bet = cmd.PlaceBet(box="1", player="ann", amount=Money(10))
    assert "6.1" in table.no(bet).clauses
    assert not view(table.state, Observer(Viewer.SPECTATOR)).notice.sign_up
    table.do(od.DisplaySign(role="dealer", up=True))
    table.do(bet)
    table.do(cmd.LoadShoe(cards=("Ah", "7c", "Kh")))
    table.do(od.DisplaySign(role="dealer", up=False))
    assert "6.1" in table.no(cmd.Deal()).clauses
    assert legal(table.state) == ()


def test_a_sign_shows_a_minimum_and_a_maximum() -> None:
    table = table_on_record(Limits(Money(5)))
    assert "6.1" in table.no(od.DisplaySign(role="dealer", up=True)).clauses


@pytest.mark.parametrize("book", BOOKS)
def test_every_book_lets_somebody_put_the_sign_up(book: str) -> None:
    rulebook = load_book(book)
    rules = rulebook.rules(next(iter(rulebook.games)))
    table = Table(rules.game)
    table.state = open_table(rules, Limits(Money(5), Money(100)), floor=FloorState(on_record=True))
    assert "sign" in table.no(cmd.PlaceBet(box="1", player="ann", amount=Money(10))).reason
    table.do(od.DisplaySign(role=rules.ladder[-1].id, up=True))
    table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(10)))


def test_a_prize_waits_and_the_next_round_with_it() -> None:
    table = minor_jackpot()
    (prize,) = list_prizes(table.state)
    assert (prize.player, prize.outcome, prize.amount) == ("ann", "minor", Money(120))
    assert view(table.state, Observer(Viewer.SPECTATOR)).prizes == (prize,)
    assert "24.8.1" in table.no(cmd.NextRound()).clauses
    events = table.do(od.ConfirmPrize(role="dealer", box="1", outcome="minor"))
    assert events[-1] == ru.PrizeConfirmed(prize=prize, clauses=events[-1].clauses)
    assert list_prizes(table.state) == ()
    table.do(cmd.NextRound())


def test_a_void_round_leaves_no_prize_that_waits() -> None:
    table = minor_jackpot()
    table.do(od.RequireRecord(role="area-manager", reason="enough", on=False))
    table.do(cmd.Void(role="assistant-casino-manager", reason="fraud", clause="32.3", box="1", player="ann"))
    assert list_prizes(table.state) == ()
    table.do(cmd.NextRound())
    assert table.state.floor.prizes == ()


def test_a_prize_nobody_confirmed_waits_beyond_its_round() -> None:
    table = minor_jackpot()
    table.do(od.RequireRecord(role="area-manager", reason="enough", on=False))
    (prize,) = list_prizes(table.state)
    table.do(cmd.NextRound())
    assert list_prizes(table.state) == table.state.floor.prizes == (prize,)
    table.do(od.ConfirmPrize(role="dealer", box="1", outcome="minor"))
    assert list_prizes(table.state) == ()
