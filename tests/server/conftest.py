"""Every test of the store runs on SQLite and on a real PostgreSQL, and no test waits for passwords."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import argon2
import pytest
from postgres import Cluster

from pitboss.server.serving import read_address


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """A password costs a moment of every core where people sign in; here nobody guesses, and dozens sign in."""
    cheap = functools.partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pitboss.server.reception.argon2.PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    made = Cluster()
    yield made
    made.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/floor.db"
    made: Cluster = request.getfixturevalue("cluster")
    return read_address(made.make_database())


LONG = frozenset(
    f"test_{name}.py"
    for name in (
        "around_the_table", "backup", "desks", "faults", "file_check", "floor_audit", "hostile", "http_advice",
        "http_powers", "inbox", "interruptions", "kinds", "pages", "robots", "secrets", "served_streams", "sessions",
        "staff", "tls",
    )
)  # fmt: skip
"""Files whose tests open a floor each: they belong to the whole suite."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.name in LONG:
            item.add_marker(pytest.mark.slow)
