"""The floor itself as a stream of floor records: people, roles, exclusions, notices, disputes, chips at the cage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pitboss.floor import house_messages as hm
from pitboss.floor.decided import Decided
from pitboss.floor.house import decide_house
from pitboss.floor.house_state import Exclusion, HouseState, fold_house
from pitboss.floor.ledger import from_grains, wallet
from pitboss.floor.records.house_words import tell_house
from pitboss.floor.records.kind import FloorNow, Kind, map_tags
from pitboss.table import Refusal
from pitboss.table.messages.askers import Asker

FLOOR = "floor"


def _begin(name: str, book: str) -> HouseState:
    return HouseState()


def _decide(
    house: HouseState, command: hm.HouseCommand, by: Asker, now: FloorNow
) -> Decided[hm.HouseEvent, HouseState] | Refusal:
    funds = now.funds(wallet(command.name)) if isinstance(command, hm.RedeemChips) else 0
    named = now.tables.get(getattr(command, "table", ""))
    answer = decide_house(house, command, by, now.at_ms, funds, None if named is None else hm.list_facts(named))
    return answer if isinstance(answer, Refusal) else Decided(answer.events, answer.house, answer.transfers)


def _evolve(house: HouseState, event: hm.HouseEvent, at_ms: int) -> HouseState:
    return fold_house(house, (event,), at_ms).house


def _describe(house: HouseState) -> Mapping[str, Any]:
    second = house.second_person
    return {
        "excluded": {
            name: [_tell_where(shut) for shut in person.exclusions]
            for name, person in house.people.items()
            if person.exclusions
        },
        "roles": {
            name: sorted(f"{role}@{book}" if book else role for role, book in person.roles)
            for name, person in house.people.items()
        },
        "orders": len(house.orders),
        "notices": {
            str(notice.number): "approved" if notice.approved else "read" if notice.received_by else "not read"
            for notice in house.notices.values()
        },
        "disputes": {
            str(dispute.number): {None: "open", True: "upheld", False: "dismissed"}[dispute.upheld]
            for dispute in house.disputes.values()
        },
        "second_person_above": None if second is None else from_grains(second.above),
        "entries_won": [won.player for won in house.entries_won],
    }


def _tell_where(shut: Exclusion) -> str:
    return "casino" if shut.casino else shut.table or shut.game


def _list_duties(house: HouseState, at_ms: int) -> Iterator[str]:
    for notice in house.notices.values():
        if not notice.received_by:
            yield f"the {notice.body} reads notice {notice.number}"
    for dispute in house.disputes.values():
        if dispute.upheld is None:
            yield f"the {dispute.who} decides dispute {dispute.number}"


HOUSE_KIND = Kind(
    word=FLOOR,
    commands=map_tags((hm.AddPerson, *hm.FLOOR_COMMANDS)),
    begin=_begin,
    decide=_decide,
    evolve=_evolve,
    narrate=tell_house,
    describe=_describe,
    list_duties=_list_duties,
)
