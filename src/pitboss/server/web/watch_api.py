"""The HTTP interface for those who watch the server: whether it lives, whether it is ready, and its numbers."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import MediaType, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException

from pitboss import __version__
from pitboss.server.metrics import write_metrics
from pitboss.server.processes.roster import Served, describe_processes
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FLOOR
from pitboss.server.storage.store import Store
from pitboss.server.web.inspection_api import count_file_checks
from pitboss.server.web.services import REFUSALS, Services, find_services


class FloorStatus(msgspec.Struct):
    """How the floor is doing."""

    version: str
    database: str
    tables: int
    people: int
    connections: int
    rounds: int | None
    """None while the store does not answer."""
    commits: int
    failed_commits: int
    ledger_imbalance: int
    ready: bool
    processes: list[Served]
    """Who serves what, where several processes can; what nobody serves is under the empty name."""


@get("/healthz", media_type=MediaType.TEXT, summary="The process is alive", responses=REFUSALS)
async def tell_health() -> str:
    return "ok\n"


@get("/readyz", media_type=MediaType.TEXT, summary="The floor is open and can store", responses=REFUSALS)
async def tell_readiness(state: State) -> str:
    services = find_services(state)
    if not services.runner.is_ready:
        raise HTTPException("the store does not answer", status_code=503)
    return f"ready{_tell_what_is_served(services)}\n"


def _tell_what_is_served(services: Services) -> str:
    """Which part of the floor this process serves, where there may be others."""
    if services.roster is None:
        return ""
    desk = services.desk
    whole = len(desk.tables) + sum(desk.is_table(name) for name in desk.elsewhere)
    floor = " and the floor itself" if FLOOR in desk.slots else ""
    return f": serves {len(desk.tables)} of {whole} tables{floor}"


@get("/api/status", summary="How the floor is doing", responses=REFUSALS)
async def describe_status(state: State) -> FloorStatus:
    services = find_services(state)
    runner = services.runner
    return FloorStatus(
        version=__version__,
        database=services.store.kind,
        tables=sum(services.desk.is_table(name) for name in {*services.desk.slots, *services.desk.elsewhere}),
        people=len(services.desk.house.people),
        connections=len(services.hub.connections),
        rounds=await asyncio.to_thread(_count_rounds, services.store),
        commits=runner.commits,
        failed_commits=runner.failures,
        ledger_imbalance=await runner.find_imbalance(),
        ready=runner.is_ready,
        processes=[] if services.roster is None else describe_processes(services.roster),
    )


def _count_rounds(store: Store) -> int | None:
    try:
        return store.count_rounds()
    except StoreError:
        return None


@get("/metrics", media_type=MediaType.TEXT, summary="Numbers in the text form of Prometheus", responses=REFUSALS)
async def show_metrics(state: State) -> str:
    services = find_services(state)
    runner, hub = services.runner, services.hub
    counters = {
        "commits_total": runner.commits,
        "failed_commits_total": runner.failures,
        "log_rows_total": runner.rows,
        "rounds_total": runner.rounds,
        **{f"commands_{name}_total": count for name, count in hub.answers.items()},
    }
    gauges = {
        "connections": len(hub.connections),
        "tables": len(services.desk.tables),
        "tables_stopped": sum(bool(stream.stopped) for stream in services.desk.tables),
        "ledger_imbalance_grains": await runner.find_imbalance(),
        "ready": int(runner.is_ready),
        "serves_floor": int(FLOOR in services.desk.slots),
        "processes": 1 if services.roster is None else sum(row.alive for row in describe_processes(services.roster)),
        **count_file_checks(services.files),
        **{f'lease_token{{table="{slot.name}"}}': slot.token for slot in services.desk.tables},
    }
    timings = {"commit_seconds": runner.commit_time, "acknowledgement_seconds": hub.answer_time}
    return write_metrics(counters, gauges, timings)


WATCH_HANDLERS: tuple[Any, ...] = (tell_health, tell_readiness, describe_status, show_metrics)
