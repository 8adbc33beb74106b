"""What is too much: how large a message may be, how many may come, and from where."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec


class Bounds(msgspec.Struct, frozen=True):
    """How much one client, and all of them together, may ask for."""

    message_bytes: int = 4_096
    body_bytes: int = 65_536
    messages_per_second: int = 50
    burst: int = 100
    connections: int = 5_000
    connections_per_person: int = 20
    guests_per_minute: int = 600
    sign_ins_per_minute: int = 30
    codes_per_minute: int = 5


class Bucket:
    """Lets so many pass in a second, and a few more at once."""

    __slots__ = ("at_ms", "level", "most", "per_second")

    def __init__(self, per_second: float, most: int, now_ms: int) -> None:
        self.per_second = per_second
        self.most = most
        self.level = float(most)
        self.at_ms = now_ms

    def take(self, now_ms: int) -> bool:
        """One more passes, or not."""
        self.level = min(self.most, self.level + max(0, now_ms - self.at_ms) * self.per_second / 1000)
        self.at_ms = now_ms
        if self.level < 1:
            return False
        self.level -= 1
        return True


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """A request of a page that this server has sent, or of a program that is no browser and names no origin."""
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc == host
