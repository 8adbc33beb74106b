"""A session as lines of text: what is written down after every decision, and how it is resumed.

The first line holds the setup and the opening of the table, its rules included; each further line a step (what was
asked, and the events it led to) or what a decision turned out to cost. A line that was being written when the
program was killed has no end and is left out: nothing in it was answered yet.
"""

from __future__ import annotations

import msgspec

from pitboss.errors import PitbossError
from pitboss.table import begin_log, codec, fold_log
from pitboss.table.evolve import LogError
from pitboss.tui.session.session import Session, SessionStep, at_table, take_step, weigh
from pitboss.tui.session.setup import Setup

VERSION = 2


class JournalError(PitbossError):
    """A text that should be a journal is not."""


class _Head(msgspec.Struct, frozen=True):
    journal: int
    setup: Setup
    opening: msgspec.Raw


class _Weighed(msgspec.Struct, frozen=True):
    decision: int
    cost: float
    best: str


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    step: tuple[msgspec.Raw, ...] | None = None
    weighed: _Weighed | None = None


def head_line(session: Session) -> str:
    """The first line of a journal, for a session that has not taken a step yet."""
    state = session.state
    opening = begin_log(state.rules, state.limits, state.meters, state.floor)
    head = _Head(VERSION, session.setup, msgspec.Raw(codec.encode(opening)))
    return msgspec.json.encode(head).decode()


def step_line(step: SessionStep) -> str:
    """A step as a line."""
    events = tuple(msgspec.Raw(codec.encode(event)) for event in step.events)
    return msgspec.json.encode(_Line(step=events)).decode()


def write_weighed(decision: int, cost: float, best: str) -> str:
    """The cost of a decision as a line."""
    return msgspec.json.encode(_Line(weighed=_Weighed(decision, cost, best))).decode()


def restore(text: str) -> Session:
    """The session that a journal leads to."""
    lines = text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]
    if not lines:
        raise JournalError("the journal is empty")
    session = _read_opening(lines[0])
    for number, line in enumerate(lines[1:], 2):
        try:
            session = _read_on(session, msgspec.json.decode(line, type=_Line))
        except (msgspec.DecodeError, PitbossError, LookupError) as error:
            raise JournalError(f"line {number} of the journal cannot be read: {error}") from None
    return session


def _read_opening(line: str) -> Session:
    try:
        head = msgspec.json.decode(line, type=_Head)
        if head.journal != VERSION:
            raise JournalError(f"the journal has version {head.journal}; this program reads version {VERSION}")
        return at_table(head.setup, fold_log([codec.decode_event(bytes(head.opening))]))
    except (msgspec.DecodeError, codec.CodecError, LogError) as error:
        raise JournalError(f"this is not the journal of a session: {error}") from None


def _read_on(session: Session, line: _Line) -> Session:
    if line.step is not None:
        return take_step(session, SessionStep(tuple(codec.decode_event(bytes(event)) for event in line.step)))
    if line.weighed is not None:
        return weigh(session, line.weighed.decision, line.weighed.cost, line.weighed.best)
    return session
