"""A plan on real worker processes, one of which is killed: the integers are those of a local run."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sim_tools import ready

from pitboss.sim import cluster
from pitboss.sim.cluster import ClusterError, on_cluster
from pitboss.sim.run import Run

BLOCKS = 24
QUIET = ("--no-dashboard", "--host", "127.0.0.1")


def make_run() -> Run:
    return Run(ready("star/blackjack", rounds=BLOCKS << 15, block_rounds=1 << 15))


@contextlib.contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen([sys.executable, "-m", *arguments], stderr=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def line_with(started: subprocess.Popen[str], pattern: str) -> str:
    assert started.stderr is not None
    for line in started.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError("the process ended before it said where it listens")


@pytest.mark.slow
def test_a_killed_worker_loses_nothing() -> None:
    with process("distributed.cli.dask_scheduler", "--port", "0", *QUIET) as scheduler:
        address = line_with(scheduler, r"Scheduler at:\s+(tcp://\S+)")
        worker = ["distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", *QUIET]
        with process(*worker) as first, process(*worker) as second:
            for started in (first, second):
                line_with(started, r"Registered to:\s+(tcp://\S+)")
            run = make_run()

            def progress(_: object) -> bool:
                if len(run.done) == 3:
                    os.kill(first.pid, signal.SIGKILL)
                return True

            on_cluster(run, address, progress)
            assert first.wait() == -signal.SIGKILL
            assert second.poll() is None
    local = make_run()
    local.on_threads(1, lambda _: True)
    assert run.sums == local.sums
    assert len(run.done) == BLOCKS


@pytest.mark.slow
def test_a_cluster_that_goes_away_leaves_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 5)
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 5)
    with process("distributed.cli.dask_scheduler", "--port", "0", *QUIET) as scheduler:
        address = line_with(scheduler, r"Scheduler at:\s+(tcp://\S+)")
        with process("distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", *QUIET):
            run = make_run()

            def progress(_: object) -> bool:
                if run.done and scheduler.poll() is None:
                    scheduler.kill()
                    scheduler.wait()
                return True

            with pytest.raises(ClusterError, match=r"gone away|was lost"):
                on_cluster(run, address, progress)
    assert 0 < len(run.done) < BLOCKS
    run.on_threads(1, lambda _: True)
    local = make_run()
    local.on_threads(1, lambda _: True)
    assert run.sums == local.sums


def test_what_is_no_address_is_said_at_once() -> None:
    with pytest.raises(ClusterError, match="no cluster answers at nonsense: missing port"):
        on_cluster(make_run(), "nonsense", lambda _: True)


@pytest.mark.slow
def test_no_cluster_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match=r"no cluster answers at tcp://127\.0\.0\.1:9"):
        on_cluster(make_run(), "tcp://127.0.0.1:9", lambda _: True)
