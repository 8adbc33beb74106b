"""Exact advice, worked out in a process of its own so that no table waits for it."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from pitboss.cards import Card
from pitboss.floor.practice import AdviceQuestion
from pitboss.odds.advice.advise import Advice, advise
from pitboss.odds.advice.observed import SeenTable
from pitboss.odds.table_worth import table_worth
from pitboss.rulebooks.model.rules import Rules
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


class WorthQuestion(NamedTuple):
    """What the lobby asks: the house edge on the main wager of a table."""

    rules: Rules


def answer_question(question: AdviceQuestion | LayoutQuestion) -> Advice:
    """What every action is worth."""
    if isinstance(question, LayoutQuestion):
        return advise(question.seen, question.left, question.box)
    return advise(question.seen, question.left, question.box, rules=question.rules, counted=True)


def answer_any(question: AdviceQuestion | LayoutQuestion | WorthQuestion) -> Advice | float:
    """The answer to whatever the process is asked."""
    if isinstance(question, WorthQuestion):
        return table_worth(question.rules).edges["main"]
    return answer_question(question)


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
        found: Advice | None = await self._ask(question)
        return found

    async def find_edge(self, rules: Rules) -> float | None:
        """The house edge on the main wager with best play; none if nobody can say, or not in time."""
        found: float | None = await self._ask(WorthQuestion(rules))
        return found

    async def _ask(self, question: AdviceQuestion | LayoutQuestion | WorthQuestion) -> Any:
        number = next(self._numbers)
        self._open += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self._threads, lambda: self._worker.ask(number, question, seconds=PATIENCE_S)
            )
        finally:
            self._open -= 1
            self._worker.forget(number)

    def close(self) -> None:
        """End the process; whoever waits is told that nobody can say."""
        self._worker.close()
        self._threads.shutdown(wait=False, cancel_futures=True)


if __name__ == "__main__":
    serve_questions(answer_any)
