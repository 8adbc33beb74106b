"""The lab in the browser: cards by click and key, rules switched, work begun and stopped, links that hold it all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import LAPTOP, PHONE, ThreadedFloor, Visitors
from playwright.sync_api import Page, expect

from pitboss.records import read, replay
from pitboss.server.lab import lab_desk
from pitboss.server.lab.lab_desk import LabDesk
from pitboss.server.lab.lab_questions import LabQuestion, PlaySome

PATIENCE_MS = 45_000
"""The first answer of a process takes longest, and longer on a machine that has other things to do."""
expect.set_options(timeout=PATIENCE_MS)
BOARD = "/lab?game=melbourne/blackjack&box=9s+7h&up=Td"
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}


@pytest.fixture(scope="module", autouse=True)
def eager() -> Iterator[None]:
    """The lab gives way to nobody here: other tests are no tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_desk, "QUICK_NICENESS", "0")
        patch.setattr(lab_desk, "SLOW_NICENESS", "0")
        yield


def list_faults(page: Page) -> list[str]:
    """What axe finds wrong with a page, in a line each."""
    found = Axe().run(page, options=RULES)
    return [f"{fault['id']}: {node['html'][:120]}" for fault in found.response["violations"] for node in fault["nodes"]]


def fits(page: Page) -> bool:
    """Nothing sticks out of the window sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def open_lab(floor: ThreadedFloor, visitors: Visitors, path: str, **how: object) -> Page:
    page = visitors.come(floor.address, token=floor.enter(f"lab-{len(visitors.contexts)}-{id(visitors)}"), **how)  # type: ignore[arg-type]
    page.goto(path)
    return page


def test_a_link_to_rules_that_the_book_forbids_says_why_and_leads_back(
    quick_floor: ThreadedFloor, visitors: Visitors
) -> None:
    visitors.expected = ("400",)
    page = open_lab(quick_floor, visitors, "/lab?game=perth/blackjack&o.decks=6")
    expect(page.locator(".lab-headline .wrong")).to_contain_text("decks cannot be 6")
    page.get_by_role("button", name="All by the book").click()
    expect(page.locator(".lab-headline dl")).to_be_visible()
    assert "o.decks" not in page.url


def test_cards_are_set_by_click_and_valued_at_once(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_lab(quick_floor, visitors, "/lab")
    page.locator("[data-card='Ts']").click()
    expect(page.locator(".lab-values h2")).to_have_text("Give the dealer a card.")
    page.locator("[data-card='6h']").click()
    page.locator("[data-card='Td']").click()
    expect(page.locator(".lab-values h2")).to_have_text("Box 1: 16 against a ten.")
    expect(page.locator(".lab-actions tr.best")).to_contain_text("Hit")
    assert parse_qs(urlsplit(page.url).query)["box"] == ["Ts 6h"]
    page.get_by_text("actions are not open here").click()
    expect(page.locator(".lab-values details li").first).to_contain_text("7.5")
    page.get_by_role("button", name="6 of hearts: take it off").or_(
        page.get_by_label("six of hearts: take it off")
    ).click()
    page.locator("[data-card='Tc']").click()
    expect(page.locator(".lab-values h2")).to_have_text("Box 1: 20 against a ten.")
    shared = visitors.come(quick_floor.address, token=quick_floor.enter("reader"))
    shared.goto(page.url)
    expect(shared.locator(".lab-values h2")).to_have_text("Box 1: 20 against a ten.")


def test_the_board_works_with_keys_alone_and_plays_a_split_on(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_lab(quick_floor, visitors, "/lab?game=melbourne/blackjack")
    expect(page.locator("[data-card='8s']")).to_be_visible()
    for key in "886":
        page.keyboard.press(key)
    expect(page.locator(".lab-values h2")).to_have_text("Box 1: 16 against a six.")
    page.locator("[data-play='1 split']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lab-values h2")).to_contain_text("gets a card")
    page.locator(".lab-values h2").click()
    page.keyboard.press("3")
    expect(page.locator(".lab-values h2")).to_have_text("Box 1, hand 1: 11 against a six.")
    expect(page.locator(".lab-actions tr.best")).to_contain_text("Double")
    page.keyboard.press("Backspace")
    expect(page.locator(".lab-values h2")).to_contain_text("Box 1")


def test_a_position_is_copied_as_a_record_that_replays(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_lab(quick_floor, visitors, BOARD, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as record").click()
    expect(page.locator("pb-toasts .toast")).to_contain_text("copied")
    record = page.evaluate("navigator.clipboard.readText()")
    assert not replay(read(record, "record")).differences
    assert "9s" in record


def test_charts_change_as_rules_are_switched(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_lab(quick_floor, visitors, "/lab?view=chart&game=perth/blackjack")
    edge = page.locator(".lab-view [data-figure=edge] .big")
    expect(edge).to_have_text("0.5882 %")
    expect(page.locator(".cell.changed")).to_have_count(0)
    page.get_by_text("Beyond the book").click()
    page.locator("[data-rule=double_totals]").select_option("any-below-21")
    expect(page.locator(".cell.changed").first).to_be_visible()
    expect(edge).not_to_have_text("0.5882 %")
    assert "c.double_totals=any-below-21" in page.url
    page.get_by_role("button", name="All by the book").click()
    expect(edge).to_have_text("0.5882 %")


def test_rules_are_priced_and_a_simulation_is_run_and_stopped(
    quick_floor: ThreadedFloor, visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = LabDesk.ask_slowly

    async def ask_and_wait_for_stop(desk: LabDesk, question: LabQuestion) -> Any:
        """However fast the machine is, the simulation goes on until it is stopped."""
        work = desk.find_work(question.run) if isinstance(question, PlaySome) else None
        while work is not None and work.done and work.state == "running":
            await asyncio.sleep(0.02)
        return await plain(desk, question)

    monkeypatch.setattr(LabDesk, "ask_slowly", ask_and_wait_for_stop)
    page = open_lab(quick_floor, visitors, "/lab?view=rules&game=melbourne/select")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator(".lab-progress")).to_contain_text("Done")
    expect(page.locator(".lab-values-table tbody tr").first).to_contain_text("%")
    page.get_by_role("link", name="Simulation").click()
    page.locator("[name=rounds]").select_option("50000000")
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("svg.picture").first).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".lab-progress")).to_contain_text(re.compile("Stopped at [0-9,]+ of 50,000,000"))


def test_side_wagers_are_shown_with_meters_and_where_they_are_fair(
    quick_floor: ThreadedFloor, visitors: Visitors
) -> None:
    page = open_lab(quick_floor, visitors, "/lab?view=sides&game=melbourne/blackjack")
    expect(page.locator("[data-wager=perfect-pairs]")).to_contain_text("4.0964 %")
    wager = page.locator("[data-wager=blackjack-jackpots]")
    expect(wager).to_contain_text("110,560.62")
    wager.locator("input").fill("200000")
    wager.locator("input").press("Enter")
    expect(page.locator("[data-wager=blackjack-jackpots]")).to_contain_text("favours the player")
    assert "m.blackjack-jackpots" in page.url


@pytest.mark.parametrize(("theme", "size"), [("night", LAPTOP), ("pale", PHONE)], ids=["laptop", "phone"])
def test_every_view_fits_and_can_be_read_by_everybody(
    theme: str, size: tuple[int, int], quick_floor: ThreadedFloor, visitors: Visitors
) -> None:
    page = open_lab(quick_floor, visitors, BOARD, theme=theme, size=size)
    waited = {
        "board": ".lab-actions", "chart": ".chart", "rules": ".lab-view h2", "sides": "[data-wager]", "run": "form",
        "games": "fieldset",
    }  # fmt: skip
    for view, shown in waited.items():
        page.goto(f"{BOARD}&view={view}")
        page.wait_for_selector(shown, timeout=PATIENCE_MS)
        page.wait_for_selector(".lab-headline .big", timeout=PATIENCE_MS)
        assert fits(page), view
        assert not list_faults(page), view
