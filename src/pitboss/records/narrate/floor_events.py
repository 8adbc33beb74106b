"""Rulings told in words: what the floor ordered, what went wrong with the cards, and rounds that were rebuilt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pitboss.money import show
from pitboss.table.messages import events as ev
from pitboss.table.orders import rulings as ru
from pitboss.table.round.held_money import amount_withheld
from pitboss.table.state import Limits, SideLimit

if TYPE_CHECKING:
    from pitboss.records.narrate.table_events import Around


def _tell_ruled(around: Around, event: ru.Ruled) -> Iterator[str]:
    who = event.role.replace("-", " ") + (f" {event.person}" if event.person else "")
    told = f", {' and '.join(event.told)} told beforehand" if event.told else ""
    to_tell = f"; {' and '.join(event.to_tell)} to be told" if event.to_tell else ""
    act = event.words.split(" ", 1)[-1].split(" because ")[0].split(" @")[0]
    act = re.sub(r" by \S+$", "", act)
    if act.startswith("dealer "):
        yield f"{act.removeprefix('dealer ')} deals here now{told}{to_tell}"
        return
    reason = f": {event.reason.rstrip('.')}" if event.reason else ""
    yield f"The {who} orders '{act}'{told}{reason}{to_tell}"


def _misdealt(around: Around, event: ru.Misdealt) -> Iterator[str]:
    fell = ", ".join(f"{card} to {_place(place)}" for card, place in zip(event.cards, event.fell, strict=True))
    yield f"The initial deal goes wrong: {fell}"


def _place(place: str) -> str:
    return "the dealer" if place == "dealer" else f"box {place}"


def _trouble(around: Around, event: ru.TroubleSet) -> Iterator[str]:
    before, after = around.before.trouble, event.trouble
    if after.stray and not before.stray:
        yield f"{around.before.shoe.undealt[0]} was dealt in error: it is the next card"
    if after.withdrawal and not before.withdrawal:
        yield "Every player may take back any wager"
    for player in after.late_insurance:
        if player not in before.late_insurance:
            yield f"{'Everybody' if player == '*' else player} may still insure"
    if after.first_card_after and not before.first_card_after:
        yield f"The dealer takes the first card after the hand of box {after.first_card_after[0]}"


def _tell_discarded(around: Around, event: ru.HandDiscarded) -> Iterator[str]:
    yield f"The cards on box {event.box}, which has no wager, are discarded"


def _tell_taken_back(around: Around, event: ru.CardTakenBack) -> Iterator[str]:
    yield f"{event.card} was burnt in error: it is the next card again"


def _tell_corrected(around: Around, event: ru.CardCorrected) -> Iterator[str]:
    yield f"Card {event.number} of the round was keyed in as {event.was}: it is {event.card}"


def _tell_held_over(around: Around, event: ru.CardHeldOver) -> Iterator[str]:
    yield "A card that nobody saw is kept under the shoe: it is the first card of the next round"


def _tell_turned_away(around: Around, event: ru.BetTurnedAway) -> Iterator[str]:
    key = (event.box, event.player, event.wager)
    whole = any(event.amount == bet.amount for bet in around.before.bets if (bet.box, bet.player, bet.wager) == key)
    part = "" if whole else f"{show(event.amount)} of "
    yield f"{part}{event.player}'s {event.wager} wager on box {event.box} {'is' if whole else 'are'} taken off"


def _tell_retracted(around: Around, event: ru.WagerRetracted) -> Iterator[str]:
    yield f"{event.player} takes back the {event.wager} wager on box {event.box}"


def _tell_reopened(around: Around, event: ru.RoundReopened) -> Iterator[str]:
    yield "The previous round is reopened: no card of this one has been dealt"


def _rewound(around: Around, event: ru.RoundRewound) -> Iterator[str]:
    yield "The round is rebuilt: its cards are dealt again as they should have fallen"


def _rebuilt(around: Around, event: ru.RoundRebuilt) -> Iterator[str]:
    yield "The round is as it should have been"


def _tell_permitted(around: Around, event: ru.OptionPermitted) -> Iterator[str]:
    yield f"{event.option.replace('_', ' ')} is {'permitted' if event.value else 'no longer permitted'} at this table"


def _limits(around: Around, event: ru.LimitsChanged) -> Iterator[str]:
    before, after = around.before.limits, event.limits
    if (before.minimum, before.maximum) != (after.minimum, after.maximum):
        yield f"The sign now shows {_bounds(after)}"
    for wager, limit in after.side.items():
        if before.side.get(wager) != limit:
            yield f"The sign now shows {_bounds(limit)} for {wager}"
    if after.unit is not None and after.unit != before.unit:
        yield f"Wagers above the minimum go up by {show(after.unit)}"
    if after.per != before.per:
        yield f"The limits are per {after.per}"


def _bounds(limits: Limits | SideLimit) -> str:
    least, most = (show(item) if item is not None else "none" for item in (limits.minimum, limits.maximum))
    return f"a minimum of {least} and a maximum of {most}"


def _floor(around: Around, event: ru.FloorSet) -> Iterator[str]:
    before, after = around.before.floor, event.floor
    for kept in after.protected:
        if kept not in before.protected:
            yield f"{kept.player} keeps the minimum of {show(kept.minimum)}: box {kept.area} is marked"
    for held in after.withheld:
        if held not in before.withheld:
            so_far = show(amount_withheld(around.before, held))
            yield f"{held.player}'s winnings are withheld from now on, {so_far} so far"
    for dispute in after.disputes:
        if dispute not in before.disputes:
            yield f"{dispute.player}'s dispute goes to: {dispute.next_step}" if dispute.next_step else "It is final"


def _tell_confirmed(around: Around, event: ru.PrizeConfirmed) -> Iterator[str]:
    prize = event.prize
    yield f"{prize.player}'s {prize.outcome} prize of {show(prize.amount)} on box {prize.box} is confirmed and paid"


def _tell_decided(around: Around, event: ru.WinningsDecided) -> Iterator[str]:
    fate = "paid out" if event.released else "forfeit"
    yield f"{event.player}'s withheld winnings of {show(event.amount)} are {fate}"


def _nothing(around: Around, event: ev.Event) -> Iterator[str]:
    yield from ()


RULING_TELLERS: dict[type[ev.Event], Callable[[Any, Any], Iterator[str]]] = {
    ru.Ruled: _tell_ruled,
    ru.FloorSet: _floor,
    ru.LimitsChanged: _limits,
    ru.TroubleSet: _trouble,
    ru.Misdealt: _misdealt,
    ru.HandDiscarded: _tell_discarded,
    ru.CardTakenBack: _tell_taken_back,
    ru.CardCorrected: _tell_corrected,
    ru.CardHeldOver: _tell_held_over,
    ru.BetTurnedAway: _tell_turned_away,
    ru.WagerRetracted: _tell_retracted,
    ru.RoundReopened: _tell_reopened,
    ru.RoundRewound: _rewound,
    ru.DecidedAgain: _nothing,
    ru.RoundRebuilt: _rebuilt,
    ru.OptionPermitted: _tell_permitted,
    ru.PrizeConfirmed: _tell_confirmed,
    ru.WinningsDecided: _tell_decided,
}
"""Who tells what of the floor."""
