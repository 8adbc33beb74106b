"""How the events of a round change the table: wagers, the deal, hands, the dealer, settlement."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from pitboss.cards import VALUE, add_up
from pitboss.money import ZERO, Money
from pitboss.table.draft import Fold
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shoe_folds import COLLECTED, clear, collect, count_round, draw_on
from pitboss.table.state import (
    Arrival,
    Bet,
    Box,
    CardSource,
    Fate,
    Hand,
    HandStatus,
    Pending,
    Phase,
    Settlement,
    Stake,
    State,
)


def put_box(state: State, index: int, box: Box) -> tuple[Box, ...]:
    """The boxes with one exchanged."""
    return (*state.boxes[:index], box, *state.boxes[index + 1 :])


def put_hand(box: Box, index: int, hand: Hand) -> tuple[Hand, ...]:
    """The hands with one exchanged."""
    return (*box.hands[:index], hand, *box.hands[index + 1 :])


def _bet_placed(state: State, event: ev.BetPlaced) -> State:
    new = event.bet
    bets = []
    found = False
    for bet in state.bets:
        if (bet.box, bet.player, bet.wager) == (new.box, new.player, new.wager):
            seated, tokens = bet.seated or new.seated, bet.tokens + new.tokens
            bet = Bet(bet.box, bet.player, bet.amount + new.amount, bet.wager, seated, tokens)
            found = True
        bets.append(bet)
    if not found:
        bets.append(new)
    if all(arrival.player != new.player for arrival in state.arrivals):
        arrival = Arrival(new.player, int(new.box.rstrip("ab")))
        return replace(state, bets=tuple(bets), arrivals=(*state.arrivals, arrival))
    return replace(state, bets=tuple(bets))


def _bet_removed(state: State, event: ev.BetRemoved) -> State:
    gone = (event.box, event.player, event.wager)
    return replace(state, bets=tuple(bet for bet in state.bets if (bet.box, bet.player, bet.wager) != gone))


def _nothing(state: State, event: ev.Event) -> State:
    return state


def _fold_warned(state: State, event: ev.PlayerWarned) -> State:
    return replace(state, warned=state.warned | {event.player})


def _bets_closed(state: State, event: ev.BetsClosed) -> State:
    return replace(state, boxes=event.boxes, sides=event.sides, carried=(), past=None)


def _meters(state: State, event: ev.MetersGrew) -> State:
    return replace(state, meters={**state.meters, **event.meters})


def _follow_meters(state: State, event: ev.MetersFollowed) -> State:
    """What happens elsewhere is no part of a round here: a round that is rebuilt, and its refills, begin after it."""
    meters = {name: meter for name, meter in {**state.meters, **event.meters}.items() if name not in event.gone}
    opening = state.opening
    if opening is not None:
        began = {
            name: replace(meter, value=meter.value + meters[name].value - state.meters[name].value)
            for name, meter in opening.meters.items()
            if name in meters and name in state.meters
        }
        opening = replace(opening, meters={**{name: meters[name] for name in event.meters}, **began})
    past = None if state.past is None else _follow_meters(state.past, event)
    waiting = None if state.waiting is None else _follow_meters(state.waiting, event)
    return replace(state, meters=meters, opening=opening, past=past, waiting=waiting)


def _initial_deal(state: State, event: ev.InitialDeal) -> State:
    count = len(state.boxes)
    first, up, second = event.cards[:count], event.cards[count], event.cards[count + 1 : 2 * count + 1]
    boxes = []
    for box, one, two in zip(state.boxes, first, second, strict=True):
        stakes = tuple([Stake(bettor.player, bettor.stake, True) for bettor in box.bettors])
        aces = (one[0] == "A") + (two[0] == "A")
        hand = Hand((one, two), stakes, VALUE[one] + VALUE[two], aces, face_down=box.number in event.face_down)
        boxes.append(replace(box, hands=(hand,)))
    hole = event.cards[2 * count + 1 :]
    shown = (up, *hole)
    hard, aces = VALUE[up], int(up[0] == "A")
    shoe = draw_on(count_round(state), len(event.cards) - len(state.part))
    return replace(
        state,
        boxes=tuple(boxes),
        dealer=shown,
        dealer_hard=hard,
        dealer_aces=aces,
        hole=bool(hole),
        shoe=shoe,
        part=(),
    )


def _phase(state: State, event: ev.PhaseBegan) -> State:
    return replace(state, phase=event.phase, turn=None, pending=Pending.NOTHING)


def _status(state: State, number: str, hand: int, status: HandStatus, ended: tuple[str, ...]) -> State:
    index = state.box_index(number)
    box = state.boxes[index]
    old = box.hands[hand]
    changed = replace(old, status=status, ended=ended, drawing=False)
    boxes = put_box(state, index, replace(box, hands=put_hand(box, hand, changed)))
    if status in COLLECTED and old.status not in COLLECTED:
        return replace(state, boxes=boxes, shoe=collect(state.shoe, old.cards))
    return replace(state, boxes=boxes)


def _natural_stands(state: State, event: ev.NaturalStands) -> State:
    return _status(state, event.box, 0, HandStatus.NATURAL, ("no_card_on_21",))


def _bettor(state: State, number: str, player: str, **changes: Any) -> tuple[Box, ...]:
    """The boxes with something changed for one bettor."""
    index = state.box_index(number)
    box = state.boxes[index]
    bettors = tuple(replace(bettor, **changes) if bettor.player == player else bettor for bettor in box.bettors)
    return put_box(state, index, replace(box, bettors=bettors))


def _insurance(state: State, event: ev.InsurancePlaced) -> State:
    bettor = state.boxes[state.box_index(event.box)].bettor(event.player)
    before: Money = ZERO if bettor is None or bettor.insurance is None else bettor.insurance
    return replace(state, boxes=_bettor(state, event.box, event.player, insurance=before + event.amount))


def _even_money(state: State, event: ev.EvenMoneyTaken) -> State:
    return replace(state, boxes=_bettor(state, event.box, event.player, even_money=True))


def _prizes_due(state: State, event: ev.PrizesDue) -> State:
    return replace(state, prizes_due=event.due)


def _turn(state: State, event: ev.TurnBegan) -> State:
    return replace(state, turn=(state.box_index(event.box), event.hand - 1), pending=event.pending)


def _card_drawn(state: State, event: ev.CardDrawn) -> State:
    index = state.box_index(event.box)
    box = state.boxes[index]
    hand = box.hands[event.hand - 1]
    card = event.card
    grown = replace(
        hand,
        cards=(*hand.cards, card),
        hard=hand.hard + VALUE[card],
        aces=hand.aces + (card[0] == "A"),
        drawing=event.why == "automatic",
    )
    box = replace(box, hands=put_hand(box, event.hand - 1, grown), third_card=True)
    shoe = draw_on(state.shoe)
    return replace(state, boxes=put_box(state, index, box), shoe=shoe, further_card=True)


def _fold_doubled(state: State, event: ev.Doubled) -> State:
    index = state.box_index(event.box)
    box = state.boxes[index]
    hand = box.hands[event.hand - 1]
    changed = replace(hand, stakes=event.stakes, doubled=True, aces=hand.aces - event.fixed_aces)
    box = replace(box, hands=put_hand(box, event.hand - 1, changed), tokens=event.tokens)
    return replace(state, boxes=put_box(state, index, box))


def _split(state: State, event: ev.HandSplit) -> State:
    index = state.box_index(event.box)
    box = state.boxes[index]
    at = event.hand - 1
    old = box.hands[at]
    halves = []
    for card, stakes in zip(old.cards, (event.first, event.second), strict=True):
        ace = card[0] == "A"
        halves.append(Hand((card,), stakes, VALUE[card], int(ace), from_split=True, from_aces=ace))
    hands = (*box.hands[:at], *halves, *box.hands[at + 1 :])
    sevens = box.suited_sevens_split or event.suited_sevens
    box = replace(box, hands=hands, tokens=event.tokens, suited_sevens_split=sevens)
    return replace(state, boxes=put_box(state, index, box))


def _split_declined(state: State, event: ev.SplitDeclined) -> State:
    index = state.box_index(event.box)
    return replace(state, boxes=put_box(state, index, replace(state.boxes[index], split_declined=True)))


def _fold_switched(state: State, event: ev.Switched) -> State:
    pair = [index for index, box in enumerate(state.boxes) if box.area == event.area]
    left, right = (state.boxes[index].hands[0] for index in pair)
    exchanged = ((left.cards[0], right.cards[1]), (right.cards[0], left.cards[1]))
    boxes = list(state.boxes)
    for index, hand, cards in zip(pair, (left, right), exchanged, strict=True):
        hard, aces = add_up(cards)
        new = replace(hand, cards=cards, hard=hard, aces=aces, status=HandStatus.OPEN, ended=())
        boxes[index] = replace(boxes[index], hands=(new,), switched=True, switch_closed=True)
    return replace(state, boxes=tuple(boxes), pending=Pending.NOTHING)


def _switch_declined(state: State, event: ev.SwitchDeclined) -> State:
    boxes = tuple(replace(box, switch_closed=True) if box.area == event.area else box for box in state.boxes)
    return replace(state, boxes=boxes, pending=Pending.NOTHING)


def _pending_passed(state: State, event: ev.PendingPassed) -> State:
    return replace(state, pending=Pending.NOTHING)


def _fates(state: State, number: str, at: int, players: tuple[str, ...], fate: Fate) -> tuple[Box, ...]:
    """The boxes with another fate for the stakes of `players` on one hand."""
    index = state.box_index(number)
    box = state.boxes[index]
    hand = box.hands[at]
    stakes = tuple(replace(stake, fate=fate) if stake.player in players else stake for stake in hand.stakes)
    box = replace(box, hands=put_hand(box, at, replace(hand, stakes=stakes)))
    return put_box(state, index, box)


def _surrender(state: State, event: ev.SurrenderTaken) -> State:
    return replace(state, boxes=_fates(state, event.box, 0, event.players, Fate.SURRENDERED))


def _fold_forfeited(state: State, event: ev.Forfeited) -> State:
    index = state.box_index(event.box)
    box = state.boxes[index]
    hand = box.hands[event.hand - 1]
    stakes = tuple(replace(stake, double=ZERO) if stake.player == event.player else stake for stake in hand.stakes)
    box = replace(box, hands=put_hand(box, event.hand - 1, replace(hand, stakes=stakes)))
    return replace(state, boxes=put_box(state, index, box))


def _control_passed(state: State, event: ev.ControlPassed) -> State:
    index = state.box_index(event.box)
    return replace(state, boxes=put_box(state, index, replace(state.boxes[index], controller=event.controller)))


def _fold_left_to_dealer(state: State, event: ev.LeftToDealer) -> State:
    index = state.box_index(event.box)
    return replace(state, boxes=put_box(state, index, replace(state.boxes[index], absent=True)))


def _hand_ended(state: State, event: ev.HandEnded) -> State:
    return _status(state, event.box, event.hand - 1, event.status, event.matters)


def _dealer_drew(state: State, event: ev.DealerDrew) -> State:
    card = event.card
    if state.hole:
        # The hole card is turned over: it left the shoe with the initial deal.
        return replace(
            state,
            hole=False,
            dealer_hard=state.dealer_hard + VALUE[card],
            dealer_aces=state.dealer_aces + (card[0] == "A"),
        )
    return replace(
        state,
        dealer=(*state.dealer, card),
        dealer_hard=state.dealer_hard + VALUE[card],
        dealer_aces=state.dealer_aces + (card[0] == "A"),
        shoe=draw_on(state.shoe),
    )


def _fold_settled(state: State, event: ev.WagerSettled) -> State:
    settlement = event.settlement
    boxes = state.boxes
    if settlement.wager == "main" and settlement.hand:
        boxes = _fates(state, settlement.box, settlement.hand - 1, (settlement.player,), Fate.SETTLED)
    elif settlement.wager == "insurance":
        boxes = _bettor(state, settlement.box, settlement.player, insurance=None)
    else:
        return _side_taken_back(state, settlement)
    return replace(state, boxes=boxes, settlements=(*state.settlements, settlement))


def _side_taken_back(state: State, settlement: Settlement) -> State:
    """A side wager has not won what was taken back from it, and is not carried over for it."""
    key = (settlement.box, settlement.player, settlement.wager)
    if settlement.net < 0:
        carried = tuple(item for item in state.carried if (item.box, item.player, item.wager) != key)
        state = state if carried == state.carried else replace(state, carried=carried)
    sides = tuple(
        replace(bet, paid=bet.paid + settlement.net)
        if settlement.net < 0 < bet.paid and (bet.box, bet.player, bet.wager) == key
        else bet
        for bet in state.sides
    )
    return replace(state, sides=sides, settlements=(*state.settlements, settlement))


def _side_settled(state: State, event: ev.SideSettled) -> State:
    bet, won = state.sides[event.index], event.settlement.net
    if won > 0:
        bet = replace(bet, paid=bet.paid + won)
    bet = replace(bet, state=event.state)
    sides = (*state.sides[: event.index], bet, *state.sides[event.index + 1 :])
    return replace(state, sides=sides, settlements=(*state.settlements, event.settlement))


def _side_advanced(state: State, event: ev.SideAdvanced) -> State:
    bet = replace(state.sides[event.index], state=event.state)
    return replace(state, sides=(*state.sides[: event.index], bet, *state.sides[event.index + 1 :]))


def _fold_carried(state: State, event: ev.WagerCarried) -> State:
    return replace(state, carried=(*state.carried, event.carried))


def _box_voided(state: State, event: ev.BoxVoided) -> State:
    index = state.box_index(event.box)
    return replace(state, boxes=put_box(state, index, replace(state.boxes[index], void=True)))


def _round_voided(state: State, event: ev.RoundVoided) -> State:
    return replace(state, void=True, carried=())


def _round_ended(state: State, event: ev.RoundEnded) -> State:
    ended = replace(state, phase=Phase.SETTLED, turn=None, pending=Pending.NOTHING, prizes_due=(), awaited=None)
    if ended.shoe.out and ended.shoe.source is CardSource.KEYED:
        return replace(ended, shoe=replace(ended.shoe, out=False))
    return ended


def _round_began(state: State, event: ev.RoundBegan) -> State:
    """Betting opens, or goes on if it waited for the round before to be put right."""
    if state.waiting is not None:
        return _resume_betting(state, state.waiting)
    return State(
        rules=state.rules,
        packed=state.packed,
        limits=state.limits,
        places=state.places,
        shoe=clear(state),
        round=state.round + 1,
        carried=state.carried,
        meters=state.meters,
        warned=state.warned,
        arrivals=state.arrivals,
        house=state.house,
        revealed=state.revealed,
        floor=state.floor,
        past=replace(state, past=None),
    )


def _resume_betting(state: State, waiting: State) -> State:
    """Wagers of the next round lie where they lay; what the round that was put right changed has changed."""
    dealt_again = waiting.past is None or state.trouble.rebuilt > waiting.past.trouble.rebuilt
    return replace(
        waiting,
        shoe=clear(state) if dealt_again else waiting.shoe,
        carried=state.carried,
        meters=state.meters,
        warned=state.warned,
        floor=state.floor,
        past=replace(state, waiting=None),
    )


ROUND_FOLDS: dict[type[ev.Event], Fold] = {
    ev.BetPlaced: _bet_placed,
    ev.BetRemoved: _bet_removed,
    ev.NoticeShown: _nothing,
    ev.WagerReturned: _nothing,
    ev.PlayerWarned: _fold_warned,
    ev.BetsClosed: _bets_closed,
    ev.MetersGrew: _meters,
    ev.MetersFollowed: _follow_meters,
    ev.InitialDeal: _initial_deal,
    ev.PhaseBegan: _phase,
    ev.NaturalStands: _natural_stands,
    ev.InsurancePlaced: _insurance,
    ev.EvenMoneyTaken: _even_money,
    ev.PrizesDue: _prizes_due,
    ev.TurnBegan: _turn,
    ev.CardDrawn: _card_drawn,
    ev.Doubled: _fold_doubled,
    ev.HandSplit: _split,
    ev.SplitDeclined: _split_declined,
    ev.Switched: _fold_switched,
    ev.SwitchDeclined: _switch_declined,
    ev.PendingPassed: _pending_passed,
    ev.SurrenderTaken: _surrender,
    ev.Forfeited: _fold_forfeited,
    ev.ControlPassed: _control_passed,
    ev.LeftToDealer: _fold_left_to_dealer,
    ev.HandEnded: _hand_ended,
    ev.DealerDrew: _dealer_drew,
    ev.DealerStopped: _nothing,
    ev.WagerSettled: _fold_settled,
    ev.SideSettled: _side_settled,
    ev.SideAdvanced: _side_advanced,
    ev.WagerCarried: _fold_carried,
    ev.BoxVoided: _box_voided,
    ev.RoundVoided: _round_voided,
    ev.RoundEnded: _round_ended,
    ev.RoundBegan: _round_began,
}
"""What the events of wagers, hands and settlement do to a table."""
