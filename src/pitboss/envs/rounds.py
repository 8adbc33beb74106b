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
from pitboss.play.dealer import NO_CARD, ONE_CARD, dealer_draws, dealer_need
from pitboss.play.hands import bonus_code, is_natural, total
from pitboss.play.packed import (
    EVEN_MONEY_ON_REQUEST,
    NATURAL_AT_ONCE,
    NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE,
    NATURAL_PUSHES,
    PAID_AT_ONCE,
    SURRENDER_OWN_TURN,
)
from pitboss.play.settlement import LOSE_DEALER_NATURAL, WIN_NATURAL, always_wins, dealer_natural_loss, outcome
from pitboss.play.turns import (
    draws_itself,
    may_double,
    may_split,
    must_draw,
    stands_at_line,
    surrender_fits,
    surrender_open,
    takes_no_card,
)

register_all()

PROCEED, HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, TAKE_EVEN, FORFEIT, SWITCH = (int(action) for action in Action)
STAGE_OVER, STAGE_OFFERS, STAGE_TURN, STAGE_SWITCH, STAGE_RESCUE = (int(stage) for stage in Stage)
SEVEN = 6
"""The rank of a seven."""
RANKS_678 = 1 << 5 | 1 << 6 | 1 << 7


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
    low = 1 <= up & 15 <= 8
    at_once = rules.natural_paid == NATURAL_AT_ONCE or (rules.natural_paid == NATURAL_AT_ONCE_UNLESS_TEN_OR_ACE and low)
    for b in range(house.boxes):
        at = hand_at(b, 0)
        take(t, at, card(t, shoe, chance))
        if is_natural(t[at + r.HARD], t[at + r.ACES], 2):
            if at_once:
                t[r.NET] += house.unit * rules.natural_odds_win // rules.natural_odds_stake
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
    box, at, up = box_at(b), hand_at(b, 0), t[r.UP] & 15
    offered = (up == 0 and rules.insurance_on_ace != 0) or (up >= 9 and rules.insurance_on_ten != 0)
    if not offered or t[box + r.EVEN_MONEY] or t[box + r.INSURANCE]:
        return False
    if t[at + r.STATUS] == r.PAID or t[at + r.STATUS] == r.OUT:
        return False
    return rules.insurance_with_natural != 0 or not is_natural(t[at + r.HARD], t[at + r.ACES], 2)


@inner
def may_take_even(rules: Any, t: Any, b: Int) -> Any:
    """The box may have even money."""
    return (
        rules.even_money == EVEN_MONEY_ON_REQUEST
        and t[r.UP] & 15 == 0
        and t[hand_at(b, 0) + r.STATUS] == r.NATURAL
        and t[box_at(b) + r.EVEN_MONEY] == 0
    )


@inner
def may_surrender(rules: Any, t: Any, b: Int, turn: bool) -> Any:
    """The box may surrender: on its turn, or before it where the game opens surrender to the whole table."""
    box, at = box_at(b), hand_at(b, 0)
    if t[box + r.BOX_HANDS] != 1 or t[at + r.STATUS] != r.OPEN:
        return False
    if rules.surrender_when == SURRENDER_OWN_TURN:
        if not turn:
            return False
    elif t[box + r.THIRD_CARD]:
        return False
    return surrender_open(rules, turn, t[r.FURTHER] != 0) and surrender_fits(
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
        if status != r.OPEN and not (status == r.NATURAL and house.switch_naturals):
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
    waits_for_split = t[at + r.FROM_ACES] != 0 and rules.split_aces_one_card != 0
    if not waits_for_split:
        found |= 1 << HIT
    if waits_for_split or not must_draw(rules, t[at + r.HARD], t[at + r.ACES]):
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
    hard, aces, cards = t[at + r.HARD], t[at + r.ACES], t[at + r.CARDS]
    if cards == 1:
        further(t, b, at, 0, shoe, chance)
        return True
    split_open = can_split(rules, t, b, at)
    from_aces, is_doubled = t[at + r.FROM_ACES] != 0, t[at + r.IS_DOUBLED] != 0
    if takes_no_card(rules, hard, aces, cards, from_aces, is_doubled):
        if from_aces and split_open and not is_doubled:
            return False
        end_hand(rules, house, t, b, at)
        return True
    if rules.auto_draw != 0 and draws_itself(
        rules, hard, aces, cards, t[at + r.DRAWING] != 0, can_double(rules, t, at), split_open
    ):
        further(t, b, at, 1, shoe, chance)
        return True
    if stands_at_line(rules, hard, aces):
        t[at + r.STATUS] = r.STOOD
        return True
    return False


@inner
def end_hand(rules: Any, house: Any, t: Any, b: Int, at: Int) -> None:
    """The hand takes no more cards: collect it, pay it, or leave it for the dealer's hand."""
    points, from_split = total(t[at + r.HARD], t[at + r.ACES]), t[at + r.FROM_SPLIT] != 0
    sure = always_wins(rules, points, t[at + r.CARDS], False, from_split) != 0
    if points > 21:
        t[r.NET] -= t[at + r.BASE] + t[at + r.DOUBLED]
        t[at + r.STATUS] = r.BUST
    elif sure and rules.player_21_paid == PAID_AT_ONCE:
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
    suits, ranks = t[at + r.SUITS], t[at + r.RANKS]
    one_suit, sevens = suits & (suits - 1) == 0, ranks == 1 << SEVEN
    code = 0
    if t[at + r.IS_DOUBLED] == 0 or rules.double_bonus != 0:
        code = bonus_code(cards, points, cards == 3 and ranks == RANKS_678, cards == 3 and sevens, one_suit, suits == 1)
    paid = winning(t, at) * rules.bonus_win[code] // rules.bonus_stake[code]
    barred = t[at + r.FROM_SPLIT] != 0 and (house.super_bonus_after_split == 0 or t[box_at(b) + r.SEVENS_SPLIT] != 0)
    three_sevens = cards == 3 and sevens and one_suit and t[at + r.IS_DOUBLED] == 0
    if three_sevens and t[r.UP] & 15 == SEVEN and not barred:
        paid += house.super_bonus
    return paid


# The end of a round -------------------------------------------------------------------------------------


@inner
def needed(rules: Any, house: Any, t: Any) -> Int:
    """How much of the dealer's hand is needed."""
    live = waits = False
    for b in range(house.boxes):
        waits = waits or t[box_at(b) + r.INSURANCE] != 0
        for h in range(t[box_at(b) + r.BOX_HANDS]):
            at = hand_at(b, h)
            status = t[at + r.STATUS]
            if status == r.NATURAL:
                sure = always_wins(rules, 21, 2, True, False) != 0
                waits = waits or not sure
                may_fail = rules.natural_beats_drawn_21 == 0 or rules.natural_vs_push_total == NATURAL_PUSHES
                live = live or (not sure and may_fail)
            elif status == r.STOOD:
                points = total(t[at + r.HARD], t[at + r.ACES])
                sure = always_wins(rules, points, t[at + r.CARDS], False, t[at + r.FROM_SPLIT] != 0) != 0
                live = live or not sure
            elif status == r.SURRENDERED:
                waits = True
            elif status == r.BUST and t[at + r.IS_DOUBLED] != 0:
                waits = waits or rules.busted_double_lost == 0
    up = t[r.UP] & 15
    return dealer_need(rules, live, waits, up == 0 or up >= 9, False)


@inner
def dealer_card(t: Any, shoe: Any, chance: Any) -> None:
    """A card to the dealer."""
    code = card(t, shoe, chance)
    rank, up = code & 15, t[r.UP] & 15
    t[r.DEALER_HARD] += points_of(code)
    t[r.DEALER_ACES] += int(rank == 0)
    t[r.DEALER_CARDS] += 1
    if t[r.DEALER_CARDS] == 2 and ((up == 0 and rank >= 9) or (up >= 9 and rank == 0)):
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
                won = house.insurance_on_ace if t[r.UP] & 15 == 0 else house.insurance_on_ten
                t[r.NET] += won if t[r.DEALER_NATURAL] else -cost
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
            if natural and rules.busted_double_lost == 0:
                t[r.NET] += t[at + r.DOUBLED]
    for h in range(count):
        at = hand_at(b, h)
        status = t[at + r.STATUS]
        if status == r.SURRENDERED:
            t[r.NET] -= house.unit if natural and house.surrender_whole else house.unit // 2
        if status != r.STOOD and status != r.NATURAL:
            continue
        result = outcome(
            rules, total(t[at + r.HARD], t[at + r.ACES]), t[at + r.CARDS], status == r.NATURAL,
            t[at + r.FROM_SPLIT] != 0, points, natural,
        )  # fmt: skip
        stake = t[at + r.BASE] + t[at + r.DOUBLED]
        if result == WIN_NATURAL:
            t[r.NET] += winning(t, at) * rules.natural_odds_win // rules.natural_odds_stake
        elif result > 20:
            t[r.NET] += payment(rules, house, t, b, at)
        elif result == LOSE_DEALER_NATURAL:
            lost = dealer_natural_loss(rules, house.unit, busted, stake, t[at + r.ORIGINAL] != 0, t[at + r.BASE], taken)
            taken += lost
            t[r.NET] -= lost
        elif result < 10:
            t[r.NET] -= stake
