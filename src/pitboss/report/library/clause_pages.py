"""Books section by section, and clauses with what they become in software and what watches them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

from pitboss.errors import PitbossError
from pitboss.formats.names import nearest
from pitboss.formats.wording import percent
from pitboss.odds.known_tables import find_known
from pitboss.report.library.library_answers import (
    BookPage,
    BookSection,
    ClauseLesson,
    ClauseLine,
    ClausePage,
    ClauseValue,
    ShelvedBook,
    ShelvedGame,
)
from pitboss.rulebooks import Rulebook, load_book, readable
from pitboss.rulebooks.model.parameters import DESCRIBED
from pitboss.rulebooks.registers import CLAUSE_LISTS, ClauseRow, by_status, load_register
from pitboss.rulebooks.witnesses import Witnesses, load_witnesses

STATUS_WORDS: Mapping[str, str] = {
    "enforced": "enforced by the program",
    "operator": "left to the operator, who acts on it",
    "physical": "about hands and equipment, which software cannot see",
    "legal": "a legal term: nothing for software to do",
    "planned": "planned: not enforced yet",
}
SECTION = re.compile(r"[A-Za-z]*\d*")


class NotOnShelf(PitbossError):
    """A book, a clause, a game or a lesson that the library does not have."""


@functools.cache
def _register(book: str) -> tuple[ClauseRow, ...]:
    return load_register(book)


@functools.cache
def _witnesses() -> Witnesses:
    return load_witnesses()


def check_book(book: str) -> None:
    """Refuse a book that is not on the shelf."""
    if book not in CLAUSE_LISTS:
        raise NotOnShelf(f"the library has no book '{book[:40]}'; {nearest(book[:40], CLAUSE_LISTS)}")


def list_books() -> list[ShelvedBook]:
    """Every book, with its games."""
    return [_shelve(book) for book in CLAUSE_LISTS]


@functools.cache
def _shelve(name: str) -> ShelvedBook:
    book, rows = load_book(name), _register(name)
    return ShelvedBook(
        book.id, book.name, book.edition, book.jurisdiction, len(rows), by_status(rows), list(_list_games(book))
    )


def _list_games(book: Rulebook) -> Iterator[ShelvedGame]:
    for game in book.games.values():
        rules = book.rules(game.id)
        known = find_known(rules)
        edge = "" if known is None else percent(known.edges["main"], 4)
        yield ShelvedGame(rules.game, rules.name, game.summary, edge)


def show_book(book: str) -> BookPage:
    """A book, section by section."""
    check_book(book)
    sections: dict[str, list[ClauseLine]] = {}
    for row in _register(book):
        found = SECTION.match(row.clause)
        section = found[0] if found and found[0] else row.clause
        sections.setdefault(section, []).append(show_line(row))
    return BookPage(_shelve(book), [BookSection(name, lines) for name, lines in sections.items()])


def show_line(row: ClauseRow) -> ClauseLine:
    """A clause in a list."""
    return ClauseLine(row.clause, row.kind, row.status, row.summary)


def show_clause(book: str, clause: str, lessons: Sequence[tuple[ClauseLesson, frozenset[str]]]) -> ClausePage:
    """A clause; `lessons` come with the clauses of this book that they turn on."""
    check_book(book)
    rows = _register(book)
    place = next((number for number, row in enumerate(rows) if row.clause == clause), None)
    if place is None:
        hint = nearest(clause[:60], [row.clause for row in rows])
        raise NotOnShelf(f"{load_book(book).name} has no clause '{clause[:60]}'; {hint}")
    row, witness = rows[place], _witnesses().get((book, clause))
    return ClausePage(
        book=book,
        book_name=load_book(book).name,
        clause=clause,
        kind=row.kind,
        status=row.status,
        status_words=STATUS_WORDS[row.status],
        summary=row.summary,
        note=row.note,
        reason=row.reason,
        code=list(row.where),
        tests=list(row.tests),
        witness=witness.by if witness is not None else "",
        values=list(_list_values(book).get(clause, ())),
        lessons=[lesson for lesson, cited in lessons if clause in cited],
        before=rows[place - 1].clause if place else "",
        after=rows[place + 1].clause if place + 1 < len(rows) else "",
    )


@functools.cache
def _list_values(name: str) -> dict[str, tuple[ClauseValue, ...]]:
    """The values of a book's games by the clauses that they stand on; what games have in common is said once."""
    book = load_book(name)
    found: dict[str, dict[tuple[str, str], list[str]]] = {}
    for game in book.games:
        rules = book.rules(game)
        for parameter in rules.values():
            for clause in rules.cite(parameter).clauses:
                value = (parameter, readable(getattr(rules, parameter)))
                found.setdefault(clause, {}).setdefault(value, []).append(rules.game)
    many = len(book.games)
    return {
        clause: tuple(
            ClauseValue("" if len(games) == many else ", ".join(games), parameter, value, DESCRIBED[parameter].text)
            for (parameter, value), games in values.items()
        )
        for clause, values in found.items()
    }


def list_rows() -> Iterator[tuple[str, ClauseRow]]:
    """Every clause of every book."""
    for book in CLAUSE_LISTS:
        yield from ((book, row) for row in _register(book))
