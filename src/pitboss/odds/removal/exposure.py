"""What counting can gain on a wager: how far its worth moves as cards leave the shoe, and how often it is worth a bet.

To first order what a wager is worth is a sum over the cards left, so at each depth of the shoe it is close to normal,
with a deviation that follows from the effects of removal. Wagers on two cards are not left at that: for them, what
sampled compositions are worth is worked out exactly, which also finds what only uneven depletion brings.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction

import msgspec
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import CODE, SUITS, Card
from pitboss.formats.frames import Tabular
from pitboss.odds.removal.count_systems import CountSystem, correlation
from pitboss.odds.removal.effects import VALUES, RemovalEffects, full_shoe
from pitboss.play.side_wagers.judges import BY_FOUR_CARDS, JUDGES, NO_CARD_CODE, SeenCards
from pitboss.play.side_wagers.side_payments import judge_terms, net_of
from pitboss.rulebooks.model.rules import Rules, SideWager

DEPTHS = 24
FOUR = 4
SAMPLES, SAMPLES_OF_FEW, FEW_KINDS = 1000, 4000, 13
"""Compositions sampled at each depth for a wager on two cards; more where few kinds of cards are told apart."""
SEED = 17


class Exposure(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """What a wager offers to somebody who counts, betting one unit when it is worth it and nothing when it is not."""

    game: str
    wager: str
    decks: int
    penetration: float
    expectation: float
    """From the full shoe."""
    deviation: float
    """Of the expectation before the last round of the shoe."""
    bet_share: float
    """Share of rounds in which the wager favours a player who knows every card that has gone."""
    gain: float
    """What that player wins of each round dealt, in units."""
    gain_by_count: float
    """The same for a player who knows the count alone; 0 where no count is named."""
    correlation: float
    count: str
    method: str

    def rows(self) -> list[dict[str, object]]:
        """One row."""
        return [dict(msgspec.structs.asdict(self))]


def spread_of_normal(mean: float, deviation: float) -> tuple[float, float]:
    """Of something normal: how often it is above zero, and the mean of what is above zero."""
    if deviation <= 0:
        return float(mean > 0), max(mean, 0.0)
    z = mean / deviation
    above = 0.5 * math.erfc(-z / math.sqrt(2))
    return above, mean * above + deviation * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def depths(cards: int, penetration: float) -> list[float]:
    """Cards left at evenly spread moments before the cut card comes."""
    return [cards * (1 - penetration * (step + 0.5) / DEPTHS) for step in range(DEPTHS)]


def device_exposure(effects: RemovalEffects, cards_out: float, system: CountSystem | None = None) -> Exposure:
    """What a continuous device leaves: at most the cards of a round or two are out of the shoe when bets are placed."""
    left = effects.cards - cards_out
    return _by_first_order(
        effects, [left], cards_out / effects.cards, system, f"{cards_out:.0f} cards out of the device"
    )


def wager_exposure(
    rules: Rules, effects: RemovalEffects, penetration: float, system: CountSystem | None = None, cards_out: float = 0.0
) -> Exposure:
    """What a wager offers, by sampled compositions where two cards decide it, and to first order elsewhere.

    `cards_out`: it is dealt from a continuous device, which never has more cards out than these.
    """
    side = rules.side_wager(effects.wager)
    first = device_exposure(effects, cards_out, system) if cards_out else exposure(effects, penetration, system)
    left = [effects.cards - cards_out] if cards_out else depths(effects.cards, penetration)
    if side is not None and sees_two_cards(side):
        return _by_samples(rules, side, first, left)
    if side is not None and JUDGES[side.judge].looks_at == BY_FOUR_CARDS:
        return _of_four_cards(rules, side, first, left)
    return first


def exposure(effects: RemovalEffects, penetration: float, system: CountSystem | None = None) -> Exposure:
    """What a wager offers to first order, over all rounds of a shoe dealt so far."""
    method = "first order in the cards left, close to normal at each depth"
    return _by_first_order(effects, depths(effects.cards, penetration), penetration, system, method)


def _by_first_order(
    effects: RemovalEffects, left: list[float], penetration: float, system: CountSystem | None, method: str
) -> Exposure:
    tells = 0.0 if system is None else abs(correlation(system, effects))
    every = [spread_of_normal(effects.expectation, effects.deviation(cards)) for cards in left]
    counted = [spread_of_normal(effects.expectation, tells * effects.deviation(cards)) for cards in left]
    return Exposure(
        game=effects.game,
        wager=effects.wager,
        decks=effects.decks,
        penetration=penetration,
        expectation=effects.expectation,
        deviation=effects.deviation(left[-1]),
        bet_share=sum(share for share, _ in every) / len(every),
        gain=effects.stake_per_round * sum(gain for _, gain in every) / len(every),
        gain_by_count=0.0
        if system is None
        else effects.stake_per_round * sum(gain for _, gain in counted) / len(counted),
        correlation=tells,
        count="" if system is None else system.id,
        method=method,
    )


def count_shares(system: CountSystem, shares: Mapping[str, float], cards: int, penetration: float) -> dict[int, float]:
    """How often each true count, rounded down, comes before a round, to first order."""
    mean = sum(shares[value] * system.tags[value] for value in VALUES)
    spread = math.sqrt(sum(shares[value] * (system.tags[value] - mean) ** 2 for value in VALUES))
    neutral = system.neutral(shares)
    found: dict[int, float] = {}
    for left in depths(cards, penetration):
        deviation = 52 * spread * math.sqrt((cards - left) / (left * (cards - 1)))
        for count in range(-30, 31):
            low, high = (0.5 * math.erfc((neutral - edge) / deviation / math.sqrt(2)) for edge in (count, count + 1))
            found[count] = found.get(count, 0.0) + (high - low) / DEPTHS
    return {count: share for count, share in found.items() if share > 1e-7}


# Wagers on two cards -------------------------------------------------------------------------------------


def sees_two_cards(side: SideWager) -> bool:
    """The wager is decided by the two cards of its box, at fixed odds."""
    return JUDGES[side.judge].looks_at == 0 and not side.meters and not side.prizes


def two_card_exposure(
    rules: Rules, side: SideWager, effects: RemovalEffects, penetration: float, system: CountSystem | None = None
) -> Exposure:
    """What a wager on two cards offers: sampled compositions, each worth what it is exactly."""
    return _by_samples(rules, side, exposure(effects, penetration, system), depths(effects.cards, penetration))


def _by_samples(rules: Rules, side: SideWager, first: Exposure, depths_left: list[float]) -> Exposure:
    pays, counts = _kinds_of(side, full_shoe(rules))
    samples = SAMPLES if len(counts) > FEW_KINDS else SAMPLES_OF_FEW
    source = np.random.default_rng(SEED)
    every = [
        _worth_of_two(source.multivariate_hypergeometric(counts, round(left), size=samples), pays)
        for left in depths_left
    ]
    return _sum_up_samples(first, every, samples * len(depths_left))


def _of_four_cards(rules: Rules, side: SideWager, first: Exposure, depths_left: list[float]) -> Exposure:
    """The same for a wager on the ranks of four cards."""
    cards = full_shoe(rules)
    ranks = sorted({card[0] for card in cards})
    counts = np.array([sum(card[0] == rank for card in cards) for rank in ranks])
    hands = list(itertools.combinations_with_replacement(range(len(ranks)), FOUR))
    held = np.array([[hand.count(rank) for rank in range(len(ranks))] for hand in hands])
    pays = _pays_of_four(side, [f"{rank}{SUITS[0]}" for rank in ranks], hands)
    source = np.random.default_rng(SEED)
    every = []
    for left in depths_left:
        shoes = source.multivariate_hypergeometric(counts, round(left), size=SAMPLES)
        ways = np.stack([np.ones(shoes.shape), *np.cumprod([shoes - held for held in range(FOUR)], axis=0)])
        ways = ways / np.array([math.factorial(many) for many in range(FOUR + 1)])[:, None, None]
        chances = np.ones((SAMPLES, len(hands)))
        for rank in range(len(ranks)):
            chances *= ways[held[:, rank], :, rank].T
        every.append(chances @ pays / chances.sum(axis=1))
    return _sum_up_samples(first, every, SAMPLES * len(depths_left))


def _pays_of_four(side: SideWager, ranks: list[Card], hands: list[tuple[int, ...]]) -> NDArray[np.float64]:
    """What four cards of these ranks pay, the mean over their orders."""
    judge, terms = JUDGES[side.judge], judge_terms(side)

    def net(order: tuple[int, ...]) -> float:
        codes = [CODE[ranks[place]] for place in order]
        answer = judge.judge(SeenCards(codes[0], codes[1], codes[2], codes[3], NO_CARD_CODE), terms)
        return float(net_of(side, answer, Fraction(1), {})) if answer > 0 else -1.0

    return np.array([np.mean([net(order) for order in itertools.permutations(hand)]) for hand in hands])


def _sum_up_samples(first: Exposure, every: list[NDArray[np.float64]], samples: int) -> Exposure:
    """An exposure from what sampled compositions are worth, depth by depth."""
    worth = np.concatenate(every)
    return msgspec.structs.replace(
        first,
        deviation=float(every[-1].std()),
        bet_share=float((worth > 0).mean()),
        gain=float(np.maximum(worth, 0).mean()),
        method=f"{samples:,} sampled compositions, each worked out exactly; by count to first order",
    )


def _kinds_of(side: SideWager, cards: list[Card]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """What two cards pay by their kinds, and how many cards of each kind there are; what pays alike is one kind."""
    different = sorted(set(cards))
    pays = _pays(side, different)
    alike: dict[bytes, list[int]] = {}
    for place in range(len(different)):
        alike.setdefault(pays[place].tobytes() + pays[:, place].tobytes(), []).append(place)
    many = [sum(cards.count(different[place]) for place in places) for places in alike.values()]
    first = [places[0] for places in alike.values()]
    return pays[np.ix_(first, first)], np.array(many)


def _pays(side: SideWager, kinds: list[Card]) -> NDArray[np.float64]:
    judge, terms = JUDGES[side.judge], judge_terms(side)
    pays = np.zeros((len(kinds), len(kinds)))
    for one, first in enumerate(kinds):
        for two, second in enumerate(kinds):
            seen = SeenCards(CODE[first], CODE[second], NO_CARD_CODE, NO_CARD_CODE, NO_CARD_CODE)
            answer = judge.judge(seen, terms)
            pays[one, two] = float(net_of(side, answer, Fraction(1), {})) if answer > 0 else -1.0
    return pays


def _worth_of_two(shoes: NDArray[np.int64], pays: NDArray[np.float64]) -> NDArray[np.float64]:
    """What two cards from each of these shoes are worth."""
    left = shoes.sum(axis=1)
    pairs = np.einsum("si,ij,sj->s", shoes, pays, shoes) - shoes @ np.diag(pays)
    worth: NDArray[np.float64] = pairs / (left * (left - 1))
    return worth
