"""How events of the floor change the table: the part of `evolve` that is about rulings, misdeals and rebuilt rounds."""

from __future__ import annotations

from msgspec.structs import replace

from pitboss.cards import Card, add_up
from pitboss.play.packed import pack
from pitboss.table.draft import Fold
from pitboss.table.floor_state import ToTell, Trouble
from pitboss.table.messages import events as ev
from pitboss.table.orders import rulings as ru
from pitboss.table.shoe.shoe_folds import collect, count_round, draw_on, is_same_pack
from pitboss.table.state import Box, Hand, Phase, Stake, State

DEALER = "dealer"
"""The dealer's place, where boxes are named by their numbers."""


def _nothing(state: State, event: ev.Event) -> State:
    return state


def _fold_ruled(state: State, event: ru.Ruled) -> State:
    """Who is still to be told of it is remembered until somebody says that they were."""
    if not event.to_tell:
        return state
    new = tuple(ToTell(body, event.act, event.clauses) for body in event.to_tell)
    to_tell = tuple(dict.fromkeys((*state.floor.to_tell, *new)))
    return replace(state, floor=replace(state.floor, to_tell=to_tell))


def _floor(state: State, event: ru.FloorSet) -> State:
    return replace(state, floor=event.floor)


def _trouble(state: State, event: ru.TroubleSet) -> State:
    return replace(state, trouble=event.trouble)


def _misdealt(state: State, event: ru.Misdealt) -> State:
    """The cards lie where they fell: boxes may have too few or too many, or none, and so may the dealer."""
    places: dict[str, tuple[Card, ...]] = {}
    for place, card in zip(event.fell, event.cards, strict=True):
        places[place] = (*places.get(place, ()), card)
    boxes = tuple(_fallen(box, places.pop(box.number, ())) for box in state.boxes)
    dealer = places.pop(DEALER, ())
    hard, aces = add_up(dealer)
    trouble = replace(state.trouble, misdealt=event.fell, halted=True, elsewhere=tuple(places.items()))
    return replace(
        state,
        boxes=boxes,
        dealer=dealer,
        dealer_hard=hard,
        dealer_aces=aces,
        shoe=draw_on(count_round(state), len(event.cards)),
        drawn=(*state.drawn, *event.cards),
        trouble=trouble,
    )


def _fallen(box: Box, cards: tuple[Card, ...]) -> Box:
    hard, aces = add_up(cards)
    stakes = tuple(Stake(bettor.player, bettor.stake, True) for bettor in box.bettors)
    return replace(box, hands=(Hand(cards, stakes, hard, aces),))


def _hand_discarded(state: State, event: ru.HandDiscarded) -> State:
    gone = dict(state.trouble.elsewhere)[event.box]
    rest = tuple(item for item in state.trouble.elsewhere if item[0] != event.box)
    return replace(state, trouble=replace(state.trouble, elsewhere=rest), shoe=collect(state.shoe, gone))


def _fold_corrected(state: State, event: ru.CardCorrected) -> State:
    """The table as if the card had been keyed in as it is; what was decided on it follows in further events."""
    assert state.opening is not None, "a card of no round was corrected"
    first = state.opening.shoe.position
    shoe = state.shoe
    at = first + event.number - 1
    cards = (*shoe.cards[:at], event.card, *shoe.cards[at + 1 :])
    place = _find_drawn(shoe.cards[first : shoe.position], state.drawn, event.number - 1)
    drawn, part = state.drawn, state.part
    if place is not None:
        drawn = (*drawn[:place], event.card, *drawn[place + 1 :])
        part = drawn[: len(part)]
    return replace(state, shoe=replace(shoe, cards=cards), drawn=drawn, part=part)


def _find_drawn(gone: tuple[Card, ...], drawn: tuple[Card, ...], wanted: int) -> int | None:
    """Where the card at a place among those that left the shoe lies among those drawn; none for a burnt one."""
    place = 0
    for index, card in enumerate(gone):
        is_drawn = place < len(drawn) and drawn[place] == card
        if index == wanted:
            return place if is_drawn else None
        place += is_drawn
    return None


def _fold_taken_back(state: State, event: ru.CardTakenBack) -> State:
    shoe = state.shoe
    shown = shoe.shown[:-1] if shoe.shown[-1:] == (event.card,) else shoe.shown
    return replace(state, shoe=replace(shoe, position=shoe.position - 1, burnt=shoe.burnt[:-1], shown=shown))


def _fold_held_over(state: State, event: ru.CardHeldOver) -> State:
    return replace(state, trouble=replace(state.trouble, reached=state.shoe.position + 1))


def _fold_turned_away(state: State, event: ru.BetTurnedAway) -> State:
    gone = (event.box, event.player, event.wager)
    bets = []
    for bet in state.bets:
        left = bet.amount - event.amount if (bet.box, bet.player, bet.wager) == gone else bet.amount
        if left:
            bets.append(replace(bet, amount=left))
    kept = tuple(item for item in state.trouble.turned_away if item != gone)
    return replace(state, bets=tuple(bets), trouble=replace(state.trouble, turned_away=(*kept, gone)))


def _fold_reopened(state: State, event: ru.RoundReopened) -> State:
    """The round as it ended, under the orders of now. What is left of its cards is what the shoe holds now."""
    past = state.past
    assert past is not None, "there is no round to reopen"
    shoe = state.shoe
    if is_same_pack(shoe, past.shoe):
        shoe = replace(past.shoe, cards=(*past.shoe.cards[: past.shoe.position], *shoe.undealt))
    return replace(past, shoe=shoe, floor=state.floor, arrivals=state.arrivals, house=state.house, waiting=state)


def _rewound(state: State, event: ru.RoundRewound) -> State:
    opening = state.opening
    assert opening is not None, "a round without an opening was rewound"
    before = state.trouble
    trouble = Trouble(
        turned_away=before.turned_away,
        confirmed=before.confirmed,
        rebuilt=before.rebuilt + 1,
        reached=event.reached,
        ended=before.ended or state.phase is Phase.SETTLED,
    )
    return State(
        rules=state.rules,
        packed=state.packed,
        limits=state.limits,
        places=state.places,
        shoe=event.shoe,
        round=state.round,
        bets=opening.bets,
        carried=opening.carried,
        meters=opening.meters,
        warned=opening.warned,
        arrivals=state.arrivals,
        house=state.house,
        revealed=state.revealed,
        trouble=trouble,
        floor=opening.floor,
        waiting=state.waiting,
    )


def _limits(state: State, event: ru.LimitsChanged) -> State:
    return replace(state, limits=event.limits)


def _fold_permitted(state: State, event: ru.OptionPermitted) -> State:
    return replace(state, rules=event.rules, packed=pack(event.rules))


RULING_FOLDS: dict[type[ev.Event], Fold] = {
    ru.Ruled: _fold_ruled,
    ru.FloorSet: _floor,
    ru.TroubleSet: _trouble,
    ru.Misdealt: _misdealt,
    ru.HandDiscarded: _hand_discarded,
    ru.CardTakenBack: _fold_taken_back,
    ru.CardHeldOver: _fold_held_over,
    ru.BetTurnedAway: _fold_turned_away,
    ru.WagerRetracted: _nothing,
    ru.RoundReopened: _fold_reopened,
    ru.CardCorrected: _fold_corrected,
    ru.RoundRewound: _rewound,
    ru.RoundRebuilt: _nothing,
    ru.LimitsChanged: _limits,
    ru.OptionPermitted: _fold_permitted,
    ru.PrizeConfirmed: _nothing,
    ru.WinningsDecided: _nothing,
}
