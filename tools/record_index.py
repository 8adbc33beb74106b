"""The index of the round records by topic, which `make pages` writes to docs/record-index.md.

A record is listed once, under the most special thing that happens in it; what else happens is listed beside it. Topics
come from the records themselves: their wagers, actions, floor orders and results.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "tests" / "records"

ORDERS: Mapping[str, tuple[str, ...]] = {
    "Void rounds and void boxes": ("void",),
    "Misdeals and cards dealt in error": (
        "misdeal", "reconstruct", "stray", "surplus", "foreign-card", "first-card", "discard-hand", "burn-faced",
        "missed-burn", "missed-cut", "missed-shuffle", "no-wager", "late-insurance",
    ),
    "Shuffling devices and jackpot equipment that fail": (
        "device-failed", "malfunction", "check-device", "repaired", "restart-shoe", "stray-press", "panel-prize",
    ),
    "Disputes and rulings": ("ruling", "dispute", "withhold", "forfeit-wagers"),
    "Changes of limits": ("limits", "personal-limits", "announce-limits", "one-box"),
    "Powers of the floor": (),
}  # fmt: skip
"""Topics of floor orders by their verbs; any other order is one of the powers of the floor."""

ACTIONS: Mapping[str, tuple[str, ...]] = {
    "Switching": ("switch",),
    "Taking a double back": ("forfeit",),
    "Surrender": ("surrender",),
    "Even money": ("even-money",),
    "Insurance": ("insure",),
    "Splitting": ("split",),
    "Doubling": ("double",),
    "Absent players": ("absent", "leave", "out"),
}
"""Topics of players' actions, the most special first."""

JACKPOTS = "Jackpots and progressive prizes"
REFUSED = "Wagers and actions that are refused"
LIMITS = "Limits of the table"
SEVERAL = "Several rounds at one table"
SHARING = "Sharing a box"
REST = "Naturals, drawing and settlement"
SIDES = "Side wagers: {}"


class Indexed(NamedTuple):
    """A record in the index."""

    path: str
    title: str
    game: str
    topics: tuple[str, ...]


def find_topics(record: Mapping[str, Any], name_wager: Callable[[str], str]) -> Iterator[str]:
    """What a record is about, the most special topic first."""
    rounds = record.get("round", [record])
    done = [line for one in rounds for line in (*one.get("bets", ()), *one.get("actions", ()))]
    asked = [line.lstrip("?").split() for line in done]
    orders = {words[1] for words in asked if words[0].startswith("!") and len(words) > 1}
    actions = {words[1] for words in asked if words[0][0] not in "!" and len(words) > 1}
    if "prize" in actions or orders & {"lucky", "mystery"} or any(one.get("meters") for one in rounds):
        yield JACKPOTS
    known = {verb for verbs in ORDERS.values() for verb in verbs} | {"lucky", "mystery"}
    for topic, verbs in ORDERS.items():
        if orders & set(verbs) or (not verbs and orders - known):
            yield topic
    wagers = [words[3] for one in rounds for words in map(str.split, one.get("bets", ())) if len(words) > 3]
    for wager in dict.fromkeys(wager for wager in wagers if wager in record.get("side_wagers", ())):
        yield SIDES.format(name_wager(wager))
    for topic, verbs in ACTIONS.items():
        if actions & set(verbs):
            yield topic
    if any(line.startswith("?") for line in done):
        yield REFUSED
    if record.get("limits"):
        yield LIMITS
    boxes: dict[str, set[str]] = {}
    for one in rounds:
        for words in map(str.split, one.get("bets", ())):
            if re.match(r"\d", words[0]):
                boxes.setdefault(words[0], set()).add(words[1].rstrip("*"))
    if any(len(players) > 1 for players in boxes.values()):
        yield SHARING
    if len(rounds) > 1:
        yield SEVERAL
    yield REST


def index_records() -> list[Indexed]:
    """Every record that can be replayed, in the order of its file."""
    from pitboss.rulebooks import BOOKS, load_book

    names = {wager: side.name for book in BOOKS for wager, side in load_book(book).side_wagers.items()}
    found = []
    for path in sorted(RECORDS.glob("*/*.round.toml")):
        record = tomllib.loads(path.read_text("utf-8"))
        topics = tuple(find_topics(record, lambda wager: names.get(wager, wager)))
        title = " ".join(record.get("title", path.stem).split())
        found.append(Indexed(path.relative_to(ROOT).as_posix(), title, record["game"], topics))
    return found


def write_index() -> str:
    """The page."""
    records = index_records()
    by_topic: dict[str, list[Indexed]] = {}
    for record in records:
        by_topic.setdefault(record.topics[0], []).append(record)
    order = [REST, *reversed(ACTIONS), SHARING, LIMITS, REFUSED, SEVERAL]
    sides = sorted(topic for topic in by_topic if topic.startswith("Side wagers"))
    topics = [topic for topic in (*order, *sides, JACKPOTS, *ORDERS) if topic in by_topic]
    lines = [
        "# Index of round records",
        "",
        f"The project has {len(records)} [round records](records.md) in `tests/records/`. Each is a short text that a",
        "dealer can read: who bet what, which cards came, what was decided, what was paid and by which clause. The",
        "test suite replays all of them. Copy one, change a card, and `pitboss replay --explain` tells you what",
        "happens instead.",
        "",
        "A record is listed under the most special thing that happens in it. `make pages` writes this page.",
        "",
    ]  # fmt: skip
    lines += [f"- [{topic}](#{anchor(topic)}): {len(by_topic[topic])}" for topic in topics]
    for topic in topics:
        lines += ["", f"## {topic}", "", "| record | game | also about |", "|---|---|---|"]
        for record in by_topic[topic]:
            also = ", ".join(_short(other) for other in record.topics[1:] if other != REST)
            lines.append(f"| [{_escape(record.title)}](../{record.path}) | {record.game} | {also} |")
    return "\n".join(lines) + "\n"


def anchor(title: str) -> str:
    """The anchor of a heading, as GitHub and MkDocs make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


def _short(topic: str) -> str:
    topic = topic.removeprefix("Side wagers: ")
    return topic if topic[1:2].isupper() or topic in _PROPER else topic[0].lower() + topic[1:]


_PROPER = frozenset({"Blackpot", "Supernova"})


def _escape(title: str) -> str:
    return title.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")
