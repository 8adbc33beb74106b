"""No secret leaves a floor: not in a line of its logbook, not in a number, an error or a byte that is sent to anybody.

Robots play, people of the house sign in, and errors are provoked, while everything is kept that the server says. What
must not be in it is read off the floor itself: tokens, passwords and their hashes, secrets and codes of second factors,
and the seed and salt of every shoe.
"""

from __future__ import annotations

import asyncio
import base64
import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, open_floor, seat

from pitboss.floor.second_factor import compute_code
from pitboss.server.client import AskRefused, Client, ClientError, call
from pitboss.server.desk import Desk
from pitboss.server.hub import Connection
from pitboss.server.logbook import Level, Logbook
from pitboss.server.reception import hash_token
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.web.socket_protocol import FloorSocketProtocol

PASSWORD, NEW_PASSWORD = "correct horse battery", "a staple of my own"
NEXT_CARDS = 5


class Witness:
    """Keeps what a floor says and sends."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.secrets: dict[str, bytes] = {}

    def listen(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Keep every frame that goes out."""
        write = FloorSocketProtocol.write_text

        def keep(protocol: FloorSocketProtocol, text: bytes) -> None:
            self.sent.append(text)
            write(protocol, text)

        monkeypatch.setattr(FloorSocketProtocol, "write_text", keep)

    def hide(self, what: str, *forms: str | bytes) -> None:
        for number, form in enumerate(forms):
            self.secrets[f"{what} ({number})"] = form if isinstance(form, bytes) else form.encode()

    def hide_bytes(self, what: str, secret: bytes) -> None:
        """A secret as it might be written: in hexadecimal, in base 64, in base 32."""
        self.hide(
            what, secret.hex(), base64.b64encode(secret).rstrip(b"="), base64.urlsafe_b64encode(secret).rstrip(b"="),
            base64.b32encode(secret).rstrip(b"="),
        )  # fmt: skip

    def search(self, where: str, text: bytes) -> None:
        for what, secret in self.secrets.items():
            assert secret not in text, f"{what} is in {where}"


def search_for_shoes(witness: Witness, desk: Desk, told: list[bytes]) -> int:
    """Nothing of a shoe in play was told so far: seed, salt, the next cards; how many shoes there are."""
    hidden = Witness()
    for slot in desk.tables:
        shoe = slot.now.state.table.shoe
        if shoe.origin.seed and len(shoe.undealt) > NEXT_CARDS:
            hidden.hide_bytes(f"the seed of {slot.name}", shoe.origin.seed)
            hidden.hide_bytes(f"the salt of {slot.name}", shoe.origin.salt)
            hidden.hide(f"the cards to come at {slot.name}", msgspec.json.encode(shoe.undealt[:NEXT_CARDS])[1:-1])
    for text in (*witness.sent, *told):
        hidden.search(text[:80].decode(), text)
    return len(hidden.secrets) // 9


async def take_office(served: Served, witness: Witness) -> Client:
    witness.hide("the one-time token", served.first_token)
    form = f"token={served.first_token}&name=root&password={PASSWORD.replace(' ', '+')}"
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
    head = "POST /administrator HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    writer.write(f"{head}Content-Length: {len(form)}\r\nConnection: close\r\n\r\n{form}".encode())
    assert b" 200 " in await reader.read()
    writer.close()
    return await Client.enter(served.address, "root", PASSWORD)


async def enrol(served: Served, witness: Witness, root: Client) -> Client:
    """The administrator gets a second factor and signs in with it."""
    offer = await root.post("/api/second-factor")
    witness.hide("the secret of a second factor", offer["secret"])
    secret = base64.b32decode(offer["secret"] + "=" * (-len(offer["secret"]) % 8))
    witness.hide_bytes("the secret of a second factor", secret)
    now = served.floor.clock() // 30_000
    answer = await root.post("/api/second-factor/confirm", {"code": compute_code(secret, now)})
    for code in answer["recovery"]:
        witness.hide("a recovery code", code, hash_token(code))
    with pytest.raises(ClientError, match="code"):
        await Client.enter(served.address, "root", PASSWORD)
    return await Client.enter(served.address, "root", PASSWORD, answer["recovery"][0])


async def provoke(served: Served, root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong, and what nobody expected."""
    for path in ("/api/inbox?role=nobody", "/api/tables/none", "/api/tables/t/rounds/77", "/nowhere"):
        with pytest.raises(ClientError):
            await root.get(path)
    with pytest.raises(ClientError, match="do not match"):
        await Client.enter(served.address, "root", NEW_PASSWORD)
    with pytest.raises(ClientError, match="not signed in"):
        await call(served.address, "GET", "/api/me", token="a made-up token")
    with monkeypatch.context() as patched:

        def fail(*arguments: Any) -> None:
            raise ValueError(f"{root.token} {PASSWORD} {served.floor.desk.slots['t'].now.state.table.shoe}")

        patched.setattr(served.floor.store, "read_rounds", fail)
        with pytest.raises(ClientError, match="cannot be answered now"):
            await root.get("/api/tables/t/rounds")
    logging.getLogger("uvicorn.error").error("went wrong: %s", root.token)
    logging.getLogger("asyncio").warning("%s was slow", PASSWORD)


def test_no_secret_is_in_the_logbook_the_metrics_an_error_or_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = Witness()
    witness.listen(monkeypatch)
    told: list[str] = []

    async def story(served: Served) -> None:
        root = await take_office(served, witness)
        person = {"name": "dan", "password": PASSWORD, "reason": "a new dealer"}
        await root.post("/api/people", person)
        dan = await Client.enter(served.address, "dan", PASSWORD)
        await dan.post("/api/password", {"name": "dan", "password": NEW_PASSWORD, "current": PASSWORD})
        again = await enrol(served, witness, root)
        async with seat(served, "ann", "bob") as clients:
            for _ in range(3):
                robots = [TableRobot(client.tables["t"], str(box), seed=box) for box, client in enumerate(clients, 1)]
                await asyncio.gather(*(robot.play(1) for robot in robots))
                assert search_for_shoes(witness, served.floor.desk, [line.encode() for line in served.logged]) == 1
            with pytest.raises(AskRefused):
                await clients[0].ask("t", {"type": "shuffle", "entropy": "eA=="})
            await provoke(served, again, monkeypatch)
            told.append(await again.get("/metrics"))
            for path in ("/api/status", "/api/tables", "/api/tables/t", "/api/tables/t/log?limit=500", "/api/actions"):
                told.append(msgspec.json.encode(await again.get(path)).decode())
            for client in (root, dan, again, *clients):
                witness.hide(f"the token of {client.name}", client.token, hash_token(client.token))
        witness.hide("a password", PASSWORD, NEW_PASSWORD)
        for name, kept in served.floor.desk.house.people.items():
            if kept.password_hash:
                witness.hide(f"the hash of the password of {name}", kept.password_hash)
        for client in (root, dan, again):
            await client.close()
        said = [line for line in served.said if "become its administrator" not in line]
        told.extend((*served.logged, *said))

    async def run() -> None:
        async with open_floor(tmp_path) as served:
            with served.floor.logbook.take_over_logging():
                await asyncio.wait_for(story(served), 600)

    asyncio.run(run())
    assert any('"event":"failed"' in line and "ValueError" in line for line in told), "no error was provoked"
    assert any('"event":"signed in"' in line and "root" in line for line in told)
    assert any('"event":"library"' in line for line in told)
    assert len(witness.sent) > 20
    assert len(witness.secrets) > 15
    for line in told:
        witness.search(line[:80], line.encode())
    for frame in witness.sent:
        witness.search(frame[:80].decode(), frame)


def test_no_byte_for_any_observer_of_any_game_tells_of_cards_to_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spectators, players and others watch every table."""
    witness = Witness()
    witness.listen(monkeypatch)

    async def story(served: Served) -> None:
        hub, desk = served.floor.hub, served.floor.desk
        kept: list[bytes] = []
        names = [slot.name for slot in desk.tables]
        for person in ("", "nobody", "root"):
            connection = Connection(person, lambda: None, lambda reason: None)
            connection.send = kept.append  # type: ignore[method-assign]
            hub.enter(connection)
            for name in names:
                hub.hear(connection, msgspec.json.encode({"type": "watch", "table": name}))
        for name in names:
            async with seat(served, f"a-{name}"[:30], table=name) as (client,):
                robot = TableRobot(client.tables[name], "1", seed=1)
                await robot.play(1)
                search_for_shoes(witness, desk, kept)
        assert len(kept) > 10 * len(names)
        assert search_for_shoes(witness, desk, kept) > 10

    async def run() -> None:
        async with open_floor(tmp_path, tables=None) as served:
            await asyncio.wait_for(story(served), 600)

    asyncio.run(run())


def test_lines_of_the_logbook_are_json_with_a_time_and_a_level(tmp_path: Path) -> None:
    lines: list[str] = []
    book = Logbook(lines.append, level=Level.WARNING, clock=lambda: 1_700_000_000_123)
    book.info("ordinary")
    book.warn("refused", person='ann"\n{"level":"error"}', reason="x" * 5_000)
    [line] = lines
    assert "\n" not in line
    read = msgspec.json.decode(line)
    assert read["at"] == "2023-11-14T22:13:20.123+00:00"
    assert read["level"] == "warning"
    assert read["person"].startswith("ann")
    assert len(read["reason"]) == 200


def test_an_error_in_a_library_is_told_by_its_kind_and_place_alone() -> None:
    lines: list[str] = []
    book = Logbook(lines.append)
    with book.take_over_logging():
        try:
            raise ValueError("hush")
        except ValueError:
            logging.getLogger("some.library").exception("it failed for %s", "hush")
    [line] = lines
    assert "hush" not in line
    assert msgspec.json.decode(line)["kind"] == "ValueError"
    assert "test_secrets.py" in line
