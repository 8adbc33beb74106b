"""A session at the terminal table: money, offers, robots, sharers, the journal and the records."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from tui_tools import EACH_GAME, GAMES, Knows, Memory, cut, play_at_random, side_wagers, sit_down, stacked

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.play.packed import INSURANCE_WHOLE
from pitboss.records import read, replay
from pitboss.rulebooks import rules_for
from pitboss.table import Refusal, decide
from pitboss.table.messages import commands as cmd
from pitboss.table.shoe.draws import draw_number, pick_weighted
from pitboss.table.shoe_proof import parse_shoe_file, problems
from pitboss.table.state import Limits, Phase
from pitboss.tui.help.advice_sheet import make_advice_sheet, summary_lines
from pitboss.tui.help.weighing import weigh_next
from pitboss.tui.screens.game_notes import specials
from pitboss.tui.session import chance, journal
from pitboss.tui.session.choices import wish, with_amount
from pitboss.tui.session.live_session import LiveSession, resume_session
from pitboss.tui.session.moves import Ask, MoveKind, last_bets
from pitboss.tui.session.robots import NoAdvisor, decide_for
from pitboss.tui.session.session import at_risk, begin_session
from pitboss.tui.session.setup import Policy, Robot, Setup, SetupError, seats


def keys(ask: Ask) -> set[str]:
    return {choice.key for choice in ask.choices}


def dealt(table: LiveSession, *boxes: str, amount: int = 10) -> Ask:
    """Bet on boxes, deal, and say what is asked then."""
    table.go_on()
    for box in boxes or (table.session.setup.box,):
        assert table.bet(box, Money(amount)) is None
    assert table.deal() is None
    return table.go_on()


# ---------------------------------------------------------------------- every game, whole rounds


@pytest.mark.parametrize("game", EACH_GAME)
def test_everything_offered_is_accepted_and_nothing_is_lost_on_the_way(game: str) -> None:
    keeper = Memory()
    shared = rules_for(game).sharers_max > 1
    table = sit_down(
        game, robots=3, sharers=1 if shared else 0, sides=side_wagers(game), bankroll=9000, keeper=keeper
    )  # fmt: skip
    play_at_random(table, 8, seed=1)

    session = table.session
    assert session.bankroll == session.setup.bankroll + session.tally.net
    assert at_risk(session.state, session.me) == 0
    assert journal.restore(keeper.journal).session == session
    for number, text in keeper.records.items():
        assert replay(read(text, f"round {number}")).differences == (), text


@pytest.mark.parametrize("game", EACH_GAME)
def test_a_journal_cut_anywhere_restores_what_was_decided_by_then(game: str) -> None:
    keeper = Memory()
    table = sit_down(game, robots=1, keeper=keeper)
    seen = []
    for _ in range(2):
        ask = table.go_on()
        while ask.kind is not MoveKind.NEXT:
            if ask.kind is MoveKind.CUT:
                cut(table, ask)
            elif ask.kind is MoveKind.BETS:
                table.bet(table.session.setup.box, Money(10))
                assert table.deal() is None
            else:
                assert table.do(ask.choices[0].command) is None
            seen.append((len(keeper.lines), table.session))
            ask = table.go_on()
        table.do(ask.choices[0].command)
    for count, session in seen:
        whole = "".join(f"{line}\n" for line in keeper.lines[:count])
        assert journal.restore(whole).session == session
        torn = whole + (keeper.lines[count] if count < len(keeper.lines) else "{")[:40]
        assert journal.restore(torn).session == session


def test_a_text_that_is_no_journal_is_refused_in_one_line() -> None:
    for text in ("", "\n", "{}\n", "not json\n", '{"journal": 99, "setup": {}, "opening": {}}\n'):
        with pytest.raises(PitbossError) as refusal:
            journal.restore(text)
        assert "\n" not in str(refusal.value)


def test_a_damaged_line_is_named() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper)
    table.go_on()
    keeper.lines[1] = '{"step": {"command": {"type": "nonsense"}, "events": []}}'
    with pytest.raises(PitbossError, match="line 2"):
        journal.restore(keeper.journal)


def test_a_journal_that_was_edited_is_noticed() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper)
    play_at_random(table, 2, seed=3)
    whole = keeper.lines
    assert journal.restore(keeper.journal).session == table.session
    richer = [whole[0].replace('"bankroll":"1000"', '"bankroll":"9000"'), *whole[1:]]
    assert richer[0] != whole[0]
    bet = next(at for at, line in enumerate(whole) if '"place-bet"' in line or '"type":"bet"' in line)
    larger = [*whole[:bet], whole[bet].replace('"10"', '"20"'), *whole[bet + 1 :]]
    assert larger != whole
    missing = [*whole[:3], *whole[4:]]
    unchecked = [*whole[:3], re.sub(',"check":"[0-9a-f]+"', "", whole[3]), *whole[4:]]
    for lines, number in ((richer, 1), (larger, bet + 1), (missing, 4), (unchecked, 4)):
        with pytest.raises(PitbossError, match=f"edited after play: line {number} "):
            journal.restore("".join(f"{line}\n" for line in lines))


def test_a_journal_without_checks_is_resumed_and_goes_on_without() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper)
    table.go_on()
    plain = [re.sub(',"check":"[0-9a-f]+"', "", line).replace('"journal":3', '"journal":2') for line in keeper.lines]
    restored = journal.restore("".join(f"{line}\n" for line in plain))
    assert restored.session == table.session
    assert restored.check is None
    again = Memory()
    back = resume_session(restored, NoAdvisor(), again)
    cut(back, back.go_on())
    assert journal.restore("".join(f"{line}\n" for line in [*plain, *again.lines])).session == back.session


# ---------------------------------------------------------------------- shoes


def test_every_shoe_that_is_put_away_leaves_a_file_that_an_audit_accepts() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper, decks=6, bankroll=100000)
    seal = ""
    while len(keeper.shoes) < 2:
        play_at_random(table, table.session.tally.rounds + 1, seed=3)
        if not keeper.shoes:
            seal = table.session.state.shoe.origin.commitment
    assert [(shoe.number, shoe.path) for shoe in table.shoes] == [(1, "shoe 1"), (2, "shoe 2")]
    assert table.shoes[0].seal == seal
    for shoe in table.shoes:
        file = parse_shoe_file(keeper.shoes[shoe.number], shoe.path)
        assert problems(file, shoe.seal) == []
        assert file.steps
    again = Memory()
    assert resume_session(journal.restore(keeper.journal), NoAdvisor(), again).shoes == table.shoes
    assert again.shoes == keeper.shoes


# ---------------------------------------------------------------------- money


def test_whoever_is_broke_buys_in_again() -> None:
    keeper = Memory()
    table = sit_down("star/blackjack", keeper=keeper, bankroll=10, cards="Ts 9d 8h Tc")
    assert table.go_on().rebuy is None
    table.bet("5", Money(10))
    table.deal()
    table.do(next(choice for choice in table.go_on().choices if choice.key == "s").command)
    table.do(table.go_on().choices[0].command)
    ask = table.go_on()
    assert ask.rebuy == Money(10)
    assert ask.prompt == "You have 0 left, and the minimum is 5. Buy in again?"
    table.rebuy(ask.rebuy)
    ask = table.go_on()
    assert ask.rebuy is None
    assert table.session.available == Money(10)
    assert table.session.tally.net == Money(-10)
    assert journal.restore(keeper.journal).session == table.session
    assert any("bought in for 20 in all" in line for line in summary_lines(table))


def test_the_player_cannot_stake_more_than_they_have() -> None:
    table = sit_down("star/blackjack", bankroll=30, cards="8s 6d 8h")
    table.go_on()
    assert isinstance(table.bet("5", Money(31)), Refusal)
    assert table.bet("5", Money(20)) is None
    assert table.session.available == 10
    assert table.deal() is None
    ask = table.go_on()
    assert "p" not in keys(ask)
    refusal = table.do(wish(table.session, "p", "5") or cmd.Hit(box="5"))
    assert refusal is not None
    assert "you have 10 left" in refusal.reason


def test_a_double_that_may_be_smaller_shrinks_to_the_bankroll() -> None:
    table = sit_down("melbourne/blackjack", bankroll=25, cards="5s 6d 6h")
    ask = dealt(table, amount=20)
    choice = next(choice for choice in ask.choices if choice.key == "d")
    assert choice.most == 5
    assert table.do(choice.command) is None
    assert at_risk(table.session.round.opened, "guest") == 0


def test_free_tokens_cost_nothing() -> None:
    table = sit_down("melbourne/free-bet", bankroll=20, cards="8s 6d 8h")
    ask = dealt(table, amount=20)
    split = next(choice for choice in ask.choices if choice.key == "p")
    assert split.detail == "free"
    assert table.do(split.command) is None
    assert table.session.available == 0
    stakes = table.session.state.boxes[0].hands[1].stakes
    assert (stakes[0].base, stakes[0].base_token) == (0, 20)


def test_insurance_for_less_and_its_settlement_reach_the_bankroll() -> None:
    table = sit_down("star/blackjack", cards="Ts Ad 9h Kc")
    ask = dealt(table, amount=20)
    choice = next(choice for choice in ask.choices if choice.key == "i")
    assert choice.most == 10
    assert table.do(with_amount(table.session, choice.command, Money(4))) is None
    assert table.session.available == 1000 - 20 - 4
    table.do(next(c for c in table.go_on().choices if c.key == "s").command)
    assert table.session.tally.net == -20 + 8
    assert table.session.bankroll == 988


def test_wagers_under_the_minimum_are_not_dealt_to() -> None:
    table = sit_down("star/switch")
    cut(table, table.go_on())
    table.go_on()
    assert table.bet("3", Money(2)) is None
    refusal = table.deal()
    assert refusal is not None
    assert "the minimum is 5" in refusal.reason
    assert refusal.clauses
    assert table.bet("3", Money(1)) is None
    assert table.deal() is None


def test_taking_the_main_wager_off_takes_its_side_wagers_along() -> None:
    table = sit_down("perth/blackjack", sides=["perfect-pairs"])
    cut(table, table.go_on())
    table.go_on()
    table.bet("5", Money(10))
    table.bet("5", Money(5), "perfect-pairs")
    assert table.take_off("5") is None
    assert table.session.state.bets == ()
    assert table.session.available == 1000


def test_the_same_bets_again() -> None:
    table = sit_down("melbourne/blackjack", sides=["perfect-pairs"], cards="Ts 7d 9h 9c 2s 3d")
    ask = table.go_on()
    table.bet("5", Money(10))
    table.bet("5", Money(15))
    table.bet("5", Money(5), "perfect-pairs")
    table.deal()
    while (ask := table.go_on()).kind is not MoveKind.NEXT:
        table.do(next(c for c in ask.choices if c.key == "s").command)
    table.do(cmd.NextRound())
    assert [(bet.wager, bet.amount) for bet in last_bets(table.session)] == [("main", 25), ("perfect-pairs", 5)]
    assert table.bet_again() is None
    assert table.session.available == table.session.bankroll - 30


# ---------------------------------------------------------------------- what is offered, what is refused


@pytest.mark.parametrize(
    ("game", "cards", "key", "clause"),
    [
        ("melbourne/blackjack", "Ts 7d 2h", "d", "7.5.5(a)"),
        ("star/blackjack", "Ts 7d 2h", "p", "12.1"),
        ("melbourne/blackjack", "Ts 7d 2h", "r", "7.5.1"),
        ("melbourne/blackjack", "Ts 7d 2h", "i", "7.3.2"),
        ("melbourne/blackjack", "Ts 7d 2h", "w", "7.5.1"),
        ("perth/blackjack", "5s 7d 4h", "s", "4.20"),
    ],
)
def test_an_illegal_wish_is_answered_with_its_clause(game: str, cards: str, key: str, clause: str) -> None:
    table = sit_down(game, cards=cards)
    ask = dealt(table)
    assert key not in keys(ask)
    wanted = wish(table.session, key, "5")
    assert wanted is not None
    before = table.session
    refusal = table.do(wanted)
    assert refusal is not None
    assert any(cited.startswith(clause.split("(")[0]) for cited in refusal.clauses), refusal
    assert table.session is before


def test_only_what_the_table_accepts_is_offered() -> None:
    for game in GAMES:
        table = sit_down(game, robots=1, seed="3")
        for _ in range(3):
            ask = table.go_on()
            if ask.kind is MoveKind.CUT:
                cut(table, ask)
            elif ask.kind is MoveKind.BETS:
                table.bet(table.session.setup.box, Money(10))
                table.deal()
            for choice in table.go_on().choices:
                if choice.key not in ("n", "o"):
                    assert not isinstance(decide(table.session.state, choice.command), Refusal), (game, choice)


def test_the_cut_may_be_declined_and_the_next_player_is_asked() -> None:
    table = sit_down("melbourne/blackjack", robots=1)
    assert table.go_on().kind is MoveKind.CUT
    assert table.do(cmd.RefuseCut(player="guest")) is None
    assert table.go_on().kind is MoveKind.BETS
    assert table.session.state.shoe.origin.cutter == "ann"


def test_the_burnt_card_is_shown_where_the_book_shows_it() -> None:
    table = sit_down("melbourne/blackjack")
    cut(table, table.go_on())
    ask = table.go_on()
    assert "u" in keys(ask)
    assert table.do(next(c for c in ask.choices if c.key == "u").command) is None
    assert "burnt card" in table.session.lines[-1].text
    assert "u" not in keys(table.go_on())


# ---------------------------------------------------------------------- robots and sharers


def test_a_robot_asked_twice_says_the_same() -> None:
    table = sit_down("melbourne/pontoon", robots=2)
    setup, state = table.session.setup, table.session.state
    options = (cmd.Stand(box="4"), cmd.Hit(box="4"), cmd.Split(box="4"))
    robot = setup.robots[0]
    answers = {type(decide_for(setup, robot, state, options, table.advisor)) for _ in range(20)}
    assert len(answers) == 1


def test_robots_follow_the_advisor_their_policy_names() -> None:
    table = sit_down("melbourne/blackjack")
    options = (cmd.Stand(box="1"), cmd.Hit(box="1"), cmd.Split(box="1"))
    knows = Knows({cmd.Stand: -0.2, cmd.Hit: 0.3, cmd.Split: 0.1})
    for policy in (Policy.CHART, Policy.OPTIMUM):
        wanted = decide_for(table.session.setup, Robot("ann", policy, "1"), table.session.state, options, knows)
        assert isinstance(wanted, cmd.Hit)


def test_the_player_who_shares_a_robots_box_is_asked_to_double_along() -> None:
    knows = Knows({cmd.Double: 1.0, cmd.Hit: 0.1, cmd.Stand: 0.0})
    table = sit_down("melbourne/blackjack", robots=1, policy=Policy.CHART, advisor=knows, cards="5s 6d 6h")
    ask = dealt(table, "4")
    assert ask.kind is MoveKind.JOIN
    assert keys(ask) == {"y", "n"}
    yes = next(choice for choice in ask.choices if choice.key == "y")
    assert isinstance(yes.command, cmd.Double)
    assert dict(yes.command.amounts)["guest"] == 10
    assert table.do(yes.command) is None
    assert table.session.available == 1000 - 20


def test_the_player_who_shares_a_robots_box_may_stay_on_the_first_hand_of_a_split() -> None:
    knows = Knows({cmd.Split: 1.0, cmd.Hit: 0.1, cmd.Stand: 0.2})
    table = sit_down("melbourne/blackjack", robots=1, policy=Policy.CHART, advisor=knows, cards="8s 6d 8h")
    ask = dealt(table, "4")
    no = next(choice for choice in ask.choices if choice.key == "n")
    assert table.do(no.command) is None
    hands = table.session.state.boxes[0].hands
    assert [stake.player for stake in hands[1].stakes] == ["ann"]
    assert "guest" in [stake.player for stake in hands[0].stakes]


def test_robots_that_share_the_players_box_go_along_with_a_double_while_there_is_no_chart() -> None:
    table = sit_down("melbourne/blackjack", robots=1, sharers=1, policy=Policy.CHART, cards="5s 6d 6h")
    ask = dealt(table)
    double = next(choice for choice in ask.choices if choice.key == "d")
    assert isinstance(double.command, cmd.Double)
    assert {name for name, _ in double.command.amounts} == {"guest", "ann"}
    assert table.do(double.command) is None


@pytest.mark.parametrize(("best", "along"), [(cmd.Double, True), (cmd.Hit, False)])
def test_a_robot_by_chart_goes_along_only_with_what_the_chart_names(best: type[cmd.Command], along: bool) -> None:
    knows = Knows({cmd.Double: 0.0, cmd.Hit: 0.0, cmd.Stand: 0.0} | {best: 1.0})
    table = sit_down("melbourne/premier", robots=1, sharers=1, policy=Policy.CHART, advisor=knows, cards="6s 7d 5h Tc")
    table.go_on()
    table.bet("5", Money(10))
    table.deal()
    double = next(choice.command for choice in table.go_on().choices if choice.key == "d")
    assert ("ann" in dict(double.amounts)) is along


def test_seats_are_refused_with_the_clause_that_limits_sharing() -> None:
    rws = rules_for("rws/blackjack")
    with pytest.raises(SetupError, match=r"2\.1\.1"):
        seats(rws, 2, 1, (Policy.RANDOM,))
    with pytest.raises(SetupError, match="no room"):
        seats(rws, 9, 0, (Policy.RANDOM,))
    with pytest.raises(SetupError, match="no box 12"):
        seats(rws, 0, 0, (Policy.RANDOM,), 12)


@pytest.mark.parametrize(
    "changes",
    [
        {"bankroll": Money(0)},
        {"bankroll": Money(3)},
        {"limits": Limits(Money(10), Money(5), None)},
        {"limits": Limits(Money(5), Money(50), Money(0))},
        {"player": "two words"},
    ],
)
def test_an_impossible_setup_is_refused_in_one_line(changes: dict[str, object]) -> None:
    setup = Setup(game="star/blackjack", choices={}, seed="1", **changes)  # type: ignore[arg-type]
    with pytest.raises(PitbossError) as refusal:
        begin_session(setup, rules_for("star/blackjack"))
    assert "\n" not in str(refusal.value)


def test_an_infinite_deck_is_not_dealt() -> None:
    with pytest.raises(SetupError, match="infinite"):
        sit_down("star/blackjack", decks="inf")


# ---------------------------------------------------------------------- chance


def test_draws_of_one_name_are_always_the_same_and_of_two_names_are_not() -> None:
    first = [draw_number(1000, chance.seed_stream("s", "a", n)) for n in range(20)]
    assert first == [draw_number(1000, chance.seed_stream("s", "a", n)) for n in range(20)]
    assert first != [draw_number(1000, chance.seed_stream("s", "b", n)) for n in range(20)]


def test_numbers_above_a_word_are_reached_and_even() -> None:
    source = chance.seed_stream("s", "large")
    found = [draw_number(200_000, source) for _ in range(4000)]
    assert max(found) > 190_000
    assert all(0 <= number < 200_000 for number in found)
    assert abs(sum(found) / len(found) - 100_000) < 4 * 200_000 / (12 * len(found)) ** 0.5


def test_weights_are_kept() -> None:
    source = chance.seed_stream("s", "weights")
    found = [pick_weighted(((1, "rare"), (9, "common")), source) for _ in range(3000)]
    assert abs(found.count("rare") - 300) < 4 * (3000 * 0.09) ** 0.5


# ---------------------------------------------------------------------- advice and summary


def test_advice_lists_choices_best_first_and_says_what_the_last_decision_cost() -> None:
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5, cmd.Double: -0.4})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="Ts Td 5h 2c 3c Td")
    ask = dealt(table, amount=20)
    advice = make_advice_sheet(table, ask)
    assert [worth.name for worth in advice.worths] == ["hit", "stand"]
    assert advice.worths[0].value == -0.2
    table.do(next(c for c in ask.choices if c.key == "s").command)
    assert weigh_next(table)
    decision = table.session.decisions[-1]
    assert decision.cost == pytest.approx(0.3 * 20)
    assert decision.best == "hit"
    lines = summary_lines(table)
    assert any("cost 6.00" in line for line in lines)
    assert any("expected with best play -0.20, as you played -6.20" in line for line in lines)


def test_a_weighed_decision_is_in_the_journal() -> None:
    keeper = Memory()
    knows = Knows({cmd.Hit: -0.2, cmd.Stand: -0.5})
    table = sit_down("melbourne/blackjack", advisor=knows, cards="Ts Td 5h 2c 3c Td", keeper=keeper)
    ask = dealt(table)
    table.do(next(c for c in ask.choices if c.key == "s").command)
    weigh_next(table)
    assert journal.restore(keeper.journal).session.decisions == table.session.decisions
    assert journal.restore(keeper.journal).session.unweighed == ()


def test_declining_insurance_is_a_decision() -> None:
    table = sit_down("star/blackjack", cards="Ts Ad 9h 5c 5d")
    ask = dealt(table)
    table.do(next(c for c in ask.choices if c.key == "space").command)
    assert [decision.words for decision in table.session.decisions] == ["to continue"]


# ---------------------------------------------------------------------- what makes a game special


def test_every_game_says_what_is_special_about_it_with_clauses() -> None:
    said = {game: [special.text for special in specials(rules_for(game))] for game in GAMES}
    assert all(said.values())
    assert "you play two boxes and may exchange their second cards" in said["star/switch"]
    assert "48-card packs: no tens, but jacks, queens and kings stay" in said["melbourne/pontoon"]
    assert "a Blackjack pays 6 to 5" in said["melbourne/sports"]
    assert "the dealer's 22 is a push, not a bust" in said["melbourne/free-bet"]
    assert "no double and no split" in said["melbourne/select"]
    assert all(special.clauses for game in GAMES for special in specials(rules_for(game)))


def test_a_round_that_is_sat_out_does_not_count() -> None:
    table = sit_down("star/blackjack", robots=1)
    cut(table, table.go_on())
    ask = table.go_on()
    assert "o" in keys(ask)
    assert table.deal() is not None
    assert table.deal(sit_out=True) is None
    assert table.go_on().kind is MoveKind.NEXT
    assert table.session.state.phase is Phase.SETTLED
    assert table.session.tally.rounds == 0


def test_an_insurance_that_is_wished_for_is_the_largest_that_the_rules_know() -> None:
    table = sit_down("star/blackjack", cards="Ts Ad 9h 5c")
    table.go_on()
    table.bet(table.session.setup.box, Money(10))
    table.deal()
    whole = replace(
        table.session,
        state=replace(table.session.state, packed=table.session.state.packed._replace(insurance_max=INSURANCE_WHOLE)),
    )
    for session, amount in ((table.session, 5), (whole, 10)):
        wanted = wish(session, "i", table.session.setup.box)
        assert isinstance(wanted, cmd.Insure)
        assert wanted.amount == Money(amount)


def test_leaving_in_mid_round_sums_up_what_is_settled_and_what_is_not() -> None:
    knows = Knows({cmd.Hit: 0.5, cmd.Stand: 0.0})
    table = sit_down("star/blackjack", cards="Ts 9d 8h Tc", advisor=knows)
    table.go_on()
    table.bet("5", Money(10))
    assert "round 1 is not finished: 10 of that is still on the table" in summary_lines(table)
    table.deal()
    table.do(next(choice for choice in table.go_on().choices if choice.key == "s").command)
    assert "result -10: a bankroll of 1,000 is now 990" in summary_lines(table)
    table.do(table.go_on().choices[0].command)
    table.do(cmd.LoadShoe(cards=stacked("2s 9d 3h Tc")))
    table.go_on()
    table.bet("5", Money(20))
    table.deal()
    table.do(next(choice for choice in table.go_on().choices if choice.key == "h").command)
    while weigh_next(table):
        pass
    said = summary_lines(table)
    assert "1 round played" in said
    assert "result -10: a bankroll of 1,000 is now 990" in said
    assert "round 2 is not finished: 20 of that is still on the table" in said
    assert "wagered 10 main" in said
    assert "expected with best play -0.10, as you played -5.10" in said
    table.do(next(choice for choice in table.go_on().choices if choice.key == "s").command)
    while weigh_next(table):
        pass
    said = summary_lines(table)
    assert "2 rounds played" in said
    assert not any("not finished" in line for line in said)
    assert "expected with best play -0.30, as you played -15.30" in said
