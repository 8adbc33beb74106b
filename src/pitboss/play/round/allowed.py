"""What may be decided in a playing area now: the chapters of play asked about a row, and the answers as bits."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.doubling import may_double
from pitboss.play.drawing import has_its_one_card, may_stand
from pitboss.play.hands import is_natural, points_of
from pitboss.play.insurance import even_money_offered, hand_may_insure, insurance_offered
from pitboss.play.packed import Packed
from pitboss.play.round import row as r
from pitboss.play.round.row import Area, Row, box_at, hand_at
from pitboss.play.splitting import may_split
from pitboss.play.surrender import surrender_fits, surrender_open
from pitboss.play.switching import hand_may_switch


@kernel
def box_may_insure(rules: Packed, area: Area, row: Row, b: int) -> bool:
    """The box may insure."""
    box, at = box_at(b), hand_at(area, b, 0)
    if not insurance_offered(rules, row[r.UP] & 15) or row[box + r.EVEN_MONEY] != 0 or row[box + r.INSURANCE] != 0:
        return False
    if row[at + r.STATUS] == r.PAID or row[at + r.STATUS] == r.OUT:
        return False
    return hand_may_insure(rules, is_natural(row[at + r.HARD], row[at + r.ACES], 2))


@kernel
def box_may_take_even_money(rules: Packed, area: Area, row: Row, b: int) -> bool:
    """The box may have even money."""
    waits = row[hand_at(area, b, 0) + r.STATUS] == r.NATURAL
    return even_money_offered(rules, row[r.UP] & 15, waits) and row[box_at(b) + r.EVEN_MONEY] == 0


@kernel
def box_may_surrender(rules: Packed, area: Area, row: Row, b: int, turn: bool) -> bool:
    """The box may surrender: on its turn, or before it where the game opens surrender to the whole table."""
    at = hand_at(area, b, 0)
    waits = row[at + r.STATUS] == r.OPEN or row[at + r.STATUS] == r.NATURAL
    if row[box_at(b) + r.BOX_HANDS] != 1 or not waits:
        return False
    return surrender_open(rules, turn, row[r.FURTHER] != 0, False) and surrender_fits(
        rules, row[r.UP] & 15, row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS], False
    )


@kernel
def offers_of(rules: Packed, area: Area, row: Row) -> int:
    """What is on offer before boxes act, as bits."""
    found = 0
    for b in range(area.boxes):
        if box_may_insure(rules, area, row, b):
            found |= 1 << r.INSURE
        if box_may_take_even_money(rules, area, row, b):
            found |= 1 << r.TAKE_EVEN_MONEY
        if box_may_surrender(rules, area, row, b, False):
            found |= 1 << r.SURRENDER
    return found


@kernel
def area_may_switch(rules: Packed, area: Area, row: Row) -> bool:
    """The second cards of the area may be exchanged."""
    if rules.switch == 0 or row[r.SWITCH_STATE] != r.MAY_SWITCH:
        return False
    for b in range(2):
        at = hand_at(area, b, 0)
        status = row[at + r.STATUS]
        if row[box_at(b) + r.BOX_HANDS] != 1 or row[at + r.CARDS] != 2:
            return False
        if status != r.OPEN and status != r.NATURAL:
            return False
        if not hand_may_switch(rules, status == r.NATURAL, False):
            return False
    return True


@kernel
def hand_may_double(rules: Packed, row: Row, at: int) -> bool:
    """The hand may double."""
    return may_double(
        rules,
        row[at + r.HARD],
        row[at + r.ACES],
        row[at + r.CARDS],
        row[at + r.FROM_SPLIT] != 0,
        row[at + r.FROM_ACES] != 0,
    )


@kernel
def hand_may_split(rules: Packed, row: Row, b: int, at: int) -> bool:
    """The hand may split."""
    one, two = row[at + r.FIRST] & 15, row[at + r.SECOND] & 15
    return row[at + r.CARDS] == 2 and may_split(
        rules, points_of(one), points_of(two), one, two, 2,
        row[box_at(b) + r.BOX_HANDS], row[at + r.FROM_ACES] != 0, row[box_at(b) + r.DECLINED_SPLIT] != 0,
    )  # fmt: skip


@kernel
def decisions_of(rules: Packed, area: Area, row: Row) -> int:
    """What may be decided after the offers, as bits."""
    stage = row[r.AT_STAGE]
    if stage == r.OVER:
        return 1 << r.PROCEED
    if stage == r.SWITCH_OR_NOT:
        return 1 << r.PROCEED | 1 << r.SWITCH
    if stage == r.RESCUE:
        return 1 << r.PROCEED | 1 << r.FORFEIT
    b = row[r.AT_BOX]
    at = hand_at(area, b, row[r.AT_HAND])
    found = 0
    if area_may_switch(rules, area, row):
        found |= 1 << r.SWITCH
    from_aces = row[at + r.FROM_ACES] != 0
    if not has_its_one_card(rules, from_aces):
        found |= 1 << r.TAKE_CARD
    if may_stand(rules, row[at + r.HARD], row[at + r.ACES], from_aces):
        found |= 1 << r.STAND
    if hand_may_double(rules, row, at):
        found |= 1 << r.DOUBLE
    if hand_may_split(rules, row, b, at):
        found |= 1 << r.SPLIT
    if box_may_surrender(rules, area, row, b, True):
        found |= 1 << r.SURRENDER
    return found
