"""What kernels are handed and what they leave: the shape of a plan in integers, the sums of a block, room to work in.

Money is counted in parts of the initial wager (`Tables.unit` parts make one), so every sum is a whole number and
blocks merge in any order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pitboss.play.packed import Packed
from pitboss.play.side_wagers.judges import BY_TOKENS
from pitboss.play.side_wagers.side_tables import MOST_OUTCOMES, SideTables
from pitboss.play.splitting import most_hands
from pitboss.sim.kernels.compiling import Codes, Ints
from pitboss.sim.kernels.side_luck import SideRoom, make_side_room
from pitboss.sim.unfold.later_rounds import LaterRounds
from pitboss.sim.unfold.luck_tables import RANK_COUNT, Floats, LuckTables
from pitboss.sim.unfold.side_values import SideLuck
from pitboss.sim.unfold.tables import PlayTables

HALF_HISTOGRAM = 8192
"""The histogram of a round's result runs from minus to plus this many parts."""

SUM_NAMES = (
    "rounds", "shoes", "cards", "bets", "net", "net_2", "net_3", "hands", "naturals", "doubles", "splits",
    "surrenders", "busts", "stand_offs", "wins", "losses", "dealer_busts", "dealer_naturals", "insured",
    "insurance_net", "tokens", "super_bonuses", "outside", "rescues",
    "net_singles", "net_naturals", "net_doubles", "net_splits", "net_surrenders", "net_super_bonus",
)  # fmt: skip
"""What is summed over the rounds of a block; the constants below are the places.

`net_singles` and those after it part the net by what became of a box: a hand played alone without a double, a natural,
a doubled hand, a box that split (with all it did then), a surrender; what the Super Bonus paid; insurance stands apart.
"""
(
    ROUNDS, SHOES, CARDS, BETS, NET, NET_2, NET_3, HANDS, NATURALS, DOUBLES, SPLITS,
    SURRENDERS, BUSTS, STAND_OFFS, WINS, LOSSES, DEALER_BUSTS, DEALER_NATURALS, INSURED,
    INSURANCE_NET, TOKENS, SUPER_BONUSES, OUTSIDE, RESCUES,
    NET_SINGLES, NET_NATURALS, NET_DOUBLES, NET_SPLITS, NET_SURRENDERS, NET_SUPER_BONUS,
) = range(len(SUM_NAMES))  # fmt: skip
SUMS = len(SUM_NAMES)

BEGIN, END, WON, BET, INSURES, LAST = range(6)
"""Places of what is told about the last round: where its cards lie in the shoe, what it won, units bet, insurance."""

OPENING_CELLS = 11**3

CORRECTED_NAMES = ("rounds", "won", "won_2", "shoes", "shoe_bets", "shoe_won_2", "shoe_won_bets", "shoe_bets_2")
"""What is summed of corrected results: over rounds, and over shoes, since the rounds of one shoe are alike."""
(
    CORRECTED_ROUNDS, CORRECTED, CORRECTED_2, CORRECTED_SHOES, SHOE_BETS, SHOE_WON_2, SHOE_WON_BETS, SHOE_BETS_2,
) = range(len(CORRECTED_NAMES))  # fmt: skip
COUNT_NAMES = ("rounds", "won", "won_2", "net", "net_2")
"""What is summed of the rounds with one count: how many, corrected and raw results and their squares."""
COUNT_ROUNDS, COUNT_WON, COUNT_WON_2, COUNT_NET, COUNT_NET_2, COUNT_SHARES = range(len(COUNT_NAMES) + 1)
MOST_COUNT = 20
"""True counts are looked up from minus to plus this."""
HALF_COUNTS = 60
"""Counts are kept from minus to plus this many; what lies beyond is kept at the ends."""


class Form(NamedTuple):
    """What a kernel is compiled for: the parts of a round that exist at all.

    A part that exists is `(1,)`, one that does not `()`: a length is part of a type, so the compiler leaves out what a
    form does not have, and keeps one version for each.
    """

    many: tuple[int, ...]
    """More boxes than one."""
    beside: tuple[int, ...]
    """Side wagers, a bet schedule, results by opening hand, a hole card, or cards burnt before every round."""
    fed: tuple[int, ...]
    """A continuous device takes the cards of a hand back as soon as it is collected."""
    valued: tuple[int, ...] = ()
    """The luck of the cards is summed, so that it can be subtracted."""


ONE_BOX = Form((), (), ())
WITH_HOLE_CARD = Form((), (1,), ())
CORRECTED_ROUND = Form((1,), (1,), (), (1,))
"""One form for corrected rounds of every kind but those of a device that takes cards back in mid-round: they are few,
and a compiled form takes longer than they do."""
DRAWN, BURNT = 0, 1
"""Places of what is counted while a device is fed: cards drawn in the round, cards burnt that have not gone back."""
MOST_CARDS = 24
"""More cards than a hand can have."""
MOST_FINALS = 64
"""More final hands than a dealer can have."""


class Shape(NamedTuple):
    """What a plan fixes beside game and strategy, as integers."""

    boxes: int
    sides: int
    """How many side wagers each box places."""
    dealer_side: int
    """One of them is on the dealer's hand."""
    counting: int
    """Bets follow a schedule."""
    plays: int
    """Decisions follow the count of their moment, too."""
    detail: int
    """Results are also kept by opening hand and up card."""
    cut: int
    """A new shoe is begun when this many cards are dealt at the start of a round; 0: after every round."""
    burn: int
    """Cards burnt from a new shoe."""
    burn_round: int
    """Cards burnt before every round."""
    returns_late: int
    """A continuous device takes the cards of a round back only after the next initial deal."""
    super_bonus: int
    """Parts that the Super Bonus adds for one wager, 0 if there is none."""
    super_bonus_others: int
    """Parts that it brings each other box."""


class Schedule(NamedTuple):
    """Bets, insurance and switches as a kernel looks them up."""

    bets: Ints
    insures_ace: Ints
    insures_ten: Ints
    tags: Ints
    """By code of the card."""
    switches: Codes
    mid_shoe_entry: int
    plays: Ints
    """[count] -> the first row of the actions for it."""
    start: int
    """The count of a new shoe."""
    multiple: int
    """What tags and start are multiplied by."""
    running: int
    """The running count is looked up, and not the true count."""


class Given(NamedTuple):
    """Everything a kernel looks up and never changes."""

    form: Form
    rules: Packed
    tables: PlayTables
    shape: Shape
    fresh: Codes
    schedule: Schedule
    sides: SideTables
    luck: LuckTables
    side_luck: SideLuck
    later: LaterRounds


class Kept(NamedTuple):
    """The sums of a block, and its last round."""

    sums: Ints
    histogram: Ints
    openings: Ints
    """[how often, parts won][lower card, higher card, up card], in point values; empty if not asked for."""
    side_counts: Ints
    """[wager][outcome] -> how often."""
    path: Ints
    """Result of each round, as far as it is long."""
    last: Ints
    last_sides: Ints
    """[box][wager] -> outcome in the last round."""
    corrected: Floats
    """What rounds won less the luck of their cards, in units: see `CORRECTED_NAMES`."""
    side_corrected: Floats
    """[wager][see `CORRECTED_NAMES`] -> the same of side wagers, in stakes."""
    by_count: Floats
    """[count][see `COUNT_NAMES`, then a share of the cards left for each rank], of the same rounds per unit bet."""


class Scratch(NamedTuple):
    """What is remembered within a round, and of carried wagers from one round to the next."""

    codes: Ints
    """[box][first card, second card]."""
    first_hand: Ints
    """[box] -> number of its first hand."""
    classes: Ints
    money: Ints
    base: Ints
    wins: Ints
    status: Ints
    """[hand] -> class, all its money, the part of it that is no double, units that win, what became of it."""
    waiting: Ints
    """First cards of split hands that are still to be played."""
    tokens: Ints
    third: Ints
    pending: Ints
    box_net: Ints
    part: Ints
    """[box] -> tokens used, third card, a natural waits, parts won so far, place of the part of the sums they go to."""
    carried: Ints
    """[box][wager] -> for how many rounds it has been carried."""
    further: Ints
    """What can decide a side wager beside two cards, as `play.side_wagers.judges` numbers it."""
    drawn: Ints
    held: Ints
    counts: Ints
    """While a device is fed: the cards of the round in their order, those of the hand that is played, and how many."""
    spare: Ints
    """Sums that nobody reads: of settlements that are only tried."""
    follow: Floats
    """[rank] -> what the round is worth after the next card, as far as that card decides."""
    left: Floats
    """[rank] -> cards left in the shoe."""
    finals: Floats
    """[final] -> what the round comes to with that hand of the dealer's."""
    luck: Floats
    """The luck of the cards of this round so far."""
    side: SideRoom
    """What is remembered of the luck of side wagers."""
    counted: Ints
    """The count before the round, the place of its first card in the shoe, the dealer's hidden card."""


def make_kept(shape: Shape, path_rounds: int = 0) -> Kept:
    """Empty sums for rounds of this shape."""
    sides = max(shape.sides, 1)
    return Kept(
        np.zeros(SUMS, np.int64), np.zeros(2 * HALF_HISTOGRAM, np.int64),
        np.zeros((2, OPENING_CELLS if shape.detail else 0), np.int64), np.zeros((sides, MOST_OUTCOMES), np.int64),
        np.zeros(path_rounds, np.int64), np.zeros(LAST, np.int64), np.zeros((shape.boxes, sides), np.int64),
        np.zeros(len(CORRECTED_NAMES)), np.zeros((sides, len(CORRECTED_NAMES))),
        np.zeros((2 * HALF_COUNTS + 1, COUNT_SHARES + RANK_COUNT)),
    )  # fmt: skip


def make_scratch(shape: Shape, rules: Packed) -> Scratch:
    """Room for rounds of this shape."""
    boxes, hands = shape.boxes, shape.boxes * max(most_hands(rules, False), most_hands(rules, True)) + 1
    sizes: dict[str, int | tuple[int, int]] = dict.fromkeys(
        ("classes", "money", "base", "wins", "status", "waiting"), hands
    )
    sizes |= dict.fromkeys(("tokens", "third", "pending", "box_net", "part"), boxes)
    sizes |= {
        "codes": (boxes, 2),
        "first_hand": boxes + 1,
        "carried": (boxes, max(shape.sides, 1)),
        "further": BY_TOKENS + 1,
        "drawn": (hands + 1) * MOST_CARDS + shape.burn_round,
        "held": MOST_CARDS,
        "counts": 2,
        "spare": SUMS,
        "counted": 3,
    }
    room = {name: np.zeros(size, np.int64) for name, size in sizes.items()}
    return Scratch(
        **room, side=make_side_room(shape.sides, room["codes"], room["carried"]),
        follow=np.zeros(RANK_COUNT), left=np.zeros(RANK_COUNT), finals=np.zeros(MOST_FINALS), luck=np.zeros(1),
    )  # fmt: skip
