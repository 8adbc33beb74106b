"""The kernel: rounds of any game, played from tables, summed in whole numbers.

One kernel serves every game. What a hand does and what it is worth comes from `Tables`; what spans hands (what a
dealer's natural takes, how much of the dealer's hand is needed) is asked of the functions of `play`, compiled here.
Nothing is allocated inside the loop, nothing recurses, no Python object is touched: what a GPU compiler cannot take
is kept out.

Money is counted in parts of the initial wager (`Tables.unit` parts make one), so every sum is a whole number and
blocks merge in any order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from pitboss.play._jit import register_all
from pitboss.play.dealer import NO_CARD, ONE_CARD, dealer_need
from pitboss.play.settle import dealer_natural_loss
from pitboss.sim.compiling import kernel as compiled
from pitboss.sim.judges import (
    BY_BUST_CARDS,
    BY_THIRD_CARD,
    BY_TOKENS,
    BY_UP_CARD,
    DRAWS_PRIZE,
    MOST_OUTCOMES,
    NO_CARD_CODE,
)
from pitboss.sim.streams import below, draw
from pitboss.sim.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_SURRENDER, WIDTH

register_all()

MOST_HANDS = 4
LIVE, DONE, SURRENDERED, BUSTED = 0, 1, 2, 3
HALF_HISTOGRAM = 8192
"""The histogram of a round's result runs from minus to plus this many parts."""

(
    ROUNDS, SHOES, CARDS, BETS, NET, NET_2, NET_3, HANDS, NATURALS, DOUBLES, SPLITS, SURRENDERS, BUSTS, STAND_OFFS,
    WINS, LOSSES, DEALER_BUSTS, DEALER_NATURALS, INSURED, INSURANCE_NET, TOKENS, SUPER_BONUSES, OUTSIDE, RESCUES, SUMS,
) = range(25)  # fmt: skip
"""Places in the sums of a block."""

BEGIN, END, WON, LAST = 0, 1, 2, 3
"""Places of what is told about the last round: where its cards lie in the shoe, and what it won."""


class Form(NamedTuple):
    """What a kernel is compiled for: the parts of a round that exist at all."""

    many: int
    """More boxes than one."""
    beside: int
    """Side wagers, a bet schedule, or results by opening hand."""


class Shape(NamedTuple):
    """What a plan fixes beside game and strategy, as integers."""

    boxes: int
    sides: int
    """How many side wagers each box places."""
    counting: int
    """Bets follow a schedule."""
    detail: int
    """Results are also kept by opening hand and up card."""
    switch: int
    tokens: int
    """Doubles and splits may be free."""
    cut: int
    """A new shoe is begun when this many cards are dealt at the start of a round; 0: after every round."""
    burn: int
    """Cards burnt from a new shoe."""
    returns_late: int
    """A continuous device takes the cards of a round back only after the next initial deal."""
    split_max_hands: int
    split_aces_max_hands: int
    declined_bars: int
    surrender_whole: int
    naturals_win: int
    completes: int
    super_bonus: int
    """Parts that the Super Bonus adds for one wager, 0 if there is none."""
    insurance_on_ace: int
    """Parts that insurance of half the wager wins against an ace."""
    insurance_on_ten: int
    """The same against a ten; 0 if there is no such insurance."""


class Given(NamedTuple):
    """Everything a kernel looks up and never changes."""

    rules: Any
    tables: Any
    shape: Shape
    fresh: Any
    schedule: Any
    sides: Any


class Kept(NamedTuple):
    """The sums of a block, and its last round."""

    sums: np.ndarray[Any, Any]
    histogram: np.ndarray[Any, Any]
    openings: np.ndarray[Any, Any]
    """[how often, parts won][lower card, higher card, up card], in point values; empty if not asked for."""
    side_counts: np.ndarray[Any, Any]
    """[wager][outcome] -> how often."""
    path: np.ndarray[Any, Any]
    """Result of each round, as far as it is long."""
    last: np.ndarray[Any, Any]
    last_sides: np.ndarray[Any, Any]
    """[box][wager] -> outcome in the last round."""


class Scratch(NamedTuple):
    """What is remembered within a round, and of carried wagers from one round to the next."""

    codes: np.ndarray[Any, Any]
    first_hand: np.ndarray[Any, Any]
    classes: np.ndarray[Any, Any]
    money: np.ndarray[Any, Any]
    base: np.ndarray[Any, Any]
    wins: np.ndarray[Any, Any]
    status: np.ndarray[Any, Any]
    waiting: np.ndarray[Any, Any]
    tokens: np.ndarray[Any, Any]
    third: np.ndarray[Any, Any]
    pending: np.ndarray[Any, Any]
    carried: np.ndarray[Any, Any]


def kept(shape: Shape, path_rounds: int = 0) -> Kept:
    """Empty sums for rounds of this shape."""
    sides = max(shape.sides, 1)
    return Kept(
        np.zeros(SUMS, np.int64), np.zeros(2 * HALF_HISTOGRAM, np.int64),
        np.zeros((2, 11**3 if shape.detail else 0), np.int64), np.zeros((sides, MOST_OUTCOMES), np.int64),
        np.zeros(path_rounds, np.int64), np.zeros(LAST, np.int64), np.zeros((shape.boxes, sides), np.int64),
    )  # fmt: skip


def scratch(shape: Shape) -> Scratch:
    """Room for rounds of this shape."""
    boxes, hands = shape.boxes, shape.boxes * MOST_HANDS + 1
    sizes: dict[str, Any] = dict.fromkeys(("classes", "money", "base", "wins", "status", "waiting"), hands)
    sizes |= dict.fromkeys(("tokens", "third", "pending"), boxes)
    sizes |= {"codes": (boxes, 2), "first_hand": boxes + 1, "carried": (boxes, max(shape.sides, 1))}
    return Scratch(**{name: np.zeros(size, np.int64) for name, size in sizes.items()})


@njit(cache=True)
def natural_of(one: int, two: int) -> bool:
    """An ace and a ten, by rank."""
    return (one == 0 and two >= 9) or (one >= 9 and two == 0)


@njit(cache=True)
def deal(shoe: Any, pos: int, known: int, ctr: Any, gamma: Any) -> Any:
    """The next card of the shoe: one that lies there already in front of `known`, or a fresh draw."""
    if pos < known:
        return np.int64(shoe[pos]), ctr
    return draw(shoe, pos, ctr, gamma)


@functools.cache
def rounds_kernel(form: Form) -> Callable[..., Any]:
    """The kernel for rounds of this form, compiled on first use and kept on disk."""

    @compiled
    def play_rounds(
        given: Any, kept: Any, scratch: Any, shoe: Any, pos: int, known: int, count: int, ctr: Any, gamma: Any,
        first_round: int, rounds: int,
    ) -> Any:  # fmt: skip
        """Play `rounds` rounds from a shoe of which `pos` cards are dealt, and add them to what is kept.

        Cards in front of `known` lie in the shoe already in the order of the deal. Gives back how many cards are
        dealt, the running count and the counter of the stream.
        """
        rules, tables, shape, schedule, sides = given.rules, given.tables, given.shape, given.schedule, given.sides
        sums, histogram, openings, side_counts = kept.sums, kept.histogram, kept.openings, kept.side_counts
        codes, first_hand, classes, money = scratch.codes, scratch.first_hand, scratch.classes, scratch.money
        base, wins, status, waiting = scratch.base, scratch.wins, scratch.status, scratch.waiting
        tokens_used, third, pending, carried = scratch.tokens, scratch.third, scratch.pending, scratch.carried
        size = shoe.size
        unit = tables.unit
        boxes = shape.boxes if form.many else 1
        switch, tokens = form.many and shape.switch != 0, shape.tokens != 0
        wagers = shape.sides if form.beside else 0
        counting = form.beside and shape.counting != 0
        begin = net = 0
        away = False
        n_shoes = n_hands = n_naturals = n_doubles = n_splits = n_surrenders = n_busts = n_stand_offs = n_wins = 0
        n_losses = n_dealer_busts = n_dealer_naturals = n_insured = n_insurance_net = n_tokens = 0
        n_super_bonuses = n_outside = n_rescues = n_cards = n_bets = 0
        for played in range(first_round, first_round + rounds):
            # ------------------------------------------------------------ shoe
            if shape.returns_late == 0 and pos >= shape.cut:
                pos = 0
                count = 0
                away = False
                n_shoes += 1
                for _ in range(shape.burn):
                    _card, ctr = deal(shoe, pos, known, ctr, gamma)
                    pos += 1
            begin = pos
            bet = 1
            place = 0
            if counting:
                place = min(max(count * 52 // (size - pos), -20), 20) + 20
                bet = schedule.bets[place]
                if away and schedule.mid_shoe_entry == 0:
                    bet = 0
                away = bet == 0
            # ------------------------------------------------------------ initial deal
            first = second = 0
            for b in range(boxes):
                first, ctr = deal(shoe, pos, known, ctr, gamma)
                codes[b, 0] = first
                pos += 1
            up_code, ctr = deal(shoe, pos, known, ctr, gamma)
            pos += 1
            up = up_code & 15
            for b in range(boxes):
                second, ctr = deal(shoe, pos, known, ctr, gamma)
                codes[b, 1] = second
                pos += 1
            if shape.returns_late:
                for p in range(pos - begin):
                    swap = shoe[p]
                    shoe[p] = shoe[begin + p]
                    shoe[begin + p] = swap
                pos -= begin
                begin = 0
            may_be_natural = up == 0 or up >= 9
            net = 0
            live = False
            waits = False
            naturals = 0
            hand_count = 0
            insured = 0
            switched = False
            if counting:
                insures = schedule.insures_ace[place] if up == 0 else schedule.insures_ten[place] if up >= 9 else 0
                for b in range(boxes):
                    natural = natural_of(codes[b, 0] & 15, codes[b, 1] & 15)
                    insured += int(insures != 0 and not (natural and rules.insurance_with_natural == 0))
            # ------------------------------------------------------------ boxes
            for b in range(boxes):
                tokens_used[b] = 0
                third[b] = NO_CARD_CODE
                pending[b] = 0
                if form.many:
                    first, second = codes[b, 0], codes[b, 1]
                one, two = first & 15, second & 15
                first_hand[b] = hand_count
                if switch and b & 1 == 0:
                    switched = False
                    a_one, a_two, b_one, b_two = one, two, codes[b + 1, 0] & 15, codes[b + 1, 1] & 15
                    blocked = (not may_be_natural) and (natural_of(a_one, a_two) or natural_of(b_one, b_two))
                    key = ((min(a_one, 9) * 10 + min(a_two, 9)) * 10 + min(b_one, 9)) * 10 + min(b_two, 9)
                    if not blocked and schedule.switches[key * 10 + min(up, 9)]:
                        switched = True
                        swap = codes[b, 1]
                        codes[b, 1] = codes[b + 1, 1]
                        codes[b + 1, 1] = swap
                        second = codes[b, 1]
                        two = second & 15
                if natural_of(one, two) and not switched:
                    naturals += 1
                    n_naturals += 1
                    if shape.naturals_win or (not may_be_natural):
                        net += tables.natural_pay
                        n_wins += 1
                    else:
                        pending[b] = 2
                        waits = True
                    continue
                # The hands of the box: states of those still to be played wait on a small stack.
                depth = 0
                state = np.int64(tables.opening[np.uint64(one * WIDTH + two)])
                own_first, own_second = first, second
                hands = 1
                declined = False
                more = True
                while more:
                    if state < 0:
                        # A split hand waits for its second card: -1 - rank of the first.
                        value = -1 - state
                        card, ctr = deal(shoe, pos, known, ctr, gamma)
                        pos += 1
                        own_second = card
                        if wagers and third[b] == NO_CARD_CODE:
                            third[b] = card
                        opened = np.uint64(value * WIDTH + (card & 15))
                        if hand_count == first_hand[b]:
                            state = np.int64(tables.split_opening[opened])
                        else:
                            state = np.int64(tables.other_opening[opened])
                        limit = shape.split_aces_max_hands if value == 0 else shape.split_max_hands
                        if hands >= limit or (declined and shape.declined_bars):
                            state = np.int64(tables.unsplit[np.uint64(state)])
                    action = tables.act[np.uint64(state * WIDTH + up)]
                    while action == DO_HIT:
                        if shape.declined_bars and tables.pair[np.uint64(state)]:
                            declined = True
                        card, ctr = deal(shoe, pos, known, ctr, gamma)
                        pos += 1
                        if wagers and third[b] == NO_CARD_CODE:
                            third[b] = card
                        state = np.int64(tables.grow[np.uint64(state * WIDTH + (card & 15))])
                        action = tables.act[np.uint64(state * WIDTH + up)]
                    if action == DO_SPLIT:
                        hands += 1
                        waiting[depth] = own_second
                        depth += 1
                        state = np.int64(-1 - (own_first & 15))
                        n_splits += 1
                        if tokens and one < 9:
                            tokens_used[b] += 1
                        continue
                    h = hand_count
                    hand_count += 1
                    n_hands += 1
                    free = tokens and h > first_hand[b] and one < 9
                    own = 0 if free else unit
                    staked = own
                    times = 1
                    fate = LIVE
                    kind = np.int64(0)
                    if action == DO_SURRENDER:
                        n_surrenders += 1
                        fate = SURRENDERED
                        waits = waits or shape.surrender_whole != 0
                    elif action == DO_DOUBLE:
                        n_doubles += 1
                        card, ctr = deal(shoe, pos, known, ctr, gamma)
                        pos += 1
                        if wagers and third[b] == NO_CARD_CODE:
                            third[b] = card
                        kind = np.int64(tables.doubled[np.uint64(state * WIDTH + (card & 15))])
                        if tables.rescue[np.uint64(kind * WIDTH + up)]:
                            n_rescues += 1
                            net -= own
                            fate = DONE
                        else:
                            times = 2
                            if tokens:
                                tokens_used[b] += 1
                            else:
                                staked += unit
                    else:
                        kind = np.int64(tables.worth[np.uint64(state)])
                    if fate == LIVE:
                        if kind == 0:
                            n_busts += 1
                            n_losses += 1
                            net -= staked
                            fate = BUSTED
                        elif tables.live[np.uint64(kind)]:
                            live = True
                        else:
                            pay = tables.sure[np.uint64(kind)]
                            if tables.suits[np.uint64(kind)]:
                                suit = own_first >> 4 & 3
                                one_suit = own_second >> 4 & 3 == suit and shoe[pos - 1] >> 4 & 3 == suit
                                grade = 0 if not one_suit else 2 if suit == 0 else 1
                                pattern = tables.suits[np.uint64(kind)]
                                pay = tables.suited[np.uint64(pattern * 3 + grade)]
                                if shape.super_bonus and hands == 1 and one_suit and pattern == 2 and up == 6:
                                    n_super_bonuses += 1
                                    net += shape.super_bonus
                            net += pay * times
                            n_wins += 1
                            fate = DONE
                    classes[h] = kind
                    money[h] = staked
                    base[h] = own
                    wins[h] = times
                    status[h] = fate
                    more = depth > 0
                    if more:
                        depth -= 1
                        own_first = waiting[depth]
                        state = np.int64(-1 - (own_first & 15))
                n_tokens += tokens_used[b]
            first_hand[boxes] = hand_count
            # ------------------------------------------------------------ dealer
            if insured:
                waits = True
            need = dealer_need(rules, live, waits, may_be_natural, shape.completes != 0)
            final = 0
            dealer_natural = False
            dealer_cards = 1
            if need != NO_CARD:
                d = tables.dealer_start[np.uint64(up)]
                card, ctr = deal(shoe, pos, known, ctr, gamma)
                pos += 1
                dealer_cards += 1
                d = tables.dealer[np.uint64(d * WIDTH + (card & 15))]
                if need != ONE_CARD:
                    while d < 64:
                        card, ctr = deal(shoe, pos, known, ctr, gamma)
                        pos += 1
                        dealer_cards += 1
                        d = tables.dealer[np.uint64(d * WIDTH + (card & 15))]
                    final = d - 64
                dealer_natural = natural_of(up, shoe[pos - 1] & 15) and dealer_cards == 2
            # ------------------------------------------------------------ settlement
            if insured:
                n_insured += 1
                paid = shape.insurance_on_ace if up == 0 else shape.insurance_on_ten
                gain = insured * (paid if dealer_natural else -(unit // 2))
                n_insurance_net += gain * bet
                net += gain
            finals = tables.final_total.size
            if dealer_natural:
                n_dealer_naturals += 1
            for b in range(boxes):
                if pending[b] == 2:
                    if dealer_natural:
                        n_stand_offs += 1
                    else:
                        net += tables.natural_pay
                        n_wins += 1
                start, end = first_hand[b], first_hand[b + 1]
                taken = 0
                busted = 0
                if dealer_natural:
                    for h in range(start, end):
                        if status[h] == BUSTED:
                            busted += money[h]
                for h in range(start, end):
                    if status[h] == DONE or status[h] == BUSTED:
                        continue
                    if status[h] == SURRENDERED:
                        lost = unit if dealer_natural and shape.surrender_whole else unit // 2
                        net -= lost
                        n_losses += 1
                        continue
                    kind = classes[h]
                    pay = tables.pays[np.uint64(kind * finals + final)]
                    if dealer_natural and pay < 0:
                        lost = dealer_natural_loss(rules, unit, busted, money[h], h == start, base[h], taken)
                        taken += lost
                        net -= lost
                        n_losses += 1
                    else:
                        # Without branches: which of the three it is cannot be predicted.
                        won, lose = int(pay > 0), int(pay < 0)
                        net += won * pay * wins[h] - lose * money[h]
                        n_wins += won
                        n_losses += lose
                        n_stand_offs += 1 - won - lose
            over = (
                need != NO_CARD
                and need != ONE_CARD
                and (tables.final_total[final] == 30 or tables.final_total[final] == 22)
            )
            if over:
                n_dealer_busts += 1
            # ------------------------------------------------------------ side wagers
            if wagers:
                bust_cards = dealer_cards if over else 0
                for b in range(0, boxes, 2 if switch else 1):
                    pair = codes[b, 0] << 6 | codes[b, 1]
                    if switch:
                        # The cards as they were dealt, whether or not they were exchanged.
                        four = ((codes[b, 0] & 15) << 4 | codes[b, 1] & 15) << 8
                        four |= (codes[b + 1, 0] & 15) << 4 | codes[b + 1, 1] & 15
                    for k in range(wagers):
                        if switch and k == sides.four_place:
                            result = np.int64(sides.four[np.uint64(four)])
                        else:
                            by = sides.source[k]
                            further = np.int64(0)
                            if by == BY_UP_CARD:
                                further = up_code
                            elif by == BY_THIRD_CARD:
                                further = third[b]
                            elif by == BY_BUST_CARDS:
                                further = np.int64(bust_cards)
                            elif by == BY_TOKENS:
                                further = tokens_used[b]
                            group = np.int64(sides.classes[k, np.uint64(pair)])
                            result = np.int64(sides.outcomes[k, carried[b, k], group, further])
                            carried[b, k] = result >> 7
                            if result & DRAWS_PRIZE:
                                pick, ctr = below(sides.prize_total, ctr, gamma)
                                result = 1 + np.searchsorted(sides.prize_ends, pick, side="right")
                            result &= MOST_OUTCOMES - 1
                        side_counts[k, result] += 1
                        kept.last_sides[b, k] = result
            # ------------------------------------------------------------ sums
            if counting:
                for p in range(begin, pos):
                    count += schedule.tags[shoe[p]]
            net *= bet
            n_cards += pos - begin
            n_bets += bet * boxes
            if -HALF_HISTOGRAM <= net < HALF_HISTOGRAM:
                histogram[np.uint64(net + HALF_HISTOGRAM)] += 1
            else:
                n_outside += 1
                sums[NET] += net
                sums[NET_2] += net * net
                sums[NET_3] += net * net * net
            if form.beside and shape.detail:
                one, two = min(codes[0, 0] & 15, 9) + 1, min(codes[0, 1] & 15, 9) + 1
                place = (min(one, two) * 11 + max(one, two)) * 11 + min(up, 9) + 1
                openings[0, place] += 1
                openings[1, place] += net
            if played < kept.path.size:
                kept.path[played] = net
        kept.last[BEGIN], kept.last[END], kept.last[WON] = begin, pos, net
        sums[ROUNDS] += rounds
        sums[SHOES] += n_shoes
        sums[HANDS] += n_hands
        sums[NATURALS] += n_naturals
        sums[DOUBLES] += n_doubles
        sums[SPLITS] += n_splits
        sums[SURRENDERS] += n_surrenders
        sums[BUSTS] += n_busts
        sums[STAND_OFFS] += n_stand_offs
        sums[WINS] += n_wins
        sums[LOSSES] += n_losses
        sums[DEALER_BUSTS] += n_dealer_busts
        sums[DEALER_NATURALS] += n_dealer_naturals
        sums[INSURED] += n_insured
        sums[INSURANCE_NET] += n_insurance_net
        sums[TOKENS] += n_tokens
        sums[SUPER_BONUSES] += n_super_bonuses
        sums[OUTSIDE] += n_outside
        sums[RESCUES] += n_rescues
        sums[CARDS] += n_cards
        sums[BETS] += n_bets
        return pos, count, ctr

    return play_rounds
