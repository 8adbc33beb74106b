"""Every side wager, judged once: what it looks at, its outcomes, and which of them has occurred.

A judge is a function of what a wager has seen (`SeenCards`) and of its terms (`JudgeTerms`), on whole numbers. It
answers with the place of the outcome in its list of outcomes, counted from one, or with 0 for a loss; bits say what
else is to be known. Table, odds, simulator and environments ask the same functions, and the loader of rulebooks takes
its words from the same list, `JUDGES`. A new side wager is a function here and a line there.

Judges know cards and numbers, no book, so they stand below the rulebooks.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

from pitboss.cards import CODE
from pitboss.play._jit import kernel
from pitboss.play.hands import ACE, SEVEN, TEN, is_natural, points_of

# ---------------------------------------------------------------------- what a judge is asked and answers

NO_CARD_CODE = 63
"""In the place of a third card: none came to the box, and none will."""
NOT_DEALT = 62
"""In the place of a third card: it may still come."""


class SeenCards(NamedTuple):
    """What a side wager may be judged by. A card is its code (`pitboss.cards.CODE`)."""

    first: int = NO_CARD_CODE
    second: int = NO_CARD_CODE
    """The first two cards of the box."""
    other_first: int = NO_CARD_CODE
    other_second: int = NO_CARD_CODE
    """Those of the other box of a playing area."""
    up: int = NO_CARD_CODE
    third: int = NOT_DEALT
    """The card dealt to the box after its first two, also into a split hand."""
    dealer_total: int = 0
    dealer_cards: int = 0
    """The dealer's finished hand."""
    tokens: int = 0
    """Free tokens used."""
    carried: int = 0
    """The wager was carried over from the round before."""


class JudgeTerms(NamedTuple):
    """The terms of a wager that its judge depends on: 1 where they hold."""

    sevens_of_three_suits: int = 0
    """The suits of two sevens are those of all three cards."""
    both_tiers: int = 0
    """The higher of two tiers is paid as the lower too."""
    carries_again: int = 0
    """A carried wager that wins on three cards is carried once more."""


LOSES = 0
OUTCOME = 31
"""The bits of an answer that are the place of the outcome."""
UNDECIDED = 32
"""Bit of an answer: a card may still change it."""
DRAWS_PRIZE = 64
"""Bit of an answer: a prize is drawn at random, which makes the outcome."""
CARRIES = 128
"""Bit of an answer: the wager stays in play for the next round."""


# ---------------------------------------------------------------------- cards

_SIX, _EIGHT, _JACK = 5, 7, 10
_SPADES, _CLUBS = 0, 3


@kernel
def rank_of(card: int) -> int:
    """0 for an ace to 12 for a king."""
    return card & 15


@kernel
def suit_of(card: int) -> int:
    """Spades, hearts, diamonds, clubs: 0 to 3."""
    return card >> 4


@kernel
def sum_of_two(seen: SeenCards) -> int:
    """Points of the first two cards, aces as one."""
    return points_of(rank_of(seen.first)) + points_of(rank_of(seen.second))


@kernel
def natural_dealt(seen: SeenCards) -> bool:
    """The first two cards are an ace and a ten-value card."""
    aces = int(rank_of(seen.first) == ACE) + int(rank_of(seen.second) == ACE)
    return is_natural(sum_of_two(seen), aces, 2)


# ---------------------------------------------------------------------- decided by the initial deal


@kernel
def judge_perfect_pairs(seen: SeenCards, terms: JudgeTerms) -> int:
    """Two cards of one rank: of one suit, of one colour, of two."""
    if rank_of(seen.first) != rank_of(seen.second):
        return LOSES
    if seen.first == seen.second:
        return 1
    black_1 = suit_of(seen.first) == _SPADES or suit_of(seen.first) == _CLUBS
    black_2 = suit_of(seen.second) == _SPADES or suit_of(seen.second) == _CLUBS
    return 2 if black_1 == black_2 else 3


@kernel
def judge_pair(seen: SeenCards, terms: JudgeTerms) -> int:
    """Two cards of one rank."""
    return int(rank_of(seen.first) == rank_of(seen.second))


@kernel
def judge_under_13(seen: SeenCards, terms: JudgeTerms) -> int:
    """Twelve or less, aces as one."""
    return int(sum_of_two(seen) < 13)


@kernel
def judge_over_13(seen: SeenCards, terms: JudgeTerms) -> int:
    """Fourteen or more, aces as one."""
    return int(sum_of_two(seen) > 13)


@kernel
def judge_super_match(seen: SeenCards, terms: JudgeTerms) -> int:
    """The ranks of the four cards of an area, by how many pairs of them are alike."""
    one, two = rank_of(seen.first), rank_of(seen.second)
    three, four = rank_of(seen.other_first), rank_of(seen.other_second)
    alike = int(one == two) + int(one == three) + int(one == four)
    alike += int(two == three) + int(two == four) + int(three == four)
    if alike == 6:
        return 1
    if alike == 3:
        return 3
    if alike == 2:
        return 2
    return 4 if alike == 1 else LOSES


@kernel
def judge_crown_suits(seen: SeenCards, terms: JudgeTerms) -> int:
    """Two cards of one suit, and the dealer's up card too."""
    if suit_of(seen.first) != suit_of(seen.second):
        return LOSES
    return 2 if suit_of(seen.up) == suit_of(seen.first) else 1


@kernel
def judge_spread_bet(seen: SeenCards, terms: JudgeTerms) -> int:
    """The sum of two cards, aces as one."""
    points = sum_of_two(seen)
    if points <= 3:
        return 1
    if points <= 5:
        return 2
    return 3 if points <= 9 else LOSES


@kernel
def judge_pandemonium(seen: SeenCards, terms: JudgeTerms) -> int:
    """A natural draws a prize."""
    return DRAWS_PRIZE if natural_dealt(seen) else LOSES


@kernel
def judge_jackpots(seen: SeenCards, terms: JudgeTerms) -> int:
    """Three aces with the up card, or a natural."""
    if rank_of(seen.first) == ACE and rank_of(seen.second) == ACE and rank_of(seen.up) == ACE:
        if seen.first == seen.second and seen.first == seen.up:
            return 1 if suit_of(seen.up) == _SPADES else 2
        return 3
    if natural_dealt(seen):
        return 4 if suit_of(seen.first) == suit_of(seen.second) else 5
    return LOSES


@kernel
def judge_supernova(seen: SeenCards, terms: JudgeTerms) -> int:
    """Ace and jack of spades, or any other natural of one suit."""
    if not natural_dealt(seen) or suit_of(seen.first) != suit_of(seen.second):
        return LOSES
    jack = rank_of(seen.first) == _JACK or rank_of(seen.second) == _JACK
    return 1 if jack and suit_of(seen.first) == _SPADES else 2


# ---------------------------------------------------------------------- decided by play


@kernel
def judge_sevens(seen: SeenCards, terms: JudgeTerms) -> int:
    """Two sevens, then the next card dealt to the box."""
    if rank_of(seen.first) != SEVEN or rank_of(seen.second) != SEVEN:
        return LOSES
    suited = suit_of(seen.first) == suit_of(seen.second)
    if seen.third == NOT_DEALT:
        return (3 if suited else 4) | UNDECIDED
    if seen.third == NO_CARD_CODE:
        return 3 if suited else 4
    alike = suited and suit_of(seen.third) == suit_of(seen.first)
    if rank_of(seen.third) == SEVEN:
        return 1 if alike else 2
    if terms.sevens_of_three_suits != 0:
        return 3 if alike else 4
    return 3 if suited else 4


@kernel
def judge_blackpot(seen: SeenCards, terms: JudgeTerms) -> int:
    """Two of 6-7-8, then the third; a wager that has won on three cards meets the same again in the next round."""
    one, two = rank_of(seen.first), rank_of(seen.second)
    if one == two or one < _SIX or two < _SIX or one > _EIGHT or two > _EIGHT:
        return LOSES
    before = 2 if seen.carried != 0 else 0
    if seen.third == NOT_DEALT:
        return (before + 1) | UNDECIDED
    if seen.third == NO_CARD_CODE or one + two + rank_of(seen.third) != _SIX + SEVEN + _EIGHT:
        return before + 1
    return (before + 2) | (CARRIES if before == 0 or terms.carries_again != 0 else 0)


@kernel
def judge_buster(seen: SeenCards, terms: JudgeTerms) -> int:
    """The dealer's finished hand is over 21; its number of cards is the outcome, eight or more being one."""
    return min(seen.dealer_cards, 8) - 2 if seen.dealer_total > 21 else LOSES


@kernel
def judge_pot_of_gold(seen: SeenCards, terms: JudgeTerms) -> int:
    """The number of tokens, five or more being one outcome."""
    return min(seen.tokens, 5)


# ---------------------------------------------------------------------- what an answer is paid

Steps = Callable[[int, JudgeTerms], tuple[int, ...]]
"""An answer, as the places of the lines of the pay table that are settled one after the other; 0 loses the stake."""


def settle_once(answer: int, terms: JudgeTerms) -> tuple[int, ...]:
    """The outcome, and nothing else."""
    return (answer & OUTCOME,)


def settle_tiers(answer: int, terms: JudgeTerms) -> tuple[int, ...]:
    """The second of two tiers, and where it is read so the first as well."""
    return (2, 1) if answer == 2 and terms.both_tiers else (answer,)


def settle_in_turn(answer: int, terms: JudgeTerms) -> tuple[int, ...]:
    """Two cards are paid and leave the stake for the third, which is paid too or loses it."""
    outcome = answer & OUTCOME
    if outcome == LOSES:
        return (LOSES,)
    two = outcome - 1 + outcome % 2
    if outcome != two:
        return (two, outcome)
    return (two,) if answer & UNDECIDED else (two, LOSES)


# ---------------------------------------------------------------------- the registry

BY_FIRST_TWO, BY_UP_CARD, BY_THIRD_CARD, BY_DEALER_HAND, BY_TOKENS, BY_FOUR_CARDS = range(6)
"""What a judge looks at: the first two cards of the box, and beside them one thing more, or that thing alone."""

INTERIM, WHEN_KNOWN, INTERIM_THEN_FINAL, BOX_FINISHED, FINAL = (
    "interim", "when-known", "interim-then-final", "box-finished", "final",
)  # fmt: skip
"""When a wager is settled, as books say it: on the initial deal; as soon as no card can change it; what is won on the
initial deal then and the rest at the end; when its box takes no more cards; with the dealer's hand."""
MOMENTS: tuple[str, ...] = (INTERIM, WHEN_KNOWN, INTERIM_THEN_FINAL, BOX_FINISHED, FINAL)


class Judge(NamedTuple):
    """All there is to know about a kind of side wager, apart from what a book says."""

    judge: Callable[[SeenCards, JudgeTerms], int]
    outcomes: tuple[str, ...]
    """The lines of its pay table, in the order that answers count them; none where a prize is drawn."""
    looks_at: int
    window: str
    """The same in the word that books use."""
    key: str
    """What of a card it tells apart: one of `KEYS`."""
    settled: tuple[str, ...] = (INTERIM,)
    """When it can be settled: of the words in `MOMENTS`, the usual one first."""
    steps: Steps = settle_once
    picks: tuple[str, ...] = ()
    """Lines that the jackpot system picks, whatever the cards."""

    @property
    def may_have_meters(self) -> bool:
        """Its winners can share a meter: they are known together, and settled in one step."""
        return bool(self.outcomes) and self.settled == (INTERIM,) and self.steps is settle_once


_TWO, _TWO_AND_UP, _DEALER = "first-two-cards", "first-two-cards-and-up-card", "dealer-total-and-card-count"
_BUSTS = ("cards-3", "cards-4", "cards-5", "cards-6", "cards-7", "cards-8")
_USED = ("tokens-1", "tokens-2", "tokens-3", "tokens-4", "tokens-5")
_PAIRS = ("four-of-a-kind", "two-pair", "three-of-a-kind", "pair")
_SEVENS = ("three-suited", "three-mixed", "two-suited", "two-mixed")
_POT = ("two-cards", "three-cards", "carried-two-cards", "carried-three-cards")
_POT_WINDOW = "first-two-then-three-cards-and-next-round"
_ACES = ("suited-aces-spades", "suited-aces", "three-aces", "suited-natural", "unsuited-natural", "lucky")

JUDGES: dict[str, Judge] = {
    "perfect-pairs": Judge(
        judge_perfect_pairs, ("perfect", "coloured", "mixed"), BY_FIRST_TWO, _TWO, "rank-colour-suit"
    ),
    "pair": Judge(judge_pair, ("pair",), BY_FIRST_TWO, _TWO, "rank"),
    "under-13": Judge(judge_under_13, ("under",), BY_FIRST_TWO, _TWO, "total-ace-one"),
    "over-13": Judge(judge_over_13, ("over",), BY_FIRST_TWO, _TWO, "total-ace-one"),
    "super-match": Judge(judge_super_match, _PAIRS, BY_FOUR_CARDS, "first-four-cards-of-area", "rank"),
    "crown-suits": Judge(
        judge_crown_suits, ("matching-suit", "super-suit"), BY_UP_CARD, _TWO_AND_UP, "suit", steps=settle_tiers
    ),
    "pandemonium": Judge(judge_pandemonium, (), BY_FIRST_TWO, _TWO, "natural"),
    "magnificent-sevens": Judge(
        judge_sevens, _SEVENS, BY_THIRD_CARD, "first-three-cards", "rank-suit", (WHEN_KNOWN,)
    ),
    "blackjack-jackpots": Judge(
        judge_jackpots, _ACES, BY_UP_CARD, _TWO_AND_UP, "rank-suit-natural", picks=("lucky",)
    ),
    "blackpot": Judge(
        judge_blackpot, _POT, BY_THIRD_CARD, _POT_WINDOW, "rank", (INTERIM_THEN_FINAL, FINAL), settle_in_turn
    ),
    "supernova": Judge(
        judge_supernova, ("major", "minor", "mystery"), BY_FIRST_TWO, _TWO, "rank-suit-natural", picks=("mystery",)
    ),
    "buster": Judge(judge_buster, _BUSTS, BY_DEALER_HAND, "dealer-hand", _DEALER, (FINAL,)),
    "spread-bet": Judge(judge_spread_bet, ("sum-2-3", "sum-4-5", "sum-6-9"), BY_FIRST_TWO, _TWO, "total-ace-one"),
    "pot-of-gold": Judge(judge_pot_of_gold, _USED, BY_TOKENS, "tokens-used", "token-count", (BOX_FINISHED, FINAL)),
}  # fmt: skip
"""Every judge, by the name that books use."""


# ---------------------------------------------------------------------- cards that are alike


def _by_naturals(card: int) -> int:
    """Aces, jacks and other ten-value cards by suit; all the rest is one class."""
    rank = rank_of(card)
    return NO_CARD_CODE if ACE < rank < TEN else suit_of(card) << 4 | (rank if rank in (ACE, _JACK) else TEN)


def _by_points(card: int) -> int:
    """Ten, jack, queen and king are one class."""
    return points_of(rank_of(card))


KEYS: dict[str, Callable[[int], int]] = {
    "rank-colour-suit": lambda card: card,
    "rank-suit": lambda card: card,
    "rank-suit-natural": _by_naturals,
    "rank": rank_of,
    "suit": suit_of,
    "total-ace-one": _by_points,
    "natural": _by_points,
    _DEALER: _by_points,
    "token-count": _by_points,
}
"""What of a card a judge may tell apart: cards with equal numbers are alike to it."""

for _judge in JUDGES.values():
    assert _judge.key in KEYS
    assert set(_judge.settled) <= set(MOMENTS)
    assert len(_judge.outcomes) <= OUTCOME
    assert _judge.looks_at != BY_FOUR_CARDS or _judge.key == "rank", "four cards are told apart by rank alone"


def alike(key: str) -> dict[int, int]:
    """For the code of every card, the first card that a judge with this key does not tell from it."""
    first: dict[int, int] = {}
    return {card: first.setdefault(KEYS[key](card), card) for card in CODE.values()}


@functools.cache
def third_card_answers(name: str, terms: JudgeTerms, carried: int) -> tuple[int, ...]:
    """Every answer that a judge who looks at the third card can give in the end."""
    judge = JUDGES[name]
    cards = sorted(set(alike(judge.key).values()))
    found = {LOSES}
    for one, two in itertools.product(cards, repeat=2):
        if judge.judge(SeenCards(one, two, carried=carried), terms) & UNDECIDED:
            thirds = (SeenCards(one, two, third=third, carried=carried) for third in (*cards, NO_CARD_CODE))
            found.update(judge.judge(seen, terms) for seen in thirds)
    return tuple(sorted(found))


def carrying_answer(name: str, terms: JudgeTerms, carried: int) -> int:
    """The answer with which a wager is carried to the next round; 0 if there is none."""
    if JUDGES[name].looks_at != BY_THIRD_CARD:
        return 0
    found = [answer for answer in third_card_answers(name, terms, carried) if answer & CARRIES]
    assert len(found) <= 1, f"{name}: what a carried wager has won must be one sum"
    return found[0] if found else 0


def outcome_name(judge: Judge, answer: int) -> str:
    """The outcome of an answer in words; nothing for a loss, or while a prize is still to be drawn."""
    place = answer & OUTCOME
    return judge.outcomes[place - 1] if place else ""


def look_at_dealer_hand(judges: Iterable[str]) -> bool:
    """One of these judges goes by the dealer's finished hand."""
    return any(JUDGES[judge].looks_at == BY_DEALER_HAND for judge in judges)
