"""The kernel: one block of rounds, played from tables, summed in whole numbers.

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
from pitboss.sim.judges import judge_dealt, judge_third_card
from pitboss.sim.streams import below, draw, stream
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

SIDE_STAKES, SIDE_NET, SIDE_NET_2, SIDE_SUMS = 0, 1, 2, 3
MOST_OUTCOMES = 16


class Form(NamedTuple):
    """What a kernel is compiled for: the parts of a round that exist at all."""

    boxes: int
    switch: int
    tokens: int
    """Doubles and splits may be free."""
    sides: int
    """How many side wagers each box places."""
    counting: int
    suits: int
    """Hands have bonuses by suit."""
    detail: int
    """Results are also kept by opening hand and up card."""


class Shape(NamedTuple):
    """What a plan fixes beside game and strategy, as integers."""

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


@njit(cache=True)
def natural_of(one: int, two: int) -> bool:
    """An ace and a ten."""
    return (one == 1 and two == 10) or (one == 10 and two == 1)


@functools.cache
def kernel(form: Form) -> Callable[..., None]:
    """The kernel for rounds of this form, compiled on first use and kept on disk."""

    @njit(cache=True, nogil=True)
    def play_block(
        rules: Any, tables: Any, shape: Any, fresh: Any, schedule: Any, sides: Any, seed: int, block: int, rounds: int,
        sums: Any, histogram: Any, openings: Any, side_sums: Any, side_counts: Any, last: Any, path: Any,
    ) -> None:  # fmt: skip
        """Play `rounds` rounds with the stream of `block` and add them to the sums.

        `last` receives where the last round's cards lie in the shoe and what it won; `path` the result after each
        round, as far as it is long.
        """
        shoe = fresh.copy()
        size = shoe.size
        unit = tables.unit
        ctr, gamma = stream(seed, block)
        boxes = form.boxes
        most = boxes * MOST_HANDS
        codes = np.zeros((boxes, 2), np.int64)
        first_hand = np.zeros(boxes + 1, np.int64)
        classes = np.zeros(most, np.int64)
        money = np.zeros(most, np.int64)
        base = np.zeros(most, np.int64)
        wins = np.zeros(most, np.int64)
        status = np.zeros(most, np.int64)
        waiting = np.zeros(most + 1, np.int64)
        tokens_used = np.zeros(boxes, np.int64)
        third = np.zeros(boxes, np.int64)
        pending = np.zeros(boxes, np.int64)
        carried = np.zeros((boxes, max(form.sides, 1)), np.int64)
        pos = size
        count = 0
        n_shoes = n_hands = n_naturals = n_doubles = n_splits = n_surrenders = n_busts = n_stand_offs = n_wins = (
            n_losses
        ) = 0
        n_dealer_busts = n_dealer_naturals = n_insured = n_insurance_net = n_tokens = n_super_bonuses = n_outside = (
            n_rescues
        ) = n_cards = n_bets = 0
        for played in range(rounds):
            # ------------------------------------------------------------ shoe
            if shape.returns_late:
                # The last round's cards lie in front and are out of the initial deal.
                if played == 0:
                    pos = 0
            elif pos >= shape.cut:
                pos = 0
                count = 0
                n_shoes += 1
                for _ in range(shape.burn):
                    _card, ctr = draw(shoe, pos, ctr, gamma)
                    pos += 1
            begin = pos
            bet = 1
            insure = False
            if form.counting:
                true_count = count * 52 // (size - pos)
                place = min(max(true_count, -20), 20) + 20
                bet = schedule.bets[place]
                insure = schedule.insures[place] != 0
            # ------------------------------------------------------------ initial deal
            first = second = 0
            for b in range(boxes):
                first, ctr = draw(shoe, pos, ctr, gamma)
                codes[b, 0] = first
                pos += 1
            up_code, ctr = draw(shoe, pos, ctr, gamma)
            pos += 1
            up = up_code & 15
            for b in range(boxes):
                second, ctr = draw(shoe, pos, ctr, gamma)
                codes[b, 1] = second
                pos += 1
            if shape.returns_late:
                for p in range(pos - begin):
                    swap = shoe[p]
                    shoe[p] = shoe[begin + p]
                    shoe[begin + p] = swap
                pos -= begin
                begin = 0
            may_be_natural = up == 1 or up == 10
            net = 0
            live = False
            waits = False
            naturals = 0
            hand_count = 0
            insured = 0
            # ------------------------------------------------------------ boxes
            for b in range(boxes):
                tokens_used[b] = 0
                third[b] = 0
                pending[b] = 0
                if form.boxes > 1:
                    first, second = codes[b, 0], codes[b, 1]
                one, two = first & 15, second & 15
                first_hand[b] = hand_count
                switched = False
                if form.switch and b & 1 == 0:
                    a_one, a_two, b_one, b_two = one, two, codes[b + 1, 0] & 15, codes[b + 1, 1] & 15
                    blocked = (not may_be_natural) and (natural_of(a_one, a_two) or natural_of(b_one, b_two))
                    key = (((a_one * 11 + a_two) * 11 + b_one) * 11 + b_two) * 11 + up
                    if not blocked and schedule.switches[key]:
                        switched = True
                        swap = codes[b, 1]
                        codes[b, 1] = codes[b + 1, 1]
                        codes[b + 1, 1] = swap
                        second = codes[b, 1]
                        two = second & 15
                    pending[b + 1] = 1 if switched else 0
                elif form.switch:
                    switched = pending[b] == 1
                    pending[b] = 0
                if insure and up == 1 and not (natural_of(one, two) and rules.insurance_with_natural == 0):
                    insured += unit // 2
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
                        # A split hand waits for its second card: -1 - value of the first.
                        value = -1 - state
                        card, ctr = draw(shoe, pos, ctr, gamma)
                        pos += 1
                        own_second = card
                        if form.sides and third[b] == 0:
                            third[b] = card + 1
                        state = np.int64(tables.split_opening[np.uint64(value * WIDTH + (card & 15))])
                        limit = shape.split_aces_max_hands if value == 1 else shape.split_max_hands
                        if hands >= limit or (declined and shape.declined_bars):
                            state = np.int64(tables.unsplit[np.uint64(state)])
                    action = tables.act[np.uint64(state * WIDTH + up)]
                    while action == DO_HIT:
                        if shape.declined_bars and tables.pair[np.uint64(state)]:
                            declined = True
                        card, ctr = draw(shoe, pos, ctr, gamma)
                        pos += 1
                        if form.sides and third[b] == 0:
                            third[b] = card + 1
                        state = np.int64(tables.grow[np.uint64(state * WIDTH + (card & 15))])
                        action = tables.act[np.uint64(state * WIDTH + up)]
                    if action == DO_SPLIT:
                        value = np.int64(tables.pair[np.uint64(state)])
                        hands += 1
                        waiting[depth] = own_second
                        depth += 1
                        state = -1 - value
                        n_splits += 1
                        if form.tokens and value != 10:
                            tokens_used[b] += 1
                        continue
                    h = hand_count
                    hand_count += 1
                    n_hands += 1
                    free = form.tokens and h > first_hand[b] and one != 10
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
                        card, ctr = draw(shoe, pos, ctr, gamma)
                        pos += 1
                        if form.sides and third[b] == 0:
                            third[b] = card + 1
                        kind = np.int64(tables.doubled[np.uint64(state * WIDTH + (card & 15))])
                        if tables.rescue[np.uint64(kind * WIDTH + up)]:
                            n_rescues += 1
                            net -= own
                            fate = DONE
                        else:
                            times = 2
                            if form.tokens:
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
                            if form.suits and tables.suits[np.uint64(kind)]:
                                suit = own_first >> 4 & 3
                                one_suit = own_second >> 4 & 3 == suit and shoe[pos - 1] >> 4 & 3 == suit
                                grade = 0 if not one_suit else 2 if suit == 0 else 1
                                pattern = tables.suits[np.uint64(kind)]
                                pay = tables.suited[np.uint64(pattern * 3 + grade)]
                                if shape.super_bonus and hands == 1 and one_suit and pattern == 2 and up == 7:
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
                        state = np.int64(-1 - one)
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
                card, ctr = draw(shoe, pos, ctr, gamma)
                pos += 1
                dealer_cards += 1
                d = tables.dealer[np.uint64(d * WIDTH + (card & 15))]
                if need != ONE_CARD:
                    while d < 64:
                        card, ctr = draw(shoe, pos, ctr, gamma)
                        pos += 1
                        dealer_cards += 1
                        d = tables.dealer[np.uint64(d * WIDTH + (card & 15))]
                    final = d - 64
                dealer_natural = natural_of(up, shoe[pos - 1] & 15) and dealer_cards == 2
            # ------------------------------------------------------------ settlement
            if insured:
                n_insured += 1
                gain = 2 * insured if dealer_natural else -insured
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
            for k in range(form.sides):
                judge = sides.judge[k]
                for b in range(boxes):
                    if form.switch and b & 1:
                        continue
                    result = judge_dealt(judge, codes, b, up_code, form.switch)
                    if result == -1:
                        result = judge_third_card(
                            judge, codes, b, third[b], dealer_cards if over else 0, tokens_used[b], carried[b, k]
                        )
                        if judge == 9:
                            carried[b, k] = result >> 8
                            result &= 255
                    if result == -2:
                        pick, ctr = below(sides.prize_total, ctr, gamma)
                        gain = unit * sides.prizes[np.searchsorted(sides.prize_ends, pick, side="right")]
                        result = 1
                    else:
                        gain = sides.pays[k, result]
                    side_counts[k, result] += 1
                    side_sums[k, SIDE_STAKES] += 1
                    side_sums[k, SIDE_NET] += gain
                    side_sums[k, SIDE_NET_2] += gain * gain
            # ------------------------------------------------------------ sums
            if form.counting:
                for p in range(begin, pos):
                    count += schedule.tags[(shoe[p] >> 6) & 15]
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
            if form.detail:
                place = (
                    min(codes[0, 0] & 15, codes[0, 1] & 15) * 11 + max(codes[0, 0] & 15, codes[0, 1] & 15)
                ) * 11 + up
                openings[0, place] += 1
                openings[1, place] += net
            if played < path.size:
                path[played] = net
            last[0] = begin
            last[1] = pos
            last[2] = net
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
        for p in range(size):
            if p < last.size - 3:
                last[3 + p] = shoe[p]

    compiled: Callable[..., None] = play_block
    return compiled
