"""What staff read over HTTP, and second factors: the inbox, who did what, orders that wait, disputes.

What they do goes the same ways as everything else: to a table, or to the floor.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from pitboss.floor.house import HOUSE_ROLES
from pitboss.floor.house_state import InboxNotice, TakenDispute
from pitboss.floor.live_table import LiveTable, OrderAsked
from pitboss.floor.staff_actions import StaffAction
from pitboss.server.live_stream import read_stream
from pitboss.server.reception import Visitor
from pitboss.server.stream_log import list_staff_actions
from pitboss.server.web.services import REFUSALS, act_as, check_table, find_services, find_visitor, limit_rate

MOST_ACTIONS = 500


class FactorOffer(msgspec.Struct):
    """The secret of a new second factor, to be typed or read from a picture of the link."""

    secret: str
    link: str


class FactorRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The password once more, unless one has signed in just now."""

    password: str = ""


class CodeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A code of a second factor."""

    code: str


class RecoveryCodes(msgspec.Struct):
    """Codes for the day the telephone is lost, good once each."""

    recovery: list[str]


class WaitingOrder(msgspec.Struct):
    """An order that waits for a second person."""

    number: int
    order: dict[str, Any]
    asked_by: str
    role: str
    amount: str
    until_ms: int


@post("/api/second-factor", summary="Get the secret of a second factor", status_code=200, responses=REFUSALS)
async def offer_factor(data: JSONBody[FactorRequest], request: Request[Any, Any, Any]) -> FactorOffer:
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    limit_rate(services, f"sign-in {visitor.name[:40]}", services.bounds.sign_ins_per_minute)
    await services.reception.prove(visitor, data.password)
    return FactorOffer(*await services.reception.offer_factor(visitor.name))


@post(
    "/api/second-factor/confirm", summary="Show the first code of a second factor", status_code=200, responses=REFUSALS
)
async def confirm_factor(data: JSONBody[CodeRequest], request: Request[Any, Any, Any]) -> RecoveryCodes:
    """From then on one signs in with it; sessions that began before hold no role where it is required."""
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    limit_rate(services, f"code {visitor.name}", services.bounds.codes_per_minute)
    return RecoveryCodes(await services.reception.confirm_factor(visitor.name, data.code))


@get("/api/inbox", summary="What the inspector or surveillance was told (inspector, surveillance)", responses=REFUSALS)
async def read_inbox(request: Request[Any, Any, Any], role: FromQuery[str] = "inspector") -> list[InboxNotice]:
    """The newest first; receipt is confirmed by a command of the floor."""
    by = act_as(await find_visitor(request), role)
    notices = find_services(request.app.state).desk.house.notices.values()
    return [notice for notice in reversed(notices) if notice.body == by.role]


@get(
    "/api/actions", summary="What people of the house did (administrator, inspector, surveillance)", responses=REFUSALS
)
async def list_actions(
    request: Request[Any, Any, Any], person: FromQuery[str] = "", stream: FromQuery[str] = "",
    last: Annotated[int, QueryParameter(ge=1, le=MOST_ACTIONS)] = 100,
) -> list[StaffAction]:  # fmt: skip
    """The newest first, with actor, role, reason and clauses."""
    _require_house_role(await find_visitor(request))
    services = find_services(request.app.state)

    vault = services.desk.vault
    return await asyncio.to_thread(list_staff_actions, services.store, vault, last, person, stream)


def _require_house_role(visitor: Visitor) -> None:
    if not any(visitor.may_act_as(role) for role in HOUSE_ROLES):
        raise HTTPException(f"this is for {', '.join(HOUSE_ROLES)}", status_code=403)


@get(
    "/api/tables/{name:str}/orders",
    summary="Orders of a table that wait for a second person (staff)",
    responses=REFUSALS,
)
async def list_waiting_orders(name: FromPath[str], request: Request[Any, Any, Any]) -> list[WaitingOrder]:
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    check_table(services, name)
    stream = services.desk.slots.get(name)
    if stream is None:
        stream = await asyncio.to_thread(read_stream, services.store, services.desk.vault, name)
    live: LiveTable = stream.durable.state
    if not any(book == live.table.rules.book for _, book in visitor.roles):
        _require_house_role(visitor)
    return [_describe_waiting(asked) for asked in live.asked_orders]


def _describe_waiting(asked: OrderAsked) -> WaitingOrder:
    order: dict[str, Any] = msgspec.to_builtins(asked.order)
    return WaitingOrder(asked.number, order, asked.by.name, asked.by.role, str(asked.amount), asked.until_ms)


@get(
    "/api/disputes",
    summary="Disputes that were taken further: one's own, or all (staff of the floor)",
    responses=REFUSALS,
)
async def list_disputes(request: Request[Any, Any, Any]) -> list[TakenDispute]:
    visitor = await find_visitor(request)
    everything = any(visitor.may_act_as(role) for role in HOUSE_ROLES)
    disputes = find_services(request.app.state).desk.house.disputes.values()
    return [dispute for dispute in disputes if everything or dispute.player == visitor.name]


STAFF_HANDLERS: tuple[Any, ...] = (
    offer_factor, confirm_factor, read_inbox, list_actions, list_waiting_orders, list_disputes,
)  # fmt: skip
