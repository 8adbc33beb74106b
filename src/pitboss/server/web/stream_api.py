"""The HTTP interface of streams that are no tables: which there are, what they show, what people ask, and what happened
on them in sentences."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from pitboss.floor.desks.draft_terms import draft_terms
from pitboss.floor.served.kind_stream import begin_kind, find_served_kind, get_kind
from pitboss.server.messages import (
    Acknowledged,
    AskStream,
    Complaint,
    ListStreams,
    NotStored,
    RefusedAsk,
    StreamLine,
    StreamList,
    StreamShown,
    WatchStream,
)
from pitboss.server.reception import Visitor
from pitboss.server.stream_log import read_kind_events
from pitboss.server.web.services import REFUSALS, Services, converse, find_services, find_visitor
from pitboss.server.web.socket import read_token
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER, Asker

MOST_TOLD = 500
LAST_SEQ = 2**53 - 1
MOST_NAMED = 64


class StreamRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A command for a stream."""

    id: str
    command: dict[str, Any]
    role: str = PLAYER
    book: str = ""
    """Whoever opens a stream with its first command names its book."""


class ToldSentence(msgspec.Struct):
    """One thing that happened, in words, with its clauses."""

    sentence: str
    clauses: tuple[str, ...]


class ToldRow(msgspec.Struct):
    """A decision of a stream, as far as the reader may know it."""

    seq: int
    at_ms: int
    by: str
    """The role in which it was asked."""
    said: list[ToldSentence]


async def _find_reader(request: Request[Any, Any, Any]) -> Visitor:
    """Who reads: whoever is signed in, or a spectator."""
    token = read_token(request.scope)  # type: ignore[arg-type]
    return await find_visitor(request) if token else Visitor("", staff=False)


def _read(text: bytes, kind: type[Any]) -> Any:
    """What a stream has said."""
    answer = msgspec.json.decode(text, type=kind | Complaint)
    if isinstance(answer, Complaint):
        raise HTTPException(answer.reason, status_code=403 if "role" in answer.reason else 404)
    return answer


def _name_stream(kind: str, name: str) -> str:
    stream = f"{kind} {name}"
    if find_served_kind(stream) is None or " " in name:
        raise HTTPException(f"there is no {kind[:40]} {name[:40]}", status_code=404)
    return stream


@get("/api/streams", summary="Meter systems, tournaments, promotions: all streams but tables", responses=REFUSALS)
async def list_streams(request: Request[Any, Any, Any]) -> list[StreamLine]:
    services = find_services(request.app.state)
    said = await converse(services, await _find_reader(request), ListStreams())
    return list(_read(said, StreamList).streams)


@get("/api/streams/{kind:str}/{name:str}", summary="A stream as the reader may see it", responses=REFUSALS)
async def show_stream(
    kind: FromPath[str], name: FromPath[str], request: Request[Any, Any, Any], role: FromQuery[str] = PLAYER
) -> Response[StreamShown]:
    services = find_services(request.app.state)
    visitor = await _find_reader(request)
    said = await converse(services, visitor, WatchStream(_name_stream(kind, name), role))
    _read(said, StreamShown)
    body: Any = said
    return Response(body, media_type=MediaType.JSON)


@post(
    "/api/streams/{kind:str}/{name:str}/commands", summary="Ask something of a stream; the first who does opens it",
    status_code=200, responses=REFUSALS,
)  # fmt: skip
async def ask_stream(
    kind: FromPath[str], name: FromPath[str], data: JSONBody[StreamRequest], request: Request[Any, Any, Any]
) -> Acknowledged | RefusedAsk | NotStored:  # fmt: skip
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    asked = AskStream(data.id, _name_stream(kind, name), data.command, data.role, data.book)
    said = await converse(services, visitor, asked)
    answer: Acknowledged | RefusedAsk | NotStored = _read(said, Acknowledged | RefusedAsk | NotStored)  # type: ignore[arg-type]
    return answer


@get(
    "/api/streams/{kind:str}/{name:str}/history", summary="What happened on a stream, in sentences",
    responses=REFUSALS,
)  # fmt: skip
async def tell_stream(
    kind: FromPath[str], name: FromPath[str], request: Request[Any, Any, Any], role: FromQuery[str] = PLAYER,
    after: Annotated[int, QueryParameter(ge=0, le=LAST_SEQ)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_TOLD)] = 100,
) -> list[ToldRow]:  # fmt: skip
    """Whoever holds a role at the floor reads all of it; players and spectators what the kind lets them know."""
    services = find_services(request.app.state)
    visitor = await _find_reader(request)
    return await asyncio.to_thread(_tell, services, _name_stream(kind, name), visitor, role, after, limit)


def _tell(services: Services, stream: str, visitor: Visitor, role: str, after: int, limit: int) -> list[ToldRow]:
    kind, found = get_kind(stream), []
    by: Asker | None = Asker(PLAYER, visitor.name) if role == PLAYER else None
    for row, before, events in read_kind_events(services.store, services.desk.vault, stream, after, limit):
        asked = events[0]
        if by is None:
            by = services.hub.streams.find_stream_asker(visitor.name, visitor.staff, role, asked.book)
            if by is None:
                raise HTTPException(f"you do not hold the role {role[:40]} here", status_code=403)
        state = begin_kind(stream, asked.book).state if before is None else before.state
        said = []
        for event in events[1:]:
            if kind.is_told(state, event, by):
                said += [ToldSentence(one.sentence, one.clauses) for one in kind.narrate(state, event)]
            state = kind.evolve(state, event, row.at_ms)
        if said:
            found.append(ToldRow(row.seq, row.at_ms, row.role, said))
    return found


@get("/api/kinds/{kind:str}", summary="What can be asked of a kind of stream, as JSON Schemas", responses=REFUSALS)
async def describe_kind(kind: FromPath[str]) -> dict[str, Any]:
    found = find_served_kind(f"{kind} x")
    if found is None:
        raise HTTPException(f"there is no kind {kind[:40]}", status_code=404)
    schemas, components = msgspec.json.schema_components(found.commands.values(), ref_template="#/$defs/{name}")
    return {"commands": dict(zip(found.commands, schemas, strict=True)), "$defs": components}


class DraftText(msgspec.Struct):
    """A file to begin with."""

    text: str


@get("/api/kinds/{kind:str}/draft", summary="Terms to begin with: all that the book asks for", responses=REFUSALS)
async def draft_document(
    kind: FromPath[str], book: Annotated[str, QueryParameter(max_length=MOST_NAMED)],
    name: Annotated[str, QueryParameter(max_length=MOST_NAMED)] = "",
) -> DraftText:  # fmt: skip
    try:
        return DraftText(await asyncio.to_thread(draft_terms, kind, book, name))
    except Refused as refused:
        raise HTTPException(refused.reason, status_code=404) from None


STREAM_HANDLERS: tuple[Any, ...] = (list_streams, show_stream, ask_stream, tell_stream, describe_kind, draft_document)
