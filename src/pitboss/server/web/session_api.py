"""Where somebody is signed in, and how they end it."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.params import JSONBody

from pitboss.floor import house_messages as hm
from pitboss.server.reception import name_session
from pitboss.server.web.services import REFUSALS, find_services, find_visitor, limit_rate
from pitboss.table.messages.askers import PLAYER, Asker


class OwnSession(msgspec.Struct):
    """One session of somebody's own."""

    id: str
    began_ms: int
    seen_ms: int
    """When it was last used, about to the minute."""
    until_ms: int
    this: bool
    """The one in which this is asked."""


class EndSessionsRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Sessions to end, by their ids, or all of them; the password once more, unless one has signed in just now."""

    ids: list[str] = []
    all: bool = False
    password: str = ""


async def _list_own(request: Request[Any, Any, Any]) -> list[OwnSession]:
    visitor = await find_visitor(request)
    rows = await find_services(request.app.state).reception.list_sessions(visitor.name)
    return [
        OwnSession(
            (name := name_session(row.token_hash)), row.began_ms, max(row.seen_ms, row.began_ms), row.until_ms,
            name == visitor.session,
        )
        for row in rows
    ]  # fmt: skip


@get("/api/sessions", summary="Where I am signed in", responses=REFUSALS)
async def list_own_sessions(request: Request[Any, Any, Any]) -> list[OwnSession]:
    """The newest first."""
    return await _list_own(request)


@post("/api/sessions/end", summary="End sessions of mine: some, or all", status_code=200, responses=REFUSALS)
async def end_own_sessions(data: JSONBody[EndSessionsRequest], request: Request[Any, Any, Any]) -> None:
    """With `all` this one ends as well."""
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    limit_rate(services, f"sign-in {visitor.name[:40]}", services.bounds.sign_ins_per_minute)
    await services.reception.prove(visitor, data.password)
    if data.all:
        command = hm.EndSessions(name=visitor.name)
        await services.reception.must(Asker(PLAYER, visitor.name), command)
    else:
        for session in data.ids:
            await services.reception.end_session(visitor.name, session)
        services.hub.drop_person(visitor.name)
    services.logbook.info("sessions ended", person=visitor.name, all=data.all, count=len(data.ids))


SESSION_HANDLERS: tuple[Any, ...] = (list_own_sessions, end_own_sessions)
