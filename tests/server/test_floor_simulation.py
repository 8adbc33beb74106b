"""Floors by seed, with everything going wrong that can: see `tests/tools/floor_simulation.py`, and
`tests/tools/shared_floor_simulation.py` for floors of several processes."""

from __future__ import annotations

import pytest
from floor_simulation import simulate
from shared_floor_simulation import simulate_shared
from speeds import few

from pitboss.server.storage.rows import FLOOR


@pytest.mark.parametrize("seed", few(range(1, 11), 3))
def test_a_floor_stays_right_whatever_goes_wrong(seed: int) -> None:
    simulate(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(11, 201, 19))
def test_many_floors_stay_right(first: int) -> None:
    for seed in range(first, first + 19):
        simulate(seed)


@pytest.mark.parametrize("seed", few(range(1, 13), 3))
def test_a_floor_of_several_processes_stays_right_whatever_goes_wrong(seed: int) -> None:
    simulate_shared(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(13, 200, 17))
def test_many_floors_of_several_processes_stay_right(first: int) -> None:
    worlds = [simulate_shared(seed) for seed in range(first, first + 17)]
    assert sum(world.slept for world in worlds) > 17
    assert sum(world.died for world in worlds) > 17


def test_the_same_seed_is_the_same_floor() -> None:
    one, two = simulate(5), simulate(5)
    rows = [[entry.transfers for entry in world.store.entries["t0"]] for world in (one, two)]
    assert rows[0] == rows[1]
    assert one.now_ms == two.now_ms


def test_the_same_seed_is_the_same_floor_of_several_processes() -> None:
    one, two = simulate_shared(5), simulate_shared(5)
    ids = [[entry.row.command_id for entry in world.store.entries["t0"]] for world in (one, two)]
    assert ids[0] == ids[1]
    assert (one.now_ms, one.slept, one.died) == (two.now_ms, two.slept, two.died)


@pytest.mark.slow
def test_people_of_the_house_are_heard_in_simulated_floors_of_several_processes() -> None:
    worlds = [simulate_shared(seed) for seed in range(1, 20)]
    assert sum(len(world.told.heard_at) for world in worlds) > 20, "hardly any table had news for the floor"
    assert sum(len(world.told.at[FLOOR].state.orders) for world in worlds) > 20, "hardly any order was given"
