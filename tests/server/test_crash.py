"""Real servers, killed at random moments: see `tests/tools/crash.py`."""

from __future__ import annotations

import crash
import pytest
from postgres import Cluster

KILLS = 15
"""On each database."""


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_when_the_server_is_killed() -> None:
    result = crash.run(KILLS, seed=7)
    assert int(str(result["acknowledged"])) > KILLS * crash.ROBOTS


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_on_postgresql(cluster: Cluster) -> None:
    result = crash.run(KILLS, seed=8, database=cluster.make_database())
    assert int(str(result["acknowledged"])) > KILLS * crash.ROBOTS
