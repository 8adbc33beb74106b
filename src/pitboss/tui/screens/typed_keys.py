"""Keys as they are meant: a capital is its letter, and Ctrl-C asks how to leave."""

from __future__ import annotations

from textual import events

INTERRUPT = "ctrl+c"
HOW_TO_LEAVE = "Ctrl-C does not leave the table. Press Q: the session is saved, and you can resume it."


def read_key(event: events.Key) -> str:
    """The key that was pressed, in lower case, taken away from everybody else."""
    event.stop()
    event.prevent_default()
    return event.key.lower() if len(event.key) == 1 else event.key
