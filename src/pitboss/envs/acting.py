"""Actions of agents at rows of tables, and what the agents then see; compiled, for all tables of a batch at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.envs import rows as r
from pitboss.envs import words as w
from pitboss.envs.rounds import (
    DOUBLE,
    FORFEIT,
    HIT,
    INSURE,
    PROCEED,
    SEVEN,
    SPLIT,
    STAGE_OFFERS,
    STAGE_OVER,
    STAGE_RESCUE,
    STAGE_SWITCH,
    STAGE_TURN,
    SURRENDER,
    SWITCH,
    TAKE_EVEN,
    begin,
    can_split,
    end_hand,
    first_round,
    go_on,
    may_insure,
    may_surrender,
    may_take_even,
)
from pitboss.envs.rows import Int, box_at, clear_hand, further, hand_at, inner, points_of, take
from pitboss.play.hands import total
from pitboss.play.packed import EXEMPT_ONLY_11, SPLIT_TOKEN_EXCEPT_TENS, STAKE_TOKEN
from pitboss.play.settle import always_wins
from pitboss.sim.compiling import kernel as compiled

ACTIONS = len(w.Action)


@inner
def act(rules: Any, house: Any, t: Any, i: Int, action: Int, shoes: Any, ctr: Any, gamma: Any) -> None:
    """Do what is asked for, which must be open, and go on until something is to be decided."""
    stage = t[i, r.AT_STAGE]
    b = np.int64(t[i, r.AT_BOX])
    at = hand_at(b, np.int64(t[i, r.AT_HAND]))
    if stage == STAGE_OFFERS:
        if action == PROCEED:
            t[i, r.AT_STAGE] = STAGE_TURN
        else:
            take_offer(rules, house, t, i, action)
    elif stage == STAGE_RESCUE:
        t[i, r.AT_STAGE] = STAGE_TURN
        if action == FORFEIT:
            t[i, r.NET] -= t[i, at + r.BASE]
            t[i, at + r.STATUS] = r.OUT
        else:
            end_hand(rules, house, t, i, b, at)
    elif action == SWITCH:
        switch(t, i)
    elif stage == STAGE_SWITCH:
        t[i, r.SWITCH_CLOSED] = 1
    elif action == SURRENDER:
        surrender(house, t, i, b)
    else:
        t[i, r.SWITCH_CLOSED] = 1
        play_hand(rules, house, t, i, action, b, at, shoes, ctr, gamma)
    go_on(rules, house, t, i, shoes, ctr, gamma)


@inner
def take_offer(rules: Any, house: Any, t: Any, i: Int, action: Int) -> None:
    """Insurance, even money or surrender, for the first box that may have it."""
    for b in range(house.boxes):
        if action == INSURE and may_insure(rules, house, t, i, b):
            t[i, box_at(b) + r.INSURANCE] = house.insurance
            return
        if action == TAKE_EVEN and may_take_even(rules, t, i, b):
            t[i, box_at(b) + r.EVEN_MONEY] = 1
            t[i, r.NET] += house.unit
            t[i, hand_at(b, 0) + r.STATUS] = r.OUT
            if house.even_money_returns_insurance:
                t[i, box_at(b) + r.INSURANCE] = 0
            return
        if action == SURRENDER and may_surrender(rules, t, i, b, False):
            surrender(house, t, i, b)
            return


@inner
def surrender(house: Any, t: Any, i: Int, b: Int) -> None:
    """Give up half the wager, now or when the dealer's second card is seen."""
    if house.surrender_at_once:
        t[i, r.NET] -= house.unit // 2
        t[i, hand_at(b, 0) + r.STATUS] = r.OUT
    else:
        t[i, hand_at(b, 0) + r.STATUS] = r.SURRENDERED


@inner
def switch(t: Any, i: Int) -> None:
    """Exchange the second cards of the area."""
    left, right = hand_at(0, 0), hand_at(1, 0)
    one, two = t[i, left + r.SECOND], t[i, right + r.SECOND]
    for at, second in ((left, two), (right, one)):
        first, base = t[i, at + r.FIRST], t[i, at + r.BASE]
        clear_hand(t, i, at)
        t[i, at + r.BASE], t[i, at + r.ORIGINAL] = base, 1
        take(t, i, at, first)
        take(t, i, at, second)
    t[i, r.SWITCH_CLOSED] = 1
    t[i, r.AT_STAGE] = STAGE_TURN


@inner
def play_hand(
    rules: Any, house: Any, t: Any, i: Int, action: Int, b: Int, at: Int, shoes: Any, ctr: Any, gamma: Any
) -> None:
    """Hit, stand, double or split."""
    if action == SPLIT:
        split(rules, house, t, i, b, at)
        return
    if rules.split_declined_bars != 0 and can_split(rules, t, i, b, at):
        t[i, box_at(b) + r.DECLINED] = 1
    if action == HIT:
        further(t, i, b, at, 0, shoes, ctr, gamma)
    elif action == DOUBLE:
        double(rules, house, t, i, b, at, shoes, ctr, gamma)
    elif t[i, at + r.FROM_ACES] != 0 and rules.split_aces_one_card != 0:
        end_hand(rules, house, t, i, b, at)
    else:
        t[i, at + r.STATUS] = r.STOOD


@inner
def double(rules: Any, house: Any, t: Any, i: Int, b: Int, at: Int, shoes: Any, ctr: Any, gamma: Any) -> None:
    """More money, one card; in some games the double may then be taken back."""
    t[i, at + r.IS_DOUBLED] = 1
    if rules.double_stake == STAKE_TOKEN:
        t[i, at + r.DOUBLED_TOKEN] = house.unit
    else:
        t[i, at + r.DOUBLED] = house.unit
    if rules.double_ace_as_one != 0:
        t[i, at + r.ACES] -= int(t[i, at + r.FIRST] & 15 == 0) + int(t[i, at + r.SECOND] & 15 == 0)
    further(t, i, b, at, 0, shoes, ctr, gamma)
    points = total(t[i, at + r.HARD], t[i, at + r.ACES])
    while rules.double_exempt_from_forced_draw == EXEMPT_ONLY_11 and points != 11 and points < rules.forced_draw_below:
        further(t, i, b, at, 0, shoes, ctr, gamma)
        points = total(t[i, at + r.HARD], t[i, at + r.ACES])
    sure = always_wins(rules, points, t[i, at + r.CARDS], False, t[i, at + r.FROM_SPLIT] != 0) != 0
    if rules.double_rescue != 0 and points <= 21 and not sure:
        t[i, r.AT_STAGE] = STAGE_RESCUE
    else:
        end_hand(rules, house, t, i, b, at)


@inner
def split(rules: Any, house: Any, t: Any, i: Int, b: Int, at: Int) -> None:
    """Part the two cards of a hand; the new hand comes right after it."""
    box = box_at(b)
    first, second = t[i, at + r.FIRST], t[i, at + r.SECOND]
    base, token, original = t[i, at + r.BASE], t[i, at + r.BASE_TOKEN], t[i, at + r.ORIGINAL]
    after = at + r.HAND_SIZE
    last = hand_at(b, np.int64(t[i, box + r.BOX_HANDS]))
    for place in range(last - 1, after - 1, -1):
        t[i, place + r.HAND_SIZE] = t[i, place]
    t[i, box + r.BOX_HANDS] += 1
    if first == second and first & 15 == SEVEN:
        t[i, box + r.SEVENS_SPLIT] = 1
    for here, code in ((at, first), (after, second)):
        clear_hand(t, i, here)
        take(t, i, here, code)
        t[i, here + r.FROM_SPLIT], t[i, here + r.FROM_ACES] = 1, int(code & 15 == 0)
    free = rules.split_stake == SPLIT_TOKEN_EXCEPT_TENS and first & 15 < 9
    own, added = (after, at) if free and house.tokens_first else (at, after)
    t[i, own + r.BASE], t[i, own + r.BASE_TOKEN], t[i, own + r.ORIGINAL] = base, token, original
    t[i, added + (r.BASE_TOKEN if free else r.BASE)] = house.unit


# Seeing -------------------------------------------------------------------------------------------------


@inner
def show(house: Any, t: Any, i: Int, seen: Any) -> None:
    """What the agent at a table sees."""
    b, h = np.int64(t[i, r.AT_BOX]), np.int64(t[i, r.AT_HAND])
    at = hand_at(b, h)
    points = total(t[i, at + r.HARD], t[i, at + r.ACES])
    suits = t[i, at + r.SUITS]
    seen[i, w.STAGE] = t[i, r.AT_STAGE]
    seen[i, w.UP_CARD] = points_of(t[i, r.UP])
    seen[i, w.TOTAL], seen[i, w.SOFT] = points, int(points != t[i, at + r.HARD])
    seen[i, w.CARDS] = t[i, at + r.CARDS]
    seen[i, w.FIRST_CARD] = points_of(t[i, at + r.FIRST])
    seen[i, w.SECOND_CARD] = points_of(t[i, at + r.SECOND])
    seen[i, w.SUITED] = 0 if suits & (suits - 1) else 2 if suits == 1 else 1
    seen[i, w.DOUBLED], seen[i, w.FROM_SPLIT] = t[i, at + r.IS_DOUBLED], t[i, at + r.FROM_SPLIT]
    seen[i, w.HAND], seen[i, w.HANDS], seen[i, w.BOX] = h + 1, t[i, box_at(b) + r.BOX_HANDS], b + 1
    seen[i, w.INSURED] = int(t[i, box_at(b) + r.INSURANCE] != 0)
    if house.boxes == 2:
        other = hand_at(1 - b, 0)
        seen[i, w.OTHER_TOTAL] = total(t[i, other + r.HARD], t[i, other + r.ACES])
        seen[i, w.OTHER_FIRST_CARD] = points_of(t[i, other + r.FIRST])
        seen[i, w.OTHER_SECOND_CARD] = points_of(t[i, other + r.SECOND])
    else:
        seen[i, w.OTHER_TOTAL] = seen[i, w.OTHER_FIRST_CARD] = seen[i, w.OTHER_SECOND_CARD] = 0
    for value in range(10):
        seen[i, w.SEEN + value] = t[i, r.SEEN + value]


@inner
def show_mask(t: Any, i: Int, masks: Any) -> None:
    """Which actions are open at a table."""
    bits = t[i, r.MASK]
    for action in range(ACTIONS):
        masks[i, action] = bits >> action & 1


# All tables ---------------------------------------------------------------------------------------------


@compiled
def deal_all(
    rules: Any, house: Any, t: Any, shoes: Any, ctr: Any, gamma: Any, seen: Any, masks: Any, start: Int, stop: Int
) -> None:
    """The first round at tables `start` to `stop`, from the shoes as they lie."""
    for i in range(start, stop):
        first_round(rules, house, t, i, shoes, ctr, gamma)
        show(house, t, i, seen)
        show_mask(t, i, masks)


@compiled
def step_all(
    rules: Any, house: Any, t: Any, shoes: Any, ctr: Any, gamma: Any, actions: Any, seen: Any, masks: Any,
    rewards: Any, ended: Any, refused: Any, finals: Any, start: Int, stop: Int,
) -> None:  # fmt: skip
    """One action at each of the tables. A round that ends is settled, and the next one is dealt at once."""
    for i in range(start, stop):
        action = np.int64(actions[i])
        is_open = 0 <= action < ACTIONS and (t[i, r.MASK] >> action & 1) != 0
        refused[i] = not is_open
        ended[i] = False
        rewards[i] = 0.0
        if is_open:
            if t[i, r.AT_STAGE] != STAGE_OVER:
                act(rules, house, t, i, action, shoes, ctr, gamma)
            if t[i, r.AT_STAGE] == STAGE_OVER:
                ended[i] = True
                rewards[i] = t[i, r.NET] / house.unit
                show(house, t, i, finals)
                begin(rules, house, t, i, shoes, ctr, gamma)
        show(house, t, i, seen)
        show_mask(t, i, masks)
