"""Where a session is saved: the user's data folder, the journal of every decision, the records of rounds.

The files of shoes that were put away lie beside the records.
A line is on the disk before the player sees what it led to, so that a program killed in mid-round has lost nothing
that was decided. Two programs cannot play the same session: the journal is locked while it is open.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from pitboss.errors import PitbossError
from pitboss.records import SUFFIX
from pitboss.table.state import Phase
from pitboss.tui.session.journal import Restored, read_setup, restore
from pitboss.tui.session.setup import Setup

JOURNAL_SUFFIX = ".jsonl"
JOURNAL_FOLDERS = ("sessions", "sittings")
"""Folders of the data folder in which journals are found; new ones go into the first."""


def data_folder(environment: Mapping[str, str], platform: str = sys.platform, home: Path | None = None) -> Path:
    """The folder for a user's data, by the custom of the platform."""
    home = home or Path.home()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / "pitboss"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "pitboss"
    given = environment.get("XDG_DATA_HOME", "")
    return (Path(given) if Path(given).is_absolute() else home / ".local" / "share") / "pitboss"


def newest_journal(data: Path) -> Path:
    """The journal in the data folder that was written to last."""
    found = [path for folder in JOURNAL_FOLDERS for path in (data / folder).glob(f"*{JOURNAL_SUFFIX}")]
    if not found:
        raise PitbossError(f"there is no session to resume in {data / JOURNAL_FOLDERS[0]}")
    return max(found, key=lambda path: path.stat().st_mtime)


def find_left(journal: Path) -> tuple[Setup, datetime] | None:
    """What the session of a journal was set up as and when it was left; none if that cannot be read."""
    try:
        with open(journal, encoding="utf-8") as file:
            setup = read_setup(file.readline())
        return setup, datetime.fromtimestamp(journal.stat().st_mtime)
    except (OSError, UnicodeDecodeError, PitbossError):
        return None


def read_journal(path: Path) -> Restored:
    """What a journal leads to."""
    try:
        whole, _, _ = path.read_bytes().rpartition(b"\n")
        return restore(whole.decode() + "\n")
    except OSError as error:
        raise PitbossError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise PitbossError(f"{path}: this is not the journal of a session") from None
    except PitbossError as error:
        raise PitbossError(f"{path}: {error}") from error


class FileKeeper:
    """Saves a session to files."""

    def __init__(self, journal: Path, records: Path, *, fresh: bool) -> None:
        self.path = journal
        self.records = records
        self.file = self._open(fresh)

    def _open(self, fresh: bool) -> BinaryIO:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.records.mkdir(parents=True, exist_ok=True)
            if fresh and self.path.exists():
                raise PitbossError(f"{self.path} exists already: resume it with --resume --journal {self.path}")
            if fresh and self._list_records():
                raise PitbossError(
                    f"{self.records} holds rounds of another session called {self.path.stem}: "
                    "choose another --journal or --records"
                )
            file = open(self.path, "xb" if fresh else "r+b")  # noqa: SIM115 - it stays open as long as the session
        except OSError as error:
            raise PitbossError(f"{error.filename}: cannot be written: {error.strerror}") from error
        _lock(file, self.path)
        if not fresh:
            file.truncate(file.read().rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
        return file

    def line(self, text: str) -> None:
        """Append a line to the journal and see that it is on the disk."""
        self.file.write(text.encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    @property
    def place(self) -> str:
        """Where the journal is."""
        return str(self.path)

    def record(self, number: int, text: str) -> str:
        """Keep the record of a round; returns where it is."""
        path = self.records / f"{self.path.stem}-{number:05d}{SUFFIX}"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def shoe(self, number: int, text: str) -> str:
        """Keep the file of a shoe that was put away; returns where it is."""
        path = self.records / f"{self.path.stem}-shoe-{number:03d}.json"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def _list_records(self) -> list[Path]:
        """The records of this session's rounds, the first one first."""
        number = "[0-9]" * 5
        return sorted(self.records.glob(f"{glob.escape(self.path.stem)}-{number}{SUFFIX}"))

    def check_whole(self, restored: Restored) -> None:
        """See that no round is on record which the journal has lost: its end would have been cut off."""
        state = restored.session.state
        settled = state.round if state.phase is Phase.SETTLED else state.round - 1
        records = self._list_records()
        if records and int(records[-1].name.removesuffix(SUFFIX)[-5:]) > settled:
            raise PitbossError(
                f"{self.path}: the journal was cut short after play: it ends before the round in {records[-1].name}"
            )

    def close(self) -> None:
        """The session is over for now."""
        self.file.close()


def _lock(file: BinaryIO, path: Path) -> None:
    """See that nobody else plays this session; where the platform has no locks, trust the user."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise PitbossError(f"{path}: this session is being played in another window") from error
