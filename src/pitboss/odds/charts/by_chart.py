"""Playing by a chart: from the letters of a chart to the decisions of every hand, and what a game is then worth."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import numpy as np

from pitboss.odds.cards.numbers import Number
from pitboss.odds.charts.chart import Chart, ChartError
from pitboss.odds.hand.hand_tables import Seat, layers, tables
from pitboss.odds.hand.openings import OPENINGS, Acts, Cell, Position, acts_of, chances, natural_acts, surrender_share
from pitboss.odds.hand.player_hands import VALUES, Ints, all_hands
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import Decisions
from pitboss.odds.splits.split_boxes import Judge
from pitboss.play.charts import TOTAL_CODES, WISHES, pick, unsaid
from pitboss.play.hands import is_natural, is_soft, total
from pitboss.play.packed import Packed


def judge_of(rules: Packed, chart: Chart) -> Judge:
    """How a player who follows `chart` plays each seat."""
    return functools.cache(lambda seat: _decisions(rules, chart, seat))


@functools.cache
def _list_looks() -> tuple[list[list[int]], Ints]:
    """Sum, whether there is an ace, and number of cards: each that a hand has, and the place of each hand's."""
    hands = all_hands()
    looks = np.stack((hands.hard, np.minimum(hands.aces, 1), hands.cards), axis=1)
    keys, place = np.unique(looks, axis=0, return_inverse=True)
    return keys.tolist(), place.reshape(-1).astype(np.int64)


def _decisions(rules: Packed, chart: Chart, seat: Seat) -> Decisions:
    hands, table = all_hands(), tables(rules, seat)
    keys, place = _list_looks()
    first, second = (np.zeros((len(keys), VALUES), dtype=np.int64) for _ in range(2))
    acting = np.zeros(len(keys), dtype=np.bool_)
    acting[place[~table.complete]] = True
    for row, (hard, aces, cards) in enumerate(keys):
        if cards >= 2 and acting[row]:
            first[row], second[row] = _choices(chart, hard, aces, cards, seat.token)
    wanted, otherwise = first[place], second[place]
    stands = table.may_stand[:, None]
    decision = np.zeros((layers(rules), len(hands.cards), VALUES), dtype=np.int64)
    for layer in range(layers(rules)):
        chosen = np.where((wanted == DOUBLE) & ~table.may_double[layer][:, None], otherwise, wanted)
        decision[layer] = np.where((chosen == STAND) & ~stands, HIT, chosen)
    return Decisions(hands, decision, _find_rescues(rules, chart, seat))


DECISIONS = {"stand": STAND, "hit": HIT, "double": DOUBLE}


def _choice(code: str) -> tuple[int, int]:
    """What a code of a hard or soft line says to a hand that cannot surrender: first and second choice."""
    wishes = [DECISIONS[action] for action in WISHES[code] if action in DECISIONS]
    return wishes[0], wishes[-1]


CHOICES = {code: _choice(code) for code in TOTAL_CODES}


def _choices(chart: Chart, hard: int, aces: int, cards: int, free: bool) -> tuple[list[int], list[int]]:
    """First and second choice by up card."""
    points, soft = total(hard, aces), is_soft(hard, aces)
    codes = chart.codes("soft" if soft else "hard", points, cards, free=free)
    for code in codes:
        if code and code not in CHOICES:
            raise ChartError(f"'{code}' does not apply to a {'soft' if soft else 'hard'} {points}: it is for pairs")
    if "" in codes and not soft and 12 <= points < 17:
        raise ChartError(f"the chart has no line for hard {points} of {cards} cards")
    silent = DECISIONS[unsaid(points, soft)]
    choices = [CHOICES.get(code, (silent, silent)) for code in codes]
    return [first for first, _ in choices], [second for _, second in choices]


def _find_rescues(rules: Packed, chart: Chart, seat: Seat) -> np.ndarray:
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
    points, soft = total(hard, aces), is_soft(hard, aces)
    codes = []
    if first == second and can("split"):
        codes.append(chart.code("pair", first, 2, up))
    codes.append(chart.code("soft" if soft else "hard", points, 2, up))
    said = pick(codes, can) or unsaid(points, soft)
    return said if can(said) else "hit" if can("hit") else "stand"


def splits_of(chart: Chart, value: int) -> tuple[int, ...]:
    """The up cards against which the chart splits cards of a value."""
    return tuple(up for up in range(VALUES) if "split" in WISHES.get(chart.code("pair", value, 2, up), ()))


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
            if natural:
                action, value = "natural", here["natural"]
            else:
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
