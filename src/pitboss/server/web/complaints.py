"""What a request is told that cannot be answered: one line, and nothing of the inside; the logbook hears of it too."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, InternalServerException

from pitboss.errors import PitbossError
from pitboss.server.logbook import list_frames
from pitboss.server.reception import Declined, SignedOut, Unavailable
from pitboss.server.storage.database import StoreError
from pitboss.server.web.services import find_services
from pitboss.server.web.socket import find_address

WATCHED_REFUSALS = frozenset({401, 403, 413, 429, 503})
"""What whoever runs the floor is told of."""


def _find_fault_of_client(error: BaseException | None) -> str:
    """What a client did that a library takes for our own error: nested too deeply, or hung up in the middle."""
    while error is not None:
        if isinstance(error, RecursionError):
            return "this is nested too deeply"
        if isinstance(error, InternalServerException) and "client disconnected" in error.detail:
            return "the client has hung up"
        error = error.__cause__ or error.__context__
    return ""


def complain(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, str]]:
    """One line for what went wrong; what nobody expected is told without its inside."""
    fault = _find_fault_of_client(error)
    if fault:
        code, reason = 400, fault
    elif isinstance(error, HTTPException) and error.status_code < 500:
        code, reason = error.status_code, error.detail
    elif isinstance(error, HTTPException) and error.status_code == 503:
        code, reason = 503, error.detail
    else:
        kinds = {SignedOut: 401, Declined: 409, Unavailable: 503, StoreError: 503, PitbossError: 400}
        code = next((status for kind, status in kinds.items() if isinstance(error, kind)), 500)
        told = code < 500 or isinstance(error, Unavailable)
        reason = str(error) if told else "this cannot be answered now"
    services = find_services(request.app.state)
    about: dict[str, Any] = {
        "method": request.method, "path": request.url.path, "status": code,
        "address": find_address(request.scope),  # type: ignore[arg-type]
    }  # fmt: skip
    if code == 500:
        services.logbook.error("failed", kind=type(error).__name__, frames=list_frames(error.__traceback__), **about)
    elif code in WATCHED_REFUSALS:
        services.logbook.warn("refused", reason=reason, **about)
    return Response({"reason": " ".join(reason.split())}, status_code=code, media_type=MediaType.JSON)
