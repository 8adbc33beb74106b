"""The lessons that come with the package, read once."""

from __future__ import annotations

import functools
from importlib import resources

import msgspec

from pitboss.report.library.clause_pages import NotOnShelf
from pitboss.report.library.lesson_pages import KeptLesson, describe_lesson, show_lesson
from pitboss.report.library.library_answers import ClauseLesson, LessonLine, LessonPage
from pitboss.rulebooks import find_game

FILE = "lessons.json"


@functools.cache
def load_lessons() -> dict[str, KeptLesson]:
    """The lessons by their id, in the order in which they are listed."""
    text = (resources.files(__package__) / FILE).read_bytes()
    return {lesson.id: lesson for lesson in msgspec.json.decode(text, type=list[KeptLesson])}


@functools.cache
def list_lessons() -> tuple[LessonLine, ...]:
    """The lessons as they are listed."""
    return tuple(describe_lesson(lesson) for lesson in load_lessons().values())


@functools.lru_cache(maxsize=32)
def open_lesson(name: str) -> LessonPage:
    """A lesson, step by step."""
    lesson = load_lessons().get(name)
    if lesson is None:
        raise NotOnShelf(f"the library has no lesson '{name[:60]}'")
    return show_lesson(lesson)


@functools.cache
def lessons_by_book(book: str) -> tuple[tuple[ClauseLesson, frozenset[str]], ...]:
    """The lessons at games of a book, with the clauses that they are about."""
    return tuple(
        (ClauseLesson(line.id, line.title), frozenset(line.clauses))
        for line in list_lessons()
        if find_game(line.game)[0].id == book
    )
