"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, reached by a socket there.

Debian's package `postgresql` is enough; nothing is configured and no port is used. Root may not run a cluster, so as
root it is run by the user that the package brings along.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

WHAT_TO_INSTALL = "PostgreSQL is not installed: install Debian's package postgresql (apt-get install postgresql)"


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class Cluster:
    """A PostgreSQL server of our own."""

    def __init__(self) -> None:
        programs = find_programs()
        if programs is None:
            pytest.skip(WHAT_TO_INSTALL)
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="pitboss-postgres-"))
        self.as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self.as_user:
            shutil.chown(self.folder, "postgres")
        self.data = self.folder / "data"
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.settings = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c max_connections=200"
        self.start()

    def start(self) -> None:
        """Begin to answer, at first or once more."""
        self.run("pg_ctl", "-D", self.data, "-w", "-l", self.folder / "log", "-o", self.settings, "start")

    def halt(self) -> None:
        """Stop answering at once; everything that is stored stays."""
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def run(self, program: str, *arguments: object) -> None:
        command = [*self.as_user, str(self.programs / program), *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def make_database(self) -> str:
        """A new database, by the address that `pitboss serve --database` takes."""
        name = f"floor_{secrets.token_hex(6)}"
        self.run("createdb", "-h", self.folder, "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def stop(self) -> None:
        self.halt()
        shutil.rmtree(self.folder, ignore_errors=True)
