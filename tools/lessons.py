"""Chooses the round records that the library teaches from, and writes them into the package: `python tools/lessons.py`.

A lesson is a record that is short enough to be followed. Every topic of the index of records gets its share, spread
over the games; the choice depends on the records alone, so a test can make it again.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from record_index import ACTIONS, REST, ROOT, Indexed, index_records

FILE = ROOT / "src" / "pitboss" / "server" / "library" / "lessons.json"
PER_TOPIC = 6
LONGEST_LINES = 24
LONGEST_TITLE = 90


def choose_lessons() -> list[Indexed]:
    """The records that are taught, topic by topic."""
    by_topic: dict[str, list[Indexed]] = {}
    for record in index_records():
        text = (ROOT / record.path).read_text("utf-8")
        if text.count("\n") <= LONGEST_LINES and len(record.title) <= LONGEST_TITLE:
            by_topic.setdefault(record.topics[0], []).append(record)
    first = [REST, *reversed(ACTIONS)]
    order = [*(topic for topic in first if topic in by_topic), *sorted(set(by_topic) - set(first))]
    return [record for topic in order for record in _spread(by_topic[topic])]


def _spread(records: list[Indexed]) -> list[Indexed]:
    """So many records of a topic, from as many games as have it, the shortest first."""
    taken: list[Indexed] = []
    games: Counter[str] = Counter()
    rest = sorted(records, key=lambda record: ((ROOT / record.path).stat().st_size, record.path))
    while rest and len(taken) < PER_TOPIC:
        record = min(rest, key=lambda item: games[item.game])
        rest.remove(record)
        games[record.game] += 1
        taken.append(record)
    return taken


def write_lessons() -> str:
    """The file of lessons."""
    lessons = [
        {
            "id": Path(record.path).name.removesuffix(".round.toml"),
            "path": record.path,
            "title": record.title,
            "topic": record.topics[0],
            "game": record.game,
            "text": (ROOT / record.path).read_text("utf-8"),
        }
        for record in choose_lessons()
    ]
    return json.dumps(lessons, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    text = write_lessons()
    FILE.write_text(text, encoding="utf-8")
    print(f"{len(json.loads(text))} lessons, {len(text):,} characters", file=sys.stderr)


if __name__ == "__main__":
    main()
