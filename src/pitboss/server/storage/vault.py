"""The floor's key, and what is encrypted with it or proven by it: rows that hold cards to come or passwords, sessions.

The key lies in a file of its own and never in the database, so that neither a backup nor a reader of the database sees
an undealt card. AES-256 in GCM mode, from the `cryptography` library; each text is bound to its place, so
that it cannot be moved to another row.
"""

from __future__ import annotations

import contextlib
import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.errors import PitbossError

KEY_BYTES = 32
NONCE_BYTES = 12


class VaultError(PitbossError):
    """The key is missing or does not fit."""


class Vault:
    """Encrypts and decrypts with the floor's key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise VaultError(f"the floor's key has {KEY_BYTES} bytes, not {len(key)}")
        self._cipher = AESGCM(key)
        self._proof_key = hmac.digest(key, b"pitboss proofs", "sha256")

    def seal(self, text: bytes, place: str) -> bytes:
        """The text, encrypted for this place alone."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text, place.encode())

    def unseal(self, sealed: bytes, place: str) -> bytes:
        """The text that was encrypted for this place."""
        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place.encode())
        except (InvalidTag, ValueError):
            raise VaultError(f"{place}: cannot be decrypted with this key") from None

    def prove(self, text: bytes, place: str) -> str:
        """What only somebody with the key can write beside a text that is stored as it is, for this place alone."""
        return hmac.digest(self._proof_key, place.encode() + b"\0" + text, "sha256").hex()


def load_key(path: Path, *, make: bool) -> bytes:
    """The key in a file; `make` writes a new one where there is none yet."""
    if make and not path.exists():
        _write_key(path)
    try:
        return bytes.fromhex(path.read_text("ascii").strip())
    except OSError as error:
        raise VaultError(f"{path}: the floor's key cannot be read: {error.strerror}") from None
    except ValueError:
        raise VaultError(f"{path}: this is not a key of a floor") from None


def _write_key(path: Path) -> None:
    """A new key, there as a whole or not at all: of several processes that start at once, the first one's counts."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, os.urandom(KEY_BYTES).hex().encode() + b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
