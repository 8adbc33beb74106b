"""The school tables of this process: one for each person, kept in memory until others take the place."""

from __future__ import annotations

from collections import OrderedDict

from pitboss.floor.desks.school_table import SchoolTable

MOST_TABLES = 200


class SchoolRoom:
    """Whose school table stands how."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, SchoolTable] = OrderedDict()

    def keep(self, table: SchoolTable) -> None:
        """The table of a person as it stands now; whoever has not played for longest makes room."""
        self._tables[table.person] = table
        self._tables.move_to_end(table.person)
        while len(self._tables) > MOST_TABLES:
            self._tables.popitem(last=False)

    def find(self, person: str) -> SchoolTable | None:
        """The table of a person, if it is still there."""
        return self._tables.get(person)
