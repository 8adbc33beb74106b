"""Every reading that can be chosen changes something: a value of the rules, or what the table does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitboss.rulebooks import BOOKS, load_book

SOURCE = Path(__file__).parents[1] / "src" / "pitboss"
CODE = "\n".join(file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py")))


@pytest.mark.parametrize("book", BOOKS)
def test_a_reading_with_alternatives_is_used_by_the_book_or_by_the_table(book: str) -> None:
    text = (SOURCE / "rulebooks" / f"{book}.toml").read_text(encoding="utf-8")
    conditions = set(re.findall(r'"reading\.([a-z0-9_]+)"', text))
    idle = [
        reading.id
        for reading in load_book(book).readings.values()
        if reading.alternatives and reading.id not in conditions and f'"{reading.id}"' not in CODE
    ]
    assert not idle, f"{book}: nothing follows from {', '.join(idle)}: build it, or leave its alternatives empty"
