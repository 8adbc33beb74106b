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
    connections_per_address: int = 1_000
    idle_requests: int = 500
    """HTTP connections beside the sockets."""
    request_seconds: int = 10
    """How long a client may take to send a request."""
    requests_per_second: int = 200
    requests_burst: int = 2_000
    """Of one address, over HTTP."""
    session_check_seconds: float = 30
    """How often it is looked whether the session behind a connection goes on."""
    host_names: tuple[str, ...] = ()
    """Names under which the floor is reached, with their ports; none: any."""
    guests_per_minute: int = 600
    sign_ins_per_minute: int = 30
    """For one name; from one address ten times as many."""
    codes_per_minute: int = 5
    advice_per_minute: int = 60
    """Questions over HTTP of one person."""
    lab_per_minute: int = 300
    """Questions to the lab from one address."""


MOST_BUCKETS = 10_000


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

    def is_full(self, now_ms: int) -> bool:
        """Nothing has passed for so long that the bucket need not be remembered."""
        return self.level + max(0, now_ms - self.at_ms) * self.per_second / 1000 >= self.most


class Buckets:
    """A bucket for everything that is counted, by its name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Bucket] = {}

    def take(self, name: str, per_second: float, most: int, now_ms: int) -> bool:
        """One more passes, or not. Where there are too many names to remember, a new one does not."""
        bucket = self._by_name.get(name)
        if bucket is None:
            if len(self._by_name) >= MOST_BUCKETS:
                self._by_name = {key: kept for key, kept in self._by_name.items() if not kept.is_full(now_ms)}
            if len(self._by_name) >= MOST_BUCKETS:
                return False
            bucket = self._by_name[name] = Bucket(per_second, most, now_ms)
        return bucket.take(now_ms)


def is_known_host(host: str | None, names: tuple[str, ...]) -> bool:
    """A request is for this floor by the name that it gives."""
    return not names or host in names


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """A request of a page that this server has sent, or of a program that is no browser and names no origin."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc == host


OWN_SITES = (None, "same-origin", "none")
"""What a browser says about where a request comes from, if it is a page of ours or the person themselves."""
