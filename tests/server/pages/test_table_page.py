"""The table in a browser: every game by clicking, and everything that a hand can be asked."""

from __future__ import annotations

import pytest
from browser_floor import PHONE, ThreadedFloor, Visitors
from browser_play import (
    KnownCards,
    answer,
    bet,
    call_deal,
    find_spot,
    play_out,
    read_public,
    read_seq,
    sit_down,
    wait_for_news,
    wait_for_phase,
    wait_until,
)
from playwright.sync_api import Page, expect

from pitboss.floor.live_table import Clocks, TableKind
from pitboss.rulebooks import games
from pitboss.server.serving import TableWish

CALM = Clocks(betting_ms=600_000, decision_ms=600_000, offers_ms=600_000, pause_ms=600_000)
"""The table waits for everybody, between rounds too."""
GAMES = tuple(games())
HAND = (
    TableWish("perth-hand", "perth/vegas", TableKind.PERSON),
    TableWish("switch-hand", "star/switch", TableKind.PERSON),
    TableWish("free-hand", "melbourne/free-bet", TableKind.PERSON),
    TableWish("share-hand", "star/blackjack", TableKind.PERSON),
    TableWish("prize-hand", "melbourne/pontoon", TableKind.PERSON),
    TableWish("less-hand", "melbourne/pontoon", TableKind.PERSON),
)
OWN = (
    TableWish("sides", "perth/blackjack"), TableWish("drag", "rws/blackjack"), TableWish("refuse", "melbourne/vegas"),
    TableWish("crowd", "melbourne/plus"), TableWish("walk", "perth/blackjack"),
    TableWish("share", "star/blackjack"), TableWish("keys", "melbourne/plus"), TableWish("phone", "perth/vegas"),
)  # fmt: skip
"""Tables for one test each: a round begins when everybody there is ready."""
SCHOOL = TableWish("school", "melbourne/pontoon", TableKind.PRACTICE)


@pytest.fixture(scope="module")
def pit(make_floor) -> ThreadedFloor:
    """A floor that waits: all games by machine, some dealt by hand, one for practice."""
    machines = [TableWish(game.replace("/", "-"), game) for game in GAMES]
    floor: ThreadedFloor = make_floor(*machines, *OWN, *HAND, SCHOOL, clocks=CALM)
    return floor


def come(pit: ThreadedFloor, visitors: Visitors, name: str, **options: object) -> Page:
    return visitors.come(pit.address, token=pit.enter(name), **options)


def last_box(page: Page) -> str:
    boxes = read_public(page, "felt.boxes")
    return str(boxes[len(boxes) // 2]["number"])


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_by_clicking(game: str, pit: ThreadedFloor, visitors: Visitors) -> None:
    """Two boxes are bet on, everything is answered by clicks, the round is settled, told and can be opened."""
    table = game.replace("/", "-")
    page = come(pit, visitors, f"ann-{table}")
    sit_down(page, table)
    first = str(read_public(page, "felt.boxes")[0]["number"])
    bet(page, first, last_box(page))
    expect(page.locator(".cloth")).to_contain_text("pays", ignore_case=True)
    call_deal(page)
    play_out(page)
    expect(page.locator(".result").first).to_be_visible()
    expect(page.locator(".call")).to_contain_text("You ")
    expect(page.locator(".reasons li .clause").first).not_to_be_empty()
    told = page.locator('pb-log li[data-kind="wager-settled"]')
    assert told.count() >= 2
    expect(told.first.locator(".clause")).not_to_be_empty()
    answer(page, "Space")
    wait_for_phase(page, "betting")
    page.click(".last a")
    page.wait_for_selector(".steps li")
    expect(page.locator(".money td").first).to_be_visible()


APART = """() => {
    const rects = (name) => [...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect());
    const apart = (one, other) => one.right < other.left || other.right < one.left || one.bottom < other.top
        || other.bottom < one.top;
    const lines = rects('.cloth .bonus, .cloth .pays'), felt = rects('.cloth .felt')[0];
    const others = [...rects('.spot'), ...rects('.below'), ...rects('.corner > *'), ...rects('.cloth textPath')];
    return lines.length > 10
        && lines.every((line) => line.bottom < felt.bottom && others.every((other) => apart(line, other)));
}"""
"""The bonus table lies on the felt, and over nothing else."""


def test_the_bonus_table_lies_beside_boxes_and_printing(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "bea")
    sit_down(page, "melbourne-pontoon")
    for box in ("1", "5", "9"):
        bet(page, box)
        assert page.evaluate(APART), f"with box {box} chosen"


COVERED = """() => {
    const boxes = [...document.querySelectorAll('pb-felt-box')];
    const parts = boxes.flatMap((box) => [...box.querySelectorAll('.lying, .side, .names span, .stack')]
        .map((part) => [box, part, part.getBoundingClientRect()]));
    const lies = ([one, , a], [other, , b]) => one !== other
        && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    return parts.flatMap((one, at) => parts.slice(at + 1).filter((other) => lies(one, other))
        .map((other) => `${one[1].textContent} / ${other[1].textContent}`));
}"""
"""What lies on one box and covers what lies on another."""


def test_boxes_with_every_side_wager_cover_nothing_of_their_neighbours(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "cas")
    sit_down(page, "crowd", "900")
    bet(page, "3", "2", "1")
    for spot in read_public(page, "felt.spots"):
        seq = read_seq(page)
        page.click(f'.wagers [data-side="{spot["wager"]}"]')
        wait_for_news(page, seq)
    assert page.evaluate(COVERED) == []
    call_deal(page)
    assert page.evaluate(COVERED) == []
    play_out(page)
    assert page.evaluate(COVERED) == []


def test_a_telephone_shows_what_pays_and_all_boxes_in_order(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "tom", size=PHONE, has_touch=True)
    sit_down(page, "melbourne-pontoon")
    page.wait_for_selector(".spot:not([disabled])")
    shown = page.locator("pb-felt-box").evaluate_all(
        "all => all.map((one) => [one.getBoundingClientRect(), one.dataset.number])"
        ".sort(([one], [other]) => one.top - other.top || one.left - other.left).map(([, number]) => number)"
    )
    assert shown == [box["number"] for box in read_public(page, "felt.boxes")]
    page.click("[data-act=prices]")
    expect(page.locator("dialog.prices")).to_contain_text("five cards 21")
    expect(page.locator("dialog.prices .clause").first).not_to_be_empty()


def test_side_wagers_are_placed_and_shown(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "sue")
    sit_down(page, "sides")
    bet(page, "2")
    seq = read_seq(page)
    page.click('pb-felt-box[data-number="2"] .side[data-wager="perfect-pairs"]')
    wait_for_news(page, seq)
    expect(page.locator(".side.staked")).to_contain_text("5")
    wager = page.locator('.wagers .wager[data-side="perfect-pairs"]')
    expect(wager).to_contain_text("Perfect Pairs")
    expect(wager).to_contain_text("to 1")
    seq = read_seq(page)
    wager.click()
    wait_for_news(page, seq)
    expect(page.locator(".side.staked")).to_contain_text("10")
    call_deal(page)
    play_out(page)
    expect(page.locator('pb-log li[data-kind="side-settled"]')).to_have_count(1)


def test_bets_by_drag_clear_repeat_and_double(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "bo")
    sit_down(page, "drag")
    page.wait_for_selector(".spot:not([disabled])")
    page.drag_and_drop('[data-chip="25"]', find_spot(page, "3"))
    wait_until(page, "document.querySelector('pb-table-page').watched.public.bets.length === 1")
    assert read_public(page, "bets[0].amount") == "25"
    page.click("pb-bets [data-act=d]")
    wait_until(page, "document.querySelector('pb-table-page').watched.public.bets[0].amount === '50'")
    page.click("pb-bets [data-act=x]")
    wait_until(page, "document.querySelector('pb-table-page').watched.public.bets.length === 0")
    bet(page, "3")
    call_deal(page)
    play_out(page)
    answer(page, "Space")
    wait_for_phase(page, "betting")
    page.click("pb-bets [data-act=a]")
    wait_until(page, "document.querySelector('pb-table-page').watched.public.bets.length === 1")


def test_what_is_refused_says_why_with_its_clause(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "al")
    sit_down(page, "refuse")
    page.click('[data-chip="500"]')
    bet(page, "1")
    page.click(find_spot(page, "1"))
    toast = page.locator(".toast")
    expect(toast).to_be_visible()
    assert len(toast.inner_text()) > 15
    assert read_public(page, "bets[0].amount") == "500"


def test_insurance_even_money_surrender_and_split(pit: ThreadedFloor, visitors: Visitors) -> None:
    dealer = KnownCards(pit, "perth-hand", "perth")
    page = come(pit, visitors, "ivy")
    sit_down(page, "perth-hand")
    bet(page, "1", "2")
    dealer.deal("Ah", "8c", "Ad", "Ks", "8d")
    wait_for_phase(page, "offers")
    expect(page.locator(".call")).to_have_text(
        "The dealer has an ace. Insurance is open. Box 2, a pair of eights: hit, stand, double, split or surrender?"
    )
    insure = page.locator('pb-choices [data-act="i"]')
    insure.first.focus()
    seq = read_seq(page)
    page.keyboard.press("Enter")
    assert read_seq(page) == seq, "Enter has bought insurance"
    answer(page, "e")
    answer(page, "i")
    expect(page.locator(".insured")).to_be_visible()
    dealer.do("proceed")
    wait_for_phase(page, "turns")
    answer(page, "p")
    dealer.key("9c")
    page.wait_for_selector('pb-choices [data-act="s"]')
    assert read_public(page, "boxes[1].hands.length") == 2
    answer(page, "s")
    dealer.key("Tc")
    answer(page, "s")
    dealer.key("9h")
    dealer.do("proceed")
    wait_for_phase(page, "settled")
    dealer.do("next-round")
    wait_for_phase(page, "betting")
    bet(page, "1")
    dealer.deal("Th", "Td", "6s")
    page.wait_for_selector('pb-choices [data-act="r"]')
    answer(page, "r")


EXPLAIN = """(money) => {
    const page = document.querySelector('pb-table-page');
    return [...page.explainHand(money), ...page.explainApart({ money, best: 'switch' })].join(' ');
}"""
"""What advice says: the value of two boxes is not set against that of one."""


def test_switch_exchanges_the_second_cards(pit: ThreadedFloor, visitors: Visitors) -> None:
    dealer = KnownCards(pit, "switch-hand", "star-switch")
    page = come(pit, visitors, "sid")
    sit_down(page, "switch-hand")
    bet(page, "1a")
    dealer.deal("Th", "6c", "9s", "5d", "Kd")
    page.wait_for_selector('pb-choices [data-act="w"]')
    page.keyboard.press("w")
    wait_until(page, "document.querySelector('pb-table-page').watched.public.boxes[0].hands[0].cards[1] === 'Kd'")
    expect(page.locator('pb-felt-box[data-number="1a"] .total')).to_have_text("20")
    explained = page.evaluate(EXPLAIN, {"hit": "-2.12", "stand": "-2.5", "leave": "-3.42", "switch": "-3.4"})
    assert explained == (
        "Hit is best: −2.12 on average. Stand is 0.38 worse. "
        "Switch: both boxes together are worth −3.4 switched, and −3.42 as they lie."
    )


def test_free_tokens_lie_beside_the_wager(pit: ThreadedFloor, visitors: Visitors) -> None:
    dealer = KnownCards(pit, "free-hand", "melbourne")
    page = come(pit, visitors, "fay")
    sit_down(page, "free-hand")
    bet(page, "1")
    dealer.deal("6h", "9c", "5s")
    double = page.locator('pb-choices [data-act="d"]')
    expect(double).to_contain_text("free")
    answer(page, "d")
    dealer.key("8s")
    expect(page.locator(".chip-token")).to_be_visible()


def test_sharers_see_and_decide_for_themselves(pit: ThreadedFloor, visitors: Visitors) -> None:
    """Two people on one box: who calls it decides, and the other says whether they go along."""
    ann, bob = come(pit, visitors, "ann-shares"), come(pit, visitors, "bob-shares")
    sit_down(ann, "share")
    bet(ann, "4")
    sit_down(bob, "share")
    bet(bob, "4")
    expect(ann.locator('pb-felt-box[data-number="4"] .whose')).to_have_count(2)
    ann.click("pb-bets [data-act=Space]")
    bob.click("pb-bets [data-act=Space]")
    wait_for_phase(bob, "offers", "turns", "settled")
    if read_public(bob, "phase") == "offers":
        answer(ann, "Space")
        answer(bob, "Space")
        wait_for_phase(bob, "turns", "settled")
    if read_public(bob, "phase") == "turns":
        caller, other = (ann, bob) if read_public(bob, "boxes[0].controller") == "ann-shares" else (bob, ann)
        expect(other.locator('pb-choices button:not([data-act="g"])')).to_have_count(0)
        along = other.locator("input[type=checkbox]")
        along.check()
        wait_until(other, "document.querySelector('pb-table-page').watched.private.going_along")
        play_out(caller)
    wait_for_phase(other if read_public(bob, "phase") != "settled" else bob, "settled")


def test_a_sharer_goes_along_with_a_double_when_it_is_called(pit: ThreadedFloor, visitors: Visitors) -> None:
    """Who shares the box is asked while its caller decides, and the double is then for both."""
    dealer = KnownCards(pit, "share-hand", "star")
    ann, bob = come(pit, visitors, "ann-joins"), come(pit, visitors, "bob-joins")
    sit_down(ann, "share-hand")
    bet(ann, "4")
    sit_down(bob, "share-hand")
    bet(bob, "4")
    dealer.deal("6h", "9c", "5s")
    wait_for_phase(bob, "turns")
    expect(bob.locator('pb-choices [data-act="g"]')).to_contain_text("Go along with a double")
    expect(ann.locator('pb-choices [data-act="g"]')).to_have_count(0)
    answer(bob, "g")
    expect(bob.locator('pb-choices [data-act="g"]')).to_contain_text("No longer")
    answer(ann, "d")
    dealer.key("8s")
    stakes = "document.querySelector('pb-table-page').watched.public.boxes[0].hands[0].stakes"
    wait_until(ann, f"{stakes}.every(({{ money }}) => money === '10')")


def test_the_dealer_keys_in_the_prize_that_a_button_has_drawn(pit: ThreadedFloor, visitors: Visitors) -> None:
    """At a real table nobody presses a button on the page: the dealer says which prize it was."""
    dealer = KnownCards(pit, "prize-hand", "melbourne")
    page = come(pit, visitors, "polly")
    sit_down(page, "prize-hand")
    bet(page, "3")
    seq = read_seq(page)
    page.click('.wagers [data-side="pontoon-pandemonium"]')
    wait_for_news(page, seq)
    dealer.deal("Kh", "6c", "Ah")
    wait_for_phase(page, "offers")
    expect(page.locator(".call")).to_contain_text("A prize is to be drawn")
    expect(page.locator('pb-choices [data-act="b"]')).to_have_count(0)
    seat = visitors.come(pit.address, token=dealer.dealer.token)
    seat.goto("/deal/prize-hand")
    seat.click('.choices button:text-is("50")')
    expect(page.locator('pb-log li[data-kind="side-settled"]')).to_contain_text("polly wins")


def test_help_at_a_practice_table_and_the_review(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "pia")
    sit_down(page, "school")
    for _ in range(12):
        bet(page, "1", "2")
        call_deal(page)
        if read_public(page, "phase") == "turns":
            break
        play_out(page)
        answer(page, "Space")
        wait_for_phase(page, "betting")
    page.keyboard.press("?")
    page.wait_for_selector(".choice.best .worth")
    assert page.locator(".worth").first.inner_text()[0] in "+−"
    expect(page.locator(".explained")).to_contain_text("is best")
    page.click(".often summary")
    expect(page.locator(".often li").first).to_contain_text("of 100 such hands")
    play_out(page)
    answer(page, "Space")
    page.wait_for_selector("[data-act=review]")
    page.click("[data-act=review]")
    expect(page.locator("dialog .decision").first).to_be_visible()
    page.keyboard.press("Escape")
    page.click("[data-act=leave]")
    expect(page.locator("dialog")).to_contain_text("Given away by decisions")


def test_nobody_is_helped_at_a_table_in_service(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "nell")
    sit_down(page, "perth-plus")
    page.keyboard.press("?")
    expect(page.locator(".toast")).to_contain_text("Nobody is advised at a table in service")
    assert page.locator("[data-act=help]").count() == 0


def test_a_round_with_the_keyboard_alone(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "kim")
    sit_down(page, "keys")
    page.wait_for_selector(".spot:not([disabled])")
    seq = read_seq(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("v")
    wait_for_news(page, seq)
    page.keyboard.press("Space")
    wait_for_phase(page, "offers", "turns", "settled")
    for _ in range(30):
        if read_public(page, "phase") == "settled":
            break
        offered = page.locator("pb-choices button").evaluate_all("all => all.map((one) => one.dataset.act)")
        seq = read_seq(page)
        page.keyboard.press("s" if "s" in offered else "Space" if "Space" in offered else "h")
        wait_for_news(page, seq)
    assert read_public(page, "phase") == "settled"


def test_space_presses_what_somebody_has_walked_to_and_enter_buys_nothing(
    pit: ThreadedFloor, visitors: Visitors
) -> None:
    page = come(pit, visitors, "wes")
    sit_down(page, "walk")
    bet(page, "1")
    seq = read_seq(page)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    wait_for_news(page, seq)
    assert [(bet["wager"], bet["amount"]) for bet in read_public(page, "bets")] == [
        ("main", "5"),
        ("perfect-pairs", "5"),
    ]
    page.click(find_spot(page, "2"))
    page.keyboard.press("Space")
    wait_for_phase(page, "offers", "turns", "settled")


def test_a_round_on_a_telephone(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "tess", size=PHONE, has_touch=True)
    sit_down(page, "phone")
    seq = read_seq(page)
    page.wait_for_selector(".spot:not([disabled])")
    page.tap(find_spot(page, "1"))
    wait_for_news(page, seq)
    call_deal(page)
    play_out(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.click(".log-pull")
    expect(page.locator("pb-log li").last).to_be_visible()


def test_a_line_of_the_log_opens_its_clause(pit: ThreadedFloor, visitors: Visitors) -> None:
    page = come(pit, visitors, "leo")
    sit_down(page, "melbourne-sports")
    bet(page, "1")
    page.locator('pb-log li[data-kind="bet-placed"] .clause').last.click()
    expect(page.locator("dialog")).to_contain_text("melbourne")
    assert len(page.locator("dialog p").first.inner_text()) > 10


def test_a_double_for_less_where_the_book_allows_it(pit: ThreadedFloor, visitors: Visitors) -> None:
    dealer = KnownCards(pit, "less-hand", "melbourne")
    page = come(pit, visitors, "lee")
    sit_down(page, "less-hand")
    bet(page, "1", "1")
    dealer.deal("6h", "9c", "5s")
    page.click('[data-less="d"]')
    page.locator("dialog input").fill("4")
    seq = read_seq(page)
    page.click("dialog button.main")
    wait_for_news(page, seq)
    dealer.key("8s")
    wait_until(
        page, "document.querySelector('pb-table-page').watched.public.boxes[0].hands[0].stakes[0].money === '14'"
    )
