"""The table of parameters in docs/rulebook-format.md, made from the code: what each may be, and what it means.

Run it to rewrite the table after a change: `python tests/tools/parameter_table.py`.
"""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path
from typing import Any, Literal

from pitboss.money import Odds
from pitboss.rulebooks.model.engine_defaults import ENGINE_DEFAULTS
from pitboss.rulebooks.model.parameters import DESCRIBED, TYPES, WORDS
from pitboss.rulebooks.reading.values import read_plain

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rulebook-format.md"
BEGIN, END = "<!-- parameters: begin -->", "<!-- parameters: end -->"


def table() -> str:
    """Every parameter: its values, what holds where a book is silent, and what it means."""
    lines = ["| parameter | what it may be | if a book is silent | what it means |", "|---|---|---|---|"]
    for name, about in DESCRIBED.items():
        silent = _written(ENGINE_DEFAULTS[name]) if name in ENGINE_DEFAULTS else "must be said"
        meaning = f"{about.text} (describes)" if about.describes else about.text
        lines.append(f"| `{name}` | {_values(name, TYPES[name])} | {silent} | {meaning} |")
    return "\n".join(lines).replace("`dealer_stands_soft` | a number | must be said", _FOLLOWS)


_FOLLOWS = "`dealer_stands_soft` | a number | 17, or 18 if the dealer draws on soft 17"


def _values(name: str, kind: Any) -> str:
    if name in WORDS:
        return f"a list of {' '.join(f'`{word}`' for word in WORDS[name])}"
    origin = typing.get_origin(kind)
    if origin is Literal:
        return " ".join(f"`{value}`" for value in typing.get_args(kind))
    if origin in (types.UnionType, typing.Union):
        arms = [arm for arm in typing.get_args(kind) if arm is not type(None)]
        return f"{_values(name, arms[0])}, or `none`"
    return {bool: "true, false", int: "a number", str: "a text", Odds: "odds"}.get(kind, "a list of words")


def _written(value: object) -> str:
    if isinstance(value, tuple) and not isinstance(value, Odds):
        return ", ".join(map(str, value)) or "an empty list"
    return str(value) if isinstance(value, (str, Odds)) else read_plain(value)


def on_page() -> str:
    """The table that stands in the page now."""
    found = re.search(f"{re.escape(BEGIN)}\n(.*?)\n{re.escape(END)}", PAGE.read_text("utf-8"), re.DOTALL)
    return found[1] if found else ""


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    head, _, rest = page.partition(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}", "utf-8")
