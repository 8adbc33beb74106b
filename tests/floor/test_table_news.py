"""What the floor hears of tables: numbered, once, and whatever happened in between."""

from __future__ import annotations

import pytest
from house_play import MIA, play, refuse
from msgspec.structs import replace

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.live_decisions import Asking, decide_live
from pitboss.floor.telling.passing_on import list_unheard, mark_told, pass_on
from pitboss.floor.telling.table_news import TableNews
from pitboss.money import Money
from pitboss.records import read, replay
from pitboss.rulebooks import rules_for
from pitboss.table import Limits, Refusal, begin_log
from pitboss.table.messages.askers import HOUSE, Asker


def open_table(name: str) -> lt.LiveTable:
    limits = Limits(minimum=Money(5), maximum=Money(500))
    opening = lt.TableSet(name=name, kind=lt.TableKind.MACHINE, clocks=lt.Clocks(), bank=Money(1000))
    return lt.open_live(opening, begin_log(rules_for("perth/blackjack"), limits), 1).live


def order(live: lt.LiveTable, **fields: object) -> lt.Granted:
    command = lt.convert_command({"reason": "x", **fields}, MIA)
    granted = decide_live(live, Asking(command, MIA, live.at_ms + 1))
    assert not isinstance(granted, Refusal), granted
    read = lt.fold_live(live, lt.decode_row(lt.encode_row(granted.events)), live.at_ms + 1)
    assert read == granted, "what is read back is what was decided"
    return granted


def hear(news: TableNews) -> tuple[hm.HouseCommand, Asker]:
    return hm.HearTable(news=news), news.by


def test_a_table_numbers_its_news_and_keeps_them_until_the_floor_has_heard() -> None:
    live = order(open_table("t1"), type="bar", player="ann").live
    live = order(live, type="dealer", name="dan").live
    assert [(item.number, item.dealer) for item in live.news] == [(1, None), (2, "dan")]
    assert live.news[0].order == lt.convert_command({"type": "bar", "player": "ann", "reason": "x"}, MIA)
    told = lt.fold_live(live, (lt.FloorTold(number=1),), live.at_ms).live
    assert [item.number for item in told.news] == [2]
    after = mark_told(lt.Granted((), told, ())).live
    assert not after.news
    assert after.news_counted == 2


def test_what_is_decided_for_one_table_alone_is_no_news() -> None:
    live = open_table("t1")
    assert not order(live, type="order-shuffle").live.news


def test_the_floor_hears_news_once_and_in_their_order() -> None:
    live = order(open_table("t1"), type="bar", player="ann").live
    first, second = (order(live, type="dealer", name="dan").live).news
    house = play(hear(first)).house
    assert house.heard == {live.name: 1}
    assert "have the number 2, not 1" in refuse(house, *hear(first))
    assert "have the number 1, not 2" in refuse(play().house, *hear(second))
    house = play(hear(second), house=house).house
    assert house.dealers == {live.name: "dan"}
    assert len(house.orders) == 1


def test_where_an_order_was_given_it_is_not_carried_out_again() -> None:
    live = order(open_table("t1"), type="bar", player="ann").live
    house = play(hear(live.news[0])).house
    (given,) = list_unheard(live, house.orders)
    assert given.origin == live.name
    assert pass_on(live, given, live.at_ms).events == (lt.OrderPassedOn(number=1),)


def test_an_order_that_crossed_another_one_ends_everywhere_as_the_floor_has_it() -> None:
    """The table bars ann on its own before it hears that the floor has ended what was ordered at another one."""
    ann = hm.AddPerson(name="ann", kind=hm.PersonKind.GUEST)
    over = hm.Readmit(name="ann", game="perth/blackjack", reason="over")
    live = order(open_table("t1"), type="bar", player="ann").live
    house = play((ann, HOUSE), hear(order(open_table("t2"), type="bar", player="ann").live.news[0]), (over, MIA)).house
    house = play(hear(live.news[0]), house=house).house
    assert [given.origin for given in house.orders] == ["t2", "", ""]
    for given in list_unheard(live, house.orders):
        live = pass_on(live, given, live.at_ms).live
    assert list(live.table.floor.barred) == ["ann"]


SEVENS = """
record = 1
title = "Three sevens of hearts"
game = "melbourne/blackjack"
side_wagers = ["magnificent-sevens"]
limits = { min = 5, max = 500 }
bets = ["1 ann* 20", "1 ann 5 magnificent-sevens"]
cards = "7h 9d 7h | 7h 8c"
actions = ["1 hit"]
"""
"""Three sevens of hearts, which win an entry by Melbourne 13.7.1 Table 1."""


@pytest.mark.parametrize(
    ("kind", "robots", "winners"),
    [
        (lt.TableKind.MACHINE, (), ["ann"]),
        (lt.TableKind.PRACTICE, (), []),
        (lt.TableKind.MACHINE, ("ann",), []),
    ],
)
def test_a_hand_that_wins_an_entry_is_news_unless_it_is_played_with_play_chips_or_by_a_robot(
    kind: lt.TableKind, robots: tuple[str, ...], winners: list[str]
) -> None:
    played = replay(read(SEVENS))
    opening = lt.TableSet(name="t1", kind=kind, clocks=lt.Clocks(), bank=Money(100_000))
    live = replace(lt.open_live(opening, played.opening, 1).live, robots=frozenset(robots))
    for step in played.rounds[0].steps:
        live = lt.fold_live(live, step.events, 2).live
    assert [won.player for item in live.news for won in item.entries] == winners
