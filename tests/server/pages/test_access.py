"""Pages for everybody: axe-core finds nothing on lobby, table and round, in both themes and on a telephone."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import LAPTOP, PHONE, ThreadedFloor, Visitors
from browser_play import answer, bet, call_deal, play_out, read_public, sit_down, wait_for_phase
from playwright.sync_api import Page

from pitboss.floor.live_table import Clocks, TableKind
from pitboss.server.serving import TableWish

CALM = Clocks(betting_ms=600_000, decision_ms=600_000, offers_ms=600_000, pause_ms=600_000)


@pytest.fixture(scope="module")
def school(make_floor: Any) -> ThreadedFloor:
    """A table for each look at it."""
    names = [f"{theme}-{size}" for theme in ("night", "pale") for size in ("laptop", "phone")]
    wishes = [TableWish(name, "melbourne/pontoon", TableKind.PRACTICE) for name in names]
    floor: ThreadedFloor = make_floor(*wishes, clocks=CALM)
    return floor


def list_faults(page: Page) -> list[str]:
    """What axe-core finds wrong: the rule, how grave it is, and where."""
    found = Axe().run(page)
    return [
        f"{fault['id']} ({fault['impact']}): {'; '.join(str(node['target']) for node in fault['nodes'][:4])}"
        for fault in found.response["violations"]
    ]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("theme", ["night", "pale"])
def test_lobby_table_and_round_have_no_barrier(
    theme: str, size: tuple[int, int], school: ThreadedFloor, visitors: Visitors
) -> None:
    name = f"{theme}-{'laptop' if size == LAPTOP else 'phone'}"
    page = visitors.come(school.address, token=school.enter(f"ann-{name}"), theme=theme, size=size)
    page.goto("/")
    page.wait_for_selector("pb-table-card")
    assert not list_faults(page)
    page.click("pb-shell .who button")
    page.wait_for_selector("dialog")
    assert not list_faults(page)
    page.keyboard.press("Escape")
    sit_down(page, name)
    bet(page, "1", "2")
    assert not list_faults(page)
    call_deal(page)
    assert not list_faults(page)
    play_out(page)
    assert not list_faults(page)
    number = read_public(page, "round")
    answer(page, "Space")
    wait_for_phase(page, "betting")
    page.goto(f"/round/{name}/{number}")
    page.wait_for_selector(".steps li")
    page.click(".editor summary")
    assert not list_faults(page)
