"""A word to the person who waits: what is being worked out, on stderr, and gone when it is done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

PATIENCE_SECONDS = 3.0
"""In a pipe nothing is said before this; most answers are there sooner."""

FIRST_USE = "the first use of the analyser compiles it, which takes up to a minute"


@contextmanager
def working(on: str, why_long: str = FIRST_USE) -> Iterator[None]:
    """Show that something is being worked on: a spinner on a terminal, one line in a pipe if it takes long."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(f"{on} ({why_long})"):
            yield
        return
    timer = threading.Timer(PATIENCE_SECONDS, lambda: typer.echo(f"{on}; {why_long}", err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
