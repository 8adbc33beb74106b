"""The floor's key: another one takes over, and what was encrypted before stays readable."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from floor_server import Served, play_to_a_decision, serve

from pitboss.cli import main
from pitboss.server.client import Client
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.storage.store import Store
from pitboss.server.storage.vault import AES_256_GCM, KEY_BYTES, Vault, VaultError, add_key, load_key, name_key

OLD, NEW = b"o" * KEY_BYTES, b"n" * KEY_BYTES


def test_the_newest_key_encrypts_and_every_key_decrypts() -> None:
    before = Vault(OLD).seal(b"cards", "t/1")
    both = Vault(NEW + OLD)
    assert both.unseal(before, "t/1") == b"cards"
    after = both.seal(b"cards", "t/2")
    assert after.startswith(AES_256_GCM + name_key(NEW)), "a text names how and with which key it was encrypted"
    assert Vault(NEW).unseal(after, "t/2") == b"cards"
    for vault, sealed, place in (
        (Vault(OLD), after, "t/2"), (Vault(NEW), before, "t/1"), (both, after, "t/3"), (both, before[:-1], "t/1"),
        (both, b"", "t/1"),
    ):  # fmt: skip
        with pytest.raises(VaultError, match="cannot be decrypted"):
            vault.unseal(sealed, place)


def test_a_text_of_the_first_days_names_no_key_and_is_read_nevertheless() -> None:
    nonce = os.urandom(12)
    sealed = nonce + AESGCM(OLD).encrypt(nonce, b"cards", b"t/1")
    assert Vault(OLD).unseal(sealed, "t/1") == b"cards"
    assert Vault(NEW + OLD).unseal(sealed, "t/1") == b"cards"


@pytest.mark.parametrize("keys", [b"", b"short", OLD + b"x"])
def test_what_is_no_key_is_refused(keys: bytes) -> None:
    with pytest.raises(VaultError, match="has 32 bytes"):
        Vault(keys)


def test_a_new_key_goes_before_the_others_and_the_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "floor.key"
    first = load_key(path, make=True)
    assert add_key(path) == 2
    assert add_key(path) == 3
    keys = load_key(path, make=False)
    assert keys.endswith(first)
    assert len(keys) == 3 * KEY_BYTES
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["floor.key"]
    with pytest.raises(VaultError, match="cannot be read"):
        add_key(tmp_path / "nowhere.key")


@pytest.mark.slow
def test_a_floor_goes_on_with_a_new_key_in_the_middle_of_a_shoe(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table stands at a card of a shoe that the old key hides; with the new one it goes on, and all is in order."""
    seen: list[object] = []

    async def before(served: Served) -> None:
        async with await Client.enter(served.address, "ann") as client:
            table = await play_to_a_decision(client, "t")
            seen.extend((client.token, table.public["boxes"], table.public["shoe"]))

    async def after(served: Served) -> None:
        client = Client(served.address, str(seen[0]), "ann")
        await client.open()
        table = await client.watch("t")
        assert (table.public["boxes"], table.public["shoe"]) == (seen[1], seen[2])
        await table.ask({"type": "stand", "box": "1"})
        await client.close()
        await Client.enter(served.address, "bob")

    serve(tmp_path, before, database=address)
    old = load_key(tmp_path / "floor.key", make=False)
    assert main(["floor", "new-key", "floor.db", "--key", str(tmp_path / "floor.key")]) == 0
    assert "2 keys, the newest first" in capsys.readouterr().out
    serve(tmp_path, after, database=address)
    keys = load_key(tmp_path / "floor.key", make=False)
    assert audit_floor(address, keys).found == []
    store = Store(address)
    used = {row.body[4:12] for stream in store.list_streams() for row in store.read_log(stream) if row.sealed}
    store.close()
    assert used == {name_key(old), name_key(keys[:KEY_BYTES])}
    assert audit_floor(address, old).found, "the old key alone does not read what is new"
