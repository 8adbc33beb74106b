"""`decide`: what follows from a command, as events and the state after them; or why not."""

from __future__ import annotations

import contextlib
import typing
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from pitboss.cards import DECK_52
from pitboss.play.surrender import surrender_before_turns
from pitboss.rulebooks.model.book import Rulebook
from pitboss.table.dispatch import merge_tables
from pitboss.table.draft import Draft, Refusal, Refused
from pitboss.table.legal import legal_words
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.messages.askers import Asker, find_asker
from pitboss.table.messages.wellformed import find_fault
from pitboss.table.orders import disputes, duties, inquiries, limits, players_boxes, powers, shoe_orders
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.layout import clear_layout
from pitboss.table.orders.mishaps import irregularities, malfunctions, misdeals
from pitboss.table.orders.mishaps.keyed_cards import correct_card
from pitboss.table.orders.mishaps.misdeals import play_on
from pitboss.table.orders.past_round import close_again, is_about_past, reopen
from pitboss.table.orders.rebuild import reconstruct, restart_shoe
from pitboss.table.orders.voids import forfeit_wagers, void
from pitboss.table.round import sides
from pitboss.table.round.actions import double, forfeit, hit, leave_box, split, stand, switch
from pitboss.table.round.betting import place_bet, remove_bet
from pitboss.table.round.dealing import deal
from pitboss.table.round.finish import dealer_has_natural, go_on, look, looks_first, next_round, settle_round
from pitboss.table.round.offers import close_offers, insure, surrender, take_even_money
from pitboss.table.round.turns import advance, let_pass, pass_pending
from pitboss.table.shoe import opening as shoe
from pitboss.table.shoe.devices import CardDue, ShoeEmpty, require_cards, waits_for_cards
from pitboss.table.shoe.keying import bring_shoe, key_card, key_cut_card
from pitboss.table.state import CardSource, Pending, Phase, State
from pitboss.table.working import WorkingDraft


class Decision(msgspec.Struct, frozen=True):
    """A command that was granted: the events it causes, the first of them that it was asked, and the state after."""

    events: tuple[ev.Event, ...]
    state: State

    def __repr__(self) -> str:
        return f"<Decision: {', '.join(type(event).__name__ for event in self.events)}>"


def decide(
    state: State, command: cmd.Command, by: Asker | None = None, own_books: Iterable[Rulebook] = ()
) -> Decision | Refusal:
    """What `command` causes in `state`, or the refusal that answers it. Nothing is changed.

    `by` is who is on record for it, if not whoever the command itself names. An order that changes the rules of a game
    of somebody's own needs its book among `own_books`.
    """
    if problem := find_fault(command):
        return Refusal(problem, (), legal_words(state))
    draft = WorkingDraft(state, own_books)
    asked = ev.Asked(command=command, by=by or find_asker(command, state.rules))
    draft.emit(asked)
    try:
        _carry_out(draft, command)
    except CardDue as due:
        if state.shoe.out and not isinstance(command, cmd.KeyCard):
            return Refusal(due.reason, due.clauses, legal_words(state))
        draft = WorkingDraft(state, own_books)
        draft.emit(asked)
        try:
            _wait_for_card(draft, command)
        except Refused as refused:
            return Refusal(refused.reason, refused.clauses, legal_words(state))
    except ShoeEmpty as empty:
        if draft.state.shoe.source is CardSource.KEYED:
            draft.emit(ev.CardAwaited())
            return Decision(tuple(draft.events), draft.state)
        if len(draft.events) == 1:
            return Refusal(empty.reason, empty.clauses, legal_words(state))
        draft.emit(ev.CardsRanOut(clauses=empty.clauses))
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses, legal_words(state))
    return Decision(tuple(draft.events), draft.state)


def _wait_for_card(draft: Draft, command: cmd.Command) -> None:
    """What is asked will be done with the next card that is keyed in, if it can be done with any."""
    if isinstance(command, cmd.KeyCard):
        waiting: Any = draft.state.awaited
        draft.emit(ev.CardKeyed(card=command.card))
    else:
        waiting = command
        with contextlib.suppress(ShoeEmpty):
            _carry_out(WorkingDraft(_fill_up(draft.state), draft.own_books), command)
    draft.emit(ev.CardAwaited(command=waiting))


def _fill_up(state: State) -> State:
    """The table with cards to come, whatever they are."""
    return replace(state, shoe=replace(state.shoe, cards=(*state.shoe.cards, *DECK_52)))


def _key_card(draft: Draft, command: cmd.KeyCard) -> None:
    """A card is keyed in, and what has waited for it is done."""
    waiting = draft.state.awaited
    key_card(draft, command)
    if waiting is not None:
        _carry_out(draft, waiting)


def _carry_out(draft: Draft, command: cmd.Command) -> None:
    """Do what is asked, and what follows from it by itself."""
    state, kind = draft.state, type(command)
    if state.shoe.out and kind in NEEDS_CARDS:
        raise waits_for_cards(draft)
    if is_about_past(state, command):
        reopen(draft)
        _HANDLERS[kind](draft, command)
        go_on(draft)
        close_again(draft)
        return
    if kind in PLAYS_ON:
        _settle_trouble(draft)
    if state.phase is Phase.OFFERS and _ends_offers(state, kind) and looks_first(state):
        _look_first(draft, command)
    if draft.state.phase is not Phase.SETTLED or state.phase is Phase.SETTLED:
        _HANDLERS[kind](draft, command)
        if state.phase is Phase.BETTING and draft.state.floor is not state.floor and draft.state.bets:
            clear_layout(draft)
        go_on(draft)


NEEDS_CARDS = frozenset(
    (
        *typing.get_args(cmd.PlayerAction), cmd.Proceed, cmd.Insure, cmd.TakeEvenMoney, cmd.DrawPrize, cmd.LeaveBox,
        od.RefuseCard,
    )
)  # fmt: skip
"""What waits while a round has run out of cards."""

PLAYS_ON = NEEDS_CARDS | {od.FirstCard, od.DirectAbsent, od.PressButton}
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
        return not surrender_before_turns(state.packed)
    return kind in typing.get_args(cmd.PlayerAction)


def _look_first(draft: Draft, command: cmd.Command) -> None:
    """A decision ends the offers and the dealer looks; with a natural the round ends, and the decision lapses.

    Whether it may be made at all is asked before: a refusal must not tell what the dealer has.
    """
    with contextlib.suppress(ShoeEmpty):
        _HANDLERS[type(command)](draft.try_out(), command)
    if not draft.state.hole:
        require_cards(draft, 1)
    close_offers(draft)
    look(draft)
    if dealer_has_natural(draft.state):
        go_on(draft)
    else:
        advance(draft)


def _load_shoe(draft: Draft, command: cmd.LoadShoe) -> None:
    if draft.state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("cards can be put into the shoe only between rounds")
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
    elif draft.state.phase is Phase.SETTLING:
        settle_round(draft)
    elif len(draft.events) == 1:
        raise Refused("there is no open offer to close")


def _surrender(draft: Draft, command: cmd.Surrender) -> None:
    """A surrender on one's turn lets pass what is open before it, as any other decision does."""
    if not surrender_before_turns(draft.state.packed):
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
    od.MissedBurn: irregularities.rule_missed_burn,
    od.MissedCut: irregularities.rule_missed_cut,
    od.MissedShuffle: irregularities.rule_missed_shuffle,
    od.LateInsurance: irregularities.late_insurance,
    od.RefuseCard: irregularities.refuse_card,
    od.Misdeal: misdeals.misdeal,
    od.DiscardHand: misdeals.discard_hand,
    od.FirstCard: misdeals.first_card,
    od.Reconstruct: reconstruct,
    od.CorrectCard: correct_card,
    od.RestartShoe: restart_shoe,
    od.DeviceFailed: malfunctions.device_failed,
    od.StrayPress: malfunctions.stray_press,
    od.PressButton: malfunctions.press_button,
    od.PanelPrize: malfunctions.panel_prize,
    od.Malfunction: malfunctions.malfunction,
    od.Repaired: malfunctions.offer_again,
    od.Unregistered: malfunctions.rule_unregistered,
    od.Retract: malfunctions.retract,
    od.ForfeitWagers: forfeit_wagers,
    od.RefuseWager: powers.refuse_wager,
    od.HoldToMinimum: powers.hold_to_minimum,
    od.OneBox: powers.one_box,
    od.Lift: powers.lift,
    od.Bar: powers.bar,
    od.Withhold: inquiries.withhold,
    od.ReleaseWinnings: inquiries.decide_winnings,
    od.ForfeitWinnings: inquiries.decide_winnings,
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
    od.RequireLeave: powers.require_leave,
    od.MainBettorsOnly: powers.main_bettors_only,
    od.LimitBoxes: players_boxes.limit_boxes,
    od.TwoHands: players_boxes.require_two_hands,
    od.GiveUpBox: players_boxes.give_up_box,
    od.CheckCards: duties.check_cards,
    od.CallBets: duties.call_bets,
    od.ChangeDealer: duties.change_dealer,
    od.TellBodies: duties.tell_bodies,
    od.DirectAbsent: duties.direct_absent,
    od.RequireRecord: duties.require_record,
    od.DisplaySign: duties.display_sign,
    od.CheckEquipment: duties.check_equipment,
    od.ConfirmPrize: duties.confirm_prize,
    od.AnnounceClosing: powers.announce_closing,
    od.CloseTable: powers.close_table,
}
"""Orders of the floor, and what players choose when something went wrong."""

_PLAY: dict[type[cmd.Command], Callable[[Draft, Any], None]] = {
    cmd.LoadShoe: _load_shoe,
    cmd.BringShoe: bring_shoe,
    cmd.KeyCard: _key_card,
    cmd.KeyCutCard: key_cut_card,
    cmd.Arrive: shoe_orders.arrive,
    cmd.Leave: shoe_orders.leave,
    cmd.Shuffle: shoe.shuffle,
    cmd.OrderShuffle: shoe_orders.order_shuffle,
    cmd.Riffle: shoe_orders.riffle,
    cmd.OfferCut: shoe.offer_cut,
    cmd.RefuseCut: shoe.refuse_cut,
    cmd.Cut: shoe.cut,
    cmd.PlaceCutCard: shoe.place_cut_card,
    cmd.ShowBurntCard: shoe_orders.show_burnt_card,
    cmd.BurnEachRound: shoe_orders.burn_each_round,
    cmd.DealFaceDown: shoe_orders.deal_face_down,
    cmd.NominateBox: shoe_orders.nominate_box,
    cmd.ShowCards: shoe_orders.show_cards,
    cmd.SettleByHand: shoe_orders.settle_by_hand,
    cmd.ReplaceCards: shoe_orders.replace_cards,
    cmd.ReportDroppedCards: shoe_orders.report_dropped_cards,
    cmd.VerifyDroppedCards: shoe_orders.verify_dropped_cards,
    cmd.MissFeed: shoe_orders.miss_feed,
    cmd.RetireShoe: shoe.retire_shoe,
    cmd.PlaceBet: place_bet,
    cmd.RemoveBet: remove_bet,
    cmd.Deal: _deal,
    cmd.Insure: insure,
    cmd.TakeEvenMoney: take_even_money,
    cmd.Surrender: _surrender,
    cmd.DrawPrize: sides.draw_prize,
    cmd.Proceed: _proceed,
    cmd.Hit: hit,
    cmd.Stand: stand,
    cmd.Double: double,
    cmd.Split: split,
    cmd.Switch: switch,
    cmd.Forfeit: forfeit,
    cmd.PlayAbsent: duties.leave_to_dealer,
    cmd.LeaveBox: leave_box,
    cmd.SystemPick: sides.system_pick,
    cmd.Void: void,
    cmd.NextRound: _next_round,
}
"""The commands of any round: cards, wagers, decisions."""

_HANDLERS = merge_tables(_ORDERS, _PLAY)
"""What each kind of command does."""
