"""Lessons: round records of the project's own tests, told step by step with the table as it lies after each step."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pitboss.cards import add_up
from pitboss.money import show
from pitboss.records import Replay, read, replay
from pitboss.records.narrate.explanation import money_words, step_words, table_words
from pitboss.records.narrate.settlements import hand_words, total_words
from pitboss.records.narrate.table_events import Around, tell_one
from pitboss.records.replay import PlayedRound
from pitboss.report.library.library_answers import (
    LessonBox,
    LessonHand,
    LessonLine,
    LessonPage,
    LessonStep,
    ToldLine,
)
from pitboss.rulebooks import find_game
from pitboss.table.evolve import evolve
from pitboss.table.messages.notation import words
from pitboss.table.state import Box, HandStatus, State


class KeptLesson(msgspec.Struct, frozen=True):
    """A lesson as it is kept."""

    id: str
    path: str
    """Where the record lies among the tests."""
    title: str
    topic: str
    game: str
    text: str


def show_lesson(lesson: KeptLesson) -> LessonPage:
    """A lesson, step by step."""
    played = replay(read(lesson.text, lesson.id))
    steps = [step for one in played.rounds for step in _list_steps(one)]
    rules = played.rounds[0].state.rules
    return LessonPage(
        line=describe_lesson(lesson, played),
        book=rules.book,
        table=table_words(rules),
        steps=steps,
        summary=[money_words(one) for one in played.rounds],
        record=lesson.text,
    )


def describe_lesson(lesson: KeptLesson, played: Replay | None = None) -> LessonLine:
    """A lesson in the list, with the clauses that its record says it is about."""
    cites = played.record.cites if played is not None else read(lesson.text, lesson.id).cites
    _, game = find_game(lesson.game)
    return LessonLine(lesson.id, lesson.title, lesson.topic, lesson.game, game.name, list(cites))


def _list_steps(played: PlayedRound) -> Iterator[LessonStep]:
    """A step for everything that is told: what was asked stands at the first one that came of it."""
    for step in played.steps:
        asked = "" if step.command is None else words(step.command)
        if step.refusal is not None:
            told = [ToldLine(f"{said.sentence}.", list(said.clauses)) for said in step_words(step)]
            if told:
                yield _show_step(asked, True, told, step.after)
            continue
        state = step.before
        for event in step.events:
            after = evolve(state, event)
            told = [ToldLine(f"{said.sentence}.", list(said.clauses)) for said in tell_one(Around(state, after), event)]
            state = after
            if told:
                yield _show_step(asked, False, told, after)
                asked = ""


def _show_step(asked: str, refused: bool, told: list[ToldLine], state: State) -> LessonStep:
    boxes = [_lay_box(box) for box in state.boxes] or list(_lay_bets(state))
    return LessonStep(asked, refused, told, boxes, list(state.dealer), _say_dealer(state))


def _lay_bets(state: State) -> Iterator[LessonBox]:
    """The wagers before the deal."""
    for number in dict.fromkeys(bet.box for bet in state.bets):
        bets = [bet for bet in state.bets if bet.box == number]
        stakes = ", ".join(f"{bet.player} {show(bet.amount)}" for bet in bets)
        yield LessonBox(number, list(dict.fromkeys(bet.player for bet in bets)), stakes, [])


def _lay_box(box: Box) -> LessonBox:
    stakes = ", ".join(f"{bettor.player} {show(bettor.placed)}" for bettor in box.bettors)
    hands = [
        LessonHand(list(hand.cards), hand_words(hand), "" if hand.status is HandStatus.OPEN else hand.status.value)
        for hand in box.hands
    ]
    return LessonBox(box.number, [bettor.player for bettor in box.bettors], stakes, hands)


def _say_dealer(state: State) -> str:
    return total_words(*add_up(state.dealer)) if state.dealer else ""
