"""Practice tables: play chips of their own, and advice; at tables in service nobody is advised."""

from __future__ import annotations

import pytest
from floor_play import PLAYERS, RandomTable
from witnessing import shown

from pitboss.cards import decks
from pitboss.floor import ledger as le
from pitboss.floor import live_table as lt
from pitboss.floor.practice import ask_advice, check_advice
from pitboss.money import Money
from pitboss.odds.advice.advise import advise
from pitboss.rulebooks import games, rules_for
from pitboss.table import Phase
from pitboss.table.draft import Refused

ADVICE_CLAUSES = {
    "star/blackjack": ("19.6",), "melbourne/blackjack": ("32.6", "32.1"), "star/switch": ("19.6",),
}  # fmt: skip


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("kind", [lt.TableKind.MACHINE, lt.TableKind.PERSON])
def test_at_a_table_in_service_nobody_is_advised(game: str, kind: lt.TableKind) -> None:
    """Melbourne 32.1 and 32.6, The Star 19.6; and the same where a book does not say so."""
    table = RandomTable(rules_for(game), seed=1, kind=kind)
    with pytest.raises(Refused, match="nobody is advised at a table in service") as refused:
        check_advice(table.live, "ann")
    assert refused.value.clauses == shown(table.live.table.rules, "advice")[1]
    assert refused.value.clauses == ADVICE_CLAUSES.get(game, refused.value.clauses)
    assert bool(refused.value.clauses) == game.startswith(("star", "melbourne"))


def practise(game: str, seed: int = 3) -> RandomTable:
    table = RandomTable(rules_for(game), seed, lt.TableKind.PRACTICE)
    for _ in range(200):
        if table.live.table.phase is Phase.TURNS:
            return table
        table.step()
    raise AssertionError("no hand was played")


@pytest.mark.parametrize("game", games())
def test_practice_is_played_with_play_chips_and_nothing_else(game: str) -> None:
    table = RandomTable(rules_for(game), seed=5, kind=lt.TableKind.PRACTICE)
    for _ in range(150):
        table.step()
    for player in PLAYERS:
        table.live.purses.get(player)
        assert table.balances[le.wallet(player), le.Unit.CHIP] == le.to_grains(Money(1000)), "chips of service moved"
    units = {moved.unit for granted in table.granted for moved in granted.transfers}
    assert units <= {le.Unit.PLAY, le.Unit.TOKEN}
    assert table.live.table.round > 2


def test_the_house_lends_so_much_and_no_more() -> None:
    table = RandomTable(rules_for("perth/blackjack"), seed=5, kind=lt.TableKind.PRACTICE)
    assert table.ask(lt.BuyIn(player="ann", amount=Money(9_500)), "ann"), "nobody pays for play chips"
    assert not table.ask(lt.BuyIn(player="ann", amount=Money(5)), "ann")
    assert table.refusals[-1].reason == "nobody practises with more than 10000"


def test_a_question_holds_what_the_player_sees_and_no_order_of_cards() -> None:
    table = practise("perth/blackjack")
    state = table.live.table
    assert state.turn is not None
    player = state.boxes[state.turn[0]].controller
    question = ask_advice(table.live, player)
    assert question.box == state.boxes[state.turn[0]].number
    rules = state.rules
    whole = len(decks(rules.decks, rules.deck_cards))
    assert sum(question.left.values()) == len(state.shoe.undealt) + len(state.shoe.burnt) <= whole
    advice = advise(question.seen, question.left, question.box, rules=question.rules)
    assert advice.best in advice.actions
    assert advice == advise(state, question.left, question.box), "the table itself says the same"


def test_only_somebody_with_a_wager_is_advised() -> None:
    table = practise("perth/blackjack")
    with pytest.raises(Refused, match="buy in first"):
        ask_advice(table.live, "nobody")
    state = table.live.table
    without = [name for name in PLAYERS if all(box.bettor(name) is None for box in state.boxes)]
    for name in without:
        with pytest.raises(Refused, match="no wager there"):
            ask_advice(table.live, name)
