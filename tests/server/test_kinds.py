"""Tables of each kind over the published protocol: dealt by a person, for practice, and in service without advice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_play import DealtByHand, rules_with_sides
from floor_server import Served, hire, open_floor, open_socket, play_to_a_decision, serve, take_office

from pitboss.cli.floors.serve import _read_tables
from pitboss.errors import PitbossError
from pitboss.floor.live_table import TableKind
from pitboss.records import read, replay
from pitboss.rulebooks import games
from pitboss.server import messages as me
from pitboss.server.client import AskRefused, Client, WatchedTable, call
from pitboss.server.serving import TableWish
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.rows import FIRST_DIGEST
from pitboss.server.storage.vault import load_key
from pitboss.server.stream_log import StreamPosition, follow_round

KINDS = (
    TableWish("pit", "star/blackjack", TableKind.PERSON),
    TableWish("school", "star/blackjack", TableKind.PRACTICE),
    TableWish("t", "star/blackjack"),
)


LOBBY, BOOKS = "/api/lobby", "/api/library/books"
"""Before somebody sits down they see what a game costs; of hands that are played it says nothing."""


async def wait_until(table: WatchedTable, found: Any) -> None:
    while not found():
        await table.wait_for_change()


class Dealer:
    """Somebody who deals a real shoe from the keys of their client."""

    def __init__(self, table: WatchedTable, role: str = "dealer") -> None:
        self.table, self.role = table, role

    async def do(self, kind: str, **fields: Any) -> int:
        return await self.table.ask({"type": kind, **fields}, role=self.role)

    async def key(self, *cards: str) -> None:
        for card in cards:
            await self.do("key-card", card=card)


def test_a_person_deals_a_round_over_the_protocol(tmp_path: Path, address: str) -> None:
    """Betting, keyed cards, totals for everybody, a miskeyed card put right, a settlement that waits, an audit."""

    async def story(served: Served) -> None:
        admin = await take_office(served)
        dan = await hire(admin, "dan", ("dealer", "star"))
        mia = await hire(admin, "mia", ("casino-supervisor", "star"))
        ann = await Client.enter(served.address, "ann")
        seen = await (await Client.enter(served.address, "sam")).watch("pit")
        deal = Dealer(await dan.watch("pit"))
        table = await ann.watch("pit")
        with pytest.raises(AskRefused, match="nobody deals at this table"):
            await deal.do("bring-shoe")
        await deal.do("dealer", name="dan")
        await deal.do("bring-shoe")
        await table.ask({"type": "buy-in", "amount": "100"})
        await table.ask({"type": "place-bet", "box": "1", "amount": "10"})
        with pytest.raises(AskRefused, match="not a player's"):
            await table.ask({"type": "key-card", "card": "Ah"})
        with pytest.raises(AskRefused, match="do not hold"):
            await table.ask({"type": "key-card", "card": "Ah"}, role="dealer")
        with pytest.raises(AskRefused, match="dan deals at this table"):
            await mia.ask("pit", {"type": "key-card", "card": "Ah"}, role="casino-supervisor")
        await deal.do("no-more-bets")
        await deal.do("deal")
        await deal.key("Th")
        await wait_until(seen, lambda: seen.public["part"] == ["Th"])
        assert seen.public["shoe"]["ran_out"]
        await deal.key("7c", "2s")
        await wait_until(table, lambda: bool(table.private.get("actions")))
        box = seen.public["boxes"][0]
        assert (box["hands"][0]["cards"], box["hands"][0]["total"]) == (["Th", "2s"], 12)
        corrected = {"type": "correct-card", "number": 3, "card": "9s", "reason": "a nine, not a two"}
        with pytest.raises(AskRefused, match="may not do this"):
            await deal.do(**_as_kind(corrected))
        await mia.ask("pit", corrected, role="casino-supervisor")
        await wait_until(seen, lambda: seen.public["boxes"][0]["hands"][0]["total"] == 19)
        await table.ask({"type": "stand", "box": "1"})
        await deal.key("Kd")
        await wait_until(seen, lambda: seen.public["phase"] == "settling")
        assert seen.public["dealer_total"] == 17
        assert table.private["chips"] == "90", "nothing is settled before the dealer does it"
        await deal.do("proceed")
        await wait_until(table, lambda: table.private["chips"] == "110")
        settled = [event for step in seen.news for event in step["events"] if event["type"] == "wager-settled"]
        assert settled[0]["clauses"]
        await deal.do("next-round")
        rounds = await ann.get("/api/tables/pit/rounds")
        assert "9s" in rounds[0]["record"]
        assert "2s" not in rounds[0]["record"]
        assert not replay(read(rounds[0]["record"])).differences
        log = await ann.get("/api/tables/pit/log")
        keyed = [event for row in log for event in row["events"] if event["type"] in ("card-keyed", "card-corrected")]
        assert [event.get("was") or event["card"] for event in keyed] == ["Th", "7c", "2s", "2s", "Kd"]
        actions = await admin.get("/api/actions?person=mia")
        assert (actions[0]["act"], actions[0]["reason"]) == ("correct-card", "a nine, not a two")
        for client in (admin, dan, mia, ann, seen.client):
            await client.close()

    serve(tmp_path, story, tables=KINDS, database=address)
    audit = audit_floor(address, load_key(tmp_path / "floor.key", make=False))
    assert audit.ok, audit.found
    assert (audit.rounds, audit.shoes) == (1, 0)


def _as_kind(command: dict[str, Any]) -> dict[str, Any]:
    return {"kind": command["type"], **{name: value for name, value in command.items() if name != "type"}}


def test_practice_advises_and_costs_no_chips(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await play_to_a_decision(client, "school")
            advice = await table.advise()
            assert advice["best"] in advice["actions"]
            assert advice["box"] == "1"
            schema = (await client.get("/api/schemas"))["$defs"]["GivenAdvice"]
            assert set(schema["properties"]) == {*advice}
            assert (await client.get("/api/me"))["chips"] == "1000", "practice has taken chips of service"
            with pytest.raises(AskRefused, match="no wager there"):
                await table.advise("5")

    serve(tmp_path, story, tables=KINDS, database=address)
    assert audit_floor(address, load_key(tmp_path / "floor.key", make=False)).ok


def test_no_other_table_waits_while_advice_is_worked_out(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await play_to_a_decision(client, "school")
            thinking = asyncio.create_task(table.advise())
            other = await client.watch("t")
            await other.ask({"type": "buy-in", "amount": "100"})
            await other.ask({"type": "place-bet", "box": "1", "amount": "10"})
            assert not thinking.done(), "the first advice of a process takes longer than two commands"
            with pytest.raises(AskRefused, match="on its way"):
                await table.advise()
            assert (await thinking)["best"]

    serve(tmp_path, story, tables=KINDS)


ODDS_WORDS = ("advice", "expectation", "odds", "edge", "best", "worth", "probability", "chance", "strategy")
"""What a field with advice would be called."""


def find_fields(value: Any) -> set[str]:
    """Every name of a field in a document; the rules of a table are no secret, and what they pay is called odds."""
    if isinstance(value, dict):
        return set(value) | {name for key, part in value.items() if key != "rules" for name in find_fields(part)}
    if isinstance(value, list):
        return {name for part in value for name in find_fields(part)}
    return set()


def test_at_a_table_in_service_no_message_and_no_endpoint_gives_odds_or_advice(tmp_path: Path) -> None:
    """Melbourne 32.1 and 32.6, The Star 19.6: everything that the server can say is gone through."""

    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await play_to_a_decision(client, "t")
            for name in ("t", "pit"):
                for box in (None, "1"):
                    with pytest.raises(AskRefused, match="nobody is advised at a table in service") as refused:
                        await client.advise(name, box)
                    assert refused.value.clauses == ("19.6",)
            heard = await _listen_to_everything(served, client)
            paths = [path for path in await _list_paths(served) if path not in (LOBBY, BOOKS)]
            pages = [await _read_page(served, client, path) for path in paths]
            fields = find_fields([heard, pages, table.public, table.private])
            assert len(fields) > 100
            assert not {name for name in fields if any(word in name.split("_") for word in ODDS_WORDS)}
            for path in (LOBBY, BOOKS):
                said = find_fields([await client.get(path)])
                assert {name for name in said if any(word in name.split("_") for word in ODDS_WORDS)} == {"edge"}
            floats = [value for value in _list_values([heard, table.public, table.private]) if isinstance(value, float)]
            assert not floats, "money is text, and only expectations are fractions"

    serve(tmp_path, story, tables=KINDS)


def _list_values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [found for part in value.values() for found in _list_values(part)]
    if isinstance(value, list):
        return [found for part in value for found in _list_values(part)]
    return [value]


async def _listen_to_everything(served: Served, client: Client) -> list[Any]:
    """Send a message of every kind and command of every kind, and keep whatever comes back."""
    schemas = await client.get("/api/schemas")
    kinds = {part["properties"]["type"]["enum"][0] for part in _list_commands(schemas)}
    assert {"hit", "key-card", "buy-in"} <= kinds
    heard: list[Any] = []
    socket = await open_socket(served, client.token)
    for kind in ("watch", "unwatch", "watch"):
        message = {"type": kind, "table": "t"}
        await socket.send(msgspec.json.encode(message).decode())
    await socket.send('{"type": "nonsense"}')
    for number, kind in enumerate(sorted(kinds)):
        ask = {"type": "ask", "id": f"all-{number}", "table": "t", "command": {"type": kind, "box": "1"}}
        await socket.send(msgspec.json.encode(ask).decode())
        await asyncio.sleep(0.01)
    await socket.send(msgspec.json.encode({"type": "advise", "id": "last", "table": "t"}).decode())
    while not any(message.get("id") == "last" for message in heard):
        heard += msgspec.json.decode(await asyncio.wait_for(socket.recv(), 120))
    await socket.close()
    assert not any(message["type"] == "advice" for message in heard)
    known = {kind.__struct_config__.tag for kind in (me.Snapshot, me.Patch, me.RefusedAsk, me.Complaint)}
    assert known <= {message["type"] for message in heard}
    return heard


def _list_commands(schemas: dict[str, Any]) -> list[dict[str, Any]]:
    names = [part["$ref"].rsplit("/", 1)[1] for part in schemas["commands"]["anyOf"]]
    return [schemas["$defs"][name] for name in names]


async def _list_paths(served: Served) -> list[str]:
    described = (await call(served.address, "GET", "/schema/openapi.json"))[0]
    paths = [path for path, methods in described["paths"].items() if "get" in methods]
    assert "/api/tables/{name}" in paths
    return [path.replace("{name}", "t").replace("{number}", "1") for path in paths if path != "/api/schemas"]


async def _read_page(served: Served, client: Client, path: str) -> Any:
    try:
        return await client.get(path)
    except PitbossError as error:
        return str(error)


def test_a_table_of_each_kind_is_opened_by_the_administrator(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        admin = await take_office(served)
        for kind in TableKind:
            wish = {
                "type": "open-table", "name": f"new-{kind}", "game": "perth/blackjack", "minimum": "5",
                "maximum": "50", "bank": "1000", "kind": kind.value, "reason": "a busy night",
            }  # fmt: skip
            await admin.ask_floor(wish, role="administrator")
        lines = {line["name"]: line for line in await admin.get("/api/tables")}
        assert {lines[f"new-{kind}"]["kind"] for kind in TableKind} == set(TableKind)
        fill = {"type": "fill-float", "table": "new-practice", "amount": "5", "reason": "x"}
        with pytest.raises(AskRefused, match="the house lends them"):
            await admin.ask_floor(fill, role="administrator")
        await admin.close()

    serve(tmp_path, story)
    assert audit_floor(f"sqlite:///{tmp_path}/floor.db", load_key(tmp_path / "floor.key", make=False)).ok


def test_tables_of_each_kind_are_named_on_the_command_line() -> None:
    assert _read_tables(["a=perth/blackjack", "b=star/switch:person", "c=rws/blackjack:practice"]) == (
        TableWish("a", "perth/blackjack"), TableWish("b", "star/switch", TableKind.PERSON),
        TableWish("c", "rws/blackjack", TableKind.PRACTICE),
    )  # fmt: skip
    for wrong in ("a", "=b", "a=", "a=perth/blackjack:robot"):
        with pytest.raises(PitbossError, match="is no table"):
            _read_tables([wrong])


def test_a_floor_opens_with_tables_of_each_kind(tmp_path: Path) -> None:
    async def story() -> None:
        async with open_floor(tmp_path, KINDS) as served:
            lines = (await call(served.address, "GET", "/api/tables"))[0]
            assert {line["name"]: line["kind"] for line in lines} == {
                "pit": "person", "school": "practice", "t": "machine",
            }  # fmt: skip

    asyncio.run(story())


@pytest.mark.parametrize("game", games())
def test_the_records_of_rounds_dealt_by_a_person_replay_as_they_were(game: str) -> None:
    """Cards are keyed in wrongly now and then: the record has what they were."""
    table = DealtByHand(rules_with_sides(game), seed=2)
    for _ in range(300):
        table.step()
    at, rounds = StreamPosition(None, 0, FIRST_DIGEST), 0
    for number, granted in enumerate(table.granted, 1):
        at, row = follow_round(at, granted.events, granted.live, number, b"", "t")
        if row is not None:
            rounds += 1
            assert not replay(read(row.record)).differences, row.record
    assert rounds > 3
    assert table.corrected
