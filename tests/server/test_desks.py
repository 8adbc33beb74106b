"""The desks over HTTP: the dealer's seat, what an order would do, drills, rounds looked up, shoes proved."""

from __future__ import annotations

import hashlib
import itertools
import urllib.parse
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, hire, play_to_a_decision, serve, take_office

from pitboss.floor.live_table import TableKind
from pitboss.server.client import Client, ClientError, WatchedTable
from pitboss.server.serving import TableWish
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.vault import load_key
from pitboss.table.shoe_proof import parse_shoe_file, problems

TABLES = (TableWish("pit", "star/blackjack", TableKind.PERSON), TableWish("t", "star/blackjack"))


class Seat:
    """A dealer and what their seat says."""

    def __init__(self, client: Client, table: WatchedTable) -> None:
        self.client, self.table = client, table

    async def do(self, kind: str, **fields: Any) -> int:
        return await self.table.ask({"type": kind, **fields}, role="dealer")

    async def look(self, query: str = "") -> dict[str, Any]:
        answer: dict[str, Any] = await self.client.get(f"/api/tables/pit/seat{query}")
        return answer

    async def say(self) -> str:
        return str((await self.look())["seat"]["step"]["say"])

    async def key(self, *cards: str) -> None:
        for card in cards:
            await self.do("key-card", card=card)


async def sit_down(served: Served) -> tuple[Client, Seat, Client]:
    """The administrator, somebody at the dealer's seat, and a player with chips there."""
    root = await take_office(served)
    dan = await hire(root, "dan", ("dealer", "star"))
    seat = Seat(dan, await dan.watch("pit"))
    ann = await Client.enter(served.address, "ann")
    await (await ann.watch("pit")).ask({"type": "buy-in", "amount": "200"})
    return root, seat, ann


def test_the_seat_says_what_comes_next_and_pays_in_chips(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root, seat, ann = await sit_down(served)
        assert "come on" in await seat.say()
        await seat.do("dealer", name="dan")
        assert "Bring a shoe" in await seat.say()
        await seat.do("bring-shoe")
        assert await seat.say() == "Wait for wagers."
        for box, amount in (("1", "25"), ("2", "10")):
            await ann.ask("pit", {"type": "place-bet", "box": box, "amount": amount})
        answer = await seat.look()
        assert answer["seat"]["step"]["kind"] == "call"
        assert not answer["seat"]["suited"]
        assert answer["seat"]["keys"]["T"][0] == "T"
        await seat.do("no-more-bets")
        await seat.do("deal")
        assert await seat.say() == "Card to box 1."
        await seat.key("Ah", "9c")
        assert await seat.say() == "Card to the dealer."
        await seat.key("7c", "Kd", "8s")
        answer = await seat.look()
        assert answer["seat"]["step"]["box"] == "2"
        assert "against a 7" in answer["seat"]["step"]["say"]
        await seat.do("stand", box="2")
        assert await seat.say() == "The dealer has 7: draw."
        so_far = await seat.client.get("/api/tables/pit/round-so-far")
        assert so_far["decisions"] == [{"box": "2", "number": 1, "say": "Box 2, 17 against a 7: stand."}]
        question = await seat.look("?trainee=true")
        assert question["seat"] is None
        assert question["questions"][0]["kind"] == "draw"
        draw = {"kind": "draw", "seq": question["seq"], "draw": "stand"}
        marked = await seat.client.post("/api/tables/pit/seat/answers", draw)
        assert (marked[0]["correct"], marked[0]["right"]) == (False, "draw")
        assert marked[0]["clauses"]
        await seat.key("Tc")
        settle = await seat.look()
        assert settle["seat"]["step"]["kind"] == "settle"
        paid = {item["box"]: item for item in settle["seat"]["payments"]}
        assert paid["2"]["net"] == "0"
        question = await seat.look("?trainee=true&answered=draw")
        assert question["seat"] is None
        wagers = question["questions"][0]["wagers"]
        assert "net" not in msgspec.json.encode(question).decode()
        pay = {"kind": "pay", "seq": question["seq"], "pay": ["0"] * len(wagers)}
        marked = await seat.client.post("/api/tables/pit/seat/answers", pay)
        assert all(line["correct"] for line in marked)
        order = {"kind": "order", "seq": question["seq"], "order": "void", "role": "dealer"}
        marked = await seat.client.post("/api/tables/pit/seat/answers", order)
        assert (marked[0]["correct"], marked[0]["right"]) == (False, "casino-supervisor")
        with pytest.raises(ClientError, match="has gone on"):
            await seat.client.post("/api/tables/pit/seat/answers", {**draw, "seq": 1})
        await seat.do("proceed")
        assert await seat.say() == "Clear the table."
        natural = next(item for item in (await seat.look())["seat"]["settled"] if item["outcome"] == "natural")
        assert (natural["net"], natural["chips"]) == ("37.5", ["25", "10", "2.5"])
        for client in (root, seat.client, ann):
            await client.close()

    serve(tmp_path, story, tables=TABLES)


def test_a_void_is_shown_before_it_is_given_and_nothing_is_kept(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root, seat, ann = await sit_down(served)
        sue = await hire(root, "sue", ("casino-supervisor", "star"))
        for kind, fields in (("dealer", {"name": "dan"}), ("bring-shoe", {}), ("no-more-bets", {})):
            if kind == "no-more-bets":
                await ann.ask("pit", {"type": "place-bet", "box": "1", "amount": "25"})
            await seat.do(kind, **fields)
        await seat.do("deal")
        await seat.key("Th", "7c", "9s")
        forms = {form["type"]: form for form in await sue.get("/api/tables/pit/order-forms")}
        assert forms["void"]["role"] == "casino-supervisor"
        assert forms["void"]["powers"][0]["clauses"]
        dealers = {form["type"]: form for form in await seat.client.get("/api/tables/pit/order-forms")}
        assert dealers["void"]["role"] == ""
        assert dealers["missed-cut"]["role"] == "dealer"
        so_far = await sue.get("/api/tables/pit/round-so-far")
        assert (so_far["places"], so_far["cards"]) == (["1", "dealer", "1"], ["Th", "7c", "9s"])
        assert so_far["decisions"] == []
        before = (await ann.get("/api/tables/pit"))["seq"]
        asked = {"command": {"type": "void", "reason": "a fire"}, "role": "casino-supervisor"}
        shown = await sue.post("/api/tables/pit/preview", asked)
        assert shown["granted"]
        assert shown["clauses"]
        assert not shown["before"]["void"]
        assert shown["after"]["void"]
        assert {(move["debit"], move["credit"], move["amount"]) for move in shown["moves"]} == {
            ("layout:pit", "purse:pit/ann", "25")
        }
        with pytest.raises(ClientError, match="do not hold"):
            await seat.client.post("/api/tables/pit/preview", asked)
        refused = await seat.client.post("/api/tables/pit/preview", {**asked, "role": "dealer"})
        assert not refused["granted"]
        assert "may not" in refused["reason"]
        played = {"command": {"type": "hit", "box": "1"}, "role": "casino-supervisor"}
        assert not (await sue.post("/api/tables/pit/preview", played))["granted"]
        assert (await ann.get("/api/tables/pit"))["seq"] == before, "a preview has been kept"
        wall = await sue.get("/api/desk")
        assert {table["name"] for table in wall["tables"]} == {"pit", "t"}
        await ann.ask("pit", {"type": "call-dispute", "matter": "my ten was a nine"})
        wall = await sue.get("/api/desk")
        waits = next(table["waits"] for table in wall["tables"] if table["name"] == "pit")
        assert waits[0]["kind"] == "dispute"
        assert waits[0]["clauses"]
        assert (await ann.get("/api/desk"))["tables"] == []
        for client in (root, sue, seat.client, ann):
            await client.close()

    serve(tmp_path, story, tables=TABLES)


def test_a_drill_question_holds_no_answer_and_progress_is_kept(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as ann, await Client.enter(served.address, "bob") as bob:
            topics = {topic["topic"]: topic for topic in await ann.get("/api/drills")}
            assert {"misdeals", "payouts", "switch", "pontoon", "jackpots", "insurance", "splits", "limits"} <= set(
                topics
            )
            question = await ann.get("/api/drills/payouts")
            assert set(question) == {
                "id", "topic", "game", "game_name", "kind", "ask", "told", "wagers", "choices", "public",
            }  # fmt: skip
            assert question["public"]["settlements"] == []
            count = len(question["wagers"]) or 1
            sent = {"question": question["id"], "answers": ["granted" if question["choices"] else "1"] * count}
            verdict = await ann.post("/api/drills/answers", sent)
            right = [answer["right"] for answer in verdict["marked"]["answers"]]
            again = await ann.post("/api/drills/answers", {"question": question["id"], "answers": right})
            assert again["marked"]["correct"]
            assert again["progress"]["asked"] == 2
            assert again["progress"]["in_a_row"] >= 1
            kept = {topic["topic"]: topic for topic in await ann.get("/api/drills")}
            assert kept["payouts"]["asked"] == 2
            assert {topic["asked"] for topic in await bob.get("/api/drills")} == {0}
            with pytest.raises(ClientError, match="no such question"):
                await ann.post("/api/drills/answers", {"question": "nothing", "answers": []})

    serve(tmp_path, story, tables=TABLES)


def test_an_inspector_finds_a_round_steps_through_it_and_proves_its_shoe(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        ivy = await hire(root, "ivy", ("inspector", ""))
        ann = await Client.enter(served.address, "ann")
        clause = ""
        while not clause:  # a push moves no money by a clause
            table = await play_to_a_decision(ann, "t")
            played = len(await ann.get("/api/tables/t/rounds"))
            await table.ask({"type": "stand", "box": "1"})
            while len(await ann.get("/api/tables/t/rounds")) == played:
                if "ann" not in table.public["ready"] and table.public["phase"] in ("offers", "turns", "settled"):
                    await table.ask({"type": "ready"})
                else:
                    await table.wait_for_change()
            found = await ivy.get("/api/rounds?player=ann&least=10")
            assert {row["stream"] for row in found} == {"t"}
            number = found[0]["number"]
            money = await ivy.get(f"/api/tables/t/rounds/{number}/money")
            clause = next((moved["clauses"][0] for moved in money if moved["clauses"]), "")
        assert not await ivy.get("/api/rounds?player=bob")
        assert not await ivy.get("/api/rounds?table=t&least=5000")
        by_clause = await ivy.get(f"/api/rounds?clause={urllib.parse.quote(clause)}")
        assert number in [row["number"] for row in by_clause]
        steps = await ann.get(f"/api/tables/t/rounds/{number}/timeline")
        document = steps["start"]
        for step in steps["steps"]:
            document = {**document, **step["changes"]}
        assert document["settlements"] or document["phase"] == "betting"
        assert any(line["clauses"] for step in steps["steps"] for line in step["lines"])
        moved = await ivy.get("/api/transfers?account=purse:t/ann")
        accounts = {line["name"]: line["balance"] for line in await ivy.get("/api/accounts?part=purse:t")}
        signed = [
            (1 if line["credit"] == "purse:t/ann" else -1) * msgspec.json.decode(line["amount"]) for line in moved
        ]
        assert sum(signed) == msgspec.json.decode(accounts["purse:t/ann"])
        shoes = await ann.get("/api/tables/t/shoes")
        assert shoes[0]["commitment"] == table.public["shoe"]["commitment"]
        with pytest.raises(ClientError, match="is in play"):
            await ann.get(f"/api/tables/t/shoes/{shoes[0]['number']}")
        await root.ask_floor(
            {"type": "give-role", "name": "ivy", "role": "casino-supervisor", "book": "star", "reason": "today"},
            role="administrator",
        )
        await ivy.ask("t", {"type": "retire-shoe", "reason": "proved"}, role="casino-supervisor")
        text = msgspec.json.encode(await ann.get(f"/api/tables/t/shoes/{shoes[0]['number']}"))
        file = parse_shoe_file(text, "shoe")
        assert problems(file, shoes[0]["commitment"]) == []
        rows = await ivy.get("/api/chain?stream=t")
        for before, row in itertools.pairwise(rows):
            assert row["previous"] == before["digest"]
        for client in (root, ivy, ann):
            await client.close()

    serve(tmp_path, story, tables=TABLES, database=address)
    assert audit_floor(address, load_key(tmp_path / "floor.key", make=False)).ok


def test_a_seal_is_what_its_digest_says(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        served.floor.store.write_seal(1, served.floor.desk.owner, served.floor.desk.slots["floor"].token)
        seal = (await root.get("/api/seals"))[0]
        head = f"[{seal['number']},{seal['at_ms']}]"
        text = b"\n".join((bytes.fromhex(seal["previous"]), head.encode(), seal["heads"].encode()))
        assert hashlib.sha256(text).hexdigest() == seal["digest"]
        await root.close()

    serve(tmp_path, story, tables=TABLES)
