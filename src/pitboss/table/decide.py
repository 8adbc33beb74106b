"""`decide`: what follows from a command, as events; or why not."""

from __future__ import annotations

import contextlib
import typing
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pitboss.play.packed import SURRENDER_OWN_TURN
from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table.draft import Draft, Refusal, Refused
from pitboss.table.evolve import remember
from pitboss.table.orders import asked as od
from pitboss.table.orders import disputes, limits, powers
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.mishaps import irregularities, malfunctions, misdeals
from pitboss.table.orders.mishaps.misdeals import play_on
from pitboss.table.orders.rebuild import reconstruct, restart_shoe
from pitboss.table.orders.voids import forfeit_wagers, void
from pitboss.table.round import sides
from pitboss.table.round.actions import double, forfeit, hit, leave_box, play_absent, split, stand, switch
from pitboss.table.round.betting import place_bet, remove_bet
from pitboss.table.round.dealing import deal
from pitboss.table.round.finish import dealer_has_natural, go_on, look, looks_first, next_round
from pitboss.table.round.offers import close_offers, draw_prize, insure, surrender, take_even_money
from pitboss.table.round.turns import advance, let_pass, pass_pending
from pitboss.table.shoe import opening as shoe
from pitboss.table.shoe import shoe_orders as orders
from pitboss.table.shoe.devices import ShoeEmpty, waits_for_cards
from pitboss.table.state import Pending, Phase, State
from pitboss.table.wellformed import fault


def decide(state: State, command: cmd.Command) -> tuple[ev.Event, ...] | Refusal:
    """The events that `command` causes in `state`, or the refusal that answers it. Nothing is changed."""
    answer = attempt(state, command)
    if isinstance(answer, Refusal):
        from pitboss.table.legal import legal_words

        return Refusal(answer.reason, answer.clauses, legal_words(state))
    return tuple(answer.events)


def attempt(state: State, command: cmd.Command) -> Draft | Refusal:
    """Like `decide`, with the state that results; a refusal does not list what would be legal."""
    if problem := fault(command):
        return Refusal(problem, ())
    draft = Draft(state)
    try:
        kind = type(command)
        if state.shoe.out and kind in NEEDS_CARDS:
            raise waits_for_cards(draft)
        if kind in PLAYS_ON:
            _settle_trouble(draft)
        if state.phase is Phase.OFFERS and _ends_offers(state, kind) and looks_first(state):
            _look_first(draft, command)
        if draft.state.phase is not Phase.SETTLED or state.phase is Phase.SETTLED:
            _HANDLERS[kind](draft, command)
            go_on(draft)
    except ShoeEmpty as empty:
        if not draft.events:
            return Refusal(empty.reason, empty.clauses)
        draft.emit(ev.CardsRanOut(clauses=empty.clauses))
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    remember(draft.steps)
    return draft


NEEDS_CARDS = frozenset(
    (
        *typing.get_args(cmd.PlayerAction), cmd.Proceed, cmd.Insure, cmd.TakeEvenMoney, cmd.DrawPrize, cmd.LeaveBox,
        od.RefuseCard,
    )
)  # fmt: skip
"""What waits while a round has run out of cards."""

PLAYS_ON = NEEDS_CARDS | {od.FirstCard, od.DirectAbsent}
"""What lets a misdeal go unnoticed and ends the time to take wagers back."""


def _settle_trouble(draft: Draft) -> None:
    """Somebody plays on: a misdeal goes unnoticed, and a time to take wagers back is over."""
    if draft.state.trouble.halted:
        play_on(draft)
        go_on(draft)
    if draft.state.trouble.withdrawal:
        draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, withdrawal=False)))


def _ends_offers(state: State, kind: type[cmd.Command]) -> bool:
    """A decision of a box lets the offers pass; a surrender does where it is one of the box's turn."""
    if kind is cmd.Surrender:
        return state.packed.surrender_when == SURRENDER_OWN_TURN
    return kind in typing.get_args(cmd.PlayerAction)


def _look_first(draft: Draft, command: cmd.Command) -> None:
    """A decision ends the offers and the dealer looks; with a natural the round ends, and the decision lapses.

    Whether it may be made at all is asked before: a refusal must not tell what the dealer has.
    """
    with contextlib.suppress(ShoeEmpty):
        _HANDLERS[type(command)](Draft(draft.state), command)
    close_offers(draft)
    look(draft)
    if dealer_has_natural(draft.state):
        go_on(draft)
    else:
        advance(draft)


def _load_shoe(draft: Draft, command: cmd.LoadShoe) -> None:
    if draft.state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("cards go into the shoe between rounds")
    if draft.state.shoe.origin.seed:
        raise Refused("a shuffled shoe is in play: put it away first")
    draft.emit(ev.ShoeLoaded(cards=command.cards))


def _deal(draft: Draft, command: cmd.Deal) -> None:
    deal(draft)


def _proceed(draft: Draft, command: cmd.Proceed) -> None:
    if draft.state.phase is Phase.OFFERS:
        close_offers(draft)
    elif draft.state.phase is Phase.TURNS and draft.state.pending is not Pending.NOTHING:
        pass_pending(draft)
    elif not draft.events:
        raise Refused("nothing is open that could be closed")


def _surrender(draft: Draft, command: cmd.Surrender) -> None:
    """A surrender on one's turn lets pass what is open before it, as any other decision does."""
    if draft.state.packed.surrender_when == SURRENDER_OWN_TURN:
        let_pass(draft, command.box)
    surrender(draft, command)


def _next_round(draft: Draft, command: cmd.NextRound) -> None:
    next_round(draft)


_ORDERS: dict[type[cmd.Command], Callable[[Draft, Any], None]] = {
    od.BurnFaced: irregularities.burn_faced,
    od.Stray: irregularities.stray,
    od.Surplus: irregularities.surplus,
    od.NoWagerRound: irregularities.no_wager_round,
    od.CheckDevice: irregularities.check_device,
    od.ForeignCard: irregularities.foreign_card,
    od.MissedBurn: irregularities.missed_burn,
    od.MissedCut: irregularities.missed_cut,
    od.MissedShuffle: irregularities.missed_shuffle,
    od.LateInsurance: irregularities.late_insurance,
    od.RefuseCard: irregularities.refuse_card,
    od.Misdeal: misdeals.misdeal,
    od.DiscardHand: misdeals.discard_hand,
    od.FirstCard: misdeals.first_card,
    od.Reconstruct: reconstruct,
    od.RestartShoe: restart_shoe,
    od.DeviceFailed: malfunctions.device_failed,
    od.StrayPress: malfunctions.stray_press,
    od.PanelPrize: malfunctions.panel_prize,
    od.Malfunction: malfunctions.malfunction,
    od.Repaired: malfunctions.repaired,
    od.Unregistered: malfunctions.unregistered,
    od.Retract: malfunctions.retract,
    od.ForfeitWagers: forfeit_wagers,
    od.RefuseWager: powers.refuse_wager,
    od.HoldToMinimum: powers.hold_to_minimum,
    od.OneBox: powers.one_box,
    od.Lift: powers.lift,
    od.Bar: powers.bar,
    od.Withhold: powers.withhold,
    od.Reserve: powers.reserve,
    od.Release: powers.release,
    od.LimitSharers: powers.limit_sharers,
    od.LimitSidePlaces: powers.limit_side_places,
    od.PersonalLimits: powers.personal_limits,
    od.AnnounceLimits: limits.announce_limits,
    od.ChangeLimits: limits.change_limits,
    od.ReferDispute: disputes.refer,
    od.RuleOnDispute: disputes.decide_dispute,
    od.VacateSeat: powers.vacate,
    od.DeferNaturals: powers.defer_naturals,
    od.Permit: powers.permit,
    od.PermitGuest: powers.permit_guest,
    od.MainBettorsOnly: powers.main_bettors_only,
    od.DirectAbsent: powers.direct_absent,
    od.AnnounceClosing: powers.announce_closing,
    od.CloseTable: powers.close_table,
}
"""Orders of the floor, and what players choose when something went wrong."""

_HANDLERS: dict[type[cmd.Command], Callable[[Draft, Any], None]] = {
    cmd.LoadShoe: _load_shoe,
    cmd.Arrive: orders.arrive,
    cmd.Leave: orders.leave,
    cmd.Shuffle: shoe.shuffle,
    cmd.OrderShuffle: orders.order_shuffle,
    cmd.Riffle: orders.riffle,
    cmd.OfferCut: shoe.offer_cut,
    cmd.RefuseCut: shoe.refuse_cut,
    cmd.Cut: shoe.cut,
    cmd.PlaceCutCard: shoe.place_cut_card,
    cmd.ShowBurntCard: orders.show_burnt_card,
    cmd.BurnEachRound: orders.burn_each_round,
    cmd.DealFaceDown: orders.deal_face_down,
    cmd.NominateBox: orders.nominate_box,
    cmd.ShowCards: orders.show_cards,
    cmd.ReplaceCards: orders.replace_cards,
    cmd.ReportDroppedCards: orders.report_dropped_cards,
    cmd.VerifyDroppedCards: orders.verify_dropped_cards,
    cmd.MissFeed: orders.miss_feed,
    cmd.RetireShoe: shoe.retire_shoe,
    cmd.PlaceBet: place_bet,
    cmd.RemoveBet: remove_bet,
    cmd.Deal: _deal,
    cmd.Insure: insure,
    cmd.TakeEvenMoney: take_even_money,
    cmd.Surrender: _surrender,
    cmd.DrawPrize: draw_prize,
    cmd.Proceed: _proceed,
    cmd.Hit: hit,
    cmd.Stand: stand,
    cmd.Double: double,
    cmd.Split: split,
    cmd.Switch: switch,
    cmd.Forfeit: forfeit,
    cmd.PlayAbsent: play_absent,
    cmd.LeaveBox: leave_box,
    cmd.SystemPick: sides.system_pick,
    cmd.Void: void,
    **_ORDERS,
    cmd.NextRound: _next_round,
}
