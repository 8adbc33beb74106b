"""A promotion between two decisions, how what happens changes it, and what that moves in the ledger.

What prizes are worth is set aside when terms are lodged: cash out of the cage, things at their value out of the store.
It leaves the fund as prizes, or goes back; a fund is never below zero, and holds nothing once everything is done.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from pitboss.floor.ledger import CAGE, PROMOTION_FUND, STORE, Transfer, Unit, to_grains, wallet
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.prize_draw import PromotionEntry
from pitboss.floor.promotions.promotion_law import PromotionLaw, load_promotion_law
from pitboss.floor.promotions.promotion_terms import PromotionPrize, PromotionTerms
from pitboss.money import Money


def prize_fund(name: str) -> str:
    """What a promotion has set aside for its prizes."""
    return f"{PROMOTION_FUND}{name}"


def payout(way: str, player: str) -> str:
    """What somebody was paid beside the chips: in cash, by cheque or by transfer."""
    return f"paid:{way}/{player}"


class PromotionPhase(enum.StrEnum):
    """How far a promotion is. Whether it is open is for the clock to say."""

    NEW = "new"
    LODGED = "lodged"
    POSTPONED = "postponed"
    DRAWN = "drawn"
    CANCELLED = "cancelled"
    ENDED = "ended"


class AwardStatus(enum.StrEnum):
    """What became of a prize after the draw."""

    WON = "won"
    AWARDED = "awarded"
    FREE = "not won"


class DrawnPrize(msgspec.Struct, frozen=True):
    """A prize and who has won it."""

    number: int
    status: AwardStatus
    player: str = ""
    entry: int = 0
    notify_by_ms: int = 0
    notified: str = ""
    """The way in which the winner was notified."""
    missed: bool = False
    """The time for it passed before."""


class ClaimStatus(enum.StrEnum):
    """Whether a claim was met."""

    OPEN = "open"
    MET = "met"
    REFUSED = "refused"


class PrizeClaim(msgspec.Struct, frozen=True):
    """Somebody's claim to a prize; refused claims above the book's amount keep name, address and reason."""

    number: int
    prize: int
    player: str
    address: str
    alternative: bool
    payment: dict[str, Money]
    status: ClaimStatus = ClaimStatus.OPEN
    reason: str = ""
    told: bool = False


class PromotionDispute(msgspec.Struct, frozen=True):
    """A dispute about the terms, and how it was decided."""

    number: int
    player: str
    matter: str
    upheld: bool | None = None
    told_of_right: bool = False


class StopNotice(msgspec.Struct, frozen=True):
    """What the inspectorate is told of a stop, and who of it has read it."""

    number: int
    body: str
    text: str
    read_by: str = ""


Numbered = TypeVar("Numbered", PrizeClaim, PromotionDispute, StopNotice)


class PromotionState(msgspec.Struct, frozen=True, kw_only=True):
    """A promotion between two decisions."""

    name: str
    book: str
    phase: PromotionPhase = PromotionPhase.NEW
    terms: PromotionTerms | None = None
    digest: str = ""
    lodged_ms: int = 0
    pending: PromotionTerms | None = None
    """Other terms, about which the Authority is asked."""
    amended: int = 0
    commitment: str = ""
    secret: bytes = b""
    revealed: bool = False
    wagers: dict[str, int] = {}
    """Wagers that were good for an entry, by player."""
    entries: tuple[PromotionEntry, ...] = ()
    present: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()
    """Who has a copy of the terms."""
    overseen_by: str = ""
    drawn_ms: int = 0
    won: tuple[DrawnPrize, ...] = ()
    reserves: tuple[int, ...] = ()
    published: str = ""
    claims: tuple[PrizeClaim, ...] = ()
    disputes: tuple[PromotionDispute, ...] = ()
    notices: tuple[StopNotice, ...] = ()

    @property
    def law(self) -> PromotionLaw:
        """The rules of its book."""
        return load_promotion_law(self.book)

    def count_entries(self, player: str) -> int:
        """How many entries somebody has."""
        return sum(entry.player == player for entry in self.entries)


def fold_promotion(state: PromotionState, event: pm.PromotionEvent, at_ms: int) -> PromotionState:
    """The promotion after one event."""
    return _fold_terms(state, event, at_ms) or _fold_draw(state, event, at_ms) or _fold_after(state, event) or state


def _fold_terms(state: PromotionState, event: pm.PromotionEvent, at_ms: int) -> PromotionState | None:
    match event:
        case pm.PromotionLodged():
            return replace(
                state,
                phase=PromotionPhase.LODGED,
                terms=event.terms,
                digest=event.digest,
                lodged_ms=at_ms,
                pending=None,
            )
        case pm.PrizeDrawCommitted():
            return replace(state, commitment=event.commitment, secret=event.secret)
        case pm.AmendmentAsked():
            return replace(state, pending=event.terms)
        case pm.AmendmentRuled():
            if not event.approved:
                return replace(state, pending=None)
            return replace(
                state, pending=None, terms=state.pending, digest=event.digest, amended=state.amended + 1, overseen_by=""
            )
        case pm.TermsGiven():
            return replace(state, given=state.given | {event.player})
        case pm.WagerNoted():
            return replace(state, wagers={**state.wagers, event.player: state.wagers.get(event.player, 0) + 1})
        case pm.PromotionEntered():
            return replace(state, entries=(*state.entries, PromotionEntry(event.number, event.player)))
        case pm.PresenceNoted():
            return replace(state, present=state.present | {event.player})
    return None


def _fold_draw(state: PromotionState, event: pm.PromotionEvent, at_ms: int) -> PromotionState | None:
    match event:
        case pm.DrawOverseen():
            return replace(state, overseen_by=event.by.name)
        case pm.DrawHeld():
            prizes = len(state.terms.list_prizes()) if state.terms else 0
            won = tuple(DrawnPrize(number, AwardStatus.FREE) for number in range(1, prizes + 1))
            return replace(
                state, phase=PromotionPhase.DRAWN, revealed=True, drawn_ms=at_ms, reserves=event.reserves, won=won
            )
        case pm.PrizeDrawn():
            prize = DrawnPrize(event.prize, AwardStatus.WON, event.player, event.entry, event.notify_by_ms)
            reserves = state.reserves[1:] if event.reserve else state.reserves
            return replace(put_prize(state, prize), reserves=reserves)
        case pm.WinnerNotified():
            return put_prize(state, replace(state.won[event.prize - 1], notified=event.way))
        case pm.NotificationMissed():
            return put_prize(state, replace(state.won[event.prize - 1], missed=True))
        case pm.ResultsPublished():
            return replace(state, published=event.where)
        case pm.PromotionStopped():
            phase = PromotionPhase.POSTPONED if event.how == "postponed" else PromotionPhase.CANCELLED
            told = tuple(StopNotice(event.notice + n, body, event.reason) for n, body in enumerate(event.tell))
            return replace(state, phase=phase, notices=(*state.notices, *told), overseen_by="")
        case pm.DrawValidated():
            assert state.terms is not None
            return replace(state, phase=PromotionPhase.LODGED, terms=replace(state.terms, draws=event.draws))
        case pm.StopAcknowledged():
            return replace(state, notices=_swap(state.notices, event.notice, read_by=event.by.name))
    return None


def _fold_after(state: PromotionState, event: pm.PromotionEvent) -> PromotionState | None:
    match event:
        case pm.PrizeClaimed():
            claim = PrizeClaim(
                event.number, event.prize, event.player, event.address, event.alternative, event.payment
            )  # fmt: skip
            return replace(state, claims=(*state.claims, claim))
        case pm.PrizeAwarded():
            prize = replace(state.won[event.prize - 1], status=AwardStatus.AWARDED)
            claims = _swap(state.claims, event.claim, status=ClaimStatus.MET)
            return replace(put_prize(state, prize), claims=claims)
        case pm.ClaimDenied():
            claims = _swap(
                state.claims, event.claim, status=ClaimStatus.REFUSED, reason=event.reason, address=event.address
            )
            prize = state.won[event.prize - 1]
            lost = prize.player == event.player and prize.status is AwardStatus.WON
            freed = put_prize(state, DrawnPrize(prize.number, AwardStatus.FREE)) if lost else state
            return replace(freed, claims=claims)
        case pm.ReasonTold():
            return replace(state, claims=_swap(state.claims, event.claim, told=True))
        case pm.PromotionDisputed():
            dispute = PromotionDispute(event.number, event.player, event.matter)
            return replace(state, disputes=(*state.disputes, dispute))
        case pm.PromotionDisputeDecided():
            return replace(state, disputes=_swap(state.disputes, event.number, upheld=event.upheld))
        case pm.ComplaintRightTold():
            return replace(state, disputes=_swap(state.disputes, event.number, told_of_right=True))
        case pm.PromotionEnded():
            return replace(state, phase=PromotionPhase.ENDED)
    return None


def put_prize(state: PromotionState, prize: DrawnPrize) -> PromotionState:
    """The promotion with a prize as it is now."""
    return replace(state, won=(*state.won[: prize.number - 1], prize, *state.won[prize.number :]))


def _swap(items: tuple[Numbered, ...], number: int, **changes: object) -> tuple[Numbered, ...]:
    """Numbered things with one of them changed."""
    return tuple([replace(item, **changes) if item.number == number else item for item in items])


# ---------------------------------------------------------------------- money and things


def post_promotion(state: PromotionState, event: pm.PromotionEvent) -> Iterator[Transfer]:
    """What an event moves; the state is the one before it."""
    match event:
        case pm.PromotionLodged():
            yield from _replace_fund(state, state.terms, event.terms)
        case pm.AmendmentRuled() if event.approved:
            yield from _replace_fund(state, state.terms, state.pending)
        case pm.PrizeAwarded():
            yield from _post_award(state, event)
        case pm.PromotionStopped() if event.how == "cancelled":
            yield from _empty_fund(state)
        case pm.PromotionEnded():
            yield from _empty_fund(state)


def _replace_fund(state: PromotionState, old: PromotionTerms | None, new: PromotionTerms | None) -> Iterator[Transfer]:
    for prize in old.list_prizes() if old else ():
        yield _set_aside(state, prize, back=True)
    for prize in new.list_prizes() if new else ():
        yield _set_aside(state, prize)


def _set_aside(state: PromotionState, prize: PromotionPrize, *, back: bool = False) -> Transfer:
    source, unit = (CAGE, Unit.CHIP) if prize.is_cash else (STORE, Unit.PRIZE)
    giver, taker = (prize_fund(state.name), source) if back else (source, prize_fund(state.name))
    return Transfer(giver, taker, to_grains(prize.value), unit, state.law.clauses)


def _empty_fund(state: PromotionState) -> Iterator[Transfer]:
    """What is left goes back to where it came from."""
    assert state.terms is not None
    for number, prize in enumerate(state.terms.list_prizes()):
        if not state.won or state.won[number].status is not AwardStatus.AWARDED:
            yield _set_aside(state, prize, back=True)


def list_fund(state: PromotionState) -> Iterator[tuple[str, Unit, int]]:
    """What the fund holds by what the promotion says: every prize that was not awarded, as long as any can be."""
    over = state.phase in (PromotionPhase.CANCELLED, PromotionPhase.ENDED)
    prizes = [] if state.terms is None or over else state.terms.list_prizes()
    given = {prize.number for prize in state.won if prize.status is AwardStatus.AWARDED}
    for unit in (Unit.CHIP, Unit.PRIZE):
        left = (
            to_grains(prize.value)
            for number, prize in enumerate(prizes, 1)
            if number not in given and prize.is_cash == (unit is Unit.CHIP)
        )
        yield prize_fund(state.name), unit, sum(left)


def _post_award(state: PromotionState, event: pm.PrizeAwarded) -> Iterator[Transfer]:
    prize = find_prize(state, event.prize)
    fund = prize_fund(state.name)
    if not event.payment:
        yield Transfer(fund, wallet(event.player), to_grains(prize.value), Unit.PRIZE, event.clauses)
        return
    source = fund
    if not prize.is_cash:
        source = CAGE
        yield _set_aside(state, prize, back=True)
    for way, amount in event.payment.items():
        yield Transfer(source, payout(way, event.player), to_grains(amount), clauses=event.clauses)


def find_prize(state: PromotionState, number: int) -> PromotionPrize:
    """A prize of the terms by its number from 1."""
    assert state.terms is not None
    return state.terms.list_prizes()[number - 1]


def list_due_notifications(state: PromotionState) -> Iterable[DrawnPrize]:
    """Prizes whose winners must be notified and are not."""
    if state.phase is not PromotionPhase.DRAWN:
        return ()
    return [
        prize for prize in state.won if prize.status is AwardStatus.WON and prize.notify_by_ms and not prize.notified
    ]
