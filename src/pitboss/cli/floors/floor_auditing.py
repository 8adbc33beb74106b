"""`pitboss audit floor`: everything that a floor has stored, derived again from its log."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.cli.progress import working
from pitboss.errors import PitbossError

if TYPE_CHECKING:
    from pitboss.server.storage.floor_audit import FloorAudit

CHECK_FAILED = 1


def audit_databases(databases: list[str], key: Path | None, as_json: bool) -> None:
    """Audit each database, on all cores, and say what is wrong with it and where."""
    with explain_missing_server():
        from pitboss.server.serving import find_key_file, read_address
        from pitboss.server.storage.floor_audit import audit_floor
        from pitboss.server.storage.vault import load_key
    answers = []
    for database in databases:
        if "://" not in database and not Path(database).is_file():
            raise PitbossError(f"{database}: there is no such database")
        secret = load_key(key or find_key_file(database), make=False)
        with working(f"auditing {database}") as say:
            audit = audit_floor(
                read_address(database), secret, workers=os.cpu_count() or 1,
                progress=lambda done, whole: say(f"{done:,} of {whole:,} decisions"),
            )  # fmt: skip
        answers.append((database, audit))
    if as_json:
        print(json.dumps([_as_data(database, audit) for database, audit in answers], indent=2))
    for database, audit in answers:
        for line in audit.found:
            typer.echo(f"{database}: {line}", err=as_json)
        if audit.ok and not as_json:
            counted = f"{audit.rows} decisions, {audit.rounds} rounds, {audit.shoes} shoes, {audit.seals} seals"
            print(f"{database}: {audit.streams} streams, {counted}: all in order")
    if not all(audit.ok for _, audit in answers):
        raise typer.Exit(CHECK_FAILED)


def _as_data(database: str, audit: FloorAudit) -> dict[str, object]:
    return {
        "database": database,
        "ok": audit.ok,
        "streams": audit.streams,
        "decisions": audit.rows,
        "rounds": audit.rounds,
        "shoes": audit.shoes,
        "seals": audit.seals,
        "problems": audit.found,
    }
