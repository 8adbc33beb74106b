"""A floor record told step by step, each with its clauses; and the same for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from pitboss.floor.ledger import from_grains
from pitboss.floor.moments import tell_time
from pitboss.floor.records.expectations import list_duties, list_streams
from pitboss.floor.records.registry import find_kind
from pitboss.floor.records.replay import FloorReplay, Happened, PlayedStep
from pitboss.money import Money
from pitboss.records.narrate.explanation import INDENT, step_words
from pitboss.records.narrate.table_events import Said
from pitboss.records.replay import ReplayStep
from pitboss.records.settlement_table import SettlementTable, to_plain
from pitboss.rulebooks import load_book
from pitboss.table.messages.askers import Asker


def explain_floor(replayed: FloorReplay) -> list[str]:
    """The record in words: who is there, what was asked and what followed, what is still open, what differs."""
    record = replayed.record
    title = " ".join(record.title.split())
    lines = [title] if title and title.isprintable() else []
    lines.append(load_book(record.book).name)
    lines += [f"Table {table.name}: {table.game}" for table in record.tables.values()]
    for number, played in enumerate(replayed.steps, 1):
        step = played.step
        lines.append(f"{tell_time(step.at_ms)} {_tell_asker(step.by)}, {step.stream}: {step.do.replace('-', ' ')}")
        lines += [f"{INDENT}{said}" for said in _tell_step(played)]
        lines += [f"Not as recorded, step {number}: {difference}" for difference in played.differences]
    lines += [f"Still open: {duty}." for duty in list_duties(replayed.now)]
    lines += [f"Not as expected: {difference}" for difference in replayed.at_its_end]
    return lines


def _tell_asker(by: Asker) -> str:
    role = by.role.replace("-", " ")
    return f"{by.name} ({role})" if by.name else f"the {role}"


def _tell_step(played: PlayedStep) -> Iterator[Said]:
    if played.refusal is not None:
        asks = "Refused, as it must be" if played.step.refused else "Refused"
        yield Said(f"{asks}: {played.refusal.reason}", played.refusal.clauses)
    refused = _list_refused(played)
    for happened in played.happened:
        for item in refused.pop(id(happened.events), ()):
            yield from step_words(item)
        elsewhere = "" if happened.stream == played.step.stream else f"{happened.stream}: "
        yield from (Said(elsewhere + said.sentence, said.clauses) for said in tell_happened(happened))
    for left in refused.values():
        for item in left:
            yield from step_words(item)


def _list_refused(played: PlayedStep) -> dict[int, list[ReplayStep]]:
    """What was refused in the rounds of a step, by the events before which it was asked."""
    found: dict[int, list[ReplayStep]] = {}
    waiting: list[ReplayStep] = []
    for item in (item for game in played.rounds for item in game.steps):
        if item.refusal is not None:
            waiting.append(item)
        elif item.events and waiting:
            found[id(item.events)], waiting = waiting, []
    return {**found, 0: waiting}


def tell_happened(happened: Happened) -> Iterator[Said]:
    """A decision of a stream in sentences."""
    kind, state = find_kind(happened.stream), happened.before
    for event in happened.events:
        yield from kind.narrate(state, event)
        state = kind.evolve(state, event, happened.at_ms)


def floor_data(replayed: FloorReplay) -> dict[str, Any]:
    """The record for programs: its steps, balances, the results of every stream, and what is still open."""
    return {
        "book": replayed.record.book,
        "steps": [_step_data(played) for played in replayed.steps],
        "balances": {
            account if unit == "chip" else f"{account} {unit}": to_plain(from_grains(grains))
            for (account, unit), grains in sorted(replayed.now.balances.items())
        },
        "streams": {
            stream: msgspec.to_builtins(find_kind(stream).describe(state), builtin_types=(Money,))
            for stream, state in list_streams(replayed.now).items()
        },
        "open": list_duties(replayed.now),
    }  # fmt: skip


def _step_data(played: PlayedStep) -> dict[str, Any]:
    refusal = played.refusal
    return {
        "at": tell_time(played.step.at_ms),
        "by": str(played.step.by),
        "on": played.step.stream,
        "do": played.step.do,
        "refused": None if refusal is None else {"reason": refusal.reason, "clauses": list(refusal.clauses)},
        "happened": [
            {"on": happened.stream, "said": said.sentence, "clauses": list(said.clauses)}
            for happened in played.happened
            for said in tell_happened(happened)
        ],
        "settlement": [row for game in played.rounds for row in SettlementTable(game.settlement).rows()],
        "transfers": [
            {
                "from": moved.debit, "to": moved.credit, "amount": to_plain(from_grains(moved.amount)),
                "unit": str(moved.unit), "clauses": list(moved.clauses),
            }
            for moved in played.transfers
        ],
    }  # fmt: skip
