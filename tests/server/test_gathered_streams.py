"""Streams that hear tables on a floor of several processes: one serves everything, and nothing is missed or doubled."""

from __future__ import annotations

from typing import Any

import pytest
from sample_kind import CLUB, CLUB_KIND
from shared_floor_simulation import KEY, Node, SharedWorld

from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.floor.served.kind_stream import StreamAsked
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.rows import FLOOR
from pitboss.server.storage.vault import Vault
from pitboss.server.stream_log import open_row
from pitboss.table.messages import events as ev
from pitboss.table.messages.askers import Asker

CHESS, TABLE = f"{CLUB} chess", "t0"
LONG = 1_200
DIRECTOR = Asker("casino-manager", "dora")


@pytest.fixture(autouse=True)
def _clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KIND_BY_WORD, CLUB, CLUB_KIND)


class ClubWorld(SharedWorld):
    """A floor of several processes with a club that counts the rounds of a table."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.founded: list[Answer] = []

    def step(self) -> None:
        super().step()
        if not self.is_founded() and self.chance.random() < 0.1:
            self.found(self.chance.choice(self.nodes))

    def is_founded(self) -> bool:
        return any(isinstance(answer, Done) for answer in self.founded)

    def found(self, node: Node) -> None:
        """Once somebody is asked who serves the floor and the table there, the club is founded."""
        for table in ("", TABLE):
            if table and table not in node.desk.slots:
                continue
            heard = self.founded if table else []
            command = {"type": "found", "title": "Chess club", "fee": "1", "table": table, "rounds": 10_000}
            node.desk.ask_stream(CHESS, DIRECTOR, f"found {table}", command, heard.append, "perth")

    def count(self) -> int:
        """How many rounds the club has counted: each that began after it was founded, once."""
        vault = Vault(KEY)
        rows = [(entry.row, open_row(entry.row, vault)) for entry in self.store.entries.get(CHESS, [])]
        since: int | None = None
        for _, events in rows:
            asked: Any = events[0]
            assert isinstance(asked, StreamAsked)
            if since is None and getattr(events[1], "table", "") == TABLE:
                since = asked.rests_on[TABLE]
        counted = [row.command_id for row, events in rows if type(events[1]).__name__ == "RoundCounted"]
        wanted = []
        for entry in self.store.entries[TABLE]:
            if since is not None and entry.row.seq > since:
                ended = [event for event in open_row(entry.row, vault) if isinstance(event, ev.RoundBegan)]
                wanted += [f"/{TABLE}/{entry.row.seq}/{number}" for number in range(len(ended))]
        assert counted == wanted
        return len(counted)


def run_world(seed: int, steps: int) -> ClubWorld:
    world = ClubWorld(seed)
    for _ in range(steps):
        world.step()
    world.finish()
    return world


def test_one_process_comes_to_serve_everything() -> None:
    world = ClubWorld(3)
    world.store.trouble = 0.0
    for _ in range(6):
        for node in world.nodes:
            node.look()
    assert sum(bool(node.desk.tables) for node in world.nodes) == 3, "tables are spread before"
    floor = next(node for node in world.nodes if FLOOR in node.desk.slots)
    world.found(floor)
    for _ in range(8):
        for node in world.nodes:
            node.desk.store_line()
            node.look()
    assert len(floor.desk.tables) == 4
    assert CHESS in floor.desk.slots
    assert not any(node.desk.slots for node in world.nodes if node is not floor)
    world.kill(floor)
    world.now_ms += 10_000
    for _ in range(2):
        for node in world.nodes:
            node.look()
    serving = [node for node in world.nodes if node.desk.slots]
    assert len(serving) == 1
    assert {FLOOR, CHESS, "t0", "t1", "t2", "t3"} == set(serving[0].desk.slots)


def test_a_process_that_lost_the_floor_decides_nothing_at_its_tables() -> None:
    world = ClubWorld(3)
    world.store.trouble = 0.0
    floor = next(node for node in world.nodes if FLOOR in node.desk.slots)
    world.found(floor)
    for _ in range(8):
        for node in world.nodes:
            node.desk.store_line()
            node.look()
    floor.desk.forget(FLOOR)
    assert not floor.desk.slots


@pytest.mark.slow
def test_nothing_is_missed_or_doubled_whatever_breaks() -> None:
    assert sum(run_world(seed, LONG).count() for seed in range(1, 4)) > 3


@pytest.mark.slow
def test_nothing_is_missed_or_doubled_in_more_worlds() -> None:
    assert sum(run_world(seed, LONG).count() for seed in range(4, 20)) > 20
