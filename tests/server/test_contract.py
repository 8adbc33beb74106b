"""What a floor publishes is what it does: every HTTP operation by its description, every message by its schema."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schema_client
import schemathesis
from floor_server import Served, open_floor
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pitboss.server.client import call
from pitboss.server.web.bounds import Bounds

PASSWORD = "correct horse battery"
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
PATIENT = Bounds(
    requests_per_second=10**6, requests_burst=10**6, guests_per_minute=10**6, sign_ins_per_minute=10**6,
    codes_per_minute=10**6,
)  # fmt: skip


class Background:
    """A floor in a thread of its own, for clients that wait."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ready, self.over = threading.Event(), threading.Event()
        self.served: Served | None = None
        self.token = ""
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()))
        self.thread.start()
        assert self.ready.wait(30)

    async def run(self) -> None:
        async with open_floor(self.folder, bounds=PATIENT) as served:
            self.served = served
            form = f"token={served.first_token}&name=root&password={PASSWORD.replace(' ', '+')}"
            await post_form(served.address, form)
            signed_in = {"name": "root", "password": PASSWORD}
            self.token = (await call(served.address, "POST", "/api/sessions", signed_in))[1]
            self.ready.set()
            await asyncio.to_thread(self.over.wait)

    def end(self) -> None:
        self.over.set()
        self.thread.join(30)


async def post_form(address: str, form: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rsplit(":", 1)[1]))
    head = "POST /administrator HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    writer.write(f"{head}Content-Length: {len(form)}\r\nConnection: close\r\n\r\n{form}".encode())
    assert b" 200 " in await reader.read()
    writer.close()


@pytest.fixture(scope="module")
def background(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    made = Background(tmp_path_factory.mktemp("floor"))
    yield made
    made.end()


@pytest.fixture(scope="module")
def described(background: Background) -> Any:
    assert background.served is not None
    return schemathesis.openapi.from_url(f"{background.served.address}/schema/openapi.json")


schema = schemathesis.pytest.from_fixture("described")


@pytest.mark.slow
@schema.exclude(path="/api/sessions", method="DELETE").exclude(path="/api/password").parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_operation_answers_as_it_is_described(case: schemathesis.Case, background: Background) -> None:
    """As the administrator, whose session is not ended by these, and as nobody."""
    for headers in ({"Authorization": f"Bearer {background.token}"}, {}):
        answer = case.call(headers={**dict(case.headers or {}), **headers})
        case.validate_response(answer, checks=list(CHECKS))
    assert background.served is not None
    failed = [line for line in background.served.logged if '"event":"failed"' in line]
    assert not failed, failed


@pytest.mark.slow
def test_a_client_that_knows_only_the_schemas_plays_a_round_of_every_game(tmp_path: Path) -> None:
    source = ast.parse(Path(schema_client.__file__).read_text())
    names = [
        name
        for node in ast.walk(source)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    ]
    assert not [name for name in names if name.startswith("pitboss")], "this client may know nothing of pitboss"

    async def run() -> None:
        async with open_floor(tmp_path, tables=None) as served:
            tables = (await call(served.address, "GET", "/api/tables"))[0]
            clients = []
            for seed, table in enumerate(tables):
                make = schema_client.SchemaClient
                clients.append(await asyncio.to_thread(make, served.address, table["name"], seed))
                await clients[-1].come_in()
            await asyncio.wait_for(asyncio.gather(*(client.play_round() for client in clients)), 60)
            kinds = set().union(*(client.kinds for client in clients))
            assert {"snapshot", "patch", "private", "acknowledged"} <= kinds
            status = (await call(served.address, "GET", "/api/status"))[0]
            assert status["rounds"] >= len(tables) > 10
            assert status["ledger_imbalance"] == 0

    asyncio.run(run())
