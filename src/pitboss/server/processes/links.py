"""Links: encrypted connections between the processes of one floor, over which the relay's notes travel.

Each process listens for the others and dials those whose tables its clients want. Both ends have the floor's key: from
it and a fresh number of each side come the keys of the connection, so whoever does not have it can neither read nor say
anything. A frame is a list of notes; everything of one turn of the event loop goes in one frame.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import os
import socket
from collections.abc import Callable
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.errors import PitbossError
from pitboss.server.processes.notes import Back, Note
from pitboss.server.processes.relay import Doorway, Relay

HELLO = b"pitboss1"
NONCE_BYTES = 16
LENGTH_BYTES = 4
LARGEST_FRAME = 1 << 26
MOST_UNSENT = 1 << 25
"""Bytes that may wait for the other end before the link is given up."""
DIAL_S = 2.0

_ENCODE = msgspec.msgpack.Encoder().encode
_NOTES = msgspec.msgpack.Decoder(list[Note])
_BACK = msgspec.msgpack.Decoder(list[Back])


class LinkError(PitbossError):
    """The other end is not a process of this floor, or has gone."""


class Channel:
    """Frames over one connection, encrypted and counted in each direction."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._sent = self._heard = 0
        self._out = self._in = AESGCM(bytes(32))

    async def shake_hands(self, key: bytes, *, dials: bool) -> None:
        """Agree on fresh keys, and see that the other end has the floor's key too."""
        own = os.urandom(NONCE_BYTES)
        self._writer.write(HELLO + own)
        heard = await self._reader.readexactly(len(HELLO) + NONCE_BYTES)
        if not heard.startswith(HELLO):
            raise LinkError("the other end is no process of a floor")
        other = heard[len(HELLO) :]
        both = own + other if dials else other + own
        there, back = (AESGCM(hmac.digest(key, HELLO + both + side, hashlib.sha256)) for side in (b">", b"<"))
        self._out, self._in = (there, back) if dials else (back, there)
        self.send(HELLO)
        if await self.receive() != HELLO:
            raise LinkError("the other end has another key")

    def send(self, text: bytes) -> None:
        """Send a frame, if the other end is still there; a link that does not take what is sent is given up."""
        if self._writer.transport.is_closing():
            return
        sealed = self._out.encrypt(self._sent.to_bytes(12, "big"), text, None)
        self._sent += 1
        self._writer.write(len(sealed).to_bytes(LENGTH_BYTES, "big") + sealed)
        if self._writer.transport.get_write_buffer_size() > MOST_UNSENT:
            self._writer.transport.abort()

    async def receive(self) -> bytes:
        """The next frame."""
        size = int.from_bytes(await self._reader.readexactly(LENGTH_BYTES), "big")
        if size > LARGEST_FRAME:
            raise LinkError("a frame is too large")
        sealed = await self._reader.readexactly(size)
        try:
            text = self._in.decrypt(self._heard.to_bytes(12, "big"), sealed, None)
        except InvalidTag:
            raise LinkError("the other end has another key") from None
        self._heard += 1
        return text

    def close(self) -> None:
        """End the connection."""
        self._writer.close()


class _Outgoing:
    """Notes for one process, and the task that brings them there."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.channel: Channel | None = None
        self.task: asyncio.Task[None] | None = None

    def flush(self) -> None:
        if self.channel is not None and self.notes:
            notes, self.notes = self.notes, []
            self.channel.send(_ENCODE(notes))


class Links:
    """All links of one process."""

    def __init__(self, key: bytes, listener: socket.socket, find_link: Callable[[str], str]) -> None:
        self._key = key
        self._listener = listener
        self._find_link = find_link
        """The host and port of a process, by its owner name; empty if it is not known."""
        self.relay: Relay | None = None
        self._dialled: dict[str, _Outgoing] = {}
        self._server: asyncio.Server | None = None
        self._guests: set[asyncio.Task[Any]] = set()

    async def start(self, relay: Relay) -> None:
        """Listen for the other processes."""
        self.relay = relay
        self._server = await asyncio.start_server(self._welcome, sock=self._listener)

    async def stop(self) -> None:
        """End every link."""
        if self._server is not None:
            self._server.close()
        tasks = [*self._guests, *(link.task for link in self._dialled.values() if link.task is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------------ to others

    def post(self, owner: str, note: Note) -> None:
        """Send a note to a process, over a link that is made if there is none."""
        link = self._dialled.get(owner)
        if link is None:
            link = self._dialled[owner] = _Outgoing()
            link.task = asyncio.get_running_loop().create_task(self._dial(owner, link))
        link.notes.append(note)
        if len(link.notes) == 1:
            asyncio.get_running_loop().call_soon(link.flush)

    def cut(self, owner: str) -> None:
        """End the link to a process that does not answer."""
        link = self._dialled.pop(owner, None)
        if link is not None and link.task is not None:
            link.task.cancel()

    async def _dial(self, owner: str, link: _Outgoing) -> None:
        assert self.relay is not None
        try:
            host, _, port = self._find_link(owner).rpartition(":")
            async with asyncio.timeout(DIAL_S):
                channel = Channel(*await asyncio.open_connection(host, int(port or 0)))
            try:
                async with asyncio.timeout(DIAL_S):
                    await channel.shake_hands(self._key, dials=True)
                link.channel = channel
                link.flush()
                while True:
                    for note in _BACK.decode(await channel.receive()):
                        self.relay.hear_back(owner, note)
            finally:
                channel.close()
        except (OSError, EOFError, TimeoutError, LinkError, msgspec.DecodeError):
            pass
        finally:
            if self._dialled.get(owner) is link:
                del self._dialled[owner]
                self.relay.lose(owner)

    # ------------------------------------------------------------------ from others

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        assert self.relay is not None
        self._guests.add(task)
        channel = Channel(reader, writer)
        try:
            with contextlib.suppress(
                OSError, EOFError, TimeoutError, LinkError, msgspec.DecodeError, asyncio.CancelledError
            ):
                async with asyncio.timeout(DIAL_S):
                    await channel.shake_hands(self._key, dials=False)
                await self._serve(channel, self.relay)
        finally:
            self._guests.discard(task)
            channel.close()

    async def _serve(self, channel: Channel, relay: Relay) -> None:
        loop = asyncio.get_running_loop()
        waiting = False

        def wake() -> None:
            nonlocal waiting
            if not waiting:
                waiting = True
                loop.call_soon(flush)

        def flush() -> None:
            nonlocal waiting
            waiting = False
            channel.send(_ENCODE(doorway.take_bundle()))

        doorway = Doorway(relay, wake)
        relay.doorways.append(doorway)
        try:
            while True:
                for note in _NOTES.decode(await channel.receive()):
                    doorway.hear(note)
        finally:
            doorway.close()
