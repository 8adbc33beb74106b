"""Actions of agents at rows of tables, and what the agents then see; compiled, for all tables of a batch at once."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from pitboss.envs import fields as w
from pitboss.envs import rows as r
from pitboss.envs.rounds import (
    DOUBLE,
    FORFEIT,
    HIT,
    INSURE,
    PROCEED,
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
from pitboss.play.bonuses import grade_of, splits_suited_sevens
from pitboss.play.doubling import aces_fixed, double_is_free, doubled_must_draw, may_take_back
from pitboss.play.drawing import has_its_one_card
from pitboss.play.hands import ACE, total
from pitboss.play.insurance import even_money_returns_insurance
from pitboss.play.splitting import own_stake_last, split_is_free
from pitboss.play.surrender import surrender_costs, surrender_waits
from pitboss.sim.kernels.compiling import ROOMS, kernel

ACTIONS = len(w.Action)
compiled = functools.partial(kernel, rooms=(*ROOMS, "pitboss.envs"))


@inner
def act(rules: Any, house: Any, t: Any, action: Int, shoe: Any, chance: Any) -> None:
    """Do what is asked for, which must be open, and go on until something is to be decided."""
    stage = t[r.AT_STAGE]
    b = np.int64(t[r.AT_BOX])
    at = hand_at(b, np.int64(t[r.AT_HAND]))
    if stage == STAGE_OFFERS:
        if action == PROCEED:
            t[r.AT_STAGE] = STAGE_TURN
        else:
            take_offer(rules, house, t, action)
    elif stage == STAGE_RESCUE:
        t[r.AT_STAGE] = STAGE_TURN
        if action == FORFEIT:
            t[r.NET] -= t[at + r.BASE]
            t[at + r.STATUS] = r.OUT
        else:
            end_hand(rules, house, t, b, at)
    elif action == SWITCH:
        switch(t)
    elif stage == STAGE_SWITCH:
        t[r.SWITCH_CLOSED] = 1
    elif action == SURRENDER:
        surrender(rules, house, t, b)
    else:
        t[r.SWITCH_CLOSED] = 1
        play_hand(rules, house, t, action, b, at, shoe, chance)
    go_on(rules, house, t, shoe, chance)


@inner
def take_offer(rules: Any, house: Any, t: Any, action: Int) -> None:
    """Insurance, even money or surrender, for the first box that may have it."""
    for b in range(house.boxes):
        if action == INSURE and may_insure(rules, house, t, b):
            t[box_at(b) + r.INSURANCE] = house.insurance
            return
        if action == TAKE_EVEN and may_take_even(rules, t, b):
            t[box_at(b) + r.EVEN_MONEY] = 1
            t[r.NET] += house.unit
            t[hand_at(b, 0) + r.STATUS] = r.OUT
            if even_money_returns_insurance(rules):
                t[box_at(b) + r.INSURANCE] = 0
            return
        if action == SURRENDER and may_surrender(rules, t, b, False):
            surrender(rules, house, t, b)
            return


@inner
def surrender(rules: Any, house: Any, t: Any, b: Int) -> None:
    """Give up half the wager, now or when the dealer's second card is seen."""
    if surrender_waits(rules):
        t[hand_at(b, 0) + r.STATUS] = r.SURRENDERED
    else:
        t[r.NET] -= house.unit // 2 * surrender_costs(rules, False)
        t[hand_at(b, 0) + r.STATUS] = r.OUT


@inner
def switch(t: Any) -> None:
    """Exchange the second cards of the area."""
    left, right = hand_at(0, 0), hand_at(1, 0)
    one, two = t[left + r.SECOND], t[right + r.SECOND]
    for at, second in ((left, two), (right, one)):
        first, base = t[at + r.FIRST], t[at + r.BASE]
        clear_hand(t, at)
        t[at + r.BASE], t[at + r.ORIGINAL] = base, 1
        take(t, at, first)
        take(t, at, second)
    t[r.SWITCH_CLOSED] = 1
    t[r.AT_STAGE] = STAGE_TURN


@inner
def play_hand(rules: Any, house: Any, t: Any, action: Int, b: Int, at: Int, shoe: Any, chance: Any) -> None:
    """Hit, stand, double or split."""
    if action == SPLIT:
        split(rules, house, t, b, at)
        return
    if rules.split_declined_bars != 0 and can_split(rules, t, b, at):
        t[box_at(b) + r.DECLINED] = 1
    if action == HIT:
        further(t, b, at, 0, shoe, chance)
    elif action == DOUBLE:
        double(rules, house, t, b, at, shoe, chance)
    elif has_its_one_card(rules, t[at + r.FROM_ACES] != 0):
        end_hand(rules, house, t, b, at)
    else:
        t[at + r.STATUS] = r.STOOD


@inner
def double(rules: Any, house: Any, t: Any, b: Int, at: Int, shoe: Any, chance: Any) -> None:
    """More money, one card; in some games the double may then be taken back."""
    t[at + r.IS_DOUBLED] = 1
    if double_is_free(rules):
        t[at + r.DOUBLED_TOKEN] = house.unit
    else:
        t[at + r.DOUBLED] = house.unit
    t[at + r.ACES] -= aces_fixed(rules, int(t[at + r.FIRST] & 15 == ACE) + int(t[at + r.SECOND] & 15 == ACE))
    further(t, b, at, 0, shoe, chance)
    points = total(t[at + r.HARD], t[at + r.ACES])
    while doubled_must_draw(rules, points):
        further(t, b, at, 0, shoe, chance)
        points = total(t[at + r.HARD], t[at + r.ACES])
    if may_take_back(rules, points, t[at + r.CARDS], t[at + r.FROM_SPLIT] != 0):
        t[r.AT_STAGE] = STAGE_RESCUE
    else:
        end_hand(rules, house, t, b, at)


@inner
def split(rules: Any, house: Any, t: Any, b: Int, at: Int) -> None:
    """Part the two cards of a hand; the new hand comes right after it."""
    box = box_at(b)
    first, second = t[at + r.FIRST], t[at + r.SECOND]
    base, token, original = t[at + r.BASE], t[at + r.BASE_TOKEN], t[at + r.ORIGINAL]
    after = at + r.HAND_SIZE
    last = hand_at(b, 0) + np.int64(t[box + r.BOX_HANDS]) * r.HAND_SIZE
    for place in range(last - 1, after - 1, -1):
        t[place + r.HAND_SIZE] = t[place]
    t[box + r.BOX_HANDS] += 1
    if splits_suited_sevens(first & 15, second & 15, first >> 4, second >> 4):
        t[box + r.SEVENS_SPLIT] = 1
    for here, code in ((at, first), (after, second)):
        clear_hand(t, here)
        take(t, here, code)
        t[here + r.FROM_SPLIT], t[here + r.FROM_ACES] = 1, int(code & 15 == 0)
    free = split_is_free(rules, points_of(first))
    own, added = (after, at) if own_stake_last(rules, points_of(first)) else (at, after)
    t[own + r.BASE], t[own + r.BASE_TOKEN], t[own + r.ORIGINAL] = base, token, original
    t[added + (r.BASE_TOKEN if free else r.BASE)] = house.unit


# Seeing -------------------------------------------------------------------------------------------------


@inner
def show(house: Any, t: Any, seen: Any) -> None:
    """What the agent at a table sees."""
    b, h = np.int64(t[r.AT_BOX]), np.int64(t[r.AT_HAND])
    at = hand_at(b, h)
    points = total(t[at + r.HARD], t[at + r.ACES])
    seen[w.STAGE] = t[r.AT_STAGE]
    seen[w.UP_CARD] = points_of(t[r.UP])
    seen[w.TOTAL], seen[w.SOFT] = points, int(points != t[at + r.HARD])
    seen[w.CARDS] = t[at + r.CARDS]
    seen[w.FIRST_CARD] = points_of(t[at + r.FIRST])
    seen[w.SECOND_CARD] = points_of(t[at + r.SECOND])
    seen[w.SUITED] = grade_of(t[at + r.SUITS])
    seen[w.DOUBLED], seen[w.FROM_SPLIT] = t[at + r.IS_DOUBLED], t[at + r.FROM_SPLIT]
    seen[w.HAND], seen[w.HANDS], seen[w.BOX] = h + 1, t[box_at(b) + r.BOX_HANDS], b + 1
    seen[w.INSURED] = int(t[box_at(b) + r.INSURANCE] != 0)
    if house.boxes == 2:
        other = hand_at(1 - b, 0)
        seen[w.OTHER_TOTAL] = total(t[other + r.HARD], t[other + r.ACES])
        seen[w.OTHER_FIRST_CARD] = points_of(t[other + r.FIRST])
        seen[w.OTHER_SECOND_CARD] = points_of(t[other + r.SECOND])
    else:
        seen[w.OTHER_TOTAL] = seen[w.OTHER_FIRST_CARD] = seen[w.OTHER_SECOND_CARD] = 0
    for value in range(10):
        seen[w.SEEN + value] = t[r.SEEN + value]


@inner
def show_mask(t: Any, mask: Any) -> None:
    """Which actions are open at a table."""
    bits = t[r.MASK]
    for action in range(ACTIONS):
        mask[action] = bits >> action & 1


# All tables ---------------------------------------------------------------------------------------------


@compiled
def deal_all(
    rules: Any, house: Any, tables: Any, shoes: Any, chances: Any, seen: Any, masks: Any, start: Int, stop: Int
) -> None:
    """The first round at tables `start` to `stop`, from the shoes as they lie."""
    for i in range(start, stop):
        first_round(rules, house, tables[i], shoes[i], chances[i])
        show(house, tables[i], seen[i])
        show_mask(tables[i], masks[i])


@compiled
def step_all(
    rules: Any, house: Any, tables: Any, shoes: Any, chances: Any, actions: Any, seen: Any, masks: Any,
    rewards: Any, ended: Any, refused: Any, finals: Any, start: Int, stop: Int,
) -> None:  # fmt: skip
    """One action at each of the tables. A round that ends is settled, and the next one is dealt at once."""
    for i in range(start, stop):
        t, shoe, chance = tables[i], shoes[i], chances[i]
        action = np.int64(actions[i])
        is_open = 0 <= action < ACTIONS and (t[r.MASK] >> action & 1) != 0
        refused[i] = not is_open
        ended[i] = False
        rewards[i] = 0.0
        if is_open:
            if t[r.AT_STAGE] != STAGE_OVER:
                act(rules, house, t, action, shoe, chance)
            if t[r.AT_STAGE] == STAGE_OVER:
                ended[i] = True
                rewards[i] = t[r.NET] / house.unit
                show(house, t, finals[i])
                begin(rules, house, t, shoe, chance)
        show(house, t, seen[i])
        show_mask(t, masks[i])
