"""A client that means harm: the table stays right, and says what it refuses."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, open_floor, seat
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitboss.server.client import AskRefused, Client, ClientError, call, merge_patch
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key
from pitboss.server.web.bounds import MOST_BUCKETS, Bounds, Buckets

PASSWORD = "correct horse battery"
FORM = "application/x-www-form-urlencoded"
FAST = Bounds(messages_per_second=100_000, burst=100_000)


def serve(folder: Path, story: Callable[[Served], Awaitable[None]], **options: Any) -> None:
    """Tell a story at a served floor; whatever happens in it, the floor passes its audit afterwards."""

    async def run() -> None:
        async with open_floor(folder, **options) as served:
            await asyncio.wait_for(story(served), 600)
            assert served.floor.store.count_rounds() >= 0
            status = (await call(served.address, "GET", "/api/status"))[0]
            assert status["ledger_imbalance"] == 0
            failed = [line for line in served.logged if '"event":"failed"' in line]
            assert not failed, failed

    asyncio.run(run())
    assert audit_floor(f"sqlite:///{folder}/floor.db", load_key(folder / "floor.key", make=False)).found == []


async def open_socket(served: Served, token: str = "", **headers: str) -> Any:
    address = served.address.replace("http", "ws") + "/ws"
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return await connect(address, additional_headers={**bearer, **headers}, compression=None, proxy=None)


async def hear(socket: Any, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    async with asyncio.timeout(120):
        while True:
            for message in msgspec.json.decode(await socket.recv()):
                if message["type"] == kind:
                    found: dict[str, Any] = message
                    return found


async def send(served: Served, request: bytes) -> bytes:
    """A request byte by byte as it is given, and everything that comes back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
    try:
        writer.write(request)
        async with asyncio.timeout(120):
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def write_request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: x", "Connection: close", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


# ---------------------------------------------------------------------- messages that are none

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
TYPES = st.sampled_from(
    ["place-bet", "hit", "split", "double", "buy-in", "insure", "leave-table", "shuffle", "load-shoe", "deal", "void",
     "prize", "restart-clock", "expire-order", "confirm-order", "call-dispute", "switch", "next-round", "limits"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["box", "amount", "player", "by", "role", "person", "wager", "at", "cards", "entropy", "on", "number"]
)
COMMANDS = st.dictionaries(NAMES, JSON, max_size=5).flatmap(
    lambda fields: TYPES.map(lambda kind: {**fields, "type": kind})
)


def test_whatever_somebody_sends_is_answered_and_changes_nothing_of_others(tmp_path: Path) -> None:
    """Commands of every shape, as oneself and with the names of others in them; the others lose no chip by it."""

    async def story(served: Served) -> None:
        async with seat(served, "ann", "eve", "bob") as (ann, eve, bob):
            hub, desk = served.floor.hub, served.floor.desk
            sent: list[bytes] = []
            connection = next(each for each in hub.connections if each.person == "eve")
            monkey = connection.send
            connection.send = sent.append  # type: ignore[method-assign]

            @settings(max_examples=400, deadline=None)
            @given(COMMANDS | JSON, st.sampled_from(["player", "dealer", "administrator", "house", ""]))
            def shout(command: object, role: str) -> None:
                shout.count += 1  # type: ignore[attr-defined]
                message = {"type": "ask", "id": f"e{shout.count}", "table": "t", "command": command, "role": role}  # type: ignore[attr-defined]
                before = len(sent)
                hub.hear(connection, msgspec.json.encode(message))
                if desk.line:
                    assert desk.line[-1].entry.row.actor in ("eve", ""), "somebody acted for somebody else"
                assert len(sent) > before or desk.line, "a message was not answered"

            shout.count = 0  # type: ignore[attr-defined]
            shout()
            connection.send = monkey  # type: ignore[method-assign]
            await ann.ask("t", {"type": "ready"})
            live = desk.slots["t"].durable.state
            for name in ("ann", "bob"):
                assert live.purses[name] + desk.balances["wallet:" + name, next(iter(desk.balances))[1]] == 1000 * 10**6
            await bob.ask("t", {"type": "ready"})
            assert eve.tables["t"].seq is not None

    serve(tmp_path, story)


@pytest.mark.parametrize(
    "text",
    [
        "{", "[" * 4000, '{"type":"ask","id":"1","table":"t","command":' + '{"a":' * 500 + "1" + "}" * 500 + "}",
        '{"type":"ask","id":"' + "x" * 65 + '","table":"t","command":{}}',
        '{"type":"watch","table":"t","after":-1e400}',
        '{"type":"watch","table":"t","after":99999999999999999999999999}', '{"type":"ask","type":"watch","table":"t"}',
        '{"type":"watch","table":"../floor"}', '{"type":"watch","table":"t","events":1}', "\x00",
    ],
)  # fmt: skip
def test_malformed_messages_are_answered_and_the_next_one_is_heard(tmp_path: Path, text: str) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send(text)
        [answer] = msgspec.json.decode(await socket.recv())
        assert answer["type"] in ("complaint", "refused", "snapshot")
        await socket.send('{"type":"watch","table":"t"}')
        assert (await hear(socket, "snapshot"))["table"] == "t"
        await socket.close()

    serve(tmp_path, story)


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/9.9\r\n\r\n",
        b"G\x00T / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
        write_request("POST", "/api/guests", b"\xff\xfe", Content_Type="application/json"),
        write_request("POST", "/api/guests", b'{"name":' + b"[" * 3000, Content_Type="application/json"),
        write_request("POST", "/api/guests", b"name=x", Content_Type=FORM),
        write_request("POST", "/api/guests", b"<a/>", Content_Type="application/xml"),
        write_request("POST", "/api/sessions", b'{"name":"\\u0000","password":"x"}', Content_Type="application/json"),
        write_request("TRACE", "/"), write_request("GET", "/../../etc/passwd"), write_request("GET", "/%00"),
        write_request("GET", "/api/tables/%2e%2e%2ffloor"), write_request("GET", "/api/tables/floor"),
        write_request("GET", "/api/tables/t/rounds/99999999999999999999999"),
        write_request("GET", "/api/tables/t/log?after=99999999999999999999999"),
        write_request("GET", "/api/tables/t/log?after=1&after=2&limit=x"), write_request("GET", "/.git/config"),
        write_request("GET", "/api/me", Cookie="pitboss_session=" + "\u00e9" * 50),
        write_request("POST", "/administrator", b"token=%FF&name=&password=", Content_Type=FORM),
    ],
)  # fmt: skip
def test_malformed_requests_are_refused_without_an_inside(tmp_path: Path, request_bytes: bytes) -> None:
    async def story(served: Served) -> None:
        answer = (await send(served, request_bytes)).decode("latin-1")
        if answer:
            assert answer.split(" ")[1][0] == "4", answer
            assert "Traceback" not in answer
            assert "sqlite" not in answer.lower()
        assert (await call(served.address, "GET", "/healthz"))[0] == "ok\n"

    serve(tmp_path, story)


def test_a_body_that_is_too_large_is_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        body = b'{"name":"' + b"x" * 100_000 + b'"}'
        answer = await send(served, write_request("POST", "/api/guests", body, Content_Type="application/json"))
        assert b" 413 " in answer.split(b"\r\n")[0]
        assert any('"status":413' in line for line in served.logged)

    serve(tmp_path, story)


def test_two_ways_to_say_how_long_a_request_is_are_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        head = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        answer = await send(
            served, head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz"
        )
        assert b"ok\n" not in answer

    serve(tmp_path, story)


# ---------------------------------------------------------------------- replayed, reordered, raced


def test_messages_in_any_order_and_any_number_do_each_thing_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            sockets = [await open_socket(served, ann.token) for _ in range(3)]
            messages = [
                msgspec.json.encode(
                    {"type": "ask", "id": f"m{n}", "table": "t", "command": {"type": "buy-in", "amount": "1"}}
                ).decode()
                for n in range(20)
            ]
            again = messages * 3
            random.Random(4).shuffle(again)
            for number, text in enumerate(again):
                await sockets[number % 3].send(text)
            answers: dict[str, set[int]] = {}
            heard = 0
            while heard < len(again):
                for own in sockets:
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(0.05):
                            for message in msgspec.json.decode(await own.recv()):
                                answers.setdefault(message["id"], set()).add(message["seq"])
                                heard += 1
            assert all(len(seqs) == 1 for seqs in answers.values())
            assert len(answers) == 20
            me = await ann.get("/api/me")
            assert me["chips"] == "480"
            for own in sockets:
                await own.close()

    serve(tmp_path, story)


def test_two_who_race_for_one_box_are_told_who_has_it(tmp_path: Path) -> None:
    """Whoever is first has the box; the others share it or are refused by the book, and each chip is once."""

    async def story(served: Served) -> None:
        names = [f"p{n}" for n in range(12)]
        async with seat(served, *names) as clients:
            bet = {"type": "place-bet", "box": "1", "amount": "10"}
            answers = await asyncio.gather(*(client.ask("t", bet) for client in clients), return_exceptions=True)
            granted = [answer for answer in answers if isinstance(answer, int)]
            refused = [answer for answer in answers if isinstance(answer, AskRefused)]
            assert len(granted) + len(refused) == len(names)
            assert granted
            assert refused
            assert len(set(granted)) == len(granted)
            assert all(refusal.clauses for refusal in refused), "a refusal names the clause"
            bets = (await clients[0].get("/api/tables/t"))["public"]["bets"]
            assert len(bets) == len(granted)

    serve(tmp_path, story)


def test_one_person_cannot_act_for_another_with_their_ids(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann", "eve") as (ann, eve):
            seq = await ann.ask("t", {"type": "ready"}, command_id="same")
            assert await eve.ask("t", {"type": "ready"}, command_id="same") != seq
            await ann.ask("t", {"type": "place-bet", "box": "1", "amount": "10"})
            with pytest.raises(AskRefused, match="box 1"):
                await eve.ask("t", {"type": "remove-bet", "box": "1", "player": "ann"})

    serve(tmp_path, story)


# ---------------------------------------------------------------------- too much, too slow


def test_a_client_that_reads_nothing_is_dropped_and_goes_on_where_it_was(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            port = int(served.address.rsplit(":", 1)[1])
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            await asyncio.to_thread(raw.connect, ("127.0.0.1", port))
            raw.setblocking(False)
            key = base64.b64encode(b"k" * 16).decode()
            loop = asyncio.get_running_loop()
            head = "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            rest = f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            await loop.sock_sendall(raw, (head + rest).encode())
            assert b" 101 " in await loop.sock_recv(raw, 4096)
            text = b'{"type":"watch","table":"t"}'
            frame = bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text
            with contextlib.suppress(OSError):
                async with asyncio.timeout(120):
                    while not any("too slow" in line for line in served.logged):
                        await loop.sock_sendall(raw, frame * 50)
                        await asyncio.sleep(0)
            raw.close()
            assert len(served.floor.hub.connections) == 1, "only ann is left"
            seq = ann.tables["t"].seq
            again = await open_socket(served)
            await again.send(msgspec.json.encode({"type": "watch", "table": "t", "after": seq}).decode())
            await ann.ask("t", {"type": "go-along"})
            await ann.ask("t", {"type": "ready"})
            patch = await hear(again, "patch")
            assert patch["after"] == seq
            assert merge_patch({"ready": []}, patch["patch"]) is not None
            await again.close()

    serve(tmp_path, story, bounds=FAST)


def test_a_flood_of_requests_from_one_address_is_turned_away(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        answers = [await send(served, write_request("GET", "/healthz")) for _ in range(60)]
        assert answers[0].endswith(b"ok\n")
        assert b"too many requests" in answers[-1]
        assert any('"status":429' in line for line in served.logged)
        async with asyncio.timeout(120):
            answer = b""
            while not answer.endswith(b"ok\n"):
                await asyncio.sleep(1)
                answer = await send(served, write_request("GET", "/healthz"))

    serve(tmp_path, story, bounds=Bounds(requests_per_second=5, requests_burst=10))


def test_one_address_has_so_many_connections(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        sockets = [await open_socket(served) for _ in range(3)]
        with pytest.raises(InvalidStatus):
            await open_socket(served)
        await sockets[0].close()
        async with asyncio.timeout(120):
            while len(served.floor.hub.connections) > 2:
                await asyncio.sleep(0.01)
        again = await open_socket(served)
        for own in (*sockets[1:], again):
            await own.close()
        assert any("too many connections" in line for line in served.logged)

    serve(tmp_path, story, bounds=Bounds(connections_per_address=3))


def test_whoever_takes_too_long_to_send_a_request_is_hung_up_on(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        for begun in (b"", b"GET /healthz HT", b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
            writer.write(begun)
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(120):
                    assert b" 200 " not in await reader.read()
            writer.close()

    serve(tmp_path, story, bounds=Bounds(request_seconds=1))


def test_names_without_number_do_not_make_the_server_forget_whom_it_limits() -> None:
    buckets = Buckets()
    assert [buckets.take("eve", 0.01, 2, 0) for _ in range(3)] == [True, True, False]
    taken = [buckets.take(f"name {n}", 0.01, 2, 0) for n in range(MOST_BUCKETS + 10)]
    assert taken.count(False) == 11, "a name that cannot be remembered is refused"
    assert not buckets.take("eve", 0.01, 2, 0)
    assert buckets.take("somebody", 0.01, 2, 1_000_000), "what is full again is forgotten"


# ---------------------------------------------------------------------- pages of others, cookies, headers


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}, {"Sec_Fetch_Site": "cross-site"},
     {"Sec_Fetch_Site": "same-site"}],
)  # fmt: skip
def test_a_page_of_another_site_can_ask_for_nothing(tmp_path: Path, headers: dict[str, str]) -> None:
    async def story(served: Served) -> None:
        body = b'{"name":"eve"}'
        request = write_request("POST", "/api/guests", body, Content_Type="application/json", **headers)
        answer = await send(served, request)
        assert b" 403 " in answer.split(b"\r\n")[0]
        assert b"set-cookie" not in answer.lower()
        assert b"access-control-allow-origin" not in answer.lower()
        assert b"content-security-policy" in answer.lower()
        assert "eve" not in served.floor.desk.house.people

    serve(tmp_path, story)


@pytest.mark.parametrize("proto", ["http", "https"])
def test_cookies_and_headers_are_stricter_over_tls(tmp_path: Path, proto: str) -> None:
    async def story(served: Served) -> None:
        headers = {"Content_Type": "application/json", "X_Forwarded_Proto": proto, "X_Forwarded_For": "192.0.2.7"}
        answer = (await send(served, write_request("POST", "/api/guests", b"{}", **headers))).decode("latin-1").lower()
        cookie = next(line for line in answer.splitlines() if line.startswith("set-cookie:"))
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie
        assert "domain" not in cookie
        over_tls = proto == "https"
        assert ("secure" in cookie.split(";", 1)[1]) is over_tls
        assert ("__host-pitboss_session" in cookie) is over_tls
        assert ("strict-transport-security: max-age=63072000; includesubdomains" in answer) is over_tls
        assert any("192.0.2.7" in line for line in served.logged), "the proxy's word about the client is taken"

    serve(tmp_path, story)


def test_where_others_can_reach_the_floor_cookies_are_secure_always(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        answer = await send(served, write_request("POST", "/api/guests", b"{}", Content_Type="application/json"))
        assert b"__Host-pitboss_session" in answer
        client = await Client.enter(served.address, "ann")
        assert (await client.get("/api/me"))["name"] == "ann"
        await client.close()

    serve(tmp_path, story, host="0.0.0.0")


@pytest.mark.parametrize("path", ["/", "/administrator", "/api/tables", "/metrics", "/schema/openapi.json", "/nowhere"])
def test_every_answer_tells_browsers_what_they_may_do(tmp_path: Path, path: str) -> None:
    async def story(served: Served) -> None:
        answer = (await send(served, write_request("GET", path))).decode().lower()
        head, _, body = answer.partition("\r\n\r\n")
        policy = next(line for line in head.splitlines() if line.startswith("content-security-policy:"))
        for wanted in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            assert wanted in policy
        assert "unsafe" not in policy
        kept = "cache-control: no-cache" if path == "/" else "cache-control: no-store"
        for wanted in ("x-content-type-options: nosniff", "referrer-policy: no-referrer", kept):
            assert wanted in head
        assert "server:" not in head
        assert "charset" in head or "application/" in head
        if "text/html" in head:
            assert not re.findall(r"<script(?![^>]* src=\"/site/)", body)
            assert not re.findall(r"<style|\sstyle=|\son\w+\s*=", body)

    serve(tmp_path, story)


def test_what_others_have_typed_stands_on_a_page_as_text(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        answer = await send(served, write_request("GET", "/administrator?token=%22%27%3E%3Cscript%3E"))
        assert b"<script" not in answer
        assert b"&lt;script" in answer

    serve(tmp_path, story)


# ---------------------------------------------------------------------- sessions and passwords


async def take_office(served: Served) -> Client:
    form = f"token={served.first_token}&name=root&password={PASSWORD.replace(' ', '+')}".encode()
    assert b" 200 " in await send(served, write_request("POST", "/administrator", form, Content_Type=FORM))
    return await Client.enter(served.address, "root", PASSWORD)


def test_whoever_signs_in_or_out_ends_the_session_of_before(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        body = {"name": "root", "password": PASSWORD}
        token = (await call(served.address, "POST", "/api/sessions", body, root.token))[1]
        with pytest.raises(ClientError, match="session is over"):
            await call(served.address, "GET", "/api/me", token=root.token)
        answer = await send(served, write_request("DELETE", "/api/sessions", Authorization=f"Bearer {token}"))
        assert b"clear-site-data" in answer.lower()
        with pytest.raises(ClientError, match="session is over"):
            await call(served.address, "GET", "/api/me", token=token)
        async with asyncio.timeout(120):
            while served.floor.hub.connections:
                await asyncio.sleep(0.01)
        await root.close()

    serve(tmp_path, story)


@pytest.mark.parametrize(
    "password", ["password1234", "PitBoss!Casino1", "rootrootroot", "aaaaaaaaaaaaaa", "P@ssw0rd12345", "1234567890123"]
)
def test_passwords_that_everybody_tries_first_are_refused(tmp_path: Path, password: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        with pytest.raises(ClientError, match="easy to guess"):
            await root.post("/api/people", {"name": "root2", "password": password, "reason": "x"})
        await root.close()

    serve(tmp_path, story)


def test_a_password_is_checked_whole_and_changed_with_the_one_of_before(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        long = "long and fine " * 14
        for wrong in ("", "wrong", PASSWORD.upper()):
            with pytest.raises(ClientError, match="do not match"):
                await root.post("/api/password", {"name": "root", "password": long, "current": wrong})
        await root.post("/api/password", {"name": "root", "password": long, "current": PASSWORD})
        with pytest.raises(ClientError, match="do not match"):
            await Client.enter(served.address, "root", long + "x" * 50)
        await (await Client.enter(served.address, "root", long)).close()
        await root.close()

    serve(tmp_path, story)


def test_a_closed_socket_is_no_error(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send('{"type":"watch","table":"t"}')
        socket.transport.abort()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()
        async with asyncio.timeout(120):
            while served.floor.hub.connections:
                await asyncio.sleep(0.01)

    serve(tmp_path, story)
