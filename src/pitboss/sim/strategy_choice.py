"""Strategies by name: the fixed ones, a chart from a file, and what the analyser finds best.

`basic` is basic strategy, the best chart by totals (`chart` says the same), and `optimum` the best play by composition,
both for the first round of a full shoe.
They are the analyser's own decisions, asked for hand by hand when the tables of a plan are built.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds import Chart, analyse, evaluate, parse_chart
from pitboss.odds.analysis import basic_strategy, full_shoe_of, solution
from pitboss.odds.cards.composition import fresh
from pitboss.odds.cards.numbers import FLOATS
from pitboss.odds.charts.best_chart import best_chart
from pitboss.odds.charts.by_chart import opening_action
from pitboss.odds.hand.player_hands import all_hands
from pitboss.odds.hand.recursions import DOUBLE as DOUBLES
from pitboss.odds.hand.recursions import HIT as HITS
from pitboss.odds.hand.recursions import STAND as STANDS
from pitboss.odds.switch.area_values import Areas, areas
from pitboss.odds.switch.switch_analysis import areas_played_alone, mean_of, pairs_by_chart
from pitboss.play.charts import pick, unsaid
from pitboss.play.doubling import aces_fixed
from pitboss.play.packed import ACTION_BITS, DOUBLE, HIT, SPLIT, STAND, Packed, pack
from pitboss.rulebooks.model.rules import Rules
from pitboss.sim.strategies import STRATEGIES, Question, SimpleStrategy, Strategy

BITS = {STANDS: STAND, HITS: HIT, DOUBLES: DOUBLE}
BY_TOTALS = ("basic", "chart")
"""Two words for one strategy: players say the first, charts of `pitboss odds` the second."""
NAMES = ("optimum", *BY_TOTALS, *STRATEGIES)
Switches = np.ndarray
"""[first card, second card, first, second, up card] by value index -> the second cards are exchanged."""


class ChosenStrategy(NamedTuple):
    """A strategy, and what it is worth in the first round of a full shoe where that is known."""

    strategy: Strategy
    first_round_edge: Callable[[], float] | None
    """The house edge; worked out when it is asked for."""


class ByChart(SimpleStrategy):
    """Plays by a chart of totals."""

    def __init__(self, name: str, rules: Packed, chart: Chart) -> None:
        self.name, self.rules, self.chart = name, rules, chart

    def action(self, hand: Question) -> int:
        """The first choice of the chart that is legal."""
        said = ""
        if hand.cards == 2:
            said = opening_action(self.chart, hand.values[0], hand.values[1], hand.up - 1, hand.can)
        if hand.cards > 2 or (hand.free and said != "split"):
            said = self._line(hand)
        return ACTION_BITS[said] if hand.can(said) else _other(hand)

    def _line(self, hand: Question) -> str:
        """What the line of a total says, the second choice where the first is not open."""
        kind = "soft" if hand.soft else "hard"
        code = self.chart.code(kind, hand.total, hand.cards, hand.up - 1, free=hand.free)
        return pick((code,), hand.can) or unsaid(hand.total, hand.soft)

    def rescues(self, total: int, up: int) -> bool:
        """Where the chart's rescue line says forfeit."""
        return self.chart.code("rescue", total, 0, up - 1) == "F"

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        """Where the two hands are worth more exchanged, played by the chart."""
        return bool(self._switches[first[0] - 1, first[1] - 1, second[0] - 1, second[1] - 1, up - 1])

    @functools.cached_property
    def _switches(self) -> Switches:
        return _switches_by_chart(self.rules, str(self.chart))


class Optimum(SimpleStrategy):
    """Plays by the composition of the hand, as the analyser's best player does."""

    name = "optimum"
    composition = True

    def __init__(self, rules: Packed) -> None:
        self.rules = rules
        found = solution(rules, fresh(rules, FLOATS))
        self.position = found.position
        self.chart = best_chart(found.position, found.cells)
        self.openings = {(cell.first, cell.second, cell.up): cell.acts for cell in found.cells}

    def action(self, hand: Question) -> int:
        """The legal action of the highest value for a dealt hand; for the others what the recursion decided."""
        up = hand.up - 1
        if hand.from_split:
            return self._split_hand(hand, up)
        if hand.cards == 2:
            acts = self.openings.get((hand.values[0], hand.values[1], up), {})
            legal = [name for name in acts if ACTION_BITS.get(name, 0) & hand.legal]
            return ACTION_BITS[max(legal, key=lambda name: acts[name])] if legal else _other(hand)
        layer = aces_fixed(self.rules, hand.early_aces)
        decided = BITS[int(self.position.main.by.decision[layer, all_hands().of(*hand.values), up])]
        return decided if decided & hand.legal else _other(hand)

    def _split_hand(self, hand: Question, up: int) -> int:
        if hand.legal & SPLIT:
            return SPLIT
        split = self.position.splits[hand.split_value]
        played = split.plays.get(up, split.plays[-1])
        decisions = (played.others if hand.other else played.own)[2]
        place = decisions.hands.of(*hand.values)
        decided = BITS[int(decisions.decision[aces_fixed(self.rules, hand.early_aces), place, up])]
        return decided if decided & hand.legal else _other(hand)

    def rescues(self, total: int, up: int) -> bool:
        """By totals, as the best chart does."""
        return self.chart.code("rescue", total, 0, up - 1) == "F"

    def switches(self, first: tuple[int, int], second: tuple[int, int], up: int) -> bool:
        """Where the exchange is better, all four cards and the up card being seen."""
        return bool(self._switches[first[0] - 1, first[1] - 1, second[0] - 1, second[1] - 1, up - 1])

    @functools.cached_property
    def areas(self) -> Areas:
        """Where second cards are switched, every deal: hands are played as if there were no other box."""
        return areas_played_alone(self.rules, full_shoe_of(self.rules), self.position)

    @functools.cached_property
    def _switches(self) -> Switches:
        return _exchanges(self.areas)


def _other(hand: Question) -> int:
    """A legal action where the wanted one is not open."""
    return next(bit for bit in (STAND, HIT, DOUBLE, SPLIT) if bit & hand.legal)


@functools.lru_cache(maxsize=32)
def _switches_by_chart(rules: Packed, chart: str) -> Switches:
    """Which second cards to exchange where hands are played by a chart, as the analyser has it."""
    shoe = full_shoe_of(rules)
    return _exchanges(areas(rules, shoe, pairs_by_chart(rules, shoe, parse_chart(chart))))


def _exchanges(found: Areas) -> Switches:
    chosen: Switches = found.may_switch & (found.switched > found.left)
    return chosen


def choose_strategy(
    wanted: str | Chart | Strategy, rules: Rules, stake: Money, read: Callable[[str], str] | None = None
) -> ChosenStrategy:
    """A strategy by its name, by a chart, by the name of a chart's file that `read` gives the text of, or as it is.

    The best chart of a game is looked up where it is known and worked out elsewhere.
    """
    if isinstance(wanted, Chart):
        return _by_chart("own chart", rules, wanted)
    if not isinstance(wanted, str):
        if not isinstance(wanted, Strategy):
            raise PitbossError(f"{wanted!r} is not a strategy: name one of {', '.join(NAMES)}, or pass a chart")
        return ChosenStrategy(wanted, None)
    if wanted in STRATEGIES:
        return ChosenStrategy(STRATEGIES[wanted](), None)
    packed = pack(rules)
    if wanted in BY_TOTALS:
        return ChosenStrategy(
            ByChart(wanted, packed, basic_strategy(rules)), lambda: -analyse(rules, stake=stake).chart_expectation
        )
    if wanted == "optimum":
        best = Optimum(packed)
        if rules.switch:
            return ChosenStrategy(best, lambda: -float(mean_of(best.areas)))
        return ChosenStrategy(best, lambda: analyse(rules, stake=stake).house_edge_by_values)
    if read is None:
        raise PitbossError(f"there is no strategy '{wanted}': name one of {', '.join(NAMES)}, or pass a chart")
    try:
        text = read(wanted)
    except PitbossError as error:
        raise PitbossError(f"strategy {wanted}: it is not one of {', '.join(NAMES)}, and {error}") from None
    return _by_chart(wanted, rules, parse_chart(text, wanted))


def _by_chart(name: str, rules: Rules, chart: Chart) -> ChosenStrategy:
    return ChosenStrategy(ByChart(name, pack(rules), chart), lambda: -float(evaluate(rules, chart)))
