"""Claims to prizes, how they are met or refused, and disputes over a promotion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.floor.moments import DAY_MS, tell_time
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.draw_decisions import find_won, give_prize
from pitboss.floor.promotions.promotion_asking import PromotionAsking
from pitboss.floor.promotions.promotion_law import CASH
from pitboss.floor.promotions.promotion_state import (
    AwardStatus,
    ClaimStatus,
    PrizeClaim,
    PromotionDispute,
    PromotionPhase,
    find_prize,
)
from pitboss.floor.promotions.promotion_terms import PromotionPrize
from pitboss.floor.terms.checklist import check_amounts, check_line
from pitboss.money import ZERO, Money, show
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER

Events = tuple[pm.PromotionEvent, ...]


# ---------------------------------------------------------------------- claims


def _claim(asking: PromotionAsking, command: pm.ClaimPrize) -> Events:
    state, law = asking.state, asking.law
    clauses = law.cite("claiming")
    asking.check_running()
    find_won(asking, command.prize)
    player = command.player or asking.by.name
    if asking.by.role == PLAYER:
        if player != asking.by.name:
            raise Refused("a player asks for nobody else", clauses)
    else:
        asking.check_staff()
    if player not in asking.house.people:
        raise Refused(f"there is nobody called {player[:40]} here", clauses)
    if any(
        (item.prize, item.player, item.status) == (command.prize, player, ClaimStatus.OPEN) for item in state.claims
    ):
        raise Refused(f"{player} has claimed prize {command.prize}, and it is not decided", clauses)
    days = asking.terms.claim_days
    if days and asking.at_ms > state.drawn_ms + days * DAY_MS:
        raise Refused(f"prizes could be claimed until {tell_time(state.drawn_ms + days * DAY_MS)}", clauses)
    if command.address:
        check_line(command.address, "an address")
    prize = find_prize(state, command.prize)
    payment = _choose_payment(asking, prize, command)
    return (
        pm.PrizeClaimed(
            number=len(state.claims) + 1, prize=command.prize, player=player, address=command.address,
            alternative=command.alternative, payment=payment, clauses=clauses,
        ),
    )  # fmt: skip


def _choose_payment(asking: PromotionAsking, prize: PromotionPrize, command: pm.ClaimPrize) -> dict[str, Money]:
    """How a prize is to be paid; nothing for one that is not money."""
    law = asking.law
    if command.alternative and not prize.cash_alternative:
        raise Refused(f"the terms state no cash alternative to {prize.name}", law.alternative_clauses)
    if not prize.is_cash and not command.alternative:
        if command.payment:
            raise Refused(f"{prize.name} is not paid in money", law.choice_clauses)
        return {}
    due = prize.cash_alternative if command.alternative else prize.value
    chosen = command.payment or {CASH: due}
    check_amounts(*chosen.values())
    for way, amount in chosen.items():
        if way not in law.choice_ways:
            known = ", ".join(law.choice_ways)
            raise Refused(f"a prize is paid by {known}, not by {way[:40]}", law.choice_clauses)
        if amount <= 0:
            raise Refused(f"each part of a payment is above zero, not {show(amount)}", law.choice_clauses)
    if sum(chosen.values(), ZERO) != due:
        total = show(sum(chosen.values(), ZERO))
        raise Refused(f"the parts of a payment come to {show(due)}, not to {total}", law.choice_clauses)
    if set(chosen) != {CASH} and due <= law.choice_above:
        raise Refused(
            f"the winner of a cash prize above {show(law.choice_above)} chooses how it is paid; {show(due)} is paid "
            "in cash",
            law.choice_clauses,
        )
    return chosen


def _find_claim(asking: PromotionAsking, number: int) -> PrizeClaim:
    found = next((item for item in asking.state.claims if item.number == number), None)
    if found is None:
        raise Refused(f"there is no claim {number}")
    return found


def _find_open_claim(asking: PromotionAsking, number: int, clauses: tuple[str, ...]) -> PrizeClaim:
    asking.check_running()
    claim = _find_claim(asking, number)
    if claim.status is not ClaimStatus.OPEN:
        raise Refused(f"claim {number} is {claim.status}", clauses)
    return claim


def _award(asking: PromotionAsking, command: pm.AwardPrize) -> Events:
    law = asking.law
    asking.authorise("offer-promotion")
    claim = _find_open_claim(asking, command.claim, law.cite("award"))
    won = find_won(asking, claim.prize)
    if won.status is AwardStatus.AWARDED:
        raise Refused(f"prize {claim.prize} has been awarded to {won.player}", law.cite("award"))
    if won.player != claim.player:
        raise Refused(f"{claim.player} has not won prize {claim.prize}", law.cite("award"))
    prize = find_prize(asking.state, claim.prize)
    clauses = (*law.cite("award"), *law.cite("prizes"))
    if prize.is_cash and prize.value > law.choice_above:
        clauses = (*law.choice_clauses, *clauses)
    if claim.alternative:
        clauses = (*law.alternative_clauses, *clauses)
    return (
        pm.PrizeAwarded(
            claim=claim.number, prize=claim.prize, player=claim.player, payment=claim.payment, clauses=clauses
        ),
    )  # fmt: skip


def _deny(asking: PromotionAsking, command: pm.DenyClaim) -> Events:
    """A claim is refused: above the book's amount name, address and reason are kept. A prize that its winner does not
    get goes to the next reserve."""
    law, state = asking.law, asking.state
    clauses = asking.authorise("refuse-prize", command.reason)
    check_line(command.reason, "a reason")
    claim = _find_open_claim(asking, command.claim, clauses)
    won, prize = find_won(asking, claim.prize), find_prize(state, claim.prize)
    address = command.address or claim.address
    kept = prize.value > law.kept_above
    if kept and not address:
        raise Refused(
            f"a refused claim above {show(law.kept_above)} is kept with the claimant's address: say it",
            law.denied_clauses,
        )
    denied = pm.ClaimDenied(
        claim=claim.number, prize=claim.prize, player=claim.player, address=address, value=prize.value,
        reason=command.reason, kept=kept, clauses=clauses,
    )  # fmt: skip
    if won.player != claim.player or won.status is not AwardStatus.WON or not state.reserves:
        return (denied,)
    entry = state.entries[state.reserves[0] - 1]
    return denied, give_prize(asking, claim.prize, entry.number, entry.player, reserve=True)


def _tell_reason(asking: PromotionAsking, command: pm.TellReason) -> Events:
    clauses = asking.law.rules.authority["refuse-prize"].clauses
    asking.authorise("refuse-prize", "told")
    claim = _find_claim(asking, command.claim)
    if claim.status is not ClaimStatus.REFUSED or claim.told:
        raise Refused(f"claim {claim.number} is not one whose claimant is still to be told why", clauses)
    return (pm.ReasonTold(claim=claim.number, player=claim.player, clauses=clauses),)


# ---------------------------------------------------------------------- disputes


def _dispute(asking: PromotionAsking, command: pm.DisputePromotion) -> Events:
    clauses = asking.law.dispute_clauses
    asking.check_lodged()
    player = asking.by.name if asking.by.role == PLAYER else command.player
    if player not in asking.house.people:
        raise Refused(f"there is nobody called {player[:40]} here", clauses)
    if asking.by.role != PLAYER:
        asking.check_staff()
    check_line(command.matter, "what is disputed")
    number = len(asking.state.disputes) + 1
    return (pm.PromotionDisputed(number=number, player=player, matter=command.matter, clauses=clauses),)


def _find_dispute(asking: PromotionAsking, number: int) -> PromotionDispute:
    found = next((item for item in asking.state.disputes if item.number == number), None)
    if found is None:
        raise Refused(f"there is no dispute {number}", asking.law.dispute_clauses)
    return found


def _decide_dispute(asking: PromotionAsking, command: pm.DecidePromotionDispute) -> Events:
    clauses = asking.law.dispute_clauses
    operator = asking.law.rules.authority["offer-promotion"].role
    if asking.by.role != operator:
        raise Refused(f"the {operator.replace('-', ' ')} decides this, not a {asking.by.role}", clauses)
    asking.check_staff()
    check_line(command.reason, "a reason")
    dispute = _find_dispute(asking, command.number)
    if dispute.upheld is not None:
        raise Refused(f"dispute {command.number} is decided, and the decision is final", clauses)
    return (
        pm.PromotionDisputeDecided(
            number=command.number, player=dispute.player, upheld=command.upheld, reason=command.reason, by=asking.by,
            clauses=clauses,
        ),
    )  # fmt: skip


def _contest(asking: PromotionAsking, command: pm.ContestDecision) -> Events:
    clauses = asking.law.dispute_clauses
    dispute = _find_dispute(asking, command.number)
    if asking.by.role == PLAYER and asking.by.name != dispute.player:
        raise Refused(f"dispute {command.number} is {dispute.player}'s", clauses)
    if asking.by.role != PLAYER:
        asking.check_staff()
    if dispute.upheld is None:
        raise Refused("this waits for the decision of the casino operator", clauses)
    if dispute.told_of_right:
        raise Refused(f"{dispute.player} has been told where to complain", clauses)
    body = asking.law.complaints_to
    return (pm.ComplaintRightTold(number=command.number, player=dispute.player, body=body, clauses=clauses),)


# ---------------------------------------------------------------------- the end


def _end(asking: PromotionAsking, command: pm.EndPromotion) -> Events:
    state, law = asking.state, asking.law
    asking.authorise("offer-promotion")
    if state.phase is not PromotionPhase.DRAWN:
        raise Refused(f"the promotion is {state.phase}: it ends after its draw", law.cite("award"))
    if any(claim.status is ClaimStatus.OPEN for claim in state.claims):
        raise Refused("a claim is not decided", law.cite("claiming"))
    days = asking.terms.claim_days
    waiting = [prize for prize in state.won if prize.status is AwardStatus.WON]
    if waiting and not (days and asking.at_ms > state.drawn_ms + days * DAY_MS):
        prize = waiting[0]
        until = f" until {tell_time(state.drawn_ms + days * DAY_MS)}" if days else ""
        raise Refused(f"{prize.player} can still claim prize {prize.number}{until}", law.cite("claiming"))
    return (pm.PromotionEnded(clauses=law.cite("award")),)


ANSWERS: Mapping[type[pm.PromotionCommand], Callable[[PromotionAsking, Any], Events]] = {
    pm.ClaimPrize: _claim,
    pm.AwardPrize: _award,
    pm.DenyClaim: _deny,
    pm.TellReason: _tell_reason,
    pm.DisputePromotion: _dispute,
    pm.DecidePromotionDispute: _decide_dispute,
    pm.ContestDecision: _contest,
    pm.EndPromotion: _end,
}
