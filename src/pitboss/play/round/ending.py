"""How hands and rounds end: payments, the dealer's look and the dealer's hand as far as it is needed, settlement."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.bonuses import bonus_paid, grade_of, pattern_of, win_odds, wins_super_bonus
from pitboss.play.dealer import (
    NO_CARD,
    ONE_CARD,
    bust_needs,
    completes_for_side_wagers,
    dealer_draws,
    dealer_need,
    hand_needs,
    natural_needs,
    surrender_needs,
)
from pitboss.play.hands import ACE, points_of, total
from pitboss.play.insurance import odds_of_insurance
from pitboss.play.naturals import counts_as_natural, makes_natural, may_become_natural, natural_odds
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.next_step import BUSTS, IS_PAID, ending_of_hand
from pitboss.play.round.row import Area, CardFeed, Row, box_at, end_hand_as, hand_at, take_next, value_at
from pitboss.play.settlement import (
    LOSE_DEALER_NATURAL,
    WIN_NATURAL,
    busted_double_returns,
    dealer_natural_loss,
    loses,
    outcome,
    wins,
)
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.play.surrender import surrender_costs

# ---------------------------------------------------------------------- hands


@kernel
def complete_hand(rules: Packed, area: Area, row: Row, b: int, at: int) -> None:
    """The hand takes no more cards: collect it, pay it, or leave it for the dealer's hand."""
    ending = ending_of_hand(rules, row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS], row[at + r.FROM_SPLIT] != 0)
    if ending == BUSTS:
        row[r.NET] -= stake_on(row, at)
        end_hand_as(area, row, at, r.BUST)
    elif ending == IS_PAID:
        row[r.NET] += payment_of(rules, area, row, b, at)
        end_hand_as(area, row, at, r.PAID)
    else:
        end_hand_as(area, row, at, r.STOOD)


@kernel
def stake_on(row: Row, at: int) -> int:
    """What the player has on the hand."""
    return row[at + r.BASE] + row[at + r.DOUBLED]


@kernel
def winning_of(row: Row, at: int) -> int:
    """What an even-money win of the hand pays: tokens win like money."""
    return row[at + r.BASE] + row[at + r.BASE_TOKEN] + row[at + r.DOUBLED] + row[at + r.DOUBLED_TOKEN]


@kernel
def payment_of(rules: Packed, area: Area, row: Row, b: int, at: int) -> int:
    """What a winning hand is paid that is no natural: bonus odds or the ordinary ones, and the Super Bonus on top."""
    points, cards = total(row[at + r.HARD], row[at + r.ACES]), row[at + r.CARDS]
    pattern, grade = pattern_of(cards, row[at + r.RANKS]), grade_of(row[at + r.SUITS])
    doubled, from_split = row[at + r.IS_DOUBLED] != 0, row[at + r.FROM_SPLIT] != 0
    win, stake = win_odds(rules, bonus_paid(rules, points, cards, pattern, grade, doubled))
    paid = winning_of(row, at) * win // stake
    sevens = row[box_at(b) + r.SEVENS_SPLIT] != 0
    if wins_super_bonus(rules, row[r.UP] & 15, pattern, grade, doubled, from_split, sevens):
        paid += area.super_bonus
    return paid


# ---------------------------------------------------------------------- the dealer's hand


@kernel
def deal_to_dealer(row: Row, source: CardFeed) -> None:
    """A card to the dealer: the hole card is turned over, or one is drawn."""
    code = row[r.HOLE]
    if code == NO_CARD_CODE:
        code = take_next(source, row)
    else:
        row[r.HOLE] = NO_CARD_CODE
    row[value_at(code)] += 1
    rank = code & 15
    row[r.DEALER_HARD] += points_of(rank)
    row[r.DEALER_ACES] += int(rank == ACE)
    row[r.DEALER_CARDS] += 1
    if row[r.DEALER_CARDS] == 2 and makes_natural(row[r.UP] & 15, rank):
        row[r.DEALER_NATURAL] = 1


@kernel
def look_at_hole(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """Insurance is decided before anybody acts, and a natural of the dealer's ends the round."""
    hole = row[r.HOLE]
    if hole == NO_CARD_CODE or makes_natural(row[r.UP] & 15, hole & 15):
        deal_to_dealer(row, source)
    settle_insured(rules, area, row)
    if row[r.DEALER_NATURAL] != 0:
        for b in range(area.boxes):
            at = hand_at(area, b, 0)
            if row[at + r.STATUS] == r.OPEN:
                end_hand_as(area, row, at, r.STOOD)


@kernel
def dealer_need_of(rules: Packed, area: Area, row: Row) -> int:
    """How much of the dealer's hand is needed."""
    needs, ordinary, switched = NO_CARD, False, row[r.SWITCH_STATE] == r.SWITCHED
    for b in range(area.boxes):
        needs |= ONE_CARD if row[box_at(b) + r.INSURANCE] != 0 else NO_CARD
        for h in range(row[box_at(b) + r.BOX_HANDS]):
            at = hand_at(area, b, h)
            status, hard, aces, cards = row[at + r.STATUS], row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS]
            from_split = row[at + r.FROM_SPLIT] != 0
            if status == r.NATURAL:
                needs |= natural_needs(rules)
            elif status == r.STOOD:
                needs |= hand_needs(rules, total(hard, aces), cards, from_split)
            elif status == r.SURRENDERED:
                needs |= surrender_needs(rules)
            elif status == r.BUST:
                needs |= bust_needs(rules, row[at + r.IS_DOUBLED] != 0)
            if status != r.BUST and not counts_as_natural(hard, aces, cards, from_split, switched):
                ordinary = True
    completes = area.dealer_side != 0 and completes_for_side_wagers(rules, ordinary)
    return dealer_need(rules, needs, may_become_natural(row[r.UP] & 15), completes)


@kernel
def finish_round(rules: Packed, area: Area, row: Row, source: CardFeed) -> None:
    """Play the dealer's hand as far as it is needed, and settle."""
    need = dealer_need_of(rules, area, row)
    if need != NO_CARD:
        if row[r.DEALER_CARDS] == 1:
            deal_to_dealer(row, source)
        settle_insured(rules, area, row)
        if need != ONE_CARD:
            while dealer_draws(rules, row[r.DEALER_HARD], row[r.DEALER_ACES]):
                deal_to_dealer(row, source)
    for b in range(area.boxes):
        settle_box(rules, area, row, b)


# ---------------------------------------------------------------------- settlement


@kernel
def settle_insured(rules: Packed, area: Area, row: Row) -> None:
    """Insurance is decided by the dealer's second card."""
    for b in range(area.boxes):
        cost = row[box_at(b) + r.INSURANCE]
        if cost != 0:
            win, stake = odds_of_insurance(rules, row[r.UP] & 15)
            row[r.NET] += cost * win // stake if row[r.DEALER_NATURAL] != 0 else -cost
            row[box_at(b) + r.INSURANCE] = 0


@kernel
def settle_box(rules: Packed, area: Area, row: Row, b: int) -> None:
    """Settle the hands of a box against the dealer's hand."""
    points, natural = total(row[r.DEALER_HARD], row[r.DEALER_ACES]), row[r.DEALER_NATURAL] != 0
    count = row[box_at(b) + r.BOX_HANDS]
    taken = busted = 0
    for h in range(count):
        at = hand_at(area, b, h)
        if row[at + r.STATUS] == r.BUST:
            busted += stake_on(row, at)
            if busted_double_returns(rules, natural):
                row[r.NET] += row[at + r.DOUBLED]
    for h in range(count):
        at = hand_at(area, b, h)
        status = row[at + r.STATUS]
        if status == r.SURRENDERED:
            row[r.NET] -= area.unit // 2 * surrender_costs(rules, natural)
        if status != r.STOOD and status != r.NATURAL:
            continue
        result = outcome(
            rules, total(row[at + r.HARD], row[at + r.ACES]), row[at + r.CARDS], status == r.NATURAL,
            row[at + r.FROM_SPLIT] != 0, points, natural,
        )  # fmt: skip
        stake = stake_on(row, at)
        if result == WIN_NATURAL:
            win, paid = natural_odds(rules)
            row[r.NET] += winning_of(row, at) * win // paid
        elif wins(result):
            row[r.NET] += payment_of(rules, area, row, b, at)
        elif result == LOSE_DEALER_NATURAL:
            own = row[at + r.ORIGINAL] != 0
            lost = dealer_natural_loss(rules, area.unit, busted, stake, own, row[at + r.BASE], taken)
            taken += lost
            row[r.NET] -= lost
        elif loses(result):
            row[r.NET] -= stake
