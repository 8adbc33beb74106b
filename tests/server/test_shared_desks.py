"""Two desks on one store, driven by hand: what is acknowledged at one is known at the other."""

from __future__ import annotations

import pytest
from floor_simulation import STAFF
from shared_floor_simulation import Node, SharedWorld

from pitboss.floor import house_messages as hm
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.rows import FLOOR
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, Asker


class Quiet(SharedWorld):
    """A floor of three processes on which nothing goes wrong by itself."""

    def __init__(self) -> None:
        super().__init__(3)
        self.store.trouble = 0.0
        for _ in range(6):
            for node in self.nodes:
                node.look()
        self.floor = next(node for node in self.nodes if FLOOR in node.desk.slots)
        self.other = next(node for node in self.nodes if node is not self.floor and node.desk.tables)
        self.table = self.other.desk.tables[0].name
        self.mia = Asker(self.tops[self.table], STAFF[0])

    def go_on(self, *storing: Node) -> None:
        """Deliver what is under way, let everybody look, and store what these processes have decided."""
        for _ in range(4):
            self.deliver(100)
            for node in storing:
                node.desk.store_line()
            for node in self.nodes:
                if not node.asleep:
                    node.look()

    def name_dealer(self, heard: list[Answer], name: str = STAFF[0]) -> None:
        order = {"type": "dealer", "name": name, "reason": "x"}
        self.other.desk.ask(self.table, self.mia, "dealer", order, heard.append)


@pytest.fixture
def world() -> Quiet:
    return Quiet()


def test_an_order_that_matters_elsewhere_is_acknowledged_once_the_floor_has_heard_it(world: Quiet) -> None:
    heard: list[Answer] = []
    again: list[Answer] = []
    world.name_dealer(heard)
    assert world.other.desk.store_line()
    world.go_on()
    assert heard == [], "the floor has not stored it"
    world.name_dealer(again)
    assert again == []
    world.go_on(world.floor)
    assert isinstance(heard[0], Done)
    assert again == heard, "whoever asks again has the same answer"
    world.name_dealer(again)
    assert again == [heard[0]] * 2, "also before the table has noted that the floor has heard it"
    world.go_on(*world.nodes)
    assert world.floor.desk.house.dealers == {world.table: STAFF[0]}
    assert not world.other.desk.slots[world.table].durable.state.news


def test_a_dealer_of_another_process_is_refused(world: Quiet) -> None:
    world.name_dealer([])
    world.go_on(*world.nodes)
    heard: list[Answer] = []
    elsewhere = world.floor.desk.tables[0].name
    order = {"type": "dealer", "name": STAFF[0], "reason": "x"}
    world.floor.desk.ask(elsewhere, Asker(world.tops[elsewhere], "max"), "dealer", order, heard.append)
    assert isinstance(heard[0], Refusal)
    assert f"deals at {world.table}" in heard[0].reason


def test_what_the_floor_decides_waits_for_a_process_until_its_lease_has_run_out(world: Quiet) -> None:
    world.other.asleep = True
    heard: list[Answer] = []
    role = hm.GiveRole(name=STAFF[0], role="inspector")
    world.floor.relay.ask_house(HOUSE, "role", role, heard.append)
    world.go_on(world.floor)
    assert heard == [], "a process that may still decide does not know of it"
    world.now_ms += 3_000
    world.go_on(world.floor)
    assert isinstance(heard[0], Done)
    guest = {"type": "dealer", "name": "max", "reason": "x"}
    refused: list[Answer] = []
    world.other.asleep = False
    world.other.desk.ask(world.table, world.mia, "late", guest, refused.append)
    assert not isinstance(refused[0], Done), "it decides nothing before it has read on"


def test_news_of_a_process_that_died_are_told_by_the_next_one_once(world: Quiet) -> None:
    world.name_dealer([])
    assert world.other.desk.store_line()
    world.pipes.clear()
    world.kill(world.other)
    for _ in range(4):
        world.now_ms += 1_000
        world.go_on(*world.nodes)
    ids = [entry.row.command_id for entry in world.store.entries[FLOOR]]
    assert ids.count(f"/{world.table}/1") == 1
    assert all(node.desk.house.dealers == {world.table: STAFF[0]} for node in world.nodes)


def test_chips_that_are_handed_out_wait_for_nobody(world: Quiet) -> None:
    world.other.asleep = True
    heard: list[Answer] = []
    world.floor.relay.ask_house(HOUSE, "chips", hm.IssueChips(name="p0", amount=Money(1)), heard.append)
    assert world.floor.desk.store_line()
    assert isinstance(heard[0], Done)
