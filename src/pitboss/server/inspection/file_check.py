"""A server checks its own files: when it starts, once a day, and whenever somebody asks it to.

They must be what they were when the process began, because every round is stored with the digest that they had then.
What is found is on record in the log of the floor, and the inspector is told when something has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.rulebooks import BOOKS, RulebookError, load_book
from pitboss.server.inspection.program_files import digest_files, list_changes, read_program_files
from pitboss.server.live_stream import Answer, Done
from pitboss.table.messages.askers import HOUSE, Asker

DAY_MS = 24 * 60 * 60 * 1000
LOOK_EVERY_S = 60
"""How often it is looked whether a day has passed."""

AskHouse = Callable[[Asker, str, hm.HouseCommand], Awaitable[Answer]]


class FileReport(msgspec.Struct, frozen=True):
    """What a check has found."""

    at_ms: int
    digest: str
    """Of the files as they were when the process began: rounds are stored with it."""
    found: str
    """Of the files as they are."""
    changes: tuple[str, ...]
    """What has changed in between, a line each."""


def digest_rules() -> dict[str, str]:
    """The digest of the rules of every game, as the books on the disk state them now."""
    found: dict[str, str] = {}
    for name in BOOKS:
        try:
            book = load_book.__wrapped__(name)
            found |= {f"{book.namespace}/{game}": book.rules(game).digest for game in book.games}
        except (RulebookError, OSError, UnicodeDecodeError):
            found[f"the book {name}"] = ""
    return found


class FileCheck:
    """Knows the files with which a process began, and compares."""

    def __init__(
        self, ask_house: AskHouse, clock: Callable[[], int],
        read_files: Callable[[], Mapping[str, str]] = read_program_files,
        read_rules: Callable[[], Mapping[str, str]] = digest_rules,
    ) -> None:  # fmt: skip
        self.ask_house = ask_house
        self.clock = clock
        self.read_files = read_files
        self.read_rules = read_rules
        self.files = dict(read_files())
        self.rules: Mapping[str, str] | None = None
        """As they were at the first check."""
        self.digest = digest_files(self.files)
        self.last: FileReport | None = None

    def is_due(self) -> bool:
        """No check was made for a day."""
        return self.last is None or self.clock() - self.last.at_ms >= DAY_MS

    def look(self) -> FileReport:
        """Read all files once more, and compare."""
        files, rules = self.read_files(), self.read_rules()
        known = self.rules = rules if self.rules is None else self.rules
        changes = list_changes(self.files, files)
        for game in sorted({*known, *rules}):
            if known.get(game) != rules.get(game):
                changes.append(f"the rules of {game} are others")
        return FileReport(self.clock(), self.digest, digest_files(files), tuple(changes))

    async def check(self, by: Asker = HOUSE) -> FileReport:
        """Look, and have it on record; what cannot be stored now is looked at again."""
        report = await asyncio.to_thread(self.look)
        command = hm.ReportFiles(digest=report.digest, changes=report.changes)
        answer = await self.ask_house(by, secrets.token_hex(16), command)
        if isinstance(answer, Done):
            self.last = report
        return report

    async def work(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Check every day, by the clock of the floor; what nobody takes on record now is checked again soon."""
        while True:
            if self.is_due():
                with contextlib.suppress(PitbossError):
                    await self.check()
            await sleep(LOOK_EVERY_S)
