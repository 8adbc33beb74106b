"""The full-screen table in a test, by Textual's pilot: run it at a size, press keys, read what is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.pilot import Pilot
from tui_tools import sit_down

from pitboss.tui.felt.widgets import Picture
from pitboss.tui.screens.app import PlayApp
from pitboss.tui.screens.lobby import OfferedTable
from pitboss.tui.screens.modals import ModalSheet
from pitboss.tui.screens.table_screen import TableScreen
from pitboss.tui.session.live_session import LiveSession

Play = Callable[[Pilot[None]], Awaitable[None]]


def app_for(table: LiveSession | None, **settings: Any) -> PlayApp:
    def open_table(chosen: OfferedTable) -> LiveSession:
        decks = {} if chosen.decks is None else {"decks": chosen.decks}
        return sit_down(chosen.game, robots=chosen.robots, sides=chosen.side_wagers, **decks)

    edge_of, side_edge_of = settings.pop("edge_of", lambda rules: 0.005), lambda rules, wager: 0.05
    return PlayApp(table, open_table, edge_of, settings.pop("side_edge_of", side_edge_of), pace=0, **settings)


def run(table: LiveSession | None, play: Play, size: tuple[int, int] = (80, 24), **settings: Any) -> PlayApp:
    """Run the application at a size and play."""
    app = app_for(table, **settings)

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await play(pilot)

    asyncio.run(main())
    return app


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything that was begun is done: messages on the screen, thoughts in the background."""
    await pilot._wait_for_screen()
    while any(not worker.is_finished for worker in pilot.app.workers):
        await pilot.app.workers.wait_for_complete()
        await pilot._wait_for_screen()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


def screen_of(pilot: Pilot[None]) -> TableScreen:
    screen = pilot.app.screen
    assert isinstance(screen, TableScreen), screen
    return screen


def sheet_text(pilot: Pilot[None]) -> str:
    screen = pilot.app.screen
    assert isinstance(screen, ModalSheet), screen
    return screen.query_one(Picture).canvas.text()


def table_text(pilot: Pilot[None], part: str) -> str:
    return screen_of(pilot).query_one(f"#{part}", Picture).canvas.text()
