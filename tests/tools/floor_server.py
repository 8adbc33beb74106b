"""A served floor for tests: on loopback, at a free port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import connect

from pitboss.floor.live_table import Clocks
from pitboss.server.client import AskRefused, Client, WatchedTable, call
from pitboss.server.logbook import Logbook
from pitboss.server.serving import Floor, Settings, TableWish, listen
from pitboss.server.web.bounds import Bounds

PASSWORD, FIRST_PASSWORD = "correct horse battery", "velvet gramophone"
TABLES = (TableWish("t", "perth/blackjack"),)


class Served(msgspec.Struct):
    """A floor, its address, and what it has said."""

    floor: Floor
    address: str
    said: list[str]
    logged: list[str]
    """The lines of its logbook."""

    @property
    def first_token(self) -> str:
        return next(line.split("token=")[1] for line in self.said if "token=" in line)


@contextlib.asynccontextmanager
async def open_floor(
    folder: Path,
    tables: tuple[TableWish, ...] | None = TABLES,
    bounds: Bounds = Bounds(),  # noqa: B008 - frozen
    database: str = "",
    second_factor: bool | None = None,
    robots: int = 0,
    clocks: Clocks = Clocks(pause_ms=0),  # noqa: B008 - frozen
    host: str = "127.0.0.1",
    **more: Any,
) -> AsyncIterator[Served]:
    """Serve a floor for a while."""
    settings = Settings(
        database=database or f"sqlite:///{folder}/floor.db", key=folder / "floor.key", tables=tables, bounds=bounds,
        clocks=clocks, second_factor=second_factor, host=host, robots=robots, robot_pace_s=0.0,
        **more,
    )  # fmt: skip
    said: list[str] = []
    logged: list[str] = []
    listener = listen("127.0.0.1", 0)
    floor = Floor(settings, said.append, Logbook(logged.append))
    task = asyncio.create_task(floor.serve(listener))
    while not said and not task.done():
        await asyncio.sleep(0)
    try:
        scheme = "https" if settings.tls_certificate else "http"
        yield Served(floor, f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", said, logged)
    finally:
        floor.stop()
        await task


@contextlib.asynccontextmanager
async def seat(served: Served, *names: str, table: str = "t") -> AsyncIterator[list[Client]]:
    """Guests who watch a table and have chips there."""
    clients = []
    try:
        for name in names:
            client = await Client.enter(served.address, name)
            clients.append(client)
            watched = await client.watch(table)
            await watched.ask({"type": "buy-in", "amount": "500"})
        yield clients
    finally:
        for client in clients:
            await client.close()


def serve(folder: Path, story: Callable[[Served], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        async with open_floor(folder, **options) as served:
            await asyncio.wait_for(story(served), 600)

    asyncio.run(run())


async def open_socket(served: Served, token: str = "", **headers: str) -> Any:
    address = served.address.replace("http", "ws") + "/ws"
    cookie = {"Cookie": f"pitboss_session={token}"} if token else {}
    return await connect(address, additional_headers={**cookie, **headers}, compression=None, proxy=None)


async def take_office(served: Served) -> Client:
    reception = served.floor.reception
    token = await reception.make_administrator(served.first_token, "root", PASSWORD)
    client = Client(served.address, token, "root")
    await client.open()
    return client


async def hire(root: Client, name: str, *roles: tuple[str, str]) -> Client:
    """Somebody gets an account and roles, chooses a password of their own and comes in."""
    await root.post("/api/people", {"name": name, "password": FIRST_PASSWORD, "reason": "hired"})
    token = (await call(root.address, "POST", "/api/sessions", {"name": name, "password": FIRST_PASSWORD}))[1]
    chosen = {"name": name, "password": PASSWORD, "current": FIRST_PASSWORD}
    await call(root.address, "POST", "/api/password", chosen, token)
    for role, book in roles:
        given = {"type": "give-role", "name": name, "role": role, "book": book, "reason": "hired"}
        await root.ask_floor(given, role="administrator")
    return await Client.enter(root.address, name, PASSWORD)


async def play_to_a_decision(client: Client, name: str) -> WatchedTable:
    """Play at a table, alone, until it has a hand to decide."""
    table = client.tables.get(name) or await client.watch(name)
    if "chips" not in table.private:
        await table.ask({"type": "buy-in", "amount": "500"})
    while True:
        public, actions = table.public, table.private.get("actions", [])
        if public["phase"] == "turns" and any(action["type"] == "stand" for action in actions):
            return table
        if public["phase"] == "betting" and any(action["type"] == "refuse-cut" for action in actions):
            await table.ask({"type": "refuse-cut"})
        elif public["phase"] == "betting" and not public["bets"] and public["shoe"]["stage"] == "open":
            await table.ask({"type": "place-bet", "box": "1", "amount": "10"})
        elif client.name not in public["ready"]:
            try:
                await table.ask({"type": "ready"})
            except AskRefused:
                await table.wait_for_change()
        else:
            await table.wait_for_change()
