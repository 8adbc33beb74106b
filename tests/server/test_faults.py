"""What a floor does when its store fails or its clock is changed: it freezes, says so, and goes on at the same card."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from floor_desk import Bench
from floor_server import Served, open_floor, seat
from hypothesis import given
from hypothesis import strategies as st
from postgres import Cluster

from pitboss.floor.live_table import Clocks
from pitboss.server.client import Client, ClientError, WatchedTable
from pitboss.server.desk import Desk
from pitboss.server.live_stream import Done, NotDone
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.serving import read_address
from pitboss.server.steady_clock import JUMP_MS, SteadyClock
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key

QUICK = Clocks(betting_ms=1_500, decision_ms=1_500, offers_ms=1_500, pause_ms=0)
LONGER_S = 2.5
"""Longer than any clock of the table."""


class FullDisk:
    """SQLite cannot write a commit, as when the disk is full: what it says is what it says then."""

    reads_work = True

    def __init__(self, served: Served) -> None:
        self.full = False
        sa.event.listen(served.floor.store.engine, "commit", self.refuse)

    def refuse(self, connection: sa.Connection) -> None:
        if self.full and not connection.get_execution_options().get("reads", False):
            raise sa.exc.OperationalError("COMMIT", {}, sqlite3.OperationalError("database or disk is full"))

    def begin(self) -> None:
        self.full = True

    def end(self) -> None:
        self.full = False


class StoppedServer:
    """PostgreSQL is stopped, and started again."""

    reads_work = False

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    def begin(self) -> None:
        self.cluster.halt()

    def end(self) -> None:
        self.cluster.start()


@contextlib.contextmanager
def run_cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    try:
        yield cluster
    finally:
        cluster.stop()


async def wait_for(what: Callable[[], bool], seconds: float = 120) -> None:
    async with asyncio.timeout(seconds):
        while not what():
            await asyncio.sleep(0.01)


async def play_until_turn(table: WatchedTable) -> dict[str, Any]:
    """Play until the robot is to decide on a hand; what it might do."""
    robot = TableRobot(table, "1", seed=1)
    while True:
        command = await robot.choose()
        if command is None:
            await table.wait_for_change()
        elif table.public["phase"] == "turns" and not table.public.get("pending"):
            return command
        else:
            await robot.ask(command)


def show_cards(table: WatchedTable) -> tuple[Any, ...]:
    public = table.public
    return tuple(public.get(name) for name in ("round", "phase", "dealer", "boxes", "turn", "shoe"))


async def go_through(served: Served, fault: FullDisk | StoppedServer) -> None:
    """A store fails in the middle of a hand, longer than the clock of the table allows, and comes back."""
    async with seat(served, "ann", "bob") as (ann, bob):
        table, other = ann.tables["t"], bob.tables["t"]
        decision = await play_until_turn(table)
        cards, actions = show_cards(table), table.private["actions"]
        await asyncio.to_thread(fault.begin)
        seen = asyncio.Event()
        asking = asyncio.create_task(ask_until(bob, seen))
        await wait_for(lambda: "frozen" in ann.notice and "frozen" in bob.notice)
        seen.set()
        seq = table.seq
        await asyncio.sleep(LONGER_S)
        assert not asking.done(), "something was acknowledged that cannot be stored"
        assert table.seq == other.seq == seq
        assert show_cards(table) == cards
        await check_reads(ann, fault.reads_work)
        late = await watch_late(served)
        await asyncio.to_thread(fault.end)
        await wait_for(lambda: not ann.notice and not bob.notice)
        await late.close()
        await wait_for(lambda: table.seq == other.seq and (table.seq or 0) > (seq or 0))
        assert show_cards(table) == cards, "the table went on at another card"
        assert table.private["actions"] == actions
        await asking
        await table.ask(decision)
        await TableRobot(table, "1", seed=1).play(1)
        assert (await ann.get("/api/status"))["ready"]


async def ask_until(client: Client, seen: asyncio.Event) -> None:
    """Ask for small things until one of them cannot be stored; it is acknowledged when it is.

    One is asked when the store is known to be gone: the others may all have been stored before.
    """
    on = last = False
    while not last:
        last = seen.is_set()
        await client.ask("t", {"type": "go-along", "on": on})
        on = not on


async def check_reads(client: Client, from_store: bool) -> None:
    """What is known is told, also while nothing can be stored."""
    assert (await client.get("/api/tables/t"))["public"]["phase"] == "turns"
    assert "frozen" in (await client.get("/api/tables"))[0]["stopped"]
    assert not (await client.get("/api/status"))["ready"]
    assert "pitboss_ready 0" in await client.get("/metrics")
    assert await client.get("/healthz") == "ok\n"
    with pytest.raises(ClientError, match="the store does not answer"):
        await client.get("/readyz")
    with pytest.raises(ClientError, match="frozen"):
        await Client.enter(client.address, "late")
    if from_store:
        assert await client.get("/api/tables/t/log?after=0&limit=5")
    else:
        with pytest.raises(ClientError, match="cannot be answered now"):
            await client.get("/api/tables/t/log?after=0&limit=5")


async def watch_late(served: Served) -> Client:
    """Whoever comes to watch while the floor is frozen is told so."""
    client = Client(served.address, "", "")
    await client.open()
    await client.watch("t")
    await wait_for(lambda: "frozen" in client.notice)
    return client


def test_a_floor_on_a_full_disk_freezes_and_goes_on_at_the_same_card(tmp_path: Path) -> None:
    async def run() -> None:
        async with open_floor(tmp_path, clocks=QUICK) as served:
            await asyncio.wait_for(go_through(served, FullDisk(served)), 600)
            assert any("full" in line for line in served.said)

    asyncio.run(run())
    assert audit_floor(f"sqlite:///{tmp_path}/floor.db", load_key(tmp_path / "floor.key", make=False)).found == []


@pytest.mark.slow
def test_a_floor_whose_database_is_gone_freezes_and_goes_on_at_the_same_card(tmp_path: Path) -> None:
    with run_cluster() as cluster:
        database = read_address(cluster.make_database())

        async def run() -> None:
            async with open_floor(tmp_path, clocks=QUICK, database=database) as served:
                await asyncio.wait_for(go_through(served, StoppedServer(cluster)), 600)

        asyncio.run(run())
        assert audit_floor(database, load_key(tmp_path / "floor.key", make=False)).found == []


def test_a_command_that_is_stored_is_answered_while_the_floor_is_frozen(address: str) -> None:
    bench = Bench(address)
    bench.open("t", "perth/blackjack", ("ann",))
    command = bench.ask("t", "ann", {"type": "ready"})
    bench.desk.store_line()
    bench.desk.freeze("the disk is full")
    bench.ask("t", "ann", {"type": "ready"}, command)
    bench.ask("t", "ann", {"type": "ready"}, "new")
    assert isinstance(bench.hear("t", "ann", command), Done)
    assert bench.hear("t", "ann", "new") == NotDone("the disk is full")
    bench.desk.thaw()
    assert isinstance(bench.do("t", "ann", {"type": "ready"}), Done)


def test_what_drives_the_floor_does_not_end_unnoticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(desk: Desk) -> None:
        raise ValueError("secret")

    async def run() -> None:
        async with open_floor(tmp_path) as served:
            await (await Client.enter(served.address, "ann")).close()
            monkeypatch.setattr(Desk, "run_clocks", fail)
            await wait_for(lambda: any("stopped by ValueError at" in line for line in served.said))
            await wait_for(lambda: served.floor._server is not None and served.floor._server.should_exit)
            assert not any("secret" in line for line in served.said)

    asyncio.run(run())


# ---------------------------------------------------------------------- clocks


class Machine:
    """A machine whose clock somebody changes."""

    def __init__(self) -> None:
        self.wall = 1_000_000_000
        self.steady = 5_000

    def pass_time(self, ms: int) -> None:
        self.wall += ms
        self.steady += ms


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(-100_000, 100_000)), max_size=30))
def test_the_clock_of_a_floor_never_goes_back_and_finds_its_way(changes: list[tuple[int, int]]) -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.wall, lambda: machine.steady)
    last = clock()
    for passed, jump in changes:
        machine.pass_time(passed)
        machine.wall += jump
        now = clock()
        assert now >= last
        assert now - last <= passed + JUMP_MS, "the clock was put forward and nobody has taken note of it"
        assert clock.take_jump() == (jump if abs(jump) >= JUMP_MS else 0)
        last = clock()
        assert last >= max(now, machine.wall)
    machine.pass_time(2 * (last - machine.wall) + 2)
    assert clock() == machine.wall


def test_a_clock_that_was_put_back_goes_on_at_half_its_speed() -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.wall, lambda: machine.steady)
    before = clock()
    machine.wall -= 3_600_000
    machine.pass_time(1_000)
    assert clock() == before + 500
    assert clock.take_jump() == -3_600_000
    assert clock.take_jump() == 0


def test_a_clock_begins_where_the_log_ends() -> None:
    machine = Machine()
    clock = SteadyClock(lambda: machine.wall, lambda: machine.steady)
    clock.start_at(machine.wall + 7_000)
    assert clock() == machine.wall + 7_000


@pytest.mark.parametrize("jump_ms", [3_600_000, -3_600_000])
def test_a_changed_clock_takes_no_turn_from_anybody_and_never_turns_the_log_back(tmp_path: Path, jump_ms: int) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            table = ann.tables["t"]
            await play_until_turn(table)
            cards = show_cards(table)
            clock = served.floor.clock
            whole = clock._wall
            clock._wall = lambda: whole() + jump_ms
            await wait_for(lambda: any("clock was changed" in line for line in served.said))
            if jump_ms > 0:
                await wait_for(lambda: (table.public.get("deadline_ms") or 0) > time.time() * 1000 + jump_ms)
            assert show_cards(table) == cards, "a turn was taken from somebody who had time"
            await wait_for(lambda: show_cards(table) != cards, QUICK.decision_ms / 1000 * 2 + 2)
            rows = list(served.floor.store.read_log("t"))
            times = [row.at_ms for row in rows]
            assert times == sorted(times)

    async def run() -> None:
        async with open_floor(tmp_path, clocks=QUICK) as served:
            await asyncio.wait_for(story(served), 600)

    asyncio.run(run())
    assert audit_floor(f"sqlite:///{tmp_path}/floor.db", load_key(tmp_path / "floor.key", make=False)).found == []
