"""What Blackjack Switch is worth: the figures of `result` for two boxes of one player and the choice between them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.dealer_hands import list_results
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.charts.best_chart import best_chart
from pitboss.odds.charts.by_chart import cells_by_chart, judge_of, opening_action, splits_of
from pitboss.odds.charts.chart import COLUMN, UPS, Chart
from pitboss.odds.edge import ChartWorth, Edge, OpeningWorth
from pitboss.odds.hand.hand_tables import MAIN, Seat, natural_payments
from pitboss.odds.hand.openings import OPENINGS, Cell, Position, acts_of, cells, solve
from pitboss.odds.hand.player_hands import VALUES, Bools, Ints, all_hands
from pitboss.odds.hand.solver import Decisions, Priced, play_seat, price_seat
from pitboss.odds.hand.tallies import measure_box, tally
from pitboss.odds.splits.split_values import seat_of
from pitboss.odds.switch.area_values import NATURAL, NUMBER, Areas, Pairs, Worth, areas, near_splits, solve_pairs
from pitboss.play.naturals import may_become_natural, natural_odds, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.rulebooks.model.rules import Rules

CARD_LETTERS = "A23456789T"

DRAWN = 1.0
"""More cards than a hand draws on average beyond its first two."""


def expectation(rules: Packed, shoe: Composition, method: str = "CDZ-") -> Number:
    """The player's expectation with best play, per unit of the two wagers together."""
    return mean_of(areas(rules, shoe, solve_pairs(rules, shoe, method)))


def expectation_at_best(rules: Packed, shoe: Composition) -> float:
    """The same, where splits that cannot be best are not looked at."""
    alone = solve(rules, shoe)
    return float(mean_of(areas(rules, shoe, solve_pairs(rules, shoe, wanted=near_splits(alone)))))


def expectation_by_chart(rules: Packed, shoe: Composition, chart: Chart, known: Pairs | None = None) -> Number:
    """The expectation of a player who plays hands by `chart`, and switches where that is worth more.

    `known` are solutions for the same shoe by other decisions.
    """
    return mean_of(areas(rules, shoe, pairs_by_chart(rules, shoe, chart, known)))


def pairs_by_chart(rules: Packed, shoe: Composition, chart: Chart, known: Pairs | None = None) -> Pairs:
    """What hands that are played by `chart` are worth beside each pair in the other box."""
    return solve_pairs(
        rules, shoe, judge=judge_of(rules, chart), worth=price_switch_chart(chart),
        wanted=lambda value: splits_of(chart, value), known=known,
    )  # fmt: skip


def areas_played_alone(rules: Packed, shoe: Composition, alone: Position) -> Areas:
    """Every deal for a player who plays each hand as in `alone`, where there is no other box, and switches where that
    is worth more."""
    actions = {(cell.first, cell.second, cell.up): cell.action for cell in cells(alone)}

    @functools.cache
    def judge(seat: Seat) -> Decisions:
        main = alone.main.by
        if seat == MAIN:
            return main
        decision, given_up = main.decision.copy(), main.given_up.copy()
        for value, split in alone.splits.items():
            for own, play in zip((True, False), split.plays[-1], strict=True):
                if seat_of(rules, value, own) == seat:
                    by = play[2]
                    decision[:, by.hands.origin], given_up[:, by.hands.origin] = by.decision, by.given_up
        return Decisions(main.hands, decision, given_up)

    def worth(position: Position, first: int, second: int) -> Array:
        acts = acts_of(position, first, second)
        said = [actions.get((first, second, up), "stand") for up in range(VALUES)]
        return position.shoe.numbers.array(
            [acts[name if name in acts else "stand"][up] for up, name in enumerate(said)]
        )

    split = {
        value: [up for up in range(VALUES) if actions.get((value, value, up)) == "split"] for value in alone.splits
    }
    pairs = solve_pairs(rules, shoe, judge=judge, worth=worth, wanted=lambda value: tuple(split.get(value, ())))
    return areas(rules, shoe, pairs)


def mean_of(found: Areas) -> Number:
    """The player's expectation per unit of the two wagers together."""
    both: Number = (found.chance * found.value).sum()
    return both / 2


def price_charts_switching(rules: Packed, shoe: Composition, charts: Sequence[Chart]) -> list[ChartWorth]:
    """What the game is worth to players who play hands by these charts, and switch where that is worth more."""
    known, worths = None, []
    for chart in charts:
        pairs = pairs_by_chart(rules, shoe, chart, known)
        known = known or pairs
        worths.append(_price_chart_switching(rules, shoe, chart, pairs))
    return worths


def _price_chart_switching(rules: Packed, shoe: Composition, chart: Chart, pairs: Pairs) -> ChartWorth:
    alone = solve(rules, shoe, judge=judge_of(rules, chart), wanted=lambda value: splits_of(chart, value))
    found = areas(rules, shoe, pairs)
    lone = list(cells_by_chart(alone, chart))
    counted = tally(alone, _after_switching(alone, lone, found), boxes=False)
    mean, moments = float(mean_of(found)), _moments(alone, lone)
    return ChartWorth(
        expectation=mean,
        variance=_variance(moments, found, mean),
        variance_error_bound=_variance_error(alone, moments, found, pairs),
        error_bound=float(pairs.error),
        by_up_card=_by_up_card(found),
        outcomes=counted.outcomes,
        parts={**counted.parts, "other cards": mean - sum(counted.parts.values())},
    )


def price_switch_chart(chart: Chart) -> Worth:
    """The worth of two cards that are played by a chart."""

    @functools.cache
    def choose_by(first: int, second: int, names: tuple[str, ...]) -> list[str]:
        return [opening_action(chart, first, second, up, names.__contains__) for up in range(VALUES)]

    def worth(position: Position, first: int, second: int) -> Array:
        acts = acts_of(position, first, second)
        chosen = [acts[name][up] for up, name in enumerate(choose_by(first, second, tuple(acts)))]
        return position.shoe.numbers.array(chosen)

    return worth


def analyse_switch(rules: Rules, packed: Packed, method: str, shoe: Composition) -> Edge:
    """What the game is worth with best play.

    For the variance the hands of an area are taken to be independent once the dealer's result is known; its error bound
    says how far that can be off.
    """
    alone = solve(packed, shoe, method)
    pairs = solve_pairs(packed, shoe, method, wanted=near_splits(alone))
    found = areas(packed, shoe, pairs)
    lone = list(cells(alone))
    chart = best_chart(alone, lone)
    mean = float(mean_of(found))
    switched = found.may_switch & (found.switched > found.left)
    moments = _moments(alone, lone)
    counted = tally(alone, _after_switching(alone, lone, found), boxes=False)
    return Edge(
        game=rules.game,
        name=rules.name,
        decks=packed.decks,
        method=method if packed.decks else "optimal",
        expectation=mean,
        variance=_variance(moments, found, mean),
        variance_error_bound=_variance_error(alone, moments, found, pairs),
        error_bound=float(pairs.error),
        strategy=chart,
        chart_expectation=float(expectation_by_chart(packed, shoe, chart, pairs)),
        departures=(),
        by_up_card=_by_up_card(found),
        openings=tuple(_opening(cell) for cell in lone),
        outcomes=counted.outcomes,
        parts={**counted.parts, "other cards": mean - sum(counted.parts.values())},
        switch_rate=float((found.chance * switched).sum()),
    )


def _opening(cell: Cell) -> OpeningWorth:
    cards = CARD_LETTERS[cell.first - 1] + CARD_LETTERS[cell.second - 1]
    acts = {name: float(worth) for name, worth in cell.acts.items()}
    return OpeningWorth(cards, CARD_LETTERS[cell.up], float(cell.chance), float(cell.value), cell.action, acts)


def _by_up_card(found: Areas) -> dict[str, float]:
    values = [0.0] * VALUES
    for place, up in enumerate(found.cards):
        whole = found.chance[..., place].sum()
        values[COLUMN[int(up)]] = float((found.chance * found.value)[..., place].sum() / whole / 2)
    return dict(zip(UPS, values, strict=True))


def _hands_held(found: Areas) -> tuple[Ints, Ints, Bools, Ints]:
    """The two hands of every deal after the choice, by place in `OPENINGS`; whether it was switched; the up card."""
    a1, a2, b1, b2, up = np.meshgrid(*(found.cards,) * 5, indexing="ij")
    switched = found.may_switch & (found.switched > found.left)
    one = np.where(switched, NUMBER[a1, b2], NUMBER[a1, a2])
    other = np.where(switched, NUMBER[b1, a2], NUMBER[b1, b2])
    return one, other, switched, up


def _after_switching(alone: Position, lone: list[Cell], found: Areas) -> list[Cell]:
    """The cells of a single hand as often as they come after the choice, half for each of the two hands."""
    one, other, switched, up = _hands_held(found)
    often = np.zeros((len(OPENINGS), VALUES))
    made = np.zeros(VALUES)
    for hand in (one, other):
        np.add.at(often, (hand, up), found.chance / 2)
        np.add.at(made, up[(hand == NATURAL) & switched], found.chance[(hand == NATURAL) & switched] / 2)
    result = []
    for cell in lone:
        place = NUMBER[cell.first - 1, cell.second - 1]
        chance = often[place, cell.up]
        if place == NATURAL:
            chance -= made[cell.up]
            plain = acts_of(alone, 1, 10)["stand"][cell.up]
            result.append(cell._replace(chance=made[cell.up], value=plain, action="stand", acts={"stand": plain}))
        result.append(cell._replace(chance=chance))
    return result


def _variance(moments: Moments, found: Areas, mean: float) -> float:
    """The variance of the two boxes' result per unit of the two wagers together."""
    first, second, chances = moments
    one, other, switched, up = _hands_held(found)
    total = 0.0
    for hand, partner in ((one, other), (other, one)):
        dealt = (hand == NATURAL) & ~switched
        both = (partner == NATURAL) & ~switched
        mine = np.where(dealt, len(OPENINGS), hand)
        theirs = np.where(both, len(OPENINGS), partner)
        total += float((found.chance * second[mine, up].sum(axis=-1)).sum())
        cross = first[mine, up] * first[theirs, up] / np.where(chances[up] > 0, chances[up], 1.0)
        total += float((found.chance[..., None] * cross).sum())
    return total / 4 - mean**2


def _variance_error(alone: Position, moments: Moments, found: Areas, pairs: Pairs) -> float:
    """How far off the variance can be: as far as the other box's cards move the mean of a hand, and as often as one
    hand draws a card that the other or the dealer would have drawn."""
    means = moments.first.sum(axis=-1)
    one, other, switched, up = _hands_held(found)
    moved = np.zeros(found.chance.shape)
    for hand, partner in ((one, other), (other, one)):
        dealt = (hand == NATURAL) & ~switched
        here = np.where(dealt, pairs.natural[partner, up], pairs.plain[partner, hand, up])
        moved += np.abs(here - means[np.where(dealt, len(OPENINGS), hand), up])
    met = DRAWN * (DRAWN + DRAWN) / float(alone.shoe.left) if alone.shoe.step else 0.0
    return float((found.chance * moved).sum()) / 2 + met / 4


class Moments(NamedTuple):
    """First and second moment of each opening hand's net by up card and dealer's result; last, a natural as dealt."""

    first: Array
    second: Array
    chances: Array
    """How often the dealer comes to each result, by up card."""


def _moments(alone: Position, lone: list[Cell]) -> Moments:
    """The moments of opening hands as they are played.

    What follows a hand that busts is the dealer's results as they are without a natural.
    """
    actions = {(cell.first, cell.second, cell.up): cell.action for cell in lone}
    rules, shoe, hands = alone.rules, alone.shoe, all_hands()
    results = len(list_results(rules))
    first, second = (np.zeros((len(OPENINGS) + 1, VALUES, results)) for _ in range(2))
    main = price_seat(rules, MAIN, shoe)
    unsplit = alone._replace(splits={})
    plain = [acts_of(unsplit, *pair) for pair in OPENINGS]
    at_best = [[max(acts, key=lambda name: acts[name][up]) for up in range(VALUES)] for acts in plain]
    chances = alone.rows[hands.of(10)]
    others = chances[:, :-1] / chances[:, :-1].sum(axis=1, keepdims=True)
    for power, table in ((1, first), (2, second)):
        for result in (*range(results), None):
            seat = _mask_seat(main, power, result)
            counted = play_seat(rules, shoe, hands, seat, alone.rows, judge=alone.main.by)
            for place, pair in enumerate(OPENINGS):
                acts = acts_of(unsplit._replace(main=counted), *pair)
                for up in range(VALUES):
                    said = actions.get((*pair, up), "")
                    worth = acts[said if said in acts else at_best[place][up]][up]
                    if result is None:
                        table[place, up, :-1] += worth * others[up]
                    else:
                        table[place, up, result] += worth
    for place, (one, two) in enumerate(OPENINGS):
        if one == two and (split := [up for up in range(VALUES) if actions.get((one, two, up)) == "split"]):
            box = measure_box(alone, one)
            first[place, split], second[place, split] = box.first[split], box.second[split]
    natural = alone.rows[hands.of(1, 10)]
    pay = np.array([float(net) for net in natural_payments(rules)])
    win, stake = natural_odds(rules)
    for up in range(VALUES):
        nets = np.full(results, win / stake) if natural_paid_now(rules, may_become_natural(up)) else pay
        first[-1, up], second[-1, up] = natural[up] * nets, natural[up] * nets**2
    return Moments(first, second, chances)


def _mask_seat(main: Priced, power: int, result: int | None) -> Priced:
    """A seat that is paid a power of its net where the dealer has this result; `None`: where it busts and none comes.

    What busts while the dealer has a natural counts to that result.
    """
    mask = np.zeros(main.pay.shape[1])
    gone = np.zeros_like(main.gone)
    if result is None:
        gone[:, 0] = main.gone[:, 0] ** power
    else:
        mask[result] = 1.0
        if result == len(mask) - 1:
            gone[:, 1] = main.gone[:, 1] ** power
    return main._replace(pay=main.pay**power * mask, pay_doubled=main.pay_doubled**power * mask, gone=gone)
