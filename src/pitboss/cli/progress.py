"""A word to the person who waits: what is being worked out, on stderr, and gone when it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

PATIENCE_SECONDS = 3.0
"""In a pipe nothing is said before this; most answers are there sooner."""


@contextmanager
def working(on: str) -> Iterator[Callable[[str], None]]:
    """Show that something is being worked on: a spinner on a terminal, one line in a pipe if it takes long.

    What it yields says how far the work is: `say("3 of 17")`.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(on) as status:
            yield lambda how_far: status.update(f"{on}: {how_far}")
        return
    told = [on]
    timer = threading.Timer(PATIENCE_SECONDS, lambda: typer.echo(told[-1], err=True))
    timer.daemon = True
    timer.start()
    try:
        yield lambda how_far: told.append(f"{on}: {how_far}")
    finally:
        timer.cancel()
