"""Floors by seed, with everything going wrong that can: see `tests/tools/floor_simulation.py`."""

from __future__ import annotations

import pytest
from floor_simulation import simulate


@pytest.mark.parametrize("seed", range(1, 11))
def test_a_floor_stays_right_whatever_goes_wrong(seed: int) -> None:
    simulate(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(11, 201, 19))
def test_many_floors_stay_right(first: int) -> None:
    for seed in range(first, first + 19):
        simulate(seed)


def test_the_same_seed_is_the_same_floor() -> None:
    one, two = simulate(5), simulate(5)
    rows = [[entry.transfers for entry in world.store.entries["t0"]] for world in (one, two)]
    assert rows[0] == rows[1]
    assert one.now_ms == two.now_ms
