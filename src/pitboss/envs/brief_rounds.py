"""A round of one hand without its row: dealt, drawn to and settled by looking up what `play` has said of the hand.

Whatever the tables do not answer goes on in the row, on which the hand is laid out as it lies.
"""

from __future__ import annotations

from pitboss.envs import compiled_rows as t
from pitboss.envs import fields as w
from pitboss.envs.brief_tables import (
    ACE_COUNTS,
    CARD_COUNTS,
    DEALER_NATURAL,
    ENDS,
    GROWN,
    HANDS_SIZE,
    IS_COMPLETE,
    NEEDS,
    OPEN_IN_ROW,
    STANDS,
    hand_place,
    lay_out_box,
    net_at,
    opening_at,
)
from pitboss.envs.compiled_rows import Cards, Numbers, TablePlay
from pitboss.play._jit import register_all
from pitboss.play.bonuses import NO_PATTERN, grade_of, pattern_of
from pitboss.play.dealer import NO_CARD, ONE_CARD, dealer_draws, has_hole_card
from pitboss.play.hands import ACE, points_of, total
from pitboss.play.naturals import makes_natural
from pitboss.play.round import row as r
from pitboss.play.round.row import Area, Row, box_at, hand_at, pick_ticket, take
from pitboss.play.side_wagers.judges import NO_CARD_CODE
from pitboss.sim.kernels.compiling import INT64, compile_apart

register_all()

OVER, GOES_ON, LEAVES, IS_FOR_ROW = range(4)
"""What an action does to a hand: the round is over, another decision comes, what comes next is for the row, the action
itself is."""


@compile_apart
def draw_brief(cards: Cards, note: Row) -> int:
    """The next card, as from a row."""
    position = INT64(note[t.POSITION] & t.POSITIVE)
    if position == cards.shoe.size:
        position = INT64(0)
    if position < note[t.KNOWN]:
        code = INT64(cards.shoe[position])
    else:
        there = pick_ticket(cards, cards.shoe.size - position) + position & t.POSITIVE
        code = INT64(cards.shoe[there])
        cards.shoe[there] = cards.shoe[position]
        cards.shoe[position] = code
    note[t.POSITION] = position + 1
    return code


@compile_apart
def draw_in_view(cards: Cards, note: Row, view: Numbers) -> int:
    """The next card, face up."""
    code = draw_brief(cards, note)
    view[w.SEEN + points_of(code & 15) - 1] += 1
    return code


@compile_apart
def deal_brief(play: TablePlay, note: Row, view: Numbers, cards: Cards) -> bool:
    """The initial deal; whether the hand may be looked up."""
    first = draw_in_view(cards, note, view)
    up = draw_in_view(cards, note, view)
    second = draw_in_view(cards, note, view)
    hole, natural = NO_CARD_CODE, False
    if has_hole_card(play.rules):
        hole = draw_brief(cards, note)
        natural = makes_natural(up & 15, hole & 15)
    one, two = first & 15, second & 15
    hard, aces = points_of(one) + points_of(two), int(one == ACE) + int(two == ACE)
    note[t.UP], note[t.HOLE], note[t.FIRST], note[t.SECOND], note[t.THIRD] = up, hole, first, second, NO_CARD_CODE
    note[t.HARD], note[t.ACES], note[t.CARDS] = hard, aces, 2
    note[t.SUITS], note[t.RANKS] = 1 << (first >> 4) | 1 << (second >> 4), 1 << one | 1 << two
    allowed = play.brief[opening_at(up & 15, one, two)]
    if natural or allowed == OPEN_IN_ROW:
        return False
    note[t.ALLOWED] = allowed
    points = total(hard, aces)
    view[w.STAGE], view[w.UP_CARD] = r.TURN, points_of(up & 15)
    view[w.TOTAL], view[w.SOFT], view[w.CARDS] = points, int(points != hard), 2
    view[w.FIRST_CARD], view[w.SECOND_CARD] = points_of(one), points_of(two)
    view[w.SUITED] = grade_of(note[t.SUITS])
    view[w.HAND] = view[w.HANDS] = view[w.BOX] = 1
    return True


@compile_apart
def play_brief(play: TablePlay, note: Row, view: Numbers, cards: Cards, action: int) -> int:
    """What an action does to a hand."""
    ends = STANDS
    if action == r.TAKE_CARD:
        code = draw_in_view(cards, note, view)
        rank = code & 15
        note[t.HARD] += points_of(rank)
        note[t.ACES] += int(rank == ACE)
        note[t.CARDS] += 1
        note[t.SUITS] |= 1 << (code >> 4)
        note[t.RANKS] |= 1 << rank
        if note[t.THIRD] == NO_CARD_CODE:
            note[t.THIRD] = code
        hard, aces, count = note[t.HARD], note[t.ACES], note[t.CARDS]
        if aces >= ACE_COUNTS or count >= CARD_COUNTS:
            return LEAVES
        comes = play.brief[GROWN + hand_place(note[t.UP] & 15, hard, aces, count)]
        if comes == OPEN_IN_ROW:
            return LEAVES
        points = total(hard, aces)
        view[w.TOTAL], view[w.SOFT], view[w.CARDS] = points, int(points != hard), count
        view[w.SUITED] = grade_of(note[t.SUITS])
        if comes != ENDS:
            note[t.ALLOWED] = comes
            return GOES_ON
        ends = IS_COMPLETE
    elif action != r.STAND:
        return IS_FOR_ROW
    if pattern_of(note[t.CARDS], note[t.RANKS]) != NO_PATTERN:
        return LEAVES if ends == IS_COMPLETE else IS_FOR_ROW
    settle_brief(play, note, view, cards, ends)
    return OVER


@compile_apart
def settle_brief(play: TablePlay, note: Row, view: Numbers, cards: Cards, ends: int) -> None:
    """Play the dealer's hand as far as it is needed, and settle."""
    up = note[t.UP] & 15
    hard, aces, count = note[t.HARD], note[t.ACES], note[t.CARDS]
    need = play.brief[NEEDS + ends * HANDS_SIZE + hand_place(up, hard, aces, count)]
    dealer_hard, dealer_aces, final = points_of(up), int(up == ACE), 0
    if need != NO_CARD:
        code = note[t.HOLE]
        if code == NO_CARD_CODE:
            code = draw_brief(cards, note)
        note[t.HOLE] = NO_CARD_CODE
        rank = code & 15
        view[w.SEEN + points_of(rank) - 1] += 1
        dealer_hard += points_of(rank)
        dealer_aces += int(rank == ACE)
        if makes_natural(up, rank):
            final = DEALER_NATURAL
        if need != ONE_CARD:
            while dealer_draws(play.rules, dealer_hard, dealer_aces):
                rank = draw_in_view(cards, note, view) & 15
                dealer_hard += points_of(rank)
                dealer_aces += int(rank == ACE)
    if final == 0:
        final = total(dealer_hard, dealer_aces)
    note[t.NET] = play.brief[net_at(ends, total(hard, aces), count, final)]
    view[w.STAGE] = r.OVER


@compile_apart
def lay_out_row(area: Area, row: Row, note: Row, view: Numbers) -> None:
    """The row of a table whose hand was looked up so far; where offers are not made yet, they come next."""
    lay_out_box(area, row, note[t.UP], note[t.HOLE])
    row[r.POSITION], row[r.KNOWN] = note[t.POSITION], note[t.KNOWN]
    for value in range(10):
        row[r.SEEN + value] = view[w.SEEN + value]
    box, at = box_at(0), hand_at(area, 0, 0)
    first, second = note[t.FIRST], note[t.SECOND]
    row[box + r.DEALT_FIRST], row[box + r.DEALT_SECOND], row[box + r.THIRD_CARD] = first, second, note[t.THIRD]
    take(area, row, at, first)
    take(area, row, at, second)
    row[at + r.HARD], row[at + r.ACES], row[at + r.CARDS] = note[t.HARD], note[t.ACES], note[t.CARDS]
    row[at + r.SUITS], row[at + r.RANKS] = note[t.SUITS], note[t.RANKS]
    row[r.FURTHER] = int(note[t.CARDS] > 2)
