"""The luck of the cards in a kernel: what each card drawn brings above the mean of the cards that are left.

Before a card is drawn, `follow` is filled with what the round is worth after each rank, as far as that depends on the
card; `note_card` then adds the luck of the card that came. What a round won less its luck has the same mean whatever
the strategy, the cut card or the bets, and a fraction of the variance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pitboss.play._jit import register_all
from pitboss.play.insurance import insurance_halves, odds_of_insurance
from pitboss.play.naturals import makes_natural
from pitboss.play.splitting import split_is_free
from pitboss.sim.kernels.arguments import (
    CORRECTED,
    CORRECTED_2,
    CORRECTED_ROUNDS,
    CORRECTED_SHOES,
    COUNT_NET,
    COUNT_NET_2,
    COUNT_ROUNDS,
    COUNT_SHARES,
    COUNT_WON,
    COUNT_WON_2,
    HALF_COUNTS,
    SHOE_BETS,
    SHOE_BETS_2,
    SHOE_WON_2,
    SHOE_WON_BETS,
    Given,
    Kept,
    Scratch,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, Ints, compile_apart, part
from pitboss.sim.kernels.exchanging import wants_exchange
from pitboss.sim.unfold.later_rounds import LaterRounds
from pitboss.sim.unfold.luck_tables import FREE, OTHER, OWN, RANK_COUNT, Floats
from pitboss.sim.unfold.tables import DO_SPLIT, WIDTH, Small

register_all()

Cube = NDArray[np.float64]
"""[what is known of the dealer's hand, first card, second card] -> worth."""


@part
def follow_nothing(scratch: Scratch) -> None:
    """The next card changes nothing: it is burnt."""
    for rank in range(RANK_COUNT):
        scratch.follow[rank] = 0.0


@part
def follow_first(given: Given, scratch: Scratch, b: int) -> None:
    """The next card is the first of a box."""
    luck = given.luck
    pairs = given.rules.switch != 0 and b & 1 != 0
    for rank in range(RANK_COUNT):
        scratch.follow[rank] = luck.area.firsts[scratch.codes[b - 1, 0] & 15, rank] if pairs else luck.first[rank]


@part
def follow_up(given: Given, scratch: Scratch, boxes: int) -> None:
    """The next card is the dealer's up card."""
    luck, switch = given.luck, given.rules.switch != 0
    for rank in range(RANK_COUNT):
        worth = 0.0
        for b in range(0, boxes, 2 if switch else 1):
            first = scratch.codes[b, 0] & 15
            worth += luck.area.up[first, scratch.codes[b + 1, 0] & 15, rank] if switch else luck.up[first, rank]
        scratch.follow[rank] = worth


@part
def follow_second(given: Given, scratch: Scratch, b: int, up: int) -> None:
    """The next card is the second of a box."""
    luck, codes, first = given.luck, scratch.codes, scratch.codes[b, 0] & 15
    for rank in range(RANK_COUNT):
        if given.rules.switch == 0:
            scratch.follow[rank] = luck.second[up, first, rank]
        elif b & 1 == 0:
            scratch.follow[rank] = luck.area.half[up, first, codes[b + 1, 0] & 15, rank]
        else:
            of_box = codes[b - 1, 0] & 15, codes[b - 1, 1] & 15
            scratch.follow[rank] = worth_of_area(
                given, luck.second, luck.area.second, up, up, of_box[0], of_box[1], first, rank
            )


@part
def worth_of_area(
    given: Given, stay: Cube, go: Cube, row: int, up: int, a_one: int, a_two: int, b_one: int, b_two: int
) -> float:
    """What the ranks of an area are worth, by the tables of boxes that keep their second card and that do not."""
    if wants_exchange(given, a_one, a_two, b_one, b_two, up):
        return float(go[row, a_one, b_two] + go[row, b_one, a_two])
    return float(stay[row, a_one, a_two] + stay[row, b_one, b_two])


@part
def parts_of_insurance(given: Given, insured: int, up: int, natural: bool) -> int:
    """What so many insured boxes win in parts of a wager."""
    staked = given.tables.unit // 2 * insurance_halves(given.rules)
    win, stake = odds_of_insurance(given.rules, up)
    return insured * (staked * win // stake if natural else -staked)


@part
def follow_hole(given: Given, scratch: Scratch, boxes: int, up: int, insured: int) -> None:
    """The next card is the dealer's second, which is known from now on."""
    for rank in range(RANK_COUNT):
        context = RANK_COUNT * (1 + up) + rank
        worth, codes, luck = 0.0, scratch.codes, given.luck
        for b in range(0, boxes, 2 if given.rules.switch != 0 else 1):
            one, two = codes[b, 0] & 15, codes[b, 1] & 15
            if given.rules.switch != 0:
                other = codes[b + 1, 0] & 15, codes[b + 1, 1] & 15
                worth += worth_of_area(given, luck.dealt, luck.area.dealt, context, up, one, two, other[0], other[1])
            else:
                worth += luck.dealt[context, one, two]
        if insured:
            worth += parts_of_insurance(given, insured, up, makes_natural(up, rank))
        scratch.follow[rank] = worth


@part
def role_of(given: Given, own: bool, value: int) -> int:
    """The role of a hand of a split of cards of this value."""
    return OWN if own else FREE if split_is_free(given.rules, value) else OTHER


@compile_apart
def follow_half(
    follow: Floats, hand: Floats, half: Floats, act: Small, opening: Small, unsplit: Small, up: int, rank: int,
    added: Floats, room: bool,
) -> None:  # fmt: skip
    """The next card is the second of a hand of a split; `room`: it may be split again.

    `hand` and `half` are worths of its role, `added` of the halves that a split adds.
    """
    for card in range(RANK_COUNT):
        state = INT64(opening[UINT64(rank * WIDTH + card)])
        if room and act[UINT64(state * WIDTH + up)] == DO_SPLIT:
            follow[card] = half[rank] + added[card]
        else:
            follow[card] = hand[state if room else INT64(unsplit[UINT64(state)])]


@compile_apart
def follow_table(follow: Floats, worth: Floats, table: Small, state: int) -> None:
    """The next card goes to a hand in this state: what it is worth then, by what the table says it becomes."""
    for rank in range(RANK_COUNT):
        follow[rank] = worth[INT64(table[UINT64(state * WIDTH + rank)])]


@compile_apart
def follow_dealer(follow: Floats, ends: Floats, finals: Floats, dealer: Ints, many: int, state: int) -> None:
    """The next card is the dealer's, who has come to this state and may end in so many ways."""
    for rank in range(RANK_COUNT):
        after = dealer[UINT64(state * WIDTH + rank)]
        worth = 0.0
        for final in range(many):
            worth += ends[after, final] * finals[final]
        follow[rank] = worth


@compile_apart
def note_card(follow: Floats, left: Floats, luck: Floats, card: int) -> None:
    """A card has been drawn from what was left, and leads to what it was followed to."""
    mean = cards = 0.0
    for rank in range(RANK_COUNT):
        mean += left[rank] * follow[rank]
        cards += left[rank]
    luck[0] += follow[card & 15] - mean / cards
    left[card & 15] -= 1.0


@part
def place_of_count(given: Given, count: int, cards_left: int) -> int:
    """Where a round is sorted in by the count before it."""
    tagged = given.luck.tagged
    value = count // tagged.multiple if tagged.running != 0 else count * 52 // (cards_left * tagged.multiple)
    return min(max(value, -HALF_COUNTS), HALF_COUNTS) + HALF_COUNTS


@compile_apart
def find_later_luck(later: LaterRounds, gain: Floats, shoe: Codes, dealt: int) -> float:
    """What the cards that were dealt from a shoe brought the rounds after them, above the means of what was left."""
    taken = weighed = more_taken = more_weighed = 0.0
    if later.gain.size > 0:
        # Two sums of each kind, which do not wait for each other.
        for place in range(0, dealt - 1, 2):
            one, two = gain[UINT64(shoe[place])], gain[UINT64(shoe[place + 1])]
            taken += one
            more_taken += two
            weighed += one * later.weights[place]
            more_weighed += two * later.weights[place + 1]
        if dealt % 2:
            last = gain[UINT64(shoe[dealt - 1])]
            taken += last
            weighed += last * later.weights[dealt - 1]
        weighed += more_weighed + later.means[dealt] * (taken + more_taken)
    return -weighed


@part
def add_corrected(sums: Floats, won: float, shoe_won: float, shoe_bets: float, bet: float) -> tuple[float, float]:
    """Add a round's corrected result, in units; what its shoe has come to with it."""
    sums[CORRECTED_ROUNDS] += 1.0
    sums[CORRECTED] += won
    sums[CORRECTED_2] += won * won
    return shoe_won + won, shoe_bets + bet


@part
def add_shoe(sums: Floats, won: float, bets: float, later: float) -> None:
    """A shoe is over: the rounds of one shoe are alike, and errors are those of whole shoes.

    `later`: what its cards brought later rounds, in units.
    """
    if bets > 0.0 or later != 0.0:
        won -= later
        sums[CORRECTED] -= later
        sums[CORRECTED_SHOES] += 1.0
        sums[SHOE_BETS] += bets
        sums[SHOE_WON_2] += won * won
        sums[SHOE_WON_BETS] += won * bets
        sums[SHOE_BETS_2] += bets * bets


@part
def note_shares(kept: Kept, scratch: Scratch, sorted_in: int) -> None:
    """Note what the shoe holds before a round with this count."""
    left = 0.0
    for rank in range(RANK_COUNT):
        left += scratch.left[rank]
    for rank in range(RANK_COUNT):
        kept.by_count[sorted_in, COUNT_SHARES + rank] += scratch.left[rank] / left


@part
def add_by_count(kept: Kept, sorted_in: int, won: float, net: float) -> None:
    """Add a round to those with its count."""
    row = kept.by_count
    row[sorted_in, COUNT_ROUNDS] += 1.0
    row[sorted_in, COUNT_WON] += won
    row[sorted_in, COUNT_WON_2] += won * won
    row[sorted_in, COUNT_NET] += net
    row[sorted_in, COUNT_NET_2] += net * net
