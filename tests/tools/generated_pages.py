"""Tables in the documentation that are made from the code: between two marks in a page, compared by a test."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


class GeneratedPart:
    """The part of a page between `<!-- NAME: begin -->` and `<!-- NAME: end -->`."""

    def __init__(self, page: str, name: str) -> None:
        self.page = DOCS / page
        self.begin, self.end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"

    def read(self) -> str:
        """What stands in the page now."""
        text = self.page.read_text("utf-8")
        found = re.search(f"{re.escape(self.begin)}\n(.*?)\n{re.escape(self.end)}", text, re.DOTALL)
        return found[1] if found else ""

    def write(self, made: str) -> None:
        """Put what was made in its place."""
        head, _, rest = self.page.read_text("utf-8").partition(self.begin)
        self.page.write_text(f"{head}{self.begin}\n{made}\n{self.end}{rest.partition(self.end)[2]}", "utf-8")
