"""What the documentation says of commands, their fields, results and terms is what the code has."""

from __future__ import annotations

import re

import command_table
import msgspec
import pytest
from generated_pages import DOCS
from record_tools import FLOOR_RECORDS, load_floor_record, record_id

from pitboss.floor.records.registry import find_kind
from pitboss.floor.records.replay import replay_floor
from pitboss.floor.tournaments.format import (
    BuyBack,
    Guarantee,
    LimitStep,
    PlacePrize,
    TournamentFormat,
    TournamentStage,
)

COMMANDS = (DOCS / "floor-commands.md").read_text("utf-8")
TOLD_BY = (
    "house/star-03-dispute-goes-on-to-the-inspector", "meters/melbourne-21-lucky-player",
    "tournaments/star-62-play-off-for-the-first-place", "tournaments/star-60-forms-in-the-order-of-wagering",
    "promotions/star-24-a-refused-claim-is-kept", "tokens/star-01-exchanged-at-face-value",
    "tournaments/sevens-09-from-version-one-to-two",
)  # fmt: skip
"""Records that have all kinds of streams among them."""


def test_the_tables_are_those_of_the_code() -> None:
    rerun = "run `python tests/tools/command_table.py`"
    assert command_table.PART.read() == command_table.tables(), rerun
    assert command_table.TERMS_PART.read() == command_table.list_terms(), rerun


@pytest.mark.parametrize("name", TOLD_BY)
def test_every_result_is_explained(name: str) -> None:
    (path,) = [path for path in FLOOR_RECORDS if record_id(path) == f"floor/{name}"]
    now = replay_floor(load_floor_record(path)).now
    found = {"floor": now.house, **{f"table {key}": live for key, live in now.tables.items()}, **now.streams}
    for stream, state in found.items():
        kind = find_kind(stream)
        explained = find_results(kind.word)
        results = dict(kind.describe(state))
        if kind.word == "meters":
            results = dict(pair for table in results.values() for pair in table.items() if not pair[0].isdigit())
            results |= next(iter(kind.describe(state)["readings"].values()), {})
        inner = (
            {key for table in results.get("tables", {}).values() for key in table} if kind.word == "tournament" else ()
        )
        assert not {*results, *inner} - explained, stream


def find_results(word: str) -> set[str]:
    """The names that the section about the results of a kind of stream explains."""
    section = re.search(rf"^### Results of `{word}\b.*?(?=^### |\Z)", COMMANDS, re.DOTALL | re.MULTILINE)
    assert section is not None, word
    return set(re.findall(r"`([a-z_]+)`", section[0]))


def test_every_key_of_a_format_is_explained() -> None:
    page = set(re.findall(r"[a-z_]+", (DOCS / "tournaments.md").read_text("utf-8")))
    for part in (TournamentFormat, TournamentStage, LimitStep, BuyBack, PlacePrize, Guarantee):
        assert not {field.encode_name for field in msgspec.structs.fields(part)} - page, part.__name__
