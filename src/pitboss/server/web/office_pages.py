"""Pages with forms, for a browser without anything else: the one-time link, signing in, a password, a second factor.

They do what the API does and nothing beside it. Whatever is refused comes back as the form with the reason.
"""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromQuery

from pitboss.server.reception import LEAST_PASSWORD, Declined, SignedOut, Visitor
from pitboss.server.web import pages
from pitboss.server.web.services import Services, find_services, find_visitor, limit_rate, make_cookie
from pitboss.server.web.socket import find_address, read_token
from pitboss.table.messages.askers import PLAYER, Asker


def _page(text: str, status: int = 200, **more: Any) -> Response[str]:
    return Response(text, media_type=MediaType.HTML, status_code=status, **more)


async def _read_form(request: Request[Any, Any, Any], *names: str) -> list[str]:
    form = await request.form()
    return [str(form.get(name, "")) for name in names]


def _tell(error: Exception) -> tuple[str, int]:
    """Why something was refused, and the status that says so."""
    if isinstance(error, HTTPException):
        return error.detail, error.status_code
    return str(error), 401 if isinstance(error, SignedOut) else 409


REFUSED = (Declined, SignedOut, HTTPException)


# ---------------------------------------------------------------------- the one-time link


@get("/administrator", media_type=MediaType.HTML, include_in_schema=False)
async def show_administrator_form(token: FromQuery[str] = "") -> str:
    return pages.write_administrator_form(token, LEAST_PASSWORD)


@post("/administrator", status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def make_administrator(request: Request[Any, Any, Any]) -> Response[str]:
    services = find_services(request.app.state)
    offered, name, password = await _read_form(request, "token", "name", "password")
    try:
        limit_rate(services, "administrator", services.bounds.sign_ins_per_minute)
        token = await services.reception.make_administrator(offered, name, password)
    except SignedOut as error:
        _note(services, request, "administrator refused", name)
        return _page(pages.write_line(str(error)), 401)
    except REFUSED as error:
        reason, status = _tell(error)
        return _page(pages.write_administrator_form(offered, LEAST_PASSWORD, name, reason), status)
    services.logbook.info("first administrator", person=name)
    cookies = [make_cookie(services, request, token)]
    return _page(pages.write_office(name, services.reception.second_factor), cookies=cookies)


def _note(services: Services, request: Request[Any, Any, Any], what: str, name: str) -> None:
    address = find_address(request.scope)  # type: ignore[arg-type]
    services.logbook.warn(what, person=name[:40], address=address)


# ---------------------------------------------------------------------- signing in, and a password


@get("/sign-in", media_type=MediaType.HTML, include_in_schema=False)
async def show_sign_in_form() -> str:
    return pages.write_sign_in_form()


@post("/sign-in", status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def sign_in_by_form(request: Request[Any, Any, Any]) -> Response[str]:
    services = find_services(request.app.state)
    name, password, code = await _read_form(request, "name", "password", "code")
    try:
        token = await sign_in(services, request, name, password, code.strip())
    except REFUSED as error:
        reason, status = _tell(error)
        _note(services, request, "sign-in refused", name)
        return _page(pages.write_sign_in_form(name, reason), status)
    visitor = await services.reception.find_visitor(token)
    cookies = [make_cookie(services, request, token)]
    if visitor.must_change:
        return _page(pages.write_password_form(name, LEAST_PASSWORD), cookies=cookies)
    text = f"You are signed in, {name}."
    if not visitor.staff:
        text += " Your roles count when you have a second factor."
    return _page(pages.write_line(text), cookies=cookies)


async def sign_in(services: Services, request: Request[Any, Any, Any], name: str, password: str, code: str) -> str:
    """The token of a new session; the one that the same client had before is over. Attempts are limited."""
    scope: Any = request.scope
    limit_rate(services, f"sign-in from {find_address(scope)}", 10 * services.bounds.sign_ins_per_minute)
    limit_rate(services, f"sign-in {name[:40]}", services.bounds.sign_ins_per_minute)

    def limit_codes() -> None:
        limit_rate(services, f"code {name}", services.bounds.codes_per_minute)

    token = await services.reception.sign_in(name, password, code, limit_codes)
    await end_session_of_before(services, request)
    how = "password and code" if code else "password"
    services.logbook.info("signed in", person=name, how=how, address=find_address(scope))
    return token


async def end_session_of_before(services: Services, request: Request[Any, Any, Any]) -> None:
    """Whoever comes in is no longer who they were."""
    old = read_token(request.scope)  # type: ignore[arg-type]
    if old:
        await services.reception.sign_out(old)


async def _find_member(request: Request[Any, Any, Any], *, first_days: bool = False) -> Visitor | Response[str]:
    """Who is signed in, or the form to do so."""
    try:
        return await find_visitor(request, first_days=first_days)
    except REFUSED as error:
        reason, status = _tell(error)
        return _page(pages.write_sign_in_form("", reason), status)


@get("/password", media_type=MediaType.HTML, include_in_schema=False)
async def show_password_form(request: Request[Any, Any, Any]) -> Response[str]:
    visitor = await _find_member(request, first_days=True)
    if not isinstance(visitor, Visitor):
        return visitor
    return _page(pages.write_password_form(visitor.name, LEAST_PASSWORD))


@post("/password", status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def change_password_by_form(request: Request[Any, Any, Any]) -> Response[str]:
    services = find_services(request.app.state)
    visitor = await _find_member(request, first_days=True)
    if not isinstance(visitor, Visitor):
        return visitor
    current, password = await _read_form(request, "current", "password")
    try:
        await change_own_password(services, visitor, current, password)
    except REFUSED as error:
        reason, status = _tell(error)
        return _page(pages.write_password_form(visitor.name, LEAST_PASSWORD, reason), status)
    return _page(pages.write_sign_in_form(visitor.name, "Your password is changed: sign in with it."))


async def change_own_password(services: Services, visitor: Visitor, current: str, password: str) -> None:
    """Somebody who knows their password chooses another; all their sessions are over."""
    limit_rate(services, f"sign-in {visitor.name[:40]}", services.bounds.sign_ins_per_minute)
    await services.reception.check_password(visitor.name, current)
    await services.reception.change_password(Asker(PLAYER, visitor.name), visitor.name, password)
    services.logbook.info("password changed", person=visitor.name, by=visitor.name)


# ---------------------------------------------------------------------- a second factor


@get("/second-factor", media_type=MediaType.HTML, include_in_schema=False)
async def show_factor_form(request: Request[Any, Any, Any]) -> Response[str]:
    visitor = await _find_member(request)
    if not isinstance(visitor, Visitor):
        return visitor
    return _page(pages.write_factor_start(visitor.name, not visitor.fresh))


@post("/second-factor", status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def offer_factor_by_form(request: Request[Any, Any, Any]) -> Response[str]:
    services = find_services(request.app.state)
    visitor = await _find_member(request)
    if not isinstance(visitor, Visitor):
        return visitor
    [password] = await _read_form(request, "password")
    try:
        limit_rate(services, f"sign-in {visitor.name[:40]}", services.bounds.sign_ins_per_minute)
        await services.reception.prove(visitor, password)
        secret, link = await services.reception.offer_factor(visitor.name)
    except REFUSED as error:
        reason, status = _tell(error)
        return _page(pages.write_factor_start(visitor.name, not visitor.fresh, reason), status)
    return _page(pages.write_factor_code(secret, link))


@post("/second-factor/confirm", status_code=200, media_type=MediaType.HTML, include_in_schema=False)
async def confirm_factor_by_form(request: Request[Any, Any, Any]) -> Response[str]:
    """The session goes on under a new token, and holds the roles of its person from now on."""
    services = find_services(request.app.state)
    visitor = await _find_member(request)
    if not isinstance(visitor, Visitor):
        return visitor
    [code] = await _read_form(request, "code")
    try:
        limit_rate(services, f"code {visitor.name}", services.bounds.codes_per_minute)
        recovery = await services.reception.confirm_factor(visitor.name, code.strip())
    except REFUSED as error:
        reason, status = _tell(error)
        return _page(pages.write_factor_code("", "", reason), status)
    token = await services.reception.begin_session(visitor.name)
    await end_session_of_before(services, request)
    services.logbook.info("second factor", person=visitor.name)
    return _page(pages.write_recovery(recovery), cookies=[make_cookie(services, request, token)])


PAGE_HANDLERS: tuple[Any, ...] = (
    show_administrator_form, make_administrator, show_sign_in_form, sign_in_by_form, show_password_form,
    change_password_by_form, show_factor_form, offer_factor_by_form, confirm_factor_by_form,
)  # fmt: skip
