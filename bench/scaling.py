"""What a table and an observer cost, and what it costs to reach a table through another process; one JSON line.

    python bench/scaling.py [--database ADDRESS] [--tables 200] [--observers 100] [--commands 200]

Two server processes share one PostgreSQL (`--database`, or a cluster of its own in a temporary folder). Memory and CPU
time are what the operating system says about them; the clients run in this process. Last, one server is killed, and
the time is taken until the other serves everything.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pitboss.server.client import Client, ClientError, WatchedTable, call

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tools"))

from postgres import Cluster

ARGUMENTS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ARGUMENTS.add_argument("--database", default="")
ARGUMENTS.add_argument("--tables", type=int, default=200)
ARGUMENTS.add_argument("--observers", type=int, default=100)
ARGUMENTS.add_argument("--commands", type=int, default=200)
TICKS = os.sysconf("SC_CLK_TCK")
GAME = "perth/blackjack"
PACE_S = 0.025
"""A client may ask 50 things a second."""


class Server:
    """A server process, its memory and its CPU time."""

    def __init__(self, database: str, folder: str, tables: int) -> None:
        command = [sys.executable, "-c", "from pitboss.cli import main; main()", "serve", "--quick", "--port", "0"]
        command += ["--database", database, "--key", f"{folder}/floor.key"]
        for number in range(tables):
            command += ["--table", f"t{number}={GAME}"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if "is open at" in line:
                self.address = line.split()[-1]
                return
        raise SystemExit("the server did not start")

    def read_memory(self) -> int:
        """Resident memory in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(status.split("VmRSS:")[1].split()[0])

    def read_cpu(self) -> float:
        """CPU time in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


async def wait_for_tables(address: str, wanted: list[int]) -> list[dict[str, Any]]:
    """Wait until the live processes serve so many tables each; what they serve."""
    while True:
        try:
            processes = (await call(address, "GET", "/api/status"))[0]["processes"]
        except ClientError:
            processes = []
        live = [process for process in processes if process["alive"]]
        if sorted(len(process["tables"]) for process in live) == wanted:
            return live
        await asyncio.sleep(0.02)


async def ask_many(table: WatchedTable, commands: int) -> float:
    """Ask one thing after the other, as fast as one client may; how long one takes in milliseconds."""
    taken = 0.0
    for _ in range(commands):
        began = time.perf_counter()
        await table.ask({"type": "ready"})
        took = time.perf_counter() - began
        taken += took
        await asyncio.sleep(max(0.0, PACE_S - took))
    return taken * 1000 / commands


async def measure_watching(servers: list[Server], player: str, observer: str, table: str, options: Any) -> list[float]:
    """CPU microseconds that one more observer costs for each command, at each server, and the time of a command."""
    taken: list[list[float]] = []
    elapsed = 0.0
    client = await Client.enter(player)
    watched = await client.watch(table)
    await watched.ask({"type": "buy-in", "amount": "10"})
    crowd: list[Client] = []
    for count in (0, options.observers):
        while len(crowd) < count:
            crowd.append(await Client.enter(observer))
            await crowd[-1].watch(table)
        before = [server.read_cpu() for server in servers]
        elapsed = await ask_many(watched, options.commands)
        taken.append([server.read_cpu() - old for server, old in zip(servers, before, strict=True)])
    for member in (client, *crowd):
        await member.close()
    each = options.observers * options.commands / 1e6
    return [elapsed, *(round((many - none) / each, 1) for none, many in zip(*taken, strict=True))]


async def measure(database: str, folder: str, options: Any) -> dict[str, object]:
    servers = [Server(database, folder, options.tables)]
    try:
        first = servers[0]
        lean = Server(options.spare, f"{folder}/spare", 2)
        servers.append(lean)
        per_table = (first.read_memory() - lean.read_memory()) / (options.tables - 2)
        idle = first.read_cpu(), lean.read_cpu()
        await asyncio.sleep(5)
        idle_cpu = (first.read_cpu() - idle[0] - lean.read_cpu() + idle[1]) / 5 / (options.tables - 2)
        servers.remove(lean)
        lean.end()
        servers.append(Server(database, folder, options.tables))
        half = options.tables // 2
        live = await wait_for_tables(first.address, [half, options.tables - half])
        own = {process["address"]: process["tables"] for process in live}
        second = servers[1]
        client = await Client.enter(first.address)
        alone = await client.watch(own[first.address][0])
        await alone.ask({"type": "buy-in", "amount": "10"})
        cpu = first.read_cpu()
        direct_ms = await ask_many(alone, options.commands)
        direct_cpu = (first.read_cpu() - cpu) / options.commands
        far = await client.watch(own[second.address][0])
        await far.ask({"type": "buy-in", "amount": "10"})
        cpu, other = first.read_cpu(), second.read_cpu()
        relayed_ms = await ask_many(far, options.commands)
        relay_cpu = (first.read_cpu() - cpu) / options.commands
        owner_cpu = (second.read_cpu() - other) / options.commands
        await client.close()
        near = await measure_watching([first], first.address, first.address, own[first.address][1], options)
        away = await measure_watching(servers, first.address, second.address, own[first.address][2], options)
        began = time.perf_counter()
        first.end()
        await wait_for_tables(second.address, [options.tables])
        takeover = time.perf_counter() - began
    finally:
        for server in servers:
            server.end()
    return {
        "tables": options.tables,
        "memory_per_table_kib": round(per_table),
        "idle_cpu_per_table_us_per_s": round(idle_cpu * 1e6, 1),
        "command_ms": round(direct_ms, 2),
        "command_cpu_us": round(direct_cpu * 1e6),
        "relayed_command_ms": round(relayed_ms, 2),
        "relayed_command_cpu_us": {"relay": round(relay_cpu * 1e6), "owner": round(owner_cpu * 1e6)},
        "observers": options.observers,
        "observer_cpu_us_per_decision": near[1],
        "relayed_observer_cpu_us_per_decision": {"owner": away[1], "relay": away[2]},
        "takeover_s": round(takeover, 2),
    }


def main() -> None:
    options = ARGUMENTS.parse_args()
    cluster = None if options.database else Cluster()
    with tempfile.TemporaryDirectory() as folder:
        options.spare = f"{folder}/spare.db" if cluster is None else cluster.make_database()
        Path(folder, "spare").mkdir()
        database = options.database if cluster is None else cluster.make_database()
        try:
            print(json.dumps(asyncio.run(measure(database, folder, options))))
        finally:
            if cluster is not None:
                cluster.stop()


if __name__ == "__main__":
    main()
