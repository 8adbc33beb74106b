"""Jackpot systems as a kind of stream: `meters NAME`."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.jackpots.meter_state import JackpotState, fold_meters
from pitboss.floor.jackpots.meter_systems import decide_meters
from pitboss.floor.jackpots.meter_words import describe_meters, list_meter_duties, show_meters, tell_meters
from pitboss.floor.jackpots.table_outcomes import WORD, hear_outcomes, tell_tables
from pitboss.floor.ledger import Unit, jackpot_of, name_debt, to_grains
from pitboss.floor.records.kind import Kind, map_tags
from pitboss.money import ZERO
from pitboss.table.messages.askers import PLAYER, Asker


def _begin(name: str, book: str) -> JackpotState:
    return JackpotState(name=name, book=book)


FOR_STAFF = (mm.OutcomeHeard, mm.EarlierRead)
"""What names players and what they won, or who has looked something up."""


def _is_told(state: JackpotState, event: mm.MeterEvent, by: Asker) -> bool:
    """Signs, prices, members, draws and the health of the equipment are told to everybody."""
    return by.role != PLAYER or not isinstance(event, FOR_STAFF)


def _list_holdings(state: JackpotState) -> Iterator[tuple[str, Unit, int]]:
    """What the meters of every system show, and what closed ones owe."""
    for system in state.systems.values():
        for name, shown in system.meters.items():
            yield jackpot_of(system.name, name), Unit.CHIP, to_grains(shown.value)
            yield name_debt(system.name, name), Unit.CHIP, to_grains(system.owed.get(name, ZERO))


METERS_KIND = Kind(
    word=WORD,
    commands=map_tags(mm.COMMANDS),
    begin=_begin,
    decide=decide_meters,
    evolve=fold_meters,
    narrate=tell_meters,
    describe=describe_meters,
    events=mm.EVENTS,
    state=JackpotState,
    show=show_meters,
    is_told=_is_told,
    list_duties=list_meter_duties,
    hear_table=hear_outcomes,
    ask_tables=tell_tables,
    list_holdings=_list_holdings,
)
