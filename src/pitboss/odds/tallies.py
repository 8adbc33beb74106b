"""What becomes of a round under given decisions: outcomes with their frequencies, the second moment, the parts.

Hands that do not split are counted exactly. Hands of a split are counted each as it stands after the first split; for
the second moment they are taken to be independent once the dealer's result is known, as in a deck without end they are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from pitboss.odds.hands import VALUES, Hands, Ints, all_hands, hands_with
from pitboss.odds.model import MAIN, Kind, Seat, dealer_hands, layer_of, layers, settled, tables
from pitboss.odds.numbers import Array
from pitboss.odds.openings import Cell, Position
from pitboss.odds.solver import Decisions, Priced, dealer_law, priced
from pitboss.odds.splits import coefficients, most_hands, seat_of
from pitboss.odds.walks import Reach, unsplit, walked
from pitboss.play.packed import BONUS_ORDER, HOLE_PEEK, Packed
from pitboss.play.settle import LOSE_BUST, LOSE_DEALER_NATURAL
from pitboss.table.paying import OUTCOMES

PARTS = ("naturals", "single hands", "doubles", "splits", "surrenders", "bonuses")


class Ended(NamedTuple):
    """Hands that ended in one way: the word, what each gained, by up card and dealer's result how often."""

    word: str
    net: float
    often: Array
    doubled: bool = False
    bonus: float = 0.0
    """The part of `net` that is paid above ordinary odds."""


class Tally(NamedTuple):
    """What becomes of a round."""

    outcomes: dict[str, float]
    """Hands per round that end in each way; split hands each count."""
    second_moment: float
    parts: dict[str, float]
    """The expectation by where it comes from."""


def ended_hands(rules: Packed, seat: Seat, money: Priced, reach: Reach, rows: Array, by: Decisions) -> list[Ended]:
    """Every way hands of a seat end, with how often."""
    table = money.tables
    found = _finished(rules, seat, table.kind, money.pay, table.kinds, reach.stood.sum(axis=0), rows, False)
    for layer in range(reach.doubled.shape[0]):
        back = by.given_up[layer] & table.rescues[layer][:, None]
        kept = np.where(back, 0.0, reach.doubled[layer])
        found += _finished(
            rules, seat, table.kind_doubled[layer], money.pay_doubled, table.kinds_doubled, kept, rows, True
        )
        given = np.where(back, reach.doubled[layer], 0.0)
        if given.any():
            found.append(Ended("forfeit", float(money.forfeit[0]), np.einsum("hu,hur->ur", given, rows), True))
    for stakes in (1, 2):
        often = np.zeros(rows.shape[1:])
        often[:, -1] = reach.bust[stakes, :, 1]
        often[:, -2] = reach.bust[stakes, :, 0] - reach.bust[stakes, :, 1]
        found.append(Ended(OUTCOMES[LOSE_BUST][0], float(money.gone[stakes, 0]), often, stakes == 2))
    return [_ended_at_once(rules, end) for end in found]


def _finished(
    rules: Packed, seat: Seat, kind: Ints, pay: Array, kinds: tuple[Kind, ...], often: Array, rows: Array, doubled: bool
) -> list[Ended]:
    counted = np.zeros((len(kinds), *rows.shape[1:]))
    np.add.at(counted, kind, often[:, :, None] * rows)
    found = []
    for place in np.flatnonzero(counted.any(axis=(1, 2))):
        looks = kinds[place]
        for result, dealer in enumerate(dealer_hands(rules)):
            often_here = np.zeros(rows.shape[1:])
            often_here[:, result] = counted[place, :, result]
            if not often_here.any():
                continue
            code = settled(rules, seat, looks, *dealer)
            word, net, bonus = OUTCOMES[code][0], float(pay[place, result]), 0.0
            plain = (2.0 if doubled else 1.0) * rules.win_odds_win / rules.win_odds_stake
            if code > 20 and looks.bonus and net > plain:
                word, bonus = BONUS_ORDER[looks.bonus - 1].removesuffix("-mixed"), net - plain
            found.append(Ended(word, net, often_here, doubled, bonus))
    return found


def _ended_at_once(rules: Packed, end: Ended) -> Ended:
    """Where the dealer looks first, a natural has ended the round before the hand was played."""
    if rules.hole_card != HOLE_PEEK:
        return end
    often = end.often.copy()
    often[:, -1] = 0.0
    return end._replace(often=often)


def tally(position: Position, cells: list[Cell]) -> Tally:
    """What becomes of a round of this position when its cells' actions are taken."""
    rules, shoe = position.rules, position.shoe
    outcomes: dict[str, float] = defaultdict(float)
    parts = dict.fromkeys(PARTS, 0.0)
    moment = 0.0
    reach = unsplit(rules, shoe, position.main.by, cells)
    main = priced(rules, MAIN, shoe)
    for end in ended_hands(rules, MAIN, main, reach, position.rows, position.main.by):
        often = float(end.often.sum())
        outcomes[end.word] += often
        moment += often * end.net**2
        parts["doubles" if end.doubled else "single hands"] += often * (end.net - end.bonus)
        parts["bonuses"] += often * end.bonus
    for cell in cells:
        moment += _apart(position, cell, outcomes, parts)
    split = [cell for cell in cells if cell.action == "split"]
    for value in sorted({cell.first for cell in split}):
        moment += _split(position, value, [cell for cell in split if cell.first == value], outcomes, parts)
    return Tally(dict(outcomes), moment, parts)


def _apart(position: Position, cell: Cell, outcomes: dict[str, float], parts: dict[str, float]) -> float:
    """Count a cell that is not played out: naturals, surrenders, rounds that a natural ends at once. Second moment."""
    rules, chance, worth = position.rules, float(cell.chance), float(cell.value)
    natural = float(position.rows[all_hands().of(cell.first, cell.second), cell.up, -1])
    if cell.action in ("natural", "even-money"):
        odds = rules.natural_odds_win / rules.natural_odds_stake if cell.action == "natural" else 1.0
        won = min(worth / odds, 1.0) if odds else 1.0
        outcomes[cell.action] += chance * won
        outcomes["both-naturals"] += chance * (1 - won)
        parts["naturals"] += chance * worth
        return chance * won * odds**2
    if cell.action == "surrender":
        outcomes["surrender"] += chance
        parts["surrenders"] += chance * worth
        lost = -2 * worth - 1  # the share of surrenders that a dealer's natural takes whole
        return chance * ((1 - lost) / 4 + lost)
    if rules.hole_card == HOLE_PEEK and natural:
        outcomes[OUTCOMES[LOSE_DEALER_NATURAL][0]] += chance * natural
        parts["single hands" if cell.action != "split" else "splits"] -= chance * natural
        return chance * natural
    return 0.0


def _split(
    position: Position, value: int, cells: list[Cell], outcomes: dict[str, float], parts: dict[str, float]
) -> float:
    """Count the hands of splits of one value; the second moment of their boxes."""
    rules, shoe, hands = position.rules, position.shoe, hands_with((value,))
    rest = shoe.without(value)
    rows = dealer_law(rules, rest, hands)
    seats = [_hand_of_split(position, value, first, rows, hands) for first in (True, False)]
    most = most_hands(rules, value)
    firsts = coefficients(rules, shoe, value, most)
    total = 0.0
    for cell in cells:
        up, chance = cell.up, float(cell.chance)
        boxes = _box_sizes(firsts, up, most)
        mean_hands = sum(hands_in * often for hands_in, often in boxes.items())
        for first, ends in zip((True, False), seats, strict=True):
            share = 1.0 if first else mean_hands - 1
            for end in ends:
                outcomes[end.word] += chance * share * float(end.often[up].sum())
        parts["splits"] += chance * float(cell.value) + _already_counted(position, cell)
        moments = [_moments(ends, up) for ends in seats]
        law = rows[hands.of(value), up]
        for size, often in boxes.items():
            total += chance * often * _box_moment(moments, law, size)
    return total


def _already_counted(position: Position, cell: Cell) -> float:
    """What rounds ended by a natural at once have already taken from the splits."""
    natural = float(position.rows[all_hands().of(cell.first, cell.second), cell.up, -1])
    return float(cell.chance) * natural if position.rules.hole_card == HOLE_PEEK else 0.0


def _hand_of_split(position: Position, value: int, first: bool, rows: Array, hands: Hands) -> list[Ended]:
    """How one hand of a split ends, for one such hand against each up card."""
    rules, shoe = position.rules, position.shoe
    plays = position.splits[value].plays
    by = (plays[-1].first if first else plays[-1].others)[2]
    decision, given_up = by.decision.copy(), by.given_up.copy()
    for up, tied in plays.items():
        if up >= 0:
            decision[:, :, up], given_up[:, :, up] = tied.first[2].decision[:, :, up], tied.first[2].given_up[:, :, up]
    by = Decisions(hands, decision, given_up)
    seat = seat_of(rules, value, first)
    shape = (layers(rules), len(hands.cards), VALUES)
    start = np.zeros(shape)
    rest = shoe.without(value, value)
    single = hands.of(value)
    for card in range(VALUES):
        layer = layer_of(rules, int(value == 1) + int(card == 0))
        for up in range(VALUES):
            many = rest.values[card] - (shoe.step if card == up else 0.0)
            if many > 0:
                start[layer, hands.after[single, card], up] += many / (rest.left - shoe.step)
    money = priced(rules, seat, shoe, (value,))
    reach = walked(rules, shoe.without(value), hands, tables(rules, seat, (value,)), by, start, np.zeros(shape))
    return ended_hands(rules, seat, money, reach, rows, by)


def _box_sizes(weights: dict[tuple[bool, int, bool, int], Array], up: int, most: int) -> dict[int, float]:
    """How often a split comes to each number of hands: from the weights of its first hand, out of order of play."""
    sizes: dict[int, float] = defaultdict(float)
    if most == 2:
        return {2: 1.0}
    pair = float(weights[True, most, False, most][up]) if (True, most, False, most) in weights else 0.0
    again = pair ** (1 / max(most - 2, 1))
    left = 1.0
    for size in range(2, most):
        stop = (1 - again) ** size
        sizes[size] = left * stop
        left -= sizes[size]
    sizes[most] = left
    return dict(sizes)


def _moments(ends: list[Ended], up: int) -> tuple[Array, Array]:
    """First and second moment of a hand's net, by the dealer's result (joint with its chance)."""
    first = sum(end.often[up] * end.net for end in ends)
    second = sum(end.often[up] * end.net**2 for end in ends)
    return np.asarray(first), np.asarray(second)


def _box_moment(moments: list[tuple[Array, Array]], law: Array, size: int) -> float:
    """The second moment of a box of `size` hands, independent given the dealer's result."""
    (mean_first, square_first), (mean_other, square_other) = moments
    chance = np.where(law > 0, law, 1.0)
    others = size - 1
    cross = 2 * others * mean_first * mean_other + others * (others - 1) * mean_other * mean_other
    return float((square_first + others * square_other + np.where(law > 0, cross / chance, 0.0)).sum())
