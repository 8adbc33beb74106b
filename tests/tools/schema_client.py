"""A client that knows a floor only by what the floor publishes: the OpenAPI description and the JSON Schemas.

It imports nothing of pitboss and knows no rule of any game. Everything it sends is checked against the schemas before
it goes out, everything it hears when it comes in. It takes what the schemas and the documents say: it places a wager at
the minimum on the sign, then sends whatever the server lists as its actions, or says that it is ready.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import urllib.error
import urllib.request
from typing import Any

from jsonschema_rs import Draft202012Validator
from websockets.asyncio.client import connect

Document = dict[str, Any]


def merge(document: Any, patch: Any) -> Any:
    """JSON Merge Patch, as RFC 7396 has it."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = merge(merged.get(name), value)
    return merged


class SchemaClient:
    """Somebody at one table."""

    def __init__(self, address: str, table: str, seed: int) -> None:
        self.address = address
        self.table = table
        self.chance = random.Random(seed)
        self.counter = itertools.count(1)
        self.cookie = ""
        self.name = ""
        self.public: Document = {}
        self.private: Document = {}
        self.seq = -1
        self.answers: dict[str, Document] = {}
        self.kinds: set[str] = set()
        """The kinds of messages that came."""
        self.description = self.fetch("/schema/openapi.json")
        schemas = self.fetch("/api/schemas")
        self.validators = {
            side: Draft202012Validator({"$schema": schemas["$schema"], "$defs": schemas["$defs"], **schemas[side]})
            for side in ("client", "server", "commands", "events")
        }

    def fetch(self, path: str, body: Document | None = None) -> Any:
        """One HTTP request."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        if self.cookie:
            request.add_header("Cookie", self.cookie)
        with urllib.request.urlopen(request) as answer:
            if set_cookie := answer.headers.get("Set-Cookie"):
                self.cookie = set_cookie.split(";")[0]
            return json.loads(answer.read())

    async def come_in(self) -> None:
        """Become a guest, by the one operation that the description has for it."""
        [path] = [
            path for path, item in self.description["paths"].items() if path.endswith("/guests") and "post" in item
        ]
        self.name = (await asyncio.to_thread(self.fetch, path, {}))["name"]

    async def play_round(self) -> None:
        """Play one round from the first wager to the next round."""
        address = self.address.replace("http", "ws", 1) + "/ws"
        async with connect(address, additional_headers={"Cookie": self.cookie}, proxy=None) as self.socket:
            await self.send({"type": "watch", "table": self.table})
            await self.hear_until(lambda: bool(self.public))
            await self.ask({"type": "buy-in", "amount": "500"})
            first = self.public["round"]
            staked = False
            while self.public["round"] == first:
                staked = await self.act(staked)
            assert staked, "the round was over before there was a wager"

    async def act(self, staked: bool) -> bool:
        """Do one thing, or wait for the table; whether there is a wager."""
        actions = [action for action in self.private.get("actions", []) if self.validators["commands"].is_valid(action)]
        if self.public["phase"] == "betting" and not actions:
            if not staked:
                box = str(self.chance.randint(1, self.public["boxes_max"]))
                limits = self.public["notice"]["limits"]
                bet = {"type": "place-bet", "box": box, "amount": limits["minimum"]}
                return await self.ask(bet)
        elif actions and await self.ask(self.chance.choice(actions)):
            return staked
        if self.name not in self.public["ready"]:
            await self.ask({"type": "ready"})
        else:
            seq = self.seq
            await self.hear_until(lambda: self.seq != seq)
        return staked

    async def ask(self, command: Document) -> bool:
        """Ask the table for something; whether it was granted."""
        self.validators["commands"].validate(command)
        number = str(next(self.counter))
        await self.send({"type": "ask", "id": number, "table": self.table, "command": command})
        await self.hear_until(lambda: number in self.answers)
        answer = self.answers[number]
        if answer["type"] == "acknowledged":
            await self.hear_until(lambda: self.seq >= answer["seq"])
        return bool(answer["type"] == "acknowledged")

    async def send(self, message: Document) -> None:
        self.validators["client"].validate(message)
        await self.socket.send(json.dumps(message))

    async def hear_until(self, done: Any) -> None:
        while not done():
            frame = json.loads(await self.socket.recv())
            self.validators["server"].validate(frame)
            for message in frame:
                self.hear(message)

    def hear(self, message: Document) -> None:
        self.kinds.add(message["type"])
        if "id" in message:
            self.answers[message["id"]] = message
        elif message["type"] == "snapshot":
            self.public, self.seq = merge({}, message["public"]), message["seq"]
        elif message["type"] == "patch":
            assert message["after"] == self.seq
            self.public, self.seq = merge(self.public, message["patch"]), message["seq"]
            for happened in message.get("events", []):
                for event in happened["events"]:
                    self.validators["events"].validate(event)
        elif message["type"] == "private":
            self.private = message["private"]
