"""Playing by a chart: from the letters of a chart to the decisions of every hand, and what a game is then worth."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import numpy as np

from pitboss.odds.cards.numbers import Number
from pitboss.odds.charts.chart import Chart, ChartError
from pitboss.odds.hand.hand_tables import Seat, layers, tables
from pitboss.odds.hand.openings import OPENINGS, Acts, Cell, Position, acts_of, chances, natural_acts, surrender_share
from pitboss.odds.hand.player_hands import VALUES, all_hands
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import Decisions
from pitboss.odds.splits.split_boxes import Judge
from pitboss.play.hands import is_natural, is_soft, total
from pitboss.play.packed import Packed


def judge_of(rules: Packed, chart: Chart) -> Judge:
    """How a player who follows `chart` plays each seat."""
    return functools.cache(lambda seat: _decisions(rules, chart, seat))


def _decisions(rules: Packed, chart: Chart, seat: Seat) -> Decisions:
    hands, table = all_hands(), tables(rules, seat)
    looks = np.stack((hands.hard, np.minimum(hands.aces, 1), hands.cards), axis=1)
    keys, place = np.unique(looks, axis=0, return_inverse=True)
    first, second = (np.zeros((len(keys), VALUES), dtype=np.int64) for _ in range(2))
    acting = np.zeros(len(keys), dtype=np.bool_)
    np.logical_or.at(acting, place.reshape(-1), ~table.complete)
    for row, (hard, aces, cards) in enumerate(keys.tolist()):
        if cards >= 2 and acting[row]:
            first[row], second[row] = _choices(chart, hard, aces, cards, seat.token)
    wanted, otherwise = first[place.reshape(-1)], second[place.reshape(-1)]
    stands = table.may_stand[:, None]
    decision = np.zeros((layers(rules), len(hands.cards), VALUES), dtype=np.int64)
    for layer in range(layers(rules)):
        chosen = np.where((wanted == DOUBLE) & ~table.may_double[layer][:, None], otherwise, wanted)
        decision[layer] = np.where((chosen == STAND) & ~stands, HIT, chosen)
    return Decisions(hands, decision, _given_up(rules, chart, seat))


CHOICES = {
    "H": (HIT, HIT), "R": (HIT, HIT), "S": (STAND, STAND), "Rs": (STAND, STAND),
    "D": (DOUBLE, HIT), "Ds": (DOUBLE, STAND),
}  # fmt: skip
"""What a code of a hard or soft line says to a hand that cannot split or surrender: first and second choice."""


def _choices(chart: Chart, hard: int, aces: int, cards: int, free: bool) -> tuple[list[int], list[int]]:
    """First and second choice by up card; where the chart says nothing, low totals hit and high ones stand."""
    points, soft = total(hard, aces), is_soft(hard, aces)
    codes = chart.codes("soft" if soft else "hard", points, cards, free=free)
    for code in codes:
        if code and code not in CHOICES:
            raise ChartError(f"'{code}' says nothing to a {'soft' if soft else 'hard'} {points}: it is for pairs")
    if "" in codes and not soft and 12 <= points < 17:
        raise ChartError(f"the chart has no line for hard {points} of {cards} cards")
    silent = (HIT, HIT) if points < (18 if soft else 12) else (STAND, STAND)
    choices = [CHOICES.get(code, silent) for code in codes]
    return [first for first, _ in choices], [second for _, second in choices]


def _given_up(rules: Packed, chart: Chart, seat: Seat) -> np.ndarray:
    """Doubles that the chart takes back, by layer, hand and up card."""
    hands, table = all_hands(), tables(rules, seat)
    found = np.zeros((layers(rules), len(hands.cards), VALUES), dtype=np.bool_)
    if not rules.double_rescue:
        return found
    gives = np.array([
        [chart.code("rescue", points, 0, up, free=seat.token) == "F" for up in range(VALUES)] for points in range(22)
    ])  # fmt: skip
    points = np.array([kind.points for kind in table.kinds_doubled])
    for layer in range(layers(rules)):
        found[layer] = gives[np.minimum(points[table.kind_doubled[layer]], 21)] & table.rescues[layer][:, None]
    return found


def opening_action(chart: Chart, first: int, second: int, up: int, can: Callable[[str], bool]) -> str:
    """What the chart does with two cards; `can` says which actions are open."""
    hard, aces = first + second, int(first == 1)
    lines = []
    if first == second and can("split"):
        lines.append(chart.code("pair", first, 2, up))
    lines.append(chart.code("soft" if is_soft(hard, aces) else "hard", total(hard, aces), 2, up))
    wishes = {
        "P": ("split",), "Pd": ("split", "double", "hit"), "Rp": ("surrender", "split"), "R": ("surrender", "hit"),
        "Rs": ("surrender", "stand"), "D": ("double", "hit"), "Ds": ("double", "stand"), "S": ("stand",), "H": ("hit",),
    }  # fmt: skip
    for code in lines:
        for action in wishes.get(code, ()):
            if can(action):
                return action
    low = total(hard, aces) < 17
    return "hit" if can("hit") and (low or not can("stand")) else "stand"


def splits_of(chart: Chart, value: int) -> tuple[int, ...]:
    """The up cards against which the chart splits cards of a value."""
    return tuple(up for up in range(VALUES) if chart.code("pair", value, 2, up) in ("P", "Pd", "Rp"))


def cells_by_chart(position: Position, chart: Chart) -> Iterator[Cell]:
    """Every opening hand against every up card, played by the chart that the position was solved for."""
    for first, second in OPENINGS:
        chance = chances(position.shoe, first, second)
        natural = is_natural(first + second, int(first == 1), 2)
        acts = natural_acts(position) if natural else acts_of(position, first, second)
        share = surrender_share(position.rules, position.shoe, first + second, int(first == 1))
        for up in range(VALUES):
            if chance[up] <= 0:
                continue
            here = {name: worth[up] for name, worth in acts.items()}
            action, value = "natural", here.get("natural")
            if not natural:
                action, value = _by_chart(chart, first, second, up, acts, share[up])
            yield Cell(first, second, up, chance[up], value, action, here)


def _by_chart(chart: Chart, first: int, second: int, up: int, acts: Acts, share: Number) -> tuple[str, Number]:
    """The chart's action and its value; where surrender is open against some tens only, the mean over them."""
    action = opening_action(chart, first, second, up, lambda name: name in acts and (name != "surrender" or share > 0))
    value = acts[action][up]
    if action == "surrender" and share != 1:
        other = opening_action(chart, first, second, up, lambda name: name in acts and name != "surrender")
        value = share * value + (1 - share) * acts[other][up]
    return action, value
