"""What a table is at one moment: an immutable value that events fold into.

Box numbers are as records write them: `"1"`, or `"1a"` and `"1b"` for the two boxes of an area. Within a round a box
keeps its bettors (who staked what, who calls the decisions) and its hands; a hand keeps its cards and, for each bettor
who is on it, what is staked there. Nothing here decides anything.
"""

from __future__ import annotations

import enum
from typing import Literal

import msgspec

from pitboss.cards import RANK, Card
from pitboss.money import ZERO, Money
from pitboss.play.hands import total
from pitboss.play.packed import Packed
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.floor_state import Deed, FloorState, Trouble, WaitingCommand


class Phase(enum.StrEnum):
    """Where the round stands, as far as somebody has to act."""

    BETTING = "betting"
    """Wagers may be placed; the next thing is the deal."""
    DEALING = "dealing"
    """The cards ran out in the initial deal: it goes on once the discards are shuffled."""
    OFFERS = "offers"
    """Cards are dealt; insurance, even money, table-wide surrender or a prize is open."""
    TURNS = "turns"
    """Boxes act in turn."""
    SETTLING = "settling"
    """All hands are complete, the dealer's too; at a table that is settled by hand, somebody settles next."""
    SETTLED = "settled"
    """All wagers are decided; the table waits for the next round."""


class HandStatus(enum.StrEnum):
    """What has become of a hand so far."""

    OPEN = "open"
    STOOD = "stood"
    NATURAL = "natural"
    """A natural that waits for the dealer's hand."""
    BUST = "bust"
    PAID = "paid"
    """Won and paid before the dealer's hand."""
    OUT = "out"
    """Every wager on it is settled, given up, surrendered for good or void."""


class Fate(enum.StrEnum):
    """What one bettor's stake on a hand waits for."""

    PLAYS = "plays"
    SURRENDERED = "surrendered"
    SETTLED = "settled"


class Pending(enum.StrEnum):
    """A choice that passes by itself when play goes on."""

    NOTHING = ""
    SWITCH = "switch"
    """The area may switch; nothing else is to be decided in it."""
    RESCUE = "rescue"
    """The double just made may be taken back."""


class SideLimit(msgspec.Struct, frozen=True):
    """What the sign says of one side wager, and for how many of them a box has room."""

    minimum: Money | None = None
    maximum: Money | None = None
    places: int = 0
    """0: as many as the book allows."""


NO_SIDE_LIMIT = SideLimit()
"""The sign says nothing of a side wager."""


class Limits(msgspec.Struct, frozen=True):
    """The sign at the table."""

    minimum: Money | None = None
    maximum: Money | None = None
    chip: Money | None = None
    unit: Money | None = None
    """Wagers above the minimum go up in these steps."""
    per: Literal["", "box", "player"] = ""
    """Whether the limits are for a box or for each player on it; empty: the sign does not say."""
    side: dict[str, SideLimit] = {}
    """The limits of side wagers, by id."""

    def of_side(self, wager: str) -> SideLimit:
        """What the sign says of a side wager."""
        return self.side.get(wager, NO_SIDE_LIMIT)


class Meter(msgspec.Struct, frozen=True):
    """A prize meter: what it starts from, what share of each wager it takes, what it shows."""

    seed: Money
    rate: Money
    value: Money


class Bet(msgspec.Struct, frozen=True):
    """A wager on the layout before the deal."""

    box: str
    player: str
    amount: Money
    wager: str
    seated: bool = False
    tokens: Money = ZERO
    """How much of it is promotional tokens."""


class Bettor(msgspec.Struct, frozen=True):
    """A player with a main wager on a box."""

    player: str
    placed: Money
    stake: Money
    """The amount that counts: what limits leave of it, nothing if it is to be returned."""
    insurance: Money | None = None
    even_money: bool = False


class Stake(msgspec.Struct, frozen=True):
    """What one bettor has on one hand. Tokens win like money and cost nothing."""

    player: str
    base: Money
    original: bool
    """This is the original wager itself, not one added by a split."""
    base_token: Money = ZERO
    double: Money = ZERO
    double_token: Money = ZERO
    fate: Fate = Fate.PLAYS

    @property
    def money(self) -> Money:
        """Real money at risk."""
        return self.base + self.double

    @property
    def winning(self) -> Money:
        """What an even-money win pays."""
        return self.base + self.base_token + self.double + self.double_token


class Hand(msgspec.Struct, frozen=True):
    """Cards and stakes of one hand of a box."""

    cards: tuple[Card, ...]
    stakes: tuple[Stake, ...]
    hard: int
    """Sum with every ace as one."""
    aces: int
    """Aces that may still count eleven."""
    status: HandStatus = HandStatus.OPEN
    from_split: bool = False
    from_aces: bool = False
    doubled: bool = False
    drawing: bool = False
    """The dealer is drawing to it automatically."""
    face_down: bool = False
    """Its first two cards were dealt face down and have not been shown."""
    ended: tuple[str, ...] = ()
    """The matters because of which it takes no more cards: what a refusal cites."""

    @property
    def points(self) -> int:
        """The total that counts."""
        return total(self.hard, self.aces)


class Box(msgspec.Struct, frozen=True):
    """A box in play."""

    number: str
    area: int
    bettors: tuple[Bettor, ...]
    controller: str
    hands: tuple[Hand, ...] = ()
    absent: bool = False
    switched: bool = False
    switch_closed: bool = False
    """Its area has switched or declined to."""
    split_declined: bool = False
    suited_sevens_split: bool = False
    third_card: bool = False
    """A card was dealt to it beyond the initial deal."""
    void: bool = False
    tokens: tuple[tuple[str, int], ...] = ()
    """Free tokens used so far, by player."""

    def bettor(self, player: str) -> Bettor | None:
        """The bettor of this name."""
        for bettor in self.bettors:
            if bettor.player == player:
                return bettor
        return None

    @property
    def staked(self) -> set[str]:
        """The players who have something at stake on its hands."""
        return {stake.player for hand in self.hands for stake in hand.stakes if stake.fate is not Fate.SETTLED}


class SideBet(msgspec.Struct, frozen=True):
    """A side wager in play. `state` is the judge's own word for its progress; empty once it is settled."""

    box: str
    player: str
    wager: str
    amount: Money
    state: str = "placed"
    paid: Money = ZERO
    """What it has won so far, in the round before too if it was carried over."""


class Carried(msgspec.Struct, frozen=True):
    """A side wager that stays active for the next round."""

    box: str
    player: str
    wager: str
    amount: Money
    paid: Money = ZERO
    """What it has won so far."""


class CardSource(enum.StrEnum):
    """Where the cards of a shoe come from."""

    STACKED = "stacked"
    """A given list of cards, as records have it: neither shuffled nor cut, no cut card."""
    SHOE = "shoe"
    SHUFFLER = "shuffler-and-shoe"
    """A shoe filled by a machine that only shuffles."""
    DEVICE = "device"
    """A machine that shuffles continuously and deals."""
    KEYED = "keyed"
    """A real shoe: nobody knows its order, and each card is keyed in as it is dealt."""


class ShoeStage(enum.StrEnum):
    """How far the cards are on their way from the shuffle into play."""

    STACK = "stack"
    """Shuffled: the stack may be cut."""
    CUT = "cut"
    """Cut: the dealer places the cut card."""
    OPEN = "open"
    """In play."""


class Origin(msgspec.Struct, frozen=True):
    """How the order of a shoe came about: what proves it once the seed is revealed."""

    number: int = 0
    """The number of this shoe at its table, from 1."""
    commitment: str = ""
    seed: bytes = b""
    salt: bytes = b""
    mixes: int = 0
    """Streams of the seed that are used up: riffles of a stack, or returns of discards into a device."""
    occasion: str = "start"
    """Why the cards were shuffled: start, or one of the words of `Shoe.due`."""
    cut: int | None = None
    """Cards that the cut sent to the back."""
    cutter: str = ""


class Shoe(msgspec.Struct, frozen=True):
    """The order of the cards, how far it is dealt, and where all the other cards of the pack are."""

    cards: tuple[Card, ...] = ()
    """In the order in which they leave, those already gone included."""
    position: int = 0
    source: CardSource = CardSource.STACKED
    stage: ShoeStage = ShoeStage.OPEN
    origin: Origin = Origin()
    cut_card: int | None = None
    """Cards in front of the cut card when the shoe was loaded; none: there is no cut card."""
    fell: str = ""
    """Where the cut card came out: a box, `dealer`, `first` (in place of a round's first card) or `burn`."""
    fell_to: str = ""
    """The controlling player of that box."""
    asked: tuple[str, ...] = ()
    """Players to whom the cut is offered, the one who is asked now first."""
    offered: bool = False
    """The cut was offered: somebody must cut."""
    burnt: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    """Burnt cards that everybody has seen."""
    discards: tuple[Card, ...] = ()
    """The rack, without the burnt cards."""
    due: tuple[str, ...] = ()
    """Why the cards must be shuffled before the next round."""
    due_clauses: tuple[str, ...] = ()
    """The clauses of the first of these reasons."""
    out: bool = False
    """No card is left in mid-round: the discards must be shuffled."""
    stopped: bool = False
    """The device has failed and there is no other: its cards go into a shoe."""
    dropped: bool = False
    """Cards were dropped, and nobody has verified yet that all are there."""
    feed_missed: bool = False
    """The discards stay in the rack until the initial deal after the next is complete."""
    rounds: int = 0
    """Rounds dealt since the cards were shuffled."""
    wagered: tuple[tuple[str, int], ...] = ()
    """In how many of them each player had a main wager."""

    @property
    def left(self) -> int:
        """Cards still to come."""
        return len(self.cards) - self.position

    @property
    def undealt(self) -> tuple[Card, ...]:
        """The cards still to come."""
        return self.cards[self.position :]

    def count_skipped(self, player: str) -> int:
        """Rounds of this shoe in which the player had no main wager."""
        return self.rounds - dict(self.wagered).get(player, 0)


class Reveal(msgspec.Struct, frozen=True):
    """Seed and salt of a retired shoe."""

    number: int
    commitment: str
    seed: bytes
    salt: bytes


class Arrival(msgspec.Struct, frozen=True):
    """A player at the table, and the box by which they stand or sit."""

    player: str
    area: int


class House(msgspec.Struct, frozen=True):
    """What somebody with the power to do so has set for the table's cards."""

    burn_each_round: bool = False
    face_down: bool = False
    nominated: tuple[tuple[str, str], ...] = ()
    """Player and box of those who named the one box on which their cards lie face down."""
    backs: str = ""
    """The colour of the cards' backs, if somebody has said so."""
    settles_by_hand: bool = False
    """A person deals: wagers are settled in a step of its own, and until then an error can be mended."""


class Settlement(msgspec.Struct, frozen=True):
    """One wager decided on one hand: what the player gained or lost, and the clauses that say so."""

    box: str
    hand: int
    """1 for the first hand of the box; 0 where a wager is not about a single hand."""
    player: str
    wager: str
    stake: Money
    net: Money
    outcome: str
    clauses: tuple[str, ...]
    interim: bool = False
    """Decided in the interim settlement: it may stand when the round is void."""


class RoundOpening(msgspec.Struct, frozen=True):
    """The table as it was when betting closed: from here a round can be rebuilt."""

    shoe: Shoe
    bets: tuple[Bet, ...]
    carried: tuple[Carried, ...]
    meters: dict[str, Meter]
    warned: frozenset[str]
    floor: FloorState
    """Standing orders given later do not touch these wagers."""


class State(msgspec.Struct, frozen=True):
    """A table between two events."""

    rules: Rules
    packed: Packed
    limits: Limits
    places: int
    """How many boxes (playing areas) the layout has."""
    shoe: Shoe = Shoe()
    round: int = 1
    phase: Phase = Phase.BETTING
    bets: tuple[Bet, ...] = ()
    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    dealer_hard: int = 0
    dealer_aces: int = 0
    hole: bool = False
    """The dealer's second card lies face down."""
    turn: tuple[int, int] | None = None
    """Index of box and hand that act."""
    pending: Pending = Pending.NOTHING
    further_card: bool = False
    """A card was dealt beyond the initial deal."""
    sides: tuple[SideBet, ...] = ()
    prizes_due: tuple[tuple[str, str], ...] = ()
    """Box and player of each prize still to be drawn."""
    carried: tuple[Carried, ...] = ()
    meters: dict[str, Meter] = {}
    warned: frozenset[str] = frozenset()
    """Players told that wagers under the minimum will be returned."""
    settlements: tuple[Settlement, ...] = ()
    void: bool = False
    part: tuple[Card, ...] = ()
    """Cards of an initial deal that stopped because no card was left."""
    arrivals: tuple[Arrival, ...] = ()
    """The players at the table in the order of their arrival."""
    house: House = House()
    revealed: Reveal | None = None
    """Seed and salt of the shoe before this one."""
    opening: RoundOpening | None = None
    drawn: tuple[Card, ...] = ()
    """The cards that left the shoe since betting closed, in order; cards found face up and burnt are not among them."""
    deeds: tuple[Deed, ...] = ()
    """What was decided in the round."""
    awaited: WaitingCommand | None = None
    """What was granted and waits for the next card to be keyed in."""
    trouble: Trouble = Trouble()
    floor: FloorState = FloorState()
    past: State | None = None
    """The round before as it ended, until the first card of this one: so long it can be rebuilt or declared void."""
    waiting: State | None = None
    """The betting of the next round, which waits while this round is reopened."""

    def __repr__(self) -> str:
        return f"<State {self.rules.game}, round {self.round}: {self.phase.value}>"

    @property
    def payable(self) -> Money | None:
        """What payments go up to a multiple of: the smallest chip, unless the house pays to the cent."""
        return self.limits.chip if self.rules.odd_payment == "round-up" else None

    @property
    def up_card(self) -> Card | None:
        """The dealer's first card."""
        return self.dealer[0] if self.dealer else None

    @property
    def up_rank(self) -> int:
        """The rank of the dealer's first card; -1 if there is none."""
        return RANK[self.dealer[0]] if self.dealer else -1

    def box_index(self, number: str) -> int:
        """Where a box in play stands in `boxes`; -1 if it is not in play."""
        for index, box in enumerate(self.boxes):
            if box.number == number:
                return index
        return -1
