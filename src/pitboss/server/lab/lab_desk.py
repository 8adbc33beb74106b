"""The lab's desk: takes questions for the processes that answer, keeps answers, and refuses when too many wait.

Short questions, all that is to be said of a game, and long work have a process each, so that a board answers while a
simulation runs. None touches a table: what is asked is about cards that somebody has set, and nothing here can read
one.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.formats.wording import percent
from pitboss.odds.what_if.table_choice import TableChoice
from pitboss.report.lab.lab_answers import (
    ComparedRow,
    FigurePair,
    RuleStep,
    RuleWorthRow,
    ShownNumber,
    SimulationShown,
)
from pitboss.server.lab.lab_questions import (
    AskEdge,
    AskFigures,
    AskSteps,
    AskWorth,
    LabQuestion,
    LabRefusal,
    PlaySome,
    SimulationWish,
)
from pitboss.server.question_worker import QuestionWorker

WORKER = (sys.executable, "-m", "pitboss.server.lab.lab_worker")
QUICK_NICENESS, SLOW_NICENESS = "10", "19"
"""Tables come before short questions, and those before long work."""
QUICK_PATIENCE_S, SLOW_PATIENCE_S = 180.0, 900.0
"""How long an answer is waited for; the very first one on a machine compiles what it needs."""
MOST_WAITING = 24
"""Questions that may be out at the same time."""
KEPT_ANSWERS = 500
MOST_WORKS = 6
"""Long works that may go on at the same time; they take turns."""
KEPT_WORKS = 60
MOST_ROUNDS = 50_000_000
BLOCKS_AT_ONCE = 4
MOST_GAMES = 40


class LabBusy(PitbossError):
    """Too much is asked at the same time."""


class LabDeclined(PitbossError):
    """A question that has no answer, and why."""


class LabWork(msgspec.Struct, kw_only=True):
    """Something that takes a while: what it is, how far it has come, and what has been found."""

    id: str
    kind: str
    """`rules`, `games` or `simulation`."""
    state: str = "running"
    """`running`, `done`, `stopped` or `failed`."""
    done: int = 0
    of: int = 0
    reason: str = ""
    """Why it failed."""
    base: ShownNumber | None = None
    """The house edge of the rules as they are, for `rules`."""
    rules: list[RuleWorthRow] = []
    games: list[ComparedRow] = []
    simulation: SimulationShown | None = None


class _Answers:
    """A process, and what waits for it."""

    def __init__(self, command: tuple[str, ...], most: int, patience_s: float) -> None:
        self.command = command
        self.patience_s = patience_s
        self.worker = QuestionWorker(command)
        self.threads = ThreadPoolExecutor(most, "pitboss-lab")
        self.numbers = itertools.count()

    async def ask(self, question: LabQuestion) -> Any:
        if self.worker.gone:
            self.worker = QuestionWorker(self.command)
        worker, number = self.worker, next(self.numbers)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self.threads, lambda: worker.ask(number, question, seconds=self.patience_s)
            )
        finally:
            worker.forget(number)

    def close(self) -> None:
        self.worker.close()
        self.threads.shutdown(wait=False, cancel_futures=True)


class LabDesk:
    """Answers what the lab is asked."""

    def __init__(self) -> None:
        self._quick = _Answers((*WORKER, QUICK_NICENESS), MOST_WAITING, QUICK_PATIENCE_S)
        self._full = _Answers((*WORKER, SLOW_NICENESS), MOST_WAITING, SLOW_PATIENCE_S)
        self._slow = _Answers((*WORKER, SLOW_NICENESS), MOST_WORKS, SLOW_PATIENCE_S)
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._asked: dict[Hashable, asyncio.Task[Any]] = {}
        self._works: OrderedDict[str, LabWork] = OrderedDict()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    # ------------------------------------------------------------------ short questions

    async def ask(self, question: LabQuestion) -> Any:
        """The answer; the same question is worked out once, however many ask it."""
        key = _name(question)
        if key in self._known:
            self._known.move_to_end(key)
            return _check(self._known[key])
        if key not in self._asked:
            if len(self._asked) >= MOST_WAITING:
                raise LabBusy("the lab is busy: ask again in a moment")
            self._asked[key] = asyncio.create_task(self._work_out(key, question))
        return _check(await asyncio.shield(self._asked[key]))

    async def ask_worth(self, choice: TableChoice, seen: str, *, first: bool) -> Any:
        """What a game is worth: all of it where it is known, what is soon known where that is enough.

        All of it takes longer than a board may wait, so that another process finds it.
        """
        whole = AskWorth(choice, seen)
        if first and _name(whole) not in self._known:
            return await self.ask(AskWorth(choice, seen, first=True))
        return await self.ask(whole)

    async def _work_out(self, key: Hashable, question: LabQuestion) -> Any:
        takes_long = isinstance(question, AskWorth) and not question.first
        try:
            found = await (self._full if takes_long else self._quick).ask(question)
        finally:
            self._asked.pop(key, None)
        if found is not None:
            self._known[key] = found
            while len(self._known) > KEPT_ANSWERS:
                self._known.popitem(last=False)
        return found

    # ------------------------------------------------------------------ long works

    def begin_rules(self, choice: TableChoice, *, beyond: bool) -> LabWork:
        """What each rule of a game is worth."""
        return self._begin("rules", lambda work: self._price_rules(work, choice, beyond))

    def begin_games(self, choices: list[TableChoice]) -> LabWork:
        """Games compared."""
        if len(choices) > MOST_GAMES:
            raise LabDeclined(f"at most {MOST_GAMES} games are compared at once, not {len(choices)}")
        return self._begin("games", lambda work: self._price_games(work, choices))

    def begin_simulation(self, choice: TableChoice, wish: SimulationWish) -> LabWork:
        """Rounds played."""
        if not 1 <= wish.rounds <= MOST_ROUNDS:
            raise LabDeclined(f"the lab plays from 1 to {MOST_ROUNDS:,} rounds, not {wish.rounds:,}")
        if wish.strategy not in STRATEGIES:
            raise LabDeclined(f"the lab plays by {', '.join(STRATEGIES)}, not by '{wish.strategy[:40]}'")
        return self._begin("simulation", lambda work: self._simulate(work, choice, wish))

    def find_work(self, number: str) -> LabWork | None:
        """A work by its number, while it is remembered."""
        return self._works.get(number)

    def stop_work(self, number: str) -> LabWork | None:
        """Let a work be; what has been found stays."""
        work = self._works.get(number)
        if work is not None and work.state == "running":
            work.state = "stopped"
        return work

    def _begin(self, kind: str, steps: Callable[[LabWork], AsyncIterator[None]]) -> LabWork:
        running = sum(work.state == "running" for work in self._works.values())
        if running >= MOST_WORKS:
            raise LabBusy(f"{running} long works are going on already: wait until one is over, or stop one")
        work = LabWork(id=secrets.token_hex(8), kind=kind)
        self._works[work.id] = work
        while len(self._works) > KEPT_WORKS:
            old = next(iter(self._works))
            self.stop_work(old)
            del self._works[old]
        self._tasks[work.id] = asyncio.create_task(self._carry_on(work, steps(work)))
        return work

    async def _carry_on(self, work: LabWork, steps: AsyncIterator[None]) -> None:
        """One step after the other until all is done or somebody says stop."""
        try:
            async for _ in steps:
                if work.state != "running":
                    return
            work.state = "done"
        except PitbossError as error:
            work.state, work.reason = "failed", str(error)
        finally:
            self._tasks.pop(work.id, None)

    async def ask_slowly(self, question: LabQuestion) -> Any:
        """The answer of the process for long work, when its turn comes."""
        return _check(await self._slow.ask(question))

    async def _price_rules(self, work: LabWork, choice: TableChoice, beyond: bool) -> AsyncIterator[None]:
        steps: list[tuple[RuleStep, TableChoice]] = await self.ask_slowly(AskSteps(choice, beyond))
        base: float = await self.ask_slowly(AskEdge(choice))
        work.base, work.of = _per_cent(base), len(steps)
        yield
        for step, changed in steps:
            found: float = await self.ask_slowly(AskEdge(changed))
            row = RuleWorthRow(
                step.kind, step.rule, step.before, step.after, _per_cent(found),
                _per_cent(found - base, sign=True), list(step.clauses), step.text,
            )  # fmt: skip
            work.rules = sorted([*work.rules, row], key=lambda item: item.difference.value)
            work.done += 1
            yield

    async def _price_games(self, work: LabWork, choices: list[TableChoice]) -> AsyncIterator[None]:
        work.of = len(choices)
        for choice in choices:
            found: FigurePair = await self.ask_slowly(AskFigures(choice))
            row = ComparedRow(
                found.game, found.name, _per_cent(found.edge), _per_cent(found.by_chart),
                ShownNumber(f"{found.deviation:.4f}", found.deviation), found.cards,
            )  # fmt: skip
            work.games = sorted([*work.games, row], key=lambda item: (item.edge.value, item.game))
            work.done += 1
            yield

    async def _simulate(self, work: LabWork, choice: TableChoice, wish: SimulationWish) -> AsyncIterator[None]:
        work.of = wish.rounds
        while work.done < wish.rounds:
            shown = await self.ask_slowly(PlaySome(work.id, choice, wish, BLOCKS_AT_ONCE))
            work.simulation, work.done = shown, int(shown.rounds.value)
            yield

    def close(self) -> None:
        """End the processes; whoever waits is told that there is no answer."""
        for task in self._tasks.values():
            task.cancel()
        for answers in (self._quick, self._full, self._slow):
            answers.close()


STRATEGIES = ("chart", "optimum", "mimic-the-dealer", "never-bust")
"""Ways to play that need no file."""


def _name(question: LabQuestion) -> Hashable:
    """What an answer is remembered by."""
    return msgspec.json.encode((type(question).__name__, question))


def _check(found: Any) -> Any:
    """The answer, unless there is none."""
    if found is None:
        raise LabBusy("the lab did not answer in time: ask again")
    if isinstance(found, LabRefusal):
        raise LabDeclined(found.reason)
    return found


def _per_cent(number: float, *, sign: bool = False) -> ShownNumber:
    return ShownNumber(percent(number, 4, sign=sign), number)
