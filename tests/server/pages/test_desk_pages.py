"""The desks in a browser: a dealer keys a shoe, a supervisor voids, a drill is answered, an inspector proves a shoe."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_floor import LAPTOP, PHONE, ThreadedFloor, Visitors
from browser_play import wait_until
from floor_server import PASSWORD, Served, hire, play_to_a_decision, take_office
from playwright.sync_api import Page, expect

from pitboss.floor.live_table import TableKind
from pitboss.server.client import Client
from pitboss.server.serving import TableWish

STAFF = (
    *((name, (("dealer", "star"),)) for name in ("dan", "dot", "dee", "dov")),
    ("sue", (("casino-supervisor", "star"),)),
    ("gus", (("gaming-manager", "star"),)),
    ("mel", (("dealer", "melbourne"),)),
    ("ivy", (("inspector", ""),)),
)
INLINE = "Applying inline style"
"""What axe-core tries on a page, and the policy refuses."""
PERSONS = ("pit", "learn", "stop", "school", "late", "wrong")
ORDER = {"type": "place-bet", "amount": "25"}


class Pit:
    """A floor with people of the house, players, and pages that they open."""

    def __init__(self, floor: ThreadedFloor) -> None:
        self.floor = floor
        self.root = floor.run(self._take_office)

        async def hire_all(served: Served) -> None:
            for name, roles in STAFF:
                client = await hire(self.root, name, *roles)
                await client.close()

        floor.run(hire_all)
        self.ann: Client = self.floor.run(self._seat_ann)

    async def _take_office(self, served: Served) -> Client:
        while not any("token=" in line for line in served.said):
            await asyncio.sleep(0)
        return await take_office(served)

    async def _seat_ann(self, served: Served) -> Client:
        client = await Client.enter(served.address, "ann")
        for table in (*PERSONS, "crown"):
            await (await client.watch(table)).ask({"type": "buy-in", "amount": "140"})
        return client

    def come(self, visitors: Visitors, name: str, path: str, **options: Any) -> Page:
        token = self.floor.enter(name, "" if name.startswith("guest") else PASSWORD)
        page = visitors.come(self.floor.address, token=token, **options)
        page.goto(path)
        return page

    def ask(self, table: str, command: dict[str, Any]) -> None:
        async def tell(served: Served) -> None:
            await self.ann.ask(table, command)

        self.floor.run(tell)


@pytest.fixture(scope="module")
def pit(make_floor: Callable[..., ThreadedFloor]) -> Pit:
    return Pit(
        make_floor(
            TableWish("pit", "star/blackjack", TableKind.PERSON),
            *(TableWish(name, "star/blackjack", TableKind.PERSON) for name in PERSONS[1:]),
            TableWish("t", "star/blackjack"),
            TableWish("crown", "melbourne/pontoon", TableKind.PERSON),
        )
    )


def find_faults(page: Page) -> list[str]:
    """What axe-core finds on a page."""
    page.wait_for_timeout(0)
    found = Axe().run(page).response["violations"]
    return [f"{page.url} {item['id']}: {item['nodes'][0]['html'][:120]}" for item in found]


def wait_for_step(page: Page, part: str) -> None:
    page.locator("#next-step", has_text=part).wait_for()


def bring_shoe(page: Page) -> None:
    """Come on, and bring a shoe."""
    wait_for_step(page, "come on")
    page.keyboard.press("g")
    wait_for_step(page, "Bring a shoe")
    page.keyboard.press("g")
    wait_for_step(page, "Wait for wagers")


def start_round(page: Page, pit: Pit, table: str, cards: Sequence[str]) -> None:
    """A wager, the calls and the first three cards, by keyboard alone."""
    pit.ask(table, {**ORDER, "box": "1"})
    wait_for_step(page, "Call no more bets")
    page.keyboard.press("g")
    wait_for_step(page, "Deal.")
    page.keyboard.press("g")
    for place, card in zip(("box 1", "the dealer", "box 1"), cards, strict=False):
        wait_for_step(page, f"Card to {place}")
        page.keyboard.type(card)
    wait_for_step(page, "Box 1,")


def deal_round(page: Page, pit: Pit, table: str, cards: str) -> None:
    """A round keyed with the keyboard alone; the box stands."""
    start_round(page, pit, table, cards)
    page.keyboard.press("s")
    for rank in cards[3:]:
        wait_for_step(page, "draw")
        before = page.locator(".seat .dealt li").count()
        page.keyboard.press(rank)
        page.locator(".seat .dealt li").nth(before).wait_for()
    page.locator("[data-act=settle]").wait_for()


def test_a_dealer_keys_rounds_until_the_cut_card_and_brings_another_shoe(pit: Pit, visitors: Visitors) -> None:
    visitors.expected = (INLINE,)
    page = pit.come(visitors, "dan", "/deal/pit")
    bring_shoe(page)
    for number, cards in enumerate(("9700", "0978", "k6905", "0098")):
        wait_for_step(page, "Wait for wagers")
        deal_round(page, pit, "pit", cards)
        if number == 0:
            assert "Pay box 1: 25" in page.locator("#next-step").inner_text()
            assert page.locator(".payments .won").inner_text() == "+25"
            assert not find_faults(page)
        page.keyboard.press("g")
        wait_for_step(page, "Clear the table")
        page.keyboard.press("g")
    wait_for_step(page, "Wait for wagers")
    pit.ask("pit", {**ORDER, "box": "1"})
    wait_for_step(page, "Call no more bets")
    page.keyboard.press("c")
    wait_for_step(page, "A shuffle is due")
    page.keyboard.press("g")
    wait_for_step(page, "Call no more bets")


def test_where_suits_matter_a_rank_waits_for_its_suit(pit: Pit, visitors: Visitors) -> None:
    """Crown Pontoon: six, seven, eight of one suit is a bonus, so every card is keyed with its suit."""
    page = pit.come(visitors, "mel", "/deal/crown")
    bring_shoe(page)
    pit.ask("crown", {**ORDER, "box": "1", "amount": "10"})
    page.locator("[data-act=call], [data-act=deal]").first.wait_for()
    if page.locator("[data-act=call]").count():
        page.keyboard.press("g")
        wait_for_step(page, "Deal.")
    page.keyboard.press("g")
    for place, keys in (("box 1", "6s"), ("the dealer", "9d"), ("box 1", "7s")):
        wait_for_step(page, f"Card to {place}")
        page.keyboard.press(keys[0])
        page.get_by_text("of which suit?").wait_for()
        page.keyboard.press(keys[1])
    wait_for_step(page, "Box 1, 13")
    page.keyboard.press("h")
    wait_for_step(page, "Card to box 1")
    page.keyboard.press("8")
    page.keyboard.press("Escape")
    page.keyboard.press("8")
    page.keyboard.press("s")
    page.locator(".next .payments", has_text="wins").wait_for()
    assert page.locator("pb-chips").first.get_attribute("amount") == "30"


def test_a_trainee_decides_first_and_is_marked(pit: Pit, visitors: Visitors) -> None:
    page = pit.come(visitors, "dot", "/deal/learn")
    bring_shoe(page)
    page.get_by_role("button", name="I decide first").click()
    start_round(page, pit, "learn", "079")
    page.keyboard.press("s")
    wait_for_step(page, "Draw or stand?")
    assert not page.locator(".rank-keys").count(), "the keys would tell the answer"
    page.get_by_role("button", name="Stand", exact=True).click()
    wait_for_step(page, "Not quite")
    page.get_by_role("button", name="Go on").click()
    wait_for_step(page, "draw")
    page.keyboard.press("0")
    wait_for_step(page, "Draw or stand?")
    page.get_by_role("button", name="Stand", exact=True).click()
    wait_for_step(page, "Right")
    page.get_by_role("button", name="Go on").click()
    wait_for_step(page, "Who is paid what?")
    page.locator(".pay-form input").fill("25")
    seq = page.evaluate("document.querySelector('pb-deal-page').answer.seq")
    pit.ask("learn", {"type": "buy-in", "amount": "1"})
    wait_until(page, f"document.querySelector('pb-deal-page').answer.seq > {seq}")
    page.keyboard.press("Enter")
    wait_for_step(page, "Right")
    page.get_by_role("button", name="Go on").click()
    page.locator("[data-act=settle]").click()
    wait_for_step(page, "Clear the table")


def test_a_supervisor_sees_before_and_after_and_voids(pit: Pit, visitors: Visitors) -> None:
    visitors.expected = (INLINE,)
    dealer = pit.come(visitors, "dee", "/deal/stop")
    bring_shoe(dealer)
    start_round(dealer, pit, "stop", "079")
    page = pit.come(visitors, "sue", "/desk/stop")
    page.locator("[data-order=void]").click()
    page.locator("#order-reason").fill("a fire in the kitchen")
    page.get_by_role("button", name="Show what it does").click()
    page.locator(".compare").wait_for()
    assert page.locator(".compare .void").count() == 1
    assert "purse:stop/ann" in page.locator(".preview").inner_text()
    assert not find_faults(page)
    page.get_by_role("button", name="Give this order").click()
    page.locator("dialog").wait_for(state="detached")
    page.locator("pb-layout.large .void").wait_for()
    wait_for_step(dealer, "Clear the table")


def test_a_player_is_barred_and_a_dispute_decided(pit: Pit, visitors: Visitors) -> None:
    ann = visitors.come(pit.floor.address, token=pit.ann.token)
    ann.goto("/table/school")
    ann.click("[data-act=dispute]")
    ann.fill("dialog textarea", "my ten was a nine")
    ann.get_by_role("button", name="Call them").click()
    expect(ann.locator(".toast")).to_have_count(1)
    page = pit.come(visitors, "gus", "/desk")
    page.locator(".queue", has_text="my ten was a nine").get_by_role("button", name="Decide a dispute").click()
    page.locator("[name=upheld]").check()
    page.locator("#order-reason").fill("the film shows a nine")
    page.get_by_role("button", name="Show what it does").click()
    page.locator(".preview").wait_for()
    page.get_by_role("button", name="Give this order").click()
    page.locator("dialog").wait_for(state="detached")
    page.locator(".queue", has_text="my ten was a nine").wait_for(state="detached")
    ann.click("[data-act=dispute]")
    ann.get_by_role("button", name="Take the ruling further").click()
    expect(ann.locator(".toast").last).to_contain_text("reviews it at the table first")
    page.goto("/desk/school")
    page.locator("[data-group=player] summary").click()
    page.locator("[data-order=bar]").click()
    page.locator("[name=player]").fill("bob")
    page.locator("#order-reason").fill("counted aloud")
    page.get_by_role("button", name="Show what it does").click()
    page.locator(".preview").wait_for()
    page.get_by_role("button", name="Give this order").click()
    page.locator("p", has_text="bob is barred").first.wait_for()


def test_a_large_void_waits_for_a_second_person_who_agrees(pit: Pit, visitors: Visitors) -> None:
    async def require(above: str | None) -> None:
        command = {"type": "require-second-person", "above": above, "minutes": 10, "reason": "a test"}
        await pit.root.ask_floor(command, role="administrator")

    pit.ask("late", {**ORDER, "box": "1"})
    pit.floor.run(lambda served: require("10"))
    try:
        page = pit.come(visitors, "sue", "/desk/late")
        page.locator("[data-group=irregularity] summary").click()
        page.locator("[data-order=foreign-card]").click()
        page.locator("#order-reason").fill("a card of another back")
        page.locator("[name=told][value=inspector]").check()
        page.get_by_role("button", name="Show what it does").click()
        page.locator(".shown .wrong", has_text="has no notice about this table").wait_for()
        page.locator("[name=told][value=inspector]").uncheck()
        page.get_by_role("button", name="Show what it does").click()
        page.get_by_role("button", name="Ask a second person").click()
        page.locator("dialog").wait_for(state="detached")
        other = pit.come(visitors, "gus", "/desk")
        matter = other.locator(".queue li", has_text="asks for a second person")
        matter.get_by_role("button", name="Agree").click()
        other.locator("dialog").get_by_role("button", name="Agree").click()
        matter.wait_for(state="detached")
        page.locator(".queue li", has_text="asks for a second person").wait_for(state="detached")
    finally:
        pit.floor.run(lambda served: require(None))


def test_a_card_that_was_keyed_wrongly_is_corrected_by_whom_the_dealer_asks(pit: Pit, visitors: Visitors) -> None:
    dealer = pit.come(visitors, "dov", "/deal/wrong")
    bring_shoe(dealer)
    dealer.get_by_role("button", name="Every card with its suit").click()
    start_round(dealer, pit, "wrong", ("0h", "7c", "2d"))
    dealer.keyboard.press("x")
    dealer.locator("dialog [name=card]").fill("9s")
    assert dealer.locator(".dealt pb-card").nth(2).get_attribute("face") == "2d"
    link = dealer.locator("dialog a").get_attribute("href")
    assert link is not None
    page = pit.come(visitors, "sue", link)
    page.locator("#order-reason").fill("a nine, not a two")
    page.get_by_role("button", name="Show what it does").click()
    page.locator(".compare").wait_for()
    page.get_by_role("button", name="Give this order").click()
    page.locator("dialog").wait_for(state="detached")
    dealer.locator("dialog").get_by_role("button", name="Close").click()
    wait_for_step(dealer, "Box 1, 19")


def test_the_inspector_reads_a_notice_on_the_desk(pit: Pit, visitors: Visitors) -> None:
    page = pit.come(visitors, "sue", "/desk")
    page.get_by_role("button", name="Tell the inspector or surveillance").click()
    page.locator("[name=body]").fill("inspector")
    page.locator("[name=table]").fill("t")
    page.locator("#floor-reason").fill("the deck looks worn")
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Give this order").click()
    page.locator("dialog").wait_for(state="detached")
    inspector = pit.come(visitors, "ivy", "/desk")
    notice = inspector.locator(".queue li", has_text="the deck looks worn")
    notice.get_by_role("button", name="I have read this").click()
    notice.wait_for(state="detached")


def test_an_inspector_finds_a_round_scrubs_it_and_proves_its_shoe(pit: Pit, visitors: Visitors) -> None:
    visitors.expected = (INLINE,)

    async def play(served: Served) -> None:
        ann = await Client.enter(served.address, "cyd")
        table = await play_to_a_decision(ann, "t")
        await table.ask({"type": "stand", "box": "1"})
        while not await ann.get("/api/tables/t/rounds"):
            await table.wait_for_change()
        root = await hire(pit.root, "ron", ("casino-supervisor", "star"))
        while table.public["phase"] != "betting":
            await table.wait_for_change()
        await root.ask("t", {"type": "retire-shoe", "reason": "proof"}, role="casino-supervisor")
        await root.close()
        await ann.close()

    pit.floor.run(play)
    page = pit.come(visitors, "ivy", "/audit")
    page.locator("#find-player").fill("cyd")
    page.locator("#find-table").select_option("t")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Look").first.click()
    page.locator(".round-view .log button").first.click()
    page.keyboard.press("ArrowRight")
    assert page.locator(".round-view .log [aria-current=step]").count() == 1
    assert page.locator(".round-view table", has_text="purse:t/cyd").count() == 1
    assert not find_faults(page)
    page.get_by_role("tab", name="Shoes").click()
    page.locator("#shoe-table").select_option("t")
    page.locator("[data-shoe]").last.click()
    page.locator(".shoe-cards").wait_for()
    assert page.locator(".proof .is-right").count() == 5
    assert page.locator(".proof .mistaken").count() == 0
    page.get_by_role("tab", name="Chain and seals").click()
    page.get_by_role("button", name="Check in this browser").click()
    page.locator(".proof li").nth(1).wait_for()
    assert page.locator(".proof .mistaken").count() == 0
    for tab in ("Money", "Staff"):
        page.get_by_role("tab", name=tab).click()
        page.locator("#audit-panel table").wait_for()
        assert not find_faults(page)


def test_a_drill_is_answered_and_progress_is_kept(pit: Pit, visitors: Visitors) -> None:
    visitors.expected = (INLINE,)
    page = pit.come(visitors, "guest-drill", "/drills", size=PHONE)
    page.get_by_role("link", name="Payouts").click()
    page.locator("#ask").wait_for()
    if page.locator(".drill form").count():
        page.locator(".drill form input").first.fill("1")
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("g")
    page.locator(".verdict .clause").first.wait_for()
    assert not find_faults(page)
    page.keyboard.press("n")
    page.locator(".verdict").wait_for(state="detached")
    page.goto("/drills")
    page.locator("progress").wait_for()


def test_a_student_deals_alone_and_has_answers_marked(pit: Pit, visitors: Visitors) -> None:
    visitors.expected = (INLINE,)
    page = pit.come(visitors, "guest-school", "/drills")
    page.get_by_role("link", name="deal at a school table").click()
    page.locator("#school-game").select_option("melbourne/blackjack")
    page.get_by_role("button", name="Open the table").click()
    done = set()
    for _ in range(60):
        act = page.locator(".next .main")
        act.wait_for()
        kind = act.get_attribute("data-act")
        done.add(kind)
        if kind == "settle":
            break
        seq = page.evaluate("document.querySelector('pb-deal-page').answer.seq")
        page.keyboard.press("g")
        wait_until(page, f"document.querySelector('pb-deal-page').answer.seq > {seq}")
    assert done >= {"come-on", "bring-shoe", "deal", "card", "settle"}
    page.get_by_role("button", name="I decide first").click()
    page.get_by_role("button", name="Stand", exact=True).click()
    page.locator(".next .is-right").wait_for()
    assert not find_faults(page)
    page.get_by_role("button", name="Go on").click()
    page.locator(".pay-form input").first.fill("1000")
    page.get_by_role("button", name="Mark my answer").click()
    expect(page.locator(".next .mistaken").first).to_contain_text("it is")
    page.reload()
    expect(page.locator("#next-step")).to_contain_text("Draw or stand?")


@pytest.mark.parametrize(("theme", "size"), [("night", LAPTOP), ("pale", PHONE)], ids=["night", "pale phone"])
def test_no_desk_has_a_fault_that_axe_finds(pit: Pit, visitors: Visitors, theme: str, size: tuple[int, int]) -> None:
    visitors.expected = (INLINE,)
    for name, path, there in (
        ("dan", "/deal/pit", "#next-step"), ("dan", "/drills", ".topics"), ("dan", "/drills/pontoon", "#ask"),
        ("sue", "/desk", ".wall"), ("sue", "/desk/pit", ".order-groups button"), ("ivy", "/audit", "#find-player"),
    ):  # fmt: skip
        page = pit.come(visitors, name, path, theme=theme, size=size)
        page.locator(there).first.wait_for()
        assert not find_faults(page)
        across = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert across <= 0, f"{path} is wider than the window"
        page.context.close()
