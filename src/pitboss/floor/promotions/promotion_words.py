"""What happens to a promotion, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pitboss.floor.moments import tell_time
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.promotion_state import PromotionState, find_prize
from pitboss.money import Money, show
from pitboss.records.narrate.table_events import Said


def tell_promotion(state: PromotionState, event: pm.PromotionEvent) -> Iterator[Said]:
    """An event of a promotion; the state is the one before it."""
    yield Said(TELLERS[type(event)](state, event) + _tell_reason(event), event.clauses)


def _tell_reason(event: pm.PromotionEvent) -> str:
    reason = str(getattr(event, "reason", "")).rstrip(".")
    return f": {reason}" if reason else ""


def _tell_lodged(state: PromotionState, event: pm.PromotionLodged) -> str:
    terms = event.terms
    prizes = ", ".join(f"{prize.name} ({show(prize.value)})" for prize in terms.list_prizes())
    return (
        f"The terms of {terms.name} are lodged with the Authority: entries from {tell_time(terms.opens)} to "
        f"{tell_time(terms.closes)}, draw {tell_time(terms.draws)}; prizes: {prizes}"
    )


def _tell_committed(state: PromotionState, event: pm.PrizeDrawCommitted) -> str:
    return f"The chance of the draw is committed to: {event.commitment}"


def _tell_asked(state: PromotionState, event: pm.AmendmentAsked) -> str:
    return "The Authority is asked to approve other terms"


def _tell_ruled(state: PromotionState, event: pm.AmendmentRuled) -> str:
    if event.approved:
        return "The Authority approves: the other terms hold from now on"
    return "The Authority does not approve: the terms stay as they are"


def _tell_given(state: PromotionState, event: pm.TermsGiven) -> str:
    return f"{event.player} has the terms"


def _tell_wager(state: PromotionState, event: pm.WagerNoted) -> str:
    return f"{event.player} has wagered {show(event.amount)} at {event.table}, which is good for an entry"


def _tell_entry(state: PromotionState, event: pm.PromotionEntered) -> str:
    return f"{event.player} enters: entry {event.number}"


def _tell_presence(state: PromotionState, event: pm.PresenceNoted) -> str:
    return f"{event.player} is at the draw"


def _tell_overseen(state: PromotionState, event: pm.DrawOverseen) -> str:
    return f"{event.by.name} oversees the draw"


def _tell_held(state: PromotionState, event: pm.DrawHeld) -> str:
    return f"The draw is held among {event.entries} entries (digest {event.digest[:12]}); its seed is {event.seed}"


def _tell_drawn(state: PromotionState, event: pm.PrizeDrawn) -> str:
    how = "goes to the next entry in reserve" if event.reserve else "is drawn"
    by = f", to be notified by {tell_time(event.notify_by_ms)}" if event.notify_by_ms else ""
    return f"Prize {event.prize}, {find_prize(state, event.prize).name}, {how}: entry {event.entry}, {event.player}{by}"


def _tell_notified(state: PromotionState, event: pm.WinnerNotified) -> str:
    late = ", later than it should be" if event.late else ""
    return f"{event.player} is notified of prize {event.prize}: {event.way}{late}"


def _tell_missed(state: PromotionState, event: pm.NotificationMissed) -> str:
    return f"{event.player} was not notified of prize {event.prize} in time"


def _tell_published(state: PromotionState, event: pm.ResultsPublished) -> str:
    return f"The results are published: {event.where}"


def _tell_payment(payment: Mapping[str, Money]) -> str:
    return " and ".join(f"{show(amount)} by {way.replace('-', ' ')}" for way, amount in payment.items())


def _tell_claimed(state: PromotionState, event: pm.PrizeClaimed) -> str:
    wants = " the cash alternative," if event.alternative else ""
    paid = f",{wants} {_tell_payment(event.payment)}" if event.payment else ""
    return f"{event.player} claims prize {event.prize}{paid} (claim {event.number})"


def _tell_awarded(state: PromotionState, event: pm.PrizeAwarded) -> str:
    if event.payment:
        return f"{event.player} is paid {_tell_payment(event.payment)} for prize {event.prize}"
    return f"{event.player} receives {find_prize(state, event.prize).name}, prize {event.prize}"


def _tell_denied(state: PromotionState, event: pm.ClaimDenied) -> str:
    kept = "; name, address and reason are kept" if event.kept else ""
    return f"Claim {event.claim} of {event.player} to prize {event.prize} is refused{kept}"


def _tell_why(state: PromotionState, event: pm.ReasonTold) -> str:
    return f"{event.player} is told why claim {event.claim} was refused"


def _tell_disputed(state: PromotionState, event: pm.PromotionDisputed) -> str:
    return f"{event.player} disputes: {event.matter} (dispute {event.number})"


def _tell_decided(state: PromotionState, event: pm.PromotionDisputeDecided) -> str:
    side = "for" if event.upheld else "against"
    return f"Dispute {event.number} is decided {side} {event.player}, finally"


def _tell_right(state: PromotionState, event: pm.ComplaintRightTold) -> str:
    return f"{event.player} is not satisfied, and is told that a complaint can be lodged with an {event.body}"


def _tell_stopped(state: PromotionState, event: pm.PromotionStopped) -> str:
    told = f"; the {', the '.join(event.tell)} is told at once" if event.tell else ""
    return f"The promotion is {event.how}{told}"


def _tell_read(state: PromotionState, event: pm.StopAcknowledged) -> str:
    return f"{event.by.name} ({event.by.role}) has read notice {event.notice}"


def _tell_validated(state: PromotionState, event: pm.DrawValidated) -> str:
    return f"The integrity is validated: the promotion goes on, the draw is at {tell_time(event.draws)}"


def _tell_ended(state: PromotionState, event: pm.PromotionEnded) -> str:
    return "The promotion is over: what was not won or claimed goes back"


TELLERS: Mapping[type[pm.PromotionEvent], Callable[[PromotionState, Any], str]] = {
    pm.PromotionLodged: _tell_lodged,
    pm.PrizeDrawCommitted: _tell_committed,
    pm.AmendmentAsked: _tell_asked,
    pm.AmendmentRuled: _tell_ruled,
    pm.TermsGiven: _tell_given,
    pm.WagerNoted: _tell_wager,
    pm.PromotionEntered: _tell_entry,
    pm.PresenceNoted: _tell_presence,
    pm.DrawOverseen: _tell_overseen,
    pm.PrizeDrawn: _tell_drawn,
    pm.DrawHeld: _tell_held,
    pm.WinnerNotified: _tell_notified,
    pm.NotificationMissed: _tell_missed,
    pm.ResultsPublished: _tell_published,
    pm.PrizeClaimed: _tell_claimed,
    pm.PrizeAwarded: _tell_awarded,
    pm.ClaimDenied: _tell_denied,
    pm.ReasonTold: _tell_why,
    pm.PromotionDisputed: _tell_disputed,
    pm.PromotionDisputeDecided: _tell_decided,
    pm.ComplaintRightTold: _tell_right,
    pm.PromotionStopped: _tell_stopped,
    pm.StopAcknowledged: _tell_read,
    pm.DrawValidated: _tell_validated,
    pm.PromotionEnded: _tell_ended,
}
