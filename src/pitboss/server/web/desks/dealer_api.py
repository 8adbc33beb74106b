"""The dealer's seat over HTTP: what comes next, payouts in chips, and a trainee's answers marked.

Cards are keyed in and orders given like everything else, over the WebSocket.
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody

from pitboss.floor.desks.dealer_steps import DealerSeat, describe_seat
from pitboss.floor.desks.trainee import (
    MarkedAnswer,
    TraineeKind,
    TraineeQuestion,
    list_trainee_questions,
    mark_draw,
    mark_order,
    mark_payments,
)
from pitboss.floor.live_table import TableKind
from pitboss.server.web.desks.staff_tables import StaffTable, find_staff_table
from pitboss.server.web.services import REFUSALS


class SeatAnswer(msgspec.Struct):
    """The dealer's seat as the table stands; in training questions come first, and nothing that answers them."""

    seq: int
    kind: TableKind
    book: str
    ladder: list[str]
    """The roles of the book, the dealer first."""
    roles: tuple[str, ...]
    """Those of them that whoever asks holds."""
    seat: DealerSeat | None
    """None in training while a question is open."""
    questions: tuple[TraineeQuestion, ...] = ()


class TraineeAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """What a trainee has decided."""

    kind: TraineeKind
    seq: int
    """The decision of the table after which the question was asked."""
    draw: str = ""
    pay: list[str] = []
    order: str = ""
    role: str = ""


async def _find_seat(request: Request[Any, Any, Any], name: str) -> StaffTable:
    table = await find_staff_table(request, name)
    if table.live.kind is not TableKind.PERSON:
        raise HTTPException("a machine deals at this table", status_code=409)
    return table


@get("/api/tables/{name:str}/seat", summary="What the dealer does next (staff)", responses=REFUSALS)
async def show_seat(
    name: FromPath[str], request: Request[Any, Any, Any], trainee: FromQuery[bool] = False,
    answered: FromQuery[str] = "",
) -> SeatAnswer:  # fmt: skip
    """With `trainee` the questions come before what answers them; `answered` names the kinds that are done."""
    table = await _find_seat(request, name)
    rules = table.live.table.rules
    questions = list_trainee_questions(table.live) if trainee else ()
    done = answered.split()
    open_ones = tuple([question for question in questions if question.kind not in done])[:1]
    seat = None if open_ones else describe_seat(table.live)
    ladder = [rung.id for rung in rules.ladder]
    return SeatAnswer(table.seq, table.live.kind, rules.book, ladder, table.roles, seat, open_ones)


@post(
    "/api/tables/{name:str}/seat/answers", summary="Have a trainee's answer marked (staff)", status_code=200,
    responses=REFUSALS,
)  # fmt: skip
async def mark_trainee_answer(
    name: FromPath[str], data: JSONBody[TraineeAnswer], request: Request[Any, Any, Any]
) -> list[MarkedAnswer]:
    table = await _find_seat(request, name)
    if data.seq != table.seq:
        raise HTTPException("the table has gone on: the question is another now", status_code=409)
    match data.kind:
        case "draw":
            return list(mark_draw(table.live, data.draw))
        case "pay":
            return list(mark_payments(table.live, tuple(data.pay)))
        case "order":
            return list(mark_order(table.live, data.order, data.role))


DEALER_HANDLERS: tuple[Any, ...] = (show_seat, mark_trainee_answer)
