"""The inbox of the inspector and of surveillance, as it comes over the WebSocket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
from floor_server import Served, hire, open_socket, seat, serve, take_office

from pitboss.server import messages as me
from pitboss.server.client import Client


async def wait_until(found: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not found():
            await asyncio.sleep(0.005)


async def send_notice(client: Client, body: str, text: str) -> None:
    notice = {"type": "send-notice", "body": body, "table": "t", "reason": text}
    await client.ask_floor(notice, role="table-games-manager")


def test_notices_come_as_they_are_sent_and_when_they_are_confirmed(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        mia = await hire(root, "mia", ("table-games-manager", "perth"))
        ivy = await hire(root, "ivy", ("inspector", ""))
        ian = await hire(root, "ian", ("inspector", ""))
        val = await hire(root, "val", ("surveillance", ""))
        await send_notice(mia, "inspector", "before anybody listened")
        first, second = await ivy.watch_inbox("inspector"), await ian.watch_inbox("inspector")
        other = await val.watch_inbox("surveillance")
        await wait_until(lambda: list(first) == [1] and list(second) == [1])
        await send_notice(mia, "inspector", "a fire at the table")
        await send_notice(mia, "surveillance", "look at box 3")
        await wait_until(lambda: list(first) == [1, 2] and list(second) == [1, 2] and list(other) == [3])
        assert (first[2]["text"], first[2]["received_by"]) == ("a fire at the table", "")
        assert other[3]["text"] == "look at box 3"
        await ivy.ask_floor({"type": "confirm-receipt", "number": 2}, role="inspector")
        await wait_until(lambda: second[2]["received_by"] == "ivy")
        assert list(other) == [3], "the inspector's notices are the inspector's"
        for client in (root, mia, ivy, ian, val):
            await client.close()

    serve(tmp_path, story, database=address)


def test_whoever_comes_back_has_missed_nothing(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        mia = await hire(root, "mia", ("table-games-manager", "perth"))
        ivy = await hire(root, "ivy", ("inspector", ""))
        inbox = await ivy.watch_inbox("inspector")
        await send_notice(mia, "inspector", "one")
        await wait_until(lambda: 1 in inbox)
        assert ivy._socket is not None
        await ivy._socket.close()
        await send_notice(mia, "inspector", "two")
        await wait_until(lambda: 2 in inbox)
        assert ivy.connections == 2
        for client in (root, mia, ivy):
            await client.close()

    serve(tmp_path, story)


def test_an_inbox_is_for_those_who_hold_its_role_and_as_long_as_they_do(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        mia = await hire(root, "mia", ("table-games-manager", "perth"))
        ivy = await hire(root, "ivy", ("inspector", ""))
        async with seat(served, "ann") as (ann,):
            for client, role in (
                (ann, "inspector"),
                (mia, "inspector"),
                (ivy, "surveillance"),
                (root, "administrator"),
            ):
                socket = await open_socket(served, client.token)
                await socket.send(msgspec.json.encode({"type": "watch-inbox", "role": role}).decode())
                [heard] = msgspec.json.decode(await socket.recv(), type=list[me.ServerMessage])
                assert isinstance(heard, me.Complaint)
                assert "you have no such inbox" in heard.reason
                await socket.close()
        nobody = await open_socket(served)
        await nobody.send('{"type": "watch-inbox", "role": "inspector"}')
        assert "no such inbox" in str(await nobody.recv())
        await nobody.close()
        inbox = await ivy.watch_inbox("inspector")
        await send_notice(mia, "inspector", "one")
        await wait_until(lambda: 1 in inbox)
        gone = {"type": "end-role", "name": "ivy", "role": "inspector", "reason": "the shift is over"}
        await root.ask_floor(gone, role="administrator")
        await send_notice(mia, "inspector", "two")
        await asyncio.sleep(0.1)
        assert list(inbox) == [1]
        for client in (root, mia, ivy):
            await client.close()

    serve(tmp_path, story)
