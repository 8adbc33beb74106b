"""The best chart by totals: what to do when only a hand's total and, if the game asks, number of cards are looked at.

Hands of one line are weighed by how often they are reached. A chart changes what is reached and what comes after, so it
is drawn again from its own play until it stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.numbers import Array
from pitboss.odds.charts.by_chart import cells_by_chart, judge_of
from pitboss.odds.charts.chart import COLUMN, Chart, ChartLine, merge_lines
from pitboss.odds.hand.hand_tables import MAIN, HandTables, Seat, layers, tables
from pitboss.odds.hand.openings import OPENINGS, Cell, Position, acts_of, chances, surrender_share
from pitboss.odds.hand.player_hands import VALUES, all_hands
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import Play, play_seat, price_seat
from pitboss.odds.hand.walks import unsplit
from pitboss.play.charts import CODE_OF, WISHES
from pitboss.play.hands import is_natural
from pitboss.play.packed import DOUBLE_TWO, FIVE_NONE, Packed
from pitboss.play.splitting import most_hands, split_is_free

MOST_DRAWINGS = 6
SEEN_CARDS = 6
"""Hands of this many cards and more share a line where the number of cards matters."""


def counts_cards(rules: Packed) -> bool:
    """The number of cards of a hand matters to what it is paid or may do, beyond the first two."""
    bonuses = len(set(zip(rules.bonus_win, rules.bonus_stake, strict=True))) > 1
    return bonuses or rules.five_card_win != FIVE_NONE or rules.max_cards != 0 or rules.double_cards != DOUBLE_TWO


class _Line(NamedTuple):
    """A line of the chart to be: its hands' weights and the weighed value of each action, by up card."""

    weight: Array
    acts: Array
    """[up, action]: hitting, standing, doubling or else hitting, doubling or else standing."""


def best_chart(position: Position, openings: list[Cell]) -> Chart:
    """The chart by totals that does best, found from the best play of a position."""
    rules, shoe = position.rules, position.shoe
    found, cells = position.main, openings
    chart = Chart({})
    for _ in range(MOST_DRAWINGS):
        before = chart
        reach = unsplit(rules, shoe, found.by, cells)
        weights = reach.acted + 1e-12 * _spread_weight(position)
        chart = merge_lines(_lines(rules, tables(rules), found, weights), _rescues(position, found))
        chart = _with_openings(position._replace(main=found), chart)
        if any(split_is_free(rules, value) for value in range(1, VALUES + 1)):
            chart = merge_lines(chart.rows, _free_lines(position))
        if chart == before:
            break
        judge = judge_of(rules, chart)
        found = play_seat(rules, shoe, all_hands(), price_seat(rules, MAIN, shoe), position.rows, judge=judge(MAIN))
        cells = list(cells_by_chart(position._replace(main=found), chart))
    return chart


def _spread_weight(position: Position) -> Array:
    """A little weight for every hand, so that hands never reached have a line too."""
    hands = all_hands()
    weight = np.where(hands.cards >= 2, 10.0**-hands.cards, 0.0)
    return np.broadcast_to(weight[None, :, None], (layers(position.rules), len(hands.cards), VALUES))


def _lines(
    rules: Packed, table: HandTables, found: Play, weights: Array, free: bool = False
) -> dict[ChartLine, tuple[str, ...]]:
    """Hard and soft lines: for each the code whose weighed value is largest."""
    hands = all_hands()
    points = np.array([kind.points for kind in table.kinds])[table.kind]
    soft = (hands.aces > 0) & (hands.hard <= 11)
    many = np.minimum(hands.cards, SEEN_CARDS) if counts_cards(rules) else np.zeros_like(hands.cards)
    shape = (2, int(points.max()) + 1, int(many.max()) + 1)
    numbers, line = np.unique(np.ravel_multi_index((soft, points, many), shape), return_inverse=True)
    keys = np.stack(np.unravel_index(numbers, shape), axis=1)
    weight, sums = np.zeros((len(keys), VALUES)), np.zeros((len(keys), VALUES, 4))
    for layer in range(found.value.shape[0]):
        deciding = np.flatnonzero((hands.cards >= 2) & ~table.complete & ~table.draws[layer] & (hands.aces >= layer))
        acts, heavy = found.acts[layer, deciding], weights[layer, deciding]
        hit = acts[:, :, HIT]
        stand = np.where(table.may_stand[deciding, None], acts[:, :, STAND], hit)
        doubles = table.may_double[layer, deciding, None]
        options = (hit, stand, np.where(doubles, acts[:, :, DOUBLE], hit), np.where(doubles, acts[:, :, DOUBLE], stand))
        at = line[deciding]
        np.add.at(weight, at, heavy)
        np.add.at(sums, at, heavy[:, :, None] * np.stack(options, axis=2))
    rows = {}
    for place, (is_soft, total, cards) in enumerate(keys.tolist()):
        if weight[place].any():
            row = ChartLine("soft" if is_soft else "hard", total, cards, cards == SEEN_CARDS, free)
            rows[row] = _codes(_Line(weight[place], sums[place]))
    return _shorten(rows)


def _shorten(rows: dict[ChartLine, tuple[str, ...]]) -> dict[ChartLine, tuple[str, ...]]:
    """Lines by number of cards, only where they differ from the line for one card less."""
    found: dict[ChartLine, tuple[str, ...]] = {}
    last: dict[ChartLine, tuple[str, ...]] = {}
    for row in sorted(rows, key=lambda row: row.cards):
        plain = row._replace(cards=0, more=False)
        if last.get(plain) != rows[row]:
            found[row._replace(more=True) if plain in last else plain] = rows[row]
        last[plain] = rows[row]
    return found


def _codes(line: _Line) -> tuple[str, ...]:
    letters = [CODE_OF[wishes] for wishes in (("hit",), ("stand",), ("double", "hit"), ("double", "stand"))]
    codes = [""] * VALUES
    for up in range(VALUES):
        best = 0
        for option in (1, 2, 3):
            if line.acts[up, option] > line.acts[up, best] + 1e-15 * line.weight[up]:
                best = option
        codes[COLUMN[up]] = letters[best]
    return tuple(codes)


def _with_openings(position: Position, chart: Chart) -> Chart:
    """The chart with pairs, and with surrender on the lines of two cards."""
    rules, shoe = position.rules, position.shoe
    rows = dict(chart.rows)
    gained: dict[ChartLine, Array] = defaultdict(lambda: np.zeros(VALUES))
    for first, second in OPENINGS:
        if is_natural(first + second, int(first == 1), 2) or not shoe.holds(first, second):
            continue
        acts = acts_of(position, first, second)
        chance = chances(shoe, first, second)
        share = surrender_share(rules, shoe, first + second, int(first == 1))
        if first == second and most_hands(rules, first == 1) > 1:
            rows[ChartLine("pair", first)] = _pair_codes(acts, share)
        elif "surrender" in acts:
            row = _row_of(first, second)
            others = np.max(np.stack([worth for name, worth in acts.items() if name != "surrender"]), axis=0)
            gained[row] += np.where(share > 0, chance * (acts["surrender"] - others), -1.0 * chance)
    for row, gain in gained.items():
        codes = list(rows[row])
        for up in range(VALUES):
            if gain[up] > 0:
                codes[COLUMN[up]] = CODE_OF["surrender", WISHES[codes[COLUMN[up]]][-1]]
        rows[row] = tuple(codes)
    return merge_lines(rows)


def _row_of(first: int, second: int) -> ChartLine:
    soft = first == 1
    return ChartLine("soft" if soft else "hard", first + second + 10 * soft, 0)


def _pair_codes(acts: dict[str, Array], share: Array) -> tuple[str, ...]:
    codes = [""] * VALUES
    for up in range(VALUES):
        here = {name: worth[up] for name, worth in acts.items() if name != "surrender" or share[up] > 0}
        best = max(here, key=lambda name: here[name])
        wishes: tuple[str, ...] = (best, "hit") if best == "double" else (best,)
        if best == "surrender":
            wishes = (best, max(("hit", "stand", "split"), key=lambda name: here.get(name, -9.0)))
        codes[COLUMN[up]] = CODE_OF[wishes]
    return tuple(codes)


def _rescues(position: Position, found: Play) -> dict[ChartLine, tuple[str, ...]]:
    """Lines that say which doubled totals take their double back: what most of their hands do."""
    rules, hands = position.rules, all_hands()
    if not rules.double_rescue:
        return {}
    table = tables(rules)
    points = np.array([kind.points for kind in table.kinds_doubled])
    votes = np.zeros((22, VALUES))
    for layer in range(layers(rules)):
        can_be = (hands.cards >= 3) & (hands.aces >= layer) & table.rescues[layer]
        small = 10.0 ** -hands.cards.astype(float) * can_be
        best = position.main.by.given_up[layer]
        np.add.at(votes, points[table.kind_doubled[layer]], np.where(best, 1.0, -1.0) * small[:, None])
    rows = {}
    for value in range(6, 21):
        codes = [""] * VALUES
        for up in range(VALUES):
            codes[COLUMN[up]] = CODE_OF["forfeit" if votes[value, up] > 0 else "keep",]
        rows[ChartLine("rescue", value)] = tuple(codes)
    return rows


def _free_lines(position: Position) -> dict[ChartLine, tuple[str, ...]]:
    """Lines for hands that stand on a free token."""
    rules, shoe = position.rules, position.shoe
    seat = Seat(split=True, token=True, holds_original=False)
    found = play_seat(rules, shoe, all_hands(), price_seat(rules, seat, shoe), position.rows)
    return _lines(rules, tables(rules, seat), found, _spread_weight(position), free=True)
