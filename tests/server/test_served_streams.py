"""Streams of any kind over HTTP and the WebSocket: asked, shown, watched and told; and what is sealed never leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, open_floor, seat, take_office
from sample_kind import CLUB, CLUB_KIND
from websockets.asyncio.client import connect

from pitboss.floor.records.registry import KIND_BY_WORD
from pitboss.server.client import AskRefused, Client, ClientError, call
from pitboss.server.kinds.stream_watch import CROWD
from pitboss.server.messages import WatchStream

FOUND = {"type": "found", "title": "Chess club", "fee": "25", "table": "t"}
SECRET = "under-the-rose"


@pytest.fixture(autouse=True)
def _clubs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KIND_BY_WORD, CLUB, CLUB_KIND)


def tell(folder: Path, story: Callable[[Served, Client], Awaitable[None]]) -> None:
    """A floor with an administrator, who has founded a club."""

    async def run() -> None:
        async with open_floor(folder) as served, await take_office(served) as root:
            await root.ask_stream(CLUB, "chess", FOUND, role="administrator", book="perth")
            await story(served, root)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_stream_is_listed_shown_asked_and_told(tmp_path: Path) -> None:
    async def story(served: Served, root: Client) -> None:
        listed = (await call(served.address, "GET", "/api/streams"))[0]
        assert listed == [
            {"kind": CLUB, "name": "chess", "book": "perth", "title": "Chess club", "seq": 1, "stopped": ""}
        ]
        async with await Client.enter(served.address, "ann") as ann:
            assert await ann.ask_stream(CLUB, "chess", {"type": "join"}) == 2
            with pytest.raises(AskRefused, match="already a member") as refused:
                await ann.ask_stream(CLUB, "chess", {"type": "join"})
            assert refused.value.clauses == ("1.2",)
            with pytest.raises(AskRefused, match="you do not hold the role administrator here"):
                await ann.ask_stream(CLUB, "chess", {"type": "draw"}, role="administrator")
            shown = await ann.show_stream(CLUB, "chess")
            assert (shown["seq"], shown["shown"]["members"], shown["shown"]["fee"]) == (2, ["ann"], "25")
            assert shown["duties"] == [], "what is still to be done is for the house"
            seen = await root.show_stream(CLUB, "chess", role="administrator")
            assert seen["duties"] == ["a member is drawn"]
            told = await ann.get(f"/api/streams/{CLUB}/chess/history")
            assert [row["said"][0]["sentence"] for row in told] == ["Chess club is founded"]
            for path in (f"/api/streams/{CLUB}/go", "/api/streams/house/x", "/api/streams/nothing/x"):
                with pytest.raises(ClientError, match="there is no"):
                    await ann.get(path)
        whole = await root.get(f"/api/streams/{CLUB}/chess/history?role=administrator")
        assert [line["sentence"] for row in whole for line in row["said"]] == ["Chess club is founded", "ann joins"]
        assert whole[0]["said"][0]["clauses"] == ["1.1"]
        actions = await root.get("/api/actions?last=5")
        assert any(action["stream"] == f"{CLUB} chess" and action["act"] == "found" for action in actions)

    tell(tmp_path, story)


async def gather(address: str, token: str, asked: list[dict[str, Any]], texts: list[str], enough: int) -> None:
    """Everything that a client is sent after it has asked for something."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with connect(address.replace("http", "ws", 1) + "/ws", additional_headers=headers) as socket:
        for message in asked:
            await socket.send(msgspec.json.encode(message).decode())
        while sum(text.count('"seq"') for text in texts) < enough:
            texts.append(str(await socket.recv()))


def test_whoever_watches_is_shown_their_own_and_nothing_that_is_sealed(tmp_path: Path) -> None:
    watch = {"type": "watch-stream", "stream": f"{CLUB} chess"}

    async def story(served: Served, root: Client) -> None:
        async with await Client.enter(served.address, "ann") as ann, await Client.enter(served.address, "bob") as bob:
            for client in (ann, bob):
                await client.ask_stream(CLUB, "chess", {"type": "join"})
            others: list[str] = []
            spectators: list[str] = []
            tasks = [
                asyncio.create_task(gather(served.address, bob.token, [watch, {"type": "list-streams"}], others, 3)),
                asyncio.create_task(gather(served.address, "", [watch], spectators, 2)),
            ]
            watched = await ann.watch_stream(CLUB, "chess")
            whole = await root.watch_stream(CLUB, "chess", role="administrator")
            while not others or not spectators:
                await asyncio.sleep(0)
            await ann.ask_stream(CLUB, "chess", {"type": "seal-note", "text": SECRET})
            while "note" not in watched.shown:
                await watched.wait_for_change()
            assert watched.shown["note"] == SECRET
            while not whole.shown["notes"]:
                await whole.wait_for_change()
            await root.ask_stream(CLUB, "chess", {"type": "draw"}, role="administrator")
            await asyncio.gather(*tasks)
            for texts in (others, spectators):
                assert any('"drawn":"ann"' in text or '"drawn":"bob"' in text for text in texts)
                assert SECRET not in "".join(texts)
            for path in ("", "/history"):
                for client in (bob, None):
                    token = "" if client is None else client.token
                    said = (await call(served.address, "GET", f"/api/streams/{CLUB}/chess{path}", token=token))[0]
                    assert SECRET not in str(said)
            assert SECRET in str(await root.get(f"/api/streams/{CLUB}/chess/history?role=administrator"))
            with pytest.raises(ClientError, match="you do not hold"):
                await bob.get(f"/api/streams/{CLUB}/chess/history?role=administrator")
            with pytest.raises(ClientError, match="you do not hold"):
                await bob.show_stream(CLUB, "chess", role="administrator")

    tell(tmp_path, story)


def test_a_watch_goes_on_after_the_connection_broke(tmp_path: Path) -> None:
    async def story(served: Served, root: Client) -> None:
        async with seat(served, "ann") as (ann,):
            watched = await ann.watch_stream(CLUB, "chess")
            for connection in list(served.floor.hub.connections):
                if connection.person == "ann":
                    connection.drop("go")
            await ann.ask_stream(CLUB, "chess", {"type": "join"})
            while watched.shown["members"] != ["ann"]:
                await watched.wait_for_change()

    tell(tmp_path, story)


def test_commands_are_published_with_their_schemas(tmp_path: Path) -> None:
    async def story(served: Served, root: Client) -> None:
        schemas = (await call(served.address, "GET", "/api/schemas"))[0]
        listed = [item["$ref"] for item in schemas["stream_commands"][CLUB]["anyOf"]]
        assert "#/$defs/JoinClub" in listed
        assert schemas["$defs"]["JoinClub"]["required"] == ["type"], "the server says who asks"

    tell(tmp_path, story)


def test_a_crowd_is_shown_what_was_gathered(tmp_path: Path) -> None:
    """Everybody sees where it has come to, though not every step on the way."""

    async def story(served: Served, root: Client) -> None:
        waiting: list[Callable[[], None]] = []
        served.floor.hub.streams.later = waiting.append
        crowd = [Quiet() for _ in range(CROWD + 1)]
        for reader in crowd:
            served.floor.hub.streams.hear(reader, WatchStream(f"{CLUB} chess"))
        async with await Client.enter(served.address, "ann") as ann, await Client.enter(served.address, "bob") as bob:
            await ann.ask_stream(CLUB, "chess", {"type": "join"})
            await bob.ask_stream(CLUB, "chess", {"type": "join"})
        assert [len(reader.heard) for reader in crowd] == [1] * len(crowd)
        assert len(waiting) == 1
        waiting.pop()()
        for reader in crowd:
            assert [message["shown"]["members"] for message in reader.heard] == [[], ["ann", "bob"]]
        await root.ask_stream(CLUB, "chess", {"type": "draw"}, role="administrator")
        assert len(waiting) == 1

    tell(tmp_path, story)


class Quiet:
    """A spectator who keeps what they are sent."""

    person, staff = "", False

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def send(self, message: bytes) -> None:
        self.heard.append(msgspec.json.decode(message))

    def drop(self, reason: str) -> None:
        raise AssertionError(reason)
