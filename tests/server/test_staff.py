"""Staff over HTTP: second factors, roles that count, the inbox, what was done and by whom; on both databases."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from floor_server import PASSWORD, Served, hire, open_floor, seat, take_office

from pitboss.floor.second_factor import STEP_MS, compute_code
from pitboss.server.client import AskRefused, Client, ClientError
from pitboss.server.serving import is_loopback
from pitboss.server.web.bounds import Bounds


def serve(folder: Path, address: str, story: Callable[[Served], Awaitable[None]], **options: Any) -> None:
    async def run() -> None:
        async with open_floor(folder, database=address, **options) as served:
            await asyncio.wait_for(story(served), 600)

    asyncio.run(run())


class Telephone:
    """Shows the codes of a secret; each time one that was not shown before."""

    def __init__(self, secret: str) -> None:
        self.secret = base64.b32decode(secret)
        self.shown = 0

    def show(self) -> str:
        """The codes of the half minute before, of this one and of the next are all good now."""
        now = time.time_ns() // 1_000_000 // STEP_MS
        self.shown = max(self.shown + 1, now - 1)
        assert self.shown <= now + 1, "no more codes for now"
        return compute_code(self.secret, self.shown)


async def enrol(client: Client) -> tuple[Telephone, list[str]]:
    offer = await client.post("/api/second-factor")
    assert offer["link"].startswith("otpauth://totp/pitboss:")
    assert offer["secret"] in offer["link"]
    phone = Telephone(offer["secret"])
    codes = await client.post("/api/second-factor/confirm", {"code": phone.show()})
    return phone, codes["recovery"]


def test_where_a_second_factor_is_required_roles_count_only_with_it(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        me = await root.get("/api/me")
        assert (me["roles"], me["needs_second_factor"]) == ([], True)
        with pytest.raises(ClientError, match="do not hold the role administrator"):
            await root.post("/api/people", {"name": "dan", "password": PASSWORD, "reason": "hired"})
        await root.post("/api/second-factor")
        with pytest.raises(ClientError, match="wrong"):
            await root.post("/api/second-factor/confirm", {"code": "000000"})
        phone, recovery = await enrol(root)
        assert (await root.get("/api/me"))["roles"] == [], "the session began without it"
        with pytest.raises(ClientError, match="a code of your second factor"):
            await Client.enter(served.address, "root", PASSWORD)
        code = phone.show()
        again = await Client.enter(served.address, "root", PASSWORD, code)
        assert (await again.get("/api/me"))["roles"] == [["administrator", ""]]
        with pytest.raises(ClientError, match="was used"):
            await Client.enter(served.address, "root", PASSWORD, code)
        with pytest.raises(ClientError, match="do not match"):
            await Client.enter(served.address, "root", "another password", code)
        lost = await Client.enter(served.address, "root", PASSWORD, recovery[3])
        with pytest.raises(ClientError, match="was used"):
            await Client.enter(served.address, "root", PASSWORD, recovery[3])
        dan = await hire(again, "dan", ("dealer", "perth"))
        with pytest.raises(AskRefused, match="you do not hold the role dealer"):
            await dan.ask("t", {"type": "report-dropped-cards"}, role="dealer")
        own, _ = await enrol(dan)
        on = await Client.enter(served.address, "dan", PASSWORD, own.show())
        await on.ask("t", {"type": "report-dropped-cards"}, role="dealer")
        await again.ask_floor({"type": "end-factor", "name": "dan", "reason": "lost"}, role="administrator")
        with pytest.raises(AskRefused, match="you do not hold the role dealer"):
            await on.ask("t", {"type": "report-dropped-cards"}, role="dealer")
        stored = b"".join(row.body for row in served.floor.store.read_log("floor"))
        assert base64.b64encode(phone.secret) not in stored, "the secret lies in the open"
        for client in (root, again, lost, dan, on):
            await client.close()

    serve(tmp_path, address, story, second_factor=True, bounds=Bounds(codes_per_minute=50))


def test_codes_cannot_be_tried_out(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        await root.post("/api/second-factor")
        for _ in range(2):
            with pytest.raises(ClientError, match="wrong"):
                await root.post("/api/second-factor/confirm", {"code": "000000"})
        with pytest.raises(ClientError, match="too many"):
            await root.post("/api/second-factor/confirm", {"code": "000000"})
        await root.close()

    serve(tmp_path, "", story, bounds=Bounds(codes_per_minute=2))


def test_who_does_not_know_the_password_uses_up_nobodys_codes(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        phone, _ = await enrol(root)
        for _ in range(5):
            with pytest.raises(ClientError, match="do not match"):
                await Client.enter(served.address, "root", "another password", "000000")
        again = await Client.enter(served.address, "root", PASSWORD, phone.show())
        with pytest.raises(ClientError, match="too many"):
            await Client.enter(served.address, "root", PASSWORD, "000000")
        for client in (root, again):
            await client.close()

    serve(tmp_path, "", story, bounds=Bounds(codes_per_minute=2))


def test_a_second_factor_is_required_unless_only_this_machine_can_reach_the_floor(tmp_path: Path) -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost")] == [True] * 3
    assert not any(is_loopback(host) for host in ("0.0.0.0", "192.168.1.5", "example.org", "::"))

    async def story(served: Served) -> None:
        root = await take_office(served)
        assert (await root.get("/api/me"))["roles"] == [["administrator", ""]]
        await root.close()

    serve(tmp_path, "", story)


def test_staff_act_and_are_on_record(tmp_path: Path, address: str) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        mia = await hire(root, "mia", ("table-games-manager", "perth"))
        max_ = await hire(root, "max", ("table-games-manager", "perth"))
        ivy = await hire(root, "ivy", ("inspector", ""))
        async with seat(served, "ann") as (ann,):
            limit = {"type": "require-second-person", "above": "0", "reason": "policy"}
            await root.ask_floor(limit, role="administrator")
            while (public := ann.tables["t"].public)["phase"] == "betting":
                if public["shoe"]["stage"] == "open" and not public["bets"]:
                    await ann.ask("t", {"type": "place-bet", "box": "1", "amount": "10"})
                await ann.ask("t", {"type": "ready"})
                await asyncio.sleep(0.01)
            void = {"type": "void", "reason": "a fire", "clause": "8.2(a)"}
            await mia.ask("t", void, role="table-games-manager")
            (waiting,) = await max_.get("/api/tables/t/orders")
            assert (waiting["asked_by"], waiting["order"]["reason"]) == ("mia", "a fire")
            with pytest.raises(ClientError, match="this is for"):
                await ann.get("/api/tables/t/orders")
            await max_.ask("t", {"type": "confirm-order", "number": waiting["number"]}, role="table-games-manager")
            assert await max_.get("/api/tables/t/orders") == []
            notice = {"type": "send-notice", "body": "inspector", "table": "t", "reason": "a fire at the table"}
            await mia.ask_floor(notice, role="table-games-manager")
            (told,) = await ivy.get("/api/inbox?role=inspector")
            assert (told["text"], told["received_by"]) == ("a fire at the table", "")
            receipt = {"type": "confirm-receipt", "number": told["number"]}
            await ivy.ask_floor(receipt, role="inspector")
            assert (await ivy.get("/api/inbox?role=inspector"))[0]["received_by"] == "ivy"
            actions = await ivy.get("/api/actions?last=4")
            assert [(action["actor"], action["role"], action["act"]) for action in actions] == [
                ("ivy", "inspector", "notice-received"),
                ("mia", "table-games-manager", "notice-sent"),
                ("max", "table-games-manager", "order-confirmed"),
                ("mia", "table-games-manager", "order-asked"),
            ]
            assert "8.2(a)" in actions[2]["clauses"]
            assert actions[3]["reason"] == "a fire"
            assert [a["actor"] for a in await root.get("/api/actions?person=mia&stream=t")] == ["mia"]
            for client in (ann, mia):
                with pytest.raises(ClientError, match="this is for"):
                    await client.get("/api/actions")
                with pytest.raises(ClientError, match="do not hold the role"):
                    await client.get("/api/inbox?role=inspector")
            await ann.ask("t", {"type": "call-dispute", "matter": "the fire"})
            ruling = {"type": "ruling", "player": "ann", "upheld": False, "reason": "there was one"}
            await mia.ask("t", ruling, role="table-games-manager")
            await ann.ask_floor({"type": "take-dispute-further", "table": "t"}, role="player")
            (dispute,) = await ann.get("/api/disputes")
            assert (dispute["who"], dispute["upheld"]) == ("commission", None)
            assert await mia.get("/api/disputes") == []
            table = {
                "type": "open-table", "name": "t2", "game": "perth/blackjack", "minimum": "5", "maximum": "50",
                "bank": "500", "reason": "a busy night",
            }  # fmt: skip
            await root.ask_floor(table, role="administrator")
            assert [line["name"] for line in await ann.get("/api/tables")] == ["t", "t2"]
        for client in (root, mia, max_, ivy):
            await client.close()

    serve(tmp_path, address, story)


def test_an_administrator_changes_the_password_of_another_and_says_why(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        root = await take_office(served)
        dan = await hire(root, "dan")
        body = {"name": "dan", "password": "yet another password"}
        with pytest.raises(ClientError, match="must give a reason"):
            await root.post("/api/password", body)
        await root.post("/api/password", {**body, "reason": "forgotten"})
        with pytest.raises(ClientError, match="your session is over"):
            await dan.get("/api/me")
        again = await Client.enter(served.address, "dan", body["password"])
        mine = {"name": "dan", "password": "a phrase of my own", "current": body["password"]}
        await again.post("/api/password", mine)
        with pytest.raises(ClientError, match="your session is over"):
            await again.get("/api/me")
        for client in (root, dan, again):
            await client.close()

    serve(tmp_path, "", story)
