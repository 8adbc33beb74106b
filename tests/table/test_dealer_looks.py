"""A dealer who looks for a natural before boxes act: with a hole card, or where a book is read so."""

from __future__ import annotations

import pytest
from record_tools import ROOT

from pitboss.money import Money
from pitboss.rulebooks import Rules, parse_user_book, rules_for
from pitboss.table import Refusal, State, decide, legal, open_table, results
from pitboss.table.messages import commands as cmd
from pitboss.table.state import Phase


def las_vegas() -> Rules:
    path = ROOT / "examples" / "las-vegas.toml"
    book = parse_user_book(path.read_text("utf-8"), path.name)
    return rules_for(f"{book.namespace}/blackjack", own_books=[book])


def early_check() -> Rules:
    return rules_for("rws/blackjack", readings={"insurance_settle_time": "early-check"})


def dealt(rules: Rules, cards: str) -> State:
    state = open_table(rules)
    for command in (
        cmd.LoadShoe(cards=tuple(cards.split())),
        cmd.PlaceBet(box="1", player="ann", amount=Money(10)),
        cmd.Deal(),
    ):
        state = done(state, command)
    assert state.phase is Phase.OFFERS
    return state


def done(state: State, command: cmd.Command) -> State:
    answer = decide(state, command)
    assert not isinstance(answer, Refusal), answer
    return answer.state


@pytest.mark.parametrize("rules", [las_vegas(), early_check()], ids=["hole card", "early check"])
@pytest.mark.parametrize("action", [cmd.Hit(box="1"), cmd.Double(box="1"), cmd.Stand(box="1"), cmd.Proceed()])
def test_nobody_draws_or_doubles_into_a_natural(rules: Rules, action: cmd.Command) -> None:
    """A decision while insurance is open ends the offers; whoever made it has lost one stake and taken no card."""
    state = done(dealt(rules, "9s Ad 7h Kd Tc 2d"), action)
    assert state.phase is Phase.SETTLED
    assert state.dealer == ("Ad", "Kd")
    assert results(state) == {("1", "ann", "main"): -10}
    assert state.shoe.undealt == ("Tc", "2d")


@pytest.mark.parametrize("rules", [las_vegas(), early_check()], ids=["hole card", "early check"])
def test_without_a_natural_insurance_is_lost_and_the_decision_is_carried_out(rules: Rules) -> None:
    state = dealt(rules, "6s Ad 5h 8d Tc 2d")
    state = done(state, cmd.Insure(box="1", player="ann", amount=Money(5)))
    state = done(state, cmd.Double(box="1"))
    assert state.boxes[0].hands[0].cards == ("6s", "5h", "Tc")
    assert results(state) == {("1", "ann", "main"): 20, ("1", "ann", "insurance"): -5}


@pytest.mark.parametrize("rules", [las_vegas(), early_check()], ids=["hole card", "early check"])
def test_what_may_be_done_does_not_tell_what_the_dealer_has(rules: Rules) -> None:
    with_natural, without = (legal(dealt(rules, f"6s Ad 5h {second} Tc 2d")) for second in ("Kd", "8d"))
    assert with_natural == without


@pytest.mark.parametrize("rules", [las_vegas(), early_check()], ids=["hole card", "early check"])
@pytest.mark.parametrize("action", [cmd.Split(box="1"), cmd.Hit(box="2"), cmd.Switch(area="1")])
def test_a_decision_that_cannot_be_is_refused_whatever_the_dealer_has(rules: Rules, action: cmd.Command) -> None:
    refusals = [decide(dealt(rules, f"6s Ad 5h {second} Tc 2d"), action) for second in ("Kd", "8d")]
    assert all(isinstance(refusal, Refusal) for refusal in refusals)
    assert refusals[0] == refusals[1]
