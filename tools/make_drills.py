"""Write the drill rounds that the server has along, from the records of the tests: `python tools/make_drills.py`.

A record belongs to the first topic whose words are in its name; each topic takes so many, spread over all that fit.
Records that no question can be asked about are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from msgspec.structs import replace

from pitboss.floor.desks.drill_questions import DrillRound, prepare_drills

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "tests" / "records"
SHIPPED = ROOT / "src" / "pitboss" / "server" / "web" / "desks" / "drill_rounds.json"
MOST = 16
"""Rounds of one topic."""

TOPICS = (
    ("misdeals", "irregular", r"^(?!.*(limit|minimum|maximum))"),
    ("limits", "", r"limit|maximum|minimum|sign-|wager-"),
    ("switch", "star", r"switch"),
    ("jackpots", "melbourne", r"jackpot|pandemonium|supernova|blackpot"),
    ("pontoon", "melbourne", r"pontoon|spanish|six-five|plus-"),
    ("insurance", "", r"insur|even-money"),
    ("splits", "", r"split|resplit|aces|three-hands"),
    ("side-wagers", "", r"pairs|sevens|buster|suits|pot-of-gold|spread-bet|side-wagers|under-and-over"),
    ("payouts", "perth star rws melbourne", r"."),
)
"""Topic, folders of records that it takes (none: all), and what their names say."""


def choose_rounds() -> list[DrillRound]:
    """The rounds of all topics, in their order."""
    found: dict[str, list[DrillRound]] = {topic: [] for topic, _, _ in TOPICS}
    for path in sorted(RECORDS.glob("*/*.round.toml")):
        folder, name = path.parent.name, path.name.removesuffix(".round.toml")
        if folder in ("audit", "readings"):
            continue
        for topic, folders, words in TOPICS:
            if (not folders or folder in folders.split()) and re.search(words, name):
                found[topic].append(DrillRound(f"{folder}-{name}", topic, path.read_text("utf-8")))
                break
    chosen: list[DrillRound] = []
    for topic, _, _ in TOPICS:
        counted = [replace(drill, questions=len(prepare_drills(drill))) for drill in found[topic]]
        fitting = [drill for drill in counted if drill.questions]
        step = max(1, len(fitting) // MOST)
        chosen += fitting[::step][:MOST]
    return chosen


def write_rounds() -> bytes:
    """The text of the file."""
    return msgspec.json.format(msgspec.json.encode(choose_rounds()), indent=1) + b"\n"


if __name__ == "__main__":
    SHIPPED.write_bytes(write_rounds())
