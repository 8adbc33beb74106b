"""The cards of one box in a kernel: dealing, and every hand of the box from its first two cards until it is over.

What a hand does and becomes is looked up in `Tables`. A hand that wins or loses whatever the dealer has is paid here;
the others are noted down for the settlement.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.sim.kernels.arguments import (
    BUSTS,
    DOUBLES,
    HANDS,
    LOSSES,
    NATURALS,
    NET_DOUBLES,
    NET_NATURALS,
    NET_SINGLES,
    NET_SPLITS,
    NET_SURRENDERS,
    RESCUES,
    SPLITS,
    SUPER_BONUSES,
    SURRENDERS,
    TOKENS,
    WINS,
)
from pitboss.sim.kernels.compiling import part
from pitboss.sim.kernels.streams import draw
from pitboss.sim.unfold.side_tables import NO_CARD_CODE
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, WIDTH

LIVE, DONE, SURRENDERED, BUSTED = 0, 1, 2, 3
"""What became of a hand before the dealer's: nothing yet, paid or taken, given up, over 21."""

COMPARES, WAITS, ORDINARY, SUPER = 1, 2, 4, 8
"""Bits of what the boxes leave open: a hand to be compared, something that hangs on the dealer's second card, a hand
that is neither bust nor a natural; and a Super Bonus that the other boxes share in."""

SEVEN = 6
"""The rank of a seven."""


@part
def natural_of(one: int, two: int) -> bool:
    """An ace and a ten, by rank."""
    return (one == 0 and two >= 9) or (one >= 9 and two == 0)


@part
def deal(shoe: Any, pos: int, known: int, ctr: Any, gamma: Any) -> Any:
    """The next card of the shoe: one that lies there already in front of `known`, or a fresh draw."""
    if pos < known:
        return np.int64(shoe[pos]), ctr
    return draw(shoe, pos, ctr, gamma)


@part
def play_natural(given: Any, kept: Any, scratch: Any, b: int, paid_now: bool) -> int:
    """A box has a natural: paid now, or waiting for the dealer's hand."""
    kept.sums[NATURALS] += 1
    scratch.part[b] = NET_NATURALS
    if paid_now or given.shape.naturals_win:
        scratch.box_net[b] += given.tables.natural_pay
        kept.sums[WINS] += 1
        return 0
    scratch.pending[b] = 1
    return WAITS | COMPARES if given.shape.natural_fails else WAITS


@part
def play_box(
    given: Any, kept: Any, scratch: Any, shoe: Any, pos: int, known: int, ctr: Any, gamma: Any, b: int, up: int,
    number: int, ended: bool,
) -> Any:  # fmt: skip
    """Play the hands of a box that has no natural; `number` is that of its first hand.

    `ended`: the dealer has shown a natural, and nobody acts. Gives back how many cards are dealt, the counter of the
    stream, the number of the next hand, and the bits of what is open.
    """
    tables, shape, sums = given.tables, given.shape, kept.sums
    unit, tokens = tables.unit, shape.tokens != 0
    keeps_third = len(given.form.beside) > 0
    own_first, own_second = scratch.codes[b, 0], scratch.codes[b, 1]
    one = own_first & 15
    # The hands of the box: first cards of those still to be played wait on a small stack.
    state = np.int64(tables.opening[np.uint64(one * WIDTH + (own_second & 15))])
    first = number
    depth, hands, net, left, used = 0, 1, 0, 0, 0
    declined = sevens = False
    part = NET_SINGLES
    third = np.int64(NO_CARD_CODE)
    more = True
    while more:
        if state < 0:
            # A split hand waits for its second card: -1 - rank of the first.
            value = -1 - state
            own_second, ctr = deal(shoe, pos, known, ctr, gamma)
            pos += 1
            if keeps_third and third == NO_CARD_CODE:
                third = own_second
            opened = np.uint64(value * WIDTH + (own_second & 15))
            state = np.int64(tables.split_opening[opened] if number == first else tables.other_opening[opened])
            limit = shape.split_aces_max_hands if value == 0 else shape.split_max_hands
            if hands >= limit or (declined and shape.declined_bars):
                state = np.int64(tables.unsplit[np.uint64(state)])
        action = tables.act[np.uint64(state * WIDTH + up)]
        if ended and not (action == DO_SURRENDER and shape.early_surrender):
            action = DO_STAND
        while action == DO_HIT:
            if shape.declined_bars and tables.pair[np.uint64(state)]:
                declined = True
            card, ctr = deal(shoe, pos, known, ctr, gamma)
            pos += 1
            if keeps_third and third == NO_CARD_CODE:
                third = card
            state = np.int64(tables.grow[np.uint64(state * WIDTH + (card & 15))])
            action = tables.act[np.uint64(state * WIDTH + up)]
        if action == DO_SPLIT:
            sums[SPLITS] += 1
            part = NET_SPLITS
            hands += 1
            sevens = sevens or (own_first == own_second and one == SEVEN)
            scratch.waiting[depth] = own_second
            depth += 1
            state = np.int64(-1 - (own_first & 15))
            used += tokens and one < 9
            continue
        own = 0 if tokens and number > first and one < 9 else unit
        staked, times, fate = own, 1, LIVE
        kind = np.int64(0)
        if action == DO_SURRENDER:
            sums[SURRENDERS] += 1
            fate = SURRENDERED
            part = part if hands > 1 else NET_SURRENDERS
            left |= WAITS if shape.surrender_waits else 0
        elif action == DO_DOUBLE:
            sums[DOUBLES] += 1
            part = part if hands > 1 else NET_DOUBLES
            card, ctr = deal(shoe, pos, known, ctr, gamma)
            pos += 1
            if keeps_third and third == NO_CARD_CODE:
                third = card
            kind = np.int64(tables.doubled[np.uint64(state * WIDTH + (card & 15))])
            if tables.rescue[np.uint64(kind * WIDTH + up)]:
                sums[RESCUES] += 1
                net -= own
                fate = DONE
            else:
                times = 2
                used += tokens
                staked += 0 if tokens else unit
        else:
            kind = np.int64(tables.worth[np.uint64(state)])
        if fate == LIVE:
            if kind == 0:
                sums[BUSTS] += 1
                sums[LOSSES] += 1
                net -= staked
                fate = BUSTED
                left |= WAITS if times == 2 and given.rules.busted_double_lost == 0 else 0
            elif tables.live[np.uint64(kind)]:
                left |= COMPARES
            else:
                pay = tables.sure[np.uint64(kind)]
                pattern = tables.suits[np.uint64(kind)]
                if pattern:
                    suit = own_first >> 4 & 3
                    one_suit = own_second >> 4 & 3 == suit and shoe[pos - 1] >> 4 & 3 == suit
                    grade = 0 if not one_suit else 2 if suit == 0 else 1
                    pay = tables.suited[np.uint64(pattern * 3 + grade)]
                    barred = hands > 1 and (given.rules.super_bonus_after_split == 0 or sevens)
                    if shape.super_bonus and one_suit and pattern == 2 and up == SEVEN and not barred:
                        sums[SUPER_BONUSES] += 1
                        left |= SUPER
                net += pay * times
                sums[WINS] += 1
                fate = DONE
        left |= 0 if fate == BUSTED else ORDINARY
        scratch.classes[number] = kind
        scratch.money[number] = staked
        scratch.base[number] = own
        scratch.wins[number] = times
        scratch.status[number] = fate
        number += 1
        more = depth > 0
        if more:
            depth -= 1
            own_first = scratch.waiting[depth]
            state = np.int64(-1 - (own_first & 15))
    sums[HANDS] += hands
    sums[TOKENS] += used
    scratch.tokens[b] = used
    scratch.third[b] = third
    scratch.box_net[b] += net
    scratch.part[b] = part
    return pos, ctr, number, left
