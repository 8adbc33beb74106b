"""`pitboss completion SHELL`: a script that teaches a shell the commands, options, games and words of the program."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pitboss.cli import COMMANDS, Entry, load_command
from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.report.shell_completion import SHELLS, CommandWords, OptionWords
from pitboss.rulebooks import BOOKS, games, load_book
from pitboss.rulebooks.model.parameters import FIELDS

EXAMPLES = (
    'eval "$(pitboss completion bash)"   # in ~/.bashrc',
    'eval "$(pitboss completion zsh)"   # in ~/.zshrc, after compinit',
    "pitboss completion fish > ~/.config/fish/completions/pitboss.fish",
)


def run(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print the completion script of a shell; load it in the shell's start-up file."""
    if shell not in SHELLS:
        raise PitbossError(f"there is no completion for '{shell}'; {nearest(shell, SHELLS)}")
    print(SHELLS[shell]([_describe(entry) for entry in COMMANDS]))


def _describe(entry: Entry) -> CommandWords:
    parameters = load_command(entry).params
    arguments = [one for one in parameters if one.param_type_name == "argument"]
    options = [_option(one) for one in parameters if one.param_type_name == "option"]
    options.append(OptionWords("--help", "Show this help.", takes_value=False))
    words = [word for one in arguments for word in _words_for(_metavar(one))]
    files = any("FILE" in _metavar(one) for one in arguments)
    return CommandWords(entry.name, entry.help, tuple(options), tuple(words), files)


def _option(one: Any) -> OptionWords:
    wanted = _metavar(one)
    files = wanted in ("FILE", "DIR")
    return OptionWords(one.opts[-1], one.help or "", not one.is_flag, files, tuple(_words_for(wanted)))


def _metavar(one: Any) -> str:
    return str(one.metavar or "").strip("[].")


def _words_for(metavar: str) -> list[str]:
    """What may stand where a command line shows this word."""
    if metavar in ("GAME", "OTHER"):
        return list(games())
    if metavar == "WAGER":
        return sorted({name for book in BOOKS for name in load_book(book).side_wagers})
    return {
        "SHELL": list(SHELLS),
        "BOOK": list(BOOKS),
        "PARAMETER": list(FIELDS),
        "WHAT": ["shoe"],
    }.get(metavar, [])
