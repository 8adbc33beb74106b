"""Rules as integers: nothing is lost on the way, and the constants are the places of the words they stand for."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import pytest

from pitboss.play import packed
from pitboss.play.packed import ACTION_BITS, BONUS_ORDER, PLAY_PARAMETERS, Packed, pack, unpack
from pitboss.rulebooks import BOOKS, Rulebook, RulebookError, Rules, load_book, rules_for
from pitboss.rulebooks.model.book import BONUS_HANDS
from pitboss.rulebooks.model.parameters import TYPES, WORDS

CONSTANTS = {
    "hole_card": {"HOLE_NONE": "none", "HOLE_PEEK": "peek", "HOLE_NO_PEEK": "no-peek"},
    "natural_paid": {
        "NATURAL_AT_ONCE": "at-once",
        "NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE": "at-once-unless-ten-or-ace",
        "NATURAL_FINAL": "final",
    },
    "natural_vs_natural": {"NATURALS_STAND_OFF": "stand-off", "NATURALS_WIN": "win"},
    "natural_vs_push_total": {"NATURAL_BEATS_PUSH": "win", "NATURAL_PUSHES": "stand-off"},
    "surrender_when": {
        "SURRENDER_NEVER": "never",
        "SURRENDER_BEFORE_THIRD_CARD": "before-third-card",
        "SURRENDER_TABLE_PASS": "table-pass",
        "SURRENDER_OWN_TURN": "own-turn",
        "SURRENDER_UNTIL_ANOTHER_DRAWS": "until-another-draws",
        "SURRENDER_AFTER_OWN_CARDS": "after-own-cards",
    },
    "surrender_vs_natural": {"SURRENDER_WHOLE": "whole-stake-lost", "SURRENDER_HALF": "half-stake-lost"},
    "surrender_settled": {"SURRENDER_AT_ONCE": "at-once", "SURRENDER_FINAL": "final"},
    "auto_draw": {"AUTO_OFF": "off", "AUTO_OPTIONAL": "optional", "AUTO_COMPULSORY": "compulsory"},
    "auto_draw_line": {"LINE_CHOOSES": "player-chooses", "LINE_STANDS": "hand-stands"},
    "auto_draw_spares": {"SPARES_OWN_DOUBLES": "doubles-of-the-game", "SPARES_HARD_9_11": "hard-9-11"},
    "double_totals": {
        "DOUBLE_NONE": "none",
        "DOUBLE_HARD_9_11": "hard-9-11",
        "DOUBLE_9_11_ACE_ONE": "9-11-ace-as-one",
        "DOUBLE_9_11_NO_ACE": "9-11-no-ace",
        "DOUBLE_ANY": "any-below-21",
    },
    "double_cards": {
        "DOUBLE_TWO": "two",
        "DOUBLE_TWO_OR_THREE": "two-or-three",
        "DOUBLE_TWO_OR_MORE": "two-or-more",
    },
    "double_stake": {"STAKE_EQUAL": "equal", "STAKE_UP_TO": "up-to-original", "STAKE_TOKEN": "token"},
    "double_exempt_from_forced_draw": {"EXEMPT_ANY": "any-total", "EXEMPT_ONLY_11": "only-11"},
    "split_match": {"MATCH_VALUE": "value", "MATCH_RANK": "rank"},
    "split_stake": {"SPLIT_EQUAL": "equal", "SPLIT_TOKEN_EXCEPT_TENS": "token-except-tens"},
    "free_split_stake": {"OWN_STAKE_FIRST": "first-hand", "OWN_STAKE_LAST": "last-hand"},
    "five_card_win": {"FIVE_NONE": "none", "FIVE_AT_MOST_21": "at-most-21", "FIVE_BELOW_21": "below-21"},
    "dealer_natural_takes": {
        "TAKES_ALL": "all",
        "TAKES_BUSTED_PLUS_ONE": "busted-plus-one",
        "TAKES_BY_WAGER": "by-wager",
        "TAKES_CAPPED": "capped-at-original",
        "TAKES_PER_HAND": "one-per-live-hand",
        "TAKES_ORIGINAL": "original",
    },
    "tie": {"TIE_STAND_OFF": "stand-off", "TIE_LOSE": "lose"},
    "player_21_paid": {"PAID_AT_ONCE": "at-once", "PAID_FINAL": "final"},
    "even_money": {"EVEN_MONEY_ON_REQUEST": "on-request-against-ace"},
    "even_money_insurance": {"INSURANCE_STANDS": "stands", "INSURANCE_RETURNED": "returned"},
    "insurance_max": {"INSURANCE_HALF": "half", "INSURANCE_WHOLE": "whole"},
    "insurance_by": {"INSURANCE_BY_EACH": "each-player", "INSURANCE_BY_CONTROLLER": "controlling-player"},
    "insurance_settled": {"INSURANCE_SECOND_CARD": "dealer-second-card", "INSURANCE_BEFORE_PLAY": "before-play"},
    "super_bonus_after_split": {"BONUS_AFTER_SPLIT_NEVER": "never"},
    "dealer_completes_for_side_wagers": {
        "COMPLETES_NEVER": "no",
        "COMPLETES_WHENEVER_LIVE": "whenever-live",
        "COMPLETES_LISTED": "listed-cases",
    },
}
"""The constants of each parameter and the word that each stands for."""


@pytest.mark.parametrize(("parameter", "constants"), CONSTANTS.items())
def test_constants_are_the_places_of_their_words(parameter: str, constants: dict[str, str]) -> None:
    words = typing.get_args(TYPES[parameter])
    assert {name: getattr(packed, name) for name in constants} == {
        name: words.index(word) for name, word in constants.items()
    }
    assert parameter in Packed._fields


def test_every_constant_is_held_to_its_word() -> None:
    numbers = {name for name, value in vars(packed).items() if name.isupper() and type(value) is int}
    held = {name for constants in CONSTANTS.values() for name in constants}
    assert numbers == held | {name.upper() for name in ACTION_BITS}


def test_actions_are_bits_and_bonus_hands_are_codes() -> None:
    assert list(ACTION_BITS) == list(WORDS["actions"])
    assert sorted(ACTION_BITS.values()) == [1, 2, 4, 8, 16, 32]
    assert BONUS_ORDER == BONUS_HANDS


def every_rules(book: Rulebook) -> Iterator[Rules]:
    """Each game of a book plain, with each value of each option, and with each reading changed."""
    for game in book.games.values():
        yield book.rules(game.id)
        changes: list[dict[str, Any]] = [
            {name: value} for name, option in book.options_of(game).items() for value in option.choices
        ]
        changes += [
            {"readings": {name: value}}
            for name, reading in book.readings_of(game).items()
            for value in reading.alternatives
        ]
        for change in changes:
            try:
                yield book.rules(game.id, **change)
            except RulebookError:  # not allowed without another choice
                continue


@pytest.mark.parametrize("book", BOOKS)
def test_packing_loses_nothing(book: str) -> None:
    for rules in every_rules(load_book(book)):
        small = pack(rules)
        back = unpack(small)
        assert set(back) == set(PLAY_PARAMETERS)
        assert {name: getattr(rules, name) for name in PLAY_PARAMETERS} == back
        assert all(type(number) is int for number in small[:-2])


def test_bonus_odds_are_packed_by_code() -> None:
    pontoon = pack(rules_for("melbourne/pontoon"))
    odds = dict(zip(("none", *BONUS_ORDER), zip(pontoon.bonus_win, pontoon.bonus_stake, strict=True), strict=True))
    assert odds["none"] == (1, 1)
    assert odds["five-cards-21"] == odds["777-mixed"] == (3, 2)
    assert odds["678-suited"] == (2, 1)
    assert odds["777-spades"] == (3, 1)
    plain = pack(rules_for("melbourne/blackjack"))
    assert set(zip(plain.bonus_win, plain.bonus_stake, strict=True)) == {(1, 1)}
