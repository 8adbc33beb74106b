"""The answers of `pitboss rules --json`: the same keys for every game, whatever was asked for beside it.

Odds are texts such as `"3:2"`, amounts of money texts, and what is not there is null or an empty list.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import msgspec

from pitboss.money import Odds, show
from pitboss.rulebooks import Rulebook, Rules, SideWager
from pitboss.rulebooks.differences import ABSENT, Difference, turns_on
from pitboss.rulebooks.glance import at_a_glance
from pitboss.rulebooks.house_choices import HouseChoices
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.model.rules import MeterShare, Source, SuperBonus
from pitboss.rulebooks.model.side_terms import SIDE_TERMS, terms_of


def json_value(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, (Odds, MeterShare)):
        return str(value)
    if isinstance(value, Decimal):
        return show(value)
    if isinstance(value, (tuple, list)):
        return [json_value(item) for item in value]
    return value


def rules_data(book: Rulebook, rules: Rules, choices: HouseChoices) -> dict[str, Any]:
    """Everything about a game with the choices made."""
    hinges = turns_on(book, rules, choices.keywords())
    game = book.game(rules.game)
    return {
        "game": rules.game,
        "name": rules.name,
        "book": {
            "id": book.id,
            "name": book.name,
            "edition": book.edition,
            "jurisdiction": book.jurisdiction,
            "file": book.file,
        },
        "extends": None if game.extends is None else f"{book.namespace}/{game.extends}",
        "alias": game.alias_of,
        "clauses": list(game.clauses),
        "summary": game.summary,
        "digest": rules.digest,
        "at_a_glance": msgspec.to_builtins(at_a_glance(rules, hinges)),
        "options": _options(book, rules),
        "parameters": [_parameter(rules, name, hinges.get(name, ())) for name in rules.values()],
        "bonuses": [
            {"hand": bonus.hand, "odds": str(bonus.odds), "clauses": list(bonus.clauses)} for bonus in rules.bonuses
        ],
        "super_bonus": _super_bonus(rules.super_bonus_sums),
        "side_wagers": [_side_wager(side) for side in rules.side_wagers],
        "side_wagers_available": [
            {
                "id": name,
                "name": module.name,
                "clauses": list(module.clauses),
                "refused": choices.why_not(rules.game, name) or None,
            }
            for name, module in book.side_wagers_of(game).items()
            if rules.side_wager(name) is None
        ],
        "readings": _readings(book, rules),
        "matters": {name: list(clauses) for name, clauses in rules.matters.items()},
        "roles": msgspec.to_builtins(rules.ladder),
        "bodies": msgspec.to_builtins(rules.bodies),
        "authority": msgspec.to_builtins(list(rules.authority.values())),
        "notices": msgspec.to_builtins(list(rules.notices.values())),
        "disputes": msgspec.to_builtins(rules.disputes),
    }


def _options(book: Rulebook, rules: Rules) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "value": rules.options[name],
            "allowed": list(option.choices) or None,
            "text": option.text,
            "clauses": list(option.clauses),
        }
        for name, option in book.options_of(book.game(rules.game)).items()
    ]


def _readings(book: Rulebook, rules: Rules) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "value": rules.readings[name],
            "default": reading.default,
            "alternatives": list(reading.alternatives),
            "text": reading.text,
            "clauses": list(reading.clauses),
        }
        for name, reading in book.readings_of(book.game(rules.game)).items()
    ]


def _parameter(rules: Rules, name: str, hinges: Sequence[str]) -> dict[str, Any]:
    described = DESCRIBED[name]
    return {
        "name": name,
        "number": described.number,
        "group": described.group,
        "text": described.text,
        "describes": described.describes,
        **_add_source(getattr(rules, name), rules.cite(name)),
        "turns_on": list(hinges),
    }


def _add_source(value: Any, source: Source) -> dict[str, Any]:
    return {"value": json_value(value), "clauses": list(source.clauses), "layer": source.layer}


def _side_wager(side: SideWager) -> dict[str, Any]:
    elsewhere = set(SIDE_TERMS) - set(terms_of(side.judge))
    data = {name: json_value(getattr(side, name)) for name in side.__struct_fields__ if name not in elsewhere}
    data["describes"] = [name for name in terms_of(side.judge) if SIDE_TERMS[name].describes]
    data["odds"] = {outcome: str(odds) for outcome, odds in side.odds.items()}
    data["prizes"] = [{"count": count, "per_unit": prize} for count, prize in side.prizes]
    data["clauses"] = {matter: list(clauses) for matter, clauses in side.clauses.items()}
    return data


def _super_bonus(sums: SuperBonus | None) -> dict[str, Any] | None:
    if sums is None:
        return None
    return {
        "tiers": [{"from": show(floor), "pays": show(pays)} for floor, pays in sums.tiers],
        "others": show(sums.others),
        "clauses": list(sums.clauses),
    }


def difference_data(found: Difference) -> dict[str, Any]:
    """Two games side by side; `game` is the one asked for, `other` the one it is held against."""
    game, other = found.game, found.other
    return {
        "game": game.game,
        "other": other.game,
        "digests": {"game": game.digest, "other": other.digest},
        "parameters": [
            {
                "name": name,
                "number": DESCRIBED[name].number,
                "text": DESCRIBED[name].text,
                "game": _add_source(ours, game.cite(name)),
                "other": _add_source(theirs, other.cite(name)),
            }
            for name, (ours, theirs) in found.values.items()
        ],
        "restated": [
            {
                "name": name,
                "value": json_value(getattr(game, name)),
                "game": {"clauses": list(mine.clauses), "layer": mine.layer},
                "other": {"clauses": list(its.clauses), "layer": its.layer},
            }
            for name, (mine, its) in found.restated.items()
        ],
        "options": [
            {"name": name, "game": _show_option(ours), "other": _show_option(theirs)}
            for name, (ours, theirs) in found.options.items()
        ],
        "bonuses": [
            {"hand": hand, "game": ours and str(ours), "other": theirs and str(theirs)}
            for hand, (ours, theirs) in found.bonuses.items()
        ],
        "super_bonus": None
        if found.super_bonus is None
        else {"game": _super_bonus(found.super_bonus[0]), "other": _super_bonus(found.super_bonus[1])},
        "side_wagers": {"game": list(found.side_wagers[0]), "other": list(found.side_wagers[1])},
    }


def _show_option(value: Any) -> dict[str, Any] | None:
    """An option's value; null where the game has no such option."""
    return None if value == ABSENT else {"value": value}
