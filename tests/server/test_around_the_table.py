"""Who sits and stands around a served table, over the published protocol: spectators, several boxes, sharers, side
wagers, several tables at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, open_socket, seat, serve

from pitboss.server.client import AskRefused, Client, WatchedTable
from pitboss.server.serving import TableWish
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key

STAR = (TableWish("t", "star/blackjack"),)


async def get_ready_to_bet(*clients: Client) -> int:
    """Everybody declines the cut until wagers are taken: for the round of this number."""
    table = clients[0].tables["t"]
    while table.public["shoe"]["stage"] != "open" or table.public["shoe"]["due"]:
        for client in clients:
            if table.public["shoe"].get("asked") == client.name:
                await client.tables["t"].ask({"type": "refuse-cut"})
        if table.public["shoe"]["stage"] != "open" or table.public["shoe"]["due"]:
            await table.wait_for_change()
    number: int = table.public["round"]
    return number


async def say_ready(*clients: Client) -> None:
    for client in clients:
        if client.name not in client.tables["t"].public["ready"]:
            try:
                await client.tables["t"].ask({"type": "ready"})
            except AskRefused:
                continue


async def play_on(number: int, *clients: Client) -> None:
    """Everybody stands, or takes what is forced, until the round of this number is over.

    It may be over before anybody looks: a natural is paid at once, and the next round begins.
    """
    first = clients[0].tables["t"]
    while first.public["round"] == number and first.public["phase"] != "settled":
        moved = False
        for client in clients:
            table = client.tables["t"]
            choices = {action["type"]: action for action in reversed(table.private.get("actions", []))}
            chosen = choices.get("stand") or choices.get("hit")
            if table.public["phase"] == "turns" and chosen is not None:
                try:
                    await table.ask(chosen)
                except AskRefused:
                    continue
                moved = True
        if not moved:
            await say_ready(*clients)
            if first.public["phase"] != "settled" and first.public["round"] == number:
                await asyncio.wait_for(first.wait_for_change(), 600)


def list_settled(table: WatchedTable) -> list[dict[str, Any]]:
    """Every wager that was settled since the client looked."""
    kinds = ("wager-settled", "side-settled")
    return [event["settlement"] for step in table.news for event in step["events"] if event["type"] in kinds]


def test_a_spectator_sees_everything_public_and_can_do_nothing(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        socket = await open_socket(served)
        await socket.send('{"type": "watch", "table": "t"}')
        heard: list[Any] = msgspec.json.decode(await socket.recv())
        assert [message["type"] for message in heard] == ["snapshot"]
        async with seat(served, "ann") as (ann,):
            number = await get_ready_to_bet(ann)
            await ann.tables["t"].ask({"type": "place-bet", "box": "1", "amount": "10"})
            await say_ready(ann)
            await play_on(number, ann)
        hit = {"type": "ask", "id": "1", "table": "t", "command": {"type": "hit", "box": "1"}}
        await socket.send(msgspec.json.encode(hit).decode())
        while not any(message["type"] == "refused" for message in heard):
            heard += msgspec.json.decode(await asyncio.wait_for(socket.recv(), 120))
        assert not any(message["type"] == "private" for message in heard)
        patches = [message for message in heard if message["type"] == "patch"]
        events = [event["type"] for patch in patches for step in patch["events"] for event in step["events"]]
        assert "wager-settled" in events
        assert "chips-bought" not in events, "what somebody brings to the table is theirs to know"
        await socket.close()

    serve(tmp_path, story, tables=STAR)


def test_one_player_has_several_boxes(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            table = ann.tables["t"]
            number = await get_ready_to_bet(ann)
            for box in ("1", "2", "4"):
                await table.ask({"type": "place-bet", "box": box, "amount": "10"})
            assert table.private["chips"] == "470"
            await say_ready(ann)
            await play_on(number, ann)
            assert {settled["box"] for settled in list_settled(table)} == {"1", "2", "4"}

    serve(tmp_path, story, tables=STAR)


def test_sharers_have_one_hand_and_their_own_money(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann", "bob") as (ann, bob):
            number = await get_ready_to_bet(ann, bob)
            await ann.tables["t"].ask({"type": "place-bet", "box": "1", "amount": "20", "seated": True})
            await bob.tables["t"].ask({"type": "place-bet", "box": "1", "amount": "10"})
            await say_ready(ann, bob)
            while ann.tables["t"].public["round"] == number and not ann.tables["t"].public["boxes"]:
                await ann.tables["t"].wait_for_change()
            for box in ann.tables["t"].public["boxes"]:
                assert (box["controller"], box["players"]) == ("ann", ["ann", "bob"])
            if ann.tables["t"].public["phase"] == "turns":
                with pytest.raises(AskRefused, match="ann"):
                    await bob.tables["t"].ask({"type": "stand", "box": "1"})
                double = {"type": "double", "box": "1", "amounts": [["ann", "20"], ["bob", "10"]]}
                with pytest.raises(AskRefused, match="has not said that they go along"):
                    await ann.tables["t"].ask(double)
            await play_on(number, ann, bob)
            settled = {item["player"]: item for item in list_settled(ann.tables["t"]) if item["wager"] == "main"}
            assert set(settled) == {"ann", "bob"}
            assert settled["ann"]["outcome"] == settled["bob"]["outcome"]

    serve(tmp_path, story, tables=STAR)


def test_side_wagers_are_listed_placed_and_settled(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            table = ann.tables["t"]
            number = await get_ready_to_bet(ann)
            offered = table.public["side_wagers"]
            assert offered
            await table.ask({"type": "place-bet", "box": "1", "amount": "10"})
            placed = []
            for wager in offered:
                try:
                    await table.ask({"type": "place-bet", "box": "1", "amount": "5", "wager": wager})
                    placed.append(wager)
                except AskRefused:
                    continue
            assert placed, "no side wager was taken"
            with pytest.raises(AskRefused):
                await table.ask({"type": "place-bet", "box": "1", "amount": "5", "wager": "no-such-wager"})
            await say_ready(ann)
            await play_on(number, ann)
            assert set(placed) <= {settled["wager"] for settled in list_settled(table)}

    serve(tmp_path, story, tables=STAR)


def test_one_client_plays_at_several_tables_at_once(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            other = await ann.watch("u")
            await other.ask({"type": "buy-in", "amount": "100"})
            for name in ("t", "u"):
                await ann.tables[name].ask({"type": "ready"})
            assert ann.tables["t"].private["chips"] == "500"
            assert other.private["chips"] == "100"
            assert (await ann.get("/api/me"))["chips"] == "400"

    serve(tmp_path, story, tables=(*STAR, TableWish("u", "perth/blackjack")))
    found = audit_floor(f"sqlite:///{tmp_path}/floor.db", load_key(tmp_path / "floor.key", make=False))
    assert found.ok, found.found
