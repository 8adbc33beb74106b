"""What a book says that terms must contain, and what a document leaves out.

The list is data of the book, `[competitions.NAME.terms]`: each item with its clause. Some items are needed only under a
circumstance (`if`); then the terms state the item, or say `false`: the circumstance is not there. Silence is a gap.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor.ledger import to_grains
from pitboss.formats.names import nearest
from pitboss.money import Money, parse_money
from pitboss.rulebooks import RulebookError, load_book
from pitboss.rulebooks.registers import find, load_register
from pitboss.table.draft import Refused
from pitboss.table.messages.wellformed import LONGEST_TERM, LONGEST_TEXT

Stated = Mapping[str, str | bool]
"""What terms state: by item its text, or `False` where the circumstance is not there that would need it."""

MOST_NAMED = 3
"""Gaps that one line names; the rest are counted."""


class TermItem(msgspec.Struct, frozen=True):
    """Something that terms must state."""

    name: str
    clauses: tuple[str, ...]
    circumstance: str = ""
    """When it is needed; always, if empty."""


class Checklist(msgspec.Struct, frozen=True):
    """All that the terms of one kind of competition must state, by one book."""

    book: str
    competition: str
    clauses: tuple[str, ...]
    """By which there is a list at all."""
    items: tuple[TermItem, ...]

    @property
    def all_clauses(self) -> tuple[str, ...]:
        """The clauses of the list and of everything on it."""
        own = (clause for item in self.items for clause in item.clauses)
        return tuple(dict.fromkeys((*self.clauses, *own)))

    def __getitem__(self, name: str) -> TermItem:
        return next(item for item in self.items if item.name == name)


class TermGap(msgspec.Struct, frozen=True):
    """An item that is missing, or stands against the facts."""

    item: TermItem
    problem: str


def list_clauses_beside(table: Mapping[str, Any]) -> tuple[str, ...]:
    """The clauses that stand in a table of a competition."""
    cited = table.get("clause", ())
    return (cited,) if isinstance(cited, str) else tuple(cited)


def find_competition(book: str, competition: str) -> Mapping[str, Any]:
    """What a book says of a kind of competition."""
    try:
        found = load_book(book).competitions.get(competition)
    except RulebookError as error:
        raise Refused(str(error)) from None
    if not isinstance(found, Mapping):
        raise Refused(f"the book {book} has no {competition}")
    return found


@functools.cache
def load_checklist(book: str, competition: str) -> Checklist:
    """What the terms of a tournament or a promotion must state, by this book."""
    return read_checklist(book, competition, find_competition(book, competition).get("terms", {}))


def read_checklist(book: str, competition: str, table: Mapping[str, Any]) -> Checklist:
    """A list of terms out of its table in a book."""
    rows = (*table.get("required", ()), *table.get("conditional", ()))
    items = tuple(TermItem(row["item"], list_clauses_beside(row), row.get("if", "")) for row in rows)
    return Checklist(book, competition, list_clauses_beside(table), items)


@functools.cache
def describe_term(book: str, clause: str) -> str:
    """What a clause asks for, in the words of the register."""
    return next((row.summary.rstrip(".") for row in find(load_register(book), clause)), "")


def find_term_gaps(checklist: Checklist, stated: Stated, applies: Mapping[str, bool] | None = None) -> list[TermGap]:
    """What the terms leave out, in the order of the book.

    `applies` says of items whether their circumstance is there, where that is known from elsewhere: then the terms
    may not deny it.
    """
    return list(_list_gaps(checklist, stated, applies or {}))


def _list_gaps(checklist: Checklist, stated: Stated, applies: Mapping[str, bool]) -> Iterator[TermGap]:
    for item in checklist.items:
        said = stated.get(item.name)
        if isinstance(said, str) and said.strip():
            continue
        if said is False and item.circumstance:
            if applies.get(item.name, False):
                yield TermGap(item, f"the terms deny '{item.name}', and it is so that {item.circumstance}")
        elif said is False:
            yield TermGap(item, f"the terms state '{item.name}' as false, and it is always needed")
        else:
            yield TermGap(item, _tell_missing(checklist.book, item))


def _tell_missing(book: str, item: TermItem) -> str:
    words = describe_term(book, item.clauses[0]) if item.clauses else ""
    instead = f"; or false, unless {item.circumstance}" if item.circumstance else ""
    return f"the terms do not state '{item.name}'" + (f" ({words}{instead})" if words or instead else "")


def check_amounts(*amounts: Money) -> None:
    """Refuse what is no exact amount, or finer than the ledger."""
    for amount in amounts:
        try:
            to_grains(parse_money(amount))
        except PitbossError as error:
            raise Refused(str(error)) from None


def check_line(text: str, what: str) -> str:
    """One printable line that says something."""
    if not text.strip() or len(text) > LONGEST_TEXT or not text.isprintable():
        raise Refused(f"{what} is one line of 1 to {LONGEST_TEXT} characters")
    return text


def check_stated(checklist: Checklist, stated: Stated, also: Iterable[str] = ()) -> None:
    """Refuse what no list of terms has, and texts that cannot be printed. `also` are names that a document may add."""
    known = [item.name for item in checklist.items]
    for name, said in stated.items():
        if name not in known and name not in also:
            raise Refused(f"'{name[:40]}' is not a term of a {checklist.competition}; {nearest(name, known)}")
        if said is True:
            raise Refused(f"the term '{name}' is a text, or false")
        if isinstance(said, str) and (len(said) > LONGEST_TERM or not said.replace("\n", " ").isprintable()):
            raise Refused(f"the term '{name}' is a printable text of no more than {LONGEST_TERM} characters")


def check_terms(checklist: Checklist, stated: Stated, applies: Mapping[str, bool] | None = None) -> tuple[str, ...]:
    """The clauses that the terms meet, or a refusal that names what is missing, each with its clause."""
    check_stated(checklist, stated)
    gaps = find_term_gaps(checklist, stated, applies)
    if gaps:
        refuse_gaps(gaps)
    return checklist.all_clauses


def refuse_gaps(gaps: list[TermGap]) -> None:
    """One line for everything that is missing."""
    more = len(gaps) - MOST_NAMED
    told = "; ".join(gap.problem for gap in gaps[:MOST_NAMED])
    raise Refused(
        told + (f"; and {more} more" if more > 0 else ""),
        tuple(dict.fromkeys(clause for gap in gaps for clause in gap.item.clauses)),
    )
