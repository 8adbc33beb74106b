"""The logbook of a server: what happened, for whoever runs it, as one JSON object on each line.

It tells of people who sign in, of what is refused and why, of stores that fail; never of cards, tokens, passwords or
codes. An error that nobody expected is told by its kind and place, because its text may hold anything.
"""

from __future__ import annotations

import contextlib
import enum
import logging
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec


class Level(enum.IntEnum):
    """How much somebody should care."""

    DEBUG = 10
    INFO = 20
    WARNING = 30
    ERROR = 40


LONGEST_FIELD = 200
MOST_FRAMES = 12
_ENCODE = msgspec.json.Encoder().encode


class Logbook:
    """Writes lines of a level or above; `write` takes a line without its end."""

    def __init__(
        self, write: Callable[[str], None] = lambda line: None, *, level: Level = Level.INFO,
        clock: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        self.write = write
        self.level = level
        self.clock = clock

    def note(self, level: Level, event: str, **fields: str | int | bool | list[str]) -> None:
        """Something happened."""
        if level < self.level:
            return
        at = datetime.fromtimestamp(self.clock() / 1000, UTC).isoformat(timespec="milliseconds")
        shown = {name: value[:LONGEST_FIELD] if isinstance(value, str) else value for name, value in fields.items()}
        self.write(_ENCODE({"at": at, "level": level.name.lower(), "event": event, **shown}).decode())

    def info(self, event: str, **fields: str | int | bool | list[str]) -> None:
        """Something ordinary."""
        self.note(Level.INFO, event, **fields)

    def warn(self, event: str, **fields: str | int | bool | list[str]) -> None:
        """Something was refused, or is not as it should be."""
        self.note(Level.WARNING, event, **fields)

    def error(self, event: str, **fields: str | int | bool | list[str]) -> None:
        """Something has failed."""
        self.note(Level.ERROR, event, **fields)

    @contextlib.contextmanager
    def take_over_logging(self) -> Iterator[None]:
        """What libraries log goes into the logbook as well, and nowhere else."""
        handler, root = _Handler(self), logging.getLogger()
        root.addHandler(handler)
        try:
            yield
        finally:
            root.removeHandler(handler)


def list_frames(trace: TracebackType | None) -> list[str]:
    """Where an error came from, the last place first."""
    frames = traceback.extract_tb(trace)[-MOST_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames)]


class _Handler(logging.Handler):
    """Passes on what libraries log: of an error its kind and place, of a warning the text without what was put in."""

    def __init__(self, logbook: Logbook) -> None:
        super().__init__(logging.WARNING)
        self.logbook = logbook

    def emit(self, record: logging.LogRecord) -> None:
        level = Level.ERROR if record.levelno >= logging.ERROR else Level.WARNING
        kind, frames = "", []
        if record.exc_info and record.exc_info[0] is not None:
            kind, frames = record.exc_info[0].__name__, list_frames(record.exc_info[2])
        text = str(record.msg).splitlines()[0] if str(record.msg) else ""
        self.logbook.note(level, "library", of=record.name, text=text, kind=kind, frames=frames)
