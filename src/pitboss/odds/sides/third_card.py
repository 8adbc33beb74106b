"""Wagers that hang on the player's third card: Blackpot, Magnificent Sevens, and the pontoon games' Super Bonus.

Whether there is a third card is the player's choice. One who plays for the wager always takes it; the game's best
player takes it where the game says so, which may depend on the two cards and the dealer's up card.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from pitboss.cards import CODE, Card
from pitboss.money import Money
from pitboss.odds.sides.counting import Class, Pack, classes, list_draws, pack_of
from pitboss.odds.sides.side_edge import LOST, Player, SideEdge, outcome_of, outcomes_of, side_edge
from pitboss.play.side_wagers.judges import (
    CARRIES,
    JUDGES,
    NO_CARD_CODE,
    NOT_DEALT,
    UNDECIDED,
    JudgeTerms,
    SeenCards,
    alike,
    outcome_name,
)
from pitboss.play.side_wagers.side_payments import judge_terms, net_of, sum_earlier_wins
from pitboss.rulebooks.model.rules import Rules, SideWager

BestPlay = Callable[[Card, Card, Card], str]
"""What the game's best player does with two cards and an up card: `hit`, `stand`, `double`, `split`, `surrender`."""

METHOD = "first three cards and the up card from a fresh shoe, counted exactly"
POT_METHOD = f"{METHOD}; a carried wager meets a fresh shoe again"
DRAWING = frozenset({"hit", "double", "split"})
WINS_ENTRY = "three-suited"
"""The outcome that wins an entry to a tournament, where there is one."""


def takes_third(best_play: BestPlay | None, cards: Sequence[Card], up: Card) -> bool:
    """The player's next card comes; without an `best_play` the player always takes it."""
    return best_play is None or best_play(cards[0], cards[1], up) in DRAWING


def _player(best_play: BestPlay | None) -> Player:
    return "wager" if best_play is None else "game"


# ---------------------------------------------------------------------- every third card

Answers = tuple[int, int]
"""What a judge says of a wager in its first round, and of one that was carried to the next."""


def third_card_chances(
    name: str, terms: JudgeTerms, pack: Pack, best_play: BestPlay | None
) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The probability of each answer of a judge who looks at the third card: in a first round, and if carried."""
    same, cards = _alike(name), classes(pack)
    weights: dict[Answers, int] = {}
    for (one, two), weight in list_draws(pack, cards, cards):
        first, second = same[one], same[two]
        answers = _ask(name, terms, first, second, NOT_DEALT)
        if not (answers[0] | answers[1]) & UNDECIDED:
            _put(weights, answers, weight * pack.left(pack.size, 2) * pack.left(pack.size, 3))
            continue
        without = _ask(name, terms, first, second, NO_CARD_CODE)
        by_third, per_deck = _thirds(name, terms, pack.deck, first, second)
        gone = [by_third[first], by_third[second]]
        for up, many in cards:
            ways = weight * pack.left(many, (one, two).count(up))
            if takes_third(best_play, (one, two), up):
                seen = by_third[same[up]]
                for answers, count in per_deck.items():
                    _put(weights, answers, ways * pack.left(count, gone.count(answers) + (answers == seen)))
            else:
                _put(weights, without, ways * pack.left(pack.size, 3))
    chances: tuple[dict[int, Fraction], dict[int, Fraction]] = ({}, {})
    for answers, weight in weights.items():
        for found, answer in zip(chances, answers, strict=True):
            found[answer] = found.get(answer, Fraction(0)) + Fraction(weight, pack.orders(4))
    return chances


@functools.cache
def _alike(name: str) -> dict[Card, int]:
    """For every card the code of the first one that a judge does not tell from it."""
    same = alike(JUDGES[name].key)
    return {card: same[code] for card, code in CODE.items()}


@functools.cache
def _ask(name: str, terms: JudgeTerms, first: int, second: int, third: int) -> Answers:
    judge = JUDGES[name].judge
    return (
        judge(SeenCards(first, second, third=third), terms),
        judge(SeenCards(first, second, third=third, carried=1), terms),
    )


@functools.lru_cache(maxsize=4096)
def _thirds(
    name: str, terms: JudgeTerms, deck: tuple[Card, ...], first: int, second: int
) -> tuple[dict[int, Answers], dict[Answers, int]]:
    """The answers to each third card, and how many cards of a deck have them."""
    by_third: dict[int, Answers] = {}
    per_deck: dict[Answers, int] = {}
    for card in deck:
        third = _alike(name)[card]
        by_third[third] = _ask(name, terms, first, second, third)
        _put(per_deck, by_third[third], 1)
    return by_third, per_deck


def _put(weights: dict[Answers, int], answers: Answers, weight: int) -> None:
    weights[answers] = weights.get(answers, 0) + weight


# ---------------------------------------------------------------------- wagers of one round


def third_card_odds(
    rules: Rules,
    side: SideWager,
    cards: Pack,
    stake: Fraction,
    *,
    best_play: BestPlay | None = None,
    entry: Money | int | Fraction = 0,
) -> SideEdge:
    """A wager that ends with its round; `entry` is what a tournament entry is worth in money, where one is won."""
    terms = judge_terms(side)
    found, _ = third_card_chances(side.judge, terms, cards, best_play)
    outcomes = outcomes_of(side, found, stake)
    chance: Fraction | None = None
    if rules.options.get("magnificent_sevens_version") == 1:
        chance = sum((one.probability for one in outcomes if one.id == WINS_ENTRY), Fraction(0))
        worth = Fraction(entry) / stake
        outcomes = [replace(one, net=one.net + worth) if one.id == WINS_ENTRY else one for one in outcomes]
    return side_edge(
        rules, side, outcomes, player=_player(best_play), method=METHOD, stake=stake, entry_probability=chance
    )


# ---------------------------------------------------------------------- wagers that are carried over

Net = Callable[[int, int], Fraction]
"""What an answer brings per unit staked in a round with so many before it."""


def price_carried(
    rules: Rules, side: SideWager, cards: Pack, stake: Fraction, *, best_play: BestPlay | None = None
) -> SideEdge:
    """One wager from its first round to its end; one carried over stays in play, being worth more there."""
    judge, terms = JUDGES[side.judge], judge_terms(side)
    first, later = third_card_chances(side.judge, terms, cards, best_play)
    paid = sum_earlier_wins(side, stake)

    def net(answer: int, before: int) -> Fraction:
        return net_of(side, answer, stake, {}, paid[min(before, len(paid) - 1)]) / stake

    outcomes = []
    for answer, chance in sorted(first.items()):
        name, won = outcome_name(judge, answer), net(answer, 0)
        if not answer & CARRIES:
            outcomes.append(outcome_of(side, name or LOST, chance, won))
            continue
        for then, other in sorted(later.items()):
            outcomes.append(outcome_of(side, outcome_name(judge, then) or name, chance * other, won + net(then, 1)))
    edge = side_edge(rules, side, outcomes, player=_player(best_play), method=POT_METHOD, stake=stake)
    again = next((answer for answer in later if answer & CARRIES), None)
    return edge if again is None else _carry_again(edge, later, again, net, len(paid) - 1)


def _carry_again(edge: SideEdge, later: dict[int, Fraction], again: int, net: Net, last: int) -> SideEdge:
    """The same wager where each further win on three cards is carried too."""
    mean, square = _further(later, again, net, 2, last)
    twice = edge.outcomes[-1]
    expectation = edge.expectation + twice.probability * mean
    second = edge.variance + edge.expectation**2 + twice.probability * (2 * twice.net * mean + square)
    note = f"a second 6-7-8 is carried again: what follows it is worth {mean} and is in the expectation"
    return replace(edge, expectation=expectation, variance=second - expectation**2, notes=(*edge.notes, note))


def _further(later: dict[int, Fraction], again: int, net: Net, before: int, last: int) -> tuple[Fraction, Fraction]:
    """Mean and mean square of what a wager with so many rounds before it still brings.

    From round `last` on all rounds are alike: a run that can go on for ever, summed in closed form.
    """
    mean = sum((chance * net(answer, before) for answer, chance in later.items()), Fraction(0))
    square = sum((chance * net(answer, before) ** 2 for answer, chance in later.items()), Fraction(0))
    chance, won = later[again], net(again, before)
    if before >= last:
        mean /= 1 - chance
        return mean, (square + 2 * chance * won * mean) / (1 - chance)
    then, then_square = _further(later, again, net, before + 1, last)
    return mean + chance * then, square + chance * (2 * won * then + then_square)


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
        ways
        for (one, up, other, third), ways in list_draws(pack, sevens, sevens, sevens, sevens)
        if one == other == third
    )
    chance = Fraction(weight, pack.orders(4))
    tiers = tuple((floor, paid, chance * Fraction(paid) / Fraction(floor)) for floor, paid in sums.tiers)
    return SuperBonusOdds(chance, tiers, sums.others)
