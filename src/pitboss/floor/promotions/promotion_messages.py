"""What can be asked of a promotion, and what happens there."""

from __future__ import annotations

from typing import Literal

import msgspec

from pitboss.floor.promotions.promotion_terms import PromotionTerms
from pitboss.money import Money
from pitboss.table.messages.askers import Asker


class PromotionCommand(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of the commands for a promotion."""


class LodgePromotion(PromotionCommand, frozen=True, tag="lodge"):
    """The operator lodges the terms with the Authority; the chance of the draw is committed to. Again: other terms."""

    terms: PromotionTerms


class AmendTerms(PromotionCommand, frozen=True, tag="amend"):
    """The operator asks the Authority to approve other terms."""

    terms: PromotionTerms
    reason: str


class RuleOnAmendment(PromotionCommand, frozen=True, tag="rule-on-amendment"):
    """The Authority approves the terms that it was asked about, or does not."""

    approved: bool
    reason: str = ""


class GiveTerms(PromotionCommand, frozen=True, tag="give-terms"):
    """Somebody of the house hands a patron the terms, or a patron takes them."""

    player: str = ""


class NoteWager(PromotionCommand, frozen=True, tag="note-wager"):
    """A player has made a main wager that is good for an entry."""

    player: str
    amount: Money
    table: str


class EnterPromotion(PromotionCommand, frozen=True, tag="enter"):
    """A player enters; or somebody of the house takes a player's entry."""

    player: str = ""


class RecordPresence(PromotionCommand, frozen=True, tag="arrive"):
    """An entrant is at the draw."""

    player: str = ""


class OverseeDraw(PromotionCommand, frozen=True, tag="oversee"):
    """The scrutineer is there and oversees the draw."""


class HoldDraw(PromotionCommand, frozen=True, tag="draw"):
    """The winners are drawn."""


class NotifyWinner(PromotionCommand, frozen=True, tag="notify"):
    """The operator has notified the winner of a prize."""

    prize: int
    way: str


class PublishResults(PromotionCommand, frozen=True, tag="publish-results"):
    """The results are published as the terms say."""

    where: str


class ClaimPrize(PromotionCommand, frozen=True, tag="claim"):
    """Somebody claims a prize: how it is to be paid, or the cash alternative."""

    prize: int
    player: str = ""
    address: str = ""
    alternative: bool = False
    payment: dict[str, Money] = {}
    """For a cash prize: how much in each way; all in cash, if empty."""


class AwardPrize(PromotionCommand, frozen=True, tag="award"):
    """The operator meets a claim: the prize is handed over or paid."""

    claim: int


class DenyClaim(PromotionCommand, frozen=True, tag="refuse-claim"):
    """The operator does not meet a claim, and says why."""

    claim: int
    reason: str
    address: str = ""
    """Of the claimant, where the claim did not say it."""


class TellReason(PromotionCommand, frozen=True, tag="tell-reason"):
    """The claimant is told why the claim was refused."""

    claim: int


class DisputePromotion(PromotionCommand, frozen=True, tag="dispute"):
    """A player disputes something about the terms of the promotion."""

    matter: str
    player: str = ""


class DecidePromotionDispute(PromotionCommand, frozen=True, tag="decide-dispute"):
    """The operator decides a dispute, finally."""

    number: int
    upheld: bool
    reason: str


class ContestDecision(PromotionCommand, frozen=True, tag="contest"):
    """A player is not satisfied with a decision, and is told where to complain."""

    number: int


class PostponeDraw(PromotionCommand, frozen=True, tag="postpone"):
    """The operator stops promotion and draw until their integrity is validated."""

    reason: str


class ValidateDraw(PromotionCommand, frozen=True, tag="validate"):
    """The integrity is validated: the promotion goes on."""

    reason: str
    draws: int = 0
    """When the draw is held now; zero: as the terms say."""


class CancelDraw(PromotionCommand, frozen=True, tag="cancel"):
    """The operator cancels the draw: there are no winners."""

    reason: str


class AcknowledgeStop(PromotionCommand, frozen=True, tag="acknowledge"):
    """The inspector has read that the draw was postponed or cancelled."""

    number: int


class EndPromotion(PromotionCommand, frozen=True, tag="end"):
    """Everything is done: what was not won or not claimed goes back."""


class KeepPromotionTime(PromotionCommand, frozen=True, tag="keep-time"):
    """A clock of the promotion has run out."""


PROMOTION_COMMANDS = (
    LodgePromotion, AmendTerms, RuleOnAmendment, GiveTerms, NoteWager, EnterPromotion, RecordPresence, OverseeDraw,
    HoldDraw, NotifyWinner, PublishResults, ClaimPrize, AwardPrize, DenyClaim, TellReason, DisputePromotion,
    DecidePromotionDispute, ContestDecision, PostponeDraw, ValidateDraw, CancelDraw, AcknowledgeStop, EndPromotion,
    KeepPromotionTime,
)  # fmt: skip


# ---------------------------------------------------------------------- what happens


class PromotionEvent(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """Base of what happens to a promotion."""

    clauses: tuple[str, ...] = ()


class PromotionLodged(PromotionEvent, frozen=True, tag="terms-lodged"):
    terms: PromotionTerms
    digest: str
    by: Asker


class PrizeDrawCommitted(PromotionEvent, frozen=True, tag="draw-committed"):
    """The chance of the draw is fixed, and its hash is public from now on."""

    commitment: str
    secret: bytes
    """Seed and salt, 32 bytes each: shown to nobody before the draw."""


class AmendmentAsked(PromotionEvent, frozen=True, tag="amendment-asked"):
    terms: PromotionTerms
    reason: str
    by: Asker


class AmendmentRuled(PromotionEvent, frozen=True, tag="amendment-ruled"):
    """The Authority has decided; approved terms hold from now on."""

    approved: bool
    digest: str
    reason: str
    by: Asker


class TermsGiven(PromotionEvent, frozen=True, tag="terms-given"):
    player: str


class WagerNoted(PromotionEvent, frozen=True, tag="wager-noted"):
    player: str
    amount: Money
    table: str


class PromotionEntered(PromotionEvent, frozen=True, tag="entry-taken"):
    number: int
    player: str


class PresenceNoted(PromotionEvent, frozen=True, tag="presence-noted"):
    player: str


class DrawOverseen(PromotionEvent, frozen=True, tag="draw-overseen"):
    by: Asker


class PrizeDrawn(PromotionEvent, frozen=True, tag="prize-drawn"):
    """An entry has won a prize."""

    prize: int
    entry: int
    player: str
    notify_by_ms: int
    """Until when the winner must be notified; zero where winners are there."""
    reserve: bool = False
    """It goes to a reserve, because somebody else's claim was refused."""


class DrawHeld(PromotionEvent, frozen=True, tag="draw-held"):
    """The draw is done: what it came from is public, so that anybody can draw again."""

    seed: str
    salt: str
    entries: int
    digest: str
    """Of the entries that took part."""
    reserves: tuple[int, ...] = ()
    """Entries to whom prizes go that are not won after all, in this order."""


class WinnerNotified(PromotionEvent, frozen=True, tag="winner-notified"):
    prize: int
    player: str
    way: str
    late: bool = False


class NotificationMissed(PromotionEvent, frozen=True, tag="notification-missed"):
    """The time for notifying a winner is over."""

    prize: int
    player: str


class ResultsPublished(PromotionEvent, frozen=True, tag="results-published"):
    where: str


class PrizeClaimed(PromotionEvent, frozen=True, tag="prize-claimed"):
    number: int
    prize: int
    player: str
    address: str
    alternative: bool
    payment: dict[str, Money]


class PrizeAwarded(PromotionEvent, frozen=True, tag="prize-awarded"):
    """A prize is handed over, or paid in these ways."""

    claim: int
    prize: int
    player: str
    payment: dict[str, Money] = {}


class ClaimDenied(PromotionEvent, frozen=True, tag="claim-denied"):
    claim: int
    prize: int
    player: str
    address: str
    value: Money
    reason: str
    kept: bool
    """Name, address and reason stay on record by the book."""


class ReasonTold(PromotionEvent, frozen=True, tag="reason-told"):
    claim: int
    player: str


class PromotionDisputed(PromotionEvent, frozen=True, tag="promotion-disputed"):
    number: int
    player: str
    matter: str


class PromotionDisputeDecided(PromotionEvent, frozen=True, tag="promotion-dispute-decided"):
    number: int
    player: str
    upheld: bool
    reason: str
    by: Asker


class ComplaintRightTold(PromotionEvent, frozen=True, tag="complaint-right-told"):
    """A player who is not satisfied is told where to complain."""

    number: int
    player: str
    body: str


class PromotionStopped(PromotionEvent, frozen=True, tag="promotion-stopped"):
    """Postponed until validated, or cancelled; a body is told at once."""

    how: Literal["postponed", "cancelled"]
    reason: str
    notice: int
    tell: tuple[str, ...]
    by: Asker


class StopAcknowledged(PromotionEvent, frozen=True, tag="stop-acknowledged"):
    notice: int
    by: Asker


class DrawValidated(PromotionEvent, frozen=True, tag="draw-validated"):
    reason: str
    draws: int


class PromotionEnded(PromotionEvent, frozen=True, tag="promotion-ended"):
    """What was not won or claimed has gone back."""


PROMOTION_EVENTS = (
    PromotionLodged, PrizeDrawCommitted, AmendmentAsked, AmendmentRuled, TermsGiven, WagerNoted, PromotionEntered,
    PresenceNoted, DrawOverseen, PrizeDrawn, DrawHeld, WinnerNotified, NotificationMissed, ResultsPublished,
    PrizeClaimed, PrizeAwarded, ClaimDenied, ReasonTold, PromotionDisputed, PromotionDisputeDecided,
    ComplaintRightTold, PromotionStopped, StopAcknowledged, DrawValidated, PromotionEnded,
)  # fmt: skip
