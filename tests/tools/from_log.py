"""What a log alone tells: run as a program, it reads logs on a machine that need not have a single rulebook.

`python from_log.py FOLDER` reads every `NAME.jsonl` in the folder and writes `NAME.json` beside it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from pitboss.records import from_log, write
from pitboss.records.log import NothingSettled
from pitboss.records.narrate.explanation import tell_rounds
from pitboss.records.replay import split_log
from pitboss.records.settlement_table import SettlementTable
from pitboss.table import codec, fold_log
from pitboss.table.messages import events as ev


def rebuild(log: Iterable[ev.Event]) -> dict[str, object]:
    """State, record, settlement and narration, as text."""
    events = tuple(log)
    rounds = split_log(events)
    try:
        record = write(from_log(events))
    except NothingSettled as nothing:
        record = str(nothing)
    return {
        "state": codec.encode(fold_log(events)).decode(),
        "record": record,
        "settlement": [str(SettlementTable(played.settlement)) for played in rounds],
        "narration": list(tell_rounds(rounds)),
    }


if __name__ == "__main__":
    for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
        found = rebuild(codec.decode_events(path.read_bytes()))
        path.with_suffix(".json").write_text(json.dumps(found), "utf-8")
