"""The WebSocket of a floor: one for each client, for all tables it plays at.

Written against ASGI itself, because this is where the work is. A frame that is too large, comes too fast or is no text
closes the connection; what waits for a client goes out in one frame, by the protocol's own way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from pitboss.server.hub import Connection, Hub
from pitboss.server.messages import Complaint
from pitboss.server.reception import Reception, SignedOut, Visitor
from pitboss.server.web.bounds import Bounds, Bucket, is_own_origin
from pitboss.server.web.socket_protocol import EXTENSION, FloorSocketProtocol

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

COOKIE = "pitboss_session"
POLICY, TOO_BIG, TRY_LATER = 1008, 1009, 1013
TOO_FAST = msgspec.json.encode(Complaint("too fast: wait a moment"))
STRIKES = 20
"""Messages that may come too fast before the connection is closed."""


def read_token(scope: Scope) -> str:
    """The token of a session, from the cookie or an authorization header; empty if there is none."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, token = part.strip().partition("=")
                if key == COOKIE:
                    return str(token)
        elif name == b"authorization" and value.startswith(b"Bearer "):
            return str(value[7:].decode("latin-1"))
    return ""


def read_header(scope: Scope, wanted: bytes) -> str | None:
    """A header of a request."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), None)


class _Outlet:
    """Sends what waits for a connection: everything of one turn of the event loop in one frame.

    While the client does not take what was sent before, it waits and gathers.
    """

    def __init__(self, protocol: FloorSocketProtocol) -> None:
        self.protocol = protocol
        self.connection: Connection | None = None
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Something waits: send it at the end of this turn of the loop."""
        self._loop.call_soon(self.flush)

    def flush(self) -> None:
        """Send what waits, or wait for room."""
        if self.connection is None or not self.connection.waiting:
            return
        if self.protocol.can_write():
            self.protocol.write_text(self.connection.take_frame())
        elif self._waiter is None:
            self._waiter = self._loop.create_task(self._wait_for_room())

    async def _wait_for_room(self) -> None:
        await self.protocol.writable.wait()
        self._waiter = None
        self.flush()


class SocketHandler:
    """Serves WebSocket connections."""

    def __init__(self, hub: Hub, reception: Reception, bounds: Bounds, clock: Callable[[], int]) -> None:
        self.hub = hub
        self.reception = reception
        self.bounds = bounds
        self.clock = clock

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from its first byte to its last."""
        await receive()
        if not is_own_origin(read_header(scope, b"origin"), read_header(scope, b"host")):
            await send({"type": "websocket.close", "code": POLICY})
            return
        token = read_token(scope)
        try:
            visitor = await self.reception.find_visitor(token) if token else Visitor("", staff=False)
        except SignedOut:
            await send({"type": "websocket.close", "code": POLICY})
            return
        if not self._has_room(visitor.name):
            await send({"type": "websocket.close", "code": TRY_LATER})
            return
        await send({"type": "websocket.accept"})
        await self._talk(visitor, scope["extensions"][EXTENSION], receive, send)

    def _has_room(self, person: str) -> bool:
        own = sum(connection.person == person for connection in self.hub.connections) if person else 0
        return len(self.hub.connections) < self.bounds.connections and own < self.bounds.connections_per_person

    async def _talk(self, visitor: Visitor, protocol: FloorSocketProtocol, receive: Receive, send: Send) -> None:
        outlet = _Outlet(protocol)
        dropped: list[str] = []

        def drop(reason: str) -> None:
            dropped.append(reason)
            listening.cancel()

        connection = outlet.connection = Connection(visitor.name, outlet.wake, drop, staff=visitor.staff)
        self.hub.connections.add(connection)
        listening = asyncio.create_task(self._listen(connection, receive))
        code = POLICY
        try:
            await asyncio.wait((listening,))
            if not listening.cancelled():
                code = listening.result()
        finally:
            self.hub.leave(connection)
            listening.cancel()
            outlet.flush()
        if code:
            try:
                await send({"type": "websocket.close", "code": TRY_LATER if dropped else code})
            except (RuntimeError, OSError):
                return

    async def _listen(self, connection: Connection, receive: Receive) -> int:
        """Hear messages until the client is gone (0), or has to go: the code to close with."""
        bounds = self.bounds
        bucket = Bucket(bounds.messages_per_second, bounds.burst, self.clock())
        strikes = 0
        while True:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return 0
            text = message.get("text")
            if text is None or len(text) > bounds.message_bytes:
                return TOO_BIG
            if not bucket.take(self.clock()):
                strikes += 1
                if strikes > STRIKES:
                    return POLICY
                connection.send(TOO_FAST)
                continue
            self.hub.hear(connection, text)
