"""Rebuilding a round: its cards are dealt again in the order in which they came, as they should have fallen.

The round goes back to the close of betting, and its story is told again as it should have been. The deal falls as the
book says, or as it fell where the time to mend it is over. What was decided is decided again: a decision holds as long
as whoever made it had the same cards before them and the dealer showed the same; the one that was carried out wrongly
is carried out as it should have been. What was ruled in between stands: wagers that went back stay back, what a broken
machine had to pay is paid. Where a hand is different now, its player is asked again and the round goes on from
there. If the round cannot be rebuilt, the refusal says why and names the void that the book has.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from pitboss.play.surrender import surrender_before_turns
from pitboss.table.draft import Draft, Refused
from pitboss.table.floor_state import AFTER_OFFERS, AFTER_THE_ROUND, BEFORE_PLAY, Deed, RoundCommand, RulingCommand
from pitboss.table.messages import commands as cmd
from pitboss.table.messages import events as ev
from pitboss.table.messages import order_commands as od
from pitboss.table.orders import rulings as ru
from pitboss.table.orders.mishaps.irregularities import late_insurance
from pitboss.table.orders.mishaps.malfunctions import (
    malfunction,
    offer_withdrawal,
    panel_prize,
    retract,
    rule_unregistered,
)
from pitboss.table.orders.mishaps.misdeals import discard_hand, first_card, is_past_deal, let_fall, play_on
from pitboss.table.orders.roles import power_for, rule
from pitboss.table.orders.voids import is_too_late_for_void, turn_away, undo, void
from pitboss.table.round import sides
from pitboss.table.round.actions import double, forfeit, hit, leave_box, play_absent, split, stand, switch
from pitboss.table.round.dealing import deal
from pitboss.table.round.finish import go_on
from pitboss.table.round.offers import close_offers, insure, surrender, take_even_money
from pitboss.table.round.turns import pass_pending
from pitboss.table.shoe.devices import CardDue, ShoeEmpty, burn
from pitboss.table.shoe.shoe_folds import is_same_pack
from pitboss.table.state import CardSource, Pending, Phase, Shoe, State

BEFORE_TURNS = (cmd.Insure, cmd.TakeEvenMoney, cmd.DrawPrize)
"""Deeds that belong to the offers, whenever they were done."""

STANDS = (cmd.SystemPick, *typing.get_args(RulingCommand))
"""What stands whatever the cards are: what machines picked, and what was ruled on the round."""

REDO: dict[type[cmd.Command], Callable[[Draft, Any], None]] = {
    cmd.Hit: hit,
    cmd.Stand: stand,
    cmd.Double: double,
    cmd.Split: split,
    cmd.Switch: switch,
    cmd.Forfeit: forfeit,
    cmd.PlayAbsent: play_absent,
    cmd.LeaveBox: leave_box,
    cmd.Surrender: surrender,
    cmd.Insure: insure,
    cmd.TakeEvenMoney: take_even_money,
    cmd.DrawPrize: sides.draw_prize,
    cmd.SystemPick: sides.system_pick,
    cmd.Void: void,
    od.Retract: retract,
    od.Malfunction: malfunction,
    od.PanelPrize: panel_prize,
    od.Unregistered: rule_unregistered,
    od.LateInsurance: late_insurance,
    od.DiscardHand: discard_hand,
    od.FirstCard: first_card,
    od.DeviceFailed: offer_withdrawal,
}

SHOULD: dict[str, Callable[[str], RoundCommand]] = {
    "hit": lambda box: cmd.Hit(box=box),
    "stand": lambda box: cmd.Stand(box=box),
    "double": lambda box: cmd.Double(box=box),
    "split": lambda box: cmd.Split(box=box),
    "surrender": lambda box: cmd.Surrender(box=box),
    "absent": lambda box: cmd.PlayAbsent(box=box),
    "switch": lambda box: cmd.Switch(area=box),
    "no-switch": lambda box: cmd.Proceed(),
}
"""What a decision can have been meant to be."""

ASK = "ask"


def reconstruct(draft: Draft, command: od.Reconstruct) -> None:
    """Rebuild the round."""
    state = draft.state
    act = "reconstruct" if command.box is None else "reconstruct-decision"
    clauses = rule(draft, command, act, box=command.box or "")
    _in_time(draft, command, clauses)
    deeds = list(state.deeds)
    meant: RoundCommand | None = None
    if command.box is None:
        if not state.trouble.misdealt:
            raise Refused("the cards fell as they should: name the box whose decision was carried out wrongly", clauses)
    else:
        meant = _correct(state, deeds, command, tuple(dict.fromkeys((*clauses, *draft.cite("reconstruct_until")))))
    try:
        rebuild(draft, tuple(deeds), clauses, meant=meant, as_it_fell=_was_played_on(state, command))
    except _NeverOpen as refused:
        raise Refused(refused.reason, tuple(dict.fromkeys((*clauses, *refused.clauses)))) from None
    except Refused as refused:
        raise _impossible(draft, refused.reason, refused.clauses or clauses) from None


def _was_played_on(state: State, command: od.Reconstruct) -> bool:
    """The deal fell wrongly and was played on, and it is another error that is mended now, by a power of its own."""
    apart = command.box is not None and "rectify-missed-decision" in state.rules.authority
    return apart and bool(state.trouble.misdealt) and not state.trouble.halted


def _in_time(draft: Draft, command: od.Reconstruct, clauses: tuple[str, ...]) -> None:
    """Until when the book lets a round be rebuilt."""
    state, rules = draft.state, draft.state.rules
    if state.phase is Phase.BETTING or state.opening is None:
        raise draft.refuse("an error in an earlier round no longer changes anything", "reconstruct_until")
    if state.void:
        raise Refused("the round is void", clauses)
    if _is_shuffled_since(state):
        raise _impossible(draft, "its cards are shuffled with the others", clauses)
    decision = command.box is not None and "rectify-missed-decision" in rules.authority
    if decision and state.phase is Phase.SETTLED:
        raise Refused("an error that is found after all wagers were settled changes nothing", clauses)
    bars_draw = rules.reconstruct_until == "interim-settlement-or-draw"
    if not decision and (is_past_deal(state) or (bars_draw and command.box is not None)):
        words = f"a deal is rebuilt before any interim settlement{' and any further card' if bars_draw else ''}"
        raise _impossible(draft, words, draft.cite("reconstruct_until"))


def _is_shuffled_since(state: State) -> bool:
    """A round that is reopened has lost its place in the shoe: its cards went to others."""
    past = state.waiting.past if state.waiting is not None else None
    return past is not None and not is_same_pack(past.shoe, state.shoe)


def _impossible(draft: Draft, why: str, clauses: tuple[str, ...]) -> Refused:
    """The refusal that offers the void."""
    power = power_for(draft.state.rules, "void", None)
    offer = f"; the round may be declared void: !{power.role} void @{power.clauses[0]}" if power is not None else ""
    if power is not None and is_too_late_for_void(draft.state, power):
        offer = "; the round stands"
    return Refused(f"the round cannot be rebuilt: {why}{offer}", clauses)


def _correct(state: State, deeds: list[Deed], command: od.Reconstruct, clauses: tuple[str, ...]) -> RoundCommand | None:
    """Exchange the deed that was wrong for what it should have been, and forget what the box did after it.

    Whether a double stands or is taken back belongs to the double.
    """
    places = find_decisions(state, deeds, command.box or "")
    if not places or command.number > len(places):
        raise Refused(f"box {command.box} has decided {len(places)} times in this round", clauses)
    at = places[command.number - 1]
    if command.should != ASK and command.should not in SHOULD:
        known = ", ".join((*SHOULD, ASK))
        raise Refused(f"'{command.should}' is not a decision: {known}", clauses)
    later = {place for place, deed in enumerate(deeds) if place > at and deed.box == command.box and _is_decision(deed)}
    wrong = deeds[at]
    meant = None if command.should == ASK else SHOULD[command.should](command.box or "")
    if meant is not None and _is_same(state, wrong.command, meant):
        raise Refused(f"box {command.box} did {command.should}: nothing was carried out wrongly", clauses)
    kept = [deed for place, deed in enumerate(deeds) if place not in later]
    kept[at] = replace(wrong, command=meant) if meant is not None else replace(wrong, box="")
    deeds[:] = kept
    return meant


def find_decisions(state: State, deeds: Iterable[Deed], box: str) -> list[int]:
    """The places in the story of the round at which a box, or an area, has decided; whether a double stands is none."""
    passes = (cmd.Forfeit,) if state.rules.switch else (cmd.Forfeit, cmd.Proceed)
    return [
        place
        for place, deed in enumerate(deeds)
        if deed.box == box and _is_decision(deed) and not isinstance(deed.command, passes)
    ]


def _is_same(state: State, done: cmd.Command, meant: RoundCommand) -> bool:
    """What was done is what was meant; a double that names nobody is the controlling player's, in full."""
    if not isinstance(done, cmd.Double) or not isinstance(meant, cmd.Double):
        return done == meant
    box = state.boxes[state.box_index(done.box)]
    return dict(done.amounts) in (
        {},
        {bettor.player: bettor.stake for bettor in box.bettors if bettor.player == box.controller},
    )


def _is_decision(deed: Deed) -> bool:
    return not isinstance(deed.command, (*BEFORE_TURNS, *STANDS, cmd.LeaveBox))


# ---------------------------------------------------------------------- back, and forth again


def rebuild(
    draft: Draft, deeds: tuple[Deed, ...], clauses: tuple[str, ...], *, meant: RoundCommand | None = None,
    burn_first: bool = False, as_it_fell: bool = False,
) -> None:  # fmt: skip
    """Take everything back, deal again, and decide again as far as decisions hold."""
    before = draft.state
    for settled in before.settlements:
        undo(draft, settled, clauses)
    if before.opening is not None and before.meters != before.opening.meters:
        draft.emit(ev.MetersGrew(meters=before.opening.meters, clauses=clauses))
    queue, reached = list(deeds), before.shoe.position
    draft.emit(ru.RoundRewound(shoe=_shoe_again(before), reached=max(reached, before.trouble.reached), clauses=clauses))
    for bet in draft.state.bets:
        if (bet.box, bet.player, bet.wager) in before.trouble.retracted:
            turn_away(draft, bet, clauses)
    if burn_first:
        burn(draft, 1, "burn_shoe")
    if any(bet.wager == "main" for bet in draft.state.bets):
        if as_it_fell:
            let_fall(draft, before.trouble.misdealt)
            _rule_again(draft, [deed for deed in deeds if deed.hand == BEFORE_PLAY], queue)
            play_on(draft)
        else:
            deal(draft)
        _stand_by_orders(draft, before)
        _turns_again(draft, before, queue, meant)
    else:
        _stand_by_orders(draft, before)
        draft.emit(ev.RoundEnded())
    if draft.state.trouble.withdrawal != before.trouble.withdrawal:
        draft.emit(ru.TroubleSet(trouble=replace(draft.state.trouble, withdrawal=before.trouble.withdrawal)))
    draft.emit(ru.RoundRebuilt())


def _stand_by_orders(draft: Draft, before: State) -> None:
    """What was ordered for later while the round was played stands: standing orders, a shuffle after the round."""
    if draft.state.floor != before.floor:
        draft.emit(ru.FloorSet(floor=before.floor))
    for why in before.shoe.due:
        if why not in draft.state.shoe.due and why != "cut-card":
            draft.emit(ev.ShuffleDue(why=why, clauses=before.shoe.due_clauses))
    if before.shoe.dropped and not draft.state.shoe.dropped:
        draft.emit(ev.CardsDropped())


def _shoe_again(state: State) -> Shoe:
    """The shoe with the cards of the round in front again, in the order in which they came.

    Cards that were burnt because they lay face up are left out. A device that has mixed its cards since goes on with
    what it holds now, behind the cards that are known.
    """
    opening = state.opening
    assert opening is not None
    now, then = state.shoe, opening.shoe
    kept = {"burnt": now.burnt, "shown": now.shown, "origin": now.origin, "due": then.due}
    if now.origin.mixes != then.origin.mixes or now.origin.number != then.origin.number:
        discards = () if now.origin.mixes != then.origin.mixes else then.discards
        return replace(then, cards=(*state.drawn, *now.undealt), position=0, discards=discards, cut_card=None, **kept)
    gone = now.position - then.position - len(state.drawn)
    cut_card = now.cut_card if now.source is CardSource.KEYED else then.cut_card
    if cut_card is not None and cut_card > now.position:
        cut_card -= gone
    return replace(then, cards=(*now.cards[: then.position], *state.drawn, *now.undealt), cut_card=cut_card, **kept)


def _offers_again(draft: Draft, before: State, queue: list[Deed]) -> None:
    """Offers are taken again where the dealer shows the same card, and closed if they had been."""
    up = draft.state.up_card or ""
    offered: tuple[type[cmd.Command], ...] = BEFORE_TURNS
    if surrender_before_turns(draft.state.packed):
        offered = (*BEFORE_TURNS, cmd.Surrender)
    decided = False
    for deed in tuple(queue):
        if _stands(deed) and not decided and deed.hand != AFTER_THE_ROUND:
            if isinstance(deed.command, od.LateInsurance) and draft.state.phase is Phase.OFFERS:
                # It was said that insurance had been forgotten, so the time for it was over.
                close_offers(draft)
            _rule_again(draft, (deed,), queue)
            go_on(draft)
            continue
        offer = isinstance(deed.command, offered) and not _stands(deed)
        decided = decided or not offer
        if offer and deed.up == up and not _is_gone(draft.state, deed) and _redo(draft, deed):
            queue.remove(deed)
    same = bool(before.dealer) and before.dealer[0] == up
    if same and before.phase is not Phase.OFFERS and draft.state.phase is Phase.OFFERS and not draft.state.prizes_due:
        close_offers(draft)


def _stands(deed: Deed) -> bool:
    """It stands whatever the boxes do now, in its place among the decisions."""
    return isinstance(deed.command, STANDS) or deed.hand == AFTER_OFFERS


def _is_gone(state: State, deed: Deed) -> bool:
    """Even money, surrender and prizes hang on the hand: they are gone if it is different now."""
    if isinstance(deed.command, cmd.Insure):
        return False
    index = state.box_index(deed.box)
    return index < 0 or state.boxes[index].hands[0].cards != deed.cards


class _NeverOpen(Refused):
    """What a decision is said to have been meant to be was not open to the box."""


def _redo(draft: Draft, deed: Deed, meant: RoundCommand | None = None, ruled: Iterable[Deed] = ()) -> bool:
    """Carry a deed out again, with what was `ruled` after it; False if it can no longer be.

    What was `meant` must be possible.
    """
    trial = draft.try_out()
    command = deed.command
    trial.emit(ru.DecidedAgain(command=command, by=deed.by))
    try:
        if isinstance(command, cmd.Proceed):
            pass_pending(trial)
        else:
            REDO[type(command)](trial, command)
        _rule_again(trial, ruled, list(ruled))
        go_on(trial)
    except ShoeEmpty as empty:
        if draft.state.shoe.source is not CardSource.KEYED:
            return False
        if isinstance(empty, CardDue):
            trial = draft.try_out()
            trial.emit(ru.DecidedAgain(command=command, by=deed.by))
        trial.emit(ev.CardAwaited(command=command if isinstance(empty, CardDue) else None))
    except Refused as refused:
        if command is meant:
            raise _NeverOpen(f"this was not open to the box: {refused.reason}", refused.clauses) from None
        return False
    draft.keep(trial)
    return True


def _turns_again(draft: Draft, before: State, queue: list[Deed], meant: RoundCommand | None) -> None:
    """Offers are taken and boxes decide again, each in the order of its own deeds, until somebody has to be asked.

    What was ruled comes in its place between them, and if somebody has to be asked it stands nevertheless. Offers come
    before the boxes act, and once more when the dealer takes a first card that was missed.
    """
    while draft.state.phase in (Phase.OFFERS, Phase.TURNS) and not draft.state.shoe.out:
        if draft.state.phase is Phase.OFFERS:
            waiting = len(queue)
            _offers_again(draft, before, queue)
            go_on(draft)
            if draft.state.phase is Phase.OFFERS and len(queue) == waiting:
                break
            continue
        go_on(draft)
        if draft.state.phase is not Phase.TURNS:
            continue
        if (drawn := _next_prize(draft.state, queue)) is not None:
            queue.remove(drawn)
            _redo(draft, drawn)
            continue
        again = _next_deed(draft.state, [deed for deed in queue if not isinstance(deed.command, BEFORE_TURNS)])
        at = len(queue) if again is None else queue.index(again)
        ruled = [deed for deed in queue[:at] if _stands(deed)]
        if ruled:
            # It may take the hand that acts out of the round, and then the next one decides.
            _rule_again(draft, ruled[:1], queue)
            go_on(draft)
            continue
        if again is None:
            break
        queue.remove(again)
        last = not any(_is_decision(deed) for deed in queue)
        ruled = [deed for deed in queue if last and _stands(deed) and deed.hand != AFTER_THE_ROUND]
        left = isinstance(again.command, cmd.LeaveBox)
        if _redo(draft, again, meant, ruled):
            queue = [deed for deed in queue if deed not in ruled]
        elif not left:
            break
    _rule_again(draft, [deed for deed in queue if _stands(deed)], queue)
    go_on(draft)


def _rule_again(draft: Draft, ruled: Iterable[Deed], queue: list[Deed]) -> None:
    """What was ruled stands, as far as it still has an object."""
    for deed in ruled:
        queue.remove(deed)
        if deed.hand == AFTER_OFFERS and deed.up != draft.state.up_card:
            continue  # Insurance is against the card that the dealer showed.
        trial = draft.try_out()
        trial.emit(ru.DecidedAgain(command=deed.command, by=deed.by))
        try:
            if not _of_another_hand(trial.state, deed):
                REDO[type(deed.command)](trial, deed.command)
        except Refused:
            continue
        draft.keep(trial)


def _of_another_hand(state: State, deed: Deed) -> bool:
    """A choice of the hand that acts was made by another hand."""
    if not isinstance(deed.command, od.FirstCard):
        return False
    return state.turn is None or (state.boxes[state.turn[0]].number, state.turn[1]) != (deed.box, deed.hand)


def _next_prize(state: State, queue: list[Deed]) -> Deed | None:
    """A prize that was drawn for a box which had its second card late."""
    for deed in queue:
        if isinstance(deed.command, cmd.DrawPrize) and (deed.command.box, deed.command.player) in state.prizes_due:
            return deed
    return None


def _next_deed(state: State, queue: list[Deed]) -> Deed | None:
    """What the hand that acts did when it had the same cards before it and the dealer showed the same.

    Who has walked away is gone whatever the cards are.
    """
    if queue and isinstance(queue[0].command, cmd.LeaveBox):
        return queue[0]
    if state.turn is None:
        return None
    up = state.dealer[0] if state.dealer else ""
    b, h = state.turn
    box = state.boxes[b]
    area = [other for other in state.boxes if other.area == box.area]
    first = next((deed for deed in queue if deed.box in (str(box.area), *(other.number for other in area))), None)
    if state.rules.switch and first is not None and first.box == str(box.area):
        pair = tuple(card for other in area for card in other.hands[0].cards)
        return first if (first.cards, first.up) == (pair, up) else None
    own = next((deed for deed in queue if deed.box == box.number), None)
    if own is not None and isinstance(own.command, cmd.LeaveBox):
        return own
    if own is None or (own.hand, own.cards, own.up) != (h, box.hands[h].cards, up):
        return None
    taken_back = isinstance(own.command, cmd.Forfeit | cmd.Proceed)
    return own if taken_back == (state.pending is Pending.RESCUE) else None


def restart_shoe(draft: Draft, command: od.RestartShoe) -> None:
    """The first round of a shoe is rebuilt with the burn that was left out."""
    state = draft.state
    clauses = rule(draft, command, "restart-shoe")
    if state.phase in (Phase.BETTING, Phase.SETTLED) or state.opening is None or state.shoe.rounds > 1:
        raise Refused("the burn can be made good in the first round of a shoe, while it is played", clauses)
    if state.shoe.burnt:
        raise Refused("a card was burnt", clauses)
    try:
        rebuild(draft, state.deeds, clauses, burn_first=True)
    except Refused as refused:
        raise _impossible(draft, refused.reason, refused.clauses or clauses) from None
