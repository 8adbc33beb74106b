"""Rounds of one seat, action by action, compiled: what the table does for one player, for thousands of tables in step.

A table is a row of integers; the functions of `play` say what a hand may do and what it is worth, and what spans hands
(who is served next, how much of the dealer's hand is needed, what a dealer's natural takes) follows the table engine
step by step. A test feeds both the same cards and the same actions and compares every observation, mask and reward.
Money is in parts of the wager: `House.unit` parts make one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.envs import rows as r
from pitboss.envs.fields import Action, Stage
from pitboss.envs.rows import Int, box_at, card, clear_hand, further, hand_at, inner, points_of, take
from pitboss.play._jit import register_all
from pitboss.play.bonuses import bonus_paid, grade_of, pattern_of, win_odds, wins_super_bonus
from pitboss.play.dealer import (
    NO_CARD,
    ONE_CARD,
    bust_needs,
    dealer_draws,
    dealer_need,
    hand_needs,
    natural_needs,
    surrender_needs,
)
from pitboss.play.doubling import may_double
from pitboss.play.drawing import has_its_one_card, may_stand
from pitboss.play.hands import is_natural, total
from pitboss.play.insurance import even_money_offered, hand_may_insure, insurance_odds, insurance_offered
from pitboss.play.naturals import makes_natural, may_become_natural, natural_odds, natural_paid_now
from pitboss.play.next_step import (
    ASKED,
    AUTOMATIC_CARD,
    BUSTS,
    COMPLETE,
    IS_PAID,
    STANDS_AT_LINE,
    ending_of_hand,
    next_of_hand,
)
from pitboss.play.settlement import (
    LOSE_DEALER_NATURAL,
    WIN_NATURAL,
    busted_double_returns,
    dealer_natural_loss,
    outcome,
)
from pitboss.play.splitting import may_split
from pitboss.play.surrender import surrender_before_turns, surrender_costs, surrender_fits, surrender_open
from pitboss.play.switching import hand_may_switch

register_all()

PROCEED, HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, TAKE_EVEN, FORFEIT, SWITCH = (int(action) for action in Action)
STAGE_OVER, STAGE_OFFERS, STAGE_TURN, STAGE_SWITCH, STAGE_RESCUE = (int(stage) for stage in Stage)

# The deal -----------------------------------------------------------------------------------------------


@inner
def begin(rules: Any, house: Any, t: Any, shoe: Any, chance: Any) -> None:
    """A new round: the deal, the naturals that are paid at once, and what is on offer."""
    if t[r.POS] >= house.cut:
        t[r.POS] = t[r.KNOWN] = 0
        for place in range(r.SEEN, r.SEEN + 10):
            t[place] = 0
    first_round(rules, house, t, shoe, chance)


@inner
def first_round(rules: Any, house: Any, t: Any, shoe: Any, chance: Any) -> None:
    """Deal from the shoe as it lies."""
    for place in (r.AT_BOX, r.AT_HAND, r.NET, r.FURTHER, r.SWITCH_CLOSED, r.DEALER_NATURAL):
        t[place] = 0
    for b in range(house.boxes):
        for place in range(box_at(b), box_at(b) + r.BOX_SIZE):
            t[place] = 0
        t[box_at(b) + r.BOX_HANDS] = 1
        at = hand_at(b, 0)
        clear_hand(t, at)
        t[at + r.BASE], t[at + r.ORIGINAL] = house.unit, 1
        take(t, at, card(t, shoe, chance))
    up = card(t, shoe, chance)
    t[r.UP], t[r.DEALER_CARDS] = up, 1
    t[r.DEALER_HARD], t[r.DEALER_ACES] = points_of(up), int(up & 15 == 0)
    at_once = natural_paid_now(rules, may_become_natural(up & 15))
    for b in range(house.boxes):
        at = hand_at(b, 0)
        take(t, at, card(t, shoe, chance))
        if is_natural(t[at + r.HARD], t[at + r.ACES], 2):
            if at_once:
                win, stake = natural_odds(rules)
                t[r.NET] += house.unit * win // stake
                t[at + r.STATUS] = r.PAID
            else:
                t[at + r.STATUS] = r.NATURAL
    t[r.AT_STAGE] = STAGE_OFFERS
    go_on(rules, house, t, shoe, chance)


@inner
def go_on(rules: Any, house: Any, t: Any, shoe: Any, chance: Any) -> None:
    """What happens without anybody asking, until something is to be decided; then what may be decided."""
    if t[r.AT_STAGE] == STAGE_OFFERS:
        offered = offers(rules, house, t)
        if offered:
            t[r.MASK] = offered | 1 << PROCEED
            return
        t[r.AT_STAGE] = STAGE_TURN
    if t[r.AT_STAGE] != STAGE_RESCUE:
        serve(rules, house, t, shoe, chance)
    t[r.MASK] = mask(rules, house, t)


# What may be done ---------------------------------------------------------------------------------------


@inner
def may_insure(rules: Any, house: Any, t: Any, b: Int) -> Any:
    """The box may insure."""
    box, at = box_at(b), hand_at(b, 0)
    if not insurance_offered(rules, t[r.UP] & 15) or t[box + r.EVEN_MONEY] or t[box + r.INSURANCE]:
        return False
    if t[at + r.STATUS] == r.PAID or t[at + r.STATUS] == r.OUT:
        return False
    return hand_may_insure(rules, is_natural(t[at + r.HARD], t[at + r.ACES], 2))


@inner
def may_take_even(rules: Any, t: Any, b: Int) -> Any:
    """The box may have even money."""
    waits = t[hand_at(b, 0) + r.STATUS] == r.NATURAL
    return even_money_offered(rules, t[r.UP] & 15, waits) and t[box_at(b) + r.EVEN_MONEY] == 0


@inner
def may_surrender(rules: Any, t: Any, b: Int, turn: bool) -> Any:
    """The box may surrender: on its turn, or before it where the game opens surrender to the whole table."""
    box, at = box_at(b), hand_at(b, 0)
    if t[box + r.BOX_HANDS] != 1 or t[at + r.STATUS] != r.OPEN:
        return False
    if surrender_before_turns(rules) and t[box + r.THIRD_CARD]:
        return False
    return surrender_open(rules, turn, t[r.FURTHER] != 0, False) and surrender_fits(
        rules, t[r.UP] & 15, t[at + r.HARD], t[at + r.ACES], t[at + r.CARDS], False
    )


@inner
def offers(rules: Any, house: Any, t: Any) -> Int:
    """What is on offer before boxes act, as bits."""
    found = 0
    for b in range(house.boxes):
        if may_insure(rules, house, t, b):
            found |= 1 << INSURE
        if may_take_even(rules, t, b):
            found |= 1 << TAKE_EVEN
        if may_surrender(rules, t, b, False):
            found |= 1 << SURRENDER
    return found


@inner
def can_switch(rules: Any, house: Any, t: Any) -> Any:
    """The second cards of the area may be exchanged."""
    if rules.switch == 0 or t[r.SWITCH_CLOSED]:
        return False
    for b in range(2):
        at = hand_at(b, 0)
        status = t[at + r.STATUS]
        if t[box_at(b) + r.BOX_HANDS] != 1 or t[at + r.CARDS] != 2:
            return False
        if status != r.OPEN and status != r.NATURAL:
            return False
        if not hand_may_switch(rules, status == r.NATURAL, False):
            return False
    return True


@inner
def can_double(rules: Any, t: Any, at: Int) -> Any:
    """The hand may double."""
    return may_double(
        rules,
        t[at + r.HARD],
        t[at + r.ACES],
        t[at + r.CARDS],
        t[at + r.FROM_SPLIT] != 0,
        t[at + r.FROM_ACES] != 0,
    )


@inner
def can_split(rules: Any, t: Any, b: Int, at: Int) -> Any:
    """The hand may split."""
    one, two = t[at + r.FIRST] & 15, t[at + r.SECOND] & 15
    return t[at + r.CARDS] == 2 and may_split(
        rules, min(one, 9), min(two, 9), one, two, 2,
        t[box_at(b) + r.BOX_HANDS], t[at + r.FROM_ACES] != 0, t[box_at(b) + r.DECLINED] != 0,
    )  # fmt: skip


@inner
def mask(rules: Any, house: Any, t: Any) -> Int:
    """What may be done now, as bits by the number of the action; after the offers."""
    stage = t[r.AT_STAGE]
    if stage == STAGE_OVER:
        return 1 << PROCEED
    if stage == STAGE_SWITCH:
        return 1 << PROCEED | 1 << SWITCH
    if stage == STAGE_RESCUE:
        return 1 << PROCEED | 1 << FORFEIT
    b = np.int64(t[r.AT_BOX])
    at = hand_at(b, np.int64(t[r.AT_HAND]))
    found = 0
    if can_switch(rules, house, t):
        found |= 1 << SWITCH
    from_aces = t[at + r.FROM_ACES] != 0
    if not has_its_one_card(rules, from_aces):
        found |= 1 << HIT
    if may_stand(rules, t[at + r.HARD], t[at + r.ACES], from_aces):
        found |= 1 << STAND
    if can_double(rules, t, at):
        found |= 1 << DOUBLE
    if can_split(rules, t, b, at):
        found |= 1 << SPLIT
    if may_surrender(rules, t, b, True):
        found |= 1 << SURRENDER
    return found


# Serving hands ------------------------------------------------------------------------------------------


@inner
def serve(rules: Any, house: Any, t: Any, shoe: Any, chance: Any) -> None:
    """Deal to hands and end them until something is to be decided; play the dealer's hand when nothing is."""
    for b in range(house.boxes):
        h = 0
        while h < t[box_at(b) + r.BOX_HANDS]:
            at = hand_at(b, h)
            while t[at + r.STATUS] == r.OPEN:
                if not served(rules, house, t, b, at, shoe, chance):
                    t[r.AT_STAGE], t[r.AT_BOX], t[r.AT_HAND] = STAGE_TURN, b, h
                    return
            h += 1
    t[r.AT_BOX] = t[r.AT_HAND] = 0
    if can_switch(rules, house, t):
        t[r.AT_STAGE] = STAGE_SWITCH
        return
    finish(rules, house, t, shoe, chance)
    t[r.AT_STAGE] = STAGE_OVER


@inner
def served(rules: Any, house: Any, t: Any, b: Int, at: Int, shoe: Any, chance: Any) -> Any:
    """Do the next thing that happens to a hand by itself; False if the player has to decide."""
    step = next_of_hand(
        rules, t[at + r.HARD], t[at + r.ACES], t[at + r.CARDS], t[at + r.FROM_SPLIT] != 0, t[at + r.FROM_ACES] != 0,
        t[at + r.IS_DOUBLED] != 0, t[at + r.DRAWING] != 0, False, can_split(rules, t, b, at),
    )  # fmt: skip
    if step == ASKED:
        return False
    if step == COMPLETE:
        end_hand(rules, house, t, b, at)
    elif step == STANDS_AT_LINE:
        t[at + r.STATUS] = r.STOOD
    else:
        further(t, b, at, int(step == AUTOMATIC_CARD), shoe, chance)
    return True


@inner
def end_hand(rules: Any, house: Any, t: Any, b: Int, at: Int) -> None:
    """The hand takes no more cards: collect it, pay it, or leave it for the dealer's hand."""
    ending = ending_of_hand(rules, t[at + r.HARD], t[at + r.ACES], t[at + r.CARDS], t[at + r.FROM_SPLIT] != 0)
    if ending == BUSTS:
        t[r.NET] -= t[at + r.BASE] + t[at + r.DOUBLED]
        t[at + r.STATUS] = r.BUST
    elif ending == IS_PAID:
        t[r.NET] += payment(rules, house, t, b, at)
        t[at + r.STATUS] = r.PAID
    else:
        t[at + r.STATUS] = r.STOOD


@inner
def winning(t: Any, at: Int) -> Int:
    """What an even-money win of the hand pays."""
    return t[at + r.BASE] + t[at + r.BASE_TOKEN] + t[at + r.DOUBLED] + t[at + r.DOUBLED_TOKEN]


@inner
def payment(rules: Any, house: Any, t: Any, b: Int, at: Int) -> Int:
    """What a winning hand is paid that is no natural: bonus odds or the ordinary ones, and the Super Bonus on top."""
    points, cards = total(t[at + r.HARD], t[at + r.ACES]), t[at + r.CARDS]
    pattern, grade = pattern_of(cards, t[at + r.RANKS]), grade_of(t[at + r.SUITS])
    doubled, from_split = t[at + r.IS_DOUBLED] != 0, t[at + r.FROM_SPLIT] != 0
    win, stake = win_odds(rules, bonus_paid(rules, points, cards, pattern, grade, doubled))
    paid = winning(t, at) * win // stake
    if wins_super_bonus(rules, t[r.UP] & 15, pattern, grade, doubled, from_split, t[box_at(b) + r.SEVENS_SPLIT] != 0):
        paid += house.super_bonus
    return paid


# The end of a round -------------------------------------------------------------------------------------


@inner
def needed(rules: Any, house: Any, t: Any) -> Int:
    """How much of the dealer's hand is needed."""
    needs = NO_CARD
    for b in range(house.boxes):
        needs |= ONE_CARD if t[box_at(b) + r.INSURANCE] != 0 else NO_CARD
        for h in range(t[box_at(b) + r.BOX_HANDS]):
            at = hand_at(b, h)
            status = t[at + r.STATUS]
            if status == r.NATURAL:
                needs |= natural_needs(rules)
            elif status == r.STOOD:
                points = total(t[at + r.HARD], t[at + r.ACES])
                needs |= hand_needs(rules, points, t[at + r.CARDS], t[at + r.FROM_SPLIT] != 0)
            elif status == r.SURRENDERED:
                needs |= surrender_needs(rules)
            elif status == r.BUST:
                needs |= bust_needs(rules, t[at + r.IS_DOUBLED] != 0)
    return dealer_need(rules, needs, may_become_natural(t[r.UP] & 15), False)


@inner
def dealer_card(t: Any, shoe: Any, chance: Any) -> None:
    """A card to the dealer."""
    code = card(t, shoe, chance)
    rank = code & 15
    t[r.DEALER_HARD] += points_of(code)
    t[r.DEALER_ACES] += int(rank == 0)
    t[r.DEALER_CARDS] += 1
    if t[r.DEALER_CARDS] == 2 and makes_natural(t[r.UP] & 15, rank):
        t[r.DEALER_NATURAL] = 1


@inner
def finish(rules: Any, house: Any, t: Any, shoe: Any, chance: Any) -> None:
    """Play the dealer's hand as far as it is needed, and settle."""
    need = needed(rules, house, t)
    if need != NO_CARD:
        dealer_card(t, shoe, chance)
        if need != ONE_CARD:
            while dealer_draws(rules, t[r.DEALER_HARD], t[r.DEALER_ACES]):
                dealer_card(t, shoe, chance)
        for b in range(house.boxes):
            cost = t[box_at(b) + r.INSURANCE]
            if cost:
                win, stake = insurance_odds(rules, t[r.UP] & 15)
                t[r.NET] += cost * win // stake if t[r.DEALER_NATURAL] else -cost
                t[box_at(b) + r.INSURANCE] = 0
    for b in range(house.boxes):
        settle_box(rules, house, t, b)


@inner
def settle_box(rules: Any, house: Any, t: Any, b: Int) -> None:
    """Settle the hands of a box against the dealer's hand."""
    points, natural = total(t[r.DEALER_HARD], t[r.DEALER_ACES]), t[r.DEALER_NATURAL] != 0
    count = t[box_at(b) + r.BOX_HANDS]
    taken = busted = 0
    for h in range(count):
        at = hand_at(b, h)
        if t[at + r.STATUS] == r.BUST:
            busted += t[at + r.BASE] + t[at + r.DOUBLED]
            if busted_double_returns(rules, natural):
                t[r.NET] += t[at + r.DOUBLED]
    for h in range(count):
        at = hand_at(b, h)
        status = t[at + r.STATUS]
        if status == r.SURRENDERED:
            t[r.NET] -= house.unit // 2 * surrender_costs(rules, natural)
        if status != r.STOOD and status != r.NATURAL:
            continue
        result = outcome(
            rules, total(t[at + r.HARD], t[at + r.ACES]), t[at + r.CARDS], status == r.NATURAL,
            t[at + r.FROM_SPLIT] != 0, points, natural,
        )  # fmt: skip
        stake = t[at + r.BASE] + t[at + r.DOUBLED]
        if result == WIN_NATURAL:
            win, paid = natural_odds(rules)
            t[r.NET] += winning(t, at) * win // paid
        elif result > 20:
            t[r.NET] += payment(rules, house, t, b, at)
        elif result == LOSE_DEALER_NATURAL:
            lost = dealer_natural_loss(rules, house.unit, busted, stake, t[at + r.ORIGINAL] != 0, t[at + r.BASE], taken)
            taken += lost
            t[r.NET] -= lost
        elif result < 10:
            t[r.NET] -= stake
