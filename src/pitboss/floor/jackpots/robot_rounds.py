"""Rounds that robots play at the member tables of meter systems: what happens to the meters as time goes on.

Everybody who has bought in at a member table places a main wager and every jackpot wager there, the house machine
deals, and the clock decides hands. Chips that run out are bought in the same way as before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec

from pitboss.errors import PitbossError
from pitboss.floor import house_messages as hm
from pitboss.floor import live_table as lt
from pitboss.floor.dealing_machine import list_machine_moves
from pitboss.floor.jackpots.meter_state import JackpotState, MeterSystem
from pitboss.floor.ledger import from_grains
from pitboss.floor.records.house_kind import FLOOR
from pitboss.floor.records.replay import FloorPlayer
from pitboss.floor.records.table_kind import TABLE
from pitboss.money import ZERO, Money
from pitboss.table import Phase
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

STEP_MS = 21_000
"""Longer than any clock of a table runs: what waits for a clock goes on."""
MOST_STEPS = 2_000
"""A round that takes more is not getting anywhere."""
FEW_ROUNDS = 50
"""For how many rounds somebody buys in."""


class PlayedRobotRound(msgspec.Struct, frozen=True):
    """A round at a member table, and what the meters of its systems showed after it."""

    number: int
    table: str
    at_ms: int
    values: dict[str, dict[str, Money]]
    prizes: dict[str, Money]
    """What was won from meters, by meter."""


def play_robot_rounds(floor: FloorPlayer, rounds: int, seed: int) -> Iterator[PlayedRobotRound]:
    """So many rounds at every member table in turn; the chance of the cards comes from the seed."""
    chance = _Chance(seed)
    tables = [name for name, live in floor.tables.items() if live.links]
    if not tables:
        raise PitbossError(f"{floor.record.file}: no table is in a meter system when its last step is done")
    for number in range(1, rounds + 1):
        for table in tables:
            before = _count_prizes(floor)
            _play_round(floor, table, chance)
            if problems := [*floor.list_disagreements(), *floor.differences]:
                raise PitbossError(f"{floor.record.file}: round {number} at {table}: {problems[0]}")
            after = _count_prizes(floor)
            won = {name: prizes - before.get(name, ZERO) for name, prizes in after.items()}
            yield PlayedRobotRound(
                number, table, floor.at_ms, _read_values(floor, table), {name: it for name, it in won.items() if it}
            )


class _Chance:
    """Thirty-two bytes at a time, from a seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.taken = 0

    def take(self) -> bytes:
        self.taken += 1
        return hashlib.sha256(f"robots {self.seed}:{self.taken}".encode()).digest()


def _list_systems(floor: FloorPlayer) -> Iterator[MeterSystem]:
    for state in floor.streams.values():
        if isinstance(state, JackpotState):
            yield from state.systems.values()


def _read_values(floor: FloorPlayer, table: str) -> dict[str, dict[str, Money]]:
    return {
        system.name: {name: shown.value for name, shown in system.meters.items()}
        for system in _list_systems(floor)
        if table in system.tables
    }


def _count_prizes(floor: FloorPlayer) -> dict[str, Money]:
    found: dict[str, Money] = {}
    for system in _list_systems(floor):
        for name, shown in system.meters.items():
            found[name] = found.get(name, ZERO) + shown.prizes
    return found


def _play_round(floor: FloorPlayer, table: str, chance: _Chance) -> None:
    """One round: wagers, and then whatever machine and clock make of it."""
    stream = f"{TABLE} {table}"
    if not floor.tables[table].purses:
        raise PitbossError(f"{floor.record.file}: nobody is at {table} when its last step is done: give it players")
    _go_on(floor, table, chance, until_betting=True)
    first = floor.tables[table].table.round
    for box, player in enumerate(sorted(floor.tables[table].purses), 1):
        _place_wagers(floor, stream, table, str(box), player)
    if not floor.tables[table].table.bets:
        raise PitbossError(f"{floor.record.file}: nobody at {table} can place a wager")
    for player in list(floor.tables[table].purses):
        floor.ask(stream, lt.CallReady(player=player), Asker(PLAYER, player))
    _go_on(floor, table, chance, until_betting=False)
    assert floor.tables[table].table.round == first, "the round was played, and only that one"


def _place_wagers(floor: FloorPlayer, stream: str, table: str, box: str, player: str) -> None:
    live = floor.tables[table]
    by = Asker(PLAYER, player)
    stake = live.table.limits.minimum or Money(1)
    jackpots = sum((link.price for link in live.links), ZERO)
    if from_grains(live.purses[player]) < (stake + jackpots) * 4:  # a hand may be split and doubled
        chips = (stake + jackpots) * 4 * FEW_ROUNDS
        floor.ask(FLOOR, hm.IssueChips(name=player, amount=chips, reason="robots play on"), HOUSE)
        floor.ask(stream, lt.BuyIn(player=player, amount=chips), by)
    if floor.ask(stream, cmd.PlaceBet(box=box, player=player, amount=stake), by) is not None:
        return
    for link in live.links:
        held = from_grains(floor.tables[table].managers.get(player, 0))
        if link.managed and held < link.price:
            floor.ask(stream, lt.LoadManager(player=player, amount=link.price), by)
        floor.ask(stream, cmd.PlaceBet(box=box, player=player, amount=link.price, wager=link.wager), by)


def _go_on(floor: FloorPlayer, table: str, chance: _Chance, *, until_betting: bool) -> None:
    """Let the machine do what it can, and the clock run where it waits."""
    why = ""
    for _ in range(MOST_STEPS):
        live = floor.tables[table]
        state = live.table
        if until_betting and state.phase is Phase.BETTING and state.shoe.undealt and not state.shoe.asked:
            return
        if not until_betting and state.phase is Phase.SETTLED:
            return
        for move in list_machine_moves(live, floor.at_ms, chance.take):
            refusal = floor.ask(f"{TABLE} {table}", move.command, move.by)
            if refusal is None:
                break
            why = f": {refusal.why}"
        else:
            floor.at_ms += STEP_MS
    raise PitbossError(f"{floor.record.file}: the round at {table} does not come to its end{why}")
