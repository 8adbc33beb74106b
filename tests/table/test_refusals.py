"""What the table refuses, in words: one case for each reason, and nothing changes by any of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pitboss.money import Money
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, State, decide, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.notation import NotationError, parse_action
from pitboss.table.state import Limits, Meter

PLAIN = "Th 7s 9d Td Kd 5c 4c 3c"
TENS = "Th 7s Kd 9d 8d 5c 4c 3c"


def table(game: str, *, sides: tuple[str, ...] = (), **choices: Any) -> State:
    limits = Limits(Money(10), Money(500), Money(1))
    return open_table(rules_for(game, side_wagers=list(sides), **choices), limits)


def asked(state: State, *words: str | cmd.Command) -> State:
    """The table after actions that are all accepted; `deal` and `next` stand for themselves."""
    for word in words:
        answer = decide(state, command_of(word))
        assert not isinstance(answer, Refusal), f"{word}: {answer}"
        state = answer.state
    return state


def command_of(word: str | cmd.Command) -> cmd.Command:
    if isinstance(word, cmd.Command):
        return word
    if word in ("deal", "next", "proceed"):
        return {"deal": cmd.Deal(), "next": cmd.NextRound(), "proceed": cmd.Proceed()}[word]
    if word.startswith("cards "):
        return cmd.LoadShoe(cards=tuple(word.split()[1:]))
    if word.startswith("bet "):
        _, box, player, amount, *wager = word.split()
        return cmd.PlaceBet(box=box, player=player, amount=Money(amount), wager=wager[0] if wager else "main")
    return parse_action(word)


def refused(state: State, word: str | cmd.Command) -> Refusal:
    answer = decide(state, command_of(word))
    assert isinstance(answer, Refusal), answer
    return answer


START = (f"cards {PLAIN}", "bet 1 ann 10", "bet 1 bob 10", "deal")
HOUSE: dict[str, Any] = {"role": "casino-supervisor", "reason": "so"}

STAR: list[tuple[tuple[str | cmd.Command, ...], str | cmd.Command, str]] = [
    # wagers
    ((), "bet x ann 10", "is not a box"),
    ((), "bet 1a ann 10", "boxes have no parts"),
    ((), "bet 1 ann 0", "above zero"),
    ((), "bet 1 ann 10 buster", "not on offer at this table"),
    ((), cmd.RemoveBet(box="1", player="ann", wager="main"), "has no main wager"),
    (START, cmd.RemoveBet(box="1", player="ann", wager="main"), "may not be withdrawn"),
    (
        (cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),),
        cmd.PlaceBet(box="1", player="bob", amount=Money(10), seated=True),
        "somebody else is seated",
    ),
    # the running of a round
    (START, "next", "not settled yet"),
    (START, "proceed", "no open offer"),
    (START, f"cards {PLAIN}", "between rounds"),
    (START, "2 hit", "is not in play"),
    (START, "2 insure ann 5", "is not in play"),
    (START, "1 switch", "no switching"),
    (START, cmd.Hit(box="1", by="bob"), "ann calls the decisions"),
    (START, cmd.Forfeit(box="1", player="ann"), "may not be taken back in this game"),
    ((f"cards {PLAIN}",), cmd.PlaceBet(box="1", player="a" * 201, amount=Money(1)), "one line"),
    ((), cmd.PlaceBet(box="1", player="ann", amount=Money("NaN")), "amount"),
    ((), cmd.LoadShoe(cards=("Zz",)), "is not a card"),
    # insurance and even money
    (
        ("cards Ah 9h As Kd 9d Kd", "bet 1 ann 10", "bet 2 bob 10", "deal", "1 even-money ann"),
        "1 even-money ann",
        "has already taken even money",
    ),
    (
        ("cards Ah 9h As Kd 9d Kd", "bet 1 ann 10", "bet 2 bob 10", "deal", "1 even-money ann"),
        "1 insure ann 5",
        "has taken even money",
    ),
    (
        ("cards Ah 9h As Kd 9d Kd", "bet 1 ann 10", "bet 2 bob 10", "deal"),
        cmd.Insure(box="1", player="ann", amount=Money(5), by="bob"),
        "own choice",
    ),
    # doubles and splits
    (
        ("cards 6h 7s 5d Td Kd", "bet 1 ann 10", "deal"),
        cmd.Double(box="1", amounts=(("ann", Money(5)), ("ann", Money(5)))),
        "named twice",
    ),
    # the floor
    ((), "!casino-supervisor void", "nothing to declare void"),
    ((*START, "!casino-supervisor void @17.8"), "!casino-supervisor void", "already void"),
    ((*START, "1 stand"), "!casino-supervisor void 1 @17.8", "declared void as a whole"),
    (START, "!casino-supervisor void 4 @17.8", "box 4 is not in play"),
    (START, "!casino-supervisor void 1 dan because so @19.3.1", "dan has no wager on box 1"),
    (START, "!casino-supervisor void 1 @17.8", "as a whole"),
    (START, "!cleaner void", "is not a role of this book"),
    (START, "!cleaner lift ann because so", "there is no order about ann"),
    ((), od.RefuseWager(**HOUSE, box="1", player="ann"), "has no main wager"),
    ((), od.Reserve(**HOUSE, player="ann", boxes=()), "name the boxes"),
    ((), od.Release(**HOUSE, boxes=("1",)), "are not reserved"),
    ((), od.LimitSidePlaces(**HOUSE, wager="blackpot", number=1), "not on offer"),
    (
        (),
        od.PersonalLimits(**HOUSE, player="ann", minimum=Money(20), maximum=Money(10), shown=True),
        "is above a maximum",
    ),
    ((), od.VacateSeat(**HOUSE, player="ann"), "not at the table"),
    ((), od.PermitGuest(**HOUSE, player="ann", wager="buster"), "not on offer"),
    ((), od.MainBettorsOnly(**HOUSE, wager="buster", shown=True), "not on offer"),
    ((od.AnnounceClosing(**HOUSE, minute=1),), od.AnnounceClosing(**HOUSE, minute=2), "already been announced"),
    # cards gone astray
    ((*START, "1 stand"), "!dealer burn-faced", "no card is drawn now"),
    ((*START, "!dealer stray"), "!dealer burn-faced", "comes first"),
    ((*START, "!dealer stray"), "!dealer stray", "is out already"),
    (START, "!dealer stray burnt", "stays burnt"),
    ((f"cards {PLAIN}",), "!casino-supervisor no-wager 99", "cannot have been dealt"),
    ((*START, "1 stand"), "!casino-supervisor foreign-card", "the round is over"),
    (("cards Ah As 9d 9c Kd", "bet 1 ann 10", "deal"), "!dealer late-insurance", "insurance is open"),
    (START, "!dealer misdeal 1 dealer 1", "already dealt"),
    ((f"cards {PLAIN}", "bet 1 ann 10"), "!dealer misdeal 1 dealer 1", "should fall"),
    (("cards Th 7s", "bet 1 ann 10"), "!dealer misdeal 1 1 1", "the shoe has 2 cards"),
    (START, "!casino-supervisor reconstruct", "name the box"),
    ((*START, "1 stand"), "!casino-supervisor reconstruct 1 dance", "is not a decision"),
    ((*START, "1 stand"), "!casino-supervisor reconstruct 1 stand", "nothing was carried out wrongly"),
    ((*START, "!casino-supervisor void @17.8"), "!casino-supervisor reconstruct", "the round is void"),
]

FRAUD = (*START, "!casino-supervisor void @19.4.2", "!casino-supervisor forfeit-wagers ann because fraud")


@pytest.mark.parametrize(("before", "action", "reason"), STAR)
def test_the_star_refuses(before: tuple[str | cmd.Command, ...], action: str | cmd.Command, reason: str) -> None:
    state = asked(table("star/blackjack"), *before)
    assert reason in refused(state, action).reason


def test_wagers_are_forfeit_once_and_only_if_they_went_back() -> None:
    state = asked(table("star/blackjack"), *FRAUD)
    assert "already forfeit" in refused(state, "!casino-supervisor forfeit-wagers ann because fraud").reason
    assert "no wager that went back" in refused(state, "!casino-supervisor forfeit-wagers zed because fraud").reason


JACKPOT = ("cards 9h 9c 7s 8h 8c Td Kd", "bet 1 ann 10", "bet 1 ann 5 blackjack-jackpots", "bet 2 bob 10")


def test_the_jackpot_system_picks_after_the_deal_once_and_a_wager_in_play() -> None:
    state = table("melbourne/blackjack", sides=("blackjack-jackpots",))
    state = asked(state, *JACKPOT)
    assert "after the deal" in refused(state, "!system lucky 1").reason
    state = asked(state, "deal")
    assert "no Blackjack Jackpots wager" in refused(state, "!system lucky 2").reason.replace("there is ", "")
    assert "no side wager at this table" in refused(state, "!system mystery 1").reason
    state = asked(state, "!system lucky 1")
    assert "already been picked" in refused(state, "!system lucky 1").reason


def test_a_meter_that_was_never_stated_pays_nobody() -> None:
    cards = "cards As 7s Js Td"
    state = asked(table("melbourne/blackjack", sides=("supernova",)), cards, "bet 1 ann 10", "bet 1 ann 5 supernova")
    assert "has no value" in refused(state, "deal").reason
    assert asked(stated(state), "deal").settlements


def stated(state: State) -> State:
    return replace(state, meters={"supernova-major": Meter(Money(100), Money(0), Money(200))})


def test_play_waits_for_the_prize_of_the_button() -> None:
    state = table("melbourne/pontoon", sides=("pontoon-pandemonium",))
    state = asked(
        state, "cards Ah 9h 7s Kd 9d Kd", "bet 1 ann 10", "bet 1 ann 1 pontoon-pandemonium", "bet 2 bob 10", "deal"
    )
    assert "still to be drawn" in refused(state, "2 stand").reason
    assert "no wager at this table has a jackpot button" in refused(table("melbourne/pontoon"), "1 prize ann 20").reason


def test_a_rescue_is_each_players_own_choice() -> None:
    state = asked(table("melbourne/pontoon"), "cards 6h 9s 5d 4d Kd", "bet 1 ann 10", "deal", "1 double")
    assert "own choice" in refused(state, cmd.Forfeit(box="1", player="ann", by="bob")).reason


def test_surrender_is_called_by_whoever_controls_and_for_wagers_on_the_box() -> None:
    state = asked(table("perth/vegas"), "cards 9h Ks 7d 8d 5d", "bet 1 ann 10", "bet 1 bob 5", "deal")
    assert "ann calls the decisions" in refused(state, cmd.Surrender(box="1", by="bob")).reason
    assert "zed has no wager" in refused(state, "1 surrender zed").reason


def test_an_area_switches_only_where_it_is_in_play_and_by_its_caller() -> None:
    state = asked(table("star/switch"), "cards 9h 8h Ks 7d 8d 5d 4d", "bet 1 pia 10", "bet 1 ben 5", "deal")
    assert "area 2 is not in play" in refused(state, "2 switch").reason
    assert "pia calls the decisions of area 1" in refused(state, cmd.Switch(area="1", by="ben")).reason


def test_aces_are_split_once_in_melbourne() -> None:
    state = asked(
        table("star/blackjack", resplit=True), "cards Ah 7s Ad As 5d 6d 9d 2d", "bet 1 ann 10", "deal", "1 split"
    )
    assert "one card only" in refused(state, "1 hit").reason
    assert [len(hand.cards) for hand in state.boxes[0].hands] == [2, 1]


def test_the_floor_in_melbourne_refuses_what_has_no_ground() -> None:
    state = asked(table("melbourne/blackjack", sides=("perfect-pairs", "supernova")), *START)
    ground = refused(state, "!higher-duties-dealer void 1 @9.8")
    assert "whose box has no cards" in ground.reason
    assert "9.8" in ground.clauses
    assert "reason to shuffle" in refused(state, "!higher-duties-dealer void @4.1.1(d)").reason
    said: dict[str, Any] = {"role": "assistant-casino-manager", "reason": "so"}
    assert "was not withdrawn" in refused(state, od.Repaired(**said, wager="supernova")).reason
    assert "wager is in play" in refused(state, od.Unregistered(**said, wager="supernova")).reason
    assert "nobody lower the number" in refused(
        state, od.LimitSidePlaces(**said, wager="perfect-pairs", number=1)
    ).reason.replace("lets ", "")
    assert "nobody reserve" in refused(
        state, od.MainBettorsOnly(**said, wager="perfect-pairs", shown=True)
    ).reason.replace("lets ", "")


def test_who_was_barred_comes_back_by_the_role_that_bars() -> None:
    state = asked(table("star/blackjack"), od.Bar(**HOUSE, player="ann"))
    assert "barred" in refused(state, "bet 1 ann 10").reason
    assert "may not do this" in refused(state, od.Lift(role="dealer", reason="so", player="ann")).reason
    state = asked(state, od.Lift(**HOUSE, player="ann"), "bet 1 ann 10")
    assert state.floor.barred == {}


def test_in_perth_the_card_burnt_in_error_is_the_last_one_burnt() -> None:
    state = asked(table("perth/blackjack"), *START)
    assert "no card was burnt just now" in refused(state, "!table-inspector stray burnt").reason


def test_sentosa_has_neither_personal_limits_nor_a_rule_on_idle_seats() -> None:
    state = table("rws/blackjack")
    said: dict[str, Any] = {"role": "house", "reason": "so", "player": "ann"}
    personal = od.PersonalLimits(**said, minimum=Money(1), maximum=Money(2), shown=True)
    assert "no personal limits" in refused(state, personal).reason
    assert "take a seat away" in refused(state, od.VacateSeat(**said)).reason


@pytest.mark.parametrize(
    "text",
    [
        "!dealer reserve ann",
        "!dealer sharers many",
        "!dealer device-failed none Zz",
        "!dealer reconstruct 1",
        "!dealer limits 1 2 now all",
        "!dealer void by lee kim",
        "!dealer void because",
        "!dealer surplus seen",
    ],
)
def test_an_order_that_is_none_is_told_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_action(text)
