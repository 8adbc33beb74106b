"""The stages of a round: `deal_round` and `settle_deal` begin one, `step` leads from a decision to the next question.

In between everything happens that nobody is asked about: naturals are paid, the dealer looks for one, hands are served,
the dealer's hand is drawn and wagers are settled. The table does the same for many players, with chips and clauses; a
test deals both the same cards.
"""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.bonuses import splits_suited_sevens
from pitboss.play.dealer import dealer_looks, has_hole_card
from pitboss.play.doubling import aces_fixed, double_is_free, doubled_must_draw, may_take_back
from pitboss.play.drawing import has_its_one_card
from pitboss.play.hands import ACE, is_natural, points_of, total
from pitboss.play.insurance import even_money_returns_insurance
from pitboss.play.naturals import may_become_natural, natural_odds, natural_paid_now
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.allowed import (
    area_may_switch,
    box_may_insure,
    box_may_surrender,
    box_may_take_even_money,
    decisions_of,
    hand_may_split,
    offers_of,
)
from pitboss.play.round.ending import complete_hand, finish_round, look_at_hole
from pitboss.play.round.next_step import ASKED, AUTOMATIC_CARD, COMPLETE, STANDS_AT_LINE, next_of_hand
from pitboss.play.round.row import (
    Area,
    CardFeed,
    Row,
    box_at,
    clear_hand,
    draw_seen,
    end_hand_as,
    hand_at,
    layout_at,
    lift_cards,
    take,
    take_further,
    take_next,
    value_at,
)
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.play.splitting import own_stake_last, split_is_free
from pitboss.play.surrender import surrender_costs, surrender_waits

# ---------------------------------------------------------------------- the deal


@kernel
def clear_row(area: Area, row: Row) -> None:
    """An empty layout, with one wager on every box. A hole card that nobody saw is seen when it is put away."""
    if row[r.HOLE] != NO_CARD_CODE:
        row[value_at(row[r.HOLE])] += 1
    for place in (r.AT_BOX, r.AT_HAND, r.NET, r.FURTHER, r.SWITCH_STATE, r.DEALER_NATURAL, r.LAYOUT, r.RACK):
        row[place] = 0
    row[r.HOLE] = NO_CARD_CODE
    for b in range(area.boxes):
        for place in range(box_at(b), box_at(b) + r.BOX_SIZE):
            row[place] = 0
        row[box_at(b) + r.BOX_HANDS] = 1
        row[box_at(b) + r.THIRD_CARD] = NO_CARD_CODE
        at = hand_at(area, b, 0)
        clear_hand(row, at)
        row[at + r.BASE], row[at + r.ORIGINAL], row[at + r.NUMBER] = area.unit, 1, b + 1


@kernel
def deal_round(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """The initial deal, on a layout that is cleared."""
    clear_row(area, row)
    for b in range(area.boxes):
        code = draw_seen(row, source)
        take(area, row, hand_at(area, b, 0), code)
        row[box_at(b) + r.DEALT_FIRST] = code
    up = draw_seen(row, source)
    row[r.UP], row[r.DEALER_CARDS] = up, 1
    row[r.DEALER_HARD], row[r.DEALER_ACES] = points_of(up & 15), int(up & 15 == ACE)
    for b in range(area.boxes):
        code = draw_seen(row, source)
        take(area, row, hand_at(area, b, 0), code)
        row[box_at(b) + r.DEALT_SECOND] = code
    if has_hole_card(rules):
        row[r.HOLE] = take_next(source, row)


@kernel
def settle_deal(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """What follows from the initial deal: naturals that are paid at once, and what is on offer."""
    at_once = natural_paid_now(rules, may_become_natural(row[r.UP] & 15))
    for b in range(area.boxes):
        at = hand_at(area, b, 0)
        if is_natural(row[at + r.HARD], row[at + r.ACES], 2):
            if at_once:
                win, stake = natural_odds(rules)
                row[r.NET] += area.unit * win // stake
                end_hand_as(area, row, at, r.PAID)
            else:
                row[at + r.STATUS] = r.NATURAL
    row[r.AT_STAGE] = r.OFFERS
    advance_round(rules, area, row, source)


@kernel
def advance_round(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """What happens without anybody asking, until something is to be decided; then what may be decided."""
    if row[r.AT_STAGE] == r.OFFERS:
        offered = offers_of(rules, area, row)
        if offered != 0:
            row[r.ALLOWED] = offered | 1 << r.PROCEED
            return
        pass_offers(rules, area, row, source)
    if row[r.AT_STAGE] != r.RESCUE:
        serve_hands(rules, area, row, source)
    row[r.ALLOWED] = decisions_of(rules, area, row)


@kernel
def pass_offers(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """Boxes begin to act, once the dealer has looked."""
    row[r.AT_STAGE] = r.TURN
    if dealer_looks(rules, row[r.UP] & 15):
        look_at_hole(rules, area, row, source)


# ---------------------------------------------------------------------- serving hands


@kernel
def serve_hands(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """Deal to hands and end them until something is to be decided; play the dealer's hand when nothing is."""
    for b in range(area.boxes):
        h = 0
        while h < row[box_at(b) + r.BOX_HANDS]:
            at = hand_at(area, b, h)
            while row[at + r.STATUS] == r.OPEN:
                if not serve_hand(rules, area, row, b, at, source):
                    row[r.AT_STAGE], row[r.AT_BOX], row[r.AT_HAND] = r.TURN, b, h
                    return
            h += 1
    row[r.AT_BOX] = row[r.AT_HAND] = 0
    if area_may_switch(rules, area, row):
        row[r.AT_STAGE] = r.SWITCH_OR_NOT
        return
    finish_round(rules, area, row, source)
    row[r.AT_STAGE] = r.OVER


@kernel
def serve_hand(rules: Packed, area: Area, row: Row, b: int, at: int, source: CardFeed) -> bool:
    """Do the next thing that happens to a hand by itself; False if the player has to decide."""
    comes = next_of_hand(
        rules, row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS], row[at + r.FROM_SPLIT] != 0,
        row[at + r.FROM_ACES] != 0, row[at + r.IS_DOUBLED] != 0, row[at + r.DRAWING] != 0, False,
        hand_may_split(rules, row, b, at),
    )  # fmt: skip
    if comes == ASKED:
        return False
    if comes == COMPLETE:
        complete_hand(rules, area, row, b, at)
    elif comes == STANDS_AT_LINE:
        end_hand_as(area, row, at, r.STOOD)
    else:
        take_further(area, row, b, at, int(comes == AUTOMATIC_CARD), source)
    return True


# ---------------------------------------------------------------------- decisions


@kernel
def step(rules: Packed, area: Area, row: Row, decision: int, source: CardFeed) -> None:
    """Do what is decided, which must be allowed, and go on until something is to be decided again."""
    stage, b = row[r.AT_STAGE], row[r.AT_BOX]
    at = hand_at(area, b, row[r.AT_HAND])
    if stage == r.OFFERS:
        if decision == r.PROCEED:
            pass_offers(rules, area, row, source)
        else:
            take_offer(rules, area, row, decision)
    elif stage == r.RESCUE:
        row[r.AT_STAGE] = r.TURN
        if decision == r.FORFEIT:
            row[r.NET] -= row[at + r.BASE]
            end_hand_as(area, row, at, r.OUT)
        else:
            complete_hand(rules, area, row, b, at)
    elif decision == r.SWITCH:
        switch_cards(area, row)
    elif stage == r.SWITCH_OR_NOT:
        row[r.SWITCH_STATE] = r.DECLINED_SWITCH
    elif decision == r.SURRENDER:
        surrender_box(rules, area, row, b)
    else:
        if row[r.SWITCH_STATE] == r.MAY_SWITCH:
            row[r.SWITCH_STATE] = r.DECLINED_SWITCH
        play_hand(rules, area, row, decision, b, at, source)
    advance_round(rules, area, row, source)


@kernel
def take_offer(rules: Packed, area: Area, row: Row, decision: int) -> None:
    """Insurance, even money or surrender, for the first box that may have it."""
    for b in range(area.boxes):
        if decision == r.INSURE and box_may_insure(rules, area, row, b):
            row[box_at(b) + r.INSURANCE] = area.insurance
            return
        if decision == r.TAKE_EVEN_MONEY and box_may_take_even_money(rules, area, row, b):
            row[box_at(b) + r.EVEN_MONEY] = 1
            row[r.NET] += area.unit
            end_hand_as(area, row, hand_at(area, b, 0), r.OUT)
            if even_money_returns_insurance(rules):
                row[box_at(b) + r.INSURANCE] = 0
            return
        if decision == r.SURRENDER and box_may_surrender(rules, area, row, b, False):
            surrender_box(rules, area, row, b)
            return


@kernel
def surrender_box(rules: Packed, area: Area, row: Row, b: int) -> None:
    """Give up half the wager, now or when the dealer's second card is seen."""
    at = hand_at(area, b, 0)
    if surrender_waits(rules):
        end_hand_as(area, row, at, r.SURRENDERED)
    else:
        row[r.NET] -= area.unit // 2 * surrender_costs(rules, False)
        end_hand_as(area, row, at, r.OUT)


@kernel
def switch_cards(area: Area, row: Row) -> None:
    """Exchange the second cards of the area."""
    left, right = hand_at(area, 0, 0), hand_at(area, 1, 0)
    one, two = row[left + r.SECOND], row[right + r.SECOND]
    if area.feeds != 0:
        row[r.LAYOUT] = 0
    for at, second in ((left, two), (right, one)):
        first, base, number = row[at + r.FIRST], row[at + r.BASE], row[at + r.NUMBER]
        clear_hand(row, at)
        row[at + r.BASE], row[at + r.ORIGINAL], row[at + r.NUMBER] = base, 1, number
        take(area, row, at, first)
        take(area, row, at, second)
    row[r.SWITCH_STATE] = r.SWITCHED
    row[r.AT_STAGE] = r.TURN


@kernel
def play_hand(rules: Packed, area: Area, row: Row, decision: int, b: int, at: int, source: CardFeed) -> None:
    """Hit, stand, double or split."""
    if decision == r.SPLIT:
        split_hand(rules, area, row, b, at)
        return
    if rules.split_declined_bars != 0 and hand_may_split(rules, row, b, at):
        row[box_at(b) + r.DECLINED_SPLIT] = 1
    if decision == r.TAKE_CARD:
        take_further(area, row, b, at, 0, source)
    elif decision == r.DOUBLE:
        double_hand(rules, area, row, b, at, source)
    elif has_its_one_card(rules, row[at + r.FROM_ACES] != 0):
        complete_hand(rules, area, row, b, at)
    else:
        end_hand_as(area, row, at, r.STOOD)


@kernel
def double_hand(rules: Packed, area: Area, row: Row, b: int, at: int, source: CardFeed) -> None:
    """More money, one card; in some games the double may then be taken back."""
    row[at + r.IS_DOUBLED] = 1
    if double_is_free(rules):
        row[at + r.DOUBLED_TOKEN] = area.unit
        row[box_at(b) + r.TOKENS] += 1
    else:
        row[at + r.DOUBLED] = area.unit
    row[at + r.ACES] -= aces_fixed(rules, int(row[at + r.FIRST] & 15 == ACE) + int(row[at + r.SECOND] & 15 == ACE))
    take_further(area, row, b, at, 0, source)
    points = total(row[at + r.HARD], row[at + r.ACES])
    while doubled_must_draw(rules, points):
        take_further(area, row, b, at, 0, source)
        points = total(row[at + r.HARD], row[at + r.ACES])
    if may_take_back(rules, points, row[at + r.CARDS], row[at + r.FROM_SPLIT] != 0):
        row[r.AT_STAGE] = r.RESCUE
    else:
        complete_hand(rules, area, row, b, at)


@kernel
def split_hand(rules: Packed, area: Area, row: Row, b: int, at: int) -> None:
    """Part the two cards of a hand; the new hand comes right after it."""
    box = box_at(b)
    first, second = row[at + r.FIRST], row[at + r.SECOND]
    base, token, original, number = row[at + r.BASE], row[at + r.BASE_TOKEN], row[at + r.ORIGINAL], row[at + r.NUMBER]
    after = at + r.HAND_SIZE
    last = hand_at(area, b, 0) + row[box + r.BOX_HANDS] * r.HAND_SIZE
    for place in range(last - 1, after - 1, -1):
        row[place + r.HAND_SIZE] = row[place]
    row[box + r.BOX_HANDS] += 1
    if splits_suited_sevens(first & 15, second & 15, first >> 4, second >> 4):
        row[box + r.SEVENS_SPLIT] = 1
    if area.feeds != 0:
        lift_cards(row, layout_at(area), number)
    begin_split_hand(area, row, at, first, number)
    begin_split_hand(area, row, after, second, 2 * row[box + r.BOX_HANDS] - 1 + b)
    free = split_is_free(rules, points_of(first & 15))
    own, added = (after, at) if own_stake_last(rules, points_of(first & 15)) else (at, after)
    row[own + r.BASE], row[own + r.BASE_TOKEN], row[own + r.ORIGINAL] = base, token, original
    row[added + (r.BASE_TOKEN if free else r.BASE)] = area.unit
    row[box + r.TOKENS] += int(free)


@kernel
def begin_split_hand(area: Area, row: Row, at: int, code: int, number: int) -> None:
    """One of the two cards that were parted, as a hand."""
    clear_hand(row, at)
    row[at + r.NUMBER] = number
    take(area, row, at, code)
    row[at + r.FROM_SPLIT], row[at + r.FROM_ACES] = 1, int(code & 15 == ACE)
