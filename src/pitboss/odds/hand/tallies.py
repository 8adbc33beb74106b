"""What becomes of a round under given decisions: outcomes with their frequencies, the second moment, the parts.

Hands that do not split are counted exactly. For outcomes the hands of a split are counted each as it stands after the
first split; the net of their box is counted over its hands together (`joint_results`).
"""

from __future__ import annotations

import functools
from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from pitboss.odds.cards.composition import Composition
from pitboss.odds.cards.numbers import Array, Number
from pitboss.odds.cards.suits import price_grades, suits_matter
from pitboss.odds.hand.hand_tables import MAIN, HandKind, Seat, dealer_hands, decide_limb, layers, tables
from pitboss.odds.hand.openings import Cell, Position
from pitboss.odds.hand.player_hands import VALUES, Hands, Ints, all_hands, hands_with
from pitboss.odds.hand.solver import (
    SUITED_BONUSES,
    Decisions,
    Priced,
    find_distributions,
    price_seat,
    square_premiums,
)
from pitboss.odds.hand.walks import Reach, unsplit, walk_forward
from pitboss.odds.splits.joint_results import BoxCounter
from pitboss.odds.splits.net_lists import add_nets
from pitboss.odds.splits.split_values import pair_chances, seat_of
from pitboss.play.bonuses import win_odds
from pitboss.play.dealer import dealer_looks
from pitboss.play.doubling import aces_fixed
from pitboss.play.naturals import natural_odds
from pitboss.play.packed import BONUS_ORDER, Packed
from pitboss.play.settlement import LOSE_BUST, LOSE_DEALER_NATURAL, wins
from pitboss.play.splitting import most_hands
from pitboss.table.round.paying import OUTCOMES

PARTS = ("naturals", "single hands", "doubles", "splits", "surrenders", "bonuses")

BUST_WORD = OUTCOMES[LOSE_BUST][0]
NATURAL_WORD = OUTCOMES[LOSE_DEALER_NATURAL][0]
WORDS = (*(word for word, _ in OUTCOMES.values()), *(hand.removesuffix("-mixed") for hand in BONUS_ORDER), "forfeit")
"""What a hand can be said to have ended as."""

PLACE = {word: place for place, word in enumerate(WORDS)}


class Tally(NamedTuple):
    """What becomes of a round."""

    outcomes: dict[str, float]
    """Hands per round that end in each way; split hands each count."""
    second_moment: float
    second_error: float
    """How far off it can be."""
    nets: dict[float, float]
    """How often a round comes to each net result."""
    nets_error: float
    """How much of that can be elsewhere."""
    parts: dict[str, float]
    """The expectation by where it comes from."""


class Counted(NamedTuple):
    """What becomes of the hands of a seat, by up card."""

    often: Array
    """[word, up]: how many end that way."""
    first: Array
    """[up, dealer's result]: the mean of the net where that is the result, times its chance."""
    second: Array
    """The same of its square."""
    nets: dict[float, float]
    """How often each net comes, over all up cards."""
    doubles: Array
    bonuses: Array
    """[up]: the part of the mean that doubled hands bring, and the part paid above ordinary odds."""


@functools.lru_cache(maxsize=256)
def _words(rules: Packed, seat: Seat, doubled: bool) -> Ints:
    """The place in `WORDS` of how each kind of hand ends against each dealer's result."""
    table = tables(rules, seat)
    kinds = table.kinds_doubled if doubled else table.kinds
    pay = table.pay_doubled if doubled else table.pay
    plain = (2 if doubled else 1) * float(Fraction(*win_odds(rules, 0)))
    dealers = dealer_hands(rules)
    better = [[float(net) > plain for net in row] for row in pay]
    places = [
        [_word(rules, seat, kind, dealer, better[row][column]) for column, dealer in enumerate(dealers)]
        for row, kind in enumerate(kinds)
    ]
    return np.array(places, dtype=np.int64)


def _word(rules: Packed, seat: Seat, kind: HandKind, dealer: tuple[int, bool], better: bool) -> int:
    code = decide_limb(rules, seat, kind, *dealer)
    if wins(code) and kind.bonus and better:
        return PLACE[BONUS_ORDER[kind.bonus - 1].removesuffix("-mixed")]
    return PLACE[OUTCOMES[code][0]]


def count_finished(
    rules: Packed, shoe: Composition, seat: Seat, money: Priced, reach: Reach, rows: Array, by: Decisions, dealer: Array
) -> Counted:
    """Count the finished hands of a seat.

    What becomes of the dealer after a hand that busts is taken from `dealer` ([up, result]): the cards of that hand are
    no longer told apart, and left out of it.
    """
    table, results = money.tables, rows.shape[2]
    found = Counted(
        np.zeros((len(WORDS), VALUES)), np.zeros((VALUES, results)), np.zeros((VALUES, results)),
        {}, np.zeros(VALUES), np.zeros(VALUES),
    )  # fmt: skip
    lasting = np.ones((VALUES, results))
    lasting[[dealer_looks(rules, up) for up in range(VALUES)], -1] = 0.0
    """A natural that the dealer looks for has ended the round before the hand was played."""
    _add(found, rules, shoe, seat, table.kind, money.pay, reach.stood.sum(axis=0), rows * lasting, False)
    for layer in range(reach.doubled.shape[0]):
        back = by.given_up[layer] & table.rescues[layer][:, None]
        kept = np.where(back, 0.0, reach.doubled[layer])
        _add(found, rules, shoe, seat, table.kind_doubled[layer], money.pay_doubled, kept, rows * lasting, True)
        given = np.einsum("hu,hur->ur", np.where(back, reach.doubled[layer], 0.0), rows) * lasting
        _add_plain(found, PLACE["forfeit"], given, float(money.forfeit[0]), True)
    for stakes in (1, 2):
        gone = np.zeros((VALUES, results))
        gone[:, -1] = reach.bust[stakes, :, 1]
        gone[:, :-1] = (reach.bust[stakes, :, 0] - reach.bust[stakes, :, 1])[:, None] * _without_naturals(dealer)
        _add_plain(found, PLACE[BUST_WORD], gone * lasting, float(money.gone[stakes, 0]), stakes == 2)
    return found


def _without_naturals(dealer: Array) -> Array:
    """The chances of the dealer's results but the last, as they are where the dealer has no natural."""
    others: Array = dealer[:, :-1]
    whole = others.sum(axis=1, keepdims=True)
    shares: Array = np.divide(others, whole, out=np.zeros_like(others), where=whole > 0)
    return shares


def _add(
    found: Counted,
    rules: Packed,
    shoe: Composition,
    seat: Seat,
    kind: Ints,
    pay: Array,
    often: Array,
    rows: Array,
    doubled: bool,
) -> None:
    reached = np.flatnonzero(often.any(axis=1))
    many = np.zeros((len(pay), VALUES, rows.shape[2]))
    np.add.at(many, kind[reached], often[reached, :, None] * rows[reached])
    words = _words(rules, seat, doubled)
    for place in range(many.shape[2]):
        np.add.at(found.often, words[:, place], many[:, :, place])
    found.first[:] += np.einsum("kur,kr->ur", many, pay)
    table = tables(rules, seat)
    spread = square_premiums(rules, shoe, table.kinds_doubled if doubled else table.kinds, 1 + doubled)
    found.second[:] += np.einsum("kur,kr->ur", many, pay**2 + (pay > 0) * spread[:, None])
    _add_by_suits(found, rules, shoe, seat, pay, many.sum(axis=1), doubled)
    plain = (2 if doubled else 1) * float(Fraction(*win_odds(rules, 0)))
    extra = np.einsum("kur,kr->u", many, np.maximum(pay - plain, 0.0))
    found.bonuses[:] += extra
    if doubled:
        found.doubles[:] += np.einsum("kur,kr->u", many, pay) - extra


def _add_by_suits(
    found: Counted, rules: Packed, shoe: Composition, seat: Seat, pay: Array, many: Array, doubled: bool
) -> None:
    """Add what finished hands bring: `many[kind, result]` of them, bonus hands by their suits."""
    table, stakes = tables(rules, seat), 1 + doubled
    left = many.copy()
    for pair, code in SUITED_BONUSES if suits_matter(rules) else ():
        grades = [(float(chance), float(paid)) for chance, paid in price_grades(rules, shoe, *pair)]
        mean = sum(chance * paid for chance, paid in grades)
        grades.append((1 - sum(chance for chance, _ in grades), 0.0))
        for place, kind in enumerate(table.kinds_doubled if doubled else table.kinds):
            if kind.bonus == code:
                won = pay[place] > 0
                for chance, paid in grades:
                    add_nets(found.nets, pay[place][won] + stakes * (paid - mean), chance * many[place][won])
                left[place][won] = 0.0
    add_nets(found.nets, pay, left)


def _add_plain(found: Counted, word: int, many: Array, net: float, doubled: bool) -> None:
    found.often[word] += many.sum(axis=1)
    found.first[:] += many * net
    found.second[:] += many * net**2
    add_nets(found.nets, np.array([net]), np.array([many.sum()]))
    if doubled:
        found.doubles[:] += many.sum(axis=1) * net


def tally(position: Position, cells: list[Cell], *, boxes: bool = True) -> Tally:
    """What becomes of a round of this position when its cells' actions are taken; without `boxes`, the moment and nets
    leave boxes that split out."""
    rules, shoe = position.rules, position.shoe
    parts = dict.fromkeys(PARTS, 0.0)
    reach = unsplit(rules, shoe, position.main.by, cells)
    main = count_finished(
        rules, shoe, MAIN, price_seat(rules, MAIN, shoe), reach, position.rows, position.main.by,
        position.rows[all_hands().of(10, 10)],
    )  # fmt: skip
    outcomes: dict[str, float] = defaultdict(float, zip(WORDS, main.often.sum(axis=1).tolist(), strict=True))
    parts["doubles"], parts["bonuses"] = float(main.doubles.sum()), float(main.bonuses.sum())
    parts["single hands"] = float(main.first.sum()) - parts["doubles"] - parts["bonuses"]
    moment, nets = float(main.second.sum()), main.nets
    for cell in cells:
        moment += _apart(position, cell, outcomes, parts, nets)
    split = [cell for cell in cells if cell.action == "split"]
    for value in sorted({cell.first for cell in split}):
        _split(position, value, [cell for cell in split if cell.first == value], outcomes, parts)
    error = nets_error = 0.0
    counter = BoxCounter(rules, shoe)
    for cell in split if boxes else ():
        box = counter.count(cell.first, cell.up, position.splits[cell.first])
        chance = float(cell.chance)
        moment += chance * float(box.second)
        error, nets_error = error + chance * box.error, nets_error + chance * box.nets_error
        for net, often in box.nets.items():
            nets[net] = nets.get(net, 0.0) + chance * often
    found = {word: many for word, many in outcomes.items() if many > 0}
    return Tally(found, moment, error, dict(sorted(nets.items())), nets_error, parts)


def _apart(
    position: Position, cell: Cell, outcomes: dict[str, float], parts: dict[str, float], nets: dict[float, float]
) -> float:
    """Count a cell that is not played out: naturals, surrenders, rounds that a natural ends at once. Second moment."""
    rules, chance, worth = position.rules, float(cell.chance), float(cell.value)
    if cell.action in ("natural", "even-money"):
        win, stake = natural_odds(rules)
        odds = win / stake if cell.action == "natural" else 1.0
        won = min(worth / odds, 1.0)
        outcomes[cell.action] += chance * won
        outcomes["both-naturals"] += chance * (1 - won)
        parts["naturals"] += chance * worth
        add_nets(nets, np.array([odds, 0.0]), np.array([chance * won, chance * (1 - won)]))
        return chance * won * odds**2
    if cell.action == "surrender":
        outcomes["surrender"] += chance
        parts["surrenders"] += chance * worth
        lost = -2 * worth - 1  # the share of surrenders that a dealer's natural takes whole
        add_nets(nets, np.array([-0.5, -1.0]), np.array([chance * (1 - lost), chance * lost]))
        return chance * ((1 - lost) / 4 + lost)
    if dealer_looks(rules, cell.up):
        natural = chance * float(position.rows[all_hands().of(cell.first, cell.second), cell.up, -1])
        outcomes[NATURAL_WORD] += natural
        parts["single hands" if cell.action != "split" else "splits"] -= natural
        add_nets(nets, np.array([-1.0]), np.array([natural]))
        return natural
    return 0.0


def _split(
    position: Position, value: int, cells: list[Cell], outcomes: dict[str, float], parts: dict[str, float]
) -> None:
    """Count the hands of splits of one value."""
    rules, box = position.rules, measure_box(position, value)
    own, others = box.own, box.others
    for cell in cells:
        up, chance = cell.up, float(cell.chance)
        more = box.hands[up] - 1
        for word, many in zip(WORDS, (own.often[:, up] + more * others.often[:, up]).tolist(), strict=True):
            outcomes[word] += chance * many
        natural = float(position.rows[all_hands().of(value, value), up, -1]) if dealer_looks(rules, up) else 0.0
        parts["splits"] += chance * (float(cell.value) + natural)


def square_of_rest(position: Position, cell: Cell) -> Number:
    """The mean square of a cell that is a natural or surrendered."""
    worth = cell.value
    if cell.action == "surrender":
        lost = -2 * worth - 1
        return (1 - lost) / 4 + lost
    win, stake = natural_odds(position.rules)
    odds = position.shoe.numbers.make(Fraction(win, stake) if cell.action == "natural" else 1)
    return min(worth / odds, odds / odds) * odds * odds


class SplitBox(NamedTuple):
    """What becomes of a box that splits two cards of a value."""

    own: Counted
    """The first hand of the split."""
    others: Counted
    """Every other one."""
    hands: Array
    """[up]: how many there are on average."""
    first: Array
    """[up, dealer's result]: the mean of the box's net where that is the result, times its chance."""
    second: Array
    """The same of its square."""


def measure_box(position: Position, value: int) -> SplitBox:
    """Both moments of a box that splits two cards of a value, by up card and dealer's result."""
    rules, shoe, hands = position.rules, position.shoe, hands_with((value,))
    rows = find_distributions(rules, shoe.without(value), hands)
    own, others = (_hand_of_split(position, value, own, rows, hands) for own in (True, False))
    most = most_hands(rules, value == 1)
    pairs = pair_chances(rules, shoe, value, most)[most - 2]
    sizes = [_box_sizes(float(pairs[up]), most) for up in range(VALUES)]
    number = np.array([sum(size * often for size, often in by_size.items()) for by_size in sizes])
    second = np.zeros_like(own.second)
    for up, by_size in enumerate(sizes):
        for size, often in by_size.items():
            second[up] += often * _square_box(own, others, up, rows[hands.of(value), up], size)
    return SplitBox(own, others, number, own.first + (number - 1)[:, None] * others.first, second)


def _hand_of_split(position: Position, value: int, own: bool, rows: Array, hands: Hands) -> Counted:
    """What becomes of one hand of a split against each up card, two hands being known."""
    rules, shoe = position.rules, position.shoe
    plays = position.splits[value].plays
    by = (plays[-1].own if own else plays[-1].others)[2]
    decision, given_up = by.decision.copy(), by.given_up.copy()
    for up, tied in plays.items():
        if up >= 0:
            decision[:, :, up], given_up[:, :, up] = tied.own[2].decision[:, :, up], tied.own[2].given_up[:, :, up]
    by = Decisions(hands, decision, given_up)
    rest = shoe.without(value, value)
    start = np.zeros((layers(rules), len(hands.cards), VALUES))
    many = np.repeat(rest.values[:, None], VALUES, axis=1) - shoe.step * np.eye(VALUES)
    for card in range(VALUES):
        layer = aces_fixed(rules, int(value == 1) + int(card == 0))
        start[layer, hands.after[hands.of(value), card]] += np.maximum(many[card], 0.0) / (rest.left - shoe.step)
    seat = seat_of(rules, value, own)
    table = tables(rules, seat, (value,))
    reach = walk_forward(rules, shoe.without(value), hands, table, by, start, np.zeros_like(start))
    return count_finished(
        rules, shoe, seat, price_seat(rules, seat, shoe, (value,)), reach, rows, by, rows[hands.of(value)]
    )


def _box_sizes(all_pairs: float, most: int) -> dict[int, float]:
    """About how often a split comes to each number of hands; `all_pairs`: each card that could be a pair is one."""
    if most == 2:
        return {2: 1.0}
    sizes: dict[int, float] = {}
    pair = all_pairs ** (1 / (most - 2))
    left = 1.0
    for size in range(2, most):
        sizes[size] = left * (1 - pair) ** size
        left -= sizes[size]
    sizes[most] = left
    return sizes


def _square_box(own: Counted, others: Counted, up: int, chances: Array, size: int) -> Array:
    """The second moment of a box of `size` hands by the dealer's result, given which they are independent."""
    more = size - 1
    mine, theirs = own.first[up], others.first[up]
    cross = 2 * more * mine * theirs + more * (more - 1) * theirs * theirs
    squares = own.second[up] + more * others.second[up]
    found: Array = squares + np.where(chances > 0, cross / np.where(chances > 0, chances, 1.0), 0.0)
    return found
