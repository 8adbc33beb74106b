"""What may be done now: every legal action of players and dealer, and why something is not one."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pitboss.money import ZERO, Money
from pitboss.play.drawing import has_its_one_card, may_stand
from pitboss.play.surrender import surrender_before_turns
from pitboss.table.draft import Refused
from pitboss.table.messages import commands as cmd
from pitboss.table.messages.notation import words
from pitboss.table.orders.mishaps.misdeals import play_on
from pitboss.table.orders.mishaps.remedies import choices
from pitboss.table.round.betting import close_bets
from pitboss.table.round.dealing import (
    hand_may_surrender,
    insurance_is_late,
    insurance_most,
    may_insure,
    may_surrender_now,
    may_take_even_money,
    surrender_window,
)
from pitboss.table.round.finish import go_on
from pitboss.table.round.offers import close_offers
from pitboss.table.round.sides import button_wager
from pitboss.table.round.standing_orders import absent_needs_order
from pitboss.table.round.turns import advance, caller_is_on, can_double, can_split, can_switch, open_hand, pass_pending
from pitboss.table.shoe.devices import card_at_hand
from pitboss.table.shoe.shoe_views import ready, shoe_actions
from pitboss.table.state import Bettor, Box, Fate, Hand, HandStatus, Pending, Phase, State
from pitboss.table.working import WorkingDraft


def legal(state: State) -> tuple[cmd.Command, ...]:
    """Every command that would be accepted now, apart from wagers, shuffles and supervisors' actions.

    Amounts stand at their largest: insurance and doubles for less are legal where the book lets them be smaller. A
    double is the controlling player's alone, a split has nobody matching; sharers may be added. What boxes may do as
    soon as an open offer passes is listed too, unless a card comes first: nobody knows then what it will be about.
    """
    if state.phase is Phase.BETTING:
        return (cmd.Deal(),) if ready(state) and _bets_can_close(state) else shoe_actions(state)
    if state.shoe.out:
        return shoe_actions(state)
    if state.phase is Phase.SETTLED:
        return (cmd.NextRound(),)
    if state.phase is Phase.SETTLING:
        return (cmd.Proceed(),)
    if state.trouble.halted:
        return (*choices(WorkingDraft(state)), *_list_play_on(state))
    if state.phase is Phase.TURNS and state.pending is Pending.NOTHING:
        return (*_late_insurance(state), *_turn(state), *choices(WorkingDraft(state)))
    found = [*(_offers(state) if state.phase is Phase.OFFERS else _pending(state)), *choices(WorkingDraft(state))]
    if state.prizes_due:
        return tuple(found)
    return tuple(dict.fromkeys((*found, cmd.Proceed(), *_if_it_passes(state))))


def _bets_can_close(state: State) -> bool:
    try:
        close_bets(WorkingDraft(state))
    except Refused:
        return False
    return True


def _list_play_on(state: State) -> tuple[cmd.Command, ...]:
    """What boxes may do with the cards of a misdeal as they lie, if somebody can play on with them."""
    ahead = WorkingDraft(state)
    try:
        play_on(ahead)
        go_on(ahead)
    except Refused:
        return ()
    if ahead.state.shoe.position != state.shoe.position or ahead.state.phase is Phase.SETTLED:
        return (cmd.Proceed(),)
    return tuple(dict.fromkeys((cmd.Proceed(), *legal(ahead.state))))


def _late_insurance(state: State) -> list[cmd.Command]:
    """Insurance that was not offered in time and may still be placed."""
    if not state.trouble.late_insurance:
        return []
    return [
        cmd.Insure(box=box.number, player=bettor.player, amount=room)
        for box in state.boxes
        for bettor in box.bettors
        if insurance_is_late(state, box, bettor) and (room := _insurance_room(state, box, bettor)) > 0
    ]


def _if_it_passes(state: State) -> Iterator[cmd.Command]:
    """What boxes may do when everything that is open has passed, as long as no card is seen on the way."""
    ahead = WorkingDraft(state)
    try:
        while True:
            if ahead.state.phase is Phase.OFFERS:
                close_offers(ahead)
                advance(ahead)
            else:
                pass_pending(ahead)
            if ahead.state.shoe.position != state.shoe.position:
                return
            if ahead.state.pending is Pending.NOTHING:
                break
            yield from _pending(ahead.state)
    except Refused:
        return
    if open_hand(ahead.state) is not None:
        yield from _turn(ahead.state)


def _offers(state: State) -> list[cmd.Command]:
    found: list[cmd.Command] = []
    for number, player in _next_at_button(state):
        prizes = button_wager(state.rules).prizes
        found.extend(cmd.DrawPrize(box=number, player=player, amount=Money(prize)) for _, prize in prizes)
    for box in state.boxes:
        if box.void:
            continue
        for bettor in box.bettors:
            if (room := _insurance_room(state, box, bettor)) > 0:
                found.append(cmd.Insure(box=box.number, player=bettor.player, amount=room))
            if may_take_even_money(state, box, bettor):
                found.append(cmd.TakeEvenMoney(box=box.number, player=bettor.player))
        if may_surrender_now(state, box):
            found.append(cmd.Surrender(box=box.number))
    return found


def _next_at_button(state: State) -> list[tuple[str, str]]:
    """Who presses the jackpot button next on each box."""
    return [item for place, item in enumerate(state.prizes_due) if item[0] not in dict(state.prizes_due[:place])]


def _insurance_room(state: State, box: Box, bettor: Bettor) -> Money:
    """How much insurance the bettor may still place: it may be raised while the offer is open."""
    if not may_insure(state, box, replace(bettor, insurance=None)):
        return ZERO
    most = insurance_most(state, bettor)
    return most - (bettor.insurance or ZERO)


def _pending(state: State) -> list[cmd.Command]:
    """A choice that passes by itself: a switch, or a double that may be taken back."""
    if state.turn is None:
        return []
    box = state.boxes[state.turn[0]]
    if state.pending is Pending.SWITCH:
        return [cmd.Switch(area=str(box.area))] if can_switch(state, box.area) else []
    return [
        cmd.Forfeit(box=box.number, player=stake.player)
        for stake in box.hands[state.turn[1]].stakes
        if stake.double and stake.fate is Fate.PLAYS
    ]


def _turn(state: State) -> list[cmd.Command]:
    if state.turn is None:
        return []
    box = state.boxes[state.turn[0]]
    hand = box.hands[state.turn[1]]
    found: list[cmd.Command] = []
    if can_switch(state, box.area):
        found.append(cmd.Switch(area=str(box.area)))
    return [*found, *_decisions(state, box, hand), *_surrenders(state, box, hand)]


def _decisions(state: State, box: Box, hand: Hand) -> list[cmd.Command]:
    found: list[cmd.Command] = []
    card = card_at_hand(state)
    if len(hand.cards) < 2:
        return [*((cmd.Hit(box=box.number),) if card else ()), *_absent(state, box)]
    if card and not has_its_one_card(state.packed, hand.from_aces):
        found.append(cmd.Hit(box=box.number))
    if may_stand(state.packed, hand.hard, hand.aces, hand.from_aces):
        found.append(cmd.Stand(box=box.number))
    caller = box.bettor(box.controller) if caller_is_on(box, hand) else None
    if card and caller is not None and can_double(state, hand):
        found.append(cmd.Double(box=box.number, amounts=((caller.player, caller.stake),)))
    if caller is not None and can_split(state, box, hand):
        found.append(cmd.Split(box=box.number))
    return [*found, *_absent(state, box)]


def _absent(state: State, box: Box) -> tuple[cmd.Command, ...]:
    """The dealer may play the hand for nobody, unless somebody has to order it."""
    return () if absent_needs_order(state) is not None else (cmd.PlayAbsent(box=box.number),)


def _surrenders(state: State, box: Box, hand: Hand) -> list[cmd.Command]:
    found: list[cmd.Command] = [
        cmd.Surrender(box=other.number) for other in state.boxes if may_surrender_now(state, other)
    ]
    own_turn = (
        not surrender_before_turns(state.packed)
        and len(box.hands) == 1
        and hand.status is HandStatus.OPEN
        and surrender_window(state, box, True)
        and hand_may_surrender(state, hand)
    )
    if own_turn:
        found.append(cmd.Surrender(box=box.number))
    return found


def legal_words(state: State) -> tuple[str, ...]:
    """What may be done now, as records write it; prizes are not listed one by one."""
    return tuple(words(command) for command in legal(state) if not isinstance(command, cmd.DrawPrize))
