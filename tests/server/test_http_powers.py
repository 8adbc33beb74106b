"""Everybody against every operation over HTTP: who may not is told 401 or 403, and nobody else is."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from floor_server import Served, hire, serve, take_office

from pitboss.server.client import Client

EVERYBODY, SIGNED_IN = "everybody", "signed in"
OPEN_TO = {
    "GET /": EVERYBODY, "POST /api/guests": EVERYBODY, "POST /api/sessions": EVERYBODY, "GET /api/tables": EVERYBODY,
    "GET /api/tables/{name}": EVERYBODY, "GET /api/tables/{name}/log": EVERYBODY,
    "GET /api/tables/{name}/rounds": EVERYBODY, "GET /api/tables/{name}/rounds/{number}": EVERYBODY,
    "GET /api/schemas": EVERYBODY, "GET /healthz": EVERYBODY, "GET /readyz": EVERYBODY, "GET /api/status": EVERYBODY,
    "GET /api/library/books": EVERYBODY, "GET /api/library/books/{book}": EVERYBODY,
    "GET /api/library/clause": EVERYBODY, "GET /api/library/uses": EVERYBODY, "GET /api/library/game": EVERYBODY,
    "GET /api/library/search": EVERYBODY, "GET /api/library/lessons": EVERYBODY,
    "GET /api/library/lessons/{lesson}": EVERYBODY, "POST /api/lab/board": EVERYBODY,
    "POST /api/lab/worth": EVERYBODY, "POST /api/lab/side-wagers": EVERYBODY, "POST /api/lab/switches": EVERYBODY,
    "POST /api/lab/works/rules": EVERYBODY, "POST /api/lab/works/games": EVERYBODY,
    "POST /api/lab/works/simulation": EVERYBODY, "GET /api/lab/works/{work}": EVERYBODY,
    "DELETE /api/lab/works/{work}": EVERYBODY, "GET /api/lobby": EVERYBODY, "GET /api/visitor": EVERYBODY,
    "GET /api/clauses/{book}": EVERYBODY, "POST /api/replay": EVERYBODY,
    "GET /api/tables/{name}/rounds/{number}/steps": EVERYBODY,
    "POST /api/tables/{name}/rounds/{number}/review": SIGNED_IN,
    "GET /metrics": EVERYBODY, "DELETE /api/sessions": EVERYBODY,
    "GET /api/me": SIGNED_IN, "POST /api/password": SIGNED_IN, "GET /api/sessions": SIGNED_IN,
    "POST /api/sessions/end": SIGNED_IN, "POST /api/second-factor": SIGNED_IN,
    "POST /api/second-factor/confirm": SIGNED_IN, "POST /api/tables/{name}/advice": SIGNED_IN,
    "POST /api/tables/{name}/commands": SIGNED_IN, "GET /api/disputes": SIGNED_IN,
    "POST /api/people": "administrator", "POST /api/floor/commands": "administrator", "GET /api/inbox": "inspector",
    "GET /api/actions": "administrator inspector surveillance",
    "GET /api/files": "administrator inspector surveillance", "POST /api/files": "administrator inspector surveillance",
    "GET /api/tables/{name}/orders": "dealer administrator inspector surveillance",
    "GET /api/tables/{name}/seat": "dealer administrator inspector surveillance",
    "POST /api/tables/{name}/seat/answers": "dealer administrator inspector surveillance",
    "GET /api/tables/{name}/order-forms": "dealer administrator inspector surveillance",
    "GET /api/tables/{name}/round-so-far": "dealer administrator inspector surveillance",
    "POST /api/tables/{name}/preview": "dealer", "GET /api/desk": SIGNED_IN,
    "GET /api/drills": SIGNED_IN, "GET /api/drills/{topic}": SIGNED_IN, "POST /api/drills/answers": SIGNED_IN,
    "GET /api/tables/{name}/shoes": EVERYBODY, "GET /api/tables/{name}/shoes/{number}": EVERYBODY,
    "GET /api/tables/{name}/rounds/{number}/timeline": EVERYBODY,
    "GET /api/tables/{name}/rounds/{number}/money": "administrator inspector surveillance",
    "GET /api/rounds": "administrator inspector surveillance",
    "GET /api/accounts": "administrator inspector surveillance",
    "GET /api/transfers": "administrator inspector surveillance",
    "GET /api/seals": "administrator inspector surveillance", "GET /api/chain": "administrator inspector surveillance",
    "GET /api/streams": EVERYBODY, "GET /api/streams/{kind}/{name}": EVERYBODY,
    "GET /api/streams/{kind}/{name}/history": EVERYBODY, "POST /api/streams/{kind}/{name}/commands": SIGNED_IN,
    "GET /api/kinds/{kind}": EVERYBODY, "GET /api/kinds/{kind}/draft": EVERYBODY, "POST /api/school": SIGNED_IN,
    "GET /api/school": SIGNED_IN, "POST /api/school/moves": SIGNED_IN,
}  # fmt: skip
"""Who gets an answer of an operation, whatever it is, with the bodies below."""
BODIES: dict[str, Any] = {
    "POST /api/replay": {"record": ""}, "POST /api/lab/board": {"choice": {"game": "no/such"}, "position": {}},
    "POST /api/lab/worth": {"choice": {"game": "no/such"}},
    "POST /api/lab/side-wagers": {"choice": {"game": "no/such"}},
    "POST /api/lab/switches": {"choice": {"game": "no/such"}},
    "POST /api/lab/works/rules": {"choice": {"game": "no/such"}}, "POST /api/lab/works/games": {"choices": []},
    "POST /api/lab/works/simulation": {"choice": {"game": "no/such"}, "wish": {"rounds": 0}},
    "POST /api/guests": {"name": "robot-x"}, "POST /api/sessions": {"name": "nobody", "password": "wrong"},
    "POST /api/password": {"name": "nobody", "password": "x"}, "POST /api/sessions/end": {"ids": ["x"]},
    "POST /api/second-factor": {}, "POST /api/second-factor/confirm": {"code": "000000"},
    "POST /api/tables/{name}/advice": {}, "POST /api/people": {"name": "x", "password": "short"},
    "POST /api/tables/{name}/commands": {"id": "1", "table": "t", "command": {"type": "ready"}},
    "POST /api/tables/{name}/seat/answers": {"kind": "draw", "seq": 0, "draw": "draw"},
    "POST /api/tables/{name}/preview": {"command": {"type": "void"}, "role": "dealer"},
    "POST /api/drills/answers": {"question": "none", "answers": []}, "POST /api/school": {"game": "no/such"},
    "POST /api/school/moves": {"kind": "draw"},
    "POST /api/streams/{kind}/{name}/commands": {"id": "1", "command": {"type": "no-such"}, "book": "star"},
    "POST /api/floor/commands": {"id": "1", "command": {"type": "end-factor", "name": "nobody", "reason": "x"}},
}  # fmt: skip


async def ask(served: Served, operation: str, token: str) -> int:
    """The status of an answer; everybody asks for things that change nothing."""
    method, path = operation.split(" ", 1)
    path = path.replace("{name}", "t").replace("{number}", "1").replace("{topic}", "payouts").replace("{book}", "star")
    path = path.replace("{kind}", "promotion")
    body = msgspec.json.encode(BODIES[operation]) if operation in BODIES else b""
    host = served.address.split("//")[1]
    lines = [
        f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", "Content-Type: application/json",
        f"Content-Length: {len(body)}", *([f"Authorization: Bearer {token}"] if token else []), "", "",
    ]  # fmt: skip
    reader, writer = await asyncio.open_connection(*host.split(":"))
    writer.write("\r\n".join(lines).encode() + body)
    status = int((await reader.read()).split()[1])
    writer.close()
    return status


def test_every_operation_is_open_to_whom_it_should_be_and_to_nobody_else(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        people: dict[str, Client | None] = {
            "nobody": None, "administrator": root, "guest": await Client.enter(served.address, "ann"),
            "member": await hire(root, "bob"), "dealer": await hire(root, "dan", ("dealer", "perth")),
            "dealer elsewhere": await hire(root, "sam", ("dealer", "star")),
            "inspector": await hire(root, "ivy", ("inspector", "")),
            "surveillance": await hire(root, "val", ("surveillance", "")),
        }  # fmt: skip
        described = await root.get("/schema/openapi.json")
        published = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
        assert published | {"GET /"} == set(OPEN_TO), "an operation that is added is asked for by everybody"
        for operation, who in OPEN_TO.items():
            for role, client in people.items():
                token = "" if client is None or operation == "DELETE /api/sessions" else client.token
                status = await ask(served, operation, token)
                if who == EVERYBODY or (who == SIGNED_IN and client is not None):
                    refused = operation in ("POST /api/sessions",) or (operation, role) == ("POST /api/password", role)
                    assert status != 403, (operation, role)
                    assert status != 401 or refused, (operation, role)
                elif role in who.split():
                    assert status not in (401, 403), (operation, role, status)
                else:
                    assert status == (401 if client is None else 403), (operation, role, status)
                assert status < 500, (operation, role, status)
        for client in people.values():
            if client is not None:
                await client.close()

    serve(tmp_path, story)
