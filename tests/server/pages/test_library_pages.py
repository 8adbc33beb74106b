"""The library in the browser: from a book to a clause, from a search to a game, and lessons step by step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import LAPTOP, PHONE, ThreadedFloor, Visitors
from playwright.sync_api import Page, expect

from pitboss.server.lab import lab_desk
from pitboss.server.library.lesson_shelf import load_lessons, open_lesson

expect.set_options(timeout=45_000)
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
LESSON = next(lesson.id for lesson in load_lessons().values() if lesson.topic == "Splitting")


@pytest.fixture(scope="module", autouse=True)
def eager() -> Iterator[None]:
    """The lab gives way to nobody here: other tests are no tables."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lab_desk, "QUICK_NICENESS", "0")
        patch.setattr(lab_desk, "SLOW_NICENESS", "0")
        yield


def open_library(floor: ThreadedFloor, visitors: Visitors, path: str, **how: object) -> Page:
    page = visitors.come(floor.address, token=floor.enter(f"book-{len(visitors.contexts)}-{id(visitors)}"), **how)  # type: ignore[arg-type]
    page.goto(path)
    page.wait_for_selector("h1")
    return page


def test_a_clause_is_found_by_its_book_and_leads_on(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_library(quick_floor, visitors, "/library")
    page.get_by_role("link", name="Resorts World Sentosa Blackjack Game Rules").click()
    page.get_by_label("Find").fill("3.6/2")
    page.get_by_role("link", name="3.6/2").click()
    expect(page.locator("h1")).to_have_text("Clause 3.6/2")
    expect(page.get_by_text("Where it lies in the code")).to_be_visible()
    expect(page.get_by_text("None of the last rounds turned on it.")).to_be_visible()
    page.locator("[rel=next]").click()
    expect(page.locator("h1")).not_to_have_text("Clause 3.6/2")


def test_a_search_leads_to_games_clauses_and_lessons(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    page = open_library(quick_floor, visitors, "/library")
    page.get_by_role("searchbox", name="Search books, games, rules and lessons").fill("crown pontoon")
    page.keyboard.press("Enter")
    page.locator(".clauses").get_by_role("link", name="Crown Pontoon", exact=True).click()
    expect(page.locator("h1")).to_have_text("Crown Pontoon")
    expect(page.locator(".felt-words")).to_contain_text("Pontoon pays 3 to 2")
    expect(page.get_by_text("House edge 0.3527 % with best play")).to_be_visible()
    page.get_by_role("link", name="Edge and chart in the lab").click()
    expect(page.locator(".lab-view [data-figure=edge] .big")).to_have_text("0.3527 %")


def test_a_lesson_is_stepped_through_with_keys(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    lesson = open_lesson(LESSON)
    page = open_library(quick_floor, visitors, f"/library/lesson/{LESSON}")
    expect(page.locator("h1")).to_have_text(lesson.line.title)
    expect(page.locator(".stepper")).to_contain_text(f"Step 1 of {len(lesson.steps)}")
    page.keyboard.press("End")
    expect(page.locator(".stepper")).to_contain_text(f"Step {len(lesson.steps)} of {len(lesson.steps)}")
    expect(page.locator(".told")).to_contain_text(lesson.steps[-1].told[0].text)
    expect(page.locator(".lesson-felt pb-card")).to_have_count(
        len(lesson.steps[-1].dealer) + sum(len(hand.cards) for box in lesson.steps[-1].boxes for hand in box.hands)
    )
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(page.locator(".stepper")).to_contain_text("Step 1 of")
    page.locator(".log button").nth(2).click()
    expect(page.locator(".stepper")).to_contain_text("Step 3 of")


@pytest.mark.parametrize(("theme", "size"), [("night", LAPTOP), ("pale", PHONE)], ids=["laptop", "phone"])
def test_every_page_fits_and_can_be_read_by_everybody(
    theme: str, size: tuple[int, int], quick_floor: ThreadedFloor, visitors: Visitors
) -> None:
    page = open_library(quick_floor, visitors, "/library", theme=theme, size=size)
    for path in (
        "", "/book/rws", "/clause/melbourne/7.5.6(a)", "/game/melbourne/pontoon", "/lessons", f"/lesson/{LESSON}",
        "/search?q=split",
    ):  # fmt: skip
        page.goto(f"/library{path}")
        page.wait_for_selector("h1")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        found = Axe().run(page, options=RULES).response["violations"]
        faults = [f"{fault['id']}: {node['html'][:120]}" for fault in found for node in fault["nodes"]]
        assert not faults, path


def test_what_the_library_does_not_have_is_said_in_one_line(quick_floor: ThreadedFloor, visitors: Visitors) -> None:
    visitors.expected = ("404",)
    page = open_library(quick_floor, visitors, "/library/clause/melbourne/99.99")
    expect(page.locator("h1")).to_have_text("The library does not have this")
    expect(page.locator(".wrong")).to_contain_text("no clause '99.99'")
