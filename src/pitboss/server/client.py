"""A client of a served floor, over the published protocol: `pitboss.Client`.

It holds a document for each table it watches and applies what the server sends. When the connection breaks it connects
again, goes on after the last number it has seen, and asks once more, under the same ids, what was not answered: nothing
is lost and nothing is done twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from pitboss.errors import PitbossError

COOKIES = ("__Host-pitboss_session", "pitboss_session")
"""Under one of these names the server sends a token: the first over HTTPS."""
CALL_S = 30
RETRY_S = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)

Document = dict[str, Any]


class ClientError(PitbossError):
    """The server does not answer, or not as a floor does."""


class AskRefused(PitbossError):
    """What was asked is refused; `clauses` and `legal` are as the server gave them."""

    def __init__(self, answer: Document) -> None:
        super().__init__(answer["reason"])
        self.clauses: tuple[str, ...] = tuple(answer.get("clauses", ()))
        self.legal: tuple[str, ...] = tuple(answer.get("legal", ()))


def merge_patch(document: Any, patch: Any) -> Any:
    """A document after a JSON Merge Patch (RFC 7396)."""
    if not isinstance(patch, dict):
        return patch
    merged = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict):
            merged[name] = merge_patch(merged.get(name), value)
        else:
            merged[name] = value
    return merged


class TableDocument:
    """What somebody who watches a table holds of it: the public document and their own, as messages lead them on."""

    def __init__(self) -> None:
        self.seq: int | None = None
        self.public: Document = {}
        self.private: Document = {}

    def take_in(self, message: Document) -> bool:
        """Apply a message about the table; False if it does not follow from what is held."""
        kind = message["type"]
        if kind == "patch":
            if message["after"] != self.seq:
                return False
            self.public = merge_patch(self.public, message["patch"])
        elif kind == "snapshot":
            self.public = merge_patch({}, message["public"])
        else:
            self.private = message["private"]
        self.seq = message["seq"]
        return True


class WatchedTable(TableDocument):
    """A table that the client watches: its documents, as they are now."""

    def __init__(self, client: Client, name: str, events: bool) -> None:
        super().__init__()
        self.client = client
        self.name = name
        self.with_events = events
        self.news: list[Document] = []
        """Events that came since they were last looked at."""
        self._changed = asyncio.Event()

    async def ask(self, command: Document, *, command_id: str = "", role: str = "player") -> int:
        """Ask something of the table; the number of the decision once it is stored. Raises `AskRefused`."""
        return await self.client.ask(self.name, command, command_id=command_id, role=role)

    async def advise(self, box: str | None = None) -> Document:
        """What one's decision is worth, at a practice table. Raises `AskRefused`."""
        return await self.client.advise(self.name, box)

    async def wait_for_change(self) -> None:
        """Wait until something has changed since the last time."""
        await self._changed.wait()
        self._changed.clear()

    def look_again(self) -> None:
        """Something has changed that is not in the documents."""
        self._changed.set()

    def hear(self, message: Document) -> None:
        """Take in a message about this table."""
        if self.take_in(message):
            if message["type"] == "patch" and self.with_events:
                self.news += message.get("events", ())
            self._changed.set()


class WatchedStream:
    """A stream that is no table and that the client watches: what it shows this client, as it is now."""

    def __init__(self, stream: str, role: str) -> None:
        self.stream = stream
        self.role = role
        self.seq: int | None = None
        self.shown: Document = {}
        self._changed = asyncio.Event()

    def hear(self, message: Document) -> None:
        """Take in what the stream shows now."""
        self.seq, self.shown = message["seq"], message["shown"]
        self._changed.set()

    async def wait_for_change(self) -> None:
        """Wait until something has changed since the last time."""
        await self._changed.wait()
        self._changed.clear()


class Client:
    """Somebody at a floor. Make one with `Client.enter`."""

    def __init__(self, address: str, token: str, name: str, others: Sequence[str] = ()) -> None:
        self.addresses = tuple(item.rstrip("/") for item in (address, *others))
        """Processes of one floor; where one does not answer, the next is tried."""
        self.address = self.addresses[0]
        self.token = token
        self.name = name
        self.tables: dict[str, WatchedTable] = {}
        self.streams: dict[str, WatchedStream] = {}
        """Streams that are no tables, by kind and name: `tournament spring`."""
        self.inboxes: dict[str, dict[int, Document]] = {}
        """Notices of the inboxes that are followed, by role and number."""
        self.notice = ""
        """What the floor has to say to everybody: that it is frozen, and why."""
        self.connections = 0
        """How often a connection was made."""
        self._pending: dict[str, tuple[bytes, asyncio.Future[Document]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._resending: asyncio.Task[None] | None = None
        self._closed = False
        self._ready = asyncio.Event()

    # ------------------------------------------------------------------ coming and going

    @classmethod
    async def enter(
        cls, address: str, name: str = "", password: str = "", code: str = "", others: Sequence[str] = ()
    ) -> Client:  # fmt: skip
        """Come in: as a guest, or with the password of an account and a code of its second factor.

        `others` are more processes of the same floor.
        """
        if password:
            body = {"name": name, "password": password, "code": code}
            answer, token = await call(address, "POST", "/api/sessions", body)
        else:
            answer, token = await call(address, "POST", "/api/guests", {"name": name})
        client = cls(address, token, answer["name"], others)
        await client.open()
        return client

    async def open(self) -> None:
        """Connect, and stay connected."""
        self._task = asyncio.create_task(self._stay_connected())
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((ready, self._task), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._task.done():
            await self._task

    async def close(self) -> None:
        """Go away."""
        self._closed = True
        for task in (self._task, self._resending):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(ClientError("the client was closed"))

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *failure: object) -> None:
        await self.close()

    async def get(self, path: str) -> Any:
        """Read something over HTTP."""
        return (await call(self.address, "GET", path, token=self.token))[0]

    async def post(self, path: str, body: Document | None = None) -> Any:
        """Send something over HTTP."""
        return (await call(self.address, "POST", path, body or {}, self.token))[0]

    async def ask_floor(self, command: Document, *, role: str, command_id: str = "") -> int:
        """Ask the floor itself for something; the number of the decision. Raises `AskRefused`."""
        asked = {"id": command_id or secrets.token_hex(8), "command": command, "role": role}
        answer = await self.post("/api/floor/commands", asked)
        if answer["type"] == "refused":
            raise AskRefused(answer)
        if answer["type"] != "acknowledged":
            raise ClientError(answer["reason"])
        return int(answer["seq"])

    # ------------------------------------------------------------------ streams that are no tables

    async def ask_stream(
        self, kind: str, name: str, command: Document, *, role: str = "player", book: str = "", command_id: str = ""
    ) -> int:  # fmt: skip
        """Ask something of a stream; the number of the decision. Whoever opens it names its book.

        Raises `AskRefused`.
        """
        asked = {
            "id": command_id or secrets.token_hex(8), "command": command, "role": role, "book": book,
        }  # fmt: skip
        answer = await self.post(f"/api/streams/{kind}/{name}/commands", asked)
        if answer["type"] == "refused":
            raise AskRefused(answer)
        if answer["type"] != "acknowledged":
            raise ClientError(answer["reason"])
        return int(answer["seq"])

    async def show_stream(self, kind: str, name: str, *, role: str = "player") -> Document:
        """What a stream shows this client, with its `seq`."""
        found: Document = await self.get(f"/api/streams/{kind}/{name}?role={role}")
        return found

    async def watch_stream(self, kind: str, name: str, *, role: str = "player") -> WatchedStream:
        """Watch a stream; returns once it has shown itself."""
        stream = f"{kind} {name}"
        await self.show_stream(kind, name, role=role)
        watched = self.streams[stream] = WatchedStream(stream, role)
        await self._send(msgspec.json.encode({"type": "watch-stream", "stream": stream, "role": role}))
        while watched.seq is None:
            await watched.wait_for_change()
        return watched

    # ------------------------------------------------------------------ tables

    async def watch(self, table: str, *, events: bool = True) -> WatchedTable:
        """Watch a table; returns once its document is there."""
        watched = self.tables[table] = WatchedTable(self, table, events)
        await self._send(msgspec.json.encode({"type": "watch", "table": table, "events": events}))
        while watched.seq is None:
            await watched.wait_for_change()
        return watched

    async def ask(self, table: str, command: Document, *, command_id: str = "", role: str = "player") -> int:
        """Ask something of a table; the number of the decision once it is stored. Raises `AskRefused`."""
        command_id = command_id or secrets.token_hex(8)
        text = msgspec.json.encode(
            {"type": "ask", "id": command_id, "table": table, "command": command, "role": role}
        )  # fmt: skip
        while True:
            future: asyncio.Future[Document] = asyncio.get_running_loop().create_future()
            self._pending[command_id] = (text, future)
            await self._send(text)
            answer = await future
            if answer["type"] == "acknowledged":
                return int(answer["seq"])
            if answer["type"] == "refused":
                raise AskRefused(answer)
            await asyncio.sleep(RETRY_S[2])

    async def advise(self, table: str, box: str | None = None) -> Document:
        """What one's decision at a practice table is worth: `actions` by name, and the `best`. Raises `AskRefused`."""
        question_id = secrets.token_hex(8)
        text = msgspec.json.encode({"type": "advise", "id": question_id, "table": table, "box": box})
        future: asyncio.Future[Document] = asyncio.get_running_loop().create_future()
        self._pending[question_id] = (text, future)
        await self._send(text)
        answer = await future
        if answer["type"] == "refused":
            raise AskRefused(answer)
        return answer

    async def watch_inbox(self, role: str) -> dict[int, Document]:
        """Follow an inbox, as `inspector` or `surveillance`: the notices by number, kept as they change."""
        self.inboxes[role] = {}
        await self._send(msgspec.json.encode({"type": "watch-inbox", "role": role}))
        return self.inboxes[role]

    async def _send(self, text: bytes) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(text.decode())

    # ------------------------------------------------------------------ the connection

    async def _stay_connected(self) -> None:
        attempt = 0
        while not self._closed:
            try:
                async with await self._connect() as socket:
                    self._socket = socket
                    self.connections += 1
                    await self._catch_up()
                    self._ready.set()
                    attempt = 0
                    await self._listen(socket)
            except InvalidHandshake as error:
                if not self._ready.is_set():
                    raise ClientError(f"{self.address} does not let us in: {error}") from None
            except (OSError, ConnectionClosed, EOFError, TimeoutError) as error:
                if not self._ready.is_set():
                    raise ClientError(f"{self.address} does not answer: {error}") from None
                if not isinstance(error, ConnectionClosed):
                    self.address = self.addresses[(self.addresses.index(self.address) + 1) % len(self.addresses)]
            self._socket = None
            await asyncio.sleep(RETRY_S[min(attempt, len(RETRY_S) - 1)])
            attempt += 1

    async def _connect(self) -> Any:
        address = self.address.replace("http", "ws", 1) + "/ws"
        return connect(
            address, additional_headers={"Authorization": f"Bearer {self.token}"}, compression=None, proxy=None,
            max_size=2**22, ping_interval=None,
        )  # fmt: skip

    async def _catch_up(self) -> None:
        """Go on where the last connection broke."""
        for table in self.tables.values():
            wanted = {"type": "watch", "table": table.name, "after": table.seq, "events": table.with_events}
            await self._send(msgspec.json.encode(wanted))
        for stream in self.streams.values():
            wanted = {"type": "watch-stream", "stream": stream.stream, "role": stream.role}
            await self._send(msgspec.json.encode(wanted))
        for role in self.inboxes:
            await self._send(msgspec.json.encode({"type": "watch-inbox", "role": role}))
        await self._send_pending()

    async def _send_pending(self) -> None:
        for text, _ in list(self._pending.values()):
            await self._send(text)

    async def _resend(self, wait_s: float) -> None:
        """Something came too fast and was not heard: ask once more what has no answer."""
        await asyncio.sleep(wait_s)
        self._resending = None
        await self._send_pending()

    async def _listen(self, socket: ClientConnection) -> None:
        decode = msgspec.json.decode
        async for frame in socket:
            for message in decode(frame):
                self._hear(message)

    def _hear(self, message: Document) -> None:
        table = self.tables.get(message.get("table", ""))
        if "id" in message:
            _, future = self._pending.pop(message["id"], (b"", None))
            if future is not None and not future.done():
                future.set_result(message)
        elif table is not None:
            table.hear(message)
        elif message["type"] == "stream":
            if message["stream"] in self.streams:
                self.streams[message["stream"]].hear(message)
        elif message["type"] == "inbox":
            self.inboxes[message["role"]].update({notice["number"]: notice for notice in message["notices"]})
        elif message["type"] == "complaint" and message["wait_ms"] and self._resending is None:
            self._resending = asyncio.create_task(self._resend(message["wait_ms"] / 1000))
        elif message["type"] == "notice":
            self.notice = message["reason"]
            for watched in self.tables.values():
                watched.look_again()


async def call(
    address: str, method: str, path: str, body: Document | None = None, token: str = ""
) -> tuple[Any, str]:  # fmt: skip
    """One HTTP request: the answer, and the token of the session if one was begun."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ClientError(f"'{address}' is not the address of a floor, such as http://127.0.0.1:8021")
    secure = parts.scheme == "https"
    content = b"" if body is None else msgspec.json.encode(body)
    lines = [
        f"{method} {path} HTTP/1.1", f"Host: {parts.netloc}", "Content-Type: application/json", "Connection: close",
        f"Content-Length: {len(content)}", *([f"Authorization: Bearer {token}"] if token else []), "", "",
    ]  # fmt: skip
    try:
        async with asyncio.timeout(CALL_S):
            port = parts.port or (443 if secure else 80)
            reader, writer = await asyncio.open_connection(parts.hostname, port, ssl=True if secure else None)
            try:
                writer.write("\r\n".join(lines).encode() + content)
                head, _, text = (await reader.read()).partition(b"\r\n\r\n")
            finally:
                writer.close()
    except OSError as error:
        raise ClientError(f"{address} does not answer: {error}") from None
    return _read_answer(address, head.decode("latin-1").splitlines(), text)


def _read_answer(address: str, head: list[str], text: bytes) -> tuple[Any, str]:
    words = head[0].split() if head else []
    if len(words) < 2 or not words[1].isdigit():
        raise ClientError(f"{address} does not answer as a floor does")
    try:
        answer = msgspec.json.decode(text) if text else None
    except msgspec.DecodeError:
        answer = text.decode("utf-8", "replace")
    if int(words[1]) >= 400:
        reason = answer.get("reason") if isinstance(answer, dict) else ""
        raise ClientError(reason or f"{address} answers {words[1]}")
    begun = ""
    for line in head[1:]:
        name, _, value = line.partition(":")
        key, _, kept = value.strip().partition("=")
        if name.lower() == "set-cookie" and key in COOKIES:
            begun = kept.partition(";")[0]
    return answer, begun
