"""Promotions: whatever is asked in whatever order, sums hold, nothing is paid twice and no entry is lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.floor import house_messages as hm
from pitboss.floor.house_state import HouseState, Person
from pitboss.floor.ledger import CAGE, NEVER_NEGATIVE, STORE, Unit, add_up_changes, find_imbalance
from pitboss.floor.moments import DAY_MS, HOUR_MS
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.prize_draw import (
    DrawOutcome,
    PromotionEntry,
    digest_entries,
    draw_winners,
    find_draw_faults,
    select_entries,
)
from pitboss.floor.promotions.promotion_decisions import decide_promotion
from pitboss.floor.promotions.promotion_kind import PROMOTION_KIND
from pitboss.floor.promotions.promotion_state import (
    AwardStatus,
    PromotionPhase,
    PromotionState,
    fold_promotion,
    prize_fund,
)
from pitboss.floor.promotions.promotion_terms import PromotionTerms, read_promotion_terms
from pitboss.floor.promotions.promotion_words import TELLERS
from pitboss.floor.records.kind import FloorNow
from pitboss.money import Money
from pitboss.table import Refusal
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker
from pitboss.table.shoe.shuffle import commitment, seed_and_salt

TERMS = read_promotion_terms(
    (Path(__file__).parents[1] / "records" / "floor" / "promotions" / "autumn.promotion.toml").read_text("utf-8")
)
PLAYERS = ("ann", "bob", "cat")
OLGA, SUE, ALMA = Asker("casino-operator", "olga"), Asker("scrutineer", "sue"), Asker("authority", "alma")
HOUSE_WITH_ALL = HouseState(
    people={
        **{name: Person(name, hm.PersonKind.MEMBER) for name in PLAYERS},
        **{
            by.name: Person(by.name, hm.PersonKind.MEMBER, roles=frozenset({(by.role, "star")}))
            for by in (OLGA, SUE, ALMA)
        },
        "ivo": Person("ivo", hm.PersonKind.MEMBER, roles=frozenset({("inspector", "")})),
    }
)
START = TERMS.opens - 2 * DAY_MS


class Floor:
    """A promotion with a ledger beside it: everything that is granted is checked at once."""

    def __init__(self) -> None:
        self.state = PromotionState(name="autumn", book="star")
        self.balances: dict[tuple[str, Unit], int] = {}
        self.at_ms = START
        self.decided = 0
        self.events: list[tuple[pm.PromotionEvent, int]] = []

    def ask(self, command: Any, by: Asker) -> bool:
        now = FloorNow(
            book="star", at_ms=self.at_ms, house=HOUSE_WITH_ALL, tables={}, streams={}, balances=self.balances,
            entropy=self.decided.to_bytes(32, "big"),
        )  # fmt: skip
        before = self.state
        answer = decide_promotion(before, command, by, now)
        if isinstance(answer, Refusal):
            assert answer.reason
            assert "\n" not in answer.reason
            return False
        self.decided += 1
        folded = before
        for event in answer.events:
            assert [said.sentence for said in PROMOTION_KIND.narrate(folded, event)]
            if isinstance(event, pm.PromotionLodged | pm.AmendmentAsked):
                starts_as_before = folded.terms is not None and folded.terms.opens == event.terms.opens
                assert starts_as_before or event.terms.opens - self.at_ms >= DAY_MS, "the Authority has its day"
            folded = fold_promotion(folded, event, self.at_ms)
            self.events.append((event, self.at_ms))
        assert folded == answer.state
        self.state = answer.state
        for account, change in add_up_changes(answer.transfers).items():
            self.balances[account] = self.balances.get(account, 0) + change
        self.check(before)
        return True

    def check(self, before: PromotionState) -> None:
        """Sums hold, no entry is lost, no prize is given twice, and the fund is what is still to be won."""
        state = self.state
        assert find_imbalance(self.balances) == 0
        assert all(b >= 0 for (name, _), b in self.balances.items() if name.startswith(NEVER_NEGATIVE))
        assert state.entries[: len(before.entries)] == before.entries
        assert [entry.number for entry in state.entries] == list(range(1, len(state.entries) + 1))
        held = [prize.entry for prize in state.won if prize.player]
        assert len(held) == len(set(held)), "an entry wins once"
        awarded = [event.prize for event, _ in self.events if isinstance(event, pm.PrizeAwarded)]
        assert len(awarded) == len(set(awarded)), "a prize is awarded once"
        assert list(PROMOTION_KIND.list_duties(state, self.at_ms)) is not None
        msgspec.json.decode(msgspec.json.encode(state), type=PromotionState)
        self.check_fund()

    def check_fund(self) -> None:
        """What the stream says of its fund is what the ledger holds, and nothing once it is over."""
        for account, unit, grains in PROMOTION_KIND.list_holdings(self.state):
            assert self.balances.get((account, unit), 0) == grains
            if self.state.phase in (PromotionPhase.CANCELLED, PromotionPhase.ENDED):
                assert (account, grains) == (prize_fund("autumn"), 0)


def change_terms(**changes: Any) -> PromotionTerms:
    return msgspec.structs.replace(TERMS, **changes)


NUMBERS = st.integers(1, 5)
SOME_TERMS = st.sampled_from(
    [
        TERMS,
        change_terms(scrutineer="", prizes=TERMS.prizes[2:]),
        change_terms(entries_each=2, wins_each=2),
        change_terms(opens=TERMS.opens + HOUR_MS),
        change_terms(opens=TERMS.opens - DAY_MS),
        change_terms(must_be_present=True),
        change_terms(
            minimum_wager=Money(10), terms={item: text for item, text in TERMS.terms.items() if item != "minimum-wager"}
        ),
        change_terms(prizes=()),
    ]
)
OPERATORS = st.one_of(
    st.builds(pm.LodgePromotion, terms=SOME_TERMS),
    st.builds(pm.AmendTerms, terms=SOME_TERMS, reason=st.sampled_from(["later", ""])),
    st.builds(pm.HoldDraw),
    st.builds(pm.NotifyWinner, prize=NUMBERS, way=st.sampled_from(["mail", "email", "pigeon"])),
    st.builds(pm.PublishResults, where=st.just("entrance")),
    st.builds(pm.AwardPrize, claim=NUMBERS),
    st.builds(pm.DenyClaim, claim=NUMBERS, reason=st.just("no proof"), address=st.sampled_from(["", "1 Hill Street"])),
    st.builds(pm.TellReason, claim=NUMBERS),
    st.builds(pm.DecidePromotionDispute, number=NUMBERS, upheld=st.booleans(), reason=st.just("so it is")),
    st.builds(pm.PostponeDraw, reason=st.just("a doubt")),
    st.builds(pm.ValidateDraw, reason=st.just("checked"), draws=st.sampled_from([0, TERMS.draws + DAY_MS])),
    st.builds(pm.CancelDraw, reason=st.just("a doubt")),
    st.builds(pm.EndPromotion),
)
PAYMENTS = st.sampled_from(
    [{}, {"cash": Money("NaN")}, {"cash": Money(20000)}, {"cash": Money(5000), "transfer": Money(15000)}]
)
PLAYERS_ASK = st.one_of(
    st.builds(pm.EnterPromotion),
    st.builds(pm.EnterPromotion),
    st.builds(pm.RecordPresence),
    st.builds(pm.ClaimPrize, prize=NUMBERS, alternative=st.booleans(), payment=PAYMENTS),
    st.builds(pm.DisputePromotion, matter=st.just("the rules")),
    st.builds(pm.ContestDecision, number=NUMBERS),
)
ASKED = st.one_of(
    st.tuples(OPERATORS, st.just(OLGA)),
    st.tuples(PLAYERS_ASK, st.sampled_from([Asker(PLAYER, name) for name in PLAYERS])),
    st.tuples(st.builds(pm.OverseeDraw), st.just(SUE)),
    st.tuples(st.builds(pm.RuleOnAmendment, approved=st.booleans()), st.just(ALMA)),
    st.tuples(st.builds(pm.KeepPromotionTime), st.just(SYSTEM)),
    st.tuples(
        st.builds(pm.NoteWager, player=st.sampled_from(PLAYERS), amount=st.just(Money(10)), table=st.just("b1")),
        st.just(SYSTEM),
    ),
    st.tuples(st.builds(pm.AcknowledgeStop, number=NUMBERS), st.just(Asker("inspector", "ivo"))),
)
LATER = st.sampled_from([0, 0, 0, HOUR_MS, DAY_MS, 3 * DAY_MS])


@settings(max_examples=200, deadline=None)
@given(lodged=SOME_TERMS | st.none(), entered=st.integers(0, 6), asked=st.lists(st.tuples(ASKED, LATER), max_size=30))
def test_whatever_is_asked_sums_hold_and_nothing_is_lost_or_paid_twice(
    lodged: PromotionTerms | None, entered: int, asked: list[tuple[tuple[Any, Asker], int]]
) -> None:
    floor = Floor()
    if lodged is not None and floor.ask(pm.LodgePromotion(terms=lodged), OLGA):
        floor.at_ms = lodged.opens
        for number in range(entered):
            player = PLAYERS[number % len(PLAYERS)]
            if lodged.minimum_wager:
                assert floor.ask(pm.NoteWager(player=player, amount=Money(10), table="b1"), SYSTEM)
            allowed = not lodged.entries_each or number // len(PLAYERS) < lodged.entries_each
            assert floor.ask(pm.EnterPromotion(), Asker(PLAYER, player)) is allowed
    for (command, by), later in asked:
        floor.at_ms += later
        floor.ask(command, by)


@settings(max_examples=60, deadline=None)
@given(entered=st.lists(st.sampled_from(PLAYERS), min_size=1, max_size=12), order=st.randoms(use_true_random=False))
def test_a_promotion_that_runs_to_its_end_leaves_no_fund(entered: list[str], order: Any) -> None:
    """Winners claim in any order, some claims are refused; what is left goes back."""
    floor = Floor()
    assert floor.ask(pm.LodgePromotion(terms=TERMS), OLGA)
    floor.at_ms = TERMS.opens
    for name in entered:
        assert floor.ask(pm.EnterPromotion(), Asker(PLAYER, name))
    floor.at_ms = TERMS.draws
    assert floor.ask(pm.OverseeDraw(), SUE)
    assert floor.ask(pm.HoldDraw(), OLGA)
    for _ in range(20):
        winners = [prize for prize in floor.state.won if prize.status is AwardStatus.WON]
        if not winners:
            break
        prize = order.choice(winners)
        claim = pm.ClaimPrize(prize=prize.number, address="1 Hill Street")
        assert floor.ask(claim, Asker(PLAYER, prize.player))
        number = len(floor.state.claims)
        denied = pm.DenyClaim(claim=number, reason="no proof")
        assert floor.ask(denied if order.random() < 0.3 else pm.AwardPrize(claim=number), OLGA)
    assert floor.ask(pm.EndPromotion(), OLGA)
    paid = sum(amount for (name, _), amount in floor.balances.items() if name.startswith(("paid:", "wallet:")))
    out = -floor.balances.get((CAGE, Unit.CHIP), 0) - floor.balances.get((STORE, Unit.PRIZE), 0)
    assert paid == out


def test_the_chance_of_a_draw_is_committed_to_before_the_first_entry_and_can_be_checked() -> None:
    floor = Floor()
    assert floor.ask(pm.LodgePromotion(terms=TERMS), OLGA)
    committed = floor.state.commitment
    shown = PROMOTION_KIND.show(floor.state, Asker("spectator"))
    assert shown["commitment"] == committed
    assert "seed" not in shown
    secret = floor.state.secret
    for by in (Asker("spectator"), Asker(PLAYER, "ann"), OLGA):
        seen = repr(PROMOTION_KIND.show(floor.state, by))
        assert secret[:32].hex() not in seen
        assert repr(secret[:32])[2:-1] not in seen
    assert floor.ask(pm.LodgePromotion(terms=change_terms(wins_each=2)), OLGA)
    assert floor.state.commitment == committed, "other terms draw by the same chance"
    floor.at_ms = TERMS.opens
    for name in (*PLAYERS, *PLAYERS):
        assert floor.ask(pm.EnterPromotion(), Asker(PLAYER, name))
    floor.at_ms = TERMS.draws
    assert floor.ask(pm.OverseeDraw(), SUE)
    assert floor.ask(pm.HoldDraw(), OLGA)
    shown = PROMOTION_KIND.show(floor.state, Asker("spectator"))
    seed, salt = bytes.fromhex(shown["seed"]), bytes.fromhex(shown["salt"])
    held = next(event for event, _ in floor.events if isinstance(event, pm.DrawHeld))
    assert held.digest == digest_entries(floor.state.entries)
    winners = tuple(floor.state.entries[prize.entry - 1] for prize in floor.state.won)
    reserves = tuple(floor.state.entries[number - 1] for number in held.reserves)
    outcome = DrawOutcome(winners, reserves)
    wanted = {"prizes": 4, "wins_each": 2, "reserves": 2}
    assert find_draw_faults(floor.state.entries, committed, seed, salt, outcome, **wanted) == []
    assert find_draw_faults(floor.state.entries, committed, salt, seed, outcome, **wanted)
    assert find_draw_faults(floor.state.entries[:-1], committed, seed, salt, outcome, **wanted)


def test_every_entry_is_as_likely_to_win() -> None:
    entries = [PromotionEntry(number, f"p{number}") for number in range(1, 5)]
    won = [0] * 4
    for draw in range(2000):
        seed, _ = seed_and_salt(draw.to_bytes(32, "big"))
        outcome = draw_winners(entries, seed, 1, wins_each=1, reserves=3)
        won[outcome.winners[0].number - 1] += 1
        assert sorted(e.number for e in (*outcome.winners, *outcome.reserves)) == [1, 2, 3, 4]
    assert all(400 < count < 600 for count in won), won


def test_a_person_wins_no_more_often_than_the_terms_allow() -> None:
    entries = [PromotionEntry(number, "ann" if number < 10 else "bob") for number in range(1, 12)]
    seed, salt = seed_and_salt(bytes(32))
    once = draw_winners(entries, seed, 5, wins_each=1, reserves=0)
    assert sorted(entry.player for entry in once.winners) == ["ann", "bob"]
    assert len(draw_winners(entries, seed, 5, wins_each=5, reserves=0).winners) == 5
    assert select_entries(entries, {"bob"}) == entries[9:]
    assert commitment(seed, salt) != commitment(salt, seed)


def test_everything_that_happens_to_a_promotion_is_told() -> None:
    assert set(TELLERS) == set(pm.PROMOTION_EVENTS)


def test_names_of_winners_are_theirs_until_the_results_are_published() -> None:
    floor = Floor()
    floor.ask(pm.LodgePromotion(terms=TERMS), OLGA)
    floor.at_ms = TERMS.opens
    floor.ask(pm.EnterPromotion(), Asker(PLAYER, "ann"))
    floor.at_ms = TERMS.draws
    floor.ask(pm.OverseeDraw(), SUE)
    floor.ask(pm.HoldDraw(), OLGA)

    def see(by: Asker) -> str:
        return str(PROMOTION_KIND.show(floor.state, by)["prizes"][0]["player"])

    assert [see(by) for by in (Asker("spectator"), Asker(PLAYER, "bob"), Asker(PLAYER, "ann"), OLGA)] == [
        "", "", "ann", "ann",
    ]  # fmt: skip
    drawn = next(event for event, _ in floor.events if isinstance(event, pm.PrizeDrawn))
    assert not PROMOTION_KIND.is_told(floor.state, drawn, Asker(PLAYER, "bob"))
    assert PROMOTION_KIND.is_told(floor.state, drawn, Asker(PLAYER, "ann"))
    assert not PROMOTION_KIND.is_told(floor.state, drawn, Asker("spectator"))
    floor.ask(pm.PublishResults(where="entrance"), OLGA)
    assert see(Asker("spectator")) == "ann"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"wins_each": 0}, "wins_each is 1 or more, not 0"),
        ({"reserves": 2000}, "reserves are no more than 1000"),
        ({"claim_days": 10**9}, "claim_days is no more than 3650"),
        ({"minimum_wager": Money("NaN")}, "'NaN' is not an amount"),
        ({"minimum_wager": Money("0.0000001")}, "is finer than the ledger"),
        ({"opens": 10**30}, "before the year 2100"),
        ({"draws": -5}, "before the year 2100"),
        ({"prizes": (msgspec.structs.replace(TERMS.prizes[0], value=Money("1e400")),)}, "is not an amount"),
        ({"prizes": (msgspec.structs.replace(TERMS.prizes[0], name=" "),)}, "the name of a prize is one line"),
        ({"claim_days": -1}, "claim_days is 0 or more, not -1"),
        ({"name": "a\nb"}, "the name of a promotion is one line"),
        ({"book": "star-switch"}, "these terms are by the book star-switch"),
        ({"prizes": (msgspec.structs.replace(TERMS.prizes[0], kind="yacht"),)}, "'yacht' is not a kind of prize"),
        ({"prizes": (msgspec.structs.replace(TERMS.prizes[0], value=Money(0)),)}, "its value is above zero"),
        ({"prizes": (msgspec.structs.replace(TERMS.prizes[0], number=1001),)}, "a promotion has 1 to 1000 prizes"),
        ({"terms": {**TERMS.terms, "hats": "x"}}, "'hats' is not a term of a promotion"),
    ],
)
def test_terms_that_make_no_sense_get_one_line(changes: dict[str, Any], words: str) -> None:
    floor = Floor()
    now = FloorNow(
        book="star", at_ms=START, house=HOUSE_WITH_ALL, tables={}, streams={}, balances={}, entropy=bytes(32)
    )  # fmt: skip
    answer = decide_promotion(floor.state, pm.LodgePromotion(terms=change_terms(**changes)), OLGA, now)
    assert isinstance(answer, Refusal)
    assert words in answer.reason
