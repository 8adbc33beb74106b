"""One search over clauses, games, rules, side wagers and lessons: every word must be there, titles count most."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from pitboss.report.library.clause_pages import list_books, list_rows
from pitboss.report.library.lesson_pages import KeptLesson
from pitboss.report.library.library_answers import FoundItem, SearchPage
from pitboss.rulebooks import load_book
from pitboss.rulebooks.model.parameters import DESCRIBED

MOST_FOUND = 60
LONGEST_QUERY = 100
TITLE, TEXT = 10, 1
"""What a word counts in a title and in a text."""
EXACT = 100


class _Entry(NamedTuple):
    title: str
    text: str
    found: FoundItem


def search_library(query: str, lessons: Sequence[KeptLesson]) -> SearchPage:
    """What holds every word of the query, the best first; an exact clause number or name stands on top."""
    asked = " ".join(query[:LONGEST_QUERY].split())
    wanted = asked.casefold().split()
    if not wanted:
        return SearchPage(asked, [], 0)
    scored = []
    for place, entry in enumerate((*_list_entries(), *_list_lessons(lessons))):
        score = _score(entry, wanted, asked.casefold())
        if score:
            scored.append((-score, place, entry.found))
    scored.sort(key=lambda item: item[:2])
    return SearchPage(asked, [item for _, _, item in scored[:MOST_FOUND]], max(0, len(scored) - MOST_FOUND))


def _score(entry: _Entry, wanted: Sequence[str], whole: str) -> int:
    """How well an entry answers; nothing if a word is missing."""
    score = EXACT if whole in (entry.title, entry.found.key.casefold()) else 0
    for word in wanted:
        if word in entry.title:
            score += TITLE
        elif word in entry.text:
            score += TEXT
        else:
            return 0
    return score


@functools.cache
def _list_entries() -> tuple[_Entry, ...]:
    """Everything but lessons."""
    found = []
    for shelved in list_books():
        for game in shelved.games:
            found.append(FoundItem("game", game.name, game.summary, shelved.id, game.id))
        for wager, side in load_book(shelved.id).side_wagers.items():
            text = f"A side wager of {shelved.name}: clauses {', '.join(side.clauses[:3])}."
            found.append(
                FoundItem("side-wager", side.name, text, shelved.id, side.clauses[0] if side.clauses else wager)
            )
    for book, row in list_rows():
        found.append(FoundItem("clause", row.clause, row.summary, book, row.clause))
    for name, described in DESCRIBED.items():
        found.append(FoundItem("rule", name.replace("_", " "), described.text, "", name))
    return tuple(_index(entry) for entry in found)


def _index(entry: FoundItem) -> _Entry:
    title = f"{entry.title} {entry.key}" if entry.kind == "game" else entry.title
    return _Entry(title.casefold(), f"{entry.text} {entry.book}".casefold(), entry)


def _list_lessons(lessons: Sequence[KeptLesson]) -> tuple[_Entry, ...]:
    return tuple(
        _Entry(lesson.title.casefold(), f"{lesson.topic} {lesson.game}".casefold(),
               FoundItem("lesson", lesson.title, f"{lesson.topic}, {lesson.game}", "", lesson.id))
        for lesson in lessons
    )  # fmt: skip
