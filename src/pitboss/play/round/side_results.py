"""The side wagers of a playing area at the end of its round, looked up in tables that the judges have filled."""

from __future__ import annotations

from pitboss.play._jit import kernel
from pitboss.play.hands import total
from pitboss.play.round import row as r
from pitboss.play.round.row import Area, CardFeed, Row, box_at, pick_ticket, place_of_carried
from pitboss.play.side_wagers.judges import BY_DEALER_HAND, BY_THIRD_CARD, BY_TOKENS, BY_UP_CARD, DRAWS_PRIZE, OUTCOME
from pitboss.play.side_wagers.side_tables import SideTables, look_up, look_up_four, pair_of, rounds_carried_then


@kernel
def judge_side_wagers(area: Area, row: Row, tables: SideTables, outcomes: Row, source: CardFeed) -> None:
    """The number of every side wager's outcome in a round that is over; the row keeps what is carried to the next."""
    box, other, start = box_at(0), box_at(1), place_of_carried(area)
    first, second = row[box + r.DEALT_FIRST], row[box + r.DEALT_SECOND]
    for wager in range(area.side_wagers):
        if tables.four_row[wager] >= 0:
            of_other = row[other + r.DEALT_FIRST], row[other + r.DEALT_SECOND]
            outcomes[wager] = look_up_four(tables, wager, first, second, of_other[0], of_other[1])
            continue
        carried = row[start + wager]
        answer = look_up(tables, wager, carried, pair_of(first, second), find_decider(row, tables.source[wager]))
        row[start + wager] = rounds_carried_then(tables, carried, answer)
        if answer & DRAWS_PRIZE != 0:
            outcomes[wager] = 1 + prize_of(tables, pick_ticket(source, tables.prize_total))
        else:
            outcomes[wager] = answer & OUTCOME


@kernel
def find_decider(row: Row, what: int) -> int:
    """The number with which a wager is looked up beside its two cards; `what` it looks at."""
    box = box_at(0)
    if what == BY_UP_CARD:
        return row[r.UP]
    if what == BY_THIRD_CARD:
        return row[box + r.THIRD_CARD]
    if what == BY_TOKENS:
        return row[box + r.TOKENS]
    if what == BY_DEALER_HAND and total(row[r.DEALER_HARD], row[r.DEALER_ACES]) > 21:
        return row[r.DEALER_CARDS]
    return 0


@kernel
def prize_of(tables: SideTables, ticket: int) -> int:
    """The place of the prize that a ticket wins."""
    prize = 0
    while ticket >= tables.prize_ends[prize]:
        prize += 1
    return prize
