"""Recall: a floor with many stored rounds, and how long it takes to get some of them back over HTTP.

    python bench/recall.py [--rounds 20000] [--tables 100] [--requests 2000] [--database ADDRESS]
                           [--folder FOLDER] [--audit]

Every round is decided by the floor's own tables, dealt by the house machine and played by one player, and stored by the
floor's own store, in groups of thousands. Then a server opens the database in a process of its own, and a client asks
it for the last rounds of a table, for rounds by table and number, and for the log of a round; one JSON line says how
long the answers took. `--folder` makes the floor in a folder that stays, or goes on with the one that is there;
`--database postgresql` makes it on a PostgreSQL that is started for it.
`--audit` audits all of it afterwards, on all cores. `make bench-recall` does all of this with a million rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "tools"))

from postgres import Cluster

from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.money import Money
from pitboss.rulebooks import games, rules_for
from pitboss.server.client import call
from pitboss.server.desk import Desk
from pitboss.server.inspection.program_files import digest_files, read_program_files
from pitboss.server.live_stream import Answer
from pitboss.server.serving import read_address
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import Vault, load_key
from pitboss.table import Limits, Phase, Refusal
from pitboss.table.messages.askers import HOUSE, Asker
from pitboss.table.views import Observer, Viewer, choose_actions

ARGUMENTS = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ARGUMENTS.add_argument("--rounds", type=int, default=20_000)
ARGUMENTS.add_argument("--tables", type=int, default=100)
ARGUMENTS.add_argument("--requests", type=int, default=2_000)
ARGUMENTS.add_argument("--database", default="")
ARGUMENTS.add_argument("--folder", default="")
ARGUMENTS.add_argument("--audit", action="store_true")

LIMITS = Limits(minimum=Money(5), maximum=Money(500), chip=Money("0.5"))
GROUP = 4_000
"""Decisions that are stored together."""
LAST = 10
"""Rounds of a table that are asked for together."""
SEAL_EVERY_MS = 60_000
MOST_ACTS = 200


class Maker:
    """A floor that plays as fast as it can."""

    def __init__(self, address: str, key: Path, tables: int) -> None:
        self.now_ms = 1_750_000_000_000
        self.sealed_ms = self.now_ms
        self.asked = 0
        self.chance = random.Random(1)
        self.store = Store(address)
        vault = Vault(load_key(key, make=True))
        self.desk = Desk(
            self.store, vault, clock=lambda: self.now_ms, entropy=lambda: self.chance.randbytes(32), owner="recall",
            code_digest=digest_files(read_program_files()),
        )  # fmt: skip
        self.desk.load()
        if self.desk.tables:
            self.now_ms = max(slot.now.state.at_ms for slot in self.desk.slots.values()) + 1
            self.asked = sum(slot.now.seq for slot in self.desk.slots.values())
        else:
            known = [game for game in games() if not game.endswith("/switch")]
            for number in range(tables):
                self.open(f"table-{number:03}", known[number % len(known)])

    def open(self, table: str, game: str) -> None:
        """A table, and somebody with many chips at it."""
        player = f"player-{table}"
        self.desk.open_table(
            table, rules_for(game), kind=lt.TableKind.MACHINE, limits=LIMITS, clocks=lt.Clocks(pause_ms=0),
            bank=Money(10_000_000),
        )  # fmt: skip
        for command in (
            hm.AddPerson(name=player, kind=hm.PersonKind.GUEST), hm.IssueChips(name=player, amount=Money(1_000_000)),
        ):  # fmt: skip
            self.desk.ask_house(HOUSE, f"{type(command).__name__} {player}", command, check)
        self.ask(table, {"type": "buy-in", "amount": "1000000"})

    def ask(self, table: str, command: object) -> None:
        self.asked += 1
        self.desk.ask(table, Asker("player", f"player-{table}"), str(self.asked), command, check)

    def play(self, table: str) -> None:
        """One round: a wager, whatever comes to mind, and the settlement."""
        live: lt.LiveTable = self.desk.slots[table].now.state
        began = live.table.round
        self.now_ms += 1_000
        self.ask(table, {"type": "place-bet", "box": "1", "amount": "10"})
        self.ask(table, {"type": "ready"})
        for _ in range(MOST_ACTS):
            live = self.desk.slots[table].now.state
            if live.table.round != began and live.table.phase is Phase.BETTING:
                return
            actions = choose_actions(live.table, Observer(Viewer.PLAYER, f"player-{table}"))
            if actions:
                self.ask(table, msgspec.to_builtins(self.chance.choice(actions)))
            else:
                self.now_ms += 60_000
                self.desk.run_clocks()
        raise SystemExit(f"{table} does not come to an end: {live.table.phase}")

    def store_all(self) -> None:
        """Everything that was decided goes to the database, with the seals that are due."""
        if not self.desk.store_line():
            raise SystemExit("the rounds could not be stored")
        while (kept := self.desk.find_snapshot()) is not None:
            self.store.write_snapshot(kept[0].name, kept[1], kept[2])
        if self.now_ms - self.sealed_ms >= SEAL_EVERY_MS:
            self.store.write_seal(self.now_ms, self.desk.owner, self.desk.slots["floor"].token)
            self.sealed_ms = self.now_ms

    def make(self, rounds: int) -> None:
        """Play until there are so many rounds."""
        done, began = self.store.count_rounds(), time.perf_counter()
        already, told = done, began
        tables = [slot.name for slot in self.desk.tables]
        while done < rounds:
            for table in tables:
                self.play(table)
            done += len(tables)
            if len(self.desk.line) >= GROUP:
                self.store_all()
            if time.perf_counter() - told > 10:
                told = time.perf_counter()
                print(f"{done} rounds, {(done - already) / (told - began):.0f} a second", file=sys.stderr)
        self.store_all()
        self.store.free("recall")
        self.store.close()


def check(answer: Answer) -> None:
    """Everything that is asked here is granted."""
    if isinstance(answer, Refusal):
        raise SystemExit(answer.why)


def start_server(database: str, key: Path) -> tuple[subprocess.Popen[str], str, float]:
    """A server in a process of its own, its address, and how long it took to open."""
    began = time.perf_counter()
    command = [sys.executable, "-c", "from pitboss.cli import main; main()", "serve", "--port", "0"]
    server = subprocess.Popen([*command, "--database", database, "--key", str(key)], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    for line in server.stderr:
        if "is open at" in line:
            return server, line.split()[-1], time.perf_counter() - began
    raise SystemExit("the server did not start")


async def recall(address: str, requests: int) -> dict[str, list[float]]:
    """Ask for rounds, and how long each answer took."""
    chance = random.Random(2)
    tables = {line["name"]: line["round"] - 1 for line in (await call(address, "GET", "/api/tables"))[0]}
    taken: dict[str, list[float]] = {"last": [], "one": [], "log": []}
    for _ in range(requests):
        table = chance.choice(list(tables))
        number = chance.randint(1, tables[table])
        rounds = await ask(address, f"/api/tables/{table}/rounds?last={LAST}", taken["last"])
        assert [line["number"] for line in rounds] == list(range(tables[table], max(0, tables[table] - LAST), -1))
        one = await ask(address, f"/api/tables/{table}/rounds/{number}", taken["one"])
        assert one["number"] == number
        if len(taken["log"]) * 10 < requests:
            rows = one["last_seq"] - one["first_seq"] + 1
            where = f"/api/tables/{table}/log?after={one['first_seq'] - 1}&limit={min(rows, 500)}"
            assert len(await ask(address, where, taken["log"])) == min(rows, 500)
    return taken


async def ask(address: str, path: str, taken: list[float]) -> Any:
    began = time.perf_counter()
    answer = (await call(address, "GET", path))[0]
    taken.append(time.perf_counter() - began)
    await asyncio.sleep(0.005)
    return answer


def describe(taken: list[float]) -> dict[str, float]:
    ordered = sorted(taken)
    return {
        "p50_ms": round(ordered[len(ordered) // 2] * 1000, 1),
        "p99_ms": round(ordered[len(ordered) * 99 // 100] * 1000, 1),
    }


def run(options: argparse.Namespace, folder: Path) -> dict[str, object]:
    database, key = options.database or str(folder / "floor.db"), folder / "floor.key"
    began = time.perf_counter()
    Maker(read_address(database), key, options.tables).make(options.rounds)
    made = time.perf_counter() - began
    server, address, opened = start_server(database, key)
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            status = runner.run(call(address, "GET", "/api/status"))[0]
            taken = runner.run(recall(address, options.requests))
    finally:
        server.terminate()
        server.wait()
    found: dict[str, object] = {
        "rounds": status["rounds"],
        "tables": status["tables"],
        "database": status["database"],
        "made_seconds": round(made),
        "opened_seconds": round(opened, 1),
        "requests": options.requests,
        "last_rounds": describe(taken["last"]),
        "round_by_id": describe(taken["one"]),
        "log_of_round": describe(taken["log"]),
    }
    if options.audit:
        began = time.perf_counter()
        audit = audit_floor(read_address(database), load_key(key, make=False), workers=os.cpu_count() or 1)
        seconds = time.perf_counter() - began
        if not audit.ok:
            raise SystemExit(audit.found[0])
        found["audited_seconds"] = round(seconds)
        found["audited_rounds_per_second"] = round(audit.rounds / seconds)
    return found


def main() -> None:
    options = ARGUMENTS.parse_args()
    with contextlib.ExitStack() as after:
        if options.database == "postgresql":
            cluster = Cluster()
            after.callback(cluster.stop)
            options.database = cluster.make_database()
        folder = Path(options.folder or after.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        print(json.dumps(run(options, folder)))


if __name__ == "__main__":
    main()
