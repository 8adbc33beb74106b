"""The state of one playing area as a row of integers: where everything lies in it, and how cards come to a hand.

Under CPython a row is a list, in kernels a row of an array with thousands of them. A card is its code (its rank, 0 for
an ace to 12 for a king, with its suit, 0 for spades, from the fifth bit on); money is in parts of the wager, of which
`Area.unit` make one. Cards come from a source that is handed in.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from pitboss.play._jit import kernel
from pitboss.play.hands import ACE, points_of
from pitboss.play.side_wagers.judges import NO_CARD_CODE


class Row(Protocol):
    """Whole numbers by their place: a list, or a row of an array."""

    def __getitem__(self, place: int, /) -> int:
        """The number at a place."""

    def __setitem__(self, place: int, number: int, /) -> None:
        """Put a number there."""


class CardFeed(Protocol):
    """Whoever has the cards. In kernels, where there are no methods, these become `take_next` and `pick_ticket`."""

    def draw(self, row: Row) -> int:
        """The next card. Cards that wait in the rack (`RACK`) go back into the device before, with `empty_rack`."""

    def pick(self, tickets: int) -> int:
        """One of that many tickets at random, from 0 on."""


def take_next(source: CardFeed, row: Row) -> int:
    """The next card."""
    return source.draw(row)


def pick_ticket(source: CardFeed, tickets: int) -> int:
    """One of that many tickets."""
    return source.pick(tickets)


OVER, OFFERS, TURN, SWITCH_OR_NOT, RESCUE = range(5)
"""What is being decided: nothing; what is on offer before boxes act; what a hand does; whether to switch, where nothing
else is left to decide; whether to take back the double just made."""

PROCEED, TAKE_CARD, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, TAKE_EVEN_MONEY, FORFEIT, SWITCH = range(10)
"""Decisions. `PROCEED` takes nothing of what is offered, or goes on where nothing is."""

OPEN, STOOD, NATURAL, BUST, PAID, OUT, SURRENDERED = range(7)
"""What has become of a hand; `SURRENDERED` waits for the dealer's second card."""

(
    AT_STAGE, AT_BOX, AT_HAND, ALLOWED, UP, HOLE, DEALER_HARD, DEALER_ACES, DEALER_CARDS, DEALER_NATURAL, NET, FURTHER,
    SWITCH_STATE, RACK, LAYOUT, POSITION, KNOWN, SEEN,
) = range(18)  # fmt: skip
"""Places in the row: about the round. `ALLOWED` has a bit for each decision that is open; `HOLE` is the hole card while
it lies face down; `LAYOUT` and `RACK` count cards (see `layout_at`); `POSITION` and `KNOWN` are for whoever draws: how
many cards are dealt, and up to where their order is known. From `SEEN` on the cards of each value are counted that were
seen."""
MAY_SWITCH, DECLINED_SWITCH, SWITCHED = range(3)
"""What has become of the switch."""
BOXES = SEEN + 10
(
    BOX_HANDS, DECLINED_SPLIT, SEVENS_SPLIT, DEALT_FIRST, DEALT_SECOND, THIRD_CARD, TOKENS, INSURANCE, EVEN_MONEY,
    BOX_SIZE,
) = range(10)  # fmt: skip
"""About one of the boxes. `THIRD_CARD` is the first card after the initial deal, also one into a split hand."""
HANDS = BOXES + 2 * BOX_SIZE
(
    HARD, ACES, CARDS, STATUS, FROM_SPLIT, FROM_ACES, IS_DOUBLED, DRAWING, FIRST, SECOND, BASE, BASE_TOKEN, DOUBLED,
    DOUBLED_TOKEN, ORIGINAL, SUITS, RANKS, NUMBER, HAND_SIZE,
) = range(19)  # fmt: skip
"""About one of their hands; `NUMBER` tells the hands of an area apart, whatever place they move to."""

MOST_HANDS = 255
"""More hands than this no box has."""


class Area(NamedTuple):
    """What is fixed about a playing area beside the rules of play, as integers."""

    boxes: int
    """1, or 2 for an area of Switch."""
    hands: int
    """Hands for which a box has room."""
    unit: int
    """Parts that make one wager."""
    insurance: int
    """What insurance costs, in parts."""
    super_bonus: int
    """What the Super Bonus adds, in parts; 0 if there is none."""
    side_wagers: int
    """Side wagers placed every round."""
    dealer_side: int
    """One of them is on the dealer's hand."""
    feeds: int
    """The cards of a device that takes those of a collected hand back before the next card is drawn; else 0."""


@kernel
def hand_at(area: Area, b: int, h: int) -> int:
    """Where a hand begins in its row."""
    # The masks show the compiler that a place is not negative: it need not look then.
    return HANDS + ((b & 1) * area.hands + (h & MOST_HANDS)) * HAND_SIZE


@kernel
def box_at(b: int) -> int:
    """Where a box begins in its row."""
    return BOXES + (b & 1) * BOX_SIZE


@kernel
def place_of_carried(area: Area) -> int:
    """Where the row says of each side wager for how many rounds it has been carried."""
    return HANDS + 2 * area.hands * HAND_SIZE


@kernel
def layout_at(area: Area) -> int:
    """Where the cards on the layout are listed, each followed by the number of its hand; the number of the rack is 0.

    They are kept only where collected cards go back into the device within the round.
    """
    return place_of_carried(area) + area.side_wagers


@kernel
def row_length(area: Area) -> int:
    """How many integers a row has."""
    return layout_at(area) + 2 * area.feeds


def new_row(area: Area) -> list[int]:
    """The row of an area before its first round."""
    row = [0] * row_length(area)
    row[HOLE] = NO_CARD_CODE
    return row


# ---------------------------------------------------------------------- cards


@kernel
def value_at(code: int) -> int:
    """Where the cards of this card's value are counted that were seen."""
    return SEEN + points_of(code & 15) - 1


@kernel
def forget_cards(row: Row) -> None:
    """All cards are shuffled: whatever was seen of them can come again."""
    row[HOLE] = NO_CARD_CODE
    for place in range(SEEN, SEEN + 10):
        row[place] = 0


@kernel
def draw_seen(row: Row, source: CardFeed) -> int:
    """The next card, face up."""
    code = take_next(source, row)
    row[value_at(code)] += 1
    return code


@kernel
def take(area: Area, row: Row, at: int, code: int) -> None:
    """A card to a hand."""
    rank = code & 15
    row[at + HARD] += points_of(rank)
    row[at + ACES] += int(rank == ACE)
    if row[at + CARDS] == 0:
        row[at + FIRST] = code
    elif row[at + CARDS] == 1:
        row[at + SECOND] = code
    row[at + CARDS] += 1
    row[at + SUITS] |= 1 << (code >> 4)
    row[at + RANKS] |= 1 << rank
    if area.feeds != 0:
        place = layout_at(area) + 2 * row[LAYOUT]
        row[place], row[place + 1] = code, row[at + NUMBER]
        row[LAYOUT] += 1


@kernel
def take_further(area: Area, row: Row, b: int, at: int, automatic: int, source: CardFeed) -> None:
    """A card beyond the initial deal."""
    code = draw_seen(row, source)
    take(area, row, at, code)
    row[at + DRAWING] = automatic
    if row[box_at(b) + THIRD_CARD] == NO_CARD_CODE:
        row[box_at(b) + THIRD_CARD] = code
    row[FURTHER] = 1


@kernel
def clear_hand(row: Row, at: int) -> None:
    """An empty hand."""
    for place in range(at, at + HAND_SIZE):
        row[place] = 0


@kernel
def end_hand_as(area: Area, row: Row, at: int, status: int) -> None:
    """A hand takes no more cards; the dealer collects one that is settled."""
    row[at + STATUS] = status
    if area.feeds != 0 and status in (BUST, PAID, OUT):
        start = layout_at(area)
        for place in range(start, start + 2 * row[LAYOUT], 2):
            if row[place + 1] == row[at + NUMBER]:
                row[place + 1] = 0
                row[RACK] += 1


@kernel
def lift_cards(row: Row, layout: int, number: int) -> None:
    """The cards of one hand, or of the rack, are no longer listed; `layout`: where the list begins."""
    kept = layout
    for place in range(layout, layout + 2 * row[LAYOUT], 2):
        if row[place + 1] != number:
            row[kept], row[kept + 1] = row[place], row[place + 1]
            kept += 2
    row[LAYOUT] = (kept - layout) // 2


@kernel
def empty_rack(row: Row, layout: int) -> None:
    """The cards in the rack have gone into the device: they can come again."""
    for place in range(layout, layout + 2 * row[LAYOUT], 2):
        if row[place + 1] == 0:
            row[value_at(row[place])] -= 1
    lift_cards(row, layout, 0)
    row[RACK] = 0
