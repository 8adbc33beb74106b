"""A game with one rule changed: other options and readings, or a parameter set to what no book says.

A parameter does not stand alone: a dealer who draws on soft 17 stands on soft 18, a surrender that never was needs
cards to be open against. `vary` changes what must go with it, so that the rules stay such as a table could run, and
refuses what could not.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Literal

import msgspec

from pitboss.cards import RANKS
from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.money import Odds
from pitboss.play.packed import PLAY_PARAMETERS, Word
from pitboss.rulebooks.model.parameters import TYPES
from pitboss.rulebooks.model.ranges import complain_of_range
from pitboss.rulebooks.model.rules import Rules, Source
from pitboss.rulebooks.reading.contradictions import contradictions
from pitboss.rulebooks.reading.values import coerce

LAYER = "what if"
DECIDING = frozenset(PLAY_PARAMETERS) | {"dealer_hits_soft_17", "bonus_table"}
"""The parameters that can change what a game is worth."""

Value = Word | Odds
"""A value of a parameter that decides play."""

SENSIBLE: Mapping[str, tuple[Value, ...]] = {
    "natural_odds": (Odds(1, 1), Odds(6, 5), Odds(3, 2), Odds(2, 1)),
    "insurance_odds_ace": (Odds(2, 1),),
    "win_odds": (Odds(1, 1),),
    "split_max_hands": (1, 2, 3, 4),
    "split_aces_max_hands": (2, 3, 4),
    "forced_draw_below": (0, 12),
    "max_cards": (None, 5),
    "dealer_push_total": (None, 22),
    "dealer_stands_hard": (16, 17, 18),
    "dealer_stands_soft": (17, 18),
    "surrender_up_cards": ((), tuple("TJQKA"), tuple("23456789TJQK"), tuple(RANKS)),
    "deck_cards": (52, 48),
    "decks": (1, 2, 4, 6, 8, 0),
}
"""Values worth a try where a parameter's type allows any number; for the others all choices are tried."""


class VaryError(PitbossError):
    """A change of rules that cannot be made, or that changes nothing."""


def alternatives(rules: Rules, parameter: str) -> tuple[Value, ...]:
    """The other values of a parameter that are worth a try and that the game could be played with."""
    _check_parameter(parameter)
    kind = TYPES[parameter]
    if parameter in SENSIBLE:
        values = SENSIBLE[parameter]
    elif kind is bool:
        values = (False, True)
    elif typing.get_origin(kind) is Literal:
        values = tuple(value for value in typing.get_args(kind) if value != "not-applicable")
    else:
        raise VaryError(f"{parameter} can be any value: say which, as {parameter}=VALUE")
    return tuple(value for value in values if value != getattr(rules, parameter) and _possible(rules, parameter, value))


def parse_value(parameter: str, text: str) -> Value:
    """A value of a parameter as a command line writes it: `true`, `17`, `3:2`, `TJQKA`, a word of its choices."""
    _check_parameter(parameter)
    kind = TYPES[parameter]
    value: object = text
    if text in ("true", "false", "yes", "no") and kind is bool:
        value = text in ("true", "yes")
    elif text.isdecimal():
        value = int(text)
    elif kind == tuple[str, ...]:
        value = text.split(",") if "," in text else [text] if len(text) > 1 and text.islower() else list(text)
    if parameter == "decks" and value == 0:
        raise VaryError("decks cannot be 0: write a number of decks, or inf for an infinite deck")
    if parameter == "decks" and text == "inf":
        value = 0
    try:
        found: Value = coerce(kind, value)
    except ValueError as problem:
        raise VaryError(f"{parameter} {problem}") from None
    return found


def vary(rules: Rules, parameter: str, value: Value) -> Rules:
    """The rules with one parameter changed, and with it what has to go with it."""
    _check_parameter(parameter)
    if parameter not in DECIDING:
        raise VaryError(f"{parameter} does not change what a game is worth")
    if problem := complain_of_range(parameter, value):
        raise VaryError(f"{parameter} {problem}")
    changes = {parameter: value, **_companions(rules, parameter, value)}
    changes = {**_reconcile(rules, parameter, changes), **changes}
    sources = {**rules.sources, **{name: Source((), LAYER) for name in changes}}
    changed: Rules = msgspec.structs.replace(rules, **changes, sources=type(rules.sources)(sources))
    for problem in contradictions(changed):
        raise VaryError(f"{rules.game} cannot be played with {parameter} {value}: {problem}")
    return changed


def _check_parameter(parameter: str) -> None:
    if parameter not in TYPES:
        hint = nearest(parameter, TYPES, "`pitboss rules GAME` lists them")
        raise VaryError(f"there is no parameter '{parameter}'; {hint}")


def _possible(rules: Rules, parameter: str, value: Value) -> bool:
    try:
        vary(rules, parameter, value)
    except VaryError:
        return False
    return True


def _companions(rules: Rules, parameter: str, value: Value) -> dict[str, Value]:
    """What must change together with a parameter."""
    if parameter == "dealer_hits_soft_17":
        return {"dealer_stands_soft": 18 if value else 17}
    if parameter == "dealer_stands_soft" and isinstance(value, int):
        return {"dealer_hits_soft_17": value > 17}
    if parameter == "dealer_push_total":
        return {"natural_vs_push_total": "not-applicable" if value is None else "win"}
    if parameter == "insurance_on_ten" and value and rules.insurance_odds_ten is None:
        return {"insurance_odds_ten": Odds(10, 1)}
    if parameter == "hole_card":
        return {"deal_order": "boxes-dealer-boxes" if value == "none" else "boxes-dealer-boxes-dealer"}
    if parameter in ("surrender_when", "surrender_up_cards"):
        return _surrender(rules, parameter, value)
    if parameter == "double_totals":
        return {
            "actions": _with_action(rules, "double", value != "none"),
            "double_stake": _else(rules.double_stake, "not-applicable", "up-to-original"),
        }
    if parameter == "split_max_hands" and isinstance(value, int):
        return {
            "actions": _with_action(rules, "split", value > 1),
            "split_stake": _else(rules.split_stake, "not-applicable", "equal"),
            "split_aces_max_hands": min(rules.split_aces_max_hands, max(value, 2)),
        }
    return {}


def _surrender(rules: Rules, parameter: str, value: Value) -> dict[str, Value]:
    """Surrender added to a game has the usual terms: against any card, half the stake, all to a dealer's natural."""
    open_ = bool(value) if parameter == "surrender_up_cards" else value != "never"
    found: dict[str, Value] = {"actions": _with_action(rules, "surrender", open_)}
    if parameter == "surrender_up_cards":
        found["surrender_when"] = "never" if not open_ else _else(rules.surrender_when, "never", "own-turn")
    elif open_ and not rules.surrender_up_cards:
        found["surrender_up_cards"] = tuple(RANKS)
    if open_:
        found["surrender_vs_natural"] = _else(rules.surrender_vs_natural, "not-applicable", "whole-stake-lost")
        found["surrender_settled"] = _else(rules.surrender_settled, "not-applicable", "final")
    return found


def _reconcile(rules: Rules, parameter: str, changes: Mapping[str, Value]) -> dict[str, Value]:
    """What else must change where two values would contradict each other: the one that was not asked for gives way."""

    def now(name: str) -> Value:
        return changes.get(name, getattr(rules, name))

    looked = now("hole_card") == "peek" and now("surrender_when") == "own-turn"
    at_once, whole = now("surrender_settled") == "at-once", now("surrender_vs_natural") == "whole-stake-lost"
    found: dict[str, Value] = {}
    if at_once and whole and not looked and parameter == "surrender_settled":
        found["surrender_vs_natural"] = "half-stake-lost"
    elif at_once and whole and not looked:
        found["surrender_settled"] = "final"
    if now("switch") and now("switch_after_paid_natural") and now("natural_paid") != "final":
        given_way: dict[str, Value] = {"natural_paid": "final", "switch_after_paid_natural": False}
        name = "switch_after_paid_natural" if parameter == "natural_paid" else "natural_paid"
        found[name] = given_way[name]
    return found


def _else(value: str, unset: str, instead: str) -> str:
    return instead if value == unset else value


def _with_action(rules: Rules, action: str, there: bool) -> tuple[str, ...]:
    others = tuple(name for name in rules.actions if name != action)
    return (*others, action) if there else others
