"""The end of a round in a kernel: hands against the dealer's, insurance left to the round itself, side wagers.

The functions of `play`, compiled here, say what a dealer's natural takes.
"""

from __future__ import annotations

import numpy as np

from pitboss.play._jit import register_all
from pitboss.play.hands import points_of
from pitboss.play.naturals import natural_may_fail
from pitboss.play.settlement import busted_double_returns, dealer_natural_loss
from pitboss.play.side_wagers.judges import BY_DEALER_HAND, BY_THIRD_CARD, BY_TOKENS, BY_UP_CARD, DRAWS_PRIZE, OUTCOME
from pitboss.play.side_wagers.side_tables import look_up, look_up_four, pair_of, rounds_carried_then
from pitboss.play.splitting import holds_own_stake
from pitboss.play.surrender import surrender_costs
from pitboss.sim.kernels.arguments import LOSSES, STAND_OFFS, WINS, Given, Kept, Scratch
from pitboss.sim.kernels.boxes import BUSTED, DONE, SURRENDERED
from pitboss.sim.kernels.compiling import INT64, UINT64, Ints, part
from pitboss.sim.kernels.luck import parts_of_insurance
from pitboss.sim.kernels.side_luck import STAKES, WON, judge_cards
from pitboss.sim.kernels.streams import below

register_all()


@part
def settle_box_in_kernel(given: Given, sums: Ints, scratch: Scratch, b: int, final: int, dealer_natural: bool) -> None:
    """Settle what the dealer's hand decides of a box."""
    rules, tables = given.rules, given.tables
    unit, finals, net = tables.unit, tables.final_total.size, 0
    if scratch.pending[b]:
        known = dealer_natural or natural_may_fail(rules)
        pay = tables.natural_pays[UINT64(final)] if known else tables.natural_pay
        net += pay
        sums[WINS] += pay > 0
        sums[STAND_OFFS] += pay == 0
    start, end = scratch.first_hand[b], scratch.first_hand[b + 1]
    taken = busted = 0
    if dealer_natural:
        for h in range(start, end):
            if scratch.status[h] == BUSTED:
                busted += scratch.money[h]
                if busted_double_returns(rules, dealer_natural):
                    net += scratch.money[h] - scratch.base[h]
    for h in range(start, end):
        fate = scratch.status[h]
        if fate in (DONE, BUSTED):
            continue
        if fate == SURRENDERED:
            net -= unit // 2 * surrender_costs(rules, dealer_natural)
            sums[LOSSES] += 1
            continue
        pay = tables.pays[UINT64(scratch.classes[h] * finals + final)]
        if dealer_natural and pay < 0:
            own = holds_own_stake(rules, points_of(scratch.codes[b, 0] & 15), h - start, end - start)
            lost = dealer_natural_loss(rules, unit, busted, scratch.money[h], own, scratch.base[h], taken)
            taken += lost
            net -= lost
            sums[LOSSES] += 1
        else:
            # Without branches: which of the three it is cannot be predicted.
            won, lose = int(pay > 0), int(pay < 0)
            net += won * pay * scratch.wins[h] - lose * scratch.money[h]
            sums[WINS] += won
            sums[LOSSES] += lose
            sums[STAND_OFFS] += 1 - won - lose
    scratch.box_net[b] += net


@part
def weigh_finals(given: Given, scratch: Scratch, boxes: int, insured: int, up: int) -> None:
    """What the round comes to with each final hand of the dealer's, boxes being done."""
    for final in range(given.tables.final_total.size):
        natural = given.tables.final_total[final] >= 100
        total = 0.0
        for b in range(boxes):
            before = scratch.box_net[b]
            settle_box_in_kernel(given, scratch.spare, scratch, b, final, natural)
            total += scratch.box_net[b]
            scratch.box_net[b] = before
        if insured:
            total += parts_of_insurance(given, insured, up, natural)
        scratch.finals[final] = total


@part
def judge_sides(given: Given, kept: Kept, scratch: Scratch, up_code: int, bust_cards: int, ctr: int, gamma: int) -> int:
    """Judge and count the side wagers of all boxes; the counter of the stream after the prizes that were drawn."""
    sides, shape, codes, further = given.sides, given.shape, scratch.codes, scratch.further
    switch = given.rules.switch != 0
    further[BY_UP_CARD] = up_code
    further[BY_DEALER_HAND] = bust_cards
    for b in range(0, shape.boxes, 2 if switch else 1):
        pair = pair_of(codes[b, 0], codes[b, 1])
        further[BY_THIRD_CARD] = scratch.third[b]
        further[BY_TOKENS] = scratch.tokens[b]
        for k in range(shape.sides):
            if switch and sides.four_row[k] >= 0:
                result = look_up_four(sides, k, codes[b, 0], codes[b, 1], codes[b + 1, 0], codes[b + 1, 1])
                if len(given.form.valued) > 0:
                    scratch.side.numbers[WON, k] += given.side_luck.pays[k, result & OUTCOME]
                    scratch.side.numbers[STAKES, k] += 1.0
            else:
                carried = scratch.carried[b, k]
                if len(given.form.valued) > 0:
                    judge_cards(sides, given.side_luck, scratch.side, k, carried, pair, further[sides.source[k]])
                result = look_up(sides, k, carried, pair, further[sides.source[k]])
                scratch.carried[b, k] = rounds_carried_then(sides, carried, result)
                if result & DRAWS_PRIZE:
                    pick, ctr = below(sides.prize_total, ctr, gamma)
                    result = 1 + INT64(np.searchsorted(sides.prize_ends, pick, side="right"))
                result &= OUTCOME
            kept.side_counts[k, result] += 1
            kept.last_sides[b, k] = result
    return ctr
