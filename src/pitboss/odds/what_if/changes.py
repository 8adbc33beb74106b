"""The games that lie one rule away from a game: by another choice of the house, another reading, or a rule of nobody's
book.

A name can be an option, a reading or a parameter. An option or a reading is changed in the book, so that everything
the book hangs on it changes too; a parameter, or a value the book does not allow, is changed in the rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.formats.names import nearest
from pitboss.odds.what_if.vary import VaryError, alternatives, parse_value, vary
from pitboss.rulebooks import Rulebook, RulebookError
from pitboss.rulebooks.house_choices import HouseChoices, as_typed
from pitboss.rulebooks.model.parameters import TYPES
from pitboss.rulebooks.model.rules import Rules, readable


class Other(NamedTuple):
    """The same game with one rule changed."""

    rule: str
    before: str
    after: str
    rules: Rules
    clauses: tuple[str, ...]
    text: str = ""


def knows(book: Rulebook, rules: Rules, name: str) -> bool:
    """The game has an option, a reading or a parameter of this name."""
    return name in TYPES or name in rules.options or name in rules.readings


def others(book: Rulebook, rules: Rules, choices: HouseChoices, name: str, value: str = "") -> list[Other]:
    """The game with the rule `name` changed to `value`, or to everything else it could be."""
    if name in rules.options:
        return list(_by_option(book, rules, choices, name, value))
    if name in rules.readings:
        return list(_by_reading(book, rules, choices, name, value))
    if name in TYPES:
        before = readable(getattr(rules, name))
        values = [parse_value(name, value)] if value else alternatives(rules, name)
        return [Other(name, before, readable(item), vary(rules, name, item), ()) for item in values]
    known = [*TYPES, *rules.options, *rules.readings]
    hint = nearest(name, known, f"`pitboss rules {rules.game}` lists them")
    raise VaryError(f"{rules.game} has no parameter, option or reading '{name}'; {hint}")


def _by_option(book: Rulebook, rules: Rules, choices: HouseChoices, name: str, value: str) -> Iterator[Other]:
    option = book.options_of(book.game(rules.game))[name]
    before = as_typed(rules.options[name])
    for item in [value] if value else option.choices:
        after = as_typed(item)
        if after == before:
            continue
        try:
            changed = book.rules(rules.game, **{**choices.keywords(), name: item})
        except RulebookError:
            if name not in TYPES:
                if value:
                    raise
                continue
            changed = vary(rules, name, parse_value(name, after))
        yield Other(name, before, after, changed, option.clauses, option.text)


def _by_reading(book: Rulebook, rules: Rules, choices: HouseChoices, name: str, value: str) -> Iterator[Other]:
    reading = book.readings_of(book.game(rules.game))[name]
    for text in [value] if value else (reading.default, *reading.alternatives):
        if text != rules.readings[name]:
            readings = {**choices.readings, name: text}
            changed = book.rules(rules.game, **choices._replace(readings=readings).keywords())
            yield Other(name, rules.readings[name], text, changed, reading.clauses, reading.text)
