"""The user's files, read and written for the command line and the front door.

What belongs here: reading and writing, one line for a file that cannot be read or written, and the mark by which a
file of ours is known, so that nobody's own work is overwritten. What does not: what is in a file; every other room is
given its text.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

from pitboss.errors import PitbossError

MARK = "written by pitboss"
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


def has_mark(content: bytes) -> bool:
    """A file with our mark in it."""
    return MARK.encode() in content


def check_place(flag: str, path: Path | None, *, force: bool, is_ours: Callable[[bytes], bool] = has_mark) -> None:
    """Say before the work begins that its result could not be written there, or would overwrite somebody's file."""
    if path is None:
        return
    if not path.parent.is_dir():
        raise PitbossError(f"{flag} {path}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise PitbossError(f"{flag} {path}: cannot be written there")
    if path.is_file() and not force and not is_ours(path.read_bytes()):
        raise PitbossError(
            f"{flag} {path}: there is a file of this name that pitboss did not write; take another name, or add --force"
        )


def _mark(content: bytes, suffix: str) -> bytes:
    if suffix == ".txt":
        return f"# {MARK}\n".encode() + content
    if suffix == ".pdf":
        return content.rstrip(b"\n") + f"\n%{MARK}\n".encode()
    if suffix == ".png":
        text = b"tEXt" + b"Software\x00" + MARK.encode()
        chunk = struct.pack(">I", len(text) - 4) + text + struct.pack(">I", zlib.crc32(text))
        return content.replace(END_OF_PNG, chunk + END_OF_PNG, 1)
    return content.rstrip(b"\n") + f"\n<!-- {MARK} -->\n".encode()
