"""Two games side by side, and one game beside what it could be: what differs, and which choice it turns on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from pitboss.money import Odds
from pitboss.rulebooks.model.book import Rulebook
from pitboss.rulebooks.model.parameters import FIELDS
from pitboss.rulebooks.model.rules import Rules, Source, SuperBonus, difference
from pitboss.rulebooks.reading.values import RulebookError


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How `game` differs from `other`; pairs are (game's, other's)."""

    game: Rules
    other: Rules
    values: dict[str, tuple[Any, Any]]
    """Parameters whose values differ."""
    restated: dict[str, tuple[Source, Source]]
    """Parameters of equal value on other clauses; only for two games of one book."""
    options: dict[str, tuple[Any, Any]]
    """Options chosen differently, or that only one of the two has; `ABSENT` where it has none."""
    bonuses: dict[str, tuple[Odds | None, Odds | None]]
    super_bonus: tuple[SuperBonus | None, SuperBonus | None] | None
    side_wagers: tuple[tuple[str, ...], tuple[str, ...]]
    """Side wagers that only one of the two may be offered with."""


ABSENT = "(no such option)"


def compare_rules(left: tuple[Rulebook, Rules], right: tuple[Rulebook, Rules]) -> Difference:
    """How the first game differs from the second."""
    (book, game), (other_book, other) = left, right
    values = difference(game, other)
    same_book = book.id == other_book.id
    wagers = set(book.side_wagers_of(book.game(game.game)))
    other_wagers = set(other_book.side_wagers_of(other_book.game(other.game)))
    bonuses = {bonus.hand: bonus.odds for bonus in game.bonuses}
    other_bonuses = {bonus.hand: bonus.odds for bonus in other.bonuses}
    sums = (game.super_bonus_sums, other.super_bonus_sums)
    return Difference(
        game=game,
        other=other,
        values=values,
        restated={
            name: (game.cite(name), other.cite(name))
            for name in FIELDS
            if same_book and name not in values and game.cite(name).clauses != other.cite(name).clauses
        },
        options=_pairs(game.options, other.options, ABSENT),
        bonuses=_pairs(bonuses, other_bonuses, None),
        super_bonus=None if sums[0] == sums[1] else sums,
        side_wagers=(tuple(sorted(wagers - other_wagers)), tuple(sorted(other_wagers - wagers))),
    )


def _pairs(ours: Mapping[str, Any], theirs: Mapping[str, Any], missing: Any) -> dict[str, tuple[Any, Any]]:
    names = dict.fromkeys((*ours, *theirs))
    pairs = {name: (ours.get(name, missing), theirs.get(name, missing)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def turns_on(
    book: Rulebook, rules: Rules, choices: Mapping[str, Any], *, options_only: bool = False
) -> dict[str, tuple[str, ...]]:
    """For each parameter, the options, readings and side wagers that would change it from what `choices` made it."""
    found: dict[str, dict[str, None]] = {}
    changes = _other_options(book, rules, choices)
    for name, changed in changes if options_only else chain(changes, _other_readings(book, rules, choices)):
        try:
            other = book.rules(rules.game, **changed)
        except RulebookError:  # this choice does not go with the others
            continue
        for parameter in difference(rules, other):
            if parameter != name:
                found.setdefault(parameter, {})[name] = None
    return {parameter: tuple(names) for parameter, names in found.items()}


Changed = Iterator[tuple[str, dict[str, Any]]]
"""Which choice is different (`layout`, `reading.NAME`, `side_wagers.NAME`), and all of them with that one."""


def _other_options(book: Rulebook, rules: Rules, choices: Mapping[str, Any]) -> Changed:
    for name, option in book.options_of(book.game(rules.game)).items():
        yield from ((name, {**choices, name: value}) for value in option.choices)


def _other_readings(book: Rulebook, rules: Rules, choices: Mapping[str, Any]) -> Changed:
    """Readings, and side wagers offered or not."""
    game = book.game(rules.game)
    readings = dict(choices.get("readings", {}))
    for name, reading in book.readings_of(game).items():
        for value in (reading.default, *reading.alternatives):
            yield f"reading.{name}", {**choices, "readings": {**readings, name: value}}
    sides = tuple(choices.get("side_wagers", ()))
    for name in book.side_wagers_of(game):
        others = [side for side in sides if side != name]
        yield f"side_wagers.{name}", {**choices, "side_wagers": others if name in sides else [*others, name]}
