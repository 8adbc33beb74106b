"""What the staff of the floor reads over HTTP about the program itself: whether its files are those it began with."""

from __future__ import annotations

from typing import Any

from litestar import Request, get, post
from litestar.exceptions import HTTPException

from pitboss.floor.house import HOUSE_ROLES
from pitboss.server.inspection.file_check import FileCheck, FileReport
from pitboss.server.web.services import REFUSALS, find_services, find_visitor, limit_rate
from pitboss.table.messages.askers import Asker

CHECKS_PER_MINUTE = 6


async def _find_inspector(request: Request[Any, Any, Any]) -> Asker:
    """Who asks, in a role of the whole floor."""
    visitor = await find_visitor(request)
    role = next((role for role in HOUSE_ROLES if visitor.may_act_as(role)), None)
    if role is None:
        raise HTTPException(f"this is for {', '.join(HOUSE_ROLES)}", status_code=403)
    return Asker(role, visitor.name)


@get(
    "/api/files", summary="The last check of the program's files (administrator, inspector, surveillance)",
    responses=REFUSALS,
)  # fmt: skip
async def show_file_check(request: Request[Any, Any, Any]) -> FileReport:
    """Files are checked when the server starts and once a day."""
    await _find_inspector(request)
    last = find_services(request.app.state).files.last
    if last is None:
        raise HTTPException("the files are being checked for the first time", status_code=404)
    return last


@post(
    "/api/files", summary="Check the program's files now (administrator, inspector, surveillance)", status_code=200,
    responses=REFUSALS,
)  # fmt: skip
async def check_files(request: Request[Any, Any, Any]) -> FileReport:
    """What is found is on record, and the inspector is told of what has changed."""
    by = await _find_inspector(request)
    services = find_services(request.app.state)
    limit_rate(services, "file check", CHECKS_PER_MINUTE)
    report = await services.files.check(by)
    services.logbook.info("files checked", by=by.name, changes=len(report.changes))
    return report


def count_file_checks(files: FileCheck) -> dict[str, float]:
    """The numbers of the last check, for those who watch the server."""
    last = files.last
    return {"files_changed": 0, "files_checked_seconds": 0} if last is None else {
        "files_changed": len(last.changes), "files_checked_seconds": last.at_ms / 1000,
    }  # fmt: skip


INSPECTION_HANDLERS: tuple[Any, ...] = (show_file_check, check_files)
