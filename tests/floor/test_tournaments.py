"""Tournaments: random ones keep every sum and lose no entry, brackets fill, ties are played out, draws are proved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import cli
from pitboss.floor.house_state import HouseState
from pitboss.floor.ledger import Unit, find_imbalance, from_grains, wallet
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.terms.tournament_terms import TournamentTerms, read_tournament_terms
from pitboss.floor.tournaments import tournament_commands as tc
from pitboss.floor.tournaments.course.seating import deal_seats, shuffle_keys
from pitboss.floor.tournaments.course.standings import choose_advancing, find_level, group_by_chips, order_out
from pitboss.floor.tournaments.format import (
    AbsenceRule,
    BuyBack,
    Guarantee,
    LimitStep,
    PlacePrize,
    StageKind,
    TournamentStage,
    WageringOrder,
)
from pitboss.floor.tournaments.tournament_decide import decide_tournament
from pitboss.floor.tournaments.tournament_folds import fold_tournament
from pitboss.floor.tournaments.tournament_kind import TOURNAMENT_KIND
from pitboss.floor.tournaments.tournament_robots import Step, find_robot_step
from pitboss.floor.tournaments.tournament_run import POCKET, TournamentRun
from pitboss.floor.tournaments.tournament_state import (
    EntryStatus,
    TableResult,
    TournamentPhase,
    TournamentState,
    WentOut,
)
from pitboss.floor.tournaments.tournament_words import tell_tournament
from pitboss.money import Money
from pitboss.table.messages.askers import HOUSE, PLAYER, Asker
from pitboss.table.shoe.shuffle import commitment

RECORDS = Path(__file__).parents[1] / "records" / "floor" / "tournaments"
EXAMPLE = Path(__file__).parents[2] / "examples" / "spring.tournament.toml"


def read(name: str) -> TournamentTerms:
    return read_tournament_terms((RECORDS / f"{name}.tournament.toml").read_text("utf-8"))


STAR, SEVENS = read("star"), read("sevens")


def change_format(terms: TournamentTerms, **changes: Any) -> TournamentTerms:
    return msgspec.structs.replace(terms, format=msgspec.structs.replace(terms.format, **changes))


def open_for(terms: TournamentTerms, number: int, seed: int = 1) -> TournamentRun:
    ran = TournamentRun(terms, seed)
    ran.open()
    ran.enter_robots(number)
    return ran


# ---------------------------------------------------------------------- random tournaments


@st.composite
def stages(draw: st.DrawFn) -> tuple[TournamentStage, ...]:
    low = draw(st.sampled_from([10, 25, 100]))
    steps = [
        (), (LimitStep(minimum=Money(low * 2), maximum=Money(low * 20), from_round=2),),
        (LimitStep(minimum=Money(low * 2), maximum=Money(low * 20), after_minutes=1),),
    ]  # fmt: skip
    common: dict[str, Any] = {
        "seats": draw(st.integers(2, 7)), "rounds": draw(st.integers(1, 4)),
        "stack": Money(low * draw(st.sampled_from([2, 10]))), "steps": draw(st.sampled_from(steps)),
        "minimum": Money(low), "maximum": Money(low * 5), "buy_in": Money(draw(st.sampled_from([0, 20]))),
    }  # fmt: skip
    found = []
    for at in range(draw(st.integers(0, 2))):
        found.append(
            TournamentStage(
                name=f"heat {at}", advance=draw(st.integers(1, 2)), next_best=draw(st.integers(0, 2)), **common
            )
        )
    if found and draw(st.booleans()):
        found.append(TournamentStage(name="again", kind=StageKind.REPECHAGE, advance=1, **common))
    return (*found, TournamentStage(name="final", kind=StageKind.FINAL, **{**common, "seats": 9}))


@st.composite
def tournaments(draw: st.DrawFn) -> TournamentTerms:
    percents = draw(st.sampled_from([(100,), (60, 40), (50, 30, 20)]))
    planned = draw(stages())
    back = BuyBack(price=Money(30), until="final") if len(planned) > 1 and draw(st.booleans()) else None
    return change_format(
        STAR, stages=planned, entry_fee=Money(draw(st.integers(0, 200))), most_entrants=30, buy_back=back,
        order=draw(st.sampled_from(list(WageringOrder))), deal_from_marker=draw(st.booleans()),
        pass_cards=draw(st.integers(0, 2)), undisclosed_wagers=draw(st.integers(0, 2)),
        absence=draw(st.sampled_from(list(AbsenceRule))), buy_in_to_pool=draw(st.booleans()),
        compulsory_wager=draw(st.booleans()), substitutes=draw(st.booleans()), side_wagers=("perfect-pairs",),
        options={"layout": "B", "resplit": draw(st.booleans()), "insurance_on_ten": draw(st.booleans())},
        chips_to_cash=Money(draw(st.sampled_from(["0", "0.01"]))), wager_seconds=draw(st.sampled_from([0, 30])),
        guarantee=draw(st.sampled_from([None, Guarantee(pool=Money(500), entrants=3)])),
        prizes=tuple(PlacePrize(place=at, percent=Money(share)) for at, share in enumerate(percents, 1)),
    )  # fmt: skip


def ask_something(ran: TournamentRun, draw: st.DataObject) -> None:
    """Somebody does something that robots do not do; what is refused changes nothing."""
    state = ran.state
    key = draw.draw(st.sampled_from(list(state.entries)))
    player = state.entries[key].player
    own, table = Asker(PLAYER, player), draw.draw(st.sampled_from(list(state.in_play) or ["t1"]))
    order = {"type": draw.draw(st.sampled_from(ORDERS)), "reason": "a mishap", "player": key, **ORDER_FIELDS}
    wanted: tuple[tc.TournamentCommand, Asker] = draw.draw(
        st.sampled_from(
            [
                (tc.TakeEntry(), own), (tc.WithdrawEntry(), own), (tc.PlayPassCard(), own), (tc.BuyBackIn(), own),
                (tc.WriteForm(wager="main", amount=Money(35)), own), (tc.WriteForm(wager="", amount=Money(35)), own),
                (tc.StakeChips(amount=Money(1000)), own), (tc.StakeChips(amount=Money(35)), own),
                (tc.RaiseDispute(matter="a wager"), own), (tc.TakeBackWager(), own), (tc.PayPrizes(), HOUSE),
                (tc.DecideTournamentDispute(ruling="as it is", upheld=False), HOUSE),
                (tc.MarkAbsent(player=player), HOUSE), (tc.MarkPresent(player=player), HOUSE),
                (tc.DisqualifyPlayer(player=player, ground="breach", reason="a breach"), HOUSE),
                (tc.DisqualifyPlayer(player=player, ground="absence", reason="away", refund=True), HOUSE),
                (tc.CancelTournament(reason="a storm"), HOUSE), (tc.ActAtTable(move="double"), own),
                (tc.ActAtTable(move="split"), own), (tc.AddToPool(amount=Money(10)), HOUSE),
                (tc.ActAtTable(move="refuse-card"), own), (tc.ActAtTable(move="retract"), own),
                (tc.GiveTableOrder(table=table, order=order), HOUSE), (tc.NameSubstitute(substitute="deputy"), own),
                (tc.GiveTableOrder(table=table, order=order), HOUSE), (tc.AgreeToEnd(), own),
                (tc.EndEarly(table=table), HOUSE), (tc.CallTime(table=table), HOUSE),
                (tc.CountStacks(table=table, counts={key: Money(5)}), HOUSE),
            ]
        )
    )  # fmt: skip
    before, balances = ran.state, dict(ran.balances)
    if ran.find_refusal(*wanted) is not None:
        assert ran.state == before
        assert ran.balances == balances


ORDERS = (
    "void", "burn-faced", "stray", "surplus", "no-wager", "foreign-card", "late-insurance", "device-failed",
    "first-card", "refuse-wager", "forfeit-wagers", "reconstruct", "misdeal", "discard-hand", "missed-cut",
    "order-shuffle", "limits",
)  # fmt: skip
ORDER_FIELDS: dict[str, Any] = {
    "box": "1", "cards": 1, "exposed": True, "outcome": "none", "now": True, "should": "stand", "number": 0,
    "fell": ["1", "2", "dealer", "2", "1"], "told": ["inspector", "surveillance"], "minimum": "5", "maximum": "50",
}  # fmt: skip
"""All that one order or another needs; each takes what it knows."""


def do_otherwise(ran: TournamentRun, step: Step, draw: st.DataObject) -> bool:
    """A player does something else than a robot would: all in, under the minimum, in writing, doubling.

    Whether it was granted.
    """
    command, by = step
    state = ran.state
    if isinstance(command, tc.ActAtTable):
        move = draw.draw(st.sampled_from(["hit", "stand", "double", "split", "insure", "even-money"]))
        return ran.find_refusal(tc.ActAtTable(move=move), by) is None
    if not isinstance(command, tc.StakeChips):
        return False
    key = state.find_key(by.name)
    table = state.find_table(key)
    assert table is not None
    has, low = from_grains(state.stacks[key]), table.minimum
    amount = draw.draw(st.sampled_from([has, low, low / 2, low + 5, table.maximum, has - low]))
    side = draw.draw(st.sampled_from([Money(0), Money(5), has - amount]))
    sides = {"perfect-pairs": side} if side > 0 else {}
    otherwise: tc.TournamentCommand = draw.draw(
        st.sampled_from(
            [
                tc.StakeChips(amount=amount, sides=sides), tc.StakeChips(amount=amount, sides=sides), tc.SitOut(),
                tc.WriteForm(wager="main", amount=amount), tc.WriteForm(amount=amount), tc.PlayPassCard(),
            ]
        )
    )  # fmt: skip
    return ran.find_refusal(otherwise, by) is None


def check_sums(ran: TournamentRun, entered: set[str]) -> None:
    """What must hold after every decision."""
    state = ran.state
    if state.phase in (TournamentPhase.CLOSED, TournamentPhase.DRAWN, TournamentPhase.PLAYING):
        placed = {*state.waiting, *(key for seated in state.drawn for key in seated.seats)}
        still_in = {key for key, entry in state.entries.items() if entry.status is EntryStatus.IN}
        assert still_in <= placed, "somebody who is in has no place to play"
    assert find_imbalance(ran.balances) == 0
    assert entered <= set(state.entries), "an entry is lost"
    for account, unit, grains in TOURNAMENT_KIND.list_holdings(state):
        assert ran.balances.get((account, unit), 0) == grains, account
    assert state.pool >= 0
    assert len(set(state.paid)) == len(state.paid), "a prize is paid twice"
    assert all(grains >= 0 for grains in state.stacks.values())


@settings(max_examples=25, deadline=None)
@given(tournaments(), st.integers(2, 12), st.integers(0, 1000), st.data())
def test_random_tournaments_keep_all_sums_pay_no_prize_twice_and_lose_no_entry(
    terms: TournamentTerms, number: int, seed: int, draw: st.DataObject
) -> None:
    ran = open_for(terms, number, seed)
    ran.admit(["deputy"], Money(0))
    ran.close()
    entered = set(ran.state.entries)
    pool = ran.pool
    for _ in range(3000):
        chance = draw.draw(st.integers(0, 15))
        if chance == 0:
            ask_something(ran, draw)
            check_sums(ran, entered)
        if ran.state.dispute is not None:
            ran.must(tc.DecideTournamentDispute(ruling="play on", upheld=True))
        step = find_robot_step(ran.state, seed)
        if step is None:
            break
        pool = ran.pool
        ran.at_ms += chance * 1000
        if chance > 7 or not do_otherwise(ran, step, draw):
            ran.must(*step)
        check_sums(ran, entered)
        entered |= set(ran.state.entries)
    assert ran.state.phase in (TournamentPhase.PAID, TournamentPhase.CANCELLED)
    assert ran.state.pool == 0
    if ran.state.phase is TournamentPhase.PAID:
        assert sum(prize.amount for prize in ran.prizes) == pool, "the pool is paid, all of it and no more"
    elif not any(stage.buy_in for stage in terms.format.stages) and not terms.format.chips_to_cash:
        whole = terms.format.entry_fee + (terms.format.buy_back.price if terms.format.buy_back else 0) + POCKET
        held = {from_grains(ran.balances[wallet(entry.holder), Unit.CHIP]) for entry in ran.state.entries.values()}
        assert held == {whole}, "everybody has their fees back"
    places = [prize.place for prize in ran.prizes]
    assert len(set(places)) == len(places), "a place is paid twice"
    for prize in ran.prizes:
        assert ran.state.entries[prize.player].status is not EntryStatus.DISQUALIFIED
    assert all(
        grains == 0 for (account, _), grains in ran.balances.items() if account.startswith(("stack:", "layout:"))
    )


def test_events_fold_to_what_was_decided_read_back_and_can_be_told() -> None:
    ran = open_for(change_format(STAR, undisclosed_wagers=1, order=WageringOrder.MARKER), 3)
    ran.close()
    while (step := find_robot_step(ran.state)) is not None:
        now = FloorNow(
            book="star", at_ms=ran.at_ms, house=HouseState(people=ran.people), tables={}, streams={},
            balances=ran.balances, entropy=b"e" * 32,
        )  # fmt: skip
        answer = decide_tournament(ran.state, *step, now)
        state = ran.state
        for event in answer.events:
            assert all(said.sentence for said in tell_tournament(state, event))
            state = fold_tournament(state, event, now.at_ms).state
        assert state == answer.state
        assert msgspec.json.decode(msgspec.json.encode(state), type=TournamentState) == state
        ran.must(*step)


# ---------------------------------------------------------------------- brackets, ties, draws


@pytest.mark.slow
@pytest.mark.parametrize("number", [49, 147])
def test_magnificent_sevens_is_played_to_the_end_of_its_schedule(number: int) -> None:
    ran = open_for(SEVENS, number)
    ran.close()
    seen = {(item.stage, len(item.standings)) for item in ran.play()}
    assert ("final", 7) in seen
    assert sum(prize.amount for prize in ran.prizes) == 370_000 * number // 49
    assert len(ran.prizes) == 7
    assert ran.state.phase is TournamentPhase.PAID


def test_who_is_level_in_a_heat_plays_on_with_the_same_chips_for_each() -> None:
    """Magnificent Sevens: additional hands among those who are level, with equal chips where theirs are too few."""
    ran = open_for(SEVENS, 49)
    ran.close()
    ran.must(tc.DrawSeats())
    ran.must(tc.StartSession())
    state = ran.state
    tables = {}
    for name, table in state.in_play.items():
        ranking = tuple((key,) for key in table.seats[2:])
        tables[name] = msgspec.structs.replace(table, over=True, counted=True, ranking=(table.seats[:2], *ranking))
    first, second, *others = state.in_play["t1"].seats
    level = {first: 50_000_000, second: 50_000_000}
    ran.state = msgspec.structs.replace(state, in_play=tables, stacks={**state.stacks, **level})
    for key in (first, second):
        ran.balances[f"stack:{state.name}/{key}", Unit.TOURNAMENT] = level[key]
    ran.balances[f"inventory:{state.name}", Unit.TOURNAMENT] += 2 * (20_000_000_000 - 50_000_000)
    ran.must(tc.AnnounceResults())
    table = ran.state.in_play["t1"]
    assert table.play_off == (first, second) == table.active
    assert not table.one_shoe
    assert [from_grains(ran.state.stacks[key]) for key in (first, second)] == [20_050, 20_050]
    refusal = ran.find_refusal(tc.StakeChips(amount=Money(100)), Asker(PLAYER, ran.state.entries[others[0]].player))
    assert refusal is not None


def test_the_draw_of_seats_fits_what_was_committed_to_and_gives_everybody_one_seat() -> None:
    ran = open_for(change_format(STAR, most_entrants=30), 23)
    ran.close()
    draw = ran.state.draw
    assert draw is not None
    assert commitment(draw.seed, draw.salt) == draw.commitment
    order = shuffle_keys(tuple(ran.state.entries), draw.seed)
    assert sorted(order) == sorted(ran.state.entries)
    assert shuffle_keys(tuple(reversed(list(ran.state.entries))), draw.seed) == order
    seats = deal_seats(order, STAR.format.stages[0], ("b1", "b2"))
    assert seats is not None
    assert sorted(key for seated in seats for key in seated.seats) == sorted(order)
    sizes = [len(seated.seats) for seated in seats]
    assert max(sizes) - min(sizes) <= 1
    assert {(seated.heat, seated.table) for seated in seats} == {(0, "b1"), (0, "b2"), (1, "b1"), (1, "b2")}


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=7), min_size=1, max_size=7), st.integers(1, 3))
def test_as_many_go_on_as_the_stage_says_as_long_as_there_are_players_with_chips(
    tables: list[list[int]], wild: int
) -> None:
    stage = TournamentStage(name="heat", rounds=1, stack=Money(1), minimum=Money(1), maximum=Money(1), next_best=wild)
    results = [
        TableResult(0, f"t{at}", tuple((f"{at}/{seat}", Money(chips)) for seat, chips in enumerate(sorted(row)[::-1])))
        for at, row in enumerate(tables)
    ]
    through, tied, places = choose_advancing(results, stage)
    alive = sum(max(sum(chips > 0 for chips in row), 1) for row in tables)
    assert len(through) + places == min(len(tables) + wild, alive)
    assert len(set(through)) == len(through)
    assert len(tied) > places or not tied
    assert not set(through) & set(tied)
    settled, *_ = choose_advancing(results, stage, tied)
    assert len(settled) == min(len(tables) + wild, alive)


def test_levels_and_the_order_of_elimination() -> None:
    groups = group_by_chips("abcd", {"a": 5, "b": 9, "c": 5, "d": 1})
    assert groups == (("b",), ("a", "c"), ("d",))
    heat = TournamentStage(name="h", rounds=1, stack=Money(1), minimum=Money(1), maximum=Money(1), advance=2)
    final = msgspec.structs.replace(heat, kind=StageKind.FINAL)
    assert find_level(groups, heat, 0) == (2, ("a", "c"))
    assert find_level(groups, msgspec.structs.replace(heat, advance=3), 0) == (0, ())
    assert find_level(groups, final, 2) == (2, ("a", "c"))
    assert find_level(groups, final, 1) == (0, ())
    out = [
        WentOut("early", 1, Money(90), Money(500), 0),
        WentOut("first taken", 2, Money(0), Money(100), 1),
        WentOut("last taken", 2, Money(0), Money(100), 4),
        WentOut("larger wager", 2, Money(0), Money(200), 0),
        WentOut("more left", 2, Money(50), Money(10), 0),
    ]
    assert order_out(out) == ("more left", "larger wager", "last taken", "first taken", "early")


# ---------------------------------------------------------------------- the command


def test_a_tournament_of_robots_is_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["tournament", "run", str(EXAMPLE), "--players", "14", "--json"]
    answers = []
    for seed in ("1", "1", "2"):
        assert cli.main([*asked, "--seed", seed]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1] != answers[2]
    whole = msgspec.json.decode(answers[0])
    assert whole["entrants"] == 14
    assert sum(prize["amount"] for prize in whole["prizes"]) == whole["pool"] == 1400
    assert all(item["standings"] for item in whole["rounds"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tournament", "run", "nothing.toml"], "nothing.toml"),
        (["tournament", "run", str(EXAMPLE), "--players", "50"], "49"),
        (["tournament", "run", str(EXAMPLE), "--players", "3"], "20.3.3"),
        (["tournament", "dance"], "dance"),
        (["tournament", "show", "spring"], "--floor"),
        (["tournament", "export", str(EXAMPLE)], "--to"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error


def test_a_term_left_out_is_named_with_its_clause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(line for line in EXAMPLE.read_text("utf-8").splitlines() if not line.startswith("buy-back"))
    (tmp_path / "gap.toml").write_text(text, "utf-8")
    assert cli.main(["tournament", "check", str(tmp_path / "gap.toml")]) == 2
    assert "20.4.2(g)" in capsys.readouterr().err


def test_checked_terms_of_magnificent_sevens_show_the_schedule_of_the_book(capsys: pytest.CaptureFixture[str]) -> None:
    terms = RECORDS / "sevens.tournament.toml"
    assert cli.main(["tournament", "check", str(terms)]) == 0
    small, *_, large = capsys.readouterr().out.splitlines()[3:]
    assert small == "49 entrants: 7 tables in 1 heat, 1 of each go on; a final of 7; 370000 in prizes"
    assert large.startswith("196 entrants: 28 tables in 4 heats, 5 of each and 7 others go on; 21 tables in 3 heats, ")
    assert large.endswith("; 7 tables in 1 heat, 1 of each go on; a final of 7; 1480000 in prizes")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("entry_fee = 100", "entry_fee = nan", "format.entry_fee is not an amount but NaN"),
        ("entry_fee = 100", "entry_fee = -1", "fees are not below zero"),
        ("stack = 2000", "stack = inf", "format.stages[0].stack is not an amount but Infinity"),
        ("percent = 50", "percent = nan", "format.prizes[0].percent is not an amount but NaN"),
        ("chip = 5", "chip = 0", "the smallest chip is above it"),
        ("most_entrants = 49", "most_entrants = 99999999999999999999", "format.most_entrants is too large a number"),
        ('name = "heat"', 'name = ""', "every stage has a name of its own"),
        ("rounds = 15", "rounds = 99999999", "a session lasts no more than 10000"),
        ('name = "heat"', 'name = "heat"\nstart_ms = 9999-12-31T00:00:00', "before the year 2100"),
        ("pass_cards = 1", "pas_cards = 1", "unknown field `pas_cards`"),
        ('game = "star/blackjack"', 'game = "star/whist"', "there is no game 'star/whist'"),
        ('game = "star/blackjack"', 'game = "perth/blackjack"', "held by the book star"),
        ('entry-fee = "100', 'entry-fee = "\\u0000 100', "terms.entry-fee is a printable text"),
    ],
)
def test_terms_by_which_nothing_can_be_played_are_one_line(
    old: str, new: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = EXAMPLE.read_text("utf-8")
    assert old in text
    (tmp_path / "odd.toml").write_text(text.replace(old, new, 1), "utf-8")
    for act in ("check", "run"):
        assert cli.main(["tournament", act, str(tmp_path / "odd.toml")]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert words in error


def test_nobody_who_is_disqualified_is_paid() -> None:
    ran = open_for(STAR, 3)
    ran.close()
    for _ in ran.play():
        break
    player = next(iter(ran.state.entries))
    while ran.find_refusal(tc.DisqualifyPlayer(player=player, ground="breach", reason="a breach"), HOUSE) is not None:
        step = find_robot_step(ran.state)
        assert step is not None
        ran.must(*step)
    list(ran.play())
    assert ran.state.entries[player].status is EntryStatus.DISQUALIFIED
    assert player not in {prize.player for prize in ran.prizes}
    assert from_grains(ran.balances[wallet(player), Unit.CHIP]) == 1000
