"""Where a clause was last used at this floor: an index of the last rounds of every table, filled when somebody asks.

A round's clauses are found by playing its record once more, which the lab's process does. Rounds are looked at once;
of every clause the last few rounds are remembered.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Sequence

from pitboss.errors import PitbossError
from pitboss.report.library.library_answers import ClauseUse, ClauseUses
from pitboss.rulebooks import find_game
from pitboss.server.lab.lab_desk import LabDesk
from pitboss.server.lab.lab_questions import AskCited
from pitboss.server.storage.rows import RoundRow

ROUNDS_BACK = 60
"""So many rounds of every table are looked at, the last ones."""
AT_ONCE = 20
KEPT_USES = 8
WAIT_S = 2.0
"""How long somebody waits for rounds that have not been looked at; the rest is told as pending."""

ReadRounds = Callable[[str, int], list[RoundRow]]
"""The last rounds of a table, so many at most."""


class UsedClauses:
    """Rounds by the clauses that decided them."""

    def __init__(self, lab: LabDesk, read_rounds: ReadRounds) -> None:
        self._lab, self._read_rounds = lab, read_rounds
        self._uses: dict[tuple[str, str], list[ClauseUse]] = {}
        self._seen: dict[str, int] = {}
        self._searched: Counter[str] = Counter()
        self._pending: Counter[str] = Counter()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def find_uses(self, book: str, clause: str, tables: Sequence[tuple[str, str]]) -> ClauseUses:
        """The last rounds that a clause of a book decided, at tables given with their games."""
        task = self._tasks.get(book)
        if task is None or task.done():
            own = [name for name, game in tables if _book_of(game) == book]
            task = self._tasks[book] = asyncio.create_task(self._look_at(book, own))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(task), WAIT_S)
        found = self._uses.get((book, clause), [])
        return ClauseUses(list(reversed(found)), self._searched[book], self._pending[book])

    async def _look_at(self, book: str, tables: Sequence[str]) -> None:
        """Play what is new once more, a few rounds at a time."""
        new: list[RoundRow] = []
        for table in tables:
            rows = await asyncio.to_thread(self._read_rounds, table, ROUNDS_BACK)
            new += sorted((row for row in rows if row.number > self._seen.get(table, 0)), key=lambda row: row.number)
        self._pending[book] = len(new)
        try:
            for first in range(0, len(new), AT_ONCE):
                some = new[first : first + AT_ONCE]
                cited = await self._lab.ask_slowly(AskCited(tuple(row.record for row in some)))
                for row, clauses in zip(some, cited, strict=True):
                    self._note(book, row, clauses)
                self._pending[book] -= len(some)
        except PitbossError:
            self._pending[book] = 0

    def _note(self, book: str, row: RoundRow, clauses: Sequence[str]) -> None:
        self._seen[row.stream] = max(row.number, self._seen.get(row.stream, 0))
        self._searched[book] += 1
        use = ClauseUse(row.stream, row.number)
        for clause in clauses:
            kept = self._uses.setdefault((book, clause), [])
            if use not in kept:
                kept.append(use)
                del kept[:-KEPT_USES]


def _book_of(game: str) -> str:
    try:
        return find_game(game)[0].id
    except PitbossError:
        return ""
