"""Two processes and one PostgreSQL: one serves, the other takes over when it is gone, and the first does no harm."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from postgres import Cluster

from pitboss.server.client import Client
from pitboss.server.serving import read_address
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key

pytestmark = pytest.mark.slow


class Process:
    """A server process, and what it says line by line."""

    def __init__(self, database: str, key: Path) -> None:
        command = [sys.executable, "-c", "from pitboss.cli import main; raise SystemExit(main())", "serve", "--quick"]
        command += ["--port", "0", "--database", database, "--key", str(key), "--table", "t=perth/blackjack"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def hear(self, wanted: str) -> str:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if wanted in line:
                return line
        raise AssertionError(f"the process ended and never said '{wanted}'")

    def open(self) -> str:
        return self.hear("is open at").split()[-1]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


async def ask(address: str, name: str) -> int:
    async with await Client.enter(address, name) as client:
        return await client.ask("t", {"type": "buy-in", "amount": "10"})


@pytest.mark.parametrize("how", ["killed", "frozen"])
def test_another_process_takes_over_within_five_seconds(cluster: Cluster, tmp_path: Path, how: str) -> None:
    database, key = cluster.make_database(), tmp_path / "key"
    first = Process(database, key)
    second = None
    try:
        first_address = first.open()
        seq = asyncio.run(ask(first_address, "ann"))
        second = Process(database, key)
        second.hear("another process serves this floor")
        first.process.send_signal(signal.SIGKILL if how == "killed" else signal.SIGSTOP)
        began = time.monotonic()
        second_address = second.open()
        assert time.monotonic() - began < 5
        assert asyncio.run(ask(second_address, "bob")) > seq
        if how == "frozen":
            first.process.send_signal(signal.SIGCONT)
            first.hear("another process serves this floor now")
            assert first.process.wait(30) == 0
        assert audit_floor(read_address(database), load_key(key, make=False)).found == []
    finally:
        first.end()
        if second is not None:
            second.end()
