"""The library over HTTP: books, clauses, games, lessons, a search over all, and where a clause was used here."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, QueryParameter

from pitboss.floor.telling.felt_words import find_felt
from pitboss.report.library.clause_pages import NotOnShelf, check_book, list_books, show_book, show_clause
from pitboss.report.library.game_sheets import find_shelved_rules, show_game
from pitboss.report.library.library_answers import (
    BookPage,
    ClauseLesson,
    ClausePage,
    ClauseUses,
    GameSheet,
    LessonList,
    LessonPage,
    SearchPage,
    ShelvedBook,
)
from pitboss.report.library.library_search import LONGEST_QUERY, search_library
from pitboss.server.library.lesson_shelf import lessons_by_book, list_lessons, load_lessons, open_lesson
from pitboss.server.web.services import REFUSALS, find_services, limit_rate, list_lines
from pitboss.server.web.socket import find_address
from pitboss.table.state import Limits

LONGEST_CLAUSE = 100
Name = Annotated[str, QueryParameter(min_length=1, max_length=LONGEST_CLAUSE)]


async def _look_up(question: Any, *arguments: Any) -> Any:
    """Ask the shelves in a thread; what they do not have is not found."""
    try:
        return await asyncio.to_thread(question, *arguments)
    except NotOnShelf as missing:
        raise HTTPException(str(missing), status_code=404) from None


@get("/api/library/books", summary="The books, with their games", responses=REFUSALS)
async def list_library_books() -> list[ShelvedBook]:
    found: list[ShelvedBook] = await _look_up(list_books)
    return found


@get("/api/library/books/{book:str}", summary="A book, section by section", responses=REFUSALS)
async def read_book_page(book: FromPath[str]) -> BookPage:
    found: BookPage = await _look_up(show_book, book)
    return found


@get("/api/library/clause", summary="A clause, what it becomes in software and what watches it", responses=REFUSALS)
async def read_clause(book: Name, clause: Name) -> ClausePage:
    found: ClausePage = await _look_up(lambda: show_clause(book, clause, lessons_by_book(book)))
    return found


@get("/api/library/uses", summary="Where a clause was last used at this floor", responses=REFUSALS)
async def read_uses(book: Name, clause: Name, request: Request[Any, Any, Any], state: State) -> ClauseUses:
    """The last rounds of every table are looked at, each once."""
    services = find_services(state)
    await _look_up(check_book, book)
    if services.used_clauses is None:
        return ClauseUses([], 0, 0)
    address = find_address(request.scope)  # type: ignore[arg-type]
    limit_rate(services, f"lab {address}", services.bounds.lab_per_minute)
    tables = [(line.name, line.game) for line in await list_lines(services)]
    return await services.used_clauses.find_uses(book, clause, tables)


@get("/api/library/game", summary="A game: its rules with their clauses, choices, readings, chart", responses=REFUSALS)
async def read_game(game: Name) -> GameSheet:
    found: GameSheet = await _look_up(_show_game_here, game)
    return found


def _show_game_here(game: str) -> GameSheet:
    """A game with the words of its layout and its lessons."""
    felt = [line.text for line in find_felt(find_shelved_rules(game), Limits()).lines]
    return show_game(game, felt, [(ClauseLesson(line.id, line.title), line.game) for line in list_lessons()])


@get("/api/library/search", summary="Search the whole library", responses=REFUSALS)
async def search(q: Annotated[str, QueryParameter(max_length=LONGEST_QUERY)] = "") -> SearchPage:
    found: SearchPage = await _look_up(lambda: search_library(q, list(load_lessons().values())))
    return found


@get("/api/library/lessons", summary="The lessons, topic by topic", responses=REFUSALS)
async def list_all_lessons() -> LessonList:
    lessons = await _look_up(list_lessons)
    return LessonList(list(dict.fromkeys(line.topic for line in lessons)), list(lessons))


@get("/api/library/lessons/{lesson:str}", summary="A lesson, step by step", responses=REFUSALS)
async def read_lesson(lesson: FromPath[str]) -> LessonPage:
    found: LessonPage = await _look_up(open_lesson, lesson)
    return found


LIBRARY_HANDLERS: tuple[Any, ...] = (
    list_library_books, read_book_page, read_clause, read_uses, read_game, search, list_all_lessons, read_lesson,
)  # fmt: skip
