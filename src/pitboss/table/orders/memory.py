"""What a round remembers of itself, so that it can be rebuilt: where it began, which cards came, what was decided.

Beside the fold of an event, `NOTES` says what is remembered of it. Counts that go by rounds are kept here too: rounds
without a wager, and rounds until the table closes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from pitboss.cards import CARD_ID, VALUE
from pitboss.money import Money
from pitboss.play.splitting import may_split
from pitboss.rulebooks import Rules
from pitboss.table import commands as cmd
from pitboss.table import events as ev
from pitboss.table.orders.floor_state import Deed, RoundCommand
from pitboss.table.state import Box, Hand, HandStatus, Opening, Phase, Settlement, State

PICKS = ("lucky", "mystery")
"""Outcomes of side wagers that the jackpot system picks."""

Note = Callable[[State, State, Any], State]
"""State before the event, state after it, the event: the state with what is remembered."""


def _opened(before: State, after: State, event: ev.Event) -> State:
    """The first event of the close of betting: this is where the round begins."""
    if after.opening is not None or before.phase is not Phase.BETTING:
        return after
    opening = Opening(before.shoe, before.bets, before.carried, before.meters, before.warned)
    return replace(after, opening=opening)


def _initial_deal(before: State, after: State, event: ev.InitialDeal) -> State:
    fresh = event.cards[len(before.part) :]
    return replace(after, drawn=(*after.drawn, *fresh))


def _part(before: State, after: State, event: ev.PartDealt) -> State:
    return replace(after, drawn=(*after.drawn, *event.cards))


def _burnt(before: State, after: State, event: ev.CardsBurnt) -> State:
    """A card burnt on the way into a round is burnt again when the round is rebuilt; one found face up is not."""
    after = _no_longer_stray(after)
    if after.opening is None or before.phase not in (Phase.BETTING, Phase.DEALING):
        return after
    return replace(after, drawn=(*after.drawn, *event.cards))


def _dealer_drew(before: State, after: State, event: ev.DealerDrew) -> State:
    return after if before.hole else _no_longer_stray(replace(after, drawn=(*after.drawn, event.card)))


def _no_longer_stray(state: State) -> State:
    """A card dealt in error was the next card, and somebody has it now."""
    return replace(state, trouble=replace(state.trouble, stray=False)) if state.trouble.stray else state


def _card(before: State, after: State, event: ev.CardDrawn) -> State:
    drawn = (*after.drawn, event.card)
    if event.why != "hit":
        return _no_longer_stray(replace(after, drawn=drawn))
    deed = _deed(before, event.box, event.hand - 1, cmd.Hit(box=event.box))
    return _no_longer_stray(replace(after, drawn=drawn, deeds=(*after.deeds, deed)))


def _deed(before: State, box: str, hand: int, command: RoundCommand) -> Deed:
    index = before.box_index(box)
    cards = before.boxes[index].hands[hand].cards if index >= 0 and hand < len(before.boxes[index].hands) else ()
    return Deed(box, hand, cards, before.up_card or "", command)


def _done(before: State, after: State, box: str, hand: int, command: RoundCommand) -> State:
    return replace(after, deeds=(*after.deeds, _deed(before, box, hand, command)))


def _ended(before: State, after: State, event: ev.HandEnded) -> State:
    """A player stood, or refused a card. A split ace ends by itself unless it was asked whether to split again."""
    if event.status is not HandStatus.STOOD:
        return after
    box = before.boxes[before.box_index(event.box)]
    asked = "split_aces" in event.matters and _could_split(before, box, box.hands[event.hand - 1])
    if not {"stand", "stray_card"} & set(event.matters) and not asked:
        return after
    return _done(before, after, event.box, event.hand - 1, cmd.Stand(box=event.box))


def _could_split(state: State, box: Box, hand: Hand) -> bool:
    """A split ace was asked whether to split again."""
    if len(hand.cards) != 2 or box.absent or hand.doubled:
        return False
    one, two = hand.cards
    ranks = CARD_ID[one] // 4, CARD_ID[two] // 4
    return may_split(state.packed, VALUE[one], VALUE[two], *ranks, 2, len(box.hands), hand.from_aces, False)


def _doubled(before: State, after: State, event: ev.Doubled) -> State:
    amounts = tuple(
        (stake.player, stake.double + stake.double_token)
        for stake in event.stakes
        if stake.double or stake.double_token
    )
    return _done(before, after, event.box, event.hand - 1, cmd.Double(box=event.box, amounts=amounts))


def _split(before: State, after: State, event: ev.HandSplit) -> State:
    controller = before.boxes[before.box_index(event.box)].controller
    players = tuple(stake.player for stake in event.second if stake.player != controller)
    return _done(before, after, event.box, event.hand - 1, cmd.Split(box=event.box, players=players))


def _surrender(before: State, after: State, event: ev.SurrenderTaken) -> State:
    return _done(before, after, event.box, 0, cmd.Surrender(box=event.box, players=event.players))


def _insured(before: State, after: State, event: ev.InsurancePlaced) -> State:
    command = cmd.Insure(box=event.box, player=event.player, amount=event.amount)
    return _done(before, after, event.box, 0, command)


def _even_money(before: State, after: State, event: ev.EvenMoneyTaken) -> State:
    return _done(before, after, event.box, 0, cmd.TakeEvenMoney(box=event.box, player=event.player))


def _forfeited(before: State, after: State, event: ev.Forfeited) -> State:
    return _done(before, after, event.box, event.hand - 1, cmd.Forfeit(box=event.box, player=event.player))


def _absent(before: State, after: State, event: ev.LeftToDealer) -> State:
    hand = next((h for h, hand in enumerate(_hands(before, event.box)) if hand.status is HandStatus.OPEN), 0)
    return _done(before, after, event.box, hand, cmd.PlayAbsent(box=event.box))


def _control_passed(before: State, after: State, event: ev.ControlPassed) -> State:
    if not event.left:
        return after
    left = before.boxes[before.box_index(event.box)].controller
    return _done(before, after, event.box, 0, cmd.LeaveBox(box=event.box, player=left))


def _hands(state: State, box: str) -> tuple[Hand, ...]:
    return state.boxes[state.box_index(box)].hands


def _area(before: State, after: State, area: int, command: RoundCommand) -> State:
    cards = tuple(card for box in before.boxes if box.area == area for card in box.hands[0].cards)
    return replace(after, deeds=(*after.deeds, Deed(str(area), 0, cards, before.up_card or "", command)))


def _switched(before: State, after: State, event: ev.Switched) -> State:
    return _area(before, after, event.area, cmd.Switch(area=str(event.area)))


def _switch_declined(before: State, after: State, event: ev.SwitchDeclined) -> State:
    return _area(before, after, event.area, cmd.Proceed())


def _passed(before: State, after: State, event: ev.PendingPassed) -> State:
    """Nobody took the double back that could have been."""
    if before.turn is None:
        return after
    b, h = before.turn
    return _done(before, after, before.boxes[b].number, h, cmd.Proceed())


def _side(before: State, after: State, event: ev.SideSettled) -> State:
    settled = event.settlement
    if settled.outcome in PICKS:
        return _done(before, after, settled.box, 0, cmd.SystemPick(pick=settled.outcome, box=settled.box))
    if settled.outcome != "prize":
        return after
    prize = prize_drawn(before.rules, settled)
    return _done(before, after, settled.box, 0, cmd.DrawPrize(box=settled.box, player=settled.player, amount=prize))


def prize_drawn(rules: Rules, settled: Settlement) -> Money:
    """What the jackpot button drew for each unit staked."""
    side = rules.side_wager(settled.wager)
    return settled.net / settled.stake + (side is not None and side.winning_stake == "kept")


# ---------------------------------------------------------------------- counts that go by rounds


def _bets_closed(before: State, after: State, event: ev.BetsClosed) -> State:
    """A player at the table without a wager is idle for one round more."""
    after = _opened(before, after, event)
    if after.trouble.rebuilt:
        return after
    playing = {bettor.player for box in event.boxes for bettor in box.bettors} | {bet.player for bet in event.sides}
    idle = {
        arrival.player: after.floor.idle.get(arrival.player, 0) + 1
        for arrival in after.arrivals
        if arrival.player not in playing
    }
    return after if idle == after.floor.idle else replace(after, floor=replace(after.floor, idle=idle))


def _round_ended(before: State, after: State, event: ev.RoundEnded) -> State:
    """One of the rounds announced before the table closes is over; a wager carried over from the last adds one."""
    closing = after.floor.closing
    if closing is None or closing.rounds_left is None or before.phase is Phase.SETTLED or before.trouble.ended:
        return after
    left = max(closing.rounds_left - 1, 0)
    extra = left == 0 and bool(after.carried) and not closing.extra
    new = replace(closing, rounds_left=1 if extra else left, extra=extra or closing.extra)
    return replace(after, floor=replace(after.floor, closing=new))


def _reshuffled(before: State, after: State, event: ev.Event) -> State:
    """Restrictions that hold until the reshuffle are over."""
    if isinstance(event, ev.Shuffled) and event.mid_round:
        return after
    kept = tuple(item for item in after.floor.restrictions if not item.until_reshuffle)
    return after if kept == after.floor.restrictions else replace(after, floor=replace(after.floor, restrictions=kept))


def _left(before: State, after: State, event: ev.PlayerLeft) -> State:
    """Idle rounds are forgotten, and so is the right to an old minimum."""
    idle = {player: count for player, count in after.floor.idle.items() if player != event.player}
    protected = tuple(item for item in after.floor.protected if item.player != event.player)
    return replace(after, floor=replace(after.floor, idle=idle, protected=protected))


NOTES: dict[type[ev.Event], Note] = {
    ev.WagerReturned: _opened,
    ev.PlayerWarned: _opened,
    ev.BetsClosed: _bets_closed,
    ev.InitialDeal: _initial_deal,
    ev.PartDealt: _part,
    ev.CardsBurnt: _burnt,
    ev.CardDrawn: _card,
    ev.DealerDrew: _dealer_drew,
    ev.HandEnded: _ended,
    ev.Doubled: _doubled,
    ev.HandSplit: _split,
    ev.SurrenderTaken: _surrender,
    ev.InsurancePlaced: _insured,
    ev.EvenMoneyTaken: _even_money,
    ev.Forfeited: _forfeited,
    ev.LeftToDealer: _absent,
    ev.ControlPassed: _control_passed,
    ev.Switched: _switched,
    ev.SwitchDeclined: _switch_declined,
    ev.PendingPassed: _passed,
    ev.SideSettled: _side,
    ev.RoundEnded: _round_ended,
    ev.ShoeLoaded: _reshuffled,
    ev.Shuffled: _reshuffled,
    ev.PlayerLeft: _left,
}
