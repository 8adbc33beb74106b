"""Cards on their way into play, told in words: who sits down, shuffle and cut, the cut card, what is burnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pitboss.table.messages import events as ev
from pitboss.table.shoe.opening import tell_why_due
from pitboss.table.state import CardSource

if TYPE_CHECKING:
    from pitboss.records.narrate.table_events import Around

SHOWN_OF_A_SEAL = 16
"""Digits of a commitment that fit into a sentence; the view has them all."""


def _tell_notice(around: Around, event: ev.NoticeShown) -> Iterator[str]:
    yield f"{event.player} is told on sitting down: {event.text.rstrip('.')}"


def _tell_arrived(around: Around, event: ev.PlayerArrived) -> Iterator[str]:
    yield f"{event.player} comes to the table at box {event.area}"


def _tell_left(around: Around, event: ev.PlayerLeft) -> Iterator[str]:
    yield f"{event.player} leaves the table"


def _due(around: Around, event: ev.ShuffleDue) -> Iterator[str]:
    yield f"the cards will be shuffled before the next round: {tell_why_due(event.why)}"


def _tell_shuffled(around: Around, event: ev.Shuffled) -> Iterator[str]:
    seal = f"; the seal of shoe {event.origin.number} is {event.origin.commitment[:SHOWN_OF_A_SEAL]}"
    what = "the discards" if event.mid_round else f"{len(event.cards)} cards"
    yield f"the dealer shuffles {what}{seal if event.origin.commitment else ''}"


def _tell_retired(around: Around, event: ev.ShoeRetired) -> Iterator[str]:
    yield f"shoe {event.reveal.number} is put away and its seed revealed: {event.reveal.seed.hex()[:SHOWN_OF_A_SEAL]}"


def _tell_riffled(around: Around, event: ev.Riffled) -> Iterator[str]:
    yield f"the stack is riffled once more at {event.player}'s request"


def _tell_offered(around: Around, event: ev.CutOffered) -> Iterator[str]:
    if event.players:
        yield f"{event.players[0]} is offered the cut"
    else:
        yield "there is no player to cut"


def _tell_refused(around: Around, event: ev.CutRefused) -> Iterator[str]:
    asked = around.after.shoe.asked
    yield f"{event.player} declines to cut" + (f"; {asked[0]} is asked next" if asked else "")


def _cut(around: Around, event: ev.CardsCut) -> Iterator[str]:
    role = around.before.rules.rank(event.by) >= 0
    yield f"{'the ' + event.by.replace('-', ' ') if role else event.by} cuts the cards at {event.at} from the front"


def _cut_card(around: Around, event: ev.CutCardPlaced) -> Iterator[str]:
    if event.from_back:
        yield f"the cut card goes {event.from_back} cards from the back, and the shoe is filled"


def _cut_card_drawn(around: Around, event: ev.CutCardDrawn) -> Iterator[str]:
    when = "before this round" if event.fell == "first" else "after this round"
    yield f"the cut card comes out: the cards are shuffled {when}"


def _burnt(around: Around, event: ev.CardsBurnt) -> Iterator[str]:
    count = len(event.cards)
    shown = f": {' '.join(event.cards[: event.shown])}" if event.shown else ", unseen"
    yield f"{'a card is' if count == 1 else f'{count} cards are'} burnt{shown}"


def _burnt_shown(around: Around, event: ev.BurntCardShown) -> Iterator[str]:
    yield f"{event.player} asks to see the burnt card: {event.card}"


def _ran_out(around: Around, event: ev.CardsRanOut) -> Iterator[str]:
    yield "no cards are left: the discards must be shuffled before the round continues"


def _tell_fed(around: Around, event: ev.DiscardsFed) -> Iterator[str]:
    yield f"{len(event.cards)} discards go back into the device"


def _tell_stopped(around: Around, event: ev.DeviceStopped) -> Iterator[str]:
    yield "the device has failed: its cards are shuffled and cut, and the round is finished from a shoe"


def _tell_loaded(around: Around, event: ev.DeviceLoaded) -> Iterator[str]:
    yield "the cards go into the device"


def _feed_missed(around: Around, event: ev.FeedMissed) -> Iterator[str]:
    yield "the discards are left in the rack until the next initial deal is complete"


def _tell_replaced(around: Around, event: ev.CardsReplaced) -> Iterator[str]:
    what = " ".join(event.cards) if event.cards else "all cards"
    yield f"{event.role} has new cards brought for {what}{f': {event.reason}' if event.reason else ''}"


def _tell_dropped(around: Around, event: ev.CardsDropped) -> Iterator[str]:
    yield "the dealer says that cards were dropped"


def _tell_verified(around: Around, event: ev.CardsVerified) -> Iterator[str]:
    yield f"{event.role} has counted {event.count} cards: all are there"


def _tell_brought(around: Around, event: ev.ShoeBrought) -> Iterator[str]:
    yield "a real shoe is in play: its cards are keyed in as they are dealt"


def _tell_keyed(around: Around, event: ev.CardKeyed) -> Iterator[str]:
    yield f"{event.card} leaves the shoe"


def _tell_cut_card_keyed(around: Around, event: ev.CutCardKeyed) -> Iterator[str]:
    yield "the cut card leaves the shoe"


def _part_dealt(around: Around, event: ev.PartDealt) -> Iterator[str]:
    if around.before.shoe.source is CardSource.KEYED:
        return
    yield f"the last cards are dealt: {' '.join(event.cards)}" if event.cards else "there are no cards left to deal"


def _tell_shown(around: Around, event: ev.CardsShown) -> Iterator[str]:
    yield f"box {event.box} turns its two cards over"


def _tell_house(around: Around, event: ev.HouseSet) -> Iterator[str]:
    before, house = around.before.house, event.house
    if house.burn_each_round != before.burn_each_round:
        yield f"A card is {'burnt' if house.burn_each_round else 'no longer burnt'} before every round"
    if house.face_down != before.face_down:
        yield f"First cards are dealt face {'down' if house.face_down else 'up again'}"
    for player, box in house.nominated:
        if (player, box) not in before.nominated:
            yield f"{player} has the cards of box {box} dealt face down"


SHOE_TELLERS: dict[type[ev.Event], Callable[[Around, Any], Iterator[str]]] = {
    ev.NoticeShown: _tell_notice,
    ev.PlayerArrived: _tell_arrived,
    ev.HouseSet: _tell_house,
    ev.PlayerLeft: _tell_left,
    ev.ShuffleDue: _due,
    ev.Shuffled: _tell_shuffled,
    ev.ShoeRetired: _tell_retired,
    ev.Riffled: _tell_riffled,
    ev.CutOffered: _tell_offered,
    ev.CutRefused: _tell_refused,
    ev.CardsCut: _cut,
    ev.CutCardPlaced: _cut_card,
    ev.CutCardDrawn: _cut_card_drawn,
    ev.CardsBurnt: _burnt,
    ev.BurntCardShown: _burnt_shown,
    ev.CardsRanOut: _ran_out,
    ev.DiscardsFed: _tell_fed,
    ev.DeviceStopped: _tell_stopped,
    ev.DeviceLoaded: _tell_loaded,
    ev.FeedMissed: _feed_missed,
    ev.CardsReplaced: _tell_replaced,
    ev.CardsDropped: _tell_dropped,
    ev.CardsVerified: _tell_verified,
    ev.ShoeBrought: _tell_brought,
    ev.CardKeyed: _tell_keyed,
    ev.CutCardKeyed: _tell_cut_card_keyed,
    ev.PartDealt: _part_dealt,
    ev.CardsShown: _tell_shown,
}
"""Who tells what of shoes and devices."""
