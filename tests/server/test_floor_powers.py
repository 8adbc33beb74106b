"""What people of the house may do on a floor: across tables, by the clock, with a second person, on record."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from floor_desk import KEY, Bench

from pitboss.floor import house_messages as hm
from pitboss.floor.staff_actions import StaffAction
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.server.stream_log import list_staff_actions, open_row
from pitboss.table import Phase, Refusal
from pitboss.table.messages.askers import HOUSE, Asker

ROOT = Asker("administrator", "root")
IVY = Asker("inspector", "ivy")
MIA = Asker("table-games-manager", "mia")
MAX = Asker("table-games-manager", "max")
DAN = Asker("dealer", "dan")
STAR = Asker("casino-supervisor", "sue")
CROWN = Asker("assistant-casino-manager", "cam")
HELD = (
    (ROOT, ""), (IVY, ""), (MIA, "perth"), (MAX, "perth"), (DAN, "perth"), (Asker("dealer", "mia"), "star"),
    (STAR, "star"), (CROWN, "melbourne"), (Asker("surveillance", "val"), ""),
)  # fmt: skip
MINUTE = 60_000


class Floor(Bench):
    """A bench with people of the house at it."""

    def hire(self) -> None:
        for name in dict.fromkeys(by.name for by, _ in HELD):
            self.ask_floor(HOUSE, hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#"))
        for by, book in HELD:
            assert isinstance(self.ask_floor(HOUSE, hm.GiveRole(name=by.name, role=by.role, book=book)), Done)

    def ask_floor(self, by: Asker, command: hm.HouseCommand) -> Answer:
        heard: list[Answer] = []
        self.asked += 1
        self.now_ms += 1
        self.desk.ask_house(by, f"floor {self.asked}", command, heard.append)
        assert self.desk.store_line()
        return heard[0]

    def order(self, table: str, by: Asker, **fields: object) -> Answer:
        heard: list[Answer] = []
        self.asked += 1
        self.now_ms += 1
        self.desk.ask(table, by, f"order {self.asked}", fields, heard.append)
        assert self.desk.store_line()
        return heard[0]

    def wait(self, minutes: float) -> None:
        self.now_ms += int(minutes * MINUTE)
        self.desk.run_clocks()
        assert self.desk.store_line()

    def bet(self, table: str, player: str, box: str = "1", amount: str = "10") -> Answer:
        return self.do(table, player, {"type": "place-bet", "box": box, "amount": amount})

    def list_actions(self) -> list[StaffAction]:
        return list_staff_actions(self.store, self.desk.vault, 100)


@pytest.fixture
def floor(address: str) -> Iterator[Floor]:
    made = Floor(address)
    made.now_ms = 1_000_000
    made.hire()
    yield made
    made.desk.store_line()
    audit = audit_floor(address, KEY)
    assert audit.found == []
    made.store.close()


def get_ready(floor: Floor, table: str, *players: str) -> None:
    """The cut is offered and refused: betting is open."""
    for player in players:
        floor.do(table, player, {"type": "ready"})


def why(answer: Answer) -> str:
    assert isinstance(answer, Refusal), answer
    return answer.reason


# ---------------------------------------------------------------------- across tables


def test_an_exclusion_reaches_people_who_sit_there_and_tables_that_open_later(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann", "bob"))
    floor.open("p2", "perth/blackjack")
    floor.do("p2", "ann", {"type": "buy-in", "amount": "100"})
    get_ready(floor, "p1", "ann", "bob")
    get_ready(floor, "p2", "ann")
    for table in ("p1", "p2"):
        assert isinstance(floor.bet(table, "ann"), Done)
    assert isinstance(floor.bet("p1", "bob", "2"), Done)
    assert isinstance(floor.order("p1", MIA, type="bar", player="ann", reason="signals"), Done)
    for table in ("p1", "p2"):
        live = floor.live(table)
        assert live.table.floor.barred == {"ann": ("8.8(b)", "8.7", "4.7")}
        assert [bet.player for bet in live.table.bets] == (["bob"] if table == "p1" else [])
        assert live.passed_on == 1
        assert "may not play here" in why(floor.bet(table, "ann"))
    floor.open("p3", "perth/blackjack")
    assert "ann" in floor.live("p3").table.floor.barred
    assert "may not play here" in why(floor.do("p3", "ann", {"type": "buy-in", "amount": "10"}))
    floor.open("s1", "star/blackjack")
    assert isinstance(floor.do("s1", "ann", {"type": "buy-in", "amount": "10"}), Done), "the game is another"
    floor.start()
    assert "may not play here" in why(floor.bet("p2", "ann"))
    assert isinstance(floor.order("p2", MIA, type="lift", player="ann", reason="a mistake"), Done)
    for table in ("p1", "p2", "p3"):
        assert not floor.live(table).table.floor.barred
    assert isinstance(floor.bet("p2", "ann"), Done)


def test_by_the_book_of_melbourne_an_exclusion_is_from_one_table(floor: Floor) -> None:
    floor.open("m1", "melbourne/blackjack", ("ann",))
    floor.open("m2", "melbourne/blackjack")
    everywhere = hm.Exclude(name="ann", game="melbourne/blackjack", reason="a device")
    assert "from one table" in why(floor.ask_floor(CROWN, everywhere))
    one = hm.Exclude(name="ann", game="melbourne/blackjack", reason="a device", table="m1")
    assert isinstance(floor.ask_floor(CROWN, one), Done)
    assert list(floor.live("m1").table.floor.barred) == ["ann"]
    assert "may not play here" in why(floor.do("m1", "ann", {"type": "buy-in", "amount": "10"}))
    assert not floor.live("m2").table.floor.barred
    assert isinstance(floor.do("m2", "ann", {"type": "buy-in", "amount": "10"}), Done)
    direct = floor.order("m2", CROWN, type="bar", player="ann", reason="a device")
    assert isinstance(direct, Done)
    assert len(floor.desk.house.orders) == 1, "an order for one table is no order of the floor"


def test_out_of_the_casino_is_out_of_every_game_of_every_book(floor: Floor) -> None:
    floor.open("r1", "rws/blackjack", ("ann", "bob"))
    floor.open("s1", "star/blackjack")
    floor.do("s1", "ann", {"type": "buy-in", "amount": "100"})
    get_ready(floor, "r1", "ann", "bob")
    assert isinstance(floor.bet("r1", "ann"), Done)
    purse = floor.live("r1").purses["ann"]
    order = hm.Exclude(name="ann", game="star/blackjack", reason="a device", casino=True)
    assert isinstance(floor.ask_floor(STAR, order), Done)
    assert not floor.live("r1").table.bets, "the wager is off the layout"
    assert floor.live("r1").purses["ann"] == purse + 10_000_000
    assert list(floor.live("s1").table.floor.barred) == ["ann"]
    for table in ("r1", "s1"):
        assert "may not play here" in why(floor.bet(table, "ann"))
    assert isinstance(floor.order("s1", STAR, type="lift", player="ann", reason="a mistake"), Done)
    assert "may not play here" in why(floor.bet("s1", "ann")), "the table lets nobody into the casino"
    assert isinstance(floor.do("r1", "ann", {"type": "leave-table"}), Done)
    assert isinstance(floor.ask_floor(STAR, hm.Readmit(name="ann", game="star/blackjack", reason="over")), Done)
    assert isinstance(floor.do("r1", "ann", {"type": "buy-in", "amount": "10"}), Done)


def test_limits_that_a_book_grants_for_the_floor_hold_at_every_table_of_the_game(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann",))
    floor.open("p2", "perth/blackjack")
    grant = {
        "type": "personal-limits", "player": "ann", "minimum": "5", "maximum": "2000", "reason": "a guest",
        "told": ["surveillance"], "shown": True,
    }  # fmt: skip
    assert "no notice about this table" in why(floor.order("p1", MIA, **grant))
    notice = hm.SendNotice(body="surveillance", table="p1", reason="a maximum of 2000 for ann")
    assert isinstance(floor.ask_floor(MIA, notice), Done)
    assert isinstance(floor.order("p1", MIA, **grant), Done)
    floor.open("p3", "perth/blackjack")
    for table in ("p1", "p2", "p3"):
        assert [item.maximum for item in floor.live(table).table.floor.personal] == [2000]


def test_winnings_are_withheld_and_released_at_every_table_of_the_game(floor: Floor) -> None:
    floor.open("m1", "melbourne/blackjack", ("ann",))
    floor.open("m2", "melbourne/blackjack")
    for act, held in (("withhold", ["ann"]), ("release-winnings", [])):
        assert isinstance(floor.order("m1", CROWN, type=act, player="ann", reason="a device"), Done)
        for table in ("m1", "m2"):
            assert [item.player for item in floor.live(table).table.floor.withheld] == held


def test_when_a_decision_over_several_tables_is_not_stored_none_of_it_has_happened(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.server.storage.database import StoreError

    floor.open("p1", "perth/blackjack", ("ann",))
    floor.open("p2", "perth/blackjack")
    assert floor.desk.store_line()

    def fail(*arguments: object) -> None:
        raise StoreError("the disk is full")

    heard: list[Answer] = []
    with monkeypatch.context() as patched:
        patched.setattr(floor.store, "write", fail)
        bar = {"type": "bar", "player": "ann", "reason": "signals"}
        floor.desk.ask("p1", MIA, "bar", bar, heard.append)
        assert len({entry.row.stream for entry in (step.entry for step in floor.desk.line)}) == 3
        assert not floor.desk.store_line()
    assert heard
    assert not isinstance(heard[0], Done)
    assert not floor.desk.house.orders
    assert not floor.live("p1").table.floor.barred
    assert not floor.live("p2").table.floor.barred


# ---------------------------------------------------------------------- signs, by the server's clock


def test_a_sign_stands_for_its_time_by_the_servers_clock_whatever_minute_is_named(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann", "bob"))
    get_ready(floor, "p1", "ann", "bob")
    assert isinstance(floor.bet("p1", "ann"), Done)
    assert isinstance(floor.do("p1", "ann", {"type": "remove-bet", "box": "1"}), Done)
    new = {"minimum": "20", "maximum": "800", "reason": "a busy night"}
    floor.now_ms += 30_000
    assert isinstance(floor.order("p1", MIA, type="announce-limits", minute=0, **new), Done)
    assert "not 10" in why(floor.order("p1", MIA, type="limits", minute=10**9, **new))
    floor.wait(9.9)
    floor.start()
    assert floor.live("p1").table.limits.minimum == 5
    floor.wait(1)
    assert floor.live("p1").table.limits.minimum == 20
    assert floor.live("p1").table.floor.limit_sign is None
    rows = [row for row in floor.store.read_log("p1") if (row.role, row.actor) == ("dealer", "")]
    assert any("table-games-manager" in row.body.decode("utf-8", "replace") for row in rows)


def test_a_closing_that_was_announced_comes_at_its_time(floor: Floor) -> None:
    floor.open("s1", "star/blackjack", ("ann",))
    get_ready(floor, "s1", "ann")
    assert isinstance(floor.bet("s1", "ann"), Done)
    assert isinstance(floor.do("s1", "ann", {"type": "remove-bet", "box": "1"}), Done)
    assert isinstance(floor.order("s1", STAR, type="announce-closing", reason="night"), Done)
    assert "the sign has been up" in why(floor.order("s1", STAR, type="close-table", reason="night"))
    floor.wait(21)
    assert floor.live("s1").table.floor.closed
    assert "closed" in why(floor.do("s1", "ann", {"type": "buy-in", "amount": "10"}))
    assert isinstance(floor.do("s1", "ann", {"type": "leave-table"}), Done)


def test_a_closing_after_so_many_rounds_comes_with_the_last_of_them(floor: Floor) -> None:
    floor.open("m1", "melbourne/blackjack", ("ann", "bob"))
    get_ready(floor, "m1", "ann", "bob")
    assert isinstance(floor.bet("m1", "ann"), Done)
    assert isinstance(floor.order("m1", CROWN, type="announce-closing", reason="night"), Done)
    first = floor.live("m1").table.round
    for _ in range(400):
        if floor.live("m1").table.floor.closed:
            break
        floor.step("m1")
        assert floor.desk.store_line()
    assert floor.live("m1").table.floor.closed
    assert floor.live("m1").table.round - first in (2, 3), "three rounds are dealt after the announcement"


def test_a_sign_that_cannot_come_into_force_holds_up_no_other_table(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann",))
    floor.open("p2", "perth/blackjack")
    floor.do("p2", "ann", {"type": "buy-in", "amount": "100"})
    for table, minimum in (("p1", "20"), ("p2", "25")):
        get_ready(floor, table, "ann")
        assert isinstance(floor.bet(table, "ann"), Done)
        assert isinstance(floor.do(table, "ann", {"type": "remove-bet", "box": "1"}), Done)
        sign = {"minimum": minimum, "maximum": "800", "reason": "busy"}
        assert isinstance(floor.order(table, MIA, type="announce-limits", **sign), Done)
    broken = floor.desk.slots["p1"]
    broken.stopped = "out of order"
    floor.wait(12)
    assert floor.live("p1").table.limits.minimum == 5
    assert floor.live("p2").table.limits.minimum == 25
    assert floor.desk.find_next_deadline() == floor.now_ms + 250
    broken.stopped = ""
    floor.wait(0.01)
    assert floor.live("p1").table.limits.minimum == 20


def test_whoever_was_there_keeps_the_old_minimum(floor: Floor) -> None:
    floor.open("s1", "star/blackjack", ("ann", "bob"))
    get_ready(floor, "s1", "ann", "bob")
    assert isinstance(floor.bet("s1", "ann"), Done)
    assert isinstance(floor.do("s1", "ann", {"type": "remove-bet", "box": "1"}), Done)
    raised = {"type": "limits", "minimum": "25", "maximum": "500", "how": "now", "shown": True, "reason": "busy"}
    assert isinstance(floor.order("s1", STAR, **raised), Done)
    assert isinstance(floor.bet("s1", "ann", "1", "5"), Done)
    assert "minimum" in why(floor.bet("s1", "bob", "2", "5"))


def test_a_table_opens_only_with_its_sign(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann",))
    order = {"game": "perth/blackjack", "minimum": Money(10), "maximum": Money(100), "bank": Money(5000)}
    for name in ("p1", "floor", "a/b", ""):
        assert isinstance(floor.ask_floor(ROOT, hm.OpenTable(name=name, reason="busy", **order)), Refusal)
    assert "the administrator" in why(floor.ask_floor(MIA, hm.OpenTable(name="p2", reason="busy", **order)))
    assert isinstance(floor.ask_floor(ROOT, hm.OpenTable(name="p2", reason="busy", **order)), Done)
    assert isinstance(floor.do("p2", "ann", {"type": "buy-in", "amount": "100"}), Done)
    get_ready(floor, "p2", "ann")
    assert "no sign" in why(floor.bet("p2", "ann"))
    assert isinstance(floor.order("p2", DAN, type="sign", up=True), Done)
    assert isinstance(floor.bet("p2", "ann"), Done)
    floor.start()
    assert floor.live("p2").table.bets


def test_a_dealer_comes_on_at_one_table_at_a_time(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack")
    floor.open("p2", "perth/blackjack")
    assert "no role of this book" in why(floor.order("p1", MIA, type="dealer", name="sue"))
    assert isinstance(floor.order("p1", MIA, type="dealer", name="dan"), Done)
    assert "deals at p1" in why(floor.order("p2", MIA, type="dealer", name="dan"))
    assert isinstance(floor.order("p1", MIA, type="dealer", name=""), Done)
    assert isinstance(floor.order("p2", MIA, type="dealer", name="dan"), Done)
    assert floor.live("p2").table.floor.dealer == "dan"


# ---------------------------------------------------------------------- who is told


def test_who_must_be_told_finds_it_in_the_inbox_and_confirms_receipt(floor: Floor) -> None:
    floor.open("s1", "star/blackjack", ("ann",))
    get_ready(floor, "s1", "ann")
    assert isinstance(floor.bet("s1", "ann"), Done)
    get_ready(floor, "s1", "ann")
    assert isinstance(floor.order("s1", STAR, type="foreign-card", reason="a card of another pack"), Done)
    waiting = {item.body for item in floor.live("s1").table.floor.to_tell}
    assert waiting == {"surveillance", "inspector"}
    notices = floor.desk.house.notices
    assert {(notice.body, notice.table, notice.act) for notice in notices.values()} == {
        ("surveillance", "s1", "foreign-card"), ("inspector", "s1", "foreign-card"),
    }  # fmt: skip
    assert "their own inbox" in why(floor.order("s1", STAR, type="tell", bodies=["inspector"]))
    number = next(notice.number for notice in notices.values() if notice.body == "inspector")
    assert "no notice" in why(floor.ask_floor(Asker("surveillance", "val"), hm.ConfirmReceipt(number=number)))
    floor.start()
    assert isinstance(floor.ask_floor(IVY, hm.ConfirmReceipt(number=number)), Done)
    assert floor.desk.house.notices[number].received_by == "ivy"
    assert {item.body for item in floor.live("s1").table.floor.to_tell} == {"surveillance"}
    assert "has confirmed" in why(floor.ask_floor(IVY, hm.ConfirmReceipt(number=number)))


def test_what_the_inspector_must_approve_waits_for_their_approval(floor: Floor) -> None:
    floor.open("s1", "star/blackjack")
    order = {"type": "deal-face-down", "approved": ["inspector"]}
    assert "approved no notice" in why(floor.order("s1", STAR, **order))
    assert isinstance(floor.ask_floor(STAR, hm.SendNotice(body="inspector", table="s1", reason="face down")), Done)
    assert "approved no notice" in why(floor.order("s1", STAR, **order))
    assert isinstance(floor.ask_floor(IVY, hm.ConfirmReceipt(number=1, approved=True)), Done)
    assert "approved no notice" not in str(floor.order("s1", STAR, **order))


# ---------------------------------------------------------------------- the second person


def play_to_turns(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann",))
    get_ready(floor, "p1", "ann")
    while True:
        assert isinstance(floor.bet("p1", "ann", amount="100"), Done)
        get_ready(floor, "p1", "ann")
        if floor.live("p1").table.phase is Phase.TURNS:
            return
        while floor.live("p1").table.phase is not Phase.BETTING:
            floor.wait(1)


def test_a_void_above_the_amount_waits_for_a_second_person(floor: Floor) -> None:
    play_to_turns(floor)
    void = {"type": "void", "reason": "a misdeal", "clause": "7.3/2"}
    assert isinstance(floor.ask_floor(ROOT, hm.RequireSecondPerson(above=Money(50), reason="policy")), Done)
    assert "table-games-manager or above" in why(floor.order("p1", DAN, **void))
    assert isinstance(floor.order("p1", MIA, **void), Done)
    assert not floor.live("p1").table.void, "it waits"
    assert [asked.number for asked in floor.live("p1").asked_orders] == [1]
    floor.start()
    assert "somebody else" in why(floor.order("p1", MIA, type="confirm-order", number=1))
    assert "may not do this" in why(floor.order("p1", DAN, type="confirm-order", number=1))
    assert "not a player's" in why(floor.do("p1", "ann", {"type": "confirm-order", "number": 1}))
    assert isinstance(floor.order("p1", MAX, type="confirm-order", number=1), Done)
    assert floor.live("p1").table.void
    assert not floor.live("p1").asked_orders
    assert "no order 1 waits" in why(floor.order("p1", MAX, type="confirm-order", number=1))
    confirmed, asked = floor.list_actions()[:2]
    assert (confirmed.actor, confirmed.act) == ("max", "order-confirmed")
    assert (asked.actor, asked.act, asked.reason) == ("mia", "order-asked", "a misdeal")


def test_a_small_void_needs_one_person(floor: Floor) -> None:
    play_to_turns(floor)
    floor.ask_floor(ROOT, hm.RequireSecondPerson(above=Money(200), reason="policy"))
    assert isinstance(floor.order("p1", MIA, type="void", reason="a misdeal"), Done)
    assert floor.live("p1").table.void


def test_an_order_that_waits_is_withdrawn_or_expires_on_record(floor: Floor) -> None:
    play_to_turns(floor)
    floor.ask_floor(ROOT, hm.RequireSecondPerson(above=Money(50), minutes=2, reason="policy"))
    for _ in range(2):
        assert isinstance(floor.order("p1", MIA, type="void", reason="a misdeal"), Done)
    assert "must give a reason" in why(floor.order("p1", MIA, type="withdraw-order", number=1, reason=""))
    assert "the same rank or above" in why(floor.order("p1", DAN, type="withdraw-order", number=1, reason="x"))
    assert isinstance(floor.order("p1", MIA, type="withdraw-order", number=1, reason="no misdeal"), Done)
    assert "the clock does this" in why(floor.order("p1", MIA, type="expire-order", number=2))
    floor.now_ms += 2 * MINUTE
    assert "sooner" in why(floor.order("p1", MAX, type="confirm-order", number=2))
    floor.wait(0)
    assert not floor.live("p1").asked_orders
    events = [event for row in floor.store.read_log("p1") for event in open_row(row, floor.desk.vault)]
    dropped = [(event.number, event.why) for event in events if type(event).__name__ == "OrderDropped"]
    assert dropped == [(1, "withdrawn"), (2, "expired")]


# ---------------------------------------------------------------------- disputes, and what is on record


def test_a_dispute_goes_the_way_of_the_book(floor: Floor) -> None:
    floor.open("m1", "melbourne/blackjack", ("ann",))
    ann = Asker("player", "ann")
    further = hm.TakeDisputeFurther(table="m1")
    assert "has disputed nothing" in why(floor.ask_floor(ann, further))
    assert isinstance(floor.do("m1", "ann", {"type": "call-dispute", "matter": "my ace was an eleven"}), Done)
    assert "waits for a decision" in why(floor.ask_floor(ann, further))
    ruling = {"type": "ruling", "player": "ann", "upheld": False, "reason": "it was a one"}
    assert isinstance(floor.order("m1", CROWN, **ruling), Done)
    assert isinstance(floor.ask_floor(ann, further), Done)
    dispute = floor.desk.house.disputes[1]
    assert (dispute.who, dispute.clauses) == ("inspector", ("32.11",))
    assert [notice.body for notice in floor.desk.house.notices.values()] == ["inspector"]
    assert "the inspector decides" in why(
        floor.ask_floor(ROOT, hm.RuleOnTakenDispute(number=1, upheld=True, reason="x"))
    )
    assert isinstance(floor.ask_floor(IVY, hm.RuleOnTakenDispute(number=1, upheld=True, reason="the record")), Done)
    assert floor.desk.house.disputes[1].upheld


def test_every_action_of_staff_is_on_record_with_actor_role_reason_and_clause(floor: Floor) -> None:
    floor.open("p1", "perth/blackjack", ("ann",))
    floor.order("p1", MIA, type="bar", player="ann", reason="signals")
    floor.ask_floor(ROOT, hm.IssueChips(name="ann", amount=Money(5), reason="a buy-in"))
    issued, *barred = floor.list_actions()
    assert (issued.stream, issued.actor, issued.role, issued.reason) == ("floor", "root", "administrator", "a buy-in")
    assert {(action.stream, action.actor, action.reason) for action in barred} == {
        ("floor", "mia", "signals"), ("p1", "mia", "signals"),
    }  # fmt: skip
    for action in barred:
        assert action.clauses[:1] == ("8.8(b)",)
        assert action.role == "table-games-manager"
    assert [row.stream for row in floor.store.read_staff_rows(9, stream="p1")] == ["p1"]
    assert not floor.store.read_staff_rows(9, actor="dan")
