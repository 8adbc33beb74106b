"""Drills for those who learn to deal: questions about rounds on record, with answers that a replay gives.

A drill round is a record with a topic. At the end of a round the question is what its wagers pay, on the way what is
granted. A question holds no answer and nothing that tells it: neither the record nor its title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from pitboss.floor.desks.trainee import AnswerError, MarkedAnswer, PayLine, is_amount
from pitboss.floor.documents import PublicTable, describe_public
from pitboss.floor.live_table import Clocks, LiveTable, TableKind
from pitboss.floor.telling.table_log import SaidLine, tell_table, write_signs
from pitboss.money import Money, parse_money, show
from pitboss.records.narrate.explanation import table_words
from pitboss.records.narrate.settlements import tell_settlement
from pitboss.records.narrate.table_events import and_words, bet_words
from pitboss.records.read import read
from pitboss.records.replay import PlayedRound, ReplayStep, replay
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import words
from pitboss.table.state import Bet, Phase, Settlement, State

DrillKind = Literal["pay", "granted"]
GRANTED, REFUSED = "granted", "refused"


class DrillRound(msgspec.Struct, frozen=True):
    """A record that questions are asked about."""

    id: str
    topic: str
    record: str
    questions: int = 0
    """How many are asked about it, so that nobody has to play it to know."""


class TopicQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question as it is asked, without its answer."""

    id: str
    """The round and the number of the question in it."""
    topic: str
    game: str
    game_name: str
    kind: DrillKind
    ask: str
    told: tuple[str, ...]
    """What has happened so far."""
    wagers: tuple[PayLine, ...] = ()
    choices: tuple[str, ...] = ()
    public: PublicTable
    """The table as it lies there."""


class MarkedDrill(msgspec.Struct, frozen=True, kw_only=True):
    """A question that was answered: each answer marked, and what the round was about."""

    id: str
    correct: bool
    answers: tuple[MarkedAnswer, ...]
    title: str
    explained: tuple[SaidLine, ...]


class PreparedDrill(msgspec.Struct, frozen=True):
    """A question with what is right."""

    question: TopicQuestion
    right: tuple[MarkedAnswer, ...]
    title: str
    explained: tuple[SaidLine, ...]


def prepare_drills(drill: DrillRound) -> tuple[PreparedDrill, ...]:
    """Every question about a round, with its answer, in the order of the record."""
    replayed = replay(read(drill.record, drill.id, any_cards=True))
    found: list[PreparedDrill] = []
    told: list[str] = []
    for played in replayed.rounds:
        for step in played.steps:
            if _is_asked_about(step):
                found.append(_ask_granted(drill, len(found), step, told, replayed.record.title))
            told += _tell_plainly(step)
        if _pays_plainly(played):
            found.append(_ask_payments(drill, len(found), played, replayed.record.title))
    return tuple(found)


def mark_drill(prepared: PreparedDrill, given: tuple[str, ...]) -> MarkedDrill:
    """Whether the answers are right, one by one."""
    if len(given) != len(prepared.right):
        raise AnswerError(f"{len(prepared.right)} answers are asked for, and {len(given)} were given")
    marked = []
    for right, text in zip(prepared.right, given, strict=True):
        if prepared.question.kind == "pay":
            correct = is_amount(text, parse_money(right.right))
        else:
            correct = text.strip().lower() == right.right
        marked.append(replace(right, given=text[:40], correct=correct))
    return MarkedDrill(
        id=prepared.question.id, correct=all(answer.correct for answer in marked), answers=tuple(marked),
        title=prepared.title, explained=prepared.explained,
    )  # fmt: skip


# ---------------------------------------------------------------------- what wagers pay


def _pays_plainly(played: PlayedRound) -> bool:
    """The round was settled, and nothing in it was undone."""
    lines = played.settlement
    refused = any(step.refusal is not None for step in played.steps)
    return played.settled and bool(lines) and not played.state.void and not refused and not _has_orders(played) and (
        len({(line.box, line.hand, line.player, line.wager) for line in lines}) == len(lines)
    )  # fmt: skip


def _has_orders(played: PlayedRound) -> bool:
    return any(isinstance(step.command, cmd.Order) for step in played.steps)


def _ask_payments(drill: DrillRound, number: int, played: PlayedRound, title: str) -> PreparedDrill:
    state, lines = played.state, played.settlement
    told = [line for step in played.steps for line in _tell_plainly(step) if not _tells_money(line)]
    question = _make_question(
        drill, number, "pay", "What does each wager gain or lose?", told, replace(state, phase=Phase.SETTLING),
        wagers=tuple(_describe_wager(line) for line in lines),
    )  # fmt: skip
    right = tuple(
        [
            MarkedAnswer(
                about=tell_settlement(state, line), given="", right=show(line.net), correct=False, clauses=line.clauses
            )
            for line in lines
        ]
    )
    explained = tuple([SaidLine(tell_settlement(state, line), line.clauses) for line in lines])
    return PreparedDrill(question, right, title, explained)


def _tell_plainly(step: ReplayStep) -> list[str]:
    if step.refusal is None:
        return [line.text for line in tell_table(step.before, step.events)]
    command, refusal = step.command, step.refusal
    if command is None or isinstance(command, cmd.Proceed):
        return []
    return [f"{_ask_words(step.before, command)} Refused: {write_signs(refusal.reason)}."]


MONEY_WORDS = (" wins ", " loses ", "keeps the stake", "changes hands", " is paid", "gets ", " taken from")


def _tells_money(sentence: str) -> bool:
    return any(word in sentence for word in MONEY_WORDS)


def _describe_wager(line: Settlement) -> PayLine:
    return PayLine(line.box, line.hand, line.player, line.wager, show(line.stake))


# ---------------------------------------------------------------------- what is granted


def _is_asked_about(step: ReplayStep) -> bool:
    """Somebody asks for something that is refused, or gives an order: what becomes of it is worth a question."""
    command = step.command
    if command is None or isinstance(command, cmd.Proceed | cmd.Deal | cmd.NextRound | od.Misdeal | od.ReferDispute):
        return False
    return step.refusal is not None or isinstance(command, cmd.Order)


def _ask_granted(drill: DrillRound, number: int, step: ReplayStep, told: list[str], title: str) -> PreparedDrill:
    command = step.command
    assert command is not None
    right = GRANTED if step.refusal is None else REFUSED
    refusal = step.refusal
    if refusal is None:
        said = tuple(tell_table(step.before, step.events))
        clauses = said[0].clauses if said else ()
    else:
        said = (SaidLine(f"{refusal.reason[:1].upper()}{write_signs(refusal.reason[1:])}.", refusal.clauses),)
        clauses = refusal.clauses
    asked = _ask_words(step.before, command)
    question = _make_question(
        drill, number, "granted", f"{asked} Is this granted?", told, step.before, choices=(GRANTED, REFUSED)
    )
    answer = MarkedAnswer(about=asked.rstrip("."), given="", right=right, correct=False, clauses=clauses)
    return PreparedDrill(question, (answer,), title, said)


def _ask_words(state: State, command: cmd.Command) -> str:
    """What is asked, without the clause under which it is asked."""
    if isinstance(command, cmd.PlaceBet):
        bet = Bet(command.box, command.player, command.amount, command.wager, command.seated)
        said = bet_words(state, bet)
        return f"{said[:1].upper()}{said[1:]}."
    if isinstance(command, cmd.Order):
        return f"The {command.role.replace('-', ' ')} orders: {_order_words(command)}."
    box, _, what = words(command).partition(" ")
    return f"Box {box} asks: {what or box}."


def _order_words(order: cmd.Order) -> str:
    """What an order says, and what is named in it; not by which clause."""
    says = " ".join((type(order).__doc__ or "").split())
    head = re.split(r"[:;.]", says, maxsplit=1)[0]
    named = []
    for name in order.__struct_fields__:
        value = getattr(order, name)
        if name in SAID_OTHERWISE or value is None or value is False or value in ("", (), 0):
            continue
        text = " ".join(value) if isinstance(value, tuple) else show(value) if isinstance(value, Money) else str(value)
        named.append(name if value is True else f"{name} {text}")
    details = f" ({', '.join(named)})" if named else ""
    because = f", because {order.reason}" if order.reason else ""
    told = f"; told beforehand: {and_words(list(order.told))}" if order.told else ""
    return f"{head[:1].lower()}{head[1:]}{details}{because}{told}"


SAID_OTHERWISE = frozenset({"role", "person", "reason", "told", "clause", "minute"})


def _make_question(
    drill: DrillRound, number: int, kind: DrillKind, ask: str, told: list[str], state: State, *,
    wagers: tuple[PayLine, ...] = (), choices: tuple[str, ...] = (),
) -> TopicQuestion:  # fmt: skip
    shown = replace(state, settlements=())
    live = LiveTable(name="drill", kind=TableKind.PRACTICE, clocks=Clocks(), table=shown)
    return TopicQuestion(
        id=f"{drill.id}/{number + 1}", topic=drill.topic, game=state.rules.game,
        game_name=table_words(state.rules), kind=kind,
        ask=ask, told=tuple(told), wagers=wagers, choices=choices, public=describe_public(live),
    )  # fmt: skip


def list_topics(rounds: tuple[DrillRound, ...]) -> Iterator[tuple[str, tuple[DrillRound, ...]]]:
    """The topics in their order, with their rounds."""
    for topic in dict.fromkeys(drill.topic for drill in rounds):
        yield topic, tuple([drill for drill in rounds if drill.topic == topic])
