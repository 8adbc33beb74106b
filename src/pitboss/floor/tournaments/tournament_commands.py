"""What can be asked of a tournament. Players ask in their own name; staff who ask for a player name who it is."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from pitboss.cards import Card
from pitboss.floor.terms.tournament_terms import TournamentTerms
from pitboss.money import ZERO, Money


class TournamentCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of all commands of a tournament."""


# ---------------------------------------------------------------------- before it begins


class LodgeTournament(TournamentCommand, frozen=True, tag="lodge"):
    """Lay down the terms, from which nothing departs later."""

    terms: TournamentTerms


class NameManager(TournamentCommand, frozen=True, tag="name-manager"):
    """Name who has overall charge."""

    name: str


class NameDeputy(TournamentCommand, frozen=True, tag="name-deputy"):
    """The manager has somebody act in their place."""

    name: str


class PublishTerms(TournamentCommand, frozen=True, tag="publish"):
    """Make the terms available to everybody."""


class TellInspectorate(TournamentCommand, frozen=True, tag="tell-inspector"):
    """Tell the inspectorate that the tournament is to be held, or what of it has changed."""

    text: str = ""


class OpenEntries(TournamentCommand, frozen=True, tag="open-entries"):
    """From now on entries are taken."""


class TakeEntry(TournamentCommand, frozen=True, tag="enter"):
    """Enter: the form is filled in, the terms are handed over and accepted, the fee is paid."""

    player: str = ""
    accepts: bool = True
    signed: bool = False
    publicity: bool = False
    """Whether the player's name and picture may be used."""


class RefuseEntry(TournamentCommand, frozen=True, tag="refuse-entry"):
    """Refuse an application, as the terms reserve."""

    player: str
    reason: str


class ApproveStaff(TournamentCommand, frozen=True, tag="approve-staff"):
    """Approve that somebody of the staff takes part, for no prize."""

    player: str


class WithdrawEntry(TournamentCommand, frozen=True, tag="withdraw"):
    """Withdraw from the tournament."""

    player: str = ""
    entry: str = ""
    """Which of the player's entries, if there are several."""


class NameSubstitute(TournamentCommand, frozen=True, tag="name-substitute"):
    """Have somebody else play an entry."""

    substitute: str
    player: str = ""
    entry: str = ""


class GrantEntry(TournamentCommand, frozen=True, tag="grant-entry"):
    """A hand at a table has won a free entry."""

    player: str
    table: str
    round: int
    box: str


class AddToPool(TournamentCommand, frozen=True, tag="add-to-pool"):
    """The operator adds money to the prize pool, or goods or services."""

    amount: Money = ZERO
    goods: str = ""


class DesignateTables(TournamentCommand, frozen=True, tag="designate-tables"):
    """Name the tables; they serve nothing else until the tournament is over."""

    tables: tuple[str, ...]


class CloseEntries(TournamentCommand, frozen=True, tag="close-entries"):
    """No more entries; the draw of seats is committed to."""


class CancelTournament(TournamentCommand, frozen=True, tag="cancel"):
    """Call the tournament off; all entry fees go back."""

    reason: str


class BriefPlayers(TournamentCommand, frozen=True, tag="brief"):
    """Put on record that the players were told the terms and have understood."""

    understood: bool = True


class ShowPlay(TournamentCommand, frozen=True, tag="practise"):
    """Show the players how the game is played, by a demonstration or by hands that stake nothing."""

    hands: int = 0
    """Practice hands; 0: a demonstration."""


class MoveStart(TournamentCommand, frozen=True, tag="move-start"):
    """Have a stage begin at another time."""

    stage: str
    to: int
    reason: str


# ---------------------------------------------------------------------- sessions


class DrawSeats(TournamentCommand, frozen=True, tag="draw-seats"):
    """Reveal the draw that was committed to: who sits where in the next stage."""


class StartSession(TournamentCommand, frozen=True, tag="start-session"):
    """Begin the next heat: buy-ins are paid, everybody gets the same chips."""


class LoadCards(TournamentCommand, frozen=True, tag="load-cards"):
    """Cards in a known order come into play at a table, as records have them."""

    table: str
    cards: tuple[Card, ...]


class SetWagerTime(TournamentCommand, frozen=True, tag="limit-time"):
    """Limit the time for each wager, from a moment that players were told of before."""

    seconds: int
    start: int


class ChangeTournamentLimits(TournamentCommand, frozen=True, tag="change-limits"):
    """Change minimum and maximum, as the terms have announced."""

    minimum: Money
    maximum: Money


class CountStacks(TournamentCommand, frozen=True, tag="count-stacks"):
    """A session is over: the chips before each player are counted and recorded, and go back."""

    table: str
    counts: dict[str, Money] = {}
    """What was counted, where it is not what the record says."""


class CountChips(TournamentCommand, frozen=True, tag="count-chips"):
    """The manager has the chips of all players at a table counted."""

    table: str
    counts: dict[str, Money] = {}


class ReportMissing(TournamentCommand, frozen=True, tag="report-missing"):
    """Tell the manager that tournament chips have not come back: how many of which value."""

    table: str
    pieces: dict[str, int]
    """Value of a chip to how many."""


class AnnounceResults(TournamentCommand, frozen=True, tag="announce"):
    """Determine and announce who goes on, or who has won."""


class AgreeToEnd(TournamentCommand, frozen=True, tag="agree-to-end"):
    """A player agrees that the session ends early and chips are turned into cash."""

    player: str = ""


class EndEarly(TournamentCommand, frozen=True, tag="end-early"):
    """End the session at a table before its time."""

    table: str


class BuyBackIn(TournamentCommand, frozen=True, tag="buy-back"):
    """Buy back into the tournament."""

    player: str = ""


class PayPrizes(TournamentCommand, frozen=True, tag="pay-prizes"):
    """Pay what the places have won."""


# ---------------------------------------------------------------------- rounds


class StakeChips(TournamentCommand, frozen=True, tag="wager"):
    """Put a wager on one's own place."""

    amount: Money
    sides: dict[str, Money] = {}
    """Side wagers by name."""
    player: str = ""
    seat: int = 0
    """The place, if it is said: it must be the player's own."""
    medium: str = "tournament-chips"


class TakeBackWager(TournamentCommand, frozen=True, tag="take-back"):
    """Take a wager off the layout before the deal."""

    player: str = ""


class PlayPassCard(TournamentCommand, frozen=True, tag="pass-card"):
    """Lay down a pass card in place of a wager."""

    player: str = ""


class SitOut(TournamentCommand, frozen=True, tag="sit-out"):
    """Make no wager in this round, where the terms ask for none."""

    player: str = ""


class WriteForm(TournamentCommand, frozen=True, tag="write-form"):
    """Hand the supervisor an undisclosed wager in writing."""

    wager: str = ""
    amount: Money | None = None
    player: str = ""


class CheckForm(TournamentCommand, frozen=True, tag="check-form"):
    """The supervisor has examined a form: an indicator is placed, or the form goes back to be written again."""

    player: str
    good: bool = True


class InspectForm(TournamentCommand, frozen=True, tag="inspect-form"):
    """Ask to see the form of another player, before the next round's first card."""

    of: str
    player: str = ""


class CallTime(TournamentCommand, frozen=True, tag="call-time"):
    """Somebody's time to wager is over: they have the minimum."""

    table: str


class DealTable(TournamentCommand, frozen=True, tag="deal"):
    """No more wagers: they are counted, and the round is dealt."""

    table: str


class ActAtTable(TournamentCommand, frozen=True, tag="act"):
    """Call a decision on one's own hand."""

    move: Literal["hit", "stand", "double", "split", "surrender", "insure", "even-money", "refuse-card", "retract"]
    """After a mishap a card dealt in error can be refused, and a wager taken back where the book says so."""
    amount: Money | None = None
    """Of an insurance, or a double for less."""
    player: str = ""


class CarryOn(TournamentCommand, frozen=True, tag="proceed"):
    """The dealer goes on: what is open passes, and the hand of somebody whose time is over is played by the book."""

    table: str


class BeginNextRound(TournamentCommand, frozen=True, tag="next-round"):
    """The cards go away, the marker moves on, and who cannot wager the minimum is out."""

    table: str


class GiveTableOrder(TournamentCommand, frozen=True, tag="table-order"):
    """Give an order of the game's own rules at a table, such as a void round."""

    table: str
    order: dict[str, Any]
    """The order as any table takes it: `{ type = "void", reason = "..." }`."""


# ---------------------------------------------------------------------- people


class MarkAbsent(TournamentCommand, frozen=True, tag="mark-absent"):
    """Somebody is not there: the minimum is deducted for each round, for as many as the rules allow."""

    player: str


class MarkPresent(TournamentCommand, frozen=True, tag="mark-present"):
    """Somebody is back."""

    player: str


class DisqualifyPlayer(TournamentCommand, frozen=True, tag="disqualify"):
    """Put somebody out of the tournament."""

    player: str
    ground: Literal["breach", "no-wager", "stack", "hidden-chips", "absence"]
    reason: str
    refund: bool = False


class RaiseDispute(TournamentCommand, frozen=True, tag="dispute"):
    """Dispute something: play waits until the manager has decided."""

    matter: str
    player: str = ""


class DecideTournamentDispute(TournamentCommand, frozen=True, tag="rule"):
    """Decide a dispute for good."""

    ruling: str
    upheld: bool


TOURNAMENT_COMMANDS: tuple[type[TournamentCommand], ...] = (
    LodgeTournament, NameManager, NameDeputy, PublishTerms, TellInspectorate, OpenEntries, TakeEntry, RefuseEntry,
    ApproveStaff, WithdrawEntry, NameSubstitute, GrantEntry, AddToPool, DesignateTables, CloseEntries,
    CancelTournament, BriefPlayers, ShowPlay, MoveStart, DrawSeats, StartSession, LoadCards, SetWagerTime,
    ChangeTournamentLimits, CountStacks, CountChips, ReportMissing, AnnounceResults, AgreeToEnd, EndEarly, BuyBackIn,
    PayPrizes, StakeChips, TakeBackWager, PlayPassCard, SitOut, WriteForm, CheckForm, InspectForm, CallTime, DealTable,
    ActAtTable, CarryOn, BeginNextRound, GiveTableOrder, MarkAbsent, MarkPresent, DisqualifyPlayer, RaiseDispute,
    DecideTournamentDispute,
)  # fmt: skip
