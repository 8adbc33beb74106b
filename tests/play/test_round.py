"""The engine of rounds, run as plain Python, plays the table's rounds: the same cards and decisions, the same money."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sim_tools import METER, wager_sets
from speeds import few

from pitboss.cards import CODE, Card
from pitboss.envs.env_choices import Chosen, areas_in, choose
from pitboss.envs.fields import SEEN, Action
from pitboss.envs.seat import moves, observe, stage_of
from pitboss.envs.table_rounds import TableRounds
from pitboss.play.packed import pack
from pitboss.play.round import row as r
from pitboss.play.round.row import Row, empty_rack, forget_cards, layout_at, new_row
from pitboss.play.round.side_results import judge_side_wagers
from pitboss.play.round.step import deal_round, settle_deal, step
from pitboss.play.side_wagers.side_tables import build_side_tables
from pitboss.rulebooks import Rulebook, games, parse_user_book
from pitboss.table import Phase, Refusal, decide
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev

LAS_VEGAS = (Path(__file__).resolve().parents[2] / "examples" / "las-vegas.toml").read_text("utf-8")
CHANGES: dict[str, tuple[tuple[str, str], ...]] = {
    "peek": (),
    "no peek": (
        ('hole_card = { value = "peek"', 'hole_card = { value = "no-peek"'),
        ('insurance_settled = { value = "before-play"', 'insurance_settled = { value = "dealer-second-card"'),
        ('surrender_settled = { value = "at-once"', 'surrender_settled = { value = "final"'),
    ),
    "early surrender": (
        ('{ value = "own-turn"', '{ value = "before-third-card"'),
        ('surrender_vs_natural = { value = "whole-stake-lost"', 'surrender_vs_natural = { value = "half-stake-lost"'),
    ),
    "early surrender settled late": (
        ('{ value = "own-turn"', '{ value = "before-third-card"'),
        ('surrender_settled = { value = "at-once"', 'surrender_settled = { value = "final"'),
    ),
    "six hands": (
        ("split_max_hands = { value = 4", "split_max_hands = { value = 6"),
        ("split_aces_max_hands = { value = 2", "split_aces_max_hands = { value = 6"),
    ),
}
"""Rulebooks of somebody's own, by what they change in the example."""

DEVICE = {"card_source": "device"}
CHOICES: list[tuple[str, dict[str, Any]]] = [
    ("rws/blackjack", {"readings": {"insurance_settle_time": "early-check"}}),
    ("star/blackjack", DEVICE),
    ("star/switch", DEVICE),
    ("perth/blackjack", {**DEVICE, "readings": {"csm_recirculation": "mid-round"}}),
    ("perth/vegas", {**DEVICE, "readings": {"csm_recirculation": "mid-round"}}),
]


def house_book(changes: str) -> Rulebook:
    text = LAS_VEGAS
    for old, new in CHANGES[changes]:
        assert old in text
        text = text.replace(old, new)
    return parse_user_book(text, "las-vegas.toml")


class WatchedTable(TableRounds):
    """A table that keeps what it drew and what prizes were drawn."""

    drawn: tuple[Card, ...] = ()
    prizes: tuple[int, ...] = ()
    hole_down = False

    def begin_round(self, chance: np.random.Generator, cards: Any) -> None:
        """Bring a shoe of these cards, or what the device holds, and deal with one wager staked."""
        self.bring_cards(chance, cards, False)
        self.deal(chance, {})

    def do(self, command: cmd.Command) -> None:
        answer = decide(self.state, command)
        assert not isinstance(answer, Refusal), answer
        for event in answer.events:
            match event:
                case ev.InitialDeal():
                    self.drawn += event.cards
                    self.hole_down = self.chosen.rules.hole_card != "none"
                case ev.CardDrawn():
                    self.drawn += (event.card,)
                case ev.DealerDrew():
                    self.drawn += () if self.hole_down else (event.card,)
                    self.hole_down = False
        if isinstance(command, cmd.DrawPrize):
            self.prizes += (int(command.amount),)
        super().do(command)


class TablesCards:
    """The cards that a table drew, for the engine to draw."""

    def __init__(self, table: WatchedTable, layout: int) -> None:
        self.table = table
        self.layout = layout
        self.used = 0

    def draw(self, row: Row) -> int:
        if row[r.RACK] and self.table.state.shoe.source == "device":
            empty_rack(row, self.layout)
        self.used += 1
        return CODE[self.table.drawn[self.used - 1]]

    def pick(self, tickets: int) -> int:
        """A ticket with which the prize is won that the table's was."""
        (prize,) = self.table.prizes
        prizes = next(side.prizes for side in self.table.chosen.rules.side_wagers if side.prizes)
        place = [amount for _, amount in prizes].index(prize)
        assert tickets == sum(times for times, _ in prizes)
        return sum(times for times, _ in prizes[:place])


def play_round(table: WatchedTable, row: list[int], sides: Any, cards: Any, chance: random.Random) -> set[int]:
    """One round by both: every mask, stage and count of cards, then the money; the decisions that were made."""
    chosen = table.chosen
    rules, area = pack(chosen.rules), areas_in(chosen)[0]
    table.drawn, table.prizes = (), ()
    source = TablesCards(table, layout_at(area))
    table.begin_round(np.random.default_rng(chance.randrange(1 << 30)), cards)
    forget_cards(row)
    deal_round(rules, area, row, source)
    settle_deal(rules, area, row, source)
    made: set[int] = set()
    while True:
        state, over = table.state, table.state.phase is Phase.SETTLED
        told = " ".join(table.drawn)
        allowed = moves(state, 1)
        assert source.used == len(table.drawn), told
        assert row[r.AT_STAGE] == stage_of(state, 1), told
        if state.shoe.source == "device" or not over:
            assert row[r.SEEN : r.SEEN + 10] == observe(state, 1)[SEEN:].tolist(), told
        if over:
            break
        assert row[r.ALLOWED] == sum(1 << action for action in allowed), told
        action = chance.choice(sorted(allowed))
        made.add(action)
        table.do(allowed[action])
        step(rules, area, row, int(action), source)
    mains = [settled.net for settled in table.state.settlements if settled.wager in ("main", "insurance")]
    assert Fraction(row[r.NET], area.unit) == Fraction(sum(mains)) / Fraction(chosen.stake), told
    tables, names = sides
    outcomes = [0] * max(area.side_wagers, 1)
    judge_side_wagers(area, row, tables, outcomes, source)
    for place, (wager, stake) in enumerate(chosen.side_stakes.items()):
        settled = sum(item.net for item in table.state.settlements if item.wager == wager)
        parts = Fraction(names[place].pays[outcomes[place]], names[place].parts)
        assert parts * Fraction(stake) == Fraction(settled), (wager, told)
    return made


def liked_cards(chosen: Chosen, chance: random.Random) -> list[Card]:
    """The first cards of a shoe, rich in what is rare: pairs, sevens, aces and tens."""
    ranks = chance.choice(["AK", "7", "8", "678", "A2", "9TJ", "A7", "234", "A23456789TJQK"])
    liked = [card for card in chosen.fresh if card[0] in ranks]
    others = chance.sample(chosen.fresh, 60)
    cards: list[Card] = []
    for card in chance.sample(liked, min(len(liked), 9)) + others:
        if cards.count(card) < chosen.fresh.count(card):
            cards.append(card)
    front = cards[:13]
    chance.shuffle(front)
    return [*front, *cards[13:]]


def play_rounds(chosen: Chosen, rounds: int) -> set[int]:
    chance = random.Random(7)
    area = areas_in(chosen)[0]
    table, row = WatchedTable(chosen, {1: "agent"}), new_row(area)
    sides = build_side_tables(chosen.rules, area.unit, chosen.meters, chosen.side_stakes)
    made: set[int] = set()
    if chosen.from_device:
        table.begin_round(np.random.default_rng(7), None)  # what is burnt from a new device goes back after this round
        while table.state.phase is not Phase.SETTLED:
            table.do(next(iter(moves(table.state, 1).values())))
    for _ in range(rounds):
        cards = None if chosen.from_device else liked_cards(chosen, chance)
        made |= play_round(table, row, sides, cards, chance)
    return made


def chosen_for(game: str, side_wagers: Any = (), **choices: Any) -> Chosen:
    readings, books = choices.pop("readings", {}), choices.pop("own_books", ())
    plain = choose(game, 100, None, 1, side_wagers, {}, readings, books, choices)
    return plain._replace(meters=dict.fromkeys(plain.meters, METER * 100))


@pytest.mark.parametrize("game", few(games(), 6))
def test_rounds_of_the_engine_are_the_tables_rounds(game: str) -> None:
    for wagers in wager_sets(game):
        assert {Action.HIT, Action.STAND} <= play_rounds(chosen_for(game, wagers), 40)


@pytest.mark.parametrize(("game", "choices"), CHOICES, ids=str)
def test_rounds_by_other_readings_and_from_devices_are_the_tables_rounds(game: str, choices: dict[str, Any]) -> None:
    assert {Action.HIT, Action.STAND} <= play_rounds(chosen_for(game, **choices), 60)


@pytest.mark.parametrize("changes", CHANGES)
def test_rounds_with_a_hole_card_are_the_tables_rounds(changes: str) -> None:
    chosen = chosen_for("las-vegas/blackjack", own_books=[house_book(changes)], surrender=True)
    made = play_rounds(chosen, 120)
    assert {Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER, Action.INSURE} <= made
