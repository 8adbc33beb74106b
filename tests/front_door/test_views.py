"""Objects at the prompt and in notebooks: one short line each, and a view in plain HTML that fetches nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

import pitboss
from pitboss.formats.notebook_view import NotebookView
from pitboss.odds import insurance_odds
from pitboss.report.notebooks import notebook_html

QUICK = "melbourne/select"
VOID_TAGS = {"br", "hr"}


class Reader(HTMLParser):
    """Checks that every tag is closed in order, and keeps what a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not {name for name, _ in attrs} & {"src", "href", "onclick"}
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.seen.append(data)


def read_html(shown: NotebookView) -> str:
    """The text of a view, its markup checked."""
    text = shown._repr_html_()
    assert "<script" not in text
    assert "://" not in text
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    return " ".join(" ".join(reader.seen).split())


@pytest.fixture(scope="module")
def table() -> pitboss.Table:
    opened = pitboss.Table("melbourne/blackjack", cards="8s 6d 8h | Ts 3c | Jd 9c", side_wagers=["perfect-pairs"])
    opened.bet("1 ann* 100")
    opened.bet("1 bob 5 perfect-pairs")
    opened.deal()
    opened.do("1 split")
    return opened


@pytest.fixture(scope="module")
def settled() -> pitboss.Table:
    opened = pitboss.Table("melbourne/blackjack", cards="8s 6d Kh | Jd 9c")
    opened.bet("1 ann* 100")
    opened.deal()
    opened.do("1 stand")
    return opened


@pytest.fixture(scope="module")
def shown(table: pitboss.Table, settled: pitboss.Table) -> dict[str, Any]:
    edge = pitboss.odds(QUICK)
    record = pitboss.read(settled.record("Eighteen against a six"))
    return {
        "rules": pitboss.rules("star/switch", side_wagers=["super-match"]),
        "book": pitboss.rulebook("examples/las-vegas.toml"),
        "edge": edge,
        "chart": edge.strategy,
        "side": pitboss.side_odds("star/switch", "super-match"),
        "insurance": insurance_odds(pitboss.rules(QUICK)).on_ace,
        "comparison": pitboss.compare([edge, "rws/blackjack"]),
        "simulation": pitboss.simulate(QUICK, rounds=2000),
        "effects": pitboss.count(QUICK, system=None).wagers["main"].effects,
        "study": pitboss.count(QUICK, system=None),
        "cost": pitboss.cost(QUICK),
        "table": table,
        "record": record,
        "replay": pitboss.replay(record),
    }


KINDS = [
    "rules",
    "book",
    "edge",
    "chart",
    "side",
    "insurance",
    "comparison",
    "simulation",
    "effects",
    "study",
    "cost",
    "table",
    "record",
    "replay",
]  # what a user gets from the front door


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_introduces_itself_in_one_short_line(kind: str, shown: dict[str, Any]) -> None:
    text = repr(shown[kind])
    assert re.fullmatch(r"<[A-Z]\w+ .{5,110}>", text), text


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_shows_every_object_in_plain_html(kind: str, shown: dict[str, Any]) -> None:
    expected = {
        "rules": "dealer_hits_soft_17", "book": "las-vegas/blackjack", "edge": "Hard totals", "chart": "Hard totals",
        "side": "one in", "insurance": "house edge", "comparison": "rws/blackjack", "simulation": "2,000",
        "effects": "effect", "study": "by count", "cost": "best play",
        "table": "Box 1, hand 2", "record": "Eighteen against a six", "replay": "As recorded",
    }[kind]  # fmt: skip
    assert expected in read_html(shown[kind])


def test_what_is_inside_stays_short_too(settled: pitboss.Table) -> None:
    replayed = pitboss.replay(settled.record())
    for part in (
        settled.state,
        settled.log[0],
        replayed.rounds[0],
        *replayed.rounds[0].steps,
        replayed.record.rounds[0],
    ):
        assert len(repr(part)) < 120, repr(part)
    assert repr(replayed.rounds[0]) == "<PlayedRound 1: 4 steps, settled>"


def test_a_table_in_a_notebook_shows_cards_stakes_and_what_may_be_done(
    table: pitboss.Table, settled: pitboss.Table
) -> None:
    text = read_html(table)
    assert "8♠" in text
    assert "10♠" in text
    assert "ann 100" in text
    assert "legal now: 1 hit , 1 stand" in text
    text = read_html(settled)
    assert "settled" in text
    assert "+100" in text


def test_a_replay_that_differs_says_so_in_a_notebook(settled: pitboss.Table) -> None:
    wrong = settled.record().replace("+100", "+150")
    assert "Not as recorded: " in read_html(pitboss.replay(wrong))


def test_an_object_without_a_view_is_shown_as_python_prints_it() -> None:
    assert notebook_html({"a": "<b>"}) == "<pre>{&#x27;a&#x27;: &#x27;&lt;b&gt;&#x27;}</pre>"


def test_games_are_listed_by_name_and_compared_by_edge() -> None:
    named = pitboss.games()
    assert named["melbourne/pontoon"] == "Crown Pontoon"
    assert all(pitboss.rules(game).name == name for game, name in named.items())
    ranked = pitboss.compare([QUICK, pitboss.rules(QUICK, decks=4)]).games
    assert [game.decks for game in ranked] in ([4, 8], [8, 4])
    assert ranked[0].house_edge <= ranked[1].house_edge
    assert ranked[0].house_edge == min(pitboss.odds(pitboss.rules(QUICK, decks=n)).house_edge for n in (4, 8))


def test_the_room_of_odds_lists_its_own_names_only() -> None:
    assert not {"Any", "ModuleType", "sys", "annotations"} & set(dir(pitboss.odds))


def test_every_answer_has_a_view_of_its_own_and_anything_else_is_shown_as_python_prints_it() -> None:
    plain = notebook_html.dispatch(object)
    kinds = [NotebookView]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    leaves = [kind for kind in kinds if not kind.__subclasses__()]
    assert len(leaves) > 8
    assert not [kind for kind in leaves if notebook_html.dispatch(kind) is plain]
    assert notebook_html({"<b>": 1}) == "<pre>{&#x27;&lt;b&gt;&#x27;: 1}</pre>"
