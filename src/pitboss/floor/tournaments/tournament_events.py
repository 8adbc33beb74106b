"""What happens in a tournament. Every event names the clauses that it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import msgspec

from pitboss.floor.terms.tournament_terms import TournamentTerms
from pitboss.floor.tournaments.format import TournamentStage
from pitboss.floor.tournaments.tournament_state import (
    CountedWager,
    PlacedWager,
    SealedForm,
    SeatDraw,
    SeatedTable,
    TableResult,
    TournamentEntry,
    WentOut,
)
from pitboss.money import ZERO, Money
from pitboss.rulebooks.model.rules import Rules
from pitboss.table.messages.events import Event
from pitboss.table.orders.rulings import EVENTS

if TYPE_CHECKING:
    GameEvent = Event
else:
    GameEvent = Union[EVENTS]  # noqa: UP007 - a union made of a list, by which a log is read back


class TournamentEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of all events of a tournament."""

    clauses: tuple[str, ...] = ()


class TournamentLodged(TournamentEvent, frozen=True, tag="terms-lodged"):
    terms: TournamentTerms


class ManagerNamed(TournamentEvent, frozen=True, tag="manager-named"):
    name: str
    deputy: bool = False


class TermsPublished(TournamentEvent, frozen=True, tag="terms-published"):
    pass


class InspectorateTold(TournamentEvent, frozen=True, tag="inspectorate-told"):
    text: str = ""


class EntriesOpened(TournamentEvent, frozen=True, tag="entries-opened"):
    pass


class EntryAccepted(TournamentEvent, frozen=True, tag="entry-taken"):
    """Somebody has entered, has a copy of the terms, and has paid the fee."""

    entry: TournamentEntry


class EntryRefused(TournamentEvent, frozen=True, tag="entry-refused"):
    player: str
    reason: str


class StaffApproved(TournamentEvent, frozen=True, tag="staff-approved"):
    player: str


class EntryWithdrawn(TournamentEvent, frozen=True, tag="entry-withdrawn"):
    key: str
    refund: Money


class SubstituteNamed(TournamentEvent, frozen=True, tag="substitute-named"):
    key: str
    substitute: str


class PoolRaised(TournamentEvent, frozen=True, tag="pool-raised"):
    """The operator adds to the prize pool."""

    amount: Money = ZERO
    goods: str = ""
    why: str = "added"


class TablesDesignated(TournamentEvent, frozen=True, tag="tables-designated"):
    tables: tuple[str, ...]


class EntriesClosed(TournamentEvent, frozen=True, tag="entries-closed"):
    """No more entries; how many stages there are, and how many go on, is fixed."""

    stages: tuple[TournamentStage, ...]


class SeatDrawCommitted(TournamentEvent, frozen=True, tag="draw-committed"):
    draw: SeatDraw


class TournamentCancelled(TournamentEvent, frozen=True, tag="tournament-cancelled"):
    reason: str


class PlayersBriefed(TournamentEvent, frozen=True, tag="players-briefed"):
    pass


class PlayShown(TournamentEvent, frozen=True, tag="play-shown"):
    hands: int


class StartMoved(TournamentEvent, frozen=True, tag="start-moved"):
    stage: str
    to: int
    reason: str


class SeatsDrawn(TournamentEvent, frozen=True, tag="seats-drawn"):
    """The draw is revealed: its seed and salt fit what was committed to, and give these seats."""

    stage: int
    seed: bytes
    salt: bytes
    tables: tuple[SeatedTable, ...]


class BonusesPaid(TournamentEvent, frozen=True, tag="bonuses-paid"):
    """Every entrant receives a bonus as the tournament begins."""

    amount: Money


class SessionBegun(TournamentEvent, frozen=True, tag="session-begun"):
    """A heat begins at its tables, with the same chips for everybody who has paid the buy-in."""

    heat: int
    rules: Rules
    chips: Money
    unpaid: tuple[str, ...] = ()
    """Who could not pay the buy-in, and is out."""
    play_off: bool = False
    """All who sit there are level for the last places that go on."""


class TableHappened(TournamentEvent, frozen=True, tag="table-happened"):
    """What the game does at a table."""

    table: str
    events: tuple[GameEvent, ...]


class WagerTimeSet(TournamentEvent, frozen=True, tag="wager-time-set"):
    seconds: int
    start: int


class TournamentLimitsChanged(TournamentEvent, frozen=True, tag="tournament-limits-changed"):
    table: str
    minimum: Money
    maximum: Money


class WagerMade(TournamentEvent, frozen=True, tag="wager-made"):
    """An open wager, a pass card, or a round sat out."""

    table: str
    key: str
    wager: PlacedWager
    late: bool = False


class WagerTakenBack(TournamentEvent, frozen=True, tag="wager-taken-back"):
    table: str
    key: str
    refused: str = ""
    """Why the house has refused it, if it was not its player who took it off."""


class FormWritten(TournamentEvent, frozen=True, tag="form-written"):
    table: str
    form: SealedForm


class FormChecked(TournamentEvent, frozen=True, tag="form-checked"):
    table: str
    key: str
    good: bool


class FormInspected(TournamentEvent, frozen=True, tag="form-inspected"):
    table: str
    key: str
    by: str


class WagersCounted(TournamentEvent, frozen=True, tag="wagers-counted"):
    """Betting is closed: what each wager counts as, and on which box it is played."""

    table: str
    boxes: tuple[tuple[str, str], ...]
    open: dict[str, CountedWager]
    sealed: dict[str, CountedWager] = {}
    sides_back: dict[str, tuple[str, ...]] = {}
    """Side wagers whose chips the main wager needs, to be made up to the minimum."""


class WagerVoided(TournamentEvent, frozen=True, tag="wager-voided"):
    """A wager could not be made up to the minimum: it is void, and the cards are burnt."""

    table: str
    key: str


class FormsRevealed(TournamentEvent, frozen=True, tag="forms-revealed"):
    """The round is over: undisclosed wagers are announced, with what they count as."""

    table: str
    deducted: dict[str, Money] = {}
    """What is taken from stacks for forms that say too little."""
    corrected: dict[str, Money] = {}
    """What changes in stacks because a form that says too little has won or lost nothing."""


class AbsenceCharged(TournamentEvent, frozen=True, tag="absence-charged"):
    table: str
    key: str
    amount: Money


class PlayerOut(TournamentEvent, frozen=True, tag="player-out"):
    table: str
    out: WentOut


class RoundBegun(TournamentEvent, frozen=True, tag="round-begun"):
    """The next round of a session; pass cards of the last one are collected."""

    table: str
    round: int
    shoes: int
    dealt: bool = True
    """The round before had cards; it had none if nobody wagered."""


class LastRoundReopened(TournamentEvent, frozen=True, tag="last-round-reopened"):
    """The round before is put right before the next one has a card: what followed from its end is taken back."""

    table: str


class PlayEnded(TournamentEvent, frozen=True, tag="play-ended"):
    """The session at a table is over; chips are counted next."""

    table: str
    why: str


class StacksCounted(TournamentEvent, frozen=True, tag="stacks-counted"):
    table: str
    counts: dict[str, Money]
    ranking: tuple[tuple[str, ...], ...]


class ChipsCounted(TournamentEvent, frozen=True, tag="chips-counted"):
    table: str
    counts: dict[str, Money]


class ChipsMissing(TournamentEvent, frozen=True, tag="chips-missing"):
    table: str
    amount: Money
    pieces: dict[str, int] = {}
    reported: bool = False


class PlayOffBegun(TournamentEvent, frozen=True, tag="play-off-begun"):
    """Some are level, and play on among themselves."""

    table: str
    among: tuple[str, ...]
    one_shoe: bool = False
    chips: Money = ZERO
    """What each of them is given, because somebody has less than the minimum."""


class HeatEnded(TournamentEvent, frozen=True, tag="heat-ended"):
    """All tables of a heat have ended; their chips go back to the inventory."""

    results: tuple[TableResult, ...]
    cash: dict[str, Money] = {}
    """What chips are turned into, where the terms say so."""


class LevelFound(TournamentEvent, frozen=True, tag="level-found"):
    """Players of several tables are level for the last places that go on: they play for them at one table."""

    seated: SeatedTable


class StageEnded(TournamentEvent, frozen=True, tag="stage-ended"):
    """Who goes on, and who is out."""

    stage: int
    advance: tuple[str, ...]
    out: tuple[str, ...]


class PlacesDecided(TournamentEvent, frozen=True, tag="places-decided"):
    places: tuple[str, ...]


class EarlyEndAgreed(TournamentEvent, frozen=True, tag="early-end-agreed"):
    table: str
    key: str


class BoughtBack(TournamentEvent, frozen=True, tag="bought-back"):
    key: str
    price: Money


class PrizePaid(TournamentEvent, frozen=True, tag="prize-paid"):
    place: int
    key: str
    amount: Money
    goods: str = ""


class PrizesDone(TournamentEvent, frozen=True, tag="prizes-done"):
    """Everything that was to be won is paid."""


class AbsenceMarked(TournamentEvent, frozen=True, tag="absence-marked"):
    table: str
    key: str
    absent: bool


class PlayerDisqualified(TournamentEvent, frozen=True, tag="player-disqualified"):
    key: str
    ground: str
    reason: str
    refund: Money
    kept: Money = ZERO
    """What the player's chips are worth in cash and is kept."""


class DisputeRaised(TournamentEvent, frozen=True, tag="dispute-raised"):
    player: str
    matter: str


class TournamentDisputeDecided(TournamentEvent, frozen=True, tag="tournament-dispute-decided"):
    ruling: str
    upheld: bool
    by: str


TOURNAMENT_EVENTS: tuple[type[TournamentEvent], ...] = (
    TournamentLodged, ManagerNamed, TermsPublished, InspectorateTold, EntriesOpened, EntryAccepted, EntryRefused,
    StaffApproved, EntryWithdrawn, SubstituteNamed, PoolRaised, TablesDesignated, EntriesClosed, SeatDrawCommitted,
    TournamentCancelled, PlayersBriefed, PlayShown, StartMoved, SeatsDrawn, BonusesPaid, SessionBegun, TableHappened,
    WagerTimeSet, TournamentLimitsChanged, WagerMade, WagerTakenBack, FormWritten, FormChecked, FormInspected,
    WagersCounted, WagerVoided, FormsRevealed, AbsenceCharged, PlayerOut, RoundBegun, LastRoundReopened, PlayEnded,
    StacksCounted, ChipsCounted, ChipsMissing, PlayOffBegun, HeatEnded, LevelFound, StageEnded, PlacesDecided,
    EarlyEndAgreed, BoughtBack, PrizePaid, PrizesDone, AbsenceMarked, PlayerDisqualified, DisputeRaised,
    TournamentDisputeDecided,
)  # fmt: skip
