"""The command line, thin: it reads arguments and files, asks the rooms below, and prints.

To add a command, write `cli/NAME.py` with a function `run` whose parameters are Typer's
(`typer.Argument`, `typer.Option`) and a few `EXAMPLES`, and add one line to `COMMANDS` below. The
module is imported only when its command is asked for, so it may import what it needs at its top;
this file may not, because `pitboss --help` has to answer at once.

A command prints its answer on stdout and everything else on stderr. For a mistake of the user's it
raises `PitbossError`, for a check that does not hold `CheckFailed`; `main` turns them into one line
and the exit code. Text files of the user's are read with `pitboss.files`; numbers are taken as texts
and read with `pitboss.formats.typed_numbers`.

What does not belong here: rules, arithmetic, formats. If a test needs a subprocess to reach
something, that something lives in the wrong room.
"""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from pitboss import __version__
from pitboss.cli.help import command_help, program_help
from pitboss.cli.pager import through_pager
from pitboss.errors import CheckFailed, PitbossError
from pitboss.formats.names import find_meant, nearest

OK, CHECK_FAILED, BAD_USAGE = 0, 1, 2
INTERRUPTED = 128 + 2
PIPE_CLOSED = 128 + 13

DISK_TROUBLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG}


class Entry(NamedTuple):
    name: str
    module: str
    help: str
    paged: bool = True
    """Whether a long answer is shown page by page on a terminal."""


COMMANDS: tuple[Entry, ...] = (
    Entry("games", "games", "List all games with their house edge, cost per hour and main rules."),
    Entry("rules", "rules", "Print the rules of a game, explain a parameter, or check your own rulebook."),
    Entry("odds", "odds", "Give the house edge and strategy of a game, or the edge of a side wager."),
    Entry("compare", "compare", "Rank games by house edge, and price rule changes."),
    Entry("simulate", "simulate", "Play millions of rounds: house edge, side wagers, card counting, bankrolls."),
    Entry("trace", "trace", "Show how each clause of the rulebooks is met, and check it."),
    Entry("play", "play", "Sit down at a table of any game, in the terminal.", paged=False),
    Entry("replay", "replay", "Replay records of rounds and of whole floors, and report what differs."),
    Entry("serve", "floors.serve", "Open a floor: tables of all games, for people and programs.", paged=False),
    Entry("join", "floors.join", "Sit down at a served table, as a person or as a robot.", paged=False),
    Entry("floor", "floors.floor", "Ask a served floor how it is doing."),
    Entry("meters", "floors.meter_systems_command", "Open, show, play and export jackpots of several tables."),
    Entry("promotion", "floors.promotion", "Check the terms of a promotion, run it to its end, lodge it on a floor."),
    Entry("tournament", "floors.tournament", "Check, play, lodge, show and export tournaments."),
    Entry("audit", "audit", "Check that a shoe was dealt as committed, or everything that a floor has stored."),
    Entry("completion", "completion", "Print the completion script of a shell: bash, zsh or fish.", paged=False),
)

EXTRA_WORDS = re.compile(r"Got unexpected extra arguments? \((.*)\)|Got unexpected extra argument\(s\) \((.*)\)")
VALUE_LACKING = re.compile(r"Option '([^']+)' requires (?:an argument|\d+ arguments)")
VALUE_TOO_MUCH = re.compile(r"Option '([^']+)' does not take a value")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; the console script `pitboss`."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None and _command_named_in(arguments) != "play":  # which has a whole screen to put back first
        signal.signal(signal.SIGINT, _stop_at_once)
    _print_whatever_comes()
    try:
        code = _invoke(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except CheckFailed as error:
        return _complain(str(error), CHECK_FAILED)
    except PitbossError as error:
        return _complain(str(error), BAD_USAGE)
    except typer.TyperException as error:
        return _complain(_usage_line(error, arguments), BAD_USAGE)
    except (EOFError, typer.Abort):
        return _complain("the input ended before an answer was given", BAD_USAGE)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:
        _abandon_stdout()
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is not None:
            return _complain(f"{error.filename}: {error.strerror}", BAD_USAGE)
        if error.errno not in DISK_TROUBLE:
            raise
        _abandon_stdout()
        return _complain(f"the answer cannot be written: {error.strerror}", BAD_USAGE)


def _stop_at_once(*_: Any) -> None:
    """Ctrl-C: say so and go, whatever other threads are still working out."""
    terminal, sys.stderr = sys.__stderr__, io.StringIO()  # a spinner turns no further
    if terminal is not None:
        tidied = "\r\x1b[K\x1b[?25h" if terminal.isatty() else ""  # clears its line, shows the cursor that it hid
        terminal.write(f"{tidied}pitboss: stopped\n")
        terminal.flush()
    os._exit(INTERRUPTED)


def _print_whatever_comes() -> None:
    """A name that the terminal's encoding does not have is shown escaped; it is no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _invoke(arguments: list[str]) -> int:
    words = _spell_out_help(arguments)
    wanted = _command_named_in(words)
    known = {entry.name: entry for entry in COMMANDS}
    if wanted is not None and wanted not in known:
        raise PitbossError(f"there is no command '{wanted}'; {nearest(wanted, [*known, 'help'])}")
    entry = known.get(wanted or "")
    command = typer.main.get_command(_app(entry))
    asks_help = bool({"-h", "--help"} & set(words))
    with through_pager((entry is None or entry.paged or asks_help) and "--no-pager" not in words):
        try:
            with command.make_context("pitboss", words) as context:
                command.invoke(context)
        except typer.Exit as stop:
            return stop.exit_code
    return OK


def _spell_out_help(arguments: list[str]) -> list[str]:
    """`help` and `help COMMAND` are other words for `--help` and `COMMAND --help`."""
    if arguments[:1] != ["help"]:
        return arguments
    return [*arguments[1:2], "--help"]


def _command_named_in(arguments: Sequence[str]) -> str | None:
    """The first word that is not an option; no option before the command takes a value."""
    return next((word for word in arguments if not word.startswith("-")), None)


class _Command(TyperCommand):
    """A command that explains itself in our words."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        return command_help(ctx.command_path, self.help or "", self.params, self.epilog or "")


class _Program(TyperGroup):
    """The program, which lists its commands."""

    def get_help(self, ctx: typer.Context) -> str:  # type: ignore[override]
        return program_help(self.help or "", self.params, {entry.name: entry.help for entry in COMMANDS})


def _app(wanted: Entry | None) -> typer.Typer:
    """The application with `wanted` imported; the other commands are there by name only."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        cls=_Program,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_pitboss)
    for entry in COMMANDS:
        if entry is wanted:
            module = load_module(entry)
            app.command(entry.name, cls=_Command, epilog="\n".join(module.EXAMPLES))(module.run)
        else:
            app.command(entry.name, cls=_Command)(_not_loaded)
    return app


def load_module(entry: Entry) -> Any:
    """The module of a command: its function `run` and its `EXAMPLES`."""
    return import_module(f"pitboss.cli.{entry.module}")


def load_command(entry: Entry) -> Any:
    """A command with its parameters, as the shell's completion wants to know them."""
    return typer.main.get_command(_app(entry)).commands[entry.name]  # type: ignore[attr-defined]


def _not_loaded() -> None:
    raise AssertionError("a command that was not asked for was run")


def _pitboss(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", is_eager=True, help="Print the version and exit.")] = False,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print long answers without a pager.")] = False,
) -> None:
    """Approved casino rulebooks as running, provable blackjack tables."""
    if version:
        typer.echo(f"pitboss {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _usage_line(error: typer.TyperException, arguments: Sequence[str]) -> str:
    """What is wrong with a command line, in our words: those of the library that reads it are not for people."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    path = " ".join(filter(None, ("pitboss", _command_named_in(arguments))))
    text = " ".join(error.format_message().split()).rstrip(".")
    if hasattr(error, "possibilities"):
        option = str(getattr(error, "option_name", ""))
        known = [name for one in context.command.params for name in one.opts] if context is not None else []
        meant = " or ".join(find_meant(option.lstrip("-"), known))
        return f"there is no option {option}{f' (did you mean {meant}?)' if meant else ''}; try {path} --help"
    if parameter is not None and hasattr(error, "param_type"):
        return f"{path} needs {(parameter.metavar or parameter.name.upper()).strip('[].')}; try {path} --help"
    for pattern, ours in (
        (EXTRA_WORDS, "'{}' is one argument too many"),
        (VALUE_LACKING, "{} needs a value"),
        (VALUE_TOO_MUCH, "{} takes no value"),
    ):
        found = pattern.search(text)
        if found is not None:
            return f"{ours.format(next(filter(None, found.groups())))}; try {path} --help"
    return f"{text[:1].lower()}{text[1:]}; try {path} --help"


def _complain(message: str, code: int) -> int:
    """One line on stderr, whatever the message holds."""
    typer.echo(f"pitboss: {' '.join(message.split())}", err=True)
    return code


def _abandon_stdout() -> None:
    """Nobody can read us any more: let the interpreter's last flush go nowhere instead of failing."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
