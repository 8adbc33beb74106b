"""Kill a served floor again and again while robots play, and compare what they were told with what is stored.

    python tests/tools/crash.py [--kills 30] [--seed 1] [--database ADDRESS]

The server is a real process that is killed with SIGKILL at random moments and started again on the same database. The
robots come back by themselves and ask again what was not answered. At the end everything that was acknowledged is in
the log, once, under its number; and the audit of the floor finds nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pitboss.server.client import Client
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.serving import read_address
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import load_key

TABLES = (("a", "perth/blackjack"), ("b", "star/blackjack"), ("c", "melbourne/free-bet"))
ROBOTS = 9


class CrashFailed(Exception):
    """Something that was acknowledged is not there, or something was stored twice."""


class KilledServer:
    """A server process that is killed and started again on the same port."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database, self.key = database, folder / "floor.key"
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())", "serve", "--quick"]
        command += ["--port", str(self.port), "--database", self.database, "--key", str(self.key)]
        for name, game in TABLES:
            command += ["--table", f"{name}={game}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said = line
            if "is open at" in line:
                break
        else:
            raise CrashFailed(f"the server did not start: {said}")
        self.address = said.split()[-1]
        self.port = int(self.address.rsplit(":", 1)[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


async def play(robot: TableRobot) -> None:
    await robot.play(10**9)


async def crash(server: KilledServer, kills: int, chance: random.Random) -> list[TableRobot]:
    """Kill the server so many times while robots play."""
    robots, tasks = [], []
    for number in range(ROBOTS):
        client = await Client.enter(server.address, f"player-{number}")
        table = await client.watch(TABLES[number % len(TABLES)][0])
        robot = TableRobot(table, str(number // len(TABLES) + 1), policy="random", seed=number)
        await robot.sit_down("800")
        robots.append(robot)
        tasks.append(asyncio.create_task(play(robot)))
    for _ in range(kills):
        before = sum(len(robot.history) for robot in robots)
        while sum(len(robot.history) for robot in robots) < before + ROBOTS:
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.random() * 0.3)
        server.kill()
        await asyncio.to_thread(server.start)
    before = sum(len(robot.history) for robot in robots)
    while sum(len(robot.history) for robot in robots) < before + ROBOTS:
        await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for robot in robots:
        await robot.table.client.close()
    return robots


def compare(address: str, robots: list[TableRobot]) -> int:
    """Everything that was acknowledged is stored once, under its number; how much that is."""
    store = Store(address)
    acknowledged = 0
    try:
        for name, _ in TABLES:
            stored: dict[str, int] = {}
            for row in store.read_log(name):
                if row.command_id is not None:
                    if row.command_id in stored:
                        raise CrashFailed(f"{row.command_id} was done twice")
                    stored[row.command_id] = row.seq
            for robot in robots:
                if robot.table.name != name:
                    continue
                for command_id, seq in robot.history.items():
                    acknowledged += 1
                    if stored.get(f"{robot.table.client.name}:{command_id}") != seq:
                        raise CrashFailed(f"{command_id} was acknowledged as {seq} and is not there")
    finally:
        store.close()
    return acknowledged


def run(kills: int, seed: int = 1, database: str = "") -> dict[str, object]:
    """Kill, compare, audit."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = KilledServer(database or str(folder / "floor.db"), folder)
        try:
            robots = asyncio.run(crash(server, kills, random.Random(seed)))
        finally:
            server.kill()
        address = read_address(server.database)
        acknowledged = compare(address, robots)
        audit = audit_floor(address, load_key(server.key, make=False))
        if not audit.ok:
            raise CrashFailed("; ".join(audit.found))
    return {
        "kills": kills,
        "acknowledged": acknowledged,
        "lost": 0,
        "rounds": audit.rounds,
        "decisions": audit.rows,
        "seconds": round(time.perf_counter() - began),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", default="")
    options = parser.parse_args()
    print(json.dumps(run(options.kills, options.seed, options.database)))


if __name__ == "__main__":
    main()
