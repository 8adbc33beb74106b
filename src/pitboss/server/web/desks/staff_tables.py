"""Tables as those see them who act for the house there: who may look, in which roles, and the table as it stands."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from litestar import Request
from litestar.exceptions import HTTPException

from pitboss.floor.desks.school_table import SCHOOL
from pitboss.floor.house import HOUSE_ROLES
from pitboss.floor.live_table import LiveTable
from pitboss.server.live_stream import read_stream
from pitboss.server.reception import Visitor
from pitboss.server.web.services import Services, check_table, find_services, find_visitor


class StaffTable(msgspec.Struct):
    """A table, and in which roles of its book somebody looks at it."""

    services: Services
    visitor: Visitor
    live: LiveTable
    seq: int
    roles: tuple[str, ...]
    """Roles of the book; none for somebody of the staff of the whole floor alone."""

    @property
    def book(self) -> str:
        """The book by which the table is run."""
        return self.live.table.rules.book


async def find_staff_table(request: Request[Any, Any, Any], name: str) -> StaffTable:
    """A table for somebody with a role by its book, or of the whole floor; refuses everybody else."""
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    if name == SCHOOL:
        return _describe_own(services, visitor)
    check_table(services, name)
    stream = services.desk.slots.get(name)
    if stream is None:
        stream = await asyncio.to_thread(read_stream, services.store, services.desk.vault, name)
    live: LiveTable = stream.durable.state
    roles = list_own_roles(visitor, live)
    if not roles and not is_house_staff(visitor):
        raise HTTPException("this is for people who act for the house at this table", status_code=403)
    return StaffTable(services, visitor, live, stream.durable.seq, roles)


def _describe_own(services: Services, visitor: Visitor) -> StaffTable:
    """Somebody's school table, at which they hold every role of the book."""
    table = services.school.find(visitor.name)
    if table is None:
        raise HTTPException("you have no school table now: open one", status_code=404)
    roles = tuple([rung.id for rung in table.live.table.rules.ladder])
    return StaffTable(services, visitor, table.live, table.seq, roles)


def list_own_roles(visitor: Visitor, live: LiveTable) -> tuple[str, ...]:
    """The roles that somebody holds by the book of a table, the lowest first."""
    rules = live.table.rules
    return tuple(sorted((role for role, book in visitor.roles if book == rules.book), key=rules.rank))


def is_house_staff(visitor: Visitor) -> bool:
    """They hold a role of the whole floor."""
    return any(visitor.may_act_as(role) for role in HOUSE_ROLES)
