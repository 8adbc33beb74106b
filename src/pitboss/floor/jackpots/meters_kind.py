"""Jackpot systems as a kind of stream: `meters NAME`."""

from __future__ import annotations

from pitboss.floor.jackpots import meter_messages as mm
from pitboss.floor.jackpots.meter_state import JackpotState, fold_meters
from pitboss.floor.jackpots.meter_systems import decide_meters
from pitboss.floor.jackpots.meter_words import describe_meters, list_meter_duties, show_meters, tell_meters
from pitboss.floor.jackpots.table_outcomes import WORD, hear_outcomes, tell_tables
from pitboss.floor.records.kind import Kind, map_tags


def _begin(name: str, book: str) -> JackpotState:
    return JackpotState(name=name, book=book)


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
    list_duties=list_meter_duties,
    hear_table=hear_outcomes,
    ask_tables=tell_tables,
)
