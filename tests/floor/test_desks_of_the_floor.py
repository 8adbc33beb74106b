"""What the desks work out: payouts in chips, the dealer's next step, orders by the book, previews, drills, training."""

from __future__ import annotations

import importlib.util
import itertools
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_play import DealtByHand, RandomTable, rules_with_sides
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.floor import live_table as lt
from pitboss.floor.desks.chip_payouts import CHIPS, break_into_chips
from pitboss.floor.desks.dealer_steps import choose_suits, describe_seat, find_next_step, needs_suits
from pitboss.floor.desks.drill_questions import DrillRound, list_topics, mark_drill, prepare_drills
from pitboss.floor.desks.order_forms import GROUPS, list_powers
from pitboss.floor.desks.order_preview import preview_order
from pitboss.floor.desks.trainee import AnswerError, is_amount, list_trainee_questions, mark_draw, mark_payments
from pitboss.floor.desks.waiting_matters import list_waiting
from pitboss.floor.documents import PublicTable, describe_public
from pitboss.floor.live_decisions import Asking, decide_live
from pitboss.money import Money
from pitboss.rulebooks import BOOKS, load_book, rules_for
from pitboss.table import Refusal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker
from pitboss.table.orders.order_words import ORDER_VERBS
from pitboss.table.state import Phase

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "src" / "pitboss" / "server" / "web" / "desks" / "drill_rounds.json"
DRILLS = msgspec.json.decode(SHIPPED.read_bytes(), type=tuple[DrillRound, ...])


@given(st.integers(0, 10**6), st.sampled_from([None, Money("0.5"), Money(1), Money(5)]))
def test_chips_make_the_amount_and_none_is_smaller_than_the_table_has(halves: int, smallest: Money | None) -> None:
    amount = Money(halves) / 2
    chips, rest = break_into_chips(amount, smallest)
    assert sum(chips, Money(0)) + rest == amount
    assert all(chip in CHIPS and (smallest is None or chip % smallest == 0) for chip in chips)
    assert list(chips) == sorted(chips, reverse=True)
    assert smallest is not None or rest < Money("0.5")


def test_a_payout_is_broken_as_a_dealer_breaks_it() -> None:
    assert break_into_chips(Money("37.5")) == ((Money(25), Money(10), Decimal("2.5")), Money(0))


def test_every_order_has_its_place_on_the_desk() -> None:
    placed = [kind for _, kinds in GROUPS for kind in kinds]
    assert len(placed) == len(set(placed))
    by_shoe = {cmd.OrderShuffle, cmd.Riffle, cmd.BurnEachRound, cmd.DealFaceDown, cmd.ReplaceCards}
    listed = {words.command for words in ORDER_VERBS.values()}
    assert listed - set(placed) <= by_shoe, "an order that no desk offers"


@pytest.mark.parametrize("book", BOOKS)
def test_an_order_is_offered_to_whom_the_book_lets_it(book: str) -> None:
    """Whoever is offered an order is not refused for their role, and whoever is not, is."""
    loaded = load_book(book)
    rules = loaded.rules(next(iter(loaded.games)))
    for (_, kinds), rung in itertools.product(GROUPS, rules.ladder):
        for kind in kinds:
            for power in list_powers(rules, kind, (rung.id,)):
                assert power.mine == (rules.rank(rung.id) >= rules.rank(power.role))
                assert power.clauses or not power.id


def list_cards(public: PublicTable) -> Counter[str]:
    """Every card that lies open on a layout."""
    hands = [hand.cards for box in public.boxes for hand in box.hands]
    return Counter([*public.dealer, *itertools.chain(*hands)])


ORDERS: tuple[dict[str, Any], ...] = (
    {"type": "void"}, {"type": "void", "box": "1"}, *(
        {"type": "reconstruct", "box": box, "should": should}
        for box in ("1", "2") for should in ("ask", "hit", "stand", "double", "split")
    ), {"type": "bar", "player": "ann"}, {"type": "late-insurance"}, {"type": "reconstruct"},
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/pontoon", "perth/blackjack"])
@settings(max_examples=6, deadline=None, database=None)
@given(seed=st.integers(0, 2**32))
def test_no_preview_shows_a_card_that_nobody_has_seen(game: str, seed: int) -> None:
    """At a table that a machine deals, whatever order somebody has worked out; and it says what the order then does."""
    table = RandomTable(rules_with_sides(game), seed)
    role = table.live.table.rules.ladder[-1].id
    shown, seen, heard = 0, Counter[str](), 0
    for _ in range(25):
        table.step()
        live = table.live
        for granted in table.granted[heard:]:
            seen |= list_cards(describe_public(granted.live))
        heard = len(table.granted)
        for fields in ORDERS:
            by = Asker(role, "mia")
            command = lt.convert_command({**fields, "reason": "a test", "told": ["inspector"]}, by)
            asking = Asking(command, by, table.now_ms)
            preview = preview_order(live, asking, 1)
            answer = decide_live(live, asking)
            assert preview.granted is not isinstance(answer, Refusal)
            if preview.after is not None and preview.before is not None:
                shown += 1
                assert list_cards(preview.after) <= seen
                assert not isinstance(answer, Refusal)
                assert len(preview.moves) == len(answer.transfers)
    assert shown


@pytest.mark.parametrize("game", ["star/blackjack", "melbourne/pontoon", "star/switch"])
def test_whatever_happens_at_a_real_shoe_the_seat_says_what_comes_next(game: str) -> None:
    kinds: set[str] = set()
    for seed in range(2):
        table = DealtByHand(rules_with_sides(game), seed)
        for _ in range(60):
            table.step()
        for granted in table.granted:
            live = granted.live
            seat = describe_seat(live)
            kinds.add(seat.step.kind)
            assert seat.step.say.endswith((".", "?"))
            assert set(seat.keys) <= set("A23456789TJQK")
            if live.table.shoe.out:
                assert seat.step.kind == "card"
            if seat.step.kind == "settle" and seat.payments:
                after = decide_live(live, Asking(cmd.Proceed(), table.dan, table.now_ms))
                assert not isinstance(after, Refusal)
                paid = sum((item.net for item in seat.payments), Money(0))
                before = sum((item.net for item in live.table.settlements), Money(0))
                assert paid == sum((item.net for item in after.live.table.settlements), Money(0)) - before
            list_waiting(live)
    assert {"come-on", "bring-shoe", "wait", "call", "card", "decide", "settle", "clear"} <= kinds


def test_a_suit_is_asked_for_only_where_it_matters() -> None:
    plain = DealtByHand(rules_for("star/blackjack"), 1)
    assert not needs_suits(plain.live.table)
    assert needs_suits(DealtByHand(rules_for("melbourne/pontoon"), 1).live.table)
    pairs = DealtByHand(rules_for("star/blackjack", side_wagers=["perfect-pairs"]), 1)
    assert not needs_suits(pairs.live.table)
    for wager, amount in (("main", 10), ("perfect-pairs", 5)):
        pairs.ask(cmd.PlaceBet(box="1", player="ann", amount=Money(amount), wager=wager), "ann")
    assert needs_suits(pairs.live.table)
    assert "T" not in choose_suits(DealtByHand(rules_for("melbourne/pontoon"), 1).live.table)


def test_a_trainee_is_asked_and_marked_by_what_the_table_does() -> None:
    table = DealtByHand(rules_for("star/blackjack"), 1, cards=("Th", "7c", "9s", "Kd", "5h"))
    table.ask(cmd.PlaceBet(box="1", player="ann", amount=Money(10)), "ann")
    for command in (od.CallBets(role="dealer", person="dan"), cmd.Deal()):
        assert table.ask_by(command, table.dan)
    for card in ("Th", "7c", "9s"):
        assert table.ask_by(cmd.KeyCard(card=card), table.dan)
    assert list_trainee_questions(table.live) == ()
    table.ask(cmd.Stand(box="1", by="ann"), "ann")
    assert [question.kind for question in list_trainee_questions(table.live)] == ["draw"]
    assert mark_draw(table.live, "draw")[0].correct
    with pytest.raises(AnswerError, match="draws or stands"):
        mark_draw(table.live, "hit")
    with pytest.raises(AnswerError, match="nothing is being settled"):
        mark_payments(table.live, ("10",))
    table.ask_by(cmd.KeyCard(card="Kd"), table.dan)
    assert table.live.table.phase is Phase.SETTLING
    assert find_next_step(table.live.table).say == "Pay box 1: 10."
    assert not mark_draw(table.live, "draw")[0].correct
    (mark,) = mark_payments(table.live, ("+10.00",))
    assert mark.correct
    assert mark.clauses
    with pytest.raises(AnswerError, match="1 wagers"):
        mark_payments(table.live, ())


def test_amounts_are_read_as_people_write_them() -> None:
    for text in ("37.5", "37.50", "+37.50", " 37.5 "):
        assert is_amount(text, Money("37.5"))
    assert is_amount("\N{MINUS SIGN}25", Money(-25))
    assert not is_amount("a lot", Money(1))


# ---------------------------------------------------------------------- drills


@pytest.mark.slow
def test_the_drills_that_the_server_has_are_those_of_the_records() -> None:
    spec = importlib.util.spec_from_file_location("make_drills", ROOT / "tools" / "make_drills.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert SHIPPED.read_bytes() == tool.write_rounds(), "run python tools/make_drills.py"


@pytest.mark.parametrize("topic", sorted({drill.topic for drill in DRILLS}))
def test_every_question_of_a_topic_has_an_answer_with_a_clause_and_tells_none(topic: str) -> None:
    rounds = dict(list_topics(DRILLS))[topic]
    prepared = [item for drill in rounds for item in prepare_drills(drill)]
    assert len(prepared) >= 12
    assert len({item.question.id for item in prepared}) == len(prepared)
    clauses = [bool(answer.clauses) for item in prepared for answer in item.right]
    assert sum(clauses) > 0.9 * len(clauses)
    for item in prepared:
        right = tuple([answer.right for answer in item.right])
        assert mark_drill(item, right).correct
        wrong = tuple(["999.5" if item.question.kind == "pay" else "perhaps"] * len(right))
        assert not any(answer.correct for answer in mark_drill(item, wrong).answers)
        sent = msgspec.json.encode(item.question).decode()
        assert item.title not in sent
        assert not item.question.public.settlements
        if item.question.kind == "pay":
            assert not any(answer.about.split("; ")[-1] in sent for answer in item.right)
