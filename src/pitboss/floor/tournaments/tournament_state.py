"""A tournament between two decisions: its terms, entries, tables in play, and what is decided.

Everything here is plain frozen data that reads back from JSON as it was written. Stacks are kept in grains, like the
ledger's accounts; what lies on a layout is in the state of its table.
"""

from __future__ import annotations

import enum

import msgspec

from pitboss.floor.postings import Staked
from pitboss.floor.terms.tournament_terms import TournamentTerms
from pitboss.floor.tournaments.format import TournamentFormat, TournamentStage
from pitboss.money import ZERO, Money
from pitboss.table.state import State


class TournamentPhase(enum.StrEnum):
    """How far a tournament has come."""

    NEW = "new"
    LODGED = "lodged"
    ENTRIES = "entries"
    CLOSED = "closed"
    """Entries are closed, and no stage is drawn."""
    DRAWN = "drawn"
    """Seats are drawn; a heat waits to begin."""
    PLAYING = "playing"
    DECIDED = "decided"
    PAID = "paid"
    CANCELLED = "cancelled"


class EntryStatus(enum.StrEnum):
    """What has become of an entry."""

    IN = "in"
    OUT = "out"
    DISQUALIFIED = "disqualified"
    WITHDRAWN = "withdrawn"


class TournamentEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One place in the tournament."""

    key: str
    """The name of whoever entered, and a number after a dot if it is not their first entry."""
    holder: str
    player: str
    """Who plays it: the holder, or a substitute."""
    fee: Money = ZERO
    at_ms: int = 0
    staff: bool = False
    signed: bool = False
    publicity: bool = False
    status: EntryStatus = EntryStatus.IN
    out_in: int = -1
    """The stage in which it went out."""
    bought_back: int = 0
    won_by: str = ""
    """The hand that has won it: table, round and box."""


class CountedWager(msgspec.Struct, frozen=True):
    """What a wager counts as, and why if that is not what was placed."""

    amount: Money
    placed: Money
    cure: str = ""
    clauses: tuple[str, ...] = ()


class PlacedWager(msgspec.Struct, frozen=True):
    """What somebody has put before them in this round: an open wager, a pass card, or nothing."""

    amount: Money = ZERO
    sides: dict[str, Money] = {}
    passes: bool = False
    sits_out: bool = False


class SealedForm(msgspec.Struct, frozen=True):
    """An undisclosed wager as it was written: until the round is over its writer and the supervisor alone see it."""

    key: str
    wager: str = ""
    amount: Money | None = None
    checked: bool = False
    counted: CountedWager | None = None
    """What counts of it, once betting is closed."""


class WentOut(msgspec.Struct, frozen=True):
    """Somebody is out of a session: when, with what, and in which order chips were taken."""

    key: str
    round: int
    residual: Money
    staked: Money
    removal: int
    why: str = ""


class LastRound(msgspec.Struct, frozen=True, kw_only=True):
    """What the end of a round has changed, so that the round can be put right before the next one has a card."""

    round: int
    boxes: tuple[tuple[str, str], ...]
    wagers: dict[str, PlacedWager]
    pass_cards: dict[str, int]
    opening: dict[str, int]
    out: tuple[WentOut, ...]
    shoes: int
    minimum: Money
    maximum: Money


class PlayTable(msgspec.Struct, frozen=True, kw_only=True):
    """One table in play."""

    name: str
    table: State
    seats: tuple[str, ...]
    """Who sits at box 1, 2 and so on; empty where nobody does."""
    round: int = 1
    """Of this session, play-offs counted on."""
    boxes: tuple[tuple[str, str], ...] = ()
    """TournamentEntry and the box of the layout on which its cards lie in this round."""
    wagers: dict[str, PlacedWager] = {}
    forms: dict[str, SealedForm] = {}
    read_forms: dict[str, SealedForm] = {}
    """Forms of the round before, which anybody at the table may ask to see until the next first card."""
    forms_used: dict[str, int] = {}
    pass_cards: dict[str, int] = {}
    opening: dict[str, int] = {}
    """What everybody had when the round was dealt, in grains."""
    absent: dict[str, int] = {}
    """Who is not there, and for how many rounds the minimum was deducted."""
    out: tuple[WentOut, ...] = ()
    shoes: int = 0
    """Shoes that are played out."""
    started_ms: int = 0
    waits_since_ms: int = 0
    staked: Staked = Staked()
    minimum: Money = ZERO
    maximum: Money = ZERO
    over: bool = False
    """Play has ended; the chips are to be counted."""
    counted: bool = False
    play_off: tuple[str, ...] = ()
    """Who plays on because they are level."""
    one_shoe: bool = False
    """The play-off goes over a shoe."""
    ranking: tuple[tuple[str, ...], ...] = ()
    """Those who were still in when play ended, best first; whoever is level stands together."""
    last: LastRound | None = None
    """The round before, as long as it can be put right."""
    agreed: frozenset[str] = frozenset()
    """Who agrees to an early end."""

    @property
    def active(self) -> tuple[str, ...]:
        """Who still plays here, by their seats."""
        among = self.play_off or self.seats
        if not self.out and among is self.seats and "" not in among:
            return among
        gone = {left.key for left in self.out}
        return tuple([key for key in self.seats if key and key not in gone and key in among])


class SeatedTable(msgspec.Struct, frozen=True):
    """A table as it was drawn."""

    heat: int
    table: str
    seats: tuple[str, ...]


class TableResult(msgspec.Struct, frozen=True):
    """How a table has ended: everybody, best first, with their chips."""

    heat: int
    table: str
    ranking: tuple[tuple[str, Money], ...]


class SeatDraw(msgspec.Struct, frozen=True):
    """A draw that is committed to and not revealed."""

    commitment: str
    seed: bytes
    salt: bytes


class OpenDispute(msgspec.Struct, frozen=True):
    """What waits for the manager's decision."""

    player: str
    matter: str


class Shortage(msgspec.Struct, frozen=True):
    """Tournament chips that did not come back."""

    table: str
    amount: Money
    pieces: dict[str, int] = {}
    reported: bool = False


class TournamentState(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament between two decisions."""

    name: str
    book: str
    phase: TournamentPhase = TournamentPhase.NEW
    terms: TournamentTerms | None = None
    stages: tuple[TournamentStage, ...] = ()
    """As they are played: fixed when entries close."""
    managers: tuple[str, ...] = ()
    published: bool = False
    inspector_told: int = 0
    """How often the inspectorate was told."""
    inspector_due: bool = False
    """Something has changed that it was not told of."""
    entries_opened_ms: int = 0
    entries_closed_ms: int = 0
    entries: dict[str, TournamentEntry] = {}
    refused: tuple[str, ...] = ()
    staff_approved: tuple[str, ...] = ()
    pool: int = 0
    """In grains."""
    goods: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    """Designated for this tournament."""
    briefed: bool = False
    practice_hands: int = 0
    starts: dict[str, int] = {}
    """Starting times that were moved, by stage."""
    wager_seconds: int = 0
    wager_time_from_ms: int = 0
    draw: SeatDraw | None = None
    drawn: tuple[SeatedTable, ...] = ()
    """The tables of this stage, heat by heat."""
    stage: int = -1
    heat: int = 0
    waiting: tuple[str, ...] = ()
    """Who plays in the next stage, as far as it is known."""
    in_play: dict[str, PlayTable] = {}
    stacks: dict[str, int] = {}
    results: tuple[TableResult, ...] = ()
    """Of this stage so far."""
    level: tuple[str, ...] = ()
    """Who plays for the last places that go on, because they are level with the same chips at different tables."""
    dispute: OpenDispute | None = None
    shortages: tuple[Shortage, ...] = ()
    places: tuple[str, ...] = ()
    paid: tuple[int, ...] = ()
    """The places whose prizes are paid."""
    bonuses_paid: bool = False
    at_ms: int = 0

    @property
    def format(self) -> TournamentFormat | None:
        """What the terms say of play, once they are lodged."""
        return self.terms.format if self.terms is not None else None

    @property
    def form(self) -> TournamentFormat:
        """The format, of a tournament whose terms are lodged."""
        assert self.terms is not None, "the terms of this tournament are not lodged"
        return self.terms.format

    @property
    def now_playing(self) -> TournamentStage:
        """The stage that is drawn."""
        return self.stages[self.stage]

    @property
    def plays_for_level(self) -> bool:
        """Those who are level with players of other tables play, or are about to, for what is left between them."""
        return bool(self.level) and bool(self.drawn) and self.drawn[-1].heat == self.heat

    def find_table(self, key: str) -> PlayTable | None:
        """Where somebody sits now."""
        return next((table for table in self.in_play.values() if key in table.seats), None)

    def find_key(self, player: str) -> str:
        """The entry that somebody plays now, or plays at all; empty if there is none."""
        own = [entry.key for entry in self.entries.values() if entry.player == player]
        seated = [key for key in own if self.find_table(key) is not None]
        still_in = [key for key in own if self.entries[key].status is EntryStatus.IN]
        return next(iter((*seated, *still_in, *own)), "")
