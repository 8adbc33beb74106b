"""School tables over HTTP: somebody deals alone, at a table that is theirs and on which nothing depends.

What a desk shows of such a table (the seat, answers marked, orders and what they would do) is asked for as of every
other, under the name that school tables have.
"""

from __future__ import annotations

import secrets
from typing import Any

from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import JSONBody

from pitboss.floor.desks.school_table import (
    SCHOOL,
    SchoolAnswer,
    SchoolMove,
    SchoolTable,
    SchoolWish,
    describe_school,
    make_move,
    open_school,
)
from pitboss.server.messages import RefusedAsk
from pitboss.server.web.services import REFUSALS, Services, find_services, find_visitor, limit_rate
from pitboss.table import Refusal

MOVES_PER_MINUTE = 600
SEED_BYTES = 32


def find_school_table(services: Services, person: str) -> SchoolTable:
    """The school table of a person; refuses where they have none."""
    table = services.school.find(person)
    if table is None:
        raise HTTPException("you have no school table now: open one", status_code=404)
    return table


@post("/api/school", summary="Open my school table", status_code=200, responses=REFUSALS)
async def open_school_table(data: JSONBody[SchoolWish], request: Request[Any, Any, Any]) -> SchoolAnswer:
    """It takes the place of the one that was there."""
    services, visitor = find_services(request.app.state), await find_visitor(request)
    limit_rate(services, f"school {visitor.name}", MOVES_PER_MINUTE)
    table = open_school(visitor.name, data, secrets.token_bytes(SEED_BYTES), services.desk.clock())
    services.school.keep(table)
    return describe_school(table)


@get("/api/school", summary="My school table", responses=REFUSALS)
async def show_school_table(request: Request[Any, Any, Any]) -> SchoolAnswer | None:
    """Nothing where there is none."""
    visitor = await find_visitor(request)
    table = find_services(request.app.state).school.find(visitor.name)
    return None if table is None else describe_school(table)


@post("/api/school/moves", summary="Do something at my school table", status_code=200, responses=REFUSALS)
async def move_at_school(data: JSONBody[SchoolMove], request: Request[Any, Any, Any]) -> SchoolAnswer | RefusedAsk:
    """A command in a role of the book, or the next card out of the school's own shoe."""
    services, visitor = find_services(request.app.state), await find_visitor(request)
    limit_rate(services, f"school {visitor.name}", MOVES_PER_MINUTE)
    answer = make_move(find_school_table(services, visitor.name), data, services.desk.clock())
    if isinstance(answer, Refusal):
        return RefusedAsk("", SCHOOL, answer.reason, answer.clauses, answer.legal)
    services.school.keep(answer)
    return describe_school(answer)


SCHOOL_HANDLERS: tuple[Any, ...] = (open_school_table, show_school_table, move_at_school)
