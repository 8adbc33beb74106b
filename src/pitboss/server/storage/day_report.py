"""The report of a day: what every account, table or player opened with, what came and went, what they closed with.

A line is one account in one unit, or all accounts of one table or of one player; what moves between those is not in it.
What came and went is split by where it came from or went to (`from_float`,
`to_layout`), so that a table's win and a player's loss can be read off; opening, plus what came, less what went, is the
closing. A day runs from midnight to midnight in UTC.
"""

from __future__ import annotations

import csv
import datetime
import enum
import io
from collections.abc import Iterable

import msgspec
import sqlalchemy as sa

from pitboss.floor.ledger import from_grains
from pitboss.money import Money, show
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.store import Store

DAY_MS = 24 * 60 * 60 * 1000
KINDS = ("cage", "wallet", "purse", "layout", "held", "float", "meter", "tray", "manager", "jackpot", "owed")
"""What an account is, before the colon of its name."""


class ReportBy(enum.StrEnum):
    """What a line of a report is about."""

    ACCOUNT = "account"
    TABLE = "table"
    """The float, the layout and the meters of a table."""
    PLAYER = "player"
    """The wallet of a player, their chips at tables, and what is held back for them."""


OF_TABLES = ("float", "layout", "meter")
OF_PLAYERS = ("wallet", "purse", "held", "manager")


class DayLine(msgspec.Struct, frozen=True):
    """One account, table or player on one day."""

    kind: str
    owner: str
    unit: str
    opening: Money
    came: dict[str, Money]
    """By the kind of account it came from."""
    went: dict[str, Money]
    """By the kind of account it went to."""
    closing: Money


def report_day(store: Store, day: datetime.date, by: ReportBy = ReportBy.ACCOUNT) -> list[DayLine]:
    """A line for everything that had something or moved something by the end of the day."""
    midnight = datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC)
    began = int(midnight.timestamp()) * 1000
    opening: dict[_Subject, int] = {}
    came: dict[_Subject, dict[str, int]] = {}
    went: dict[_Subject, dict[str, int]] = {}
    for debit, credit, unit, amount, today in _read_moves(store, began):
        giver, taker = _find_subject(debit, unit, by), _find_subject(credit, unit, by)
        if giver == taker:
            continue
        for subject, moved, sums, other in ((giver, -amount, went, credit), (taker, amount, came, debit)):
            if subject is None:
                continue
            if today:
                _add(sums.setdefault(subject, {}), _kind_of(other), amount)
            else:
                opening[subject] = opening.get(subject, 0) + moved
    lines = []
    for subject in sorted({*opening, *came, *went}):
        start, into, out = opening.get(subject, 0), came.get(subject, {}), went.get(subject, {})
        closing = start + sum(into.values()) - sum(out.values())
        lines.append(
            DayLine(*subject, from_grains(start), _in_money(into), _in_money(out), from_grains(closing))
        )  # fmt: skip
    return lines


_Subject = tuple[str, str, str]
"""Kind, owner and unit."""


def _find_subject(account: str, unit: str, by: ReportBy) -> _Subject | None:
    """Whose line an account belongs to; none if it has no line in this report."""
    kind, _, owner = account.partition(":")
    if by is ReportBy.ACCOUNT:
        return kind, owner, unit
    table, _, name = owner.partition("/")
    if by is ReportBy.TABLE:
        return (by.value, table, unit) if kind in OF_TABLES else None
    return (by.value, name if kind in ("purse", "held") else owner, unit) if kind in OF_PLAYERS else None


def _read_moves(store: Store, began: int) -> Iterable[tuple[str, str, str, int, bool]]:
    """What moved between each two accounts, before the day and on it."""
    moved, log = schema.transfer, schema.log
    today = (log.c.at_ms >= began).label("today")
    query = (
        sa.select(moved.c.debit, moved.c.credit, moved.c.unit, sa.func.sum(moved.c.amount), today)
        .join(log, sa.and_(log.c.stream == moved.c.stream, log.c.seq == moved.c.seq))
        .where(log.c.at_ms < began + DAY_MS)
        .group_by(moved.c.debit, moved.c.credit, moved.c.unit, today)
    )
    try:
        with store.reader.connect() as connection:
            for debit, credit, unit, amount, on_day in connection.execute(query):
                yield debit, credit, unit, int(amount), bool(on_day)
    except sa.exc.SQLAlchemyError as error:
        raise StoreError(f"the database cannot be read: {str(error).splitlines()[0]}") from None


def _kind_of(account: str) -> str:
    return account.partition(":")[0]


def _add(sums: dict[str, int], kind: str, amount: int) -> None:
    sums[kind] = sums.get(kind, 0) + amount


def _in_money(sums: dict[str, int]) -> dict[str, Money]:
    return {kind: from_grains(amount) for kind, amount in sorted(sums.items())}


def flatten_lines(lines: Iterable[DayLine]) -> list[dict[str, str]]:
    """The report as rows of text with the same columns, amounts as exact decimals."""
    rows = []
    for line in lines:
        row = {"kind": line.kind, "owner": line.owner, "unit": line.unit, "opening": show(line.opening)}
        for kind in KINDS:
            row[f"from_{kind}"] = show(line.came.get(kind, Money(0)))
        for kind in KINDS:
            row[f"to_{kind}"] = show(line.went.get(kind, Money(0)))
        row["closing"] = show(line.closing)
        rows.append(row)
    return rows


def write_csv(rows: list[dict[str, str]]) -> str:
    """The rows as CSV."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()
