"""The clauses of a tournament, by matter, out of its book: `[competitions.NAME.clauses]`.

A competition may extend another one of its book: what it says comes first. A book that is silent on a matter gives no
clause for it; what no book may leave out is the competition itself.
"""

from __future__ import annotations

import functools
from typing import Any

from pitboss.rulebooks import load_book

SEVENS = "magnificent-sevens-tournament"
"""The competition whose entries are won at tables."""


@functools.cache
def read_competition(book: str, name: str) -> dict[str, Any]:
    """What the book says of a competition, with what it extends below it; nothing if it has none of this name."""
    found = load_book(book).competitions.get(name)
    if not isinstance(found, dict):
        return {}
    own = dict(found)
    parent = str(own.get("extends", ""))
    return {**read_competition(book, parent), **own} if parent else own


@functools.cache
def cite_matters(book: str, name: str, *matters: str) -> tuple[str, ...]:
    """The clauses of these matters in a competition of a book, without repeats."""
    competition = load_book(book).competitions.get(name, {})
    parent = str(competition.get("extends", ""))
    found: dict[str, None] = {}
    for matter in matters:
        cited = competition.get("clauses", {}).get(matter)
        if cited is None and parent:
            found.update(dict.fromkeys(cite_matters(book, parent, matter)))
        elif cited is not None:
            found.update(dict.fromkeys([cited] if isinstance(cited, str) else cited))
    return tuple(found)


def read_term(book: str, name: str, term: str, default: Any) -> Any:
    """A value that the book sets for a competition, such as for how many rounds an absent player pays."""
    value = read_competition(book, name).get(term, default)
    return value["value"] if isinstance(value, dict) and "value" in value else value
