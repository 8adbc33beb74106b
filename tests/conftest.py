"""What holds for the whole suite: how Hypothesis looks for counterexamples, and that a witness cites its clauses.

Hypothesis draws the same examples in every run, so that a failure is a change of ours; `PITBOSS_FUZZ=1 make test` draws
new ones each time, and what it finds belongs into the tests as a record.

A test that is kept as the witness of a clause (`rulebooks/witnesses.csv`) is watched as it runs, and fails if it does
not cite the clause.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import settings
from witnessing import UNWATCHED, watching

from pitboss.rulebooks.witnesses import Clause, load_witnesses

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.register_profile("fuzz", derandomize=False, deadline=None, print_blob=True)
settings.load_profile("fuzz" if "PITBOSS_FUZZ" in os.environ else "steady")


@cache
def witnessed_by() -> dict[str, frozenset[Clause]]:
    """For each test that is kept as a witness, the clauses that it must cite."""
    found: dict[str, set[Clause]] = {}
    for clause, witness in load_witnesses().items():
        if "::" in witness.by:
            found.setdefault(witness.by, set()).add(clause)
    return {name: frozenset(clauses) for name, clauses in found.items()}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every witness in a file that was collected whole is one of its tests."""
    if any("::" in argument for argument in config.args) or config.option.keyword:
        return
    files = {item.nodeid.partition("::")[0] for item in items}
    names = {item.nodeid for item in items}
    gone = sorted(name for name in witnessed_by() if name.partition("::")[0] in files and name not in names)
    if gone:
        raise pytest.UsageError(f"there is no such test, and it is kept as a witness: {', '.join(gone)}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Fifteen thousand tests are found, and live as long as the run: nobody looks for rubbish among them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    clauses = witnessed_by().get(item.nodeid)
    if clauses is None or item.config.pluginmanager.has_plugin(UNWATCHED):
        return (yield)
    with watching() as cited:
        result = yield
    missing = sorted(f"{book} {clause}" for book, clause in clauses - cited)
    assert not missing, f"kept as the witness of {', '.join(missing)}, and does not cite it: run make witnesses"
    return result
