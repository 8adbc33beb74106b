"""A floor's own stream with its people: commands that it grants, and that it refuses."""

from __future__ import annotations

from pitboss.floor import house as ho
from pitboss.floor import house_messages as hm
from pitboss.floor import house_state as hs
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, Asker

ROOT = Asker("administrator", "root")
MIA = Asker("table-games-manager", "mia")
DAN = Asker("dealer", "dan")
IVY = Asker("inspector", "ivy")
STAFF = (
    ("root", "administrator", ""), ("mia", "table-games-manager", "perth"), ("mia", "gaming-manager", "star"),
    ("dan", "dealer", "perth"), ("ivy", "inspector", ""),
)  # fmt: skip

Step = tuple[hm.HouseCommand, Asker]


def member(name: str) -> Step:
    return hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#"), HOUSE


def guest(name: str) -> Step:
    return hm.AddPerson(name=name, kind=hm.PersonKind.GUEST), HOUSE


def list_staff() -> list[Step]:
    """Everybody of the house comes in and gets their roles."""
    people = [member(name) for name in dict.fromkeys(name for name, _, _ in STAFF)]
    return [*people, *((hm.GiveRole(name=name, role=role, book=book), HOUSE) for name, role, book in STAFF)]


def play(*steps: Step, house: hs.HouseState | None = None, at_ms: int = 1) -> hs.HouseGranted:
    """What follows from the last step; every row reads back as it was written."""
    granted = hs.HouseGranted((), house or hs.HouseState(), ())
    for command, by in steps if house is not None else [*list_staff(), *steps]:
        answer = ho.decide_house(granted.house, command, by, at_ms)
        assert not isinstance(answer, Refusal), answer
        row = hm.decode_house_row(hm.encode_house_row(answer.events))
        assert hs.fold_house(granted.house, row, at_ms) == answer
        granted = answer
    return granted


def refuse(house: hs.HouseState, command: hm.HouseCommand, by: Asker, funds: int = 0, at_ms: int = 1) -> str:
    answer = ho.decide_house(house, command, by, at_ms, funds)
    assert isinstance(answer, Refusal), answer
    return answer.why
