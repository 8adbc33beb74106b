"""The round before, put right while the next one has no card: Star and Switch 17.8, Perth 7.9."""

from __future__ import annotations

import pytest
from shoe_play import Table, all_cards

from pitboss.cards import Card
from pitboss.records import from_log, replay
from pitboss.records.replay import split_log
from pitboss.table import results
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.state import Phase, State

KEY = ("1", "ann", "main")


def play_one_round(*cards: Card) -> Table:
    """A round in which a hand of 16 was given a card nobody asked for, and betting for the next one."""
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=cards))
    table.bet()
    table.do(cmd.Deal())
    table.do(cmd.Hit(box="1"))
    if table.state.phase is not Phase.SETTLED:
        table.finish()
    table.do(cmd.NextRound())
    table.bet("2", "bob", 40)
    return table


def rebuilt_as(should: str) -> od.Reconstruct:
    return od.Reconstruct(role="casino-supervisor", reason="seen on the tape", box="1", should=should)


def money(state: State) -> dict[tuple[str, str, str], int]:
    return {key: int(net) for key, net in results(state).items()}


def test_bets_of_the_next_round_lie_where_they_lay() -> None:
    table = play_one_round("Th", "7c", "6s", "9d", "Tc", "5h", "8c", "9c", "Td")
    table.do(rebuilt_as("stand"))
    assert table.state.phase is Phase.BETTING
    assert [(bet.box, bet.player) for bet in table.state.bets] == [("2", "bob")]
    assert table.state.past is not None
    assert money(table.state.past) == {KEY: 10}, "the dealer drew 9 and 10, which the player had drawn in error"
    table.do(cmd.Deal())
    assert table.state.boxes[0].hands[0].cards == ("5h", "9c"), "no card was lost, and none dealt twice"
    assert table.state.past is None


def test_a_player_who_was_never_asked_is_asked_and_betting_goes_on_afterwards() -> None:
    table = play_one_round("Th", "7c", "6s", "9d", "Tc", "5h", "8c", "9c", "Td")
    table.do(rebuilt_as("ask"))
    assert table.state.phase is Phase.TURNS
    assert "closed" in table.no(cmd.PlaceBet(box="3", player="cat", amount=table.state.bets[0].amount)).reason
    table.do(cmd.Stand(box="1"))
    assert (table.state.phase, money(table.state)) == (Phase.SETTLED, {KEY: 10})
    table.do(cmd.NextRound())
    assert [(bet.box, bet.player) for bet in table.state.bets] == [("2", "bob")]


def test_the_record_has_the_correction_at_the_end_of_its_round() -> None:
    for should in ("stand", "ask"):
        table = play_one_round("Th", "7c", "6s", "9d", "Tc", "5h", "8c", "9c", "Td")
        table.do(rebuilt_as(should))
        if should == "ask":
            table.do(cmd.Stand(box="1"))
            table.do(cmd.NextRound())
        table.round()
        record = from_log(table.whole_log)
        assert [len(played.bets) for played in record.rounds] == [1, 1]
        assert replay(record).differences == ()
        assert money(split_log(table.whole_log)[0].state) == {KEY: 10}


@pytest.mark.parametrize("game", ["star/blackjack", "star/switch", "perth/blackjack"])
def test_a_void_needs_no_cards_and_a_rebuilt_round_does(game: str) -> None:
    """Once its cards are shuffled a round can no longer be rebuilt, and may still be void."""
    table = Table(game)
    table.arrive(ann=1)
    table.open()
    pack = all_cards(table.state)
    table.bet()
    table.do(cmd.Deal())
    table.finish()
    table.do(cmd.NextRound())
    role = "casino-operator" if game.startswith("perth") else "casino-supervisor"
    table.do(cmd.OrderShuffle(role=role, reason="not mixed"))
    table.open(2)
    box = "1a" if game == "star/switch" else "1"
    refusal = table.no(od.Reconstruct(role=role, reason="seen on the tape", box=box, should="stand"))
    assert "shuffled" in refusal.reason
    assert "void" in refusal.reason
    table.do(cmd.Void(role=role, reason="seen on the tape"))
    assert table.state.past is not None
    assert set(money(table.state.past).values()) == {0}
    assert all_cards(table.state) == pack
