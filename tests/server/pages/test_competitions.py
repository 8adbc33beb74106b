"""The pages of competitions: a tournament played to its prizes, a promotion drawn and checked, jackpots on the wall."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import LAPTOP, PHONE, ThreadedFloor, Visitors
from floor_server import Served
from playwright.sync_api import Page, Route, expect

from pitboss.floor import house_messages as hm
from pitboss.floor.jackpots.box_draws import draw_box, seal_series
from pitboss.money import Money
from pitboss.server.client import Client, call
from pitboss.server.serving import TableWish
from pitboss.table.messages.askers import HOUSE

RECORDS = Path(__file__).parents[2] / "records" / "floor"
HOUR_MS = 3_600_000
STAFF = (
    ("gil", "gaming-manager", "star"), ("tom", "tournament-manager", "star"), ("olga", "casino-operator", "star"),
    ("sue", "scrutineer", "star"), ("alma", "authority", "star"), ("acm", "assistant-casino-manager", "melbourne"),
    ("mia", "area-manager", "melbourne"),
)  # fmt: skip
TABLES = (
    TableWish("b1", "star/blackjack"),
    TableWish("b2", "star/blackjack"),
    TableWish("m1", "melbourne/blackjack"),
)


PLAYERS = ("ann", "bob", "cat")


class Hall:
    """A floor with the people who run competitions, and those who play in them."""

    def __init__(self, floor: ThreadedFloor) -> None:
        self.floor = floor

        async def let_in(served: Served) -> None:
            must = served.floor.reception.must
            for name, role, book in (*STAFF, *((name, "", "") for name in PLAYERS)):
                await must(HOUSE, hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#"))
                if role:
                    await must(HOUSE, hm.GiveRole(name=name, role=role, book=book, reason="hired"))
                else:
                    await must(HOUSE, hm.IssueChips(name=name, amount=Money(500)))

        floor.run(let_in)

    def enter(self, name: str) -> str:
        """The token of a new session."""

        async def come_in(served: Served) -> str:
            return await served.floor.reception.begin_session(name)

        return self.floor.run(come_in)

    def come(self, visitors: Visitors, name: str, path: str, **options: Any) -> Page:
        """A page of somebody who has just signed in."""
        page = visitors.come(self.floor.address, token=self.enter(name), **options)
        page.goto(path)
        page.wait_for_selector("h1")
        return page

    def ask(
        self, name: str, kind: str, stream: str, command: dict[str, Any], role: str = "player", book: str = ""
    ) -> int:
        """Somebody asks for something without a page."""

        async def do(served: Served) -> int:
            return await client.ask_stream(kind, stream, command, role=role, book=book)

        client = Client(self.floor.address, self.enter(name), name)
        return self.floor.run(do)

    def pass_time(self, ms: int) -> None:
        """The clock of the floor goes on at once, and whatever runs by it is stored."""

        async def go(served: Served) -> None:
            desk = served.floor.desk
            served.floor.clock.start_at(served.floor.clock() + ms)
            desk.run_clocks()
            while desk.line or desk.away:
                await asyncio.sleep(0)

        self.floor.run(go)

    def now_ms(self) -> int:
        async def read(served: Served) -> int:
            return served.floor.clock()

        return self.floor.run(read)


@pytest.fixture(scope="module")
def hall(make_floor: Callable[..., ThreadedFloor]) -> Hall:
    return Hall(make_floor(*TABLES))


def write_promotion(now_ms: int) -> str:
    """The terms of a promotion that opens after the day for which they must be lodged before."""
    text = (RECORDS / "promotions" / "autumn.promotion.toml").read_text()
    for line, hours in (("opens", 26), ("closes", 28), ("draws", 29)):
        stamp = time.strftime("%Y-%m-%dT%H:00:00", time.gmtime(now_ms / 1000 + hours * 3_600))
        old = next(row for row in text.splitlines() if row.startswith(f"{line} ="))
        text = text.replace(old, f"{line} = {stamp}")
    return text


def give(page: Page, order: str, /, **fields: str) -> None:
    """Whoever is seen as staff chooses an order, fills it in and gives it."""
    page.get_by_label("Order", exact=True).select_option(order)
    page.get_by_role("button", name="Prepare").click()
    fill_in(page, **fields)


def fill_in(page: Page, /, **fields: str) -> None:
    dialog = page.locator("dialog")
    for field, text in fields.items():
        dialog.locator(f"[name='{field}']").fill(text)
    dialog.locator("form button.main").click()
    dialog.wait_for(state="detached")


def look(hall: Hall, kind: str, name: str) -> dict[str, Any]:
    """What a stream shows to everybody."""

    async def read(served: Served) -> dict[str, Any]:
        found: dict[str, Any] = (await call(served.address, "GET", f"/api/streams/{kind}/{name}"))[0]["shown"]
        return found

    return hall.floor.run(read)


def test_a_tournament_is_played_from_its_terms_to_its_prizes(hall: Hall, visitors: Visitors) -> None:
    gil = hall.come(visitors, "gil", "/competitions")
    gil.get_by_label("Name").fill("spring")
    gil.get_by_role("button", name="Continue with its terms").click()
    fill_in(gil, terms=(RECORDS / "tournaments" / "star.tournament.toml").read_text())
    expect(gil.locator("h1")).to_have_text("Spring tournament")
    gil.get_by_label("See as").select_option("gaming-manager")
    gil.get_by_label("Order", exact=True).wait_for()
    expect(gil.locator(".duties")).to_contain_text("the terms are published")
    give(gil, "name-manager", name="tom")
    give(gil, "publish")
    give(gil, "open-entries")
    ann = hall.come(visitors, "ann", "/competitions/tournament/spring")
    ann.get_by_role("button", name="Enter and accept the terms").click()
    fill_in(ann)
    hall.ask("bob", "tournament", "spring", {"type": "enter"})
    expect(ann.locator("tr[data-entry]")).to_have_count(2)
    tom = hall.come(visitors, "tom", "/competitions/tournament/spring")
    tom.get_by_label("See as").select_option("tournament-manager")
    tom.get_by_label("Order", exact=True).wait_for()
    give(tom, "designate-tables", tables="b1")
    for order in ("close-entries", "brief", "draw-seats", "start-session"):
        give(tom, order)
    expect(tom.locator("pb-told-history")).to_contain_text("20.")
    bob = hall.come(visitors, "bob", "/competitions/tournament/spring")
    while not look(hall, "tournament", "spring")["places"]:
        play_rounds(hall, ann, bob)
        give(tom, "announce")
    give(tom, "pay-prizes")
    expect(ann.locator(".places li").first).to_contain_text("60 % of the pool paid")
    shown = look(hall, "tournament", "spring")
    assert sorted(shown["places"]) == ["ann", "bob"]
    assert shown["pool"] == "0"


def act(page: Page) -> None:
    """Whoever's turn it is stands, or draws where they must."""
    for move in ("Stand", "Hit"):
        button = page.get_by_role("button", name=move, exact=True)
        if button.is_visible():
            cards = page.locator(".seat.mine pb-card")
            before = cards.count()
            button.click()
            if move == "Hit":
                expect(cards).not_to_have_count(before)
            else:
                expect(button).to_be_hidden()
            return


def play_rounds(hall: Hall, *pages: Page) -> None:
    """Everybody wagers the minimum and stands, by their own page, until the table has played its rounds."""
    for _ in range(120):
        shown = look(hall, "tournament", "spring")
        table = next(iter(shown["tables"].values()), None)
        if table is None or table["counted"]:
            return
        waits = set(table["waits_for"])
        for page, name in zip(pages, ("ann", "bob"), strict=True):
            if table["phase"] == "betting" and name in waits:
                page.get_by_label("Wager in tournament chips").fill("100" if name == "ann" else "105")
                page.get_by_role("button", name="Place the wager").click()
                expect(page.locator(".seat.mine")).to_contain_text("stakes")
            elif table["phase"] == "turns":
                act(page)
        if look(hall, "tournament", "spring") == shown:
            hall.pass_time(4_000)
    raise AssertionError("the tables never came to their end")


def test_a_promotion_is_entered_drawn_checked_and_claimed(hall: Hall, visitors: Visitors) -> None:
    terms = {"type": "lodge", "terms": write_promotion(hall.now_ms())}
    hall.ask("olga", "promotion", "autumn", terms, "casino-operator", "star")
    hall.pass_time(26 * HOUR_MS)
    ann = hall.come(visitors, "ann", "/competitions/promotion/autumn")
    expect(ann.locator("h1")).to_have_text("Autumn draw")
    ann.get_by_role("button", name="Enter", exact=True).click()
    fill_in(ann)
    expect(ann.locator("[data-own-entries]")).to_have_text("Yours: 1")
    hall.pass_time(3 * HOUR_MS)
    hall.ask("sue", "promotion", "autumn", {"type": "oversee"}, "scrutineer")
    olga = hall.come(visitors, "olga", "/competitions/promotion/autumn")
    olga.get_by_label("See as").select_option("casino-operator")
    olga.get_by_label("Order", exact=True).wait_for()
    give(olga, "draw")
    expect(olga.locator("tbody tr").first).to_contain_text("ann")
    ann = hall.come(visitors, "ann", "/competitions/promotion/autumn")
    ann.get_by_role("button", name="Check it here").click()
    expect(ann.locator(".proof output")).to_have_text("Seed and salt are those that were committed to.")
    ann.get_by_role("button", name="Claim", exact=True).first.click()
    fill_in(ann, address="1 High Street")
    expect(ann.get_by_text("Claim 1 of ann to prize 1")).to_be_visible()
    stranger = visitors.come(hall.floor.address)
    visitors.expected = ("401",)
    stranger.goto("/competitions/promotion/autumn")
    expect(stranger.locator("tbody tr").first).to_contain_text("Entry 1")
    assert "ann" not in stranger.locator("tbody").inner_text(), "the results are not published"


SHOW_SERIES = """async (series) => {
    const view = document.querySelector("pb-meters-view");
    view.show({ name: "draws", role: "player", shown: { systems: { lucky: {
        wager: "lucky-player", price: "5", open: true, tables: [], signs: {}, works: true, values: {}, seeds: {},
        rates: {}, commitment: "", revealed: [series] } } } });
    view.querySelector("details").open = true;
}"""


def test_draws_of_boxes_are_checked_one_by_one(hall: Hall, visitors: Visitors) -> None:
    """The browser picks every box again from the seed that was revealed."""
    opening = {
        "type": "open-system", "system": "draws", "wager": "blackjack-jackpots", "price": "5",
        "meters": {"blackjack-jackpots": {"seed": "100", "rate": "0.05"}},
    }  # fmt: skip
    hall.ask("acm", "meters", "draws", opening, "assistant-casino-manager", "melbourne")
    page = hall.come(visitors, "cat", "/competitions/meters/draws")
    page.locator("pb-meters-view h2").wait_for()
    sealed = seal_series(1, bytes(range(64)))
    boxes = ("1", "3", "4", "7")
    draws = [
        {"number": number, "table": "m1", "round": number, "pick": "lucky", "one_in": 2, "boxes": list(boxes),
         "box": draw_box(sealed.seed, number, 2, boxes)}
        for number in range(6)
    ]  # fmt: skip
    assert any(draw["box"] for draw in draws)
    series = {
        "series": 1, "commitment": sealed.commitment, "seed": sealed.seed.hex(), "salt": sealed.salt.hex(),
        "draws": draws,
    }  # fmt: skip
    page.evaluate(SHOW_SERIES, series)
    page.get_by_role("button", name="Check it here").click()
    expect(page.locator(".proof output")).to_contain_text("All 6 draws picked what the seed gives.")
    draws[2]["box"] = "3" if draws[2]["box"] != "3" else "4"
    page.evaluate(SHOW_SERIES, series)
    page.get_by_role("button", name="Check it here").click()
    expect(page.locator(".proof output")).to_contain_text("something else than the seed gives: 3.")


def test_prizes_that_wait_are_confirmed_where_their_meters_stand(hall: Hall, visitors: Visitors) -> None:
    """The page of a system offers the order of the desk; a prize that is gone meanwhile is refused with its reason."""
    opening = {
        "type": "open-system", "system": "waits", "wager": "blackjack-jackpots", "price": "5",
        "meters": {"blackjack-jackpots": {"seed": "100", "rate": "0.05"}},
    }  # fmt: skip
    hall.ask("acm", "meters", "waits", opening, "assistant-casino-manager", "melbourne")
    for command in (
        {"type": "put-sign", "about": "join", "system": "waits"},
        {"type": "join-table", "system": "waits"},
    ):
        hall.ask("acm", "meters", "waits", {**command, "table": "m1"}, "assistant-casino-manager")
        hall.pass_time(HOUR_MS)
    page = visitors.come(hall.floor.address, token=hall.enter("acm"))

    def add_prize(route: Route) -> None:
        answer = route.fetch()
        desk = answer.json()
        table = next(table for table in desk["tables"] if table["name"] == "m1")
        table["waits"].append({
            "kind": "prize", "urgency": "now", "text": "a prize of 5000 of ann on box 1 is to be confirmed",
            "order": "confirm-prize", "fields": {"box": "1", "outcome": "mystery"}, "clauses": ["21.4"],
            "until_ms": None,
        })  # fmt: skip
        route.fulfill(response=answer, json=desk)

    page.route("**/api/desk", add_prize)
    page.goto("/competitions/meters/waits")
    expect(page.locator(".prizes-waiting")).to_contain_text("a prize of 5000 of ann on box 1")
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.get_by_role("button", name="Show what it does").click()
    expect(page.locator("dialog .shown .wrong")).to_contain_text("waits to be confirmed")


def test_the_display_of_the_pit_shows_meters_as_they_change(hall: Hall, visitors: Visitors) -> None:
    opening = {
        "type": "open-system", "system": "bj1", "wager": "blackjack-jackpots", "price": "5",
        "meters": {"blackjack-jackpots": {"seed": "10000", "rate": "0.05"}}, "one_in": {"lucky": 60_000},
    }  # fmt: skip
    hall.ask("acm", "meters", "main", opening, "assistant-casino-manager", "melbourne")
    wall = hall.come(visitors, "cat", "/competitions/meters/main/display", size=(3840, 2160))
    expect(wall.locator(".jackpot-value")).to_have_text("$10,000.00")
    acm = hall.come(visitors, "acm", "/competitions/meters/main")
    acm.get_by_label("See as").select_option("assistant-casino-manager")
    acm.get_by_label("Order", exact=True).wait_for()
    give(acm, "reset-meter", system="bj1", meter="blackjack-jackpots", value="12000.5", reason="a promotion")
    expect(wall.locator(".jackpot-value")).to_have_text("$12,000.50")
    acm.get_by_label("Order", exact=True).select_option("reset-meter")
    acm.get_by_role("button", name="Prepare").click()
    for field, text in (("system", "bj1"), ("meter", "blackjack-jackpots"), ("value", "9000")):
        acm.locator(f"dialog [name='{field}']").fill(text)
    acm.locator("dialog form button.main").click()
    expect(acm.locator(".toast")).to_contain_text("21.")


PATHS = (
    "/competitions", "/competitions/tournament/summer", "/competitions/promotion/winter", "/competitions/meters/side",
    "/competitions/meters/side/display", "/competitions/tournament/nowhere",
)  # fmt: skip


@pytest.fixture(scope="module")
def busy_hall(hall: Hall) -> Hall:
    """With a tournament in play, a promotion whose terms are lodged, and a meter system."""
    terms = (RECORDS / "tournaments" / "star.tournament.toml").read_text()
    hall.ask("gil", "tournament", "summer", {"type": "lodge", "terms": terms}, "gaming-manager", "star")
    for command in ({"type": "name-manager", "name": "tom"}, {"type": "publish"}, {"type": "open-entries"}):
        hall.ask("gil", "tournament", "summer", command, "gaming-manager")
    for name in ("cat", "ann"):
        hall.ask(name, "tournament", "summer", {"type": "enter"})
    hall.ask("tom", "tournament", "summer", {"type": "designate-tables", "tables": ["b2"]}, "tournament-manager")
    for order in ("close-entries", "brief", "draw-seats", "start-session"):
        hall.ask("tom", "tournament", "summer", {"type": order}, "tournament-manager")
    lodged = {"type": "lodge", "terms": write_promotion(hall.now_ms())}
    hall.ask("olga", "promotion", "winter", lodged, "casino-operator", "star")
    opening = {
        "type": "open-system", "system": "side", "wager": "blackjack-jackpots", "price": "5",
        "meters": {"blackjack-jackpots": {"seed": "500", "rate": "0.05"}},
    }  # fmt: skip
    hall.ask("acm", "meters", "side", opening, "assistant-casino-manager", "melbourne")
    return hall


@pytest.mark.parametrize("theme", ["night", "pale"])
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_everybody_can_read_the_pages(busy_hall: Hall, visitors: Visitors, theme: str, size: tuple[int, int]) -> None:
    page = busy_hall.come(visitors, "cat", "/competitions", size=size, theme=theme)
    visitors.expected = ("404",)
    for path in PATHS:
        page.goto(path)
        page.wait_for_selector("h1")
        page.wait_for_load_state("networkidle")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{path}: {found.generate_report()}"
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{path} is {wide} px wider than the window"


@pytest.mark.parametrize("theme", ["night", "pale"])
def test_staff_can_read_what_they_may_order(busy_hall: Hall, visitors: Visitors, theme: str) -> None:
    page = busy_hall.come(visitors, "gil", "/competitions/tournament/summer", theme=theme)
    page.get_by_label("See as").select_option("gaming-manager")
    page.get_by_label("Order", exact=True).select_option("change-limits")
    page.get_by_role("button", name="Prepare").click()
    page.wait_for_selector("dialog input[name='minimum']")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def press_until(page: Page, condition: str) -> None:
    """Walk on with the Tab key until something has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(f"(element => Boolean({condition}))(document.activeElement)"):
            return
    raise AssertionError(f"nothing in the order of tabs is {condition}")


def test_a_player_takes_part_with_the_keyboard_alone(busy_hall: Hall, visitors: Visitors) -> None:
    page = busy_hall.come(visitors, "bob", "/competitions")
    page.get_by_role("link", name="Autumn draw").last.wait_for()
    press_until(page, "element.getAttribute('href') === '/competitions/promotion/winter'")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-do='give-terms']")
    press_until(page, "element.dataset.do === 'give-terms'")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog form")
    assert page.evaluate("document.activeElement.closest('dialog') !== null"), "the dialog has the focus"
    press_until(page, "element.type === 'submit'")
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="detached")
    expect(page.locator("pb-toasts")).to_contain_text("Done: Take the terms")
