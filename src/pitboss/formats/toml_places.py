"""Where things stand in a TOML text: for every key and every item of a list, its line and its extent.

The standard parser checks a text and gives its values, but not their places, and a complaint without a line is of
little use. This scanner walks a text that the parser has accepted, so it need not check anything itself.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

Path = tuple[str | int, ...]
"""`("bets", 0)` for the first item of `bets`, `("round", 1, "cards")` for a key of the second `[[round]]`."""


class TextPlace(NamedTuple):
    """The line on which something begins, and its first character and the one after its last."""

    line: int
    start: int
    end: int


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}(?!")|' r"'''.*?'{3,5}(?!')|" r'"(?:\\.|[^"\\])*"|' r"'[^']*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


def line_of(found: Mapping[Path, TextPlace], path: Path) -> int:
    """The line of what `path` names, or of the nearest thing around or in it that has a place."""
    for length in range(len(path), 0, -1):
        if path[:length] in found:
            return found[path[:length]].line
    inside = [place.line for other, place in found.items() if other[: len(path)] == path]
    return min(inside, default=1)


def find_places(text: str) -> dict[Path, TextPlace]:
    """The place of every key and item; the place of a key begins at the key and ends with its value."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, TextPlace] = {}
        self.last: dict[Path, int] = {}
        """Of each array of tables, the index of its last table so far."""
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def scan(self) -> dict[Path, TextPlace]:
        table: Path = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.found

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[0]

    def note(self, path: Path, start: int) -> None:
        self.found[path] = TextPlace(bisect_right(self.line_starts, start), start, self.at)

    def header(self) -> Path:
        """`[a.b]` or `[[a.b]]`: the path of the table that begins."""
        start = self.at
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        keys = self.key()
        self.at += brackets
        path: Path = ()
        for number, key in enumerate(keys, 1):
            path = (*path, key)
            if number == len(keys) and brackets == 2:
                self.last[path] = self.last.get(path, -1) + 1
            if path in self.last:
                path = (*path, self.last[path])
        self.note(path, start)
        return path

    def key(self) -> list[str]:
        """A key, dotted or not; the scanner stands behind it and the blanks that follow."""
        parts = []
        while True:
            self.skip(_SPACE)
            quoted = self.skip(_STRING)
            parts.append(next(iter(tomllib.loads(f"{quoted} = 0"))) if quoted else self.skip(_BARE_KEY))
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def pair(self, table: Path) -> None:
        """`key = value`."""
        start = self.at
        path = (*table, *self.key())
        self.at += 1
        self.skip(_SPACE)
        self.value(path)
        self.note(path, start)

    def value(self, path: Path) -> None:
        first = self.text[self.at : self.at + 1]
        if first == "[":
            self.array(path)
        elif first == "{":
            self.inline_table(path)
        elif not self.skip(_STRING):
            scalar = self.skip(_SCALAR)
            self.at -= len(scalar) - len(scalar.rstrip())

    def array(self, path: Path) -> None:
        self.at += 1
        index = 0
        while True:
            self.skip(_BLANK)
            if self.text[self.at] == "]":
                self.at += 1
                return
            start = self.at
            self.value((*path, index))
            self.note((*path, index), start)
            index += 1
            self.skip(_BLANK)
            if self.text[self.at] == ",":
                self.at += 1

    def inline_table(self, path: Path) -> None:
        self.at += 1
        while True:
            self.skip(_BLANK)
            if self.text[self.at] == "}":
                self.at += 1
                return
            self.pair(path)
            self.skip(_BLANK)
            if self.text[self.at] == ",":
                self.at += 1
