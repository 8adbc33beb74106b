"""A parameter explained: what it decides, what it may be, what holds where a book is silent, what each game has."""

from __future__ import annotations

import types
import typing
from collections.abc import Sequence
from typing import Any, Literal

from pitboss.formats.names import nearest
from pitboss.money import Odds
from pitboss.report.terminal_tables import print_facts, print_table
from pitboss.rulebooks import RulebookError, Rules, readable
from pitboss.rulebooks.model.engine_defaults import ENGINE_DEFAULTS, REQUIRED
from pitboss.rulebooks.model.parameters import DESCRIBED, TYPES, WORDS
from pitboss.rulebooks.model.ranges import RANGES

FOLLOWS = {"dealer_stands_soft": "18 if dealer_hits_soft_17 is true, else 17"}
"""What is not a value of its own where a book is silent."""


def explain_parameter(name: str, games: Sequence[Rules]) -> None:
    """One parameter for people, with its value in each of the games."""
    _check_name(name)
    described = DESCRIBED[name]
    print_facts(
        [
            ("parameter", f"{name} ({described.number}, {described.group})"),
            ("meaning", described.text),
            ("values", values_in_words(name)),
            ("default", silent_in_words(name)),
            ("note", "for information only: nothing at the table is decided by it" if described.describes else ""),
        ]
    )
    rows = [(rules.game, readable(getattr(rules, name)), ", ".join(rules.cite(name).clauses)) for rules in games]
    print_table("In the games", ("game", "value", "clause"), rows, fixed=2, wide=("value", "clause"))


def parameter_data(name: str, games: Sequence[Rules]) -> dict[str, Any]:
    """The same for programs."""
    _check_name(name)
    described = DESCRIBED[name]
    return {
        "parameter": name,
        "number": described.number,
        "group": described.group,
        "text": described.text,
        "describes": described.describes,
        "may_be": values_in_words(name),
        "if_not_said": silent_in_words(name),
        "games": {
            rules.game: {"value": readable(getattr(rules, name)), "clauses": list(rules.cite(name).clauses)}
            for rules in games
        },
    }


def _check_name(name: str) -> None:
    if name not in DESCRIBED:
        hint = nearest(name, DESCRIBED, "`pitboss rules GAME` lists them")
        raise RulebookError(f"there is no parameter '{name}'; {hint}")


def values_in_words(name: str) -> str:
    """What a parameter may be."""
    return _say_type(TYPES[name], name)


def _say_type(kind: Any, name: str) -> str:
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        arm = next(arm for arm in typing.get_args(kind) if arm is not type(None))
        return f"{_say_type(arm, name)}, or none"
    if origin is Literal:
        return ", ".join(map(str, typing.get_args(kind)))
    if kind is bool:
        return "true, false"
    if kind is int:
        least, most = RANGES[name]
        return f"a whole number from {least:,} to {most:,}"
    if kind is Odds:
        return 'odds such as "3:2"'
    if kind is str:
        return "a text"
    return f"a list of {', '.join(WORDS[name])}" if name in WORDS else "a list of words"


def silent_in_words(name: str) -> str:
    """What holds where a book says nothing about a parameter."""
    if name in REQUIRED:
        return "none: every book must state it"
    return FOLLOWS.get(name) or str(readable(ENGINE_DEFAULTS[name]))
