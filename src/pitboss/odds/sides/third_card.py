"""Wagers that hang on the player's third card: Blackpot, Magnificent Sevens, and the pontoon games' Super Bonus.

Whether there is a third card is the player's choice. One who plays for the wager always takes it; the game's best
player takes it where the game says so, which may depend on the two cards and the dealer's up card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec

from pitboss.cards import SUITS, Card
from pitboss.money import Money
from pitboss.odds.sides.counting import Class, Pack, classes, draws, pack_of
from pitboss.odds.sides.side_edge import LOSES, Player, SideEdge, SideOutcome, odds_of, outcome_of, side_edge
from pitboss.rulebooks.model.rules import Rules, SideWager

BestPlay = Callable[[Card, Card, Card], str]
"""What the game's best player does with two cards and an up card: `hit`, `stand`, `double`, `split`, `surrender`."""

METHOD = "first three cards and the up card from a fresh shoe, counted exactly"
POT_METHOD = f"{METHOD}; a carried wager meets a fresh shoe again"
DRAWING = frozenset({"hit", "double", "split"})
POT_RANKS = ("6", "7", "8")


def takes_third(best_play: BestPlay | None, cards: Sequence[Card], up: Card) -> bool:
    """The player's next card comes; without an `best_play` the player always takes it."""
    return best_play is None or best_play(cards[0], cards[1], up) in DRAWING


def _player(best_play: BestPlay | None) -> Player:
    return "wager" if best_play is None else "game"


# ---------------------------------------------------------------------- Blackpot


def pot_chances(pack: Pack, best_play: BestPlay | None) -> tuple[Fraction, Fraction]:
    """How likely two cards qualify, and how likely they do and the third completes them."""
    cards = classes(pack)
    start = tuple(item for item in cards if item[0][0] in POT_RANKS)
    two = three = 0
    for (one, other, up), weight in draws(pack, start, start, cards):
        if one[0] == other[0]:
            continue
        two += weight
        if takes_third(best_play, (one, other), up):
            missing = next(rank for rank in POT_RANKS if rank not in (one[0], other[0]))
            three += weight * pack.left(len(SUITS), up[0] == missing)
    return Fraction(two, pack.orders(3)), Fraction(three, pack.orders(4))


class _Payouts:
    """What is paid at each step of one wager, held under the posted maximum."""

    def __init__(self, side: SideWager, stake: Fraction) -> None:
        self.side = side
        self.most = None if side.max_payout is None else Fraction(side.max_payout) / stake
        self.over_all = side.payout_cap == "each-wager"

    def sum_of(self, *steps: str) -> Fraction:
        paid = Fraction(0)
        for step in steps:
            payout = odds_of(self.side, step)
            if self.most is not None:
                payout = min(payout, self.most - paid if self.over_all else self.most)
            paid += payout
        return paid


def blackpot_odds(
    rules: Rules, side: SideWager, *, best_play: BestPlay | None = None, stake: Money | int = 1
) -> SideEdge:
    """One wager from its first round to its end; one carried over stays in play, being worth more there."""
    units = Fraction(stake)
    two, three = pot_chances(pack_of(rules), best_play)
    pays = _Payouts(side, units)
    first, carried = ("two-cards", "three-cards"), ("carried-two-cards", "carried-three-cards")
    armed = two - three
    outcomes = [
        outcome_of(side, LOSES, 1 - two, Fraction(-1)),
        outcome_of(side, "two-cards", armed, pays.sum_of("two-cards") - 1),
        outcome_of(side, "three-cards", three * (1 - two), pays.sum_of(*first) - 1),
        outcome_of(side, "carried-two-cards", three * armed, pays.sum_of(*first, carried[0]) - 1),
        outcome_of(side, "carried-three-cards", three * three, pays.sum_of(*first, *carried)),
    ]
    edge = side_edge(rules, side, outcomes, player=_player(best_play), method=POT_METHOD, stake=units)
    if side.second_win == "carries-again":
        edge = _carried_again(edge, two, three, pays.sum_of(carried[0]), pays.sum_of(*carried))
    return edge


def _carried_again(
    edge: SideEdge, two: Fraction, three: Fraction, paid_two: Fraction, paid_three: Fraction
) -> SideEdge:
    """The same wager where each further 6-7-8 is carried too: a run that can go on for ever, summed in closed form."""
    armed = two - three
    mean = (-(1 - two) + armed * (paid_two - 1) + three * paid_three) / (1 - three)
    square = (1 - two) + armed * (paid_two - 1) ** 2 + three * (paid_three**2 + 2 * paid_three * mean)
    square /= 1 - three
    last = edge.outcomes[-1]
    expectation = edge.expectation + last.probability * mean
    second = edge.variance + edge.expectation**2 + last.probability * (2 * last.net * mean + square)
    note = f"a second 6-7-8 is carried again: what follows it is worth {mean} and is in the expectation"
    return msgspec.structs.replace(
        edge, expectation=expectation, variance=second - expectation**2, notes=(*edge.notes, note)
    )


# ---------------------------------------------------------------------- Magnificent Sevens


def sevens_chances(pack: Pack, best_play: BestPlay | None, three_card_suits: bool) -> dict[str, Fraction]:
    """The probability of each outcome of two and three sevens."""
    cards = classes(pack)
    sevens = tuple(item for item in cards if item[0][0] == "7")
    weights: dict[str, int] = {}
    for (one, other, up), weight in draws(pack, sevens, sevens, cards):
        so_far = "two-suited" if one == other else "two-mixed"
        if not takes_third(best_play, (one, other), up):
            _put(weights, so_far, weight * pack.left(pack.size, 3))
            continue
        for third, per_deck in cards:
            ways = weight * pack.left(per_deck, (one, other, up).count(third))
            if third[0] == "7":
                _put(weights, "three-suited" if one == other == third else "three-mixed", ways)
            elif three_card_suits and third[1] != one[1]:
                _put(weights, "two-mixed", ways)
            else:
                _put(weights, so_far, ways)
    return {name: Fraction(weight, pack.orders(4)) for name, weight in weights.items()}


def _put(weights: dict[str, int], name: str, weight: int) -> None:
    weights[name] = weights.get(name, 0) + weight


def sevens_odds(
    rules: Rules,
    side: SideWager,
    *,
    best_play: BestPlay | None = None,
    entry: Money | int | Fraction = 0,
    stake: Money | int = 1,
) -> SideEdge:
    """Two sevens win, three win more; `entry` is what a tournament entry is worth in money, where one is won."""
    three_cards = side.two_sevens_suits == "three-cards"
    found = sevens_chances(pack_of(rules), best_play, three_cards)
    with_entry = rules.options.get("magnificent_sevens_version") == 1
    units = Fraction(stake)
    outcomes: list[SideOutcome] = []
    for name in side.odds:
        net = odds_of(side, name)
        if with_entry and name == "three-suited":
            net += Fraction(entry) / units
        outcomes.append(outcome_of(side, name, found.get(name, Fraction(0)), net))
    outcomes.append(outcome_of(side, LOSES, 1 - sum(found.values(), Fraction(0)), Fraction(-1)))
    return side_edge(
        rules, side, outcomes, player=_player(best_play), method=METHOD, stake=units,
        entry_probability=found.get("three-suited", Fraction(0)) if with_entry else None,
    )  # fmt: skip


# ---------------------------------------------------------------------- the Super Bonus


class SuperBonusOdds(msgspec.Struct, frozen=True):
    """The Super Bonus for a player who draws to two suited sevens against a seven: how likely, and its worth."""

    probability: Fraction
    tiers: tuple[tuple[Money, Money, Fraction], ...]
    """Original wager from this much on, the sum it is paid, and its worth per unit of the smallest such wager."""
    others: Money
    """What every other original wager on other boxes is paid."""


def super_bonus_odds(rules: Rules) -> SuperBonusOdds | None:
    """The Super Bonus of a game; none where it has none."""
    sums = rules.super_bonus_sums
    if not rules.super_bonus or sums is None:
        return None
    pack = pack_of(rules)
    cards = classes(pack)
    sevens: tuple[Class, ...] = tuple(item for item in cards if item[0][0] == "7")
    weight = sum(
        ways for (one, up, other, third), ways in draws(pack, sevens, sevens, sevens, sevens) if one == other == third
    )
    chance = Fraction(weight, pack.orders(4))
    tiers = tuple((floor, paid, chance * Fraction(paid) / Fraction(floor)) for floor, paid in sums.tiers)
    return SuperBonusOdds(chance, tiers, sums.others)
