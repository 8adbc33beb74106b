"""The rulebook format as a JSON Schema, for editors: made from the lists that the loader checks a book against.

It says what a file may hold, key by key. What depends on several values at once (conditions that exclude each other,
games that extend each other) only the loader sees: `pitboss rules --check FILE`.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pitboss.money import Odds
from pitboss.play.side_wagers.judges import JUDGES
from pitboss.rulebooks.model.book import BONUS_HANDS
from pitboss.rulebooks.model.matters import MATTERS
from pitboss.rulebooks.model.parameters import DESCRIBED, TYPES, WORDS
from pitboss.rulebooks.model.ranges import MOST_DECKS, RANGES
from pitboss.rulebooks.model.side_terms import SIDE_TERMS, SIDE_TYPES
from pitboss.rulebooks.reading.people import SPANS
from pitboss.rulebooks.reading.side_wagers import NOT_WITH, POSTED

Schema = dict[str, Any]

TEXT: Schema = {"type": "string", "minLength": 1}
NAME: Schema = {"type": "string", "pattern": "^[a-z0-9]+([_-][a-z0-9]+)*$"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
SCALAR: Schema = {"type": ["boolean", "integer", "string"]}
ODDS: Schema = {"type": "string", "pattern": r"^\s*\d+\s*(:|to)\s*[1-9]\d*\s*$", "examples": ["3:2"]}
AMOUNT: Schema = {"type": ["integer", "string"]}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}


def _one_or_more(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item}]}


CLAUSE: Schema = {"$ref": "#/$defs/clause"}
WHEN: Schema = {"$ref": "#/$defs/when"}


def _table(keys: Mapping[str, Schema], needed: Iterable[str] = ()) -> Schema:
    return {
        "type": "object",
        "properties": dict(keys),
        "required": list(needed),
        "additionalProperties": False,
    }


def _table_of(item: Schema) -> Schema:
    """A table whose keys are names that the book gives."""
    return {"type": "object", "additionalProperties": item}


def _cases(value: Schema) -> Schema:
    """`{ value, clause }`, or a list of such with `when`."""
    case = _table({"value": value, "clause": CLAUSE, "when": WHEN, "silent": {"type": "boolean"}}, ["value"])
    return {"type": ["object", "array"], **{key: part for key, part in case.items() if key != "type"}, "items": case}


def value_schema(kind: Any, words: tuple[str, ...] = (), span: tuple[int, int] | None = None) -> Schema:
    """What a value of a type may be; `words` are those that a list may hold, `span` the least and most of a number."""
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        arm = next(arm for arm in typing.get_args(kind) if arm is not type(None))
        return {"anyOf": [value_schema(arm, words, span), {"const": "none"}]}
    if origin is Literal:
        return {"enum": list(typing.get_args(kind))}
    if kind is Odds:
        return ODDS
    if kind is bool:
        return {"type": "boolean"}
    if kind is int:
        return WHOLE if span is None else {"type": "integer", "minimum": span[0], "maximum": span[1]}
    if kind is str:
        return TEXT
    return {"type": "array", "items": {"enum": list(words)} if words else {"type": "string"}}


def _parameters() -> Schema:
    keys = {
        name: {
            "description": DESCRIBED[name].text,
            **_cases(value_schema(kind, WORDS.get(name, ()), RANGES.get(name))),
        }
        for name, kind in TYPES.items()
        if name != "decks"
    }
    return _table(keys)


def _matters() -> Schema:
    return _table({matter: {"$ref": "#/$defs/matter"} for matter in MATTERS})


def _matter() -> Schema:
    cases = {"type": "array", "items": _table({"clause": CLAUSE, "when": WHEN}, ["clause"])}
    return {"anyOf": [CLAUSE, cases]}


def _option(name: str = "") -> Schema:
    value: Schema = {"type": "integer", "minimum": 1, "maximum": MOST_DECKS} if name == "decks" else SCALAR
    values = {"type": "array", "items": value, "minItems": 1}
    cases = {"type": "array", "items": _table({"values": values, "clause": CLAUSE, "when": WHEN}, ["values"])}
    return _table(
        {
            "text": TEXT,
            "default": {"anyOf": [SCALAR, _cases(SCALAR)]},
            "allowed": {"anyOf": [values, cases]},
            "clause": CLAUSE,
            "kind": {"enum": ["choice", "amount"]},
            "games": TEXTS,
        },
        ["default"],
    )


def _options() -> Schema:
    return {"type": "object", "properties": {"decks": _option("decks")}, "additionalProperties": _option()}


def _games() -> Schema:
    tiers = {"type": "array", "items": _table({"from": AMOUNT, "pays": AMOUNT}, ["from", "pays"]), "minItems": 1}
    bonus = _table({"hand": {"enum": list(BONUS_HANDS)}, "odds": ODDS, "clause": CLAUSE}, ["hand", "odds", "clause"])
    return _table_of(
        _table(
            {
                "name": TEXT,
                "summary": TEXT,
                "extends": NAME,
                "alias_of": {"type": "boolean"},
                "clause": CLAUSE,
                "rules": {"$ref": "#/$defs/rules"},
                "clauses": {"$ref": "#/$defs/clauses"},
                "options": _options(),
                "bonuses": {"type": "array", "items": bonus},
                "super_bonus": _table(
                    {"clause": CLAUSE, "tiers": tiers, "others": AMOUNT}, ["clause", "tiers", "others"]
                ),
            },
            ["name"],
        )
    )


def _side_wagers() -> Schema:
    terms = {
        name: {"description": term.text, **_cases(value_schema(SIDE_TYPES[name]))} for name, term in SIDE_TERMS.items()
    }
    prizes = {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 1}}}
    pays = _table({"when": WHEN, "clause": CLAUSE, "odds": _table_of(TEXT), "prizes": prizes}, ["clause"])
    numbers = {"type": "array", "items": {"type": "integer", "minimum": 1}}
    needs: Schema = {
        "type": "object",
        "properties": {
            "decks": numbers,
            "deck_cards": numbers,
            NOT_WITH: TEXTS,
            POSTED: {"const": True},
            "clause": CLAUSE,
            "when": WHEN,
        },
        "required": ["clause"],
        "additionalProperties": _one_or_more(SCALAR),
    }
    return _table_of(
        _table(
            {
                "name": TEXT,
                "text": TEXT,
                "clause": CLAUSE,
                "judge": {"enum": list(JUDGES)},
                **terms,
                "requires": {"type": "array", "items": needs},
                "pays": {"type": "array", "items": pays, "minItems": 1},
                "rules": {"$ref": "#/$defs/rules"},
                "clauses": {"type": "object"},
                "max_payout_option": TEXT,
                "meters": TEXTS,
            },
            ["name", "clause", "judge", "pays"],
        )
    )


def _people() -> dict[str, Schema]:
    role = _table({"id": NAME, "name": TEXT, "clause": CLAUSE, "text": TEXT, "level_with": NAME}, ["id", "name"])
    roles = {"type": "array", "items": role}
    power = _table(
        {
            "summary": TEXT,
            "role": TEXT,
            "clause": CLAUSE,
            "scope": {"enum": ["table", "floor"]},
            "notify_before": TEXTS,
            "notify_after": TEXTS,
            "notify_one_of": TEXTS,
            "needs": TEXTS,
            "reading": {"type": "boolean"},
            "prizes": TEXTS,
        },
        ["summary", "role", "clause"],
    )
    notice = _table({**dict.fromkeys(SPANS, WHOLE), "clause": CLAUSE, "text": TEXT, "option": TEXT}, ["clause", "text"])
    step = _table({"role": TEXT, "body": TEXT, "clause": CLAUSE, "text": TEXT}, ["clause", "text"])
    return {
        "roles": _table({"ladder": roles, "bodies": roles}),
        "authority": _table_of(power),
        "notices": _table_of(notice),
        "disputes": _table({"chain": {"type": "array", "items": step}}),
    }


def rulebook_schema() -> Schema:
    """The whole schema."""
    reading = _table(
        {"text": TEXT, "default": TEXT, "alternatives": TEXTS, "clauses": CLAUSE, "games": TEXTS},
        ["text", "default", "alternatives", "clauses"],
    )
    book = _table(
        {
            "id": NAME,
            "namespace": NAME,
            "name": TEXT,
            "edition": TEXT,
            "jurisdiction": TEXT,
            "register": {"type": "boolean"},
            "summary": TEXT,
        },
        ["id", "name"],
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A pitboss rulebook",
        **_table(
            {
                "book": book,
                **_people(),
                "options": _options(),
                "readings": _table_of(reading),
                "rules": {"$ref": "#/$defs/rules"},
                "clauses": {"$ref": "#/$defs/clauses"},
                "games": _games(),
                "side_wagers": _side_wagers(),
                "competitions": {"type": "object"},
            },
            ["book", "games"],
        ),
        "$defs": {
            "clause": _one_or_more(TEXT),
            "when": {"type": "object", "additionalProperties": _one_or_more(SCALAR)},
            "matter": _matter(),
            "rules": _parameters(),
            "clauses": _matters(),
        },
    }
