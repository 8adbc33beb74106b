"""The user's files, read for the command line and the front door.

What belongs here: reading, and one line for a file that cannot be read. What does not: what is in a file; every other
room is given its text.
"""

from __future__ import annotations

from pathlib import Path

from pitboss.errors import PitbossError


def read_text(path: Path) -> str:
    """The text of a UTF-8 file; what cannot be read is refused in one line that names the file."""
    return read_exactly(path).replace("\r\n", "\n")


def read_exactly(path: Path) -> str:
    """The text of a UTF-8 file with its line ends as they are, for a file that is to be written back."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise PitbossError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise PitbossError(f"{path}: not UTF-8 text (byte {error.start})") from error
