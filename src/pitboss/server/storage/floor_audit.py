"""The audit of a stored floor: everything that can be derived again is derived again and compared.

Streams are audited one by one, on as many cores as there are; here is what lies across them: balances against
transfers, seals against chains, commitments that two shoes share, sessions, and the file of the database itself. A
finding names the table of the database and the row.
"""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any

import msgspec

from pitboss.floor.ledger import NEVER_NEGATIVE
from pitboss.server.inspection.program_files import digest_files, read_program_files
from pitboss.server.storage import database_schema as schema
from pitboss.server.storage.audit_reader import AuditReader, Standing, UnreadableRow
from pitboss.server.storage.database import StoreError
from pitboss.server.storage.rows import FLOOR, seal_digest
from pitboss.server.storage.session_rows import SessionRow, is_proven
from pitboss.server.storage.stream_audit import StreamAudit, audit_stream
from pitboss.server.storage.vault import Vault

NOT_AUDITED = ("lease", "process", "drill")
"""Tables that say who serves what now, and how far somebody has come with drills: nothing that has happened depends on
them."""
YOUNG_OBJECTS = 100_000
"""How many new objects the collector lets be before it looks for cycles: states are trees that need none."""
TELL_EVERY_S = 0.5
"""How often somebody who waits is told how far the audit is."""


class FloorAudit(msgspec.Struct):
    """What was found on a floor."""

    streams: int
    rows: int
    rounds: int
    shoes: int
    seals: int
    found: list[str]

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return not self.found


def audit_floor(
    address: str, key: bytes, *, workers: int = 1, progress: Callable[[int, int], None] = lambda done, whole: None
) -> FloorAudit:
    """Audit the floor in a database with its key; `progress` hears how many of its decisions are done."""
    reader = AuditReader(address)
    try:
        found = reader.check_file()
        try:
            standing = reader.find_standing()
        except StoreError as error:
            return FloorAudit(0, 0, 0, 0, 0, [*found, str(error)])
        found += _check_versions(standing.versions)
        code = digest_files(read_program_files())
        jobs = [(address, key, stream, head, code) for stream, head in standing.heads.items()]
        jobs.sort(key=lambda job: -job[3])
        parts = _run_jobs(jobs, workers, progress)
        parts.sort(key=lambda part: part.stream)
        for part in parts:
            found += part.found
        found += _check_balances(standing, parts)
        found += _check_commitments(parts)
        found += _check_orders(parts)
        found += _check_news(parts)
        seals, wrong = _check_seals(reader, standing)
        found += wrong
        found += standing.strays
        found += _check_sessions(standing, Vault(key))
    finally:
        reader.close()
    return FloorAudit(
        len(parts), sum(part.rows for part in parts), sum(part.rounds for part in parts),
        sum(part.shoes for part in parts), seals, found,
    )  # fmt: skip


# ---------------------------------------------------------------------- on all cores

Job = tuple[str, bytes, str, int, str]


def _run_jobs(jobs: list[Job], workers: int, progress: Callable[[int, int], None]) -> list[StreamAudit]:
    """Audit the streams, the longest first; somebody may watch how far it is."""
    whole = sum(job[3] for job in jobs)
    if workers <= 1 or len(jobs) <= 1:
        done = 0

        def count(rows: int) -> None:
            nonlocal done
            done += rows
            progress(done, whole)

        return [audit_stream(*job, count) for job in jobs]
    counted = multiprocessing.Value("q", 0)
    with ProcessPoolExecutor(workers, initializer=_Worker.begin, initargs=(counted,)) as pool:
        waiting: set[Future[StreamAudit]] = {pool.submit(_Worker.audit, job) for job in jobs}
        parts: list[StreamAudit] = []
        while waiting:
            ended, waiting = wait(waiting, TELL_EVERY_S, FIRST_COMPLETED)
            parts += [future.result() for future in ended]
            progress(counted.value, whole)
    return parts


class _Worker:
    """One of several processes, and the counter that it shares with the others."""

    counted: Any = None

    @classmethod
    def begin(cls, counted: Any) -> None:
        cls.counted = counted
        gc.set_threshold(YOUNG_OBJECTS)

    @classmethod
    def audit(cls, job: Job) -> StreamAudit:
        return audit_stream(*job, cls.count)

    @classmethod
    def count(cls, rows: int) -> None:
        with cls.counted.get_lock():
            cls.counted.value += rows


# ---------------------------------------------------------------------- across streams


def _check_versions(versions: list[Any]) -> Iterator[str]:
    """The schema has come to its version step by step, and this program knows it."""
    for number, version in enumerate(sorted(versions, key=str), 1):
        if version != number or number > schema.VERSION:
            yield f"schema_version row {version}: is not version {number} of {schema.VERSION}"


def _check_balances(standing: Standing, parts: list[StreamAudit]) -> Iterator[str]:
    """Balances are the sums of transfers, nobody is below zero, and everything comes to zero."""
    wanted: dict[tuple[str, str], int] = {}
    for part in parts:
        for account, change in part.moved.items():
            wanted[account] = wanted.get(account, 0) + change
    for part in parts:
        for (name, unit), grains in part.holdings.items():
            if wanted.get((name, unit), 0) != grains:
                yield f"account {name} ({unit}): does not hold what {part.stream} says"
    sums: dict[str, int] = {}
    for name, unit, guarded, balance in standing.accounts:
        where = f"account {name} ({unit})"
        if (name, unit) not in wanted:
            yield f"{where}: nothing was ever moved there"
        elif wanted.pop((name, unit)) != balance:
            yield f"{where}: the balance is not the sum of its transfers"
        if not isinstance(balance, int):
            continue
        if guarded != int(str(name).startswith(NEVER_NEGATIVE)):
            yield f"{where}: the guard against a balance below zero is wrong"
        if balance < 0 and str(name).startswith(NEVER_NEGATIVE):
            yield f"{where}: the balance is below zero"
        sums[unit] = sums.get(unit, 0) + balance
    for name, unit in wanted:
        yield f"account {name} ({unit}): is missing"
    if any(sums.values()):
        yield "account: all accounts together do not come to zero"
    for unit in standing.uneven:
        yield f"unit_total {unit}: is not zero"


def _check_commitments(parts: list[StreamAudit]) -> Iterator[str]:
    """A shoe belongs to one table: no two share a commitment."""
    owners: dict[str, str] = {}
    for part in parts:
        for commitment in part.commitments:
            if commitment in owners:
                yield f"log {part.stream}: a shoe has the commitment of a shoe of {owners[commitment]}"
            owners[commitment] = part.stream


def _check_orders(parts: list[StreamAudit]) -> Iterator[str]:
    """No table has heard an order that the floor has not given."""
    given = next((part.orders for part in parts if part.stream == FLOOR), 0)
    for part in parts:
        if part.orders > given:
            yield f"log {part.stream}: has heard order {part.orders}, and the floor has given {given}"


def _check_news(parts: list[StreamAudit]) -> Iterator[str]:
    """The floor has heard no news that a table does not have, and all that a table has told."""
    heard = next((part.news for part in parts if part.stream == FLOOR), {})
    counted = {part.stream: part.news[part.stream] for part in parts if part.stream != FLOOR and part.news}
    for part in parts:
        if part.told > heard.get(part.stream, 0):
            yield f"log {part.stream}: has told news {part.told}, and the floor has heard {heard.get(part.stream, 0)}"
    for table, number in heard.items():
        if number > counted.get(table, 0):
            yield f"log {FLOOR}: has heard news {number} of {table}, which has {counted.get(table, 0)}"


def _check_sessions(standing: Standing, vault: Vault) -> Iterator[str]:
    """Every session is as the floor has written it."""
    for values in standing.sessions:
        session = SessionRow(*values)
        if not isinstance(session.proof, str) or not is_proven(session, vault):
            yield f"session {str(session.token_hash)[:12]}: its proof is wrong"


# ---------------------------------------------------------------------- seals


def _check_seals(reader: AuditReader, standing: Standing) -> tuple[int, list[str]]:
    """Every seal follows from the one before it, and every row that it names is as it was sealed."""
    found: list[str] = []
    count, previous = 0, bytes(32)
    sealed: dict[str, tuple[int, str]] = {}
    try:
        for seal in reader.read(schema.seal, ("number",), until=standing.seals):
            count += 1
            wrong = _check_seal(seal, count, previous) or [
                f"{stream} row {seq} is not what was sealed"
                for stream, seq in _list_broken(reader, seal.heads, sealed)
            ]  # fmt: skip
            found += [f"seal row {seal.number}: {what}" for what in wrong]
            previous = seal.digest
    except UnreadableRow as error:
        found.append(f"seal row {count + 1}: {error}")
    return count, found


def _check_seal(seal: Any, number: int, previous: bytes) -> list[str]:
    try:
        digest = seal_digest(seal.number, seal.at_ms, seal.heads, seal.previous)
    except (TypeError, AttributeError, ValueError):
        return ["is no seal"]
    if seal.number != number or seal.previous != previous:
        return ["does not follow from the seal before it"]
    return [] if digest == seal.digest else ["its digest is wrong"]


def _list_broken(reader: AuditReader, heads: str, sealed: dict[str, tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """The rows that a seal names and that are not there as it says; what the seal before said is known already."""
    for stream, head in msgspec.json.decode(heads, type=dict[str, tuple[int, str]]).items():
        before = sealed.get(stream, (0, ""))
        if head == before:
            continue
        sealed[stream] = head
        row = reader.find_digest(stream, head[0])
        if head[0] < before[0] or row is None or row.hex() != head[1]:
            yield stream, head[0]
