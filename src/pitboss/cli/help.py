"""What `--help` prints: usage, what a command does, its arguments and options, examples."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WIDEST = 100
HELP = ("-h, --help", "Show this help.")


def command_help(path: str, text: str, parameters: Sequence[Any], examples: str) -> str:
    """The help of one command; `examples` are command lines, each with what it is for after two spaces and a #."""
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    options = [one for one in parameters if one.param_type_name == "option"]
    usage = " ".join([path, *(_argument(one) for one in arguments), "[OPTION]..."])
    parts = [f"Usage: {usage}", _fill(text)]
    parts += [_section("Arguments", [(_metavar(one), one.help or "") for one in arguments])] if arguments else []
    parts.append(_section("Options", [*((_names(one), _says(one)) for one in options), HELP]))
    parts.append("\n".join(["Examples:", *(f"  {line}" for line in examples.splitlines())]) if examples else "")
    return "\n\n".join(filter(None, parts))


def program_help(text: str, parameters: Sequence[Any], commands: Mapping[str, str]) -> str:
    """The help of the program: its commands, each in a line."""
    parts = [
        "Usage: pitboss COMMAND [ARGUMENT]... [OPTION]...",
        _fill(text),
        _section("Commands", [*commands.items(), ("help", "Explain a command: pitboss help odds.")]),
        _section("Options", [*((_names(one), _says(one)) for one in parameters), HELP]),
        "\n".join(
            ["Examples:", "  pitboss games", "  pitboss odds melbourne/pontoon", "  pitboss play melbourne/pontoon"]
        ),
    ]
    return "\n\n".join(parts)


def _argument(one: Any) -> str:
    name = _metavar(one)
    return name if one.required else f"[{name}]"


def _metavar(one: Any) -> str:
    return str(one.metavar or one.name.upper())


def _names(one: Any) -> str:
    """`--decks N`, `-h, --help`, `--advice, --no-advice`."""
    names = ", ".join([*one.opts, *one.secondary_opts])
    return names if one.is_flag else f"{names} {_metavar(one)}"


def _says(one: Any) -> str:
    """What an option is for, and what it is if it is left out."""
    text = str(one.help or "")
    default = getattr(one.default, "value", one.default)
    shown = not one.is_flag and isinstance(default, (str, int, float)) and default not in ("", "0")
    return f"{text} [{default}]" if shown else text


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    lines = list(rows)
    width = min(max(len(name) for name, _ in lines), 24)
    found = [f"{title}:"]
    for name, text in lines:
        wrapped = textwrap.wrap(text, _width() - width - 4, break_on_hyphens=False) or [""]
        if len(name) > width:
            found.append(f"  {name}")
            name = ""
        found += [f"  {name:<{width}}  {wrapped[0]}".rstrip(), *(" " * (width + 4) + line for line in wrapped[1:])]
    return "\n".join(found)


def _fill(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in textwrap.dedent(text).split("\n\n")]
    return "\n\n".join(textwrap.fill(part, _width(), break_on_hyphens=False) for part in paragraphs if part)


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST)
