"""A copy of a floor's database, made while the floor is open.

The copy is what was stored at one moment; it is worth nothing until it has been audited, which needs the floor's key.
The key is not copied: it has to lie elsewhere.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import sqlalchemy as sa

from pitboss.server.storage.store import StoreError


def back_up(address: str, target: Path) -> None:
    """Copy a SQLite database to a file that is not there yet."""
    url = sa.make_url(address)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise StoreError("pitboss copies SQLite databases; PostgreSQL has pg_dump for this")
    if not Path(url.database).is_file():
        raise StoreError(f"{url.database}: there is no such database")
    if target.exists():
        raise StoreError(f"{target}: is there already; name a file that is not")
    source = sqlite3.connect(f"file:{Path(url.database).resolve()}?mode=ro", uri=True)
    try:
        copy = sqlite3.connect(target)
        try:
            source.backup(copy)
        finally:
            copy.close()
    except sqlite3.Error as error:
        raise StoreError(f"{url.database}: cannot be copied: {error}") from None
    finally:
        source.close()
