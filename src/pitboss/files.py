"""The user's files, read and written for the command line and the front door.

What belongs here: reading and writing, one line for a file that cannot be read or written, and the mark by which a
file of ours is known, so that nobody's own work is overwritten. What does not: what is in a file; every other room is
given its text.
"""

from __future__ import annotations

import hashlib
import os
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from pitboss.errors import PitbossError

MARK = b"written by pitboss"
FOUND_MARK = re.compile(MARK + rb" ([0-9a-f]{16})")
PNG_KEY = b"tEXtSoftware\x00"
END_OF_PNG = b"\x00\x00\x00\x00IEND"


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


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file; what cannot be written is refused in one line that names the file."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise PitbossError(f"{path}: cannot be written: {error.strerror}") from None


def write_marked(path: Path, content: bytes) -> None:
    """Write a chart, a picture or a page with our mark in it, in a comment of its kind of file."""
    write_bytes(path, _mark(content, path.suffix.lower()))


def is_as_written(content: bytes) -> bool:
    """A file with our mark in it, and not a letter of it changed since."""
    found = FOUND_MARK.search(content)
    if found is None:
        return False
    if content.startswith(b"# "):
        rest = content[found.end() + 1 :]
    elif content[: found.start()].endswith(PNG_KEY):
        rest = content[: found.start() - len(PNG_KEY) - 4] + content[found.end() + 4 :]
    else:
        rest = content[: content.rindex(b"\n", 0, found.start())]
    return _digest(rest) == found[1]


def check_place(flag: str, path: Path | None, *, force: bool, is_ours: Callable[[bytes], bool] = is_as_written) -> None:
    """Say before the work begins that its result could not be written there, or would overwrite somebody's file."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise PitbossError(f"{flag} {path}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PitbossError(f"{flag} {path}: cannot be written there")
    if path.is_file() and not force and not is_ours(path.read_bytes()):
        raise PitbossError(
            f"{flag} {path}: there is a file of this name that pitboss did not write, or that was changed since; "
            "use another name, or add --force"
        )


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content.rstrip(b"\n")).hexdigest()[:16].encode()


def _mark(content: bytes, suffix: str) -> bytes:
    """The content with our mark and a digest of it, so that a file that somebody has changed since is known too."""
    mark = MARK + b" " + _digest(content)
    if suffix == ".txt":
        return b"# " + mark + b"\n" + content
    if suffix == ".pdf":
        return content.rstrip(b"\n") + b"\n%" + mark + b"\n"
    if suffix == ".png":
        chunk = PNG_KEY + mark
        length, check = struct.pack(">I", len(chunk) - 4), struct.pack(">I", zlib.crc32(chunk))
        return content.replace(END_OF_PNG, length + chunk + check + END_OF_PNG, 1)
    return content.rstrip(b"\n") + b"\n<!-- " + mark + b" -->\n"
