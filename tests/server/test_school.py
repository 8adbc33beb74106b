"""School tables over HTTP: everybody has one of their own, with its seat and its orders, and nothing of it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from floor_server import Served, serve

from pitboss.floor.desks.school_table import SchoolWish, open_school
from pitboss.server.client import Client, ClientError
from pitboss.server.people.school_room import MOST_TABLES, SchoolRoom

SEAT = "/api/tables/%3Aschool"


def test_a_guest_deals_at_a_table_of_their_own(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        stu, ann = await Client.enter(served.address, "stu"), await Client.enter(served.address, "ann")
        assert await stu.get("/api/school") is None
        with pytest.raises(ClientError, match="you have no school table"):
            await stu.get(f"{SEAT}/seat")
        await stu.post("/api/school", {"game": "star/blackjack", "players": 2})
        for _ in range(40):
            step = (await stu.get(f"{SEAT}/seat"))["seat"]["step"]
            if step["kind"] == "decide":
                break
            own = {"type": "dealer", "name": "stu"} if step["kind"] == "come-on" else step["command"]
            move = {"kind": "draw"} if step["kind"] == "card" else {"kind": "command", "command": own}
            await stu.post("/api/school/moves", move)
        shown = await stu.get("/api/school")
        assert shown["shows"]["type"] in ("hit", "stand", "double", "split", "surrender")
        assert len(shown["cards"]) >= 5
        forms = await stu.get(f"{SEAT}/order-forms")
        assert all(form["role"] for form in forms)
        ladder = (await stu.get(f"{SEAT}/seat"))["ladder"]
        void = {"command": {"type": "void", "reason": "misdealt"}, "role": ladder[-1]}
        assert (await stu.post(f"{SEAT}/preview", void))["granted"]
        assert await ann.get("/api/school") is None
        names = {line["name"] for line in await ann.get("/api/tables")}
        assert not any("school" in name for name in names)
        refused = await stu.post("/api/school/moves", {"kind": "command", "command": {"type": "bring-shoe"}})
        assert refused["type"] == "refused"
        assert refused["reason"]

    serve(tmp_path, story)


def test_whoever_has_not_played_for_longest_makes_room() -> None:
    room = SchoolRoom()
    for number in range(MOST_TABLES + 1):
        room.keep(open_school(f"p{number}", SchoolWish("perth/blackjack"), bytes(32), 0))
        room.keep(open_school("first", SchoolWish("perth/blackjack"), bytes(32), 0))
    assert room.find("first") is not None
    assert room.find("p0") is None
