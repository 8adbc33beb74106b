"""What a tournament moves in the ledger: fees and prizes in chips of the house, stacks in chips of its own.

A table's decisions are posted as at any table, under the tournament's own accounts: what a player has is their stack,
and what the dealer pays from is the inventory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pitboss.floor.ledger import (
    Transfer,
    Unit,
    chip_inventory,
    float_of,
    hold_for,
    prize_pool,
    purse,
    stack_of,
    to_grains,
    tournament_layout,
)
from pitboss.floor.postings import Staked, post_decision
from pitboss.floor.tournaments.tournament_state import TournamentPhase, TournamentState
from pitboss.money import ZERO, Money
from pitboss.table.state import State


def post_table(
    tournament: str, table: str, before: State, staked: Staked, after: State, now_staked: Staked
) -> tuple[Transfer, ...]:
    """The transfers of tournament chips that lead from one state of a table to the next."""
    posted = post_decision(table, before, staked, after, now_staked)
    return tuple([_rename(tournament, table, moved) for moved in posted if moved.unit is Unit.CHIP])


def _rename(tournament: str, table: str, moved: Transfer) -> Transfer:
    return Transfer(
        _name_account(tournament, table, moved.debit), _name_account(tournament, table, moved.credit),
        moved.amount, Unit.TOURNAMENT, moved.clauses,
    )  # fmt: skip


def _name_account(tournament: str, table: str, account: str) -> str:
    for head in (purse(table, ""), hold_for(table, "")):
        if account.startswith(head):
            return stack_of(tournament, account[len(head) :])
    return chip_inventory(tournament) if account == float_of(table) else tournament_layout(tournament, table)


def move_stack(tournament: str, key: str, change: Money | int, clauses: tuple[str, ...] = ()) -> tuple[Transfer, ...]:
    """Chips from the inventory to a stack, or back; an amount, or grains."""
    grains = change if isinstance(change, int) else to_grains(change)
    own, inventory = stack_of(tournament, key), chip_inventory(tournament)
    if grains > 0:
        return (Transfer(inventory, own, grains, Unit.TOURNAMENT, clauses),)
    return (Transfer(own, inventory, -grains, Unit.TOURNAMENT, clauses),) if grains < 0 else ()


def stacks_after(tournament: str, stacks: Mapping[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    """The stacks once these transfers are made, in grains by entry."""
    found = dict(stacks)
    head = stack_of(tournament, "")
    for moved in transfers:
        if moved.unit is Unit.TOURNAMENT:
            if moved.credit.startswith(head):
                found[moved.credit[len(head) :]] = found.get(moved.credit[len(head) :], 0) + moved.amount
            if moved.debit.startswith(head):
                found[moved.debit[len(head) :]] = found.get(moved.debit[len(head) :], 0) - moved.amount
    return found


def list_tournament_holdings(state: TournamentState) -> Iterator[tuple[str, Unit, int]]:
    """What the prize pool holds, and where every tournament chip is: the inventory is short of what is out."""
    if state.phase is TournamentPhase.NEW:
        return
    yield prize_pool(state.name), Unit.CHIP, state.pool
    for key, grains in state.stacks.items():
        yield stack_of(state.name, key), Unit.TOURNAMENT, grains
    out = sum(state.stacks.values())
    for name in dict.fromkeys((*state.tables, *state.in_play)):
        table = state.in_play.get(name)
        staked = 0 if table is None else to_grains(sum(table.staked.chips.values(), ZERO))
        yield tournament_layout(state.name, name), Unit.TOURNAMENT, staked
        out += staked
    yield chip_inventory(state.name), Unit.TOURNAMENT, -out
