"""Pot of Gold: how many free tokens a box uses, over free doubles and free splits.

Only the two cards that a hand starts with decide whether a token is used; the cards a hand draws afterwards have no
say. So the distribution of the tokens is that of a few cards from a fresh shoe (see `packs`), for any player whose
choice to double or split looks at the hand and the up card alone.

A player who plays for this wager splits every pair that is free, splits again while the book lets it, doubles every
hand that may be doubled free, and stands on the rest. Nothing uses more tokens, whatever the cards: a split is a token
at once and two hands that may each use another, where a double is a token and no more; a test compares with the best
of all ways to play.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction

from pitboss.cards import VALUE, Card
from pitboss.odds.sides.counting import BY_VALUE, Pack, classes, list_draws
from pitboss.odds.sides.side_edge import SideEdge, outcomes_of, side_edge
from pitboss.odds.sides.third_card import BestPlay
from pitboss.play.doubling import double_is_free, may_double
from pitboss.play.packed import Packed, pack
from pitboss.play.side_wagers.judges import JUDGES, SeenCards
from pitboss.play.side_wagers.side_payments import judge_terms
from pitboss.play.splitting import may_split, split_is_free
from pitboss.rulebooks.model.rules import Rules, SideWager

METHOD = "the cards that start each hand of the box, drawn from a fresh shoe and counted exactly"
TEN = 10

Choice = Callable[[Card, Card, Card, int, frozenset[str]], str]
"""Hand of two cards, up card, hands of the box so far, what is legal of `double` and `split`: what is done."""


def for_tokens(one: Card, other: Card, up: Card, hands: int, legal: frozenset[str]) -> str:
    """The choice of a player who plays for tokens and does not look at the up card; splitting tens is no token."""
    if "split" in legal and VALUE[one] != TEN:
        return "split"
    return "double" if "double" in legal else "stand"


def as_at_first(best_play: BestPlay) -> Choice:
    """The choice of a player who plays a split hand like the same two cards dealt at first, as far as may be."""

    def choose(one: Card, other: Card, up: Card, hands: int, legal: frozenset[str]) -> str:
        action = best_play(one, other, up)
        return action if action in legal else "stand"

    return choose


def legal_tokens(rules: Packed, one: Card, other: Card, hands: int) -> frozenset[str]:
    """What a two-card hand of a box with `hands` hands may do that could use a token."""
    values = (VALUE[one], VALUE[other])
    split_hand = hands > 1
    from_aces = split_hand and values[0] == 1
    found = set()
    if may_double(rules, sum(values), values.count(1), 2, split_hand, from_aces):
        found.add("double")
    if may_split(rules, *values, *values, 2, hands, from_aces, False):
        found.add("split")
    return frozenset(found)


def token_chances(rules: Packed, cards: Pack, choice: Choice) -> dict[int, Fraction]:
    """The probability of each number of tokens."""
    values = classes(cards, BY_VALUE)
    chances: dict[int, Fraction] = {}

    @functools.cache
    def play(start: Card, up: Card, waiting: int, hands: int, seen: tuple[Card, ...]) -> dict[int, Fraction]:
        """Tokens from here on, while `waiting` hands that start with one card still wait for their second."""
        if waiting == 0:
            return {0: Fraction(1)}
        found: dict[int, Fraction] = {}
        for card, per_deck in values:
            ways = cards.left(per_deck, seen.count(card))
            if ways:
                chance = Fraction(ways, cards.left(cards.size, len(seen)))
                for tokens, then in second(start, card, up, waiting, hands, tuple(sorted((*seen, card)))).items():
                    found[tokens] = found.get(tokens, Fraction(0)) + chance * then
        return found

    def second(
        start: Card, card: Card, up: Card, waiting: int, hands: int, seen: tuple[Card, ...]
    ) -> dict[int, Fraction]:
        action = choice(start, card, up, hands, legal_tokens(rules, start, card, hands))
        if action == "split":
            free = split_is_free(rules, VALUE[start])
            return _later(play(start, up, waiting + 1, hands + 1, seen), int(free))
        free = action == "double" and double_is_free(rules)
        return _later(play(start, up, waiting - 1, hands, seen), int(free))

    first_seen = (values,) if choice is for_tokens else (values, values)
    for seen, weight in list_draws(cards, *first_seen):
        up = seen[1] if len(seen) == 2 else ""
        for tokens, chance in play(seen[0], up, 1, 1, tuple(sorted(seen))).items():
            share = chance * Fraction(weight, cards.orders(len(seen)))
            chances[tokens] = chances.get(tokens, Fraction(0)) + share
    return chances


def _later(chances: dict[int, Fraction], tokens: int) -> dict[int, Fraction]:
    return {count + tokens: chance for count, chance in chances.items()} if tokens else chances


def token_odds(
    rules: Rules, side: SideWager, cards: Pack, stake: Fraction, *, best_play: BestPlay | None = None
) -> SideEdge:
    """Tokens of one player's own box."""
    choice = for_tokens if best_play is None else as_at_first(best_play)
    judge, terms = JUDGES[side.judge].judge, judge_terms(side)
    chances: dict[int, Fraction] = {}
    for tokens, chance in token_chances(pack(rules), cards, choice).items():
        answer = judge(SeenCards(tokens=tokens), terms)
        chances[answer] = chances.get(answer, Fraction(0)) + chance
    outcomes = outcomes_of(side, chances, stake)
    return side_edge(rules, side, outcomes, player="wager" if best_play is None else "game", method=METHOD)
