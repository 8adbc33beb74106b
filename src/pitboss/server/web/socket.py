"""The WebSocket of a floor: one for each client, for all tables it plays at.

Written against ASGI itself, because this is where the work is. A frame that is too large, comes too fast or is no text
closes the connection; what waits for a client goes out in one frame, by the protocol's own way.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from pitboss.server.hub import Connection, Hub
from pitboss.server.logbook import Logbook
from pitboss.server.messages import Complaint
from pitboss.server.reception import Reception, SignedOut, Visitor
from pitboss.server.storage.database import StoreError
from pitboss.server.web.bounds import Bounds, Bucket, is_known_host, is_own_origin
from pitboss.server.web.socket_protocol import EXTENSION, FloorSocketProtocol

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

COOKIE, SECURE_COOKIE = "pitboss_session", "__Host-pitboss_session"
"""The cookie of a session, and its name where it goes over HTTPS only: browsers let no other site set that one."""
POLICY, TOO_BIG, TRY_LATER = 1008, 1009, 1013
TOO_FAST = msgspec.json.encode(Complaint("too fast: wait a moment", 500))
CLOSED = {POLICY: "too many messages", TOO_BIG: "a message is too large, or no text"}
PATH = "/ws"
STRIKES = 20
"""Messages that may come too fast before the connection is closed."""


def read_token(scope: Scope) -> str:
    """The token of a session, from the cookie or an authorization header; empty if there is none."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, token = part.strip().partition("=")
                if key in (COOKIE, SECURE_COOKIE):
                    return str(token)
        elif name == b"authorization" and value.startswith(b"Bearer "):
            return str(value[7:].decode("latin-1"))
    return ""


def read_header(scope: Scope, wanted: bytes) -> str | None:
    """A header of a request."""
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == wanted), None)


def is_encrypted(scope: Scope) -> bool:
    """The request came over TLS, to this server or to the proxy before it."""
    return scope.get("scheme") in ("https", "wss")


def find_address(scope: Scope) -> str:
    """From where a request comes."""
    client = scope.get("client")
    return str(client[0]) if client else ""


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


class _TurnedAway(Exception):
    """There is no room for another connection."""


class SocketHandler:
    """Serves WebSocket connections."""

    def __init__(
        self, hub: Hub, reception: Reception, bounds: Bounds, clock: Callable[[], int], logbook: Logbook
    ) -> None:  # fmt: skip
        self.hub = hub
        self.reception = reception
        self.bounds = bounds
        self.clock = clock
        self.logbook = logbook
        self.by_address: Counter[str] = Counter()
        """Connections from each address."""

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from its first byte to its last."""
        await receive()
        address = find_address(scope)
        try:
            visitor = await self._admit(scope, address)
        except (SignedOut, StoreError, _TurnedAway) as error:
            self.logbook.warn("socket refused", address=address, reason=str(error))
            code = POLICY if isinstance(error, SignedOut) else TRY_LATER
            await send({"type": "websocket.close", "code": code})
            return
        await send({"type": "websocket.accept"})
        self.by_address[address] += 1
        try:
            await self._talk(visitor, scope, receive, send)
        finally:
            self.by_address[address] -= 1
            self.by_address += Counter()

    async def _admit(self, scope: Scope, address: str) -> Visitor:
        """Who wants to connect, if there is room and the page is ours."""
        host = read_header(scope, b"host")
        if not is_known_host(host, self.bounds.host_names) or not is_own_origin(read_header(scope, b"origin"), host):
            raise SignedOut("a page of another site")
        if scope["path"] != PATH:
            raise SignedOut(f"the socket is at {PATH}")
        token = read_token(scope)
        visitor = await self.reception.find_visitor(token) if token else Visitor("", staff=False)
        if visitor.must_change:
            raise SignedOut("choose a password yourself first")
        bounds, person = self.bounds, visitor.name
        own = sum(connection.person == person for connection in self.hub.connections) if person else 0
        if own >= bounds.connections_per_person or self.by_address[address] >= bounds.connections_per_address:
            raise _TurnedAway("too many connections of one person or address")
        if len(self.hub.connections) >= bounds.connections:
            raise _TurnedAway("too many connections")
        return visitor

    async def _talk(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        protocol: FloorSocketProtocol = scope["extensions"][EXTENSION]
        outlet = _Outlet(protocol)
        dropped: list[str] = []

        def drop(reason: str) -> None:
            dropped.append(reason)
            listening.cancel()

        connection = outlet.connection = Connection(visitor.name, outlet.wake, drop, staff=visitor.staff)
        self.hub.enter(connection)
        listening = asyncio.create_task(self._listen(connection, receive))
        code = POLICY
        try:
            while not (await asyncio.wait((listening,), timeout=self.bounds.session_check_seconds))[0]:
                if not await self._is_still_in(read_token(scope), connection):
                    drop("your session is over: sign in again")
            if not listening.cancelled():
                code = listening.result()
        finally:
            self.hub.leave(connection)
            listening.cancel()
            outlet.flush()
        if code:
            reason = dropped[0] if dropped else CLOSED[code]
            self.logbook.warn("connection closed", address=find_address(scope), person=visitor.name, reason=reason)
        if not protocol.can_write():
            protocol.transport.abort()
        elif code:
            try:
                await send({"type": "websocket.close", "code": TRY_LATER if dropped else code})
            except (RuntimeError, OSError):
                return

    async def _is_still_in(self, token: str, connection: Connection) -> bool:
        """The session of a connection goes on; it is in use as long as messages come."""
        used, connection.was_heard = connection.was_heard, False
        try:
            if token:
                await self.reception.find_visitor(token, used=used)
        except SignedOut:
            return False
        except StoreError:
            connection.was_heard = used
        return True

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
            connection.was_heard = True
            self.hub.hear(connection, text)
