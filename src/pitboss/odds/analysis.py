"""`analyse`: what a game is worth, from its rules. Here the parts of the room come together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from pitboss.errors import PitbossError
from pitboss.money import Money
from pitboss.odds.cards.composition import Composition, fresh
from pitboss.odds.cards.numbers import FLOATS, Number, Numbers
from pitboss.odds.charts.best_chart import best_chart
from pitboss.odds.charts.by_chart import cells_by_chart, judge_of, splits_of
from pitboss.odds.charts.chart import COLUMN, UPS, Chart
from pitboss.odds.edge import ChartWorth, Departure, Edge, OpeningWorth, SuperBonusWorth
from pitboss.odds.hand.hand_tables import MAIN
from pitboss.odds.hand.openings import Cell, Position, acts_of, cells, natural_loss, solve
from pitboss.odds.hand.player_hands import VALUES, all_hands
from pitboss.odds.hand.solver import play_seat, price_seat, square_seat
from pitboss.odds.hand.tallies import square_of_rest, tally
from pitboss.odds.known_tables import find_known
from pitboss.odds.splits.joint_results import BoxCounter
from pitboss.odds.splits.split_boxes import METHODS
from pitboss.play.packed import Packed, pack
from pitboss.rulebooks.model.rules import Rules, SuperBonus

CARD_LETTERS = "A23456789T"
DEFAULT_STAKE = Money(25)
"""The original wager for which the Super Bonus is computed, unless another is named."""


class MethodError(PitbossError):
    """A method that there is not."""


class Solution(NamedTuple):
    """A solved position with its opening hands."""

    position: Position
    cells: list[Cell]

    @property
    def expectation(self) -> Number:
        """The player's expectation."""
        zero = self.position.shoe.numbers.make(0)
        return sum((cell.chance * cell.value for cell in self.cells), start=zero)

    @property
    def error(self) -> Number:
        """How far the expectation can be off, from the splits that are played."""
        splits = self.position.splits
        wrong = (cell.chance * splits[cell.first].error[cell.up] for cell in self.cells if cell.action == "split")
        return sum(wrong, start=self.position.shoe.numbers.make(0))


def analyse(
    rules: Rules,
    *,
    method: str = "CDZ-",
    super_bonus: bool = True,
    stake: Money = DEFAULT_STAKE,
    clock: Callable[[], float] | None = None,
) -> Edge:
    """What a game is worth with best play, and how to play it.

    `method` says how the hands of a split are played. `super_bonus` includes the Super Bonus of the pontoon family,
    computed for an original wager of `stake`. `clock` is read before and after, for `Edge.seconds`.
    """
    begun = clock() if clock is not None else 0.0
    if method not in METHODS:
        raise MethodError(f"there is no method '{method}'; choose from: {', '.join(METHODS)}")
    edge = analyse_from(rules, full_shoe_of(pack(rules)), method=method, super_bonus=super_bonus, stake=stake)
    return edge if clock is None else replace(edge, seconds=clock() - begun)


def analyse_from(
    rules: Rules, shoe: Composition, *, method: str = "CDZ-", super_bonus: bool = True, stake: Money = DEFAULT_STAKE
) -> Edge:
    """The same from a full shoe that is asked for more, and keeps what the dealer does with it."""
    packed = pack(rules)
    if packed.switch:
        from pitboss.odds.switch.switch_analysis import analyse_switch

        return analyse_switch(rules, packed, method, shoe)
    bonus = rules.super_bonus_sums if super_bonus and rules.super_bonus else None
    return _analyse(rules, packed, method, bonus, stake, shoe)


def solution(rules: Packed, shoe: Composition, method: str = "CDZ-") -> Solution:
    """Best play of a game from a shoe."""
    position = solve(rules, shoe, method)
    return Solution(position, list(cells(position)))


def basic_strategy(rules: Rules) -> Chart:
    """The best chart of a game, and nothing else about it: looked up where it is known."""
    known = find_known(rules)
    if known is not None:
        return known.strategy()
    packed = pack(rules)
    found = solution(packed, full_shoe_of(packed))
    return best_chart(found.position, found.cells)


def price_by_chart(rules: Packed, shoe: Composition, chart: Chart) -> Solution:
    """A game from a shoe, played by a chart."""
    position = solve(rules, shoe, judge=judge_of(rules, chart), wanted=lambda value: splits_of(chart, value))
    return Solution(position, list(cells_by_chart(position, chart)))


def evaluate(rules: Rules, chart: Chart, *, numbers: Numbers = FLOATS) -> Number:
    """The expectation of a player who follows `chart`."""
    packed = pack(rules)
    shoe = fresh(packed, numbers).keeping_distributions()
    if packed.switch:
        from pitboss.odds.switch.switch_analysis import expectation_by_chart

        return expectation_by_chart(packed, shoe, chart)
    return price_by_chart(packed, shoe, chart).expectation


def price_chart(rules: Rules, chart: Chart) -> ChartWorth:
    """What a game is worth to a player who follows `chart`, and how its rounds end."""
    return price_charts(rules, [chart])[0]


def full_shoe_of(rules: Packed) -> Composition:
    """The full shoe of a game, which keeps what the dealer does with it."""
    return fresh(rules, FLOATS).keeping_distributions()


def price_charts(rules: Rules, charts: Sequence[Chart], shoe: Composition | None = None) -> list[ChartWorth]:
    """The same for several charts, which share what does not depend on the player."""
    packed = pack(rules)
    shoe = shoe or full_shoe_of(packed)
    if packed.switch:
        from pitboss.odds.switch.switch_analysis import price_charts_switching

        return price_charts_switching(packed, shoe, charts)
    return [_price_chart(packed, shoe, chart) for chart in charts]


def _price_chart(rules: Packed, shoe: Composition, chart: Chart) -> ChartWorth:
    found = price_by_chart(rules, shoe, chart)
    counted = tally(found.position, found.cells)
    expectation = float(found.expectation)
    return ChartWorth(
        expectation=expectation,
        variance=counted.second_moment - expectation**2,
        variance_error_bound=counted.second_error + 2 * abs(expectation) * float(found.error),
        nets=counted.nets,
        nets_error_bound=counted.nets_error,
        error_bound=float(found.error),
        by_up_card=by_up_card(found.cells),
        outcomes=counted.outcomes,
        parts=counted.parts,
    )


def exact_expectation(rules: Packed, shoe: Composition, method: str = "CDZ-") -> Fraction:
    """The expectation of best play as a fraction: the same recursions on exact numbers, for small shoes."""
    if rules.switch:
        from pitboss.odds.switch.switch_analysis import expectation

        return Fraction(expectation(rules, shoe, method))
    return Fraction(solution(rules, shoe, method).expectation)


def exact_second_moment(rules: Packed, shoe: Composition, found: Solution | None = None) -> Number:
    """The second moment of the net under best play, or as `found` has it: in fractions, for small shoes."""
    solved = found or solution(rules, shoe)
    position = solved.position
    squared = square_seat(rules, shoe, price_seat(rules, MAIN, shoe))
    main = play_seat(rules, shoe, all_hands(), squared, position.rows, judge=position.main.by)
    counter, total = BoxCounter(rules, shoe), shoe.numbers.make(0)
    squares = position._replace(main=main, splits={})
    for cell in solved.cells:
        if cell.action == "split":
            second = counter.count(cell.first, cell.up, position.splits[cell.first]).second - natural_loss(
                position, cell.first, cell.second
            )[cell.up]  # fmt: skip
        elif cell.action in ("stand", "hit", "double"):
            lost = natural_loss(position, cell.first, cell.second)[cell.up]
            second = acts_of(squares, cell.first, cell.second)[cell.action][cell.up] - 2 * lost
        else:
            second = square_of_rest(position, cell)
        total = total + cell.chance * second
    return total


class Outline(NamedTuple):
    """How a game is played best and what that is worth, before its rounds are counted out: the quick part of an `Edge`.

    At Blackjack Switch it is the play of a hand by itself, and what two boxes are worth is not known yet.
    """

    found: Solution
    chart: Chart
    charted: Solution | None
    """By the chart; none at Blackjack Switch."""
    super_bonus: SuperBonusWorth | None

    @property
    def expectation(self) -> float | None:
        """The player's, with the Super Bonus; none at Blackjack Switch."""
        if self.charted is None:
            return None
        return float(self.found.expectation) + (self.super_bonus.worth if self.super_bonus is not None else 0.0)

    @property
    def chart_expectation(self) -> float | None:
        """What a player who follows the chart expects; none at Blackjack Switch."""
        if self.charted is None:
            return None
        return float(self.charted.expectation) + (self.super_bonus.by_chart if self.super_bonus is not None else 0.0)

    @property
    def openings(self) -> tuple[OpeningWorth, ...]:
        """Two cards against each up card."""
        return tuple(price_opening(cell) for cell in self.found.cells)


def outline(rules: Rules) -> Outline:
    """How a game is played best: soon known, as against all that `analyse` says."""
    packed = pack(rules)
    bonus = rules.super_bonus_sums if rules.super_bonus else None
    return _outline(packed, full_shoe_of(packed), "CDZ-", bonus, DEFAULT_STAKE)


def price_edge(rules: Rules) -> float:
    """The house edge by itself, as `analyse` has it."""
    packed = pack(rules)
    if packed.switch:
        from pitboss.odds.switch.switch_analysis import expectation_at_best

        return -expectation_at_best(packed, full_shoe_of(packed))
    found = outline(rules).expectation
    assert found is not None
    return -found


def _outline(packed: Packed, shoe: Composition, method: str, bonus: SuperBonus | None, stake: Money) -> Outline:
    found = solution(packed, shoe, method)
    chart = best_chart(found.position, found.cells)
    if packed.switch:
        return Outline(found, chart, None, None)
    charted = price_by_chart(packed, shoe, chart)
    return Outline(found, chart, charted, _super_bonus(found, charted, bonus, stake) if bonus is not None else None)


def _analyse(
    rules: Rules, packed: Packed, method: str, bonus: SuperBonus | None, stake: Money, shoe: Composition
) -> Edge:
    known = _outline(packed, shoe, method, bonus, stake)
    found, worth = known.found, known.super_bonus
    assert known.charted is not None
    assert known.chart_expectation is not None
    counted = tally(found.position, found.cells)
    expectation = float(found.expectation)
    seen = sum(float(cell.chance * (cell.seen - cell.value)) for cell in found.cells)
    extra = worth.worth if worth is not None else 0.0
    return Edge(
        game=rules.game,
        name=rules.name,
        decks=packed.decks,
        method=method if packed.decks else "optimal",
        expectation=expectation + extra,
        variance=counted.second_moment - expectation**2,
        variance_error_bound=counted.second_error + 2 * abs(expectation) * float(found.error),
        nets=counted.nets,
        nets_error_bound=counted.nets_error,
        error_bound=float(found.error),
        strategy=known.chart,
        chart_expectation=known.chart_expectation,
        departures=departures(found.cells, known.charted.cells),
        by_up_card=by_up_card(found.cells),
        openings=known.openings,
        outcomes=counted.outcomes,
        parts={**counted.parts, **({"super bonus": extra} if worth is not None else {})},
        suit_gain=seen,
        super_bonus=worth,
    )


def _super_bonus(found: Solution, charted: Solution, bonus: SuperBonus, stake: Money) -> SuperBonusWorth:
    """What the Super Bonus adds for a player who looks at the suits of two sevens against a seven, and for others."""
    pays = bonus.pays(stake)
    units = Fraction(pays) / Fraction(stake)
    with_it = {(cell.first, cell.second, cell.up): cell for cell in cells(found.position, units)}
    sevens, by_chart = (
        next((cell for cell in solved.cells if (cell.first, cell.second, cell.up) == (7, 7, 6)), None)
        for solved in (found, charted)
    )
    if sevens is None or by_chart is None:
        return SuperBonusWorth(str(stake), str(pays), 0.0, 0.0, 0.0, 0.0)
    rich = with_it[7, 7, 6]
    chance = sum(suits.chance * suits.third for suits, action, _ in rich.suited if suits.grade and action == "hit")
    gain = sevens.chance * (rich.seen - sevens.seen)
    met = sevens.chance * sum(suits.chance * suits.third for suits, _, _ in rich.suited if suits.grade) * units
    return SuperBonusWorth(
        stake=str(stake),
        pays=str(pays),
        chance=float(sevens.chance * chance),
        worth=float(gain),
        by_values=float(met) if sevens.action == "hit" else 0.0,
        by_chart=float(met) if by_chart.action == "hit" else 0.0,
    )


def price_opening(cell: Cell) -> OpeningWorth:
    """A cell for the result."""
    acts = {name: float(worth) for name, worth in cell.acts.items()}
    return OpeningWorth(letters(cell), CARD_LETTERS[cell.up], float(cell.chance), float(cell.value), cell.action, acts)


def letters(cell: Cell) -> str:
    """The cards of a cell."""
    return CARD_LETTERS[cell.first - 1] + CARD_LETTERS[cell.second - 1]


def by_up_card(found: list[Cell]) -> dict[str, float]:
    """The expectation given each up card, in the order of charts."""
    values = [0.0] * VALUES
    for up in range(VALUES):
        here = [cell for cell in found if cell.up == up]
        whole = sum(float(cell.chance) for cell in here)
        values[COLUMN[up]] = sum(float(cell.chance * cell.value) for cell in here) / whole if whole else 0.0
    return dict(zip(UPS, values, strict=True))


def departures(best: list[Cell], charted: list[Cell]) -> tuple[Departure, ...]:
    """Opening hands for which the best action is not the chart's, the costliest first."""
    found = []
    for cell, other in zip(best, charted, strict=True):
        if cell.action != other.action and other.action in cell.acts:
            gain = float(cell.value - cell.acts[other.action])
            found.append(Departure(letters(cell), CARD_LETTERS[cell.up], cell.action, other.action, gain))
    return tuple(sorted(found, key=lambda departure: -departure.gain))
