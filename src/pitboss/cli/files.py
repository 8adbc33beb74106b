"""The user's files, read and written for the commands; the rooms below are given their text."""

from __future__ import annotations

from pathlib import Path

from pitboss.errors import PitbossError


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; what cannot be read is refused in one line that names the file."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PitbossError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PitbossError(f"{path}: not UTF-8 text (byte {error.start})") from error
