"""Prize meter systems in the terminal and as files: what they show, what was read, what rounds did to them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.money import Money, show
from pitboss.report.terminal_tables import print_table

READING_COLUMNS = ("number", "at_ms", "system", "table", "round", "meter", "value", "prize", "pick")
"""What a line of an export holds: one meter at one settlement."""


def print_systems(systems: Iterable[Mapping[str, Any]]) -> None:
    """A line for each meter of each system."""
    rows = []
    for system in systems:
        for name, value in system["values"].items():
            owes = f", owes {show(system['owed'][name])}" if name in system["owed"] else ""
            state = f"closed{owes}" if not system["is_open"] else "works" if system["works"] else "out of order"
            rows.append(
                (
                    system["name"], name, show(value), show(system["seeds"][name]), show(system["rates"][name]),
                    show(system["price"]), ", ".join(system["tables"]) or "none", state,
                )
            )  # fmt: skip
    head = ("system", "meter", "shows", "seed", "share", "price", "tables", "state")
    print_table("", head, rows, fixed=2, numbers=("shows", "seed", "share", "price"))


def list_reading_lines(readings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A line for each meter at each settlement."""
    return [
        {
            "number": number, "at_ms": reading["at"], "system": reading["system"], "table": reading["table"],
            "round": reading["round"], "meter": meter, "value": value, "prize": reading["prizes"].get(meter, Money(0)),
            "pick": reading["pick"],
        }
        for number, reading in enumerate(readings, 1)
        for meter, value in reading["values"].items()
    ]  # fmt: skip


def is_export(content: bytes) -> bool:
    """An earlier export, which another one may take the place of."""
    head = ",".join(READING_COLUMNS).encode()
    return content.startswith((head, b'[\n  {\n    "number": ', b"[]\n"))


def write_readings(lines: Iterable[Mapping[str, Any]]) -> str:
    """The lines as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(READING_COLUMNS)
    for line in lines:
        cells = [line[name] for name in READING_COLUMNS]
        writer.writerow([show(cell) if isinstance(cell, Money) else cell for cell in cells])
    return text.getvalue()
