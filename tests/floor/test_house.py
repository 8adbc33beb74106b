"""The floor's own stream: people, roles by book, exclusions by power, chips at the cage."""

from __future__ import annotations

import pytest

from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor import ledger as le
from pitboss.floor.live_table import StreamError
from pitboss.money import Money
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, Asker

ADMINISTRATOR = Asker("administrator", "root")


def play(*steps: tuple[hm.HouseCommand, Asker]) -> ho.HouseState:
    house = ho.HouseState()
    for command, by in steps:
        answer = ho.decide_house(house, command, by, 1)
        assert not isinstance(answer, Refusal), answer
        row = hm.decode_house_row(hm.encode_house_row(answer.events))
        assert ho.fold_house(house, row, 1) == answer
        house = answer.house
    return house


def member(name: str) -> tuple[hm.HouseCommand, Asker]:
    return hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#"), HOUSE


def guest(name: str) -> tuple[hm.HouseCommand, Asker]:
    return hm.AddPerson(name=name, kind=hm.PersonKind.GUEST), HOUSE


def refuse(house: ho.HouseState, command: hm.HouseCommand, by: Asker, funds: int = 0) -> str:
    answer = ho.decide_house(house, command, by, 1, funds)
    assert isinstance(answer, Refusal)
    return answer.why


def test_roles_are_held_by_book() -> None:
    house = play(member("dan"), (hm.GiveRole(name="dan", role="dealer", book="perth"), ADMINISTRATOR))
    assert house.people["dan"].roles == {("dealer", "perth")}
    assert "is not a role of perth" in refuse(
        house, hm.GiveRole(name="dan", role="gaming-manager", book="perth"), ADMINISTRATOR
    )
    assert "is not one of the books" in refuse(
        house, hm.GiveRole(name="dan", role="dealer", book="vegas"), ADMINISTRATOR
    )
    ended = ho.decide_house(house, hm.EndRole(name="dan", role="dealer", book="perth"), ADMINISTRATOR, 1)
    assert isinstance(ended, ho.HouseGranted)
    assert not ended.house.people["dan"].roles


def test_only_the_administrator_gives_roles() -> None:
    house = play(member("dan"))
    order = hm.GiveRole(name="dan", role="administrator")
    assert refuse(house, order, Asker("player", "dan")) == "the administrator does this, not a player"
    assert refuse(house, order, Asker("dealer", "dan")) == "the administrator does this, not a dealer"


def test_a_guest_holds_no_role() -> None:
    assert refuse(play(guest("gus")), hm.GiveRole(name="gus", role="administrator"), ADMINISTRATOR) == (
        "a guest holds no role"
    )


@pytest.mark.parametrize("name", ["dealer", "player", "gaming-manager", "two words", "a/b", "a:b", "", "x" * 41])
def test_names_that_mean_something_else_are_refused(name: str) -> None:
    refuse(ho.HouseState(), hm.AddPerson(name=name, kind=hm.PersonKind.GUEST), HOUSE)


def test_nobody_takes_the_name_of_another() -> None:
    assert "choose another name" in refuse(play(guest("gus")), *guest("gus"))


def test_chips_come_from_the_cage_and_go_back_to_it() -> None:
    house = play(guest("gus"))
    issued = ho.decide_house(house, hm.IssueChips(name="gus", amount=Money(100)), HOUSE, 1)
    assert isinstance(issued, ho.HouseGranted)
    assert issued.transfers == (le.Transfer(le.CAGE, "wallet:gus", 100_000_000),)
    redeem = hm.RedeemChips(name="gus", amount=Money("100.5"))
    assert refuse(house, redeem, HOUSE, 100_000_000) == "gus has 100, and this takes 100.5"


def test_the_book_says_who_excludes_and_from_where() -> None:
    house = play(guest("gus"))
    order = hm.Exclude(name="gus", game="perth/blackjack", reason="signals", table="perth-1")
    assert "table-games-manager or above" in refuse(house, order, Asker("dealer", "dan"))
    answer = ho.decide_house(house, order, Asker("table-games-manager", "mia"), 1)
    assert isinstance(answer, ho.HouseGranted)
    assert ho.find_exclusion(answer.house, "gus", "perth/blackjack", "perth-1") is not None
    assert ho.find_exclusion(answer.house, "gus", "perth/blackjack", "perth-2") is None
    casino = hm.Exclude(name="gus", game="perth/blackjack", reason="signals", casino=True)
    assert "no rule" in refuse(house, casino, Asker("casino-operator", "mia"))
    star = hm.Exclude(name="gus", game="star/blackjack", reason="signals", casino=True)
    answer = ho.decide_house(house, star, Asker("gaming-manager", "mia"), 1)
    assert isinstance(answer, ho.HouseGranted)
    assert ho.find_exclusion(answer.house, "gus", "melbourne/pontoon", "any") is not None
    back = ho.decide_house(
        answer.house, hm.Readmit(name="gus", game="star/blackjack", reason="over"), Asker("gaming-manager", "mia"), 1
    )
    assert isinstance(back, ho.HouseGranted)
    assert ho.find_exclusion(back.house, "gus", "melbourne/pontoon", "any") is None


def test_an_exclusion_needs_a_reason() -> None:
    order = hm.Exclude(name="gus", game="perth/blackjack", reason="")
    assert "needs reason" in refuse(play(guest("gus")), order, Asker("casino-operator", "mia"))


@pytest.mark.parametrize("asked", [None, {}, {"type": "fire-everybody"}, {"type": "give-role", "name": 3}])
def test_what_is_no_command_of_the_floor_is_told_so(asked: object) -> None:
    with pytest.raises(StreamError):
        hm.convert_house_command(asked)
