"""Limits of a table changed in mid evening, who keeps an old minimum and for how long, and what is kept of disputes."""

from __future__ import annotations

from typing import Any

import pytest
from shoe_play import Table

from pitboss.money import Money
from pitboss.table import open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.round.standing_orders import minimum_for
from pitboss.table.state import Limits
from pitboss.table.views import Observer, Viewer, view

SAID: dict[str, Any] = {"role": "casino-supervisor", "reason": "a feast"}
FEAST: dict[str, Any] = {"minimum": Money(25), "maximum": Money(500)}


def table_of(game: str = "star/blackjack") -> Table:
    table = Table(game)
    table.state = open_table(table.state.rules, Limits(Money(10), Money(500)))
    return table


@pytest.mark.parametrize("game", ["star/blackjack", "star/switch"])
def test_a_minimum_raised_at_once_is_for_newcomers_until_those_who_were_there_have_left(game: str) -> None:
    table = table_of(game)
    table.arrive(ann=1, bob=2)
    table.do(od.ChangeLimits(**SAID, **FEAST, how="now", shown=True))
    table.arrive(cat=3)
    assert [minimum_for(table.state, name) for name in ("ann", "bob", "cat")] == [10, 10, 25]
    assert [(item.player, item.area) for item in table.state.floor.protected] == [("ann", 1), ("bob", 2)]
    table.do(cmd.Leave(player="ann"))
    table.arrive(ann=1)
    assert [minimum_for(table.state, name) for name in ("ann", "bob")] == [25, 10]


def test_a_second_raise_leaves_everybody_the_minimum_they_came_to() -> None:
    table = table_of()
    table.arrive(ann=1)
    table.do(od.ChangeLimits(**SAID, **FEAST, how="now", shown=True))
    table.arrive(bob=2)
    table.do(od.ChangeLimits(**SAID, minimum=Money(50), maximum=Money(500), how="now", shown=True))
    table.arrive(cat=3)
    assert [minimum_for(table.state, name) for name in ("ann", "bob", "cat")] == [10, 25, 50]
    table.do(od.ChangeLimits(**SAID, minimum=Money(20), maximum=Money(500)))
    assert [minimum_for(table.state, name) for name in ("ann", "bob", "cat")] == [10, 20, 20]
    assert [item.player for item in table.state.floor.protected] == ["ann"]


def test_everybody_sees_the_limits_those_to_come_and_who_keeps_an_old_minimum() -> None:
    table = table_of()
    table.arrive(ann=4)
    table.do(od.ChangeLimits(**SAID, **FEAST, how="now", shown=True))
    table.do(od.AnnounceLimits(**SAID, minimum=Money(50), maximum=Money(900), minute=600))
    notice = view(table.state, Observer(Viewer.SPECTATOR)).notice
    assert notice.limits == Limits(Money(25), Money(500))
    assert notice.old_minimums == ((4, "ann", Money(10)),)
    assert notice.coming_limits is not None
    assert (notice.coming_limits.minimum, notice.coming_limits.minute) == (50, 600)


def test_a_change_of_limits_is_on_record_with_its_clause() -> None:
    table = table_of()
    ruled, changed, _ = table.do(od.ChangeLimits(**SAID, minimum=Money(5), maximum=Money(50), person="lee"))
    assert isinstance(ruled, ru.Ruled)
    assert isinstance(changed, ru.LimitsChanged)
    assert (ruled.power, ruled.person, ruled.clauses) == ("change-limits", "lee", ("6.5",))
    assert changed.limits == table.state.limits == Limits(Money(5), Money(50))


def test_where_the_book_is_silent_somebody_above_the_dealer_sets_limits_and_decides_disputes() -> None:
    table = table_of("rws/blackjack")
    said: dict[str, Any] = {"reason": "a feast"}
    table.no(od.ChangeLimits(role="dealer", **said, minimum=Money(5), maximum=Money(50)))
    table.do(od.ChangeLimits(role="house", **said, minimum=Money(5), maximum=Money(50)))
    table.do(od.ReferDispute(role="dealer", reason="the count", player="ann"))
    table.no(od.RuleOnDispute(role="dealer", reason="it is right", player="ann", upheld=False))
    table.do(od.RuleOnDispute(role="house", reason="it is right", player="ann", upheld=False))
    refusal = table.no(od.RuleOnDispute(role="house", reason="again", player="ann", upheld=True))
    assert "decided at this table" in refusal.reason


def test_a_dispute_keeps_who_decided_what_and_where_it_may_go_from_there() -> None:
    table = table_of()
    table.do(od.ReferDispute(role="dealer", reason="the count of her hand", player="ann"))
    (dispute,) = table.state.floor.disputes
    assert (dispute.matter, dispute.next_step) == ("the count of her hand", "gaming supervisor, first decision")
    ruling = {"player": "ann", "upheld": True, "reason": "it was soft"}
    table.do(od.RuleOnDispute(role="gaming-supervisor", person="lee", **ruling))
    (dispute,) = table.state.floor.disputes
    assert dispute.next_step.startswith("casino supervisor, review on request")
    table.do(od.RuleOnDispute(role="gaming-manager", person="fox", **{**ruling, "upheld": False}))
    (dispute,) = table.state.floor.disputes
    assert [(item.role, item.person, item.upheld) for item in dispute.rulings] == [
        ("gaming-supervisor", "lee", True),
        ("gaming-manager", "fox", False),
    ]
    refusal = table.no(od.RuleOnDispute(role="gaming-manager", **ruling))
    assert refusal.clauses == ("19.13",)
    table.do(od.ReferDispute(role="dealer", reason="another matter", player="ann"))
    assert len(table.state.floor.disputes) == 2
