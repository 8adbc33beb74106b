"""A sheet of character cells to draw on, and the regions of it that answer a mouse.

A cell holds one character and the name of a style; what a style looks like is the palette's business. So a picture is
a value: it can be compared in a test, shown by any terminal, and read without colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Region(NamedTuple):
    """A rectangle of cells and what it stands for: `("box", "3")`, `("chip", "25")`."""

    x: int
    y: int
    width: int
    height: int
    what: tuple[str, str]

    def holds(self, x: int, y: int) -> bool:
        """The cell lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class TextRun(NamedTuple):
    """Neighbouring cells of one style."""

    text: str
    style: str


class Canvas:
    """`width` by `height` cells, all blank at first."""

    def __init__(self, width: int, height: int, style: str = "felt") -> None:
        self.width = max(width, 0)
        self.height = max(height, 0)
        self._chars = [[" "] * self.width for _ in range(self.height)]
        self._styles = [[style] * self.width for _ in range(self.height)]
        self.regions: list[Region] = []

    def put(self, x: int, y: int, text: str, style: str | None = None) -> None:
        """Write `text` from a cell on; what falls outside is not seen. Without a style the cells keep theirs."""
        if not 0 <= y < self.height:
            return
        for offset, char in enumerate(text):
            at = x + offset
            if 0 <= at < self.width:
                self._chars[y][at] = char
                if style is not None:
                    self._styles[y][at] = style

    def centre(self, x: int, width: int, y: int, text: str, style: str | None = None) -> None:
        """Write `text` in the middle of `width` cells, cut to fit."""
        text = text[: max(width, 0)]
        self.put(x + (width - len(text)) // 2, y, text, style)

    def fill(self, x: int, y: int, width: int, height: int, style: str, char: str = " ") -> None:
        """A rectangle of one character."""
        for row in range(y, y + height):
            self.put(x, row, char * width, style)

    def frame(self, x: int, y: int, width: int, height: int, style: str, title: str = "") -> None:
        """A rounded frame with a title in its upper edge."""
        if width < 2 or height < 2:
            return
        self.put(x, y, f"╭{'─' * (width - 2)}╮", style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, "│", style)
            self.put(x + width - 1, row, "│", style)
        self.put(x, y + height - 1, f"╰{'─' * (width - 2)}╯", style)
        if title and len(title) + 4 <= width:
            self.put(x + 2, y, f" {title} "[: width - 3], style)

    def paste(self, other: Canvas, x: int, y: int) -> None:
        """Lay another picture over this one."""
        for row in range(other.height):
            at = x
            for run in other.runs(row):
                self.put(at, y + row, run.text, run.style)
                at += len(run.text)

    def region(self, x: int, y: int, width: int, height: int, kind: str, name: str) -> None:
        """Let a rectangle stand for something that can be clicked; later ones lie on top."""
        self.regions.append(Region(x, y, width, height, (kind, name)))

    def at(self, x: int, y: int) -> tuple[str, str] | None:
        """What a click on this cell means."""
        return next((region.what for region in reversed(self.regions) if region.holds(x, y)), None)

    def runs(self, y: int) -> Iterator[TextRun]:
        """One row, cells of equal style together."""
        if not 0 <= y < self.height:
            return
        start = 0
        chars, styles = self._chars[y], self._styles[y]
        for at in range(1, self.width + 1):
            if at == self.width or styles[at] != styles[start]:
                yield TextRun("".join(chars[start:at]), styles[start])
                start = at

    def text(self) -> str:
        """The picture as plain text."""
        return "\n".join("".join(row).rstrip() for row in self._chars)
