"""A served floor over HTTP and WebSocket: play, come back, be refused, be too much."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import PASSWORD, Served, open_floor, open_socket, seat, serve
from speeds import few
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitboss.server import messages as me
from pitboss.server.client import AskRefused, Client, ClientError, call
from pitboss.server.hub import MOST_WAITING, Connection
from pitboss.server.robots.table_robot import TableRobot
from pitboss.server.storage.database import StoreError
from pitboss.server.web.bounds import Bounds, Bucket, is_own_origin


async def play_round(*clients: Client, table: str = "t") -> None:
    robots = [TableRobot(client.tables[table], str(box), seed=box) for box, client in enumerate(clients, 1)]
    await asyncio.gather(*(robot.play(1) for robot in robots))


# ---------------------------------------------------------------------- play


@pytest.mark.slow
def test_a_client_plays_a_round_of_every_game(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        tables = (await call(served.address, "GET", "/api/tables"))[0]
        kinds = {(table["game"], table["kind"]) for table in tables}
        assert len(tables) == len(kinds) == 2 * len({table["game"] for table in tables}) > 20

        async def play(table: str) -> None:
            async with seat(served, f"a-{table}", f"b-{table}", table=table) as clients:
                await play_round(*clients, table=table)
                for client in clients:
                    await client.tables[table].ask({"type": "leave-table"})

        await asyncio.gather(*(play(table["name"]) for table in tables))
        status = (await call(served.address, "GET", "/api/status"))[0]
        assert status["ledger_imbalance"] == 0
        assert status["rounds"] >= len(tables)

    serve(tmp_path, story, tables=None)


def test_what_patches_make_of_the_document_is_the_document(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann", "bob") as clients:
            watched = clients[0].tables["t"]
            await play_round(*clients)
            await watched.ask({"type": "ready"})
            answer = await clients[0].get("/api/tables/t")
            while watched.seq != answer["seq"]:
                await watched.wait_for_change()
                answer = await clients[0].get("/api/tables/t")
            full = {name: value for name, value in answer["public"].items() if value is not None}
            assert _without_null(watched.public) == _without_null(full)
            heard = [item["seq"] for item in watched.news]
            assert heard == sorted(set(heard)), "an event came twice or out of order"

    serve(tmp_path, story)


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_null(item) for name, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value


def test_everything_that_is_sent_is_as_the_schemas_say(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        schemas = (await call(served.address, "GET", "/api/schemas"))[0]
        assert {"client", "server", "commands", "floor_commands", "events", "$defs"} <= schemas.keys()
        assert "player" not in schemas["$defs"]["PlaceBet"]["required"]
        async with seat(served, "ann") as (client,):
            socket = await open_socket(served, client.token)
            await socket.send('{"type": "watch", "table": "t"}')
            await socket.send('{"type": "ask", "id": "1", "table": "t", "command": {"type": "deal"}}')
            await socket.send("what")
            await play_round(client)
            await socket.send('{"type": "ask", "id": "2", "table": "t", "command": {"type": "ready"}}')
            kinds: set[str] = set()
            while "Acknowledged" not in kinds:
                frame = await socket.recv()
                for message in msgspec.json.decode(frame, type=list[me.ServerMessage]):
                    kinds.add(type(message).__name__)
            assert kinds == {"Snapshot", "Patch", "Private", "RefusedAsk", "Complaint", "Acknowledged"}
            await socket.close()

    serve(tmp_path, story)


def test_a_client_that_comes_back_loses_and_repeats_nothing(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann", "bob") as clients:
            ann, bob = (client.tables["t"] for client in clients)
            await ann.ask({"type": "ready"})
            assert clients[0]._socket is not None
            await clients[0]._socket.close()
            for _ in range(3):
                await bob.ask({"type": "ready"})
                await bob.ask({"type": "go-along"})
            while ann.seq != bob.seq:
                await ann.wait_for_change()
            assert clients[0].connections == 2
            assert ann.public == bob.public
            ours, theirs = ([item["seq"] for item in table.news] for table in (ann, bob))
            assert ours[-len(theirs) :] == theirs[-len(ours) :]
            assert ours == list(range(ours[0], ours[-1] + 1))

    serve(tmp_path, story)


def test_a_client_that_stands_too_far_back_starts_over(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            socket = await open_socket(served, client.token)
            await socket.send('{"type": "watch", "table": "t", "after": 0}')
            assert msgspec.json.decode(await socket.recv())[0]["type"] == "snapshot"
            await socket.close()

    serve(tmp_path, story)


@pytest.mark.slow
def test_a_command_sent_twice_has_the_same_answer_also_after_a_restart(tmp_path: Path) -> None:
    seen: list[Any] = []

    async def first(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            seen.append(client.token)
            seen.append(await client.ask("t", {"type": "ready"}, command_id="x"))
            assert await client.ask("t", {"type": "ready"}, command_id="x") == seen[1]

    async def second(served: Served) -> None:
        client = Client(served.address, seen[0], "ann")
        await client.open()
        assert await client.ask("t", {"type": "ready"}, command_id="x") == seen[1]
        await client.close()

    serve(tmp_path, first)
    serve(tmp_path, second)


@pytest.mark.slow
def test_what_cannot_be_stored_is_asked_again_by_the_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            store = served.floor.store
            whole, failures = store.begin_write, []

            def fail_twice(*arguments: Any) -> Callable[[], None]:
                if len(failures) < 2:
                    failures.append(1)
                    raise StoreError("the disk is full")
                return whole(*arguments)

            monkeypatch.setattr(store, "begin_write", fail_twice)
            seq = await client.ask("t", {"type": "ready"})
            assert len(failures) == 2
            assert store.find_head("t")[0] == seq  # type: ignore[index]

    serve(tmp_path, story)


def test_without_its_store_the_floor_is_not_ready_and_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):

            def fail(*arguments: Any) -> None:
                raise StoreError("the disk is full")

            with monkeypatch.context() as patched:
                patched.setattr(served.floor.store, "begin_write", fail)
                asking = asyncio.create_task(client.ask("t", {"type": "ready"}))
                while not any("the disk is full" in line for line in served.said):
                    await asyncio.sleep(0)
                with pytest.raises(ClientError, match="the store does not answer"):
                    await client.get("/readyz")
                assert not asking.done()
            await asking
            assert await client.get("/readyz") == "ready\n"

    serve(tmp_path, story)


def test_rounds_can_be_recalled(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            await play_round(client)
            await play_round(client)
            rounds = await client.get("/api/tables/t/rounds?last=5")
            assert [kept["number"] for kept in rounds][-2:] == [2, 1]
            assert "perth/blackjack" in (await client.get("/api/tables/t/rounds/1"))["record"]
            with pytest.raises(ClientError, match="no round 99"):
                await client.get("/api/tables/t/rounds/99")
            log = await client.get("/api/tables/t/log?after=1&limit=3")
            assert [row["seq"] for row in log] == [2, 3, 4]

    serve(tmp_path, story)


# ---------------------------------------------------------------------- people


def test_the_one_time_link_works_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        form = f"token={served.first_token}&name=root&password={PASSWORD.replace(' ', '+')}"
        assert "administrator" in await _post_form(served, form)
        assert "not good any more" in await _post_form(served, form.replace("root", "eve"))
        admin = await Client.enter(served.address, "root", PASSWORD)
        person = {"name": "dan", "password": "another long password", "reason": "a new dealer"}
        await call(served.address, "POST", "/api/people", person, admin.token)
        role = {"type": "give-role", "name": "dan", "role": "dealer", "book": "perth", "reason": "a new dealer"}
        give = {"id": "1", "command": role}
        assert (await call(served.address, "POST", "/api/floor/commands", give, admin.token))[0][
            "type"
        ] == "acknowledged"
        dan = await Client.enter(served.address, "dan", "another long password")
        assert (await dan.get("/api/me"))["roles"] == [["dealer", "perth"]]
        bar = {"type": "bar", "player": "ann", "reason": "a test"}
        with pytest.raises(AskRefused, match="table-games-manager or above"):
            await dan.ask("t", bar, role="dealer")
        with pytest.raises(AskRefused, match="you do not hold the role"):
            await dan.ask("t", bar, role="casino-operator")
        for client in (admin, dan):
            await client.close()

    serve(tmp_path, story)


async def _post_form(served: Served, form: str) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
    head = "POST /administrator HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    writer.write(f"{head}Content-Length: {len(form)}\r\nConnection: close\r\n\r\n{form}".encode())
    answer = (await reader.read()).decode()
    writer.close()
    return answer


def test_who_may_not_is_told_so(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            give = {"id": "1", "command": {"type": "give-role", "name": "ann", "role": "administrator"}}
            with pytest.raises(ClientError, match="you do not hold the role administrator"):
                await call(served.address, "POST", "/api/floor/commands", give, client.token)
            with pytest.raises(ClientError, match="you do not hold the role"):
                await call(served.address, "POST", "/api/people", {"name": "x", "password": PASSWORD}, client.token)
            with pytest.raises(ClientError, match="the administrator does this"):
                await call(served.address, "POST", "/api/password", {"name": "bob", "password": PASSWORD}, client.token)
            with pytest.raises(ClientError, match="you are not signed in"):
                await call(served.address, "GET", "/api/me")
            with pytest.raises(ClientError, match="choose another name"):
                await Client.enter(served.address, "ann")
            with pytest.raises(ClientError, match="do not match"):
                await Client.enter(served.address, "ann", PASSWORD)
            with pytest.raises(AskRefused, match="not a player's"):
                await client.ask("t", {"type": "deal"})
            await call(served.address, "DELETE", "/api/sessions", token=client.token)
            with pytest.raises(ClientError, match="session is over"):
                await client.get("/api/me")

    serve(tmp_path, story)


def test_sessions_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(served: Served) -> None:
        monkeypatch.setattr("pitboss.server.reception.SESSION_MS", -1)
        with pytest.raises(ClientError, match="session is over"):
            await Client.enter(served.address, "ann")

    serve(tmp_path, story)


def test_attempts_to_sign_in_are_limited(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        for _ in range(2):
            with pytest.raises(ClientError, match="do not match"):
                await Client.enter(served.address, "ann", PASSWORD)
        with pytest.raises(ClientError, match="too many"):
            await Client.enter(served.address, "ann", PASSWORD)

    serve(tmp_path, story, bounds=Bounds(sign_ins_per_minute=2))


# ---------------------------------------------------------------------- what is too much


def test_other_origins_are_refused(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        with pytest.raises(InvalidStatus):
            await open_socket(served, Origin="http://evil.example")
        socket = await open_socket(served, Origin=served.address)
        await socket.close()

    serve(tmp_path, story)
    assert is_own_origin(None, "x")
    assert not is_own_origin("null", "x")
    assert not is_own_origin("http://y", "x")


def test_a_session_that_is_none_gets_no_socket(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        with pytest.raises(InvalidStatus):
            await open_socket(served, "made-up")

    serve(tmp_path, story)


def test_a_spectator_watches_and_asks_nothing(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send('{"type": "watch", "table": "t"}')
        assert msgspec.json.decode(await socket.recv())[0]["type"] == "snapshot"
        await socket.send('{"type": "ask", "id": "1", "table": "t", "command": {"type": "ready"}}')
        assert msgspec.json.decode(await socket.recv())[0]["type"] == "refused"
        await socket.close()

    serve(tmp_path, story)


@pytest.mark.parametrize(
    "text",
    few([
        "", "what", "[]", "{}", '{"type": "ask"}', '{"type": "watch", "table": "nowhere"}', "[" * 3000,
        '{"type": "ask", "id": "", "table": "t", "command": {}}', '{"type": "watch", "table": "floor"}',
        '{"type": "watch", "table": 3}',
    ], 5),
)  # fmt: skip
def test_a_message_that_is_none_is_answered_and_harms_nobody(tmp_path: Path, text: str) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send(text)
        assert msgspec.json.decode(await socket.recv())[0]["type"] == "complaint"
        await socket.send('{"type": "watch", "table": "t"}')
        assert msgspec.json.decode(await socket.recv())[0]["type"] == "snapshot"
        await socket.close()

    serve(tmp_path, story)


@pytest.mark.parametrize("message", ["x" * 5000, b"bytes"])
def test_what_is_too_large_or_no_text_ends_the_connection(tmp_path: Path, message: str | bytes) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send(message)
        with pytest.raises(ConnectionClosed) as caught:
            await socket.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009

    serve(tmp_path, story)


def test_a_client_that_floods_is_told_and_then_dropped(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        heard = []
        with contextlib.suppress(ConnectionClosed):
            for _ in range(100):
                await socket.send('{"type": "unwatch", "table": "t"}')
        with contextlib.suppress(ConnectionClosed):
            while True:
                heard.append(await socket.recv())
        assert "too fast" in "".join(heard)
        assert socket.close_code == 1008

    serve(tmp_path, story, bounds=Bounds(messages_per_second=1, burst=5))


@pytest.mark.slow
def test_a_client_that_was_too_fast_asks_again_and_everything_is_done_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            asked = [client.tables["t"].ask({"type": "buy-in", "amount": "1"}) for _ in range(12)]
            assert len(set(await asyncio.gather(*asked))) == 12
            assert client.tables["t"].private["chips"] == "512"
            assert client.connections == 1

    serve(tmp_path, story, bounds=Bounds(messages_per_second=10, burst=8))


def test_one_person_has_so_many_connections(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            with pytest.raises(InvalidStatus):
                await open_socket(served, client.token)

    serve(tmp_path, story, bounds=Bounds(connections_per_person=1))


def test_a_client_that_does_not_read_is_dropped() -> None:
    dropped: list[str] = []
    connection = Connection("ann", lambda: None, dropped.append)
    for _ in range(MOST_WAITING):
        connection.send(b"{}")
    assert not dropped
    connection.send(b"{}")
    assert dropped == ["too slow: connect again"]


def test_a_bucket_lets_so_many_pass() -> None:
    bucket = Bucket(10, 3, 0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert [bucket.take(100) for _ in range(2)] == [True, False]
    assert not bucket.take(50), "a clock that goes back gives nothing"


def test_every_answer_has_the_headers_that_keep_browsers_safe(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(served.address.rsplit(":", 1)[1]))
        body = b'{"name": "ann"}'
        writer.write(
            b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        answer = (await reader.read()).decode().lower()
        writer.close()
        for wanted in ("content-security-policy:", "x-content-type-options: nosniff", "referrer-policy: no-referrer"):
            assert wanted in answer
        cookie = next(line for line in answer.splitlines() if line.startswith("set-cookie:"))
        assert "httponly" in cookie
        assert "samesite=strict" in cookie

    serve(tmp_path, story)


def test_metrics_say_that_the_ledger_is_in_balance(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (client,):
            await play_round(client)
            text = await client.get("/metrics")
            assert "pitboss_ledger_imbalance_grains 0\n" in text
            assert "pitboss_connections 1\n" in text
            assert await client.get("/healthz") == "ok\n"
            counted = int(text.split("\npitboss_commands_acknowledged_total ")[1].split("\n")[0])
            assert counted >= 2, "a buy-in and a wager at least"
            assert f"pitboss_acknowledgement_seconds_count {counted}\n" in text

    serve(tmp_path, story)


def test_nobody_serves_a_database_that_is_served(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        with pytest.raises(Exception, match="another process serves this database"):
            async with open_floor(tmp_path):
                pass

    serve(tmp_path, story)
