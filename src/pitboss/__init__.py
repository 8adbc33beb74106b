"""pitboss: approved casino rulebooks as running, provable blackjack tables.

Importing the package loads nothing but this file. Take what you need from its room:
`pitboss.rulebooks` for the law, `pitboss.table` for a live table, `pitboss.records` for
rounds on file, `pitboss.odds` and `pitboss.sim` for what a game is worth. `pitboss.Table`,
a table that is played in the words of records, is fetched when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitboss.records.live import Table as Table

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "Table":
        from pitboss.records.live import Table

        return Table
    raise AttributeError(f"module 'pitboss' has no attribute '{name}'")
