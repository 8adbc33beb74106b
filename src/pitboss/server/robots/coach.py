"""Exact advice, worked out in a process of its own so that no table waits for it."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from pitboss.cards import Card
from pitboss.floor.practice import AdviceQuestion
from pitboss.odds.advice.advise import Advice, advise
from pitboss.odds.advice.observed import SeenTable
from pitboss.server.question_worker import QuestionWorker, serve_questions

PATIENCE_S = 60.0
"""How long an answer is waited for; the first one of a process takes longest."""
AT_ONCE = 8
"""Questions that may be out at the same time."""


class LayoutQuestion(NamedTuple):
    """What a robot asks: about what it sees, and the cards that it does not."""

    seen: SeenTable
    left: Mapping[Card, int]
    box: str


def answer_question(question: AdviceQuestion | LayoutQuestion) -> Advice:
    """What every action is worth; runs in the process."""
    if isinstance(question, LayoutQuestion):
        return advise(question.seen, question.left, question.box)
    return advise(question.seen, question.left, question.box, rules=question.rules)


class Coach:
    """Answers what a decision is worth."""

    def __init__(self) -> None:
        self._worker = QuestionWorker((sys.executable, "-m", __name__))
        self._threads = ThreadPoolExecutor(AT_ONCE, "pitboss-advice")
        self._numbers = itertools.count()
        self._open = 0

    @property
    def is_busy(self) -> bool:
        """As many questions are out as may be."""
        return self._open >= AT_ONCE

    async def advise(self, question: AdviceQuestion | LayoutQuestion) -> Advice | None:
        """The answer; none if nobody can say, or not in time."""
        number = next(self._numbers)
        self._open += 1
        try:
            loop = asyncio.get_running_loop()
            found: Advice | None = await loop.run_in_executor(
                self._threads, lambda: self._worker.ask(number, question, seconds=PATIENCE_S)
            )
        finally:
            self._open -= 1
            self._worker.forget(number)
        return found

    def close(self) -> None:
        """End the process; whoever waits is told that nobody can say."""
        self._worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


if __name__ == "__main__":
    serve_questions(answer_question)
