"""What a round remembers of itself, so that it can be rebuilt: where it began, which cards came, what was asked.

The story of a round is what was asked in it, each deed with what whoever asked had before them. Beside the fold of an
event, `NOTES` says what else is remembered of it. Counts that go by rounds are kept here too: rounds without a wager,
and rounds until the table closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from pitboss.play.hands import is_natural
from pitboss.play.naturals import may_become_natural, natural_paid_now
from pitboss.play.surrender import surrender_before_turns
from pitboss.play.switching import hand_may_switch
from pitboss.table.draft import Fold
from pitboss.table.floor_state import AFTER_OFFERS, AFTER_THE_ROUND, AT_ITS_TURN, BEFORE_PLAY, Deed, RoundCommand
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.round.held_money import keep_winnings, list_prizes
from pitboss.table.round.turns import can_switch
from pitboss.table.shoe.shoe_folds import is_stacked_on
from pitboss.table.state import Arrival, Pending, Phase, RoundOpening, State

Told = ev.Asked | ru.DecidedAgain
"""What the story of a round consists of."""

Note = Callable[[State, State, Any], State]
"""State before the event, state after it, the event: the state with what is remembered."""


def _note_opening(before: State, after: State, event: ev.Event) -> State:
    """The first event of the close of betting: this is where the round begins."""
    if after.opening is not None or before.phase is not Phase.BETTING:
        return after
    opening = RoundOpening(before.shoe, before.bets, before.carried, before.meters, before.warned, before.floor)
    return replace(after, opening=opening)


def _initial_deal(before: State, after: State, event: ev.InitialDeal) -> State:
    fresh = event.cards[len(before.part) :]
    return replace(after, drawn=(*after.drawn, *fresh))


def _part(before: State, after: State, event: ev.PartDealt) -> State:
    return replace(after, drawn=(*after.drawn, *event.cards))


def _burnt(before: State, after: State, event: ev.CardsBurnt) -> State:
    """A card burnt on the way into a round is burnt again when the round is rebuilt; one found face up is not."""
    after = _no_longer_stray(after)
    in_deal = before.phase is Phase.BETTING and bool(before.part)
    if after.opening is None or before.phase not in (Phase.BETTING, Phase.DEALING) or in_deal:
        return after
    return replace(after, drawn=(*after.drawn, *event.cards))


def _dealer_drew(before: State, after: State, event: ev.DealerDrew) -> State:
    return after if before.hole else _no_longer_stray(replace(after, drawn=(*after.drawn, event.card)))


def _no_longer_stray(state: State) -> State:
    """A card dealt in error was the next card, and somebody has it now."""
    return replace(state, trouble=replace(state.trouble, stray=False)) if state.trouble.stray else state


def _card(before: State, after: State, event: ev.CardDrawn) -> State:
    return _no_longer_stray(replace(after, drawn=(*after.drawn, event.card)))


# ---------------------------------------------------------------------- the story


def _tell_story(state: State, event: Told) -> State:
    """What was asked in the round is part of its story, and so is what it lets pass."""
    find = DEEDS.get(event.command.__class__)
    if find is None or state.phase in (Phase.BETTING, Phase.DEALING):
        return state
    return replace(state, deeds=(*state.deeds, *find(state, event)))


def _decide_hand(state: State, event: Told) -> Iterator[Deed]:
    """A decision on the hand that acts. Given before its turn, it is about the hand as it is when the turn comes."""
    command: Any = event.command
    b = state.box_index(command.box)
    if b < 0:
        return
    if state.rules.switch or state.pending is Pending.RESCUE:
        yield from _let_pass(state, event, state.boxes[b].area)
    decided = SAME_AS[type(command)](box=command.box) if type(command) in SAME_AS else _strip_name(command)
    if state.turn is not None and state.turn[0] == b and state.pending is Pending.NOTHING:
        yield _make_deed(state, event, command.box, state.turn[1], decided)
    else:
        yield Deed(command.box, AT_ITS_TURN, (), "", decided, event.by)


def _let_pass(state: State, event: Told, area: int) -> Iterator[Deed]:
    """A decision in an area lets pass what is open before it: a double that may be taken back, switches."""
    if state.pending is Pending.RESCUE:
        yield from _pass(state, event)
    if state.rules.switch:
        for other in dict.fromkeys(box.area for box in state.boxes if box.area <= area):
            if _is_asked_to_switch(state, other):
                yield _make_area_deed(state, event, other, cmd.Proceed())


def _is_asked_to_switch(state: State, area: int) -> bool:
    """The area may switch; after a misdeal, once it is played on and naturals are paid."""
    if not can_switch(state, area) or not state.trouble.halted:
        return can_switch(state, area)
    paid = natural_paid_now(state.packed, may_become_natural(state.up_rank))
    return all(
        hand_may_switch(state.packed, is_natural(hand.hard, hand.aces, len(hand.cards)), paid)
        for box in state.boxes
        if box.area == area
        for hand in box.hands
    )


def _pass(state: State, event: Told) -> Iterator[Deed]:
    """Play goes on: a choice that was open is left."""
    if state.turn is None or state.pending is Pending.NOTHING:
        return
    b, h = state.turn
    box = state.boxes[b]
    if state.pending is Pending.SWITCH:
        yield _make_area_deed(state, event, box.area, cmd.Proceed())
    else:
        yield _make_deed(state, event, box.number, h, cmd.Proceed())


def _switch(state: State, event: Told) -> Iterator[Deed]:
    command: Any = event.command
    area = next((box.area for box in state.boxes if str(box.area) == command.area), 0)
    yield from _let_pass(state, event, area - 1)
    yield _make_area_deed(state, event, area, _strip_name(command))


def _surrender(state: State, event: Told) -> Iterator[Deed]:
    if not surrender_before_turns(state.packed) and state.pending is Pending.RESCUE:
        yield from _pass(state, event)
    yield from _take_offer(state, event)


def _take_offer(state: State, event: Told) -> Iterator[Deed]:
    """What is about the first two cards of a box, whoever acts."""
    command: Any = event.command
    yield _make_deed(state, event, command.box, 0, _strip_name(command))


def _insure(state: State, event: Told) -> Iterator[Deed]:
    """Insurance that is placed late has its place among the decisions; else it belongs to the offers."""
    late = state.phase is Phase.TURNS
    yield from (replace(deed, hand=AFTER_OFFERS) if late else deed for deed in _take_offer(state, event))


def _press(state: State, event: Told) -> Iterator[Deed]:
    """Whoever presses the button, the prize is drawn."""
    command: Any = event.command
    drawn = cmd.DrawPrize(box=command.box, player=command.player, amount=command.amount)
    yield _make_deed(state, event, command.box, 0, drawn)


def _leave(state: State, event: Told) -> Iterator[Deed]:
    """Who leaves one box of an area leaves it all."""
    command: Any = event.command
    boxes = (box.number for box in state.boxes if command.box in (box.number, str(box.area)))
    yield _make_deed(state, event, next(boxes, command.box), 0, command)


def _forfeit(state: State, event: Told) -> Iterator[Deed]:
    command: Any = event.command
    yield _make_deed(state, event, command.box, state.turn[1] if state.turn is not None else 0, _strip_name(command))


def _rule(state: State, event: Told) -> Iterator[Deed]:
    """A ruling on the round, or a wager that is taken back because of one."""
    command: Any = event.command
    when = AFTER_THE_ROUND if state.phase is Phase.SETTLED else BEFORE_PLAY if state.trouble.halted else 0
    yield Deed("", when, (), "", command, event.by)


def _void(state: State, event: Told) -> Iterator[Deed]:
    """A void of single wagers leaves a round that can be rebuilt; a void round is over."""
    command: Any = event.command
    if command.box is not None or command.player is not None:
        yield from _rule(state, event)


def _first_card(state: State, event: Told) -> Iterator[Deed]:
    """When the dealer takes a missing first card is the choice of whoever's hand acts."""
    command: Any = event.command
    if state.turn is None:
        yield Deed("", AT_ITS_TURN, (), "", command, event.by)
    else:
        b, h = state.turn
        yield _make_deed(state, event, state.boxes[b].number, h, command)


def _make_deed(state: State, event: Told, box: str, hand: int, command: RoundCommand) -> Deed:
    index = state.box_index(box)
    cards = state.boxes[index].hands[hand].cards if index >= 0 and hand < len(state.boxes[index].hands) else ()
    return Deed(box, hand, cards, state.up_card or "", command, event.by)


def _make_area_deed(state: State, event: Told, area: int, command: RoundCommand) -> Deed:
    cards = tuple(card for box in state.boxes if box.area == area for card in box.hands[0].cards)
    return Deed(str(area), 0, cards, state.up_card or "", command, event.by)


def _strip_name(command: Any) -> Any:
    """The command without the name of who gave it, which is kept separately."""
    return command if getattr(command, "by", None) is None else replace(command, by=None)


def _turn(before: State, after: State, event: ev.TurnBegan) -> State:
    """The hand that a decision was about before its turn is known now."""
    if not after.deeds or event.pending is not Pending.NOTHING:
        return after
    deed = after.deeds[-1]
    if deed.hand != AT_ITS_TURN or deed.box not in ("", event.box):
        return after
    cards = after.boxes[after.box_index(event.box)].hands[event.hand - 1].cards
    known = replace(deed, box=event.box, hand=event.hand - 1, cards=cards, up=after.up_card or "")
    return replace(after, deeds=(*after.deeds[:-1], known))


SAME_AS: dict[type[cmd.Command], type[cmd.Stand | cmd.PlayAbsent]] = {
    od.RefuseCard: cmd.Stand,
    od.DirectAbsent: cmd.PlayAbsent,
}
"""Decisions that are another one by another name: a card is refused by standing, and nobody acts by direction too."""

DEEDS: dict[type[cmd.Command], Callable[[State, Any], Iterator[Deed]]] = {
    cmd.Hit: _decide_hand,
    cmd.Stand: _decide_hand,
    cmd.Double: _decide_hand,
    cmd.Split: _decide_hand,
    cmd.PlayAbsent: _decide_hand,
    od.DirectAbsent: _decide_hand,
    od.RefuseCard: _decide_hand,
    cmd.Switch: _switch,
    cmd.Proceed: _pass,
    cmd.Surrender: _surrender,
    cmd.Insure: _insure,
    cmd.TakeEvenMoney: _take_offer,
    cmd.DrawPrize: _take_offer,
    od.PressButton: _press,
    cmd.SystemPick: _take_offer,
    cmd.Forfeit: _forfeit,
    cmd.LeaveBox: _leave,
    cmd.Void: _void,
    od.Retract: _rule,
    od.Malfunction: _rule,
    od.PanelPrize: _rule,
    od.Unregistered: _rule,
    od.LateInsurance: _rule,
    od.DiscardHand: _rule,
    od.FirstCard: _first_card,
    od.DeviceFailed: _rule,
}
"""What is asked in a round by players, dealer and machines, what is ruled on it, and what the round remembers of it."""


# ---------------------------------------------------------------------- counts that go by rounds


def _bets_closed(before: State, after: State, event: ev.BetsClosed) -> State:
    """A player at the table without a wager is idle for one round more."""
    after = _note_opening(before, after, event)
    if after.trouble.rebuilt:
        return after
    playing = {bettor.player for box in event.boxes for bettor in box.bettors} | {bet.player for bet in event.sides}
    idle = {
        arrival.player: after.floor.idle.get(arrival.player, 0) + 1
        for arrival in after.arrivals
        if arrival.player not in playing and (not after.rules.idle_only_when_full or others_are_taken(after, arrival))
    }
    return after if idle == after.floor.idle else replace(after, floor=replace(after.floor, idle=idle))


def others_are_taken(state: State, arrival: Arrival) -> bool:
    """Every other seat of the table has somebody."""
    taken = {item.area for item in state.arrivals if item.player != arrival.player}
    return all(area in taken for area in range(1, state.places + 1) if area != arrival.area)


def _round_ended(before: State, after: State, event: ev.RoundEnded) -> State:
    """One of the rounds announced before the table closes is over; a wager carried over from the last adds one."""
    closing = after.floor.closing
    if closing is None or closing.rounds_left is None or before.phase is Phase.SETTLED or before.trouble.ended:
        return after
    left = max(closing.rounds_left - 1, 0)
    extra = left == 0 and bool(after.carried) and not closing.extra
    new = replace(closing, rounds_left=1 if extra else left, extra=extra or closing.extra)
    return replace(after, floor=replace(after.floor, closing=new))


def _note_reshuffle(before: State, after: State, event: ev.Event) -> State:
    """Restrictions that hold until the reshuffle are over, unless these cards belong to the same shoe."""
    goes_on = event.mid_round if isinstance(event, ev.Shuffled) else is_stacked_on(before.shoe)
    if isinstance(event, ev.ShoeBrought):
        goes_on = False
    if goes_on:
        return after
    kept = tuple(item for item in after.floor.restrictions if not item.until_reshuffle)
    return after if kept == after.floor.restrictions else replace(after, floor=replace(after.floor, restrictions=kept))


def _note_leaving(before: State, after: State, event: ev.PlayerLeft) -> State:
    """Idle rounds are forgotten, and so is the right to an old minimum."""
    idle = {player: count for player, count in after.floor.idle.items() if player != event.player}
    protected = tuple(item for item in after.floor.protected if item.player != event.player)
    return replace(after, floor=replace(after.floor, idle=idle, protected=protected))


def _note_cleared(before: State, after: State, event: ev.RoundBegan) -> State:
    """What was won and not handed over is kept beyond its round."""
    prizes = list_prizes(before)
    if not before.floor.withheld and not before.floor.holds_prizes and prizes == after.floor.prizes:
        return after
    floor = replace(after.floor, withheld=keep_winnings(before), prizes=prizes, holds_prizes=False)
    return replace(after, floor=floor)


STORY_FOLDS: dict[type[ev.Event], Fold] = {
    ev.Asked: _tell_story,
    ru.DecidedAgain: _tell_story,
}
"""What is asked changes nothing but the story of the round; what follows from it, other events say."""

NOTES: dict[type[ev.Event], Note] = {
    ev.WagerReturned: _note_opening,
    ev.PlayerWarned: _note_opening,
    ev.BetsClosed: _bets_closed,
    ev.InitialDeal: _initial_deal,
    ev.PartDealt: _part,
    ev.CardsBurnt: _burnt,
    ev.CardDrawn: _card,
    ev.DealerDrew: _dealer_drew,
    ev.TurnBegan: _turn,
    ev.RoundEnded: _round_ended,
    ev.RoundBegan: _note_cleared,
    ev.ShoeLoaded: _note_reshuffle,
    ev.ShoeBrought: _note_reshuffle,
    ev.Shuffled: _note_reshuffle,
    ev.PlayerLeft: _note_leaving,
}
"""What is remembered of an event beside what it changes."""
