"""Long answers on a terminal, page by page: what a command prints is held back and given to the user's pager.

`PITBOSS_PAGER`, then `PAGER`, name it; without either it is `less`, told to get out of the way of an answer that fits.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

NO_PAGER = ("", "cat")


class _HeldBack(io.StringIO):
    """A stream that passes for the terminal for which it holds the answer."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return sys.__stdout__.fileno() if sys.__stdout__ is not None else 1


@contextmanager
def through_pager(wanted: bool) -> Iterator[None]:
    """Hold back what is printed inside, and show it page by page if it is longer than the terminal."""
    command = find_pager() if wanted and _on_terminal() else []
    if not command:
        yield
        return
    terminal, held = sys.stdout, _HeldBack()
    sys.stdout = held
    try:
        yield
    finally:
        sys.stdout = terminal
        _show(held.getvalue(), command)


def find_pager() -> list[str]:
    """The pager as a command; nothing if there is none, or none is wanted."""
    named = os.environ.get("PITBOSS_PAGER", os.environ.get("PAGER", "less"))
    command = shlex.split(named)
    return command if named not in NO_PAGER and command and shutil.which(command[0]) else []


def _on_terminal() -> bool:
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def _show(text: str, command: list[str]) -> None:
    if text.count("\n") < shutil.get_terminal_size().lines:
        sys.stdout.write(text)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's while it runs
    try:
        subprocess.run(command, input=text, env={"LESS": "FRX", **os.environ}, text=True, errors="replace", check=False)
    finally:
        signal.signal(signal.SIGINT, before)
