"""What a side wager is worth after each card that it looks at: what the correction of its estimate subtracts.

As with hands, whatever the values are the correction has mean zero, and the nearer they are to the truth the less luck
is left. A wager on cards that a box is dealt is valued exactly for the first round of a full shoe, with the cards gone
that it has seen: prizes for three cards are so rare that nothing less would do. Wagers on the dealer's hand and on
tokens, for which many cards count, are valued by the shares of a full shoe.

A carried wager is worth at the end of a round what it may still win, and at the beginning of the next the same.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pitboss.play.doubling import double_is_free
from pitboss.play.hands import ACE, points_of
from pitboss.play.naturals import makes_natural
from pitboss.play.packed import Packed
from pitboss.play.side_wagers.judges import (
    BY_DEALER_HAND,
    BY_FIRST_TWO,
    BY_FOUR_CARDS,
    BY_THIRD_CARD,
    BY_TOKENS,
    BY_UP_CARD,
    CARRIES,
    DRAWS_PRIZE,
    NO_CARD_CODE,
    OUTCOME,
)
from pitboss.play.side_wagers.side_tables import CODES, MOST_CARDS, SideTables
from pitboss.play.splitting import has_room_to_split, holds_own_stake, most_hands, split_is_free
from pitboss.sim.unfold.luck_tables import FIRST_FINAL, RANK_COUNT
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, WIDTH, PlayTables

TOKENS = 6
"""Numbers of tokens told apart: from none to five, and more."""

Floats = NDArray[np.float64]
Codes = NDArray[np.uint8]


class TokenLuck(NamedTuple):
    """The tokens that a box may still use; empty where no wager is on them."""

    hands: Floats
    """[up card, state, further tokens] -> chance."""
    pays: Floats
    """[wager, hands that wait, hands, first card, up card, tokens used] -> worth when the hand in play uses no more."""
    first: Floats
    """[wager, first card]"""
    up: Floats
    """[wager, first card, up card]"""
    second: Floats
    """[wager, up card, first card, second card]"""
    splits: NDArray[np.int64]
    """[rank] -> tokens that a split uses."""


class DealerLuck(NamedTuple):
    """A wager on the dealer's hand; empty where there is none."""

    up: Floats
    """[wager, up card]"""
    hands: Floats
    """[wager, up card, cards, state of the dealer's hand]"""
    before: Floats
    """[wager, card] -> what the wager is worth before the up card, when this one is gone."""
    after: Floats
    """[wager, up card, card] -> the same with the up card known."""


class SideLuck(NamedTuple):
    """Values of side wagers, in stakes; empty where nothing is corrected."""

    ends: Floats
    """[wager, rounds carried, class, further number] -> what the round brings and what is carried on."""
    start: Floats
    """[wager, rounds carried] -> what it is worth before a round."""
    first: Floats
    """[wager, rounds carried, first card]"""
    up: Floats
    """[wager, rounds carried, first card, up card]"""
    thirds: Floats
    """[wager, rounds carried, class] -> sum over all cards of the shoe as the third."""
    draws: NDArray[np.uint8]
    """[up card, first card, second card], by rank -> 1 if the box takes a third card."""
    wagers: int
    """How many each box has."""
    of_each: int
    """How many of a kind lie on the table: one for each box, or for each area of two."""
    cards: int
    """Cards of a full shoe."""
    pays: Floats
    """[wager, outcome]"""
    four_first: Floats
    """[wager, rank] -> an area with its first card."""
    four_pair: Floats
    """[wager, rank, rank] -> with the first cards of both boxes."""
    four_up: Floats
    """[wager, rank, rank, up card]"""
    four_sum: Floats
    """[wager, rank, rank, rank] -> sum over all cards of the shoe as the fourth."""
    gain: Floats
    """[wager, card] -> what the wagers of a round are worth more for each share of the cards."""
    dealer: DealerLuck
    tokens: TokenLuck


def no_side_luck() -> SideLuck:
    """The tables of a plan that corrects no side wager."""

    def none(dimensions: int) -> Floats:
        return np.zeros((0,) * dimensions)

    return SideLuck(
        none(4), none(2), none(3), none(4), none(3), np.zeros((0, 0, 0), np.uint8), 0, 0, 0, none(2), none(2), none(3),
        none(4), none(4), none(2), DealerLuck(none(2), none(4), none(2), none(3)),
        TokenLuck(none(3), none(6), none(2), none(3), none(4), np.zeros(0, np.int64)),
    )  # fmt: skip


def value_sides(
    rules: Packed, tables: PlayTables, sides: SideTables, count: int, of_each: int, fresh: Codes
) -> SideLuck:
    """The values of the side wagers, `count` of them on each box, in a game played from these tables."""
    shoe = np.bincount(fresh, minlength=CODES).astype(float)
    ranks = shoe.reshape(-1, WIDTH)[:, :RANK_COUNT].sum(axis=0)
    rounds = sides.answers.shape[1]
    nets = sides.nets / sides.parts[:, None]
    draws = _find_draws(tables)
    ends = np.zeros(sides.answers.shape)
    start = np.zeros((count, rounds))
    first, up = np.zeros((count, rounds, CODES)), np.zeros((count, rounds, CODES, CODES))
    thirds = np.zeros((count, rounds, sides.answers.shape[2]))
    gain = np.zeros((count, CODES))
    four = [np.zeros((count, *(RANK_COUNT,) * dimensions)) for dimensions in (1, 2, 3, 3)]
    for wager in range(count):
        source = int(sides.source[wager])
        known = _pay_ends(sides, nets, wager)
        carries = sides.answers[wager] & CARRIES != 0
        for carried in reversed(range(rounds)):
            then = min(carried + 1, rounds - 1)
            ends[wager, carried] = known[carried] + carries[carried] * start[wager, then]
            thirds[wager, carried] = ends[wager, carried] @ shoe
            if source not in (BY_FIRST_TWO, BY_UP_CARD, BY_THIRD_CARD):
                continue
            worth = _value_cards(sides, ends, wager, carried, source, shoe, draws)
            if then == carried and carries[carried].any():
                # What is carried is worth the same in the next round, so the round is worth a + p (a + p (a + ...)).
                once = worth.start
                ends[wager, carried] = known[carried] + carries[carried]
                chance = _value_cards(sides, ends, wager, carried, source, shoe, draws).start - once
                ends[wager, carried] = known[carried] + carries[carried] * once / (1 - chance)
                thirds[wager, carried] = ends[wager, carried] @ shoe
                worth = _value_cards(sides, ends, wager, carried, source, shoe, draws)
            start[wager, carried], first[wager, carried], up[wager, carried] = worth.start, worth.first, worth.up
            gain[wager] = worth.gain
        if source == BY_FOUR_CARDS:
            for table, found in zip(four, _value_four(sides, nets, wager, ranks), strict=True):
                table[wager] = found
            gain[wager] = _by_card(4 * four[0][wager])
    dealer = _value_dealer(tables, sides, ends, count, ranks)
    tokens = _value_tokens(rules, tables, sides, ends, count, ranks)
    for wager in range(count):
        if sides.source[wager] == BY_DEALER_HAND:
            gain[wager] = _by_card(-dealer.before[wager] * (fresh.size - 1))
        elif sides.source[wager] == BY_TOKENS:
            seconds = np.einsum("u,o,uot->t", ranks, ranks, tokens.second[wager]) / ranks.sum() ** 2
            gain[wager] = _by_card(tokens.first[wager] + seconds)
    gain = of_each * (gain - (gain @ shoe / fresh.size)[:, None]) * (shoe > 0)
    return SideLuck(
        ends, start, first, up, thirds, draws, count, of_each, fresh.size, nets, four[0], four[1], four[2], four[3],
        gain, dealer, tokens,
    )  # fmt: skip


def _by_card(ranks: Floats) -> Floats:
    """What is known by rank, by card."""
    row = np.zeros(WIDTH)
    row[:RANK_COUNT] = ranks
    return np.tile(row, CODES // WIDTH)


def _pay_ends(sides: SideTables, nets: Floats, wager: int) -> Floats:
    """[rounds carried, class, further number] -> what the round brings; a prize that is drawn, its mean."""
    answers = sides.answers[wager]
    tickets = np.diff(sides.prize_ends, prepend=0)
    prize = float(tickets @ nets[wager, 1 : 1 + len(tickets)]) / sides.prize_total
    return np.where(answers & DRAWS_PRIZE != 0, prize, nets[wager][answers & OUTCOME])


class _CardWorth(NamedTuple):
    """What a wager on the cards of a box is worth."""

    start: float
    first: Floats
    up: Floats
    gain: Floats
    """[card] -> the sum over its places in a round of what the wager is worth when it lies there."""


def _find_draws(tables: PlayTables) -> Codes:
    """[up card, first card, second card] -> 1 if the box takes a third card."""
    draws = np.zeros((RANK_COUNT,) * 3, np.uint8)
    opening, act = tables.opening.reshape(-1, WIDTH), tables.act.reshape(-1, WIDTH)
    for up, one, two in np.ndindex(draws.shape):
        acts = act[int(opening[one, two]), up] not in (DO_STAND, DO_SURRENDER)
        draws[up, one, two] = acts and not makes_natural(one, two)
    return draws


def _value_cards(
    sides: SideTables, ends: Floats, wager: int, carried: int, source: int, shoe: Floats, draws: Codes
) -> _CardWorth:
    """A wager on the first cards of a box: exact where no other box has cards."""
    size, codes = shoe.sum(), np.arange(CODES)
    table, classes = ends[wager, carried], sides.classes[wager].reshape(CODES, CODES)
    paired = table[classes]
    one, two = np.ogrid[:CODES, :CODES]
    thirds = (table @ shoe)[classes] - paired[one, two, one] - paired[one, two, two]
    by_rank = np.ix_(*(np.minimum(codes & 15, RANK_COUNT - 1),) * 2)
    up_worth, seconds, thirds_of_class = np.zeros((CODES, CODES)), np.zeros(CODES), np.zeros(len(table))
    for up in np.flatnonzero(shoe):
        pairs = paired[:, :, up if source == BY_UP_CARD else 0]
        if source == BY_THIRD_CARD:
            third = (thirds - paired[:, :, up]) / (size - 3)
            takes = draws[up & 15][by_rank] != 0
            pairs = np.where(takes, third, paired[:, :, NO_CARD_CODE])
            chance = np.outer(shoe, shoe) * (shoe[up] / size**3) * takes
            thirds_of_class += np.bincount(classes.reshape(-1), chance.reshape(-1), len(table))
        seconds += shoe @ pairs * (shoe[up] / size**2)
        up_worth[:, up] = (pairs @ shoe - pairs.diagonal() - pairs[:, up]) / (size - 2)
    first = (up_worth @ shoe - up_worth.diagonal()) / (size - 1)
    gain = first + shoe @ up_worth / size + seconds + (thirds_of_class @ table)[:CODES]
    return _CardWorth(float(first @ shoe / size), first, up_worth, gain)


def _value_four(sides: SideTables, nets: Floats, wager: int, ranks: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """A wager on the four cards of an area, by rank: after one card, two, two and the up card; sums over the fourth."""
    size, answers = ranks.sum(), sides.four[sides.four_row[wager]].reshape((WIDTH,) * 4)
    paid = nets[wager][answers[(slice(RANK_COUNT),) * 4] & OUTCOME]
    # It matters to no such wager which of the cards came first, so the places of `paid` can be taken in any order.
    sums = paid @ ranks
    i, j, k = np.ogrid[(slice(RANK_COUNT),) * 3]
    known = paid[i, j, k, i] + paid[i, j, k, j] + paid[i, j, k, k]
    i, j = np.ogrid[(slice(RANK_COUNT),) * 2]
    after_up = np.zeros((RANK_COUNT,) * 3)
    for up in range(RANK_COUNT):
        three = (sums - known - paid[..., up]) / (size - 4)
        after_up[:, :, up] = (three @ ranks - three[i, j, i] - three[i, j, j] - three[:, :, up]) / (size - 3)
    pair = (after_up @ ranks - after_up[i, j, i] - after_up[i, j, j]) / (size - 2)
    return (pair @ ranks - pair.diagonal()) / (size - 1), pair, after_up, sums


def _value_dealer(tables: PlayTables, sides: SideTables, ends: Floats, count: int, ranks: Floats) -> DealerLuck:
    """Wagers on how the dealer busts, if the hand is completed, by the shares of the cards that are left."""
    wagers = [wager for wager in range(count) if sides.source[wager] == BY_DEALER_HAND]
    finals = FIRST_FINAL + len(tables.final_total)
    up, before = np.zeros((count, RANK_COUNT)), np.zeros((count, RANK_COUNT))
    hands, after = np.zeros((count, RANK_COUNT, MOST_CARDS, finals)), np.zeros((count, RANK_COUNT, RANK_COUNT))
    gone = np.eye(RANK_COUNT)
    for wager in wagers:
        pays = ends[wager, 0, sides.classes[wager, 0]]
        whole, one = ranks, ranks - gone
        two = one[:, None] - gone
        shoes = np.concatenate([whole[None], one, two.reshape(-1, RANK_COUNT)])
        worth = _value_dealer_hands(tables, pays, shoes / shoes.sum(axis=1, keepdims=True))
        hands[wager] = worth[1 : 1 + RANK_COUNT]
        starts = tables.dealer_start[:RANK_COUNT]
        by_up = worth[:, 1, starts]
        up[wager] = by_up[1 : 1 + RANK_COUNT].diagonal()
        after[wager] = by_up[1 + RANK_COUNT :].reshape((RANK_COUNT,) * 3)[
            np.arange(RANK_COUNT), :, np.arange(RANK_COUNT)
        ]
        before[wager] = after[wager].T @ ranks / ranks.sum()
    return DealerLuck(up, hands, before, after)


def _value_dealer_hands(tables: PlayTables, pays: Floats, shares: Floats) -> Floats:
    """[shoe, cards, state of the dealer's hand] -> worth, for shoes with these shares of the ranks."""
    moves = tables.dealer.reshape(-1, WIDTH)[:, :RANK_COUNT]
    busts = tables.final_total % 100 > 21
    worth = np.zeros((len(shares), MOST_CARDS, FIRST_FINAL + len(busts)))
    for cards in reversed(range(MOST_CARDS)):
        worth[:, cards, FIRST_FINAL:] = np.where(busts, pays[cards], pays[0])
        if cards + 1 < MOST_CARDS:
            worth[:, cards, : len(moves)] = np.einsum("br,bsr->bs", shares, worth[:, cards + 1][:, moves])
    return worth


def _value_tokens(
    rules: Packed, tables: PlayTables, sides: SideTables, ends: Floats, count: int, ranks: Floats
) -> TokenLuck:
    """Wagers on the free tokens that a box uses, by the shares of a full shoe less the cards that begin its hands."""
    wagers = [wager for wager in range(count) if sides.source[wager] == BY_TOKENS]
    if not wagers:
        return no_side_luck().tokens
    hands = _chance_tokens(rules, tables, ranks / ranks.sum())
    splits = np.array([int(split_is_free(rules, points_of(rank))) for rank in range(RANK_COUNT)], np.int64)
    most = max(most_hands(rules, False), most_hands(rules, True))
    pays = np.zeros((count, most + 1, most + 1, RANK_COUNT, RANK_COUNT, TOKENS))
    first, up = np.zeros((count, RANK_COUNT)), np.zeros((count, RANK_COUNT, RANK_COUNT))
    second = np.zeros((count, *(RANK_COUNT,) * 3))
    opening, act = tables.opening.reshape(-1, WIDTH), tables.act.reshape(-1, WIDTH)
    without = ranks - np.eye(RANK_COUNT)
    for wager in wagers:
        paid = ends[wager, 0, sides.classes[wager, 0], :TOKENS]
        pays[wager] = _pay_tokens(rules, tables, ranks, hands, paid, most)
        for shown, one, two in np.ndindex(second.shape[1:]):
            state = int(opening[one, two])
            if makes_natural(one, two):
                second[wager, shown, one, two] = paid[0]
            elif act[state, shown] == DO_SPLIT:
                second[wager, shown, one, two] = pays[wager, 2, 2, one, shown, splits[one]]
            else:
                second[wager, shown, one, two] = hands[shown, state] @ paid
        left = without[:, None] - np.eye(RANK_COUNT)
        up[wager] = np.einsum("uot,out->ou", second[wager], left) / left.sum(axis=2)
        first[wager] = (up[wager] * without).sum(axis=1) / without.sum(axis=1)
    return TokenLuck(hands, pays, first, up, second, splits)


def _chance_tokens(rules: Packed, tables: PlayTables, shares: Floats) -> Floats:
    """[up card, state, tokens] -> the chance that a hand in play which does not split uses so many."""
    act = tables.act.reshape(-1, WIDTH)
    act = np.where(act == DO_SPLIT, act[tables.unsplit.astype(np.int64)], act)[:, :RANK_COUNT].T
    grow = tables.grow.reshape(-1, WIDTH)[:, :RANK_COUNT].astype(np.int64)
    hands = np.zeros((*act.shape, TOKENS))
    doubles = (act == DO_DOUBLE) & bool(double_is_free(rules))
    hands[..., 0], hands[..., 1] = ~doubles, doubles
    hits = act == DO_HIT
    while True:
        grown = sum(shares[rank] * hands[:, grow[:, rank]] for rank in range(RANK_COUNT))
        after = np.where(hits[..., None], grown, hands)
        if np.array_equal(after, hands):
            return hands
        hands = after


def _pay_tokens(rules: Packed, tables: PlayTables, ranks: Floats, hands: Floats, paid: Floats, most: int) -> Floats:
    """[hands that wait, hands, first card, up card, tokens used] -> worth of a box split into so many hands."""
    act = tables.act.reshape(-1, WIDTH)[:, :RANK_COUNT]
    pays = np.zeros((most + 1, most + 1, RANK_COUNT, RANK_COUNT, TOKENS))
    pays[0] = paid
    then = np.minimum.outer(np.arange(TOKENS) + np.arange(TOKENS)[:, None], TOKENS - 1)
    for many, rank in product(reversed(range(2, most + 1)), range(RANK_COUNT)):
        value, room = points_of(rank), bool(has_room_to_split(rules, many, rank == ACE, False))
        # Every hand has begun with this rank, and those cards are gone.
        left = np.maximum(ranks - many * (np.arange(RANK_COUNT) == rank) - np.eye(RANK_COUNT), 0.0)
        shares = left / left.sum(axis=1, keepdims=True)
        for waiting in range(1, many + 1):
            own = holds_own_stake(rules, value, many - waiting, many)
            opened = tables.split_opening if own else tables.other_opening
            for card in range(RANK_COUNT):
                state = int(opened[rank * WIDTH + card])
                state = state if room else int(tables.unsplit[state])
                plays = np.einsum("uj,utj->ut", hands[:, state], pays[waiting - 1, many, rank][:, then])
                if room:
                    used = np.minimum(np.arange(TOKENS) + int(split_is_free(rules, value)), TOKENS - 1)
                    again = pays[waiting + 1, many + 1, rank][:, used]
                    plays = np.where((act[state] == DO_SPLIT)[:, None], again, plays)
                pays[waiting, many, rank] += shares[:, card, None] * plays
    return pays
