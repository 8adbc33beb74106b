"""Irregularities: what holds whatever goes wrong. What a clause makes of a case is in tests/records/irregular."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from misplay import boss, dealt_wrongly
from record_tools import GAMES, give_all, open_shuffled, play_at_random
from shoe_play import Table, all_cards

from pitboss.cards import decks
from pitboss.money import ZERO, Money
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, State, codec, decide, evolve, legal, open_table, results
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.rebuild import rebuild
from pitboss.table.state import CardSource, Fate, Meter, Phase, Settlement
from pitboss.table.views import Observer, Viewer, view
from pitboss.table.working import WorkingDraft

# ---------------------------------------------------------------------- misdeals


def with_bets(game: str, chance: random.Random) -> State:
    """A table with a shuffled pack and wagers on some boxes, side wagers among them."""
    state = open_shuffled(game, chance)
    wanted: list[cmd.Command] = []
    for box in chance.sample(range(1, 5), chance.randint(1, 3)):
        for player in chance.sample(("ann", "bob", "cat"), chance.randint(1, 2)):
            amount = Money(chance.choice((10, 15, 40)))
            wanted.append(cmd.PlaceBet(box=str(box), player=player, amount=amount))
            for side in state.rules.side_wagers:
                if chance.random() < 0.5:
                    wanted.append(cmd.PlaceBet(box=str(box), player=player, amount=Money(5), wager=side.id))
    return give_all(state, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_a_rebuilt_deal_is_the_deal_as_it_should_have_fallen(game: str, seed: int) -> None:
    chance = random.Random(seed)
    state = with_bets(game, chance)
    right = decide(state, cmd.Deal())
    assert not isinstance(right, Refusal)
    wrong = decide(state, od.Misdeal(role="dealer", fell=dealt_wrongly(state, chance)))
    assert not isinstance(wrong, Refusal)
    assert wrong.state.settlements == ()
    assert all_cards(wrong.state) == all_cards(state)
    rebuilt = decide(wrong.state, od.Reconstruct(role=boss(game), reason="a misdeal"))
    assert not isinstance(rebuilt, Refusal)
    for field in ("boxes", "dealer", "sides", "meters", "settlements", "phase", "turn", "pending", "shoe", "bets"):
        assert getattr(rebuilt.state, field) == getattr(right.state, field), field


# ---------------------------------------------------------------------- decisions carried out wrongly

DECISIONS = (cmd.Hit, cmd.Stand, cmd.Double, cmd.Split)


def habit(state: State, salt: int) -> cmd.Command:
    """What players do who always do the same with the same cards against the same card of the dealer's."""
    options = [command for command in legal(state) if isinstance(command, DECISIONS)]
    if state.turn is None or not options:
        return cmd.Proceed()
    hand = state.boxes[state.turn[0]].hands[state.turn[1]]
    sight = (salt, state.boxes[state.turn[0]].number, state.turn[1], hand.cards, state.dealer[:1])
    return random.Random(repr(sight)).choice(options)


def to_the_end(state: State, salt: int) -> State:
    while state.phase is not Phase.SETTLED:
        answer = decide(state, habit(state, salt))
        assert not isinstance(answer, Refusal), answer
        state = answer.state
    return state


@pytest.mark.slow
@pytest.mark.parametrize("game", ["perth/blackjack", "perth/plus", "star/blackjack", "melbourne/blackjack"])
@given(seed=st.integers(0, 2**32), wait=st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_a_round_with_a_wrong_decision_ends_as_if_it_had_been_right(game: str, seed: int, wait: int) -> None:
    """Some decision is carried out wrongly and that is noticed some decisions later: rebuilt, it all ends the same."""
    chance = random.Random(seed)
    state = one_player_a_box(game, chance)
    as_meant = to_the_end(state, seed)
    trail: list[tuple[State, cmd.Command]] = []
    while state.phase is not Phase.SETTLED:
        command = habit(state, seed)
        trail.append((state, command))
        answer = decide(state, command)
        assert not isinstance(answer, Refusal)
        state = answer.state
    decisions = [(before, command) for before, command in trail if isinstance(command, DECISIONS)]
    if not decisions:
        return
    before, meant = chance.choice(decisions)
    others = [
        command for command in legal(before) if isinstance(command, DECISIONS) and type(command) is not type(meant)
    ]
    if not others or before.turn is None:
        return
    box = before.boxes[before.turn[0]].number
    number = sum(deed.box == box for deed in before.deeds) + 1
    answer = decide(before, chance.choice(others))
    assert not isinstance(answer, Refusal)
    state = answer.state
    for _ in range(wait):
        if state.phase is not Phase.SETTLED:
            following = decide(state, habit(state, seed))
            assert not isinstance(following, Refusal)
            if game.startswith("melbourne") and following.state.phase is Phase.SETTLED:
                break
            state = following.state
    if game.startswith("melbourne") and state.phase is Phase.SETTLED:
        return
    should = str(type(meant).__struct_config__.tag)
    rebuilt = decide(state, od.Reconstruct(role=boss(game), reason="an error", box=box, number=number, should=should))
    assert not isinstance(rebuilt, Refusal), rebuilt
    end = to_the_end(rebuilt.state, seed)
    assert results(end) == results(as_meant)
    assert end.dealer == as_meant.dealer
    assert all_cards(end) == all_cards(as_meant)


def one_player_a_box(game: str, chance: random.Random) -> State:
    rules = rules_for(game)
    pack = list(decks(rules.decks, rules.deck_cards))
    chance.shuffle(pack)
    state = open_table(rules)
    wanted: list[cmd.Command] = [cmd.LoadShoe(cards=tuple(pack))]
    for box, player in zip(range(1, chance.randint(2, 4) + 1), ("ann", "bob", "cat", "dan"), strict=False):
        wanted.append(cmd.PlaceBet(box=str(box), player=player, amount=Money(10 * box), seated=True))
    for command in (*wanted, cmd.Deal()):
        answer = decide(state, command)
        assert not isinstance(answer, Refusal)
        state = answer.state
    return state


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12, deadline=None)
def test_a_round_decided_again_as_it_was_is_the_same_round(game: str, seed: int) -> None:
    """What a round remembers of itself is enough to play it once more."""
    _, end, _ = play_at_random(game, seed)
    again = WorkingDraft(end)
    rebuild(again, end.deeds, ())
    assert again.state.phase is Phase.SETTLED
    assert results(again.state) == results(end)
    assert again.state.dealer == end.dealer
    assert again.state.meters == end.meters
    assert again.state.shoe.position == end.shoe.position


# ---------------------------------------------------------------------- conservation


def some_order(state: State, chance: random.Random) -> cmd.Command:
    """Anything that somebody at the top of the ladder might order."""
    role = boss(state.rules.game)
    said = {"role": role, "reason": "because", "told": ("inspector", "surveillance")}
    box = chance.choice(state.boxes).number if state.boxes else "1"
    player = chance.choice(("ann", "bob", "cat"))
    wager = chance.choice([side.id for side in state.rules.side_wagers] or ["none"])
    numbers = {"box": box, "number": chance.randint(0, 2), "should": chance.choice(("hit", "stand", "ask", "split"))}
    makers = [
        lambda: od.BurnFaced(**said),
        lambda: od.Stray(**said, burnt=chance.random() < 0.2),
        lambda: od.Surplus(**said, exposed=chance.random() < 0.5),
        lambda: od.LateInsurance(**said, players=("ann", "bob") if chance.random() < 0.7 else ()),
        lambda: od.MissedCut(**said),
        lambda: od.MissedBurn(**said),
        lambda: od.Reconstruct(**said, **(numbers if chance.random() < 0.8 else {})),
        lambda: od.RestartShoe(**said),
        lambda: od.DiscardHand(**said, box="5"),
        lambda: od.FirstCard(**said, now=chance.random() < 0.5),
        lambda: od.DeviceFailed(**said, outcome=chance.choice(("spare", "none", "harm"))),
        lambda: od.Malfunction(**said, wager=wager),
        lambda: od.Unregistered(**said, wager=wager),
        lambda: od.ForeignCard(**said),
        lambda: cmd.Void(**said, box=box if chance.random() < 0.5 else None),
        lambda: cmd.Void(**said, player=player),
        lambda: od.ForfeitWagers(**said, player=player),
        lambda: od.DirectAbsent(**said, box=box),
        lambda: od.RefuseCard(box=box),
        lambda: od.Retract(box=box, player=player, wager=chance.choice(("main", "insurance", wager))),
        lambda: cmd.LeaveBox(box=box, player=player),
    ]
    return chance.choice(makers)()


def nothing_is_left_open(state: State) -> None:
    """A settled round has decided every wager, once."""
    for box in state.boxes:
        assert all(
            stake.fate is Fate.SETTLED for hand in box.hands for stake in hand.stakes if stake.base or stake.double
        )
        assert all(bettor.insurance is None for bettor in box.bettors)
    assert not any(bet.state for bet in state.sides)
    assert not state.prizes_due


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_whatever_goes_wrong_no_card_and_no_wager_is_lost(game: str, seed: int) -> None:
    chance = random.Random(seed)
    state = with_bets(game, chance)
    pack = all_cards(state)
    first = od.Misdeal(role="dealer", fell=dealt_wrongly(state, chance)) if chance.random() < 0.4 else cmd.Deal()
    log = []
    opening = state
    command: cmd.Command = first
    for step in range(300):
        answer = decide(state, command)
        if not isinstance(answer, Refusal):
            log.extend(answer.events)
            state = answer.state
            assert all_cards(state) == pack, command
        if state.phase is Phase.SETTLED:
            break
        options = legal(state)
        if chance.random() < 0.35:
            command = some_order(state, chance)
        elif options:
            command = chance.choice(options)
        else:
            command = cmd.Void(role=boss(game), reason="nobody can go on") if step > 20 else some_order(state, chance)
    assert state.phase is Phase.SETTLED
    nothing_is_left_open(state)
    folded = opening
    for event in log:
        folded = evolve(folded, codec.decode_event(codec.encode(event)))
    assert codec.encode(folded) == codec.encode(state)
    assert codec.decode_state(codec.encode(state)) == state


# ---------------------------------------------------------------------- what a void returns


def stands(game: str, settled: Settlement) -> bool:
    """What each book lets stand of a void round, written down once more from the books.

    Perth 7.7: Perfect Pairs. Sentosa 5.1: nothing. The Star 17.8, at Switch too: interim settlements made to a player,
    so that a side wager that lost goes back. Melbourne 9.12.1, 32.5: interim settlements.
    """
    if game.startswith("perth"):
        return settled.wager == "perfect-pairs"
    if game.startswith("star") and settled.wager != "main":
        return settled.interim and settled.net > 0
    return settled.interim and not game.startswith("rws")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 6))
@settings(max_examples=12, deadline=None)
def test_a_void_round_returns_all_but_what_the_book_lets_stand(game: str, seed: int, moves: int) -> None:
    chance = random.Random(seed)
    state = with_bets(game, chance)
    dealt = decide(state, cmd.Deal())
    assert not isinstance(dealt, Refusal)
    state = dealt.state
    for _ in range(moves):
        if state.phase is not Phase.SETTLED:
            answer = decide(state, chance.choice(legal(state)))
            assert not isinstance(answer, Refusal)
            state = answer.state
    expected: Counter[tuple[str, str, str]] = Counter()
    for settled in state.settlements:
        if stands(game, settled):
            expected[settled.box, settled.player, settled.wager] += settled.net
    voided = decide(state, cmd.Void(role=boss(game), reason="it cannot be rebuilt"))
    if game.startswith("rws") and (state.further_card or any(settled.interim for settled in state.settlements)):
        assert isinstance(voided, Refusal)
        assert "5.1.2" in voided.clauses
        return
    assert not isinstance(voided, Refusal)
    found = {key: net for key, net in results(voided.state).items() if net}
    assert found == {key: net for key, net in expected.items() if net}
    nothing_is_left_open(voided.state)


def test_wrong_cards_return_everything_but_a_jackpot_with_a_rule_of_its_own() -> None:
    """Melbourne 9.15 has no word for interim settlements; 24.10.2 has one for Supernova."""
    table = Table("melbourne/blackjack", decks=6, side_wagers=["supernova", "perfect-pairs"])
    names = ("supernova-major", "supernova-minor", "supernova-mystery")
    table.state = open_table(table.state.rules, meters={name: Meter(ZERO, ZERO, Money(300)) for name in names})
    table.do(cmd.LoadShoe(cards=("Ah", "9d", "7c", "Kh", "8d")))
    table.bet()
    table.bet("2", "bob")
    for wager in ("supernova", "perfect-pairs"):
        table.do(cmd.PlaceBet(box="1", player="ann", amount=Money(5), wager=wager))
    table.do(cmd.Deal())
    table.do(od.ForeignCard(role="higher-duties-dealer"))
    won = {(player, wager): net for (_, player, wager), net in results(table.state).items() if net}
    assert won == {("ann", "supernova"): 300}


# ---------------------------------------------------------------------- shoes and devices


@pytest.mark.parametrize(
    ("game", "order", "clause"),
    [
        ("star/blackjack", od.MissedCut(role="dealer"), "17.11"),
        ("star/blackjack", od.MissedShuffle(role="dealer"), "17.14"),
        ("star/switch", od.MissedCut(role="dealer"), "17.11"),
        ("star/switch", od.MissedShuffle(role="dealer"), "17.14"),
        ("melbourne/blackjack", od.MissedShuffle(role="higher-duties-dealer"), "9.10"),
    ],
)
def test_a_step_that_was_missed_is_due_before_the_next_round(game: str, order: cmd.Order, clause: str) -> None:
    table = shoe_table(game)
    table.bet()
    table.do(cmd.Deal())
    ruled = next(event for event in table.do(order) if isinstance(event, ru.Ruled))
    assert clause in ruled.clauses
    table.finish()
    stood = results(table.state)
    table.do(cmd.NextRound())
    assert stood
    table.bet()
    assert "shuffled first" in table.no(cmd.Deal()).reason
    table.open(2)
    table.do(cmd.Deal())


@pytest.mark.parametrize("game", ["star/blackjack", "star/switch", "melbourne/blackjack"])
def test_a_missing_card_takes_the_rest_of_the_shoe_out_of_play(game: str) -> None:
    """17.16.3, 17.15.3, 9.16; rounds before stand (17.16.1, 17.15.1, 9.14)."""
    table = shoe_table(game)
    table.bet()
    table.do(cmd.Deal())
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    table.do(cmd.Deal())
    ruled = next(
        event for event in table.do(od.ForeignCard(role=boss(game), missing=True)) if isinstance(event, ru.Ruled)
    )
    assert ruled.to_tell == (("surveillance", "inspector") if game.startswith("star") else ())
    assert table.state.void
    table.do(cmd.NextRound())
    table.bet()
    assert "shuffled first" in table.no(cmd.Deal()).reason


@pytest.mark.parametrize("game", ["star/blackjack", "star/switch"])
def test_a_device_is_emptied_and_checked_after_the_round(game: str) -> None:
    table = Table(game, card_source="device")
    table.open()
    table.bet()
    table.do(cmd.Deal())
    assert table.no(od.CheckDevice(role="casino-supervisor")).clauses == ("17.1.1",)
    table.finish()
    assert table.no(od.CheckDevice(role="dealer")).clauses == ("17.1.1",)
    table.do(od.CheckDevice(role="casino-supervisor"))
    table.do(cmd.NextRound())
    table.bet()
    assert "shuffled first" in table.no(cmd.Deal()).reason


def test_a_round_from_a_device_is_rebuilt_from_the_cards_that_came() -> None:
    """The device has mixed the discards since; the cards of the round are known anyway."""
    table = Table("star/blackjack", card_source="device")
    table.open()
    for _ in range(2):
        table.bet("1", "ann")
        table.bet("2", "bob")
        table.do(cmd.Deal())
        table.finish()
        table.do(cmd.NextRound())
    table.bet("1", "ann")
    table.bet("2", "bob")
    pack = sum(all_cards(table.state).values())
    table.do(cmd.Deal())
    table.finish()
    drawn = table.state.drawn
    decided = [deed for deed in table.state.deeds if deed.box == "1"]
    if not decided:
        pytest.skip("box 1 had nothing to decide")
    table.do(od.Reconstruct(role="casino-supervisor", box="1", number=1))
    assert table.state.boxes[0].hands[0].cards == (drawn[0], drawn[3])
    assert (*table.state.drawn, *table.state.shoe.undealt)[: len(drawn)] == drawn
    assert sum(all_cards(table.state).values()) == pack


def shoe_table(game: str) -> Table:
    table = Table(game)
    table.arrive(ann=1)
    table.open()
    return table


def test_play_goes_on_with_the_cards_that_are_left_after_a_void() -> None:
    """Star 17.8.1."""
    table = shoe_table("star/blackjack")
    table.bet()
    table.do(cmd.Deal())
    left = table.state.shoe.undealt
    table.do(cmd.Void(role="casino-supervisor", clause="17.8"))
    table.do(cmd.NextRound())
    table.bet()
    table.do(cmd.Deal())
    assert table.state.dealer == (left[1],)
    assert table.state.shoe.source is CardSource.SHOE


def test_a_forgotten_burn_leaves_the_card_in_play() -> None:
    """Star 17.12: nothing changes; Melbourne 9.1 too, once the first round is over."""
    for game in ("star/blackjack", "star/switch", "melbourne/blackjack"):
        table = shoe_table(game)
        table.bet()
        table.do(cmd.Deal())
        before = table.state
        table.do(od.MissedBurn(role="dealer"))
        assert table.state == before
    table.finish()
    table.do(cmd.NextRound())
    table.bet()
    table.do(cmd.Deal())
    assert "first round" in table.no(od.RestartShoe(role="higher-duties-dealer")).reason


@pytest.mark.parametrize(
    ("game", "clause"), [("star/blackjack", "17.8"), ("perth/blackjack", "7.9"), ("melbourne/blackjack", "9.5")]
)
def test_an_error_of_a_round_before_changes_nothing(game: str, clause: str) -> None:
    """Once the next round has its first card; in Melbourne once the table is cleared."""
    table = shoe_table(game)
    table.bet()
    table.do(cmd.Deal())
    table.finish()
    table.do(cmd.NextRound())
    error = od.Reconstruct(role=boss(game), reason="seen on the tape", box="1", should="hit")
    if game.startswith("melbourne"):
        assert "earlier round" in table.no(error).reason
    table.bet()
    table.do(cmd.Deal())
    refusal = table.no(error)
    assert "has decided 0 times in this round" in refusal.reason
    assert clause in refusal.clauses


def test_a_round_that_cannot_be_rebuilt_offers_the_void_while_there_is_time() -> None:
    """Sentosa 5.1.2: the refusal says why, and what follows."""
    table = Table("rws/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "2c")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.Deal())
    assert "!supervisor void @5.1.2" in table.no(od.Reconstruct(role="supervisor", box="1", should="hit")).reason
    table.do(cmd.Hit(box="1"))
    refusal = table.no(od.Reconstruct(role="supervisor", box="1"))
    assert "before any interim settlement" in refusal.reason
    assert "the round stands" in refusal.reason
    assert refusal.clauses == table.no(cmd.Void(role="supervisor", clause="5.1.2")).clauses[:1]


def test_what_a_decision_should_have_been_must_be_a_decision() -> None:
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "7c", "6s", "2c")))
    table.bet("1", "ann")
    table.do(cmd.Deal())
    table.do(cmd.Hit(box="1"))
    assert "17.8" in table.no(od.Reconstruct(role="casino-supervisor", box="1", should="fold")).clauses


def test_a_decision_that_never_could_be_is_not_made_by_rebuilding() -> None:
    """A ten and a six cannot have been meant to split."""
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "2c")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.Deal())
    table.do(cmd.Stand(box="1"))
    refusal = table.no(od.Reconstruct(role="casino-supervisor", box="1", should="split"))
    assert "not open to the box: Th and 6s are not alike" in refusal.reason
    assert "12.1" in refusal.clauses


def test_everybody_sees_a_card_dealt_in_error() -> None:
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "7c", "6s", "2c", "Kd")))
    table.bet("1", "ann")
    table.do(cmd.Deal())
    assert view(table.state, Observer(Viewer.PLAYER, "ann")).stray is None
    table.do(od.Stray(role="dealer"))
    seen = view(table.state, Observer(Viewer.PLAYER, "ann"))
    assert seen.stray == "2c"
    assert "1 refuse" in seen.actions
    table.do(cmd.Hit(box="1"))
    assert view(table.state, Observer(Viewer.PLAYER, "ann")).stray is None


def test_a_card_face_up_is_passed_over_when_a_round_is_rebuilt() -> None:
    """It was burnt, and a burnt card stays burnt (17.17)."""
    table = Table("star/blackjack")
    table.do(cmd.LoadShoe(cards=("Th", "9d", "7c", "6s", "8h", "2c", "Kd", "5c")))
    table.bet("1", "ann")
    table.bet("2", "bob")
    table.do(cmd.Deal())
    table.do(od.BurnFaced(role="dealer"))
    table.do(cmd.Hit(box="1"))
    table.do(od.Reconstruct(role="casino-supervisor", box="1", should="stand"))
    assert table.state.shoe.burnt == ("2c",)
    assert table.state.shoe.undealt == ("Kd", "5c")
    table.do(cmd.Stand(box="2"))
    assert table.state.dealer == ("7c", "Kd")


def test_the_settlements_of_a_rebuilt_round_come_off_one_by_one() -> None:
    """Whoever adds up what the log pays ends with what the table shows."""
    for seed in range(40):
        chance = random.Random(seed)
        state = with_bets("star/blackjack", chance)
        wrong = decide(state, od.Misdeal(role="dealer", fell=dealt_wrongly(state, chance)))
        assert not isinstance(wrong, Refusal)
        paid: list[Settlement] = []
        table = wrong.state
        for command in (cmd.Proceed(), od.Reconstruct(role="casino-supervisor", reason="a misdeal")):
            answer = decide(table, command)
            if not isinstance(answer, Refusal):
                table = answer.state
                paid += [event.settlement for event in answer.events if hasattr(event, "settlement")]
        totals: Counter[tuple[str, str, str]] = Counter()
        for settled in paid:
            totals[settled.box, settled.player, settled.wager] += settled.net
        assert {key: net for key, net in totals.items() if net} == {
            key: net for key, net in results(table).items() if net
        }
