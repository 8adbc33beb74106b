"""uvicorn's WebSocket protocol, with a straight way out for what the hub sends.

Most of what a floor does is to send small frames to many observers. Through ASGI each of them would wake a task; here a
frame that is ready goes to the transport at once. What comes in, the handshake and the close go the ordinary way.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

EXTENSION = "pitboss.socket"
"""Under this name the application finds the protocol among the extensions of its scope."""
MOST_HEAD_BYTES = 32_768
"""How long the lines before the body of a request may be."""
TEXT_FRAME = 0x81
SHORT, MEDIUM = 125, 65_535


def make_text_frame(text: bytes) -> bytes:
    """A whole, unmasked text frame, as servers send them."""
    size = len(text)
    if size <= SHORT:
        return bytes((TEXT_FRAME, size)) + text
    if size <= MEDIUM:
        return bytes((TEXT_FRAME, 126, size >> 8, size & 255)) + text
    return bytes((TEXT_FRAME, 127)) + size.to_bytes(8, "big") + text


class FloorSocketProtocol(WebSocketsSansIOProtocol):
    """A connection that can be written to without a task."""

    async def run_asgi(self) -> None:
        """Serve the connection; the application finds this protocol in its scope."""
        extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
        extensions[EXTENSION] = self
        await super().run_asgi()

    def can_write(self) -> bool:
        """The client takes what is sent; not so while what was sent before piles up."""
        return self.writable.is_set()

    def write_text(self, text: bytes) -> None:
        """Send a text at once, if the connection is still there."""
        if not (self.disconnected or self.close_sent or self.transport.is_closing()):
            self.transport.write(make_text_frame(text))


def make_http_protocol(request_seconds: float) -> type[HttpToolsProtocol]:
    """uvicorn's HTTP protocol, which hangs up on whoever takes longer than this for a request, or sends too much."""

    class FloorHttpProtocol(HttpToolsProtocol):
        _patience: asyncio.TimerHandle | None = None
        _head_bytes = 0
        _heads = 0
        _in_head = True

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            heads = self._heads
            super().data_received(data)
            if self._in_head and self._heads == heads:
                self._head_bytes += len(data)
                if self._head_bytes > MOST_HEAD_BYTES and not self.transport.is_closing():
                    self.send_400_response("Too much before the body.")

        def on_header(self, name: bytes, value: bytes) -> None:
            self._head_bytes += len(name) + len(value)
            if self._head_bytes > MOST_HEAD_BYTES:
                raise ValueError("too much before the body")
            super().on_header(name, value)

        def on_headers_complete(self) -> None:
            self._in_head, self._head_bytes = False, 0
            self._heads += 1
            super().on_headers_complete()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            if self._patience is None:
                self._wait()

        def on_message_complete(self) -> None:
            self._rest()
            self._in_head, self._head_bytes = True, 0
            super().on_message_complete()

        def handle_websocket_upgrade(self) -> None:
            self._rest()
            super().handle_websocket_upgrade()

        def connection_lost(self, exc: Exception | None) -> None:
            self._rest()
            super().connection_lost(exc)

        def _wait(self) -> None:
            self._patience = self.loop.call_later(request_seconds, self.transport.abort)

        def _rest(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    return FloorHttpProtocol
