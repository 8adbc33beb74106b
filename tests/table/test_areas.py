"""Playing areas of two boxes: one controlling player for both."""

from __future__ import annotations

from shoe_play import Table

from pitboss.money import Money
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.state import Phase


def test_control_of_an_area_passes_for_both_of_its_boxes() -> None:
    """Switch 5.6, 17.10: the next player calls both, whichever box the first one is said to leave."""
    for left in ("1", "1a", "1b"):
        table = Table("star/switch")
        table.do(cmd.LoadShoe(cards=("5c", "Th", "6s", "Td", "6h", "Ts", "Ks", "Kd")))
        table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True))
        table.do(cmd.PlaceBet(box="1", player="bob", amount=Money(20)))
        table.do(cmd.Deal())
        table.do(cmd.LeaveBox(box=left, player="ann"))
        assert [box.controller for box in table.state.boxes] == ["bob", "bob"]
        assert "5.6" in table.no(cmd.Stand(box="1a", by="ann")).clauses
        table.do(cmd.Switch(area="1", by="bob"))
        table.do(od.Reconstruct(role="casino-supervisor", reason="not asked for", box="1", should="no-switch"))
        assert [box.controller for box in table.state.boxes] == ["bob", "bob"], "who has left is gone"


def test_an_area_that_everybody_has_left_is_played_by_the_dealer_without_a_switch() -> None:
    """Switch 17.10."""
    table = Table("star/switch")
    table.do(cmd.LoadShoe(cards=("5c", "Th", "6s", "Td", "6h", "Ks", "Kd")))
    table.bet()
    table.do(cmd.Deal())
    table.do(cmd.LeaveBox(box="1b", player="ann"))
    assert table.state.phase is Phase.SETTLED
    assert [box.hands[0].cards for box in table.state.boxes] == [("5c", "Td"), ("Th", "6h")]
    assert all(box.absent and not box.switched for box in table.state.boxes)


def test_control_of_an_area_passes_when_the_last_wager_of_its_player_is_void() -> None:
    """Switch 5.6, 19.3.1: a hand that stands already does not keep the control of the other."""
    table = Table("star/switch")
    table.do(cmd.LoadShoe(cards=("Tc", "5h", "6s", "Td", "6h", "Ks", "Kd")))
    for player in ("ann", "bob"):
        table.do(cmd.PlaceBet(box="1", player=player, amount=Money(10)))
    table.do(cmd.Deal())
    table.do(cmd.Stand(box="1a"))
    table.do(cmd.Void(role="casino-supervisor", reason="a device", player="ann", clause="19.3.1"))
    assert table.state.boxes[1].controller == "bob"
