"""Entries into tournaments that hands at tables win: three sevens of one suit, by the book of the table.

An entry is won when its round is settled, if what won it stands: what a void took back before has won nothing.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import msgspec

from pitboss.rulebooks import BOOKS, load_book
from pitboss.table.orders.voids import list_standing
from pitboss.table.state import Phase, State

OPTION = "magnificent_sevens_version"
"""The option of a table in whose one version hands win entries."""


class EntryNews(msgspec.Struct, frozen=True, kw_only=True):
    """A hand has won its player an entry."""

    player: str
    round: int
    box: str
    clauses: tuple[str, ...]


class _Winning(NamedTuple):
    """What wins an entry: the side wager, its outcome, and the version in which it does."""

    wager: str
    outcome: str
    version: int
    clauses: tuple[str, ...]


@functools.cache
def _find_winning(book: str) -> _Winning | None:
    """What wins an entry by a book; none if nothing does."""
    for competition in load_book(book).competitions.values() if book in BOOKS else ():
        if "entry" in competition:
            entry = competition["entry"]
            wager, outcome = str(competition["side_wager"]["value"]), str(entry["value"])
            return _Winning(wager, outcome, int(entry["version"]), tuple(entry["clause"]))
    return None


def list_won_entries(before: State, after: State) -> tuple[EntryNews, ...]:
    """The entries that hands have won, when their round has just been settled."""
    if after.phase is not Phase.SETTLED or before.phase is Phase.SETTLED:
        return ()
    rules = after.rules
    winning = _find_winning(rules.book)
    if winning is None or rules.side_wager(winning.wager) is None or rules.options.get(OPTION) != winning.version:
        return ()
    return tuple(
        [
            EntryNews(player=settled.player, round=after.round, box=settled.box, clauses=winning.clauses)
            for settled in list_standing(after)
            if (settled.wager, settled.outcome) == (winning.wager, winning.outcome) and settled.net > 0
        ]
    )  # fmt: skip
