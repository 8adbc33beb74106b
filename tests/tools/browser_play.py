"""Playing at tables in a browser as people do: sitting down, betting, answering; and a dealer of known cards."""

from __future__ import annotations

from typing import Any

from browser_floor import PATIENCE_MS, ThreadedFloor
from floor_server import Served, hire, take_office
from playwright.sync_api import Page

from pitboss.server.client import Client

POLL_MS = 20
SEQ = "document.querySelector('pb-table-page').watched?.seq"


def read_seq(page: Page) -> int:
    """The last decision that a table page has heard of."""
    found: int = page.evaluate(SEQ) or 0
    return found


def wait_until(page: Page, expression: str) -> None:
    """Until an expression is true on the page; its policy lets no test evaluate texts there, so it is asked again."""
    for _ in range(PATIENCE_MS // POLL_MS):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(POLL_MS)
    raise AssertionError(f"never true: {expression}")


def wait_for_news(page: Page, seq: int) -> None:
    """Until the page has heard of another decision."""
    wait_until(page, f"({SEQ} ?? 0) > {seq}")


def read_public(page: Page, name: str) -> Any:
    """A member of the public document that a table page has."""
    return page.evaluate(f"document.querySelector('pb-table-page').watched.public.{name}")


def wait_for_phase(page: Page, *phases: str) -> None:
    """Until the round stands where it is wanted."""
    wanted = ", ".join(f"'{phase}'" for phase in phases)
    wait_until(page, f"[{wanted}].includes(document.querySelector('pb-table-page').watched?.public.phase)")


def sit_down(page: Page, table: str, amount: str = "") -> None:
    """Open a table and bring chips there."""
    page.goto(f"/table/{table}")
    page.click("[data-act=sit]")
    field = page.locator("dialog input")
    field.wait_for()
    if amount:
        field.fill(amount)
    page.click("dialog button.main")
    page.wait_for_selector("[data-act=leave]")


def find_spot(page: Page, box: str) -> str:
    return f'pb-felt-box[data-number="{box}"] .spot'


def bet(page: Page, *boxes: str) -> None:
    """A chip on each of these boxes by clicking, each heard of before the next."""
    page.wait_for_selector(".spot:not([disabled])")
    for box in boxes:
        seq = read_seq(page)
        page.click(find_spot(page, box))
        wait_for_news(page, seq)


def answer(page: Page, *keys: str) -> None:
    """Click the first of these choices that is offered, and wait until it is done."""
    page.wait_for_selector("pb-choices:not([hidden]) button")
    for key in keys:
        button = page.locator(f'pb-choices [data-act="{key}"]')
        if button.count():
            seq = read_seq(page)
            button.first.click()
            wait_for_news(page, seq)
            return
    offered = page.locator("pb-choices button").evaluate_all("all => all.map((one) => one.dataset.act)")
    raise AssertionError(f"none of {keys} is offered, only {offered}")


def call_deal(page: Page) -> None:
    """Say that all bets are placed."""
    page.click("pb-bets [data-act=Space]")
    wait_for_phase(page, "offers", "turns", "settled")


def play_out(page: Page, *keys: str) -> None:
    """Answer until the round is settled."""
    for _ in range(60):
        if read_public(page, "phase") == "settled":
            return
        answer(page, *keys, "s", "Space", "b", "h")
    raise AssertionError("the round does not end")


class KnownCards:
    """A dealer who keys in cards at a table that a person deals: whatever a test wants to see happens."""

    def __init__(self, floor: ThreadedFloor, table: str, book: str) -> None:
        self.floor, self.table, self.book = floor, table, book
        self.dealer: Client = floor.run(self._come)

    async def _come(self, served: Served) -> Client:
        if self.floor.admin is None:
            self.floor.admin = await take_office(served)
        dealer = await hire(self.floor.admin, f"dan-{self.table}", ("dealer", self.book))
        await dealer.watch(self.table)
        await self._ask(dealer, "dealer", name=dealer.name)
        await self._ask(dealer, "bring-shoe")
        return dealer

    async def _ask(self, dealer: Client, kind: str, **fields: Any) -> None:
        await dealer.tables[self.table].ask({"type": kind, **fields}, role="dealer")

    def do(self, kind: str, **fields: Any) -> None:
        """One step of the dealer's."""

        async def ask(served: Served) -> None:
            await self._ask(self.dealer, kind, **fields)

        self.floor.run(ask)

    def key(self, *cards: str) -> None:
        """Cards in the order in which they leave the shoe."""
        for card in cards:
            self.do("key-card", card=card)

    def deal(self, *cards: str) -> None:
        """Close betting and key in the first cards."""
        self.do("no-more-bets")
        self.do("deal")
        self.key(*cards)
