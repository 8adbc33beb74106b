"""The cards of one box in a kernel: dealing, and every hand of the box from its first two cards until it is over.

What a hand does and becomes is looked up in `Tables`; what spans hands is decided by the functions of `play`, compiled
here. A hand that wins or loses whatever the dealer has is paid here; the others are noted down for the settlement.
"""

from __future__ import annotations

from pitboss.play._jit import register_all
from pitboss.play.bonuses import grade_of, splits_suited_sevens, wins_super_bonus
from pitboss.play.dealer import NO_CARD, WHOLE_HAND, bust_needs, natural_needs, surrender_needs
from pitboss.play.doubling import double_is_free
from pitboss.play.hands import ACE, points_of
from pitboss.play.naturals import makes_natural
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.play.splitting import has_room_to_split, holds_own_stake, split_is_free
from pitboss.play.surrender import surrender_before_turns, surrender_waits
from pitboss.sim.kernels.arguments import (
    BURNT,
    BUSTS,
    DOUBLES,
    DRAWN,
    HANDS,
    LOSSES,
    MOST_COUNT,
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
    Given,
    Kept,
    Scratch,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, part
from pitboss.sim.kernels.luck import follow_half, follow_table, note_card, role_of
from pitboss.sim.kernels.side_luck import (
    follow_draw_of_sides,
    follow_half_of_tokens,
    follow_hit_of_tokens,
    note_sides,
)
from pitboss.sim.kernels.streams import draw_from_shoe
from pitboss.sim.unfold.luck_tables import OWN
from pitboss.sim.unfold.tables import DO_DOUBLE, DO_HIT, DO_SPLIT, DO_STAND, DO_SURRENDER, WIDTH

LIVE, DONE, SURRENDERED, BUSTED = 0, 1, 2, 3
"""What became of a hand before the dealer's: nothing yet, paid or taken, given up, over 21."""

NEEDS, ORDINARY, SUPER = WHOLE_HAND, 4, 8
"""Bits of what the boxes leave open: what they need of the dealer's hand, a hand that is neither bust nor a natural,
a Super Bonus that the other boxes share in."""

register_all()


@part
def next_card(
    given: Given, scratch: Scratch, shoe: Codes, pos: int, known: int, ctr: int, gamma: int
) -> tuple[int, int]:
    """The next card of the shoe: one that lies there already in front of `known`, or a fresh draw."""
    card = INT64(0)
    if pos < known:
        card = INT64(shoe[pos])
    else:
        card, ctr = draw_from_shoe(shoe, pos, ctr, gamma)
    if len(given.form.fed) > 0:
        scratch.drawn[scratch.counts[DRAWN]] = card
        scratch.counts[DRAWN] += 1
    if len(given.form.valued) > 0:
        note_card(scratch.follow, scratch.left, scratch.luck, card)
        if given.shape.sides != 0:
            note_sides(scratch.side, card)
    return card, ctr


@part
def place_by_count(given: Given, count: int, cards_left: int) -> int:
    """The place of a count in what a schedule says."""
    schedule = given.schedule
    value = count if schedule.running != 0 else count * 52 // cards_left
    value = value // schedule.multiple
    return min(max(value, -MOST_COUNT), MOST_COUNT) + MOST_COUNT


@part
def place_of_moment(given: Given, scratch: Scratch, shoe: Codes, pos: int) -> int:
    """The place of the count when all cards in front of `pos` are seen but for the one that the dealer hides."""
    tags, count, out = given.schedule.tags, scratch.counted[0], pos
    for place in range(scratch.counted[1], pos):
        count += tags[shoe[place]]
    if scratch.counted[2] != NO_CARD_CODE:
        count -= tags[scratch.counted[2]]
        out -= 1
    return place_by_count(given, count, shoe.size - out)


@part
def act_by_count(given: Given, scratch: Scratch, shoe: Codes, pos: int, state: int, up: int) -> int:
    """What a hand does at the count of the moment."""
    rows = given.schedule.plays[place_of_moment(given, scratch, shoe, pos)]
    return INT64(given.tables.by_count[UINT64((rows + state) * WIDTH + up)])


@part
def put_back(given: Given, scratch: Scratch, shoe: Codes, pos: int, card: int) -> int:
    """A card that was dealt goes back into the device: how many are still out."""
    place = pos - 1
    while shoe[place] != card:
        place -= 1
    shoe[place] = shoe[pos - 1]
    shoe[pos - 1] = card
    if len(given.form.valued) > 0:
        count_back(given, scratch, card)
    return pos - 1


@part
def count_back(given: Given, scratch: Scratch, card: int) -> None:
    """A card lies in the shoe again."""
    scratch.left[card & 15] += 1.0
    if given.shape.sides != 0:
        scratch.side.left[card] += 1.0


@part
def feed_device(given: Given, scratch: Scratch, shoe: Codes, pos: int, held: int) -> int:
    """The cards of a collected hand go back into the device, and before them what was burnt."""
    for place in range(scratch.counts[BURNT]):
        pos = put_back(given, scratch, shoe, pos, scratch.drawn[place])
    scratch.counts[BURNT] = 0
    for place in range(held):
        pos = put_back(given, scratch, shoe, pos, scratch.held[place])
    return pos


@part
def feed_before_turns(given: Given, scratch: Scratch, shoe: Codes, pos: int, up: int, paid_now: bool) -> int:
    """What is collected before boxes act goes back: naturals that are paid, hands surrendered and settled at once."""
    rules, tables = given.rules, given.tables
    for b in range(given.shape.boxes):
        one, two = scratch.codes[b, 0], scratch.codes[b, 1]
        gone = paid_now
        if not makes_natural(one & 15, two & 15):
            state = INT64(tables.opening[UINT64((one & 15) * WIDTH + (two & 15))])
            first = surrender_before_turns(rules) and not surrender_waits(rules)
            gone = first and tables.act[UINT64(state * WIDTH + up)] == DO_SURRENDER
        if gone:
            scratch.held[0], scratch.held[1] = one, two
            pos = feed_device(given, scratch, shoe, pos, 2)
    return pos


@part
def play_natural(given: Given, kept: Kept, scratch: Scratch, b: int, paid_now: bool) -> int:
    """A box has a natural: paid now, or waiting for the dealer's hand."""
    kept.sums[NATURALS] += 1
    scratch.part[b] = NET_NATURALS
    needs = NO_CARD if paid_now else natural_needs(given.rules)
    if needs == NO_CARD:
        scratch.box_net[b] += given.tables.natural_pay
        kept.sums[WINS] += 1
    else:
        scratch.pending[b] = 1
    return needs


@part
def play_box(
    given: Given, kept: Kept, scratch: Scratch, shoe: Codes, pos: int, known: int, ctr: int, gamma: int, b: int,
    up: int, number: int, ended: bool, context: int,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Play the hands of a box that has no natural; `number` is that of its first hand.

    `ended`: the dealer has shown a natural, and nobody acts. `context`: what is known of the dealer's hand. Gives back
    how many cards are dealt, the counter of the stream, the number of the next hand, and the bits of what is open.
    """
    rules, tables, shape, sums, luck = given.rules, given.tables, given.shape, kept.sums, given.luck
    unit = tables.unit
    keeps_third = len(given.form.beside) > 0
    own_first, own_second = scratch.codes[b, 0], scratch.codes[b, 1]
    one = own_first & 15
    # The hands of the box: first cards of those still to be played wait on a small stack.
    state = INT64(tables.opening[UINT64(one * WIDTH + (own_second & 15))])
    fed = len(given.form.fed) > 0
    held = 0
    first = number
    depth, hands, net, left, used = 0, 1, 0, 0, 0
    declined = sevens = False
    part = NET_SINGLES
    third = INT64(NO_CARD_CODE)
    valued = len(given.form.valued) > 0
    sided = valued and shape.sides != 0
    role = OWN
    counts = keeps_third and shape.plays != 0
    more = True
    while more:
        if state < 0:
            # A split hand waits for its second card: -1 - rank of the first.
            rank = -1 - state
            if valued:
                holds = holds_own_stake(rules, points_of(rank), number - first, number - first + 1 + depth)
                role = role_of(given, holds, points_of(one))
                room = has_room_to_split(rules, hands, rank == ACE, declined)
                follow_half(
                    scratch.follow, luck.hand[role, context], luck.half[role, context], tables.act,
                    tables.split_opening if role == OWN else tables.other_opening, tables.unsplit, up, rank,
                    luck.half[role_of(given, False, points_of(rank)), context], room,
                )  # fmt: skip
                if sided:
                    follow_draw_of_sides(given.sides, given.side_luck, scratch.side, b, up, third)
                    follow_half_of_tokens(
                        given.sides, given.side_luck, scratch.side, tables.act,
                        tables.split_opening if holds else tables.other_opening, tables.unsplit, up, rank, room, depth,
                        hands, used,
                    )  # fmt: skip
            own_second, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
            pos += 1
            if keeps_third and third == NO_CARD_CODE:
                third = own_second
            opened = UINT64(rank * WIDTH + (own_second & 15))
            own = holds_own_stake(rules, points_of(rank), number - first, number - first + 1 + depth)
            state = INT64(tables.split_opening[opened] if own else tables.other_opening[opened])
            if not has_room_to_split(rules, hands, rank == ACE, declined):
                state = INT64(tables.unsplit[UINT64(state)])
        if fed:
            scratch.held[0], scratch.held[1], held = own_first, own_second, 2
        action = tables.act[UINT64(state * WIDTH + up)]
        if counts:
            action = act_by_count(given, scratch, shoe, pos, state, up)
        if ended and not (action == DO_SURRENDER and surrender_before_turns(rules)):
            action = DO_STAND
        if depth > 0 and action != DO_SPLIT and tables.splits[UINT64(state)]:
            declined = True
        while action == DO_HIT:
            if valued:
                follow_table(scratch.follow, luck.hand[role, context], tables.grow, state)
                if sided:
                    follow_draw_of_sides(given.sides, given.side_luck, scratch.side, b, up, third)
                    follow_hit_of_tokens(
                        given.sides, given.side_luck, scratch.side, tables.grow, b, up, state, depth, hands, used
                    )
            card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
            pos += 1
            if fed:
                scratch.held[held] = card
                held += 1
            if keeps_third and third == NO_CARD_CODE:
                third = card
            state = INT64(tables.grow[UINT64(state * WIDTH + (card & 15))])
            action = tables.act[UINT64(state * WIDTH + up)]
            if counts:
                action = act_by_count(given, scratch, shoe, pos, state, up)
        if action == DO_SPLIT:
            sums[SPLITS] += 1
            part = NET_SPLITS
            hands += 1
            sevens = sevens or splits_suited_sevens(
                own_first & 15, own_second & 15, own_first >> 4 & 3, own_second >> 4 & 3
            )
            scratch.waiting[depth] = own_second
            depth += 1
            state = INT64(-1 - (own_first & 15))
            used += split_is_free(rules, points_of(one))
            continue
        stake = unit
        if hands > 1 and split_is_free(rules, points_of(one)):
            own = holds_own_stake(rules, points_of(one), number - first, number - first + 1 + depth)
            stake = unit if own else 0
        staked, times, fate = stake, 1, LIVE
        kind = INT64(0)
        if action == DO_SURRENDER:
            sums[SURRENDERS] += 1
            fate = SURRENDERED
            part = part if hands > 1 else NET_SURRENDERS
            left |= surrender_needs(rules)
        elif action == DO_DOUBLE:
            sums[DOUBLES] += 1
            part = part if hands > 1 else NET_DOUBLES
            if valued:
                follow_table(scratch.follow, luck.doubled[role, context], tables.doubled, state)
                if sided:
                    follow_draw_of_sides(given.sides, given.side_luck, scratch.side, b, up, third)
            card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
            pos += 1
            if fed:
                scratch.held[held] = card
                held += 1
            if keeps_third and third == NO_CARD_CODE:
                third = card
            kind = INT64(tables.doubled[UINT64(state * WIDTH + (card & 15))])
            while tables.redraws[UINT64(kind)]:
                if valued:
                    follow_table(scratch.follow, luck.doubled[role, context], tables.redrawn, kind)
                    if sided:
                        follow_draw_of_sides(given.sides, given.side_luck, scratch.side, b, up, third)
                card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                pos += 1
                if fed:
                    scratch.held[held] = card
                    held += 1
                kind = INT64(tables.redrawn[UINT64(kind * WIDTH + (card & 15))])
            if tables.rescue[UINT64(kind * WIDTH + up)]:
                sums[RESCUES] += 1
                net -= stake
                fate = DONE
            else:
                times = 2
                free = double_is_free(rules)
                used += free
                staked += 0 if free else unit
        else:
            kind = INT64(tables.worth[UINT64(state)])
        if fate == LIVE:
            if kind == 0:
                sums[BUSTS] += 1
                sums[LOSSES] += 1
                net -= staked
                fate = BUSTED
                left |= bust_needs(rules, times == 2)
            elif tables.live[UINT64(kind)]:
                left |= WHOLE_HAND
            else:
                pay = tables.sure[UINT64(kind)]
                pattern = tables.suits[UINT64(kind)]
                if pattern:
                    grade = grade_of(1 << (own_first >> 4) | 1 << (own_second >> 4) | 1 << (shoe[pos - 1] >> 4))
                    pay = tables.suited[UINT64(pattern * 3 + grade)]
                    if shape.super_bonus and wins_super_bonus(rules, up, pattern, grade, times == 2, hands > 1, sevens):
                        sums[SUPER_BONUSES] += 1
                        left |= SUPER
                net += pay * times
                sums[WINS] += 1
                fate = DONE
        if fed:
            given_up = fate == SURRENDERED and not surrender_waits(rules) and not surrender_before_turns(rules)
            rescued = fate == DONE and times == 1 and action == DO_DOUBLE
            if given_up or rescued or (fate != SURRENDERED and tables.collected[UINT64(kind)]):
                pos = feed_device(given, scratch, shoe, pos, held)
        left |= 0 if fate == BUSTED else ORDINARY
        scratch.classes[number] = kind
        scratch.money[number] = staked
        scratch.base[number] = stake
        scratch.wins[number] = times
        scratch.status[number] = fate
        number += 1
        more = depth > 0
        if more:
            depth -= 1
            own_first = scratch.waiting[depth]
            state = INT64(-1 - (own_first & 15))
    sums[HANDS] += hands
    sums[TOKENS] += used
    scratch.tokens[b] = used
    scratch.third[b] = third
    scratch.box_net[b] += net
    scratch.part[b] = part
    return pos, ctr, number, left
