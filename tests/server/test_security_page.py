"""docs/security.md names every requirement of ASVS 5.0 up to level 2, and only tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
REQUIRED = {
    "1.1": "1-2", "1.2": "1-9", "1.3": "1-11", "1.4": "1-3", "1.5": "1-2",
    "2.1": "1-3", "2.2": "1-3", "2.3": "1-4", "2.4": "1",
    "3.2": "1-2", "3.3": "1-4", "3.4": "1-6", "3.5": "1-5", "3.7": "1-2",
    "4.1": "1-3", "4.2": "1", "4.3": "1-2", "4.4": "1-4",
    "5.1": "1", "5.2": "1-3", "5.3": "1-2", "5.4": "1-3",
    "6.1": "1-3", "6.2": "1-12", "6.3": "1-4", "6.4": "1-4", "6.5": "1-5", "6.6": "1-3", "6.8": "1-4",
    "7.1": "1-3", "7.2": "1-4", "7.3": "1-2", "7.4": "1-5", "7.5": "1-2", "7.6": "1-2",
    "8.1": "1-2", "8.2": "1-3", "8.3": "1", "8.4": "1", "9.1": "1-3", "9.2": "1-4",
    "11.1": "1-2", "11.2": "1-3", "11.3": "1-3", "11.4": "1-4", "11.5": "1", "11.6": "1",
    "12.1": "1-3", "12.2": "1-2", "12.3": "1-4", "13.1": "1", "13.2": "1-5", "13.3": "1-2", "13.4": "1-5",
    "14.1": "1-2", "14.2": "1-4", "14.3": "1-3", "15.1": "1-3", "15.2": "1-3", "15.3": "1-7",
    "16.1": "1", "16.2": "1-5", "16.3": "1-4", "16.4": "1-3", "16.5": "1-3",
}  # fmt: skip
"""Sections of the standard and the numbers in them that are of level 1 or 2."""


def expand(text: str) -> list[str]:
    """`6.2.1 to 6.2.3, 6.2.8` one by one."""
    found = []
    for part in text.split(","):
        first, _, last = part.strip().partition(" to ")
        section, number = first.rsplit(".", 1)
        until = int(last.rsplit(".", 1)[1]) if last else int(number)
        found += [f"{section}.{each}" for each in range(int(number), until + 1)]
    return found


def list_named() -> list[str]:
    rows = re.findall(r"^\| (\d[\d., to]*) \|", PAGE, re.MULTILINE)
    return [number for row in rows for number in expand(row)]


def test_every_requirement_is_named_once() -> None:
    wanted = [
        f"{section}.{number}"
        for section, numbers in REQUIRED.items()
        for number in range(1, int(numbers.split("-")[-1]) + 1)
    ]
    named = list_named()
    assert sorted(named) == sorted(set(named)), "a requirement is named twice"
    assert sorted(named) == sorted(wanted)


def test_every_test_that_is_named_is_there() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 30
    assert not [name for name in sorted(named) if f"def {name}(" not in sources]


def test_every_row_has_a_test_or_a_reason() -> None:
    for row in re.findall(r"^\| \d[\d., to]* \| (.*) \|$", PAGE, re.MULTILINE):
        assert len(row) > 15, row


def test_nothing_is_left_unmet() -> None:
    assert not re.search(r"not met|partly met", PAGE, re.IGNORECASE)


def test_the_grants_on_the_page_are_those_that_were_tried() -> None:
    source = (ROOT / "tests" / "server" / "test_database_user.py").read_text("utf-8")
    grants = re.findall(r'"(GRANT [^"]+) TO \{role\}"', source)
    assert len(grants) == 5
    assert all(f"{grant} TO server;" in PAGE for grant in grants)
