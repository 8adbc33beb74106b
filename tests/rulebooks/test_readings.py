"""Every reading that can be chosen changes the rules that code is given, and the table plays by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from shoe_play import Table

from pitboss.money import Money
from pitboss.rulebooks import BOOKS, Rulebook, RulebookError, load_book, rules_for
from pitboss.rulebooks.model.book import Reading
from pitboss.table.messages import commands as cmd

Choices = dict[str, Any]


def tables(book: Rulebook, reading: Reading) -> Iterator[tuple[str, Choices]]:
    """Every game that a reading concerns, plain, with each side wager, and with each choice that hangs on it."""
    for game in book.games.values():
        if reading.games is None or game.id in reading.games:
            yield game.id, {}
            yield from ((game.id, {"side_wagers": (side,)}) for side in book.side_wagers_of(game))
            for name, option in book.options_of(game).items():
                hanging = [case for case in option.allowed if f"reading.{reading.id}" in case.when]
                yield from ((game.id, {name: value}) for case in hanging for value in case.value)
            for side, module in book.side_wagers_of(game).items():
                hanging = [case for case in module.requires if f"reading.{reading.id}" in case.when]
                others = [other for case in hanging for other in case.value.get("not_with", ())]
                yield from ((game.id, {"side_wagers": (side, other)}) for other in others)


def resolved(book: Rulebook, game: str, choices: Choices, reading: str, value: str) -> Any:
    """All that code sees of the rules but the reading itself; nothing if they are refused."""
    try:
        rules = book.rules(game, **choices, readings={reading: value})
    except RulebookError:
        return None
    return rules.values(), rules.matters, rules.side_wagers, rules.options


@pytest.mark.parametrize("name", BOOKS)
def test_every_alternative_of_a_reading_changes_the_rules_of_some_table(name: str) -> None:
    book = load_book(name)
    idle = [
        f"{reading.id} = {other}"
        for reading in book.readings.values()
        for other in reading.alternatives
        if not any(
            resolved(book, *table, reading.id, reading.default) != resolved(book, *table, reading.id, other)
            for table in tables(book, reading)
        )
    ]
    assert not idle, f"{name}: nothing follows from {', '.join(idle)}: build it, or leave its alternatives empty"


TIED = {"perth/blackjack": "3.3", "star/blackjack": "5.5", "star/switch": "5.6"}


@pytest.mark.parametrize("game", TIED)
def test_a_tie_for_the_highest_wager_may_be_read_to_leave_the_box_without_a_caller(game: str) -> None:
    table = Table(game, readings={"tie_for_highest_controller": "undefined"})
    table.do(cmd.LoadShoe(cards=("9h", "8d", "7s", "9c", "8c", "Kd", "2d", "3d")))
    for player, amount in (("ann", 20), ("bob", 20), ("cat", 10)):
        table.bet("1", player, amount)
    refusal = table.no(cmd.Deal())
    assert "which of ann and bob" in refusal.reason
    assert any(clause.startswith(TIED[game]) for clause in refusal.clauses)


@pytest.mark.parametrize(
    ("game", "word"),
    [("perth/blackjack", "absent-at-once"), ("star/blackjack", "dealer-plays"), ("star/switch", "dealer-plays")],
)
def test_who_leaves_a_shared_box_hands_it_to_the_next_in_line_or_to_the_dealer(game: str, word: str) -> None:
    box = "1a" if game == "star/switch" else "1"
    for reading in ({}, {"control_when_controller_leaves": word}):
        table = Table(game, readings=reading)
        table.do(cmd.LoadShoe(cards=("9h", "8d", "7s", "9c", "8c", "Kd", "2d", "3d")))
        table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True))
        table.bet("1", "bob", 10)
        table.do(cmd.Deal())
        table.do(cmd.LeaveBox(box=box, player="ann"))
        if reading:
            table.no(cmd.Hit(box=box, by="bob"))
        else:
            assert table.state.boxes[0].controller == "bob"
            table.do(cmd.Hit(box=box, by="bob"))


@pytest.mark.parametrize("layout", ["N", "O"])
def test_layouts_that_only_the_clause_on_any_pairs_names_may_be_read_not_to_be_allowed(layout: str) -> None:
    rules_for("star/blackjack", layout=layout, side_wagers=["any-pairs"])
    with pytest.raises(RulebookError, match=f'layout cannot be "{layout}"'):
        rules_for(
            "star/blackjack", layout=layout, side_wagers=["any-pairs"], readings={"layouts_n_and_o": "not-allowed"}
        )


def test_betting_in_melbourne_may_be_read_to_end_with_the_call() -> None:
    for reading, closes in (("first-card", "first-card"), ("call", "call")):
        assert rules_for("melbourne/blackjack", readings={"betting_closes": reading}).bets_close == closes


HOSTS = [
    ("spanish", "pontoon-pandemonium", "pandemonium_on_spanish", "not-offered"),
    ("premier", "magnificent-sevens", "magnificent_sevens_hosts", "blackjack-and-crown"),
    ("pontoon", "magnificent-sevens", "magnificent_sevens_hosts", "52-card-games"),
    ("premier", "crown-suits", "crown_suits_hosts", "three-games"),
    ("pontoon", "blackpot", "blackpot_hosts", "52-card-games"),
    ("spanish", "spread-bet", "spread_bet_hosts", "52-card-games"),
]


@pytest.mark.parametrize(("game", "wager", "reading", "value"), HOSTS)
def test_a_side_wager_may_be_read_to_have_fewer_hosts(game: str, wager: str, reading: str, value: str) -> None:
    rules_for(f"melbourne/{game}", side_wagers=[wager])
    with pytest.raises(RulebookError, match="cannot be offered"):
        rules_for(f"melbourne/{game}", side_wagers=[wager], readings={reading: value})


def test_blackpot_may_be_read_to_need_its_greatest_payout_on_the_notice() -> None:
    read = {"side_wagers": ["blackpot"], "readings": {"blackpot_without_a_figure": "not-offered"}}
    assert rules_for("melbourne/blackjack", side_wagers=["blackpot"]).side_wagers[0].max_payout is None
    assert rules_for("melbourne/blackjack", **read, blackpot_max=500).side_wagers[0].max_payout == 500
    with pytest.raises(RulebookError, match=r"without its greatest payout \(clause 23\.4\.1:\*, 23\.4\.1\)"):
        rules_for("melbourne/blackjack", **read)


def test_vegas_may_be_read_to_need_a_cutting_card_and_so_a_shoe() -> None:
    assert rules_for("melbourne/vegas", card_source="device").card_source == "device"
    with pytest.raises(RulebookError, match=r"card_source cannot be \"device\""):
        rules_for("melbourne/vegas", card_source="device", readings={"cutting_card_of_vegas": "no-machine"})


@pytest.mark.parametrize("wager", ["supernova", "blackjack-jackpots"])
def test_jackpots_may_be_read_to_have_vegas_dealt_from_six_decks(wager: str) -> None:
    read = {"jackpot_hosts": "six-decks-for-vegas"}
    assert rules_for("melbourne/vegas", side_wagers=[wager], readings=read).decks == 6
    assert rules_for("melbourne/vegas", readings=read).decks == 4
    with pytest.raises(RulebookError, match=r"cannot be offered with decks 4"):
        rules_for("melbourne/vegas", side_wagers=[wager])
    with pytest.raises(RulebookError, match=r"deck_cards 48"):
        rules_for("melbourne/pontoon", side_wagers=[wager], readings=read, decks=6)


def test_two_jackpots_may_be_read_to_exclude_each_other() -> None:
    both = {"side_wagers": ["supernova", "blackjack-jackpots"], "decks": 6}
    rules_for("melbourne/blackjack", **both)
    with pytest.raises(RulebookError, match=r"together with supernova \(clause 21\.5\.1\(c\), 24\.5\.1\(c\)\)"):
        rules_for("melbourne/blackjack", **both, readings={"two_jackpots_at_a_table": "one-in-all"})


SAME_WORDS = (
    "burn_opens_round", "control_when_controller_leaves", "cutter_of_ordered_shuffle", "cutter_on_shared_box",
    "dealer_natural_collect", "device_burn", "device_failure_keeps_interim", "device_harm_first", "dispute_reviewer",
    "double_on_ace_ten", "drawn_21_against_dealer_natural", "held_over_card_and_shuffle", "idle_seat_by",
    "insurance_by", "invalidated_wagers", "late_insurance_for", "maximum_concerns", "minimum_concerns",
    "natural_against_drawn_21", "naturals_paid_at_once", "one_box_until", "out_of_cards_device",
    "personal_maximum_on_shared_box", "promotional_tokens", "room_below_minimum", "second_and_third_player",
    "side_wager_amount", "split_naturals", "split_sharers_again", "tie_for_highest_controller", "unseen_dealer_card",
    "void_side_wagers",
)  # fmt: skip
"""Doubts about clauses that The Star's two books share word for word."""


@pytest.mark.parametrize("name", SAME_WORDS)
def test_the_same_words_are_read_alike_in_the_books_of_the_star(name: str) -> None:
    one, other = (load_book(book).readings[name] for book in ("star", "star-switch"))
    assert (one.default, one.alternatives) == (other.default, other.alternatives)
