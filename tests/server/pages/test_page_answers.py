"""What the pages ask the server: the lobby, clauses, rounds step by step, reviews, and what a table says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from floor_server import Served, play_to_a_decision, seat, serve

from pitboss.cards import RANK
from pitboss.errors import PitbossError
from pitboss.floor.desks.full_layout import choose_side_wagers
from pitboss.floor.live_table import TableKind
from pitboss.floor.telling.felt_words import describe_felt
from pitboss.floor.telling.table_calls import UP_CARDS, offer_choices
from pitboss.floor.telling.table_log import write_signs
from pitboss.money import Money
from pitboss.odds.session_cost import cost_of_an_hour, rounds_of_an_hour
from pitboss.records.narrate.settlements import outcome_words
from pitboss.rulebooks import games, rules_for
from pitboss.server.client import AskRefused, Client, call
from pitboss.server.serving import TableWish
from pitboss.table import Refusal, decide, legal, open_table
from pitboss.table.messages import commands as cmd
from pitboss.table.views import Observer, Viewer, choose_actions

TABLES = (
    TableWish("t", "perth/blackjack"), TableWish("school", "melbourne/pontoon", TableKind.PRACTICE),
    TableWish("served", "melbourne/pontoon"),
)  # fmt: skip
RECORD = """record  = 1
title   = "An even natural"
game    = "perth/blackjack"
side_wagers = []
bets    = ["1 ann* 20"]
cards   = "Th 7c 9s | Td"
actions = ["1 stand"]
"""


def test_every_layout_says_what_real_ones_carry() -> None:
    for game in games():
        rules = choose_side_wagers(game)
        felt = describe_felt(rules, Money("0.5"))
        kinds = [line.kind for line in felt.lines]
        assert kinds[:3] == ["natural", "dealer", "insurance"]
        assert all(line.clauses for line in felt.lines), [line.text for line in felt.lines if not line.clauses]
        assert len(felt.boxes) == rules.boxes_max * rules.boxes_per_area
        assert [spot.wager for spot in felt.spots] == [side.id for side in rules.side_wagers]
        assert len({spot.short for spot in felt.spots}) == len(felt.spots)
        assert felt.chips[0] == Money("0.5")


def test_the_words_of_layouts_follow_the_rules() -> None:
    def texts(game: str) -> set[str]:
        return {line.text for line in describe_felt(rules_for(game), None).lines}

    assert {"Blackjack pays evens", "Dealer's 22 is a push"} <= texts("star/switch")
    assert {"Pontoon pays 3 to 2", "Player's 21 always wins"} <= texts("melbourne/pontoon")
    assert {"Free doubles on hard 9, 10 and 11", "Splits are free, except tens"} <= texts("melbourne/free-bet")
    assert "Blackjack pays 6 to 5" in texts("melbourne/sports")
    bonuses = {bonus.name: bonus.pays for bonus in describe_felt(rules_for("melbourne/pontoon"), None).bonuses}
    assert bonuses["6-7-8 mixed"] == "3 to 2"
    assert bonuses["7-7-7 spades"] == "3 to 1"
    assert [spot.short for spot in describe_felt(choose_side_wagers("rws/blackjack"), None).spots] == [
        "PP",
        "U13",
        "O13",
    ]


def test_outcomes_are_said_as_people_say_them() -> None:
    said = ("cards-4", "sum-6-9", "678-mixed", "super-suit")
    assert [outcome_words(name) for name in said] == ["4 cards", "sum of 6 to 9", "6-7-8 mixed", "super suit"]


def test_cards_are_written_with_their_signs_and_named_by_rank() -> None:
    assert write_signs("Box 1 is dealt Ad Th: 21") == "Box 1 is dealt A♦ 10♥: 21"
    assert UP_CARDS[RANK["As"]] == "an ace"
    assert UP_CARDS[RANK["8h"]] == "an eight"


def run(story: Any, tmp_path: Path) -> None:
    serve(tmp_path, story, tables=TABLES)


def test_the_lobby_shows_edges_and_where_somebody_has_chips(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        async with seat(served, "ann"):
            strangers = {row["name"]: row for row in (await call(served.address, "GET", "/api/lobby"))[0]}
            assert strangers["t"]["edge"] == "0.588"
            pace = rounds_of_an_hour(5, device=False)
            cost = cost_of_an_hour(rules_for("perth/blackjack"), 5, pace)
            assert strangers["t"]["cost_per_hour"] == f"{cost:.2f}"
            assert strangers["t"]["chips"] is None
            assert strangers["t"]["players"] == ["ann"]
            client = await Client.enter(served.address, "bob")
            await (await client.watch("school")).ask({"type": "buy-in", "amount": "100"})
            own = {row["name"]: row for row in await client.get("/api/lobby")}
            assert own["school"]["chips"] == "100"
            assert "Perfect Pairs" in own["school"]["side_wagers"]
            await client.close()

    run(story, tmp_path)


def test_a_clause_is_shown_with_our_summary_and_an_unknown_one_is_not(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        rows = (await call(served.address, "GET", "/api/clauses/melbourne?clause=8.1"))[0]
        assert any("3 to 2" in row["summary"] for row in rows)
        for wrong in ("/api/clauses/melbourne?clause=999", "/api/clauses/nowhere?clause=1"):
            with pytest.raises(PitbossError, match="has no clause"):
                await call(served.address, "GET", wrong)

    run(story, tmp_path)


def test_a_question_and_its_choices_come_with_prices_and_commands(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        client = await Client.enter(served.address, "ann")
        table = await play_to_a_decision(client, "t")
        private = table.private
        assert private["question"].startswith("Box 1, ")
        assert " against " in private["question"]
        keys = [choice["key"] for choice in private["choices"]]
        assert keys[:2] == ["h", "s"]
        for choice in private["choices"]:
            assert choice["command"] in private["actions"]
            assert (choice["price"] is not None) == (choice["command"]["type"] in ("double", "split"))
        assert private["last_bets"][0]["amount"] == "10"
        assert table.public["call"] in private["question"]
        await client.close()

    run(story, tmp_path)


async def _play_on(client: Client, name: str) -> None:
    """Stand until the round is over."""
    table = client.tables[name]
    number = table.public["round"]
    while table.public["round"] == number and table.public["phase"] != "settled":
        stand = next((item for item in table.private["choices"] if item["key"] in "sh"), None)
        try:
            await table.ask(stand["command"] if stand else {"type": "ready"})
        except AskRefused:
            await table.wait_for_change()


@pytest.mark.slow
def test_a_round_can_be_stepped_through_and_reviewed_by_its_player_alone(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        client = await Client.enter(served.address, "ann")
        await play_to_a_decision(client, "school")
        await _play_on(client, "school")
        number = (await client.get("/api/tables/school/rounds"))[0]["number"]
        steps = await client.get(f"/api/tables/school/rounds/{number}/steps")
        assert not steps["differences"]
        assert steps["steps"][-1]["table"]["settlements"]
        assert any("ann" in said["text"] for step in steps["steps"] for said in step["said"])
        review = await client.post(f"/api/tables/school/rounds/{number}/review", {})
        assert review["choices"]
        assert float(review["expected"]) < 0, "side wagers on offer hide what the main wager is worth"
        assert review["sides"] == "0"
        costs = [float(choice["cost"]) for choice in review["choices"]]
        assert costs == sorted(costs, reverse=True)
        assert all(choice["taken"] in [value["name"] for value in choice["values"]] for choice in review["choices"])
        stranger = await Client.enter(served.address, "bob")
        with pytest.raises(PitbossError, match="no chips at this table"):
            await stranger.post(f"/api/tables/school/rounds/{number}/review", {})
        await client.close()
        await stranger.close()

    run(story, tmp_path)


def test_a_table_in_service_gives_no_review(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        client = await Client.enter(served.address, "ann")
        await play_to_a_decision(client, "served")
        await _play_on(client, "served")
        number = (await client.get("/api/tables/served/rounds"))[0]["number"]
        with pytest.raises(PitbossError, match="nobody is advised at a table in service"):
            await client.post(f"/api/tables/served/rounds/{number}/review", {})
        await client.close()

    run(story, tmp_path)


def test_a_record_is_replayed_and_a_wrong_one_gets_one_line(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        address = served.address
        played = (await call(address, "POST", "/api/replay", {"record": RECORD}))[0]
        assert played["steps"][-1]["table"]["settlements"][0]["net"] == "20"
        changed = (await call(address, "POST", "/api/replay", {"record": RECORD.replace("Td", "4d")}))[0]
        assert any("cards" in difference or "card" in difference for difference in changed["differences"])
        for wrong in ("nonsense", RECORD.replace("perth/blackjack", "perth/whist"), "record = 1", "x" * 30_000):
            with pytest.raises(PitbossError) as caught:
                await call(address, "POST", "/api/replay", {"record": wrong})
            assert "\n" not in str(caught.value)
            assert "cannot be answered" not in str(caught.value)

    run(story, tmp_path)


def test_strangers_are_told_that_they_are_nobody(tmp_path: Path) -> None:
    async def story(served: Served) -> None:
        assert (await call(served.address, "GET", "/api/visitor"))[0] is None
        client = await Client.enter(served.address, "ann")
        assert (await client.get("/api/visitor"))["name"] == "ann"
        await client.close()

    run(story, tmp_path)


def test_a_prize_is_one_button_whatever_it_may_be() -> None:
    """The table would take any prize of the jackpot; a player is offered to press, and the machine draws."""
    state = open_table(rules_for("melbourne/pontoon", side_wagers=["pontoon-pandemonium"]))
    commands = (
        cmd.LoadShoe(cards=("Ah", "7c", "Kd", "9c", "4h")),
        cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),
        cmd.PlaceBet(box="1", player="ann", amount=Money(5), wager="pontoon-pandemonium"),
        cmd.Deal(),
    )
    for command in commands:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), answer
        state = answer.state
    actions = choose_actions(state, Observer(Viewer.PLAYER, "ann"), legal(state))
    prizes = [action for action in actions if isinstance(action, cmd.DrawPrize)]
    assert len(prizes) > 1
    offered = [choice for choice in offer_choices(state, "ann", actions, Money(100)) if choice.key == "b"]
    assert [msgspec.json.decode(choice.command) for choice in offered] == [
        {"type": "press-button", "player": "ann", "box": "1"}
    ]


def test_a_choice_that_the_chips_do_not_reach_is_not_offered() -> None:
    state = open_table(rules_for("perth/blackjack"))
    commands = (
        cmd.LoadShoe(cards=("8h", "7c", "8d", "9c", "4h", "Td", "5s")),
        cmd.PlaceBet(box="1", player="ann", amount=Money(10), seated=True),
        cmd.Deal(),
    )
    for command in commands:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal), answer
        state = answer.state
    actions = choose_actions(state, Observer(Viewer.PLAYER, "ann"), legal(state))
    assert [choice.key for choice in offer_choices(state, "ann", actions, Money(10))] == ["h", "s", "p"]
    assert [choice.key for choice in offer_choices(state, "ann", actions, Money(9))] == ["h", "s"]
