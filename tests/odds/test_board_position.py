"""Positions of the board: they are reached by play, say whose card is due, and can be written as records."""

from __future__ import annotations

import pytest

from pitboss.errors import PitbossError
from pitboss.odds.advice.advise import advise
from pitboss.odds.advice.board_position import BoardPosition, lay_position, write_board_record
from pitboss.odds.analysis import analyse
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.records import read, replay
from pitboss.rulebooks import games, rules_for
from pitboss.table import legal_words

BLACKJACK = rules_for("melbourne/blackjack")


@pytest.mark.parametrize("game", games())
def test_a_position_of_every_game_is_laid_out_advised_on_and_written_as_a_record(game: str) -> None:
    rules = rules_for(game)
    boxes = ("8s 3h", "Ks 6d") if rules.boxes_per_area == 2 else ("9s 4h 2d",)
    laid = lay_position(rules, BoardPosition(boxes, "Kd"))
    assert laid.waits_for_player
    found = advise(laid.state, laid.left)
    assert found.best in found.actions
    assert sum(laid.left.values()) == rules.decks * rules.deck_cards - sum(len(box.split()) for box in boxes) - 1
    replayed = replay(read(write_board_record(laid, "a position"), "record"))
    assert not replayed.differences
    assert replayed.rounds[0].settled


@pytest.mark.slow
def test_the_board_agrees_with_the_analysis_of_the_game() -> None:
    openings = {(one.cards, one.up): one for one in analyse(BLACKJACK).openings}
    cases = (("Ts 6h", "Td", "6T", "T"), ("As 7c", "9d", "A7", "9"), ("5s 6h", "6d", "56", "6"))
    for cards, up, name, against in cases:
        laid = lay_position(BLACKJACK, BoardPosition((cards,), up))
        advice = advise(laid.state, laid.left)
        opening = openings[name, against]
        assert advice.best == opening.action
        for action, worth in opening.actions.items():
            if action != "split":
                assert advice.actions[action] == pytest.approx(worth, abs=1e-9)


def test_cards_that_were_seen_are_out_of_the_shoe() -> None:
    plain = lay_position(BLACKJACK, BoardPosition(("Ts 6h",), "Td"))
    fewer = lay_position(BLACKJACK, BoardPosition(("Ts 6h",), "Td", seen="5 5 5 5 5 5 5 5 5s"))
    assert sum(plain.left.values()) - sum(fewer.left.values()) == 9
    assert fewer.left["5s"] == BLACKJACK.decks - 3, "ranks are taken where most are left"
    assert advise(plain.state, plain.left).best == "hit"
    assert advise(fewer.state, fewer.left).best == "stand"


def test_a_split_is_played_on_and_asks_for_the_cards_it_needs() -> None:
    first = lay_position(BLACKJACK, BoardPosition(("8s 8h",), "6d", ("1 split",)))
    assert first.due == "1"
    second = lay_position(BLACKJACK, BoardPosition(("8s 8h 3c",), "6d", ("1 split",)))
    assert second.waits_for_player
    assert advise(second.state, second.left).best == "double"
    third = lay_position(BLACKJACK, BoardPosition(("8s 8h 3c Td 5s",), "6d", ("1 split", "1 double")))
    assert third.state.turn == (0, 1)
    over = lay_position(BLACKJACK, BoardPosition(("Ts 9h",), "6d", ("1 stand",)))
    assert (over.due, over.waits_for_player) == ("dealer", False)


def test_offers_come_before_the_hand() -> None:
    laid = lay_position(BLACKJACK, BoardPosition(("Ks Ah",), "Ad"))
    assert set(advise(laid.state, laid.left).actions) == {"stand", "even-money", "insure"}
    assert "1 even-money ann" in legal_words(laid.state)


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (BoardPosition(("Ts 3h Td 5h",), "6d"), "one too many"),
        (BoardPosition(("Xs 3h",), "6d"), "not a card"),
        (BoardPosition(("Ts 3h", "Td 5h"), "6d"), "one box, not 2"),
        (BoardPosition(("9s 6h",), "6d", ("1 split",)), "is refused"),
        (BoardPosition(("9s 6h",), "6d", ("!inspector void 1",)), "for the floor"),
        (BoardPosition(("9s 6h",), "6d", seen="5 " * 33), "no 5"),
        (BoardPosition(("9s 6h",), "6d", seen="?"), "neither a card"),
        (BoardPosition(("9s " * 9,), "6d"), "no 9s left"),
        (BoardPosition(("9s 2h 3c 4d 2s 9d",), "6d", ("1 stand",)), "box 1"),
    ],
)
def test_a_position_that_play_cannot_reach_is_refused_in_one_line(position: BoardPosition, said: str) -> None:
    with pytest.raises(PitbossError) as refused:
        lay_position(BLACKJACK, position)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_infinite_deck_has_no_board() -> None:
    rules = TableChoice("melbourne/blackjack", {"decks": "inf"}).resolve_rules()[1]
    with pytest.raises(PitbossError, match="infinite"):
        lay_position(rules, BoardPosition(("9s 6h",), "6d"))


def test_a_table_is_chosen_by_options_readings_and_changes_beyond_the_book() -> None:
    readings = {"natural_paid_early": "always"}
    chosen = TableChoice("melbourne/blackjack", {"decks": "6"}, readings, {"natural_odds": "6:5"})
    rules = chosen.resolve_rules()[1]
    assert (rules.decks, rules.readings["natural_paid_early"], str(rules.natural_odds)) == (6, "always", "6:5")
    with pytest.raises(PitbossError, match="at most"):
        TableChoice("melbourne/blackjack", changes={f"rule-{number}": "1" for number in range(20)}).resolve_rules()


def test_shares_of_wins_and_losses_agree_with_what_actions_are_worth() -> None:
    """Where a win pays evens, an action is worth its wins less its losses; a double twice that."""
    for cards, up in (("Th 6c", "9s"), ("6d 5c", "9d"), ("Ah 7c", "6s"), ("Th 2c", "Ac")):
        laid = lay_position(BLACKJACK, BoardPosition((cards,), up))
        advice = advise(laid.state, laid.left, counted=True)
        assert advice.shares.keys() == advice.actions.keys() & {"stand", "hit", "double"}
        for name, share in advice.shares.items():
            assert share.win + share.push + share.lose == pytest.approx(1)
            stakes = 2 if name == "double" else 1
            assert stakes * (share.win - share.lose) == pytest.approx(advice.actions[name], abs=1e-12)


def test_shares_are_left_out_where_they_were_not_asked_for_or_are_not_exact() -> None:
    laid = lay_position(BLACKJACK, BoardPosition(("Th 6c",), "9s"))
    assert advise(laid.state, laid.left).shares == {}
    split = lay_position(BLACKJACK, BoardPosition(("8h 8c 3d 2s",), "Td", actions=("1 split",)))
    assert advise(split.state, split.left, counted=True).shares == {}
