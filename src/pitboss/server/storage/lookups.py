"""What people look up in the database: rounds by what is in them, accounts and their transfers, the chain, drills.

Nothing here is needed for play. Answers are bounded: a page of rows, and the number from which to go on.
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa

from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.database import Database
from pitboss.server.storage.rows import LogRow


class RoundWish(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody who looks for a round knows of it."""

    number: int | None = None
    before: int | None = None
    """Rounds of this number and above are left out."""
    from_ms: int = 0
    until_ms: int = 2**53
    account: str = ""
    """Money went into it or came out of it."""
    clause: str = ""
    """Money moved by this clause."""
    least: int = 0
    """At least so many grains moved at once."""
    most: int | None = None


class FoundRound(msgspec.Struct, frozen=True):
    """A round that is stored, without what was decided from it."""

    stream: str
    number: int
    revision: int
    first_seq: int
    last_seq: int
    began_ms: int
    ended_ms: int


class StoredTransfer(msgspec.Struct, frozen=True):
    """Money that moved, as it is stored."""

    stream: str
    seq: int
    n: int
    at_ms: int
    debit: str
    credit: str
    unit: str
    amount: int
    clauses: str


class DrillProgress(msgspec.Struct, frozen=True):
    """How far somebody has come with a topic."""

    topic: str
    asked: int
    correct: int
    in_a_row: int
    last_ms: int


class RecallBook(Database):
    """Looks rounds, money and the chain up."""

    def search_rounds(self, stream: str, wish: RoundWish, limit: int) -> list[FoundRound]:
        """The last rounds of a table that are as wished, the newest first, as they were put right last."""
        kept, log, moved = schema.round_table, schema.log, schema.transfer
        first, end, newer = log.alias(), log.alias(), kept.alias()
        query = (
            sa.select(
                kept.c.stream, kept.c.number, kept.c.revision, kept.c.first_seq, kept.c.last_seq,
                first.c.at_ms.label("began_ms"), end.c.at_ms.label("ended_ms"),
            )
            .join(first, sa.and_(first.c.stream == kept.c.stream, first.c.seq == kept.c.first_seq))
            .join(end, sa.and_(end.c.stream == kept.c.stream, end.c.seq == kept.c.last_seq))
            .where(kept.c.stream == stream, end.c.at_ms >= wish.from_ms, first.c.at_ms <= wish.until_ms)
            .where(
                ~sa.exists().where(
                    newer.c.stream == kept.c.stream, newer.c.number == kept.c.number,
                    newer.c.revision > kept.c.revision,
                )
            )
        )  # fmt: skip
        if wish.number is not None:
            query = query.where(kept.c.number == wish.number)
        if wish.before is not None:
            query = query.where(kept.c.number < wish.before)
        if wish.account or wish.clause or wish.least or wish.most is not None:
            within = [
                moved.c.stream == kept.c.stream, moved.c.seq >= kept.c.first_seq, moved.c.seq <= kept.c.last_seq,
                moved.c.amount >= wish.least,
            ]  # fmt: skip
            if wish.most is not None:
                within.append(moved.c.amount <= wish.most)
            if wish.account:
                within.append(sa.or_(moved.c.debit == wish.account, moved.c.credit == wish.account))
            if wish.clause:
                padded = sa.literal(" ") + moved.c.clauses + sa.literal(" ")
                within.append(padded.contains(f" {wish.clause} ", autoescape=True))
            query = query.where(sa.exists().where(*within))
        with self._reading() as connection:
            rows = connection.execute(query.order_by(kept.c.number.desc()).limit(limit)).all()
        return [FoundRound(**row._mapping) for row in rows]

    def list_accounts(self, part: str, limit: int) -> list[tuple[str, str, int]]:
        """Accounts whose names hold a text: name, unit and balance, in grains."""
        account = schema.account
        query = sa.select(account.c.name, account.c.unit, account.c.balance)
        if part:
            query = query.where(account.c.name.contains(part, autoescape=True))
        with self._reading() as connection:
            rows = connection.execute(query.order_by(account.c.name, account.c.unit).limit(limit)).all()
        return [(row.name, row.unit, row.balance) for row in rows]

    def list_transfers(
        self, account: str, unit: str, until_ms: int, limit: int
    ) -> list[StoredTransfer]:  # fmt: skip
        """The last transfers into and out of an account, the newest first."""
        moved, log = schema.transfer, schema.log
        query = (
            sa.select(
                moved.c.stream, moved.c.seq, moved.c.n, log.c.at_ms, moved.c.debit, moved.c.credit, moved.c.unit,
                moved.c.amount, moved.c.clauses,
            )
            .join(log, sa.and_(log.c.stream == moved.c.stream, log.c.seq == moved.c.seq))
            .where(sa.or_(moved.c.debit == account, moved.c.credit == account), moved.c.unit == unit)
            .where(log.c.at_ms <= until_ms)
        )  # fmt: skip
        query = query.order_by(log.c.at_ms.desc(), moved.c.stream, moved.c.seq.desc(), moved.c.n.desc()).limit(limit)
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [StoredTransfer(**row._mapping) for row in rows]

    def list_transfers_between(self, stream: str, first: int, last: int) -> list[StoredTransfer]:
        """What moved in rows of a stream, in order."""
        moved, log = schema.transfer, schema.log
        query = (
            sa.select(
                moved.c.stream, moved.c.seq, moved.c.n, log.c.at_ms, moved.c.debit, moved.c.credit, moved.c.unit,
                moved.c.amount, moved.c.clauses,
            )
            .join(log, sa.and_(log.c.stream == moved.c.stream, log.c.seq == moved.c.seq))
            .where(moved.c.stream == stream, moved.c.seq >= first, moved.c.seq <= last)
            .order_by(moved.c.seq, moved.c.n)
        )  # fmt: skip
        with self._reading() as connection:
            rows = connection.execute(query).all()
        return [StoredTransfer(**row._mapping) for row in rows]

    def list_sealed_rows(self, stream: str, before: int | None, limit: int) -> list[LogRow]:
        """The last encrypted rows of a stream, the newest first: a shuffle is in such a row."""
        log = schema.log
        query = sa.select(log).where(log.c.stream == stream, log.c.sealed == 1)
        if before is not None:
            query = query.where(log.c.seq < before)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(log.c.seq.desc()).limit(limit)).all()
        return [LogRow(**{**row._mapping, "sealed": bool(row.sealed)}) for row in rows]

    def list_seals(self, before: int | None, limit: int) -> list[Any]:
        """The last seals, the newest first."""
        query = sa.select(schema.seal)
        if before is not None:
            query = query.where(schema.seal.c.number < before)
        with self._reading() as connection:
            return list(connection.execute(query.order_by(schema.seal.c.number.desc()).limit(limit)))


class DrillBook(Database):
    """Keeps how far people have come with drills."""

    def list_progress(self, person: str) -> list[DrillProgress]:
        """How far somebody has come, by topic."""
        drill = schema.drill
        query = sa.select(drill.c.topic, drill.c.asked, drill.c.correct, drill.c.in_a_row, drill.c.last_ms)
        with self._reading() as connection:
            rows = connection.execute(query.where(drill.c.person == person).order_by(drill.c.topic)).all()
        return [DrillProgress(**row._mapping) for row in rows]

    def note_drill(self, person: str, topic: str, correct: bool, at_ms: int) -> DrillProgress:
        """Somebody has answered a question."""
        drill = schema.drill
        own = sa.and_(drill.c.person == person, drill.c.topic == topic)
        with self._writing() as connection:
            row = connection.execute(sa.select(drill).where(own).with_for_update()).first()
            before = DrillProgress(topic, 0, 0, 0, 0)
            if row is not None:
                before = DrillProgress(topic, row.asked, row.correct, row.in_a_row, row.last_ms)
            after = DrillProgress(
                topic, before.asked + 1, before.correct + correct, before.in_a_row + 1 if correct else 0, at_ms
            )
            values = msgspec.structs.asdict(after)
            if row is None:
                connection.execute(drill.insert().values(person=person, **values))
            else:
                connection.execute(drill.update().where(own).values(**values))
        return after
