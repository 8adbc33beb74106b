"""A settlement as a table: for people to read, for notebooks, and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pitboss.formats.notebook_view import NotebookView
from pitboss.money import Money, show
from pitboss.table.state import Settlement

COLUMNS = ("box", "hand", "player", "wager", "stake", "net", "outcome", "clause")
RIGHT = frozenset({"stake", "net"})


class SettlementTable(NotebookView, Sequence[Settlement]):
    """Every wager decided, hand by hand. Prints as text, shows as a table in notebooks."""

    def __init__(self, lines: Sequence[Settlement]) -> None:
        self._lines = tuple(lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: Any) -> Any:
        return self._lines[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SettlementTable) and self._lines == other._lines

    def __hash__(self) -> int:
        return hash(self._lines)

    def rows(self) -> Iterator[dict[str, Any]]:
        """For programs: `hand` is 0 where a wager is not about a single hand, `clause` the one that decides."""
        for line in self._lines:
            yield {
                "box": line.box,
                "hand": line.hand,
                "player": line.player,
                "wager": line.wager,
                "stake": to_plain(line.stake),
                "net": to_plain(line.net),
                "outcome": line.outcome,
                "clause": line.clauses[0] if line.clauses else "",
                "clauses": list(line.clauses),
            }

    def __str__(self) -> str:
        cells = [COLUMNS, *self.cells()]
        widths = [max(len(row[column]) for row in cells) for column in range(len(COLUMNS))]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if name in RIGHT else cell.ljust(width)
                for name, cell, width in zip(COLUMNS, row, widths, strict=True)
            ).rstrip()
            for row in cells
        )

    __repr__ = __str__

    def cells(self) -> Iterator[tuple[str, ...]]:
        """For people: a line of texts for each wager, in the order of `COLUMNS`."""
        for line in self._lines:
            yield (
                line.box, str(line.hand or ""), line.player, line.wager, show(line.stake), show(line.net, sign=True),
                line.outcome, ", ".join(line.clauses),
            )  # fmt: skip


def to_plain(amount: Money) -> Money:
    """The same amount without an exponent or trailing zeros: what JSON shows of it."""
    return Money(show(amount))
