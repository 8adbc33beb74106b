"""Real server processes on one PostgreSQL: started, killed, stopped and continued, with robots that play through all.

Nothing here sleeps for a fixed time: what is waited for is a line that a process says, or something that a client sees.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pitboss.server.client import Client, ClientError, call
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.serving import read_address
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import load_key

TABLES = (("a", "perth/blackjack"), ("b", "star/blackjack"), ("c", "melbourne/free-bet"), ("d", "perth/blackjack"))
POLL_S = 0.02
LONGEST_S = 240


class Process:
    """A server process, and what it says line by line."""

    def __init__(self, database: str, key: Path, tables: tuple[tuple[str, str], ...] = TABLES) -> None:
        command = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())", "serve", "--quick"]
        command += ["--port", "0", "--database", database, "--key", str(key)]
        for name, game in tables:
            command += ["--table", f"{name}={game}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        self.address = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._news = threading.Condition()
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._news:
                self.said.append(line.rstrip())
                self._news.notify_all()
        with self._news:
            self.said.append("")
            self._news.notify_all()

    def hear(self, wanted: str) -> str:
        """The first line with these words; waits until it is said."""
        with self._news:
            self._news.wait_for(lambda: any(wanted in line or not line for line in self.said), LONGEST_S)
            for line in self.said:
                if wanted in line:
                    return line
        raise AssertionError(f"the process never said '{wanted}' but {self.said}")

    def open(self) -> str:
        """Its address, once it is open."""
        self.address = self.hear("is open at").split()[-1]
        return self.address

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()


async def wait_until(check: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(LONGEST_S):
        while not await check():
            await asyncio.sleep(POLL_S)


async def read_status(address: str) -> dict[str, Any]:
    """What a process says about the floor."""
    status: dict[str, Any] = (await call(address, "GET", "/api/status"))[0]
    return status


async def count_served(address: str) -> list[int]:
    """How many tables each live process serves, as one of them sees it."""
    try:
        status = await read_status(address)
    except (ClientError, OSError):
        return []
    return sorted(len(process["tables"]) for process in status["processes"] if process["alive"])


class Party:
    """Robots at all tables, each connected to some process of the floor."""

    def __init__(self, addresses: list[str]) -> None:
        self.addresses = addresses
        self.robots: list[TableRobot] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def sit_down(self, count: int, tables: tuple[tuple[str, str], ...] = TABLES) -> None:
        for number in range(count):
            turn = number % len(self.addresses)
            others = [*self.addresses[turn + 1 :], *self.addresses[:turn]]
            client = await Client.enter(self.addresses[turn], f"player-{number}", others=others)
            table = await client.watch(tables[number // len(self.addresses) % len(tables)][0])
            robot = TableRobot(table, str(number // len(tables) + 1), seed=number)
            await robot.sit_down("800")
            self.robots.append(robot)
            self.tasks.append(asyncio.create_task(robot.play(10**9)))

    async def go_on(self, commands: int = 3) -> None:
        """Wait until every robot has been acknowledged so many commands more."""
        before = [len(robot.history) for robot in self.robots]

        async def moved() -> bool:
            for task in self.tasks:
                if task.done():
                    await task
            return all(
                len(robot.history) >= old + commands for robot, old in zip(self.robots, before, strict=True)
            )  # fmt: skip

        try:
            await wait_until(moved)
        except TimeoutError:
            raise AssertionError(f"these robots stand still: {self._list_still(before, commands)}") from None

    def _list_still(self, before: list[int], commands: int) -> list[tuple[str, str, Any, Any]]:
        return [
            (robot.table.client.name, robot.table.name, robot.table.private, robot.table.public)
            for robot, old in zip(self.robots, before, strict=True)
            if len(robot.history) < old + commands
        ]

    async def leave(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for robot in self.robots:
            await robot.table.client.close()


def compare(database: str, robots: list[TableRobot]) -> int:
    """Everything that robots were acknowledged is stored once, under its number; how much that is."""
    store = Store(read_address(database))
    try:
        stored: dict[tuple[str, str], int] = {}
        for stream in store.list_streams():
            for row in store.read_log(stream):
                if row.command_id is not None:
                    assert (stream, row.command_id) not in stored, f"{row.command_id} was done twice"
                    stored[stream, row.command_id] = row.seq
    finally:
        store.close()
    acknowledged = 0
    for robot in robots:
        for command_id, seq in robot.history.items():
            acknowledged += 1
            found = stored.get((robot.table.name, f"{robot.table.client.name}:{command_id}"))
            assert found == seq, f"{command_id} was acknowledged as {seq} and is stored as {found}"
    return acknowledged


def audit(database: str, key: Path) -> None:
    """The floor is in order."""
    assert audit_floor(read_address(database), load_key(key, make=False)).found == []
