"""`pitboss floor`: look after a floor: how it is doing, copies of it, a day, what staff did, a second factor."""

from __future__ import annotations

import asyncio
import datetime
import json
import os
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from pitboss.cli.floors.server_extra import explain_missing_server
from pitboss.cli.progress import working
from pitboss.errors import CheckFailed, PitbossError

ACTS = ("status", "check", "backup", "restore", "report", "actions", "enrol", "password", "new-key")
MOST_ACTIONS = 1_000_000
WORDS = {
    "version": "version", "database": "database", "tables": "tables", "people": "people",
    "connections": "connections", "rounds": "rounds kept", "commits": "commits", "failed_commits": "failed commits",
    "ledger_imbalance": "ledger imbalance (grains)", "ready": "ready",
}  # fmt: skip

EXAMPLES = (
    "pitboss floor status http://127.0.0.1:8021",
    "pitboss floor check http://127.0.0.1:8021 --name ivy   # its own files",
    "pitboss floor backup floor.db --to monday.db   # copied while open, audited",
    "pitboss floor restore monday.db --to new.db --key floor.key",
    "pitboss floor report floor.db --day 2026-01-31 --by player --to day.csv",
    "pitboss floor actions floor.db --last 50       # what staff did, and why",
    "pitboss floor enrol http://127.0.0.1:8021 --name mia   # a second factor",
    "pitboss floor password http://127.0.0.1:8021 --name mia",
    "pitboss floor new-key floor.db                 # from the next start on",
)


def run(
    act: Annotated[str, typer.Argument(metavar="ACT", help=f"What to do: {', '.join(ACTS)}.")],
    where: Annotated[str, typer.Argument(metavar="WHERE", help="The address of a served floor, or its database.")] = "",
    to: Annotated[
        str, typer.Option(help="What to write: a file (a copy, .csv or .parquet), or the database to restore to.")
    ] = "",
    day: Annotated[str, typer.Option(help="The day of a report, as 2026-01-31; default: today (UTC).")] = "",
    by: Annotated[str, typer.Option(help="A line of a report for each account, table or player.")] = "account",
    key: Annotated[Path | None, typer.Option(help="The file with the floor's key; default: beside it.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    last: Annotated[int, typer.Option(help="How many actions of staff to list.")] = 50,
    name: Annotated[str, typer.Option(help="Who you are, for check and enrol; whose actions are listed.")] = "",
    code: Annotated[str, typer.Option(help="A code of your second factor, for check.")] = "",
) -> None:
    """Ask how a served floor is doing, have it check its own files, copy its database while it is open, make a database
    from a copy, report a day, list what staff did, get a second factor or another password, or give the floor a new
    key."""
    if act not in ACTS:
        raise PitbossError(f"'{act}' is nothing that can be done with a floor; what can: {', '.join(ACTS)}")
    if act == "status":
        _show_status(where or "http://127.0.0.1:8021", as_json)
    elif act == "check":
        asyncio.run(_check_files(where or "http://127.0.0.1:8021", name, code, as_json))
    elif act == "backup":
        _back_up(where or "floor.db", to, key)
    elif act == "restore":
        _restore(where, to, key)
    elif act == "actions":
        _list_actions(where or "floor.db", key, last, name, as_json)
    elif act == "password":
        asyncio.run(_change_password(where or "http://127.0.0.1:8021", name))
    elif act == "new-key":
        _add_key(where or "floor.db", key)
    elif act == "enrol":
        asyncio.run(_enrol(where or "http://127.0.0.1:8021", name))
    else:
        _report(where or "floor.db", day, by, to, as_json)


def _show_status(address: str, as_json: bool) -> None:
    with explain_missing_server():
        from pitboss.server.client import call
    status = asyncio.run(call(address, "GET", "/api/status"))[0]
    if as_json:
        print(json.dumps(status, indent=2))
        return
    for name, word in WORDS.items():
        print(f"{word:26} {status[name]}")
    for process in status["processes"]:
        print(_describe_process(process))


def _describe_process(process: dict[str, Any]) -> str:
    """A process and what it serves, in a line."""
    if not process["owner"]:
        return f"nobody serves             {', '.join(process['tables'])}"
    words = [process["address"], *(["the floor itself"] if process["floor"] else ()), *process["tables"]]
    state = "this process" if process["here"] else "process" if process["alive"] else "process, not heard of"
    return f"{state:26} {', '.join(words)}"


async def _check_files(address: str, name: str, code: str, as_json: bool) -> None:
    """Have a served floor compare its files with those it began with."""
    with explain_missing_server():
        from pitboss.server.client import Client
    async with await Client.enter(address, name, await _ask_password(name), code) as client:
        report = await client.post("/api/files")
    if as_json:
        print(json.dumps(report, indent=2))
    if report["changes"]:
        lines = "".join(f"\n  {line}" for line in report["changes"])
        raise CheckFailed(f"{address}: the files have changed since the server began ({report['digest'][:12]}):{lines}")
    if not as_json:
        print(f"{address}: the files are those with which the server began, {report['digest']}")


async def _ask_password(name: str) -> str:
    if not name:
        raise PitbossError("say who you are: --name NAME")
    password: str = await asyncio.to_thread(typer.prompt, "password", hide_input=True, err=True)
    return password


def _back_up(database: str, to: str, key: Path | None) -> None:
    with explain_missing_server():
        from pitboss.server.serving import find_key_file, read_address
        from pitboss.server.storage.backup import back_up
        from pitboss.server.storage.vault import load_key
    if not to:
        raise PitbossError("name the copy: --to FILE")
    secret = load_key(key or find_key_file(database), make=False)
    back_up(read_address(database), Path(to))
    print(f"{to}: {_audit_copy(to, secret)}; keep the key elsewhere")


def _restore(copy: str, to: str, key: Path | None) -> None:
    with explain_missing_server():
        from pitboss.server.serving import find_key_file, read_address
        from pitboss.server.storage.backup import restore_floor
        from pitboss.server.storage.vault import load_key
    if not copy or not to:
        raise PitbossError("name the copy and the new database: pitboss floor restore FILE --to DATABASE")
    if not Path(copy).is_file():
        raise PitbossError(f"{copy}: there is no such copy")
    found = key or find_key_file(copy)
    secret = load_key(found, make=False)
    _audit_copy(copy, secret)
    restore_floor(Path(copy), read_address(to))
    print(f"{to}: {_audit_copy(to, secret)}; serve it with --key {found}")


def _audit_copy(database: str, secret: bytes) -> str:
    """What is in a copy, or in a database that was made from one, if all of it is in order."""
    from pitboss.server.serving import read_address
    from pitboss.server.storage.floor_audit import audit_floor

    with working(f"auditing {database}") as say:
        audit = audit_floor(
            read_address(database), secret, workers=os.cpu_count() or 1,
            progress=lambda done, whole: say(f"{done:,} of {whole:,} decisions"),
        )  # fmt: skip
    if not audit.ok:
        raise CheckFailed(f"{database}: not in order: {audit.found[0]}")
    return f"{audit.rows} decisions, {audit.rounds} rounds, all in order"


def _report(database: str, day: str, by: str, to: str, as_json: bool) -> None:
    with explain_missing_server():
        from pitboss.server.serving import read_address
        from pitboss.server.storage.day_report import ReportBy, flatten_lines, report_day, write_csv
        from pitboss.server.storage.store import Store
    if "://" not in database and not Path(database).is_file():
        raise PitbossError(f"{database}: there is no such database")
    if by not in list(ReportBy):
        raise PitbossError(f"'{by}' has no report: --by {', '.join(ReportBy)}")
    rows = flatten_lines(report_day(Store(read_address(database)), _read_day(day), ReportBy(by)))
    if to.endswith(".parquet"):
        _write_parquet(rows, Path(to))
    elif to:
        Path(to).write_text(write_csv(rows), "utf-8")
    elif as_json:
        print(json.dumps(rows, indent=2))
    else:
        print(write_csv(rows), end="")


def _read_day(text: str) -> datetime.date:
    if not text:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise PitbossError(f"'{text}' is not a day: write it as 2026-01-31") from None


def _write_parquet(rows: list[dict[str, str]], to: Path) -> None:
    try:
        import polars
    except ModuleNotFoundError:
        raise PitbossError("polars is not installed: Parquet needs pitboss[frames]") from None
    polars.DataFrame(rows).write_parquet(to)


def _list_actions(database: str, key: Path | None, last: int, name: str, as_json: bool) -> None:
    with explain_missing_server():
        from pitboss.server.serving import find_key_file, read_address
        from pitboss.server.storage.store import Store
        from pitboss.server.storage.vault import Vault, load_key
        from pitboss.server.stream_log import list_staff_actions
    if "://" not in database and not Path(database).is_file():
        raise PitbossError(f"{database}: there is no such database")
    if not 0 < last <= MOST_ACTIONS:
        raise PitbossError(f"--last is 1 to {MOST_ACTIONS}, not {last}")
    vault = Vault(load_key(key or find_key_file(database), make=False))
    actions = list_staff_actions(Store(read_address(database)), vault, last, name)
    if as_json:
        print(json.dumps([msgspec.to_builtins(action) for action in actions], indent=2))
        return
    for action in actions:
        at = datetime.datetime.fromtimestamp(action.at_ms / 1000, datetime.UTC)
        who = f"{at:%Y-%m-%d %H:%M:%S}  {action.stream}  {action.actor} ({action.role})"
        why = f"  because {action.reason}" if action.reason else ""
        by = f"  [{', '.join(action.clauses)}]" if action.clauses else ""
        print(f"{who}  {action.act}: {action.words}{why}{by}")


async def _enrol(address: str, name: str) -> None:
    """Get a second factor from a served floor: the secret for a telephone, a first code, and the recovery codes."""
    with explain_missing_server():
        from pitboss.server.client import Client
    password = await _ask_password(name)
    async with await Client.enter(address, name, password) as client:
        offer = await client.post("/api/second-factor", {"password": password})
        print(f"type this into your telephone: {offer['secret']}")
        print(f"or make a picture of this:     {offer['link']}")
        code = await asyncio.to_thread(typer.prompt, "the code it shows", err=True)
        codes = await client.post("/api/second-factor/confirm", {"code": code})
    print("keep these elsewhere; each lets you in once without the telephone:")
    for text in codes["recovery"]:
        print(f"  {text}")


async def _change_password(address: str, name: str) -> None:
    """Choose another password at a served floor; also the first one that you choose."""
    with explain_missing_server():
        from pitboss.server.client import call
    if not name:
        raise PitbossError("say who you are: --name NAME")
    current = await asyncio.to_thread(typer.prompt, "password of before", hide_input=True, err=True)
    code = await asyncio.to_thread(
        typer.prompt, "code of your second factor, if you have got it", default="", show_default=False, err=True
    )
    chosen = await asyncio.to_thread(
        typer.prompt, "new password", hide_input=True, confirmation_prompt=True, err=True
    )  # fmt: skip
    token = (await call(address, "POST", "/api/sessions", {"name": name, "password": current, "code": code}))[1]
    await call(address, "POST", "/api/password", {"name": name, "password": chosen, "current": current}, token)
    print("your password is changed; sign in with it everywhere")


def _add_key(database: str, key: Path | None) -> None:
    with explain_missing_server():
        from pitboss.server.serving import find_key_file
        from pitboss.server.storage.vault import add_key
    path = key or find_key_file(database)
    count = add_key(path)
    print(f"{path}: {count} keys, the newest first; it is used from the next start on, and none may be thrown away")
