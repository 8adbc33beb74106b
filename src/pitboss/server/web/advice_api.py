"""Exact advice over HTTP, for whoever practises without a WebSocket: the same question, the same answer."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, JSONBody

from pitboss.server.messages import AskAdvice, Complaint, GivenAdvice, RefusedAsk
from pitboss.server.robots.coach import PATIENCE_S
from pitboss.server.web.services import REFUSALS, check_table, converse, find_services, find_visitor, limit_rate

_ANSWER: msgspec.json.Decoder[GivenAdvice | RefusedAsk | Complaint] = msgspec.json.Decoder(
    GivenAdvice | RefusedAsk | Complaint
)


class AdviceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The box whose decision is asked about; without, the one that is due."""

    box: str | None = None
    id: str = "advice"
    """The client's own, which comes back with the answer."""


@post(
    "/api/tables/{name:str}/advice",
    summary="What a decision at a practice table is worth; refused at tables in service",
    status_code=200,
    responses=REFUSALS,
)
async def advise(
    name: FromPath[str], data: JSONBody[AdviceRequest], request: Request[Any, Any, Any]
) -> GivenAdvice | RefusedAsk:
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    check_table(services, name)
    limit_rate(services, f"advice {visitor.name}", services.bounds.advice_per_minute)
    question = AskAdvice(data.id, name, data.box)
    answer = _ANSWER.decode(await converse(services, visitor, question, seconds=PATIENCE_S + 5))
    if isinstance(answer, Complaint):
        raise HTTPException(answer.reason, status_code=400)
    return answer
