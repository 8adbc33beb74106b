"""Exact advice over HTTP: at practice tables, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from floor_server import Served, play_to_a_decision, serve

from pitboss.floor.live_table import TableKind
from pitboss.server.client import Client, ClientError, call
from pitboss.server.serving import TableWish
from pitboss.server.web.bounds import Bounds

SCHOOL = (TableWish("school", "star/blackjack", TableKind.PRACTICE),)


def test_http_and_websocket_give_the_same_advice(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await play_to_a_decision(client, "school")
            over_http = await client.post("/api/tables/school/advice", {"box": "1", "id": "7"})
            over_socket = await table.advise("1")
            assert over_http["best"] in over_http["actions"]
            assert over_http["id"] == "7"
            assert {**over_http, "id": ""} == {**over_socket, "id": ""}
            refused = await client.post("/api/tables/school/advice", {"box": "5"})
            assert (refused["type"], refused["reason"]) == ("refused", "you have no wager there to be advised on")

    serve(tmp_path, story, tables=SCHOOL)


@pytest.mark.parametrize(
    ("game", "clauses"),
    [("star/blackjack", ["19.6"]), ("melbourne/blackjack", ["32.1", "32.6"]), ("perth/blackjack", None)],
)
@pytest.mark.parametrize("kind", [TableKind.MACHINE, TableKind.PERSON])
def test_nobody_is_advised_over_http_at_a_table_in_service(
    tmp_path: Path, game: str, clauses: list[str] | None, kind: TableKind
) -> None:
    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await client.watch("t")
            await table.ask({"type": "buy-in", "amount": "500"})
            for box in (None, "1"):
                refused = await client.post("/api/tables/t/advice", {"box": box})
                assert refused["type"] == "refused"
                assert refused["reason"] == "nobody is advised at a table in service"
                assert clauses is None or sorted(refused["clauses"]) == clauses

    serve(tmp_path, story, tables=(TableWish("t", game, kind),))


def test_who_asks_for_advice_is_somebody_and_does_not_ask_all_the_time(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        with pytest.raises(ClientError, match="not signed in"):
            await call(served.address, "POST", "/api/tables/school/advice", {})
        async with await Client.enter(served.address, "ann") as client:
            with pytest.raises(ClientError, match="no table nowhere"):
                await client.post("/api/tables/nowhere/advice", {})
            with pytest.raises(ClientError, match="an id has"):
                await client.post("/api/tables/school/advice", {"id": ""})
            assert "buy in first" in (await client.post("/api/tables/school/advice"))["reason"]
            with pytest.raises(ClientError, match="too many"):
                await client.post("/api/tables/school/advice")

    serve(tmp_path, story, tables=SCHOOL, bounds=Bounds(advice_per_minute=2))
