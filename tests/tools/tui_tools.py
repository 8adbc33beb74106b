"""What the tests of the terminal table share: a keeper in memory, sessions with known cards, a random player."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from pitboss.cards import Card, parse_cards
from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.rulebooks import Rules, games, load_book, rules_for
from pitboss.table.messages import commands as cmd
from pitboss.table.meters import default_meters
from pitboss.table.state import State
from pitboss.tui.session.live_session import Keeper, LiveSession
from pitboss.tui.session.moves import Ask, MoveKind
from pitboss.tui.session.robots import Advisor, NoAdvisor
from pitboss.tui.session.session import begin_session
from pitboss.tui.session.setup import Policy, Setup, seats

GAMES = tuple(games())
FEW = ("perth/blackjack", "star/switch", "melbourne/pontoon", "melbourne/free-bet")
"""Games that between them show everything the table can do."""
EACH_GAME = tuple(pytest.param(game, marks=() if game in FEW else pytest.mark.slow) for game in GAMES)
"""Every game for a test that takes a while: a few of them in `make quick` too."""
LOW_CARDS = "2s 3h 4d 5c 2h 3d 4c 5s 2d 3c 4s 5h 2c 3s 4h 5d 6s 7h 6d 7c"
"""What follows the cards of a stacked shoe: enough for any draw."""


class Memory:
    """Saves a session in memory."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.records: dict[int, str] = {}
        self.shoes: dict[int, str] = {}

    def line(self, text: str) -> None:
        self.lines.append(text)

    def record(self, number: int, text: str) -> str:
        self.records[number] = text
        return f"round {number}"

    def shoe(self, number: int, text: str) -> str:
        self.shoes[number] = text
        return f"shoe {number}"

    place = "memory.jsonl"

    @property
    def journal(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


class Knows:
    """An advisor with fixed answers: what each kind of command is worth, and the one that a chart names."""

    patience = 0.0

    def __init__(self, worth: Mapping[type[cmd.Command], float]) -> None:
        self.worth = worth

    def prepare(self, rules: Rules) -> None:
        pass

    def values(
        self, state: State, options: Sequence[cmd.Command], seconds: float | None = 0, player: str = ""
    ) -> Mapping[int, float] | None:
        return {place: self.worth[type(option)] for place, option in enumerate(options) if type(option) in self.worth}

    def by_chart(self, state: State, options: Sequence[cmd.Command]) -> int | None:
        found = self.values(state, options)
        return max(found, key=lambda place: found[place]) if found else None

    def edges(self, rules: Rules, seconds: float | None = 0) -> Mapping[str, float] | None:
        return {"main": 0.01}


def side_wagers(game: str) -> list[str]:
    """Side wagers that can stand on one table of a game together."""
    found: list[str] = []
    for name in load_book(games()[game][0]).side_wagers:
        try:
            rules_for(game, side_wagers=[*found, name])
        except PitbossError:
            continue
        found.append(name)
    return found


def sit_down(
    game: str,
    *,
    seed: str = "7",
    robots: int = 0,
    sharers: int = 0,
    policy: Policy = Policy.RANDOM,
    sides: Sequence[str] = (),
    advisor: Advisor | None = None,
    bankroll: int = 1000,
    keeper: Keeper | None = None,
    cards: str = "",
    box: int | None = None,
    **options: object,
) -> LiveSession:
    """A new session; `cards` are the first cards of its shoe, in the order in which they are dealt."""
    rules = rules_for(game, side_wagers=list(sides), **options)
    own, people = seats(rules, robots, sharers, (policy,), box)
    setup = Setup(
        game=game,
        choices={"side_wagers": list(sides)},
        seed=seed,
        robots=people,
        box=own,
        bankroll=Money(bankroll),
        meters=default_meters(rules),
    )
    found = LiveSession(begin_session(setup, rules), advisor or NoAdvisor(), keeper or Memory())
    if cards:
        assert found.do(cmd.LoadShoe(cards=stacked(cards))) is None
    return found


def stacked(cards: str) -> tuple[Card, ...]:
    """These cards, and low ones after them."""
    return parse_cards(f"{cards} {LOW_CARDS}")


def cut(table: LiveSession, ask: Ask) -> None:
    """Cut in the middle."""
    assert ask.cut is not None
    assert table.do(cmd.Cut(by=table.session.me, at=(ask.cut.least + ask.cut.most) // 2)) is None


def play_at_random(table: LiveSession, rounds: int, seed: int, *, side_bets: bool = True) -> None:
    """Play some rounds, choosing among what is offered."""
    dice = random.Random(seed)
    rules = table.session.rules
    while table.session.tally.rounds < rounds:
        ask = table.go_on()
        if ask.kind is MoveKind.CUT:
            cut(table, ask)
        elif ask.kind is MoveKind.BETS:
            for box in {table.session.setup.box, str(dice.randint(1, rules.boxes_max))}:
                if table.bet(box, Money(10)) is None and side_bets:
                    for side in rules.side_wagers:
                        if dice.random() < 0.4:
                            table.bet(box, Money(5), side.id)
            assert table.deal() is None
        else:
            assert table.do(dice.choice(ask.choices).command) is None
