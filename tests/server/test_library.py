"""The library: every clause has a page, lessons are the records of the tests, and uses are found in stored rounds."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from floor_server import Served, play_to_a_decision, seat, serve
from speeds import few

from pitboss.records import read, replay
from pitboss.report.library.clause_pages import NotOnShelf, list_rows, show_book, show_clause
from pitboss.report.library.game_sheets import show_game
from pitboss.report.library.library_search import search_library
from pitboss.rulebooks import games
from pitboss.server.client import AskRefused, ClientError, call
from pitboss.server.library.lesson_shelf import FILE, lessons_by_book, list_lessons, load_lessons, open_lesson

ROOT = Path(__file__).resolve().parents[2]
LESSONS = list(load_lessons().values())


def test_lessons_are_the_records_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    try:
        from lessons import write_lessons  # type: ignore[import-not-found]
    finally:
        sys.modules.pop("record_index", None)
    kept = (ROOT / "src" / "pitboss" / "server" / "library" / FILE).read_text("utf-8")
    assert kept == write_lessons(), "python tools/lessons.py writes them again"


def test_a_lesson_is_told_step_by_step_as_its_record_plays() -> None:
    for lesson in LESSONS[::12]:
        page = open_lesson(lesson.id)
        assert page.record == (ROOT / lesson.path).read_text("utf-8")
        assert page.steps
        assert page.summary
        assert any(step.told for step in page.steps)
        assert all(line.text.endswith(".") for step in page.steps for line in step.told)
    with pytest.raises(NotOnShelf):
        open_lesson("nothing")


def test_lessons_cover_the_games() -> None:
    lines = list_lessons()
    assert len(lines) == len(LESSONS) >= 150
    assert {line.game for line in lines} >= set(games()) - {"melbourne/spanish", "melbourne/select"}


def test_every_clause_has_a_page_and_each_leads_to_the_next() -> None:
    for book, row in list_rows():
        page = show_clause(book, row.clause, ())
        assert (page.summary, page.status) == (row.summary, row.status)
        assert page.status_words
    first = show_book("rws")
    clauses = [line.clause for section in first.sections for line in section.clauses]
    walked, clause = [clauses[0]], show_clause("rws", clauses[0], ()).after
    while clause:
        walked.append(clause)
        clause = show_clause("rws", clause, ()).after
    assert walked == [row.clause for book, row in list_rows() if book == "rws"]


def test_a_clause_names_its_values_its_code_its_tests_and_its_lessons() -> None:
    page = show_clause("melbourne", "7.5.6(a)", lessons_by_book("melbourne"))
    assert "split_match" in {value.name for value in page.values}
    assert any(place.startswith("pitboss.") for place in page.code)
    assert page.witness in page.tests
    with pytest.raises(NotOnShelf, match="99"):
        show_clause("melbourne", "99.99", ())


@pytest.mark.parametrize("game", few(games(), 3))
def test_a_game_page_has_every_value_with_its_clause(game: str) -> None:
    sheet = show_game(game, ["a line"], ())
    assert sheet.edge.endswith("%")
    assert sheet.chart
    assert sheet.felt == ["a line"]
    shown = {rule.name: rule for group in sheet.groups for rule in group.rules}
    assert shown["natural_odds"].clauses
    assert sheet.side_wagers


def test_a_search_finds_clauses_games_rules_and_lessons_the_exact_one_first() -> None:
    assert search_library("7.5.6(a)", LESSONS).found[0].title == "7.5.6(a)"
    assert search_library("pontoon", LESSONS).found[0].kind == "game"
    kinds = {item.kind for item in search_library("split", LESSONS).found}
    assert kinds >= {"clause", "rule", "lesson"}
    assert search_library("split zebra", LESSONS).found == []
    assert search_library("   ", LESSONS).found == []


@pytest.mark.slow
def test_where_a_clause_was_last_used_is_found_in_the_rounds_of_this_floor(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann") as (ann,):
            table, rounds = await play_to_a_decision(ann, "t"), []
            while not rounds:
                with contextlib.suppress(AskRefused):
                    await table.ask({"type": "stand", "box": "1"})
                rounds = (await call(served.address, "GET", "/api/tables/t/rounds"))[0]
        record = rounds[0]["record"]
        cited = sorted(replay(read(record, "round")).cited)
        found = (await call(served.address, "GET", f"/api/library/uses?book=perth&clause={quote(cited[0])}"))[0]
        assert found["uses"][0] == {"table": "t", "number": rounds[0]["number"]}
        for path in ("books/nothing", "clause?book=perth&clause=99", "lessons/nothing", "game?game=x/y"):
            with pytest.raises(ClientError):
                await call(served.address, "GET", f"/api/library/{path}")

    serve(tmp_path, story)
