"""What the odds say at the terminal table: charts for robots, the worth of choices, answers from the background."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tui_tools import GAMES, Knows, sit_down

from pitboss.cards import composition, decks, parse_cards
from pitboss.cli.playing.oracle import Oracle, cache_folder
from pitboss.money import Money
from pitboss.odds import Chart, analyse, parse_chart
from pitboss.odds.advice.advise import advise
from pitboss.odds.charts.chart_choices import chart_choice
from pitboss.odds.known_tables import find_known
from pitboss.odds.sides import side_odds
from pitboss.rulebooks import rules_for
from pitboss.server.question_worker import QuestionWorker
from pitboss.table import legal
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import name_of
from pitboss.table.shoe.shoe_views import count_unseen
from pitboss.table.state import Phase, State
from pitboss.tui.help.advice_sheet import last_cost
from pitboss.tui.help.advice_sheet import make_advice_sheet as ask_advice
from pitboss.tui.help.weighing import weigh_next
from pitboss.tui.help.worth import hand_values, price_offered_side
from pitboss.tui.session.choices import with_amount
from pitboss.tui.session.live_session import LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.robots import NoAdvisor
from pitboss.tui.session.session import belongs_to
from pitboss.tui.session.setup import Policy

CHART = parse_chart("""
hard 11  D D D D D D D D D H
hard 12  H H S S S H H H H H
hard 15  S S S S S H H H R H
hard 16  S S S S S H H H Rs R
hard 17  S S S S S S S S S S
hard 20  S S S S S S S S S S
soft 18  S Ds Ds Ds Ds S S H H H
pair 8   P P P P P P P P P Rp
rescue 13  K K K K K K F F F F
""")


def chosen(game: str, cards: str, *, chart: Chart = CHART) -> type[cmd.Command] | None:
    """What the chart says to do with the first hand of box 5."""
    table = sit_down(game, cards=cards)
    table.go_on()
    table.bet("5", Money(10))
    assert table.deal() is None
    ask = table.go_on()
    assert ask.kind in (MoveKind.TURN, MoveKind.OFFERS)
    options = [choice.command for choice in ask.choices]
    place = chart_choice(chart, table.session.state, options)
    return type(options[place]) if place is not None else None


@pytest.mark.parametrize(
    ("game", "cards", "wanted"),
    [
        ("melbourne/blackjack", "6s 7d 5h", cmd.Double),
        ("melbourne/blackjack", "6s Ad 5h", cmd.Proceed),
        ("melbourne/select", "Ts 7d 2h", cmd.Hit),
        ("melbourne/premier", "As 3d 7h", cmd.Double),
        ("star/blackjack", "As 3d 7h", cmd.Stand),
        ("melbourne/blackjack", "8s 6d 8h", cmd.Split),
        ("melbourne/select", "8s 6d 8h", cmd.Stand),
        ("rws/blackjack", "Ts Td 5h", cmd.Surrender),
        ("rws/blackjack", "Ts Td 2h", cmd.Proceed),
        ("melbourne/pontoon", "9s Kd 7h", cmd.Surrender),
        ("melbourne/pontoon", "9s Ad 8h", cmd.Proceed),
        ("melbourne/blackjack", "Ts Kd 6h", cmd.Stand),
        ("melbourne/blackjack", "As Ad Kh", cmd.Proceed),
        ("star/blackjack", "Ts 7d 9h", None),
    ],
)
def test_a_chart_names_one_of_the_choices_that_are_open(
    game: str, cards: str, wanted: type[cmd.Command] | None
) -> None:
    assert chosen(game, cards) is wanted


@pytest.mark.parametrize(("up", "wanted"), [("7d", cmd.Proceed), ("Kd", cmd.Forfeit)])
def test_a_chart_says_when_a_double_is_taken_back(up: str, wanted: type[cmd.Command]) -> None:
    table = sit_down("melbourne/pontoon", cards=f"6s {up} 5h 2c")
    table.go_on()
    table.bet("5", Money(10))
    table.deal()
    table.do(next(c.command for c in table.go_on().choices if c.key == "d"))
    ask = table.go_on()
    options = [choice.command for choice in ask.choices]
    place = chart_choice(CHART, table.session.state, options)
    assert place is not None
    assert type(options[place]) is wanted


def test_a_player_by_chart_leaves_the_switch_alone() -> None:
    table = sit_down("star/switch", cards="Ts 9s 7d 6h Th")
    table.go_on()
    table.bet("3", Money(10))
    table.deal()
    table.go_on()
    state = table.session.state
    mine = [command for command in legal(state) if belongs_to(state, command, "guest")]
    options = [cmd.Proceed(), *(command for command in mine if isinstance(command, cmd.Switch))]
    assert chart_choice(CHART, state, options) == 0


# ---------------------------------------------------------------------- the worth of choices


def full_shoe(game: str, cards: str) -> tuple[LiveSession, Ask]:
    """A table dealt these cards from a whole shoe of its game, and what is asked then."""
    table = sit_down(game)
    rules = table.session.rules
    first = parse_cards(cards)
    rest = list(decks(rules.decks, rules.deck_cards))
    for card in first:
        rest.remove(card)
    random.Random(1).shuffle(rest)
    assert table.do(cmd.LoadShoe(cards=(*first, *rest))) is None
    table.go_on()
    table.bet(table.session.setup.box, Money(20))
    assert table.deal() is None
    return table, table.go_on()


def worths(game: str, cards: str) -> dict[str, float]:
    table, ask = full_shoe(game, cards)
    found = hand_values(table.session.state, [choice.command for choice in ask.choices])
    return {ask.choices[place].key: value for place, value in found.items()}


def test_insurance_adds_its_own_worth_to_going_on() -> None:
    found = worths("star/blackjack", "Ts Ad 9h")
    tens = (8 * 16 - 1) / (8 * 52 - 3)
    assert found["i"] - found["space"] == pytest.approx(0.5 * (2 * tens - (1 - tens)))
    assert found["space"] == max(found["h"], found["s"])


def test_a_switch_is_worth_what_it_changes() -> None:
    table, ask = full_shoe("star/switch", "Ts 9s 7d 6h Th")
    found = hand_values(table.session.state, [choice.command for choice in ask.choices])
    both = advise(table.session.state, count_unseen(table.session.state)).actions
    by_key = {ask.choices[place].key: value for place, value in found.items()}
    assert by_key["w"] - max(by_key["h"], by_key["s"]) == pytest.approx(both["switch"] - both["leave"])


def test_offers_count_the_hand_that_is_played_later() -> None:
    table = sit_down("melbourne/blackjack", robots=1)
    cards = parse_cards("Ts 8s Ad 9h 7h")
    rest = list(decks(8))
    for card in cards:
        rest.remove(card)
    assert table.do(cmd.LoadShoe(cards=(*cards, *rest))) is None
    table.go_on()
    table.bet("5", Money(20))
    assert table.deal() is None
    ask = table.go_on()
    assert {choice.key for choice in ask.choices} == {"i", "space"}
    found = hand_values(table.session.state, [choice.command for choice in ask.choices])
    by_key = {ask.choices[place].key: value for place, value in found.items()}
    in_turn = replace(table.session.state, phase=Phase.TURNS, turn=(1, 0))
    assert by_key["space"] == pytest.approx(max(advise(in_turn, count_unseen(in_turn), "5").actions.values()))
    tens = (8 * 16 - 1) / (8 * 52 - 5)
    assert by_key["i"] - by_key["space"] == pytest.approx(0.5 * (2 * tens - (1 - tens)))


def test_what_is_offered_to_two_boxes_is_on_one_scale() -> None:
    found = worths("star/switch", "Ts 9s Ad 6h Th")
    tens = (6 * 16 - 2) / (6 * 52 - 5)
    assert found["i"] - found["space"] == pytest.approx(0.5 * (2 * tens - (1 - tens)))
    assert found["space"] == max(found["h"], found["s"], found["w"])


def test_a_choice_that_cannot_be_priced_is_named() -> None:
    table, ask = full_shoe("melbourne/blackjack", "Ts 7d 2h")
    table.advisor = Knows({cmd.Hit: -0.2})
    advice = ask_advice(table, ask)
    assert [worth.name for worth in advice.worths] == ["hit"]
    assert advice.unpriced == ("stand", "dealer plays")
    assert "stand: not priced" in advice.lines()
    assert any("dealer plays  not priced" in text for text, _ in advice.rows(60))


def shared(cards: str, *, up: str = "7d", **settings: Any) -> tuple[LiveSession, Ask]:
    """A box of a robot's that the player shares, dealt these two cards, when the robot doubles or splits."""
    knows = Knows({cmd.Double: 0.5, cmd.Split: 0.6, cmd.Hit: 0.1, cmd.Proceed: 0.2})
    one, two = cards.split()
    table = sit_down("melbourne/premier", robots=1, policy=Policy.CHART, advisor=knows, **settings)
    first = parse_cards(f"{one} {up} {two}")
    rest = list(decks(8))
    for card in first:
        rest.remove(card)
    assert table.do(cmd.LoadShoe(cards=(*first, *rest))) is None
    table.go_on()
    table.bet("4", Money(10))
    assert table.deal() is None
    ask = table.go_on()
    assert ask.kind is MoveKind.JOIN
    table.advisor = Direct()
    return table, ask


@pytest.mark.parametrize(("cards", "verb"), [("6s 5h", "double"), ("8s 8h", "split")])
def test_going_along_and_staying_behind_are_priced(cards: str, verb: str) -> None:
    table, ask = shared(cards)
    state = table.session.state
    advice = advise(state, count_unseen(state))
    found = {worth.name: worth.value for worth in ask_advice(table, ask).worths}
    assert found == {f"{verb} too 10": advice.actions[verb], "leave it": advice.riding[verb]}
    assert found[f"{verb} too 10"] > found["leave it"]


def test_to_stay_behind_is_a_decision_with_a_cost() -> None:
    table, ask = shared("6s 5h")
    values = hand_values(table.session.state, [choice.command for choice in ask.choices], "guest")
    assert table.do(ask.choices[1].command) is None
    assert weigh_next(table)
    assert table.session.decisions[0].cost == pytest.approx(10 * (values[0] - values[1]))
    assert "to stay behind a double on box 4" in last_cost(table)
    assert last_cost(table).endswith("to double along was better.")

    table, ask = shared("6s 5h")
    assert table.do(ask.choices[0].command) is None
    assert weigh_next(table)
    assert last_cost(table) == "Your last decision, to double along on box 4, was the best choice."


def test_who_cannot_pay_is_not_asked_and_decides_nothing() -> None:
    table, _ = shared("6s 5h", bankroll=20)
    assert not table.session.decisions
    table = sit_down("melbourne/premier", robots=1, bankroll=12, cards="6s 7d 5h Tc")
    table.go_on()
    table.bet("4", Money(10))
    assert table.deal() is None
    double = cmd.Double(box="4", amounts=(("ann", table.session.state.boxes[0].bettors[0].stake),), by="ann")
    assert table.do(double) is None
    assert not table.session.decisions


def test_insurance_and_doubles_for_less_are_worth_their_share() -> None:
    table, ask = full_shoe("star/blackjack", "Ts Ad 9h")
    choice = next(choice for choice in ask.choices if choice.key == "i")
    options = [cmd.Proceed(), choice.command, with_amount(table.session, choice.command, Money(5))]
    found = hand_values(table.session.state, options)
    assert found[2] - found[0] == pytest.approx((found[1] - found[0]) / 2)

    table, ask = full_shoe("melbourne/blackjack", "6s 7d 5h")
    choice = next(choice for choice in ask.choices if choice.key == "d")
    options = [choice.command, with_amount(table.session, choice.command, Money(10))]
    found = hand_values(table.session.state, options)
    assert found[1] == pytest.approx(0.75 * found[0])

    table, ask = full_shoe("melbourne/blackjack", "6s Kd 5h")
    choice = next(choice for choice in ask.choices if choice.key == "d")
    found = hand_values(table.session.state, [with_amount(table.session, choice.command, Money(5))])
    exact = advise(table.session.state, count_unseen(table.session.state)).price_part_double(0.25)
    assert found[0] == pytest.approx(exact)


class Direct(NoAdvisor):
    """Asks the odds on the spot."""

    def values(
        self, state: State, options: Sequence[cmd.Command], seconds: float | None = 0, player: str = ""
    ) -> Mapping[int, float] | None:
        return hand_values(state, options, player)


def test_a_hand_left_to_the_dealer_stands_unless_it_must_draw() -> None:
    found = worths("melbourne/blackjack", "Ts 7d 6h")
    assert found["a"] == found["s"]
    assert "a" not in worths("melbourne/blackjack", "3s 7d 6h")


def test_a_double_for_less_is_weighed_as_what_it_was() -> None:
    table, ask = full_shoe("melbourne/blackjack", "6s 7d 5h")
    table.advisor = Direct()
    choice = next(choice for choice in ask.choices if choice.key == "d")
    full = hand_values(table.session.state, [choice.command])[0]
    assert table.do(with_amount(table.session, choice.command, Money(10))) is None
    assert weigh_next(table)
    assert table.session.decisions[0].cost == pytest.approx(20 * 0.25 * full)
    assert last_cost(table) == "Your last decision, to double for 10 on box 5, cost 2.34; double for more was better."


def test_a_burnt_card_counts_as_unseen_until_it_is_shown() -> None:
    table = sit_down("melbourne/blackjack")
    ask = table.go_on()
    assert ask.cut is not None
    table.do(cmd.Cut(by="guest", at=ask.cut.least))
    table.go_on()
    whole = composition(decks(8))
    assert count_unseen(table.session.state) == whole
    table.do(cmd.ShowBurntCard(player="guest"))
    assert count_unseen(table.session.state) == whole - composition(table.session.state.shoe.burnt)


# ---------------------------------------------------------------------- what comes with the program


@pytest.mark.parametrize("game", GAMES)
def test_every_game_as_its_book_has_it_is_known_at_once(game: str, tmp_path: Path) -> None:
    worth = find_known(rules_for(game))
    assert worth is not None, "the rules have changed: make known-tables"
    assert worth.strategy() == parse_chart(worth.chart)
    oracle = Oracle(tmp_path)
    assert oracle.edges(rules_for(game)) == worth.edges
    assert oracle.tables._process is None


BY_SUIT = ("67", "68", "78", "77")
"""Openings whose third card may pay by suit: the analysis gives the mean over suits, the table knows them."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_is_known_of_a_game_and_answered_to_its_player_is_what_the_odds_say(game: str) -> None:
    rules = rules_for(game)
    worth = find_known(rules)
    edge = analyse(rules)
    assert worth is not None
    assert worth.edges == {"main": pytest.approx(edge.house_edge, abs=1e-12)}, "make known-tables"
    assert worth.chart == str(edge.strategy)
    if rules.switch:
        return  # its openings are of one hand alone, and the table sees two
    compared = set()
    for opening in edge.openings[::17]:
        one, two = (f"{'K' if rank == 'T' else rank}" for rank in opening.cards)
        up = "K" if opening.up == "T" else opening.up
        table, ask = full_shoe(game, f"{one}s {up}d {two}h")
        if ask.kind not in (MoveKind.TURN, MoveKind.OFFERS) or len(table.session.state.boxes[0].hands[0].cards) > 2:
            continue
        for place, value in hand_values(table.session.state, [choice.command for choice in ask.choices]).items():
            action = name_of(ask.choices[place].command)
            if action in opening.actions and not (opening.cards in BY_SUIT and action == "hit"):
                assert value == pytest.approx(opening.actions[action], abs=1e-9), (opening, action)
                compared.add(action)
    assert compared >= {"hit", "stand"}


def test_other_rules_than_the_known_ones_are_not_taken_for_them() -> None:
    assert find_known(rules_for("melbourne/blackjack", decks=6)) is None
    assert find_known(rules_for("perth/blackjack", layout=7)) != find_known(rules_for("perth/blackjack"))
    assert find_known(rules_for("melbourne/blackjack", side_wagers=["perfect-pairs"])) == find_known(
        rules_for("melbourne/blackjack")
    )


# ---------------------------------------------------------------------- answers from the background


BACKWARDS = """
from pitboss.server.question_worker import serve_questions
serve_questions(lambda text: print(text) or text[::-1] if text else exit())
"""


@pytest.mark.slow
def test_a_worker_answers_and_one_that_is_gone_knows_nothing() -> None:
    worker = QuestionWorker((sys.executable, "-c", BACKWARDS))
    assert worker.ask("key", "abc", seconds=None) == "cba"
    assert worker.warm
    assert worker.ask("key", "never asked again", seconds=0) == "cba"
    assert worker.ask("other", "", seconds=None) is None
    assert worker.gone
    assert worker.ask("third", "abc", seconds=None) is None
    worker.close()


@pytest.mark.slow
def test_the_oracle_weighs_decisions_and_keeps_what_it_knows_about_tables(tmp_path: Path) -> None:
    oracle = Oracle(tmp_path)
    table, ask = full_shoe("rws/blackjack", "Ts 7d 6h")
    table.advisor = oracle
    options = [choice.command for choice in ask.choices]
    direct = hand_values(table.session.state, options)
    assert oracle.values(table.session.state, options, None) == direct
    advice = ask_advice(table, ask)
    assert [worth.value for worth in advice.worths] == sorted(direct.values(), reverse=True)

    stand = next(choice for choice in ask.choices if choice.key == "s")
    assert table.do(stand.command) is None
    assert weigh_next(table, None)
    assert table.session.decisions[0].cost == pytest.approx(
        20 * (max(direct.values()) - direct[ask.choices.index(stand)])
    )

    rules = rules_for("rws/blackjack", side_wagers=["player-pair"])
    edges = oracle.edges(rules, None)
    assert edges is not None
    assert edges["main"] == pytest.approx(analyse(rules).house_edge)
    assert set(edges) == {"main", "player-pair"}
    oracle.close()

    again = Oracle(tmp_path)
    assert again.edges(rules) == edges
    assert again.by_chart(table.session.round.opened, [cmd.Proceed()]) is None
    again.close()


def test_a_cache_that_cannot_be_read_is_done_without(tmp_path: Path) -> None:
    kept = Oracle(tmp_path).cache
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("not json")
    assert Oracle(tmp_path)._kept == {}


def test_the_cache_folder_follows_the_platform(tmp_path: Path) -> None:
    assert cache_folder({}, "linux", tmp_path) == tmp_path / ".cache/pitboss"
    assert cache_folder({"XDG_CACHE_HOME": str(tmp_path / "x")}, "linux", tmp_path) == tmp_path / "x/pitboss"
    assert cache_folder({}, "darwin", tmp_path) == tmp_path / "Library/Caches/pitboss"
    assert cache_folder({}, "win32", tmp_path) == tmp_path / "AppData/Local/pitboss/cache"


def test_side_wagers_are_priced_as_the_odds_have_them_and_no_default_meter_gives_money_away() -> None:
    pairs = rules_for("melbourne/blackjack", side_wagers=["perfect-pairs"])
    edge = float(side_odds(pairs, "perfect-pairs").house_edge)
    assert price_offered_side(pairs, "perfect-pairs") == pytest.approx(edge)
    for wager in ("supernova", "blackjack-jackpots"):
        price = price_offered_side(rules_for("melbourne/blackjack", side_wagers=[wager]), wager)
        assert price is not None
        assert 0 < price < 0.6
    assert price_offered_side(pairs, "buster") is None
