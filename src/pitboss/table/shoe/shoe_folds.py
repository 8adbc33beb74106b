"""How events change the shoe: the part of `evolve` that is about cards on their way into play, the rack and the device.

Every card of the pack is in one place: still in the shoe, on the layout, burnt, or in the rack. The folds here and
`on_layout` keep it so.
"""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.cards import Card
from pitboss.table.draft import Fold
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shuffle import cut_cards
from pitboss.table.state import Arrival, CardSource, HandStatus, Origin, Shoe, ShoeStage, State

COLLECTED = frozenset({HandStatus.BUST, HandStatus.PAID, HandStatus.OUT})
"""Hands whose cards the dealer puts into the rack at once, before the round is over."""


def on_layout(state: State) -> tuple[Card, ...]:
    """The cards of the round that lie on the table."""
    cards = list(state.part)
    for box in state.boxes:
        for hand in box.hands:
            if hand.status not in COLLECTED:
                cards.extend(hand.cards)
    for _, fallen in state.trouble.elsewhere:
        cards.extend(fallen)
    return (*cards, *state.dealer)


def collect(shoe: Shoe, cards: tuple[Card, ...]) -> Shoe:
    """Cards go from the layout into the rack."""
    return replace(shoe, discards=(*shoe.discards, *cards))


def clear(state: State) -> Shoe:
    """The shoe when a round is over: what lies on the layout goes into the rack."""
    return replace(collect(state.shoe, on_layout(state)), out=False, feed_missed=False)


def is_same_pack(one: Shoe, other: Shoe) -> bool:
    """The cards were neither shuffled nor mixed between the two; given cards are never."""
    return (one.origin.number, one.origin.mixes) == (other.origin.number, other.origin.mixes)


def draw_on(shoe: Shoe, count: int = 1) -> Shoe:
    """Cards have left the shoe."""
    return replace(shoe, position=shoe.position + count)


def count_round(state: State) -> Shoe:
    """The shoe after one more round was dealt from it: who had a wager is remembered for as long as the shoe lasts."""
    counts = dict(state.shoe.wagered)
    for player in {bettor.player for box in state.boxes for bettor in box.bettors}:
        counts[player] = counts.get(player, 0) + 1
    return replace(state.shoe, rounds=state.shoe.rounds + 1, wagered=tuple(sorted(counts.items())))


def is_stacked_on(shoe: Shoe) -> bool:
    """Cards put in by hand, round by round, are one shoe for as long as no shuffle is due."""
    return shoe.source is CardSource.STACKED and not shoe.due


def _fold_loaded(state: State, event: ev.ShoeLoaded) -> State:
    old = state.shoe
    if not is_stacked_on(old):
        return replace(state, shoe=Shoe(event.cards))
    return replace(state, shoe=Shoe(event.cards, rounds=old.rounds, wagered=old.wagered))


def _fold_brought(state: State, event: ev.ShoeBrought) -> State:
    number = state.shoe.origin.number + 1
    return replace(state, shoe=Shoe(source=CardSource.KEYED, origin=Origin(number)))


def _fold_awaited(state: State, event: ev.CardAwaited) -> State:
    return replace(state, shoe=replace(state.shoe, out=True), awaited=event.command)


def _fold_keyed(state: State, event: ev.CardKeyed) -> State:
    shoe = replace(state.shoe, cards=(*state.shoe.cards, event.card), out=False)
    return replace(state, shoe=shoe, awaited=None)


def _fold_cut_card_keyed(state: State, event: ev.CutCardKeyed) -> State:
    return replace(state, shoe=replace(state.shoe, cut_card=len(state.shoe.cards)))


def _fold_arrived(state: State, event: ev.PlayerArrived) -> State:
    others = tuple(arrival for arrival in state.arrivals if arrival.player != event.player)
    at = next((n for n, arrival in enumerate(state.arrivals) if arrival.player == event.player), len(others))
    return replace(state, arrivals=(*others[:at], Arrival(event.player, event.area), *others[at:]))


def _fold_left(state: State, event: ev.PlayerLeft) -> State:
    return replace(state, arrivals=tuple(item for item in state.arrivals if item.player != event.player))


def _due(state: State, event: ev.ShuffleDue) -> State:
    return replace(state, shoe=_now_due(state.shoe, event.why, event))


def _now_due(shoe: Shoe, why: str, event: ev.Event) -> Shoe:
    """A shuffle is due for one reason more; the first one is cited."""
    if why in shoe.due:
        return shoe
    return replace(shoe, due=(*shoe.due, why), due_clauses=shoe.due_clauses if shoe.due else event.clauses)


def _fold_shuffled(state: State, event: ev.Shuffled) -> State:
    before = state.shoe
    shoe = Shoe(event.cards, 0, event.source, event.stage, event.origin, fell=before.fell, fell_to=before.fell_to)
    if event.mid_round:
        # The shoe as players know it goes on: its rounds count, and a shuffle that was due after the round still is.
        out = event.stage is not ShoeStage.OPEN
        shoe = replace(shoe, rounds=before.rounds, wagered=before.wagered, out=out)
        shoe = replace(shoe, due=before.due, due_clauses=before.due_clauses)
    if event.rack_stays:
        shoe = replace(shoe, discards=before.discards, burnt=before.burnt, shown=before.shown)
    return replace(state, shoe=shoe)


def _fold_retired(state: State, event: ev.ShoeRetired) -> State:
    return replace(state, revealed=event.reveal, shoe=replace(state.shoe, origin=Origin(event.reveal.number)))


def _fold_riffled(state: State, event: ev.Riffled) -> State:
    origin = replace(state.shoe.origin, mixes=state.shoe.origin.mixes + 1)
    return replace(state, shoe=replace(state.shoe, cards=event.cards, origin=origin))


def _cut_offered(state: State, event: ev.CutOffered) -> State:
    return replace(state, shoe=replace(state.shoe, offered=True, asked=event.players))


def _cut_refused(state: State, event: ev.CutRefused) -> State:
    asked = tuple(player for player in state.shoe.asked if player != event.player)
    return replace(state, shoe=replace(state.shoe, asked=asked))


def _cut(state: State, event: ev.CardsCut) -> State:
    shoe = state.shoe
    origin = replace(shoe.origin, cut=event.at, cutter=event.by)
    return replace(
        state, shoe=replace(shoe, cards=cut_cards(shoe.cards, event.at), origin=origin, asked=(), stage=ShoeStage.CUT)
    )


def _cut_card_placed(state: State, event: ev.CutCardPlaced) -> State:
    shoe = state.shoe
    return replace(
        state,
        shoe=replace(
            shoe,
            cut_card=len(shoe.cards) - event.from_back,
            stage=ShoeStage.OPEN,
            asked=(),
            offered=False,
            fell="",
            fell_to="",
            out=False,
        ),
    )


def _device_loaded(state: State, event: ev.DeviceLoaded) -> State:
    shoe = replace(state.shoe, stage=ShoeStage.OPEN, asked=(), offered=False, fell="", fell_to="", out=False)
    return replace(state, shoe=shoe)


def _cut_card_drawn(state: State, event: ev.CutCardDrawn) -> State:
    return replace(state, shoe=_now_due(replace(state.shoe, fell=event.fell, fell_to=event.player), "cut-card", event))


def _burnt(state: State, event: ev.CardsBurnt) -> State:
    shoe = draw_on(state.shoe, len(event.cards))
    return replace(
        state,
        shoe=replace(shoe, burnt=(*shoe.burnt, *event.cards), shown=(*shoe.shown, *event.cards[: event.shown])),
    )


def _burnt_shown(state: State, event: ev.BurntCardShown) -> State:
    return replace(state, shoe=replace(state.shoe, shown=(*state.shoe.shown, event.card)))


def _ran_out(state: State, event: ev.CardsRanOut) -> State:
    return replace(state, shoe=_now_due(replace(state.shoe, out=True), "ran-out", event))


def _fold_fed(state: State, event: ev.DiscardsFed) -> State:
    shoe = state.shoe
    origin = replace(shoe.origin, mixes=shoe.origin.mixes + 1)
    fed = replace(shoe, cards=event.order, position=0, origin=origin, discards=(), burnt=(), shown=(), out=False)
    return replace(state, shoe=fed)


def _fold_stopped(state: State, event: ev.DeviceStopped) -> State:
    return replace(state, shoe=_now_due(replace(state.shoe, out=True, stopped=True), "device-failed", event))


def _feed_missed(state: State, event: ev.FeedMissed) -> State:
    return replace(state, shoe=replace(state.shoe, feed_missed=True))


def _fold_replaced(state: State, event: ev.CardsReplaced) -> State:
    """A whole new pack is shuffled, and checked before that."""
    if event.cards:
        return state
    house, floor = replace(state.house, backs=event.backs), replace(state.floor, cards_checked=False)
    return replace(state, house=house, floor=floor, shoe=_now_due(state.shoe, "replaced", event))


def _fold_dropped(state: State, event: ev.CardsDropped) -> State:
    return replace(state, shoe=replace(state.shoe, dropped=True))


def _fold_verified(state: State, event: ev.CardsVerified) -> State:
    return replace(state, shoe=replace(state.shoe, dropped=False))


def _house(state: State, event: ev.HouseSet) -> State:
    return replace(state, house=event.house)


def _part_dealt(state: State, event: ev.PartDealt) -> State:
    return replace(state, part=(*state.part, *event.cards), shoe=draw_on(state.shoe, len(event.cards)))


def _fold_shown(state: State, event: ev.CardsShown) -> State:
    boxes = tuple(
        replace(box, hands=tuple(replace(hand, face_down=False) for hand in box.hands))
        if box.number == event.box
        else box
        for box in state.boxes
    )
    return replace(state, boxes=boxes)


SHOE_FOLDS: dict[type[ev.Event], Fold] = {
    ev.ShoeLoaded: _fold_loaded,
    ev.ShoeBrought: _fold_brought,
    ev.CardAwaited: _fold_awaited,
    ev.CardKeyed: _fold_keyed,
    ev.CutCardKeyed: _fold_cut_card_keyed,
    ev.PlayerArrived: _fold_arrived,
    ev.PlayerLeft: _fold_left,
    ev.ShuffleDue: _due,
    ev.Shuffled: _fold_shuffled,
    ev.ShoeRetired: _fold_retired,
    ev.Riffled: _fold_riffled,
    ev.CutOffered: _cut_offered,
    ev.CutRefused: _cut_refused,
    ev.CardsCut: _cut,
    ev.CutCardPlaced: _cut_card_placed,
    ev.DeviceLoaded: _device_loaded,
    ev.CutCardDrawn: _cut_card_drawn,
    ev.CardsBurnt: _burnt,
    ev.BurntCardShown: _burnt_shown,
    ev.CardsRanOut: _ran_out,
    ev.DiscardsFed: _fold_fed,
    ev.DeviceStopped: _fold_stopped,
    ev.FeedMissed: _feed_missed,
    ev.CardsReplaced: _fold_replaced,
    ev.CardsDropped: _fold_dropped,
    ev.CardsVerified: _fold_verified,
    ev.HouseSet: _house,
    ev.PartDealt: _part_dealt,
    ev.CardsShown: _fold_shown,
}
