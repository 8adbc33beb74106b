"""What a floor publishes is what it does: every HTTP operation by its description, every message by its schema."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schema_client
import schemathesis
from floor_server import Served, open_floor
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from jsonschema_rs import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from pitboss.server.client import call
from pitboss.server.web.bounds import Bounds

PASSWORD = "correct horse battery"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]
ENDS_SESSION = (
    ("DELETE", "/api/sessions"),
    ("POST", "/api/password"),
    ("POST", "/api/sessions"),
    ("POST", "/api/guests"),
)
"""Whoever does this has another session afterwards, or none."""
EXAMPLES = 15
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
            await call(served.address, "GET", "/healthz")
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


def list_operations(background: Background) -> list[Any]:
    """Every operation that the floor describes."""
    assert background.served is not None
    described = schemathesis.openapi.from_url(f"{background.served.address}/schema/openapi.json")
    return [found.ok() for found in described.get_all_operations()]


def check_body(described: dict[str, Any], case: schemathesis.Case, answer: Any) -> None:
    """The body is as the schema for this answer says."""
    responses = described["paths"][case.path][case.method.lower()]["responses"]
    for kind, content in responses[str(answer.status_code)].get("content", {}).items():
        if kind == "application/json" and answer.content:
            schema = {**content["schema"], "components": described["components"]}
            Draft202012Validator(schema).validate(answer.json())


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["as described", "otherwise"])
def test_every_operation_answers_as_it_is_described(background: Background, mode: GenerationMode) -> None:
    """As the administrator, whose own session is left alone, and as nobody."""
    operations = list_operations(background)
    assert len(operations) > 20
    for operation in operations:

        @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: schemathesis.Case) -> None:
            headers = dict(case.headers or {})
            if (case.method, case.path) not in ENDS_SESSION:
                headers["Authorization"] = f"Bearer {background.token}"
            for sent in (headers, {}):
                answer = case.call(headers=sent)
                case.validate_response(answer, checks=CHECKS)
                check_body(case.operation.schema.raw_schema, case, answer)

        with contextlib.suppress(Unsatisfiable):
            ask()
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
            await asyncio.wait_for(asyncio.gather(*(client.play_round() for client in clients)), 600)
            kinds = set().union(*(client.kinds for client in clients))
            assert {"snapshot", "patch", "private", "acknowledged"} <= kinds
            status = (await call(served.address, "GET", "/api/status"))[0]
            assert status["rounds"] >= len(tables) > 10
            assert status["ledger_imbalance"] == 0

    asyncio.run(run())
