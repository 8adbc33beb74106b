"""The kernel: rounds of any game, played from tables, summed in whole numbers.

One kernel serves every game. What a hand does and what it is worth comes from `Tables`; what spans hands (what a
dealer's natural takes, how much of the dealer's hand is needed) is decided by the functions of `play`, compiled here.
Nothing is allocated inside the loop, nothing recurses, no Python object is touched: what a GPU compiler cannot take
is kept out.
"""

from __future__ import annotations

from pitboss.play._jit import register_all
from pitboss.play.dealer import (
    NO_CARD,
    ONE_CARD,
    WHOLE_HAND,
    completes_for_side_wagers,
    dealer_looks,
    dealer_need,
    has_hole_card,
)
from pitboss.play.hands import ACE
from pitboss.play.insurance import hand_may_insure, insurance_offered
from pitboss.play.naturals import makes_natural, may_become_natural, natural_paid_now
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.sim.kernels.arguments import (
    BEGIN,
    BET,
    BETS,
    BURNT,
    CARDS,
    DEALER_BUSTS,
    DEALER_NATURALS,
    DRAWN,
    END,
    HALF_HISTOGRAM,
    INSURANCE_NET,
    INSURED,
    INSURES,
    NET,
    NET_2,
    NET_3,
    NET_SUPER_BONUS,
    OUTSIDE,
    ROUNDS,
    SHOES,
    WON,
    Given,
    Kept,
    Scratch,
)
from pitboss.sim.kernels.boxes import (
    NEEDS,
    ORDINARY,
    SUPER,
    count_back,
    feed_before_turns,
    next_card,
    place_by_count,
    place_of_moment,
    play_box,
    play_natural,
)
from pitboss.sim.kernels.compiling import INT64, UINT64, Codes, compile_kernel, part
from pitboss.sim.kernels.exchanging import exchange
from pitboss.sim.kernels.luck import (
    add_by_count,
    add_corrected,
    add_shoe,
    find_later_luck,
    follow_dealer,
    follow_first,
    follow_hole,
    follow_nothing,
    follow_second,
    follow_up,
    note_shares,
    parts_of_insurance,
    place_of_count,
)
from pitboss.sim.kernels.settling import judge_sides, settle_box_in_kernel, weigh_finals
from pitboss.sim.kernels.side_luck import (
    LUCK,
    OF_SHOE,
    STAKES,
    STAKES_OF_SHOE,
    follow_dealer_of_sides,
    follow_first_of_sides,
    follow_second_of_sides,
    follow_up_of_sides,
    open_sides,
)
from pitboss.sim.kernels.side_luck import WON as WON_BY_SIDE
from pitboss.sim.unfold.luck_tables import RANK_COUNT
from pitboss.sim.unfold.tables import WIDTH

register_all()

ROUNDS_TOGETHER = 64
"""Rounds from a device that keeps the cards of the round before are alike from one to the next: so many count as one
shoe."""


@part
def deal_out(
    given: Given, scratch: Scratch, shoe: Codes, pos: int, known: int, ctr: int, gamma: int, place: int
) -> tuple[int, int, int, int]:
    """The initial deal: cards dealt, counter of the stream, up card, hole card; `place` is that of the true count."""
    boxes = given.shape.boxes if len(given.form.many) > 0 else 1
    valued = len(given.form.valued) > 0
    sided = valued and given.shape.sides != 0
    for b in range(boxes):
        if valued:
            follow_first(given, scratch, b)
            if sided:
                follow_first_of_sides(given.sides, given.side_luck, scratch.side, b)
        scratch.codes[b, 0], ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
        pos += 1
    if valued:
        follow_up(given, scratch, boxes)
        if sided:
            follow_up_of_sides(given.sides, given.side_luck, scratch.side, boxes)
    up_code, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
    pos += 1
    for b in range(boxes):
        if valued:
            follow_second(given, scratch, b, up_code & 15)
            if sided:
                follow_second_of_sides(given.sides, given.side_luck, scratch.side, b, up_code)
        scratch.codes[b, 1], ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
        pos += 1
    hole = INT64(NO_CARD_CODE)
    if len(given.form.beside) > 0 and has_hole_card(given.rules):
        if valued:
            follow_second_of_dealer(given, scratch, boxes, place, up_code & 15)
        hole, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
        pos += 1
    return pos, ctr, up_code, hole


@part
def count_insured(given: Given, scratch: Scratch, place: int, up: int) -> int:
    """Boxes whose player insures at the true count of this place."""
    schedule = given.schedule
    insures = schedule.insures_ace[place] if up == ACE else schedule.insures_ten[place]
    insured = 0
    if insures and insurance_offered(given.rules, up):
        for b in range(given.shape.boxes):
            natural = makes_natural(scratch.codes[b, 0] & 15, scratch.codes[b, 1] & 15)
            insured += hand_may_insure(given.rules, natural)
    return insured


@part
def follow_second_of_dealer(given: Given, scratch: Scratch, boxes: int, place: int, up: int) -> None:
    """The next card is the dealer's second, with the insurance that will be taken against it."""
    insured = count_insured(given, scratch, place, up) if given.shape.counting else 0
    follow_hole(given, scratch, boxes, up, insured)
    follow_dealer_too(given, scratch, up, given.tables.dealer_start[UINT64(up)], 1)


@part
def count_whole_shoe(given: Given, scratch: Scratch) -> None:
    """All cards are in the shoe."""
    for rank in range(RANK_COUNT):
        scratch.left[rank] = given.luck.whole[rank]
    scratch.side.left[:] = 0.0
    for place in range(given.fresh.size):
        scratch.side.left[given.fresh[place]] += 1.0


@part
def follow_finals(given: Given, scratch: Scratch, state: int) -> None:
    """The next card is the dealer's, for the hands."""
    tables = given.tables
    follow_dealer(scratch.follow, given.luck.ends, scratch.finals, tables.dealer, tables.final_total.size, state)


@part
def follow_dealer_too(given: Given, scratch: Scratch, up: int, state: int, cards: int) -> None:
    """The next card is the dealer's, for side wagers."""
    if given.shape.sides != 0:
        follow_dealer_of_sides(given.sides, given.side_luck, scratch.side, given.tables.dealer, up, state, cards)


@part
def add_sides(given: Given, kept: Kept, scratch: Scratch) -> None:
    """A round with side wagers is over."""
    numbers = scratch.side.numbers
    for wager in range(given.shape.sides):
        numbers[OF_SHOE, wager], numbers[STAKES_OF_SHOE, wager] = add_corrected(
            kept.side_corrected[wager], numbers[WON_BY_SIDE, wager] - numbers[LUCK, wager], numbers[OF_SHOE, wager],
            numbers[STAKES_OF_SHOE, wager], numbers[STAKES, wager],
        )  # fmt: skip


@part
def close_shoe_of_table(
    given: Given, kept: Kept, scratch: Scratch, shoe: Codes, dealt: int, won: float, bets: float
) -> None:
    """A shoe is over of which so many cards were dealt, and its rounds have won so much."""
    luck = find_later_luck(given.later, given.later.gain, shoe, dealt)
    add_shoe(kept.corrected, won, bets, luck / given.tables.unit)
    numbers = scratch.side.numbers
    for wager in range(given.shape.sides):
        luck = find_later_luck(given.later, given.side_luck.gain[wager], shoe, dealt)
        add_shoe(kept.side_corrected[wager], numbers[OF_SHOE, wager], numbers[STAKES_OF_SHOE, wager], luck)
        numbers[OF_SHOE, wager] = numbers[STAKES_OF_SHOE, wager] = 0.0


@part
def add_round(given: Given, kept: Kept, scratch: Scratch, up: int, net: int, bet: int) -> None:
    """Add what a round won to what is kept."""
    sums = kept.sums
    boxes = given.shape.boxes if len(given.form.many) > 0 else 1
    detail = len(given.form.beside) > 0 and given.shape.detail != 0
    for b in range(boxes):
        sums[scratch.part[b]] += scratch.box_net[b] * bet
        if detail:
            one, two = min(scratch.codes[b, 0] & 15, 9) + 1, min(scratch.codes[b, 1] & 15, 9) + 1
            place = (min(one, two) * 11 + max(one, two)) * 11 + min(up, 9) + 1
            kept.openings[0, place] += 1
            kept.openings[1, place] += scratch.box_net[b] * bet
    if -HALF_HISTOGRAM <= net < HALF_HISTOGRAM:
        kept.histogram[UINT64(net + HALF_HISTOGRAM)] += 1
    else:
        sums[OUTSIDE] += 1
        sums[NET] += net
        sums[NET_2] += net * net
        sums[NET_3] += net * net * net


@compile_kernel
def play_rounds(
    given: Given, kept: Kept, scratch: Scratch, shoe: Codes, pos: int, known: int, count: int, ctr: int, gamma: int,
    first_round: int, rounds: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Play `rounds` rounds from a shoe of which `pos` cards are dealt, and add them to what is kept.

    Cards in front of `known` lie in the shoe already in the order of the deal. Gives back how many cards are dealt, the
    running count and the counter of the stream.
    """
    rules, tables, shape, schedule, sums = given.rules, given.tables, given.shape, given.schedule, kept.sums
    many, beside, fed = len(given.form.many) > 0, len(given.form.beside) > 0, len(given.form.fed) > 0
    boxes = shape.boxes if many else 1
    counting = beside and shape.counting != 0
    begin = end = net = n_cards = n_bets = place = insured = 0
    bet = 1
    away = deals = False
    valued = len(given.form.valued) > 0
    shoe_won = shoe_bets = won_more = 0.0
    tally = sorted_in = context = 0
    if valued and shape.returns_late:
        count_whole_shoe(given, scratch)
    for played in range(first_round, first_round + rounds):
        # ------------------------------------------------------------ shoe
        if fed:
            scratch.counts[DRAWN] = 0
        if valued and shape.returns_late and played % ROUNDS_TOGETHER == 0:
            close_shoe_of_table(given, kept, scratch, shoe, pos, shoe_won, shoe_bets)
            shoe_won = shoe_bets = 0.0
        if shape.returns_late == 0 and pos >= shape.cut:
            if valued and deals:
                close_shoe_of_table(given, kept, scratch, shoe, pos, shoe_won, shoe_bets)
            deals = True
            pos = 0
            count = schedule.start
            away = False
            sums[SHOES] += 1
            if valued:
                shoe_won = shoe_bets = 0.0
                tally = given.luck.tagged.start
                count_whole_shoe(given, scratch)
                follow_nothing(scratch)
            for _ in range(shape.burn):
                _card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                pos += 1
        if beside:
            if valued:
                follow_nothing(scratch)
            for _ in range(shape.burn_round):
                _card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                pos += 1
        begin = pos
        if fed:
            scratch.counts[BURNT] = begin
        if counting:
            place = place_by_count(given, count, shoe.size - pos)
            scratch.counted[0], scratch.counted[1], scratch.counted[2] = count, pos, NO_CARD_CODE
            bet = 0 if away and schedule.mid_shoe_entry == 0 else schedule.bets[place]
            away = bet == 0
        if valued:
            sorted_in = place_of_count(given, tally, shoe.size - pos)
            note_shares(kept, scratch, sorted_in)
            scratch.luck[0] = 0.0
            open_sides(scratch.side)
        # ------------------------------------------------------------ initial deal
        pos, ctr, up_code, hole = deal_out(given, scratch, shoe, pos, known, ctr, gamma, place)
        up = up_code & 15
        if shape.returns_late:
            for p in range(pos - begin):
                swap = shoe[p]
                shoe[p] = shoe[begin + p]
                shoe[begin + p] = swap
            pos -= begin
            if valued:
                for p in range(pos, pos + begin):
                    count_back(given, scratch, INT64(shoe[p]))
            begin = 0
        may_be_natural = may_become_natural(up)
        paid_now = natural_paid_now(rules, may_be_natural)
        ended = False
        if beside and shape.plays:
            scratch.counted[2] = hole
            place = place_of_moment(given, scratch, shoe, pos)
        if beside and dealer_looks(rules, up):
            if hole == NO_CARD_CODE:
                if valued:
                    follow_second_of_dealer(given, scratch, boxes, place, up)
                hole, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                pos += 1
                scratch.counted[2] = hole
            ended = makes_natural(up, hole & 15)
        if valued:
            context = up if hole == NO_CARD_CODE else RANK_COUNT * (1 + up) + (hole & 15)
        if fed:
            pos = feed_before_turns(given, scratch, shoe, pos, up, paid_now)
        # ------------------------------------------------------------ boxes
        insured = count_insured(given, scratch, place, up) if counting else 0
        left = ONE_CARD if insured else NO_CARD
        number = winners = 0
        switched = False
        for b in range(boxes):
            scratch.pending[b] = 0
            scratch.box_net[b] = 0
            scratch.first_hand[b] = number
            if many and rules.switch != 0 and b & 1 == 0:
                switched = exchange(given, scratch, b, up)
            if makes_natural(scratch.codes[b, 0] & 15, scratch.codes[b, 1] & 15) and not switched:
                scratch.tokens[b] = 0
                scratch.third[b] = NO_CARD_CODE
                left |= play_natural(given, kept, scratch, b, paid_now)
            else:
                pos, ctr, number, open_ = play_box(
                    given, kept, scratch, shoe, pos, known, ctr, gamma, b, up, number, ended, context
                )
                left |= open_
                winners += open_ & SUPER != 0
        scratch.first_hand[boxes] = number
        # ------------------------------------------------------------ dealer
        completes = beside and shape.dealer_side != 0 and completes_for_side_wagers(rules, left & ORDINARY != 0)
        need = dealer_need(rules, left & NEEDS, may_be_natural, completes)
        final = 0
        over = dealer_natural = False
        dealer_cards = 1
        if need != NO_CARD:
            card = hole
            if valued:
                weigh_finals(given, scratch, boxes, insured, up)
            if not beside or hole == NO_CARD_CODE:
                if valued:
                    follow_finals(given, scratch, tables.dealer_start[UINT64(up)])
                    follow_dealer_too(given, scratch, up, tables.dealer_start[UINT64(up)], dealer_cards)
                card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                pos += 1
            dealer_natural = makes_natural(up, card & 15)
            d = tables.dealer[UINT64(tables.dealer_start[UINT64(up)] * WIDTH + (card & 15))]
            dealer_cards = 2
            if need == WHOLE_HAND:
                while d < 64:
                    if valued:
                        follow_finals(given, scratch, d)
                        follow_dealer_too(given, scratch, up, d, dealer_cards)
                    card, ctr = next_card(given, scratch, shoe, pos, known, ctr, gamma)
                    pos += 1
                    dealer_cards += 1
                    d = tables.dealer[UINT64(d * WIDTH + (card & 15))]
                over = tables.final_total[UINT64(d - 64)] % 100 > 21
            final = max(d - 64, 0)
            sums[DEALER_NATURALS] += dealer_natural
            sums[DEALER_BUSTS] += over
        # ------------------------------------------------------------ settlement
        net = 0
        for b in range(boxes):
            settle_box_in_kernel(given, kept.sums, scratch, b, final, dealer_natural)
            net += scratch.box_net[b]
        if winners:
            extra = winners * shape.super_bonus + (boxes - winners) * shape.super_bonus_others
            sums[NET_SUPER_BONUS] += extra * bet
            net += extra
        if insured:
            won = parts_of_insurance(given, insured, up, dealer_natural)
            sums[INSURED] += 1
            sums[INSURANCE_NET] += won * bet
            net += won
        if beside and shape.sides and bet:
            ctr = judge_sides(given, kept, scratch, up_code, dealer_cards if over else 0, ctr, gamma)
            if valued:
                add_sides(given, kept, scratch)
        # ------------------------------------------------------------ sums
        end = scratch.counts[DRAWN] if fed else pos
        if counting:
            for p in range(begin, end):
                count += schedule.tags[scratch.drawn[p] if fed else shoe[p]]
        if valued:
            won_more = (net - scratch.luck[0]) / tables.unit
            add_by_count(kept, sorted_in, won_more, net / tables.unit)
            shoe_won, shoe_bets = add_corrected(kept.corrected, won_more * bet, shoe_won, shoe_bets, float(bet * boxes))
            for p in range(begin, end):
                tally += given.luck.tagged.tags[shoe[p]]
        net *= bet
        n_cards += end - begin
        n_bets += bet * boxes
        add_round(given, kept, scratch, up, net, bet)
        if played < kept.path.size:
            kept.path[played] = net
    if valued and (deals or shape.returns_late):
        close_shoe_of_table(given, kept, scratch, shoe, pos, shoe_won, shoe_bets)
    last = kept.last
    last[BEGIN], last[END], last[WON], last[BET], last[INSURES] = begin, end, net, bet, insured
    sums[ROUNDS] += rounds
    sums[CARDS] += n_cards
    sums[BETS] += n_bets
    return pos, count, ctr
