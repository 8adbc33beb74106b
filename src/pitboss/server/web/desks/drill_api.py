"""Drills over HTTP: topics with one's progress, the next question, and answers marked by a replay.

A question is sent without its answer; how far somebody has come is kept with their name.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import importlib.resources
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss.floor.desks.drill_questions import (
    DrillRound,
    MarkedDrill,
    PreparedDrill,
    TopicQuestion,
    list_topics,
    mark_drill,
    prepare_drills,
)
from pitboss.server.storage.lookups import DrillProgress
from pitboss.server.web.services import REFUSALS, find_services, find_visitor, limit_rate

ANSWERS_PER_MINUTE = 120
MOST_TURNS = 2**31


class DrillTopic(msgspec.Struct):
    """A topic, and how far whoever asks has come with it."""

    topic: str
    questions: int
    asked: int
    correct: int
    in_a_row: int


class DrillAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody answers to a question, line by line."""

    question: str
    answers: list[str]


class DrillVerdict(msgspec.Struct):
    """A marked question, and the progress with it."""

    marked: MarkedDrill
    progress: DrillTopic


@functools.cache
def load_drills() -> dict[str, tuple[DrillRound, ...]]:
    """The rounds that questions are asked about, by topic."""
    text = importlib.resources.files("pitboss.server.web.desks").joinpath("drill_rounds.json").read_bytes()
    return dict(list_topics(msgspec.json.decode(text, type=tuple[DrillRound, ...])))


def count_questions(topic: str) -> int:
    """How many questions a topic has."""
    return sum(drill.questions for drill in load_drills()[topic])


@functools.lru_cache(64)
def prepare_round(drill: DrillRound) -> tuple[PreparedDrill, ...]:
    """The questions about a round, with their answers: it is played when somebody is asked about it, not before."""
    return prepare_drills(drill)


def prepare_question(topic: str, number: int) -> PreparedDrill:
    """A question of a topic by its number, from 0."""
    numbered = [(drill, place) for drill in load_drills()[topic] for place in range(drill.questions)]
    drill, place = numbered[number]
    return prepare_round(drill)[place]


def _check_topic(topic: str) -> None:
    if topic not in load_drills():
        raise HTTPException(f"there are drills about {', '.join(load_drills())}", status_code=404)


@get("/api/drills", summary="Topics of drills, and how far I have come", responses=REFUSALS)
async def list_drill_topics(request: Request[Any, Any, Any]) -> list[DrillTopic]:
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    rows = await asyncio.to_thread(services.store.list_progress, visitor.name)
    known = {row.topic: row for row in rows}
    return [_describe_topic(topic, count_questions(topic), known.get(topic)) for topic in load_drills()]


def _describe_topic(topic: str, count: int, row: DrillProgress | None) -> DrillTopic:
    return DrillTopic(topic, count, row.asked, row.correct, row.in_a_row) if row else DrillTopic(topic, count, 0, 0, 0)


@get("/api/drills/{topic:str}", summary="A question of a topic", responses=REFUSALS)
async def ask_drill(
    topic: FromPath[str], request: Request[Any, Any, Any],
    turn: Annotated[int, QueryParameter(ge=0, le=MOST_TURNS)] = 0,
) -> TopicQuestion:  # fmt: skip
    """Everybody has another order of the questions; `turn` says which of them."""
    visitor = await find_visitor(request)
    _check_topic(topic)
    numbers = range(count_questions(topic))
    order = sorted(numbers, key=lambda n: hashlib.sha256(f"{visitor.name}/{topic}/{n}".encode()).digest())
    return (await asyncio.to_thread(prepare_question, topic, order[turn % len(order)])).question


@post("/api/drills/answers", summary="Answer a question", status_code=200, responses=REFUSALS)
async def answer_drill(data: JSONBody[DrillAnswer], request: Request[Any, Any, Any]) -> DrillVerdict:
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    limit_rate(services, f"drill {visitor.name}", ANSWERS_PER_MINUTE)
    found = await asyncio.to_thread(_find_prepared, data.question)
    if found is None:
        raise HTTPException("there is no such question", status_code=404)
    topic = found.question.topic
    marked = mark_drill(found, tuple(data.answers))
    row = await asyncio.to_thread(
        services.store.note_drill, visitor.name, topic, marked.correct, services.desk.clock()
    )  # fmt: skip
    return DrillVerdict(marked, _describe_topic(topic, count_questions(topic), row))


def _find_prepared(question: str) -> PreparedDrill | None:
    name = question.rpartition("/")[0]
    about = next((drill for drills in load_drills().values() for drill in drills if drill.id == name), None)
    return next((item for item in prepare_round(about) if item.question.id == question), None) if about else None


DRILL_HANDLERS: tuple[Any, ...] = (list_drill_topics, ask_drill, answer_drill)
