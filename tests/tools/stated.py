"""What the books state, typed from them into tables apart from the rulebook files: `tests/stated/NAME.txt`.

A table has a part for each book, `[perth]`, a line of headings, and lines whose cells are two blanks apart. Every line
ends with the clauses it was typed from; a bar `-` is an empty cell.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1] / "stated"


class Line(NamedTuple):
    """One line of a table."""

    book: str
    cells: dict[str, str]
    key: str
    """What tells it from the other lines: the book and the first cells, without blanks."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """What the line was typed from."""
        return self.words("clauses")

    def words(self, heading: str) -> tuple[str, ...]:
        """A cell that holds a list."""
        return () if self.cells[heading] == "-" else tuple(self.cells[heading].split(", "))


KEY_CELLS = {"values": 3, "terms": 4, "pays": 3, "choices": 3, "hosts": 2, "disputes": 2}
"""How many cells it takes to tell the lines of a table apart; one in all others."""


@cache
def table(name: str) -> tuple[Line, ...]:
    """Every line of a table, book by book."""
    found: list[Line] = []
    book, head = "", []
    for text in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if match := re.fullmatch(r"\[([\w-]+)\]", text):
            book, head = match[1], []
        elif text and not head:
            head = re.split(r" {2,}", text)
        elif text:
            cells = re.split(r" {2,}", text)
            assert len(cells) == len(head), f"{name}.txt: {text}"
            own = [cell for cell in cells[: KEY_CELLS.get(name, 1)] if cell != "-"]
            key = "/".join([book, *own]).replace(" ", "+")
            found.append(Line(book, dict(zip(head, cells, strict=True)), key))
    assert len({line.key for line in found}) == len(found), f"{name}.txt: two lines say the same"
    return tuple(found)


@cache
def typed() -> str:
    """All tables as one text."""
    return "\n".join(path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt")))
