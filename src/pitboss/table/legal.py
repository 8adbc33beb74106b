"""What may be done now: every legal action of players and dealer, and why something is not one."""

from __future__ import annotations

from pitboss.cards import CARD_ID
from pitboss.money import Money, half
from pitboss.play.packed import INSURANCE_WHOLE, SURRENDER_OWN_TURN
from pitboss.play.turns import must_draw, surrender_fits, surrender_open
from pitboss.table import commands as cmd
from pitboss.table.dealing import may_insure, may_surrender_now, may_take_even_money, surrender_closed
from pitboss.table.devices import ShoeEmpty, card_at_hand
from pitboss.table.draft import Draft
from pitboss.table.notation import words
from pitboss.table.offers import close_offers
from pitboss.table.shoe_views import ready, shoe_actions
from pitboss.table.state import Box, Fate, Hand, HandStatus, Pending, Phase, State
from pitboss.table.turns import advance, can_double, can_split, can_switch


def legal(state: State) -> tuple[cmd.Command, ...]:
    """Every command that would be accepted now, apart from wagers, shuffles and supervisors' actions.

    Amounts stand at their largest: insurance and doubles for less are legal where the book lets them be smaller. A
    double is the controlling player's alone, a split has nobody matching; sharers may be added.
    """
    if state.phase is Phase.BETTING:
        dealt_to = ready(state) and any(bet.wager == "main" for bet in state.bets)
        return (cmd.Deal(),) if dealt_to else shoe_actions(state)
    if state.shoe.out:
        return shoe_actions(state)
    if state.phase is Phase.SETTLED:
        return (cmd.NextRound(),)
    found: list[cmd.Command] = []
    if state.phase is Phase.OFFERS:
        found.extend(_offers(state))
        if state.prizes_due:
            return tuple(found)
        found.append(cmd.Proceed())
        ahead = Draft(state)
        close_offers(ahead)
        try:
            advance(ahead)
        except ShoeEmpty:
            return tuple(found)
        state = ahead.state
    elif state.pending is not Pending.NOTHING:
        found.append(cmd.Proceed())
    found.extend(_turn(state, skip_surrender=any(isinstance(item, cmd.Surrender) for item in found)))
    return tuple(found)


def _offers(state: State) -> list[cmd.Command]:
    found: list[cmd.Command] = []
    for number, player in state.prizes_due:
        side = next(side for side in state.rules.side_wagers if side.judge == "pandemonium")
        found.extend(cmd.DrawPrize(box=number, player=player, amount=Money(prize)) for _, prize in side.prizes)
    for box in state.boxes:
        if box.void:
            continue
        for bettor in box.bettors:
            if may_insure(state, box, bettor):
                most = bettor.stake if state.packed.insurance_max == INSURANCE_WHOLE else half(bettor.stake)
                found.append(cmd.Insure(box=box.number, player=bettor.player, amount=most))
            if may_take_even_money(state, box, bettor):
                found.append(cmd.TakeEvenMoney(box=box.number, player=bettor.player))
        if may_surrender_now(state, box):
            found.append(cmd.Surrender(box=box.number))
    return found


def _turn(state: State, *, skip_surrender: bool) -> list[cmd.Command]:
    if state.turn is None:
        return []
    b, h = state.turn
    box = state.boxes[b]
    hand = box.hands[h]
    found: list[cmd.Command] = []
    if can_switch(state, box.area):
        found.append(cmd.Switch(area=str(box.area)))
    if state.pending is Pending.RESCUE:
        found.extend(
            cmd.Forfeit(box=box.number, player=stake.player)
            for stake in hand.stakes
            if stake.double and stake.fate is Fate.PLAYS
        )
    if state.pending is not Pending.NOTHING:
        return found
    found.extend(_decisions(state, box, hand))
    if not skip_surrender:
        found.extend(_surrenders(state, box, hand))
    return found


def _decisions(state: State, box: Box, hand: Hand) -> list[cmd.Command]:
    found: list[cmd.Command] = []
    waits_for_split = hand.from_aces and state.rules.split_aces_one_card
    card = card_at_hand(state)
    if not waits_for_split and card:
        found.append(cmd.Hit(box=box.number))
    if waits_for_split or not must_draw(state.packed, hand.hard, hand.aces):
        found.append(cmd.Stand(box=box.number))
    if card and can_double(state, hand):
        bettor = box.bettor(box.controller)
        found.append(cmd.Double(box=box.number, amounts=((box.controller, bettor.stake),) if bettor else ()))
    if can_split(state, box, hand):
        found.append(cmd.Split(box=box.number))
    found.append(cmd.PlayAbsent(box=box.number))
    return found


def _surrenders(state: State, box: Box, hand: Hand) -> list[cmd.Command]:
    found: list[cmd.Command] = [
        cmd.Surrender(box=other.number) for other in state.boxes if may_surrender_now(state, other)
    ]
    own_turn = (
        state.packed.surrender_when == SURRENDER_OWN_TURN
        and len(box.hands) == 1
        and hand.status is HandStatus.OPEN
        and surrender_open(state.packed, True, surrender_closed(state, box))
        and surrender_fits(
            state.packed, CARD_ID[state.dealer[0]] // 4, hand.hard, hand.aces, len(hand.cards), hand.from_split
        )
    )
    if own_turn:
        found.append(cmd.Surrender(box=box.number))
    return found


def legal_words(state: State) -> tuple[str, ...]:
    """What may be done now, as records write it; prizes are not listed one by one."""
    return tuple(words(command) for command in legal(state) if not isinstance(command, cmd.DrawPrize))
