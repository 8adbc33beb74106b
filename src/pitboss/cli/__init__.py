"""The command line, thin: it reads arguments and files, asks the rooms below, and prints.

To add a command, write `cli/NAME.py` with a function `run` whose parameters are Typer's
(`typer.Argument`, `typer.Option`), and add one line to `COMMANDS` below. The module is imported
only when its command is asked for, so it may import what it needs at its top; this file may not,
because `pitboss --help` has to answer at once.

A command prints its answer on stdout and everything else on stderr. For a mistake of the user's it
raises `PitbossError`, for a check that does not hold `CheckFailed`; `main` turns them into one line
and the exit code. Text files of the user's are read with `pitboss.files`.

What does not belong here: rules, arithmetic, formats. If a test needs a subprocess to reach
something, that something lives in the wrong room.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, NamedTuple

import typer

from pitboss import __version__
from pitboss.errors import CheckFailed, PitbossError

OK, CHECK_FAILED, BAD_USAGE = 0, 1, 2
INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13


class Entry(NamedTuple):
    name: str
    module: str
    help: str


COMMANDS: tuple[Entry, ...] = (
    Entry("games", "games", "List all games with their book, decks and main rules."),
    Entry("rules", "rules", "Print the rules of a game: every value, its clause, and where it came from."),
    Entry("odds", "odds", "Give the house edge and strategy of a game, or the edge of a side wager."),
    Entry("compare", "compare", "Rank games by house edge, and price rule changes."),
    Entry("simulate", "simulate", "Play millions of rounds: house edge, side wagers, card counting, bankrolls."),
    Entry("trace", "trace", "Show how each clause of the rulebooks is met, and check it."),
    Entry("play", "play", "Sit down at a table of any game, in the terminal."),
    Entry("replay", "replay", "Replay round records through the table, and report what differs."),
    Entry("audit", "audit", "Check what a table has published: that a shoe was dealt as committed."),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; the console script `pitboss`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _print_whatever_comes()
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
        return code
    except CheckFailed as error:
        return _complain(str(error), CHECK_FAILED)
    except PitbossError as error:
        return _complain(str(error), BAD_USAGE)
    except typer.TyperException as error:
        return _complain(_usage_line(error), BAD_USAGE)
    except (EOFError, typer.Abort):
        return _complain("the input ended before an answer was given", BAD_USAGE)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is None:
            raise
        return _complain(f"{error.filename}: {error.strerror}", BAD_USAGE)


def _print_whatever_comes() -> None:
    """A name that the terminal's encoding does not have is shown escaped; it is no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _invoke(arguments: list[str]) -> int:
    command = typer.main.get_command(_app(_command_named_in(arguments)))
    try:
        with command.make_context("pitboss", arguments) as context:
            command.invoke(context)
    except typer.Exit as stop:
        return stop.exit_code
    return OK


def _command_named_in(arguments: Sequence[str]) -> str | None:
    """The first word that is not an option; no option before the command takes a value."""
    return next((word for word in arguments if not word.startswith("-")), None)


def _app(wanted: str | None) -> typer.Typer:
    """The application with `wanted` imported; the other commands are there by name and help only."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.callback(invoke_without_command=True)(_pitboss)
    for entry in COMMANDS:
        body = _load(entry) if entry.name == wanted else _not_loaded
        app.command(entry.name, help=entry.help if body is _not_loaded else None)(body)
    return app


def _load(entry: Entry) -> Callable[..., None]:
    run: Callable[..., None] = import_module(f"pitboss.cli.{entry.module}").run
    return run


def _not_loaded() -> None:
    raise AssertionError("a command that was not asked for was run")


def _pitboss(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    """Approved casino rulebooks as running, provable blackjack tables."""
    if version:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _usage_line(error: typer.TyperException) -> str:
    message = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "pitboss"
    return f"{message[:1].lower()}{message[1:]}; try {path} --help"


def _complain(message: str, code: int) -> int:
    """One line on stderr, whatever the message holds."""
    typer.echo(f"pitboss: {' '.join(message.split())}", err=True)
    return code


def _abandon_stdout() -> None:
    """Nobody reads us any more: let the interpreter's last flush go nowhere instead of failing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
