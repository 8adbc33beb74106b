"""Rounds as text: what a table leaves behind, read, written, replayed and explained.

What belongs here: the record format (docs/records.md) in both directions, the replay that checks a record against the
table, the telling of a round in words, and `Table`, which plays in those words. What does not: rules, which are the
table's and the book's, and files, which the command line reads.
"""

from __future__ import annotations

from pitboss.records.log import from_events, from_log
from pitboss.records.model import SUFFIX, Record, RecordedAction, RecordError, Round
from pitboss.records.narrate.explanation import explain
from pitboss.records.read import read
from pitboss.records.replay import PlayedRound, Replay, ReplayStep, replay
from pitboss.records.write import add_outcomes, write

__all__ = [
    "SUFFIX",
    "PlayedRound",
    "Record",
    "RecordError",
    "RecordedAction",
    "Replay",
    "ReplayStep",
    "Round",
    "add_outcomes",
    "explain",
    "from_events",
    "from_log",
    "read",
    "replay",
    "write",
]  # fmt: skip
