"""What every request is answered with: the services behind the application, who asks, and how often they may."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec
from litestar import Request
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from pitboss.server.desk import Desk
from pitboss.server.hub import Connection, Hub
from pitboss.server.inspection.file_check import FileCheck
from pitboss.server.lab.lab_desk import LabDesk
from pitboss.server.library.used_clauses import UsedClauses
from pitboss.server.logbook import Logbook
from pitboss.server.messages import StreamMessage, TableLine, TableMessage
from pitboss.server.people.school_room import SchoolRoom
from pitboss.server.processes.relay import Relay
from pitboss.server.processes.roster import Roster
from pitboss.server.reception import ANSWER_S, SESSION_MS, Reception, Unavailable, Visitor
from pitboss.server.robots.coach import Coach
from pitboss.server.runner import Runner
from pitboss.server.site.edge_book import EdgeBook
from pitboss.server.storage.store import Store
from pitboss.server.web.bounds import Bounds, Buckets
from pitboss.server.web.socket import COOKIE, SECURE_COOKIE, is_encrypted, read_token
from pitboss.table.messages.askers import Asker

LINES_S = 1.0
"""How long other processes are waited for when the tables are listed."""


class Reason(msgspec.Struct):
    """Why a request was not answered, in one line."""

    reason: str


REFUSALS = {
    code: ResponseSpec(Reason, generate_examples=False, description=description)
    for code, description in (
        (400, "this is not such a request"),
        (401, "nobody is signed in, or name and password do not match"),
        (403, "you may not, or the request comes from another site"),
        (404, "there is no such thing"),
        (405, "this cannot be done here"),
        (409, "the floor has refused it"),
        (413, "too large"),
        (415, "this is not JSON"),
        (421, "this floor has another name"),
        (429, "too many: wait a moment"),
        (503, "the floor cannot store anything now"),
    )
}
"""What any request may be answered with instead."""


class Services(msgspec.Struct):
    """Everything that requests are answered with."""

    desk: Desk
    store: Store
    hub: Hub
    reception: Reception
    runner: Runner
    bounds: Bounds
    files: FileCheck
    coach: Coach
    edges: EdgeBook
    logbook: Logbook = msgspec.field(default_factory=Logbook)
    relay: Relay | None = None
    """The way to tables that other processes serve, where there are others."""
    roster: Roster | None = None
    lab: LabDesk | None = None
    """The lab, where the floor has one."""
    used_clauses: UsedClauses | None = None
    """Where clauses were used at this floor, as far as somebody has asked."""
    school: SchoolRoom = msgspec.field(default_factory=SchoolRoom)
    """Where people deal for themselves, to learn it."""
    secure: bool = False
    """Cookies go over HTTPS only, whatever a request came by."""
    buckets: Buckets = msgspec.field(default_factory=Buckets)
    """How often people came in or tried to, by what and whom."""


def find_services(state: State) -> Services:
    """Everything that requests are answered with."""
    found: Services = state.services
    return found


async def find_visitor(request: Request[Any, Any, Any], *, first_days: bool = False) -> Visitor:
    """Who is signed in; `first_days`: also with a password that somebody else has chosen."""
    token = read_token(request.scope)  # type: ignore[arg-type]
    if not token:
        raise HTTPException("you are not signed in", status_code=401)
    visitor = await find_services(request.app.state).reception.find_visitor(token)
    if visitor.must_change and not first_days:
        raise HTTPException("choose a password of your own first", status_code=403)
    return visitor


def make_cookie(services: Services, request: Request[Any, Any, Any], token: str) -> Cookie:
    """The cookie of a session; it goes over HTTPS only, but to a floor that only this machine can reach."""
    secure = services.secure or is_encrypted(request.scope)  # type: ignore[arg-type]
    return Cookie(
        key=SECURE_COOKIE if secure else COOKIE, value=token, httponly=True, samesite="strict", secure=secure,
        path="/", max_age=SESSION_MS // 1000,
    )  # fmt: skip


def check_table(services: Services, name: str) -> None:
    """Refuse the name of a table that is not open, here or elsewhere."""
    stream = services.desk.slots.get(name)
    if not services.desk.is_table(name) or (stream is not None and not stream.durable.seq):
        raise HTTPException(f"there is no table {name[:40]}", status_code=404)


async def converse(
    services: Services, visitor: Visitor, message: TableMessage | StreamMessage, seconds: float = ANSWER_S
) -> bytes:  # fmt: skip
    """The first thing that a stream, wherever it is served, says to one message."""
    answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def hear() -> None:
        if not answer.done():
            answer.set_result(connection.waiting[0])

    def drop(reason: str) -> None:
        if not answer.done():
            answer.set_exception(Unavailable(reason))

    connection = Connection(visitor.name, hear, drop, staff=visitor.staff)
    try:
        services.hub.hear(connection, msgspec.json.encode(message))
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise Unavailable("nobody serves this table just now") from None
    finally:
        services.hub.leave(connection)


async def list_lines(services: Services) -> list[TableLine]:
    """Every table, here and at the other processes; of one that does not answer, what it last said."""
    if services.relay is None:
        return services.hub.list_lines()
    heard: asyncio.Queue[None] = asyncio.Queue()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINES_S):
            for _ in range(services.relay.ask_lines(lambda: heard.put_nowait(None))):
                await heard.get()
    return services.relay.list_lines()


def limit_rate(services: Services, name: str, per_minute: int) -> None:
    """Refuse what comes too often."""
    if not services.buckets.take(name, per_minute / 60, per_minute, services.desk.clock()):
        raise HTTPException("too many of these: wait a moment", status_code=429)


def act_as(visitor: Visitor, role: str) -> Asker:
    """Somebody in a role that they hold."""
    if not visitor.may_act_as(role):
        raise HTTPException(f"you do not hold the role {role[:40]}", status_code=403)
    return Asker(role, visitor.name)
