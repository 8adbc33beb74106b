"""The supervisor's desk over HTTP: every table at a glance, what waits, the orders one may give, what they would do.

Nothing is decided here: orders go to their table over the WebSocket or `POST /api/tables/NAME/commands`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.floor.desks.order_forms import OrderForm, list_order_forms
from pitboss.floor.desks.order_preview import OrderPreview, preview_order
from pitboss.floor.desks.round_so_far import RoundSoFar, describe_round
from pitboss.floor.desks.waiting_matters import WaitingMatter, list_matters
from pitboss.floor.documents import PublicTable, describe_public
from pitboss.floor.ledger import Unit, float_of, from_grains
from pitboss.floor.live_decisions import Asking
from pitboss.floor.live_table import LiveTable, TableKind, convert_command
from pitboss.money import ZERO, Money
from pitboss.server.live_stream import LiveStream, read_stream
from pitboss.server.reception import Visitor
from pitboss.server.web.desks.staff_tables import find_staff_table, is_house_staff, list_own_roles
from pitboss.server.web.services import REFUSALS, Services, find_services, find_visitor
from pitboss.table.messages.askers import Asker


class WallTable(msgspec.Struct):
    """A table on the wall of the desk."""

    name: str
    book: str
    roles: tuple[str, ...]
    """In which one may act there, the lowest first."""
    seq: int
    public: PublicTable
    waits: tuple[WaitingMatter, ...]
    staked: Money
    table_float: Money
    """What the table has to pay from."""
    dealer: str
    restricted: list[str]
    """Who is barred or held to something here, in words."""
    stopped: str


class DeskAnswer(msgspec.Struct):
    """What one supervisor sees."""

    tables: list[WallTable]
    house_roles: list[str]
    """Roles of the whole floor that they hold."""


class PreviewRequest(msgspec.Struct, forbid_unknown_fields=True):
    """An order that somebody wants to see before they give it."""

    command: dict[str, Any]
    role: str


@get("/api/desk", summary="The tables at which I act for the house, and what waits there", responses=REFUSALS)
async def show_desk(request: Request[Any, Any, Any]) -> DeskAnswer:
    """Tables of the books by which one holds a role; all of them for the staff of the whole floor."""
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    desk = services.desk
    names = sorted(name for name in {*desk.slots, *desk.elsewhere} if desk.is_table(name))
    staff = is_house_staff(visitor)
    tables: list[WallTable] = []
    if visitor.roles:
        for name in names:
            stream = desk.slots.get(name)
            if stream is None:
                stream = await asyncio.to_thread(read_stream, services.store, desk.vault, name)
            if stream.durable.seq and (staff or list_own_roles(visitor, stream.durable.state)):
                tables.append(_describe_table(visitor, stream))
    await asyncio.to_thread(_count_floats, services, tables)
    house = sorted(role for role, book in visitor.roles if not book)
    return DeskAnswer(tables, house)


def _count_floats(services: Services, tables: list[WallTable]) -> None:
    """What each table has to pay from, as it is stored: another process may serve it."""
    known = services.store.read_some_balances([float_of(table.name) for table in tables])
    for table in tables:
        unit = Unit.PLAY if table.public.kind is TableKind.PRACTICE else Unit.CHIP
        table.table_float = from_grains(known.get((float_of(table.name), unit), 0))


def _describe_table(visitor: Visitor, stream: LiveStream) -> WallTable:
    live: LiveTable = stream.durable.state
    return WallTable(
        name=live.name, book=live.table.rules.book, roles=list_own_roles(visitor, live), seq=stream.durable.seq,
        public=describe_public(live), waits=list_matters(live), staked=sum(live.staked.chips.values(), ZERO),
        table_float=ZERO, dealer=live.table.floor.dealer, restricted=_list_restricted(live),
        stopped=stream.stopped,
    )  # fmt: skip


def _list_restricted(live: LiveTable) -> list[str]:
    floor = live.table.floor
    found = [f"{player} is barred" for player in floor.barred]
    for item in floor.restrictions:
        found.append(f"{item.player} is held to {'one box at ' if item.one_box else ''}the minimum")
    for own in floor.personal:
        found.append(f"{own.player} has limits of their own: {own.minimum} to {own.maximum}")
    return found


@get(
    "/api/tables/{name:str}/order-forms", summary="The orders that may be given at a table (staff)", responses=REFUSALS
)
async def show_order_forms(name: FromPath[str], request: Request[Any, Any, Any]) -> list[OrderForm]:
    """Each with its powers by the book; their fields are in the published schemas."""
    table = await find_staff_table(request, name)
    return list(list_order_forms(table.live, table.roles))


@post(
    "/api/tables/{name:str}/preview", summary="What an order would do, without giving it (staff)", status_code=200,
    responses=REFUSALS,
)  # fmt: skip
async def preview_table_order(
    name: FromPath[str], data: JSONBody[PreviewRequest], request: Request[Any, Any, Any]
) -> OrderPreview:
    """It is worked out on a copy of the table; nothing is kept."""
    table = await find_staff_table(request, name)
    if data.role not in table.roles:
        raise HTTPException("you do not hold this role here", status_code=403)
    by = Asker(data.role, table.visitor.name)
    command = convert_command(data.command, by)
    second = table.services.desk.house.second_person
    above, within = (None, 0) if second is None else (second.above, second.within_ms)
    asking = Asking(command, by, table.services.desk.clock(), second_above=above, second_within_ms=within)
    return await asyncio.to_thread(preview_order, table.live, asking, table.seq, table.services.desk.house)


@get(
    "/api/tables/{name:str}/round-so-far", summary="What orders about this round can point at (staff)",
    responses=REFUSALS,
)  # fmt: skip
async def show_round_so_far(name: FromPath[str], request: Request[Any, Any, Any]) -> RoundSoFar:
    """Decisions by box and number, cards by number, places of the deal."""
    table = await find_staff_table(request, name)
    return await asyncio.to_thread(describe_round, table.live.table)


SUPERVISOR_HANDLERS: tuple[Any, ...] = (show_desk, show_order_forms, preview_table_order, show_round_so_far)
