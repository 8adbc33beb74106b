"""Opening hands against up cards: every action with two cards, what each is worth, and how often the hand comes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeVar

import numpy as np

from pitboss.cards import RANKS
from pitboss.odds.cards.composition import TENS, Composition
from pitboss.odds.cards.dealer_hands import ALL_UPS
from pitboss.odds.cards.numbers import FLOATS, Array, Number, Numbers
from pitboss.odds.cards.suits import THIRD, HandSuits, hand_suits, mean_premium
from pitboss.odds.hand.hand_tables import MAIN, decide_limb, natural_payments, tables
from pitboss.odds.hand.player_hands import VALUES, Ints, all_hands, hands_with
from pitboss.odds.hand.recursions import DOUBLE, HIT, STAND
from pitboss.odds.hand.solver import Play, find_distributions, play_seat, price_seat, refuse_surrender_after_own_cards
from pitboss.odds.splits.split_boxes import Judge, SplitWorth, split_worth
from pitboss.play.dealer import dealer_looks
from pitboss.play.doubling import aces_fixed
from pitboss.play.drawing import draws_itself
from pitboss.play.hands import TEN, is_natural
from pitboss.play.insurance import even_money_offered
from pitboss.play.naturals import may_become_natural, natural_always_wins, natural_odds, natural_paid_now
from pitboss.play.packed import SURRENDER_NEVER, Packed
from pitboss.play.settlement import LOSE_DEALER_NATURAL, dealer_natural_loss
from pitboss.play.splitting import cards_match, most_hands
from pitboss.play.surrender import surrender_before_turns, surrender_costs, surrender_fits

OPENINGS: tuple[tuple[int, int], ...] = tuple(combinations_with_replacement(range(1, VALUES + 1), 2))
"""Two cards by value, the lower first."""

ACTIONS = ("stand", "hit", "double", "split", "surrender")

Acts = dict[str, Array]
"""The value of each action that is open, by up card."""


class Cell(NamedTuple):
    """An opening hand against an up card. Values are of the box, per unit of the original wager."""

    first: int
    second: int
    up: int
    chance: Number
    value: Number
    action: str
    """The best action of a player who decides by values alone."""
    acts: dict[str, Number]
    """The value of each action that is open."""
    suited: tuple[tuple[HandSuits, str, Number], ...] = ()
    """By suits, where they matter: the best action of a player who looks at them, and its value."""

    @property
    def seen(self) -> Number:
        """The value for a player who looks at suits."""
        if not self.suited:
            return self.value
        return sum((suits.chance * worth for suits, _, worth in self.suited), start=0 * self.value)


class Position(NamedTuple):
    """A shoe with what the recursions found for it."""

    rules: Packed
    shoe: Composition
    rows: Array
    main: Play
    splits: dict[int, SplitWorth]


Result = TypeVar("Result")

Wanted = Callable[[int], tuple[int, ...]]
"""The up cards against which splits of a value are asked for."""


def solve(
    rules: Packed, shoe: Composition, method: str = "CDZ-", judge: Judge | None = None,
    wanted: Wanted | None = None, rows: Array | None = None, alone: bool = True,
) -> Position:  # fmt: skip
    """Run the recursions for a shoe: unsplit hands, then every split; by the best decisions or as `judge` says.

    `wanted` says against which up cards a split of a value is to be solved; left out, against all. `rows` is the
    dealer's distribution for all hands, if already known; `alone` says that nothing else is solved at the same time.
    """
    refuse_surrender_after_own_cards(rules)
    hands = all_hands()
    rows = find_distributions(rules, shoe, hands) if rows is None else rows
    main = play_seat(rules, shoe, hands, price_seat(rules, MAIN, shoe), rows, judge=judge and judge(MAIN))
    position = Position(rules, shoe, rows, main, {})

    def split(value: int) -> SplitWorth:
        acts = acts_of(position, value, value)
        always = surrender_share(rules, shoe, 2 * value, 2 * int(value == 1)) == 1
        otherwise = np.where(always, max_of(acts), max_of(acts, "surrender"))
        some = np.ascontiguousarray(rows[hands_with((value,)).origin])
        ups = ALL_UPS if wanted is None else wanted(value)
        return split_worth(rules, shoe, value, some, main.by, otherwise, method, judge, ups)

    values = [value for value in range(1, VALUES + 1) if most_hands(rules, value == 1) > 1 and shoe.holds(value, value)]
    values = [value for value in values if wanted is None or wanted(value)]
    found = side_by_side(split, values, shoe.numbers) if alone else [split(value) for value in values]
    position.splits.update(zip(values, found, strict=True))
    return position


def side_by_side(work: Callable[[int], Result], items: list[int], numbers: Numbers) -> list[Result]:
    """Work done for each item: on two cores, where the recursions are compiled and so let go of the interpreter."""
    if numbers is not FLOATS or len(items) < 2:
        return [work(item) for item in items]
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(work, items))


def cells(position: Position, super_bonus: Fraction = Fraction(0)) -> Iterator[Cell]:
    """Every opening hand against every up card that the shoe can deal.

    `super_bonus` is what the Super Bonus pays in units of the wager.
    """
    rules, extra = position.rules, position.shoe.numbers.make(super_bonus)
    for first, second in OPENINGS:
        chance = chances(position.shoe, first, second)
        natural = is_natural(first + second, int(first == 1), 2)
        acts = natural_acts(position) if natural else acts_of(position, first, second)
        value = max_of(acts) if natural else best_of(position, first, second, acts)
        for up in range(VALUES):
            if chance[up] <= 0:
                continue
            here = _open_acts(position, first, second, up, acts)
            action = max(here, key=lambda name: here[name])
            suits = [] if natural else hand_suits(rules, position.shoe, first, second, up + 1, extra)
            seen = tuple(_looking(position, first, second, up, acts, dealt) for dealt in suits)
            yield Cell(first, second, up, chance[up], value[up], action, here, seen)


def _open_acts(position: Position, first: int, second: int, up: int, acts: Acts) -> dict[str, Number]:
    """The actions of `acts` that are open against one up card."""
    aces = int(first == 1) + int(second == 1)
    closed = surrender_share(position.rules, position.shoe, first + second, aces)[up] == 0
    return {name: worth[up] for name, worth in acts.items() if not (name == "surrender" and closed)}


def chances(shoe: Composition, first: int, second: int) -> Array:
    """The chance of an opening hand with each up card."""
    left, step = shoe.left, shoe.step
    one, two = shoe.values[first - 1], shoe.values[second - 1] - step * int(first == second)
    rest = shoe.values.copy()
    rest[first - 1] = rest[first - 1] - step
    rest[second - 1] = rest[second - 1] - step
    product: Array = one * two * rest * (1 if first == second else 2) / (left * (left - step) * (left - 2 * step))
    return np.where((rest > 0) & bool(one > 0) & bool(two > 0), product, 0 * product)


def _looking(
    position: Position, first: int, second: int, up: int, acts: Acts, suits: HandSuits
) -> tuple[HandSuits, str, Number]:
    """What a player who looks at suits does, and what it is worth."""
    here = _open_acts(position, first, second, up, acts)
    if "hit" in here:
        mean = mean_premium(position.rules, position.shoe, first, second)
        third = position.main.draws((first, second), THIRD[first, second], up)
        here["hit"] = here["hit"] + suits.third * suits.premium - third * mean
    best = max(here, key=lambda name: here[name])
    return suits, best, here[best]


# ---------------------------------------------------------------------- naturals


def natural_acts(position: Position) -> Acts:
    """What a player's natural is worth: paid, waiting, or exchanged for even money."""
    rules, numbers = position.rules, position.shoe.numbers
    rows = position.rows[all_hands().of(1, 10)]
    waiting = (rows * numbers.array(natural_payments(rules))).sum(axis=1)
    odds = numbers.make(Fraction(*natural_odds(rules)))
    paid = [natural_paid_now(rules, may_become_natural(up)) for up in range(VALUES)]
    acts: Acts = {"natural": numbers.array([odds if paid[up] else waiting[up] for up in range(VALUES)])}
    waits = not natural_always_wins(rules)
    offered = [up for up in range(VALUES) if even_money_offered(rules, up, waits and not paid[up])]
    if offered:
        even = acts["natural"].copy()
        even[offered] = numbers.make(1)
        acts["even-money"] = even
    return acts


def natural_loss(position: Position, first: int, second: int) -> Array:
    """What a dealer's natural that ends the round before anybody acts costs an opening hand, by up card."""
    rows = position.rows[all_hands().of(first, second), :, -1]
    return -_stakes_of_natural(position.rules, first, second) * rows


@functools.lru_cache(4 * len(OPENINGS))
def _stakes_of_natural(rules: Packed, first: int, second: int) -> Ints:
    """What such a natural takes, by up card."""
    table = tables(rules)
    kind = table.kinds[int(table.kind[all_hands().of(first, second)])]
    lost = decide_limb(rules, MAIN, kind, 21, True) == LOSE_DEALER_NATURAL
    takes = dealer_natural_loss(rules, 1, 0, 1, True, 1, 0) if lost else 0
    return np.array([takes if dealer_looks(rules, up) else 0 for up in range(VALUES)])


# ---------------------------------------------------------------------- actions


def acts_of(position: Position, first: int, second: int) -> Acts:
    """The value of every action open to two cards that are no natural, by up card; splits as far as solved."""
    rules, main, table = position.rules, position.main, tables(position.rules)
    hand, aces = all_hands().of(first, second), int(first == 1) + int(second == 1)
    layer = aces_fixed(rules, aces)
    values = main.acts[layer, hand]
    doubles = bool(table.may_double[layer, hand])
    pairs = first == second and most_hands(rules, first == 1) > 1
    automatic = not table.complete[hand] and draws_itself(rules, first + second, aces, 2, False, doubles, pairs)
    acts: Acts = {}
    if table.complete[hand]:
        acts["stand"] = values[:, STAND]
    elif automatic:
        acts["hit"] = main.value[layer, hand] if table.draws[layer, hand] else values[:, HIT]
    else:
        if table.may_stand[hand]:
            acts["stand"] = values[:, STAND]
        acts["hit"] = values[:, HIT]
        if doubles:
            acts["double"] = values[:, DOUBLE]
    if first == second and first in position.splits and not automatic:
        acts["split"] = position.splits[first].value
    ended = natural_loss(position, first, second)
    acts = {name: value + ended for name, value in acts.items()}
    if any(share > 0 for share in surrender_share(rules, position.shoe, first + second, aces)):
        acts["surrender"] = surrender_value(position, first, second)
    return acts


def surrender_share(rules: Packed, shoe: Composition, hard: int, aces: int) -> Array:
    """The share of up cards of each value against which a hand may surrender: tens can differ by rank."""
    shares = shoe.numbers.zeros(VALUES)
    if rules.surrender_when == SURRENDER_NEVER:
        return shares
    fits = _fit_surrenders(rules, hard, aces)
    shares[: VALUES - 1] = shoe.numbers.array(fits[: VALUES - 1])
    whole = sum(shoe.tens)
    if whole > 0:
        tens = zip(shoe.tens, fits[VALUES - 1 :], strict=True)
        shares[VALUES - 1] = sum(many for many, fit in tens if fit) / whole
    return shares


@functools.lru_cache(maxsize=1024)
def _fit_surrenders(rules: Packed, hard: int, aces: int) -> tuple[int, ...]:
    """1 for each up card against which two cards may surrender: the values but ten, then the tens by rank."""
    ups = (*range(VALUES - 1), *(RANKS.index(rank) for rank in TENS))
    return tuple(int(surrender_fits(rules, up, hard, aces, 2, False)) for up in ups)


def surrender_value(position: Position, first: int, second: int) -> Array:
    """What a surrendered hand is worth, by up card; where the dealer has looked before, a natural has come first."""
    rules = position.rules
    natural = position.rows[all_hands().of(first, second), :, -1]
    half = position.shoe.numbers.make(Fraction(-1, 2))
    plain, to_natural = (half * surrender_costs(rules, against) for against in (False, True))
    open_ = plain * (1 - natural) + to_natural * natural
    if surrender_before_turns(rules):
        return open_
    after_look = plain * (1 - natural) + natural_loss(position, first, second)
    return np.where([dealer_looks(rules, up) for up in range(VALUES)], after_look, open_)


def max_of(acts: Acts, *shut: str) -> Array:
    """The best value by up card, some actions being shut."""
    best: Array = np.max(np.stack([worth for name, worth in acts.items() if name not in shut]), axis=0)
    return best


def best_of(position: Position, first: int, second: int, acts: Acts) -> Array:
    """The value of the best action by up card.

    Ranks of tens are not told apart by the recursions: where a rule does, the value is the mean over them.
    """
    rules, shoe = position.rules, position.shoe
    aces = int(first == 1) + int(second == 1)
    value = max_of(acts)
    if "surrender" in acts:
        share = surrender_share(rules, shoe, first + second, aces)
        value = share * value + (1 - share) * max_of(acts, "surrender")
    if first == second == 10 and not cards_match(rules, 10, 10, TEN, TEN + 1) and "split" in acts:
        alike = tens_alike(shoe)
        unsplit = {name: worth for name, worth in acts.items() if name != "split"}
        value = alike * value + (1 - alike) * best_of(position, 10, 10, unsplit)
    return value


def tens_alike(shoe: Composition) -> Number:
    """The chance that two tens are of one rank."""
    whole = sum(shoe.tens, start=0 * shoe.left)
    pairs = sum((many * (many - shoe.step) for many in shoe.tens), start=0 * shoe.left)
    return pairs / (whole * (whole - shoe.step)) if whole > shoe.step else 0 * shoe.left
