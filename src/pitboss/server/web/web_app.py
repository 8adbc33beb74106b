"""The HTTP side of a floor, as a Litestar application, and the ASGI application that the server runs.

People sign in here and read here: tables, rounds, their own chips. Tables take commands over HTTP too, but play goes
over the WebSocket. The OpenAPI description is at /schema/openapi.json, the schemas of messages at
/api/schemas.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, delete, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath, JSONBody, QueryParameter

from pitboss import __version__
from pitboss.errors import PitbossError
from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor.documents import PublicTable, describe_public, list_visible
from pitboss.floor.ledger import Unit, from_grains, wallet
from pitboss.floor.telling.table_log import tell_table
from pitboss.money import Money
from pitboss.server.live_stream import Answer, NotDone
from pitboss.server.messages import (
    Acknowledged,
    AskTable,
    Complaint,
    NotStored,
    RefusedAsk,
    SeenEvents,
    TableLine,
    Watch,
    describe_messages,
)
from pitboss.server.reception import ANSWER_S, SignedOut, Unavailable, Visitor, wait_for_answer
from pitboss.server.site.lobby_api import LOBBY_HANDLERS
from pitboss.server.site.round_api import ROUND_HANDLERS
from pitboss.server.site.site import SiteAnswer, find_site
from pitboss.server.storage.rows import FLOOR, RoundRow
from pitboss.server.stream_log import read_events
from pitboss.server.web.advice_api import advise
from pitboss.server.web.bounds import OWN_SITES, is_known_host, is_own_origin
from pitboss.server.web.complaints import complain
from pitboss.server.web.desks.audit_api import AUDIT_HANDLERS
from pitboss.server.web.desks.dealer_api import DEALER_HANDLERS
from pitboss.server.web.desks.drill_api import DRILL_HANDLERS
from pitboss.server.web.desks.school_api import SCHOOL_HANDLERS
from pitboss.server.web.desks.supervisor_api import SUPERVISOR_HANDLERS
from pitboss.server.web.inspection_api import INSPECTION_HANDLERS
from pitboss.server.web.office_pages import PAGE_HANDLERS, change_own_password, end_session_of_before, sign_in
from pitboss.server.web.services import (
    REFUSALS,
    Services,
    act_as,
    check_table,
    converse,
    find_services,
    find_visitor,
    limit_rate,
    list_lines,
    make_cookie,
)
from pitboss.server.web.session_api import SESSION_HANDLERS
from pitboss.server.web.socket import (
    Receive,
    Scope,
    Send,
    SocketHandler,
    find_address,
    is_encrypted,
    read_header,
    read_token,
)
from pitboss.server.web.staff_api import STAFF_HANDLERS
from pitboss.server.web.stream_api import STREAM_HANDLERS
from pitboss.server.web.study.lab_api import LAB_HANDLERS
from pitboss.server.web.study.library_api import LIBRARY_HANDLERS
from pitboss.server.web.watch_api import WATCH_HANDLERS
from pitboss.table import Refusal
from pitboss.table.messages.askers import PLAYER, Asker
from pitboss.table.views import Observer, Viewer

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
MOST_ROWS = 500
MOST_ROUNDS = 100
MOST_SEQ = 2**53 - 1
"""No stream is as long, and no round has a higher number: it is what every client can count to."""
SECURITY_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NOT_KEPT = (b"cache-control", b"no-store")
"""What every answer says that does not say itself how long it may be kept."""
OVER_TLS = {"strict-transport-security": "max-age=63072000; includeSubDomains"}
"""What browsers are told beside, where a request came over TLS."""
CLEAR = {"clear-site-data": '"cookies", "storage", "cache"'}


# ---------------------------------------------------------------------- what comes in and goes out


class GuestRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A guest comes in, under a name if they like."""

    name: str = ""


class SignInRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A name and its password; whoever has a second factor gives a code of it, or a recovery code."""

    name: str
    password: str
    code: str = ""


class PersonRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A name, a password, and why somebody gets an account."""

    name: str
    password: str
    reason: str = ""


class PasswordRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Whose password is to be which; for one's own, the one of before, too."""

    name: str
    password: str
    current: str = ""
    reason: str = ""


class HouseRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A command for the floor itself."""

    id: str
    command: dict[str, Any]
    role: str = ho.ADMINISTRATOR


class OwnAccount(msgspec.Struct):
    """Who somebody is, and what they have."""

    name: str
    chips: Money
    """In the wallet; what lies at tables is not counted."""
    roles: list[tuple[str, str]]
    """Role and book."""
    needs_second_factor: bool
    """Their roles count once they have signed in with a second factor."""
    needs_new_password: bool
    """Somebody else has chosen their password: until they have chosen another, nothing else is open to them."""


class TableAnswer(msgspec.Struct):
    """A table as everybody sees it, and the number of its last decision."""

    seq: int
    public: PublicTable


class RoundAnswer(msgspec.Struct):
    """A round that is over."""

    table: str
    number: int
    revision: int
    """How often it was put right after its end."""
    first_seq: int
    last_seq: int
    rules_digest: str
    code_digest: str
    record: str


async def _describe_newcomer(services: Services, request: Request[Any, Any, Any], token: str) -> Response[OwnAccount]:
    """Who has just come in, and the cookie of their session."""
    visitor = await services.reception.find_visitor(token)
    return Response(await _describe_visitor(services, visitor), cookies=[make_cookie(services, request, token)])


# ---------------------------------------------------------------------- people


@post("/api/guests", summary="Come in as a guest with play chips", responses=REFUSALS)
async def admit_guest(data: JSONBody[GuestRequest], request: Request[Any, Any, Any]) -> Response[OwnAccount]:
    services = find_services(request.app.state)
    limit_rate(services, "guests", services.bounds.guests_per_minute)
    token = await services.reception.admit_guest(data.name)
    await end_session_of_before(services, request)
    answer = await _describe_newcomer(services, request, token)
    address = find_address(request.scope)  # type: ignore[arg-type]
    services.logbook.info("signed in", person=answer.content.name, how="as a guest", address=address)
    return answer


@post("/api/sessions", summary="Sign in", responses=REFUSALS)
async def sign_in_by_name(data: JSONBody[SignInRequest], request: Request[Any, Any, Any]) -> Response[OwnAccount]:
    services = find_services(request.app.state)
    token = await sign_in(services, request, data.name, data.password, data.code)
    return await _describe_newcomer(services, request, token)


@delete("/api/sessions", summary="Sign out", responses=REFUSALS, response_headers=CLEAR)
async def sign_out(request: Request[Any, Any, Any]) -> None:
    services = find_services(request.app.state)
    person = await services.reception.sign_out(read_token(request.scope))  # type: ignore[arg-type]
    if person:
        services.hub.drop_person(person)


@get("/api/me", summary="Who I am and what I have", responses=REFUSALS)
async def describe_me(request: Request[Any, Any, Any]) -> OwnAccount:
    return await _describe_visitor(find_services(request.app.state), await find_visitor(request, first_days=True))


@get("/api/visitor", summary="Who I am, or nobody: for pages that strangers open, too", responses=REFUSALS)
async def describe_visitor(request: Request[Any, Any, Any]) -> OwnAccount | None:
    try:
        return await _describe_visitor(find_services(request.app.state), await find_visitor(request, first_days=True))
    except (HTTPException, SignedOut):
        return None


async def _describe_visitor(services: Services, visitor: Visitor) -> OwnAccount:
    balances, account = services.desk.balances, (wallet(visitor.name), Unit.CHIP)
    if services.desk.shared:
        balances = await asyncio.to_thread(services.store.read_some_balances, [account[0]])
    chips = balances.get(account, 0)
    return OwnAccount(visitor.name, from_grains(chips), sorted(visitor.roles), not visitor.staff, visitor.must_change)


@post("/api/people", summary="Give somebody an account (administrator)", responses=REFUSALS)
async def add_person(data: JSONBody[PersonRequest], request: Request[Any, Any, Any]) -> None:
    visitor = await find_visitor(request)
    by = act_as(visitor, ho.ADMINISTRATOR)
    await find_services(request.app.state).reception.add_member(by, data.name, data.password, data.reason)


@post("/api/password", summary="Change my password", responses=REFUSALS)
async def change_password(data: JSONBody[PasswordRequest], request: Request[Any, Any, Any]) -> None:
    """The password is the new one; whoever is no administrator changes their own. Sessions of before are over."""
    services = find_services(request.app.state)
    visitor = await find_visitor(request, first_days=True)
    if data.name == visitor.name:
        await change_own_password(services, visitor, data.current, data.password)
        return
    role = ho.ADMINISTRATOR if visitor.may_act_as(ho.ADMINISTRATOR) else PLAYER
    await services.reception.change_password(Asker(role, visitor.name), data.name, data.password, data.reason)
    services.logbook.info("password changed", person=data.name, by=visitor.name)


@post(
    "/api/floor/commands",
    summary="Ask something of the floor: roles, chips, exclusions",
    status_code=200,
    responses=REFUSALS,
)
async def ask_floor(
    data: JSONBody[HouseRequest], request: Request[Any, Any, Any]
) -> Acknowledged | RefusedAsk | NotStored:  # fmt: skip
    visitor = await find_visitor(request)
    by = Asker(PLAYER, visitor.name) if data.role == PLAYER else act_as(visitor, data.role)
    command = hm.convert_house_command(data.command)
    answer = await find_services(request.app.state).reception.ask_house(by, data.id, command)
    return _describe_answer(data.id, FLOOR, answer)


def _describe_answer(command_id: str, table: str, answer: Answer) -> Acknowledged | RefusedAsk | NotStored:
    if isinstance(answer, Refusal):
        return RefusedAsk(command_id, table, answer.reason, answer.clauses, answer.legal)
    if isinstance(answer, NotDone):
        return NotStored(command_id, table, answer.reason)
    return Acknowledged(command_id, table, answer.seq)


# ---------------------------------------------------------------------- tables


@get("/api/tables", summary="The tables that are open", responses=REFUSALS)
async def list_tables(state: State) -> list[TableLine]:
    return await list_lines(find_services(state))


@get("/api/tables/{name:str}", summary="A table as everybody sees it", responses=REFUSALS)
async def describe_table(name: FromPath[str], state: State) -> Response[TableAnswer]:
    services = find_services(state)
    check_table(services, name)
    stream = services.desk.slots.get(name)
    if stream is not None:
        return Response(TableAnswer(stream.durable.seq, describe_public(stream.durable.state)))
    spectator = Visitor("", staff=False)
    said = msgspec.json.decode(await converse(services, spectator, Watch(name, None, False)), type=_SaidTable)
    body: Any = msgspec.json.encode({"seq": said.seq, "public": said.public})
    return Response(body, media_type=MediaType.JSON)


@post("/api/tables/{name:str}/commands", summary="Ask something of a table", status_code=200, responses=REFUSALS)
async def ask_table(
    name: FromPath[str], data: JSONBody[AskTable], request: Request[Any, Any, Any]
) -> Acknowledged | RefusedAsk | NotStored:  # fmt: skip
    services = find_services(request.app.state)
    visitor = await find_visitor(request)
    check_table(services, name)
    desk = services.desk
    if name not in desk.slots and data.table == name:
        return _read_answer(await converse(services, visitor, data))
    by = services.hub.find_asker(visitor.name, name, data.role, visitor.staff)
    if by is None or data.table != name:
        raise HTTPException("you do not hold this role here, or the table is another", status_code=403)
    try:
        async with asyncio.timeout(ANSWER_S):
            answer = await wait_for_answer(lambda reply: desk.ask(name, by, data.id, data.command, reply))
    except TimeoutError:
        raise Unavailable("the floor does not answer: ask again with the same id") from None
    return _describe_answer(data.id, name, answer)


def _read_answer(text: bytes) -> Acknowledged | RefusedAsk | NotStored:
    """What another process has answered to a command."""
    answer: Acknowledged | RefusedAsk | NotStored | Complaint = _ANSWER.decode(text)
    if isinstance(answer, Complaint):
        raise HTTPException(answer.reason, status_code=400)
    return answer


@get("/api/tables/{name:str}/log", summary="What happened at a table, as everybody may see it", responses=REFUSALS)
async def read_log(
    name: FromPath[str], state: State, after: Annotated[int, QueryParameter(ge=0, le=MOST_SEQ)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_ROWS)] = 100,
) -> list[SeenEvents]:  # fmt: skip
    services = find_services(state)
    check_table(services, name)
    return await asyncio.to_thread(_read_visible, services, name, after, limit)


def _read_visible(services: Services, table: str, after: int, limit: int) -> list[SeenEvents]:
    observer = Observer(Viewer.SPECTATOR)
    rows = read_events(services.store, services.desk.vault, table, after, limit)
    return [
        SeenEvents(row.seq, row.at_ms, list_visible(before, events, observer), tell_table(before, events))
        for row, before, events in rows
    ]


@get("/api/tables/{name:str}/rounds", summary="The last rounds of a table", responses=REFUSALS)
async def list_rounds(
    name: FromPath[str], state: State, last: Annotated[int, QueryParameter(ge=1, le=MOST_ROUNDS)] = 10
) -> list[RoundAnswer]:
    services = find_services(state)
    check_table(services, name)
    rows = await asyncio.to_thread(services.store.read_rounds, name, last)
    return [_describe_round(row) for row in rows]


@get("/api/tables/{name:str}/rounds/{number:int}", summary="A round of a table, with its record", responses=REFUSALS)
async def read_round(name: FromPath[str], number: FromPath[int], state: State) -> RoundAnswer:
    services = find_services(state)
    check_table(services, name)
    row = None if number > MOST_SEQ else await asyncio.to_thread(services.store.read_round, name, number)
    if row is None:
        raise HTTPException(f"table {name} has no round {number} that is over", status_code=404)
    return _describe_round(row)


class _SaidTable(msgspec.Struct):
    """What a process that serves a table says about it."""

    seq: int
    public: msgspec.Raw


_ANSWER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Acknowledged | RefusedAsk | NotStored | Complaint)


def _describe_round(row: RoundRow) -> RoundAnswer:
    return RoundAnswer(
        row.stream, row.number, row.revision, row.first_seq, row.last_seq, row.rules_digest, row.code_digest, row.record
    )


# ---------------------------------------------------------------------- schemas


@get("/api/schemas", summary="JSON Schemas of everything that goes over the WebSocket", responses=REFUSALS)
async def show_schemas() -> dict[str, Any]:
    return describe_messages()


# ---------------------------------------------------------------------- the application


HANDLERS: tuple[Any, ...] = (
    admit_guest, sign_in_by_name, sign_out, describe_me, describe_visitor, add_person, change_password, ask_floor,
    list_tables, describe_table, ask_table, read_log, list_rounds, read_round, show_schemas, advise, *SESSION_HANDLERS,
    *WATCH_HANDLERS, *STREAM_HANDLERS, *STAFF_HANDLERS, *INSPECTION_HANDLERS, *LOBBY_HANDLERS, *ROUND_HANDLERS,
    *DEALER_HANDLERS, *DRILL_HANDLERS, *SCHOOL_HANDLERS, *SUPERVISOR_HANDLERS, *AUDIT_HANDLERS, *LAB_HANDLERS,
    *LIBRARY_HANDLERS, *PAGE_HANDLERS,
)  # fmt: skip


def make_http_app(services: Services) -> Litestar:
    """The HTTP side."""
    handlers: dict[Any, Any] = {HTTPException: complain, PitbossError: complain, Exception: complain}
    return Litestar(
        route_handlers=list(HANDLERS),
        exception_handlers=handlers,
        state=State({"services": services}),
        openapi_config=OpenAPIConfig(
            title="pitboss floor", version=__version__, render_plugins=[JsonRenderPlugin(path="/openapi.json")]
        ),
        request_max_body_size=services.bounds.body_bytes,
        logging_config=None,
    )


_PLAIN_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_SAFE_HEADERS = [*_PLAIN_HEADERS, *((name.encode(), value.encode()) for name, value in OVER_TLS.items())]


def make_app(services: Services) -> Callable[[Scope, Receive, Send], Awaitable[None]]:
    """The whole application: WebSocket, HTTP, and what holds for every request."""
    http: Any = make_http_app(services)
    socket = SocketHandler(services.hub, services.reception, services.bounds, services.desk.clock, services.logbook)
    site = find_site()

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await socket.serve(scope, receive, send)
            return

        headers = _SAFE_HEADERS if is_encrypted(scope) or services.secure else _PLAIN_HEADERS

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = message.get("headers", ())
                kept = any(name.lower() == b"cache-control" for name, _ in own)
                message["headers"] = [*own, *headers, *(() if kept else (NOT_KEPT,))]
            await send(message)

        refusal = _find_refusal(services, scope)
        if refusal is None:
            shown = None
            if scope["method"] in ("GET", "HEAD"):
                shown = site.answer(scope["path"], lambda name: read_header(scope, name))
            if shown is None:
                await http(scope, receive, send_with_headers)
            else:
                await _show(send_with_headers, shown, scope["method"])
            return
        status, reason = refusal
        services.logbook.warn("refused", status=status, reason=reason, path=scope["path"], address=find_address(scope))
        await _refuse(send_with_headers, status, reason)

    return serve


def _find_refusal(services: Services, scope: Scope) -> tuple[int, str] | None:
    """Why a request is turned away before anybody looks at what it asks for."""
    bounds, now = services.bounds, services.desk.clock()
    name = f"request {find_address(scope)}"
    if not services.buckets.take(name, bounds.requests_per_second, bounds.requests_burst, now):
        return 429, "too many requests: wait a moment"
    if not is_known_host(read_header(scope, b"host"), bounds.host_names):
        return 421, "this floor has another name"
    if scope["method"] in SAFE:
        return None
    own = is_own_origin(read_header(scope, b"origin"), read_header(scope, b"host"))
    if not own or read_header(scope, b"sec-fetch-site") not in OWN_SITES:
        return 403, "requests come from this server's own pages"
    return None


async def _show(send: Send, shown: SiteAnswer, method: str) -> None:
    """Send a page, or a file of one."""
    await send({"type": "http.response.start", "status": shown.status, "headers": shown.headers})
    await send({"type": "http.response.body", "body": b"" if method == "HEAD" else shown.body})


async def _refuse(send: Send, status: int, reason: str) -> None:
    body = msgspec.json.encode({"reason": reason})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
