"""Load: a served floor and many robots on this machine, clients included; one JSON line about what was acknowledged.

    python bench/load.py [--connections 500] [--tables 100] [--seconds 20] [--database ADDRESS]

The server is a process of its own, with an SQLite database in a temporary folder and `synchronous=FULL`, or with
`--database postgresql` on a PostgreSQL that is started for it. The robots play in this process over the published
protocol. A command counts when its acknowledgement has arrived.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from pitboss.rulebooks import games
from pitboss.server.client import Client, call
from pitboss.server.robots.table_robot import TableRobot

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tools"))

from postgres import Cluster

ARGUMENTS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ARGUMENTS.add_argument("--connections", type=int, default=500)
ARGUMENTS.add_argument("--tables", type=int, default=100)
ARGUMENTS.add_argument("--seconds", type=float, default=20)
ARGUMENTS.add_argument("--database", default="")


def start_server(folder: str, tables: list[tuple[str, str]], database: str) -> tuple[subprocess.Popen[str], str]:
    """A server in a process of its own, and its address."""
    command = [sys.executable, "-c", "from pitboss.cli import main; main()", "serve", "--quick", "--port", "0"]
    command += ["--database", database or f"{folder}/floor.db", "--key", f"{folder}/floor.key"]
    for name, game in tables:
        command += ["--table", f"{name}={game}"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    for line in server.stderr:
        if "is open at" in line:
            return server, line.split()[-1]
    raise SystemExit("the server did not start")


class TimedRobot(TableRobot):
    """A robot that notes how long each acknowledgement took, and when it came."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.taken: list[tuple[float, float]] = []

    async def ask(self, command: dict[str, object]) -> None:
        began, known = time.perf_counter(), len(self.history)
        await super().ask(command)
        if len(self.history) == known + 1:
            now = time.perf_counter()
            self.taken.append((now, now - began))


async def play(address: str, number: int, table: str, box: int, ready: asyncio.Event, robots: list[TimedRobot]) -> None:
    client = await Client.enter(address)
    watched = await client.watch(table, events=False)
    robot = TimedRobot(watched, str(box), seed=number)
    await robot.sit_down("900")
    robots.append(robot)
    await ready.wait()
    await robot.play(10**9)


async def run(options: argparse.Namespace, address: str, tables: list[tuple[str, str]]) -> dict[str, object]:
    ready, robots = asyncio.Event(), []
    tasks = []
    for number in range(options.connections):
        name = tables[number % len(tables)][0]
        box = number // len(tables) + 1
        tasks.append(asyncio.create_task(play(address, number, name, box, ready, robots)))
        if number % 20 == 19:
            while len(robots) <= number - 20:
                await asyncio.sleep(0.01)
    while len(robots) < options.connections:
        await asyncio.sleep(0.05)
        for task in tasks:
            if task.done():
                await task
    gc.collect()
    gc.freeze()
    ready.set()
    await asyncio.sleep(2)
    began = time.perf_counter()
    await asyncio.sleep(options.seconds)
    ended = time.perf_counter()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    counted = sorted(taken for robot in robots for at, taken in robot.taken if began <= at <= ended)
    lost = 0
    for robot in robots:
        last = (await call(address, "GET", f"/api/tables/{robot.table.name}"))[0]["seq"]
        lost += sum(seq > last for seq in robot.history.values())
    status = (await call(address, "GET", "/api/status"))[0]
    return {
        "connections": options.connections,
        "tables": len(tables),
        "acknowledged_per_second": round(len(counted) / (ended - began)),
        "p50_ms": round(counted[len(counted) // 2] * 1000, 1),
        "p99_ms": round(counted[len(counted) * 99 // 100] * 1000, 1),
        "lost": lost,
        "database": status["database"],
        "rounds": status["rounds"],
        "refused": sum(robot.refused for robot in robots),
    }


def main() -> None:
    options = ARGUMENTS.parse_args()
    known = [game for game in games() if not game.endswith("/switch")]
    tables = [(f"load-{number}", known[number % len(known)]) for number in range(options.tables)]
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as after:
        database = options.database
        if database == "postgresql":
            cluster = Cluster()
            after.callback(cluster.stop)
            database = cluster.make_database()
        server, address = start_server(folder, tables, database)
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                print(json.dumps(runner.run(run(options, address, tables))))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
