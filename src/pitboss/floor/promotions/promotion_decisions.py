"""What a promotion answers: terms and entries here; the draw and claims in modules of their own."""

from __future__ import annotations

from typing import Any

from pitboss.floor.decided import Decided
from pitboss.floor.ledger import Transfer
from pitboss.floor.moments import tell_time
from pitboss.floor.promotions import claim_decisions as claims
from pitboss.floor.promotions import draw_decisions as draws
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.promotion_asking import PromotionAsking
from pitboss.floor.promotions.promotion_state import PromotionPhase, PromotionState, fold_promotion, post_promotion
from pitboss.floor.promotions.promotion_terms import PromotionTerms, check_lodging, check_promotion_terms
from pitboss.floor.records.kind import FloorNow
from pitboss.floor.terms.checklist import check_amounts, check_line
from pitboss.floor.terms.terms_document import digest_terms
from pitboss.money import show
from pitboss.table import Refusal
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker
from pitboss.table.shoe.shuffle import commitment, seed_and_salt

PromotionDecided = Decided[pm.PromotionEvent, PromotionState]


def decide_promotion(
    state: PromotionState, command: pm.PromotionCommand, by: Asker, now: FloorNow
) -> PromotionDecided | Refusal:
    """What follows from what is asked, or why not."""
    asking = PromotionAsking(state=state, by=by, at_ms=now.at_ms, house=now.house, entropy=now.entropy)
    try:
        events = _answer(asking, command)
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    moved: list[Transfer] = []
    for event in events:
        moved += post_promotion(state, event)
        state = fold_promotion(state, event, now.at_ms)
    return Decided(events, state, tuple(moved))


def _answer(asking: PromotionAsking, command: pm.PromotionCommand) -> tuple[pm.PromotionEvent, ...]:
    match command:
        case pm.LodgePromotion():
            return _lodge(asking, command.terms)
        case pm.AmendTerms():
            return _amend(asking, command)
        case pm.RuleOnAmendment():
            return _rule_on_amendment(asking, command)
        case pm.GiveTerms():
            return _give_terms(asking, command)
        case pm.NoteWager():
            return _note_wager(asking, command)
        case pm.EnterPromotion():
            return _enter(asking, command)
    return _answer_later(asking, command)


def _answer_later(asking: PromotionAsking, command: Any) -> tuple[pm.PromotionEvent, ...]:
    for kinds in (draws.ANSWERS, claims.ANSWERS):
        if type(command) in kinds:
            return kinds[type(command)](asking, command)
    raise AssertionError(f"{type(command).__name__} has no answer")


# ---------------------------------------------------------------------- terms


def _lodge(asking: PromotionAsking, terms: PromotionTerms) -> tuple[pm.PromotionEvent, ...]:
    state, law = asking.state, asking.law
    offered = asking.authorise("offer-promotion")
    _check_own(state, terms)
    if state.phase not in (PromotionPhase.NEW, PromotionPhase.LODGED):
        raise Refused(f"the promotion is {state.phase}: its terms stay as they are", law.lodging_clauses)
    if state.terms is not None and asking.at_ms >= state.terms.opens:
        amending = law.rules.authority["amend-promotion"].clauses
        raise Refused("the promotion has started: its terms change only if the Authority approves", amending)
    met = check_promotion_terms(terms)
    in_time = check_lodging(terms, asking.at_ms)
    lodged = pm.PromotionLodged(
        terms=terms, digest=digest_terms(terms), by=asking.by, clauses=tuple(dict.fromkeys((*offered, *in_time, *met)))
    )
    if state.commitment:
        return (lodged,)
    seed, salt = seed_and_salt(asking.entropy)
    committed = pm.PrizeDrawCommitted(commitment=commitment(seed, salt), secret=seed + salt, clauses=law.cite("manner"))
    return lodged, committed


def _check_own(state: PromotionState, terms: PromotionTerms) -> None:
    if terms.book != state.book:
        raise Refused(f"these terms are by the book {terms.book}, and this promotion by {state.book}")
    check_line(terms.name, "the name of a promotion")


def _amend(asking: PromotionAsking, command: pm.AmendTerms) -> tuple[pm.PromotionEvent, ...]:
    state = asking.state
    clauses = asking.authorise("amend-promotion")
    check_line(command.reason, "a reason")
    held = asking.terms
    if state.phase not in (PromotionPhase.LODGED, PromotionPhase.POSTPONED):
        raise Refused(f"the promotion is {state.phase}: its terms stay as they are", clauses)
    if state.pending is not None:
        raise Refused("the Authority has not ruled on the last amendment", clauses)
    _check_own(state, command.terms)
    if command.terms.opens != held.opens and asking.at_ms >= held.opens:
        raise Refused(f"the promotion started at {tell_time(held.opens)}: that cannot be amended", clauses)
    check_promotion_terms(command.terms)
    if command.terms.opens != held.opens:
        check_lodging(command.terms, asking.at_ms)
    return (pm.AmendmentAsked(terms=command.terms, reason=command.reason, by=asking.by, clauses=clauses),)


def _rule_on_amendment(asking: PromotionAsking, command: pm.RuleOnAmendment) -> tuple[pm.PromotionEvent, ...]:
    state, law = asking.state, asking.law
    power = law.rules.authority["amend-promotion"]
    if asking.by.role not in power.notify_before:
        approver = " or ".join(power.notify_before)
        raise Refused(f"the {approver} approves an amendment, not a {asking.by.role}", power.clauses)
    asking.check_staff()
    if state.pending is None:
        raise Refused("there is no amendment to rule on", power.clauses)
    if command.reason:
        check_line(command.reason, "a reason")
    ruled = pm.AmendmentRuled(
        approved=command.approved, digest=digest_terms(state.pending), reason=command.reason, by=asking.by,
        clauses=power.clauses,
    )  # fmt: skip
    return (ruled,)


def _give_terms(asking: PromotionAsking, command: pm.GiveTerms) -> tuple[pm.PromotionEvent, ...]:
    clauses = asking.law.publication_clauses
    asking.check_lodged()
    player = command.player or asking.by.name
    if asking.by.role != PLAYER:
        asking.check_staff()
    if player not in asking.house.people:
        raise Refused(f"there is nobody called {player[:40]} here", clauses)
    return (pm.TermsGiven(player=player, clauses=clauses),)


# ---------------------------------------------------------------------- entries


def check_open(asking: PromotionAsking) -> None:
    """Refuse what may be done only while entries are taken."""
    terms, law = asking.terms, asking.law
    asking.check_running()
    if asking.at_ms < terms.opens:
        raise Refused(f"the promotion begins at {tell_time(terms.opens)}", law.cite("place-and-time"))
    if asking.at_ms >= terms.closes:
        raise Refused(f"entries closed at {tell_time(terms.closes)}", law.cite("closing"))


def _note_wager(asking: PromotionAsking, command: pm.NoteWager) -> tuple[pm.PromotionEvent, ...]:
    terms, clauses = asking.terms, asking.law.cite("minimum-wager")
    check_open(asking)
    if asking.by.role == PLAYER:
        raise Refused("a wager is noted by the house", clauses)
    player = asking.find_player(command.player, clauses)
    if not terms.minimum_wager:
        raise Refused("entries to this promotion need no wager", clauses)
    check_amounts(command.amount)
    if command.amount < terms.minimum_wager:
        raise Refused(
            f"an entry needs a wager of at least {show(terms.minimum_wager)}, not {show(command.amount)}", clauses
        )
    return (pm.WagerNoted(player=player, amount=command.amount, table=command.table, clauses=clauses),)


def _enter(asking: PromotionAsking, command: pm.EnterPromotion) -> tuple[pm.PromotionEvent, ...]:
    state, law, terms = asking.state, asking.law, asking.terms
    check_open(asking)
    eligible = law.cite("eligibility")
    player = asking.find_player(command.player, eligible)
    held = state.count_entries(player)
    if terms.entries_each and held >= terms.entries_each:
        raise Refused(f"{player} has {held} entries, and the terms allow no more than {terms.entries_each}", eligible)
    if terms.minimum_wager and state.wagers.get(player, 0) <= held:
        raise Refused(
            f"{player} has {held} entries, and no further wager of {show(terms.minimum_wager)} or more",
            law.cite("minimum-wager"),
        )
    clauses = (*eligible, *law.cite("closing"), *(law.cite("minimum-wager") if terms.minimum_wager else ()))
    return (pm.PromotionEntered(number=len(state.entries) + 1, player=player, clauses=clauses),)


def ask_for_wagers(state: PromotionState, staked: list[tuple[str, Any]], table: str) -> list[tuple[Any, Asker]]:
    """Wagers at a table that are good for an entry, as commands: player and amount of each main wager of a round."""
    terms = state.terms
    if terms is None or not terms.minimum_wager:
        return []
    return [
        (pm.NoteWager(player=player, amount=amount, table=table), SYSTEM)
        for player, amount in staked
        if amount >= terms.minimum_wager
    ]
