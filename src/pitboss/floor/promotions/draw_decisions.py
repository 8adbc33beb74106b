"""The draw of a promotion: who oversees it, who wins, how winners learn of it, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pitboss.floor.moments import is_moment, tell_time
from pitboss.floor.promotions import promotion_messages as pm
from pitboss.floor.promotions.prize_draw import digest_entries, draw_winners, select_entries
from pitboss.floor.promotions.promotion_asking import PromotionAsking
from pitboss.floor.promotions.promotion_state import (
    AwardStatus,
    DrawnPrize,
    PromotionPhase,
    PromotionState,
    list_due_notifications,
)
from pitboss.floor.promotions.promotion_terms import needs_scrutineer
from pitboss.floor.terms.checklist import check_line
from pitboss.money import show
from pitboss.table.draft import Refused
from pitboss.table.messages.askers import SYSTEM
from pitboss.table.shoe.shuffle import SEED_BYTES

Events = tuple[pm.PromotionEvent, ...]


def _record_presence(asking: PromotionAsking, command: pm.RecordPresence) -> Events:
    clauses = asking.law.cite("claiming")
    _check_before_draw(asking)
    if not asking.terms.must_be_present:
        raise Refused("entrants need not be at this draw", clauses)
    player = asking.find_player(command.player, clauses)
    if not asking.state.count_entries(player):
        raise Refused(f"{player} has no entry", clauses)
    return (pm.PresenceNoted(player=player, clauses=clauses),)


def _oversee(asking: PromotionAsking, command: pm.OverseeDraw) -> Events:
    clauses = asking.authorise("oversee-draw")
    _check_before_draw(asking)
    if asking.by.name != asking.terms.scrutineer:
        named = asking.terms.scrutineer or "nobody"
        raise Refused(f"the terms nominate {named} as scrutineer, not {asking.by.name}", clauses)
    return (pm.DrawOverseen(by=asking.by, clauses=clauses),)


def _check_before_draw(asking: PromotionAsking) -> None:
    asking.check_running()
    if asking.state.phase is PromotionPhase.DRAWN:
        raise Refused("the draw has been held", asking.law.cite("award"))
    asking.check_lodged()


def _hold_draw(asking: PromotionAsking, command: pm.HoldDraw) -> Events:
    state, law, terms = asking.state, asking.law, asking.terms
    asking.authorise("offer-promotion")
    _check_before_draw(asking)
    if asking.at_ms < terms.draws:
        raise Refused(f"the draw is at {tell_time(terms.draws)}", law.cite("place-and-time"))
    if state.pending is not None:
        raise Refused(
            "the Authority has not ruled on an amendment of the terms", law.rules.authority["amend-promotion"].clauses
        )
    overseen = needs_scrutineer(terms, law)
    if overseen and not state.overseen_by:
        raise Refused(
            f"a prize is worth more than {show(law.scrutineer_above)}: {terms.scrutineer} must oversee the draw",
            law.scrutineer_clauses,
        )
    taking_part = select_entries(state.entries, state.present if terms.must_be_present else None)
    if not taking_part:
        raise Refused("no entry takes part in the draw: there is nothing to draw from", law.cite("eligibility"))
    seed, salt = state.secret[:SEED_BYTES], state.secret[SEED_BYTES:]
    outcome = draw_winners(
        taking_part, seed, len(terms.list_prizes()), wins_each=terms.wins_each, reserves=terms.reserves
    )
    held = pm.DrawHeld(
        seed=seed.hex(), salt=salt.hex(), entries=len(taking_part), digest=digest_entries(taking_part),
        reserves=tuple(entry.number for entry in outcome.reserves),
        clauses=(*law.cite("manner"), *law.cite("award"), *(law.scrutineer_clauses if overseen else ()), *law.clauses),
    )  # fmt: skip
    drawn = [
        give_prize(asking, number, entry.number, entry.player) for number, entry in enumerate(outcome.winners, 1)
    ]  # fmt: skip
    return held, *drawn


def give_prize(asking: PromotionAsking, prize: int, entry: int, player: str, *, reserve: bool = False) -> pm.PrizeDrawn:
    """An entry wins a prize; from now on its owner is to be notified, if winners need not be there."""
    law, there = asking.law, asking.terms.must_be_present
    clauses = (*law.cite("award"), *(() if there else law.notification_clauses))
    by_ms = 0 if there else asking.at_ms + law.notification_ms
    return pm.PrizeDrawn(
        prize=prize, entry=entry, player=player, notify_by_ms=by_ms, reserve=reserve, clauses=clauses
    )  # fmt: skip


# ---------------------------------------------------------------------- winners and results


def find_won(asking: PromotionAsking, number: int) -> DrawnPrize:
    """A prize after the draw, by its number."""
    state = asking.state
    if state.phase not in (PromotionPhase.DRAWN, PromotionPhase.ENDED):
        raise Refused("the draw has not been held", asking.law.cite("award"))
    if not 1 <= number <= len(state.won):
        raise Refused(f"there is no prize {number}: they are numbered 1 to {len(state.won)}")
    return state.won[number - 1]


def _notify(asking: PromotionAsking, command: pm.NotifyWinner) -> Events:
    law = asking.law
    asking.authorise("offer-promotion")
    prize = find_won(asking, command.prize)
    if prize.status is AwardStatus.FREE:
        raise Refused(f"nobody has won prize {command.prize}", law.notification_clauses)
    if prize.notified:
        raise Refused(f"{prize.player} was notified of prize {command.prize}: {prize.notified}")
    if command.way not in law.notification_ways:
        known = ", ".join(law.notification_ways)
        every = tuple(clause for clauses in law.notification_ways.values() for clause in clauses)
        raise Refused(
            f"winners are notified by {known}, not by {command.way[:40]}", (*law.notification_clauses, *every)
        )
    late = 0 < prize.notify_by_ms < asking.at_ms
    clauses = (*law.notification_ways[command.way], *law.notification_clauses, *law.cite("notification"))
    return (
        pm.WinnerNotified(prize=command.prize, player=prize.player, way=command.way, late=late, clauses=clauses),
    )  # fmt: skip


def _publish(asking: PromotionAsking, command: pm.PublishResults) -> Events:
    clauses = asking.law.cite("publication")
    asking.authorise("offer-promotion")
    if asking.state.phase is not PromotionPhase.DRAWN:
        raise Refused("there are no results to publish", clauses)
    if asking.state.published:
        raise Refused(f"the results are published: {asking.state.published}", clauses)
    check_line(command.where, "where results are published")
    return (pm.ResultsPublished(where=command.where, clauses=clauses),)


def _keep_time(asking: PromotionAsking, command: pm.KeepPromotionTime) -> Events:
    clauses = asking.law.notification_clauses
    if asking.by != SYSTEM:
        raise Refused("the clock does this", clauses)
    missed = tuple(
        pm.NotificationMissed(prize=prize.number, player=prize.player, clauses=clauses)
        for prize in list_due_notifications(asking.state)
        if not prize.missed and prize.notify_by_ms <= asking.at_ms
    )
    if not missed:
        raise Refused("no clock of the promotion has run out", clauses)
    return missed


def find_next_deadline(state: PromotionState) -> int | None:
    """When the next time for notifying a winner is over."""
    return min((prize.notify_by_ms for prize in list_due_notifications(state) if not prize.missed), default=None)


# ---------------------------------------------------------------------- integrity


def _stop(asking: PromotionAsking, command: pm.PostponeDraw | pm.CancelDraw) -> Events:
    state = asking.state
    clauses = asking.authorise("stop-promotion", command.reason)
    check_line(command.reason, "a reason")
    cancels = isinstance(command, pm.CancelDraw)
    stopped = state.phase is PromotionPhase.POSTPONED and not cancels
    if state.terms is None or stopped or state.phase in (PromotionPhase.CANCELLED, PromotionPhase.ENDED):
        raise Refused(f"the promotion is {state.phase}", clauses)
    if state.phase is PromotionPhase.DRAWN:
        if not cancels:
            raise Refused("the draw has been held: it can be cancelled, not postponed", clauses)
        if any(prize.status is AwardStatus.AWARDED for prize in state.won):
            raise Refused("a prize of this draw has been awarded: it can no longer be cancelled", clauses)
    tell = asking.law.rules.authority["stop-promotion"].notify_after
    event = pm.PromotionStopped(
        how="cancelled" if cancels else "postponed", reason=command.reason, notice=len(state.notices) + 1, tell=tell,
        by=asking.by, clauses=clauses,
    )  # fmt: skip
    return (event,)


def _validate(asking: PromotionAsking, command: pm.ValidateDraw) -> Events:
    clauses = asking.authorise("stop-promotion", command.reason)
    check_line(command.reason, "a reason")
    if asking.state.phase is not PromotionPhase.POSTPONED:
        raise Refused(f"the promotion is {asking.state.phase}, not postponed", clauses)
    draws = command.draws or asking.terms.draws
    if not is_moment(draws):
        raise Refused("the draw is held before the year 2100", clauses)
    if draws < asking.terms.closes or (command.draws and draws < asking.at_ms):
        raise Refused(f"the draw is held once entries have closed, and not before now: {tell_time(draws)}", clauses)
    return (pm.DrawValidated(reason=command.reason, draws=draws, clauses=clauses),)


def _acknowledge(asking: PromotionAsking, command: pm.AcknowledgeStop) -> Events:
    clauses = asking.law.rules.authority["stop-promotion"].clauses
    notice = next((item for item in asking.state.notices if item.number == command.number), None)
    if notice is None or notice.body != asking.by.role:
        raise Refused(f"there is no notice {command.number} to the {asking.by.role}", clauses)
    person = asking.house.people.get(asking.by.name)
    if person is None or not any(role == notice.body for role, _ in person.roles):
        raise Refused(f"{asking.by.name} is no {notice.body}", clauses)
    if notice.read_by:
        raise Refused(f"{notice.read_by} has read notice {command.number}", clauses)
    return (pm.StopAcknowledged(notice=command.number, by=asking.by, clauses=clauses),)


ANSWERS: Mapping[type[pm.PromotionCommand], Callable[[PromotionAsking, Any], Events]] = {
    pm.RecordPresence: _record_presence,
    pm.OverseeDraw: _oversee,
    pm.HoldDraw: _hold_draw,
    pm.NotifyWinner: _notify,
    pm.PublishResults: _publish,
    pm.KeepPromotionTime: _keep_time,
    pm.PostponeDraw: _stop,
    pm.CancelDraw: _stop,
    pm.ValidateDraw: _validate,
    pm.AcknowledgeStop: _acknowledge,
}
