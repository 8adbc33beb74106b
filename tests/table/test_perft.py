"""How many different rounds there are: the whole tree of decisions of a small shoe, counted by the table and a second
time by the independent program, and held to golden numbers.

A round is counted once for each way the decisions can go, with amounts in full; offers that may be taken in any order
count in one order. Beside the number stands the money of all rounds together, so that a wrong payment shows as much as
a wrong choice. A path that needs more cards than the shoe has is no round.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache

import pytest
from independent.games import GAMES, game
from independent.rounds import Move, OutOfCards, play
from lockstep import counted, dealt, offered
from speeds import few

from pitboss.cards import Card, parse_cards
from pitboss.rulebooks import rules_for
from pitboss.table import Phase, Refusal, decide, results

Net = dict[tuple[str, str, str], Fraction]
Count = tuple[int, int, int]
"""Rounds; main wagers' money of all rounds together; insurance's money."""

ANN = {"ann": Fraction(100)}

SHOES = {
    "eights v ace": "8s As 8d 3s 8h 9d Kc 2h 5c Ad 6s Kh 7c 4d Js 9s 2c Qd 5d 3h",
    "aces v king": "As Ks Ah Ad 9s Jh 6c 5s 9h 3d 8c 2s Qh 4h 7d 9c",
    "sevens v seven": "7s 7d 7s 7s 4s Kh 6c 5s 9h 3d 8c 2s Qh 4h 7d 9c 6d",
    "low cards": "2s 6d 2h 2c 3s 2d 4h 3c Ah 2s 5d 4s 3h 6c 5h 4c 9d 8s Qc 8d",
    "natural v ace": "As Ah Ks 9c 2d Kd 5s 5h 9h 3c 4s Jd",
}
PAIRED_SHOES = {
    "eights v ace": "8s 5h As 8d 6c 3s 8h 9d Kc 2h 5c Ad 6s Kh 7c 4d Js 9s 2c",
    "aces v king": "As 9c Ks Ah 2d Ad 9s Jh 6c 5s 9h 3d 8c 2s Qh 4h",
    "sevens v seven": "7s 4s 7d 7h 7c 7s Kh 6c 5s 9h 3d 8c 2s Qh 4h 7d",
    "low cards": "2s 3d 6d 2h 4h 3s 5c Kd 2c 4d Ah 3h 5s 6c 4c 7h 9d 8s",
    "natural v ace": "As Ad Ah Ks Qd 9c 2d Kd 5s 5h 9h 3c 4s Jd",
}
"""For two boxes in an area, where the deal takes five cards."""

TINY = ("As", "As", "8s", "8s", "Ks", "Ks", "5s")
"""Dealt in every order that differs."""


def shoes(name: str) -> dict[str, tuple[Card, ...]]:
    texts = PAIRED_SHOES if len(GAMES[name].boxes) == 2 else SHOES
    return {title: parse_cards(text) for title, text in texts.items()}


@cache
def every_order(cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return tuple(sorted(set(itertools.permutations(cards))))


def rounds_of_the_table(name: str, cards: tuple[Card, ...]) -> Iterator[Net]:
    """Every round of a shoe, played by the table."""
    rules, row = rules_for(name), game(name, {})
    waiting: list[tuple[object, tuple[Move, ...]]] = [(dealt(rules, cards, ANN), ())]
    while waiting:
        state, made = waiting.pop()
        if state.phase is Phase.SETTLED:
            yield {key: Fraction(net) for key, net in results(state).items()}
            continue
        moves = offered(state, row)
        for move in counted(frozenset(moves), made, row):
            answer = decide(state, moves[move])
            if isinstance(answer, Refusal):
                assert "no card is left in the shoe" in answer.reason
            else:
                waiting.append((answer.state, (*made, move)))


def rounds_of_the_other(name: str, cards: tuple[Card, ...]) -> Iterator[Net]:
    """Every round of a shoe, played by the independent program, from the start each time."""
    row = game(name, {})
    waiting: list[tuple[Move, ...]] = [()]
    while waiting:
        made = waiting.pop()
        table = play(row, cards, ANN)
        try:
            moves = next(table)
            for move in made:
                moves = table.send(move)
        except StopIteration as end:
            yield end.value.net
        except OutOfCards:
            continue
        else:
            waiting.extend((*made, move) for move in counted(moves, made, row))


def count(rounds: Iterable[Net]) -> Count:
    number, money = 0, {"main": Fraction(0), "insurance": Fraction(0)}
    for net in rounds:
        number += 1
        for (_, _, wager), amount in net.items():
            money[wager] += amount
    assert all(amount.denominator == 1 for amount in money.values())
    return number, int(money["main"]), int(money["insurance"])


@pytest.mark.parametrize("title", SHOES)
@pytest.mark.parametrize("name", few(GAMES, 9))
def test_the_rounds_of_a_small_shoe_are_counted_alike_and_as_before(name: str, title: str) -> None:
    cards = shoes(name)[title]
    number = count(rounds_of_the_table(name, cards))
    assert number == count(rounds_of_the_other(name, cards))
    assert number == GOLDEN[name][title]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_rounds_of_seven_cards_in_every_order_are_counted_alike_and_as_before(name: str) -> None:
    orders = every_order(TINY)
    assert len(orders) == 630
    number = count(net for cards in orders for net in rounds_of_the_table(name, cards))
    assert number == count(net for cards in orders for net in rounds_of_the_other(name, cards))
    assert number == GOLDEN[name]["every order"]


GOLDEN: dict[str, dict[str, Count]] = {
    "perth/blackjack": {
        "eights v ace": (36, -4000, 0),
        "aces v king": (10, -600, 0),
        "sevens v seven": (51, -200, 0),
        "low cards": (190, -9300, 0),
        "natural v ace": (4, 500, -100),
        "every order": (3529, -124000, 5100),
    },
    "perth/vegas": {
        "eights v ace": (46, -4100, -250),
        "aces v king": (12, -900, 0),
        "sevens v seven": (74, 2500, 0),
        "low cards": (361, -30900, 0),
        "natural v ace": (4, 500, -100),
        "every order": (4756, -242800, 7000),
    },
    "perth/plus": {
        "eights v ace": (62, -7600, -650),
        "aces v king": (12, -1000, 0),
        "sevens v seven": (104, -1300, 0),
        "low cards": (182, -24300, 0),
        "natural v ace": (1, 150, 0),
        "every order": (4621, -256500, 8450),
    },
    "rws/blackjack": {
        "eights v ace": (44, -2400, -200),
        "aces v king": (10, -1050, 0),
        "sevens v seven": (75, 2450, 0),
        "low cards": (494, 650, 0),
        "natural v ace": (4, 500, -100),
        "every order": (4505, -184400, 7550),
    },
    "star/blackjack": {
        "eights v ace": (36, -2400, 0),
        "aces v king": (8, -800, 0),
        "sevens v seven": (16, -1600, 0),
        "low cards": (62, -5200, 0),
        "natural v ace": (4, 500, -50),
        "every order": (3697, -109600, 6600),
    },
    "star/switch": {
        "eights v ace": (476, -30400, -14800),
        "aces v king": (65, -7900, 0),
        "sevens v seven": (116, -21400, 0),
        "low cards": (173, 900, 0),
        "natural v ace": (8, 1600, -400),
        "every order": (13130, -1656400, 231200),
    },
    "melbourne/blackjack": {
        "eights v ace": (70, -10400, -550),
        "aces v king": (8, -800, 0),
        "sevens v seven": (63, -3000, 0),
        "low cards": (504, -40200, 0),
        "natural v ace": (4, 500, -100),
        "every order": (3529, -111600, 5100),
    },
    "melbourne/pontoon": {
        "eights v ace": (152, -27700, -1700),
        "aces v king": (14, -1700, 0),
        "sevens v seven": (164, -3200, 0),
        "low cards": (4355, -561100, 0),
        "natural v ace": (1, 150, 0),
        "every order": (5824, -368700, 11600),
    },
    "melbourne/vegas": {
        "eights v ace": (100, -17500, -1000),
        "aces v king": (10, -1100, 0),
        "sevens v seven": (92, -1800, 0),
        "low cards": (724, -83100, 0),
        "natural v ace": (4, 500, -100),
        "every order": (4756, -212400, 7000),
    },
    "melbourne/crown": {
        "eights v ace": (70, -8400, -550),
        "aces v king": (8, -800, 0),
        "sevens v seven": (63, -3000, 0),
        "low cards": (504, -40600, 0),
        "natural v ace": (4, 500, -100),
        "every order": (3499, -117600, 5700),
    },
    "melbourne/premier": {
        "eights v ace": (98, -14000, -950),
        "aces v king": (9, -1000, 0),
        "sevens v seven": (92, -1800, 0),
        "low cards": (724, -83500, 0),
        "natural v ace": (4, 500, -100),
        "every order": (4258, -186900, 7300),
    },
    "melbourne/premium-doubling": {
        "eights v ace": (126, -22000, -1350),
        "aces v king": (11, -1400, 0),
        "sevens v seven": (129, -7400, 0),
        "low cards": (1974, -145800, 0),
        "natural v ace": (4, 500, -100),
        "every order": (4765, -261100, 8650),
    },
    "melbourne/sports": {
        "eights v ace": (70, -8400, -550),
        "aces v king": (8, -800, 0),
        "sevens v seven": (63, -3000, 0),
        "low cards": (504, -40600, 0),
        "natural v ace": (2, 240, -50),
        "every order": (3451, -126180, 6000),
    },
    "melbourne/six-to-five-pontoon": {
        "eights v ace": (152, -27700, -1700),
        "aces v king": (14, -1700, 0),
        "sevens v seven": (164, -3200, 0),
        "low cards": (4355, -561100, 0),
        "natural v ace": (1, 120, 0),
        "every order": (5824, -372300, 11600),
    },
    "melbourne/plus": {
        "eights v ace": (122, -23600, -1550),
        "aces v king": (10, -1200, 0),
        "sevens v seven": (125, -6300, 0),
        "low cards": (411, -60000, 0),
        "natural v ace": (1, 150, 0),
        "every order": (4621, -227900, 8450),
    },
    "melbourne/spanish": {
        "eights v ace": (152, -27700, -1700),
        "aces v king": (14, -1700, 0),
        "sevens v seven": (164, -3200, 0),
        "low cards": (4355, -561100, 0),
        "natural v ace": (1, 150, 0),
        "every order": (5824, -368700, 11600),
    },
    "melbourne/select": {
        "eights v ace": (10, -600, -250),
        "aces v king": (3, -300, 0),
        "sevens v seven": (3, -200, 0),
        "low cards": (7, -100, 0),
        "natural v ace": (4, 500, -100),
        "every order": (3000, -78600, 2400),
    },
    "melbourne/free-bet": {
        "eights v ace": (70, -3000, -550),
        "aces v king": (8, -800, 0),
        "sevens v seven": (63, 5300, 0),
        "low cards": (504, 11300, 0),
        "natural v ace": (4, 500, -100),
        "every order": (3499, -116200, 5700),
    },
}
