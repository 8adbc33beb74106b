"""Drawing cards: from a shoe with its cut card, or from a device into which the discards return.

A device is taken to be perfect: whenever cards are fed into it, everything it holds gets a new random order, from the
next stream of the seed that was committed when it was loaded. When the discards return is the book's business: after
the round, after the next initial deal, or (in one reading) as soon as a hand is collected.
"""

from __future__ import annotations

from pitboss.cards import VALUE, Card
from pitboss.play.shoe import burns_every_round, burns_unseen, returns_after_next_deal, returns_within_round
from pitboss.table.draft import Draft, Refused
from pitboss.table.messages import events as ev
from pitboss.table.shoe.shuffle import shuffle_cards
from pitboss.table.state import CardSource, Shoe, State

DEALER = "dealer"
FIRST = "first"
BURN = "burn"


class ShoeEmpty(Refused):
    """A card is needed and none is left. What has happened so far in the round has happened."""


class CardDue(ShoeEmpty):
    """What is asked cannot be begun before the next card is keyed in."""


def draw_card(draft: Draft, to: str = DEALER) -> Card:
    """The next card, for box `to` or the dealer; the event that deals it moves the shoe on."""
    shoe = draft.state.shoe
    if shoe.discards and returns_within_round(draft.state.rules, device=shoe.source is CardSource.DEVICE):
        feed_discards(draft)
    meet_cut_card(draft, to)
    refill_device(draft)
    shoe = draft.state.shoe
    if not shoe.left:
        found = draft.refuse("no card is left in the shoe", "out_of_cards")
        raise found if shoe.source is CardSource.STACKED else ShoeEmpty(found.reason, found.clauses)
    return shoe.cards[shoe.position]


def meet_cut_card(draft: Draft, to: str) -> None:
    """The cut card comes out before the next card, if it lies there."""
    cut_card_among(draft, draft.state.shoe, (to,))


def cut_card_among(draft: Draft, shoe: Shoe, places: tuple[str, ...]) -> None:
    """The cut card comes out if it lay before one of the next cards of `shoe`, which go to `places` in turn."""
    if shoe.cut_card is None or shoe.fell or not 0 <= shoe.cut_card - shoe.position < len(places):
        return
    to = places[shoe.cut_card - shoe.position]
    matter = "shuffle_cut_card_first" if to == FIRST else "shuffle_cut_card_round"
    draft.emit(ev.CutCardDrawn(fell=to, player=_owner_of(draft.state, to), clauses=draft.cite(matter)))


def _owner_of(state: State, place: str) -> str:
    """The player on whose box the cut card fell; nobody on a shared box, if the book is read not to say who."""
    index = state.box_index(place)
    if index < 0:
        return ""
    box = state.boxes[index]
    unstated = len(box.bettors) > 1 and state.rules.cutter_on_shared_box == "not-stated"
    return "" if unstated else box.controller


def card_at_hand(state: State) -> bool:
    """A card can be drawn now, or keyed in."""
    shoe = state.shoe
    refills = shoe.source is CardSource.DEVICE and state.rules.out_of_cards_device == "no-cut"
    return bool(shoe.left or shoe.source is CardSource.KEYED or (refills and (shoe.discards or shoe.burnt)))


def waits_for_cards(draft: Draft) -> Refused:
    """Why nothing can be played now."""
    if draft.state.shoe.source is CardSource.KEYED:
        return Refused("the next card is to be keyed in first")
    if draft.state.shoe.stopped:
        return draft.refuse("the device has failed: its cards must be shuffled first", "device_failure")
    return draft.refuse("no card is left: the discards must be shuffled first", "out_of_cards")


def require_card(draft: Draft) -> None:
    """Refuse what needs a card at once if there is none, or let it wait for one; nothing has happened then."""
    require_cards(draft, 1)
    if not card_at_hand(draft.state):
        raise draft.refuse("no card is left in the shoe: the discards must be shuffled first", "out_of_cards")


def require_cards(draft: Draft, count: int) -> None:
    """Let what needs so many cards wait until they are keyed in, where cards are."""
    shoe = draft.state.shoe
    if shoe.source is CardSource.KEYED and shoe.left < count:
        raise CardDue("the next card is to be keyed in")


def feed_discards(draft: Draft, *matters: str) -> None:
    """The rack goes into the device."""
    shoe = draft.state.shoe
    rack = (*shoe.burnt, *shoe.discards)
    order = shuffle_cards((*shoe.undealt, *rack), shoe.origin.seed, shoe.origin.mixes + 1)
    draft.emit(ev.DiscardsFed(cards=rack, order=order, clauses=draft.cite(*(matters or ("discards_return",)))))


def refill_device(draft: Draft) -> None:
    """A device that has dealt its last card gets the rack, without a cut unless the book is read that way."""
    shoe = draft.state.shoe
    if shoe.left or shoe.source is not CardSource.DEVICE or not (shoe.discards or shoe.burnt):
        return
    if draft.state.rules.out_of_cards_device == "no-cut":
        feed_discards(draft, "out_of_cards", "cut_none")


def after_initial_deal(draft: Draft) -> None:
    """The last round's discards go into the device, where the book says so."""
    if _feeds(draft.state, late=True) and not draft.state.shoe.feed_missed:
        feed_discards(draft)


def after_round(draft: Draft) -> None:
    """The cards of the round that is over go into the device, where the book says so."""
    if _feeds(draft.state, late=False):
        feed_discards(draft)


def _feeds(state: State, *, late: bool) -> bool:
    """A device has cards to take back, and does so after the next initial deal (`late`) or before it."""
    shoe, device = state.shoe, state.shoe.source is CardSource.DEVICE
    return device and returns_after_next_deal(state.rules, device=device) == late and bool(shoe.discards or shoe.burnt)


def stop_device(draft: Draft, clauses: tuple[str, ...]) -> None:
    """The device has failed and there is no other: what it holds is to be shuffled and cut, and dealt from a shoe."""
    if draft.state.shoe.source is CardSource.DEVICE:
        draft.emit(ev.DeviceStopped(clauses=clauses))


# ---------------------------------------------------------------------- burning


def burn_on_opening(draft: Draft) -> None:
    """What is burnt when the cards have gone into the shoe or device, before anybody is dealt to."""
    rules = draft.state.rules
    device = draft.state.shoe.source is CardSource.DEVICE
    later = burns_every_round(rules, device=device) or rules.burn_opens_round
    if burns_unseen(rules, device=device) and not later:
        burn(draft, 1, "burn_device" if device else "burn_shoe")


def burn_before_deal(draft: Draft) -> None:
    """What is burnt once betting is closed: by value after a device was loaded, one card each round by choice."""
    state = draft.state
    rules, shoe = state.rules, state.shoe
    device = shoe.source is CardSource.DEVICE
    if device and rules.burn_device == "face-value-of-first" and not shoe.rounds:
        first = draw_card(draft, BURN)
        burn(draft, 1 + VALUE[first], "burn_device", shown=1)
    if state.house.burn_each_round:
        burn(draft, 1, "burn_shoe")
    elif burns_every_round(rules, device=device):
        burn(draft, 1, "burn_device")
    elif rules.burn_opens_round and not shoe.rounds and shoe.source is not CardSource.STACKED:
        burn(draft, 1, "burn_device" if device else "burn_shoe")


def burn(draft: Draft, count: int, matter: str, shown: int = 0) -> None:
    """So many cards go unseen into the rack, apart from the first `shown` of them.

    Of a real shoe they are burnt by hand, and nobody could say which they are.
    """
    if draft.state.shoe.source is CardSource.KEYED:
        return
    for number in range(count):
        card = draw_card(draft, BURN)
        draft.emit(ev.CardsBurnt(cards=(card,), shown=int(number < shown), clauses=draft.cite(matter)))
