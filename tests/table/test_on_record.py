"""What goes on record beside the game: cards checked, backs, notices, who was told, hands of somebody alone."""

from __future__ import annotations

import pytest
from shoe_play import Table, entropy

from pitboss.money import Money
from pitboss.records import from_log, replay
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od


def put_on_record(game: str) -> Table:
    """A table at which duties must be on record."""
    table = Table(game)
    table.do(od.RequireRecord(role="gaming-manager", reason="an audit"))
    table.do(od.AnnounceLimits(role="gaming-manager", reason="open", minimum=Money(5), maximum=Money(50)))
    table.do(od.ChangeLimits(role="gaming-manager", reason="open", minimum=Money(5), maximum=Money(50), minute=20))
    table.do(od.DisplaySign(role="gaming-manager", up=True))
    return table


@pytest.mark.parametrize("game", ["star/blackjack", "star/switch"])
def test_cards_are_checked_before_they_are_first_shuffled(game: str) -> None:
    """Star and Switch 3.3; nobody asks for it where duties need not be on record."""
    Table(game).do(cmd.Shuffle(entropy=entropy()))
    table = Table(game)
    table.do(od.RequireRecord(role="gaming-manager", reason="an audit"))
    refusal = table.no(cmd.Shuffle(entropy=entropy()))
    assert "checked" in refusal.reason
    assert refusal.clauses[0] == "3.3"
    table.do(od.CheckCards(role="dealer"))
    table.do(cmd.Shuffle(entropy=entropy()))


def test_a_new_pack_is_checked_again_and_has_other_backs() -> None:
    """Switch 3.3, 3.5."""
    table = Table("star/switch", card_source="device")
    table.arrive(ann=1)
    table.open()

    def bring(backs: str) -> cmd.ReplaceCards:
        return cmd.ReplaceCards(role="casino-supervisor", reason="worn", backs=backs)

    table.do(bring("red"))
    table.do(cmd.Shuffle(entropy=entropy(7)))
    refusal = table.no(bring("red"))
    assert "another colour" in refusal.reason
    assert refusal.clauses == ("3.5",)
    table.do(od.RequireRecord(role="gaming-manager", reason="an audit"))
    assert table.no(bring("")).clauses == ("3.5",)
    table.do(bring("blue"))
    assert table.state.house.backs == "blue"
    assert table.no(cmd.Shuffle(entropy=entropy(8))).clauses[0] == "3.3"


@pytest.mark.parametrize(
    ("game", "option", "clause"),
    [
        ("star/blackjack", "resplit", "12.5.1"),
        ("star/switch", "resplit", "13.5.1"),
        ("star/switch", "double_with_ace", "12.2.1"),
    ],
)
def test_whoever_sits_down_is_told_of_an_option_once(game: str, option: str, clause: str) -> None:
    table = Table(game, **{option: True})
    arrived = table.do(cmd.Arrive(player="ann", box="1"))
    placed = table.do(cmd.PlaceBet(box="2", player="bob", amount=Money(10)))
    again = table.do(cmd.PlaceBet(box="2", player="bob", amount=Money(10)))
    shown = [[event for event in events if isinstance(event, ev.NoticeShown)] for events in (arrived, placed, again)]
    assert [[(notice.player, notice.clauses) for notice in notices] for notices in shown] == [
        [("ann", (clause,))],
        [("bob", (clause,))],
        [],
    ]
    assert not any(isinstance(event, ev.NoticeShown) for event in Table(game).do(cmd.Arrive(player="ann", box="1")))


@pytest.mark.parametrize(("game", "clause"), [("star/blackjack", "17.16.4"), ("star/switch", "17.15.4")])
def test_no_round_begins_until_those_who_must_be_told_were_told(game: str, clause: str) -> None:
    table = put_on_record(game)
    table.do(cmd.LoadShoe(cards=("Th", "9s", "7s", "9d", "8h", "Ts")))
    table.bet()
    table.do(cmd.Deal())
    table.do(od.ForeignCard(role="casino-supervisor", reason="a count", missing=True))
    table.do(cmd.NextRound())
    table.do(cmd.LoadShoe(cards=("Th", "9s", "7s", "9d", "8h", "Ts")))
    table.bet()
    refusal = table.no(cmd.Deal())
    assert "surveillance, inspector must be told first" in refusal.reason
    assert clause in refusal.clauses
    table.do(od.TellBodies(role="casino-supervisor", bodies=("inspector", "surveillance")))
    assert table.state.floor.to_tell == ()
    assert "nobody" in table.no(od.TellBodies(role="casino-supervisor", bodies=("inspector",))).reason
    table.do(cmd.Deal())


def test_somebody_alone_at_the_table_plays_two_hands_if_required() -> None:
    """Perth 3.1(b)."""
    table = Table("perth/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9s", "7s", "9d", "8h", "Ts")))
    table.do(od.TwoHands(role="table-games-manager", reason="too quick"))
    table.bet("1", "ann")
    refusal = table.no(cmd.Deal())
    assert "alone" in refusal.reason
    assert refusal.clauses == ("3.1(b)",)
    table.bet("2", "ann")
    table.do(cmd.Deal())
    table.finish()
    table.do(cmd.NextRound())
    table.do(cmd.LoadShoe(cards=("Th", "9s", "7s", "9d", "8h", "Ts")))
    table.bet("1", "ann")
    table.bet("3", "bob")
    table.do(cmd.Deal())


def test_a_deal_with_a_card_face_up_is_rebuilt_without_it() -> None:
    """Star 17.1 with 17.8: what was burnt stays burnt, and the record of it replays."""
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9s", "7s", "2c", "9d", "8h", "5d", "Ts", "Kd")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(od.BurnFaced(role="dealer", card=4))
    table.do(cmd.Deal())
    assert [box.hands[0].cards for box in table.state.boxes] == [("Th", "9d"), ("9s", "8h")]
    table.do(cmd.Hit(box="1"))
    table.do(od.Reconstruct(role="casino-supervisor", reason="nobody asked", box="1", should="stand"))
    assert [box.hands[0].cards for box in table.state.boxes] == [("Th", "9d"), ("9s", "8h")]
    table.finish()
    assert table.state.dealer == ("7s", "5d", "Ts")
    assert replay(from_log(table.whole_log)).differences == ()
