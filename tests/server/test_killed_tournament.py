"""A tournament on a real server that is killed in mid-round and started again: it is played to its end and audited."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from crash import KilledServer
from floor_server import PASSWORD, hire, open_floor, take_office

from pitboss.floor.terms.tournament_terms import read_tournament_terms
from pitboss.server.client import AskRefused, Client
from pitboss.server.serving import read_address
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key

TERMS = read_tournament_terms(
    (Path(__file__).parents[1] / "records" / "floor" / "tournaments" / "star.tournament.toml").read_text("utf-8")
)
PLAYERS = ("ann", "bob")
OPERATOR, MANAGER = "casino-operator", "tournament-manager"


async def prepare(folder: Path) -> dict[str, str]:
    """A floor with its staff and a tournament that plays; the tokens of its players."""
    form = msgspec.structs.replace(TERMS.format, decision_seconds=1, pause_seconds=0, entry_fee=100)
    terms = msgspec.to_builtins(msgspec.structs.replace(TERMS, format=form))
    async with open_floor(folder) as served, contextlib.AsyncExitStack() as stack:
        root = await stack.enter_async_context(await take_office(served))
        olga = await stack.enter_async_context(await hire(root, "olga", (OPERATOR, "star")))
        tom = await stack.enter_async_context(await hire(root, "tom", (MANAGER, "star")))
        await ask(olga, {"type": "lodge", "terms": terms}, OPERATOR)
        for tag in ({"type": "name-manager", "name": "tom"}, {"type": "publish"}, {"type": "open-entries"}):
            await ask(olga, tag, OPERATOR)
        tokens = {}
        for player in PLAYERS:
            guest = await stack.enter_async_context(await Client.enter(served.address, player))
            chips = {"type": "issue-chips", "name": player, "amount": "500", "reason": "bought"}
            await root.ask_floor(chips, role="administrator")
            await ask(guest, {"type": "enter"})
            tokens[player] = guest.token
        await ask(tom, {"type": "designate-tables", "tables": ["b1"]}, MANAGER)
        for tag in ({"type": "close-entries"}, {"type": "draw-seats"}, {"type": "start-session"}):
            await ask(tom, tag, MANAGER)
    return tokens


async def ask(client: Client, command: dict[str, Any], role: str = "player") -> None:
    await client.ask_stream("tournament", "spring", command, role=role, book="star")


async def look(client: Client, role: str = "player") -> dict[str, Any]:
    shown: dict[str, Any] = (await client.show_stream("tournament", "spring", role=role))["shown"]
    return shown


async def sit(address: str, token: str, name: str, until: str) -> dict[str, Any]:
    """A player wagers and stands until a hand of the second round is played, or to the end of the session."""
    async with Client(address, token, name) as client:
        await client.open()
        watched = await client.watch_stream("tournament", "spring")
        while True:
            table = watched.shown["tables"]["b1"]
            if table["counted"] or (until == "turns" and table["round"] == 2 and table["phase"] == "turns"):
                return watched.shown
            with contextlib.suppress(AskRefused):  # the clock may have been quicker
                if name in table["waits_for"]:
                    await ask(client, {"type": "wager", "amount": "100"})
                elif any(action.endswith(" stand") for action in table["actions"]):
                    await ask(client, {"type": "act", "move": "stand"})
            await watched.wait_for_change()


async def play_on(address: str, tokens: dict[str, str], until: str) -> dict[str, Any]:
    seen = await asyncio.gather(*(sit(address, token, name, until) for name, token in tokens.items()))
    return seen[0]


@pytest.mark.slow
def test_a_tournament_survives_the_death_of_its_server_in_mid_round(tmp_path: Path) -> None:
    tokens = asyncio.run(prepare(tmp_path))
    server = KilledServer(f"sqlite:///{tmp_path}/floor.db", tmp_path)
    try:
        before = asyncio.run(asyncio.wait_for(play_on(server.address, tokens, "turns"), 60))
        server.kill()
        server.start()

        async def finish() -> dict[str, Any]:
            ann = Client(server.address, tokens["ann"], "ann")
            after = await look(ann)
            assert after["tables"]["b1"]["round"] >= 2
            assert after["commitment"] == before["commitment"]
            await play_on(server.address, tokens, "counted")
            async with await Client.enter(server.address, "tom", PASSWORD) as tom:
                await ask(tom, {"type": "announce"}, MANAGER)
                shown = await look(tom, MANAGER)
                if shown["phase"] != "decided":
                    return shown
            async with await Client.enter(server.address, "olga", PASSWORD) as olga:
                await ask(olga, {"type": "pay-prizes"}, OPERATOR)
                with pytest.raises(AskRefused):
                    await ask(olga, {"type": "pay-prizes"}, OPERATOR)
                return await look(olga, OPERATOR)

        shown = asyncio.run(asyncio.wait_for(finish(), 120))
        assert shown["phase"] in ("paid", "playing")
        assert shown["phase"] == "playing" or shown["paid"] == [1, 2]
    finally:
        server.kill()
    assert audit_floor(read_address(server.database), load_key(server.key, make=False)).found == []
