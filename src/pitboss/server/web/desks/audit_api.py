"""What an inspector looks up over HTTP: rounds, their time lines, money by account, the chain and its seals, shoes.

Everybody may look back at a round that is over and prove a shoe that was retired; the rest is for the staff of the
whole floor.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.params import FromPath, FromQuery, QueryParameter

from pitboss.errors import PitbossError
from pitboss.floor.desks.round_steps import SteppedRound, describe_steps
from pitboss.floor.house import HOUSE_ROLES
from pitboss.floor.ledger import Unit, from_grains, purse, to_grains
from pitboss.money import Money, parse_money
from pitboss.server.round_recall import ShoeLine, list_shoes, read_played_rows, read_shoe_file
from pitboss.server.storage.lookups import FoundRound, RoundWish, StoredTransfer
from pitboss.server.storage.rows import FLOOR
from pitboss.server.web.services import REFUSALS, Services, check_table, find_services, find_visitor, limit_rate
from pitboss.table.shoe_proof import ShoeFile

MOST_FOUND = 200
MOST_CHAIN_ROWS = 200
MOST_STEP_ROWS = 2_000
MOST_SHOES = 100
MOST_MS = 2**53 - 1
LONGEST_WORD = 60
LOOKS_PER_MINUTE = 600
"""Rounds and shoes that all who are not staff of the floor may look back at."""


class AccountLine(msgspec.Struct):
    """An account and what is in it."""

    name: str
    unit: str
    balance: Money


class TransferLine(msgspec.Struct):
    """Money that moved, and by which clauses."""

    stream: str
    seq: int
    at_ms: int
    debit: str
    credit: str
    unit: str
    amount: Money
    clauses: list[str]


class ChainRow(msgspec.Struct):
    """A row of a log as the chain of hashes has it: the digest is that of everything else."""

    seq: int
    at_ms: int
    role: str
    actor: str
    command_id: str | None
    sealed: bool
    body: str
    """As it is stored, encrypted where it is sealed; in base 64."""
    previous: str
    digest: str


class SealLine(msgspec.Struct):
    """A seal over the heads of all logs."""

    number: int
    at_ms: int
    heads: str
    """As the seal holds them: the digest is that of this very text."""
    previous: str
    digest: str


async def _require_inspector(request: Request[Any, Any, Any]) -> Services:
    visitor = await find_visitor(request)
    if not any(visitor.may_act_as(role) for role in HOUSE_ROLES):
        raise HTTPException(f"this is for {', '.join(HOUSE_ROLES)}", status_code=403)
    return find_services(request.app.state)


# ---------------------------------------------------------------------- rounds


@get("/api/rounds", summary="Look for rounds (administrator, inspector, surveillance)", responses=REFUSALS)
async def search_rounds(
    request: Request[Any, Any, Any], table: FromQuery[str] = "", player: FromQuery[str] = "",
    clause: FromQuery[str] = "", least: FromQuery[str] = "", most: FromQuery[str] = "",
    number: Annotated[int | None, QueryParameter(ge=1, le=MOST_MS)] = None,
    before: Annotated[int | None, QueryParameter(ge=1, le=MOST_MS)] = None,
    from_ms: Annotated[int, QueryParameter(ge=0, le=MOST_MS)] = 0,
    until_ms: Annotated[int, QueryParameter(ge=0, le=MOST_MS)] = MOST_MS,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_FOUND)] = 50,
) -> list[FoundRound]:  # fmt: skip
    """The newest first. A clause or an amount is one by which money moved in the round."""
    services = await _require_inspector(request)
    if table:
        check_table(services, table)
    names = [table] if table else _list_tables(services)
    wish = RoundWish(
        number=number, before=before, from_ms=from_ms, until_ms=until_ms, clause=clause[:LONGEST_WORD],
        least=_read_amount(least), most=_read_amount(most) if most else None,
    )  # fmt: skip

    def search() -> list[FoundRound]:
        found: list[FoundRound] = []
        for name in names:
            account = purse(name, player[:LONGEST_WORD]) if player else ""
            own = msgspec.structs.replace(wish, account=account)
            found += services.store.search_rounds(name, own, limit)
        return sorted(found, key=lambda row: (-row.ended_ms, row.stream, -row.number))[:limit]

    return await asyncio.to_thread(search)


def _list_tables(services: Services) -> list[str]:
    desk = services.desk
    return sorted(name for name in {*desk.slots, *desk.elsewhere} if desk.is_table(name))


def _read_amount(text: str) -> int:
    if not text:
        return 0
    try:
        return to_grains(parse_money(text[:LONGEST_WORD]))
    except (PitbossError, ValueError, ArithmeticError):
        raise HTTPException("an amount of money is a number such as 37.50", status_code=400) from None


@get(
    "/api/tables/{name:str}/rounds/{number:int}/timeline", summary="A round that is over, event by event",
    responses=REFUSALS,
)  # fmt: skip
async def read_timeline(name: FromPath[str], number: FromPath[int], state: State) -> SteppedRound:
    """The table as everybody saw it, and what was said, after each event."""
    services = find_services(state)
    limit_rate(services, "timeline", LOOKS_PER_MINUTE)
    check_table(services, name)
    row = None if not 0 < number <= MOST_MS else await asyncio.to_thread(services.store.read_round, name, number)
    if row is None:
        raise HTTPException(f"table {name} has no round {number} that is over", status_code=404)
    last = min(row.last_seq, row.first_seq + MOST_STEP_ROWS)
    store, vault = services.store, services.desk.vault

    def read() -> SteppedRound:
        return describe_steps(list(read_played_rows(store, vault, name, row.first_seq, last)))

    return await asyncio.to_thread(read)


@get(
    "/api/tables/{name:str}/rounds/{number:int}/money",
    summary="The money of a round (administrator, inspector, surveillance)", responses=REFUSALS,
)  # fmt: skip
async def read_round_money(
    name: FromPath[str], number: FromPath[int], request: Request[Any, Any, Any]
) -> list[TransferLine]:
    services = await _require_inspector(request)
    check_table(services, name)
    row = None if not 0 < number <= MOST_MS else await asyncio.to_thread(services.store.read_round, name, number)
    if row is None:
        raise HTTPException(f"table {name} has no round {number} that is over", status_code=404)
    moved = await asyncio.to_thread(services.store.list_transfers_between, name, row.first_seq, row.last_seq)
    return [_describe_transfer(line) for line in moved]


# ---------------------------------------------------------------------- money


@get("/api/accounts", summary="Accounts by name (administrator, inspector, surveillance)", responses=REFUSALS)
async def list_accounts_by_name(
    request: Request[Any, Any, Any], part: FromQuery[str] = "",
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_FOUND)] = 100,
) -> list[AccountLine]:  # fmt: skip
    """Wallets, purses at tables, layouts, floats, meters, what is held back, the cage."""
    services = await _require_inspector(request)
    rows = await asyncio.to_thread(services.store.list_accounts, part[:LONGEST_WORD], limit)
    return [AccountLine(name, unit, from_grains(balance)) for name, unit, balance in rows]


@get(
    "/api/transfers", summary="The last transfers of an account (administrator, inspector, surveillance)",
    responses=REFUSALS,
)  # fmt: skip
async def list_account_transfers(
    request: Request[Any, Any, Any], account: FromQuery[str] = "", unit: FromQuery[Unit] = Unit.CHIP,
    until_ms: Annotated[int, QueryParameter(ge=0, le=MOST_MS)] = MOST_MS,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_FOUND)] = 100,
) -> list[TransferLine]:  # fmt: skip
    """The newest first."""
    services = await _require_inspector(request)
    rows = await asyncio.to_thread(
        services.store.list_transfers, account[: 2 * LONGEST_WORD], unit.value, until_ms, limit
    )
    return [_describe_transfer(row) for row in rows]


def _describe_transfer(row: StoredTransfer) -> TransferLine:
    return TransferLine(
        row.stream, row.seq, row.at_ms, row.debit, row.credit, row.unit, from_grains(row.amount), row.clauses.split()
    )


# ---------------------------------------------------------------------- chain and seals


@get("/api/seals", summary="Seals over all logs (administrator, inspector, surveillance)", responses=REFUSALS)
async def list_floor_seals(
    request: Request[Any, Any, Any],
    before: Annotated[int | None, QueryParameter(ge=1, le=MOST_MS)] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_FOUND)] = 50,
) -> list[SealLine]:  # fmt: skip
    """The newest first. The digest of a seal is SHA-256 over the digest before, its number and time, and its heads."""
    services = await _require_inspector(request)
    rows = await asyncio.to_thread(services.store.list_seals, before, limit)
    return [SealLine(row.number, row.at_ms, row.heads, row.previous.hex(), row.digest.hex()) for row in rows]


@get("/api/chain", summary="Rows of a log as its chain has them (administrator, inspector, surveillance)",
     responses=REFUSALS)  # fmt: skip
async def read_chain(
    request: Request[Any, Any, Any], stream: FromQuery[str] = FLOOR,
    after: Annotated[int, QueryParameter(ge=0, le=MOST_MS)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_CHAIN_ROWS)] = 100,
) -> list[ChainRow]:  # fmt: skip
    """In order. The digest of a row is SHA-256 over the digest before, what the row says of itself, and its body."""
    services = await _require_inspector(request)
    if stream != FLOOR:
        check_table(services, stream)
    rows = await asyncio.to_thread(lambda: list(services.store.read_log(stream, after, after + limit)))
    return [
        ChainRow(
            row.seq, row.at_ms, row.role, row.actor, row.command_id, row.sealed, base64.b64encode(row.body).decode(),
            row.previous.hex(), row.digest.hex(),
        )
        for row in rows
    ]  # fmt: skip


# ---------------------------------------------------------------------- shoes


@get("/api/tables/{name:str}/shoes", summary="The last shoes of a table", responses=REFUSALS)
async def list_table_shoes(
    name: FromPath[str], state: State, last: Annotated[int, QueryParameter(ge=1, le=MOST_SHOES)] = 20
) -> list[ShoeLine]:
    """The newest first. Shoes that a person deals have no commitment and are not among them."""
    services = find_services(state)
    limit_rate(services, "shoe", LOOKS_PER_MINUTE)
    check_table(services, name)
    return await asyncio.to_thread(list_shoes, services.store, services.desk.vault, name, last)


@get("/api/tables/{name:str}/shoes/{number:int}", summary="The proof of a shoe that was retired", responses=REFUSALS)
async def read_table_shoe(name: FromPath[str], number: FromPath[int], state: State) -> ShoeFile:
    """Seed, salt, cut and every card that left the shoe; while it is in play its seed is nobody's business."""
    services = find_services(state)
    limit_rate(services, "shoe", LOOKS_PER_MINUTE)
    check_table(services, name)
    if not 0 < number <= MOST_MS:
        raise HTTPException(f"table {name} has no shoe {number}", status_code=404)
    file = await asyncio.to_thread(read_shoe_file, services.store, services.desk.vault, name, number)
    if file is None:
        raise HTTPException(f"shoe {number} of table {name} is in play, or there is none", status_code=404)
    return file


AUDIT_HANDLERS: tuple[Any, ...] = (
    search_rounds, read_timeline, read_round_money, list_accounts_by_name, list_account_transfers, list_floor_seals,
    read_chain, list_table_shoes, read_table_shoe,
)  # fmt: skip
