"""The pages of competitions: a tournament played to its prizes, a promotion drawn and checked, jackpots on the wall."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import ThreadedFloor
from floor_server import Served, hire, take_office
from playwright.sync_api import Page

from pitboss.floor.live_table import TableKind
from pitboss.server.client import Client, call
from pitboss.server.serving import TableWish

RECORDS = Path(__file__).parents[2] / "records" / "floor"
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
STAFF = (
    ("gil", "gaming-manager", "star"), ("tom", "tournament-manager", "star"), ("olga", "casino-operator", "star"),
    ("sue", "scrutineer", "star"), ("alma", "authority", "star"), ("acm", "assistant-casino-manager", "melbourne"),
    ("mia", "area-manager", "melbourne"),
)  # fmt: skip
TABLES = (TableWish("b1", "star/blackjack"), TableWish("m1", "melbourne/blackjack", TableKind.MACHINE))


class Hall:
    """A floor with the people who run competitions."""

    def __init__(self, floor: ThreadedFloor) -> None:
        self.floor = floor
        self.tokens: dict[str, str] = {}

        async def staff(served: Served) -> None:
            async with await take_office(served) as root:
                for name, role, book in STAFF:
                    person = await hire(root, name, (role, book))
                    self.tokens[name] = person.token
                    await person.close()
                for name in ("ann", "bob", "cat"):
                    token = (await call(served.address, "POST", "/api/guests", {"name": name}))[1]
                    self.tokens[name] = token

        floor.run(staff)

    def ask(self, name: str, kind: str, stream: str, command: dict[str, Any], role: str = "player", book: str = ""):
        """Somebody asks for something without a page."""

        async def do(served: Served) -> int:
            client = Client(served.address, self.tokens[name], name)
            return await client.ask_stream(kind, stream, command, role=role, book=book)

        return self.floor.run(do)

    def pass_time(self, ms: int) -> None:
        async def go(served: Served) -> None:
            served.floor.clock.start_at(served.floor.clock() + ms)
            served.floor.desk.run_clocks()

        self.floor.run(go)

    def now_ms(self) -> int:
        async def read(served: Served) -> int:
            return served.floor.clock()

        return self.floor.run(read)


@pytest.fixture(scope="module")
def hall(make_floor: Callable[..., ThreadedFloor]) -> Hall:
    return Hall(make_floor(*TABLES))


def check_axe(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def write_promotion(now_ms: int) -> str:
    """The terms of a promotion that opens in two days."""
    text = (RECORDS / "promotions" / "autumn.promotion.toml").read_text()
    for line, days in (("opens", 2), ("closes", 3), ("draws", 4)):
        stamp = time.strftime("%Y-%m-%dT%H:00:00", time.gmtime(now_ms / 1000 + days * 86_400))
        old = next(row for row in text.splitlines() if row.startswith(f"{line} ="))
        text = text.replace(old, f"{line} = {stamp}")
    return text
