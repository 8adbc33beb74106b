"""What comes next for a hand of a box, before anybody is asked, and what becomes of it when it is complete.

The chapters say what is allowed; here is their order, which the table, the environments and the simulator share.
"""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.doubling import doubled_must_draw, may_double
from pitboss.play.drawing import absent_draws, draws_itself, stands_at_line, takes_no_card
from pitboss.play.hands import total
from pitboss.play.packed import AUTO_OFF, PAID_AT_ONCE, Packed
from pitboss.play.settlement import always_wins

ASKED, SPLIT_CARD, FORCED_CARD, COMPLETE, ABSENT_CARD, ABSENT_STANDS, AUTOMATIC_CARD, STANDS_AT_LINE = range(8)
"""What comes next for an open hand: its player is asked; or, without asking, a second card after a split, a further
card to a double, the end of the hand, a card or a stand for somebody who is absent, an automatic card, a stand at the
line."""


@kernel
def next_of_hand(
    rules: Packed, hard: int, aces: int, cards: int, from_split: bool, from_aces: bool, doubled: bool, drawing: bool,
    absent: bool, can_split: bool,
) -> int:  # fmt: skip
    """What comes next for an open hand of its box. A hand whose split ace may be split again is asked."""
    if cards == 1:
        return SPLIT_CARD
    if doubled and doubled_must_draw(rules, total(hard, aces)):
        return FORCED_CARD
    if takes_no_card(rules, hard, aces, cards, from_aces, doubled):
        return ASKED if from_aces and can_split and not absent and not doubled else COMPLETE
    if absent:
        return ABSENT_CARD if absent_draws(rules, hard, aces) else ABSENT_STANDS
    if rules.auto_draw != AUTO_OFF and draws_itself(
        rules, hard, aces, cards, drawing, may_double(rules, hard, aces, cards, from_split, from_aces), can_split
    ):
        return AUTOMATIC_CARD
    return STANDS_AT_LINE if stands_at_line(rules, hard, aces) else ASKED


BUSTS, IS_PAID, STANDS = range(3)
"""What becomes of a complete hand: taken, paid at once, left for the dealer's hand."""


@kernel
def ending_of_hand(rules: Packed, hard: int, aces: int, cards: int, from_split: bool) -> int:
    """What becomes of a complete hand that is no natural."""
    points = total(hard, aces)
    if points > 21:
        return BUSTS
    sure = always_wins(rules, points, cards, False, from_split) != 0
    return IS_PAID if sure and rules.player_21_paid == PAID_AT_ONCE else STANDS
