"""The floor's key, and what is encrypted with it or proven by it: rows that hold cards to come or passwords, sessions.

The key lies in a file of its own and never in the database, so that neither a backup nor a reader of the database sees
an undealt card. AES-256 in GCM mode, from the `cryptography` library; each text is bound to its place, so
that it cannot be moved to another row.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.errors import PitbossError

KEY_BYTES = 32
NONCE_BYTES = 12
NAME_BYTES = 8
AES_256_GCM = b"pb1:"
"""How a text begins that was encrypted in this way."""


class VaultError(PitbossError):
    """The key is missing or does not fit."""


class Vault:
    """Encrypts with the newest of the floor's keys, and decrypts with the one that a text names.

    The keys come one after the other, the newest first. A text begins with how it was encrypted and the name of its
    key, so that a key, or a way to encrypt, can be replaced while older texts stay readable; one without such a
    beginning is of the first days, and all keys are tried. Proofs stand beside texts that are stored as they are.
    """

    def __init__(self, keys: bytes) -> None:
        if not keys or len(keys) % KEY_BYTES:
            raise VaultError(f"a key of a floor has {KEY_BYTES} bytes, not {len(keys)}")
        parts = [keys[at : at + KEY_BYTES] for at in range(0, len(keys), KEY_BYTES)]
        self._ciphers = {name_key(part): AESGCM(part) for part in parts}
        self._newest = name_key(parts[0])
        self._proof_keys = [hmac.digest(part, b"pitboss proofs", "sha256") for part in parts]

    def seal(self, text: bytes, place: str) -> bytes:
        """The text, encrypted for this place alone."""
        nonce = os.urandom(NONCE_BYTES)
        sealed = self._ciphers[self._newest].encrypt(nonce, text, place.encode())
        return b"".join((AES_256_GCM, self._newest, nonce, sealed))

    def unseal(self, sealed: bytes, place: str) -> bytes:
        """The text that was encrypted for this place."""
        head = len(AES_256_GCM) + NAME_BYTES
        cipher = self._ciphers.get(sealed[len(AES_256_GCM) : head]) if sealed.startswith(AES_256_GCM) else None
        tries = [(cipher, sealed[head:])] if cipher is not None else [(each, sealed) for each in self._ciphers.values()]
        for each, rest in tries:
            with contextlib.suppress(InvalidTag, ValueError):
                return each.decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], place.encode())
        raise VaultError(f"{place}: cannot be decrypted with this key")

    def prove(self, text: bytes, place: str) -> str:
        """What only somebody with the key can write beside a text that is stored as it is, for this place alone."""
        return _write_proof(self._proof_keys[0], text, place)

    def is_proof(self, proof: str, text: bytes, place: str) -> bool:
        """The proof was written beside this text with one of the keys."""
        return any(
            hmac.compare_digest(proof.encode(), _write_proof(key, text, place).encode()) for key in self._proof_keys
        )  # fmt: skip


def _write_proof(key: bytes, text: bytes, place: str) -> str:
    return hmac.digest(key, place.encode() + b"\0" + text, "sha256").hex()


def name_key(key: bytes) -> bytes:
    """By which a text says with which key it was encrypted; nothing of the key can be read off it."""
    return hashlib.sha256(b"pitboss key " + key).digest()[:NAME_BYTES]


def load_key(path: Path, *, make: bool) -> bytes:
    """The keys in a file, the newest first; `make` writes a first one where there is none yet."""
    if make and not path.exists():
        _write_key(path)
    try:
        return b"".join(bytes.fromhex(line) for line in path.read_text("ascii").split())
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


def add_key(path: Path) -> int:
    """Put a new key before those in a file, for everything from now on; how many there are now."""
    keys = load_key(path, make=False)
    Vault(keys)
    parts = [os.urandom(KEY_BYTES), *(keys[at : at + KEY_BYTES] for at in range(0, len(keys), KEY_BYTES))]
    draft = path.with_name(f"{path.name}.new")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, "".join(f"{part.hex()}\n" for part in parts).encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        draft.replace(path)
    except OSError as error:
        raise VaultError(f"{path}: a new key cannot be written: {error.strerror}") from None
    return len(parts)
