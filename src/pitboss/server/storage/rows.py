"""Rows of a stream's log: what is stored of a decision, and the chain of hashes that ties them together."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from pitboss.floor.ledger import Transfer

FIRST_DIGEST = bytes(32)
"""What the first row of a stream has in place of the digest of a row before it."""


FLOOR = "floor"
"""The stream of the floor itself; every other stream is a table."""


class LogRow(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of one stream, as it is stored."""

    stream: str
    seq: int
    at_ms: int
    role: str
    actor: str
    command_id: str | None
    """Made by the client and tied to the asker; none for what the machine does by itself."""
    sealed: bool
    """The body is encrypted."""
    body: bytes
    previous: bytes
    digest: bytes


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over, for recall; everything in it can be derived from the log."""

    stream: str
    number: int
    revision: int
    """0 as it ended; higher each time it was put right afterwards."""
    first_seq: int
    last_seq: int
    rules_digest: str
    code_digest: str
    record: str


class LogEntry(msgspec.Struct, frozen=True):
    """Everything that one decision writes in one transaction."""

    row: LogRow
    transfers: tuple[Transfer, ...]
    round: RoundRow | None = None


def chain_digest(
    stream: str, seq: int, at_ms: int, role: str, actor: str, command_id: str | None, sealed: bool, body: bytes,
    previous: bytes,
) -> bytes:  # fmt: skip
    """The digest of a row: SHA-256 over all of it and the digest before."""
    head = msgspec.json.encode((stream, seq, at_ms, role, actor, command_id, sealed, len(body)))
    return hashlib.sha256(b"\n".join((previous, head, body))).digest()


def digest_of(row: LogRow) -> bytes:
    """What the digest of a stored row should be."""
    return chain_digest(
        row.stream, row.seq, row.at_ms, row.role, row.actor, row.command_id, row.sealed, row.body, row.previous
    )


def seal_digest(number: int, at_ms: int, heads: str, previous: bytes) -> bytes:
    """The digest of a seal over the heads of all streams."""
    return hashlib.sha256(b"\n".join((previous, msgspec.json.encode((number, at_ms)), heads.encode()))).digest()


def write_heads(heads: dict[str, tuple[int, bytes]]) -> str:
    """The last number and digest of every stream, as a seal holds them."""
    listed: dict[str, Any] = {stream: [seq, digest.hex()] for stream, (seq, digest) in sorted(heads.items())}
    return msgspec.json.encode(listed).decode()
