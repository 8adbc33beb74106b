"""A sample of what the project answers is as it was when it was last frozen, and a difference is found if there is one.

After a change that is meant to change answers: `python tools/freeze.py dump tests/frozen.json --quick`.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DIGITS = 9
"""Another machine may round the last digits of a float differently."""

BASE = {"decks": 8, "odds": "3:2"}
OLD: dict[str, Any] = {
    "edges/x/default": {"house_edge": "0.005882"},
    "rules/digest/x/default": "abc",
    "rules/whole/x/default": BASE,
    "rules/digest/x/decks=6": "def",
    "rules/whole/x/decks=6": {"like": "rules/whole/x/default", "but": {"decks": 6}},
    "recorded/a": "told",
}


@pytest.fixture(scope="module")
def freeze() -> ModuleType:
    spec = importlib.util.spec_from_file_location("freeze", ROOT / "tools" / "freeze.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_sample_of_the_answers_is_as_frozen(freeze: ModuleType) -> None:
    frozen = json.loads((ROOT / "tests" / "frozen.json").read_text(encoding="utf-8"))
    found = freeze.compare(frozen, freeze.dump(quick=True), DIGITS)
    assert found.same, str(found)


def test_a_dump_is_the_same_as_itself(freeze: ModuleType) -> None:
    found = freeze.compare(OLD, dict(OLD))
    assert found.same
    assert not any(found)


@pytest.mark.parametrize(
    ("changes", "part", "keys"),
    [
        ({"recorded/a": "told otherwise"}, "differ", ["recorded/a"]),
        ({"recorded/a": None}, "gone", ["recorded/a"]),
        ({"recorded/b": "told"}, "added", ["recorded/b"]),
        ({"edges/x/default": {"house_edge": "0.005883"}}, "differ", ["edges/x/default: house_edge"]),
        ({"edges/x/default": {"house_edge": "0.0058820000000001"}}, "rounding", ["edges/x/default: house_edge"]),
        ({"edges/x/default": {"house_edge": "0.005882", "more": 1}}, "added", ["edges/x/default: more"]),
        ({"edges/x/default": {}}, "gone", ["edges/x/default: house_edge"]),
        ({"rules/digest/x/default": "ghi"}, "differ", ["rules/digest/x/default"]),
        (
            {"rules/whole/x/decks=6": {"like": "rules/whole/x/default", "but": {"decks": 6, "odds": "6:5"}}},
            "differ",
            ["rules/whole/x/decks=6: odds"],
        ),
        (
            {"rules/whole/x/decks=6": {"like": "rules/whole/x/default", "but": {"decks": 6, "odds": None}}},
            "gone",
            ["rules/whole/x/decks=6: odds"],
        ),
    ],
)
def test_what_differs_is_named(freeze: ModuleType, changes: dict[str, Any], part: str, keys: list[str]) -> None:
    new = {key: value for key, value in {**OLD, **changes}.items() if value is not None}
    found = freeze.compare(OLD, new, DIGITS)
    assert {name: list(lines) for name, lines in found._asdict().items() if lines} == {part: keys}
    assert found.same == (part in ("added", "rounding"))


def test_a_digest_that_moved_with_an_added_field_is_no_difference(freeze: ModuleType) -> None:
    new = {
        **OLD,
        "rules/whole/x/default": {**BASE, "shoes": 1},
        "rules/digest/x/default": "ghi",
        "rules/digest/x/decks=6": "jkl",
    }
    found = freeze.compare(OLD, new)
    assert found.same
    assert list(found.added) == ["rules/whole/x/default: shoes"]
    assert list(found.moved) == ["rules/digest/x/decks=6", "rules/digest/x/default"]


def test_floats_are_compared_to_the_last_digit_unless_told_otherwise(freeze: ModuleType) -> None:
    new = {**OLD, "edges/x/default": {"house_edge": "0.0058820000000001"}}
    assert not freeze.compare(OLD, new).same
