"""`pitboss count` and `pitboss cost`: what they print, the shape of their JSON, the report, and what they refuse."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import pitboss
from pitboss.cli import main
from pitboss.sim.counts.count_study import CountStudy

Output = pytest.CaptureFixture[str]

STUDY_KEYS = {
    "game", "name", "decks", "penetration", "device", "system", "wagers", "not_counted", "counted", "by_count", "plays",
    "plays_measured", "ramp", "played",
}  # fmt: skip


@pytest.mark.slow
def test_removal_prints_effects_and_the_best_counts(capsys: Output) -> None:
    assert main(["count", "rws/blackjack", "--removal", "--side", "over-13", "--decks", "6"]) == 0
    printed = capsys.readouterr().out
    assert "Effects of removal on main" in printed
    assert "best tags, level 3" in printed
    assert "over-13" in printed


@pytest.mark.slow
def test_json_has_the_same_keys_whatever_is_asked(capsys: Output) -> None:
    assert main(["count", "rws/blackjack", "--removal", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    bets = ["--bankroll", "20000", "--min", "10", "--max", "200", "--play", "65536"]
    line = ["count", "rws/blackjack", "--system", "hi-lo", "--rounds", "65536", "--threads", "1", *bets, "--json"]
    assert main(line) == 0
    full = json.loads(capsys.readouterr().out)
    assert set(plain) == set(full) == STUDY_KEYS
    assert plain["counted"] is plain["ramp"] is None
    assert full["ramp"]["score"] > 0
    assert full["played"]["rounds"] == 65536
    assert set(full["wagers"]) == {"main", "insurance"}


@pytest.mark.slow
def test_a_study_shows_in_notebooks_and_turns_into_rows() -> None:
    found = pitboss.count("star/blackjack", rounds=65536, plays=True, threads=1)
    assert isinstance(found, CountStudy)
    page = found._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 4
    assert {"count", "share", "expectation"} <= set(found.rows()[0])


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.pictures = 0
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pictures += tag == "svg"
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br", "rect", "line", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line", "polyline"):
            assert self.open.pop() == tag


@pytest.mark.slow
def test_the_exposure_report_is_one_page_with_pictures(tmp_path: Path, capsys: Output) -> None:
    place = tmp_path / "exposure.html"
    book = Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml"
    line = ["count", "las-vegas/blackjack", "--book", str(book), "--report", str(place), "--rounds", "65536"]
    line += ["--threads", "1"]
    assert main(line) == 0
    text = place.read_text("utf-8")
    page = _Page()
    page.feed(text)
    assert page.open == []
    assert page.pictures == 4
    assert page.fetched == []
    for said in ("Exposure to counting", "insurance", "device", "SCORE", "By the number of decks", "hard 16 x3+"):
        assert said in text
    assert str(place) in capsys.readouterr().err


@pytest.mark.slow
def test_cost_prints_a_line_for_each_way_to_play(capsys: Output) -> None:
    assert main(["cost", "star/blackjack", "--bet", "25", "--hours", "3"]) == 0
    printed = capsys.readouterr().out
    for said in ("best play", "basic strategy", "never splits", "always insures", "ahead"):
        assert said in printed
    assert main(["cost", "star/blackjack", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {"game", "bet", "hours", "rounds_per_hour", "plays", "sides"} <= set(data)


REFUSED = [
    (["count", "star/blackjack", "--system", "hi-low"], "did you mean 'hi-lo'"),
    (["count", "star/blackjack", "--penetration", "3"], "between 0 and 1"),
    (["count", "star/blackjack", "--risk", "0.1"], "--bankroll AMOUNT"),
    (["count", "star/blackjack", "--bankroll", "5", "--kelly", "1", "--risk", "0.1"], "name one"),
    (["count", "star/blackjack", "--bankroll", "-5"], "above zero"),
    (["count", "star/blackjack", "--report", "page.pdf"], "ends in .html"),
    (["count", "--plays"], "name a game"),
    (["count", "--write-bets", "bets.json"], "name a game"),
    (["count", "--boxes", "2"], "name a game"),
    (["count", "star/switch", "--system", "hi-lo"], "second cards are switched"),
    (["count", "star/blackjack", "--decks", "inf"], "cannot be dealt|not dealt"),
    (["count", "star/blackjack", "--boxes", "0"], "--boxes"),
    (["cost", "star/blackjack", "--bet", "0"], "above zero"),
    (["cost", "star/blackjack", "--hours", "x"], "--hours"),
    (["cost", "star/nothing"], "star/nothing"),
]


@pytest.mark.parametrize(("line", "said"), REFUSED, ids=[" ".join(line[1:]) for line, _ in REFUSED])
def test_mistakes_are_told_in_one_line(line: list[str], said: str, capsys: Output) -> None:
    assert main(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pitboss: ")
    assert err.count("\n") == 1
    assert re.search(said, err), err
