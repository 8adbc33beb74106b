"""Promotions, vouchers and promotional tokens on a served floor: kept over a restart, run by the clock, and audited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_desk import KEY, Bench

from pitboss.floor import house_messages as hm
from pitboss.floor.documents import describe_private
from pitboss.floor.ledger import TRAY, Unit, from_grains, layout, purse, to_grains, wallet
from pitboss.floor.moments import DAY_MS
from pitboss.floor.promotions.promotion_state import PromotionPhase, PromotionState, payout, prize_fund
from pitboss.floor.promotions.promotion_terms import read_promotion_terms
from pitboss.money import Money
from pitboss.server.live_stream import Answer, Done
from pitboss.server.storage.floor_audit import audit_floor
from pitboss.table import Phase, Refusal
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker

AUTUMN, SPRING = "promotion autumn", "vouchers spring"
TERMS = read_promotion_terms(
    (Path(__file__).parents[1] / "records" / "floor" / "promotions" / "autumn.promotion.toml").read_text("utf-8")
)
STAFF = {
    "olga": ("casino-operator", "star"), "sue": ("scrutineer", "star"), "dora": ("dealer", "star"),
    "ivo": ("inspector", ""),
}  # fmt: skip
OLGA, SUE, DORA, IVO = (Asker(role, name) for name, (role, _) in STAFF.items())
ANN, BOB = Asker(PLAYER, "ann"), Asker(PLAYER, "bob")


@pytest.fixture
def bench(address: str) -> Iterator[Bench]:
    made = Bench(address)
    made.now_ms = TERMS.opens - 2 * DAY_MS
    for name, (role, book) in STAFF.items():
        add = hm.AddPerson(name=name, kind=hm.PersonKind.MEMBER, password_hash="#")
        made.desk.ask_house(HOUSE, f"add {name}", add, lambda answer: None)
        made.desk.ask_house(
            HOUSE, f"role {name}", hm.GiveRole(name=name, role=role, book=book), lambda answer: None
        )  # fmt: skip
    for player in ("ann", "bob"):
        made.admit(player)
    made.open("s1", "star/blackjack")
    assert made.desk.store_line()
    assert isinstance(made.do("s1", "ann", {"type": "buy-in", "amount": "200"}), Done)
    yield made
    made.desk.store_line()
    assert audit_floor(address, KEY).found == []
    made.store.close()


def ask(bench: Bench, stream: str, by: Asker, **asked: Any) -> Answer:
    heard: list[Answer] = []
    bench.asked += 1
    bench.desk.ask_stream(stream, by, f"s{bench.asked}", asked, heard.append, "star")
    assert bench.desk.store_line()
    return heard[0]


def must(bench: Bench, stream: str, by: Asker, **asked: Any) -> None:
    answer = ask(bench, stream, by, **asked)
    assert isinstance(answer, Done), answer


def find_promotion(bench: Bench) -> PromotionState:
    state = bench.desk.slots[AUTUMN].now.state.state
    assert isinstance(state, PromotionState)
    return state


def lodge(bench: Bench, **changes: Any) -> None:
    terms = msgspec.to_builtins(msgspec.structs.replace(TERMS, **changes))
    must(bench, AUTUMN, OLGA, type="lodge", terms=terms)


def look_up(bench: Bench, account: str, unit: Unit = Unit.CHIP) -> Money:
    return from_grains(bench.desk.balances.get((account, unit), 0))


def test_a_promotion_goes_on_after_a_restart_and_draws_as_it_was_committed(bench: Bench) -> None:
    lodge(bench)
    committed = find_promotion(bench).commitment
    assert look_up(bench, prize_fund("autumn")) == 20_000
    late = ask(bench, AUTUMN, ANN, type="enter")
    assert isinstance(late, Refusal)
    assert late.clauses == ("21.7.7",)
    bench.now_ms = TERMS.opens
    for by in (ANN, BOB):
        must(bench, AUTUMN, by, type="enter")
    bench.start()
    state = find_promotion(bench)
    assert [entry.player for entry in state.entries] == ["ann", "bob"]
    assert state.commitment == committed
    bench.now_ms = TERMS.draws
    assert isinstance(ask(bench, AUTUMN, OLGA, type="draw"), Refusal)
    must(bench, AUTUMN, SUE, type="oversee")
    must(bench, AUTUMN, OLGA, type="draw")
    bench.start()
    winner = find_promotion(bench).won[0].player
    must(bench, AUTUMN, Asker(PLAYER, winner), type="claim", prize=1, payment={"transfer": "20000"})
    must(bench, AUTUMN, OLGA, type="award", claim=1)
    again = ask(bench, AUTUMN, OLGA, type="award", claim=1)
    assert isinstance(again, Refusal)
    assert look_up(bench, payout("transfer", winner)) == 20_000
    assert look_up(bench, prize_fund("autumn")) == 0


def test_the_clock_of_the_floor_puts_a_missed_notification_on_record(bench: Bench) -> None:
    lodge(bench)
    bench.now_ms = TERMS.opens
    must(bench, AUTUMN, ANN, type="enter")
    bench.now_ms = TERMS.draws
    must(bench, AUTUMN, SUE, type="oversee")
    must(bench, AUTUMN, OLGA, type="draw")
    bench.start()
    bench.now_ms += 2 * DAY_MS - 1
    bench.desk.run_clocks()
    assert not find_promotion(bench).won[0].missed
    bench.now_ms += 1
    bench.desk.run_clocks()
    assert find_promotion(bench).won[0].missed


def test_wagers_at_a_table_earn_entries_in_the_same_transaction(bench: Bench) -> None:
    texts = {**TERMS.terms, "minimum-wager": "A main wager of 25 dollars for each entry."}
    lodge(bench, minimum_wager=Money(25), terms=texts)
    bench.now_ms = TERMS.opens
    assert isinstance(ask(bench, AUTUMN, ANN, type="enter"), Refusal)
    play_to(bench, Phase.SETTLED, {"type": "place-bet", "box": "1", "amount": "25"})
    assert find_promotion(bench).wagers == {"ann": 1}
    must(bench, AUTUMN, ANN, type="enter")
    second = ask(bench, AUTUMN, ANN, type="enter")
    assert isinstance(second, Refusal)
    assert second.clauses == ("21.7.4",)
    forged = ask(bench, AUTUMN, ANN, type="note-wager", amount="500", table="s1")
    assert isinstance(forged, Refusal)


def test_a_stop_is_told_to_the_inspector_at_once_and_players_learn_of_it(bench: Bench) -> None:
    lodge(bench)
    bench.now_ms = TERMS.opens
    must(bench, AUTUMN, ANN, type="enter")
    must(bench, AUTUMN, OLGA, type="cancel", reason="forged forms")
    assert find_promotion(bench).phase is PromotionPhase.CANCELLED
    assert look_up(bench, prize_fund("autumn")) == 0
    bench.start()
    assert [notice.read_by for notice in find_promotion(bench).notices] == [""]
    must(bench, AUTUMN, IVO, type="acknowledge", number=1)
    assert isinstance(ask(bench, AUTUMN, BOB, type="enter"), Refusal)


def play_to(bench: Bench, phase: Phase, asked: dict[str, Any]) -> None:
    """A wager of ann's, and the clock decides everything until the table is there."""
    answer = bench.do("s1", "ann", asked)
    assert isinstance(answer, Done), answer
    for _ in range(200):
        if bench.live("s1").table.phase is phase and bench.live("s1").table.boxes:
            assert bench.desk.store_line()
            return
        bench.now_ms += 21_000
        bench.desk.run_clocks()
    raise AssertionError(f"the round does not come to {phase}")


def test_vouchers_become_tokens_that_are_staked_at_a_served_table(bench: Bench) -> None:
    must(bench, SPRING, OLGA, type="issue", terms={"value": "25", "number": 4})
    must(bench, SPRING, DORA, type="hand-out", player="ann")
    assert isinstance(ask(bench, SPRING, BOB, type="exchange", voucher=1, table="s1"), Refusal)
    must(bench, SPRING, ANN, type="exchange", voucher=1, table="s1")
    assert isinstance(ask(bench, SPRING, ANN, type="exchange", voucher=1, table="s1"), Refusal)
    assert look_up(bench, wallet("ann"), Unit.TOKEN) == 25
    before = look_up(bench, purse("s1", "ann"))
    too_many = bench.do("s1", "ann", {"type": "bring-tokens", "amount": "30"})
    assert isinstance(too_many, Refusal)
    assert isinstance(bench.do("s1", "ann", {"type": "bring-tokens", "amount": "25"}), Done)
    assert describe_private(bench.live("s1"), "ann", ()).promotional_tokens == 25
    token_wager = {"type": "place-bet", "box": "1", "amount": "25", "medium": "promotional-tokens"}
    assert isinstance(bench.do("s1", "ann", {**token_wager, "amount": "26"}), Refusal)
    play_to(bench, Phase.TURNS, token_wager)
    assert look_up(bench, layout("s1"), Unit.TOKEN) == 25
    assert look_up(bench, purse("s1", "ann")) == before
    bench.start()
    for _ in range(50):
        if bench.live("s1").table.phase is Phase.SETTLED:
            break
        bench.now_ms += 21_000
        bench.desk.run_clocks()
    assert bench.desk.store_line()
    (net,) = (settled.net for settled in bench.live("s1").table.settlements)
    tokens = look_up(bench, purse("s1", "ann"), Unit.TOKEN)
    assert tokens == (0 if net < 0 else 25)
    assert look_up(bench, purse("s1", "ann")) == before + max(net, Money(0))
    assert look_up(bench, TRAY + "s1", Unit.TOKEN) == -tokens
    assert bench.live("s1").tokens == ({"ann": to_grains(tokens)} if tokens else {})
    bench.now_ms += 21_000
    bench.desk.run_clocks()
    assert isinstance(bench.do("s1", "ann", {"type": "leave-table"}), Done)
    assert look_up(bench, wallet("ann"), Unit.TOKEN) == tokens
