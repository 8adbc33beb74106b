"""A school table: whatever the game, somebody alone can deal at it, with every wager that the book knows."""

from __future__ import annotations

import pytest
from speeds import few

from pitboss.floor.desks.dealer_steps import describe_seat
from pitboss.floor.desks.school_table import (
    SchoolMove,
    SchoolTable,
    SchoolWish,
    describe_school,
    make_move,
    open_school,
)
from pitboss.rulebooks import games
from pitboss.table import Refusal
from pitboss.table.shoe.devices import DEALER
from pitboss.table.state import Phase, State

SEED = b"for a school table of the tests."
MOST_MOVES = 1500


def find_move(table: SchoolTable) -> SchoolMove:
    """What a diligent student does next: what the seat says, and what the players show."""
    step, answer = describe_seat(table.live).step, describe_school(table)
    if step.kind == "come-on":
        return SchoolMove("command", {"type": "dealer", "name": table.person})
    if step.kind == "card":
        return SchoolMove("draw")
    wanted = answer.shows if step.kind == "decide" and answer.shows else step.command or step.choices[0]
    return SchoolMove("command", wanted)


def go_on(table: SchoolTable, moves: int) -> SchoolTable:
    for number in range(moves):
        answer = make_move(table, find_move(table), number)
        assert isinstance(answer, SchoolTable), answer
        table = answer
    return table


@pytest.mark.parametrize("game", few(games(), 3))
def test_every_game_can_be_dealt_alone_round_after_round(game: str) -> None:
    table = go_on(open_school("stu", SchoolWish(game, 5, side_wagers=True), SEED, 0), 150)
    assert table.live.table.round > 2
    assert {line.kind for line in table.said} >= {"bet-placed", "wager-settled"}
    assert table == go_on(open_school("stu", SchoolWish(game, 5, side_wagers=True), SEED, 0), 150)


@pytest.mark.parametrize("game", ["perth/blackjack", "rws/blackjack"])
def test_a_shoe_comes_to_its_end_and_another_is_brought(game: str) -> None:
    """By a cut card where the book knows one, else in time."""
    table = open_school("stu", SchoolWish(game, 5), SEED, 0)
    dealt = 0
    for _ in range(MOST_MOVES):
        table = go_on(table, 1)
        if len(table.live.table.shoe.cards) < dealt:
            return
        dealt = len(table.live.table.shoe.cards)
    raise AssertionError("the shoe does not end")


def test_players_come_with_side_wagers_only_if_wanted() -> None:
    for wanted in (False, True):
        table = go_on(open_school("stu", SchoolWish("melbourne/blackjack", 5, wanted), SEED, 0), 60)
        assert any("perfect pairs" in line.text.lower() for line in table.said) is wanted


def count_cards(state: State) -> dict[str, int]:
    return {box.number: sum(len(hand.cards) for hand in box.hands) for box in state.boxes}


@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/pontoon"])
def test_the_card_goes_where_the_seat_says(game: str) -> None:
    """To the second hand of a split, too, where the first has just stood."""
    table, splits = open_school("stu", SchoolWish(game, 5), SEED, 0), 0
    for _ in range(900):
        step, before = describe_seat(table.live).step, table.live.table
        table = go_on(table, 1)
        if step.kind != "card" or before.phase is not Phase.TURNS:
            continue
        had, has = count_cards(before), count_cards(table.live.table)
        grown = [box for box in has if has[box] > had[box]]
        assert (grown or [DEALER]) == [step.box]
        splits += bool(grown) and "hand 2 of box" in step.say
    assert splits


def test_what_the_book_refuses_changes_nothing() -> None:
    table = go_on(open_school("stu", SchoolWish("star/blackjack"), SEED, 0), 2)
    answer = make_move(table, SchoolMove("command", {"type": "key-card", "card": "Ah"}), 9)
    assert isinstance(answer, Refusal)
    assert "no card is due" in answer.reason


def test_a_card_is_corrected_by_its_number() -> None:
    table = open_school("stu", SchoolWish("star/blackjack", 2), SEED, 0)
    while len(table.cards) < 2:
        table = go_on(table, 1)
    other = "2c" if table.cards[0] != "2c" else "3c"
    rules = table.live.table.rules
    order = {"type": "correct-card", "number": 1, "card": other, "reason": "keyed wrongly"}
    answer = make_move(table, SchoolMove("command", order, rules.ladder[-1].id), 99)
    assert isinstance(answer, SchoolTable), answer
    assert answer.cards[0] == other
