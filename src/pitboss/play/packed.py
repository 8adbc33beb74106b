"""`Packed`: the part of `Rules` that decides play, as a tuple of integers, and the way there and back.

Words become their place in the list of choices that `Parameters` gives them, ranks become a bit mask, odds two numbers.
The constants below name those places; a test holds them to the lists. `unpack` gives the words back: packing loses
nothing.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pitboss.cards import RANKS
from pitboss.money import Odds
from pitboss.rulebooks.model.parameters import TYPES, WORDS, Parameters
from pitboss.rulebooks.model.rules import Rules

HOLE_NONE, HOLE_PEEK, HOLE_NO_PEEK = 0, 1, 2
NATURAL_AT_ONCE, NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE, NATURAL_FINAL = 0, 1, 2
NATURALS_STAND_OFF, NATURALS_WIN = 0, 1
NATURAL_BEATS_PUSH, NATURAL_PUSHES = 0, 1
SURRENDER_NEVER, SURRENDER_BEFORE_THIRD_CARD, SURRENDER_TABLE_PASS, SURRENDER_OWN_TURN = 0, 1, 2, 3
SURRENDER_UNTIL_ANOTHER_DRAWS = 4
SURRENDER_AFTER_OWN_CARDS = 5
LINE_CHOOSES, LINE_STANDS = 0, 1
SPARES_OWN_DOUBLES, SPARES_HARD_9_11 = 0, 1
SURRENDER_WHOLE, SURRENDER_HALF = 0, 1
SURRENDER_AT_ONCE, SURRENDER_FINAL = 0, 1
AUTO_OFF, AUTO_OPTIONAL, AUTO_COMPULSORY = 0, 1, 2
DOUBLE_NONE, DOUBLE_HARD_9_11, DOUBLE_9_11_ACE_ONE, DOUBLE_9_11_NO_ACE, DOUBLE_ANY = 0, 1, 2, 3, 4
DOUBLE_TWO, DOUBLE_TWO_OR_THREE, DOUBLE_TWO_OR_MORE = 0, 1, 2
STAKE_EQUAL, STAKE_UP_TO, STAKE_TOKEN = 0, 1, 2
EXEMPT_ANY, EXEMPT_ONLY_11 = 0, 1
MATCH_VALUE, MATCH_RANK = 0, 1
SPLIT_EQUAL, SPLIT_TOKEN_EXCEPT_TENS = 0, 1
OWN_STAKE_FIRST, OWN_STAKE_LAST = 0, 1
FIVE_NONE, FIVE_AT_MOST_21, FIVE_BELOW_21 = 0, 1, 2
TAKES_ALL, TAKES_BUSTED_PLUS_ONE, TAKES_BY_WAGER, TAKES_CAPPED, TAKES_PER_HAND, TAKES_ORIGINAL = 0, 1, 2, 3, 4, 5
TIE_STAND_OFF, TIE_LOSE = 0, 1
PAID_AT_ONCE, PAID_FINAL = 0, 1
BONUS_AFTER_SPLIT_NEVER = 0
COMPLETES_NEVER, COMPLETES_WHENEVER_LIVE, COMPLETES_LISTED = 0, 1, 2
EVEN_MONEY_ON_REQUEST = 0
INSURANCE_HALF, INSURANCE_WHOLE = 0, 1
INSURANCE_BY_EACH, INSURANCE_BY_CONTROLLER = 0, 1
INSURANCE_SECOND_CARD, INSURANCE_BEFORE_PLAY = 0, 1
INSURANCE_STANDS, INSURANCE_RETURNED = 0, 1

HIT, STAND, DOUBLE, SPLIT, SURRENDER, SWITCH = 1, 2, 4, 8, 16, 32
"""Bits of a set of actions."""

ACTION_BITS = {"hit": HIT, "stand": STAND, "double": DOUBLE, "split": SPLIT, "surrender": SURRENDER, "switch": SWITCH}
SET_BITS: Mapping[str, Mapping[str, int]] = {
    "actions": ACTION_BITS,
    "surrender_up_cards": {rank: 1 << place for place, rank in enumerate(RANKS)},
}
"""Parameters that are sets, and the bit of everything that can be in them."""

Word = bool | int | str | tuple[str, ...] | None
"""A value as the model holds it; odds apart."""

BONUS_ORDER = (
    "five-cards-21", "six-cards-21", "seven-cards-21",
    "678-mixed", "678-suited", "678-spades", "777-mixed", "777-suited", "777-spades",
)  # fmt: skip
"""Bonus hands by code: code 1 is the first, 0 is none."""


class Packed(NamedTuple):
    """The rules of play as integers. Fields are parameters of the model unless said otherwise."""

    deck_cards: int
    decks: int
    hole_card: int
    natural_odds_win: int
    natural_odds_stake: int
    natural_paid: int
    natural_vs_natural: int
    natural_vs_push_total: int
    dealer_natural_beats_21: int
    natural_beats_drawn_21: int
    insurance_on_ace: int
    insurance_on_ten: int
    insurance_max: int
    insurance_odds_ace_win: int
    insurance_odds_ace_stake: int
    insurance_odds_ten_win: int
    insurance_odds_ten_stake: int
    insurance_with_natural: int
    insurance_by: int
    insurance_settled: int
    even_money: int
    even_money_insurance: int
    surrender_up_cards: int
    surrender_when: int
    surrender_vs_natural: int
    surrender_below: int
    surrender_settled: int
    forced_draw_below: int
    auto_draw: int
    auto_draw_hard: int
    auto_draw_soft: int
    auto_draw_line: int
    auto_draw_spares: int
    stand_on_21: int
    max_cards: int
    absent_hard: int
    absent_soft: int
    actions: int
    double_totals: int
    double_cards: int
    double_ace_as_one: int
    double_stake: int
    double_after_split: int
    double_rescue: int
    double_bonus: int
    double_exempt_from_forced_draw: int
    split_match: int
    split_max_hands: int
    split_aces_max_hands: int
    split_aces_one_card: int
    split_stake: int
    free_split_stake: int
    split_declined_bars: int
    switch: int
    switch_after_paid_natural: int
    switch_waiting_natural: int
    player_21_wins: int
    winning_hands_first: int
    split_hands_settle_as_main: int
    five_card_win: int
    dealer_stands_hard: int
    dealer_stands_soft: int
    dealer_push_total: int
    dealer_bust_pays: int
    dealer_skips_moot_cards: int
    dealer_completes_for_side_wagers: int
    dealer_natural_takes: int
    busted_double_lost: int
    tie: int
    win_odds_win: int
    win_odds_stake: int
    super_bonus: int
    super_bonus_after_split: int
    player_21_paid: int
    bonus_win: tuple[int, int, int, int, int, int, int, int, int, int]
    """Odds of each bonus hand by code; code 0 is the ordinary win."""
    bonus_stake: tuple[int, int, int, int, int, int, int, int, int, int]


_ODDS = ("natural_odds", "insurance_odds_ace", "insurance_odds_ten", "win_odds")
_DIRECT = tuple(name for name in Packed._fields if name in TYPES)


def pack(rules: Rules) -> Packed:
    """The rules of play as integers."""
    values: dict[str, int | tuple[int, ...]] = {name: _number(name, getattr(rules, name)) for name in _DIRECT}
    for name in _ODDS:
        odds = getattr(rules, name)
        values[f"{name}_win"], values[f"{name}_stake"] = odds if odds is not None else (0, 0)
    by_hand = {bonus.hand: bonus.odds for bonus in rules.bonuses} if rules.bonus_table != "none" else {}
    odds_by_code = [rules.win_odds, *(by_hand.get(hand, rules.win_odds) for hand in BONUS_ORDER)]
    values["bonus_win"] = tuple(odds.win for odds in odds_by_code)
    values["bonus_stake"] = tuple(odds.stake for odds in odds_by_code)
    return Packed._make(values[name] for name in Packed._fields)


def unpack(packed: Packed) -> dict[str, Word | Odds]:
    """The parameters that `pack` read, as `Rules` holds them."""
    values: dict[str, Word | Odds] = {name: _word(name, getattr(packed, name)) for name in _DIRECT}
    for name in _ODDS:
        win, stake = getattr(packed, f"{name}_win"), getattr(packed, f"{name}_stake")
        values[name] = Odds(win, stake) if stake else None
    return values


def _choices(name: str) -> tuple[str | int, ...]:
    kind = TYPES[name]
    return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()


def _number(name: str, value: Word) -> int:
    if isinstance(value, tuple):
        return sum(SET_BITS[name][word] for word in value)
    if isinstance(value, str):
        return _choices(name).index(value)
    return int(value or 0)


def _word(name: str, number: int) -> Word:
    if name in SET_BITS:
        return tuple(word for word in WORDS[name] if number & SET_BITS[name][word])
    choices = _choices(name)
    if choices and isinstance(choices[0], str):
        return choices[number]
    if TYPES[name] is bool:
        return bool(number)
    if number == 0 and type(None) in typing.get_args(TYPES[name]):
        return None
    return number


PLAY_PARAMETERS: tuple[str, ...] = (*_DIRECT, *_ODDS)
"""The parameters of the model that decide play; the others are procedure and floor."""

assert all(name in Parameters.__struct_fields__ for name in PLAY_PARAMETERS)
