"""A session as lines of text: what is written down after every decision, and how it is resumed.

The first line holds the setup and the opening of the table, its rules included; each further line a step (what was
asked, and the events it led to), a rebuy, or what a decision turned out to cost. A line that was being written when the
program was killed has no end and is left out: nothing in it was answered yet.

Every line ends with a check: a hash of the line and of the check before it. A journal that was edited after play does
not add up, and `restore` says at which line.
"""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.json_faults import tell_fault
from pitboss.money import Money
from pitboss.table import begin_log, codec, fold_log
from pitboss.table.evolve import LogError
from pitboss.table.messages import events as ev
from pitboss.tui.session.session import Session, SessionStep, at_table, buy_in, take_step, weigh
from pitboss.tui.session.setup import Setup

VERSION = 3
UNCHECKED = 2
"""The version whose lines have no checks."""

_CHECK_DIGITS = 16
_CHECK = re.compile(rf',"check":"([0-9a-f]{{{_CHECK_DIGITS}}})"}}$')


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
    rebuy: Money | None = None


class Restored(NamedTuple):
    """What a journal leads to."""

    session: Session
    log: tuple[ev.Event, ...]
    """The events of the table since it opened."""
    check: str | None
    """The check of the last line; none if the journal has none."""


def open_log(session: Session) -> ev.Event:
    """The event by which the table of a session opened that has not taken a step yet."""
    state = session.state
    return begin_log(state.rules, state.limits, state.meters, state.floor)


def head_line(session: Session) -> str:
    """The first line of a journal, for a session that has not taken a step yet."""
    head = _Head(VERSION, session.setup, msgspec.Raw(codec.encode(open_log(session))))
    return msgspec.json.encode(head).decode()


def step_line(step: SessionStep) -> str:
    """A step as a line."""
    events = tuple(msgspec.Raw(codec.encode(event)) for event in step.events)
    return msgspec.json.encode(_Line(step=events)).decode()


def write_weighed(decision: int, cost: float, best: str) -> str:
    """The cost of a decision as a line."""
    return msgspec.json.encode(_Line(weighed=_Weighed(decision, cost, best))).decode()


def rebuy_line(amount: Money) -> str:
    """A rebuy as a line."""
    return msgspec.json.encode(_Line(rebuy=amount)).decode()


# ---------------------------------------------------------------------- checks


def add_check(line: str, before: str) -> tuple[str, str]:
    """A line with its check, and the check for the line that follows; `before` is that of the line before."""
    check = hashlib.sha256(f"{before}\n{line}".encode()).hexdigest()[:_CHECK_DIGITS]
    return f'{line[:-1]},"check":"{check}"}}', check


def _verify(line: str, before: str, number: int) -> str:
    """The check of a line that follows from the one before it."""
    found = _CHECK.search(line)
    if found is None or add_check(f"{line[: found.start()]}}}", before)[1] != found[1]:
        raise JournalError(f"the journal was edited after play: line {number} does not match its check")
    return found[1]


# ---------------------------------------------------------------------- reading


def restore(text: str) -> Restored:
    """The session that a journal leads to, with its log."""
    lines = text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]
    if not lines:
        raise JournalError("the journal is empty")
    session, opening, version = _read_opening(lines[0])
    log = [opening]
    check = None if version == UNCHECKED else _verify(lines[0], "", 1)
    for number, line in enumerate(lines[1:], 2):
        check = check and _verify(line, check, number)
        try:
            read = msgspec.json.decode(line, type=_Line)
            events = tuple(codec.decode_event(bytes(event)) for event in read.step or ())
            session = _read_on(session, read, events)
        except (msgspec.DecodeError, PitbossError, LookupError) as error:
            raise JournalError(f"line {number} of the journal cannot be read: {error}") from None
        log.extend(events)
    return Restored(session, tuple(log), check)


def read_setup(head: str) -> Setup:
    """What the session of a journal was set up as, from its first line."""
    return _decode_head(head).setup


def _decode_head(line: str) -> _Head:
    try:
        head = msgspec.json.decode(line, type=_Head)
    except msgspec.DecodeError as error:
        raise JournalError(f"this is not the journal of a session: {tell_fault(error)}") from None
    if head.journal not in (UNCHECKED, VERSION):
        raise JournalError(f"the journal has version {head.journal}; this program reads versions up to {VERSION}")
    return head


def _read_opening(line: str) -> tuple[Session, ev.Event, int]:
    head = _decode_head(line)
    try:
        opening = codec.decode_event(bytes(head.opening))
        return at_table(head.setup, fold_log([opening])), opening, head.journal
    except (codec.CodecError, LogError) as error:
        raise JournalError(f"this is not the journal of a session: {error}") from None


def _read_on(session: Session, line: _Line, events: tuple[ev.Event, ...]) -> Session:
    if line.step is not None:
        return take_step(session, SessionStep(events))
    if line.weighed is not None:
        return weigh(session, line.weighed.decision, line.weighed.cost, line.weighed.best)
    if line.rebuy is not None:
        return buy_in(session, line.rebuy)
    return session
