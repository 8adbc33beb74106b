"""Promotions as a kind of stream: what floor records and servers need to know of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitboss.floor.moments import tell_time
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.draw_decisions import find_next_deadline
from pitboss.floor.promotions.promotion_decisions import ask_for_wagers, decide_promotion
from pitboss.floor.promotions.promotion_law import PROMOTION
from pitboss.floor.promotions.promotion_state import (
    AwardStatus,
    ClaimStatus,
    DrawnPrize,
    PromotionPhase,
    PromotionState,
    fold_promotion,
    list_due_notifications,
    list_fund,
)
from pitboss.floor.promotions.promotion_terms import list_stated
from pitboss.floor.promotions.promotion_words import tell_promotion
from pitboss.floor.records.kind import FloorNow, Kind, TableDecision, map_tags
from pitboss.table.messages.askers import PLAYER, SYSTEM, Asker
from pitboss.table.state import Phase

ONLOOKERS = ("", PLAYER, "spectator")
"""Whoever does not act for the house."""


def _begin(name: str, book: str) -> PromotionState:
    return PromotionState(name=name, book=book)


def _describe(state: PromotionState) -> Mapping[str, Any]:
    entrants = dict.fromkeys(entry.player for entry in state.entries)
    return {
        "phase": state.phase,
        "entries": len(state.entries),
        "entrants": {player: state.count_entries(player) for player in entrants},
        "wagers": dict(state.wagers),
        "amended": state.amended,
        "amendment": state.pending is not None,
        "committed": bool(state.commitment),
        "revealed": state.revealed,
        "overseen_by": state.overseen_by,
        "winners": {str(prize.number): prize.player for prize in state.won if prize.player},
        "prizes": {str(prize.number): prize.status for prize in state.won},
        "notified": {str(prize.number): prize.notified for prize in state.won if prize.notified},
        "missed": [prize.number for prize in state.won if prize.missed],
        "claims": {str(claim.number): claim.status for claim in state.claims},
        "kept": _list_kept(state),
        "disputes": {
            str(item.number): {None: "open", True: "upheld", False: "dismissed"}[item.upheld] for item in state.disputes
        },
        "notices": {str(item.number): "read" if item.read_by else "not read" for item in state.notices},
        "published": state.published,
        "given": sorted(state.given),
    }


def _list_kept(state: PromotionState) -> list[str]:
    """Refused claims that stay on record: name, address, reason."""
    if state.terms is None:
        return []
    prizes = state.terms.list_prizes()
    return [
        f"{claim.player}, {claim.address}: {claim.reason}"
        for claim in state.claims
        if claim.status is ClaimStatus.REFUSED and prizes[claim.prize - 1].value > state.law.kept_above
    ]


def _show(state: PromotionState, by: Asker) -> Mapping[str, Any]:
    """Terms, phase and commitment are public, and the seed once it is drawn from; names are for staff, and for their
    owners, until the results are published. A claim is its claimant's."""
    staff = by.role not in ONLOOKERS
    named = staff or bool(state.published)
    seen: dict[str, Any] = {
        "phase": state.phase,
        "terms": None if state.terms is None else {"name": state.terms.name, "digest": state.digest},
        "stated": {} if state.terms is None else list_stated(state.terms),
        "commitment": state.commitment,
        "entries": len(state.entries),
        "own_entries": [entry.number for entry in state.entries if by.name and entry.player == by.name],
        "prizes": [_show_prize(state, prize, named or prize.player == by.name != "") for prize in state.won],
        "published": state.published,
        "claims": [
            {"number": claim.number, "prize": claim.prize, "player": claim.player, "status": claim.status}
            for claim in state.claims
            if staff or claim.player == by.name
        ],
    }
    if state.terms is not None:
        seen["times"] = {
            "opens": tell_time(state.terms.opens), "closes": tell_time(state.terms.closes),
            "draws": tell_time(state.terms.draws),
        }  # fmt: skip
    if state.revealed:
        seen["seed"], seen["salt"] = state.secret[:32].hex(), state.secret[32:].hex()
    if staff:
        seen["notices"] = [{"number": item.number, "body": item.body, "text": item.text} for item in state.notices]
        seen["disputes"] = [
            {"number": item.number, "player": item.player, "matter": item.matter, "upheld": item.upheld}
            for item in state.disputes
        ]
    return seen


def _is_told(state: PromotionState, event: pm.PromotionEvent, by: Asker) -> bool:
    """Terms, the draw and what stops it are public; the rest is for staff and for whoever it is about."""
    if by.role not in ONLOOKERS or isinstance(event, PUBLIC):
        return True
    return bool(by.name) and getattr(event, "player", "") == by.name


PUBLIC = (
    pm.PromotionLodged, pm.PrizeDrawCommitted, pm.DrawHeld, pm.ResultsPublished, pm.PromotionStopped, pm.DrawValidated,
    pm.PromotionEnded,
)  # fmt: skip


def _show_prize(state: PromotionState, prize: DrawnPrize, named: bool) -> Mapping[str, Any]:
    assert state.terms is not None
    return {
        "number": prize.number, "name": state.terms.list_prizes()[prize.number - 1].name, "status": prize.status,
        "player": prize.player if named else "", "entry": prize.entry,
    }  # fmt: skip


def _list_duties(state: PromotionState, at_ms: int) -> Iterator[str]:
    terms = state.terms
    if state.pending is not None:
        yield "the Authority rules on the amendment"
    if terms is not None and state.phase is PromotionPhase.LODGED and at_ms >= terms.draws:
        yield "the draw is held"
    for prize in list_due_notifications(state):
        yield f"{prize.player} is notified of prize {prize.number} by {tell_time(prize.notify_by_ms)}"
    for claim in state.claims:
        if claim.status is ClaimStatus.OPEN and state.phase is PromotionPhase.DRAWN:
            yield f"claim {claim.number} is decided"
        elif claim.status is ClaimStatus.REFUSED and not claim.told:
            yield f"{claim.player} is told why claim {claim.number} was refused"
    if state.phase is PromotionPhase.DRAWN and not state.published:
        yield "the results are published"
    if state.phase is PromotionPhase.POSTPONED:
        yield "the integrity is validated, or the draw cancelled"
    for dispute in state.disputes:
        if dispute.upheld is None:
            yield f"dispute {dispute.number} is decided"
    for notice in state.notices:
        if not notice.read_by:
            yield f"the {notice.body} reads notice {notice.number}"
    if state.phase is PromotionPhase.DRAWN and all(prize.status is not AwardStatus.WON for prize in state.won):
        yield "the promotion is ended"


def _ask_at(state: PromotionState, at_ms: int) -> Iterator[tuple[Any, Asker]]:
    due = find_next_deadline(state)
    if due is not None and due <= at_ms:
        yield pm.KeepPromotionTime(), SYSTEM


def _hear_table(state: PromotionState, decision: TableDecision, now: FloorNow) -> Iterable[tuple[Any, Asker]]:
    """Main wagers of a round that has begun are good for entries while these are taken."""
    before, after = decision.before.table, decision.after.table
    terms = state.terms
    if terms is None or state.phase is not PromotionPhase.LODGED or not terms.opens <= now.at_ms < terms.closes:
        return []
    if after.rules.book != state.book or before.phase is not Phase.BETTING or after.phase is Phase.BETTING:
        return []
    staked = [(bet.player, bet.amount) for bet in before.bets if bet.wager == "main" and _may_win(bet.player, now)]
    return ask_for_wagers(state, staked, decision.after.name)


def _may_win(player: str, now: FloorNow) -> bool:
    """Robots of the house win no prizes, nor does whoever is shut out of the casino."""
    person = now.house.people.get(player)
    return person is not None and person.kind != "robot" and not any(shut.casino for shut in person.exclusions)


PROMOTION_KIND = Kind(
    word=PROMOTION,
    commands=map_tags(pm.PROMOTION_COMMANDS),
    begin=_begin,
    decide=decide_promotion,
    evolve=fold_promotion,
    narrate=tell_promotion,
    describe=_describe,
    events=pm.PROMOTION_EVENTS,
    state=PromotionState,
    show=_show,
    is_told=_is_told,
    find_next_moment=find_next_deadline,
    ask_at=_ask_at,
    list_duties=_list_duties,
    list_holdings=list_fund,
    hear_table=_hear_table,
)
