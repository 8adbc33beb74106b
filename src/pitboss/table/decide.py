"""`decide`: what follows from a command, as events; or why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table import shoe, sides
from pitboss.table import shoe_orders as orders
from pitboss.table.betting import place_bet, remove_bet
from pitboss.table.dealing import deal, deal_cards, offers_open
from pitboss.table.devices import ShoeEmpty
from pitboss.table.draft import Draft, Refusal, Refused
from pitboss.table.finish import finish_if_done, next_round, peek, void
from pitboss.table.offers import close_offers, draw_prize, insure, surrender, take_even_money
from pitboss.table.state import Pending, Phase, State
from pitboss.table.turns import (
    advance,
    double,
    forfeit,
    hit,
    leave_box,
    pass_pending,
    play_absent,
    split,
    stand,
    switch,
)


def decide(state: State, command: cmd.Command) -> tuple[ev.Event, ...] | Refusal:
    """The events that `command` causes in `state`, or the refusal that answers it. Nothing is changed."""
    answer = attempt(state, command)
    if isinstance(answer, Refusal):
        from pitboss.table.legal import legal_words

        return Refusal(answer.reason, answer.clauses, legal_words(state))
    return tuple(answer.events)


def attempt(state: State, command: cmd.Command) -> Draft | Refusal:
    """Like `decide`, with the state that results; a refusal does not list what would be legal."""
    draft = Draft(state)
    try:
        if state.shoe.out and isinstance(command, NEEDS_CARDS):
            raise draft.refuse("no card is left: the discards are to be shuffled first", "out_of_cards")
        _HANDLERS[type(command)](draft, command)
        _go_on(draft)
    except ShoeEmpty as empty:
        if not draft.events:
            return Refusal(empty.reason, empty.clauses)
        draft.emit(ev.CardsRanOut(clauses=empty.clauses))
    except Refused as refused:
        return Refusal(refused.reason, refused.clauses)
    return draft


NEEDS_CARDS = (cmd.PlayerAction, cmd.Proceed, cmd.Insure, cmd.TakeEvenMoney, cmd.DrawPrize)
"""What waits while a round has run out of cards."""


def _go_on(draft: Draft) -> None:
    """What happens without anybody asking: hands are served, the dealer draws, wagers are settled."""
    if draft.state.shoe.out:
        return
    if draft.state.phase is Phase.DEALING:
        deal_cards(draft)
    if draft.state.phase is Phase.OFFERS and not offers_open(draft.state):
        close_offers(draft)
    if draft.state.phase is not Phase.TURNS:
        return
    if draft.state.hole and not draft.state.further_card and draft.state.turn is None:
        peek(draft)
    if draft.state.pending is Pending.NOTHING:
        advance(draft)
    finish_if_done(draft)


def _load_shoe(draft: Draft, command: cmd.LoadShoe) -> None:
    if draft.state.phase not in (Phase.BETTING, Phase.SETTLED):
        raise Refused("cards go into the shoe between rounds")
    draft.emit(ev.ShoeLoaded(cards=command.cards))


def _deal(draft: Draft, command: cmd.Deal) -> None:
    deal(draft)


def _proceed(draft: Draft, command: cmd.Proceed) -> None:
    if draft.state.phase is Phase.OFFERS:
        close_offers(draft)
    elif draft.state.phase is Phase.TURNS and draft.state.pending is not Pending.NOTHING:
        pass_pending(draft)
    else:
        raise Refused("nothing is open that could be closed")


def _next_round(draft: Draft, command: cmd.NextRound) -> None:
    next_round(draft)


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
    cmd.Surrender: surrender,
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
    cmd.NextRound: _next_round,
}
