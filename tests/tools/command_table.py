"""The tables of docs/floor-commands.md, made from the code, and of the items of terms in docs/tournaments.md.

They say what can be asked of each kind of stream with its fields, and what terms must state.

Run it to rewrite the tables after a change: `python tests/tools/command_table.py`.
"""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec
from generated_pages import GeneratedPart

from pitboss.floor.records.kind import Kind
from pitboss.floor.records.registry import ALL_KINDS
from pitboss.floor.terms.checklist import load_checklist
from pitboss.rulebooks import BOOKS, load_book

PART = GeneratedPart("floor-commands.md", "commands")
TERMS_PART = GeneratedPart("tournaments.md", "items")
TOURNAMENT = "tournament"

ORDER_FIELDS = ("role", "person", "reason", "told", "clause")
"""What every order at a table has beside its own fields: the page says so once."""
MOMENTS = {
    ("move-start", "to"),
    ("limit-time", "start"),
    ("validate", "draws"),
    ("announce", "start"),
    ("", "valid_from"),
    ("", "valid_until"),
}
"""Fields that are written as a day and time, by command; without one, those of a table in a field."""
DOCUMENTS = {"TournamentTerms": "[terms](tournaments.md)", "PromotionTerms": "[terms](promotions.md)"}
WORDS: dict[Any, str] = {
    str: "text", int: "whole number", bool: "true or false", Decimal: "amount", bytes: "bytes", Any: "anything",
    type(None): "nothing",
}  # fmt: skip


def name_type(kind: Any) -> str:
    """What a field may be, in words."""
    if kind in WORDS:
        return WORDS[kind]
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return " or ".join(f"`{item.value}`" for item in kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return DOCUMENTS.get(kind.__name__) or f"table of {', '.join(list_fields(kind, ''))}"
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return " or ".join(f"`{item}`" for item in inside)
    if origin is tuple:
        return (
            f"list of {name_type(inside[0])}"
            if inside[-1] is ...
            else f"list of {' and '.join(map(name_type, inside))}"
        )
    if origin is dict:
        return f"by name: {name_type(inside[1])}"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(name_type(item) for item in inside if item is not type(None))
    raise AssertionError(f"no words for {kind}")


def list_fields(kind: type[msgspec.Struct], tag: str) -> Iterator[str]:
    """The fields of a command or of a table in one; a question mark follows the name of what may be left out."""
    order = "clause" in kind.__struct_fields__ and "told" in kind.__struct_fields__
    for field in msgspec.structs.fields(kind):
        if order and field.name in ORDER_FIELDS:
            continue
        words = "day and time" if (tag, field.name) in MOMENTS else name_type(field.type)
        yield f"`{field.encode_name}{'' if field.required else '?'}` {words}"


def list_commands(kind: Kind) -> str:
    """Everything that can be asked of a kind of stream, a row each."""
    lines = ["| `do` | fields | what it asks for |", "|---|---|---|"]
    for tag, command in kind.commands.items():
        meaning = " ".join((command.__doc__ or "").split()).split(". ")[0].rstrip(".")
        fields = "; ".join(list_fields(command, tag))
        lines.append(f"| `{tag}` | {escape(fields)} | {escape(meaning)} |")
    return "\n".join(lines)


def escape(text: str) -> str:
    """A text in a cell of a table."""
    return text.replace("|", "\\|")


def tables() -> str:
    """All tables, as the page has them."""
    parts = []
    for kind in ALL_KINDS:
        parts += [f"## Asking `{kind.word}`", list_commands(kind)]
    return "\n\n".join(parts)


def list_terms() -> str:
    """What terms must state, by every book that has tournaments."""
    parts = []
    for book in BOOKS:
        if TOURNAMENT not in load_book(book).competitions:
            continue
        parts += [f"### `[terms]` for the book {book}", "| item | clause | needed |", "|---|---|---|"]
        for item in load_checklist(book, TOURNAMENT).items:
            parts.append(
                f"| `{item.name}` | {item.clauses[0]} | {f'if {item.circumstance}' if item.circumstance else ''} |"
            )
    return "\n".join(f"{part}\n" if part.startswith("#") else part for part in parts).replace("|\n###", "|\n\n###")


if __name__ == "__main__":
    PART.write(tables())
    TERMS_PART.write(list_terms())
