"""What tests of pages share: a browser, a floor beside it, and people who open pages there.

A test that opens pages gets `visitors` and a floor: `quick_floor` has all games and no pauses, and `make_floor` opens
another. Every test fails when a page had an error, or did something that the Content-Security-Policy refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from browser_floor import ThreadedFloor, Visitors, open_browser, why_no_browser
from playwright.sync_api import Browser

from pitboss.floor.live_table import Clocks
from pitboss.server.serving import TableWish

UNHURRIED = Clocks(betting_ms=600_000, decision_ms=600_000, offers_ms=600_000, pause_ms=0)
"""Nobody's time runs out while a test looks at a page, and no pause is made."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One for a module: while it is open, no other loop can run in this thread."""
    reason = why_no_browser()
    if reason:
        pytest.skip(reason)
    with open_browser() as browser:
        yield browser


@pytest.fixture
def visitors(chromium: Browser) -> Iterator[Visitors]:
    people = Visitors(chromium)
    yield people
    people.close()
    assert not people.list_wrong()


MakeFloor = Callable[..., ThreadedFloor]


@pytest.fixture(scope="module")
def make_floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeFloor]:
    """Open a floor for the tests of a module: `make_floor(TableWish(...), ...)`; options go to `open_floor`."""
    with ExitStack() as stack:

        def make(*tables: TableWish, **options: Any) -> ThreadedFloor:
            folder: Path = tmp_path_factory.mktemp("floor")
            options = {"clocks": UNHURRIED, "tables": tables or None, **options}
            return stack.enter_context(ThreadedFloor(folder, **options))

        yield make


@pytest.fixture(scope="module")
def quick_floor(make_floor: MakeFloor) -> ThreadedFloor:
    """A floor with a table of each game."""
    return make_floor()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
