"""The reference of the Python interface, which `make pages` writes to docs/api.md from signatures and docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import pitboss

INTRODUCTION = """\
# Python reference

Everything that the packages offer, from their signatures and docstrings; `make pages` writes this page.
[The guide](python.md) shows how it fits together.
"""

FRONT_DOOR = (
    "games", "rules", "rulebook", "odds", "side_odds", "compare", "simulate", "Table", "read", "replay", "Refusal",
    "PitbossError",
)  # fmt: skip
"""What `import pitboss` offers, in the order in which people meet it."""

RESULTS = (
    ("pitboss.rulebooks", ("Rules", "SideWager", "Rulebook")),
    ("pitboss.odds", ("Edge", "Chart", "SideEdge", "Comparison", "WhatIf", "InsuranceOdds", "ChartWorth")),
    ("pitboss.sim.result", ("SimResult",)),
    ("pitboss.formats.frames", ("Tabular",)),
    ("pitboss.records", ("Record", "Replay", "PlayedRound")),
    ("pitboss.records.settlement_table", ("SettlementTable",)),
    ("pitboss.records.live", ("ActionRefused",)),
)
"""The classes of what these functions return and raise."""

PACKAGES = ("pitboss.odds", "pitboss.records", "pitboss.table", "pitboss.rulebooks", "pitboss.envs")
"""The packages beneath, with the functions that they offer."""


def write_reference() -> str:
    """The page."""
    lines = [INTRODUCTION, "## `import pitboss`", ""]
    for name in FRONT_DOOR:
        found = getattr(pitboss, name)
        lines += describe(f"pitboss.{name}", type(found).__call__ if name == "odds" else found)
    lines += ["## What you get back", ""]
    for module, names in RESULTS:
        for name in names:
            lines += describe(name, getattr(importlib.import_module(module), name))
    for package in PACKAGES:
        room = importlib.import_module(package)
        functions = [name for name in room.__all__ if inspect.isfunction(getattr(room, name))]
        if package == "pitboss.envs":
            functions = [name for name in room.__all__ if callable(getattr(room, name))]
        lines += [f"## `{package}`", "", f"{first_paragraph(room)}", ""]
        for name in sorted(functions, key=str.lower):
            lines += describe(f"{package}.{name}", getattr(room, name))
    return "\n".join(lines).rstrip() + "\n"


def describe(name: str, found: Any) -> Iterator[str]:
    """A heading, the signature, the docstring; of a class also its fields and methods."""
    yield f"### `{name}`"
    yield ""
    if inspect.isclass(found) and issubclass(found, Exception):
        yield from (prose(found), "")
        return
    if not inspect.isclass(found) or "__init__" in vars(found):
        yield from ("```text", signature(name, found), "```", "")
    yield from (prose(found), "")
    if inspect.isclass(found):
        rows = [*fields(found), *properties(found)]
        told = [f"| `{row}` | {text} |" for row, text in rows if text]
        plain = ", ".join(f"`{row}`" for row, text in rows if not text)
        if told:
            yield from ("| attribute | |", "|---|---|", *told, "")
        if plain:
            yield from (f"{'Also ' if told else 'Attributes: '}{plain}.", "")
        for method, function in methods(found):
            yield from (f"#### `{name.rpartition('.')[2]}.{method}`", "")
            yield from ("```text", signature(method, function), "```", "", prose(function), "")


def signature(name: str, found: Any) -> str:
    """A call with its parameters, one on each line where they do not fit on one."""
    inside = inspect.signature(found)
    written: list[str] = []
    for parameter in inside.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in written:
            written.append("*")
        written.append(_write_parameter(parameter))
    returned = "" if inspect.isclass(found) else _write_type(inside.return_annotation, " -> ")
    text = f"{name}({', '.join(written)}){returned}"
    return text if len(text) <= 100 else "\n".join([f"{name}(", *(f"    {one}," for one in written), f"){returned}"])


def _write_parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
    default = " = ..." if " at 0x" in default else default
    return f"{stars}{parameter.name}{_write_type(parameter.annotation, ': ')}{default}"


def _write_type(annotation: Any, before: str) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    return before + (annotation if isinstance(annotation, str) else inspect.formatannotation(annotation))


def prose(found: Any) -> str:
    """The docstring of a function or class as Markdown; a class also says how it is made."""
    texts = [inspect.getdoc(found) or ""]
    if inspect.isclass(found) and "__init__" in vars(found):
        texts.append(inspect.cleandoc(vars(found)["__init__"].__doc__ or ""))
    assert texts[0], f"{found} has no docstring"
    return re.sub(r"(?<!`)``(?!`)", "`", "\n\n".join(filter(None, texts)))


def first_paragraph(module: Any) -> str:
    """The opening of a module's docstring, as one sentence or two."""
    return " ".join((module.__doc__ or "").split("\n\n")[0].split())


def fields(found: type) -> Iterator[tuple[str, str]]:
    """The documented fields of a class, in the order of its source: name and type, and what stands below it."""
    if found.__name__ == "Rules":
        return  # its parameters are those of a rulebook
    body = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    assert isinstance(body, ast.ClassDef)
    for node, below in zip(body.body, [*body.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            text = ""
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                text = " ".join(str(below.value.value).split())
            yield f"{node.target.id}: {ast.unparse(node.annotation)}".replace("|", "or").replace("'", ""), text


def properties(found: type) -> Iterator[tuple[str, str]]:
    """The documented properties of a class."""
    for name, value in vars(found).items():
        if isinstance(value, property) and not name.startswith("_"):
            returned = str(inspect.signature(value.fget).return_annotation) if value.fget else ""
            yield f"{name}: {returned}".replace("|", "or").replace("'", ""), " ".join((value.__doc__ or "").split())


def methods(found: type) -> Iterator[tuple[str, Any]]:
    """The public methods of a class; those it shares with other results are told with `Tabular`."""
    for name, value in vars(found).items():
        if inspect.isfunction(value) and not name.startswith("_") and value.__doc__:
            yield name, value
