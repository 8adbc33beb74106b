"""Codes that change every half minute: when they are good, and that they are good once."""

from __future__ import annotations

from pitboss.floor import house_messages as hm
from pitboss.floor.house import decide_house
from pitboss.floor.house_state import HouseGranted, HouseState
from pitboss.floor.second_factor import STEP_MS, compute_code, find_step
from pitboss.table import Refusal
from pitboss.table.messages.askers import HOUSE, Asker

SECRET = b"12345678901234567890"
ANN = Asker("player", "ann")


def enrol(at_ms: int) -> HouseState:
    house = HouseState()
    for by, command in (
        (HOUSE, hm.AddPerson(name="ann", kind=hm.PersonKind.MEMBER, password_hash="#")),
        (ANN, hm.OfferFactor(name="ann", secret=SECRET)),
        (ANN, hm.ConfirmFactor(name="ann", code=compute_code(SECRET, at_ms // STEP_MS), recovery=("a", "b"))),
    ):
        answer = decide_house(house, command, by, at_ms)
        assert isinstance(answer, HouseGranted), answer
        house = answer.house
    return house


def use(house: HouseState, step: int, at_ms: int) -> HouseGranted | Refusal:
    return decide_house(house, hm.UseFactor(name="ann", code=compute_code(SECRET, step)), HOUSE, at_ms)


def test_a_code_is_good_for_its_half_minute_and_those_beside_it_once() -> None:
    start = 100 * STEP_MS
    house, step = enrol(start), 110
    for late, good in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
        at_ms = (step + late) * STEP_MS + 1
        assert isinstance(use(house, step, at_ms), HouseGranted) is good, late
    used = use(house, step, step * STEP_MS)
    assert isinstance(used, HouseGranted)
    for again in (step, step - 1):
        refused = use(used.house, again, step * STEP_MS + 5)
        assert isinstance(refused, Refusal), "neither the same code nor one of before it"
        assert "was used" in refused.reason
    assert isinstance(use(used.house, step + 1, (step + 1) * STEP_MS), HouseGranted)


def test_the_code_that_confirms_a_factor_lets_nobody_in() -> None:
    start = 100 * STEP_MS
    assert isinstance(use(enrol(start), 100, start + 1), Refusal)


def test_a_clock_that_is_put_back_makes_no_old_code_good() -> None:
    used = use(enrol(100 * STEP_MS), 110, 110 * STEP_MS)
    assert isinstance(used, HouseGranted)
    assert isinstance(use(used.house, 105, 105 * STEP_MS), Refusal)
    assert find_step(SECRET, compute_code(SECRET, 105), 105 * STEP_MS, 110) is None


def test_a_recovery_code_is_good_once() -> None:
    house = enrol(100 * STEP_MS)
    first = decide_house(house, hm.UseRecovery(name="ann", code_hash="a"), HOUSE, 101 * STEP_MS)
    assert isinstance(first, HouseGranted)
    again = decide_house(first.house, hm.UseRecovery(name="ann", code_hash="a"), HOUSE, 102 * STEP_MS)
    assert isinstance(again, Refusal)
    assert isinstance(
        decide_house(first.house, hm.UseRecovery(name="ann", code_hash="b"), HOUSE, 102 * STEP_MS), HouseGranted
    )
