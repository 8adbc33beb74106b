"""Sessions: how long they last, who ends them, and what a password is good for that somebody else has chosen."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from floor_server import FIRST_PASSWORD, PASSWORD, Served, hire, open_socket, seat, serve, take_office
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pitboss.server import reception
from pitboss.server.client import Client, ClientError, call
from pitboss.server.web.bounds import Bounds

HOUR = 60 * 60 * 1000


class LaterClock:
    """The floor's clock, some time on."""

    def __init__(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        self.later_ms, now = 0, served.floor.desk.clock
        monkeypatch.setattr(served.floor.desk, "clock", lambda: now() + self.later_ms)


async def sign_in(served: Served, name: str, password: str = PASSWORD, code: str = "") -> str:
    return (await call(served.address, "POST", "/api/sessions", {"name": name, "password": password, "code": code}))[1]


async def ask_me(served: Served, token: str) -> Any:
    return (await call(served.address, "GET", "/api/me", token=token))[0]


def test_a_session_that_nobody_uses_ends_before_one_that_is_used(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        await (await take_office(served)).close()
        used, idle = await sign_in(served, "root"), await sign_in(served, "root")
        guest = await Client.enter(served.address, "ann")
        clock = LaterClock(served, monkeypatch)
        for hours in (1, 2, 3):
            clock.later_ms = hours * HOUR
            assert (await ask_me(served, used))["name"] == "root"
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, idle)
        clock.later_ms = 5 * HOUR + 60_000
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, used)
        assert (await ask_me(served, guest.token))["name"] == "ann", "a guest has nothing but their session"
        clock.later_ms = 25 * HOUR
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, guest.token)
        await guest.close()

    serve(tmp_path, story, database=address)


def test_no_session_lasts_longer_than_a_day_however_much_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        await (await take_office(served)).close()
        token = await sign_in(served, "root")
        clock = LaterClock(served, monkeypatch)
        for hour in range(24):
            clock.later_ms = hour * HOUR
            assert (await ask_me(served, token))["name"] == "root"
        clock.later_ms = 24 * HOUR + 1
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, token)

    serve(tmp_path, story)


def test_a_connection_ends_with_its_session_and_is_use_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(served: Served) -> None:
        await (await take_office(served)).close()
        token, silent = await sign_in(served, "root"), await sign_in(served, "root")
        clock = LaterClock(served, monkeypatch)
        talking, listening = await open_socket(served, token), await open_socket(served, silent)
        clock.later_ms = HOUR + HOUR // 2
        await talking.send('{"type": "unwatch", "table": "t"}')
        await asyncio.sleep(0.2)
        clock.later_ms = 3 * HOUR
        with pytest.raises(ConnectionClosed):
            async with asyncio.timeout(120):
                await listening.recv()
        await talking.send('{"type": "watch", "table": "t"}')
        assert "snapshot" in str(await talking.recv())
        clock.later_ms = 24 * HOUR + 1
        async with asyncio.timeout(120):
            await talking.wait_closed()
        assert any("your session is over" in line for line in served.logged)

    serve(tmp_path, story, bounds=Bounds(session_check_seconds=0.02))


def test_people_see_where_they_are_signed_in_and_end_what_they_like(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        others = [await sign_in(served, "root") for _ in range(2)]
        listed = await root.get("/api/sessions")
        assert len(listed) == 3
        assert [session["this"] for session in listed].count(True) == 1
        assert not any(root.token in str(session) for session in listed)
        own = next(session["id"] for session in (await call(served.address, "GET", "/api/sessions", token=others[0]))[0]
                   if session["this"])  # fmt: skip
        await root.post("/api/sessions/end", {"ids": [own]})
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, others[0])
        assert (await ask_me(served, others[1]))["name"] == "root"
        with pytest.raises(ClientError, match="you have no session"):
            await root.post("/api/sessions/end", {"ids": [own]})
        async with seat(served, "ann") as (ann,):
            with pytest.raises(ClientError, match="you have no session"):
                await ann.post("/api/sessions/end", {"ids": [session["id"] for session in listed]})
            assert len(await ann.get("/api/sessions")) == 1
        await root.post("/api/sessions/end", {"all": True})
        for token in (root.token, *others):
            with pytest.raises(ClientError, match="session is over"):
                await ask_me(served, token)
        await root.close()

    serve(tmp_path, story, database=address)


def test_who_signed_in_a_while_ago_says_their_password_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        await (await take_office(served)).close()
        token = await sign_in(served, "root")
        LaterClock(served, monkeypatch).later_ms = 10 * 60_000
        for path, body in (("/api/sessions/end", {"all": True}), ("/api/second-factor", {})):
            for password in ("", "wrong"):
                with pytest.raises(ClientError, match="do not match"):
                    await call(served.address, "POST", path, {**body, "password": password}, token)
        offer = await call(served.address, "POST", "/api/second-factor", {"password": PASSWORD}, token)
        assert offer[0]["secret"]
        await call(served.address, "POST", "/api/sessions/end", {"all": True, "password": PASSWORD}, token)
        with pytest.raises(ClientError, match="session is over"):
            await ask_me(served, token)

    serve(tmp_path, story)


def test_the_administrator_ends_the_sessions_of_one_person_or_of_all_and_says_why(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        dan = await hire(root, "dan", ("dealer", "perth"))
        end = {"type": "end-sessions", "name": "dan"}
        with pytest.raises(Exception, match="must give a reason"):
            await root.ask_floor(end, role="administrator")
        with pytest.raises(ClientError, match="do not hold the role"):
            await dan.ask_floor({**end, "name": "root", "reason": "x"}, role="administrator")
        await root.ask_floor({**end, "reason": "a lost telephone"}, role="administrator")
        with pytest.raises(ClientError, match="session is over"):
            await dan.get("/api/me")
        async with asyncio.timeout(120):
            while any(connection.person == "dan" for connection in served.floor.hub.connections):
                await asyncio.sleep(0.01)
        [action] = await root.get("/api/actions?last=1")
        assert (action["act"], action["reason"]) == ("sessions-ended", "a lost telephone")
        guest = await Client.enter(served.address, "ann")
        await root.ask_floor({**end, "name": "", "reason": "an alarm"}, role="administrator")
        for client in (root, guest):
            with pytest.raises(ClientError, match="session is over"):
                await client.get("/api/me")
        for client in (root, dan, guest):
            await client.close()

    serve(tmp_path, story, database=address)


def test_a_role_that_is_ended_counts_no_more_at_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        dan = await hire(root, "dan", ("dealer", "perth"))
        await dan.ask("t", {"type": "report-dropped-cards"}, role="dealer")
        ended = {"type": "end-role", "name": "dan", "role": "dealer", "book": "perth", "reason": "gone"}
        await root.ask_floor(ended, role="administrator")
        with pytest.raises(Exception, match="you do not hold the role dealer"):
            await dan.ask("t", {"type": "report-dropped-cards"}, role="dealer")
        assert (await dan.get("/api/me"))["roles"] == []
        refused = [line for line in served.logged if '"event":"command refused"' in line]
        assert len(refused) == 1, "whoever runs the floor can read it"
        assert '"person":"dan","role":"dealer","table":"t","command":"report-dropped-cards"' in refused[0]
        for client in (root, dan):
            await client.close()

    serve(tmp_path, story)


# ---------------------------------------------------------------------- a password that somebody else has chosen


def test_where_others_can_reach_the_floor_a_first_password_opens_nothing_but_the_way_to_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(served: Served) -> None:
        root = served.floor.reception
        await root.make_administrator(served.first_token, "root", PASSWORD)
        by = reception.Asker("administrator", "root")
        for name in ("dan", "eve"):
            await root.add_member(by, name, FIRST_PASSWORD, "hired")
        token = await sign_in(served, "dan", FIRST_PASSWORD)
        assert (await ask_me(served, token))["needs_new_password"]
        for path in ("/api/sessions", "/api/inbox", "/api/disputes"):
            with pytest.raises(ClientError, match="choose a password of your own first"):
                await call(served.address, "GET", path, token=token)
        with pytest.raises(InvalidStatus):
            await open_socket(served, token)
        chosen = {"name": "dan", "password": PASSWORD, "current": FIRST_PASSWORD}
        with pytest.raises(ClientError, match="do not match"):
            await call(served.address, "POST", "/api/password", {**chosen, "current": "x"}, token)
        await call(served.address, "POST", "/api/password", chosen, token)
        with pytest.raises(ClientError, match="do not match"):
            await sign_in(served, "dan", FIRST_PASSWORD)
        assert not (await ask_me(served, await sign_in(served, "dan")))["needs_new_password"]
        LaterClock(served, monkeypatch).later_ms = 73 * HOUR
        with pytest.raises(ClientError, match="for the first days only"):
            await sign_in(served, "eve", FIRST_PASSWORD)

    serve(tmp_path, story, second_factor=True)
